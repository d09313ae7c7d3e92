"""Which side of a site water lies on."""

import numpy as np
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shapely import LineString, Point, Polygon, box

from stormwater_screen.dem import Dem
from stormwater_screen.gradient import _nearest_on, find_pairs, measure_sides
from tests import terrain
from tests.water_town import PLANE, Slope, frame, measured

SITE = box(0, 0, 200, 100)
WATER = ("WATER_BODIES", "WATERCOURSES")


def sides(shape, ground, *, site=SITE, error=0.6, workers=None):
    water = measured(frame(site), water_bodies=[shape])
    geometry = np.array([site], dtype=object)
    pairs = find_pairs(geometry, water.features, WATER, 100.0)
    return measure_sides(
        geometry, pairs, ground, PLANE, reach_ft=100.0, dem_error_ft=error, workers=workers
    )


WEST, EAST = box(-60, 0, -40, 100), box(240, 0, 260, 100)


@pytest.mark.parametrize(("percent", "west", "east"), [(10, "down", "up"), (-10, "up", "down")])
def test_on_a_tilted_plane_the_lower_side_is_downgradient(percent, west, east):
    assert sides(WEST, Slope(percent))["side"].tolist() == [f"{west}gradient"]
    assert sides(EAST, Slope(percent))["side"].tolist() == [f"{east}gradient"]


def test_the_worksheet_tells_bearing_and_elevations():
    row = sides(EAST, Slope(10)).iloc[0]
    assert row["bearing_deg"] == pytest.approx(90)
    assert row["place_ft"] == pytest.approx(1020)
    assert row["water_ft"] == pytest.approx(1024)
    # From the near edge, 40 ft off, to 100 ft off the water.
    assert row["highest_ft"] == pytest.approx(-4)
    assert row["lowest_ft"] == pytest.approx(-10)


@pytest.mark.parametrize(
    ("shape", "bearing"),
    [(Point(100, 150), 0), (Point(250, 50), 90), (Point(100, -50), 180), (Point(-50, 50), 270)],
)
def test_bearings_are_clockwise_from_north(shape, bearing):
    assert sides(shape, None)["bearing_deg"][0] % 360 == pytest.approx(bearing)


@pytest.mark.parametrize(
    ("percent", "error", "side"),
    [(0, 0.6, "level"), (0.8, 0.6, "level"), (0.9, 0.6, "downgradient"), (0.1, 0, "downgradient")],
)
def test_a_difference_within_the_error_of_the_dem_is_level(percent, error, side):
    # 100 ft off, the site lies `percent` ft above the water; the band is 0.6 x 1.414 ft.
    assert sides(WEST, Slope(percent), error=error)["side"].tolist() == [side]


def test_flat_ground_without_error_is_level():
    assert sides(WEST, Slope(0), error=0)["side"].tolist() == ["level"]


def test_without_elevations_the_side_is_unknown():
    row = sides(WEST, None).iloc[0]
    assert row["side"] == "unknown"
    assert row["unseen"]
    assert np.isnan(row["highest_ft"])


def test_off_the_raster_the_side_is_unknown():
    assert sides(EAST, Slope(10, hole=lambda x, y: x > 220))["side"].tolist() == ["unknown"]


def test_a_hole_over_a_part_of_the_site_hides_what_may_lie_above_the_water():
    def hole(x, y):
        return (x > 180) & (y > 50)

    row = sides(EAST, Slope(10, hole)).iloc[0]
    assert row["side"] == "unknown"
    assert row["above"], "what is seen lies below the water all the same"


def test_a_hole_does_not_hide_that_the_site_lies_above_the_water():
    row = sides(WEST, Slope(10, hole=lambda x, y: y > 50)).iloc[0]
    assert row["side"] == "downgradient"
    assert row["unseen"]


def test_a_stream_across_a_slope_on_a_site_is_on_both_sides_and_counts_as_downgradient():
    row = sides(LineString([(100, -10), (100, 110)]), Slope(10)).iloc[0]
    assert row["side"] == "downgradient"
    assert row["above"]


def test_each_part_of_a_site_is_compared_with_the_water_beside_it():
    # The stream runs down the slope beside the site, 5 ft deep everywhere: its upper end lies above
    # the lower end of the site, but no part of the site lies below the water beside it.
    class Valley(Slope):
        def elevation_ft(self, x, y, crs):
            return 1000 + x / 10 - np.where(y < -15, 5.0, 0.0)

    row = sides(LineString([(-10, -20), (210, -20)]), Valley(0)).iloc[0]
    assert row["side"] == "downgradient"
    assert not row["above"]
    assert row["lowest_ft"] >= 4.9


def test_only_the_part_of_a_site_within_reach_is_compared():
    # Beyond 100 ft from the water there is a hill.
    class Hill(Slope):
        def elevation_ft(self, x, y, crs):
            return np.where(x < 120, 1000 - x / 10, 1500.0)

    west = box(-20, 0, -1, 100)
    assert sides(west, Hill(0))["side"].tolist() == ["upgradient"]


def test_a_pond_inside_a_site_is_compared_with_the_ground_around_it():
    class Bowl(Slope):
        def elevation_ft(self, x, y, crs):
            return 1000 + np.hypot(x - 100, y - 50) / 10

    assert sides(Point(100, 50).buffer(20), Bowl(0))["side"].tolist() == ["downgradient"]


