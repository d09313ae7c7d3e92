"""Differences between a run and itself made again."""

from __future__ import annotations

import copy
from typing import Any

import pandas as pd

from stormwater_screen.columns import FINDING_COLUMNS, SCREENED_COLUMNS
from stormwater_screen.verifying import (
    DIFFERENCE_COLUMNS,
    difference_table,
    edited_sites,
    record_differences,
    site_differences,
)

LAYER = {
    "role": "SOILS", "name": "soils", "crs": "NAD83", "features": 3, "read": 3,
    "checksum": "a", "digests": "000000010000000200000003",
}  # fmt: skip


def record(**changes: Any) -> dict[str, Any]:
    made = {
        "program": {"name": "Stormwater Site Screening", "version": "1"},
        "versions": {"QGIS": "3.40"},
        "parameters": {"WATER_ERROR_FT": 40.0},
        "ordinance": {"id": "x", "file": "x.toml", "as_of": "2025-06-01", "sha256": "1",
                      "text": "value = 1\nvalue = 2"},
        "layers": [copy.deepcopy(LAYER)],
        "rasters": [{"role": "DEM", "name": "dem.tif", "source": "dem.tif", "bytes": 5,
                     "modified": "2025", "crs": "NAD83", "cells": [2, 2]}],
        "results": {"digests": "aaaaaaaabbbbbbbb", "checksum": "c"},
    }  # fmt: skip
    return {**made, **changes}


def words(now: dict[str, Any]) -> list[str]:
    return [f"{one.what}: {one.text}" for one in record_differences(record(), now)]


def test_the_same_record_has_no_difference() -> None:
    assert words(record()) == []


def test_a_changed_feature_is_named_by_its_place() -> None:
    changed = {**LAYER, "checksum": "b", "digests": "000000010000000900000003"}
    told = ["layer: SOILS: soils: 1 of 3 features changed: feature 2"]
    assert words(record(layers=[changed])) == told


def test_a_new_feature_is_counted() -> None:
    changed = {**LAYER, "checksum": "b", "features": 4, "digests": LAYER["digests"] + "00000004"}
    assert (
        "3 features before, 4 now: 0 gone or changed, 1 new" in words(record(layers=[changed]))[0]
    )


def test_a_changed_threshold_is_shown_line_by_line() -> None:
    law = {**record()["ordinance"], "sha256": "2", "text": "value = 1\nvalue = 3"}
    (one,) = record_differences(record(), record(ordinance=law))
    assert (one.what, one.before, one.now) == ("law", "value = 2", "value = 3")


def test_another_program_library_parameter_and_raster_are_named() -> None:
    raster = {**record()["rasters"][0], "bytes": 6}
    now = record(versions={"QGIS": "3.44"}, parameters={"WATER_ERROR_FT": 0.0}, rasters=[raster])
    assert words(now) == [
        "raster: DEM: dem.tif: other size",
        "parameter: parameter WATER_ERROR_FT: 40.0 before, 0.0 now",
        "program: program QGIS: 3.40 before, 3.44 now",
    ]


def test_a_table_changed_by_hand_is_found_by_its_digest() -> None:
    found = edited_sites(record(), [1, 2], ["A", "B"], ["aaaaaaaa", "cccccccc"])
    assert [(one.row, one.site_id, one.what) for one in found] == [(2, "B", "table")]


def sites(*classes: str) -> pd.DataFrame:
    table = pd.DataFrame({column.name: [None] * len(classes) for column in SCREENED_COLUMNS})
    return table.assign(**{"row": range(1, len(classes) + 1), "site_id": "A", "class": classes})


def findings(*rules: str, value: float = 1.0) -> pd.DataFrame:
    table = pd.DataFrame({column.name: [None] * len(rules) for column in FINDING_COLUMNS})
    return table.assign(row=1, rule=rules, outcome="no", value=value)


def test_changed_new_and_lost_sites_are_listed() -> None:
    found = site_differences(sites("minor"), findings(), sites("major", "major"), findings())
    assert [(one.row, one.item, one.before, one.now) for one in found] == [
        (1, "class", "minor", "major"), (2, "site", "not there", "new")
    ]  # fmt: skip
    (gone,) = site_differences(sites("x", "x"), findings(), sites("x"), findings())
    assert (gone.row, gone.now) == (2, "gone")


def test_a_changed_value_and_a_new_finding_are_listed_but_noise_is_not() -> None:
    same = site_differences(
        sites("x"), findings("LG-1"), sites("x"), findings("LG-1", value=1 + 1e-9)
    )
    assert same == []
    found = site_differences(
        sites("x"), findings("LG-1"), sites("x"), findings("LG-1", "LG-2", value=2.0)
    )
    assert [(one.item, one.before, one.now) for one in found] == [
        ("LG-2", "not there", "no"), ("LG-1", "1", "2")
    ]  # fmt: skip


def test_long_texts_fit_their_columns() -> None:
    found = record_differences(record(), record(parameters={"WATER_ERROR_FT": "x" * 900}))
    table = difference_table(found)
    for column in DIFFERENCE_COLUMNS:
        if column.kind == "text":
            assert table[column.name].str.len().max() <= column.length
