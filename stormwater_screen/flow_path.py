"""Follow runoff from cell to cell, all starts at once.

At each step the neighbour is taken that keeps the path nearest to the steepest way so far, so that
on even ground a path runs in any direction, not only in the eight of a grid.

Source
------
Orlandini et al. (2003), least transversal deviation, doi:10.1029/2002WR001639.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import shapely

from .facts import Floats
from .features import Geometries
from .flow_grid import LAND, FlowGrid, Indices
from .flow_ground import CELL_FT, Booleans


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
    walks = Walks(
        end=starts.copy(),
        before=starts.copy(),
        code=grid.code[starts],
        length_ft=np.zeros(len(starts)),
        deepest_ft=grid.filled_ft[starts].astype(np.float64),
        climb_ft=np.zeros(len(starts)),
        crossed=np.zeros(len(starts), bool) if marked is None else marked[starts],
    )
    lowest = grid.ground[starts].astype(np.float64)
    for active, cell, following in _steps(grid, starts):
        walks.end[active], walks.before[active] = following, cell
        walks.length_ft[active] += _step_ft(grid, cell, following)
        walks.deepest_ft[active] = np.maximum(walks.deepest_ft[active], grid.filled_ft[following])
        level = grid.ground[following].astype(np.float64)
        # Water without elevation is no climb.
        walks.climb_ft[active] = np.fmax(walks.climb_ft[active], level - lowest[active])
        lowest[active] = np.fmin(lowest[active], level)
        if marked is not None:
            walks.crossed[active] |= marked[following]
    walks.code[:] = grid.code[walks.end]
    return walks


class Visits(NamedTuple):
    """Cells on paths with the number of the path of each, and the cell where each path ends."""

    path: Indices
    cell: Indices
    end: Indices


def visits(grid: FlowGrid, starts: Indices, wanted: Booleans) -> Visits:
    """Return the wanted cells that paths begin in, pass and end in.

    Parameters
    ----------
    grid
        The ways of runoff.
    starts
        Cells.
    wanted
        True for the cells that are asked for.
    """
    end = starts.copy()
    first = np.flatnonzero(wanted[starts])
    path, cells = [first], [starts[first]]
    for active, _, following in _steps(grid, starts):
        end[active] = following
        seen = np.flatnonzero(wanted[following])
        path.append(active[seen])
        cells.append(following[seen])
    return Visits(np.concatenate(path), np.concatenate(cells), end)


def trace(grid: FlowGrid, starts: Indices) -> Geometries:
    """Return paths of runoff as lines between centres of cells; None where a path has one cell."""
    if not len(starts):
        return np.empty(0, dtype=object)
    number: list[Indices] = [np.arange(len(starts), dtype=np.int64)]
    cells = [starts]
    for active, _, following in _steps(grid, starts):
        number.append(active)
        cells.append(following)
    which = np.concatenate(number)
    order = np.argsort(which, kind="stable")
    which, centres = which[order], grid.centres(np.concatenate(cells)[order])
    long = np.bincount(which, minlength=len(starts)) > 1
    lines = np.full(len(starts), None, dtype=object)
    kept = long[which]
    if kept.any():
        position = np.cumsum(long) - 1
        lines[long] = shapely.linestrings(centres[kept], indices=position[which[kept]])
    return lines


def _steps(grid: FlowGrid, starts: Indices) -> Iterator[tuple[Indices, Indices, Indices]]:
    """Yield the paths that still go on, the cell of each and the next one."""
    cell, aside = starts.copy(), np.zeros(len(starts))
    active = np.flatnonzero(grid.cardinal[starts] >= 0)
    while len(active):
        here = cell[active]
        left = aside[active]
        by_cardinal, by_diagonal = left + grid.cardinal_ft[here], left + grid.diagonal_ft[here]
        straight = np.abs(by_cardinal) <= np.abs(by_diagonal)
        following = np.where(straight, grid.cardinal[here], grid.diagonal[here])
        aside[active] = np.where(straight, by_cardinal, by_diagonal)
        cell[active] = following
        yield active, here, following
        active = active[(grid.code[following] == LAND) & (grid.cardinal[following] >= 0)]


def _step_ft(grid: FlowGrid, cell: Indices, following: Indices) -> Floats:
    columns = grid.shape[1]
    apart = np.abs(following - cell)
    return np.where((apart == 1) | (apart == columns), CELL_FT, CELL_FT * np.sqrt(2))
