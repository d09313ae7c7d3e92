"""How much of each site polygons cover: united first, so that overlaps count once."""

from __future__ import annotations

from dataclasses import dataclass

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd
import shapely

from .details import Details
from .facts import Floats
from .geometry import Geometries, parts_of_dimension
from .progress import Progress, no_progress
from .tolerances import SLIVER_FT

_PAIRS_AT_ONCE = 2_000
_GRID_FT = 0.001


@dataclass(frozen=True)
class Overlay:
    """What polygons cover of each site.

    Attributes
    ----------
    united
        The covered part of each site; None where no polygon lies on it.
    pieces
        One row for each polygon on each site: ``site``, ``polygon`` (rows of the inputs) and
        ``area_sqft``.
    shapes
        What that polygon covers of that site.
    """

    united: Geometries
    pieces: pd.DataFrame
    shapes: Geometries

    @property
    def covered(self) -> npt.NDArray[np.bool_]:
        """True where a polygon lies on the site."""
        return np.asarray(~shapely.is_missing(self.united))

    @property
    def area_sqft(self) -> Floats:
        """Covered area of each site, square feet."""
        return np.asarray(np.nan_to_num(shapely.area(self.united)))

    @property
    def perimeter_ft(self) -> Floats:
        """Length of the edge of the covered part, feet."""
        return np.asarray(np.nan_to_num(shapely.length(self.united)))


def geometry_array(frame: gpd.GeoDataFrame) -> Geometries:
    """Return the geometries of a frame as a plain array."""
    return np.array(frame.geometry.array, dtype=object)


def overlay(
    sites: gpd.GeoDataFrame, polygons: gpd.GeoDataFrame, progress: Progress = no_progress
) -> Overlay:
    """Return what polygons cover of each site.

    Parameters
    ----------
    sites, polygons
        Valid 2-D polygons on the working plane; NULL and empty ones cover nothing.
    progress
        Takes the share that is done.

    Returns
    -------
    Overlay
        An overlap thinner than ``SLIVER_FT`` is a shared edge and left out.
    """
    site_geometries = geometry_array(sites)
    # Parts of a multipolygon are looked for one by one: a layer may come as one big feature.
    parts, owner = shapely.get_parts(geometry_array(polygons), return_index=True)
    part, site = shapely.STRtree(site_geometries).query(parts, predicate="intersects")
    shared = intersections(site_geometries[site], parts[part], progress)
    pairs, code = np.unique(np.column_stack([site, owner[part]]), axis=0, return_inverse=True)
    shapes = union_by(shared, code.reshape(-1), len(pairs))
    real = ~is_sliver(shapes)
    pairs, shapes = pairs[real], shapes[real]
    pieces = pd.DataFrame(pairs, columns=["site", "polygon"]).assign(area_sqft=shapely.area(shapes))
    united = union_by(shapes, pairs[:, 0], len(site_geometries))
    progress(1.0)
    return Overlay(united, pieces, shapes)


def intersections(
    first: Geometries, second: Geometries, progress: Progress = no_progress
) -> Geometries:
    """Return the polygons that each pair of geometries shares; None where it shares no area."""
    result = np.full(len(first), None, dtype=object)
    for start in range(0, len(first), _PAIRS_AT_ONCE):
        progress(start / len(first))
        rows = slice(start, start + _PAIRS_AT_ONCE)
        result[rows] = parts_of_dimension(
            _combined("intersection", first[rows], second[rows]), (2,)
        )
    return result


def differences(first: Geometries, second: Geometries) -> Geometries:
    """Return the polygons of the first geometries that lie outside the second, pair by pair."""
    missing = shapely.is_missing(second)
    result = first.copy()
    result[~missing] = _combined("difference", first[~missing], second[~missing])
    return parts_of_dimension(result, (2,))


def union_by(geometries: Geometries, group: npt.NDArray[np.intp], count: int) -> Geometries:
    """Return the union of the geometries of each of ``count`` groups; None where it has none."""
    united = np.full(count, None, dtype=object)
    present = ~shapely.is_missing(geometries)
    geometries, group = geometries[present], group[present]
    if len(geometries) == 0:
        return united
    order = np.argsort(group, kind="stable")
    shapely.geometrycollections(geometries[order], indices=group[order], out=united)
    several = np.bincount(group, minlength=count) > 1
    single = ~several & ~shapely.is_missing(united)
    united[single] = shapely.get_geometry(united[single], 0)
    if several.any():
        united[several] = shapely.union_all(united[several][:, None], axis=1)
    return united


def united_area(polygons: Geometries) -> float:
    """Return the area of the union of valid polygons; those that meet no other are only added."""
    one, other = shapely.STRtree(polygons).query(polygons, predicate="intersects")
    meets = np.zeros(len(polygons), dtype=bool)
    meets[one[one != other]] = True
    alone = shapely.area(polygons[~meets]).sum()
    return float(alone + shapely.area(shapely.union_all(polygons[meets])))


def polygons_outside(
    sites: gpd.GeoDataFrame, polygons: gpd.GeoDataFrame, *, layer: str
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return what of a layer of polygons lies outside all sites.

    All sites of a run belong in one call, on any one working plane: areas are right on all of them.

    Parameters
    ----------
    sites, polygons
        Valid 2-D polygons on one working plane.
    layer
        Name of the polygons' layer.

    Returns
    -------
    details
        One row for each polygon that reaches outside: row -1, id, outcome, value (square feet),
        unit, text, source.
    notes
        One sentence with the area outside, overlaps counted once; none where nothing is outside.
    """
    shapes, places = geometry_array(polygons), geometry_array(sites)
    polygon, site = shapely.STRtree(places).query(shapes, predicate="intersects")
    around = union_by(places[site], polygon, len(shapes))
    outside = differences(shapes, around)
    reaches = ~is_sliver(outside)
    details = Details()
    for row in np.flatnonzero(reaches):
        square_feet = shapely.area(outside[row])
        text = f"{square_feet:,.0f} sq ft of polygon {row + 1} of {layer} lie outside all sites"
        details.add(-1, "area_outside_sites", square_feet, text, layer)
    if not reaches.any():
        return details.frame(), ()
    total = united_area(outside[reaches])
    return details.frame(), (f"{layer}: {total:,.0f} sq ft lie outside all sites",)


def is_sliver(polygons: Geometries) -> npt.NDArray[np.bool_]:
    """Return whether polygons are thinner on average than ``SLIVER_FT``; None is."""
    area = np.nan_to_num(shapely.area(polygons))
    return np.asarray(2 * area <= SLIVER_FT * np.nan_to_num(shapely.length(polygons)))


def _combined(operation: str, first: Geometries, second: Geometries) -> Geometries:
    combine = getattr(shapely, operation)
    try:
        return np.asarray(combine(first, second), dtype=object)
    except shapely.errors.GEOSException:
        # Coordinates that nearly coincide defeat GEOS now and then; on a grid they do not.
        return np.asarray(combine(first, second, grid_size=_GRID_FT), dtype=object)
