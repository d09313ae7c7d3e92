"""Facts as text in columns of the sites, so that one step of the work can hand them to the next.

A column such as ``slope_pct`` shows one number. What decides a rule may be more: that the slope
lies between 3 and 18 percent depending on where the building will stand, or that a distance is not
known since a layer ends there. The ``ev_`` columns carry it, one for each measure, in a form that
people can read too: ``slope 3.2..17.8 r e0.85`` is a slope of 3.2 to 17.8 percent, to be reviewed
where a limit lies between, with an error of 0.85.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from .fact_names import FACT_NAMES
from .facts import Fact, Flag, Quantity, Texts, missing_flag, missing_quantity, texts
from .outcomes import REVIEW, UNKNOWN, codes, words
from .progress import Progress, no_progress
from .tolerances import DISTANCE_FT, SLOPE_POINTS

EVIDENCE: Final[Mapping[str, tuple[str, ...]]] = {
    "ev_areas": ("disturbed", "new_impervious", "existing_impervious", "affected"),
    "ev_slope": ("slope",),
    "ev_water": ("water", "water_or_wetland", "wetland"),
    "ev_near": ("stream_corridor", "critical_area", "habitat", "scenic_historic"),
    "ev_setbk": ("supply", "leach", "setback_down", "setback_up_supply"),
    "ev_device": (
        "device_slope", "device_down", "device_up_supply", "device_leach", "device_leach_up",
    ),
    "ev_listed": ("listed_construction", "listed_any"),
    "ev_soils": ("perc", "perc_soil", "transport", "water_table", "bedrock"),
}  # fmt: skip
"""Columns, and the facts that each carries."""

INFILTRATION: Final = "ev_infil"
"""Column with the area where infiltration may stand under each text of the law, in square feet."""

MAKERS: Final[Mapping[str, str]] = {
    "ev_areas": "disturbancethresholds",
    "ev_slope": "slopeover100ft",
    "ev_water": "waterbodybuffer",
    "ev_near": "waterbodybuffer",
    "ev_setbk": "infiltrationsetbacks",
    "ev_device": "infiltrationsetbacks",
    "ev_listed": "impairedwaters",
    "ev_soils": "soilindicators",
}
"""The step that writes each column."""

SHOWN: Final[Mapping[str, str]] = {
    "disturbed": "disturb_sf",
    "new_impervious": "imperv_sf",
    "slope": "slope_pct",
    "water": "water_ft",
    "supply": "supply_ft",
}
"""Columns that show a number of the fact; an edited one no longer agrees with it."""

_WORDS: Final = {"y": "yes", "n": "no", "r": "review", "u": "unknown"}
_ITEM: Final = re.compile(r"(\w+) (\S+)((?: [ruetv][-+.\deinf]*)*)")
_SAME: Final = 1e-6
_TEXT: Final = 254


def evidence_columns(facts: Mapping[str, Fact], progress: Progress = no_progress) -> pd.DataFrame:
    """Return facts as the columns of ``EVIDENCE`` whose facts are all there."""
    columns: dict[str, Texts] = {}
    for number, (column, names) in enumerate(EVIDENCE.items()):
        progress(number / len(EVIDENCE))
        if all(name in facts for name in names):
            parts = [_written(name, facts[name]) for name in names]
            columns[column] = np.array(["; ".join(row) for row in zip(*parts, strict=True)], object)
    return pd.DataFrame(columns)


def infiltration_column(areas: pd.DataFrame) -> Texts:
    """Return the areas of each text of the law, in square feet, as one text a site."""
    names = [str(name) for name in areas]
    told = [
        "; ".join(f"{name} {value!r}" for name, value in zip(names, row, strict=True))
        for row in areas.to_numpy(np.float64).tolist()
    ]
    return np.array(told, dtype=object)


def read_infiltration(column: pd.Series) -> pd.DataFrame:
    """Return the areas of `infiltration_column`; NaN where a site has none."""
    rows = [
        {
            name: float(value)
            for name, value in (item.split(" ") for item in str(text).split("; ") if " " in item)
        }
        for text in column.where(column.notna(), "")
    ]
    return pd.DataFrame(rows, index=pd.RangeIndex(len(rows)), dtype=np.float64)


def read_evidence(sites: pd.DataFrame) -> tuple[dict[str, Fact], list[str]]:
    """Return the facts that the columns of sites carry, and notes on what they lack.

    A column that is absent, cut or no longer agrees with the number shown beside it leaves its
    facts unknown, with the step that would settle them.

    Parameters
    ----------
    sites
        Attributes of the sites.
    """
    facts: dict[str, Fact] = {}
    notes: list[str] = []
    for column, names in EVIDENCE.items():
        maker = MAKERS[column]
        if column not in sites:
            notes.append(f"no column {column}: not known without a run of {maker}")
            for name in names:
                facts[name] = _missing(name, len(sites), f"no run of {maker}", f"a run of {maker}")
            continue
        table = _items(sites[column])
        for name in names:
            facts[name] = _read(name, table.get(name, texts(len(sites))), column, maker)
        notes += _stale(facts, names, sites, maker)
        empty = int(sum(name not in table for name in names))
        if empty and len(sites):
            notes.append(f"column {column} is cut or empty: run {maker} again")
    return facts, notes


def _missing(name: str, count: int, reason: str, settle: str) -> Fact:
    spec = FACT_NAMES[name]
    if spec.kind == "flag":
        return missing_flag(count, reason=reason, settle=settle)
    return missing_quantity(count, spec.unit, reason=reason, settle=settle)


def _number(value: float) -> str:
    """Return a number as short as it can be without being another to any rule."""
    exact = repr(float(value))
    exact = exact.removesuffix(".0")
    return exact if len(exact) <= 11 else f"{value:.10g}"


def _written(name: str, fact: Fact) -> list[str]:
    if isinstance(fact, Flag):
        return [f"{name} {word[0]}" for word in words(fact.outcome)]
    assert isinstance(fact, Quantity)
    tolerance = np.broadcast_to(fact.tolerance, len(fact.value))
    numbers = (fact.value, fact.low, fact.high, fact.error, tolerance, fact.between)
    with_tolerance = FACT_NAMES[name].unit == "sq ft"
    # What is alike, as a fact that is known of no site, is written once.
    alike = np.column_stack([np.asarray(part, np.float64) for part in numbers])
    bits = alike.view(f"V{alike.itemsize * alike.shape[1]}").reshape(-1)
    _, first, code = np.unique(bits, return_index=True, return_inverse=True)
    rows = zip(*(np.asarray(part)[first] for part in numbers), strict=True)
    told = [f"{name} {_one(*row, with_tolerance=with_tolerance)}" for row in rows]
    return [told[at] for at in code]


def _one(
    value: float,
    low: float,
    high: float,
    error: float,
    tolerance: float,
    between: np.int8,
    *,
    with_tolerance: bool,
) -> str:
    open_ = "r" if between == REVIEW else "u"
    known = not np.isnan(value)
    if low == 0 and np.isinf(high) and not known:
        return f"0.. {open_}"
    # Typed areas are compared exactly: not a digit of them may be lost.
    number = repr if with_tolerance and tolerance == 0 else _number
    parts = [number(float(low)).removesuffix(".0")]
    if low != high:
        parts[0] += ".." + ("" if np.isinf(high) else number(float(high)).removesuffix(".0"))
        parts.append(open_)
    if known and low != high:
        parts.append(f"v{number(float(value))}")
    if error:
        parts.append(f"e{float(error):.7g}")
    if with_tolerance and tolerance:
        parts.append(f"t{tolerance:.4g}")
    return " ".join(parts)


def _items(column: pd.Series) -> dict[str, Texts]:
    """Return what is said of each fact by its name; empty where a site says nothing."""
    table: dict[str, Texts] = {}
    for row, text in enumerate(column):
        for item in str(text).split("; ") if isinstance(text, str) else ():
            match = _ITEM.fullmatch(item.strip())
            if match:
                table.setdefault(match[1], texts(len(column)))[row] = match[2] + match[3]
    return table


def _read(name: str, items: Texts, column: str, maker: str) -> Fact:
    lost = items == ""
    reason = np.where(lost, f"column {column} says nothing of it", "").astype(object)
    settle = np.where(lost, f"a run of {maker}", "").astype(object)
    spec = FACT_NAMES[name]
    source = np.where(lost, "", f"column {column}").astype(object)
    if spec.kind == "flag":
        found = codes([_WORDS.get(item[:1], "unknown") for item in items])
        open_ = (found == REVIEW) | (found == UNKNOWN)
        settle = np.where(open_ & ~lost, spec.settle, settle).astype(object)
        return Flag(found, source, reason, settle)
    known, rows = np.flatnonzero(~lost), [_parts(item) for item in items[~lost]]
    missing = missing_quantity(len(items), spec.unit, reason="", settle="")
    fact = replace(
        missing,
        hides=spec.unit in ("ft", "%"),
        tolerance=np.zeros(len(items)),
        source=source,
        reason=reason,
        settle=settle,
    )
    assert isinstance(fact.tolerance, np.ndarray)
    for at, key in enumerate(("value", "low", "high", "error", "tolerance", "between")):
        getattr(fact, key)[known] = [row[at] for row in rows]
    if spec.unit != "sq ft":
        fixed = {"ft": DISTANCE_FT, "%": SLOPE_POINTS}.get(spec.unit, 0.0)
        fact = replace(fact, tolerance=fixed)
    open_ = ~lost & (fact.low != fact.high)
    fact.settle[open_] = spec.settle
    fact.reason[open_] = f"only its bounds are known, see column {column}"
    return fact


def _parts(item: str) -> tuple[float, float, float, float, float, np.int8]:
    """Return value, low, high, error, tolerance and between of an item."""
    first, *others = item.split(" ")
    said = {part[0]: part[1:] for part in others}
    low, dots, high = first.partition("..")
    least = float(low)
    most = least if not dots else float(high or "inf")
    value = float(said.get("v", "nan" if least != most or np.isinf(least) else least))
    between = REVIEW if "r" in said else UNKNOWN
    return value, least, most, float(said.get("e", 0)), float(said.get("t", 0)), between


def _stale(
    facts: dict[str, Fact], names: tuple[str, ...], sites: pd.DataFrame, maker: str
) -> list[str]:
    """Make facts unknown where the number shown was changed since; return what to do."""
    notes = []
    for name in names:
        column = SHOWN.get(name, "")
        fact = facts[name]
        if column not in sites or not isinstance(fact, Quantity):
            continue
        shown = pd.to_numeric(sites[column], errors="coerce").to_numpy(np.float64)
        ends = (fact.low, fact.high, fact.value)
        agrees = np.logical_or.reduce([_same(shown, end) for end in ends])
        changed = ~np.isnan(shown) & ~agrees
        if changed.any():
            notes.append(
                f"{column} was changed on {int(changed.sum())} site(s) after {maker} wrote it;"
                f" taken as not known there: run {maker} again"
            )
            for key, value in (("value", np.nan), ("low", 0.0), ("high", np.inf)):
                getattr(fact, key)[changed] = value
            fact.between[changed] = UNKNOWN
            fact.reason[changed] = f"{column} was changed by hand"
            fact.settle[changed] = f"a run of {maker}"
    return notes


def _same(shown: npt.NDArray[np.float64], number: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    with np.errstate(invalid="ignore"):
        near: npt.NDArray[np.bool_] = np.abs(shown - number) <= _SAME * np.maximum(1.0, abs(number))
    return near
