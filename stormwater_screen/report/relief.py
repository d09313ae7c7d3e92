"""Elevations around a site for contours, on an even lattice in the plane of the site."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
import pyproj

from ..dem import Dem

INTERVALS_FT: Final = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0)
MOST_CONTOURS: Final = 14
_ACROSS: Final = 110
"""Lattice points across a map: at a width of 7 inches one each fifteenth of an inch."""

Floats = npt.NDArray[np.float64]


def lattice(
    dem: Dem, extent: tuple[float, float, float, float], crs: pyproj.CRS
) -> tuple[Floats, float, float, float] | None:
    """Return elevations around a site.

    Parameters
    ----------
    dem
        The ground.
    extent
        West, south, east and north in the plane, in feet.
    crs
        The plane.

    Returns
    -------
    tuple or None
        Elevations in feet, from the north; west and north edge of the first cell and the size of
        a cell, in feet. None where the DEM knows nothing there.
    """
    west, south, east, north = extent
    step = max((east - west) / _ACROSS, min(dem.cell_ft(crs)) / 4)
    x = np.arange(west + step / 2, east, step)
    y = np.arange(north - step / 2, south, -step)
    grid_x, grid_y = np.meshgrid(x, y)
    heights = dem.elevation_ft(grid_x, grid_y, crs)
    if not np.isfinite(heights).any():
        return None
    return heights, west, north, step


def interval_ft(heights: Floats) -> float:
    """Return the distance between contours that leaves at most a few of them, in feet."""
    span = float(np.nanmax(heights) - np.nanmin(heights))
    fitting = [step for step in INTERVALS_FT if span / step <= MOST_CONTOURS]
    return fitting[0] if fitting else INTERVALS_FT[-1]
