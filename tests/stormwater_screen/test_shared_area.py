"""Areas shared by sites and polygons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
import shapely
from shapely import box

from stormwater_screen.errors import CancelledError
from stormwater_screen.shared_area import overlaps


def shapes(*items: Any) -> Any:
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array


def table(sites: Sequence[Any], polygons: Sequence[Any], edge_ft: float = 0.5) -> list[list[Any]]:
    found = overlaps(shapes(*sites), shapes(*polygons), edge_ft=edge_ft)
    return found.to_numpy(object).tolist()


def test_each_site_has_one_row_for_each_polygon_it_meets() -> None:
    sites = [box(0, 0, 10, 10), box(20, 0, 30, 10)]
    polygons = [box(-5, -5, 5, 15), box(5, -5, 25, 15), box(90, 0, 99, 9)]
    assert table(sites, polygons) == [[0, 0, 50.0, False], [0, 1, 50.0, False], [1, 1, 50.0, False]]


@pytest.mark.parametrize(
    ("polygon", "edge"),
    [
        (box(100, 0, 200, 100), True),
        (box(100, 100, 200, 200), True),
        (box(99.6, 0, 200, 100), True),
        (box(99.4, 0, 200, 100), False),
        (box(97, 97, 200, 200), False),  # small, but no strip
    ],
)
def test_an_overlap_no_wider_than_an_edge_is_told_apart(polygon: Any, edge: bool) -> None:
    assert [row[3] for row in table([box(0, 0, 100, 100)], [polygon])] == [edge]


def test_a_polygon_of_many_vertices_shares_the_same_area_as_it_does_uncut() -> None:
    circle = shapely.Point(0, 0).buffer(1000, quad_segs=500)
    ring = circle.difference(shapely.Point(0, 0).buffer(900, quad_segs=500))
    sites = shapes(box(-100, -100, 100, 100), box(800, -300, 960, 400), box(905, -20, 950, 20))
    found = overlaps(sites, shapes(circle, ring), edge_ft=0.5)
    exact = [sites[row].intersection((circle, ring)[polygon]).area
             for row, polygon in zip(found["row"], found["polygon"], strict=True)]  # fmt: skip
    assert found["row"].tolist() == [0, 1, 1, 2, 2]
    np.testing.assert_allclose(found["area_sqft"], exact, rtol=1e-9)


def test_missing_and_empty_shapes_meet_nothing() -> None:
    sites = [None, shapely.Polygon(), box(0, 0, 1, 1)]
    polygons = [shapely.Polygon(), None, box(0, 0, 5, 5)]
    assert table(sites, polygons, edge_ft=0.01) == [[2, 2, 1.0, False]]
    assert table([], polygons) == []
    assert table(sites, []) == []


def test_the_work_can_be_stopped() -> None:
    def stop(share: float) -> None:
        raise CancelledError("stopped")

    with pytest.raises(CancelledError):
        overlaps(shapes(box(0, 0, 1, 1)), shapes(box(0, 0, 1, 1)), edge_ft=0.5, progress=stop)


def test_polygons_that_meet_no_site_change_nothing() -> None:
    random = np.random.default_rng(4)
    x, y = random.uniform(0, 3000, (2, 60))
    sites = shapely.box(x, y, x + random.uniform(20, 200, 60), y + 90)
    discs = shapely.buffer(shapely.points(random.uniform(0, 3000, (40, 2))), 150, quad_segs=30)
    far = shapely.buffer(shapely.points(random.uniform(5000, 9000, (90, 2))), 150, quad_segs=30)
    found = overlaps(sites, np.concatenate([discs, far]), edge_ft=0.5)
    pd.testing.assert_frame_equal(found, overlaps(sites, discs, edge_ft=0.5), check_exact=True)
    assert len(found) > 20
