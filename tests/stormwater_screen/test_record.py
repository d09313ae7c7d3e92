"""The record of a run holds all by which it can be made again."""

from __future__ import annotations

import hashlib
import json
from datetime import date
from pathlib import Path

import geopandas as gpd
import pytest
from shapely import box

from stormwater_screen.errors import InputError
from stormwater_screen.layers import layer_from_frame
from stormwater_screen.model import Options, Screening, ScreeningInputs
from stormwater_screen.ordinance import FOLDER, load_ordinance
from stormwater_screen.record import (
    Record,
    law_path,
    read_record,
    receipt,
    record_path,
    record_text,
    run_record,
)
from stormwater_screen.screening import screen

LAW = load_ordinance("lake_george", date(2025, 6, 1))


def inputs(source: str = "lots.shp") -> ScreeningInputs:
    frame = gpd.GeoDataFrame(
        {"lot": ["L1", "L2"], "area": [4_000.0, 60_000.0]},
        geometry=[box(580_000, 4_800_000, 580_100, 4_800_100),
                  box(580_200, 4_800_000, 580_300, 4_800_100)],
        crs="EPSG:26918",
    )  # fmt: skip
    sites = layer_from_frame(frame, role="SITES", name="lots", geometry="polygon", source=source)
    return ScreeningInputs(sites, {}, {"SITE_ID": "lot", "DISTURBED_FIELD": "area"})


def made(run_id: str = "run-1", given: ScreeningInputs | None = None) -> tuple[Screening, Record]:
    given, options = given or inputs(), Options(run_id=run_id)
    screening = screen(given, LAW, options)
    parameters = {"SITES": "lots.shp", "ORDINANCE": "lake_george"}
    record = run_record(screening, given, LAW, options, law="lake_george", parameters=parameters)
    return screening, record


def test_the_record_comes_back_from_its_text() -> None:
    _, record = made()
    assert read_record(record_text(record), "out.record.json") == json.loads(record_text(record))


def test_the_whole_law_and_its_hash_are_in_the_record() -> None:
    law = made()[1]["ordinance"]
    text = (FOLDER / "lake_george.toml").read_text("utf-8")
    assert law["text"] == text
    assert law["sha256"] == hashlib.sha256(text.encode()).hexdigest()
    assert (law["id"], law["as_of"]) == ("lake_george", "2025-06-01")


def test_each_layer_has_source_crs_count_time_and_checksum(tmp_path: Path) -> None:
    file = tmp_path / "lots.gpkg"
    file.write_bytes(b"12345")
    (layer,) = made(given=inputs(f"{file}|layername=lots"))[1]["layers"]
    assert layer["source"] == f"{file}|layername=lots"
    assert layer["crs"] == "NAD83 / UTM zone 18N (EPSG:26918)"
    assert (layer["features"], layer["read"], layer["bytes"]) == (2, 2, 5)
    assert layer["modified"][:4].isdigit()
    assert len(layer["checksum"]) == 64


def test_versions_of_program_and_libraries_are_named() -> None:
    record = made()[1]
    assert record["program"]["version"]
    assert {"Python", "shapely", "GEOS", "GDAL", "PROJ", "geopandas"} <= set(record["versions"])


def test_a_receipt_names_run_row_and_answers_and_only_the_run_differs_next_time() -> None:
    first, second = receipt(made("aaaaaaaa-1")[1], 2), receipt(made("bbbbbbbb-2")[1], 2)
    assert first.startswith("aaaaaaaa-2-")
    assert second.startswith("bbbbbbbb-2-")
    assert first.split("-")[2] == second.split("-")[2]
    assert first.split("-")[2] != receipt(made("aaaaaaaa-1")[1], 1).split("-")[2]


@pytest.mark.parametrize(
    ("text", "found"),
    [("<html>", "no JSON"), ("[]", "no schema"), ('{"schema": 1}', "no run_id"),
     (record_text({**made()[1], "schema": 2}), "schema 2")],
    # The time in a record would be in the name of the test, which workers must agree on.
    ids=["a page", "a list", "no run", "a later schema"],
)  # fmt: skip
def test_what_is_no_record_is_refused_by_name(text: str, found: str) -> None:
    with pytest.raises(InputError, match=found) as error:
        read_record(text, "x.record.json")
    assert "x.record.json" in str(error.value)


def test_the_record_lies_beside_the_file_and_names_the_table_of_a_geopackage() -> None:
    assert record_path(Path("out/screened.gpkg")) == Path("out/screened.record.json")
    assert record_path(Path("town.gpkg"), "screened") == Path("town.screened.record.json")


def test_a_rules_file_of_ones_own_is_the_file_of_the_record(tmp_path: Path) -> None:
    assert law_path("wilton") == FOLDER / "wilton.toml"
    assert law_path(tmp_path / "town.toml") == tmp_path / "town.toml"
