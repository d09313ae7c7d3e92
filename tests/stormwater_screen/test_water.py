"""Distances from sites to water."""

import geopandas as gpd
import numpy as np
import pyproj
import pytest
import shapely
from shapely import LineString, MultiPoint, MultiPolygon, Point, Polygon, box

from stormwater_screen.features import WaterLayer
from stormwater_screen.outcomes import WORDS
from stormwater_screen.plane import plane_crs, plane_keys, to_plane
from stormwater_screen.water import measure_water, within

PLANE = pyproj.CRS("+proj=laea +lat_0=43 +lon_0=-74 +ellps=GRS80 +units=ft +no_defs")
EVERYWHERE = box(-1e5, -1e5, 1e5, 1e5)
SITE = box(0, 0, 100, 100)


def frame(*geometries, crs=PLANE, **columns):
    return gpd.GeoDataFrame(columns, geometry=list(geometries), crs=crs)


def layer(role, *geometries, extent=EVERYWHERE, name="", **columns):
    name = name or role.lower()
    return WaterLayer(name, role, frame(*geometries, **columns), extent)


def water(*bodies, **columns):
    """Both layers that a decided answer on water needs; the watercourses lie far away."""
    return [layer("WATER_BODIES", *bodies, **columns), far("WATERCOURSES")]


def far(role):
    return layer(role, box(90_000, 90_000, 90_001, 90_001))


def boxes(x, y=0.0):
    return shapely.box(x, y, x + 5, y + 5)


def outcome(result, name, limit):
    return [WORDS[code] for code in within(result.facts[name], limit)]


@pytest.mark.parametrize("code", [3857, 4326, 26918, 2260, 5070])
@pytest.mark.parametrize(
    ("gap", "surveyed", "mapped"),
    [(499.9, "yes", "yes"), (500.0, "yes", "yes"), (500.1, "no", "review"), (540.1, "no", "no")],
)
def test_five_hundred_feet_in_any_crs(code, gap, surveyed, mapped):
    x, y = pyproj.Transformer.from_crs(4326, PLANE, always_xy=True).transform(-73.7123, 43.4262)
    drawn = frame(box(x, y, x + 100, y + 100)), frame(box(x + 100 + gap, y - 50, x + 900, y + 150))
    sites, ponds = (shapes.to_crs(code) for shapes in drawn)
    crs = plane_crs(tuple(plane_keys(sites)[0]))
    sites, ponds = to_plane(sites, crs), to_plane(ponds, crs)
    layers = [
        WaterLayer(role, role, ponds, box(*ponds.total_bounds))
        for role in ("WATER_BODIES", "WATERCOURSES", "WETLANDS")
    ]
    for error, answer in ((0.0, surveyed), (40.0, mapped)):
        result = measure_water(sites, layers, water_error_ft=error)
        assert result.columns["in_500ft"].tolist() == [answer]


def test_five_hundred_feet_on_the_ellipsoid_agree_with_the_plane():
    ground = pyproj.Geod(ellps="GRS80")
    lon, lat, _ = ground.fwd(-73.51, 42.52, 61, 500.0 * 0.3048)
    points = gpd.GeoSeries([Point(-73.51, 42.52), Point(lon, lat)], crs=4269).to_crs(PLANE)
    layers = water(points.iloc[1])
    result = measure_water(frame(points.iloc[0].buffer(1e-6)), layers, water_error_ft=0)
    assert result.facts["water"].high[0] == pytest.approx(500.0, abs=0.015)


def test_a_site_sharing_an_edge_with_a_pond_is_at_distance_zero():
    result = measure_water(frame(SITE), water(box(100, 0, 300, 100)))
    assert result.facts["water"].value[0] == 0
    assert result.columns["in_35ft"].tolist() == ["yes"]


@pytest.mark.parametrize(
    "shape",
    [
        box(100, 100, 200, 200),
        box(-500, -500, 500, 500),
        box(20, 20, 30, 30),
        LineString([(-50, 50), (150, 60)]),
        Point(50, 50),
        MultiPoint([(500, 500), (100, 20)]),
        MultiPolygon([box(900, 0, 910, 10), box(90, 90, 110, 110)]),
    ],
    ids=["corner", "all under water", "inside", "line", "point", "points", "multipart"],
)
def test_water_that_touches_or_overlaps_is_at_distance_zero(shape):
    result = measure_water(frame(SITE), water(shape))
    assert result.facts["water"].value[0] == 0


