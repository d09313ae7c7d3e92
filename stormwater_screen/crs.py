"""Checks of a layer's coordinate reference system: it is there, usable, and fits the place."""

from __future__ import annotations

from typing import Final

import geopandas as gpd
import numpy as np
import pyproj
import shapely
from pyproj.exceptions import CRSError

from .errors import InputError
from .facts import Floats
from .geometry import Geometries
from .plane import degrees

REFUSED_DEGREES: Final = 5.0
"""Degrees outside the area of use of its CRS from which a layer is refused.

Layers of a whole state are kept in one zone, which reaches two or three degrees beyond its area of
use; feet taken for metres, or the other way round, put a layer ten degrees and more away.
"""

NEW_YORK: Final = (40.4, 45.1, -79.9, -71.7)
"""South, north, west and east of a box around the State, whose laws are screened."""

_NEEDED: Final = "a layer whose CRS is set"
_RIGHT: Final = "the CRS that the coordinates were made in"


def usable_crs(crs: object, name: str) -> pyproj.CRS:
    """Return the horizontal part of a CRS.

    Parameters
    ----------
    crs
        Anything that pyproj understands, or None or an empty text where there is none.
    name
        The layer as the user knows it.

    Raises
    ------
    InputError
        There is no CRS, or it is not tied to the earth.
    """
    if not crs:
        raise InputError(name, "no coordinate reference system (CRS)", _NEEDED)
    try:
        horizontal: pyproj.CRS = pyproj.CRS.from_user_input(crs).to_2d()
    except CRSError as error:
        raise InputError(name, f"a CRS that is not understood ({error})", _NEEDED) from error
    if not (horizontal.is_geographic or horizontal.is_projected or horizontal.is_derived):
        raise InputError(
            name,
            f"the CRS {horizontal.name}, which is not tied to the earth or not flat",
            "a CRS of longitude and latitude, or a projected one",
        )
    return horizontal


def check_place(geometries: Geometries, crs: pyproj.CRS, name: str) -> tuple[Floats, str]:
    """Return where features lie, and a note where the CRS is doubtful.

    Parameters
    ----------
    geometries
        Geometries in ``crs``; None allowed.
    crs
        CRS of the layer.
    name
        The layer as the user knows it.

    Returns
    -------
    places
        Shape (n, 2): NAD83 latitude and longitude of the middle of each feature; NaN: none.
    note
        One sentence, or empty.

    Raises
    ------
    InputError
        Most features do not lie on the earth, or lie far outside the area of use of the CRS.
    """
    present = ~(shapely.is_missing(geometries) | shapely.is_empty(geometries))
    places = degrees(gpd.GeoDataFrame(geometry=geometries, crs=crs))
    if not present.any():
        return places, ""
    _check_range(geometries[present], places[present], crs, name)
    middle = np.nanmedian(places, axis=0)
    outside = _degrees_outside(crs, float(middle[0]), float(middle[1]))
    if outside > REFUSED_DEGREES:
        raise InputError(
            name,
            f"coordinates such as {_example(geometries[present])} lie {outside:.0f} degrees outside"
            f" the area of use of its CRS, {crs.name} (feet taken for metres?)",
            _RIGHT,
        )
    if outside > 0.0:
        return places, (
            f"{name}: lies {outside:.1f} degrees outside the area of use of its CRS, {crs.name};"
            " if that is the right CRS, the measures are right too"
        )
    return places, ""


def outside_state_note(places: Floats, name: str) -> str:
    """Return a sentence where most sites lie outside a box around New York State, else nothing.

    A CRS of the whole world takes any coordinates, so metres of another CRS, feet, or latitude in
    the place of longitude are seen by the place only.

    Parameters
    ----------
    places
        As `check_place` returns them.
    name
        The layer as the user knows it.
    """
    if np.isnan(places).all():
        return ""
    latitude, longitude = np.nanmedian(places, axis=0)
    south, north, west, east = NEW_YORK
    if south <= latitude <= north and west <= longitude <= east:
        return ""
    return (
        f"{name}: lies at latitude {latitude:.2f}, longitude {longitude:.2f}, outside New York"
        " State; check its CRS, for with a wrong one all areas and distances are wrong"
    )


def _check_range(geometries: Geometries, places: Floats, crs: pyproj.CRS, name: str) -> None:
    lost = np.isnan(places).any(axis=1)
    if lost.mean() > 0.5:
        raise InputError(
            name,
            f"coordinates such as {_example(geometries[lost])} that its CRS, {crs.name}, cannot"
            " hold",
            _RIGHT,
        )
    area = crs.area_of_use
    worldwide = area is not None and area.east - area.west > 180
    west, south, east, north = shapely.total_bounds(geometries)
    small = max(-west, east) <= 180 and max(-south, north) <= 90
    if crs.is_projected and worldwide and small:
        raise InputError(
            name,
            f"coordinates such as {_example(geometries)}, which look like degrees, in {crs.name}",
            _RIGHT,
        )


def _degrees_outside(crs: pyproj.CRS, latitude: float, longitude: float) -> float:
    area = crs.area_of_use
    if area is None:
        code = crs.to_epsg(min_confidence=70)
        area = pyproj.CRS.from_epsg(code).area_of_use if code else None
    if area is None:
        return 0.0
    # Longitudes on both sides of the date line are brought to one scale.
    east = area.east + (360 if area.east < area.west else 0)
    sideways = min(
        max(area.west - turned, turned - east, 0.0)
        for turned in (longitude - 360, longitude, longitude + 360)
    )
    return max(area.south - latitude, latitude - area.north, sideways, 0.0)


def _example(geometries: Geometries) -> str:
    x, y = shapely.bounds(geometries)[0][:2]
    return f"{x:.6g}, {y:.6g}"
