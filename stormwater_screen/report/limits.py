"""Each limit of the law with the number found, its error, and how far apart they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ..fact_names import FACT_NAMES
from ..facts import Fact, Quantity
from ..ordinance import Ordinance
from ..rule_words import number_of, shown_numbers
from .words import COMPARISONS, NOT_KNOWN, SIGNS, between, known, number, quantity

Finding = dict[str, Any]

_AT_THE_LIMIT: Final = 0.01
"""Feet, square feet or percentage points that nobody would call a margin."""


@dataclass(frozen=True)
class Limit:
    """A limit of the law and a number of the site.

    Attributes
    ----------
    rule, text, section, force
        The rule, what it says and where.
    found, number
        The number with its unit and error, with the words of what it is and without.
    limit, short
        The limit with the words of its comparison, and with its sign.
    room
        How far the number lies from the limit, and on which side.
    outcome
        Answer of the program.
    near
        True where the number lies within its error of the limit.
    settle
        What would settle it where it is open.
    source
        Layer or field.
    """

    rule: str
    text: str
    section: str
    force: str
    found: str
    number: str
    limit: str
    short: str
    room: str
    outcome: str
    near: bool
    settle: str
    source: str


def limits_of(
    findings: list[Finding],
    ordinance: Ordinance,
    facts: dict[str, Fact],
    place: int,
    next_class: dict[str, str],
) -> list[Limit]:
    """Return the limits that the rules of a site compare, in the order of the law.

    Parameters
    ----------
    findings
        Findings of the site.
    ordinance
        The law.
    facts
        Facts of all sites by name, for bounds and errors.
    place
        Place of the site among the facts.
    next_class
        For a rule that holds the site in its class, the class beyond its limit.
    """
    return [
        _limit(finding, ordinance, facts, place, next_class)
        for finding in findings
        if finding["rule"] in ordinance.rules
        and known(finding["threshold"])
        and is_own_number(finding["rule"], ordinance)
    ]


def is_own_number(rule: str, ordinance: Ordinance) -> bool:
    """Return whether no other finding shows the number of a rule already."""
    if number_of(rule, ordinance) is not None:
        return True
    return any(not ordinance.rules[part].report for part in shown_numbers(rule, ordinance))


def fact_behind(rule: str, ordinance: Ordinance) -> str:
    """Return the name of the fact whose number stands for a rule, or an empty text."""
    shown = shown_numbers(rule, ordinance) or [rule]
    compared = number_of(shown[0], ordinance)
    return compared.fact if compared is not None else ""


def _limit(
    finding: Finding,
    ordinance: Ordinance,
    facts: dict[str, Fact],
    place: int,
    next_class: dict[str, str],
) -> Limit:
    rule, unit = finding["rule"], finding["unit"] or ""
    comparison, threshold = finding["comparison"] or "", float(finding["threshold"])
    name = fact_behind(rule, ordinance)
    value, error = finding["value"], 0.0
    if not known(value):
        name = _other_fact(rule, name, ordinance, facts, place)
    fact = facts.get(name)
    low = high = float("nan")
    if isinstance(fact, Quantity):
        error = float(fact.error[place])
        low, high = float(fact.low[place]), float(fact.high[place])
        if not known(value) and low == high:
            value = low
    found = NOT_KNOWN
    if known(value):
        found = precise(value, threshold, unit)
        low_known = known(low) and low != high
        if low_known:
            found = between(low, high, unit)
        elif error > 0:
            found = f"{precise(value, threshold, unit)} ± {number(error, 2 if error < 10 else 0)}"
    elif known(low):
        found = between(low, high, unit)
    phrase = FACT_NAMES[name].phrase if name else ""
    return Limit(
        rule=rule,
        text=ordinance.rules[rule].summary,
        section=finding["section"] or "",
        force=finding["force"] or "",
        found=f"{phrase} {found}".strip() if found != NOT_KNOWN else found,
        number=found,
        limit=f"{COMPARISONS.get(comparison, comparison)} {quantity(threshold, unit)}",
        short=f"{SIGNS.get(comparison, comparison)} {quantity(threshold, unit)}",
        room=_room(value, low, high, comparison, threshold, unit, next_class.get(rule, "")),
        outcome=finding["outcome"] or "",
        near=finding["near"] == "yes",
        settle=finding["settle"] or "",
        source=finding["source"] or "",
    )


def _other_fact(
    rule: str, name: str, ordinance: Ordinance, facts: dict[str, Fact], place: int
) -> str:
    """Return a fact that the same limit is compared with and of which more is known.

    Where no device is given a setback is decided by the distance of the whole site.
    """
    shown = number_of((shown_numbers(rule, ordinance) or [rule])[0], ordinance)
    for part in ordinance.fact_tests(rule):
        other = number_of(part, ordinance)
        if shown is None or other is None or other.limit != shown.limit:
            continue
        fact = facts.get(other.fact)
        if isinstance(fact, Quantity) and (fact.low[place] > 0 or np.isfinite(fact.high[place])):
            return other.fact
    return name


def precise(value: float, threshold: float, unit: str) -> str:
    """Return a number with enough digits to be told from the limit."""
    for digits in (1, 2, 3):
        text = number(value, digits)
        if abs(value - threshold) >= 0.5 * 10**-digits or value == threshold:
            break
    if abs(value) >= 1_000 and 0 < abs(value - threshold) < 1:
        text = f"{value:,.2f}"
    return f"{text} {unit}".strip()


def _room(
    value: float | None,
    low: float,
    high: float,
    comparison: str,
    threshold: float,
    unit: str,
    next_class: str,
) -> str:
    """Return how much is left, or by how much the limit is passed."""
    decided = _decided(low, high, comparison, threshold)
    if value is None or not known(value) or (known(low) and low != high and decided is None):
        if decided is None:
            return "open"
        value = high if (comparison in ("<", "<=")) == decided else low
        if not np.isfinite(value):
            value = low
    apart = abs(float(value) - threshold)
    below = float(value) < threshold
    if apart < _AT_THE_LIMIT:
        return "at the limit"
    text = _apart(apart, unit)
    if unit in ("ft", "cm"):
        if comparison in ("<", "<="):
            return f"{text} nearer" if below else f"{text} farther"
        return f"{text} short" if below else f"{text} past"
    if not below:
        return f"{text} over"
    return f"{text} left" + (f" before {next_class}" if next_class else "")


def _apart(apart: float, unit: str) -> str:
    if unit == "%":
        return f"{number(apart, 2)} points"
    digits = 1 if apart >= 1 else 2
    return quantity(apart, unit, digits if apart >= 0.01 else 4)


def _decided(low: float, high: float, comparison: str, threshold: float) -> bool | None:
    """Return whether the bounds meet the comparison; None where they do not decide."""
    if not known(low):
        return None
    tests = {
        "<": (low < threshold, high < threshold),
        "<=": (low <= threshold, high <= threshold),
        ">=": (low >= threshold, high >= threshold),
        ">": (low > threshold, high > threshold),
        "==": (low == threshold, high == threshold),
    }
    first, second = tests.get(comparison, (False, True))
    return first if first == second else None
