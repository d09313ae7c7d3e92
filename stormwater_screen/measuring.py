"""Measure the sites of one working plane: every measure once, all facts together."""

from __future__ import annotations

from dataclasses import dataclass

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd

from .columns import SLOPE_15_PERCENT
from .coverage import find_covered
from .dem import Dem
from .details import COLUMNS as DETAIL_COLUMNS
from .details import stacked
from .disturbance import AreaInput, Disturbance, measure_disturbance
from .facts import Fact, Texts
from .fields import Numbers, number_field
from .listing_rows import ListingFields
from .listings import measure_listings
from .model import Options, ScreeningInputs
from .ordinance import Ordinance, Setbacks
from .plane import transformation_note
from .progress import Progress, part_of
from .sensitive import measure_sensitive
from .setbacks import measure_setbacks
from .slope import device_slope_facts, slope_facts
from .soils import SoilFields, measure_soils
from .vicinity import SEARCHED_FT, Group
from .water import ROLES, measure_water
from .zones import SetbackText, ZoneResult, infiltration_zones, near_zone


@dataclass(frozen=True)
class Measured:
    """What was measured of the sites of a group.

    Attributes
    ----------
    facts
        Facts of the group's sites.
    columns
        Columns that the measures own, one row a site.
    details
        Rows with the columns of ``details.COLUMNS``; ``row`` is the place in the group.
    zones
        Polygons in the plane with ``row``, ``zone``, ``why``, ``area_sf``.
    infiltration_sqft
        One row a site, one column a text of the law, in sq ft.
    upper_bound
        Why these areas are the most that may be left; else empty.
    whole_site
        True for sites judged as if wholly disturbed.
    notes
        Messages about the run as a whole.
    """

    facts: dict[str, Fact]
    columns: pd.DataFrame
    details: pd.DataFrame
    zones: gpd.GeoDataFrame
    infiltration_sqft: pd.DataFrame
    upper_bound: Texts
    whole_site: npt.NDArray[np.bool_]
    notes: tuple[str, ...]


def measure(
    group: Group,
    inputs: ScreeningInputs,
    ordinance: Ordinance,
    options: Options,
    dem: Dem | None,
    progress: Progress,
) -> Measured:
    """Measure the sites of a group.

    Parameters
    ----------
    group
        Sites and layers in one plane.
    inputs
        What the run was given; its sites' fields are read for typed areas.
    ordinance
        Gives distances and the water that always counts.
    options
        Errors of the data.
    dem
        Ground elevation, or None.
    progress
        Called with the share done; raises to stop the run.
    """
    step = _Steps(progress)
    areas = _disturbance(group, inputs, step.next(0.1))
    coverage = group.frame("COVERAGE")
    slopes = slope_facts(
        group.sites,
        dem,
        group.frame("BUILDING_CENTRES"),
        limit_percent=SLOPE_15_PERCENT,
        error_ft=options.dem_error_ft,
        workers=options.workers,
        progress=step.next(0.35),
    )
    device_slopes = device_slope_facts(
        group.sites,
        dem,
        group.frame("DEVICES"),
        error_ft=options.dem_error_ft,
        workers=options.workers,
        progress=step.next(0.02),
    )
    water = measure_water(
        group.sites,
        [layer for role in ROLES for layer in group.of(role)],
        coverage=coverage,
        water_error_ft=options.water_error_ft,
        supply_error_ft=options.supply_error_ft,
        searched_ft=SEARCHED_FT,
        workers=options.workers,
        progress=step.next(0.08),
    )
    setbacks = measure_setbacks(
        group.sites,
        water,
        devices=group.frame("DEVICES"),
        ground=dem,
        reach_ft=_reach_ft(ordinance),
        dem_error_ft=options.dem_error_ft,
        always_counted=ordinance.always_counted_water,
        workers=options.workers,
        progress=step.next(0.15),
    )
    zones = infiltration_zones(
        group.sites,
        water,
        setbacks.sides,
        {name: _text(setback) for name, setback in ordinance.zones.infiltration.items()},
        shapes=options.want_zones,
        workers=options.workers,
        progress=step.next(0.1),
    )
    drawn = [zones.zones]
    width_ft = ordinance.zones.near_water_ft
    if options.want_zones and width_ft is not None:
        drawn.append(
            near_zone(
                group.sites,
                water,
                width_ft,
                name=f"zone_{width_ft:.0f}ft",
                workers=options.workers,
                progress=step.next(0.1),
            )
        )
    listings = measure_listings(
        group.sites,
        group.of("IMPAIRED"),
        group.of("TMDL"),
        impaired_fields=_listing_fields("IMPAIRED", inputs, options),
        tmdl_fields=_listing_fields("TMDL", inputs, options),
        coverage=coverage,
        water_error_ft=options.water_error_ft,
        progress=step.next(0.04),
    )
    soils = measure_soils(
        group.sites,
        group.frame("SOILS"),
        _soil_fields(inputs),
        layer=_names(group, "SOILS"),
        progress=step.next(0.04),
    )
    sensitive = measure_sensitive(
        group.sites,
        group.of("SENSITIVE"),
        group.of("STREAM_CORRIDORS"),
        group.of("WATERCOURSES"),
        coverage=coverage,
        water_error_ft=options.water_error_ft,
        searched_ft=SEARCHED_FT,
        progress=step.next(0.02),
    )
    parts = (areas, slopes, device_slopes, water, setbacks, listings, soils, sensitive)
    facts: dict[str, Fact] = {}
    for part in parts:
        facts.update(part.facts)
    tables = [part.columns for part in parts if hasattr(part, "columns")]
    details = [
        part.details.reindex(columns=list(DETAIL_COLUMNS))
        for part in (areas, slopes, device_slopes, setbacks, listings, soils, sensitive)
    ]
    details.append(_infiltration_bounds(zones))
    return Measured(
        facts=facts,
        columns=pd.concat(tables, axis=1),
        details=stacked(details),
        zones=gpd.GeoDataFrame(stacked(drawn), geometry="geometry", crs=group.crs),
        infiltration_sqft=zones.area_sqft,
        upper_bound=zones.upper_bound,
        whole_site=areas.whole_site,
        notes=(
            *slopes.notes,
            *device_slopes.notes,
            *soils.notes,
            *sensitive.notes,
            *_datum_notes(group, inputs),
        ),
    )


