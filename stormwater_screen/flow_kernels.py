"""Loops over the cells of a window, compiled; other threads work on meanwhile.

Import it only where runoff is followed: numba takes a second to load.

Source
------
Filling: Wang and Liu (2006), doi:10.1080/13658810500433453. Facets: Tarboton (1997),
doi:10.1029/96WR03137. The choice between two neighbours: Orlandini et al. (2003), least transversal
deviation, doi:10.1029/2002WR001639.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from .compiling import compiled, fill_depressions
from .flow_ground import CELL_FT, Booleans, Singles
from .slope_kernels import height_at

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.int8]
Directions = npt.NDArray[np.uint8]

_AROUND: Final = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""Steps (rows north, columns east) to the neighbours, counter-clockwise from east."""

_FACETS: Final = tuple(
    (first, (first + side) % 8, side) for first in range(0, 8, 2) for side in (1, -1)
)
"""The two neighbours of each facet by their place in ``_AROUND``, that along the row or column
first, and 1 where the diagonal one lies to its left, else -1."""

_NORTH, _EAST = zip(*_AROUND, strict=True)
_STRAIGHT, _OBLIQUE, _SIDE = zip(*_FACETS, strict=True)

UNSEEN: Final = -1
_LEVEL: Final = 8
"""In place of the number of a facet: not looked for yet; no neighbour is lower."""

_LAND: Final = 0
_ROOM: Final = 4_096


@compiled
def _levels(ground: Singles, d8: Directions) -> Singles:
    """Return the elevation to which each cell is filled: the highest on the way that was filled.

    The library's own come from adding depths and are rounded. A level surface that is not quite
    level may send a path round in circles.
    """
    columns = ground.shape[1]
    steps = np.zeros(256, np.int64)
    for place in range(8):
        steps[1 << place] = _NORTH[place] * columns + _EAST[place]
    filled = ground.copy()
    levels, codes = filled.ravel(), d8.ravel()
    known = np.zeros(len(levels), np.bool_)
    waiting = np.empty(len(levels), np.int64)
    for cell in range(len(levels)):
        at, count = cell, 0
        while not known[at] and steps[codes[at]]:
            waiting[count] = at
            count += 1
            at += steps[codes[at]]
        known[at] = True
        level = levels[at]
        while count:
            count -= 1
            at = waiting[count]
            level = max(level, levels[at])
            levels[at], known[at] = level, True
    return filled


@compiled
def cell_means(
    ground: Floats,
    corner: tuple[int, int],
    places: Floats,
    scales: Floats,
    down: Floats,
    along: Floats,
) -> Singles:
    """Return the mean of bilinear elevations at points in each cell, NaN where half are unknown.

    Parameters
    ----------
    ground
        Part of a raster, NaN in holes and beyond it.
    corner
        Row and column in the raster of its first cell.
    places
        Row and column in the raster of the centres of cells, shape (2, rows, columns).
    scales
        How much row and column change over a cell northwards and eastwards, shape
        (2, 2, rows, columns).
    down, along
        Where points lie in a cell northwards and eastwards, as parts of its side from its centre.
    """
    _, rows, columns = places.shape
    least = len(down) * len(along) / 2
    means = np.full((rows, columns), np.float32(np.nan))
    for i in range(rows):
        for j in range(columns):
            total, known = 0.0, 0
            for north in down:
                part = 0.0
                for east in along:
                    row = places[0, i, j] + scales[0, 0, i, j] * north + scales[0, 1, i, j] * east
                    column = (
                        places[1, i, j] + scales[1, 0, i, j] * north + scales[1, 1, i, j] * east
                    )
                    level = height_at(ground, corner, row, column)
                    if np.isfinite(level):
                        part += level
                        known += 1
                total += part
            if known > least:
                means[i, j] = total / known
    return means


@compiled
def fill(ground: Singles, outlets: Indices) -> tuple[Singles, Directions]:
    """Fill depressions to their lowest outlet.

    Parameters
    ----------
    ground
        Elevations in feet, shape (rows, columns); NaN where not known.
    outlets
        Numbers of the cells in which runoff may end.

    Returns
    -------
    tuple of numpy.ndarray
        The filled elevations, and the library's code of the direction from which each cell was
        filled, 0 where it was not.
    """
    _, d8 = fill_depressions(ground, "edge", outlets, np.nan)
    return _levels(ground, d8), d8


@compiled
def _falls(filled: Singles, cell: int, columns: int, facet: int) -> tuple[float, float, float]:
    """Return the fall of a facet along the row or column, that across, and along its steepest way.

    Each a share of the distance.
    """
    straight, oblique = _STRAIGHT[facet], _OBLIQUE[facet]
    beside = filled[cell + _NORTH[straight] * columns + _EAST[straight]]
    corner = filled[cell + _NORTH[oblique] * columns + _EAST[oblique]]
    centre = np.float64(filled[cell]) / CELL_FT
    down = centre - np.float64(beside) / CELL_FT
    diagonal = centre - np.float64(corner) / CELL_FT
    across = diagonal - down
    if across >= down:
        return down, across, float(diagonal / np.sqrt(2.0))
    if across <= 0:
        return down, across, down
    return down, across, float(np.sqrt(down * down + across * across))


