"""Ground that a reader can check by head, written as a raster in any CRS and any unit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pyproj
import rasterio
from affine import Affine

from stormwater_screen.units import Z_UNIT_FT

Floats: TypeAlias = npt.NDArray[np.float64]
Surface: TypeAlias = Callable[[Floats, Floats], Floats]
"""Elevation in feet of places on a plane in feet."""

PLANE = pyproj.CRS.from_proj4(
    "+proj=laea +lat_0=43 +lon_0=-74 +x_0=0 +y_0=0 +datum=NAD83 +units=ft +no_defs +type=crs"
)
"""A working plane; Lake George lies on it."""

LAKE_GEORGE = (76_000.0, 155_000.0)
"""A place near the village on `PLANE`, feet."""


def level(elevation: float = 500.0) -> Surface:
    """Return level ground."""
    return lambda x, y: np.full(np.shape(x), elevation)


def plane(percent: float, azimuth: float, *, at: float = 500.0) -> Surface:
    """Return ground that rises by ``percent`` towards ``azimuth``, clockwise from north."""
    angle = np.radians(azimuth)
    east, north = np.sin(angle), np.cos(angle)
    x0, y0 = LAKE_GEORGE
    return lambda x, y: at + percent / 100 * ((x - x0) * east + (y - y0) * north)


def wall(percent: float, height_ft: float, *, at_x: float) -> Surface:
    """Return ground that rises eastwards, with an upright wall along a line of equal x."""
    slope = plane(percent, 90.0)
    return lambda x, y: slope(x, y) + np.where(x > at_x, height_ft, 0.0)


def hills(seed: int, *, relief_ft: float = 40.0, length_ft: float = 300.0) -> Surface:
    """Return rolling ground made of random waves of about one length."""
    random = np.random.default_rng(seed)
    waves = 12
    angle = random.uniform(0, 2 * np.pi, waves)
    number = 2 * np.pi / (length_ft * random.uniform(0.5, 2.0, waves))
    phase = random.uniform(0, 2 * np.pi, waves)
    height = relief_ft / waves**0.5 * random.uniform(0.3, 1.0, waves)

    def surface(x: Floats, y: Floats) -> Floats:
        total = np.full(np.shape(x), 500.0)
        for a, k, p, h in zip(angle, number, phase, height, strict=True):
            total = total + h * np.sin(k * (x * np.cos(a) + y * np.sin(a)) + p)
        return total

    return surface


def write_dem(
    path: Path,
    surface: Surface,
    *,
    crs: str | pyproj.CRS = "EPSG:26918",
    cell: float | tuple[float, float] = 3.0,
    size_ft: float = 600.0,
    centre: tuple[float, float] = LAKE_GEORGE,
    plane_crs: pyproj.CRS = PLANE,
    rotation: float = 0.0,
    z_unit: str = "metre",
    states_unit: bool = True,
    dtype: str = "float32",
    nodata: float | None = -9999.0,
    holes: Surface | None = None,
    **profile: object,
) -> Path:
    """Write ground as a GeoTIFF and return its path.

    Parameters
    ----------
    path
        File to write.
    surface
        Elevation in feet of places on the plane.
    crs
        CRS of the raster.
    cell
        Cell size in the units of the CRS; (width, height) where they differ.
    size_ft
        Side of the square around the centre that the raster covers at least.
    centre
        Its middle on the plane, feet.
    plane_crs
        The plane.
    rotation
        Turn of the raster, degrees counter-clockwise.
    z_unit
        Unit of the heights in the file.
    states_unit
        Whether the file says so.
    dtype, nodata
        Of the band; NaN in ``surface`` becomes nodata.
    holes
        Positive where the raster has a hole.
    profile
        More creation options (``tiled=True``).
    """
    crs = pyproj.CRS.from_user_input(crs)
    there = pyproj.Transformer.from_crs(plane_crs, crs, always_xy=True)
    x0, y0 = centre
    half = size_ft / 2
    edge = np.linspace(-half, half, 5)
    ring = np.array([(a, b) for a in edge for b in edge])
    east, north = there.transform(x0 + ring[:, 0], y0 + ring[:, 1])
    middle = np.array(there.transform(x0, y0))
    width, height = (cell, cell) if np.isscalar(cell) else cell
    reach = np.abs(np.stack([east, north]).T - middle).max(axis=0)
    if rotation:
        reach = np.full(2, np.hypot(*reach))
    columns = int(2 * np.ceil(reach[0] / abs(width))) + 3
    rows = int(2 * np.ceil(reach[1] / abs(height))) + 3
    transform = (
        Affine.translation(*middle)
        * Affine.rotation(rotation)
        * Affine.scale(width, -height)
        * Affine.translation(-columns / 2, -rows / 2)
    )
    column, row = np.meshgrid(np.arange(columns) + 0.5, np.arange(rows) + 0.5)
    place = transform * (column, row)
    x, y = there.transform(*place, direction="INVERSE")
    values = surface(x, y) / Z_UNIT_FT[z_unit]
    if holes is not None:
        values = np.where(holes(x, y) > 0, np.nan, values)
    if nodata is not None:
        values = np.where(np.isnan(values), nodata, values)
    options = {
        "driver": "GTiff",
        "width": columns,
        "height": rows,
        "count": 1,
        "dtype": dtype,
        "crs": crs.to_wkt(),
        "transform": transform,
        "nodata": nodata,
        **profile,
    }
    with rasterio.open(path, "w", **options) as dataset:
        dataset.write(values.astype(dtype), 1)
        if states_unit:
            dataset.units = (z_unit,)
    return path
