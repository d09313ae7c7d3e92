"""Disturbed and impervious areas of each site: drawn, typed, or the whole site."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd
import shapely

from .details import Details
from .facts import Fact, Floats, Quantity, Texts, missing_quantity, texts
from .fields import Numbers
from .outcomes import REVIEW, UNKNOWN
from .overlay import (
    Overlay,
    differences,
    geometry_array,
    intersections,
    overlay,
    union_by,
)
from .progress import Progress, no_progress, part_of
from .tolerances import AREA_EDGE_FT, AREA_RELATIVE
from .units import ACRE_SQFT, MILE_FT

Bools = npt.NDArray[np.bool_]

LIMIT_COLUMNS: Final[dict[str, float]] = {
    "vs_5000": 5_000.0,
    "vs_15000": 15_000.0,
    "vs_1acre": ACRE_SQFT,
    "vs_2acre": 2 * ACRE_SQFT,
    "vs_5acre": 5 * ACRE_SQFT,
}
"""Columns that compare the disturbed area with limits of the four laws, square feet."""

NO_GEOMETRY: Final = "the site has no usable geometry"
_AREA_SETTLE: Final = "the disturbed area"
_NEW_SETTLE: Final = "the new impervious area"


@dataclass(frozen=True)
class AreaInput:
    """How an area is given: by polygons, by a field, by both or not at all.

    Attributes
    ----------
    polygons
        Polygons on the working plane; None: no layer is given.
    layer
        Name of that layer.
    typed
        Numbers of the sites, in their order; None: no field is given.
    """

    polygons: gpd.GeoDataFrame | None = None
    layer: str = ""
    typed: Numbers | None = None


@dataclass(frozen=True)
class Disturbance:
    """Areas of the sites.

    Attributes
    ----------
    facts
        ``disturbed``, ``new_impervious``, ``existing_impervious`` and ``affected``.
    columns
        ``disturb_sf``, ``disturb_by``, ``imperv_sf`` and the columns of `LIMIT_COLUMNS`.
    details
        What else is worth a finding: row, id, outcome, value, unit, text, source.
    whole_site
        True for sites judged as if wholly disturbed.
    """

    facts: dict[str, Fact]
    columns: pd.DataFrame
    details: pd.DataFrame
    whole_site: Bools


@dataclass
class _Area:
    """An area under way: the quantity's arrays, how it came about, what was drawn."""

    value: Floats
    error: Floats
    tolerance: Floats
    by: Texts
    source: Texts
    reason: Texts
    measured: Bools
    drawn: Overlay | None = field(default=None)


def measure_disturbance(
    sites: gpd.GeoDataFrame,
    disturbed: AreaInput,
    new_impervious: AreaInput,
    existing_impervious: AreaInput,
    *,
    existing_covers: Bools | None = None,
    others: gpd.GeoSeries | None = None,
    progress: Progress = no_progress,
) -> Disturbance:
    """Return the disturbed, new impervious, existing impervious and affected area of each site.

    A typed number wins over what is drawn, and a difference is reported. Polygons are united
    first, so that overlaps count once; each site gets its own part. When neither a field nor
    polygons of disturbance are given, the whole site counts as disturbed.

    Parameters
    ----------
    sites
        Valid 2-D polygons on the working plane, RangeIndex; NULL and empty ones are unknown.
    disturbed, new_impervious, existing_impervious
        How these areas are given. Of the existing ones only polygons are looked at.
    existing_covers
        True where the layer of existing impervious area is complete; None: up to one mile beyond
        its extent.
    others
        Sites of the same run that are measured elsewhere, on the same plane: polygons that reach
        over them too are told.
    progress
        Takes the share that is done.

    Source
    ------
    Village of Lake George § 220-57 and § 220-58; the reading of overlaps and of gross and net new
    impervious area is that of a careful town engineer.
    """
    details = Details()
    area = _given(sites, disturbed, part_of(progress, 0.0, 0.4), details, "disturbance", others)
    whole = _whole_site(sites, area, disturbed, details)
    fact = _quantity(area, _AREA_SETTLE)
    step = part_of(progress, 0.4, 0.7)
    new = _given(sites, new_impervious, step, details, "impervious", others)
    existing, existing_fact = _existing(
        sites, existing_impervious, existing_covers, part_of(progress, 0.7, 0.9)
    )
    new_fact = _new_impervious(new, area, fact, existing, new_impervious, details)
    affected = _affected(fact, new_fact, area, new)
    _compare_with_site(sites, area, new, details)
    progress(1.0)
    columns = pd.DataFrame({"disturb_sf": fact.value, "disturb_by": area.by})
    columns["imperv_sf"] = new_fact.value
    for name, limit in LIMIT_COLUMNS.items():
        columns[name] = against_limit(fact, limit)
    facts: dict[str, Fact] = {
        "disturbed": fact,
        "new_impervious": new_fact,
        "existing_impervious": existing_fact,
        "affected": affected,
    }
    return Disturbance(facts, columns, details.frame(), whole)


