"""On which side of a site water lies: upgradient, downgradient, level, or not known.

The side is that of the ground's surface. Groundwater may flow otherwise, so a side never decides a
setback in favour of a site; it only tells which text applies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyproj
import shapely

from .facts import Floats
from .features import Features, Geometries, Indices
from .progress import Progress, no_progress
from .threads import in_order
from .tolerances import DISTANCE_FT, ELEVATION_FT

DOWNGRADIENT: Final = "downgradient"
UPGRADIENT: Final = "upgradient"
LEVEL: Final = "level"
UNKNOWN_SIDE: Final = "unknown"

PROBE_STEP_FT: Final = 20.0
"""Distance between the places of a site that are compared with the water, in feet."""

MOST_PROBES: Final = 400
"""Most lattice places of a site that are compared with one feature; larger ones get wider steps."""

_CHUNK = 500


class Ground(Protocol):
    """Something that knows the elevation of the ground, as `stormwater_screen.dem.Dem` does."""

    def elevation_ft(self, x: Floats, y: Floats, crs: pyproj.CRS) -> Floats:
        """Return elevations in international feet, NaN where they are not known."""


@dataclass(frozen=True)
class Pairs:
    """Places (sites or devices) and the features within reach of each.

    Attributes
    ----------
    place, feature
        Number of the place and of the feature.
    local
        The part of the feature within reach, as a collection of small pieces.
    distance_ft
        Distance between the two, in feet; 0 where they touch or overlap.
    pieces
        Pieces of which the local parts are made.
    link_pair, link_piece, link_ft
        Which piece is part of which pair, and its distance from the place, in feet.
    """

    place: Indices
    feature: Indices
    local: Geometries
    distance_ft: Floats
    pieces: Geometries
    link_pair: Indices
    link_piece: Indices
    link_ft: Floats


def find_pairs(
    geometry: Geometries, features: Features, roles: Sequence[str], reach_ft: float
) -> Pairs:
    """Find all features of the roles within reach of each place, sorted by place and feature.

    Parameters
    ----------
    geometry
        Polygons or points in the plane of the features, in feet; None and empty find nothing.
    features
        Features in the same plane.
    roles
        Roles to look at.
    reach_ft
        How far to look, in feet.
    """
    pieces, piece_feature = features.pieces_of(roles)
    place, piece = shapely.STRtree(pieces).query(
        geometry, predicate="dwithin", distance=reach_ft + DISTANCE_FT
    )
    feature = piece_feature[piece]
    order = np.lexsort((piece, feature, place))
    place, piece, feature = place[order], piece[order], feature[order]
    fresh = np.ones(len(place), dtype=bool)
    fresh[1:] = (np.diff(place) != 0) | (np.diff(feature) != 0)
    first, pair = np.flatnonzero(fresh), np.cumsum(fresh) - 1
    apart = shapely.distance(geometry[place], pieces[piece])
    apart = np.where(apart < DISTANCE_FT, 0.0, apart)
    if not len(first):
        nothing = np.empty(0, dtype=object)
        return Pairs(first, first, nothing, apart, pieces, pair, piece, apart)
    local = shapely.geometrycollections(pieces[piece], indices=pair)
    least = np.minimum.reduceat(apart, first)
    return Pairs(place[first], feature[first], local, least, pieces, pair, piece, apart)


def measure_sides(
    geometry: Geometries,
    pairs: Pairs,
    ground: Ground | None,
    crs: pyproj.CRS,
    *,
    reach_ft: float,
    dem_error_ft: float,
    workers: int | None = None,
    progress: Progress = no_progress,
) -> pd.DataFrame:
    """Compare the ground of each place with that of each feature within reach.

    The part of the place within reach of the feature is probed every ``PROBE_STEP_FT``, along its
    outline and inside, and each probe is compared with the feature's point nearest to it. Where any
    probe lies above the water by more than the error of the difference, the water is downgradient:
    a device might stand there. Else, where any lies below by more, it is upgradient. Else it is
    level. Where a needed elevation is not known and no probe is seen to lie above, the side is
    unknown.

    Parameters
    ----------
    geometry
        Places in the plane, in feet.
    pairs
        Their features within reach.
    ground
        Elevations, or None: every side is unknown.
    crs
        The plane.
    reach_ft
        How far from the feature the place is probed, in feet.
    dem_error_ft
        Error of one elevation, in feet; that of a difference is larger by the square root of 2.
    workers
        Threads; None: one for each processor.
    progress
        Called with the share done; raises to stop the run.

    Returns
    -------
    pandas.DataFrame
        One row a pair: ``bearing_deg`` (from the place to the water, clockwise from the plane's
        north), ``place_ft`` and ``water_ft`` (elevations at the two nearest points),
        ``highest_ft`` and ``lowest_ft`` (largest and least height of the place above the water;
        NaN where not known), ``side``, ``below`` and ``above`` (True where some of the place lies
        surely above, or below, the water: the water is below, or above), ``unseen`` (True where a
        needed elevation is not known).
    """
    count = len(pairs.place)
    ends = _nearest_points(geometry[pairs.place], pairs.local)
    table = pd.DataFrame({"bearing_deg": _bearing(geometry[pairs.place], ends)})
    columns = ("place_ft", "water_ft", "highest_ft", "lowest_ft")
    numbers = {name: np.full(count, np.nan) for name in columns}
    unseen = np.ones(count, dtype=bool)
    if ground is not None:
        chunks = [slice(start, start + _CHUNK) for start in range(0, count, _CHUNK)]
        probes = in_order(
            lambda chunk: _probes(
                geometry[pairs.place[chunk]], pairs.local[chunk], ends[chunk], reach_ft
            ),
            chunks,
            workers,
        )
        # The ground is asked in one thread: a raster file is not read by two at once.
        for chunk, (xy, water, pair) in zip(chunks, probes, strict=True):
            size = len(ends[chunk])
            heights = _elevations(ground, np.concatenate([xy, water]), crs)
            place_ft, water_ft = heights.reshape(2, -1)
            numbers["place_ft"][chunk], numbers["water_ft"][chunk] = (
                place_ft[:size],
                water_ft[:size],
            )
            height = place_ft - water_ft
            numbers["highest_ft"][chunk] = _extreme(np.fmax, height, pair, size)
            numbers["lowest_ft"][chunk] = _extreme(np.fmin, height, pair, size)
            unseen[chunk] = np.bincount(pair, np.isnan(height), minlength=size) > 0
            progress(min(1.0, chunk.stop / count))
    table = table.assign(**numbers)
    return _judge(table, unseen, difference_error_ft(dem_error_ft))


def difference_error_ft(dem_error_ft: float) -> float:
    """Return the error of a difference of two elevations, of which each has an error, in feet."""
    return float(dem_error_ft * np.sqrt(2) + ELEVATION_FT)


def _judge(table: pd.DataFrame, unseen: npt.NDArray[np.bool_], band_ft: float) -> pd.DataFrame:
    below = table["highest_ft"].to_numpy() > band_ft  # NaN compares as False
    above = table["lowest_ft"].to_numpy() < -band_ft
    side = np.select(
        [below, unseen, above], [DOWNGRADIENT, UNKNOWN_SIDE, UPGRADIENT], default=LEVEL
    )
    return table.assign(side=side.astype(object), below=below, above=above, unseen=unseen)


def _extreme(ufunc: np.ufunc, values: Floats, group: Indices, count: int) -> Floats:
    result = np.full(count, np.nan)
    ufunc.at(result, group, values)
    return result


def _nearest_points(geometry: Geometries, local: Geometries) -> Floats:
    """Return (n, 2, 2): for each pair the place's point and the water's point, as x and y."""
    lines = shapely.shortest_line(geometry, local)
    return np.asarray(shapely.get_coordinates(lines), dtype=np.float64).reshape(-1, 2, 2)


def _bearing(geometry: Geometries, ends: Floats) -> Floats:
    step = ends[:, 1] - ends[:, 0]
    touching = np.hypot(*step.T) < DISTANCE_FT
    inner = shapely.get_coordinates(shapely.point_on_surface(geometry[touching]))
    step[touching] = ends[touching, 1] - inner
    bearing: Floats = np.degrees(np.arctan2(step[:, 0], step[:, 1])) % 360.0
    return np.where((step == 0).all(1), np.nan, bearing)


def _probes(
    geometry: Geometries, local: Geometries, ends: Floats, reach_ft: float
) -> tuple[Floats, Floats, Indices]:
    """Return the places of the probes, the water's point nearest to each, and its pair.

    The first probes, one a pair, are the nearest points of the two.
    """
    outline, outline_pair = _outline(geometry)
    lattice, lattice_pair = _lattice(geometry, local, reach_ft)
    xy = np.concatenate([outline, lattice])
    pair = np.concatenate([outline_pair, lattice_pair])
    window = shapely.bounds(local)[pair] + np.array([-reach_ft, -reach_ft, reach_ft, reach_ft])
    near = ((xy >= window[:, :2]) & (xy <= window[:, 2:])).all(1)
    xy, pair = xy[near], pair[near]
    water = _nearest_on(local, pair, xy)
    near = np.hypot(*(water - xy).T) <= reach_ft
    return (
        np.concatenate([ends[:, 0], xy[near]]),
        np.concatenate([ends[:, 1], water[near]]),
        np.concatenate([np.arange(len(ends)), pair[near]]),
    )


def _nearest_on(local: Geometries, pair: Indices, xy: Floats) -> Floats:
    """Return the point of each pair's local part that is nearest to a place, as x and y."""
    single = shapely.get_num_coordinates(local) == 1
    points = np.full((len(local), 2), np.nan)
    points[single] = shapely.get_coordinates(local[single])
    nearest = points[pair]
    rest = ~single[pair]
    lines = shapely.shortest_line(shapely.points(xy[rest]), local[pair[rest]])
    nearest[rest] = shapely.get_coordinates(lines).reshape(-1, 2, 2)[:, 1]
    return nearest


