"""Distance from each site to water bodies, watercourses, wetlands, water supplies, leach fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd

from .coverage import NO_GEOMETRY, find_covered
from .facts import Fact, Quantity, Texts, texts
from .features import (
    Features,
    Geometries,
    Nearest,
    WaterLayer,
    gather,
    has_geometry,
    nearer,
    nearest_of,
)
from .outcomes import NO, REVIEW, UNKNOWN, YES, Outcomes, any_of, words
from .progress import Progress, no_progress, part_of
from .threads import in_order
from .tolerances import DISTANCE_FT

Booleans = npt.NDArray[np.bool_]

ROLES: Final[dict[str, str]] = {
    "WATER_BODIES": "water bodies",
    "WATERCOURSES": "watercourses",
    "WETLANDS": "wetlands",
    "WATER_SUPPLIES": "drinking-water supplies",
    "LEACH_FIELDS": "leach fields",
}
"""Parameters that bring water layers, and what they hold."""

SUPPLY_FACTS: Final = ("supply", "leach")
"""Facts whose positional error is that of supplies."""

FACT_ROLES: Final[dict[str, tuple[str, ...]]] = {
    "water": ("WATER_BODIES", "WATERCOURSES"),
    "water_or_wetland": ("WATER_BODIES", "WATERCOURSES", "WETLANDS"),
    "wetland": ("WETLANDS",),
    "supply": ("WATER_SUPPLIES",),
    "leach": ("LEACH_FIELDS",),
}
"""Facts, and the roles that must all be complete for a decided no."""

WITHIN_COLUMNS: Final[dict[str, tuple[float, tuple[str, ...]]]] = {
    "in_35ft": (35.0, ("water", "supply")),
    "in_50ft": (50.0, ("water", "supply")),
    "in_100ft": (100.0, ("water", "supply")),
    "in_500ft": (500.0, ("water_or_wetland",)),
}
"""Columns, the distance in feet that each is named after, and the facts that it looks at."""

_SEARCHED = ("water", "wetland", "supply", "leach")
_CHUNK = 2_500


@dataclass(frozen=True)
class Coverage:
    """Where the layers of each role are complete.

    Attributes
    ----------
    complete
        By role, True for the sites that a layer covers.
    reason
        By role, why a site is not covered; empty where it is.
    """

    complete: dict[str, Booleans]
    reason: dict[str, Texts]


@dataclass(frozen=True)
class WaterResult:
    """Distances to water.

    Attributes
    ----------
    facts
        ``water``, ``water_or_wetland``, ``wetland``, ``supply``, ``leach``, in feet.
    columns
        ``water_ft``, ``water_nm``, ``supply_ft``, ``in_35ft``, ``in_50ft``, ``in_100ft``,
        ``in_500ft``.
    features
        All features, for the measures of setbacks and zones.
    coverage
        Where the layers are complete.
    error_ft
        Positional error of each fact, in feet.
    searched_ft
        How far features were searched, in feet.
    """

    facts: dict[str, Fact]
    columns: pd.DataFrame
    features: Features
    coverage: Coverage
    error_ft: dict[str, float]
    searched_ft: float


def measure_water(
    sites: gpd.GeoDataFrame,
    layers: Sequence[WaterLayer],
    *,
    coverage: gpd.GeoDataFrame | None = None,
    water_error_ft: float = 40.0,
    supply_error_ft: float = 40.0,
    searched_ft: float = np.inf,
    workers: int | None = None,
    progress: Progress = no_progress,
) -> WaterResult:
    """Measure the distance from each site to the nearest feature of each role.

    A layer that is missing, empty or does not cover a site leaves its distance between 0 and the
    nearest feature found: near water it can still decide, a `no` it cannot give.

    Parameters
    ----------
    sites
        Polygons in a plane, in feet; may be None or empty.
    layers
        Layers in the same plane, several of a role allowed.
    coverage
        Polygons inside which all layers are complete, in the same plane; None: a layer is complete
        up to one mile outside its extent.
    water_error_ft, supply_error_ft
        Positional error of mapped water and wetlands, and of supplies and leach fields, in feet.
    searched_ft
        How far from every site features were read, in feet; what lies farther counts as not found,
        so that the answer does not depend on the other sites of a run.
    workers
        Threads; None: one for each processor.
    progress
        Called with the share done; raises to stop the run.

    Source
    ------
    Village of Lake George, sections 220-59A(8), 220-59B(1)(a)[4], 220-60C(2), 220-62A(1).
    """
    geometry = np.asarray(sites.geometry.array, dtype=object)
    features = gather(layers)
    known = find_coverage(geometry, layers, coverage)
    errors = dict.fromkeys(FACT_ROLES, water_error_ft)
    errors |= dict.fromkeys(SUPPLY_FACTS, supply_error_ft)
    found: dict[str, Nearest] = {}
    any_found: dict[str, Nearest] = {}
    for number, name in enumerate(_SEARCHED):
        part = part_of(progress, number / len(_SEARCHED), (number + 1) / len(_SEARCHED))
        search = nearest_of(features, FACT_ROLES[name], searched_ft)
        found[name] = any_found[name] = _in_chunks(search, geometry, workers, part)
        if features.doubtful[np.isin(features.role, FACT_ROLES[name])].any():
            search = nearest_of(features, FACT_ROLES[name], searched_ft, sure=False)
            any_found[name] = _in_chunks(search, geometry, workers, part_of(part, 1.0, 1.0))
    for nearest in (found, any_found):
        nearest["water_or_wetland"] = nearer(nearest["water"], nearest["wetland"])
    facts: dict[str, Fact] = {
        name: distance_quantity(
            found[name],
            any_found[name],
            features,
            known,
            roles,
            geometry,
            error_ft=errors[name],
            searched_ft=searched_ft,
        )
        for name, roles in FACT_ROLES.items()
    }
    columns = _columns(facts, found, features)
    return WaterResult(facts, columns, features, known, errors, searched_ft)


def find_coverage(
    geometry: Geometries, layers: Sequence[WaterLayer], coverage: gpd.GeoDataFrame | None
) -> Coverage:
    """Find for each role which sites its layers cover.

    Parameters
    ----------
    geometry
        Sites in a plane, in feet.
    layers
        Layers in the same plane.
    coverage
        Polygons inside which the layers are complete, or None.
    """
    complete: dict[str, Booleans] = {}
    reason: dict[str, Texts] = {}
    for role, what in ROLES.items():
        given = [layer for layer in layers if layer.role == role]
        covered = find_covered(
            geometry,
            [layer.extent for layer in given],
            coverage,
            what=what,
            names=[layer.name for layer in given],
            role=role,
        )
        complete[role], reason[role] = covered.complete, covered.reason
    return Coverage(complete, reason)


def _in_chunks(
    search: Callable[[Geometries], Nearest],
    geometry: Geometries,
    workers: int | None,
    progress: Progress,
) -> Nearest:
    chunks = [geometry[start : start + _CHUNK] for start in range(0, len(geometry), _CHUNK)]
    parts: list[Nearest] = []
    for part in in_order(search, chunks, workers):
        parts.append(part)
        progress(len(parts) / len(chunks))
    return Nearest(
        np.concatenate([np.empty(0), *(part.distance_ft for part in parts)]),
        np.concatenate([np.empty(0, np.int64), *(part.feature for part in parts)]),
    )


def distance_quantity(
    found: Nearest,
    any_found: Nearest,
    features: Features,
    coverage: Coverage,
    roles: Sequence[str],
    geometry: Geometries,
    *,
    error_ft: float,
    searched_ft: float = np.inf,
) -> Quantity:
    """Return distances as a fact, with bounds where a layer is not complete.

    Parameters
    ----------
    found, any_found
        Nearest features of the roles, without and with doubtful ones.
    features
        The features they are numbers of.
    coverage
        Where the layers are complete.
    roles
        Roles that must all be complete for the distance to be known.
    geometry
        The sites.
    error_ft
        Positional error of the layers, in feet.
    searched_ft
        How far features were searched, in feet.
    """
    count = len(geometry)
    there = has_geometry(geometry)
    complete = np.logical_and.reduce([coverage.complete[role] for role in roles]) & there
    distance, least = found.distance_ft, any_found.distance_ft
    doubtful = least < distance
    seen = complete & np.isfinite(distance) & ~doubtful
    source = texts(count)
    source[found.feature >= 0] = features.layer[found.feature[found.feature >= 0]]
    lacking = [np.where(coverage.complete[role], "", ROLES[role]) for role in roles]
    missing = joined([coverage.reason[role] for role in roles], "; ")
    beyond = f"nothing found within the {searched_ft:,.0f} ft searched"
    nothing = np.where(complete & ~np.isfinite(least), beyond, "").astype(object)
    doubt, remedy = _doubt(any_found, doubtful, features)
    reason = joined([missing, nothing, doubt], "; ")
    settle = joined([_prefixed("a layer that covers the site: ", lacking), remedy], "; ")
    return Quantity(
        value=np.where(seen, distance, np.nan),
        low=np.where(complete, np.minimum(least, searched_ft), 0.0),
        high=distance,
        unit="ft",
        error=np.full(count, error_ft),
        hides=True,
        tolerance=DISTANCE_FT,
        between=np.where(complete & doubtful, REVIEW, UNKNOWN).astype(np.int8),
        source=source,
        reason=np.where(there, reason, NO_GEOMETRY).astype(object),
        settle=np.where(there, settle, "the geometry of the site").astype(object),
    )


def _doubt(any_found: Nearest, doubtful: Booleans, features: Features) -> tuple[Texts, Texts]:
    """Return what is doubtful about the nearest feature of each site, and what would settle it."""
    reason, settle = texts(len(doubtful)), texts(len(doubtful))
    feature = any_found.feature[doubtful]
    names = features.name[feature] + " (" + features.what[feature] + ")"
    names = np.where(features.name[feature] == "", "the " + features.what[feature], names)
    apart = np.array([f"{value:.1f}" for value in any_found.distance_ft[doubtful]], dtype=object)
    reason[doubtful] = names + " at " + apart + " ft may or may not count"
    settle[doubtful] = "whether " + names + " counts"
    return reason, settle


def within(quantity: Quantity, limit: float) -> Outcomes:
    """Return whether a quantity is at most ``limit``, with its error and its bounds."""
    reach = limit + quantity.tolerance
    hidden = np.where(quantity.hides, quantity.error, 0.0)
    outcome = np.where(quantity.low > reach, NO, quantity.between)
    outcome = np.where((outcome == NO) & (quantity.low <= reach + hidden), REVIEW, outcome)
    return np.where(quantity.high <= reach, YES, outcome).astype(np.int8)


def joined(parts: Sequence[Texts], between: str) -> Texts:
    """Return texts put together one by one, with ``between`` where both have words of their own."""
    result = parts[0]
    for part in parts[1:]:
        fresh = (part != "") & (part != result)
        gap = np.where((result != "") & fresh, between, "")
        result = result + gap + np.where(fresh, part, "")
    return result


def _prefixed(prefix: str, parts: Sequence[Texts]) -> Texts:
    whole = joined([np.asarray(part, dtype=object) for part in parts], " and ")
    return np.where(whole == "", "", prefix + whole).astype(object)


def _columns(facts: dict[str, Fact], found: dict[str, Nearest], features: Features) -> pd.DataFrame:
    water, supply = found["water"], found["supply"]
    columns: dict[str, Any] = {
        "water_ft": np.where(np.isfinite(water.distance_ft), water.distance_ft, np.nan),
        "water_nm": texts(len(water.feature)),
    }
    named = water.feature >= 0
    columns["water_nm"][named] = features.name[water.feature[named]]
    columns["supply_ft"] = np.where(np.isfinite(supply.distance_ft), supply.distance_ft, np.nan)
    for column, (limit, names) in WITHIN_COLUMNS.items():
        parts = [within(_quantity(facts, name), limit) for name in names]
        columns[column] = words(any_of(*parts))
    return pd.DataFrame(columns)


def _quantity(facts: dict[str, Fact], name: str) -> Quantity:
    fact = facts[name]
    assert isinstance(fact, Quantity)
    return fact