def against_limit(quantity: Quantity, limit: float) -> Texts:
    """Return ``below``, ``at`` or ``above`` a limit where the bounds decide; else ``unknown``."""
    tolerance = quantity.tolerance
    result = texts(len(quantity.value), "unknown")
    result[quantity.high < limit - tolerance] = "below"
    result[quantity.low > limit + tolerance] = "above"
    at = (abs(quantity.low - limit) <= tolerance) & (abs(quantity.high - limit) <= tolerance)
    result[at] = "at"
    return result


def _given(
    sites: gpd.GeoDataFrame,
    given: AreaInput,
    progress: Progress,
    details: Details,
    what: str,
    others: gpd.GeoSeries | None,
) -> _Area:
    """Return an area as typed, else as drawn, else not known with the reason."""
    count = len(sites)
    nothing = np.zeros(count)
    area = _Area(
        np.full(count, np.nan), nothing, nothing.copy(), texts(count), texts(count), texts(count),
        np.zeros(count, dtype=bool),
    )  # fmt: skip
    if given.polygons is not None:
        area.drawn = overlay(sites, given.polygons, progress)
        _take_drawn(area, area.drawn, sites, given.layer)
        shared = area.drawn
        if others is not None and len(others):
            every = pd.concat([sites.geometry, others], ignore_index=True)
            shared = overlay(gpd.GeoDataFrame(geometry=every, crs=sites.crs), given.polygons)
        _note_shares(shared, given.layer, what, details, count)
    if given.typed is not None:
        _take_typed(area, given.typed, given, details, what)
    return area


def _take_drawn(area: _Area, drawn: Overlay, sites: gpd.GeoDataFrame, layer: str) -> None:
    geometries = geometry_array(sites)
    broken = shapely.is_missing(geometries) | shapely.is_empty(geometries)
    area.measured = drawn.covered
    area.value = np.where(drawn.covered, drawn.area_sqft, np.nan)
    area.error = np.where(drawn.covered, drawn.perimeter_ft * AREA_EDGE_FT, 0.0)
    area.tolerance = np.where(drawn.covered, drawn.area_sqft * AREA_RELATIVE, 0.0)
    area.by[drawn.covered] = "polygons"
    area.source[drawn.covered] = layer
    area.reason[~drawn.covered] = f"no polygon of {layer} lies on the site"
    area.reason[broken] = NO_GEOMETRY


def _take_typed(area: _Area, typed: Numbers, given: AreaInput, details: Details, what: str) -> None:
    known = ~np.isnan(typed.value)
    differs = known & area.measured & (abs(area.value - typed.value) > 1 + 1e-3 * typed.value)
    for row in np.flatnonzero(differs):
        text = (
            f"field {typed.field} says {typed.value[row]:,.0f} sq ft, the polygons of"
            f" {given.layer} measure {area.value[row]:,.0f} sq ft; the field is used"
        )
        details.add(row, f"{what}_differs", area.value[row], text, given.layer)
    open_rows = ~known & ~area.measured
    area.reason[open_rows] = [
        f"{first} and {second}" if second else first
        for first, second in zip(typed.reason[open_rows], area.reason[open_rows], strict=True)
    ]
    area.reason[known] = ""
    area.value = np.where(known, typed.value, area.value)
    area.error = np.where(known, 0.0, area.error)
    area.tolerance = np.where(known, 0.0, area.tolerance)
    area.measured = area.measured & ~known
    area.by[known] = area.source[known] = f"field {typed.field}"


