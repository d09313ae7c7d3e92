"""Loops over points and directions, compiled; other threads work on meanwhile.

They give to the last bit what `sweep` and `radials` work out with numpy, and leave out what those
compute only to drop it. Ask `optional_kernels` for this module.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .compiling import compiled
from .dem import SNAP_CELLS
from .facts import Floats
from .lattice import LARGEST_BLOCK
from .radials import DOWNHILL_FT

Singles = npt.NDArray[np.float32]
Booleans = npt.NDArray[np.bool_]
Indices = npt.NDArray[np.int64]


@compiled
def largest_rise(
    ground: Singles,
    drop: Singles,
    width: int,
    shape: tuple[int, int],
    plane: Indices,
    first: Indices,
    low: Singles,
    right: Singles,
) -> tuple[Singles, Booleans]:
    """Return the largest difference of height at offsets from points, and where all are seen.

    Parameters
    ----------
    ground, drop
        Planes of cells as rows, and by how much the cell below is higher.
    width
        Cells in a row of a plane.
    shape
        Rows and columns of points, at most ``LARGEST_BLOCK`` of these.
    plane, first
        Shape (2, ends): of each end its cell for the first point and the cell to the right of it,
        as the number of the plane and the place on it. The points themselves are the first end.
    low, right
        How far each end lies below and to the right of its cell, 0 to 1.
    """
    rows, columns = shape
    if columns > LARGEST_BLOCK:
        raise ValueError("a block is too wide")
    rise = np.zeros((rows, columns), np.float32)
    complete = np.empty((rows, columns), np.bool_)
    centre = np.empty(columns, np.float32)
    # One array of a fixed width, by which the compiler sees that its rows do not overlap.
    work = np.empty((3, LARGEST_BLOCK), np.float32)
    least, most, unseen = work[0], work[1], work[2]
    for row in range(rows):
        least[:], most[:], unseen[:] = np.inf, -np.inf, 0.0
        for way in range(len(low)):
            here = first[0, way] + row * width
            there = first[1, way] + row * width
            left = ground[plane[0, way], here : here + columns]
            left_drop = drop[plane[0, way], here : here + columns]
            beside = ground[plane[1, way], there : there + columns]
            beside_drop = drop[plane[1, way], there : there + columns]
            below, along = low[way], right[way]
            for place in range(columns):
                end = left[place]
                if below != 0:
                    end += left_drop[place] * below
                if along != 0:
                    other = beside[place]
                    if below != 0:
                        other += beside_drop[place] * below
                    end += (other - end) * along
                if way == 0:
                    centre[place] = end
                least[place] = end if end < least[place] else least[place]
                most[place] = end if end > most[place] else most[place]
                unseen[place] += end - end
        for place in range(columns):
            up, down = most[place] - centre[place], centre[place] - least[place]
            if centre[place] == centre[place]:
                rise[row, place] = max(up, down)
            complete[row, place] = unseen[place] == 0
    return rise, complete


@compiled
def steepest(
    ground: Floats,
    corner: tuple[int, int],
    rows: Floats,
    columns: Floats,
    offsets: Floats,
) -> tuple[Indices, Floats, Floats, Booleans]:
    """Return for points the direction of the largest slope, the heights of both ends, if all seen.

    Parameters
    ----------
    ground
        Values at cell centres, NaN in holes.
    corner
        Cell coordinates of ``ground[0, 0]``.
    rows, columns
        Cell coordinates of the points.
    offsets
        Cells from each point to the ends of its runs, shape (points, 2, directions).
    """
    count = len(rows)
    best = np.zeros(count, np.int64)
    centre, end = np.empty(count), np.empty(count)
    complete = np.ones(count, np.bool_)
    for point in range(count):
        centre[point] = height_at(ground, corner, rows[point], columns[point])
        largest = -np.inf
        for way in range(offsets.shape[2]):
            height = height_at(
                ground,
                corner,
                rows[point] + offsets[point, 0, way],
                columns[point] + offsets[point, 1, way],
            )
            fall = centre[point] - height
            size = -1.0
            if np.isfinite(fall):
                size = abs(fall) + DOWNHILL_FT * (fall > 0)
            else:
                complete[point] = False
            if size > largest:
                largest, best[point], end[point] = size, way, height
    return best, end, centre, complete


@compiled
def height_at(ground: Floats, corner: tuple[int, int], row: float, column: float) -> float:
    """Return the height between the centres of cells, as `dem.bilinear` has it.

    ``corner`` is the row and the column of ``ground[0, 0]``, in which the place is counted.
    """
    nearest = np.rint(row)
    if abs(row - nearest) < SNAP_CELLS:
        row = nearest
    nearest = np.rint(column)
    if abs(column - nearest) < SNAP_CELLS:
        column = nearest
    height, width = ground.shape
    if not (corner[0] <= row <= corner[0] + height - 1):
        return np.nan
    if not (corner[1] <= column <= corner[1] + width - 1):
        return np.nan
    above, left = np.floor(row), np.floor(column)
    down, along = row - above, column - left
    top, first = int(above) - corner[0], int(left) - corner[1]
    bottom, last = top + (down > 0), first + (along > 0)
    upper = ground[top, first] + along * (ground[top, last] - ground[top, first])
    lower = ground[bottom, first] + along * (ground[bottom, last] - ground[bottom, first])
    return float(upper + down * (lower - upper))
