"""Distance from each site to stream corridors, critical areas, habitats and historic places.

What counts as substantially contiguous is a matter of the rules; here only distances are measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import geopandas as gpd
import numpy as np
import pandas as pd

from .coverage import NO_GEOMETRY, Covered, find_covered
from .details import Details
from .facts import Fact, Floats, Quantity, Texts, texts
from .features import Features, Geometries, Nearest, WaterLayer, has_geometry, nearest_of, subdivide
from .outcomes import REVIEW, UNKNOWN
from .progress import Progress, no_progress, part_of
from .tables import SensitiveKinds, is_missing, known_fields, sensitive_kinds
from .tolerances import DISTANCE_FT
from .units import MILE_FT

KINDS: Final[dict[str, str]] = {
    "critical_area": "critical environmental areas",
    "habitat": "significant habitats",
    "scenic_historic": "areas of scenic, historic or natural significance",
}
"""Kinds of sensitive areas, and what a layer of each holds."""

OTHER_KIND: Final = "scenic_historic"
"""Kind of an area that no word tells: natural significance is the widest of the law's words."""

CORRIDORS: Final = "stream corridors"

CORRIDOR_FT: Final = 35.0
"""Width of the corridor along AA-Special streams, 6 NYCRR 646-5; the Village's law names none."""

_CHUNK: Final = 2_000


@dataclass(frozen=True)
class SensitiveResult:
    """Distances to sensitive areas.

    Attributes
    ----------
    facts
        ``stream_corridor``, ``critical_area``, ``habitat``, ``scenic_historic``, in feet.
    columns
        None of its own: a table without columns, one row a site.
    details
        The nearest area of each kind within a mile, with the columns of ``details.COLUMNS``.
    notes
        Layers and rows whose kind no word tells.
    """

    facts: dict[str, Fact]
    columns: pd.DataFrame
    details: pd.DataFrame
    notes: tuple[str, ...]


def measure_sensitive(
    sites: gpd.GeoDataFrame,
    areas: Sequence[WaterLayer],
    corridors: Sequence[WaterLayer],
    watercourses: Sequence[WaterLayer],
    *,
    coverage: gpd.GeoDataFrame | None = None,
    water_error_ft: float = 40.0,
    searched_ft: float = np.inf,
    kinds: SensitiveKinds | None = None,
    progress: Progress = no_progress,
) -> SensitiveResult:
    """Measure the distance from each site to the nearest sensitive area of each kind.

    A layer's kind is told by the words of its name, a row's by those of its KIND column. A layer
    whose name tells nothing but which has such a column holds all kinds.

    Without a layer of stream corridors, watercourses stand in: whether one has a corridor depends
    on its class, so a corridor of ``CORRIDOR_FT`` along each is for review.

    Parameters
    ----------
    sites
        Polygons in a plane, in feet; may be None or empty.
    areas
        Layers of sensitive areas in the same plane: points, lines or polygons.
    corridors
        Layers of stream corridors in the same plane.
    watercourses
        Layers of watercourses in the same plane.
    coverage
        Polygons inside which all layers are complete; None: up to a mile outside their extent.
    water_error_ft
        Positional error of all these layers, in feet.
    searched_ft
        How far from every site features were read, in feet.
    kinds
        Words that tell kinds; None: the shipped table.
    progress
        Called with the share done; raises to stop the run.

    Source
    ------
    Village of Lake George section 220-58B(2)(a), (c), (d), (e).
    """
    geometry = np.asarray(sites.geometry.array, dtype=object)
    split, notes = by_kind(areas, kinds or sensitive_kinds())
    use = "stream_corridor" if corridors or not watercourses else "watercourse"
    given = {**split, use: list(corridors or watercourses)}
    said = {**KINDS, "stream_corridor": CORRIDORS, "watercourse": "watercourses"}
    facts: dict[str, Fact] = {}
    details = Details()
    for number, (kind, layers) in enumerate(given.items()):
        part = part_of(progress, number / len(given), (number + 1) / len(given))
        complete = [layer for layer in layers if layer.role != "stray"]
        features = _features(layers)
        found = _nearest(geometry, features, searched_ft, part)
        known = find_covered(
            geometry,
            [layer.extent for layer in complete],
            coverage,
            what=said[kind],
            names=[layer.name for layer in complete],
        )
        limits = (water_error_ft, searched_ft)
        if kind == "watercourse":
            facts["stream_corridor"] = _presumed_corridor(found, features, known, limits)
            continue
        _add_details(details, kind, found, features)
        facts[kind] = _distance(found, features, known, limits, said[kind])
    return SensitiveResult(
        facts, pd.DataFrame(index=range(len(sites))), details.frame(), tuple(notes)
    )


def by_kind(
    layers: Sequence[WaterLayer], kinds: SensitiveKinds
) -> tuple[dict[str, list[WaterLayer]], list[str]]:
    """Return the layers sorted by kind, and notes on what no word tells.

    Parameters
    ----------
    layers
        Layers of sensitive areas. A layer whose rows have several kinds is split.
    kinds
        Words that tell kinds.

    Returns
    -------
    dict, list
        By kind, layers with the rows of that kind. Those that hold some rows of a kind without
        being a layer of it have the role ``stray``: they are near, but never complete.
    """
    found: dict[str, list[WaterLayer]] = {kind: [] for kind in KINDS}
    notes: list[str] = []
    for layer in layers:
        own = kinds.find(layer.name)
        column = known_fields().guess("KIND", [str(name) for name in layer.frame.columns])
        row_kinds = texts(len(layer.frame), own or OTHER_KIND)
        if column is not None:
            told = [kinds.find(value) for value in layer.frame[column]]
            row_kinds[:] = [kind or own or OTHER_KIND for kind in told]
            lost = sorted({str(value) for value, kind in zip(layer.frame[column], told, strict=True)
                           if kind is None and own is None and not is_missing(value)})  # fmt: skip
            if lost:
                notes.append(
                    f"{layer.name}: no word tells the kind of {', '.join(lost[:5])}; counted as "
                    "areas of natural significance"
                )
        elif own is None:
            notes.append(
                f"{layer.name}: no word tells its kind; counted as an area of natural significance"
            )
        holds = {own} if own is not None else set(KINDS) if column is not None else {OTHER_KIND}
        for kind, sorted_layers in found.items():
            chosen = layer.frame[row_kinds == kind]
            if kind in holds or len(chosen):
                role = "SENSITIVE" if kind in holds else "stray"
                sorted_layers.append(replace(layer, role=role, frame=chosen))
    return found, notes