def test_a_site_all_under_water_is_level_with_it():
    row = sides(box(-500, -500, 500, 500), Slope(10)).iloc[0]
    assert row["side"] == "level"


def test_water_farther_than_the_reach_makes_no_pair():
    assert len(sides(box(301, 0, 310, 10), Slope(10))) == 0
    assert len(sides(box(300, 0, 310, 10), Slope(10))) == 1


def test_sites_without_geometry_have_no_pairs():
    water = measured(frame(SITE), water_bodies=[WEST])
    geometry = np.array([None, Polygon(), SITE], dtype=object)
    pairs = find_pairs(geometry, water.features, WATER, 100.0)
    assert pairs.place.tolist() == [2]


def test_a_feature_in_many_pieces_makes_one_pair_with_its_distance():
    angle = np.linspace(0, 2 * np.pi, 3000)
    lake = Polygon(np.column_stack([900 * np.cos(angle) - 950, 900 * np.sin(angle) + 50]))
    water = measured(frame(SITE), water_bodies=[lake])
    pairs = find_pairs(np.array([SITE], dtype=object), water.features, WATER, 100.0)
    assert pairs.distance_ft == pytest.approx([lake.distance(SITE)])


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_pairs_agree_with_trying_every_feature(seed):
    random = np.random.default_rng(seed)
    x, y = random.uniform(0, 2000, (2, 15))
    sites = shapely.box(x, y, x + random.uniform(5, 300, 15), y + 60)
    ponds = shapely.buffer(shapely.points(random.uniform(0, 2000, (10, 2))), 80, quad_segs=40)
    pairs = find_pairs(sites, measured(frame(), water_bodies=ponds).features, WATER, 100.0)
    every = shapely.distance(sites[:, None], ponds[None, :])
    assume((abs(every - 100) > 0.03).all())  # within the tolerance either answer is right
    near = np.argwhere(every <= 100)
    assert np.column_stack([pairs.place, pairs.feature]).tolist() == near.tolist()
    assert pairs.distance_ft == pytest.approx(every[every <= 100], abs=0.02)


def test_any_number_of_workers_gives_the_same_sides():
    one = sides(EAST, Slope(10), workers=1)
    assert sides(EAST, Slope(10), workers=3).equals(one)


def test_the_side_is_read_from_a_raster_in_another_crs_and_unit(tmp_path):
    x, y = terrain.LAKE_GEORGE
    path = terrain.write_dem(tmp_path / "dem.tif", terrain.plane(10, 90), z_unit="us_survey_foot")
    site = box(x - 100, y - 50, x + 100, y + 50)
    sites = frame(site).set_crs(terrain.PLANE, allow_override=True)
    water = measured(sites, water_bodies=[box(x - 160, y - 50, x - 140, y + 50)])
    geometry = np.array([site], dtype=object)
    pairs = find_pairs(geometry, water.features, WATER, 100.0)
    with Dem.open(str(path)) as dem:
        row = measure_sides(
            geometry, pairs, dem, terrain.PLANE, reach_ft=100.0, dem_error_ft=0.6
        ).iloc[0]
    assert row["side"] == "downgradient"
    assert row["highest_ft"] == pytest.approx(10, abs=0.1)
    assert row["place_ft"] - row["water_ft"] == pytest.approx(4, abs=0.05)


class Asked(Slope):
    """Ground that keeps what it was asked for."""

    def __init__(self, percent):
        super().__init__(percent)
        self.places = []

    def elevation_ft(self, x, y, crs):
        self.places.append(np.column_stack([x, y]))
        return super().elevation_ft(x, y, crs)


def test_a_place_that_several_features_look_at_is_asked_for_once():
    ground = Asked(10)
    supplies = [Point(230, y) for y in (10, 50, 90)]
    water = measured(frame(SITE), water_supplies=supplies, water_bodies=[EAST])
    geometry = np.array([SITE], dtype=object)
    pairs = find_pairs(geometry, water.features, ("WATER_BODIES", "WATER_SUPPLIES"), 100.0)
    table = measure_sides(geometry, pairs, ground, PLANE, reach_ft=100.0, dem_error_ft=0.6)
    asked = np.concatenate(ground.places)
    assert len(pairs.place) == 4
    assert len(np.unique(asked, axis=0)) == len(asked)
    assert table["water_ft"].tolist() == [1024.0, 1023.0, 1023.0, 1023.0]
    # The wells lie 30 ft east of the site, and so 3 ft higher than its eastern edge.
    assert table["highest_ft"].tolist()[1:] == pytest.approx([-3.0, -3.0, -3.0])


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_the_nearest_point_of_a_single_point_is_that_of_the_slow_way(seed):
    random = np.random.default_rng(seed)
    local = np.array(
        [
            shapely.GeometryCollection([Point(*random.uniform(0, 300, 2))]),
            shapely.GeometryCollection([box(0, 0, *random.uniform(10, 99, 2))]),
            shapely.GeometryCollection([Point(*random.uniform(0, 300, 2)) for _ in range(2)]),
            shapely.GeometryCollection([LineString(random.uniform(0, 300, (9, 2)))]),
        ]
    )
    pair = random.integers(0, 4, 200)
    xy = random.uniform(-50, 350, (200, 2))
    lines = shapely.shortest_line(shapely.points(xy), local[pair])
    slow = shapely.get_coordinates(lines).reshape(-1, 2, 2)[:, 1]
    assert (_nearest_on(local, pair, xy) == slow).all()
