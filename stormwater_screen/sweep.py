"""The largest slope over a run for all points of a block of a lattice, by shifted windows.

In one direction the ends of the runs of all points lie equally far from them, counted in cells. So
the ground at all ends is the same window of the raster, shifted by whole cells and blended with its
neighbours by the same weights: no point is looked up alone. Windows are kept as flat arrays of one
width, which makes a shift a single offset; what is computed beyond the right edge is dropped.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .dem import SNAP_CELLS, Dem
from .facts import Floats
from .lattice import Lattice
from .optional_kernels import slope_kernels

Floats32 = npt.NDArray[np.float32]
Booleans = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]


class Block(NamedTuple):
    """A rectangle of lattice points.

    Attributes
    ----------
    row, column
        Place of the block in the lattice, counted in blocks.
    top, bottom, left, right
        Rows and columns of the lattice within it; ``bottom`` and ``right`` are not part of it.
    """

    row: int
    column: int
    top: int
    bottom: int
    left: int
    right: int


class Slopes(NamedTuple):
    """Largest slopes of a block.

    Attributes
    ----------
    seen
        Largest slope in percent of the directions seen, 0 where none is.
    complete
        Whether every direction is seen.
    """

    seen: Floats32
    complete: Booleans


def block_slopes(
    dem: Dem, lattice: Lattice, block: Block, offsets: Floats, *, run_ft: float
) -> Slopes:
    """Return the largest slope over a run for every point of a block.

    Parameters
    ----------
    dem
        Ground elevation.
    lattice
        Its lattice.
    block
        The points.
    offsets
        Cells from a point to the ends of its runs, shape (2, directions): rows, columns.
    run_ft
        Length of the run, feet.

    Raises
    ------
    InputError
        The file is damaged there.
    """
    rows, columns = lattice.rows, lattice.columns
    shape = (block.bottom - block.top, block.right - block.left)
    reach = np.ceil(np.abs(offsets).max(axis=1)).astype(int) + 1
    first_row = int(block.top * rows.step // 1) - int(reach[0])
    first_column = int(block.left * columns.step // 1) - int(reach[1])
    end_row = int((block.bottom - 1) * rows.step // 1) + int(reach[0]) + 2
    end_column = int((block.right - 1) * columns.step // 1) + int(reach[1]) + 2
    feet = dem.ground_ft(first_row, end_row, first_column, end_column)
    if np.isnan(feet).all():
        return Slopes(np.zeros(shape, np.float32), np.zeros(shape, bool))
    corner = (first_row, first_column)
    ground = (feet - _level(dem, lattice, block, feet, corner)).astype(np.float32)
    parts = np.array([rows.parts, columns.parts])
    fine = _divided(_divided(ground, rows.parts).T, columns.parts).T
    start = (
        round((block.top * rows.step - first_row) * rows.parts),
        round((block.left * columns.step - first_column) * columns.parts),
    )
    windows = _Windows(fine, (rows.cells, columns.cells))
    rise, complete = windows.largest_rise(start, shape, offsets * parts[:, None])
    return Slopes(rise * np.float32(100 / run_ft), complete)


def _divided(ground: Floats32, parts: int) -> Floats32:
    """Return a ground with its rows divided: between two cells it is bilinear there too.

    A surface that is bilinear in a cell is bilinear in every part of the cell, so nothing is lost.
    """
    if parts == 1:
        return ground
    row, nth = np.divmod(np.arange((len(ground) - 1) * parts + 1), parts)
    share = (nth / parts).astype(np.float32)[:, None]
    above, below = ground[row], ground[np.minimum(row + 1, len(ground) - 1)]
    # A row of cells is itself, though the one below it be a hole.
    return np.where(share == 0, above, above + share * (below - above))


def _level(
    dem: Dem, lattice: Lattice, block: Block, feet: Floats, corner: tuple[int, int]
) -> float:
    """Return a round height near the block's, so that 32 bits resolve 1 in 30,000 of a foot.

    It depends on the block alone: not a bit of a slope may depend on the points asked for.
    """
    row = int((block.row + 0.5) * lattice.rows.block * lattice.rows.step)
    column = int((block.column + 0.5) * lattice.columns.block * lattice.columns.step)
    down, along = row - corner[0], column - corner[1]
    seen = 0 <= down < feet.shape[0] and 0 <= along < feet.shape[1]
    middle = feet[down, along] if seen else dem.ground_ft(row, row + 1, column, column + 1)[0, 0]
    return float(np.round(np.nan_to_num(middle, nan=0.0)))


class _Windows:
    """A ground, taken apart so that points a whole number of cells apart lie side by side."""

    def __init__(self, ground: Floats32, steps: tuple[int, int]) -> None:
        self._steps = steps
        height, width = (-(-size // step) for size, step in zip(ground.shape, steps, strict=True))
        padded = np.full((height * steps[0] + 1, width * steps[1]), np.nan, np.float32)
        padded[: ground.shape[0], : ground.shape[1]] = ground
        self._holes = bool(np.isnan(ground).any())
        self._width = width
        self._ground = np.empty((steps[0] * steps[1], height * width), np.float32)
        self._drop = np.empty_like(self._ground)
        for row in range(steps[0]):
            for column in range(steps[1]):
                here = padded[row : -1 : steps[0], column :: steps[1]]
                below = padded[row + 1 :: steps[0], column :: steps[1]]
                plane = row * steps[1] + column
                self._ground[plane] = here.ravel()
                self._drop[plane] = (below - here).ravel()

    def largest_rise(
        self, start: tuple[float, float], shape: tuple[int, int], offsets: Floats
    ) -> tuple[Floats32, Booleans]:
        """Return the largest difference of height at offsets from points, and where all are seen.

        Parameters
        ----------
        start
            Row and column of the first point, counted in cells from the first cell.
        shape
            Rows and columns of points.
        offsets
            Cells from a point to the ends of its runs, shape (2, directions): rows, columns.
        """
        # The points themselves are the first of their ends.
        row, low = _split(np.append(start[0], start[0] + offsets[0]))
        column, right = _split(np.append(start[1], start[1] + offsets[1]))
        kernels = slope_kernels()
        if kernels is None:
            return self._by_windows(
                shape, zip(map(int, row), low, map(int, column), right, strict=True)
            )
        # The cell to the right is not looked at where an end lies on the column of its own cell.
        beside = np.where(right == 0, column, column + 1)
        (plane, first), (next_plane, next_first) = (
            self._cells(row, column),
            self._cells(row, beside),
        )
        found: tuple[Floats32, Booleans] = kernels.largest_rise(
            self._ground,
            self._drop,
            self._width,
            shape,
            np.stack([plane, next_plane]),
            np.stack([first, next_first]),
            low,
            right,
        )
        return found

    def _cells(self, row: Integers, column: Integers) -> tuple[Integers, Integers]:
        """Return the plane of cells, and the place on it."""
        down, row_rest = np.divmod(row, self._steps[0])
        along, column_rest = np.divmod(column, self._steps[1])
        return row_rest * self._steps[1] + column_rest, down * self._width + along

    def _by_windows(
        self, shape: tuple[int, int], ends: Iterable[tuple[int, float, int, float]]
    ) -> tuple[Floats32, Booleans]:
        """Do it with numpy: one window after the other."""
        count = (shape[0] - 1) * self._width + shape[1]
        scratch = np.empty((3, count + 1), np.float32)
        ways = iter(ends)
        centre = self._ends(*next(ways), scratch).copy()
        low, high, poison = centre.copy(), centre.copy(), centre.copy()
        for way in ways:
            end = self._ends(*way, scratch)
            if self._holes:
                np.fmin(low, end, out=low)
                np.fmax(high, end, out=high)
                np.maximum(poison, end, out=poison)
            else:
                np.minimum(low, end, out=low)
                np.maximum(high, end, out=high)
        rise = np.maximum(high - centre, centre - low)
        if self._holes:
            rise = np.nan_to_num(rise, copy=False, nan=0.0)
        return self._cut(rise, shape), ~np.isnan(self._cut(poison, shape))

    def _ends(self, row: int, low: float, column: int, right: float, scratch: Floats32) -> Floats32:
        """Return the ground at an offset from all points, in an array that is used again.

        The offset is a whole cell and what lies between it and the next one below and to the right.
        """
        blend, other, ends = scratch
        count = len(ends) - 1
        left = self._blended(row, column, low, blend)
        if right == 0:
            return left[:count]
        if self._steps[1] == 1:
            beside, left = left[1:], left[:count]
        else:
            left, beside = left[:count], self._blended(row, column + 1, low, other)[:count]
        out: Floats32 = ends[:count]
        np.subtract(beside, left, out=out)
        out *= right
        out += left
        return out

    def _blended(self, row: int, column: int, low: float, out: Floats32) -> Floats32:
        down, row_rest = divmod(row, self._steps[0])
        along, column_rest = divmod(column, self._steps[1])
        first = down * self._width + along
        plane = row_rest * self._steps[1] + column_rest
        ground: Floats32 = self._ground[plane, first : first + len(out)]
        if low == 0:
            return ground
        out = out[: len(ground)]
        np.multiply(self._drop[plane, first : first + len(out)], low, out=out)
        out += ground
        return out

    def _cut(self, flat: npt.NDArray[np.float32], shape: tuple[int, ...]) -> Floats32:
        whole = np.zeros(shape[0] * self._width, np.float32)
        whole[: len(flat)] = flat
        return whole.reshape(shape[0], self._width)[:, : shape[1]]


def _split(offsets: Floats) -> tuple[Integers, Floats32]:
    """Return whole cells, and what lies beyond them to the 32 bits of the ground."""
    nearest = np.rint(offsets)
    snapped = np.abs(offsets - nearest) < SNAP_CELLS
    whole = np.where(snapped, nearest, np.floor(offsets))
    beyond = np.where(snapped, 0.0, offsets - whole)
    return whole.astype(np.int64), beyond.astype(np.float32)
