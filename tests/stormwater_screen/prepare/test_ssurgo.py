from __future__ import annotations

import csv
import shutil
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from stormwater_screen.errors import InputError
from stormwater_screen.prepare.files import Bundle
from stormwater_screen.prepare.ssurgo import parse_text, table_of_map_units, text_tables


@pytest.fixture
def texas(shared_data: Path) -> Path:
    return shared_data / "formats" / "ssurgo_tx347" / "tabular"


def raw(path: Path) -> list[list[str]]:
    """Read a table another way: each line on its own, split at pipes outside quotes."""
    return list(csv.reader(path.read_text("latin-1").splitlines(), delimiter="|"))


def test_tables_have_as_many_rows_as_their_files_have_lines(texas: Path) -> None:
    tables = text_tables(Bundle(texas.parent)).by_name
    for table, name in (("mapunit", "mapunit"), ("component", "comp"), ("chorizon", "chorizon"),
                        ("muaggatt", "muaggatt"), ("corestrictions", "crstrcts")):  # fmt: skip
        lines = (texas / f"{name}.txt").read_bytes().count(b"\n")
        assert len(tables[table]) == lines, table


def test_columns_are_those_at_the_published_positions(texas: Path) -> None:
    tables = text_tables(Bundle(texas.parent)).by_name
    rows = raw(texas / "muaggatt.txt")
    assert tables["muaggatt"]["hydgrpdcd"].tolist() == [row[17] for row in rows]
    assert tables["muaggatt"]["wtdepannmin"].tolist() == [row[6] for row in rows]
    assert tables["muaggatt"]["brockdepmin"].tolist() == [row[5] for row in rows]
    horizons = raw(texas / "chorizon.txt")
    assert tables["chorizon"]["ksat_r"].tolist() == [row[82] for row in horizons]
    assert tables["chorizon"]["kwfact"].tolist() == [row[111] for row in horizons]


def test_without_tables_of_tables_the_published_positions_are_used(
    texas: Path, tmp_path: Path
) -> None:
    for name in ("mapunit", "comp", "chorizon", "muaggatt", "crstrcts"):
        shutil.copy(texas / f"{name}.txt", tmp_path)
    own, published = text_tables(Bundle(texas.parent)), text_tables(Bundle(tmp_path))
    for table in own.by_name:
        pd.testing.assert_frame_equal(own.by_name[table], published.by_name[table])


def test_columns_in_another_order_are_found_by_mstabcol(tmp_path: Path) -> None:
    (tmp_path / "mstab.txt").write_text('"mapunit"|"mapunit"|"M"|"text"|"units"\n')
    (tmp_path / "mstabcol.txt").write_text(
        '"mapunit"|1|"mukey"|x\n"mapunit"|2|"muname"|x\n"mapunit"|3|"musym"|x\n'
    )
    (tmp_path / "units.txt").write_text('"7"|"Silt loam"|"SiA"\n')
    found = text_tables(Bundle(tmp_path)).by_name["mapunit"]
    assert found.to_dict("records") == [{"musym": "SiA", "muname": "Silt loam", "mukey": "7"}]


def test_a_zip_file_gives_the_same_as_its_folder(texas: Path, tmp_path: Path) -> None:
    packed = tmp_path / "wss SSA é.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for file in texas.iterdir():
            archive.write(file, f"TX347/tabular/{file.name}")
    zipped, plain = text_tables(Bundle(packed)), text_tables(Bundle(texas.parent))
    for table in plain.by_name:
        pd.testing.assert_frame_equal(zipped.by_name[table], plain.by_name[table])


def test_quotes_pipes_and_line_ends_inside_texts_do_not_split_them() -> None:
    text = '"a|b"|"say \\"so\\""|"two\nlines"|""\n"c"|"doubled ""x"""|1|2\n'
    assert parse_text(text.encode(), 4) == [
        ["a|b", 'say "so"', "two\nlines", ""],
        ["c", 'doubled "x"', "1", "2"],
    ]


def test_a_backslash_at_the_end_of_a_text_is_a_backslash() -> None:
    assert parse_text(b'"C:\\"|1\n"D:\\"|2\n', 2) == [["C:\\", "1"], ["D:\\", "2"]]


def test_latin_1_is_read() -> None:
    assert parse_text('"Cañada"|1\n'.encode("latin-1")) == [["Cañada", "1"]]


def test_single_rows_of_another_length_are_left_out_with_a_note(
    texas: Path, tmp_path: Path
) -> None:
    text = (texas / "muaggatt.txt").read_text("latin-1")
    (tmp_path / "muaggatt.txt").write_text(text + '"broken"|1\n', "latin-1")
    found = text_tables(Bundle(tmp_path))
    assert len(found.by_name["muaggatt"]) == 141
    assert found.notes == ("muaggatt.txt: 1 row of another length left out",)


def test_a_file_of_another_kind_under_the_name_of_a_table_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mapunit.txt").write_text("a|b\n")
    with pytest.raises(InputError, match="24 columns"):
        text_tables(Bundle(tmp_path))


def test_a_plain_table_needs_a_key_and_something_of_soils() -> None:
    with pytest.raises(InputError, match="MUKEY or MUSYM"):
        table_of_map_units(pd.DataFrame({"HSG": ["A"]}), "groups")
    with pytest.raises(InputError, match="hydrologic groups"):
        table_of_map_units(pd.DataFrame({"MUSYM": ["A"]}), "groups")
