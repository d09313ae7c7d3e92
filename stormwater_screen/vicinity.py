"""Bring the part of each layer that lies near the sites to their working plane."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyproj
import shapely

from .features import WaterLayer
from .layers import Layer
from .plane import NO_PLANE, plane_crs, plane_keys, to_plane, transformer_between
from .prepare.vicinity import NEAR_FT
from .units import FOOT_M, MILE_FT

if TYPE_CHECKING:
    from .network import Trust

SEARCHED_FT = 2 * MILE_FT
"""How far from every site features are read: more than any measure looks."""

EDGE_FT = 1_500.0
"""Longest edge that is taken as straight on the plane: it bows by at most 0.1 ft."""

FEET_IN_DEGREE = 364_000.0
"""Feet in a degree of latitude, rounded down."""

_BOUNDED_AT_ONCE = 50_000

NOWHERE = np.array([[43, -74]])
"""Latitude and longitude of the plane of sites that have no place at all; no figure uses it."""


@dataclass(frozen=True)
class Rest:
    """What the sites of a plane must know of the run, where they are not all of it.

    Attributes
    ----------
    bounds_ft
        Least x, least y, largest x, largest y of all sites of the run in the plane, in feet.
    others
        Sites of the plane on which polygons lie that reach over some of the group's too.
    trusted
        How far the directions of watercourses can be trusted; None: runoff is not followed.
    """

    bounds_ft: tuple[float, ...]
    others: gpd.GeoSeries
    trusted: Trust | None


@dataclass(frozen=True)
class Group:
    """Sites of one working plane, and the layers near them.

    Attributes
    ----------
    positions
        Places of the sites among all sites, from 0.
    crs
        The plane, international feet.
    sites
        The sites in the plane; index 0 to n-1.
    layers
        Layers in the plane by parameter name; a name that is absent was not given.
    rest
        What lies beyond, where the group is a part of a run; None: it is all sites of the plane.
    """

    positions: npt.NDArray[np.intp]
    crs: pyproj.CRS
    sites: gpd.GeoDataFrame
    layers: Mapping[str, tuple[WaterLayer, ...]]
    rest: Rest | None = None

    def of(self, name: str) -> tuple[WaterLayer, ...]:
        """Return the layers of a parameter; none where it was not given."""
        return self.layers.get(name, ())

    def frame(self, name: str) -> gpd.GeoDataFrame | None:
        """Return all features of a parameter's layers together, or None where it was not given."""
        given = self.of(name)
        if not given:
            return None
        if len(given) == 1:
            return given[0].frame
        joined = pd.concat([layer.frame for layer in given], ignore_index=True)
        return gpd.GeoDataFrame(joined, geometry="geometry", crs=self.crs)


def groups(
    sites: gpd.GeoDataFrame,
    layers: Mapping[str, tuple[Layer, ...]],
    rest: Mapping[tuple[int, int], Rest] | None = None,
) -> list[Group]:
    """Return the sites by working plane, each group with what lies near it.

    Sites without a place join the first group, where every measure finds them unknown.

    Parameters
    ----------
    sites
        Polygons in any CRS; may be None or empty.
    layers
        Layers in any CRS, by parameter name.
    rest
        By plane, what the sites must know of the run where they are not all of it; the other sites
        in the sites' CRS.
    """
    found = []
    for plane, positions in _planes(sites):
        crs = plane_crs(plane)
        members = to_plane(_with_short_edges(sites.iloc[positions]), crs)
        bounds = tuple(float(bound) for bound in members.total_bounds)
        beyond = _in_plane(rest.get(plane), crs) if rest is not None else None
        run_ft = None if beyond is None else beyond.bounds_ft
        near = {
            name: tuple(near_sites(layer, crs, bounds, run_ft) for layer in given)
            for name, given in layers.items()
        }
        found.append(Group(positions, crs, members, near, beyond))
    return found


def plane_bounds(sites: gpd.GeoDataFrame) -> dict[tuple[int, int], tuple[float, ...]]:
    """Return the bounds in feet of all sites of each working plane that has some with a place.

    They are those of `groups`, whose geometries are not held all at once here.

    Parameters
    ----------
    sites
        Polygons in any CRS; may be None or empty.
    """
    found: dict[tuple[int, int], tuple[float, ...]] = {}
    for plane, positions in _planes(sites):
        bounds = []
        for start in range(0, len(positions), _BOUNDED_AT_ONCE):
            some = sites[["geometry"]].iloc[positions[start : start + _BOUNDED_AT_ONCE]]
            bounds.append(to_plane(_with_short_edges(some), plane_crs(plane)).total_bounds)
        own = np.array([one for one in bounds if np.isfinite(one).all()])
        if len(own):
            low, high = own[:, :2].min(axis=0), own[:, 2:].max(axis=0)
            found[plane] = tuple(float(bound) for bound in (*low, *high))
    return found


