"""Distances of sites and infiltration devices from water, by side."""

import numpy as np
import pytest
from shapely import Point, Polygon, box

from stormwater_screen.outcomes import REVIEW, UNKNOWN, WORDS
from stormwater_screen.setbacks import DETAIL_COLUMNS, DEVICE_FACTS, measure_setbacks
from stormwater_screen.water import within
from tests.water_town import Slope, frame, measured

SITE = box(0, 0, 200, 100)
UP, DOWN, FLAT = Slope(-10), Slope(10), Slope(0)
"""Ground on which water west of the site lies upgradient, downgradient, level."""


def setbacks(
    *, site=SITE, ground=DOWN, devices=None, always=(), dem_error=0.6, missing=(), error=0.0, **near
):
    sites = frame(*site) if isinstance(site, list) else frame(site)
    water = measured(sites, missing=missing, error=error, **near)
    placed = None if devices is None else frame(*devices)
    return measure_setbacks(
        sites,
        water,
        devices=placed,
        ground=ground,
        reach_ft=100.0,
        dem_error_ft=dem_error,
        always_counted=always,
    )


def outcome(result, name, limit):
    return WORDS[within(result.facts[name], limit)[0]]


def west(distance):
    return box(-distance - 20, 0, -distance, 100)


def test_downgradient_water_is_within_its_distance():
    result = setbacks(water_bodies=[west(30)])
    assert result.facts["setback_down"].value[0] == 30
    assert outcome(result, "setback_down", 35) == "yes"


@pytest.mark.parametrize(("distance", "answer"), [(34.9, "yes"), (35.0, "yes"), (35.1, "no")])
def test_thirty_five_feet_from_downgradient_water(distance, answer):
    assert outcome(setbacks(water_bodies=[west(distance)]), "setback_down", 35) == answer


@pytest.mark.parametrize("ground", [UP, FLAT])
def test_upgradient_or_level_water_short_of_the_distance_is_for_review_never_no(ground):
    result = setbacks(ground=ground, water_bodies=[west(30)])
    fact = result.facts["setback_down"]
    assert (fact.low[0], fact.high[0]) == (30, np.inf)
    assert fact.between[0] == REVIEW
    assert outcome(result, "setback_down", 35) == "review"
    assert "groundwater" in fact.reason[0]
    assert "groundwater" in fact.settle[0]


def test_upgradient_water_beyond_the_distance_is_a_plain_no():
    assert outcome(setbacks(ground=UP, water_bodies=[west(36)]), "setback_down", 35) == "no"


def test_without_elevations_water_short_of_the_distance_is_unknown():
    result = setbacks(ground=None, water_bodies=[west(30)])
    assert result.facts["setback_down"].between[0] == UNKNOWN
    assert outcome(result, "setback_down", 35) == "unknown"
    assert outcome(result, "setback_down", 20) == "no"
    assert "elevation" in result.facts["setback_down"].settle[0]


@pytest.mark.parametrize("ground", [UP, FLAT, None])
@pytest.mark.parametrize("name", ["Lake George", "LAKE GEORGE", " lake george "])
def test_lake_george_counts_whatever_the_gradient(ground, name):
    result = setbacks(ground=ground, water_bodies=[west(30)], name=[name], always=["Lake George"])
    assert outcome(result, "setback_down", 35) == "yes"
    assert "whatever the gradient" in result.details["text"][0]


def test_a_name_that_only_begins_alike_does_not_count():
    result = setbacks(
        ground=UP, water_bodies=[west(30)], name=["Lake George Outlet"], always=["Lake George"]
    )
    assert outcome(result, "setback_down", 35) == "review"


def test_a_nearer_upgradient_stream_does_not_hide_a_downgradient_pond():
    result = setbacks(ground=UP, water_bodies=[box(230, 0, 250, 100)], watercourses=[west(10)])
    fact = result.facts["setback_down"]
    assert (fact.low[0], fact.high[0]) == (10, 30)
    assert outcome(result, "setback_down", 35) == "yes"
    assert outcome(result, "setback_down", 20) == "review"


def test_a_downgradient_supply_counts_as_water_does():
    result = setbacks(water_supplies=[Point(-20, 50)])
    assert outcome(result, "setback_down", 35) == "yes"


def test_an_upgradient_supply_has_a_distance_of_its_own():
    result = setbacks(ground=UP, water_supplies=[Point(-45, 50)])
    assert result.facts["setback_up_supply"].value[0] == 45
    assert outcome(result, "setback_up_supply", 50) == "yes"
    assert outcome(result, "setback_down", 50) == "review"


def test_water_bodies_are_no_supplies():
    result = setbacks(ground=UP, water_bodies=[west(10)])
    assert outcome(result, "setback_up_supply", 50) == "no"


def test_leach_fields_are_neither_water_nor_supplies():
    result = setbacks(ground=DOWN, leach_fields=[west(10)])
    assert outcome(result, "setback_down", 100) == "no"


def test_missing_supplies_leave_the_setback_unknown_and_keep_a_yes():
    result = setbacks(missing=["WATER_SUPPLIES"], water_bodies=[west(30)])
    assert outcome(result, "setback_down", 35) == "yes"
    assert outcome(result, "setback_down", 20) == "unknown"
    assert "drinking-water supplies" in result.facts["setback_down"].settle[0]


