"""Geometries are made valid, and the parts that are asked are kept."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import example, given
from hypothesis import strategies as st
from shapely.geometry import box

from stormwater_screen.geometry import parts_of_dimension, valid_geometries

POINT = shapely.Point(5, 5)
LINE = shapely.LineString([(0, 0), (9, 9)])
SQUARE = box(0, 0, 10, 10)
MIXED = shapely.GeometryCollection([POINT, LINE, shapely.GeometryCollection([SQUARE, POINT])])


def _array(*geometries: object) -> np.ndarray:
    array = np.empty(len(geometries), dtype=object)
    array[:] = geometries
    return array


@pytest.mark.parametrize(
    ("dimensions", "kept"),
    [
        ((0,), ["Point", None, None, "MultiPoint", None]),
        ((1,), [None, "LineString", None, "MultiLineString", None]),
        ((2,), [None, None, "Polygon", "MultiPolygon", None]),
        ((1, 2), [None, "LineString", "Polygon", "GeometryCollection", None]),
    ],
)
def test_parts_of_the_dimensions_that_are_asked_are_kept(
    dimensions: tuple[int, ...], kept: list[str | None]
) -> None:
    found = parts_of_dimension(_array(POINT, LINE, SQUARE, MIXED, None), dimensions)
    assert [shape and shape.geom_type for shape in found] == kept


def test_a_hole_that_crosses_its_shell_is_cut_out() -> None:
    crossing = shapely.Polygon(SQUARE.exterior, [[(5, 5), (15, 5), (15, 8), (5, 8)]])
    repaired = valid_geometries(_array(crossing))[0]
    assert repaired.is_valid
    assert repaired.area == pytest.approx(100 - 15)


def test_two_parts_that_overlap_become_one() -> None:
    overlapping = shapely.MultiPolygon([box(0, 0, 6, 1), box(4, 0, 10, 1)])
    assert valid_geometries(_array(overlapping))[0].area == pytest.approx(10)


places = st.tuples(st.integers(0, 20), st.integers(0, 20))


@given(st.lists(places, min_size=3, max_size=9))
def test_any_ring_becomes_valid_and_no_larger_than_its_extent(ring: list[tuple[int, int]]) -> None:
    polygon = shapely.Polygon(ring)
    repaired = valid_geometries(_array(polygon))[0]
    assert repaired.is_valid
    assert repaired.area <= polygon.envelope.area + 1e-9


@given(st.lists(places, min_size=3, max_size=9))
@example([(1, 0), (1, 1), (0, 0), (0, 1), (1, 1), (0, 0)])
def test_a_repair_done_twice_changes_nothing(ring: list[tuple[int, int]]) -> None:
    once = valid_geometries(_array(shapely.Polygon(ring)))
    assert valid_geometries(once)[0] is once[0]
