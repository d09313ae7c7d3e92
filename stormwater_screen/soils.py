"""Soils of the sites: hydrologic groups, percolation, pollutant transport, water table and rock.

A soil survey shows map units of some acres and never decides: its figures lead to review. Only a
field test gives a percolation rate, and only an official list names soils of high transport.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd
import shapely

from .details import Details
from .facts import Fact, Flag, Floats, Quantity, Texts, missing_flag, missing_quantity, texts
from .features import Geometries, has_geometry
from .fields import number_field, text_field, yes_no_field
from .outcomes import NO, REVIEW, UNKNOWN, YES
from .progress import Progress, no_progress
from .shared_area import overlaps
from .soil_texts import (
    group_texts,
    indicator_table,
    perc_column,
    perc_indicator,
    percent,
    shares_said,
    soil_details,
)
from .tables import SoilIndicator, normalised, soil_indicators
from .tolerances import WATERSHED_EDGE_FT

UNITS: Final = {
    "ksat": "um/s",
    "water_table": "cm",
    "bedrock": "cm",
    "perc": "min/in",
    "slope": "%",
    "kwfact": "1",
}
"""Unit of each number of a soil."""

_GROUP: Final = re.compile(r"(?:hsg|group|hydrologic group)?\s*([abcd])(?:\s*/\s*(d))?")
_NO_LAYER: Final = "no soil layer given"
_NO_GEOMETRY: Final = "the site has no geometry"
_OVERLAPPING: Final = 1e-6
_WHAT: Final = {"water_table": "depth to the water table", "bedrock": "depth to bedrock"}


@dataclass(frozen=True)
class SoilFields:
    """Fields of the soil layer; None where none was given.

    Attributes
    ----------
    group
        Hydrologic soil group: A, B, C, D or dual (A/D, B/D, C/D).
    ksat
        Saturated conductivity of the least permeable layer, um/s.
    water_table, bedrock
        Least depth, cm.
    perc
        Percolation rate by a field test, min/in.
    transport
        Whether an official list names the soil as one of high pollutant transport: yes or no.
    slope, kwfact, runoff, drainage
        Slope in percent, erodibility, runoff class and drainage class of the map unit.
    """

    group: str | None = None
    ksat: str | None = None
    water_table: str | None = None
    bedrock: str | None = None
    perc: str | None = None
    transport: str | None = None
    slope: str | None = None
    kwfact: str | None = None
    runoff: str | None = None
    drainage: str | None = None


@dataclass(frozen=True)
class SoilsResult:
    """Soils of the sites.

    Attributes
    ----------
    facts
        ``perc`` (min/in, field tests only), ``water_table`` and ``bedrock`` (cm), and the flags
        ``perc_soil`` and ``transport``.
    columns
        ``soil_grp`` and ``perc``, one row a site.
    details
        One row a site and hydrologic group or indicator, with the columns of ``details.COLUMNS``:
        id is ``soil_group`` or ``soil_`` and an indicator of ``tables.SOIL_INDICATORS``, value the
        share of the site in percent.
    notes
        Entries of the fields that could not be used, with their count.
    """

    facts: dict[str, Fact]
    columns: pd.DataFrame
    details: pd.DataFrame
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Pieces:
    """Parts of the sites by soil polygon.

    Attributes
    ----------
    count
        Number of sites.
    row, soil
        Site and soil polygon of each part.
    share
        Share of the site, 0 to 1.
    mapped
        By site, the share that has a soil polygon.
    whole
        By site, True where all of it has one, but for slivers.
    there
        By site, True where it has a geometry.
    """

    count: int
    row: npt.NDArray[np.int64]
    soil: npt.NDArray[np.int64]
    share: Floats
    mapped: Floats
    whole: npt.NDArray[np.bool_]
    there: npt.NDArray[np.bool_]

    def share_of(self, chosen: npt.NDArray[np.bool_]) -> Floats:
        """Return by site the share that lies on the chosen soil polygons."""
        return np.bincount(self.row, self.share * chosen[self.soil], minlength=self.count).astype(
            np.float64
        )

    def any_of(self, chosen: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Return by site whether any part lies on one of the chosen soil polygons."""
        hits = np.zeros(self.count, dtype=bool)
        hits[self.row[chosen[self.soil]]] = True
        return hits


