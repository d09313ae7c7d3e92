"""The working plane: where everything is measured, in international feet.

A plane is a Lambert azimuthal equal-area projection of the GRS80 ellipsoid (NAD83) whose centre is
the whole degree of latitude and longitude nearest to a site. Within one degree of the centre, areas
are exact and distances are wrong by less than 1 in 25,000. Since the centre depends on the site's
own place alone, a site's figures never depend on the other sites of a run.

Edges are taken as straight between their vertices on the plane, which is within a hand's breadth of
the geodesic for an edge of a mile; no vertices are added.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyproj
import shapely
from pyproj.exceptions import ProjError

from .errors import InputError
from .facts import Floats
from .geometry import valid_geometries
from .units import FOOT_M

Geometries = npt.NDArray[np.object_]

NO_PLANE: Final = 999
"""Latitude and longitude in the key of a site without a place."""

POOR_ACCURACY_M: Final = 5.0
"""A datum transformation less accurate than this is worth a note: half of a 35-ft setback."""

NAD83: Final = pyproj.CRS.from_epsg(4269)
"""Longitude and latitude in degrees."""

# The code of the base CRS is what lets PROJ find transformations from other datums; with a PROJ
# string there is none, and NAD27 is shifted by nothing at all.
_PLANE_WKT: Final = """
PROJCRS["Working plane {latitude} {longitude}",
  BASEGEOGCRS["NAD83",
    DATUM["North American Datum 1983",
      ELLIPSOID["GRS 1980",6378137,298.257222101,LENGTHUNIT["metre",1]]],
    PRIMEM["Greenwich",0,ANGLEUNIT["degree",0.0174532925199433]],
    ID["EPSG",4269]],
  CONVERSION["Centre {latitude} {longitude}",
    METHOD["Lambert Azimuthal Equal Area",ID["EPSG",9820]],
    PARAMETER["Latitude of natural origin",{latitude},
      ANGLEUNIT["degree",0.0174532925199433],ID["EPSG",8801]],
    PARAMETER["Longitude of natural origin",{longitude},
      ANGLEUNIT["degree",0.0174532925199433],ID["EPSG",8802]],
    PARAMETER["False easting",0,LENGTHUNIT["foot",0.3048],ID["EPSG",8806]],
    PARAMETER["False northing",0,LENGTHUNIT["foot",0.3048],ID["EPSG",8807]]],
  CS[Cartesian,2],
    AXIS["easting (X)",east,ORDER[1],LENGTHUNIT["foot",0.3048]],
    AXIS["northing (Y)",north,ORDER[2],LENGTHUNIT["foot",0.3048]]]
