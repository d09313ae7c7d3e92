"""Every possible building centre of the sites: a lattice of points on the raster of elevation.

The lattice is tied to the raster: every n-th cell centre, or every n-th part of a cell, so that its
points are at most 10 ft apart and depend on nothing but the raster. Fixed offsets from its points
are then fixed offsets in cells, which lets whole windows be compared at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pyproj
import shapely

from .dem import Dem
from .progress import Progress, no_progress

Integers = npt.NDArray[np.int64]
Geometries = npt.NDArray[np.object_]

SPACING_FT: Final = 10.0
"""Greatest distance between neighbouring possible centres."""

SPACING_SLACK: Final = 1.005
"""Cells of 10 ft in a projection that stretches lengths by up to 5 in 1,000 are not divided."""

LARGEST_BLOCK: Final = 256
"""Points along the side of a block. Its arrays stay in the processor's cache, and over half a mile
the scale between plane and raster may count as constant, even for a raster in degrees."""

LARGEST_WINDOW: Final = 1_024
"""Cells along the side of a block, so that a block of a fine raster fits into memory."""

_SITES_AT_ONCE: Final = 5_000


@dataclass(frozen=True)
class Axis:
    """Steps of a lattice along the rows or the columns of a raster.

    Attributes
    ----------
    cells
        Whole cells from point to point; 1 where a cell is divided.
    parts
        Points in a cell; 1 where whole cells are stepped over.
    """

    cells: int
    parts: int

    @property
    def step(self) -> float:
        """Cells from point to point."""
        return self.cells / self.parts

    @property
    def block(self) -> int:
        """Points along the side of a block; a multiple of ``parts``."""
        return min(LARGEST_BLOCK, max(8, LARGEST_WINDOW // self.cells))

    def coarser(self, times: int) -> Axis:
        """Return the axis with its steps a power of two longer."""
        shared = min(times, self.parts)
        return Axis(self.cells * times // shared, self.parts // shared)


@dataclass(frozen=True)
class Lattice:
    """A lattice of points on a raster.

    Attributes
    ----------
    rows, columns
        Its steps.
    spacing_ft
        Greatest distance between neighbouring points along an axis, feet.
    """

    rows: Axis
    columns: Axis
    spacing_ft: float

    def coarser(self, times: int) -> Lattice:
        """Return the lattice with its steps a power of two longer."""
        return Lattice(
            self.rows.coarser(times), self.columns.coarser(times), self.spacing_ft * times
        )


class Runs(NamedTuple):
    """Points of a lattice that lie in sites: one run is a site's points beside each other in a row.

    Attributes
    ----------
    site
        Position of the site.
    row
        Row of the lattice.
    start, end
        First column of the lattice, and the one after the last.
    """

    site: Integers
    row: Integers
    start: Integers
    end: Integers

    def take(self, which: npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> Runs:
        """Return some of the runs."""
        return Runs(*(part[which] for part in self))


def lattice_of(dem: Dem, crs: pyproj.CRS, *, spacing_ft: float = SPACING_FT) -> Lattice:
    """Return the lattice of a raster.

    Parameters
    ----------
    dem
        Ground elevation.
    crs
        A plane in feet.
    spacing_ft
        Greatest distance between neighbouring points.
    """
    row_ft, column_ft = dem.cell_ft(crs)
    rows, columns = _axis(row_ft, spacing_ft), _axis(column_ft, spacing_ft)
    return Lattice(rows, columns, max(row_ft * rows.step, column_ft * columns.step))


def runs_in_sites(
    dem: Dem,
    geometries: Geometries,
    positions: Integers,
    crs: pyproj.CRS,
    lattice: Lattice,
    *,
    progress: Progress = no_progress,
) -> Runs:
    """Return the lattice points inside polygons.

    A point on the left or upper edge of a polygon is inside, on the right or lower edge outside.

    Parameters
    ----------
    dem
        Ground elevation.
    geometries
        Valid polygons and multipolygons on a plane in feet.
    positions
        Position of each among the sites.
    crs
        The plane.
    lattice
        A lattice of the raster.
    """
    pieces = []
    for start in range(0, len(geometries), _SITES_AT_ONCE):
        progress(start / len(geometries))
        part = slice(start, start + _SITES_AT_ONCE)
        pieces.append(_runs(dem, geometries[part], positions[part], crs, lattice))
    if not pieces:
        empty = np.zeros(0, np.int64)
        return Runs(empty, empty, empty, empty)
    return Runs(*(np.concatenate(parts) for parts in zip(*pieces, strict=True)))


def _axis(cell_ft: float, spacing_ft: float) -> Axis:
    slack = spacing_ft * SPACING_SLACK
    parts = 1
    while cell_ft / parts > slack:
        parts *= 2
    return Axis(max(int(slack // cell_ft), 1), parts)


def _runs(
    dem: Dem, geometries: Geometries, positions: Integers, crs: pyproj.CRS, lattice: Lattice
) -> Runs:
    parts, site_of_part = shapely.get_parts(geometries, return_index=True)
    rings, part_of_ring = shapely.get_rings(parts, return_index=True)
    xy, ring = shapely.get_coordinates(rings, return_index=True)
    cell_row, cell_column = dem.cells(xy[:, 0], xy[:, 1], crs)
    row, column = cell_row / lattice.rows.step, cell_column / lattice.columns.step
    edge = np.flatnonzero(ring[1:] == ring[:-1])
    site = site_of_part[part_of_ring[ring[edge]]]
    top, bottom = np.ceil(row[edge]), np.ceil(row[edge + 1])
    count = np.abs(bottom - top).astype(np.int64)
    repeated = np.repeat(np.arange(len(edge)), count)
    nth = np.arange(len(repeated)) - np.repeat(np.cumsum(count) - count, count)
    cut_row = np.minimum(top, bottom)[repeated] + nth
    start = edge[repeated]
    share = (cut_row - row[start]) / (row[start + 1] - row[start])
    cut = column[start] + share * (column[start + 1] - column[start])
    owner = site[repeated]
    # Along a row, the inside of valid polygons lies between the odd cuts and the even ones.
    order = np.lexsort((cut, cut_row, owner))
    columns = np.ceil(cut[order]).astype(np.int64)
    first, last = columns[0::2], columns[1::2]
    runs = Runs(positions[owner[order[0::2]]], cut_row[order[0::2]].astype(np.int64), first, last)
    return runs.take(last > first)
