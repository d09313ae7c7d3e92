"""Follow the runoff of sites tile by tile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
import pandas as pd
import shapely
from scipy import ndimage

from .features import Geometries, Indices, firsts
from .flow_cells import points_along, points_inside
from .flow_grid import WATER, FlowGrid, Terrain, lay
from .flow_ground import (
    BLOCK_CELLS,
    CELL_FT,
    TILE_CELLS,
    Booleans,
    FlowGround,
    Singles,
    Window,
)
from .flow_path import Walks, trace, walk
from .geometry import prepared_copies
from .network import Network
from .unique import unique_rows

CULVERT_FALL_FT: Final = 0.01
"""How much lower a culvert is cut than the lowest ground beside its ends, in feet."""


MARGIN_CELLS: Final = BLOCK_CELLS
"""Cells around a tile over which runoff from it is followed: a mile."""

BESIDE_CELLS: Final = 44
"""A site that reaches no further than so many cells, a quarter of a mile, beyond the tile of its
middle is followed on that tile alone."""

_SITES_AT_ONCE: Final = 2_000


class Starts(NamedTuple):
    """Cells of the lattice from which runoff is followed, by site.

    Row of the site, column and row of the cell, and how many of the site's lattice points it
    stands for.
    """

    site: Indices
    column: Indices
    row: Indices
    points: Indices

    def take(self, chosen: Indices) -> Starts:
        """Return some of the starts."""
        return Starts(*(part[chosen] for part in self))


class WaterCells(NamedTuple):
    """Cells of a window that mapped water touches, by their number, and the piece of each."""

    cell: Indices
    piece: Indices


def site_starts(shapes: Geometries) -> Starts:
    """Return the cells in which sites lie.

    Parameters
    ----------
    shapes
        Polygons in a plane, in feet; None and empty ones have no cells.
    """
    parts: list[Indices] = [np.empty((0, 4), np.int64)]
    for first in range(0, len(shapes), _SITES_AT_ONCE):
        owner, x, y = points_inside(shapes[first : first + _SITES_AT_ONCE])
        cells = np.column_stack([owner + first, np.floor(x / CELL_FT), np.floor(y / CELL_FT)])
        different = unique_rows(cells.astype(np.int64))
        parts.append(np.column_stack([different.rows, different.counts]))
    return Starts(*np.concatenate(parts).T)


def tiles(starts: Starts) -> list[tuple[Window, Indices]]:
    """Return the window of each tile on which runoff is followed, with the places of its starts.

    Tiles are fixed in the plane, and a site's tiles follow from the site alone. A large site is
    followed on each tile on which it lies.
    """
    cells = np.column_stack([starts.row, starts.column])
    if not len(cells):
        return []
    first = firsts(starts.site)
    low, high = (extreme.reduceat(cells, first) for extreme in (np.minimum, np.maximum))
    middle = (low + high) // 2 // TILE_CELLS
    beyond = np.maximum(middle * TILE_CELLS - low, high - (middle + 1) * TILE_CELLS + 1)
    small = (beyond <= BESIDE_CELLS).all(axis=1)
    of_site = np.repeat(np.arange(len(first)), np.diff(np.r_[first, len(cells)]))
    tile = np.where(small[of_site, None], middle[of_site], cells // TILE_CELLS)
    keys, tile_of, count = unique_rows(tile)
    order = np.argsort(tile_of, kind="stable")
    members = np.split(order, np.cumsum(count)[:-1])
    side = TILE_CELLS + 2 * MARGIN_CELLS
    rows, columns = (keys * TILE_CELLS - MARGIN_CELLS).T
    return [
        (Window(int(column), int(row), side, side), own)
        for column, row, own in zip(columns, rows, members, strict=True)
    ]


def follow_tile(
    window: Window,
    starts: Starts,
    grid: FlowGrid,
    water: WaterCells,
    network: Network,
    sewer_cells: Indices,
) -> pd.DataFrame:
    """Follow runoff from the cells of a tile.

    Parameters
    ----------
    window
        The tile and its margin.
    starts
        Cells of the tile.
    grid, water
        The ways of runoff in the window, and the mapped water in it.
    network
        Mapped water.
    sewer_cells
        Column and row, in the plane's lattice, of cells that storm sewers touch.

    Returns
    -------
    pandas.DataFrame
        One row a site, way of ending and piece of water: ``row`` (the site), ``points`` (lattice
        points that drain there), ``code``, ``piece`` (-1: none), ``on_ground`` (True where some
        start has an elevation), ``crossed`` (True where some path meets a sewer), and of the
        longest path ``start_column``, ``start_row`` (cell of the lattice), ``length_ft``,
        ``drop_ft``, ``deepest_ft``, ``climb_ft``, ``x``, ``y`` (where it ends), ``geometry`` (a
        line, or None where the path has no length).
    """
    start = (starts.row - window.bottom) * window.columns + starts.column - window.left
    walks = walk(grid, start, cells_marked(sewer_cells, window).ravel())
    table = pd.DataFrame(
        {
            "row": starts.site,
            "code": walks.code.astype(np.int64),
            "piece": first_pieces(grid, walks, network, water),
            "points": starts.points,
            "crossed": walks.crossed,
            "on_ground": np.isfinite(grid.ground[start]),
            "start_column": starts.column,
            "start_row": starts.row,
            "length_ft": walks.length_ft,
            "drop_ft": grid.ground[start].astype(np.float64) - grid.ground[walks.end],
            "deepest_ft": walks.deepest_ft,
            "climb_ft": walks.climb_ft,
            "start": start,
            "end": walks.end,
        }
    )
    grouped = longest_first(table)
    lines = _with_ends(grid, grouped["start"].to_numpy(np.int64), grouped, network)
    xy = grid.centres(grouped["end"].to_numpy(np.int64))
    grouped = grouped.assign(x=xy[:, 0], y=xy[:, 1], geometry=pd.Series(lines, dtype=object))
    return grouped.drop(columns=["start", "end"])


def window_terrain(
    window: Window,
    ground: FlowGround,
    network: Network,
    tree: shapely.STRtree,
    *,
    culverts: Geometries,
    dry: Indices | None = None,
    look: Callable[[], None] = lambda: None,
) -> tuple[Terrain, WaterCells]:
    """Return the ground of a window, and the mapped water at which runoff ends.

    Parameters
    ----------
    window
        Cells of the lattice.
    ground
        Elevations.
    network
        Mapped water.
    tree
        Index of its pieces.
    culverts
        Lines in the plane.
    dry
        Pieces that runoff crosses as if they were land, or None.
    look
        Called now and then; raises to stop the run.
    """
    level, off = ground.window(window, look)
    level = with_culverts(level, culverts, window.left_ft, window.bottom_ft)
    local = np.sort(tree.query(window.box)).astype(np.int64)
    local = local[network.takes_runoff[local]]
    if dry is not None:
        local = np.setdiff1d(local, dry)
    water = _water(network, local, window)
    wet = _filled(water.cell, window)
    return lay(level, off, wet, left_ft=window.left_ft, bottom_ft=window.bottom_ft), water


def with_culverts(
    ground: Singles, culverts: Geometries, left_ft: float, bottom_ft: float
) -> Singles:
    """Cut culverts into the ground, from the lowest cell beside one end to that beside the other.

    Parameters
    ----------
    ground
        Elevations in feet, rows northwards.
    culverts
        Lines in the plane.
    left_ft, bottom_ft
        Corner of the ground in the plane, in feet.

    Returns
    -------
    numpy.ndarray
        A copy; no cell is raised.
    """
    cut = ground.copy()
    rows, columns = ground.shape
    x0, y0, x1, y1 = shapely.bounds(culverts).reshape(-1, 4).T
    inside = (x0 >= left_ft + CELL_FT) & (x1 < left_ft + (columns - 1) * CELL_FT)
    inside &= (y0 >= bottom_ft + CELL_FT) & (y1 < bottom_ft + (rows - 1) * CELL_FT)
    inside &= shapely.length(culverts) > 0
    lines = culverts[inside]
    if not len(lines):
        return cut
    number, xy, along = points_along(lines)
    column = np.floor((xy[:, 0] - left_ft) / CELL_FT).astype(np.int64)
    row = np.floor((xy[:, 1] - bottom_ft) / CELL_FT).astype(np.int64)
    lowest = ndimage.minimum_filter(np.where(np.isnan(ground), np.inf, ground), size=3)
    first = firsts(number)
    last = np.r_[first[1:] - 1, len(number) - 1]
    ends = np.stack([lowest[row[at], column[at]] for at in (first, last)])
    fall = ends - CULVERT_FALL_FT
    level = fall[0][number] + (fall[1] - fall[0])[number] * along
    level[~np.isfinite(level)] = np.inf
    np.fmin.at(cut, (row, column), level.astype(np.float32))
    return cut


def _water(network: Network, local: Indices, window: Window) -> WaterCells:
    first, count = network.cell_start[local], np.diff(network.cell_start)[local]
    nth = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    inside, number = _numbers(network.cell[np.repeat(first, count) + nth], window)
    return WaterCells(number, np.repeat(local, count)[inside])


def _numbers(cells: Indices, window: Window) -> tuple[Booleans, Indices]:
    """Return which cells, column and row in the lattice, lie in a window, and their numbers."""
    column, row = (cells - np.array([window.left, window.bottom])).T
    inside = (row >= 0) & (row < window.rows) & (column >= 0) & (column < window.columns)
    return inside, row[inside] * window.columns + column[inside]


def cells_marked(cells: Indices, window: Window) -> Booleans:
    """Return a window's cells, True where one of ``cells`` (column and row in the lattice) lies."""
    return _filled(_numbers(cells, window)[1], window)


