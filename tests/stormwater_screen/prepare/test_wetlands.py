from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import geopandas as gpd
import pytest
from shapely.geometry import LineString, Point, box

from stormwater_screen.errors import InputError
from stormwater_screen.layers import Layer, layer_from_frame, read_layer
from stormwater_screen.prepare.wetlands import cowardin_class, prepare_wetlands, wetland_kind

MARSH = box(600_000, 4_800_000, 600_500, 4_800_500)


def layer(name: str, shapes: list[Any], crs: str = "EPSG:26918", **fields: Any) -> Layer:
    frame = gpd.GeoDataFrame(fields, geometry=shapes, crs=crs)
    return layer_from_frame(frame, role="WETLAND_LAYERS", name=name, geometry="line_or_polygon")


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("PFO1E", "wetland"), ("PEM1/SS1Eb", "wetland"), ("PF01E", "wetland"), ("PF04E", "wetland"),
        ("E2EM1P", "wetland"), ("M2USN", "wetland"), ("PUBHh", "pond"), ("PUSC", "pond"),
        ("PUB/FO5Fh", "wetland"), ("L1UBH", "water"), ("L2ABH", "water"), ("R2UBH", "water"),
        ("R4SBC", "water"), ("E1UBL", "water"), ("M1UBL", "water"), ("Pf", "wetland"),
        ("U", "review"), ("", "review"), ("P", "review"),
    ],
)  # fmt: skip
def test_codes_of_the_inventory_are_wetland_pond_or_water(code: str, kind: str) -> None:
    assert cowardin_class(code) == kind


def test_wetlands_go_apart_from_lakes_and_rivers_by_type_or_by_code() -> None:
    nwi = layer(
        "NWI",
        [MARSH] * 5,
        ATTRIBUTE=["PEM1E", "L1UBH", "PUBH", "R2UBH", None],
        WETLAND_TY=["Freshwater Emergent Wetland", "Lake", "Freshwater Pond", None, "Other"],
    )
    found = prepare_wetlands([nwi])
    assert found.layers["WETLANDS"]["class"].tolist() == ["wetland", "wetland", "review"]
    assert found.layers["WATER_BODIES"]["fcode"].tolist() == ["L1UBH", "PUBH", "R2UBH"]


@pytest.mark.parametrize(
    ("ponds", "wetlands", "water"), [("both", 1, 1), ("water", 0, 1), ("wetland", 1, 0)]
)
def test_ponds_are_wetlands_and_water_bodies_or_one_of_both_by_choice(
    ponds: str, wetlands: int, water: int
) -> None:
    found = prepare_wetlands([layer("NWI", [MARSH], ATTRIBUTE=["PUBH"])], ponds=ponds).layers
    assert (len(found["WETLANDS"]), len(found["WATER_BODIES"])) == (wetlands, water)
    assert set(found["WETLANDS"]["class"]) <= {"wetland"}
    assert set(found["WATER_BODIES"]["class"]) <= {"water"}


def test_the_agency_is_told_by_fields_and_name() -> None:
    assert wetland_kind(layer("x", [MARSH], ATTRIBUTE=["PEM1E"])) == "nwi"
    assert wetland_kind(layer("x", [MARSH], ATTRIBUTE=["residential"])) is None
    assert wetland_kind(layer("APA Regulatory Wetland Areas", [MARSH], CODE=[1])) == "apa"
    assert wetland_kind(layer("freshwater", [MARSH], WETID=["LG-1"])) == "dec"


def test_dec_covers_nothing_in_a_rectangle_around_the_park_unless_its_boundary_is_given() -> None:
    # Two marshes, north and south, so that the extent spans the Park's southern edge.
    shapes = [box(-73.8, 43.5, -73.7, 43.6), box(-73.8, 42.7, -73.7, 42.8)]
    dec = layer("wetlands", shapes, "EPSG:4269", WETID=["a", "b"])
    rough = prepare_wetlands([dec]).layers["COVERAGE"]
    assert not rough.geometry.iloc[0].contains(Point(-73.75, 43.17))
    assert rough.geometry.iloc[0].contains(Point(-73.75, 42.9))
    park = gpd.GeoDataFrame(geometry=[box(-75, 43.3, -73.5, 44)], crs="EPSG:4269")
    exact = prepare_wetlands([dec], excluded=park).layers["COVERAGE"]
    assert exact.geometry.iloc[0].contains(Point(-73.75, 43.17))
    assert not exact.geometry.iloc[0].contains(Point(-73.75, 43.42))


def test_linear_wetlands_of_the_park_agency_become_narrow_polygons() -> None:
    line = LineString([(600_000, 4_800_000), (600_100, 4_800_000)])
    found = prepare_wetlands([layer("APA linear wetlands", [line], CODE=["w"])])
    shape = found.layers["WETLANDS"].geometry.iloc[0]
    assert shape.area == pytest.approx(60, rel=0.01)


def test_an_unknown_layer_is_refused_unless_the_agency_is_named() -> None:
    with pytest.raises(InputError, match="agency named"):
        prepare_wetlands([layer("soils", [MARSH], MUSYM=["a"])])
    assert (
        len(prepare_wetlands([layer("w", [MARSH], ID=[1])], kinds=["dec"]).layers["WETLANDS"]) == 1
    )


def test_bangor_counts_agree_with_the_database(shared_data: Path) -> None:
    path = shared_data / "bangor" / "bangor.gpkg"
    nwi = read_layer(path, role="WETLAND_LAYERS", geometry="polygon", layer="wetlands_nwi")
    found = prepare_wetlands([nwi], ponds="water")
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        codes = [row[0] for row in database.execute("SELECT ATTRIBUTE FROM wetlands_nwi")]
    database.close()
    ponds = [code for code in codes if code and code.startswith("PUB") and "/" not in code]
    assert len(found.layers["WATER_BODIES"]) == len(ponds) == 8
    assert len(found.layers["WETLANDS"]) == len(codes) - len(ponds) == 108
    empty = sum(code is None or not code.strip() for code in codes)
    assert (found.layers["WETLANDS"]["class"] == "review").sum() == empty == 41