def _note_shares(drawn: Overlay, layer: str, what: str, details: Details, count: int) -> None:
    """Note polygons that lie on several sites, and whether the sites overlap there.

    The first ``count`` sites are told.
    """
    several = (drawn.pieces.groupby("polygon")["site"].transform("size") > 1).to_numpy(dtype=bool)
    if not several.any():
        return
    pieces, shapes = drawn.pieces[several], drawn.shapes[several]
    # Sites that share ground, as doubled parcels do, are told from sites that split a polygon.
    code, numbers = pd.factorize(pieces["polygon"])
    ground = shapely.area(union_by(shapes, code, len(numbers)))
    doubled = np.bincount(code, shapely.area(shapes)) - ground > 1.0
    shared = pd.DataFrame({"twice": doubled[code], "area": pieces["area_sqft"].to_numpy()})
    by_site = shared.groupby(pieces["site"].to_numpy())
    sums = by_site.agg(polygons=("area", "size"), area=("area", "sum"), twice=("twice", "any"))
    for row, polygons, square_feet, twice in sums[sums.index < count].itertuples(name=None):
        which = f"{polygons} polygon{'s' * (polygons > 1)} of {layer} reaching over several sites"
        text = f"{square_feet:,.0f} sq ft of {which} count here"
        if twice:
            text += "; sites overlap there, and the ground they share counts for each of them"
        details.add(row, f"{what}_split", square_feet, text, layer)


def _whole_site(sites: gpd.GeoDataFrame, area: _Area, given: AreaInput, details: Details) -> Bools:
    """Take the whole site where nothing says what is disturbed; return where."""
    if given.polygons is not None or given.typed is not None:
        area.by[np.isnan(area.value)] = area.reason[np.isnan(area.value)]
        return np.zeros(len(sites), dtype=bool)
    geometries = geometry_array(sites)
    whole = np.asarray(~(shapely.is_missing(geometries) | shapely.is_empty(geometries)))
    size = np.nan_to_num(shapely.area(geometries))
    area.value = np.where(whole, size, np.nan)
    area.error = np.where(whole, np.nan_to_num(shapely.length(geometries)) * AREA_EDGE_FT, 0.0)
    area.tolerance = np.where(whole, size * AREA_RELATIVE, 0.0)
    area.measured = whole
    area.by[whole] = area.source[whole] = "whole site"
    area.by[~whole] = area.reason[~whole] = NO_GEOMETRY
    for row in np.flatnonzero(whole):
        text = "no disturbed area is given: judged as a site that is disturbed as a whole"
        details.add(row, "whole_site", size[row], text, "whole site")
    return whole


def _quantity(area: _Area, settle: str) -> Quantity:
    known = ~np.isnan(area.value)
    count = len(known)
    return Quantity(
        value=area.value,
        low=np.where(known, area.value, 0.0),
        high=np.where(known, area.value, np.inf),
        unit="sq ft",
        error=area.error,
        hides=False,
        tolerance=area.tolerance,
        between=np.full(count, UNKNOWN),
        source=area.source,
        reason=area.reason,
        settle=np.where(known, "", settle).astype(object),
    )


def _existing(
    sites: gpd.GeoDataFrame, given: AreaInput, covers: Bools | None, progress: Progress
) -> tuple[Overlay | None, Quantity]:
    if given.polygons is None:
        reason, settle = "no layer of existing impervious area is given", "what is built there now"
        return None, missing_quantity(len(sites), "sq ft", reason=reason, settle=settle)
    drawn = overlay(sites, given.polygons, progress)
    covers = _within_a_mile(sites, given.polygons) if covers is None else covers
    known = drawn.covered | covers
    area = _Area(
        value=np.where(known, drawn.area_sqft, np.nan),
        error=drawn.perimeter_ft * AREA_EDGE_FT,
        tolerance=drawn.area_sqft * AREA_RELATIVE,
        by=texts(len(sites)),
        source=texts(len(sites), given.layer),
        reason=np.where(known, "", f"{given.layer} does not reach the site").astype(object),
        measured=known,
    )
    return drawn, _quantity(area, "what is built there now")


def _within_a_mile(sites: gpd.GeoDataFrame, polygons: gpd.GeoDataFrame) -> Bools:
    shapes = geometry_array(polygons)
    if shapely.is_missing(shapes).all():
        return np.zeros(len(sites), dtype=bool)
    west, south, east, north = shapely.total_bounds(shapes)
    reach = shapely.box(west - MILE_FT, south - MILE_FT, east + MILE_FT, north + MILE_FT)
    return np.asarray(shapely.covers(reach, geometry_array(sites)))


