"""Where infiltration may stand on a site, and the zone along water."""

import geopandas as gpd
import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, Point, Polygon, box

from stormwater_screen.features import WaterLayer
from stormwater_screen.plane import plane_crs, plane_keys, to_plane
from stormwater_screen.setbacks import measure_setbacks
from stormwater_screen.water import measure_water
from stormwater_screen.zones import SetbackText, infiltration_zones, near_zone
from tests.water_town import Slope, frame, measured

SITE = box(0, 0, 200, 100)
UP, DOWN, FLAT = Slope(-10), Slope(10), Slope(0)
TEXTS = {
    "infiltration_minor": SetbackText(35, None, 20, leach_upgradient_only=True),
    "infiltration_minor_high_traffic": SetbackText(100, 50, 20, leach_upgradient_only=True),
    "infiltration_major": SetbackText(35, None, 100),
    "infiltration_major_high_traffic": SetbackText(35, 50, 100),
}


def zones(*, site=SITE, ground=DOWN, always=(), missing=(), texts=TEXTS, shapes=True, **near):
    sites = frame(*site) if isinstance(site, list) else frame(site)
    water = measured(sites, missing=missing, **near)
    found = measure_setbacks(
        sites,
        water,
        devices=None,
        ground=ground,
        reach_ft=100.0,
        dem_error_ft=0.6,
        always_counted=always,
    )
    return infiltration_zones(sites, water, found.sides, texts, shapes=shapes)


def areas(result):
    return [round(area) for area in result.area_sqft.iloc[0]]


def test_along_a_straight_shore_a_strip_is_taken_off():
    assert areas(zones(water_bodies=[box(-50, -900, 0, 900)])) == [16500, 10000, 16500, 16500]


def test_water_ten_feet_off_takes_a_narrower_strip():
    result = zones(water_bodies=[box(-50, -900, -10, 900)])
    assert areas(result) == [17500, 11000, 17500, 17500]


def test_a_quarter_disc_at_the_corner_is_taken_off_to_one_in_a_thousand():
    result = zones(water_bodies=[box(-50, -50, 0, 0)])
    gone = 20_000 - result.area_sqft.iloc[0]
    assert gone["infiltration_minor"] == pytest.approx(np.pi * 35**2 / 4, rel=1e-3)
    assert gone["infiltration_minor_high_traffic"] == pytest.approx(np.pi * 100**2 / 4, rel=1e-3)


def test_a_disc_around_a_well_inside_the_site_is_taken_off():
    result = zones(water_supplies=[Point(100, 50)], ground=FLAT)
    gone = 20_000 - result.area_sqft.iloc[0]
    assert gone["infiltration_minor"] == pytest.approx(np.pi * 35**2, rel=1e-3)
    assert gone["infiltration_major_high_traffic"] == pytest.approx(np.pi * 50**2, rel=1e-3)


def test_a_pond_on_the_site_is_taken_off_whole():
    result = zones(water_bodies=[box(40, -10, 140, 110)])
    assert result.area_sqft["infiltration_minor"][0] == pytest.approx(100 * (5 + 25))


def test_a_site_all_under_water_has_no_place():
    result = zones(water_bodies=[box(-900, -900, 900, 900)])
    assert areas(result) == [0, 0, 0, 0]
    assert set(result.zones["zone"]) == {f"not_{name}" for name in TEXTS}


def test_two_waters_whose_setbacks_overlap_count_once():
    near = {"water_bodies": [box(-50, -900, 0, 900)], "watercourses": [box(-50, -900, 10, 900)]}
    assert areas(zones(**near)) == [15500, 9000, 15500, 15500]


def test_upgradient_water_takes_nothing():
    result = zones(ground=UP, water_bodies=[box(-50, -900, -5, 900)])
    assert areas(result) == [20_000] * 4


@pytest.mark.parametrize("ground", [FLAT, None])
def test_level_water_and_water_on_an_unknown_side_count_as_downgradient(ground):
    result = zones(ground=ground, water_bodies=[box(-50, -900, 0, 900)])
    assert areas(result) == [16500, 10000, 16500, 16500]


def test_lake_george_takes_its_strip_whatever_the_gradient():
    lake = [box(-50, -900, 0, 900)]
    result = zones(ground=UP, water_bodies=lake, name=["Lake George"], always=["Lake George"])
    assert areas(result) == [16500, 10000, 16500, 16500]


