"""What polygons cover of sites, and what lies outside all of them."""

from __future__ import annotations

import geopandas as gpd
import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import box

from stormwater_screen.overlay import (
    is_sliver,
    overlay,
    polygons_outside,
    union_by,
    united_area,
)
from stormwater_screen.plane import plane_crs

PLANE = plane_crs((43, -74))
LOT = box(0, 0, 300, 300)


def _array(*geometries: object) -> np.ndarray:
    array = np.empty(len(geometries), dtype=object)
    array[:] = geometries
    return array


def _frame(*geometries: object) -> gpd.GeoDataFrame:
    return gpd.GeoDataFrame(geometry=_array(*geometries), crs=PLANE)


def test_overlaps_count_once_and_each_polygon_is_named_on_each_site() -> None:
    sites = _frame(box(0, 0, 100, 100), box(100, 0, 200, 100), None)
    found = overlay(sites, _frame(box(50, 0, 150, 50), box(10, 10, 60, 60), None))
    assert found.area_sqft.tolist() == pytest.approx([4_600, 2_500, 0])
    assert found.covered.tolist() == [True, True, False]
    assert found.pieces["site"].tolist() == [0, 0, 1]
    assert found.pieces["polygon"].tolist() == [0, 1, 0]


def test_a_shared_edge_is_no_overlap() -> None:
    edge = _array(box(0, 0, 100, 0.04), box(0, 0, 100, 0.2), None)
    assert is_sliver(edge).tolist() == [True, False, True]


def test_groups_are_united_one_by_one() -> None:
    united = union_by(_array(LOT, LOT, None, box(0, 0, 1, 1)), np.array([2, 2, 1, 0]), 4)
    assert [None if shape is None else shape.area for shape in united] == [1, None, 90_000, None]


def test_what_lies_outside_all_sites_is_reported_in_square_feet() -> None:
    sites = _frame(LOT, box(300, 0, 600, 300))
    limits = _frame(box(250, -100, 350, 100), box(250, -100, 350, 0), box(0, 0, 10, 10), None)
    details, notes = polygons_outside(sites, limits, layer="Limits")
    assert notes == ("Limits: 10,000 sq ft lie outside all sites",)
    assert details["value"].tolist() == pytest.approx([10_000, 10_000])
    assert details["row"].tolist() == [-1, -1]
    assert polygons_outside(sites, limits[2:3], layer="Limits")[1] == ()


corners = st.integers(0, 60)
rectangles = st.builds(
    lambda x, y, width, height: box(x, y, x + width, y + height),
    corners, corners, st.integers(1, 40), st.integers(1, 40),
)  # fmt: skip
ROW = [box(x, 0, x + 20, 50) for x in (0, 20, 40)]


@given(st.lists(rectangles, min_size=1, max_size=6))
def test_the_united_area_is_never_above_the_sum_nor_below_the_largest(
    polygons: list[shapely.Polygon],
) -> None:
    site = _frame(box(0, 0, 200, 200))
    united = overlay(site, _frame(*polygons)).area_sqft[0]
    areas = [polygon.area for polygon in polygons]
    assert max(areas) - 1e-6 <= united <= sum(areas) + 1e-6


@given(rectangles)
def test_the_parts_of_a_polygon_and_what_lies_outside_make_the_whole(
    polygon: shapely.Polygon,
) -> None:
    sites, limits = _frame(*ROW), _frame(polygon)
    details, _ = polygons_outside(sites, limits, layer="Limits")
    parts = overlay(sites, limits).area_sqft.sum()
    assert parts + details["value"].sum() == pytest.approx(polygon.area)


@given(st.permutations(range(3)))
def test_the_order_of_sites_does_not_matter(order: list[int]) -> None:
    limits = _frame(box(10, 10, 50, 30), box(15, 10, 55, 40))
    straight = overlay(_frame(*ROW), limits).area_sqft
    assert overlay(_frame(*[ROW[i] for i in order]), limits).area_sqft == pytest.approx(
        straight[order]
    )


@pytest.mark.parametrize("count", [0, 1, 5, 60])
def test_the_area_of_a_union_is_that_of_uniting_everything(count: int) -> None:
    random = np.random.default_rng(count)
    x, y = random.uniform(0, 1000, (2, count))
    boxes = shapely.box(x, y, x + random.uniform(5, 90, count), y + random.uniform(5, 90, count))
    # Two that share an edge, and a pair of equal ones.
    shapes = np.array([*boxes, box(2e3, 0, 2.1e3, 9), box(2.1e3, 0, 2.2e3, 9), *boxes[:1]])
    assert united_area(shapes) == pytest.approx(shapely.union_all(shapes).area, rel=1e-12)
