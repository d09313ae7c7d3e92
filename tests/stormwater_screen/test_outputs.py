"""Outputs as files: all of them, or none."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pandas as pd
import pyogrio
import pytest

from stormwater_screen.columns import Column
from stormwater_screen.errors import CancelledError, InputError
from stormwater_screen.outputs import (
    Staging,
    WriteError,
    beside_own,
    output_path,
    own_names,
    refuse_collisions,
    typed,
    write_rows,
)

COLUMNS = (Column("class", "text", "class", 24), Column("slope_pct", "number", "slope, percent"))


def _staged(staging: Staging, name: str, text: str) -> None:
    staging.path(name).write_text(text, "utf-8")


def test_outputs_appear_together_and_leave_no_folder(tmp_path: Path) -> None:
    places = {"A": tmp_path / "a.csv", "B": tmp_path / "b.csv"}
    with Staging(places) as staging:
        _staged(staging, "A", "one")
        _staged(staging, "B", "two")
        assert not any(path.exists() for path in places.values())
        assert staging.commit() == {"A": str(places["A"]), "B": str(places["B"])}

    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "b.csv"]
    assert places["B"].read_text("utf-8") == "two"


def test_nothing_is_left_of_a_run_that_does_not_get_so_far_and_what_stood_there_stays(
    tmp_path: Path,
) -> None:
    place = tmp_path / "a.csv"
    place.write_text("before", "utf-8")
    with Staging({"A": place}) as staging:
        _staged(staging, "A", "half")

    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]
    assert place.read_text("utf-8") == "before"


def test_where_the_second_file_cannot_be_put_the_first_is_as_it_was(tmp_path: Path) -> None:
    places = {"A": tmp_path / "a.csv", "B": tmp_path / "b.csv"}
    places["A"].write_text("before", "utf-8")
    with Staging(places) as staging:
        _staged(staging, "A", "one")
        _staged(staging, "B", "two")
        # A folder in the way cannot be replaced by a file.
        places["B"].mkdir()
        (places["B"] / "in").touch()
        staging.path("B").parent.joinpath("b.csv").unlink(missing_ok=True)
        with pytest.raises(WriteError, match="B: "):
            staging.commit()

    assert places["A"].read_text("utf-8") == "before"
    assert (places["B"] / "in").exists()


def test_a_disk_that_is_full_leaves_what_stood_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "a.csv"
    place.write_text("before", "utf-8")

    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("stormwater_screen.outputs.os.fsync", full)
    with Staging({"A": place}) as staging:
        # The library has lost the last bytes and said nothing.
        _staged(staging, "A", "aft")
        with pytest.raises(WriteError, match=r"A: .*a\.csv: No space left on device"):
            staging.commit()
    assert place.read_text("utf-8") == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]


@pytest.mark.parametrize("moves", range(4))
def test_a_stop_between_two_moves_leaves_all_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moves: int
) -> None:
    places = {"A": tmp_path / "a.csv", "B": tmp_path / "b.csv"}
    for place in places.values():
        place.write_text("before", "utf-8")
    replace, done = Path.replace, []

    def stopped(path: Path, target: Path) -> Path:
        if len(done) == moves:
            monkeypatch.undo()
            raise CancelledError("stopped")
        done.append(path)
        return replace(path, target)

    with Staging(places) as staging:
        for name in places:
            _staged(staging, name, "new")
        monkeypatch.setattr(Path, "replace", stopped)
        with pytest.raises(CancelledError):
            staging.commit()

    assert {place.read_text("utf-8") for place in tmp_path.iterdir()} == {"before"}
    assert sorted(place.name for place in tmp_path.iterdir()) == ["a.csv", "b.csv"]


def test_a_file_of_another_format_is_refused(tmp_path: Path) -> None:
    assert output_path("A", str(tmp_path / "a.CSV"), (".csv",)) == tmp_path / "a.CSV"
    with pytest.raises(InputError, match=r"a\.shp\. Needed: a file that ends in \.gpkg or \.csv"):
        output_path("A", str(tmp_path / "a.shp"), (".gpkg", ".csv"))


def test_an_output_inside_a_folder_that_is_read_is_refused(tmp_path: Path) -> None:
    database = tmp_path / "town.gdb"
    database.mkdir()
    sources = {"SOILS": [f"{database}|layername=soils"]}
    with pytest.raises(InputError, match="is also input SOILS"):
        refuse_collisions({"A": database / "out.gpkg"}, sources)
    refuse_collisions({"A": tmp_path / "out.gpkg"}, sources)


def test_chunks_stand_one_below_the_other(tmp_path: Path) -> None:
    path = tmp_path / "a.gpkg"
    chunks = [pd.DataFrame({"class": ["minor", None], "slope_pct": [1.5, float("nan")]})] * 2

    assert write_rows(path, (typed(chunk, COLUMNS) for chunk in chunks)) == 4

    found = pyogrio.read_dataframe(path)
    assert found["class"].tolist() == ["minor", None, "minor", None]
    assert found["slope_pct"].isna().tolist() == [False, True, False, True]


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.gpkg"
    path.mkdir()
    with pytest.raises(WriteError, match=r"a\.gpkg: .* MB free"):
        write_rows(path, [typed(pd.DataFrame({"class": ["a"], "slope_pct": [1.0]}), COLUMNS)])


def test_own_columns_stand_first_and_clashing_ones_are_renamed() -> None:
    own = pd.DataFrame({"PIN": ["1"], "class": [210], "raw": [b"\x01"]})
    types = {"PIN": "object", "class": "int64", "raw": "object"}
    names, notes = own_names(list(types), COLUMNS)
    added = pd.DataFrame({"class": ["minor"], "slope_pct": [1.0]})

    table = beside_own(own, names, added, types)

    assert list(table.columns) == ["PIN", "src_class", "raw", "class", "slope_pct"]
    assert table.iloc[0].tolist() == ["1", 210, "01", "minor", 1.0]
    assert notes == ("SITES: own column class is kept as src_class",)
