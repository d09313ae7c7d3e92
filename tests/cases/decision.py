"""Facts of a row of decision_cases.csv, as measures and fields would give them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from stormwater_screen.facts import Facts, Flag, Quantity, Word, texts, typed
from stormwater_screen.listings import condition_a_limb
from stormwater_screen.outcomes import NO, UNKNOWN, Outcomes
from stormwater_screen.tables import pollutant_table

OUTCOMES = {
    "lake_george": {
        "lake_george": "class",
        "lg_factors": "may_major",
        "cond_a_lg": "cond_a",
        "cond_b": "cond_b",
        "cond_c": "cond_c",
    },
    "wilton": {"wilton": "class", "cond_a_lg": "cond_a", "cond_b": "cond_b", "cond_c": "cond_c"},
    "shelter_island": {
        "shelter_island": "class",
        "cond_a_si": "cond_a",
        "cond_b": "cond_b",
        "cond_c": "cond_c",
    },
    "wayne_county": {"wayne_county": "class"},
}
"""Column of the cases and column of the judgement, by law."""


def number(rows: pd.DataFrame, column: str, unit: str, settle: str) -> Quantity:
    values = pd.to_numeric(rows[column].replace("", None)).to_numpy(float)
    return typed(values, unit, source=f"field {column}", reason="not given", settle=settle)


def word(rows: pd.DataFrame, column: str, settle: str, unknown: tuple[str, ...] = ("",)) -> Word:
    values = np.array([None if v in unknown else v for v in rows[column]], object)
    return Word(values, texts(len(rows)), texts(len(rows)), texts(len(rows), settle))


def facts_of(rows: pd.DataFrame) -> Facts:
    """Return the facts of rows read as text."""
    count = len(rows)
    disturbed = number(rows, "dist_sqft", "sq ft", "the disturbed area")
    impervious = number(rows, "newimp_sqft", "sq ft", "the new impervious area")
    unknown = np.isnan(impervious.value)
    impervious.high[unknown] = disturbed.high[unknown]
    affected = typed(
        np.where(
            unknown & np.isfinite(disturbed.value),
            disturbed.value,
            np.maximum(disturbed.value, impervious.value),
        ),
        "sq ft",
        source="fields",
        settle="the disturbed area",
    )
    facts = {
        "disturbed": disturbed,
        "new_impervious": impervious,
        "affected": affected,
        "project_type": word(rows, "project_type", "the project type"),
        "common_plan": word(rows, "common_plan", "the common plan and its total", ("", "unknown")),
        "lda_area": lda_area(rows, disturbed),
        "lots": number(rows, "lots", "lots", "the number of lots"),
        "lot_max": number(rows, "lot_max_sqft", "sq ft", "the largest lot's disturbance"),
        "road": number(rows, "road_sqft", "sq ft", "the road's disturbance"),
        "slope": gentle(number(rows, "slope_pct", "%", "the building centre")),
        "perc": number(rows, "perc_min_in", "min/in", "a percolation test"),
        "listed_construction": flag(rows, 0),
        "listed_any": flag(rows, 1),
    }
    return Facts(count, dict(facts))


def gentle(slope: Quantity) -> Quantity:
    """Empty means nothing to report."""
    value = np.where(np.isnan(slope.value), 5.0, slope.value)
    return typed(value, "%", source="field slope_pct")


def lda_area(rows: pd.DataFrame, disturbed: Quantity) -> Quantity:
    plan = rows["common_plan"].to_numpy()
    total = pd.to_numeric(rows["plan_total_sqft"].replace("", None)).to_numpy(float)
    value = np.where(plan == "yes", total, disturbed.value)
    value[plan == "unknown"] = np.nan
    area = typed(value, "sq ft", source="fields", settle="the common plan and its total")
    is_open = np.isnan(value)
    area.low[is_open] = disturbed.low[is_open]
    return area


def flag(rows: pd.DataFrame, law: int) -> Flag:
    outcome = np.array([limb(a, b)[law] for a, b in zip(rows.listing, rows.reached, strict=True)])
    settle = texts(len(rows), "the listing")
    return Flag(outcome.astype(np.int8), texts(len(rows)), texts(len(rows)), settle)


def limb(listing: str, reached: str) -> tuple[np.int8, np.int8]:
    if listing == "none":
        return NO, NO
    if listing == "not_supplied":
        return UNKNOWN, UNKNOWN
    kind, pollutant, source = (*listing.split(":"), "")[:3]
    sources = {"stormwater": "stormwater", "": "other", "unknown": "not_recorded"}
    both: tuple[Outcomes, Outcomes] = condition_a_limb(
        kind, pollutant_class(pollutant), sources[source], reached
    )
    return both[0][0], both[1][0]


def pollutant_class(pollutant: str) -> str:
    return pollutant_table().match(pollutant)[0].pollutant_class
