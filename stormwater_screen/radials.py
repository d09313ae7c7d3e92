"""Slope over a run (100 ft) from given points: the largest over all directions.

From a point, the slope in a direction is the difference of elevation between the point and the end
of a horizontal run, divided by the run. Nothing between the two counts, so that a wall or a ditch
half way does not make a slope. Village of Lake George § 220-58B(1)(b): "measured in any direction
over 100 feet from the center of the proposed building site".
"""

from __future__ import annotations

from contextlib import closing
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyproj

from .dem import Dem, Piece, bilinear
from .facts import Floats
from .optional_kernels import slope_kernels
from .progress import Progress, no_progress
from .threads import in_order

RUN_FT: Final = 100.0
"""Length of the run in the law, feet."""

AZIMUTHS: Final[Floats] = np.arange(360, dtype=np.float64)
"""Directions tried, degrees. Half a degree beside the steepest loses 4 in 100,000 of a slope."""

DOWNHILL_FT: Final = 5e-4
"""Of two opposite directions that are equal but for noise, the one that goes downhill is named."""

_CHUNK: Final = 96


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
    workers: int | None = 1,
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
    workers
        Threads; None: one for each processor. The result does not depend on them.

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
    scales = dem.scales(x, y, crs)
    return _largest(dem, rows, columns, scales, run_ft, azimuths, workers, progress)


def slope_at_cells(
    dem: Dem,
    rows: Floats,
    columns: Floats,
    crs: pyproj.CRS,
    *,
    run_ft: float = RUN_FT,
    workers: int | None = 1,
    progress: Progress = no_progress,
) -> pd.DataFrame:
    """Return the largest slope over a run from each point, given in cell coordinates.

    A point that lies exactly on the centre of a cell stays there, which it would not on its way to
    the plane and back.

    Parameters
    ----------
    dem
        Ground elevation.
    rows, columns
        Cell coordinates of the points.
    crs
        A plane in feet.
    run_ft
        Horizontal length of the run on the plane, feet.
    workers
        Threads; None: one for each processor.

    Returns
    -------
    pandas.DataFrame
        As `slope_at_points`.
    """
    x, y = dem.places(rows, columns, crs)
    scales = dem.scales(x, y, crs)
    return _largest(dem, rows, columns, scales, run_ft, AZIMUTHS, workers, progress)


def _largest(
    dem: Dem,
    rows: Floats,
    columns: Floats,
    scales: Floats,
    run_ft: float,
    azimuths: Floats,
    workers: int | None,
    progress: Progress,
) -> pd.DataFrame:
    steps = unit_steps(azimuths) * run_ft
    reach = np.linalg.norm(scales[np.isfinite(scales).all(axis=(1, 2))], axis=-1) * run_ft
    margin = int(np.ceil(reach.max(initial=0.0))) + 1
    seen, centre, end = (np.full(len(rows), np.nan) for _ in range(3))
    best = np.zeros(len(rows), np.intp)
    complete = np.zeros(len(rows), bool)

    def measure(part: tuple[Piece, float]) -> float:
        piece, share = part
        for start in range(0, len(piece.points), _CHUNK):
            points = piece.points[start : start + _CHUNK]
            best[points], end[points], centre[points], complete[points] = _steepest(
                piece, rows[points], columns[points], scales[points] @ steps
            )
        seen[piece.points] = np.abs(end[piece.points] - centre[piece.points]) / run_ft * 100
        return share

    with closing(in_order(measure, dem.pieces(rows, columns, margin=margin), workers)) as shares:
        for share in shares:
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


def _steepest(
    piece: Piece, rows: Floats, columns: Floats, offsets: Floats
) -> tuple[npt.NDArray[np.intp], Floats, Floats, npt.NDArray[np.bool_]]:
    """Return the direction of the largest slope, the heights at its end and of the points, if all.

    ``offsets`` are cells from each point to the ends of its runs, shape (points, 2, directions).
    """
    kernels = slope_kernels()
    if kernels is not None:
        found: tuple[npt.NDArray[np.intp], Floats, Floats, npt.NDArray[np.bool_]]
        found = kernels.steepest(
            piece.ground, (piece.row, piece.column), rows, columns, np.ascontiguousarray(offsets)
        )
        return found
    ends = bilinear(piece, rows[:, None] + offsets[:, 0], columns[:, None] + offsets[:, 1])
    centre = bilinear(piece, rows, columns)
    fall = centre[:, None] - ends
    seen = np.isfinite(fall)
    size = np.where(seen, np.abs(fall) + DOWNHILL_FT * (fall > 0), -1.0)
    best = size.argmax(axis=1)
    end = np.take_along_axis(ends, best[:, None], axis=1)[:, 0]
    return best, end, centre, np.asarray(seen.all(axis=1))
