"""A look at the inputs before a screening."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import geopandas as gpd
import pandas as pd
import pytest
from shapely.geometry import Polygon, box

from stormwater_screen.checking import FACT_INPUTS, Checks, check_inputs
from stormwater_screen.checking_page import checks_html, verdict
from stormwater_screen.columns import CHECK_COLUMNS
from stormwater_screen.fact_names import FACT_NAMES
from stormwater_screen.layers import layer_from_frame
from stormwater_screen.model import DemSource, Options, ScreeningInputs
from stormwater_screen.ordinance import load_ordinance
from tests.terrain import LAKE_GEORGE, PLANE, level, write_dem

X, Y = LAKE_GEORGE


def square(east: float = 0.0) -> Polygon:
    return box(X + east, Y, X + east + 100, Y + 100)


def checked(
    *shapes: Any,
    fields: dict[str, str] | None = None,
    dem: DemSource | None = None,
    law: str = "lake_george",
    columns: dict[str, list[Any]] | None = None,
    **layers: list[Any],
) -> pd.DataFrame:
    frame = gpd.GeoDataFrame(columns or {}, geometry=list(shapes), crs=PLANE)
    sites = layer_from_frame(frame, role="SITES", name="lots", geometry="polygon")
    given = {
        name: (
            layer_from_frame(
                gpd.GeoDataFrame(geometry=own, crs=PLANE),
                role=name,
                name=name.lower(),
                geometry="polygon",
            ),
        )
        for name, own in layers.items()
    }
    inputs = ScreeningInputs(sites, given, fields or {}, dem)
    checks = Checks()
    check_inputs(inputs, load_ordinance(law, date(2025, 6, 1)), Options(), checks)
    return checks.table()


def found(table: pd.DataFrame, level_: str, parameter: str, what: str) -> list[str]:
    chosen = table[
        (table["level"] == level_) & (table["input"] == parameter) & (table["checked"] == what)
    ]
    return list(chosen["found"])


def test_missing_invalid_and_repeated_geometries_are_counted() -> None:
    bow = Polygon([(X, Y), (X + 50, Y + 50), (X + 50, Y), (X, Y + 50)])
    table = checked(square(), square(), None, bow)
    assert found(table, "unknown", "SITES", "geometry") == ["1 without a usable geometry"]
    assert found(table, "warning", "SITES", "geometry") == ["1 invalid, can be repaired"]
    assert found(table, "warning", "SITES", "repeats") == ["1 drawn a second time"]


def test_empty_and_repeated_ids_are_counted() -> None:
    columns = {"PIN": ["a", "a", None]}
    table = checked(square(), square(200), square(400), columns=columns, fields={"SITE_ID": "PIN"})
    assert found(table, "warning", "SITE_ID", "ids") == [
        "1 of 3 ids are empty",
        "2 of 3 sites share their id with another",
    ]


def test_sites_that_a_layer_does_not_cover_are_counted_and_the_columns_named() -> None:
    table = checked(square(), square(20_000), WATER_BODIES=[square(500)])
    row = table[(table["input"] == "WATER_BODIES") & (table["level"] == "unknown")].iloc[0]
    assert row["count"] == 1
    assert "in_500ft" in row["means"]
    assert row["todo"]


def test_an_empty_layer_counts_as_not_given() -> None:
    table = checked(square(), WETLANDS=[])
    assert found(table, "unknown", "WETLANDS", "features") == ["0 feature(s)"]


@pytest.mark.parametrize(("z_unit", "stops"), [("auto", True), ("foot", False)])
def test_a_dem_that_does_not_say_its_unit_stops_a_run_unless_it_is_given(
    tmp_path: Path, z_unit: str, stops: bool
) -> None:
    path = tmp_path / "dem.tif"
    write_dem(path, level(), states_unit=False)
    table = checked(square(), dem=DemSource(str(path), z_unit=z_unit))
    errors = table[table["level"] == "error"]
    assert len(errors) == int(stops)
    if stops:
        assert "vertical unit" in errors["found"].iloc[0]
        assert "DEM_Z_UNIT" in errors["todo"].iloc[0]


def test_sites_beyond_the_dem_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "dem.tif"
    write_dem(path, level())
    table = checked(square(), square(5000), dem=DemSource(str(path)))
    assert found(table, "unknown", "DEM", "coverage") == [
        "1 of 2 sites lie outside it or in a hole of it"
    ]


def test_numbers_that_are_missing_or_doubtful_are_named() -> None:
    table = checked(
        square(), square(300), columns={"area": [0.5, None]}, fields={"DISTURBED_FIELD": "area"}
    )
    assert found(table, "unknown", "DISTURBED_FIELD", "numbers") == ["1 of 2 sites have no number"]
    assert "acres" in found(table, "warning", "DISTURBED_FIELD", "numbers")[0]


def test_rules_of_the_law_that_lack_an_input_are_named_and_those_of_another_are_not() -> None:
    lake_george, wilton = (checked(square(), law=law) for law in ("lake_george", "wilton"))
    assert "LG-MJ1b" in found(lake_george, "unknown", "DEM", "rules")[0]
    assert found(wilton, "unknown", "DEM", "rules") == []


def test_every_fact_that_needs_an_input_is_known_to_the_check() -> None:
    from_sites = {
        "disturbed", "affected", "common_plan", "plan_total", "lda_area", "max_open", "supply",
        "leach",
    }  # fmt: skip
    assert set(FACT_INPUTS) | from_sites == set(FACT_NAMES)


def test_the_page_shows_every_finding_and_text_of_the_data_never_becomes_markup() -> None:
    checks = Checks()
    checks.add("error", "SITES", "<script>alert(1)</script>", "can be used", "no CRS")
    checks.add("info", "DEM", "dem.tif", "cells", "10 x 10")
    page = checks_html(checks, sites="lots & more", law="a law")
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "lots &amp; more" in page
    assert verdict(checks) == "1 problem(s) stop a run; nothing stays open."
    assert [column.name for column in CHECK_COLUMNS] == list(checks.table().columns)
