"""Which pieces of mapped water a listed water means: those that lie along it."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import shapely

from .features import Geometries, Indices, firsts, subdivide
from .network_lines import cut_lines

SHARES: Final = (0.1, 0.5, 0.9)
"""Places along a line that must lie on a listed water for the line to be listed."""

OUTLINE_PLACES: Final = 8
"""Places along the outline of a polygon, beside one inside."""


def places_of(geometry: Geometries) -> tuple[Geometries, Indices]:
    """Return points that stand for lines, polygons or points, and the position of each one's own.

    Lines have three, polygons nine, points themselves.
    """
    kind = shapely.get_dimensions(geometry)
    points: list[Geometries] = [np.empty(0, dtype=object)]
    owner: list[Indices] = [np.empty(0, np.int64)]
    for dimension, shares in ((1, SHARES), (2, tuple(np.arange(OUTLINE_PLACES) / OUTLINE_PLACES))):
        own = np.flatnonzero(kind == dimension)
        lines = geometry[own]
        if dimension == 2:
            points.append(shapely.point_on_surface(lines))
            owner.append(own)
            lines = shapely.get_exterior_ring(lines)
        for share in shares:
            points.append(shapely.line_interpolate_point(lines, share, normalized=True))
            owner.append(own)
    points.append(geometry[kind == 0])
    owner.append(np.flatnonzero(kind == 0))
    return np.concatenate(points), np.concatenate(owner)


def covered_pieces(
    geometry: Geometries, others: Geometries, apart_ft: float
) -> npt.NDArray[np.bool_]:
    """Return True for geometries all of whose places lie within a distance of others."""
    points, owner = places_of(geometry)
    near, _ = shapely.STRtree(others).query(points, predicate="dwithin", distance=apart_ft)
    lonely = np.ones(len(points), bool)
    lonely[near] = False
    covered = np.ones(len(geometry), bool)
    covered[owner[lonely]] = False
    return covered


def match_listings(pieces: Geometries, listed: Geometries, apart_ft: float) -> pd.DataFrame:
    """Return the listed waters on which pieces lie.

    A piece is listed where all its places lie within the distance of the listed water, or where a
    part of a listed line lies inside it, a polygon. A listed point means the nearest piece.

    Parameters
    ----------
    pieces
        Short lines, and polygons, in a plane in feet.
    listed
        Listed waters: points, lines or polygons.
    apart_ft
        Distance, in feet.

    Returns
    -------
    pandas.DataFrame
        ``piece``, ``listing``, each pair once.
    """
    found = [_lying_along(pieces, listed, apart_ft), _with_lines_inside(pieces, listed)]
    found.append(_nearest_to_points(pieces, listed, apart_ft))
    pairs = np.unique(np.concatenate(found), axis=0)
    return pd.DataFrame(pairs, columns=["piece", "listing"])


def _lying_along(pieces: Geometries, listed: Geometries, apart_ft: float) -> Indices:
    some, listing = subdivide(listed)
    points, owner = places_of(pieces)
    point, part = shapely.STRtree(some).query(points, predicate="dwithin", distance=apart_ft)
    once = np.unique(np.column_stack([point, listing[part]]), axis=0)
    pairs, count = np.unique(
        np.column_stack([owner[once[:, 0]], once[:, 1]]), axis=0, return_counts=True
    )
    needed = np.bincount(owner, minlength=len(pieces))
    whole: Indices = pairs[count == needed[pairs[:, 0]]].reshape(-1, 2)
    return whole


def _with_lines_inside(pieces: Geometries, listed: Geometries) -> Indices:
    whole, listing = shapely.get_parts(listed, return_index=True)
    lines = shapely.get_dimensions(whole) == 1
    parts, of_line = cut_lines(whole[lines])
    listing = listing[lines][of_line]
    points, owner = places_of(parts)
    body = np.flatnonzero(shapely.get_dimensions(pieces) == 2)
    point, inside = shapely.STRtree(pieces[body]).query(points, predicate="intersects")
    pairs, count = np.unique(
        np.column_stack([body[inside], owner[point]]), axis=0, return_counts=True
    )
    pairs = pairs[count == len(SHARES)].reshape(-1, 2)
    return np.column_stack([pairs[:, 0], listing[pairs[:, 1]]])


def _nearest_to_points(pieces: Geometries, listed: Geometries, apart_ft: float) -> Indices:
    parts, listing = shapely.get_parts(listed, return_index=True)
    points = shapely.get_dimensions(parts) == 0
    parts, listing = parts[points], listing[points]
    (point, piece), _ = shapely.STRtree(pieces).query_nearest(
        parts, max_distance=max(apart_ft, 1e-6), return_distance=True
    )
    order = np.lexsort((piece, point))
    order = order[firsts(point[order])]
    return np.column_stack([piece[order], listing[point[order]]])
