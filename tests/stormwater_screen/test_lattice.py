from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from shapely import Polygon, box

from stormwater_screen.dem import Dem
from stormwater_screen.lattice import Axis, lattice_of, runs_in_sites
from tests.terrain import LAKE_GEORGE, PLANE, level, write_dem

X0, Y0 = LAKE_GEORGE


@pytest.mark.parametrize(
    ("crs", "cell", "cells", "parts"),
    [
        ("EPSG:26918", 0.5, 6, 1),
        ("EPSG:26918", 1.0, 3, 1),
        ("EPSG:26918", 2.0, 1, 1),
        ("EPSG:26918", 3.0, 1, 1),
        ("EPSG:26918", 10.0, 1, 4),
        ("EPSG:2260", 10.0, 1, 1),
        ("EPSG:2260", 2.5, 4, 1),
    ],
)
def test_points_are_at_most_ten_feet_apart(
    tmp_path: Path, crs: str, cell: float, cells: int, parts: int
) -> None:
    with Dem.open(str(write_dem(tmp_path / "a.tif", level(), crs=crs, cell=cell))) as dem:
        lattice = lattice_of(dem, PLANE)
    assert lattice.rows == lattice.columns == Axis(cells, parts)
    assert 5.0 < lattice.spacing_ft < 10.05


def test_coarser_lattice_has_longer_steps() -> None:
    assert Axis(3, 1).coarser(4) == Axis(12, 1)
    assert Axis(1, 4).coarser(2) == Axis(1, 2)
    assert Axis(1, 4).coarser(16) == Axis(4, 1)


def test_block_of_a_fine_raster_stays_small() -> None:
    for axis in (Axis(1, 1), Axis(1, 8), Axis(6, 1), Axis(100, 1)):
        assert axis.block * axis.step <= 1_024
        assert axis.block % axis.parts == 0


def inside(dem: Dem, shapes: list[object], lattice: object) -> list[set[tuple[int, int]]]:
    geometries = np.array(shapes, dtype=object)
    runs = runs_in_sites(dem, geometries, np.arange(len(shapes)), PLANE, lattice)
    found: list[set[tuple[int, int]]] = [set() for _ in shapes]
    for site, row, start, end in zip(*runs, strict=True):
        points = {(int(row), column) for column in range(start, end)}
        assert not points & found[site]
        found[site] |= points
    return found


def by_shapely(dem: Dem, shape: object, lattice: object, margin: int = 60) -> set[tuple[int, int]]:
    row, column = dem.cells(np.array([X0]), np.array([Y0]), PLANE)
    middle = int(row[0] / lattice.rows.step), int(column[0] / lattice.columns.step)
    u, v = np.mgrid[
        middle[0] - margin : middle[0] + margin, middle[1] - margin : middle[1] + margin
    ]
    u, v = u.ravel(), v.ravel()
    x, y = dem.places(u * lattice.rows.step, v * lattice.columns.step, PLANE)
    kept = shapely.contains_xy(shape, x, y)
    return {(int(a), int(b)) for a, b in zip(u[kept], v[kept], strict=True)}


SHAPES = {
    "box": box(X0 - 103.3, Y0 - 77.7, X0 + 99.1, Y0 + 88.8),
    "hole": box(X0 - 151.3, Y0 - 150.7, X0 + 149.1, Y0 + 150.9).difference(
        shapely.Point(X0, Y0).buffer(91.7)
    ),
    "parts": shapely.MultiPolygon(
        [box(X0 - 120, Y0, X0 - 60, Y0 + 50), box(X0 + 20, Y0 - 90, X0 + 130, Y0 + 43)]
    ),
    "wedge": Polygon([(X0, Y0), (X0 + 200, Y0 + 13), (X0 + 190, Y0 + 120)]),
}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize(
    "raster",
    [{"cell": 1.0}, {"cell": 10.0}, {"cell": 3.0, "rotation": 27.0}, {"cell": (3.0, -2.0)}],
)
def test_points_of_a_site_are_those_that_shapely_finds(
    tmp_path: Path, name: str, raster: dict
) -> None:
    with Dem.open(str(write_dem(tmp_path / "a.tif", level(), **raster))) as dem:
        lattice = lattice_of(dem, PLANE)
        assert inside(dem, [SHAPES[name]], lattice) == [by_shapely(dem, SHAPES[name], lattice)]


def test_overlapping_sites_share_their_points(tmp_path: Path) -> None:
    with Dem.open(str(write_dem(tmp_path / "a.tif", level()))) as dem:
        lattice = lattice_of(dem, PLANE)
        shapes = list(SHAPES.values())
        together = inside(dem, shapes, lattice)
        assert together == [inside(dem, [shape], lattice)[0] for shape in shapes]


@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    corners=st.lists(
        st.tuples(st.floats(-200, 200), st.floats(-200, 200)), min_size=3, max_size=8, unique=True
    )
)
def test_points_of_any_polygon_are_those_that_shapely_finds(
    tmp_path: Path, corners: list[tuple[float, float]]
) -> None:
    path = tmp_path / "a.tif"
    if not path.exists():
        write_dem(path, level())
    shape = shapely.make_valid(
        Polygon([(X0 + x, Y0 + y) for x, y in corners]), method="structure", keep_collapsed=False
    )
    with Dem.open(str(path)) as dem:
        lattice = lattice_of(dem, PLANE)
        found, expected = inside(dem, [shape], lattice)[0], by_shapely(dem, shape, lattice)
        differ = np.array(sorted(found ^ expected), dtype=float).reshape(-1, 2)
        x, y = dem.places(
            differ[:, 0] * lattice.rows.step, differ[:, 1] * lattice.columns.step, PLANE
        )
    # A point may only be in doubt on the boundary itself: PROJ's way to the plane and back is no
    # more exact than 0.002 ft.
    assert (shapely.distance(shapely.boundary(shape), shapely.points(x, y)) < 0.005).all()