def test_an_island_site_in_the_hole_of_a_lake_has_its_distance():
    lake = Polygon(box(-500, -500, 600, 600).exterior, [box(-60, -60, 160, 160).exterior])
    assert measure_water(frame(SITE), water(lake)).facts["water"].value[0] == pytest.approx(60)


def test_the_nearest_of_lines_and_polygons_gives_distance_name_and_layer():
    layers = [
        layer("WATER_BODIES", box(300, 0, 400, 100), GNIS_NAME=["Mill Pond"]),
        layer("WATERCOURSES", LineString([(160, 0), (160, 90)]), gnis_name=["West Brook"]),
        layer("WATER_BODIES", box(0, 900, 1, 901), name="other ponds"),
    ]
    result = measure_water(frame(SITE), layers)
    assert result.columns["water_ft"].tolist() == [60]
    assert result.columns["water_nm"].tolist() == ["West Brook"]
    assert result.facts["water"].source.tolist() == ["watercourses"]


def test_water_without_a_name_has_none():
    assert measure_water(frame(SITE), water(box(300, 0, 400, 1))).columns["water_nm"][0] == ""


def test_supplies_may_be_points_and_their_error_is_their_own():
    layers = [*water(box(900, 0, 901, 1)), layer("WATER_SUPPLIES", Point(140, 50))]
    for error, answer in ((0.0, "no"), (5.0, "review")):
        result = measure_water(frame(SITE), layers, supply_error_ft=error)
        assert result.columns["supply_ft"].tolist() == [40]
        assert result.columns["in_35ft"].tolist() == [answer]
        assert result.columns["in_50ft"].tolist() == ["yes"]


def test_a_missing_layer_of_supplies_leaves_a_site_far_from_water_unknown():
    result = measure_water(frame(SITE), water(box(900, 0, 901, 1)))
    assert result.columns["in_35ft"].tolist() == ["unknown"]
    assert np.isnan(result.facts["supply"].value[0])
    assert "drinking-water supplies" in result.facts["supply"].reason[0]


def test_a_missing_layer_of_watercourses_keeps_a_yes_and_denies_a_no():
    result = measure_water(frame(SITE), [layer("WATER_BODIES", box(120, 0, 300, 100))])
    fact = result.facts["water"]
    assert (fact.low[0], fact.high[0]) == (0, 20)
    assert outcome(result, "water", 35) == ["yes"]
    assert outcome(result, "water", 10) == ["unknown"]
    assert "no layer of watercourses" in fact.reason[0]
    assert "watercourses" in fact.settle[0]


def test_an_empty_layer_is_as_good_as_none():
    layers = [layer("WATER_BODIES", extent=None), far("WATERCOURSES")]
    result = measure_water(frame(SITE), layers)
    assert outcome(result, "water", 500) == ["unknown"]
    assert "is empty" in result.facts["water"].reason[0]


def test_wetlands_are_needed_for_the_zone_around_wetlands():
    layers = water(box(900, 0, 901, 1))
    assert outcome(measure_water(frame(SITE), layers), "water_or_wetland", 500) == ["unknown"]
    layers += [layer("WETLANDS", box(300, 0, 400, 1))]
    result = measure_water(frame(SITE), layers)
    assert result.facts["water_or_wetland"].value[0] == 200
    assert result.columns["water_ft"][0] == 800


@pytest.mark.parametrize(
    ("right", "answer"), [(-5280.0, "no"), (-5279.0, "no"), (-5281.0, "unknown")]
)
def test_a_layer_is_complete_up_to_one_mile_outside_its_extent(right, answer):
    extent = box(-90_000, 0, right, 100)
    layers = [
        layer(role, box(right - 9, 0, right, 1), extent=extent)
        for role in ("WATER_BODIES", "WATERCOURSES")
    ]
    assert outcome(measure_water(frame(SITE), layers), "water", 500) == [answer]


