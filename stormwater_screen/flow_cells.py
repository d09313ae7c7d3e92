"""Points of a fixed lattice inside polygons, and cells that lines run through."""

from __future__ import annotations

from typing import Final

import numpy as np
import shapely

from .facts import Floats
from .features import Geometries, Indices, has_geometry
from .flow_ground import CELL_FT
from .unique import unique_rows

POINT_FT: Final = CELL_FT / 3
"""Distance between the points at which a site is looked at, in feet; three times as much, nine
times ... for large sites."""

MOST_POINTS: Final = 4_000
"""Most points in the box around a site."""

LINE_STEP_FT: Final = CELL_FT / 4


def points_inside(geometry: Geometries) -> tuple[Indices, Floats, Floats]:
    """Return lattice points inside polygons, at least one for each.

    Parameters
    ----------
    geometry
        Valid polygons in a plane, in feet; None and empty ones have no points.

    Returns
    -------
    tuple of numpy.ndarray
        Position of the polygon, x, y. A polygon that holds no lattice point has one inside it.
    """
    owner, x, y, _ = _lattice_inside(geometry, POINT_FT)
    return owner, x, y


def cells_inside(geometry: Geometries) -> tuple[Indices, Indices, Indices, Floats]:
    """Return the cells of the plane's lattice whose centres lie inside polygons.

    Of a large polygon it is every third cell along rows and columns, every ninth and so on, as in
    `points_inside`; of a polygon that holds no centre the cell of a point inside it. A point has
    the cell that it lies in.

    Returns
    -------
    tuple of numpy.ndarray
        Position of the polygon, column and row, and the area that the cell stands for, in sq ft.
    """
    owner, x, y, step = _lattice_inside(geometry, CELL_FT)
    column, row = (np.floor(part / CELL_FT).astype(np.int64) for part in (x, y))
    return owner, column, row, step[owner] ** 2


def _lattice_inside(
    geometry: Geometries, least_ft: float
) -> tuple[Indices, Floats, Floats, Floats]:
    """Return points inside polygons, and the distance between those of each polygon, in feet."""
    bounds = shapely.bounds(geometry).reshape(-1, 4)
    size = np.nan_to_num((bounds[:, 2] - bounds[:, 0]) * (bounds[:, 3] - bounds[:, 1]))
    # Powers of three keep the points in the middle of cells, or of thirds of them.
    coarser = np.ceil(np.log(np.maximum(size / POINT_FT**2 / MOST_POINTS, 1.0)) / np.log(9) - 1e-9)
    step = np.maximum(POINT_FT * 3.0**coarser, least_ft)
    owner, x, y = _scan(geometry, step)
    lacking = has_geometry(geometry)
    lacking[owner] = False
    inner = shapely.get_coordinates(shapely.point_on_surface(geometry[lacking]))
    owner = np.concatenate([owner, np.flatnonzero(lacking)])
    x, y = np.concatenate([x, inner[:, 0]]), np.concatenate([y, inner[:, 1]])
    order = np.argsort(owner, kind="stable")
    return owner[order], x[order], y[order], step


def _scan(geometry: Geometries, step: Floats) -> tuple[Indices, Floats, Floats]:
    """Cut each polygon along the rows of its lattice and fill between the cuts."""
    parts, owner_of_part = shapely.get_parts(geometry, return_index=True)
    rings, part_of_ring = shapely.get_rings(parts, return_index=True)
    xy, ring = shapely.get_coordinates(rings, return_index=True)
    owner = owner_of_part[part_of_ring[ring]]
    column, row = (xy / step[owner, None] - 0.5).T
    edge = np.flatnonzero(ring[1:] == ring[:-1])
    top, bottom = np.ceil(row[edge]), np.ceil(row[edge + 1])
    count = np.abs(bottom - top).astype(np.int64)
    start, nth = np.repeat(edge, count), _counted(count)
    cut_row = np.repeat(np.minimum(top, bottom), count) + nth
    share = (cut_row - row[start]) / (row[start + 1] - row[start])
    cut = column[start] + share * (column[start + 1] - column[start])
    order = np.lexsort((cut, cut_row, owner[start]))
    columns = np.ceil(cut[order]).astype(np.int64)
    runs, first, last = order[0::2], columns[0::2], columns[1::2]
    length = np.maximum(last - first, 0)
    which = np.repeat(owner[start[runs]], length)
    points = np.repeat(first, length) + _counted(length)
    side = step[which]
    return which, (points + 0.5) * side, (np.repeat(cut_row[runs], length) + 0.5) * side


