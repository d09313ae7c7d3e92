"""Facts of sites, written by hand in a test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from stormwater_screen.fact_names import FACT_NAMES
from stormwater_screen.facts import Fact, Facts, Flag, Quantity, Word, texts, typed
from stormwater_screen.outcomes import UNKNOWN, codes

Value = float | str | None


def fact(name: str, values: Sequence[Value]) -> Fact:
    """Return a fact as people would type it; None is not known."""
    spec, count = FACT_NAMES[name], len(values)
    if spec.kind == "quantity":
        numbers = np.array([np.nan if value is None else value for value in values], float)
        return typed(numbers, spec.unit, source=f"field {name}", reason="", settle=spec.settle)
    settle = texts(count, spec.settle)
    if spec.kind == "word":
        words = np.array(values, object)
        return Word(words, texts(count, f"field {name}"), texts(count), settle)
    outcome = codes(["unknown" if value is None else value for value in values])
    return Flag(outcome, texts(count, f"layer {name}"), texts(count), settle)


def site_facts(**values: Value | Sequence[Value]) -> Facts:
    """Return facts of one site, or of several where lists are given; areas follow each other.

    ``affected`` and ``lda_area`` come from the disturbance where they are not given; a new
    impervious area that is not known is at most the disturbance.
    """
    count = max((len(v) for v in values.values() if isinstance(v, list)), default=1)
    lists = {k: list(v) if isinstance(v, list) else [v] * count for k, v in values.items()}
    by_name = {name: fact(name, of_name) for name, of_name in lists.items()}
    facts = Facts(count, by_name)
    disturbed = by_name.get("disturbed", fact("disturbed", [None] * count))
    impervious = by_name.get("new_impervious", fact("new_impervious", [0] * count))
    assert isinstance(disturbed, Quantity)
    assert isinstance(impervious, Quantity)
    unknown = np.isnan(impervious.value)
    impervious.high[unknown] = disturbed.high[unknown]
    by_name.setdefault("affected", larger(disturbed, impervious))
    by_name.setdefault("lda_area", disturbed)
    by_name.setdefault("common_plan", fact("common_plan", ["no"] * count))
    return facts


def larger(first: Quantity, second: Quantity) -> Quantity:
    """Return the larger of two quantities, by their bounds."""
    low, high = np.maximum(first.low, second.low), np.maximum(first.high, second.high)
    value = np.where(low == high, low, np.nan)
    settle = np.where(np.isnan(first.value), first.settle, second.settle)
    return replace(first, value=value, low=low, high=high, settle=settle)


def measured(
    name: str,
    value: float,
    *,
    low: float | None = None,
    high: float | None = None,
    error: float = 0.0,
    hides: bool = False,
    tolerance: float = 0.0,
    between: np.int8 = UNKNOWN,
) -> Quantity:
    """Return a measured quantity of one site."""
    plain = fact(name, [value])
    assert isinstance(plain, Quantity)
    return replace(
        plain,
        value=np.array([value]),
        low=np.array([value if low is None else low]),
        high=np.array([value if high is None else high]),
        error=np.array([error]),
        hides=hides,
        tolerance=tolerance,
        between=np.array([between]),
    )
