"""Shapes as the data of SVG paths."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from shapely import LineString, MultiPolygon, Polygon, box

from stormwater_screen.summary_map import _path

SQUARE = box(0, 0, 10, 10)
DRAWN = "M10 0L10 10L0 10L0 0Z"


def drawn(*shapes: Any, digits: int = 0) -> str:
    return _path(np.array(shapes, dtype=object), digits)


def test_a_square_has_its_four_corners_and_is_closed() -> None:
    assert drawn(SQUARE) == DRAWN
    assert drawn(SQUARE, digits=1) == "M10.0 0.0L10.0 10.0L0.0 10.0L0.0 0.0Z"


def test_a_line_stays_open() -> None:
    assert drawn(LineString([(0, 0), (5, 0), (5, 7)])) == "M0 0L5 0L5 7"


def test_corners_that_fall_together_are_drawn_once() -> None:
    assert drawn(LineString([(0, 0), (0.1, 0), (5, 0), (5.2, 0.1)])) == "M0 0L5 0"


@pytest.mark.parametrize("shape", [box(3, 4, 3.1, 4.1), LineString([(3, 4), (3.1, 4.1)])])
def test_what_is_too_small_is_a_dot(shape: Any) -> None:
    assert drawn(shape) == "M3 4h1v1h-1Z"


def test_each_part_and_each_hole_is_a_path_of_its_own() -> None:
    holed = Polygon(SQUARE.exterior.coords, [[(2, 2), (2, 4), (4, 4), (4, 2)]])
    far = box(20, 0, 30, 10)

    assert drawn(holed) == f"{DRAWN}M2 2L2 4L4 4L4 2Z"
    assert drawn(MultiPolygon([SQUARE, far])) == f"{DRAWN}M30 0L30 10L20 10L20 0Z"


def test_polygons_come_before_lines_and_equal_shapes_once() -> None:
    line = LineString([(0, 0), (5, 0)])

    assert drawn(line, SQUARE, box(0.1, 0, 10.1, 10)) == f"{DRAWN}M0 0L5 0"


def test_nothing_is_an_empty_path() -> None:
    assert drawn() == ""
    assert drawn(Polygon()) == ""
