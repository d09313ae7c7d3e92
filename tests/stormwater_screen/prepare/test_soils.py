from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
import pyogrio
import pytest
from shapely.geometry import box

from stormwater_screen.columns import SOIL_COLUMNS
from stormwater_screen.errors import InputError
from stormwater_screen.layers import Layer, layer_from_frame
from stormwater_screen.prepare.files import Bundle, find_layers, read_found
from stormwater_screen.prepare.soils import mukeys_of, prepare_soils
from stormwater_screen.prepare.ssurgo import (
    SurveyTables,
    database_tables,
    joined,
    table_of_map_units,
    text_tables,
)


def polygons(crs: Any = "EPSG:4326", **fields: list[Any]) -> Layer:
    count = len(next(iter(fields.values())))
    shapes = [box(-77 + i * 0.01, 42, -76.99 + i * 0.01, 42.01) for i in range(count)]
    frame = gpd.GeoDataFrame(fields, geometry=shapes, crs="EPSG:4326").to_crs(crs)
    return layer_from_frame(frame, role="SOIL_POLYGONS", name="soils", geometry="polygon")


def survey(**tables: pd.DataFrame) -> SurveyTables:
    return SurveyTables({name: table.astype(str) for name, table in tables.items()}, ())


MUAGGATT = pd.DataFrame(
    {
        "muname": ["Silt loam", "Complex", "Urban land"],
        "hydgrpdcd": ["B", "C/D", ""],
        "wtdepannmin": ["", "46", ""],
        "brockdepmin": ["61", "", ""],
        "drclassdcd": ["Well drained", "Poorly drained", ""],
        "slopegraddcp": ["4", "1", ""],
        "mukey": ["1", "2", "3"],
    }
)
COMPONENT = pd.DataFrame(
    {
        "comppct_r": ["80", "20", "70", "30", "100"],
        "hydgrp": ["B", "D", "C/D", "B", ""],
        "runoff": ["Low", "High", "Very high", "Low", ""],
        "majcompflag": ["Yes", "No", "Yes", "Yes", "Yes"],
        "mukey": ["1", "1", "2", "2", "3"],
        "cokey": ["11", "12", "21", "22", "31"],
    }
)
CHORIZON = pd.DataFrame(
    {
        "hzname": ["A", "Bt", "R", "C", "A"],
        "hzdept_r": ["0", "20", "61", "160", "0"],
        "ksat_l": ["4", "0.1", "0", "0.01", "50"],
        "ksat_r": ["9", "0.2", "0.01", "0.02", "60"],
        "ksat_h": ["14", "0.25", "0.1", "0.03", "70"],
        "kwfact": [".32", ".20", "", "", ".10"],
        "cokey": ["11", "11", "11", "11", "21"],
    }
)
TABLES = survey(muaggatt=MUAGGATT, component=COMPONENT, chorizon=CHORIZON)


def test_groups_are_given_as_they_are_undrained_and_at_their_worst() -> None:
    found = prepare_soils([polygons(MUKEY=["1", "2"])], TABLES).layers["SOILS"]
    assert found["hsg"].tolist() == ["B", "C/D"]
    assert found["hsg_undr"].tolist() == ["B", "D"]
    assert found["hsg_worst"].tolist() == ["D", "D"]
    assert found["hsg_pct"].tolist() == [80, 70]
    assert found["hsg_comps"].tolist() == ["B 80%, D 20%", "C/D 70%, B 30%"]


def test_the_least_conductivity_leaves_out_rock_and_what_lies_below_60_inches() -> None:
    found = prepare_soils([polygons(MUKEY=["1"])], TABLES).layers["SOILS"]
    assert found.loc[0, ["ksat_l", "ksat_r", "ksat_h"]].tolist() == [0.1, 0.2, 0.25]
    assert found.loc[0, "kwfact"] == 0.32


def test_depths_are_given_in_centimetres_and_feet_and_nothing_recorded_is_not_zero() -> None:
    found = prepare_soils([polygons(MUKEY=["1", "2"])], TABLES).layers["SOILS"]
    assert found["rock_cm"].tolist()[0] == 61
    assert found["rock_ft"].tolist()[0] == pytest.approx(2.0013, abs=1e-4)
    assert np.isnan(found["rock_cm"][1])
    assert np.isnan(found["water_cm"][0])
    assert found["water_cm"][1] == 46
    assert "water table (none recorded" in found["unknown"][0]


def test_hints_name_their_figures_and_never_say_yes_or_no() -> None:
    found = prepare_soils([polygons(MUKEY=["1", "2"])], TABLES).layers["SOILS"]
    assert found["perc_hint"][0] == "likely slower than 60 min/in (ksat 0.25 um/s)"
    assert found["perc_hint"][1] == "unlikely slower than 60 min/in (ksat 50 um/s)"
    assert "very permeable soil (ksat 60 um/s)" in found["trans_hint"][1]
    assert "shallow water table (water_table 46 cm)" in found["trans_hint"][1]


def test_urban_land_and_codes_without_a_row_stay_unknown_and_keep_their_polygons() -> None:
    prepared = prepare_soils([polygons(MUKEY=["3", "99", None, "1"])], TABLES)
    found = prepared.layers["SOILS"]
    assert found["hsg"].tolist() == ["", "", "", "B"]
    assert "hydrologic group" in found["unknown"][0]
    assert found["unknown"][1] == "no row for this map unit in the tables"
    assert not found.geometry.isna().any()
    assert "Soils: no row for MUKEY 99; these soils stay unknown" in prepared.notes