def soil_pieces(
    sites: Geometries, soils: Geometries, *, progress: Progress = no_progress
) -> Pieces:
    """Return the parts of the sites by soil polygon; shared edges are left out.

    Parameters
    ----------
    sites, soils
        Polygons in one plane, in feet; may be None or empty.
    progress
        Called with the share done; raises to stop the run.
    """
    found = overlaps(sites, soils, edge_ft=WATERSHED_EDGE_FT, progress=progress)
    found = found[~found["edge"]]
    row, soil = found["row"].to_numpy(np.int64), found["polygon"].to_numpy(np.int64)
    area = np.where(has_geometry(sites), shapely.area(sites), np.nan)
    share = found["area_sqft"].to_numpy() / area[row]
    total = np.bincount(row, share, minlength=len(sites)).astype(np.float64)
    mapped = np.minimum(total, 1.0)
    # Soil polygons that overlap one another are counted once in what is mapped.
    for site in np.flatnonzero(total > 1 + _OVERLAPPING):
        own = soil[row == site]
        mapped[site] = shapely.union_all(shapely.intersection(soils[own], sites[site])).area
        mapped[site] = min(1.0, mapped[site] / area[site])
    share = share * (mapped / np.where(total > 0, total, 1.0))[row]
    missing = (1 - mapped) * area
    whole = missing <= WATERSHED_EDGE_FT * shapely.length(sites) / 2
    return Pieces(len(sites), row, soil, share, mapped, whole, has_geometry(sites))


def measure_soils(
    sites: gpd.GeoDataFrame,
    soils: gpd.GeoDataFrame | None,
    fields: SoilFields,
    *,
    layer: str = "soils",
    indicators: Sequence[SoilIndicator] | None = None,
    progress: Progress = no_progress,
) -> SoilsResult:
    """Measure the shares of soils in the sites and what their survey and tests say.

    Parameters
    ----------
    sites
        Polygons in a plane, in feet; may be None or empty.
    soils
        Soil polygons in the same plane; None: no layer given.
    fields
        Fields of the soil layer.
    layer
        Name of the soil layer as the user knows it.
    indicators
        Limits that hint at something; None: the shipped table.
    progress
        Called with the share done; raises to stop the run.

    Raises
    ------
    InputError
        The layer lacks a field.

    Source
    ------
    Village of Lake George sections 220-58B(1)(a), (c) and 220-59A(5), (7).
    """
    if soils is None:
        return _no_soils(len(sites))
    table, notes = _read(soils, fields, layer)
    geometry = np.asarray(sites.geometry.array, dtype=object)
    pieces = soil_pieces(
        geometry, np.asarray(soils.geometry.array, dtype=object), progress=progress
    )
    found = indicator_table(table, soil_indicators() if indicators is None else indicators)
    facts: dict[str, Fact] = {
        "perc": _perc(pieces, table, layer),
        "perc_soil": _perc_soil(pieces, table, found, layer),
        "transport": _transport(pieces, table, found, layer),
        "water_table": _depth(pieces, table, "water_table", layer),
        "bedrock": _depth(pieces, table, "bedrock", layer),
    }
    group_text, group_details = group_texts(pieces, table)
    perc, perc_soil = facts["perc"], facts["perc_soil"]
    assert isinstance(perc, Quantity)
    assert isinstance(perc_soil, Flag)
    columns = pd.DataFrame({"soil_grp": group_text, "perc": perc_column(perc, perc_soil)})
    shares = pd.concat([group_details, shares_said(pieces, found)], ignore_index=True)
    return SoilsResult(facts, columns, soil_details(shares, layer), notes)


