from __future__ import annotations

import numpy as np
import pytest
import shapely
from shapely.geometry import LineString, Point, box

from stormwater_screen.flow_cells import cells_touched, points_inside


def array(*shapes: object) -> np.ndarray:  # type: ignore[type-arg]
    result = np.empty(len(shapes), dtype=object)
    result[:] = shapes
    return result


def test_points_of_a_lot_stand_for_its_area() -> None:
    owner, x, y = points_inside(array(box(0, 0, 300, 210), None, box(1_000, 0, 1_030, 30)))
    assert np.bincount(owner).tolist() == [630, 0, 9]
    assert (x % 10 == 5).all()
    assert (y % 10 == 5).all()


def test_a_large_site_has_fewer_points_and_a_tiny_one_has_one() -> None:
    large = box(0, 0, 9_000, 9_000)
    owner, x, y = points_inside(array(large, box(1, 1, 3, 3)))
    assert np.bincount(owner)[0] <= 4_000
    assert np.bincount(owner)[1] == 1
    assert shapely.contains_xy(large, x[owner == 0], y[owner == 0]).all()
    # The middle of cells of 30 ft.
    assert (x[owner == 0] % 30 == 15).all()


def test_a_hole_has_no_points() -> None:
    ring = box(0, 0, 300, 300).difference(box(60, 60, 240, 240))
    owner, x, y = points_inside(array(ring))
    assert len(owner) == 900 - 324
    assert shapely.contains_xy(ring, x, y).all()


@pytest.mark.parametrize("angle", np.linspace(0, 180, 13))
def test_cells_of_a_line_join_along_their_sides(angle: float) -> None:
    way = np.radians(angle)
    line = LineString([(3, 4), (3 + 2_000 * np.cos(way), 4 + 2_000 * np.sin(way))])
    _, column, row = cells_touched(array(line))
    cells = set(zip(column.tolist(), row.tolist(), strict=True))
    reached, todo = set(), [next(iter(cells))]
    while todo:
        cell = todo.pop()
        reached.add(cell)
        beside = [(cell[0] + a, cell[1] + b) for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1))]
        todo += [one for one in beside if one in cells and one not in reached]
    assert reached == cells


def test_cells_of_a_polygon_are_its_inside_and_its_edge() -> None:
    shape, column, row = cells_touched(array(box(5, 5, 85, 55), Point(100, 100)))
    assert sorted(zip(column[shape == 0], row[shape == 0], strict=True)) == [
        (a, b) for a in range(3) for b in range(2)
    ]
    assert (column[shape == 1].tolist(), row[shape == 1].tolist()) == ([3], [3])
