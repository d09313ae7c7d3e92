"""Features cut into pieces, their names, and the nearest of them."""

import geopandas as gpd
import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, MultiPolygon, Point, Polygon, box

from stormwater_screen import features as features_module
from stormwater_screen.features import (
    WaterLayer,
    feature_names,
    gather,
    nearest_of,
    subdivide,
)
from stormwater_screen.tolerances import DISTANCE_FT


def layer(*geometries, role="WATER_BODIES", **columns):
    frame = gpd.GeoDataFrame(columns, geometry=list(geometries))
    return WaterLayer("ponds", role, frame, box(0, 0, 1, 1))


def wavy(count, radius=1000.0):
    angle = np.linspace(0, 2 * np.pi, count, endpoint=False)
    reach = radius * (1 + 0.2 * np.sin(9 * angle) + 0.01 * np.sin(171 * angle))
    return np.column_stack([reach * np.cos(angle), reach * np.sin(angle)])


def test_pieces_of_a_long_shoreline_are_small_and_fill_it():
    lake = Polygon(wavy(5000), [wavy(400, 100.0)])
    pieces, parent = subdivide(np.array([lake]))
    assert shapely.get_num_coordinates(pieces).max() <= 48
    assert shapely.area(pieces).sum() == pytest.approx(lake.area, rel=1e-12)
    assert set(parent) == {0}


def test_pieces_of_a_long_line_meet_end_to_end():
    line = LineString(wavy(1000))
    pieces, _ = subdivide(np.array([line]))
    assert shapely.get_num_coordinates(pieces).max() <= 48
    assert shapely.equals_exact(shapely.line_merge(shapely.union_all(pieces)), line)


def test_pieces_know_the_feature_they_come_from():
    shapes = np.array([Point(0, 0), LineString(wavy(100)), Polygon(wavy(100)), box(0, 0, 1, 1)])
    pieces, parent = subdivide(shapes)
    for number, shape in enumerate(shapes):
        assert shapely.union_all(pieces[parent == number]).hausdorff_distance(shape) < 1e-6


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_nearest_agrees_with_trying_every_feature(seed):
    random = np.random.default_rng(seed)
    ponds = [
        Point(*random.uniform(0, 5000, 2)).buffer(random.uniform(5, 900), quad_segs=50)
        for _ in range(12)
    ]
    ponds += [MultiPolygon([box(0, 0, 10, 10), box(4000, 4000, 4100, 4001)])]
    streams = [LineString(random.uniform(0, 5000, (60, 2))) for _ in range(3)]
    x, y = random.uniform(0, 5000, (2, 40))
    sites = shapely.box(x, y, x + 100, y + 60)
    features = gather([layer(*ponds), layer(*streams, role="WATERCOURSES")])
    found = nearest_of(features, ["WATER_BODIES", "WATERCOURSES"])(sites)
    every = shapely.distance(sites[:, None], np.array([*ponds, *streams])[None, :])
    least = every.min(1)
    assert found.distance_ft == pytest.approx(np.where(least < DISTANCE_FT, 0, least), abs=1e-6)
    assert every[np.arange(40), found.feature] == pytest.approx(least, abs=1e-6)


def test_of_two_features_at_one_distance_the_named_one_is_taken():
    features = gather([layer(box(0, 0, 1, 1), box(0, 0, 1, 1), gnis_name=[None, "Mill Pond"])])
    found = nearest_of(features, ["WATER_BODIES"])(np.array([box(5, 0, 6, 1)]))
    assert features.name[found.feature[0]] == "Mill Pond"


def test_shapes_nearer_than_the_tolerance_touch():
    features = gather([layer(box(0, 0, 1, 1))])
    found = nearest_of(features, ["WATER_BODIES"])(np.array([box(1.001, 0, 2, 1)]))
    assert found.distance_ft[0] == 0.0


def test_a_site_without_geometry_has_no_nearest_feature():
    features = gather([layer(box(0, 0, 1, 1))])
    sites = np.array([None, Polygon(), box(3, 0, 4, 1)], dtype=object)
    found = nearest_of(features, ["WATER_BODIES"])(sites)
    assert found.feature.tolist() == [-1, -1, 0]
    assert found.distance_ft.tolist() == [np.inf, np.inf, 2.0]


def test_features_without_geometry_are_left_out():
    features = gather([layer(None, Polygon(), box(0, 0, 1, 1), NAME=["a", "b", "c"])])
    assert features.name.tolist() == ["c"]


def test_no_layer_at_all_gives_no_feature():
    assert nearest_of(gather([]), ["WETLANDS"])(np.array([box(0, 0, 1, 1)])).feature[0] == -1


@pytest.mark.parametrize("field", ["gnis_name", "GNIS_Name", "NAME", "WATERBODY", "gnisidlabe"])
def test_names_are_found_under_the_usual_fields(field):
    frame = gpd.GeoDataFrame({field: ["Lake George ", None]}, geometry=[Point(0, 0), Point(1, 1)])
    assert feature_names(frame, "WATER_BODIES").tolist() == ["Lake George", ""]


def test_a_feature_without_a_name_in_the_first_field_takes_the_next():
    frame = gpd.GeoDataFrame(
        {"GNIS_NAME": [np.nan, "Lake George"], "name": ["Mill Pond", "lake"]},
        geometry=[Point(0, 0), Point(1, 1)],
    )
    assert feature_names(frame, "WATERCOURSES").tolist() == ["Mill Pond", "Lake George"]


def test_pieces_do_not_depend_on_the_other_features_or_on_an_earlier_call():
    shapes = np.array([box(0, 0, 1, 1), LineString(wavy(100)), Polygon(wavy(700)), Point(0, 0),
                       MultiPolygon([Polygon(wavy(90)), box(5e3, 0, 6e3, 9)])])  # fmt: skip
    pieces, parent = subdivide(shapes)
    again, _ = subdivide(shapes[::-1])
    assert set(map(id, again)) >= set(map(id, pieces[np.isin(parent, [1, 2, 4])]))
    for number, shape in enumerate(shapely.from_wkb(shapely.to_wkb(shapes))):
        alone, _ = subdivide(np.array([shape]))
        own = pieces[parent == number]
        assert shapely.to_wkb(alone).tolist() == shapely.to_wkb(own).tolist()


def test_pieces_are_forgotten_with_their_feature():
    before = len(features_module._kept)
    shapes = np.array([Polygon(wavy(count)) for count in (100, 2000)])
    subdivide(shapes)
    assert len(features_module._kept) == before + 2
    del shapes
    assert len(features_module._kept) == before
