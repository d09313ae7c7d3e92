"""Slope over a run (100 ft) from given points: the largest over all directions.

From a point, the slope in a direction is the difference of elevation between the point and the end
of a horizontal run, divided by the run. Nothing between the two counts, so that a wall or a ditch
half way does not make a slope. Village of Lake George § 220-58B(1)(b): "measured in any direction
over 100 feet from the center of the proposed building site".
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyproj

from .dem import Dem, Piece, bilinear
from .facts import Floats
from .progress import Progress, no_progress

RUN_FT: Final = 100.0
"""Length of the run in the law, feet."""

AZIMUTHS: Final[Floats] = np.arange(360, dtype=np.float64)
"""Directions tried, degrees. Half a degree beside the steepest loses 4 in 100,000 of a slope."""

DOWNHILL_FT: Final = 5e-4
"""Of two opposite directions that are equal but for noise, the one that goes downhill is named."""

_CHUNK: Final = 1_024


def unit_steps(azimuths: Floats = AZIMUTHS) -> Floats:
    """Return unit steps (x, y) of azimuths in degrees clockwise from north, shape (2, n)."""
    angles = np.radians(azimuths)
    steps = np.stack([np.sin(angles), np.cos(angles)])
    # sin(180 degrees) is not quite 0, which would ask for a neighbour that is not needed.
    steps[np.abs(steps) < 1e-12] = 0.0
    return steps


def slope_at_points(
    dem: Dem,
    x: Floats,
    y: Floats,
    crs: pyproj.CRS,
    *,
    run_ft: float = RUN_FT,
    azimuths: Floats = AZIMUTHS,
    progress: Progress = no_progress,
) -> pd.DataFrame:
    """Return the largest slope over a run from each point.

    Parameters
    ----------
    dem
        Ground elevation.
    x, y
        Points on a plane in feet, shape (n,).
    crs
        That plane.
    run_ft
        Horizontal length of the run, feet.
    azimuths
        Directions tried, degrees clockwise from the plane's north, which differs from true north by
        less than half a degree.

    Returns
    -------
    pandas.DataFrame
        One row a point. ``slope_percent``: largest slope, NaN unless every direction is seen;
        ``seen_percent``: largest slope of the directions seen, which the true one is not less than,
        NaN where none is; ``azimuth_deg``: direction of ``seen_percent``;
        ``elevation_centre_ft``, ``elevation_end_ft``: elevations at both ends of that run;
        ``complete``: every direction is seen (none leaves the raster or ends in a hole).

    Raises
    ------
    InputError
        The DEM cannot be brought together with the plane, or is damaged.
    """
    x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
    rows, columns = dem.cells(x, y, crs)
    offsets = dem.scales(x, y, crs) @ (unit_steps(azimuths) * run_ft)
    reach = np.abs(offsets[np.isfinite(offsets)])
    margin = int(np.ceil(reach.max())) + 1 if reach.size else 1
    seen, centre, end = (np.full(len(x), np.nan) for _ in range(3))
    best = np.zeros(len(x), np.intp)
    complete = np.zeros(len(x), bool)
    for piece, share in dem.pieces(rows, columns, margin=margin):
        for start in range(0, len(piece.points), _CHUNK):
            points = piece.points[start : start + _CHUNK]
            ends, centre[points] = _ends(piece, points, rows, columns, offsets)
            best[points], end[points], complete[points] = _steepest(ends, centre[points])
        seen[piece.points] = np.abs(end[piece.points] - centre[piece.points]) / run_ft * 100
        progress(share)
    known = np.isfinite(seen)
    return pd.DataFrame(
        {
            "slope_percent": np.where(complete, seen, np.nan),
            "azimuth_deg": np.where(known, azimuths[best], np.nan),
            "elevation_centre_ft": centre,
            "elevation_end_ft": end,
            "complete": complete,
            "seen_percent": seen,
        }
    )


def _ends(
    piece: Piece, points: npt.NDArray[np.intp], rows: Floats, columns: Floats, offsets: Floats
) -> tuple[Floats, Floats]:
    row, column = rows[points], columns[points]
    ends = bilinear(piece, row[:, None] + offsets[points, 0], column[:, None] + offsets[points, 1])
    return ends, bilinear(piece, row, column)


def _steepest(
    ends: Floats, centre: Floats
) -> tuple[npt.NDArray[np.intp], Floats, npt.NDArray[np.bool_]]:
    fall = centre[:, None] - ends
    seen = np.isfinite(fall)
    size = np.where(seen, np.abs(fall) + DOWNHILL_FT * (fall > 0), -1.0)
    best = size.argmax(axis=1)
    end = np.take_along_axis(ends, best[:, None], axis=1)[:, 0]
    return best, end, np.asarray(seen.all(axis=1))