def _planes(sites: gpd.GeoDataFrame) -> list[tuple[tuple[int, int], npt.NDArray[np.intp]]]:
    """Return each working plane with the places of its sites; the first has those without."""
    keys = plane_keys(sites)
    lost = keys[:, 0] == NO_PLANE
    usable = keys[~lost]
    anywhere = usable[:1] if len(usable) else NOWHERE
    keys[lost] = anywhere
    return [
        ((int(key[0]), int(key[1])), np.flatnonzero((keys == key).all(axis=1)))
        for key in np.unique(keys if len(keys) else anywhere, axis=0)
    ]


def _in_plane(rest: Rest | None, crs: pyproj.CRS) -> Rest | None:
    if rest is None:
        return None
    moved = to_plane(_with_short_edges(gpd.GeoDataFrame(geometry=rest.others)), crs)
    return replace(rest, others=moved.geometry)


def near_sites(
    layer: Layer,
    crs: pyproj.CRS,
    bounds_ft: tuple[float, ...],
    run_ft: tuple[float, ...] | None = None,
) -> WaterLayer:
    """Return the features of a layer within ``SEARCHED_FT`` of the sites' bounds, in the plane.

    Parameters
    ----------
    layer
        Any CRS.
    crs
        Working plane, international feet.
    bounds_ft
        Least x, least y, largest x, largest y of the sites, in feet of the plane; NaN where no
        site has a place.
    run_ft
        The same of all sites of the run, by which the extent of the layer is told; None: these.
    """
    if not np.isfinite(bounds_ft).all():
        nothing = to_plane(layer.frame.iloc[:0], crs)
        return WaterLayer(layer.name, layer.role, nothing, None)
    searched = own = _searched(layer, crs, bounds_ft if run_ft is None else run_ft, SEARCHED_FT)
    # A site may lie far inside an area that is covered: these are asked for as a whole.
    if run_ft is not None and layer.role != "COVERAGE":
        # What the run as a whole looks at, as far as this part of it may depend on it.
        wide = _searched(layer, crs, bounds_ft, NEAR_FT)
        own = (*np.maximum(searched[:2], wide[:2]), *np.minimum(searched[2:], wide[2:]))
    chosen = layer.frame.iloc[np.sort(layer.frame.sindex.query(shapely.box(*own)))]
    extent = _extent(layer, crs, searched)
    return WaterLayer(layer.name, layer.role, to_plane(_with_short_edges(chosen), crs), extent)


def _searched(
    layer: Layer, crs: pyproj.CRS, bounds_ft: tuple[float, ...], reach_ft: float
) -> tuple[float, float, float, float]:
    """Return the box in the layer's CRS that lies so far around sites."""
    left, bottom, right, top = bounds_ft
    to_layer = transformer_between(crs, layer.frame.crs.to_2d())
    west, south, east, north = to_layer.transform_bounds(
        left - reach_ft, bottom - reach_ft, right + reach_ft, top + reach_ft, densify_pts=21
    )
    return west, south, east, north


def _with_short_edges(frame: gpd.GeoDataFrame) -> gpd.GeoDataFrame:
    """Return features with vertices added to edges longer than ``EDGE_FT``.

    An edge that is straight in its own CRS is a curve on the plane: 5 miles along a parallel bow by
    4 ft. Edges of lots are too short for that to matter.
    """
    crs: pyproj.CRS = frame.crs
    unit = crs.axis_info[0].unit_conversion_factor
    longest = (
        np.radians(EDGE_FT / FEET_IN_DEGREE) / unit
        if crs.is_geographic
        else (EDGE_FT * FOOT_M / unit)
    )
    bounds = frame.bounds.to_numpy()
    wide = np.maximum(bounds[:, 2] - bounds[:, 0], bounds[:, 3] - bounds[:, 1]) > longest
    if not wide.any():
        return frame
    geometry = np.array(frame.geometry.array, dtype=object)
    geometry[wide] = shapely.segmentize(geometry[wide], longest)
    return frame.set_geometry(gpd.GeoSeries(geometry, index=frame.index, crs=crs))


def _extent(
    layer: Layer, crs: pyproj.CRS, window: tuple[float, float, float, float]
) -> shapely.Polygon | None:
    """Return the extent of the whole layer, as far as it lies near the sites; None: elsewhere."""
    if layer.extent is None:
        return None
    low = np.clip(layer.extent[:2], window[:2], window[2:])
    high = np.clip(layer.extent[2:], window[:2], window[2:])
    if (layer.extent[0] > window[2] or layer.extent[2] < window[0]) or (
        layer.extent[1] > window[3] or layer.extent[3] < window[1]
    ):
        return None
    outline = shapely.box(*low, *high)
    side = max(high[0] - low[0], high[1] - low[1])
    if side > 0:
        outline = shapely.segmentize(outline, side / 8)
    in_plane = gpd.GeoSeries([outline], crs=layer.frame.crs).to_crs(crs)
    extent: shapely.Polygon = in_plane.iloc[0]
    return extent
