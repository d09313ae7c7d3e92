"""How far sites and infiltration devices stand from water, by the side on which it lies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd
import shapely

from .facts import Fact, Quantity, Texts, missing_quantity, texts
from .features import Features, Geometries, Indices, firsts, has_geometry, nearest_of
from .figures import figures_column
from .gradient import UNKNOWN_SIDE, Ground, Pairs, find_pairs, measure_sides
from .outcomes import REVIEW, UNKNOWN
from .path_sides import decide_sides
from .progress import Progress, no_progress, part_of
from .tolerances import DISTANCE_FT
from .water import FACT_ROLES, Coverage, WaterResult, distance_quantity, joined

Booleans = npt.NDArray[np.bool_]
Follow = Callable[[Sequence[tuple[Geometries, Pairs]], Progress], Sequence[pd.DataFrame]]

WATER_ROLES: Final = ("WATER_BODIES", "WATERCOURSES")
SETBACK_ROLES: Final = (*WATER_ROLES, "WATER_SUPPLIES", "LEACH_FIELDS")

NO_DEVICE: Final = "where the infiltration device will stand"

DEVICE_FACTS: Final = ("device_down", "device_up_supply", "device_leach", "device_leach_up")

DETAIL_COLUMNS: Final = (
    "row", "id", "outcome", "value", "unit", "text", "source", "layer", "role", "name",
    "distance_ft", "bearing_deg", "place_ft", "water_ft", "highest_ft", "lowest_ft", "side",
    "figures",
)  # fmt: skip

_FIGURES = (
    "role", "distance_ft", "bearing_deg", "place_ft", "water_ft", "highest_ft", "lowest_ft",
    "side", "below", "above", "always", "by", "path",
)  # fmt: skip

_DOWN_ROLES = (*WATER_ROLES, "WATER_SUPPLIES")
_BASES = ("water", "supply", "leach")
_TOLD = (
    "distance_ft", "bearing_deg", "highest_ft", "lowest_ft", "side", "always", "by", "path",
)  # fmt: skip


@dataclass(frozen=True)
class Sides:
    """Features within reach of places, with the side on which each lies.

    Attributes
    ----------
    pairs
        Places and features.
    table
        What `path_sides.decide_sides` says of each pair, and ``always``: True where the feature
        counts whatever its side.
    """

    pairs: Pairs
    table: pd.DataFrame


@dataclass(frozen=True)
class SetbackResult:
    """Setbacks of sites and devices.

    Attributes
    ----------
    facts
        ``setback_down``, ``setback_up_supply``, ``device_down``, ``device_up_supply``,
        ``device_leach``, ``device_leach_up``, in feet.
    details
        One row a site and feature within reach: ``row`` (place of the site, from 0), ``id``,
        ``outcome``, ``value``, ``unit``, ``text``, ``source``, and the worksheet of the gradient:
        ``layer``, ``role``, ``name``, ``distance_ft``, ``bearing_deg``, ``place_ft``,
        ``water_ft``, ``highest_ft``, ``lowest_ft``, ``side``.
    sides
        The same, for the zones.
    unplaced_devices
        Devices that lie on no site.
    """

    facts: dict[str, Fact]
    details: pd.DataFrame
    sides: Sides
    unplaced_devices: int


def measure_setbacks(
    sites: gpd.GeoDataFrame,
    water: WaterResult,
    *,
    devices: gpd.GeoDataFrame | None,
    ground: Ground | None,
    reach_ft: float,
    dem_error_ft: float,
    always_counted: Sequence[str] = (),
    follow: Follow | None = None,
    workers: int | None = None,
    progress: Progress = no_progress,
) -> SetbackResult:
    """Measure the distance from sites and devices to water and supplies on each side.

    A surface gradient is only a proxy: where the nearest feature that surely lies on the side in
    question is farther than one whose side is another, the distance is left between the two. A
    side that is not known for want of elevations leaves it unknown, else it is for review.

    Parameters
    ----------
    sites
        Polygons in a plane, in feet; may be None or empty.
    water
        Distances of the same sites.
    devices
        Points or polygons of infiltration devices in the plane, or None.
    ground
        Elevations, or None.
    reach_ft
        Largest distance that a text asks for, in feet. Sides are not looked at beyond it; there
        the distance to the nearest feature of any side stands.
    dem_error_ft
        Error of one elevation, in feet.
    always_counted
        Names of water bodies that count whatever their side, in any letter case.
    follow
        Follows runoff from the places of each of several pairs and returns what `drainage.Watch`
        saw of them; None: elevation alone decides the sides.
    workers
        Threads; None: one for each processor.
    progress
        Called with the share done; raises to stop the run.

    Source
    ------
    Village of Lake George, sections 220-59A(3), 220-59A(8), 220-59B(1)(a)[4].
    """
    geometry = np.asarray(sites.geometry.array, dtype=object)
    site, device, outside = _place_devices(geometry, devices)
    places = [geometry] if device is None else [geometry, device]
    near = [find_pairs(some, water.features, SETBACK_ROLES, reach_ft) for some in places]
    paths: Sequence[pd.DataFrame | None] = [None] * len(places)
    if follow is not None:
        paths = follow(list(zip(places, near, strict=True)), part_of(progress, 0.1, 0.5))

    def look(number: int, report: Progress) -> Sides:
        pairs = near[number]
        table = measure_sides(
            places[number],
            pairs,
            ground,
            sites.crs,
            reach_ft=reach_ft,
            dem_error_ft=dem_error_ft,
            workers=workers,
            progress=report,
        )
        table = decide_sides(table, paths[number], reach_ft)
        wanted = [name.strip().casefold() for name in always_counted]
        names = np.array([name.casefold() for name in water.features.name], dtype=object)
        return Sides(pairs, table.assign(always=np.isin(names, wanted)[pairs.feature]))

    sides = look(0, part_of(progress, 0.5, 0.9))
    by_side = _facts_by_side({name: _quantity(water, name) for name in _BASES}, water, sides)
    facts: dict[str, Fact] = {f"setback_{name}": by_side[name] for name in ("down", "up_supply")}
    if device is None:
        why = "no infiltration devices given"
        facts |= dict.fromkeys(DEVICE_FACTS, _no_device(len(sites), why))
    else:
        bases = _device_distances(device, site, water)
        found = _facts_by_side(bases, water, look(1, part_of(progress, 0.9, 1.0)))
        found["leach"] = bases["leach"]
        facts |= {f"device_{name}": _least(found[name], site, len(sites)) for name in found}
    progress(1.0)
    return SetbackResult(facts, _details(sides, water.features), sides, outside)


def _quantity(water: WaterResult, name: str) -> Quantity:
    fact = water.facts[name]
    assert isinstance(fact, Quantity)
    return fact


def _no_device(count: int, reason: str) -> Quantity:
    return missing_quantity(count, "ft", reason=reason, settle=NO_DEVICE)


def _facts_by_side(
    bases: dict[str, Quantity], water: WaterResult, sides: Sides
) -> dict[str, Quantity]:
    """Return the distances ``down``, ``up_supply`` and ``leach_up`` from distances of any side."""
    sure = ~water.features.doubtful[sides.pairs.feature]
    table = sides.table[["below", "above", "always"]].mul(sure, axis=0)
    counted = table["below"] | table["always"]
    return {
        "down": _by_side([bases["water"], bases["supply"]], _DOWN_ROLES, counted, water, sides),
        "up_supply": _by_side(
            [bases["supply"]], FACT_ROLES["supply"], table["above"], water, sides
        ),
        "leach_up": _by_side([bases["leach"]], FACT_ROLES["leach"], table["below"], water, sides),
    }


def _by_side(
    bases: Sequence[Quantity],
    roles: Sequence[str],
    counted: pd.Series,
    water: WaterResult,
    sides: Sides,
) -> Quantity:
    """Return the distance to the nearest feature that counts, from 0 or the nearest of any side."""
    pairs, count = sides.pairs, len(bases[0].low)
    asked = np.isin(water.features.role, list(roles))[pairs.feature]
    sure = asked & counted.to_numpy()
    low = np.minimum.reduce([base.low for base in bases])
    farthest = np.minimum.reduce([base.high for base in bases])
    high = np.where(_any_of_place(pairs, asked, count), np.inf, farthest)
    np.minimum.at(high, pairs.place[sure], pairs.distance_ft[sure])
    high = np.where(high - low < DISTANCE_FT, low, high)
    # Of several layers the one whose error reaches farthest towards the site counts.
    reached = np.minimum.reduce([base.low - base.error for base in bases])
    error = np.where(np.isfinite(low), low - reached, bases[0].error)
    doubtful = asked & ~sure & (pairs.distance_ft < high[pairs.place])
    unseen = doubtful & sides.table["unseen"].to_numpy()
    lacking = np.logical_or.reduce(
        [np.isnan(base.value) & (base.low == 0) & (base.between == UNKNOWN) for base in bases]
    )
    reason, settle = _doubts(pairs, doubtful, sides.table, water.features, count)
    source = bases[0].source
    for base in bases[1:]:
        source = np.where(base.high < bases[0].high, base.source, source)
    return replace(
        bases[0],
        value=np.where(low == high, low, np.nan),
        low=low,
        high=high,
        error=error,
        between=np.where(lacking | _any_of_place(pairs, unseen, count), UNKNOWN, REVIEW),
        source=source.astype(object),
        reason=joined([*(_where(base.reason, base.low < high) for base in bases), reason], "; "),
        settle=joined([*(_where(base.settle, base.low < high) for base in bases), settle], "; "),
    )


def _where(words: Texts, chosen: Booleans) -> Texts:
    return np.where(chosen, words, "").astype(object)


def _any_of_place(pairs: Pairs, chosen: Booleans, count: int) -> Booleans:
    found: Booleans = np.bincount(pairs.place[chosen], minlength=count) > 0
    return found


def _doubts(
    pairs: Pairs, doubtful: Booleans, table: pd.DataFrame, features: Features, count: int
) -> tuple[Texts, Texts]:
    """Return for each place what is doubtful about the nearest doubtful feature, and its remedy."""
    rows = np.flatnonzero(doubtful)
    rows = rows[np.lexsort((pairs.distance_ft[rows], pairs.place[rows]))]
    rows = rows[firsts(pairs.place[rows])]
    names = features.label[pairs.feature[rows]]
    reason, settle = texts(count), texts(count)
    sides = table["side"].to_numpy()[rows]
    unseen = table["unseen"].to_numpy()[rows]
    for row, name, side, hidden in zip(rows, names, sides, unseen, strict=True):
        what = f"{name} at {pairs.distance_ft[row]:.1f} ft"
        reason[pairs.place[row]] = (
            f"no elevation tells on which side lies {what}"
            if hidden
            else f"no path of runoff tells on which side lies {what}"
            if side == UNKNOWN_SIDE
            else f"{what} is {side} by the ground's surface, which is only a proxy for groundwater"
        )
        settle[pairs.place[row]] = (
            f"elevations between the site and {name}"
            if hidden
            else f"which way groundwater flows near {name}"
        )
    return reason, settle


def _place_devices(
    geometry: Geometries, devices: gpd.GeoDataFrame | None
) -> tuple[Indices, Geometries | None, int]:
    """Return the site and the geometry of each device on a site, and how many lie on none."""
    if devices is None:
        return np.empty(0, np.int64), None, 0
    shapes = np.asarray(devices.geometry.array, dtype=object)
    site, device = shapely.STRtree(shapes).query(geometry, predicate="intersects")
    # A trench along a lot line is no device of the neighbour; a point on it is one of both.
    beside = shapely.touches(geometry[site], shapes[device])
    kept = ~(beside & (shapely.get_dimensions(shapes[device]) == 2))
    outside = int(has_geometry(shapes).sum()) - len(np.unique(device[kept]))
    return site[kept], shapes[device[kept]], outside


def _device_distances(
    devices: Geometries, site: Indices, water: WaterResult
) -> dict[str, Quantity]:
    known = Coverage(
        {role: complete[site] for role, complete in water.coverage.complete.items()},
        {role: reason[site] for role, reason in water.coverage.reason.items()},
    )
    distances = {}
    for name in _BASES:
        roles = FACT_ROLES[name]
        distances[name] = distance_quantity(
            nearest_of(water.features, roles, water.searched_ft)(devices),
            nearest_of(water.features, roles, water.searched_ft, sure=False)(devices),
            water.features,
            known,
            roles,
            devices,
            error_ft=water.error_ft[name],
            searched_ft=water.searched_ft,
        )
    return distances


def _least(found: Quantity, site: Indices, count: int) -> Quantity:
    """Return the least distance over the devices of each site."""
    order = np.lexsort((found.high, found.low, site))
    first = order[firsts(site[order])]
    has = site[first]
    whole = _no_device(count, "no infiltration device on the site")
    whole = replace(whole, hides=found.hides, tolerance=found.tolerance)
    for name in ("low", "source", "reason", "settle", "between"):
        getattr(whole, name)[has] = getattr(found, name)[first]
    np.minimum.at(whole.high, site, found.high)
    reached = np.full(count, np.inf)
    np.minimum.at(reached, site, found.low - found.error)
    whole.error[has] = np.where(np.isfinite(whole.low[has]), whole.low[has] - reached[has], 0.0)
    open_ones = found.low < whole.high[site]
    np.maximum.at(whole.between, site[open_ones], found.between[open_ones])
    whole.value[has] = np.where(whole.low[has] == whole.high[has], whole.low[has], np.nan)
    return whole


def _details(sides: Sides, features: Features) -> pd.DataFrame:
    """Return the worksheet of the gradient, one row a site and feature."""
    pairs = sides.pairs
    table = sides.table.assign(
        row=pairs.place,
        id="gradient",
        outcome="info",
        value=pairs.distance_ft,
        unit="ft",
        source=features.layer[pairs.feature],
        layer=features.layer[pairs.feature],
        role=features.role[pairs.feature],
        name=features.name[pairs.feature],
        distance_ft=pairs.distance_ft,
    )
    names = features.label[pairs.feature]
    shown = zip(names, *(table[column].to_numpy() for column in _TOLD), strict=True)
    table["text"] = np.array([_sentence(*values) for values in shown], dtype=object)
    figures = {column: table[column] for column in _FIGURES}
    table["figures"] = figures_column({**figures, "name": names})
    return table[[*DETAIL_COLUMNS]]


def _sentence(
    name: str,
    distance: float,
    bearing: float,
    highest: float,
    lowest: float,
    side: str,
    always: bool,
    by: str,
    path: str,
) -> str:
    where = "touches the site" if distance == 0 else f"lies {distance:.1f} ft from the site"
    towards = "" if np.isnan(bearing) else f" (bearing {bearing:.0f} degrees)"
    ground = (
        "no elevation"
        if np.isnan(highest)
        else f"the site within reach lies {lowest:+.1f} to {highest:+.1f} ft from its level"
    )
    counted = "; counts whatever the gradient" if always else ""
    decided = f"{side} by {by}" if by else side
    told = f"; {path}" if path else ""
    return f"{name} {where}{towards}: {decided}, {ground}{told}{counted}"
