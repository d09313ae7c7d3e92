"""Follow the runoff of the sites of one window of ground."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import pandas as pd
import shapely
from scipy import ndimage

from .features import Geometries, Indices, firsts
from .flow_cells import points_along, points_inside
from .flow_grid import WATER, FlowGrid, route
from .flow_ground import BLOCK_CELLS, BLOCK_FT, CELL_FT, Booleans, FlowGround, Singles
from .flow_path import Walks, trace, walk
from .network import Network

CULVERT_FALL_FT: Final = 0.01
"""How much lower a culvert is cut than the lowest ground beside its ends, in feet."""


class Tile(NamedTuple):
    """A window: its first block eastwards and northwards, and the blocks along its side."""

    left: int
    bottom: int
    blocks: int


def follow_tile(
    tile: Tile,
    ground: FlowGround,
    shapes: Geometries,
    network: Network,
    tree: shapely.STRtree,
    *,
    culverts: Geometries,
    sewer_cells: Indices,
    pit_ft: float,
) -> pd.DataFrame:
    """Follow runoff from all cells of sites.

    Parameters
    ----------
    tile
        The window.
    ground
        Elevations.
    shapes
        Sites, in the plane, in feet.
    network
        Mapped water.
    tree
        Index of its pieces.
    culverts
        Lines in the plane.
    sewer_cells
        Column and row, in the plane's lattice, of cells that storm sewers touch.
    pit_ft
        Depth from which a depression ends a path, in feet.

    Returns
    -------
    pandas.DataFrame
        One row a site, way of ending and piece of water: ``row`` (place in ``shapes``), ``points``
        (lattice points that drain there), ``code``, ``piece`` (-1: none), ``on_ground`` (True where
        some start has an elevation), ``crossed`` (True where some path meets a sewer), and of the
        longest path ``length_ft``, ``drop_ft``, ``deepest_ft``, ``climb_ft``, ``x``, ``y`` (where
        it ends), ``geometry`` (a line, or None where the path has no length).
    """
    grid, local = tile_grid(tile, ground, network, tree, culverts=culverts, pit_ft=pit_ft)
    row, start, points = _starts(grid, shapes)
    marked = _mask(sewer_cells, tile, grid.shape).ravel()
    walks = walk(grid, start, marked)
    piece = first_pieces(grid, walks, network, local)
    table = pd.DataFrame(
        {
            "row": row,
            "code": walks.code.astype(np.int64),
            "piece": piece,
            "points": points,
            "crossed": walks.crossed,
            "on_ground": np.isfinite(grid.ground[start]),
            "start": start,
            "length_ft": walks.length_ft,
            "drop_ft": grid.ground[start].astype(np.float64) - grid.ground[walks.end],
            "deepest_ft": walks.deepest_ft,
            "climb_ft": walks.climb_ft,
            "end": walks.end,
        }
    )
    grouped = _longest_first(table)
    lines = _with_ends(grid, grouped["start"].to_numpy(np.int64), grouped, network)
    xy = grid.centres(grouped["end"].to_numpy(np.int64))
    grouped = grouped.assign(x=xy[:, 0], y=xy[:, 1], geometry=pd.Series(lines, dtype=object))
    return grouped.drop(columns=["start", "end"])


def tile_grid(
    tile: Tile,
    ground: FlowGround,
    network: Network,
    tree: shapely.STRtree,
    *,
    culverts: Geometries,
    pit_ft: float,
    dry: Indices | None = None,
) -> tuple[FlowGrid, Indices]:
    """Return the ways of runoff in a window, and the pieces of water at which they end.

    Parameters
    ----------
    tile
        The window.
    ground
        Elevations.
    network
        Mapped water.
    tree
        Index of its pieces.
    culverts
        Lines in the plane.
    pit_ft
        Depth from which a depression ends a path, in feet.
    dry
        Pieces that runoff crosses as if they were land, or None.
    """
    left_ft, bottom_ft = tile.left * BLOCK_FT, tile.bottom * BLOCK_FT
    side_ft = tile.blocks * BLOCK_FT
    level, off = ground.window(tile.left, tile.bottom, tile.blocks)
    level = with_culverts(level, culverts, left_ft, bottom_ft)
    box = shapely.box(left_ft, bottom_ft, left_ft + side_ft, bottom_ft + side_ft)
    local = np.sort(tree.query(box)).astype(np.int64)
    local = local[network.takes_runoff[local]]
    if dry is not None:
        local = np.setdiff1d(local, dry)
    water = _water(network, local, tile, (level.shape[0], level.shape[1]))
    grid = route(level, off, water, left_ft=left_ft, bottom_ft=bottom_ft, pit_ft=pit_ft)
    return grid, local


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


def _water(network: Network, local: Indices, tile: Tile, shape: tuple[int, int]) -> Booleans:
    first, count = network.cell_start[local], np.diff(network.cell_start)[local]
    nth = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    return _mask(network.cell[np.repeat(first, count) + nth], tile, shape)


def _mask(cells: Indices, tile: Tile, shape: tuple[int, int]) -> Booleans:
    """Return True where one of the cells, column and row in the plane's lattice, lies."""
    column, row = (cells - np.array([tile.left, tile.bottom]) * BLOCK_CELLS).T
    inside = (row >= 0) & (row < shape[0]) & (column >= 0) & (column < shape[1])
    mask = np.zeros(shape, bool)
    mask[row[inside], column[inside]] = True
    return mask


def _starts(grid: FlowGrid, shapes: Geometries) -> tuple[Indices, Indices, Indices]:
    """Return site and cell of each start, and how many lattice points it stands for."""
    owner, x, y = points_inside(shapes)
    cells = grid.shape[0] * grid.shape[1]
    key, points = np.unique(owner * cells + grid.cells(x, y), return_counts=True)
    return key // cells, key % cells, points.astype(np.int64)


def first_pieces(grid: FlowGrid, walks: Walks, network: Network, local: Indices) -> Indices:
    """Return the piece of water that each path meets: the nearest where it enters its cell."""
    piece = np.full(len(walks.end), -1, np.int64)
    wet = np.flatnonzero(walks.code == WATER)
    if not len(wet):
        return piece
    pairs, which = np.unique(
        np.column_stack([walks.before[wet], walks.end[wet]]), axis=0, return_inverse=True
    )
    entry = shapely.points((grid.centres(pairs[:, 0]) + grid.centres(pairs[:, 1])) / 2)
    point, nearest = shapely.STRtree(network.geometry[local]).query_nearest(entry)
    found = np.full(len(pairs), len(local), np.int64)
    np.minimum.at(found, point, nearest)
    piece[wet] = local[found[which.reshape(-1)]]
    return piece


def _longest_first(table: pd.DataFrame) -> pd.DataFrame:
    """Return one row a site, code and piece: points added up, the rest of the longest path."""
    keys = ["row", "code", "piece"]
    ordered = table.sort_values(
        [*keys, "length_ft", "start"], ascending=[True, True, True, False, True], kind="stable"
    )
    groups = ordered.groupby(keys, sort=True)
    longest = groups.first()
    added = groups.agg(points=("points", "sum"), crossed=("crossed", "any"),
                       on_ground=("on_ground", "any"))  # fmt: skip
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
