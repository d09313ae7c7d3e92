"""A look at all inputs before a screening: what stops it, what stays unknown, and what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import pandas as pd
import pyproj
import shapely

from .columns import CHECK_COLUMNS
from .coverage import find_covered
from .dem import Dem
from .errors import InputError
from .fact_names import FACT_NAMES
from .fields import number_field, text_field
from .layers import Layer
from .model import Options, ScreeningInputs
from .ordinance import FactTest, Ordinance
from .progress import Progress, no_progress, part_of
from .summary_texts import NOT_GIVEN, ROLE_TITLES
from .vicinity import Group, groups

LEVELS: Final = ("error", "unknown", "warning", "info")

COVERING: Final[Mapping[str, str]] = {
    "WATER_BODIES": "distances to water, in_35ft, in_50ft, in_100ft and in_500ft",
    "WATERCOURSES": "distances to water, in_35ft, in_50ft, in_100ft and in_500ft",
    "WETLANDS": "in_500ft",
    "WATER_SUPPLIES": "distances to supplies, in_35ft, in_50ft and in_100ft",
    "LEACH_FIELDS": "setbacks from leach fields",
    "EXISTING_IMPERVIOUS": "existing impervious area",
    "IMPAIRED": "impaired and Condition A",
    "TMDL": "tmdl and Condition A",
    "STREAM_CORRIDORS": "the factor of stream corridors",
}
"""Layers that must cover a site for a no, and what stays unknown elsewhere."""

FACT_INPUTS: Final[Mapping[str, tuple[str, ...]]] = {
    "slope": ("DEM",),
    "device_slope": ("DEM", "DEVICES"),
    "project_type": ("PROJECT_TYPE_FIELD",),
    "lots": ("LOTS_FIELD",),
    "lot_max": ("LOT_MAX_FIELD",),
    "road": ("ROAD_FIELD",),
    "high_traffic": ("HIGH_TRAFFIC_FIELD",),
    "attested": ("ATTESTED_FIELD",),
    "swppp_approved": ("SWPPP_FIELD",),
    "new_impervious": ("IMPERVIOUS",),
    "existing_impervious": ("EXISTING_IMPERVIOUS",),
    "perc": ("SOIL_PERC_FIELD",),
    "perc_soil": ("SOILS",),
    "transport": ("SOILS", "SOIL_TRANSPORT_FIELD"),
    "water_table": ("SOILS", "SOIL_WATER_TABLE_FIELD"),
    "bedrock": ("SOILS", "SOIL_BEDROCK_FIELD"),
    "water": ("WATER_BODIES", "WATERCOURSES"),
    "water_or_wetland": ("WATER_BODIES", "WATERCOURSES", "WETLANDS"),
    "wetland": ("WETLANDS",),
    "setback_down": ("WATER_BODIES", "WATERCOURSES", "WATER_SUPPLIES", "DEM"),
    "setback_up_supply": ("WATER_SUPPLIES", "DEM"),
    "device_down": ("DEVICES", "WATER_BODIES", "WATERCOURSES", "WATER_SUPPLIES", "DEM"),
    "device_up_supply": ("DEVICES", "WATER_SUPPLIES", "DEM"),
    "device_leach": ("DEVICES", "LEACH_FIELDS"),
    "device_leach_up": ("DEVICES", "LEACH_FIELDS", "DEM"),
    "stream_corridor": ("STREAM_CORRIDORS",),
    "critical_area": ("SENSITIVE",),
    "habitat": ("SENSITIVE",),
    "scenic_historic": ("SENSITIVE",),
    "listed_construction": ("IMPAIRED", "TMDL"),
    "listed_any": ("IMPAIRED", "TMDL"),
}
"""Facts, and the inputs without which they are not known, or only within bounds."""

_NUMBERS: Final = (
    "DISTURBED_FIELD", "IMPERVIOUS_FIELD", "PLAN_TOTAL_FIELD", "MAX_OPEN_FIELD", "LOTS_FIELD",
    "LOT_MAX_FIELD", "ROAD_FIELD",
)  # fmt: skip
_ALWAYS_ASKED: Final = ("DISTURBED_FIELD", "IMPERVIOUS_FIELD")
_ASSUMED: Final = {
    "DISTURBANCE": "warning",
    "PLAN_FIELD": "warning",
    "BUILDING_CENTRES": "info",
    "DEVICES": "info",
}
"""Inputs without which the run does not say unknown: it assumes something, or tries every place."""

_SHOWN_RULES: Final = 8


@dataclass
class Checks:
    """Rows of a check, in the order of the inputs."""

    rows: list[dict[str, object]] = field(default_factory=list)

    def add(
        self,
        level: str,
        parameter: str,
        layer: str,
        checked: str,
        found: str,
        *,
        means: str = "",
        todo: str = "",
        count: int = 0,
    ) -> None:
        """Add a row; the words are those of ``columns.CHECK_COLUMNS``."""
        self.rows.append(
            {
                "level": level,
                "input": parameter,
                "layer": layer,
                "checked": checked,
                "found": found,
                "count": count,
                "means": means,
                "todo": todo,
            }
        )

    def refused(self, parameter: str, error: Exception) -> None:
        """Add what would stop a run."""
        found, todo = str(error), ""
        if isinstance(error, InputError):
            found, todo = f"{error.where}: {error.found}", f"give {error.needed}"
        self.add("error", parameter, "", "can be used", found, means="a run stops", todo=todo)

    def count(self, level: str) -> int:
        """Return how many rows have a level."""
        return sum(row["level"] == level for row in self.rows)

    def table(self) -> pd.DataFrame:
        """Return the rows, what is worst first."""
        names = [column.name for column in CHECK_COLUMNS]
        table = pd.DataFrame(self.rows, columns=names)
        order = table["level"].map({level: at for at, level in enumerate(LEVELS)})
        return table.iloc[np.argsort(order.to_numpy(), kind="stable")].reset_index(drop=True)


def check_inputs(
    inputs: ScreeningInputs,
    ordinance: Ordinance | None,
    options: Options,
    checks: Checks,
    *,
    guessed: Sequence[str] = (),
    refused: Sequence[str] = (),
    progress: Progress = no_progress,
) -> None:
    """Look at inputs that could be read, and add what was found to ``checks``.

    Parameters
    ----------
    inputs
        What could be read.
    ordinance
        The law, or None where it is refused.
    options
        Choices of the run.
    checks
        Takes the rows; what could not be read stands there already.
    guessed
        What the program says of fields that nobody named.
    refused
        Parameters that could not be read: they are given, though they are not in ``inputs``.
    progress
        Called with the share done; raises to stop the run.
    """
    _check_sites(inputs, checks)
    for name, layers in inputs.layers.items():
        for layer in layers:
            _check_layer(name, layer, checks)
    for sentence in guessed:
        parameter, _, found = sentence.partition(": ")
        checks.add("info", parameter, "", "field", found, todo="name it to be sure")
    _check_numbers(inputs, checks)
    progress(0.2)
    parts = groups(inputs.sites.frame, inputs.layers)
    progress(0.5)
    _check_coverage(parts, inputs, checks)
    _check_dem(parts, inputs, checks, part_of(progress, 0.5, 0.95))
    _check_not_given(inputs, options, checks, refused)
    if ordinance is not None:
        _check_law(ordinance, inputs, options, checks, refused)
    progress(1.0)


def _check_sites(inputs: ScreeningInputs, checks: Checks) -> None:
    sites, name = inputs.sites, inputs.sites.name
    _check_layer("SITES", sites, checks)
    own = inputs.fields.get("SITE_ID")
    if not own:
        text = "no field of ids is given or found"
        checks.add("info", "SITE_ID", name, "ids", text, means="sites are told apart by their row")
        return
    ids = pd.Series(text_field(sites.frame, own, layer=name), dtype=object)
    empty, repeated = int(ids.isna().sum()), int(ids.dropna().duplicated(keep=False).sum())
    means, todo = "these sites are told apart by their row only", "a field of ids of its own"
    if empty:
        found = f"{empty:,} of {len(ids):,} ids are empty"
        checks.add("warning", "SITE_ID", own, "ids", found, means=means, todo=todo, count=empty)
    if repeated:
        found = f"{repeated:,} of {len(ids):,} sites share their id with another"
        checks.add("warning", "SITE_ID", own, "ids", found, means=means, todo=todo, count=repeated)


def _check_layer(parameter: str, layer: Layer, checks: Checks) -> None:
    """Add CRS, unit, features and geometries of a layer."""
    name, crs = layer.name, pyproj.CRS(layer.frame.crs)
    unit = crs.axis_info[0].unit_name
    checks.add("info", parameter, name, "coordinate system", f"{crs.name}, in {unit}")
    read = len(layer.frame)
    of_all = "" if read == layer.feature_count else f", {read:,} of them near the sites"
    found = f"{layer.feature_count:,} feature(s){of_all}"
    if layer.feature_count == 0:
        means = "no rows come out" if parameter == "SITES" else "counts as not given"
        level = "error" if parameter == "SITES" else "unknown"
        checks.add(level, parameter, name, "features", found, means=means, todo="a filled layer")
        return
    checks.add("info", parameter, name, "features", found, count=layer.feature_count)
    if layer.extent is not None:
        extent = ", ".join(f"{bound:.10g}" for bound in layer.extent)
        checks.add("info", parameter, name, "extent", f"west, south, east, north: {extent}")
    what = "site" if parameter == "SITES" else "feature"
    if len(layer.status):
        faulty = int(layer.status["fault"].astype(bool).sum())
        repaired = int(layer.status["repair"].astype(bool).sum())
        if faulty:
            found = f"{faulty:,} without a usable geometry"
            means = "unknown in every answer" if what == "site" else "not looked at"
            level = "unknown" if what == "site" else "warning"
            todo = "draw or remove them"
            checks.add(
                level, parameter, name, "geometry", found, means=means, todo=todo, count=faulty
            )
        if repaired:
            found, todo = f"{repaired:,} invalid, can be repaired", "look at the area afterwards"
            checks.add(
                "warning", parameter, name, "geometry", found, means="repaired for the run",
                todo=todo, count=repaired,
            )  # fmt: skip
    shapes = np.asarray(layer.frame.geometry.array, dtype=object)
    wkb = pd.Series(shapely.to_wkb(shapes[~shapely.is_missing(shapes)]), dtype=object)
    twice = int(wkb.duplicated().sum())
    if twice:
        means = "each is judged" if what == "site" else "counts once, as overlaps do"
        found = f"{twice:,} drawn a second time"
        todo = f"remove the repeated {what}s"
        checks.add(
            "warning", parameter, name, "repeats", found, means=means, todo=todo, count=twice
        )
    for note in layer.notes:
        if "geometr" not in note:
            checks.add("warning", parameter, name, "notes", note)


def _check_numbers(inputs: ScreeningInputs, checks: Checks) -> None:
    """Add which numbers that people typed are missing or cannot be read."""
    for parameter in _NUMBERS:
        name = inputs.fields.get(parameter)
        if not name:
            continue
        whole = parameter == "LOTS_FIELD"
        numbers = number_field(
            inputs.sites.frame,
            name,
            layer=inputs.sites.name,
            unit="lots" if whole else "sq ft",
            whole=whole,
        )
        lacking = int(np.isnan(numbers.value).sum())
        for note in (note for note in numbers.notes if "is empty" not in note):
            checks.add("warning", parameter, name, "numbers", note, todo="correct the entries")
        if lacking:
            found = f"{lacking:,} of {len(numbers.value):,} sites have no number"
            level = "unknown" if parameter in _ALWAYS_ASKED else "info"
            checks.add(
                level, parameter, name, "numbers", found, means="not known for these sites",
                todo="fill in the field where it matters; 0 where there is none", count=lacking,
            )  # fmt: skip


def _check_coverage(parts: Sequence[Group], inputs: ScreeningInputs, checks: Checks) -> None:
    """Add how many sites each layer does not cover."""
    for parameter, means in COVERING.items():
        given = inputs.layers.get(parameter, ())
        if not given or not any(layer.feature_count for layer in given):
            continue
        outside = 0
        for group in parts:
            covered = find_covered(
                np.asarray(group.sites.geometry.array, dtype=object),
                [layer.extent for layer in group.of(parameter)],
                group.frame("COVERAGE"),
                what=ROLE_TITLES[parameter],
                names=[layer.name for layer in group.of(parameter)],
            )
            there = ~shapely.is_missing(np.asarray(group.sites.geometry.array, dtype=object))
            outside += int((there & ~covered.complete).sum())
        name = ", ".join(layer.name for layer in given)
        if outside:
            checks.add(
                "unknown", parameter, name, "coverage",
                f"{outside:,} of {len(inputs.sites.frame):,} sites lie where it is not complete",
                means=f"unknown there unless found near: {means}",
                todo="a layer that reaches farther, or COVERAGE where it is complete",
                count=outside,
            )  # fmt: skip
        else:
            checks.add("info", parameter, name, "coverage", "covers all sites")


def _check_dem(
    parts: Sequence[Group], inputs: ScreeningInputs, checks: Checks, progress: Progress
) -> None:
    """Add unit and cells of the DEM, and how many sites it does not reach."""
    source = inputs.dem
    if source is None:
        return
    try:
        with Dem.open(source.path, band=source.band, z_unit=source.z_unit) as dem:
            checks.add("info", "DEM", dem.name, "coordinate system", dem.crs.name)
            how = "by the file" if source.z_unit == "auto" else "as DEM_Z_UNIT says"
            checks.add("info", "DEM", dem.name, "vertical unit", f"{dem.z_unit}, {how}")
            rows, columns = dem.cell_ft(parts[0].crs)
            cells = f"{dem.width:,} x {dem.height:,} of {columns:.1f} x {rows:.1f} ft"
            checks.add("info", "DEM", dem.name, "cells", cells)
            for note in dem.notes:
                checks.add("warning", "DEM", dem.name, "notes", note)
            off = sum(_off_dem(dem, group, progress) for group in parts)
    except InputError as error:
        checks.refused("DEM", error)
        return
    if off:
        checks.add(
            "unknown", "DEM", source.path, "coverage",
            f"{off:,} of {len(inputs.sites.frame):,} sites lie outside it or in a hole of it",
            means="slope and gradient sides are unknown there",
            todo="a DEM that reaches 100 ft beyond every site", count=off,
        )  # fmt: skip


def _off_dem(dem: Dem, group: Group, progress: Progress) -> int:
    """Return how many sites have no elevation at a point inside."""
    shapes = np.asarray(group.sites.geometry.array, dtype=object)
    shapes = shapes[~(shapely.is_missing(shapes) | shapely.is_empty(shapes))]
    xy = shapely.get_coordinates(shapely.point_on_surface(shapes))
    feet = dem.elevation_ft(xy[:, 0], xy[:, 1], group.crs, progress=progress)
    return int(np.isnan(feet).sum())


def _given(inputs: ScreeningInputs, options: Options, refused: Sequence[str]) -> set[str]:
    given = {name for name, layers in inputs.layers.items() if layers} | set(refused)
    given |= {name for name, own in inputs.fields.items() if own}
    if inputs.dem is not None:
        given.add("DEM")
    if options.project_type:
        given |= {"PROJECT_TYPE", "PROJECT_TYPE_FIELD"}
    if options.high_traffic != "unknown":
        given.add("HIGH_TRAFFIC_FIELD")
    if "IMPERVIOUS_FIELD" in given:
        given.add("IMPERVIOUS")
    return given


def _check_not_given(
    inputs: ScreeningInputs, options: Options, checks: Checks, refused: Sequence[str]
) -> None:
    given = _given(inputs, options, refused)
    for names, what, follows in NOT_GIVEN:
        if given & set(names):
            continue
        checks.add(
            _ASSUMED.get(names[0], "unknown"), names[0], "", "given",
            f"not given: {what.lower()}", means=follows,
            todo=f"give {' or '.join(names)}", count=len(inputs.sites.frame),
        )  # fmt: skip


def _check_law(
    ordinance: Ordinance,
    inputs: ScreeningInputs,
    options: Options,
    checks: Checks,
    refused: Sequence[str],
) -> None:
    """Add the rules of the law that stay open for want of an input."""
    day = ordinance.as_of.isoformat()
    checks.add("info", "ORDINANCE", ordinance.title, "law", f"its text on {day} is used")
    for note in ordinance.notes:
        checks.add("info", "ORDINANCE", ordinance.title, "notes", note)
    given = _given(inputs, options, refused)
    asked: dict[tuple[str, ...], list[str]] = {}
    settles: dict[tuple[str, ...], list[str]] = {}
    for rule in ordinance.rules.values():
        if rule.text is None or not isinstance(rule.text.test, FactTest):
            continue
        fact = rule.text.test.fact
        lacking = tuple(name for name in FACT_INPUTS.get(fact, ()) if name not in given)
        if lacking:
            asked.setdefault(lacking, []).append(rule.id)
            settles.setdefault(lacking, []).append(FACT_NAMES[fact].settle)
    for lacking, rules in asked.items():
        shown = ", ".join(rules[:_SHOWN_RULES]) + (" ..." if len(rules) > _SHOWN_RULES else "")
        settle = "; ".join(dict.fromkeys(settles[lacking]))
        checks.add(
            "unknown", lacking[0], "", "rules", f"{shown} of {ordinance.id} ask for it",
            means=f"open where they decide; would settle it: {settle}",
            todo=f"give {', '.join(lacking)}", count=len(inputs.sites.frame),
        )  # fmt: skip
