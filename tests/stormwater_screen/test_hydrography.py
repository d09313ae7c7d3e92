"""Codes of mapped water features, and what they do to the distances."""

from pathlib import Path

import geopandas as gpd
import numpy as np
import pytest
from shapely import LineString, box

from stormwater_screen.features import WaterLayer, gather
from stormwater_screen.hydrography import find_kinds
from stormwater_screen.outcomes import WORDS
from stormwater_screen.setbacks import measure_setbacks
from stormwater_screen.water import measure_water, within
from tests.water_town import EVERYWHERE, Slope, frame, measured

SITE = box(0, 0, 200, 100)
STREAM = LineString([(-30, 0), (-30, 100)])


def kinds(role, **columns):
    count = len(next(iter(columns.values())))
    return find_kinds(frame(*[STREAM] * count, **columns), role)


def layers(*given):
    far = frame(box(90_000, 90_000, 90_001, 90_001))
    roles = {layer.role for layer in given}
    rest = {"WATER_BODIES", "WATERCOURSES", "WETLANDS", "WATER_SUPPLIES"} - roles
    return [*given, *(WaterLayer(role, role, far, EVERYWHERE) for role in sorted(rest))]


def streams(*codes, shape=STREAM, **columns):
    return WaterLayer(
        "flowlines", "WATERCOURSES", frame(*[shape] * len(codes), fcode=list(codes), **columns),
        EVERYWHERE,
    )  # fmt: skip


def test_perennial_and_intermittent_streams_are_water():
    found = kinds("WATERCOURSES", FCode=[46006, 46003, 46000])
    assert found.role.tolist() == ["WATERCOURSES"] * 3
    assert not found.doubtful.any()


@pytest.mark.parametrize("code", [46007, 33600, 46800, 33400])
def test_ephemeral_streams_ditches_and_connectors_are_doubtful(code):
    assert kinds("WATERCOURSES", FCODE=[code]).doubtful.tolist() == [True]


@pytest.mark.parametrize("code", [42000, 42803, 33603, 34300])
def test_conduits_pipes_and_dams_are_left_out(code):
    assert kinds("WATERCOURSES", fcode=[code]).role.tolist() == [""]


@pytest.mark.parametrize("code", [43604, 43612])
def test_basins_for_treatment_are_no_water_bodies(code):
    assert kinds("WATER_BODIES", fcode=[code]).role.tolist() == [""]


def test_codes_may_be_words_or_text():
    found = kinds("WATER_BODIES", FTYPE=["LakePond", "SwampMarsh", "390"])
    assert found.role.tolist() == ["WATER_BODIES", "WETLANDS", "WATER_BODIES"]


def test_features_without_a_known_code_are_what_the_layer_was_given_for():
    found = kinds("WATERCOURSES", fcode=[None, np.nan, 99999])
    assert found.role.tolist() == ["WATERCOURSES"] * 3
    assert kinds("WATERCOURSES", name=["Brook"]).role.tolist() == ["WATERCOURSES"]


def test_lakes_and_rivers_of_the_wetlands_inventory_are_water_bodies():
    found = kinds("WETLANDS", WETLAND_TYPE=["Lake", "Riverine", "Freshwater Emergent Wetland"])
    assert found.role.tolist() == ["WATER_BODIES", "WATER_BODIES", "WETLANDS"]


@pytest.mark.parametrize(
    ("code", "role"),
    [("L1UBH", "WATER_BODIES"), ("R3UBH", "WATER_BODIES"), ("PFO1E", "WETLANDS"),
     ("E1UBL", "WATER_BODIES"), ("E2EM1N", "WETLANDS"), ("PUBHh", "WETLANDS")],
)  # fmt: skip
def test_cowardin_codes_tell_wetlands_from_water(code, role):
    assert kinds("WETLANDS", ATTRIBUTE=[code]).role.tolist() == [role]