def test_an_upgradient_supply_counts_for_high_traffic_areas_only():
    supply = [box(-50, -900, 0, 900)]
    result = zones(ground=UP, water_supplies=supply)
    assert areas(result) == [20_000, 15_000, 20_000, 15_000]


def test_a_supply_on_an_unknown_side_counts_as_whichever_asks_for_more():
    result = zones(ground=None, water_supplies=[box(-50, -900, 0, 900)])
    assert areas(result) == [16_500, 10_000, 16_500, 15_000]


@pytest.mark.parametrize(
    ("ground", "expected"),
    [
        (DOWN, [18_000, 18_000, 10_000, 10_000]),
        (UP, [20_000, 20_000, 10_000, 10_000]),
        (None, [18_000, 18_000, 10_000, 10_000]),
    ],
)
def test_leach_fields_count_on_one_side_for_minor_and_on_both_for_major(ground, expected):
    result = zones(ground=ground, leach_fields=[box(-50, -900, 0, 900)])
    assert areas(result) == expected


def test_wetlands_have_no_fixed_setback():
    assert areas(zones(wetlands=[box(-50, -900, 0, 900)])) == [20_000] * 4


def test_the_zones_and_what_is_left_make_up_the_site():
    result = zones(water_bodies=[Point(20, 20).buffer(30)], leach_fields=[Point(190, 90)])
    for name in TEXTS:
        both = result.zones[result.zones["zone"].isin([name, f"not_{name}"])]
        assert both["area_sf"].sum() == pytest.approx(20_000)
        assert both.geometry.union_all().symmetric_difference(SITE).area < 1e-6
        assert result.area_sqft[name][0] == pytest.approx(both["area_sf"].iloc[0])


def test_zones_say_why_and_name_the_nearest_first():
    result = zones(
        water_bodies=[box(-50, 0, -20, 100), box(-90, 0, -5, 100)], name=["Far Pond", "Near Pond"]
    )
    why = result.zones.set_index("zone")["why"]["not_infiltration_minor"]
    assert why.index("Near Pond") < why.index("Far Pond")
    assert "5.0 ft from the site, downgradient: keep 35 ft" in why


def test_missing_supplies_and_leach_fields_make_the_area_an_upper_bound():
    result = zones(missing=["WATER_SUPPLIES", "LEACH_FIELDS"])
    assert "drinking-water supplies, leach fields" in result.upper_bound[0]
    assert "at most" in result.zones["why"][0]
    assert zones().upper_bound[0] == ""


def test_broken_sites_have_no_area_and_no_zone():
    result = zones(site=[None, Polygon(), SITE], water_bodies=[box(-50, -900, 0, 900)])
    assert np.isnan(result.area_sqft["infiltration_minor"]).tolist() == [True, True, False]
    assert set(result.zones["row"]) == {2}


def test_no_sites_and_no_texts_give_empty_tables():
    assert len(zones(site=[]).zones) == 0
    result = zones(texts={})
    assert len(result.zones) == 0
    assert result.area_sqft.shape == (1, 0)


def test_areas_come_without_shapes_too():
    near = {"water_bodies": [box(-50, -900, 0, 900)]}
    assert zones(shapes=False, **near).area_sqft.equals(zones(**near).area_sqft)
    assert len(zones(shapes=False, **near).zones) == 0


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_areas_agree_with_one_buffer_of_everything(seed):
    random = np.random.default_rng(seed)
    x, y = random.uniform(0, 800, (2, 12))
    sites = list(shapely.box(x, y, x + random.uniform(5, 300, 12), y + 60))
    angle = np.linspace(0, 2 * np.pi, 200)
    wave = 150 + 30 * np.sin(angle * random.integers(2, 20))
    lake = Polygon(np.column_stack([wave * np.cos(angle), wave * np.sin(angle)]) + 400)
    stream = LineString(np.cumsum(random.uniform(-10, 30, (60, 2)), axis=0))
    result = zones(site=sites, ground=FLAT, water_bodies=[lake], watercourses=[stream])
    for name, reach in (("infiltration_minor", 35), ("infiltration_minor_high_traffic", 100)):
        gone = shapely.union_all([lake, stream]).buffer(reach, quad_segs=64)
        expected = shapely.area(shapely.difference(sites, gone))
        assert result.area_sqft[name].to_numpy() == pytest.approx(expected, abs=15)


