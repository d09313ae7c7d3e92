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
from typing import Final, NamedTuple

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

_AROUND: Final = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""Steps (rows north, columns east) to the neighbours, counter-clockwise from east."""

_D8_CODES: Final = (1, 2, 4, 8, 16, 32, 64, 128)
"""The library's codes of directions, in the order of ``_AROUND``."""

_FACETS: Final = tuple(
    (first, (first + side) % 8, side) for first in range(0, 8, 2) for side in (1, -1)
)
"""The two neighbours of each facet by their place in ``_AROUND``, that along the row or column
first, and 1 where the diagonal one lies to its left, else -1."""

_STRAIGHT, _OBLIQUE, _SIDE = (np.array(part) for part in zip(*_FACETS, strict=True))

_MOST_ROUNDS: Final = 20


@dataclass(frozen=True)
class FlowGrid:
    """A window of ground with the ways runoff takes; cells are numbered row by row.

    Attributes
    ----------
    left_ft, bottom_ft
        Corner of the window in the plane, in feet.
    shape
        Rows (northwards) and columns (eastwards).
    ground
        Elevation of each cell, in feet; culverts cut in.
    filled_ft
        How much the depression in which a cell lies is filled there, in feet.
    code
        ``LAND``, or why a path ends in the cell.
    cardinal, diagonal
        Cell to which runoff goes along the row or column, and along the diagonal; equal where there
        is no choice, -1 where the path ends.
    cardinal_ft, diagonal_ft
        How far these steps deviate to the left of the steepest way, in feet.
    """

    left_ft: float
    bottom_ft: float
    shape: tuple[int, int]
    ground: Singles
    filled_ft: Singles
    code: npt.NDArray[np.int8]
    cardinal: npt.NDArray[np.int32]
    diagonal: npt.NDArray[np.int32]
    cardinal_ft: Floats
    diagonal_ft: Floats

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


def route(
    ground: Singles,
    off: Booleans,
    water: Booleans,
    *,
    left_ft: float,
    bottom_ft: float,
    pit_ft: float,
    look: Callable[[], None] = lambda: None,
) -> FlowGrid:
    """Find the way of runoff from every cell.

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
    pit_ft
        A depression at least this deep is one; shallower ones are filled. In feet.
    look
        Called now and then; raises to stop the run.

    Raises
    ------
    ImportError
        pyflwdir is not installed.
    """
    from pyflwdir.dem import fill_depressions  # numba takes a second to load

    ground = _over_water(ground, water)
    code = _codes(ground, off, water)
    for _ in range(_MOST_ROUNDS):
        look()
        seeds = np.flatnonzero((code != LAND) & ~np.isnan(ground))
        filled, d8 = fill_depressions(ground, idxs_pit=seeds, nodata=np.nan)
        ends = code != LAND
        filled[ends] = ground[ends]
        bottoms = _bottoms(filled - ground, ground, pit_ft)
        if not len(bottoms):
            break
        code.ravel()[bottoms] = PIT
    look()
    return _facets(filled, d8, ground, code, left_ft, bottom_ft)


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


def _bottoms(depth: Singles, ground: Singles, pit_ft: float) -> Indices:
    """Return the lowest cell of each depression that is deep enough."""
    depth = np.nan_to_num(depth)
    if not (depth >= pit_ft).any():
        return np.empty(0, np.int64)
    label, _ = ndimage.label(depth > 0, structure=np.ones((3, 3)))
    deep = np.flatnonzero((depth >= pit_ft).ravel())
    of = label.ravel()[deep]
    order = np.lexsort((deep, -depth.ravel()[deep], of))
    return np.asarray(deep[order[firsts(of[order])]], np.int64)


def _facets(
    filled: Singles,
    d8: npt.NDArray[np.uint8],
    ground: Singles,
    code: npt.NDArray[np.int8],
    left_ft: float,
    bottom_ft: float,
) -> FlowGrid:
    rows, columns = filled.shape
    best = _steepest(filled)
    # Half the memory of the usual numbers: several windows are kept.
    step = np.array([north * columns + east for north, east in _AROUND], np.int32)
    own = np.arange(rows * columns, dtype=np.int32).reshape(rows, columns)
    to_straight = own + step[_STRAIGHT][best.facet]
    to_oblique = own + step[_OBLIQUE][best.facet]
    straight, oblique = best.across <= 0, best.across >= best.down
    one_way = straight | oblique
    slope = np.where(best.slope > 0, best.slope, 1.0)
    side = _SIDE[best.facet] * (CELL_FT / slope)
    # Sines of the angles between the steepest way and the two neighbours, times the steps to them.
    short = np.where(one_way, 0.0, -side * best.across)
    long = np.where(one_way, 0.0, side * (best.down - best.across))
    cardinal = np.where(oblique, to_oblique, to_straight)
    diagonal = np.where(straight, to_straight, to_oblique)
    flat, ended = best.slope <= 0, code != LAND
    by_code = np.zeros(256, np.int32)
    by_code[list(_D8_CODES)] = step
    level = np.flatnonzero(flat)
    over = by_code[d8.ravel()[level]]
    # Over level ground runoff goes as the filling came; where that ends, so does the path.
    parent = np.where(over == 0, -1, level + over)
    cardinal.ravel()[level], diagonal.ravel()[level] = parent, parent
    cardinal[ended], diagonal[ended] = -1, -1
    still = flat | ended
    short[still], long[still] = 0.0, 0.0
    return FlowGrid(
        left_ft=left_ft,
        bottom_ft=bottom_ft,
        shape=(rows, columns),
        ground=ground.ravel(),
        filled_ft=np.maximum(np.nan_to_num(filled - ground), 0).ravel().astype(np.float32),
        code=code.ravel(),
        cardinal=cardinal.ravel(),
        diagonal=diagonal.ravel(),
        cardinal_ft=short.ravel(),
        diagonal_ft=long.ravel(),
    )


class _Steepest(NamedTuple):
    """The steepest facet of each cell.

    Its fall, that along the row or column, that across, and its place in ``_FACETS``.
    """

    slope: Floats
    down: Floats
    across: Floats
    facet: npt.NDArray[np.int8]


def _steepest(filled: Singles) -> _Steepest:
    rows, columns = filled.shape
    surface = np.pad(filled.astype(np.float64) / CELL_FT, 1, constant_values=np.nan)
    centre = surface[1:-1, 1:-1]

    def beside(step: tuple[int, int]) -> Floats:
        return surface[1 + step[0] : 1 + step[0] + rows, 1 + step[1] : 1 + step[1] + columns]

    def nothing() -> Floats:
        return np.zeros(filled.shape)

    best = _Steepest(nothing(), nothing(), nothing(), np.zeros(filled.shape, np.int8))
    falls = [centre - beside(step) for step in _AROUND]
    for number, (straight, oblique, _) in enumerate(_FACETS):
        down, diagonal = falls[straight], falls[oblique]
        across = diagonal - down
        slope = np.sqrt(down * down + across * across)
        np.copyto(slope, down, where=across <= 0)
        np.copyto(slope, diagonal / np.sqrt(2), where=across >= down)
        # Written so that NaN, a hole beside the cell, is never better.
        better = slope > best.slope
        np.copyto(best.slope, slope, where=better)
        np.copyto(best.down, down, where=better)
        np.copyto(best.across, across, where=better)
        np.copyto(best.facet, np.int8(number), where=better)
    return best
