"""Which way runoff leaves each cell of a window of ground, and where it cannot be followed on.

Depressions are filled to their lowest outlet by pyflwdir; one deeper than a limit keeps its bottom,
and runoff ends there. Elsewhere runoff follows the steepest of eight triangular facets.

Source
------
Filling: Wang and Liu (2006), doi:10.1080/13658810500433453. Facets: Tarboton (1997),
doi:10.1029/96WR03137.
"""

from __future__ import annotations

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
    cardinal: Indices
    diagonal: Indices
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

    Raises
    ------
    ImportError
        pyflwdir is not installed.
    """
    from pyflwdir.dem import fill_depressions  # numba takes a second to load

    ground = _over_water(ground, water)
    code = _codes(ground, off, water)
    for _ in range(_MOST_ROUNDS):
        seeds = np.flatnonzero((code != LAND) & ~np.isnan(ground))
        filled, d8 = fill_depressions(ground, idxs_pit=seeds, nodata=np.nan)
        ends = code != LAND
        filled[ends] = ground[ends]
        bottoms = _bottoms(filled - ground, ground, pit_ft)
        if not len(bottoms):
            break
        code.ravel()[bottoms] = PIT
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
    own = np.arange(rows * columns).reshape(rows, columns)
    to_straight = own + best.straight
    to_oblique = own + best.oblique
    straight, oblique = best.across <= 0, best.across >= best.down
    slope = np.where(best.slope > 0, best.slope, 1.0)
    # Sines of the angles between the steepest way and the two neighbours, times the steps to them.
    short = np.where(straight | oblique, 0.0, CELL_FT * best.across / slope)
    long = np.where(straight | oblique, 0.0, CELL_FT * (best.down - best.across) / slope)
    cardinal = np.where(oblique, to_oblique, to_straight)
    diagonal = np.where(straight, to_straight, to_oblique)
    parent = np.full(filled.shape, -1)
    for value, (north, east) in zip(_D8_CODES, _AROUND, strict=True):
        parent = np.where(d8 == value, own + north * columns + east, parent)
    flat, ended = best.slope <= 0, code != LAND
    cardinal, diagonal = np.where(flat, parent, cardinal), np.where(flat, parent, diagonal)
    cardinal[ended], diagonal[ended] = -1, -1
    still = flat | ended
    return FlowGrid(
        left_ft=left_ft,
        bottom_ft=bottom_ft,
        shape=(rows, columns),
        ground=ground.ravel(),
        filled_ft=np.maximum(np.nan_to_num(filled - ground), 0).ravel().astype(np.float32),
        code=code.ravel(),
        cardinal=cardinal.ravel(),
        diagonal=diagonal.ravel(),
        cardinal_ft=np.where(still, 0.0, -best.side * short).ravel(),
        diagonal_ft=np.where(still, 0.0, best.side * long).ravel(),
    )


class _Steepest(NamedTuple):
    """The steepest facet of each cell.

    Its fall, that along the row or column and that across; the steps to its two neighbours in cell
    numbers; and 1 where the diagonal one lies to the left, else -1.
    """

    slope: Floats
    down: Floats
    across: Floats
    straight: Indices
    oblique: Indices
    side: Floats


def _steepest(filled: Singles) -> _Steepest:
    rows, columns = filled.shape
    surface = np.pad(filled.astype(np.float64) / CELL_FT, 1, constant_values=np.nan)
    centre = surface[1:-1, 1:-1]

    def beside(step: tuple[int, int]) -> Floats:
        return surface[1 + step[0] : 1 + step[0] + rows, 1 + step[1] : 1 + step[1] + columns]

    def nothing() -> Floats:
        return np.zeros(filled.shape)

    steps = np.zeros((2, *filled.shape), np.int64)
    best = _Steepest(nothing(), nothing(), nothing(), steps[0], steps[1], nothing())
    falls = [centre - beside(step) for step in _AROUND]
    for first in range(0, 8, 2):
        for side in (1, -1):
            other = (first + side) % 8
            down, diagonal = falls[first], falls[other]
            across = diagonal - down
            slope = np.hypot(down, across)
            np.copyto(slope, down, where=across <= 0)
            np.copyto(slope, diagonal / np.sqrt(2), where=across >= down)
            # Written so that NaN, a hole beside the cell, is never better.
            better = slope > best.slope
            np.copyto(best.slope, slope, where=better)
            np.copyto(best.down, down, where=better)
            np.copyto(best.across, across, where=better)
            np.copyto(best.side, float(side), where=better)
            for towards, (north, east) in ((0, _AROUND[first]), (1, _AROUND[other])):
                steps[towards][better] = north * columns + east
    return best
