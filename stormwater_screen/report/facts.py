"""Facts of a site with their source, for its report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import geopandas as gpd
import numpy as np
import numpy.typing as npt

from ..facts import Fact as Known
from ..facts import Quantity
from ..plane import plane_crs, plane_keys
from ..record import Record
from .words import CM_PER_FOOT, NOT_KNOWN, acres, between, direction, known, number, quantity


@dataclass(frozen=True)
class Fact:
    """A fact of the site.

    Attributes
    ----------
    name, value
        What it is, and the number or words.
    source
        Where it comes from.
    """

    name: str
    value: str
    source: str = ""


def site_geometry(
    sites: gpd.GeoDataFrame,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Return the area of each site in square feet, NaN where it has none, and its plane."""
    keys = plane_keys(sites)
    area = np.full(len(sites), np.nan)
    there = ~(sites.geometry.isna() | sites.geometry.is_empty).to_numpy()
    for key in {(int(lat), int(lon)) for lat, lon in keys[there]}:
        chosen = there & (keys == key).all(axis=1)
        area[chosen] = sites.geometry[chosen].to_crs(plane_crs(key)).area
    return area, keys


def facts_of(
    site: Mapping[str, Any],
    facts: Mapping[str, Known],
    place: int,
    record: Record,
    area_sqft: float,
) -> list[Fact]:
    """Return the facts of a site in the order of a report.

    Parameters
    ----------
    site
        Own attributes and columns of the screening.
    facts
        Facts of all sites by name.
    place
        Place of the site among them.
    record
        Record of the run, which names the fields.
    area_sqft
        Area of the site.
    """
    lines = [Fact("Area of the site", acres(area_sqft), "measured")]
    lines += _project(site, record)
    lines += _areas(site, facts, place)
    lines += _ground(site, facts, place)
    lines += _waters(site, facts, place)
    return lines


def _project(site: Mapping[str, Any], record: Record) -> Iterator[Fact]:
    fields = record["options"].get("fields", {})

    def typed(name: str) -> str:
        value = site.get(fields.get(name, ""))
        if value is None:
            value = site.get(f"src_{fields.get(name, '')}")
        return "" if value is None else str(value).strip()

    kind = typed("PROJECT_TYPE_FIELD") or str(record["options"].get("project_type") or "")
    source = f"field {fields['PROJECT_TYPE_FIELD']}" if typed("PROJECT_TYPE_FIELD") else ""
    yield Fact("Project type", kind.replace("_", " ") or NOT_KNOWN, source)
    if "PLAN_FIELD" in fields:
        empty = "none" if record["options"].get("plan_empty") == "none" else NOT_KNOWN
        yield Fact(
            "Larger common plan", typed("PLAN_FIELD") or empty, f"field {fields['PLAN_FIELD']}"
        )
    else:
        yield Fact("Larger common plan", "none assumed", "no field given")
    for name, title, unit in (
        ("PLAN_TOTAL_FIELD", "Total of the common plan", "sq ft"),
        ("MAX_OPEN_FIELD", "Open at one time", "sq ft"),
        ("LOTS_FIELD", "Lots", ""),
        ("LOT_MAX_FIELD", "Most disturbed on one lot", "sq ft"),
        ("ROAD_FIELD", "Disturbed for roads", "sq ft"),
        ("HIGH_TRAFFIC_FIELD", "High-traffic areas", ""),
        ("ATTESTED_FIELD", "Exemption shown by papers", ""),
        ("SWPPP_FIELD", "SWPPP approved", ""),
    ):
        if typed(name):
            yield Fact(title, _number_or_word(typed(name), unit), f"field {fields[name]}")


def _number_or_word(text: str, unit: str) -> str:
    try:
        return quantity(float(text), unit)
    except ValueError:
        return text


def _bounds(facts: Mapping[str, Known], name: str, place: int, scale: float = 1.0) -> str:
    """Return a number with its error, or what is known of it by its bounds."""
    fact = facts.get(name)
    if not isinstance(fact, Quantity):
        return NOT_KNOWN
    unit = fact.unit if scale == 1.0 else "ft"
    low, high = float(fact.low[place]) / scale, float(fact.high[place]) / scale
    error = float(fact.error[place]) / scale
    told = between(low, high, unit)
    return (
        f"{told} ± {number(error, 2 if error < 10 else 0)}" if error > 0 and low == high else told
    )


def _areas(site: Mapping[str, Any], facts: Mapping[str, Known], place: int) -> Iterator[Fact]:
    disturbed = site["disturb_sf"]
    by = str(site["disturb_by"] or "")
    value = acres(disturbed) if known(disturbed) else _bounds(facts, "disturbed", place)
    yield Fact("Disturbed area", value, by)
    impervious = site["imperv_sf"]
    told = quantity(impervious, "sq ft") if known(impervious) else NOT_KNOWN
    bounds = _bounds(facts, "new_impervious", place)
    yield Fact("New impervious area", bounds if told == NOT_KNOWN else told)
    existing = _bounds(facts, "existing_impervious", place)
    if existing not in (NOT_KNOWN, "0 sq ft"):
        yield Fact("Existing impervious area", existing.split(" ± ")[0])


def _ground(site: Mapping[str, Any], facts: Mapping[str, Known], place: int) -> Iterator[Fact]:
    slope = _bounds(facts, "slope", place)
    toward = direction(site["slope_dir"]) if known(site["slope_dir"]) else ""
    where = f", steepest toward {toward}" if toward else ""
    yield Fact("Largest slope over 100 ft", slope + where, str(site["slope_by"] or ""))
    if site["soil_grp"]:
        yield Fact("Hydrologic soil groups", str(site["soil_grp"]), "soil survey")
    if site["perc"]:
        yield Fact("Percolation", str(site["perc"]))
    for name, title in (("water_table", "High groundwater"), ("bedrock", "Bedrock")):
        depth = _bounds(facts, name, place, CM_PER_FOOT)
        if depth != NOT_KNOWN:
            yield Fact(title, f"{depth} deep", "soil survey")


def _waters(site: Mapping[str, Any], facts: Mapping[str, Known], place: int) -> Iterator[Fact]:
    name = f" ({site['water_nm']})" if site["water_nm"] else ""
    yield Fact("Nearest water body or stream", _bounds(facts, "water", place) + name)
    yield Fact("Nearest wetland", _bounds(facts, "wetland", place))
    yield Fact("Nearest drinking-water supply", _bounds(facts, "supply", place))
    yield Fact("Nearest leach field", _bounds(facts, "leach", place))
    for column, title in (
        ("impaired", "Listed (303(d)) waters"),
        ("tmdl", "TMDL watersheds"),
        ("pollutant", "Their pollutants"),
    ):
        if site[column]:
            yield Fact(title, str(site[column]))