def test_mapped_water_just_beyond_the_distance_is_for_review():
    result = setbacks(error=40.0, water_bodies=[west(60)])
    assert outcome(result, "setback_down", 35) == "review"
    assert outcome(result, "setback_down", 15) == "no"


def test_the_error_of_a_farther_layer_may_reach_nearer():
    # A surveyed well at 60 ft and mapped water at 61 ft: the water may lie within 35 ft.
    sites = frame(SITE)
    water = measured(sites, water_supplies=[Point(-60, 50)], water_bodies=[west(61)])
    water.facts["water"].error[:] = 40.0
    result = measure_setbacks(
        sites, water, devices=None, ground=DOWN, reach_ft=100.0, dem_error_ft=0.6
    )
    assert outcome(result, "setback_down", 35) == "review"
    assert outcome(result, "setback_down", 20) == "no"


def test_beyond_the_reach_the_nearest_of_any_side_stands():
    result = setbacks(ground=UP, water_bodies=[west(150)])
    assert result.facts["setback_down"].value[0] == 150
    assert len(result.details) == 0


def test_without_a_layer_of_devices_their_distances_are_missing():
    result = setbacks(water_bodies=[west(30)])
    for name in DEVICE_FACTS:
        assert outcome(result, name, 35) == "unknown"
        assert result.facts[name].settle[0] == "where the infiltration device will stand"


def test_a_site_without_device_is_unknown_beside_one_with():
    result = setbacks(
        site=[SITE, box(300, 0, 400, 100)], devices=[Point(50, 50)], water_bodies=[west(30)]
    )
    fact = result.facts["device_down"]
    assert fact.value[0] == 80
    assert np.isnan(fact.value[1])
    assert fact.settle.tolist() == ["", "where the infiltration device will stand"]


def test_of_several_devices_the_nearest_counts():
    result = setbacks(
        devices=[Point(50, 50), box(4, 40, 14, 60), Point(90, 50)], water_bodies=[west(30)]
    )
    assert result.facts["device_down"].value[0] == 34


def test_the_side_of_a_device_is_its_own():
    # Site and pond: the pond lies beside the middle of a ridge that the lot straddles.
    class Ridge(Slope):
        def elevation_ft(self, x, y, crs):
            return 1000 - np.abs(x - 100) / 10

    near = {"water_bodies": [box(-30, 0, -10, 100)]}
    result = setbacks(ground=Ridge(0), devices=[Point(5, 50)], **near)
    assert result.facts["device_down"].value[0] == 15


def test_devices_off_every_site_are_counted():
    result = setbacks(devices=[Point(50, 50), Point(500, 50)], water_bodies=[west(30)])
    assert result.unplaced_devices == 1


def test_a_trench_along_the_lot_line_is_no_device_of_the_neighbour():
    sites = [SITE, box(200, 0, 400, 100)]
    result = setbacks(site=sites, devices=[box(190, 0, 200, 100)], water_bodies=[west(30)])
    assert np.isnan(result.facts["device_down"].value).tolist() == [False, True]


@pytest.mark.parametrize(
    ("ground", "any_side", "upgradient"), [(DOWN, "yes", "yes"), (UP, "yes", "review")]
)
def test_a_device_within_twenty_feet_of_a_leach_field(ground, any_side, upgradient):
    """Minor text: only a device upgradient of the field; major text: 100 ft on any side."""
    result = setbacks(ground=ground, devices=[Point(10, 50)], leach_fields=[box(-20, 0, -9, 100)])
    assert result.facts["device_leach"].value[0] == 19
    assert outcome(result, "device_leach", 100) == any_side
    assert outcome(result, "device_leach_up", 20) == (upgradient if ground is UP else "yes")


def test_an_upgradient_supply_near_a_device():
    result = setbacks(ground=UP, devices=[Point(10, 50)], water_supplies=[Point(-35, 50)])
    assert result.facts["device_up_supply"].value[0] == 45
    assert outcome(result, "device_down", 50) == "review"


def test_sites_without_geometry_are_unknown():
    result = setbacks(site=[None, Polygon(), SITE], water_bodies=[west(30)])
    fact = result.facts["setback_down"]
    assert [WORDS[code] for code in within(fact, 35)] == ["unknown", "unknown", "yes"]
    assert fact.reason[0] == "the site has no geometry"


def test_no_sites_and_empty_device_layers_work():
    result = setbacks(site=[], devices=[Point(0, 0)], water_bodies=[west(30)])
    assert len(result.facts["setback_down"].value) == 0
    assert result.unplaced_devices == 1
    result = setbacks(devices=[], water_bodies=[west(30)])
    assert outcome(result, "device_down", 35) == "unknown"


def test_the_worksheet_has_a_row_for_each_feature_within_reach():
    result = setbacks(
        water_bodies=[west(30)], watercourses=[box(250, 0, 260, 1), box(900, 0, 901, 1)]
    )
    assert tuple(result.details.columns) == DETAIL_COLUMNS
    assert result.details["distance_ft"].tolist() == [30, 50]
    assert result.details["side"].tolist() == ["downgradient", "upgradient"]
    assert result.details["outcome"].tolist() == ["info", "info"]
