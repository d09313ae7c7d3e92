"""Areas that sites share with other polygons."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import shapely

from .features import Geometries, has_geometry, subdivide
from .progress import Progress, no_progress

_CHUNK: Final = 500


def overlaps(
    sites: Geometries,
    polygons: Geometries,
    *,
    edge_ft: float,
    progress: Progress = no_progress,
) -> pd.DataFrame:
    """Return the area that each site shares with each polygon it meets.

    Parameters
    ----------
    sites
        Polygons in a plane, in feet; None and empty ones meet nothing.
    polygons
        Polygons in the same plane; likewise.
    edge_ft
        Mean width, in feet, up to which an overlap is no more than a shared edge.
    progress
        Called with the share done; raises to stop the run.

    Returns
    -------
    pandas.DataFrame
        row and polygon (numbers in the two arrays), area_sqft, and edge: True where the two only
        touch or share an edge. In the order of the sites, then of the polygons.
    """
    there = np.flatnonzero(has_geometry(sites))
    usable = _near(sites[there], polygons)
    pieces, parents = subdivide(polygons[usable])
    parents = usable[parents]
    tree = shapely.STRtree(pieces)
    tables = [_empty()]
    for start in range(0, len(there), _CHUNK):
        rows = there[start : start + _CHUNK]
        place, piece = tree.query(sites[rows], predicate="intersects")
        # Sums of floats depend on their order, which that of a tree must not decide.
        order = np.lexsort((piece, place))
        place, piece = place[order], piece[order]
        areas = _shared_area(sites[rows[place]], pieces[piece])
        table = pd.DataFrame({"row": rows[place], "polygon": parents[piece], "area_sqft": areas})
        tables.append(table.groupby(["row", "polygon"], as_index=False).sum())
        progress(min(1.0, (start + _CHUNK) / len(there)))
    found = pd.concat(tables, ignore_index=True)
    found["edge"] = _edges(found, sites, polygons, edge_ft)
    return found


def _near(sites: Geometries, polygons: Geometries) -> npt.NDArray[np.intp]:
    """Return which polygons have a box that meets that of a site: only these are cut."""
    near = np.zeros(len(polygons), dtype=bool)
    near[shapely.STRtree(sites).query(polygons)[0]] = True
    return np.flatnonzero(near)


def _empty() -> pd.DataFrame:
    numbers = np.empty(0, np.int64)
    return pd.DataFrame({"row": numbers, "polygon": numbers, "area_sqft": np.empty(0)})


def _shared_area(sites: Geometries, pieces: Geometries) -> npt.NDArray[np.float64]:
    area = shapely.area(sites)
    partly = ~shapely.covers(pieces, sites)
    area[partly] = shapely.area(shapely.intersection(sites[partly], pieces[partly]))
    return np.asarray(area, dtype=np.float64)


def _edges(
    found: pd.DataFrame, sites: Geometries, polygons: Geometries, edge_ft: float
) -> npt.NDArray[np.bool_]:
    row, polygon = found["row"].to_numpy(np.int64), found["polygon"].to_numpy(np.int64)
    perimeter = shapely.length(sites)[row]
    edge = np.zeros(len(found), dtype=bool)
    # The perimeter of an overlap is at most that of a polygon of this width all around the site.
    small = np.flatnonzero(found["area_sqft"].to_numpy() <= edge_ft * perimeter)
    shared = shapely.intersection(sites[row[small]], polygons[polygon[small]])
    length = shapely.length(shared)
    width = 2 * shapely.area(shared) / np.where(length > 0, length, 1.0)
    edge[small] = width <= edge_ft
    return edge
