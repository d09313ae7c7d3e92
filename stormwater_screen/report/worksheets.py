"""Worksheets of a report: slopes, gradient, and where infiltration may stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pandas as pd

from ..figures import read_figures
from ..measuring import setback_text
from ..ordinance import Ordinance, Setbacks
from ..zones import required_ft
from .words import ROLES, acres, direction, known, number, quantity

Finding = dict[str, Any]

MOST_GRADIENTS: Final = 12
"""Waters in the worksheet, the nearest ones."""

RUN_KINDS: Final = {
    "slope_centre": "Building centre",
    "slope_places": "Steepest place for a building",
    "slope_device": "Infiltration device",
}


@dataclass(frozen=True)
class Run:
    """A slope over 100 ft.

    Attributes
    ----------
    kind
        Where it begins.
    begin_ft, end_ft
        Elevations of both ends.
    toward
        Its direction.
    percent
        The slope.
    complete
        False where some directions leave the DEM.
    latitude, longitude, degrees
        Where it begins, NaN where that is not told, and its direction as a number.
    note
        What else is told of it.
    """

    kind: str
    begin_ft: str
    end_ft: str
    toward: str
    percent: str
    complete: bool
    latitude: float
    longitude: float
    degrees: float
    note: str = ""


@dataclass(frozen=True)
class Gradient:
    """A line of the worksheet of the gradient.

    Attributes
    ----------
    name, role
        The water, supply or leach field.
    distance, bearing
        How far and in which direction it lies.
    difference
        Elevation of the site against it, in feet, lowest to highest.
    elevations
        Ground at the site's nearest point and at the water.
    side
        Upgradient, downgradient, level or unknown, with what decided it.
    setbacks
        Distance that infiltration must keep under each text of the law.
    """

    name: str
    role: str
    distance: str
    bearing: str
    elevations: str
    difference: str
    side: str
    setbacks: str


@dataclass(frozen=True)
class Infiltration:
    """Where infiltration may stand under one text of the law."""

    text: str
    area: str
    why: str
    holds: bool


def runs_of(findings: Sequence[Finding]) -> list[Run]:
    """Return the slopes that were measured."""
    runs = []
    for finding in findings:
        kind = RUN_KINDS.get(finding["rule"])
        if kind is None:
            continue
        figures = read_figures(finding["figures"])
        if figures.get("percent") is None:
            continue
        runs.append(_run(kind, figures))
        if "flattest_percent" in figures:
            runs.append(_run("Flattest place for a building", figures, "flattest_"))
    return runs


def _run(kind: str, figures: Mapping[str, Any], prefix: str = "") -> Run:
    def of(name: str) -> float:
        return float(figures.get(f"{prefix}{name}", float("nan")))

    tried, reached = figures.get("places"), figures.get("reached")
    note = ""
    if tried and not prefix:
        note = f"{reached} of {tried} places tried reach 15 %"
    return Run(
        kind=kind,
        begin_ft=quantity(of("from_ft"), "ft"),
        end_ft=quantity(of("to_ft"), "ft"),
        toward=direction(of("direction_deg")),
        percent=quantity(of("percent"), "%", 2),
        complete=bool(figures.get(f"{prefix}complete", True)),
        latitude=of("latitude"),
        longitude=of("longitude"),
        degrees=of("direction_deg"),
        note=note,
    )


def gradients_of(findings: Sequence[Finding], ordinance: Ordinance, word: str) -> list[Gradient]:
    """Return the worksheet of the gradient, the nearest first.

    Parameters
    ----------
    findings
        Findings of the site.
    ordinance
        The law.
    word
        Class of the site; where it is open, the texts of all classes are shown.
    """
    rows = [(finding, read_figures(finding["figures"])) for finding in findings
            if finding["rule"] == "gradient"]  # fmt: skip
    rows.sort(key=lambda pair: float(pair[0]["value"] or 0.0))
    texts = texts_of(ordinance, word)
    left_out = len(rows) - MOST_GRADIENTS
    if left_out > 0:
        rows = rows[:MOST_GRADIENTS]
    told = [_gradient(finding, figures, texts) for finding, figures in rows if figures]
    if left_out > 0:
        beyond = f"{left_out} more, farther away, stand in the findings"
        told.append(Gradient(beyond, "", "", "", "", "", "", ""))
    return told


def texts_of(ordinance: Ordinance, word: str) -> dict[str, Setbacks]:
    """Return the texts on infiltration that hold for a class; all where it has none of its own."""
    texts = ordinance.zones.infiltration
    own = {name: text for name, text in texts.items() if text.class_word == word}
    return own or dict(texts)


def _gradient(
    finding: Finding, figures: Mapping[str, Any], texts: Mapping[str, Setbacks]
) -> Gradient:
    role = str(figures.get("role", ""))
    low, high = figures.get("lowest_ft"), figures.get("highest_ft")
    site, water = figures.get("place_ft"), figures.get("water_ft")
    bearing = figures.get("bearing_deg")
    touches = float(figures.get("distance_ft", 0.0)) == 0.0
    return Gradient(
        name=str(figures.get("name", "")),
        role=ROLES.get(role, role.lower()),
        distance="touches the site" if touches else quantity(figures.get("distance_ft"), "ft"),
        bearing=direction(bearing) or "on the site",
        elevations=(
            f"site {number(site)}, there {number(water)} ft"
            if known(site) and known(water)
            else "no elevation"
        ),
        difference="" if low is None or high is None else f"{low:+.1f} to {high:+.1f} ft",
        side=_side(figures),
        setbacks=_required(figures, texts),
    )


def _side(figures: Mapping[str, Any]) -> str:
    """Return the side, by what it was decided, and what the paths of runoff say."""
    by, path = figures.get("by"), figures.get("path")
    return (
        str(figures.get("side", "unknown"))
        + (f" by {by}" if by else "")
        + (f"; {path}" if path else "")
        + (", counts whatever the gradient" if figures.get("always") else "")
    )


def _required(figures: Mapping[str, Any], texts: Mapping[str, Setbacks]) -> str:
    names = ("role", "side", "below", "above", "always")
    table = pd.DataFrame({name: [figures.get(name, False)] for name in names})
    several = len({text.class_word for text in texts.values()}) > 1
    told: dict[str, float] = {}
    for text in texts.values():
        label = "high traffic" if text.high_traffic else "ordinary"
        if several:
            label = f"{text.class_word.replace('_', ' ')}, {label}"
        told[label] = float(required_ft(table, setback_text(text))[0])
    if not told:
        return "the law has none"
    if len(set(told.values())) == 1:
        distance = next(iter(told.values()))
        return f"{distance:g} ft" if distance else "none"
    return "; ".join(
        f"{label} {f'{feet:g} ft' if feet else 'none'}" for label, feet in told.items()
    )


def infiltration_of(
    areas: Mapping[Any, float],
    zones: Sequence[Mapping[str, Any]],
    ordinance: Ordinance,
    word: str,
) -> list[Infiltration]:
    """Return where infiltration may stand under each text, those that hold for the class first.

    Parameters
    ----------
    areas
        Area left under each text, in square feet.
    zones
        Zones of the site.
    ordinance
        The law.
    word
        Class of the site.
    """
    why = {str(zone["zone"]): str(zone["why"] or "") for zone in zones}
    own = texts_of(ordinance, word)
    told = []
    for name, text in ordinance.zones.infiltration.items():
        area = areas.get(name)
        reason = why.get(f"not_{name}") or why.get(name, "")
        traffic = "high-traffic areas" if text.high_traffic else "ordinary areas"
        label = ordinance.classes.labels.get(text.class_word, text.class_word)
        told.append(Infiltration(f"{label}: {traffic}", acres(area), reason, name in own))
    return sorted(told, key=lambda one: not one.holds)