def _elevations(ground: Ground, xy: Floats, crs: pyproj.CRS) -> Floats:
    """Return the elevation at each place; one that several pairs look at is asked for once."""
    number, places = pd.factorize(xy.view(np.complex128)[:, 0])
    heights: Floats = np.asarray(ground.elevation_ft(places.real, places.imag, crs))[number]
    return heights


def _outline(geometry: Geometries) -> tuple[Floats, Indices]:
    # Long outlines get wider steps, so that one huge site does not hold up a run.
    step = np.maximum(PROBE_STEP_FT, shapely.length(geometry) / MOST_PROBES)
    xy, pair = shapely.get_coordinates(shapely.segmentize(geometry, step), return_index=True)
    return xy, pair


def _lattice(geometry: Geometries, local: Geometries, reach_ft: float) -> tuple[Floats, Indices]:
    """Return the places of a lattice, fixed in the plane, that lie inside each geometry."""
    own, other = shapely.bounds(geometry), shapely.bounds(local)
    low = np.maximum(own[:, :2], other[:, :2] - reach_ft)
    high = np.minimum(own[:, 2:], other[:, 2:] + reach_ft)
    spread = np.maximum(high - low, 0.0)
    wanted = (spread[:, 0] + PROBE_STEP_FT) * (spread[:, 1] + PROBE_STEP_FT) / PROBE_STEP_FT**2
    step = PROBE_STEP_FT * 2.0 ** np.ceil(np.maximum(0.0, np.log2(wanted / MOST_PROBES) / 2))
    first = np.ceil(low / step[:, None]).astype(np.int64)
    count = np.maximum(np.floor(high / step[:, None]).astype(np.int64) - first + 1, 0)
    total = count[:, 0] * count[:, 1]
    pair = np.repeat(np.arange(len(total)), total)
    number = np.arange(total.sum()) - np.repeat(np.cumsum(total) - total, total)
    column, row = number % count[pair, 0], number // count[pair, 0]
    xy = (first[pair] + np.column_stack([column, row])) * step[pair, None]
    inside = shapely.contains_xy(geometry[pair], xy[:, 0], xy[:, 1])
    return xy[inside], pair[inside]