def _counted(count: Indices) -> Indices:
    """Return 0, 1, 2 ... for each of the counts."""
    return np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)


def cells_touched(shapes: Geometries) -> tuple[Indices, Indices, Indices]:
    """Return the cells of the plane's lattice that lines and polygons run through or cover.

    A line's cells join along their sides, never only at a corner, so that no path of runoff slips
    through between two of them.

    Parameters
    ----------
    shapes
        Points, lines and polygons in a plane, in feet.

    Returns
    -------
    tuple of numpy.ndarray
        Position of the shape, column and row of the cell; sorted by shape.
    """
    polygons = np.flatnonzero(shapely.get_dimensions(shapes) == 2)
    points = np.flatnonzero(shapely.get_dimensions(shapes) == 0)
    lines = np.where(shapely.get_dimensions(shapes) == 2, shapely.boundary(shapes), shapes)
    lines, owner = shapely.get_parts(lines, return_index=True)
    long = shapely.get_dimensions(lines) == 1
    along, column, row = _line_cells(lines[long])
    inner, x, y = _scan(shapes[polygons], np.full(len(polygons), CELL_FT))
    spots, spot = shapely.get_coordinates(shapes[points], return_index=True)
    cells = np.concatenate(
        [
            np.column_stack([owner[long][along], column, row]),
            np.column_stack([polygons[inner], np.floor(x / CELL_FT), np.floor(y / CELL_FT)]),
            np.column_stack([points[spot], np.floor(spots / CELL_FT)]),
        ]
    ).astype(np.int64)
    shape, column, row = unique_rows(cells).rows.T
    return shape, column, row


def _line_cells(lines: Geometries) -> tuple[Indices, Indices, Indices]:
    line, xy, _ = points_along(lines)
    cell = np.floor(xy / CELL_FT).astype(np.int64)
    # Where two points in a row lie in cells that meet at a corner only, one beside both is added.
    step = np.abs(np.diff(cell, axis=0))
    oblique = np.flatnonzero((step == 1).all(axis=1) & (line[1:] == line[:-1]))
    corner = np.column_stack([cell[oblique + 1, 0], cell[oblique, 1]])
    column, row = np.concatenate([cell, corner]).T
    return np.concatenate([line, line[oblique]]), column, row


def points_along(lines: Geometries) -> tuple[Indices, Floats, Floats]:
    """Return points along lines, closer than a cell.

    Returns
    -------
    tuple of numpy.ndarray
        Position of the line, x and y (shape (n, 2)), and the share of the line's length, 0-1.
    """
    dense = shapely.segmentize(lines, LINE_STEP_FT)
    xy, line = shapely.get_coordinates(dense, return_index=True)
    gone = np.r_[0.0, np.hypot(*np.diff(xy, axis=0).T)] if len(xy) else np.empty(0)
    fresh = np.r_[True, np.diff(line) != 0] if len(xy) else np.empty(0, bool)
    gone[fresh] = 0.0
    total = np.cumsum(gone)
    start = total[fresh]
    along = total - np.repeat(start, np.bincount(line)[np.unique(line)]) if len(xy) else total
    whole = shapely.length(lines)[line]
    return line, xy, along / np.where(whole > 0, whole, 1.0)
