"""The surroundings of sites, so that only what lies there is read from a large source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pyproj
import shapely
from shapely.geometry.base import BaseGeometry

from ..units import MILE_FT

NEAR_FT: Final = 2.5 * MILE_FT
"""How far around the sites features are read: farther than any measure of a screening looks."""

_FEET_IN_DEGREE: Final = 362_000.0
_GRID_DEGREES: Final = 0.02
_LONGEST_EDGE: Final = 0.02
_MOST_BOXES: Final = 2_000
_BOXES_AT_ONCE: Final = 50_000


@dataclass(frozen=True)
class Vicinity:
    """Surroundings of sites.

    Attributes
    ----------
    area
        Polygons in NAD83 longitude and latitude.
    """

    area: BaseGeometry

    def within(self, crs: pyproj.CRS) -> BaseGeometry:
        """Return the surroundings in another CRS, never smaller than they are."""
        transformer = pyproj.Transformer.from_crs("EPSG:4269", crs.to_2d(), always_xy=True)
        edges = shapely.segmentize(self.area, _LONGEST_EDGE)
        moved = shapely.transform(
            edges, lambda xy: np.column_stack(transformer.transform(xy[:, 0], xy[:, 1]))
        )
        return moved if np.isfinite(shapely.bounds(moved)).all() else None


def vicinity_of(sites: gpd.GeoDataFrame, distance_ft: float = NEAR_FT) -> Vicinity | None:
    """Return the surroundings of sites; None where no site has a place.

    Parameters
    ----------
    sites
        Geometries in any CRS; None and empty ones are left out.
    distance_ft
        How far around them, in feet.
    """
    geometry = np.asarray(sites.geometry.array, dtype=object)
    there = geometry[~(shapely.is_missing(geometry) | shapely.is_empty(geometry))]
    if not len(there):
        return None
    own = shapely.bounds(there)
    starts = range(0, len(own), _BOXES_AT_ONCE)
    bounds = np.concatenate([_degrees(own[at : at + _BOXES_AT_ONCE], sites.crs) for at in starts])
    bounds = bounds[np.isfinite(bounds).all(axis=1)]
    if not len(bounds):
        return None
    high = distance_ft / _FEET_IN_DEGREE
    farthest = np.minimum(np.abs(bounds[:, [1, 3]]).max(axis=1) + high, 85.0)
    wide = high / np.cos(np.radians(farthest))
    margin = np.column_stack([-wide, np.full(len(wide), -high), wide, np.full(len(wide), high)])
    # On a grid the boxes of neighbours are the same, so that a thousand lots make a few boxes.
    outward = np.array([np.floor, np.floor, np.ceil, np.ceil])
    grid = (bounds + margin) / _GRID_DEGREES
    snapped = np.column_stack([f(grid[:, i]) for i, f in enumerate(outward)])
    snapped = np.unique(snapped, axis=0) * _GRID_DEGREES
    if len(snapped) > _MOST_BOXES:
        snapped = np.r_[snapped[:, :2].min(axis=0), snapped[:, 2:].max(axis=0)][None, :]
    return Vicinity(shapely.union_all(shapely.box(*snapped.T)))


def _degrees(bounds: npt.NDArray[np.float64], crs: pyproj.CRS) -> npt.NDArray[np.float64]:
    """Return bounds of bounds in degrees of NAD83."""
    boxes = gpd.GeoSeries(shapely.box(*bounds.T), crs=crs)
    return np.asarray(boxes.to_crs("EPSG:4269").bounds.to_numpy(), np.float64)