"""


@lru_cache(maxsize=64)
def _plane(latitude: int, longitude: int) -> pyproj.CRS:
    return pyproj.CRS.from_wkt(_PLANE_WKT.format(latitude=latitude, longitude=longitude))


def plane_crs(key: tuple[int, int]) -> pyproj.CRS:
    """Return the working plane of a key: equal-area, NAD83, x east and y north in feet.

    Parameters
    ----------
    key
        Whole degrees of latitude and longitude of the centre, as `plane_keys` returns them.

    Raises
    ------
    ValueError
        The key belongs to a site without a place.
    """
    latitude, longitude = int(key[0]), int(key[1])
    if latitude == NO_PLANE:
        raise ValueError("A site without a place has no working plane.")
    return _plane(latitude, longitude)


def plane_keys(sites: gpd.GeoDataFrame) -> npt.NDArray[np.int64]:
    """Return the key of each site's working plane, from the site's own place only.

    Parameters
    ----------
    sites
        Any geometries in any CRS.

    Returns
    -------
    numpy.ndarray
        Shape (n, 2): whole degrees of latitude and longitude of the plane's centre; a site without
        a usable geometry has (999, 999).

    Raises
    ------
    InputError
        The sites have no CRS.
    """
    places = degrees(sites)
    nearest = np.floor(places + 0.5)
    nearest[np.isnan(places).any(axis=1)] = NO_PLANE
    return nearest.astype(np.int64)


def degrees(sites: gpd.GeoDataFrame) -> Floats:
    """Return NAD83 latitude and longitude of the middle of each site's extent; NaN: none.

    Raises
    ------
    InputError
        The sites have no CRS.
    """
    bounds = shapely.bounds(np.asarray(sites.geometry.array, dtype=object)).reshape(-1, 4)
    transformer = transformer_between(_horizontal(sites), NAD83)
    x, y = (bounds[:, 0] + bounds[:, 2]) / 2, (bounds[:, 1] + bounds[:, 3]) / 2
    longitude, latitude = transform_xy(transformer, x, y)
    places = np.column_stack([latitude, longitude]).astype(np.float64)
    places[~np.isfinite(places).all(axis=1)] = np.nan
    return places


def to_plane(frame: gpd.GeoDataFrame, crs: pyproj.CRS) -> gpd.GeoDataFrame:
    """Return a frame's features on a working plane.

    Parameters
    ----------
    frame
        2-D valid geometries in any CRS; NULL and empty ones are kept.
    crs
        A CRS that `plane_crs` returned.

    Returns
    -------
    geopandas.GeoDataFrame
        The same rows and attributes; a geometry that cannot be projected is NULL.

    Raises
    ------
    InputError
        The frame has no CRS, or one that cannot be projected.
    """
    geometries = transform_geometries(
        np.asarray(frame.geometry.array, dtype=object), _horizontal(frame), crs
    )
    moved = frame.drop(columns=frame.geometry.name)
    return gpd.GeoDataFrame(moved, geometry=geometries, crs=crs).reset_index(drop=True)


def transform_xy(
    transformer: pyproj.Transformer, x: Floats, y: Floats, *, inverse: bool = False
) -> tuple[Floats, Floats]:
    """Return coordinates that a transformer changes, shape (n,); infinite where it cannot.

    Parameters
    ----------
    transformer
        Takes and gives x before y.
    x, y
        Coordinates, shape (n,).
    inverse
        True goes from the target to the source.
    """
    direction = "INVERSE" if inverse else "FORWARD"
    if len(x) == 1:
        # pyproj takes an array of one element for a number, which numpy is about to forbid.
        moved = transformer.transform(float(x[0]), float(y[0]), direction=direction)
        return np.array([moved[0]]), np.array([moved[1]])
    east, north = transformer.transform(x, y, direction=direction)
    return np.asarray(east, np.float64), np.asarray(north, np.float64)


def transform_geometries(
    geometries: Geometries, source: pyproj.CRS, target: pyproj.CRS
) -> Geometries:
    """Return 2-D geometries in another CRS, valid, x before y; None where projection fails.

    Raises
    ------
    InputError
        There is no transformation between the two.
    """
    if source == target:
        return geometries
    transformer = transformer_between(source, target)
    flat = (shapely.get_coordinate_dimension(geometries) <= 2).all()
    kept = geometries if flat else np.asarray(shapely.force_2d(geometries), dtype=object)
    coordinates = shapely.get_coordinates(kept)
    if len(coordinates) == 0:
        return kept
    # Neighbours share their vertices, and so do the zones of a site: each place is moved once.
    number, places = pd.factorize(coordinates.view(np.complex128)[:, 0])
    moved = np.column_stack(transform_xy(transformer, places.real, places.imag))[number]
    lost = ~np.isfinite(moved).all(axis=1)
    # GEOS must not see infinite coordinates: they are parked until their feature is dropped.
    moved[lost] = 0.0
    result = shapely.set_coordinates(kept.copy(), moved)
    if lost.any():
        owner = np.repeat(np.arange(len(kept)), shapely.get_num_coordinates(kept))
        result[np.unique(owner[lost])] = None
    return valid_geometries(result)


def area_sqft(geometries: Geometries, crs: pyproj.CRS) -> Floats:
    """Return areas in square feet of polygons in any CRS, each on its own working plane.

    A geometry without a place has NaN.
    """
    frame = gpd.GeoDataFrame(geometry=geometries, crs=crs)
    keys = plane_keys(frame)
    areas = np.full(len(geometries), np.nan)
    for key in np.unique(keys, axis=0):
        if key[0] == NO_PLANE:
            continue
        rows = (keys == key).all(axis=1)
        plane = plane_crs((int(key[0]), int(key[1])))
        transformer = transformer_between(crs.to_2d(), plane)
        moved = shapely.transform(geometries[rows], transformer.transform, interleaved=False)
        areas[rows] = shapely.area(moved)
    return areas


def transformation_note(name: str, source: pyproj.CRS, plane: pyproj.CRS) -> str:
    """Return a sentence where the change of datum is only a guess or is poor, else an empty text.

    Realisations of NAD83 and of WGS84 lie within about a metre of each other and are not noted.

    Parameters
    ----------
    name
        The layer as the user knows it.
    source
        Its CRS.
    plane
        The working plane.
    """
    transformer = transformer_between(source.to_2d(), plane)
    x, y = transformer.transform(0.0, 0.0, direction="INVERSE")
    transformer.transform(x, y)
    # PROJ chooses among transformations by the place, so it is asked after a point near the sites.
    try:
        used = transformer.get_last_used_operation()
    except ProjError:
        # Where there is no choice PROJ keeps no record of one.
        used = transformer
    if "ballpark" in used.description.lower():
        if source.geodetic_crs is not None and source.geodetic_crs.name.startswith("NAD83"):
            return ""
        return (
            f"{name}: no change of datum from {source.name} is known; positions may be wrong by"
            " tens of feet, areas are not affected"
        )
    if used.accuracy > POOR_ACCURACY_M:
        return (
            f"{name}: the change of datum from {source.name} is known to"
            f" {used.accuracy / FOOT_M:.0f} ft only; distances to other layers may be wrong by as"
            " much, areas are not affected"
        )
    return ""


def _horizontal(frame: gpd.GeoDataFrame) -> pyproj.CRS:
    if frame.crs is None:
        raise InputError("A layer", "no coordinate reference system", "a layer whose CRS is set")
    crs: pyproj.CRS = frame.crs.to_2d()
    return crs


@lru_cache(maxsize=256)
def transformer_between(source: pyproj.CRS, target: pyproj.CRS) -> pyproj.Transformer:
    """Return what brings x and y from one CRS to another; the last ones are kept.

    Raises
    ------
    InputError
        There is no transformation between the two.
    """
    try:
        return pyproj.Transformer.from_crs(source, target, always_xy=True)
    except ProjError as error:
        raise InputError(
            f"Coordinate reference system {source.name}",
            f"it cannot be brought to the working plane ({error})",
            "a CRS of longitude and latitude, or a projected one",
        ) from error
