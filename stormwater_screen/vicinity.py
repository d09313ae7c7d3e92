"""Bring the part of each layer that lies near the sites to their working plane."""

from __future__ import annotations

from dataclasses import dataclass

import geopandas as gpd
import numpy as np
import pyproj
import shapely

from .layers import Layer
from .plane import to_plane
from .units import MILE_FT

REACH_FT = 1.1 * MILE_FT
"""How far around the sites layers are read: no measure looks beyond one mile."""


@dataclass(frozen=True)
class PlaneLayer:
    """The part of a layer near the sites, in the working plane.

    Attributes
    ----------
    name
        Name of the layer as the user knows it.
    role
        Parameter it was given for.
    frame
        Features near the sites, coordinates in international feet.
    extent
        Extent of the whole layer, clipped to the surroundings of the sites, as a polygon in the
        plane; None where the layer is empty or lies elsewhere.
    """

    name: str
    role: str
    frame: gpd.GeoDataFrame
    extent: shapely.Polygon | None


def near(layer: Layer, crs: pyproj.CRS, bounds_ft: tuple[float, float, float, float]) -> PlaneLayer:
    """Return the features of a layer within ``REACH_FT`` of the bounds, in the plane.

    Parameters
    ----------
    layer
        Any CRS.
    crs
        Working plane, international feet.
    bounds_ft
        Least x, least y, largest x, largest y of the sites, in feet of the plane.
    """
    around = (
        bounds_ft[0] - REACH_FT,
        bounds_ft[1] - REACH_FT,
        bounds_ft[2] + REACH_FT,
        bounds_ft[3] + REACH_FT,
    )
    to_layer = pyproj.Transformer.from_crs(crs, layer.frame.crs, always_xy=True)
    window = to_layer.transform_bounds(*around, densify_pts=21)
    chosen = layer.frame.iloc[np.sort(layer.frame.sindex.query(shapely.box(*window)))]
    return PlaneLayer(
        name=layer.name,
        role=layer.role,
        frame=to_plane(chosen, crs).reset_index(drop=True),
        extent=_extent(layer, crs, window),
    )


def _extent(
    layer: Layer, crs: pyproj.CRS, window: tuple[float, float, float, float]
) -> shapely.Polygon | None:
    if layer.extent is None:
        return None
    xmin, ymin, xmax, ymax = layer.extent
    left, bottom = max(xmin, window[0]), max(ymin, window[1])
    right, top = min(xmax, window[2]), min(ymax, window[3])
    if left > right or bottom > top:
        return None
    # A layer of one point, or of one straight line, has an extent without area.
    corners = [(left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)]
    outline = shapely.segmentize(shapely.Polygon(corners), max(right - left, top - bottom, 1e-9) / 8)
    in_plane = gpd.GeoSeries([outline], crs=layer.frame.crs).to_crs(crs)
    extent: shapely.Polygon = in_plane.iloc[0]
    return extent