def test_one_layer_of_a_role_that_covers_the_site_is_enough():
    layers = [
        layer("WATER_BODIES", box(9e4, 0, 9e4 + 1, 1), extent=box(9e4, 0, 9e4 + 1, 1)),
        *water(box(900, 0, 901, 1)),
    ]
    assert outcome(measure_water(frame(SITE), layers), "water", 500) == ["no"]


def test_coverage_polygons_decide_where_layers_are_complete():
    sites = frame(SITE, box(400, 0, 500, 100), box(160, 0, 260, 100))
    coverage = frame(box(0, 0, 50, 100), box(50, 0, 200, 100))
    layers = water(box(9000, 0, 9001, 1))
    result = measure_water(sites, layers, coverage=coverage)
    assert outcome(result, "water", 500) == ["no", "unknown", "unknown"]
    assert "coverage" in result.facts["water"].reason[1]


def test_coverage_does_not_help_an_empty_layer():
    layers = [layer("WATER_BODIES", extent=None), far("WATERCOURSES")]
    result = measure_water(frame(SITE), layers, coverage=frame(EVERYWHERE))
    assert outcome(result, "water", 500) == ["unknown"]


def test_a_site_on_the_coverage_line_digitised_apart_from_it_is_inside():
    coverage = frame(box(0.2, 0, 200, 100))
    result = measure_water(frame(SITE), water(box(9000, 0, 9001, 1)), coverage=coverage)
    assert outcome(result, "water", 500) == ["no"]


def test_features_read_only_near_the_sites_decide_only_so_far():
    layers = water(box(1500, 0, 1501, 1))
    result = measure_water(frame(SITE), layers, searched_ft=1000.0)
    assert outcome(result, "water", 500) == ["no"]
    assert outcome(result, "water", 2000) == ["unknown"]
    assert np.isnan(result.columns["water_ft"][0])


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_any_number_of_workers_gives_the_same_answer(workers):
    x = np.arange(6000.0) * 10
    sites = frame(*boxes(x))
    layers = water(*boxes(x[::7] + 2000, 300.0))
    one = measure_water(sites, layers, workers=1).columns
    assert measure_water(sites, layers, workers=workers).columns.equals(one)


def test_a_site_without_geometry_is_unknown_and_costs_no_other():
    sites = frame(None, Polygon(), SITE)
    result = measure_water(sites, water(box(900, 0, 901, 1)))
    assert outcome(result, "water", 500) == ["unknown", "unknown", "no"]
    assert result.facts["water"].reason[0] == "the site has no geometry"
    assert np.isnan(result.columns["water_ft"][:2]).all()


def test_no_sites_give_no_rows():
    result = measure_water(frame(), water(box(0, 0, 1, 1)))
    assert len(result.columns) == 0
    assert len(result.facts["water"].value) == 0


def test_no_layer_at_all_is_unknown():
    result = measure_water(frame(SITE), [])
    assert (result.columns[["in_35ft", "in_500ft"]] == "unknown").all(axis=None)


def test_a_run_can_be_stopped():
    def stop(share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure_water(frame(SITE), water(box(0, 0, 1, 1)), progress=stop)


def test_progress_grows_to_one():
    seen = []
    measure_water(frame(SITE), water(box(0, 0, 1, 1)), progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1


def test_distances_of_real_parcels_agree_with_trying_every_stream_and_pond(shared_data):
    def read(name):
        return gpd.read_file(shared_data / "bangor/bangor.gpkg", layer=name, engine="fiona")

    parcels = read("parcels")
    crs = plane_crs(tuple(plane_keys(parcels)[0]))
    sites, streams, ponds = (
        to_plane(table, crs) for table in (parcels, read("streams_impaired_flag"), read("ponds"))
    )
    layers = [
        WaterLayer("streams", "WATERCOURSES", streams, box(*streams.total_bounds)),
        WaterLayer("ponds", "WATER_BODIES", ponds, box(*ponds.total_bounds)),
    ]
    result = measure_water(sites, layers)
    shapes = [*streams.geometry, *ponds.geometry]
    every = shapely.distance(sites.geometry.to_numpy()[:, None], np.array(shapes)[None, :])
    least = every.min(1)
    assert result.columns["water_ft"].to_numpy() == pytest.approx(
        np.where(least < 0.02, 0, least), abs=1e-6
    )
    assert (least == 0).sum() > 20