def _new_impervious(
    new: _Area,
    disturbed: _Area,
    disturbed_fact: Quantity,
    existing: Overlay | None,
    given: AreaInput,
    details: Details,
) -> Quantity:
    """Return the new impervious area; not known, it is at most the disturbed area."""
    if given.polygons is None and given.typed is None:
        new.reason[:] = "no new impervious area is given"
    gross, net = _gross_and_net(new, disturbed, existing)
    for row in np.flatnonzero(abs(gross - net) > 1.0):
        text = (
            f"{gross[row]:,.0f} sq ft of new surface outside the existing footprint;"
            f" {net[row]:,.0f} sq ft net of what is taken away"
        )
        details.add(row, "impervious_gross_net", gross[row], text, given.layer)
    new.value = gross
    fact = _quantity(new, _NEW_SETTLE)
    known = ~np.isnan(gross)
    # Nothing disturbed leaves no room for a new surface, so that its size is known.
    none = ~known & (disturbed_fact.high <= 0.0)
    depends = known & (net < gross)
    reason = fact.reason.copy()
    reason[depends] = "the law does not say whether new surface is counted gross or net"
    return replace(
        fact,
        value=np.where(none, 0.0, gross),
        low=np.where(depends, net, fact.low),
        high=np.where(known, fact.high, disturbed_fact.high),
        tolerance=np.where(known, new.tolerance, disturbed_fact.tolerance),
        between=np.where(depends, REVIEW, UNKNOWN).astype(np.int8),
        reason=reason,
        settle=np.where(depends, "how the municipality counts replaced surface", fact.settle),
    )


def _gross_and_net(new: _Area, disturbed: _Area, existing: Overlay | None) -> tuple[Floats, Floats]:
    """Return new surface outside the existing footprint, and that less what is taken away.

    Existing surface inside drawn disturbance that no new surface replaces is taken away.
    """
    gross, net = new.value.copy(), new.value.copy()
    if new.drawn is None or existing is None:
        return gross, net
    rows = np.flatnonzero(new.measured)
    there = existing.united[rows]
    gross[rows] = np.nan_to_num(shapely.area(differences(new.drawn.united[rows], there)))
    net[rows] = gross[rows]
    if disturbed.drawn is not None:
        inside = intersections(there, disturbed.drawn.united[rows])
        taken = np.nan_to_num(shapely.area(differences(inside, new.drawn.united[rows])))
        net[rows] = np.maximum(gross[rows] - taken, 0.0)
    return gross, net


def _affected(
    disturbed: Quantity, new: Quantity, disturbed_area: _Area, new_area: _Area
) -> Quantity:
    """Return the affected area: united where both are drawn, else the larger of the two."""
    second = new.low > disturbed.low
    low, high = np.maximum(disturbed.low, new.low), np.maximum(disturbed.high, new.high)
    error = np.where(second, new.error, disturbed.error)
    tolerance = np.where(second, new.tolerance, disturbed.tolerance)
    if disturbed_area.drawn is not None and new_area.drawn is not None:
        both = disturbed_area.measured & new_area.measured
        shapes = shapely.union(disturbed_area.drawn.united[both], new_area.drawn.united[both])
        low[both] = high[both] = shapely.area(shapes)
        error[both] = shapely.length(shapes) * AREA_EDGE_FT
        tolerance[both] = low[both] * AREA_RELATIVE
    known = low == high
    lacking = np.isinf(disturbed.high)
    return replace(
        disturbed,
        value=np.where(known, low, np.nan),
        low=low,
        high=high,
        error=error,
        tolerance=tolerance,
        between=np.where(lacking, disturbed.between, new.between).astype(np.int8),
        source=np.where(second & ~lacking, new.source, disturbed.source),
        reason=np.where(known, "", np.where(lacking, disturbed.reason, new.reason)),
        settle=np.where(known, "", np.where(lacking, disturbed.settle, new.settle)),
    )


def _compare_with_site(sites: gpd.GeoDataFrame, area: _Area, new: _Area, details: Details) -> None:
    """Note typed areas that do not fit the site or each other."""
    size = shapely.area(geometry_array(sites))
    # A comparison with NaN is False, which is what is wanted here.
    for row in np.flatnonzero((area.value > size * 1.001 + 1) & ~area.measured):
        text = f"the disturbed area is larger than the site, which measures {size[row]:,.0f} sq ft"
        details.add(row, "disturbance_exceeds_site", area.value[row], text, area.source[row])
    for row in np.flatnonzero(new.value > area.value * 1.001 + 1):
        text = (
            f"the new impervious area is larger than the disturbed area of {area.value[row]:,.0f}"
            " sq ft; the larger one is taken as affected"
        )
        details.add(row, "impervious_exceeds_disturbance", new.value[row], text, new.source[row])
