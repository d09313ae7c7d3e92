"""Where on each site infiltration may stand, and the part of each site near water."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd
import shapely

from .facts import Floats, Texts, texts
from .features import Features, Geometries, Indices, firsts, has_geometry
from .geometry import distinct
from .gradient import LEVEL, UNKNOWN_SIDE, Pairs, find_pairs
from .progress import Progress, no_progress
from .setbacks import SETBACK_ROLES, Sides
from .threads import in_order
from .water import FACT_ROLES, ROLES, Coverage, WaterResult, joined

Booleans = npt.NDArray[np.bool_]

QUAD_SEGS: Final = 32
"""Segments of a quarter circle: the area of a disc is 0.04 percent too small, and an arc of 100 ft
runs at most 0.03 ft inside the true one. Areas only are taken from these shapes; what lies within
a distance is decided by the distance."""

WIDE_QUAD_SEGS: Final = 64
"""The same for zones of several hundred feet: at most 0.04 ft inside an arc of 500 ft."""

_SHOWN = 3
_CHUNK = 500


@dataclass(frozen=True)
class SetbackText:
    """Distances that one text of a law asks of an infiltration device.

    Attributes
    ----------
    down_ft
        Least distance from water that always counts, and from downgradient water and supplies.
    up_supply_ft
        Least distance from upgradient supplies, or None.
    leach_ft
        Least distance from leach fields, or None.
    leach_upgradient_only
        True where only a device upgradient of the leach field must keep that distance.
    """

    down_ft: float
    up_supply_ft: float | None = None
    leach_ft: float | None = None
    leach_upgradient_only: bool = False


@dataclass(frozen=True)
class ZoneResult:
    """Zones of the sites.

    Attributes
    ----------
    area_sqft
        One row a site, one column a text: where an infiltration device may stand, in square feet;
        NaN for a site without geometry.
    upper_bound
        Why these areas are the most that may be left, since a layer is missing; else empty.
    zones
        Polygons in the plane: ``row`` (place of the site, from 0), ``zone``, ``why``, ``area_sf``.
    """

    area_sqft: pd.DataFrame
    upper_bound: Texts
    zones: gpd.GeoDataFrame


def infiltration_zones(
    sites: gpd.GeoDataFrame,
    water: WaterResult,
    sides: Sides,
    setback_texts: Mapping[str, SetbackText],
    *,
    shapes: bool = True,
    workers: int | None = None,
    progress: Progress = no_progress,
) -> ZoneResult:
    """Cut from each site what lies too near to water, supplies and leach fields under each text.

    A feature that is level, or whose side is not known, is taken as if it lay on the side that
    asks for more. Supplies beside of which a site lies partly above and partly below count as both.

    Parameters
    ----------
    sites
        Polygons in a plane, in feet; may be None or empty.
    water
        Distances of the same sites.
    sides
        Features near the same sites with their sides, as far as the largest distance of the texts.
    setback_texts
        Texts by name; the name becomes the kind of zone, and ``not_`` before it that of the rest.
    shapes
        False: only the areas are wanted, and ``zones`` is empty.
    workers
        Threads; None: one for each processor.
    progress
        Called with the share done; raises to stop the run.

    Source
    ------
    Village of Lake George, sections 220-59A(3), 220-59A(8), 220-59B(1)(a)[4].
    """
    geometry = np.asarray(sites.geometry.array, dtype=object)
    there = has_geometry(geometry)
    bound = np.where(there, _lacking(water.coverage), "").astype(object)
    radius: npt.NDArray[Any] = np.array(
        [_radius_ft(water.features, sides, text) for text in setback_texts.values()]
    ).reshape(len(setback_texts), len(sides.pairs.place))
    radius = radius * (radius > sides.pairs.distance_ft)
    kept = _without(geometry, sides.pairs, radius, QUAD_SEGS, workers, progress)
    areas = pd.DataFrame(index=pd.RangeIndex(len(sites)))
    for name, left in zip(setback_texts, kept, strict=True):
        areas[name] = np.where(there, shapely.area(left), np.nan)
    parts = []
    if shapes:
        gone = _taken_off(geometry, kept, sides.pairs.place, radius)
        for name, left, taken, used in zip(setback_texts, kept, gone, radius, strict=True):
            parts += _allowed_and_not(name, left, taken, used, water.features, sides, bound)
    return ZoneResult(areas, bound, _frame(parts, sites))


def near_zone(
    sites: gpd.GeoDataFrame,
    water: WaterResult,
    distance_ft: float,
    *,
    name: str,
    roles: Sequence[str] = FACT_ROLES["water_or_wetland"],
    workers: int | None = None,
    progress: Progress = no_progress,
) -> gpd.GeoDataFrame:
    """Return the part of each site within a distance of features, with what makes it.

    Parameters
    ----------
    sites
        Polygons in a plane, in feet; may be None or empty.
    water
        Distances of the same sites.
    distance_ft
        Width of the zone, in feet.
    name
        Kind of zone, as ``zone_500ft``.
    roles
        Features that have the zone.
    workers
        Threads; None: one for each processor.
    progress
        Called with the share done; raises to stop the run.

    Returns
    -------
    geopandas.GeoDataFrame
        Columns of `ZoneResult.zones`; one row a site that the zone reaches.

    Source
    ------
    Village of Lake George, section 220-60C(2).
    """
    geometry = np.asarray(sites.geometry.array, dtype=object)
    pairs = find_pairs(geometry, water.features, roles, distance_ft)
    reached = _reached(pairs.place, len(geometry))
    # A site all of whose corners lie within the distance of one point lies within it as a whole.
    points = shapely.get_point(shapely.shortest_line(geometry[pairs.place], pairs.local), 1)
    deep = shapely.hausdorff_distance(geometry[pairs.place], points) <= distance_ft
    whole = _reached(pairs.place[deep], len(geometry))
    radius = np.where(whole[pairs.place], 0.0, distance_ft)
    left = _without(geometry, pairs, radius[None, :], WIDE_QUAD_SEGS, workers, progress)[0]
    zone = geometry.copy()
    partly = reached & ~whole
    zone[partly] = shapely.difference(geometry[partly], left[partly])
    names = water.features.label[pairs.feature]
    told = [
        f"{what} ({apart:.1f} ft)" for what, apart in zip(names, pairs.distance_ft, strict=True)
    ]
    why = _told(f"within {distance_ft:g} ft of ", told, pairs.place, pairs.distance_ft, len(sites))
    return _frame([_zone(name, zone, why, reached)], sites)


def _radius_ft(features: Features, sides: Sides, text: SetbackText) -> Floats:
    """Return how far infiltration must stay from each feature under a text; 0: as near as it likes.

    Level or unknown sides count as whichever asks for more.
    """
    return required_ft(sides.table.assign(role=features.role[sides.pairs.feature]), text)


def required_ft(table: pd.DataFrame, text: SetbackText) -> Floats:
    """Return how far infiltration must stay from each feature under a text; 0: no distance.

    Parameters
    ----------
    table
        ``role``, ``side``, and as booleans ``below``, ``above`` and ``always``, as
        `gradient.measure_sides` and the worksheet of the setbacks have them.
    text
        One text of the law.
    """
    role, side = table["role"].to_numpy(), table["side"].to_numpy()
    supply, leach = role == "WATER_SUPPLIES", role == "LEACH_FIELDS"
    doubtful = (side == LEVEL) | (side == UNKNOWN_SIDE)
    down = table["below"].to_numpy() | table["always"].to_numpy() | doubtful
    up = table["above"].to_numpy() | doubtful
    radius = np.where(~leach & down, text.down_ft, 0.0)
    radius = np.where(supply & up, np.maximum(radius, text.up_supply_ft or 0.0), radius)
    asked = leach & (down | (not text.leach_upgradient_only))
    return np.asarray(np.where(asked, text.leach_ft or 0.0, radius), np.float64)


def _without(
    geometry: Geometries,
    pairs: Pairs,
    radius: Floats,
    quad_segs: int,
    workers: int | None,
    progress: Progress,
) -> Geometries:
    """Return (texts, sites): each site less what lies within the radius of its features.

    ``radius`` has a row a text and a column a pair. Texts that ask the same of a site share the
    work, and sites share the widened pieces. Each piece is taken off by itself, the nearest first,
    since uniting them costs more.
    """
    result: Geometries = np.tile(geometry, (len(radius), 1))
    least = radius[:, pairs.link_pair]
    text, link = np.nonzero(least > pairs.link_ft)
    if not len(text):
        return result
    job = text * len(geometry) + pairs.place[pairs.link_pair[link]]
    order = np.lexsort((pairs.link_ft[link], job))
    text, link, job = text[order], link[order], job[order]
    shapes, shape_of = np.unique(
        np.column_stack([pairs.link_piece[link], least[text, link]]), axis=0, return_inverse=True
    )
    wide = _widened(pairs.pieces[shapes[:, 0].astype(np.int64)], shapes[:, 1], quad_segs, workers)
    starts = firsts(job)
    asked: dict[tuple[int, ...], int] = {}
    stops = [*starts[1:], len(job)]
    numbers = [int(number) for number in shape_of.ravel()]
    place = [int(number) for number in job[starts] % len(geometry)]
    same = [
        asked.setdefault((site, *numbers[start:stop]), len(asked))
        for site, start, stop in zip(place, starts, stops, strict=True)
    ]
    sites = np.array([key[0] for key in asked])
    different = [key[1:] for key in asked]

    def cut(chunk: slice) -> Geometries:
        return _cut_off(geometry[sites[chunk]], different[chunk], wide)

    chunks = [slice(start, start + _CHUNK) for start in range(0, len(different), _CHUNK)]
    left = []
    for part in in_order(cut, chunks, workers):
        left.append(part)
        progress(len(left) / len(chunks))
    result[np.divmod(job[starts], len(geometry))] = np.concatenate(left)[same]
    return result


def _widened(
    pieces: Geometries, radius: npt.NDArray[Any], quad_segs: int, workers: int | None
) -> Geometries:
    def widen(chunk: slice) -> Geometries:
        wide: Geometries = shapely.buffer(pieces[chunk], radius[chunk], quad_segs=quad_segs)
        return wide

    chunks = [slice(start, start + _CHUNK) for start in range(0, len(pieces), _CHUNK)]
    return np.concatenate(list(in_order(widen, chunks, workers)))


def _cut_off(
    geometry: Geometries, numbers: Sequence[tuple[int, ...]], wide: Geometries
) -> Geometries:
    """Return each geometry less the shapes whose numbers are listed for it."""
    count = np.array([len(group) for group in numbers])
    flat = np.concatenate([np.array(group) for group in numbers])
    first = np.cumsum(count) - count
    left = geometry.copy()
    for turn in range(count.max()):
        rows = np.flatnonzero((count > turn) & ~shapely.is_empty(left))
        left[rows] = shapely.difference(left[rows], wide[flat[first[rows] + turn]])
    return left


def _taken_off(
    geometry: Geometries, kept: Geometries, place: Indices, radius: Floats
) -> Geometries:
    """Return (texts, sites): what each text takes of each site that it reaches, else the site.

    Texts that ask the same of a site leave the same object of it, and so take the same.
    """
    reached = np.zeros(kept.shape, dtype=bool)
    text, pair = np.nonzero(radius)
    reached[text, place[pair]] = True
    text, site = np.nonzero(reached)
    left, number = distinct(kept[text, site])
    whole = np.empty(len(left), dtype=object)
    whole[number] = geometry[site]
    result: Geometries = np.tile(geometry, (len(kept), 1))
    result[text, site] = shapely.difference(whole, left)[number]
    return result


def _allowed_and_not(
    name: str,
    left: Geometries,
    gone: Geometries,
    radius: Floats,
    features: Features,
    sides: Sides,
    bound: Texts,
) -> list[pd.DataFrame]:
    used = radius > 0
    place = sides.pairs.place[used]
    cut = _reached(place, len(left))
    names = features.label[sides.pairs.feature[used]]
    distance = sides.pairs.distance_ft[used]
    shown = zip(names, distance, radius[used], _reasons(sides, used), strict=True)
    told = [
        f"{what} ({apart:.1f} ft from the site, {side}: keep {least:g} ft)"
        for what, apart, least, side in shown
    ]
    why = _told("too near to ", told, place, distance, len(left))
    rest = np.where(cut, "beyond all setbacks", "no setback reaches the site").astype(object)
    return [
        _zone(name, left, joined([rest, bound], "; "), has_geometry(left)),
        _zone(f"not_{name}", gone, why, cut),
    ]


def _reasons(sides: Sides, used: Booleans) -> Texts:
    side, by = (sides.table[name].to_numpy(object)[used] for name in ("side", "by"))
    side = np.where(np.char.find(by.astype(str), "path") >= 0, side + " by " + by, side)
    always = sides.table["always"].to_numpy()[used]
    return np.where(always, "counts whatever the gradient", side).astype(object)


def _told(prefix: str, told: Sequence[str], place: Indices, distance: Floats, count: int) -> Texts:
    """Return for each site the texts of its nearest few features, nearest first."""
    result = texts(count)
    order = np.lexsort((distance, place))
    sorted_place = place[order]
    starts = firsts(sorted_place)
    for start, stop in pairwise([*starts, len(order)]):
        chosen = [told[row] for row in order[start : min(stop, start + _SHOWN)]]
        more = stop - start - len(chosen)
        tail = [f"{more} more"] if more else []
        result[sorted_place[start]] = prefix + ", ".join([*chosen, *tail])
    return result


def _reached(place: Indices, count: int) -> Booleans:
    reached = np.zeros(count, dtype=bool)
    reached[place] = True
    return reached


def _lacking(coverage: Coverage) -> Texts:
    """Return what is not known at each site and could take more of it."""
    lacking = [
        np.where(coverage.complete[role], "", ROLES[role]).astype(object) for role in SETBACK_ROLES
    ]
    whole = joined(lacking, ", ")
    return np.where(whole == "", "", "at most, since not known: " + whole).astype(object)


def _zone(name: str, shapes: Geometries, why: Texts, chosen: Booleans) -> pd.DataFrame:
    row = np.flatnonzero(chosen & has_geometry(shapes))
    return pd.DataFrame(
        {
            "row": row,
            "zone": name,
            "why": why[row],
            "area_sf": shapely.area(shapes[row]),
            "geometry": shapes[row],
        }
    )


def _frame(parts: Sequence[pd.DataFrame], sites: gpd.GeoDataFrame) -> gpd.GeoDataFrame:
    nothing = np.zeros(0, dtype=bool)
    whole = [*parts] or [_zone("", np.empty(0, dtype=object), texts(0), nothing)]
    table = pd.concat(whole, ignore_index=True)
    table = table.sort_values("row", kind="stable", ignore_index=True)
    return gpd.GeoDataFrame(table, geometry="geometry", crs=sites.crs)