def test_an_attribute_of_another_layer_is_no_cowardin_code():
    assert kinds("WATERCOURSES", ATTRIBUTE=["Lower Brook"]).role.tolist() == ["WATERCOURSES"]


def test_a_ditch_near_a_site_is_for_review_and_a_stream_beyond_it_counts():
    stream = WaterLayer("brooks", "WATERCOURSES", frame(box(-61, 0, -60, 9)), EVERYWHERE)
    given = layers(streams(33600), stream)
    result = measure_water(frame(SITE), given, water_error_ft=0)
    fact = result.facts["water"]
    assert (fact.low[0], fact.high[0]) == (30, 60)
    assert [WORDS[within(fact, limit)[0]] for limit in (20, 35, 60)] == ["no", "review", "yes"]
    assert "canal or ditch at 30.0 ft" in fact.reason[0]
    assert "canal or ditch" in fact.settle[0]


def test_a_ditch_does_not_make_a_missing_layer_known():
    result = measure_water(frame(SITE), [streams(33600)], water_error_ft=0)
    assert result.columns["in_35ft"].tolist() == ["unknown"]


def test_a_downgradient_ditch_within_the_setback_is_for_review():
    sites = frame(SITE)
    water = measure_water(sites, layers(streams(33600)), water_error_ft=0)
    result = measure_setbacks(
        sites, water, devices=None, ground=Slope(10), reach_ft=100.0, dem_error_ft=0.6
    )
    fact = result.facts["setback_down"]
    assert WORDS[within(fact, 35)[0]] == "review"
    assert "may or may not count" in fact.reason[0]


def test_the_centre_line_of_a_lake_is_no_water_of_its_own():
    line = LineString([(-300, 50), (-200, 50)])
    lake = WaterLayer("lakes", "WATER_BODIES", frame(box(-400, 0, -100, 100)), EVERYWHERE)
    assert gather([streams(55800, shape=line), lake]).layer.tolist() == ["lakes"]
    assert gather([streams(55800, shape=line)]).layer.tolist() == ["flowlines"]


def test_real_flowlines_inside_their_water_bodies_are_dropped(shared_data: Path):
    def layer(file, role):
        table = gpd.read_file(shared_data / "formats" / "nhd_hr_ms" / file, engine="fiona")
        table = table.to_crs(26915)
        return WaterLayer(file, role, table, box(*table.total_bounds))

    lines, bodies = (
        layer("NHDFlowline.shp", "WATERCOURSES"),
        layer("NHDWaterbody.shp", "WATER_BODIES"),
    )
    features = gather([lines, bodies])
    assert (features.role == "WETLANDS").sum() == 5
    assert (features.role == "WATER_BODIES").sum() == 11
    assert 0 < (features.role == "WATERCOURSES").sum() <= len(lines.frame)
    assert features.doubtful.sum() == 12


def test_wetlands_among_water_bodies_do_not_make_wetlands_complete():
    marsh = frame(box(-40, 0, -20, 100), fcode=[46600])
    sites = frame(SITE)
    bodies = WaterLayer("bodies", "WATER_BODIES", marsh, EVERYWHERE)
    lines = WaterLayer("lines", "WATERCOURSES", frame(box(9e4, 0, 9e4 + 1, 1)), EVERYWHERE)
    fact = measure_water(sites, [bodies, lines]).facts["wetland"]
    assert (fact.low[0], fact.high[0]) == (0, 20)


def test_water_without_codes_is_never_doubtful():
    assert not measured(frame(SITE), water_bodies=[box(-9, 0, -1, 9)]).features.doubtful.any()


def test_an_inventory_polygon_of_another_type_is_for_review():
    other = WaterLayer(
        "nwi", "WETLANDS", frame(box(-40, 0, -20, 100), WETLAND_TYPE=["Other"]), EVERYWHERE
    )
    fact = measure_water(frame(SITE), layers(other), water_error_ft=0).facts["wetland"]
    assert WORDS[within(fact, 35)[0]] == "review"
    assert "(polygon of another type) at 20.0 ft" in fact.reason[0]