def zone(*shapes, site=SITE, distance=500.0, role="wetlands"):
    sites = frame(*site) if isinstance(site, list) else frame(site)
    return near_zone(sites, measured(sites, **{role: list(shapes)}), distance, name="zone_500ft")


@pytest.mark.parametrize("role", ["wetlands", "water_bodies", "watercourses"])
def test_the_zone_takes_the_part_of_a_site_within_its_width(role):
    found = zone(box(600, -9000, 700, 9000), role=role)
    assert found["area_sf"].tolist() == pytest.approx([10_000])
    assert found["zone"].tolist() == ["zone_500ft"]
    assert "400.0 ft" in found["why"][0]


def test_supplies_make_no_zone():
    assert len(zone(Point(210, 50), role="water_supplies")) == 0


def test_a_site_all_within_the_zone_is_there_whole():
    assert zone(Point(210, 50))["area_sf"].tolist() == [20_000]


def test_a_site_beyond_the_zone_has_none():
    assert len(zone(box(701, 0, 800, 100))) == 0


def test_the_zone_of_a_far_corner_is_a_part_of_a_disc():
    corner = zone(Point(-300, -400), distance=600.0)["area_sf"][0]
    disc = Point(-300, -400).buffer(600, quad_segs=2000).intersection(SITE).area
    assert corner == pytest.approx(disc, rel=1e-3)


def test_broken_sites_have_no_zone_and_the_rest_keep_their_rows():
    found = zone(Point(210, 50), site=[None, Polygon(), SITE])
    assert found["row"].tolist() == [2]


def test_zones_of_real_parcels_agree_with_one_buffer_of_all_streams(shared_data):
    def read(name):
        return gpd.read_file(shared_data / "bangor/bangor.gpkg", layer=name, engine="fiona")

    parcels = read("parcels")
    crs = plane_crs(tuple(plane_keys(parcels)[0]))
    sites, streams = to_plane(parcels, crs), to_plane(read("streams_impaired_flag"), crs)
    water = measure_water(
        sites, [WaterLayer("s", "WATERCOURSES", streams, box(*streams.total_bounds))]
    )
    sides = measure_setbacks(
        sites, water, devices=None, ground=None, reach_ft=100.0, dem_error_ft=0.6
    ).sides
    areas = infiltration_zones(sites, water, sides, TEXTS, shapes=False).area_sqft
    gone = shapely.union_all(shapely.buffer(streams.geometry.to_numpy(), 100, quad_segs=32))
    left = shapely.area(shapely.difference(sites.geometry.to_numpy(), gone))
    found = areas["infiltration_minor_high_traffic"].to_numpy()
    whole = shapely.area(sites.geometry.to_numpy())
    assert found == pytest.approx(left, abs=20, rel=1e-3)
    assert (found < whole - 1).sum() > 20
    found = near_zone(sites, water, 500.0, name="zone_500ft")
    wide = shapely.union_all(shapely.buffer(streams.geometry.to_numpy(), 500, quad_segs=64))
    zone = shapely.area(shapely.intersection(sites.geometry.to_numpy(), wide))
    by_row = np.zeros(len(sites))
    by_row[found["row"]] = found["area_sf"]
    assert by_row == pytest.approx(zone, abs=100, rel=1e-3)


def test_what_is_taken_off_is_the_site_less_what_is_left_under_each_text():
    near = {"water_bodies": [box(-50, -900, 0, 900)], "water_supplies": [Point(150, 50)]}
    sites = [SITE, box(300, 0, 400, 100), box(5000, 0, 5100, 100)]
    drawn = zones(site=sites, **near).zones.set_index(["zone", "row"]).geometry
    for text in TEXTS:
        for row in (0, 1):
            if (f"not_{text}", row) in drawn:
                taken = shapely.difference(sites[row], drawn[text, row])
                assert shapely.to_wkb(taken) == shapely.to_wkb(drawn[f"not_{text}", row])
    assert [row for zone, row in drawn.index if zone == "not_infiltration_major"] == [0]
    # Two texts that ask for 35 and 100 ft take different parts, two that ask for the same one.
    assert drawn["not_infiltration_minor", 0].equals(drawn["not_infiltration_major", 0])
    assert not drawn["not_infiltration_minor", 0].equals(
        drawn["not_infiltration_minor_high_traffic", 0]
    )
