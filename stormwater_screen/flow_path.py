"""Follow runoff from cell to cell.

At each step the neighbour is taken that keeps the path nearest to the steepest way so far, so that
on even ground a path runs in any direction, not only in the eight of a grid.

Source
------
Orlandini et al. (2003), least transversal deviation, doi:10.1029/2002WR001639.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import shapely

from .facts import Floats
from .features import Geometries
from .flow_grid import FlowGrid, Indices
from .flow_ground import CELL_FT, Booleans
from .flow_kernels import follow, visit

_NOWHERE = np.zeros((0, 4), np.int64)
_NONE = np.zeros(0, bool)
"""No cell of a window is marked; or all of them are wanted."""


@dataclass(frozen=True)
class Walks:
    """Paths of runoff, one a start.

    Attributes
    ----------
    end, before
        Last cell, and the one before it; the start where the path has one cell.
    code
        Why the path ends.
    length_ft
        Length, in feet.
    deepest_ft
        Most that a depression on the way is filled, in feet.
    climb_ft
        Most that the path rises above its lowest ground so far, in feet.
    crossed
        True where the path meets a marked cell.
    """

    end: Indices
    before: Indices
    code: npt.NDArray[np.int8]
    length_ft: Floats
    deepest_ft: Floats
    climb_ft: Floats
    crossed: Booleans


def walk(grid: FlowGrid, starts: Indices, marked: Booleans | None = None) -> Walks:
    """Follow runoff from cells to where it ends.

    Parameters
    ----------
    grid
        The ways of runoff.
    starts
        Cells.
    marked
        Cells whose crossing is noted, or None.
    """
    marked = _NONE if marked is None else marked
    walked = follow(
        grid.ground, grid.filled, grid.d8, grid.facets, grid.code, grid.shape[1], starts, marked
    )
    end, before, length_ft, deepest_ft, climb_ft, crossed = walked
    return Walks(end, before, grid.code[end], length_ft, deepest_ft, climb_ft, crossed)


class Visits(NamedTuple):
    """Cells on paths with the number of the path of each, and the cell where each path ends."""

    path: Indices
    cell: Indices
    end: Indices


def visits(
    grid: FlowGrid, starts: Indices, wanted: Booleans, within: Floats | None = None
) -> Visits:
    """Return the wanted cells that paths begin in, pass and end in.

    Parameters
    ----------
    grid
        The ways of runoff.
    starts
        Cells.
    wanted
        True for the cells that are asked for.
    within
        Box of each path (x and y of the lower left and the upper right corner in the plane, in
        feet), in which the centre of a cell must lie, shape (n, 4); None: anywhere.
    """
    boxes = _NOWHERE if within is None else _boxes_of_cells(grid, within)
    return Visits(*_visited(grid, starts, wanted, boxes))


def _boxes_of_cells(grid: FlowGrid, within: Floats) -> Indices:
    """Return the first and last column and row of cells whose centres lie in boxes."""
    rows, columns = grid.shape
    corner = np.array([grid.left_ft, grid.bottom_ft])
    first = np.ceil((within[:, :2] - corner) / CELL_FT - 0.5)
    last = np.floor((within[:, 2:] - corner) / CELL_FT - 0.5)
    limits = np.concatenate([first, last], axis=1)
    limits = np.clip(limits, -1, [columns, rows, columns, rows])
    return np.asarray(limits, np.int64)


def trace(grid: FlowGrid, starts: Indices) -> Geometries:
    """Return paths of runoff as lines between centres of cells; None where a path has one cell."""
    if not len(starts):
        return np.empty(0, dtype=object)
    which, cells, _ = _visited(grid, starts, _NONE, _NOWHERE)
    centres = grid.centres(cells)
    long = np.bincount(which, minlength=len(starts)) > 1
    lines = np.full(len(starts), None, dtype=object)
    kept = long[which]
    if kept.any():
        position = np.cumsum(long) - 1
        lines[long] = shapely.linestrings(centres[kept], indices=position[which[kept]])
    return lines


def _visited(
    grid: FlowGrid, starts: Indices, wanted: Booleans, boxes: Indices
) -> tuple[Indices, Indices, Indices]:
    columns = grid.shape[1]
    return visit(grid.filled, grid.d8, grid.facets, grid.code, columns, starts, wanted, boxes)