def _filled(numbers: Indices, window: Window) -> Booleans:
    """Return the cells of a window, True where their number is named."""
    cells = np.zeros(window.rows * window.columns, bool)
    cells[numbers] = True
    return cells.reshape(window.rows, window.columns)


def first_pieces(terrain: Terrain, walks: Walks, network: Network, water: WaterCells) -> Indices:
    """Return the piece of water that each path meets.

    Of several in the cell where a path ends, it is the nearest to where the path enters the cell.
    """
    piece = np.full(len(walks.end), -1, np.int64)
    wet = np.flatnonzero(walks.code == WATER)
    if not len(wet):
        return piece
    pairs, which = np.unique(
        np.column_stack([walks.end[wet], walks.before[wet]]), axis=0, return_inverse=True
    )
    ends = np.zeros(len(terrain.code), bool)
    ends[pairs[:, 0]] = True
    met = np.flatnonzero(ends[water.cell])
    met = met[np.lexsort((water.piece[met], water.cell[met]))]
    cell, owner = water.cell[met], water.piece[met]
    first = np.searchsorted(cell, pairs[:, 0])
    count = np.searchsorted(cell, pairs[:, 0], side="right") - first
    pair = np.repeat(np.arange(len(pairs)), count)
    candidate = owner[np.repeat(first - np.cumsum(count) + count, count) + np.arange(count.sum())]
    apart = np.zeros(len(pair))
    doubtful = count[pair] > 1
    entry = terrain.centres(pairs[pair[doubtful]]).mean(axis=1)
    shapes = prepared_copies(network.geometry[candidate[doubtful]])
    apart[doubtful] = shapely.distance(shapes, shapely.points(entry))
    order = np.lexsort((candidate, apart, pair))
    piece[wet] = candidate[order[firsts(pair[order])]][which.reshape(-1)]
    return piece


