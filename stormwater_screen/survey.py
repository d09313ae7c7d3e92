"""The slope at every possible building centre of each site, summed up by site."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyproj
import shapely

from .dem import Dem
from .facts import Floats
from .lattice import Geometries, Integers, Lattice, Runs, lattice_of, runs_in_sites
from .progress import Progress, no_progress, part_of
from .radials import RUN_FT, slope_at_points, unit_steps
from .sweep import Block, Slopes, block_slopes
from .threads import in_order

MOST_CENTRES: Final = 100_000
"""A site with more possible centres (about 220 acres) is surveyed on a coarser lattice."""

FEWEST_CENTRES: Final = 8
"""A site with fewer lattice points than this (a sliver) is also surveyed along its boundary."""

MOST_ON_BOUNDARY: Final = 2_000
"""Points along the boundary of a sliver, at most."""

_BOUNDARY_FT: Final = 10.0


class Summary(NamedTuple):
    """What is known of the slopes at some centres of sites; arrays by site.

    Attributes
    ----------
    site
        Position of the site, each once.
    centres, reached, below, incomplete
        All centres; those that reach the limit; those surely below it; those not wholly seen.
    low, low_row, low_column
        Slope of the flattest centre among those wholly seen, infinite without one, and its cell
        coordinates.
    least
        Smallest slope seen, which no centre is below; infinite without a centre.
    high, high_row, high_column
        Largest slope seen, -1 without a centre, and its cell coordinates.
    """

    site: Integers
    centres: Integers
    reached: Integers
    below: Integers
    incomplete: Integers
    low: Floats
    low_row: Floats
    low_column: Floats
    least: Floats
    high: Floats
    high_row: Floats
    high_column: Floats


def survey(
    dem: Dem,
    geometries: Geometries,
    crs: pyproj.CRS,
    *,
    limit_percent: float,
    run_ft: float = RUN_FT,
    workers: int | None = 1,
    progress: Progress = no_progress,
) -> pd.DataFrame:
    """Return the slopes over a run at every possible centre of each site.

    Parameters
    ----------
    dem
        Ground elevation.
    geometries
        Valid polygons on a plane in feet; NULL and empty ones have no centres.
    crs
        The plane.
    limit_percent
        Slope that centres are compared with.
    run_ft
        Length of the run, feet.
    workers
        Threads; None: one for each processor. The results do not depend on them.

    Returns
    -------
    pandas.DataFrame
        One row a site: ``centres``, ``reached`` (slope of the limit or more), ``below``
        (wholly seen and below it), ``incomplete`` (some direction not seen); ``low``, ``low_x``,
        ``low_y``, ``low_row``, ``low_column``: slope in percent, place and cell coordinates of the
        flattest centre that is wholly seen; ``least``: smallest slope seen; ``high``, ``high_x``,
        ``high_y``, ``high_row``, ``high_column``: largest slope seen; NaN without a centre;
        ``spacing_ft``: between centres.

    Raises
    ------
    InputError
        The DEM cannot be brought together with the plane, or is damaged.
    """
    total = _nothing(len(geometries))
    base = lattice_of(dem, crs)
    spacing = np.full(len(geometries), base.spacing_ft)
    sites = np.flatnonzero(~(shapely.is_missing(geometries) | shapely.is_empty(geometries)))
    sites = sites[_placed(dem, geometries[sites], crs)]
    times = _coarseness(geometries[sites], base)
    work: list[tuple[Lattice, Runs]] = []
    for factor in np.unique(times):
        lattice, members = base.coarser(int(factor)), sites[times == factor]
        spacing[members] = lattice.spacing_ft
        step = part_of(progress, 0.0, 0.05)
        runs = runs_in_sites(dem, geometries[members], members, crs, lattice, progress=step)
        work.append((lattice, runs))
    found = np.zeros(len(geometries), np.int64)
    for _, runs in work:
        np.add.at(found, runs.site, runs.end - runs.start)
    points = max(int(found.sum()), 1)
    done = 0
    for lattice, runs in work:
        here = int((runs.end - runs.start).sum())
        step = part_of(progress, 0.05 + done / points * 0.85, 0.05 + (done + here) / points * 0.85)
        _sweep(dem, lattice, runs, crs, total, limit_percent, run_ft, workers, step)
        done += here
    slivers = sites[found[sites] < FEWEST_CENTRES]
    step = part_of(progress, 0.9, 1.0)
    _add(total, _along_boundaries(dem, geometries, slivers, crs, limit_percent, run_ft, step))
    return _table(dem, crs, total, spacing)


def _nothing(count: int) -> Summary:
    def none() -> Integers:
        return np.zeros(count, np.int64)

    def unknown(value: float) -> Floats:
        return np.full(count, value)

    return Summary(
        site=np.arange(count),
        centres=none(),
        reached=none(),
        below=none(),
        incomplete=none(),
        low=unknown(np.inf),
        low_row=unknown(np.nan),
        low_column=unknown(np.nan),
        least=unknown(np.inf),
        high=unknown(-1.0),
        high_row=unknown(np.nan),
        high_column=unknown(np.nan),
    )


def _table(dem: Dem, crs: pyproj.CRS, total: Summary, spacing: Floats) -> pd.DataFrame:
    low_x, low_y = dem.places(total.low_row, total.low_column, crs)
    high_x, high_y = dem.places(total.high_row, total.high_column, crs)
    none = total.centres == 0
    return pd.DataFrame(
        {
            "centres": total.centres,
            "reached": total.reached,
            "below": total.below,
            "incomplete": total.incomplete,
            "low": np.where(np.isinf(total.low), np.nan, total.low),
            "low_x": np.where(np.isinf(total.low), np.nan, low_x),
            "low_row": total.low_row,
            "low_column": total.low_column,
            "low_y": np.where(np.isinf(total.low), np.nan, low_y),
            "least": np.where(none, np.nan, total.least),
            "high": np.where(none, np.nan, total.high),
            "high_x": np.where(none, np.nan, high_x),
            "high_row": total.high_row,
            "high_column": total.high_column,
            "high_y": np.where(none, np.nan, high_y),
            "spacing_ft": spacing,
        }
    )


def _placed(dem: Dem, geometries: Geometries, crs: pyproj.CRS) -> npt.NDArray[np.bool_]:
    """Return which polygons touch the rectangle of the raster; all corners have a place on it."""
    xy, owner = shapely.get_coordinates(geometries, return_index=True)
    rows, columns = dem.cells(xy[:, 0], xy[:, 1], crs)
    placed = np.ones(len(geometries), bool)
    for cells, size in ((rows, dem.height), (columns, dem.width)):
        low, high = np.full(len(geometries), np.inf), np.full(len(geometries), -np.inf)
        np.minimum.at(low, owner, cells)
        np.maximum.at(high, owner, cells)
        # A comparison with NaN is false: a polygon that cannot be projected is not placed.
        placed &= (low <= size - 1) & (high >= 0)
    return placed


def _coarseness(geometries: Geometries, lattice: Lattice) -> Integers:
    points = shapely.area(geometries) / lattice.spacing_ft**2
    doublings = np.ceil(np.log2(np.maximum(points / MOST_CENTRES, 1.0)) / 2)
    return np.asarray(2 ** doublings.astype(np.int64))


def _sweep(
    dem: Dem,
    lattice: Lattice,
    runs: Runs,
    crs: pyproj.CRS,
    total: Summary,
    limit_percent: float,
    run_ft: float,
    workers: int | None,
    progress: Progress,
) -> None:
    pieces = list(_blocks(runs, lattice))
    if not pieces:
        return
    middles = np.array([(block.row + 0.5, block.column + 0.5) for block, _ in pieces])
    rows = middles[:, 0] * lattice.rows.block * lattice.rows.step
    columns = middles[:, 1] * lattice.columns.block * lattice.columns.step
    x, y = dem.places(rows, columns, crs)
    offsets = dem.scales(x, y, crs) @ (unit_steps() * run_ft)

    def summary(piece: int) -> Summary:
        block, inside = pieces[piece]
        slopes = block_slopes(dem, lattice, block, offsets[piece], run_ft=run_ft)
        return _of_block(slopes, block, inside, lattice, limit_percent)

    with closing(in_order(summary, range(len(pieces)), workers)) as parts:
        for done, part in enumerate(parts, 1):
            _add(total, part)
            progress(done / len(pieces))


def _blocks(runs: Runs, lattice: Lattice) -> Iterator[tuple[Block, Runs]]:
    """Yield blocks from top left to bottom right, each with the runs cut at its sides."""
    side = lattice.columns.block
    first, last = runs.start // side, (runs.end - 1) // side
    count = last - first + 1
    run = np.repeat(np.arange(len(count)), count)
    column = first[run] + np.arange(len(run)) - np.repeat(np.cumsum(count) - count, count)
    row = runs.row[run] // lattice.rows.block
    cut = Runs(
        runs.site[run],
        runs.row[run],
        np.maximum(runs.start[run], column * side),
        np.minimum(runs.end[run], (column + 1) * side),
    )
    order = np.lexsort((cut.start, cut.row, cut.site, column, row))
    row, column = row[order], column[order]
    breaks = np.flatnonzero((np.diff(row) != 0) | (np.diff(column) != 0)) + 1
    for part in np.split(order, breaks):
        if len(part):
            inside = cut.take(part)
            yield (
                Block(
                    int(inside.row[0] // lattice.rows.block),
                    int(inside.start[0] // side),
                    int(inside.row.min()),
                    int(inside.row.max()) + 1,
                    int(inside.start.min()),
                    int(inside.end.max()),
                ),
                inside,
            )


def _of_block(
    slopes: Slopes, block: Block, runs: Runs, lattice: Lattice, limit_percent: float
) -> Summary:
    width = block.right - block.left
    length = runs.end - runs.start
    first = (runs.row - block.top) * width + runs.start - block.left
    past = np.cumsum(length)
    centre = np.arange(past[-1]) + np.repeat(first - (past - length), length)
    new_site = np.flatnonzero(np.diff(runs.site, prepend=-1))
    starts = (past - length)[new_site]
    seen, complete = slopes.seen.ravel()[centre], slopes.complete.ravel()[centre]
    summary = _summary(runs.site[new_site], starts, seen, complete, limit_percent)
    low_at, high_at = centre[summary.low_row.astype(int)], centre[summary.high_row.astype(int)]
    return summary._replace(
        low_row=(block.top + low_at // width) * lattice.rows.step,
        low_column=(block.left + low_at % width) * lattice.columns.step,
        high_row=(block.top + high_at // width) * lattice.rows.step,
        high_column=(block.left + high_at % width) * lattice.columns.step,
    )


def _summary(
    sites: Integers,
    starts: npt.NDArray[np.intp],
    seen: npt.NDArray[np.floating],
    complete: npt.NDArray[np.bool_],
    limit_percent: float,
) -> Summary:
    """Return the summary of centres sorted by site; their positions stand for their places."""
    count = np.diff(starts, append=len(seen))
    reached = seen >= limit_percent
    sure = np.where(complete, seen, np.inf)
    low, low_at = _first_extreme(np.minimum, sure, starts, count)
    high, high_at = _first_extreme(np.maximum, seen, starts, count)
    whole = np.add.reduceat(complete, starts, dtype=np.int64)
    return Summary(
        sites,
        count,
        np.add.reduceat(reached, starts, dtype=np.int64),
        np.add.reduceat(complete & ~reached, starts, dtype=np.int64),
        count - whole,
        low,
        low_at,
        low_at,
        np.minimum.reduceat(seen, starts).astype(np.float64),
        high,
        high_at,
        high_at,
    )


def _first_extreme(
    extreme: np.ufunc,
    values: npt.NDArray[np.floating],
    starts: npt.NDArray[np.intp],
    count: Integers,
) -> tuple[Floats, Floats]:
    found = extreme.reduceat(values, starts)
    equal = np.flatnonzero(values == np.repeat(found, count))
    return found.astype(np.float64), equal[np.searchsorted(equal, starts)].astype(np.float64)


def _add(total: Summary, part: Summary) -> None:
    """Add a summary of some sites to the summary of all."""
    site = part.site
    for name in ("centres", "reached", "below", "incomplete"):
        getattr(total, name)[site] += getattr(part, name)
    total.least[site] = np.minimum(total.least[site], part.least)
    lower = part.low < total.low[site]
    higher = part.high > total.high[site]
    for name, better in (("low", lower), ("high", higher)):
        for suffix in ("", "_row", "_column"):
            key = name + suffix
            getattr(total, key)[site[better]] = getattr(part, key)[better]


def _along_boundaries(
    dem: Dem,
    geometries: Geometries,
    sites: npt.NDArray[np.intp],
    crs: pyproj.CRS,
    limit_percent: float,
    run_ft: float,
    progress: Progress,
) -> Summary:
    """Return the summary of points on the boundary and of one point inside of some sites."""
    if len(sites) == 0:
        return _nothing(0)
    outlines = shapely.boundary(geometries[sites])
    longest = np.maximum(_BOUNDARY_FT, shapely.length(outlines) / MOST_ON_BOUNDARY)
    outline, owner = shapely.get_coordinates(
        shapely.segmentize(outlines, longest), return_index=True
    )
    inner = shapely.get_coordinates(shapely.point_on_surface(geometries[sites]))
    xy = np.concatenate([inner, outline])
    owner = np.concatenate([np.arange(len(sites)), owner])
    order = np.argsort(owner, kind="stable")
    xy, owner = xy[order], owner[order]
    found = slope_at_points(dem, xy[:, 0], xy[:, 1], crs, run_ft=run_ft, progress=progress)
    seen = np.nan_to_num(found["seen_percent"].to_numpy(), nan=0.0)
    starts = np.searchsorted(owner, np.arange(len(sites)))
    summary = _summary(sites, starts, seen, found["complete"].to_numpy(), limit_percent)
    rows, columns = dem.cells(xy[:, 0], xy[:, 1], crs)
    low_at, high_at = summary.low_row.astype(int), summary.high_row.astype(int)
    return summary._replace(
        low_row=rows[low_at],
        low_column=columns[low_at],
        high_row=rows[high_at],
        high_column=columns[high_at],
    )