def _features(layers: Sequence[WaterLayer]) -> Features:
    geometry = [np.asarray(layer.frame.geometry.array, dtype=object) for layer in layers]
    names = [_names(layer.frame) for layer in layers]
    owner = [texts(len(layer.frame), layer.name) for layer in layers]
    every = np.concatenate([np.empty(0, dtype=object), *geometry])
    kept = has_geometry(every)
    pieces, parents = subdivide(every[kept])
    name = np.concatenate([texts(0), *names])[kept]
    layer_name = np.concatenate([texts(0), *owner])[kept]
    role = texts(int(kept.sum()), "any")
    return Features(role, layer_name, name, every[kept], pieces, parents)


def _names(frame: gpd.GeoDataFrame) -> Texts:
    columns = [str(name) for name in frame.columns]
    roles = ("SENSITIVE_NAME", "WATER_NAME")
    field = next(filter(None, (known_fields().guess(role, columns) for role in roles)), None)
    names = texts(len(frame))
    if field is not None:
        names[:] = ["" if is_missing(value) else str(value).strip() for value in frame[field]]
    return names


def _nearest(
    geometry: Geometries, features: Features, searched_ft: float, progress: Progress
) -> Nearest:
    search = nearest_of(features, ["any"], searched_ft)
    parts = []
    for start in range(0, len(geometry), _CHUNK):
        parts.append(search(geometry[start : start + _CHUNK]))
        progress(min(1.0, (start + _CHUNK) / len(geometry)))
    return Nearest(
        np.concatenate([np.empty(0), *(part.distance_ft for part in parts)]),
        np.concatenate([np.empty(0, np.int64), *(part.feature for part in parts)]),
    )


def _source(found: Nearest, features: Features) -> Texts:
    source = texts(len(found.feature))
    there = found.feature >= 0
    source[there] = features.layer[found.feature[there]]
    return source


def _distance(
    found: Nearest,
    features: Features,
    known: Covered,
    limits: tuple[float, float],
    what: str,
) -> Quantity:
    """Return distances, between 0 and the nearest one found where the layer does not cover."""
    error_ft, searched_ft = limits
    distance, complete = found.distance_ft, known.complete
    broken = known.reason == NO_GEOMETRY
    lacking = np.where(
        broken, "the geometry of the site", f"a layer of {what} that covers the site"
    )
    return Quantity(
        value=np.where(complete & np.isfinite(distance), distance, np.nan),
        low=np.where(complete, np.minimum(distance, searched_ft), 0.0),
        high=distance,
        unit="ft",
        # Of what is not known at all, nothing is known to be wrong: so a stray feature far away,
        # which other sites of the run may have near them, changes nothing here.
        error=np.where(complete | np.isfinite(distance), error_ft, 0.0),
        hides=True,
        tolerance=DISTANCE_FT,
        between=np.full(len(distance), UNKNOWN),
        source=_source(found, features),
        reason=known.reason,
        settle=np.where(complete, "", lacking).astype(object),
    )


def _presumed_corridor(
    found: Nearest, features: Features, known: Covered, limits: tuple[float, float]
) -> Quantity:
    """Return distances to corridors that watercourses may have: at least that, or there is none."""
    error_ft, searched_ft = limits
    nearest: Floats = np.minimum(found.distance_ft, searched_ft)
    complete = known.complete
    names = texts(len(nearest), "the nearest watercourse")
    there = found.feature >= 0
    names[there] = features.name[found.feature[there]]
    names[names == ""] = "the nearest watercourse"
    open_ = f"no layer of {CORRIDORS} given; whether "
    reason = open_ + names + f" has a corridor of {CORRIDOR_FT:g} ft (AA-Special) is not known"
    settle = "whether " + names + " has a stream corridor"
    broken = known.reason == NO_GEOMETRY
    lacking = np.where(broken, "the geometry of the site", f"a layer of {CORRIDORS}")
    return Quantity(
        value=np.full(len(nearest), np.nan),
        low=np.where(complete, np.maximum(nearest - CORRIDOR_FT, 0.0), 0.0),
        high=np.full(len(nearest), np.inf),
        unit="ft",
        error=np.full(len(nearest), error_ft),
        hides=True,
        tolerance=DISTANCE_FT,
        between=np.where(complete, REVIEW, UNKNOWN).astype(np.int8),
        source=_source(found, features),
        reason=np.where(complete, reason, known.reason).astype(object),
        settle=np.where(complete, settle, lacking).astype(object),
    )


def _add_details(details: Details, kind: str, found: Nearest, features: Features) -> None:
    for row in np.flatnonzero(found.distance_ft <= MILE_FT):
        feature, distance = found.feature[row], found.distance_ft[row]
        name = features.name[feature] or f"an area of {features.layer[feature]}"
        where = "touches the site" if distance == 0 else f"is {distance:,.1f} ft away"
        text, source = f"{name} {where}", str(features.layer[feature])
        details.add(int(row), kind, float(distance), text, source, unit="ft")