def longest_first(table: pd.DataFrame) -> pd.DataFrame:
    """Return one row a site, code and piece: points added up, the rest of the longest path."""
    keys = ["row", "code", "piece"]
    ordered = table.sort_values(
        [*keys, "length_ft", "start_row", "start_column"],
        ascending=[True, True, True, False, True, True],
        kind="stable",
    ).reset_index(drop=True)
    groups = ordered.groupby(keys, sort=True)
    added = groups.agg(points=("points", "sum"), crossed=("crossed", "any"),
                       on_ground=("on_ground", "any"))  # fmt: skip
    longest = ordered[~ordered.duplicated(keys)].set_index(keys)
    return longest.drop(columns=added.columns).join(added).reset_index()


def _with_ends(
    grid: FlowGrid, starts: Indices, table: pd.DataFrame, network: Network
) -> Geometries:
    """Return the paths as lines that reach the water itself."""
    lines = trace(grid, starts)
    piece = table["piece"].to_numpy(np.int64)
    last = grid.centres(table["end"].to_numpy(np.int64))
    first = grid.centres(starts)
    wet = np.flatnonzero(piece >= 0)
    to_water = shapely.shortest_line(shapely.points(last[wet]), network.geometry[piece[wet]])
    shore = last.copy()
    shore[wet] = shapely.get_coordinates(to_water).reshape(-1, 2, 2)[:, 1]
    alone = shapely.is_missing(lines)
    xy, owner = shapely.get_coordinates(lines, return_index=True)
    points = np.concatenate([first[alone], xy, shore])
    owner = np.concatenate([np.flatnonzero(alone), owner, np.arange(len(starts))])
    order = np.argsort(owner, kind="stable")
    whole = shapely.linestrings(points[order], indices=owner[order])
    whole[shapely.length(whole) == 0] = None
    return np.asarray(whole, dtype=object)
