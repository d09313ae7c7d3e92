"""Where a layer counts as complete, so that nothing found there means that nothing is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import shapely

from .facts import Texts
from .tolerances import COVERAGE_FT, DISTANCE_FT
from .units import MILE_FT

Booleans = npt.NDArray[np.bool_]
Geometries = npt.NDArray[np.object_]

NO_GEOMETRY: Final = "the site has no geometry"


@dataclass(frozen=True)
class Covered:
    """Which sites some layers of one role cover.

    Attributes
    ----------
    complete
        True where a site is covered.
    reason
        Why it is not; else empty.
    """

    complete: Booleans
    reason: Texts


def find_covered(
    geometry: Geometries,
    extents: Sequence[Any],
    coverage: gpd.GeoDataFrame | None,
    *,
    what: str,
    names: Sequence[str],
    role: str = "",
) -> Covered:
    """Return which sites are covered by at least one of the layers of a role.

    A layer with features covers what lies inside the coverage polygons, if they are given, else
    what lies not more than one mile outside its extent. An empty layer covers nothing.

    Parameters
    ----------
    geometry
        Sites in a plane, in feet; None or empty is never covered.
    extents
        Polygon around each whole layer in the same plane; None for a layer that is empty or lies
        far from all sites.
    coverage
        Polygons in the same plane inside which the layers are complete, or None.
    what
        What the layers hold, as ``listed waters``.
    names
        Name of each layer.
    role
        Parameter that the layers came by; of coverage polygons with a field ``role`` those count
        that name it, or nothing.
    """
    coverage = coverage_of(coverage, role)
    there = ~(shapely.is_missing(geometry) | shapely.is_empty(geometry))
    filled = [extent for extent in extents if extent is not None]
    complete = np.zeros(len(geometry), dtype=bool)
    named = ", ".join(names)
    if not extents:
        reason = f"no layer of {what} given"
    elif not filled:
        reason = f"the layer of {what} ({named}) is empty or lies far away"
    elif coverage is not None:
        complete = there & _inside(geometry, coverage)
        reason = f"the site lies outside the coverage polygons of the layer of {what}"
    else:
        for extent in filled:
            complete |= there & (shapely.distance(geometry, extent) <= MILE_FT + DISTANCE_FT)
        reason = f"the site lies more than one mile outside the layer of {what} ({named})"
    why = np.where(there, reason, NO_GEOMETRY)
    return Covered(complete, np.where(complete, "", why).astype(object))


def coverage_of(coverage: gpd.GeoDataFrame | None, role: str) -> gpd.GeoDataFrame | None:
    """Return the coverage polygons that hold for a role; None where none does.

    Polygons without a field ``role``, or with nothing in it, hold for every role.
    """
    if coverage is None or not len(coverage):
        return coverage
    field = next((name for name in coverage.columns if str(name).casefold() == "role"), None)
    if field is None:
        return coverage
    named = coverage[field].fillna("").astype(str).str.strip().str.upper()
    chosen = coverage[named.isin(["", role.upper()])]
    return chosen if len(chosen) else None


def _inside(geometry: Geometries, coverage: gpd.GeoDataFrame) -> Booleans:
    area = shapely.union_all(np.asarray(coverage.geometry.array, dtype=object))
    area = shapely.buffer(area, COVERAGE_FT, join_style="mitre")
    shapely.prepare(area)
    return np.asarray(shapely.covers(area, geometry), dtype=bool)
