from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import geopandas as gpd
import pytest
from shapely.geometry import LineString, box

from stormwater_screen.hydrography import find_kinds
from stormwater_screen.layers import Layer, layer_from_frame, read_layer
from stormwater_screen.prepare.files import Bundle, find_layers, read_found
from stormwater_screen.prepare.hydrography import prepare_hydrography
from stormwater_screen.prepare.recognise import recognise

LAKE = box(600_000, 4_800_000, 600_500, 4_800_500)
PATH = LineString([(600_100, 4_800_250), (601_000, 4_800_250)])


def layer(role: str, shapes: list[Any], name: str = "given", **fields: Any) -> Layer:
    frame = gpd.GeoDataFrame(fields, geometry=shapes, crs="EPSG:26918")
    return layer_from_frame(frame, role=role, name=name, geometry="any")


def test_hydrography_with_codes_is_named_and_left_to_the_measures() -> None:
    bodies = layer("WATER_BODIES", [LAKE, LAKE], FTYPE=[390, 466], FCODE=[39004, 46600])
    found = recognise({"WATER_BODIES": (bodies,)}, {})
    assert found.layers["WATER_BODIES"] == (bodies,)
    assert found.notes == ("given: recognised as hydrography: 1 water, 1 wetland",)


def test_3dhp_gets_a_class_for_each_feature_that_the_measures_heed() -> None:
    flow = layer(
        "WATERCOURSES",
        [PATH] * 3,
        "flow",
        id3dhp=["a", "b", "c"],
        featuretype=[1, 2, 3],
        featuretypelabel=["River", "Drainageway", "Pipeline"],
    )
    (courses,) = recognise({"WATERCOURSES": (flow,)}, {}).layers["WATERCOURSES"]
    assert courses.frame["class"].tolist() == ["water", "review", "conveyance"]
    kinds = find_kinds(courses.frame, "WATERCOURSES")
    assert kinds.role.tolist() == ["WATERCOURSES", "WATERCOURSES", ""]
    assert kinds.doubtful.tolist() == [False, True, False]


def test_prepared_layers_keep_their_classes_in_the_measures() -> None:
    ditch = layer("HYDROGRAPHY", [PATH], FTYPE=[336], FCODE=[33600])
    prepared = prepare_hydrography([ditch]).layers["WATERCOURSES"]
    assert find_kinds(prepared, "WATERCOURSES").doubtful.tolist() == [True]


def test_a_plain_layer_and_a_prepared_one_are_taken_as_they_are() -> None:
    plain = layer("WATER_BODIES", [LAKE], NAME=["Lake George"])
    prepared = layer(
        "WATERCOURSES", [PATH], **{"class": ["review"]}, kind=["d"], permanence=[""], fcode=["1"]
    )
    given = {"WATER_BODIES": (plain,), "WATERCOURSES": (prepared,)}
    found = recognise(given, {})
    assert found.layers == given
    assert found.notes == ()


def test_of_the_inventory_of_wetlands_only_water_is_taken_as_water_bodies() -> None:
    water = layer("WATER_BODIES", [LAKE] * 3, ATTRIBUTE=["PEM1E", "L1UBH", "PUBH"])
    found = recognise({"WATER_BODIES": (water,)}, {})
    assert found.layers["WATER_BODIES"][0].frame["fcode"].tolist() == ["L1UBH", "PUBH"]


def assessed(**fields: Any) -> Layer:
    base = {
        "assessmentunitidentifier": ["A", "B", "C"],
        "assessmentunitname": ["Brook", "Creek", "Pond"],
        "reportingcycle": [2024.0] * 3,
        "ircategory": ["5", "4A", "1"],
    }
    return layer("IMPAIRED", [PATH] * 3, "attains", **(base | fields))


def test_attains_becomes_listed_waters_with_their_pollutants() -> None:
    found = recognise({"IMPAIRED": (assessed(sediment=["Cause", "Cause", None]),)}, {})
    (listed,) = found.layers["IMPAIRED"]
    assert listed.frame[["name", "pollutant", "listed"]].values.tolist() == [
        ["Brook", "sediment", "yes"]
    ]
    assert found.fields["IMPAIRED_POLLUTANT_FIELD"] == "pollutant"
    assert found.status_values == ("yes",)


@pytest.mark.parametrize(
    ("fields", "values"), [({"IMPAIRED_NAME_FIELD": "assessmentunitname"}, ()), ({}, ("Y",))]
)
def test_where_the_user_named_fields_or_values_nothing_is_changed(
    fields: dict[str, str], values: tuple[str, ...]
) -> None:
    given = assessed()
    found = recognise({"IMPAIRED": (given,)}, fields, values)
    assert found.layers["IMPAIRED"] == (given,)
    assert found.fields == fields
    assert found.status_values == values


def test_soil_polygons_beside_their_tables_are_joined(shared_data: Path, tmp_path: Path) -> None:
    shutil.copytree(shared_data / "formats" / "ssurgo_tx347" / "tabular", tmp_path / "tabular")
    (tmp_path / "spatial").mkdir()
    path = tmp_path / "spatial" / "soilmu_a_tx347.shp"
    frame = gpd.GeoDataFrame({"MUKEY": ["575618"]}, geometry=[LAKE], crs="EPSG:26914")
    frame.to_file(path)
    soils = read_layer(path, role="SOILS", geometry="polygon")
    found = recognise({"SOILS": (soils,)}, {})
    assert found.layers["SOILS"][0].frame["hsg"].tolist() == ["B"]
    assert found.fields["SOIL_GROUP_FIELD"] == "hsg"


def test_soil_polygons_without_tables_say_what_is_missing(shared_data: Path) -> None:
    (one,) = find_layers(Bundle(shared_data / "formats" / "ssurgo_ny123"))
    soils = read_found(one, role="SOILS", geometry="polygon", near=None)
    found = recognise({"SOILS": (soils,)}, {})
    assert found.layers["SOILS"] == (soils,)
    assert "run Prepare soils" in found.notes[0]


def test_tmdl_areas_of_attains_are_recognised(shared_data: Path) -> None:
    path = shared_data / "formats" / "attains_colorado.gpkg"
    land = read_layer(path, role="TMDL", geometry="polygon", layer="ATTAINS_catchments")
    found = recognise({"TMDL": (land,)}, {})
    assert len(found.layers["TMDL"][0].frame) == 11
    assert found.fields["TMDL_NAME_FIELD"] == "name"


def test_wetlands_of_dec_are_not_complete_in_and_around_the_adirondack_park() -> None:
    marshes = [
        box(600_000, 4_690_000, 600_100, 4_690_100),
        box(600_000, 4_830_000, 600_100, 4_830_100),
    ]
    dec = layer("WETLANDS", marshes, "freshwater", WETID=["a", "b"])
    found = recognise({"WETLANDS": (dec,)}, {})
    (coverage,) = found.layers["COVERAGE"]
    assert coverage.frame["role"].tolist() == ["WETLANDS"]
    village = box(604_000, 4_809_000, 604_100, 4_809_100)
    assert not coverage.frame.geometry.iloc[0].intersects(village)
    assert any("leave out the Adirondack Park" in note for note in found.notes)
