"""Which way runoff leaves each cell of a window of ground, and where it cannot be followed on.

Depressions are filled to their lowest outlet by pyflwdir; one deeper than a limit keeps its bottom,
and runoff ends there. Elsewhere runoff follows the steepest of eight triangular facets.

Source
------
Filling: Wang and Liu (2006), doi:10.1080/13658810500433453. Facets: Tarboton (1997),
doi:10.1029/96WR03137.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from .facts import Floats
from .features import firsts
from .flow_ground import CELL_FT, Booleans, Singles

Indices = npt.NDArray[np.int64]

LAND: Final = np.int8(0)
WATER: Final = np.int8(1)
EDGE: Final = np.int8(2)
HOLE: Final = np.int8(3)
PIT: Final = np.int8(4)
FAR: Final = np.int8(5)
NETWORK_END: Final = np.int8(6)
"""Where a path ends: at mapped water; at the edge of the raster; at a hole in it; in a depression
too deep to be taken as an error; at the end of the window; where the mapped network stops."""

UNSEEN: Final = np.int8(-1)
"""In place of the number of a facet that has not been looked for yet."""

_ABOVE_FT: Final = (3.0, 10.0, 30.0, 100.0)
"""How far above a start ground is looked at, until its runoff ends somewhere, in feet."""


@dataclass(frozen=True)
class Terrain:
    """A window of ground; cells are numbered row by row.

    Attributes
    ----------
    left_ft, bottom_ft
        Corner of the window in the plane, in feet.
    shape
        Rows (northwards) and columns (eastwards).
    ground
        Elevation of each cell, in feet; culverts cut in, water without elevation as high as the
        lowest cell beside it; NaN where not known.
    code
        ``LAND``, or why a path ends in the cell.
    """

    left_ft: float
    bottom_ft: float
    shape: tuple[int, int]
    ground: Singles
    code: npt.NDArray[np.int8]

    def cells(self, x: Floats, y: Floats) -> Indices:
        """Return the cells in which points of the plane lie; they must lie in the window."""
        column = np.floor((x - self.left_ft) / CELL_FT).astype(np.int64)
        row = np.floor((y - self.bottom_ft) / CELL_FT).astype(np.int64)
        return np.asarray(row * self.shape[1] + column, np.int64)

    def centres(self, cells: Indices) -> Floats:
        """Return x and y of the centres of cells, in feet; shape (..., 2)."""
        row, column = np.divmod(cells, self.shape[1])
        x = self.left_ft + (column + 0.5) * CELL_FT
        y = self.bottom_ft + (row + 0.5) * CELL_FT
        return np.stack([x, y], axis=-1)


@dataclass(frozen=True)
class FlowGrid(Terrain):
    """A window of ground with the ways that runoff takes.

    Attributes
    ----------
    filled
        Elevation of each cell in feet, depressions filled.
    d8
        Direction from which each cell was filled, in the library's code.
    facets
        Steepest facet of each cell that a path has crossed so far.
    """

    filled: Singles
    d8: npt.NDArray[np.uint8]
    facets: npt.NDArray[np.int8]


def lay(
    ground: Singles, off: Booleans, water: Booleans, *, left_ft: float, bottom_ft: float
) -> Terrain:
    """Find where in a window of ground paths of runoff end.

    Parameters
    ----------
    ground
        Elevations in feet, rows northwards; NaN where not known.
    off
        True where a cell lies off the raster.
    water
        True where mapped water touches a cell: paths end there.
    left_ft, bottom_ft
        Corner of the window in the plane, in feet.
    """
    ground = _over_water(ground, water)
    code = _codes(ground, off, water)
    rows, columns = ground.shape
    return Terrain(left_ft, bottom_ft, (rows, columns), ground.ravel(), code.ravel())


def route(terrain: Terrain, *, pit_ft: float, look: Callable[[], None] = lambda: None) -> FlowGrid:
    """Find the way of runoff from every cell.

    Parameters
    ----------
    terrain
        The ground.
    pit_ft
        A depression at least this deep is one; shallower ones are filled. In feet.
    look
        Called now and then; raises to stop the run.

    Raises
    ------
    ImportError
        pyflwdir is not installed.
    """
    from .flow_kernels import fill  # numba takes a second to load

    look()
    code, ground = terrain.code.copy(), terrain.ground
    filled, d8 = _filled(terrain, np.inf)
    deep: Booleans = np.ones(len(code), bool)
    while True:
        look()
        depth = np.where(deep, filled - ground, 0.0).reshape(terrain.shape)
        bottoms, deep = _deep(depth, pit_ft)
        if not len(bottoms):
            break
        code[bottoms] = PIT
        # All of a depression lies below its rim, so an outlet in it changes nothing outside.
        low = np.where(deep, ground, np.float32(np.nan)).reshape(terrain.shape)
        levels, directions = fill(low, bottoms)
        filled[deep], d8[deep] = levels.ravel()[deep], directions.ravel()[deep]
    look()
    return _grid(terrain, code, filled, d8)


def route_from(terrain: Terrain, start: int) -> FlowGrid:
    """Find the way of runoff from one cell to where it ends; every depression is filled.

    Ground above the start is left out, as far as the water that fills its depression does not
    reach it: it changes nothing below.

    Parameters
    ----------
    terrain
        The ground.
    start
        Number of the cell; a path from any other may not be followed on what is returned.

    Raises
    ------
    ImportError
        pyflwdir is not installed.
    """
    level_ft = float(terrain.ground[start])
    for above_ft in (*_ABOVE_FT, np.inf):
        filled, d8 = _filled(terrain, level_ft + above_ft)
        if d8[start] or terrain.code[start] != LAND:
            break
    return _grid(terrain, terrain.code, filled, d8)


def _filled(terrain: Terrain, highest_ft: float) -> tuple[Singles, npt.NDArray[np.uint8]]:
    """Fill the depressions of ground that is not higher than a level; the rest is infinitely high.

    Cells that are filled to that level at most are filled to the same as if all ground were there.
    """
    from .flow_kernels import fill  # numba takes a second to load

    ground, ends = terrain.ground, terrain.code != LAND
    above = ground > highest_ft
    low = np.where(above, np.float32(np.nan), ground)
    outlets = np.flatnonzero(ends & ~np.isnan(low))
    levels, directions = fill(low.reshape(terrain.shape), outlets)
    filled, d8 = levels.ravel(), directions.ravel()
    filled[ends] = ground[ends]
    filled[above] = np.inf
    return filled, d8


def _grid(
    terrain: Terrain, code: npt.NDArray[np.int8], filled: Singles, d8: npt.NDArray[np.uint8]
) -> FlowGrid:
    facets = np.full(len(code), UNSEEN, np.int8)
    return FlowGrid(
        terrain.left_ft, terrain.bottom_ft, terrain.shape, terrain.ground, code, filled, d8, facets
    )


def _over_water(ground: Singles, water: Booleans) -> Singles:
    """Give water without elevation that of the lowest cell beside it: a lake may be a hole."""
    hollow = water & np.isnan(ground)
    if not hollow.any():
        return ground.copy()
    lowest = ndimage.minimum_filter(np.where(np.isnan(ground), np.inf, ground), size=3)
    return np.where(hollow & np.isfinite(lowest), lowest, ground).astype(np.float32)


def _codes(ground: Singles, off: Booleans, water: Booleans) -> npt.NDArray[np.int8]:
    gone = np.isnan(ground)
    square = np.ones((3, 3), dtype=bool)
    if off.any():
        # What joins the outside is no hole: the margin of a turned or triangulated raster.
        off = ndimage.binary_propagation(off, square, mask=gone | off)
    by_hole = ndimage.binary_dilation(gone & ~off, square)
    by_edge = ndimage.binary_dilation(off, square)
    code = np.full(ground.shape, LAND)
    code[[0, -1], :] = FAR
    code[:, [0, -1]] = FAR
    code[by_hole] = HOLE
    code[by_edge] = EDGE
    code[water] = WATER
    # Nothing starts in a hole, but a path that ends beside one is told from one at the edge.
    code[gone & ~water] = np.where(off, EDGE, HOLE)[gone & ~water]
    return code


def _deep(depth: Floats, pit_ft: float) -> tuple[Indices, Booleans]:
    """Return the lowest cell of each depression that is deep enough, and all of their cells."""
    depth = np.nan_to_num(depth)
    deep = np.flatnonzero((depth >= pit_ft).ravel())
    if not len(deep):
        return deep, np.zeros(depth.size, bool)
    labels, count = ndimage.label(depth > 0, structure=np.ones((3, 3)))
    of = labels.ravel()[deep]
    order = np.lexsort((deep, -depth.ravel()[deep], of))
    chosen = np.zeros(count + 1, bool)
    chosen[of] = True
    return deep[order[firsts(of[order])]], chosen[labels.ravel()]