@pytest.mark.parametrize("keys", [[1, 2], [1.0, 2.0], ["1", "2 "], ["1.0", "2"]])
def test_keys_may_be_numbers_or_texts(keys: list[Any]) -> None:
    if keys == ["1.0", "2"]:
        keys = [float(key) for key in keys]
    found = prepare_soils([polygons(MUKEY=keys)], TABLES).layers["SOILS"]
    assert found["hsg"].tolist() == ["B", "C/D"]


def test_several_survey_areas_in_several_crs_come_together_in_the_first() -> None:
    layers = [polygons(mukey=["1"]), polygons("EPSG:2261", MUKEY=["2"])]
    second = survey(muaggatt=MUAGGATT[1:], component=COMPONENT, chorizon=CHORIZON)
    found = prepare_soils(layers, joined([TABLES, second])).layers["SOILS"]
    assert found["hsg"].tolist() == ["B", "C/D"]
    assert found.crs == "EPSG:4326"
    assert found.geometry[0].distance(found.geometry[1]) < 1e-6


def test_a_plain_table_is_joined_by_musym() -> None:
    table = pd.DataFrame({"MUSYM": ["SiA", "W"], "HSG": ["c/d", None], "KSAT": ["1,000", "N/A"]})
    layer = polygons(MUSYM=["SiA", "W", "X"])
    found = prepare_soils([layer], table_of_map_units(table, "groups")).layers["SOILS"]
    assert found["hsg"].tolist() == ["C/D", "", ""]
    assert found["ksat_r"].tolist()[0] == 1000
    assert list(found.columns[:-1]) == [column.name for column in SOIL_COLUMNS]


def test_a_layer_without_a_key_is_refused_by_name() -> None:
    with pytest.raises(InputError, match=r"soils: the fields NAME\. Needed: a field MUKEY"):
        prepare_soils([polygons(NAME=["a"])], TABLES)


def test_real_tables_give_for_every_map_unit_what_the_text_file_says(shared_data: Path) -> None:
    folder = shared_data / "formats" / "ssurgo_tx347"
    text = (folder / "tabular" / "muaggatt.txt").read_text("latin-1")
    rows = list(csv.reader(text.splitlines(), delimiter="|"))
    layer = polygons(MUKEY=[row[39] for row in rows])
    found = prepare_soils([layer], text_tables(Bundle(folder))).layers["SOILS"]
    assert found["hsg"].tolist() == [row[17] for row in rows]
    assert found["water_cm"].fillna(-1).tolist() == [float(row[6] or -1) for row in rows]
    assert found["muname"].tolist() == [row[1] for row in rows]
    assert (found["unknown"] != "no row for this map unit in the tables").all()


def test_real_polygons_of_another_survey_stay_unknown(shared_data: Path) -> None:
    formats = shared_data / "formats"
    (layer,) = find_layers(Bundle(formats / "ssurgo_ny123"))
    polygons = read_found(layer, role="SOIL_POLYGONS", geometry="polygon", near=None)
    prepared = prepare_soils([polygons], text_tables(Bundle(formats / "ssurgo_tx347")))
    assert len(prepared.layers["SOILS"]) == 25
    assert (prepared.layers["SOILS"]["hsg"] == "").all()
    assert "Soils: 0 map units of 13 have a row in the tables" in prepared.notes


def test_a_geodatabase_gives_the_same_as_the_text_files(tmp_path: Path) -> None:
    path = tmp_path / "gSSURGO_NY.gdb"
    layer = polygons("EPSG:5070", MUKEY=["1", "2", "3"])
    pyogrio.write_dataframe(layer.frame, path, layer="MUPOLYGON", driver="OpenFileGDB")
    for name, table in (("muaggatt", MUAGGATT), ("component", COMPONENT), ("chorizon", CHORIZON)):
        numbers = {"comppct_r", "ksat_l", "ksat_r", "ksat_h", "wtdepannmin", "brockdepmin"}
        typed = table.assign(
            **{c: pd.to_numeric(table[c]) for c in numbers & set(table.columns)}
        ).replace({"": None})
        pyogrio.write_dataframe(typed, path, layer=name, driver="OpenFileGDB", append=True)
    found = find_layers(Bundle(path))
    (shapes,) = [one for one in found if one.geometry]
    read = read_found(shapes, role="SOIL_POLYGONS", geometry="polygon", near=None)
    tables = database_tables(found, mukeys_of([read]))
    ours = prepare_soils([read], tables).layers["SOILS"].drop(columns="geometry")
    theirs = prepare_soils([layer], TABLES).layers["SOILS"].drop(columns="geometry")
    pd.testing.assert_frame_equal(ours, theirs)


def test_only_the_map_units_wanted_are_read_from_a_geodatabase(tmp_path: Path) -> None:
    path = tmp_path / "big.gdb"
    pyogrio.write_dataframe(MUAGGATT, path, layer="muaggatt", driver="OpenFileGDB")
    assert database_tables(find_layers(Bundle(path)), ["2"]).by_name["muaggatt"][
        "mukey"
    ].tolist() == ["2"]
    assert database_tables(find_layers(Bundle(path)), []).by_name["muaggatt"].empty