def _text(setbacks: Setbacks) -> SetbackText:
    """Return one text of the law as the zones take it."""
    upgradient_only = setbacks.leach_ft == 0
    return SetbackText(
        down_ft=setbacks.down_ft,
        up_supply_ft=setbacks.up_supply_ft,
        leach_ft=setbacks.leach_upgradient_ft if upgradient_only else setbacks.leach_ft,
        leach_upgradient_only=upgradient_only,
    )


def _reach_ft(ordinance: Ordinance) -> float:
    """Return the largest distance that a setback of the law or a column asks for, in feet."""
    distances = [100.0]
    for setbacks in ordinance.zones.infiltration.values():
        distances += [setbacks.down_ft, setbacks.up_supply_ft]
        distances += [setbacks.leach_ft, setbacks.leach_upgradient_ft]
    return max(distances)


def _infiltration_bounds(zones: ZoneResult) -> pd.DataFrame:
    """Return a detail for each site whose area for infiltration is only a bound."""
    rows = np.flatnonzero(zones.upper_bound.astype(bool) & zones.area_sqft.notna().any(axis=1))
    most = zones.area_sqft.iloc[rows].max(axis=1)
    table = pd.DataFrame(index=range(len(rows)), columns=list(DETAIL_COLUMNS))
    return table.assign(
        row=rows,
        id="infiltration_area",
        outcome="unknown",
        value=most.to_numpy(np.float64),
        unit="sq ft",
        text="area where infiltration may stand: " + zones.upper_bound[rows],
        source="",
    )


class _Steps:
    """Hands out consecutive parts of a progress."""

    def __init__(self, progress: Progress) -> None:
        self.progress, self.done = progress, 0.0

    def next(self, share: float) -> Progress:
        start, self.done = self.done, self.done + share
        return part_of(self.progress, start, self.done)


def _names(group: Group, parameter: str) -> str:
    return ", ".join(layer.name for layer in group.of(parameter))


def _disturbance(group: Group, inputs: ScreeningInputs, progress: Progress) -> Disturbance:
    existing = find_covered(
        np.asarray(group.sites.geometry.array, dtype=object),
        [layer.extent for layer in group.of("EXISTING_IMPERVIOUS")],
        group.frame("COVERAGE"),
        what="existing impervious area",
        names=[layer.name for layer in group.of("EXISTING_IMPERVIOUS")],
    )
    return measure_disturbance(
        group.sites,
        _area_input(group, inputs, "DISTURBANCE", "DISTURBED_FIELD"),
        _area_input(group, inputs, "IMPERVIOUS", "IMPERVIOUS_FIELD"),
        _area_input(group, inputs, "EXISTING_IMPERVIOUS", None),
        existing_covers=existing.complete,
        progress=progress,
    )


def _area_input(
    group: Group, inputs: ScreeningInputs, parameter: str, field: str | None
) -> AreaInput:
    return AreaInput(
        polygons=group.frame(parameter),
        layer=_names(group, parameter),
        typed=_typed(group, inputs, inputs.fields.get(field or "")),
    )


def _typed(group: Group, inputs: ScreeningInputs, field: str | None) -> Numbers | None:
    if field is None:
        return None
    return number_field(group.sites, field, layer=inputs.sites.name)


def _listing_fields(prefix: str, inputs: ScreeningInputs, options: Options) -> ListingFields:
    def field(name: str) -> str | None:
        return inputs.fields.get(f"{prefix}_{name}_FIELD")

    return ListingFields(
        name=field("NAME"),
        pollutant=field("POLLUTANT"),
        status=field("STATUS"),
        status_values=options.impaired_status_values if prefix == "IMPAIRED" else (),
        source=field("SOURCE"),
    )


def _soil_fields(inputs: ScreeningInputs) -> SoilFields:
    def field(name: str) -> str | None:
        return inputs.fields.get(f"SOIL_{name}_FIELD")

    return SoilFields(
        group=field("GROUP"),
        ksat=field("KSAT"),
        water_table=field("WATER_TABLE"),
        bedrock=field("BEDROCK"),
        perc=field("PERC"),
        transport=field("TRANSPORT"),
    )


def _datum_notes(group: Group, inputs: ScreeningInputs) -> list[str]:
    given = [inputs.sites, *(layer for some in inputs.layers.values() for layer in some)]
    notes = [transformation_note(layer.name, layer.frame.crs, group.crs) for layer in given]
    return [note for note in notes if note]
