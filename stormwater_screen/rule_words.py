"""The words in which a decision is told: deciding rules with their numbers, cut to fit a column."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from .fact_names import FACT_NAMES
from .facts import Facts, Quantity, Texts, texts
from .ordinance import Number, Ordinance, named_rules
from .rule_states import Bools, limit_of

LONGEST: Final = 254
"""Greatest length of a text in a shapefile, in characters."""

_LARGE: Final = 1_000.0
_BETWEEN: Final = "\x1f"


def shown_numbers(rule_id: str, ordinance: Ordinance) -> list[str]:
    """Return the ids of the rules whose numbers stand for a rule."""
    rule = ordinance.rules[rule_id]
    in_force = [part for part in rule.shows if ordinance.rules[part].text is not None]
    if rule.shows:
        return in_force
    numbers = [part for part in ordinance.fact_tests(rule_id) if number_of(part, ordinance)]
    return numbers if len(numbers) == 1 else []


def numbers_behind(rule_id: str, ordinance: Ordinance) -> list[str]:
    """Return the ids of the numbers that a rule compares: its own, shown ones, and its parts."""
    if number_of(rule_id, ordinance) is not None:
        return [rule_id]
    text = ordinance.rules[rule_id].text
    parts = named_rules(text.test) if text is not None else ()
    own = [part for part in parts if not ordinance.rules[part].report]
    numbers = [part for part in own if number_of(part, ordinance) is not None]
    return list(dict.fromkeys((*shown_numbers(rule_id, ordinance), *numbers)))


def number_of(rule_id: str, ordinance: Ordinance) -> Number | None:
    """Return the number that a rule compares, if it does."""
    text = ordinance.rules[rule_id].text
    return text.test if text is not None and isinstance(text.test, Number) else None


def rule_phrase(
    rule_id: str,
    ordinance: Ordinance,
    facts: Facts,
    parameters: Mapping[str, float],
    where: Bools,
) -> Texts:
    """Return for some sites how a rule decides: "LG-MN1 affects 9,000 sq ft (limit 15,000, § 1)".

    Parameters
    ----------
    rule_id
        The rule.
    ordinance
        The law.
    facts
        Complete facts.
    parameters
        Parameters of the run.
    where
        The sites for which the words are made.
    """
    rule = ordinance.rules[rule_id]
    count = int(where.sum())
    section = rule.text.section if rule.text is not None else "not in force"
    shown = shown_numbers(rule_id, ordinance)
    if not shown:
        return texts(count, f"{rule_id} {rule.summary} ({section})")
    phrase = texts(count, f"{rule_id} ")
    for place, part in enumerate(shown):
        number = number_of(part, ordinance)
        assert number is not None
        fact = facts.by_name[number.fact]
        assert isinstance(fact, Quantity)
        bound = limit_of(number, parameters)
        limit = plain_number(bound)
        end = f" (limit {limit}, {_sections(part, section, ordinance)})"
        end = end if len(shown) == 1 else f" (limit {limit})"
        start = "" if place == 0 else ", "
        phrase = phrase + (start + FACT_NAMES[number.fact].phrase + " ")
        phrase = phrase + _measured(fact, where, bound) + end
    return phrase if len(shown) == 1 else phrase + f", {section}"


def _sections(part: str, section: str, ordinance: Ordinance) -> str:
    """Return the section that has the number and, where it is another, that of the rule."""
    text = ordinance.rules[part].text
    own = section if text is None else text.section
    return section if own == section else f"{own}; {section}"


def _measured(fact: Quantity, where: Bools, limit: float) -> Texts:
    """Return each number with its unit, or what is known of it.

    Large numbers are rounded to whole units, but for those within one unit of the limit.
    """
    value, low, high = fact.value[where], fact.low[where], fact.high[where]
    with np.errstate(invalid="ignore"):
        coarse = (value >= _LARGE) & (np.abs(value - limit) >= 1.0)
    written = _written(np.where(coarse, np.rint(value), value))
    for place in np.flatnonzero(np.isnan(value)):
        bounds = [f"at least {plain_number(low[place])}"] if low[place] > 0 else []
        bounds += [f"at most {plain_number(high[place])}"] if np.isfinite(high[place]) else []
        written[place] = " and ".join(bounds)
    return np.where(written == "", "not known", written + f" {fact.unit}").astype(object)


def _written(values: npt.NDArray[np.float64]) -> Texts:
    found, place = np.unique(values, return_inverse=True)
    written = np.array([plain_number(value) for value in found] + [""], object)
    return np.asarray(written[place.reshape(-1)], object)


def plain_number(value: float) -> str:
    """Return a number with at most two decimals and no superfluous zero."""
    if not np.isfinite(value):
        return ""
    return f"{value:,.2f}".rstrip("0").rstrip(".")


class Items:
    """Texts of every site, gathered item by item and cut at a whole item."""

    def __init__(self, count: int) -> None:
        self._text = texts(count)

    def add(self, where: Bools, item: Texts | str) -> None:
        """Add an item for some sites; of an array, one for each of these."""
        if not where.any():
            return
        before = np.where(self._text[where] == "", "", _BETWEEN).astype(object)
        self._text[where] = self._text[where] + before + item

    def joined(self, separator: str = "; ") -> Texts:
        """Return the items of each site in one text of at most 254 characters."""
        found = np.frompyfunc(lambda text: cut(text.split(_BETWEEN), separator), 1, 1)(self._text)
        return np.asarray(found, object)


def cut(items: list[str], separator: str = "; ") -> str:
    """Return items in one text of at most 254 characters, cut at a whole item."""
    whole = separator.join(items)
    if len(whole) <= LONGEST:
        return whole
    kept = ""
    for item in items:
        longer = f"{kept}{separator if kept else ''}{item}"
        if len(longer) + len(separator) + 1 > LONGEST:
            break
        kept = longer
    return f"{kept}{separator}…" if kept else whole[: LONGEST - 1] + "…"