@compiled
def _steepest(filled: Singles, cell: int, columns: int) -> int:
    best, most = _LEVEL, 0.0
    for facet in range(8):
        _, _, slope = _falls(filled, cell, columns, facet)
        # Written so that NaN, a hole beside the cell, is never better.
        if slope > most:
            best, most = facet, slope
    return best


@compiled
def _over_level(d8: int, columns: int) -> int:
    """Return the step over level ground, as the filling came; 0 where none did."""
    for place in range(8):
        if d8 == 1 << place:
            return int(_NORTH[place] * columns + _EAST[place])
    return 0


@compiled
def _next(
    filled: Singles, d8: Directions, facets: Bytes, cell: int, columns: int, aside: float
) -> tuple[int, float]:
    """Return the next cell, -1 where there is none, and how far the path is then aside, in feet.

    That is how far it lies to the left of the steepest way so far.
    """
    if facets[cell] == UNSEEN:
        facets[cell] = _steepest(filled, cell, columns)
    facet = facets[cell]
    if facet == _LEVEL:
        step = _over_level(d8[cell], columns)
        return (cell + step if step else -1), aside
    down, across, slope = _falls(filled, cell, columns, facet)
    straight, oblique = _STRAIGHT[facet], _OBLIQUE[facet]
    beside = cell + _NORTH[straight] * columns + _EAST[straight]
    corner = cell + _NORTH[oblique] * columns + _EAST[oblique]
    if across >= down:
        return int(corner), aside
    if across <= 0:
        return int(beside), aside
    # Sines of the angles between the steepest way and the two neighbours, times the steps to them.
    side = _SIDE[facet] * (CELL_FT / slope)
    by_beside = aside - side * across
    by_corner = aside + side * (down - across)
    if abs(by_beside) <= abs(by_corner):
        return int(beside), by_beside
    return int(corner), by_corner


@compiled
def follow(
    ground: Singles,
    filled: Singles,
    d8: Directions,
    facets: Bytes,
    code: Bytes,
    columns: int,
    starts: Indices,
    marked: Booleans,
) -> tuple[Indices, Indices, Floats, Floats, Floats, Booleans]:
    """Follow paths to their ends; the parameters are parts of `flow_grid.FlowGrid`.

    Returns the last cell of each path and the one before it, its length, the depth of the deepest
    depression and the climb, in feet, and whether a marked cell is met; without cells in ``marked``
    none is.
    """
    count = len(starts)
    end, before = starts.copy(), starts.copy()
    length_ft, deepest_ft, climb_ft = np.zeros(count), np.zeros(count), np.zeros(count)
    crossed = np.zeros(count, np.bool_)
    for path in range(count):
        cell, aside, lowest = starts[path], 0.0, np.nan
        last = cell
        while True:
            level = np.float64(ground[cell])
            # Written so that NaN, water without elevation, is no climb and no depth.
            if level - lowest > climb_ft[path]:
                climb_ft[path] = level - lowest
            if not level >= lowest:
                lowest = level if level == level else lowest
            depth = np.float64(filled[cell] - ground[cell])
            if depth > deepest_ft[path]:
                deepest_ft[path] = depth
            if len(marked) and marked[cell]:
                crossed[path] = True
            if code[cell] != _LAND:
                break
            following, aside = _next(filled, d8, facets, cell, columns, aside)
            if following < 0:
                break
            apart = abs(following - cell)
            diagonal = apart != 1 and apart != columns
            length_ft[path] += CELL_FT * np.sqrt(2.0) if diagonal else CELL_FT
            last, cell = cell, following
        end[path], before[path] = cell, last
    return end, before, length_ft, deepest_ft, climb_ft, crossed


@compiled
def visit(
    filled: Singles,
    d8: Directions,
    facets: Bytes,
    code: Bytes,
    columns: int,
    starts: Indices,
    wanted: Booleans,
    boxes: Indices,
) -> tuple[Indices, Indices, Indices]:
    """Return the wanted cells of paths in their order, path by path, and where each path ends.

    The number of the path and the cell of each. Without cells in ``wanted`` all are. ``boxes`` has
    the first and last column and row of the cells that are wanted of each path, shape (n, 4): first
    column, first row, last column, last row; or no rows.
    """
    end = starts.copy()
    paths: Indices = np.empty(_ROOM, np.int64)
    cells: Indices = np.empty(_ROOM, np.int64)
    count = 0
    for path in range(len(starts)):
        cell, aside = starts[path], 0.0
        while True:
            told = not len(wanted) or wanted[cell]
            if told and len(boxes):
                row, column = divmod(cell, columns)
                told = boxes[path, 0] <= column <= boxes[path, 2]
                told = told and boxes[path, 1] <= row <= boxes[path, 3]
            if told:
                if count == len(cells):
                    paths = np.concatenate((paths, np.empty_like(paths)))
                    cells = np.concatenate((cells, np.empty_like(cells)))
                paths[count], cells[count] = path, cell
                count += 1
            if code[cell] != _LAND:
                break
            following, aside = _next(filled, d8, facets, cell, columns, aside)
            if following < 0:
                break
            cell = following
        end[path] = cell
    return paths[:count].copy(), cells[:count].copy(), end