def soil_notes(soils: gpd.GeoDataFrame, fields: SoilFields, layer: str) -> tuple[str, ...]:
    """Return what the fields of a layer could not give; parameters as `measure_soils`."""
    return _read(soils, fields, layer)[1]


def _read(
    soils: gpd.GeoDataFrame, fields: SoilFields, layer: str
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return the soils' values by the names of ``SoilFields``, only of the fields given."""
    table: dict[str, npt.NDArray[np.generic]] = {}
    notes: list[str] = []
    for name, unit in UNITS.items():
        field = getattr(fields, name)
        if field is not None:
            numbers = number_field(soils, field, layer=layer, unit=unit)
            table[name] = numbers.value
            notes += numbers.notes
    if fields.group is not None:
        table["group"] = hydrologic_groups(text_field(soils, fields.group, layer=layer))
    if fields.transport is not None:
        listed = yes_no_field(soils, fields.transport, layer=layer)
        table["transport"] = listed.value
        notes += listed.notes
    for name in ("runoff", "drainage"):
        field = getattr(fields, name)
        if field is not None:
            words = text_field(soils, field, layer=layer)
            table[name] = np.array(
                [normalised(word or "").replace(" ", "_") for word in words], dtype=object
            )
    return pd.DataFrame(table, index=range(len(soils))), tuple(notes)


def hydrologic_groups(entries: Sequence[str | None] | Texts) -> Texts:
    """Return hydrologic soil groups as ``A``, ``B``, ``C``, ``D``, ``A/D``, ``B/D`` or ``C/D``.

    Anything else, NULL too, is empty: no group is known.
    """
    found = texts(len(entries))
    for number, entry in enumerate(entries):
        match = _GROUP.fullmatch((entry or "").strip().casefold())
        if match:
            found[number] = "/".join(part.upper() for part in match.groups() if part)
    return found


def _no_soils(count: int) -> SoilsResult:
    facts: dict[str, Fact] = {
        name: missing_quantity(count, UNITS[name], reason=_NO_LAYER, settle=settle)
        for name, settle in (
            ("perc", "a percolation test at the site"),
            ("water_table", "a soil layer with the depth to the water table"),
            ("bedrock", "a soil layer with the depth to bedrock"),
        )
    }
    facts["perc_soil"] = missing_flag(
        count, reason=_NO_LAYER, settle="a percolation test at the site"
    )
    facts["transport"] = missing_flag(
        count, reason=_NO_LAYER, settle="the official list of soils of high pollutant transport"
    )
    columns = pd.DataFrame({"soil_grp": texts(count, "unknown"), "perc": texts(count, "unknown")})
    return SoilsResult(facts, columns, Details().frame(), ())


def _extreme(pieces: Pieces, values: Floats, largest: bool) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Return by site the largest or least known value, NaN for none, and whether all are known."""
    known = ~np.isnan(values[pieces.soil])
    start, pick = (-np.inf, np.maximum) if largest else (np.inf, np.minimum)
    worst = np.full(pieces.count, start)
    pick.at(worst, pieces.row[known], values[pieces.soil[known]])
    lacking = np.zeros(pieces.count, dtype=bool)
    lacking[pieces.row[~known]] = True
    worst[np.isinf(worst)] = np.nan
    return worst, pieces.whole & ~lacking & ~np.isnan(worst)


def _quantity(
    pieces: Pieces, value: Floats, low: Floats, high: Floats, unit: str, said: tuple[str, str, str]
) -> Quantity:
    layer, reason, settle = said
    count = pieces.count
    open_ = low != high
    why = np.where(pieces.there, reason, _NO_GEOMETRY)
    return Quantity(
        value=value,
        low=low,
        high=high,
        unit=unit,
        error=np.zeros(count),
        hides=False,
        tolerance=0.0,
        between=np.full(count, UNKNOWN),
        source=np.where(np.isnan(value) & ~np.isfinite(high), "", layer).astype(object),
        reason=np.where(open_, why, "").astype(object),
        settle=np.where(open_, settle, "").astype(object),
    )


def _perc(pieces: Pieces, table: pd.DataFrame, layer: str) -> Quantity:
    settle = "a percolation test at the site"
    if "perc" not in table:
        reason = "no field of percolation tests given"
        return missing_quantity(pieces.count, UNITS["perc"], reason=reason, settle=settle)
    worst, complete = _extreme(pieces, table["perc"].to_numpy(float), largest=True)
    tested = ~np.isnan(worst)
    low = np.where(tested, worst, 0.0)
    high = np.where(complete, worst, np.inf)
    said = (layer, "part of the site, or all of it, has no percolation test", settle)
    return _quantity(pieces, worst, low, high, UNITS["perc"], said)


def _depth(pieces: Pieces, table: pd.DataFrame, name: str, layer: str) -> Quantity:
    """Return the least depth over a site; a soil without a figure may be shallower than all."""
    what = _WHAT[name]
    settle = f"{what} at the site"
    if name not in table:
        reason = f"no field of the {what} given"
        return missing_quantity(pieces.count, UNITS[name], reason=reason, settle=settle)
    least, complete = _extreme(pieces, table[name].to_numpy(float), largest=False)
    low = np.where(complete, least, 0.0)
    high = np.where(np.isnan(least), np.inf, least)
    said = (layer, f"{what} is not recorded for part of the site, or all of it", settle)
    return _quantity(pieces, np.where(complete, least, np.nan), low, high, UNITS[name], said)


def _perc_soil(pieces: Pieces, table: pd.DataFrame, found: pd.DataFrame, layer: str) -> Flag:
    mapped = pieces.there & (pieces.mapped > 0)
    hint = perc_indicator(pieces, table, found)
    nothing = np.where(pieces.there, "no soil polygon at the site", _NO_GEOMETRY)
    return Flag(
        np.where(mapped, REVIEW, UNKNOWN).astype(np.int8),
        np.where(mapped, layer, "").astype(object),
        np.where(mapped, hint, nothing).astype(object),
        texts(pieces.count, "a percolation test at the site"),
    )


def _transport(pieces: Pieces, table: pd.DataFrame, found: pd.DataFrame, layer: str) -> Flag:
    mapped = pieces.there & (pieces.mapped > 0)
    nothing = np.where(pieces.there, "no soil polygon at the site", _NO_GEOMETRY)
    settle = texts(pieces.count, "the official list of soils of high pollutant transport")
    source = np.where(mapped, layer, "").astype(object)
    if "transport" not in table:
        hints = shares_said(pieces, found[found["indicator"].isin(["overland", "through_soil"])])
        said = texts(pieces.count)
        for row, group in zip(hints["row"], hints["text"], strict=True):
            said[row] += ("; " if said[row] else "") + group
        none = "no indicator of the soil survey speaks for it; only an official list decides"
        reason = np.where(said == "", none, said)
        outcome = np.where(mapped, REVIEW, UNKNOWN)
        reason = np.where(mapped, reason, nothing)
        return Flag(outcome.astype(np.int8), source, reason.astype(object), settle)
    listed = table["transport"].to_numpy(object)
    hit = pieces.any_of(listed == "yes")
    lacking = pieces.any_of(np.array([word is None for word in listed], bool)) | ~pieces.whole
    share = pieces.share_of(listed == "yes")
    named = [f"listed soils on {percent(part)} of the site" for part in share]
    reason = np.where(lacking, "part of the site, or all of it, is not on the list", "")
    reason = np.where(mapped, reason, nothing)
    reason = np.where(hit, named, reason).astype(object)
    outcome = np.where(hit, YES, np.where(lacking | ~mapped, UNKNOWN, NO)).astype(np.int8)
    return Flag(outcome, source, reason, np.where(outcome == UNKNOWN, settle, "").astype(object))
