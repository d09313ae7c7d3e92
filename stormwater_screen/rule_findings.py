"""The long table: one row for each site and each rule that applies or may apply to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from .facts import Facts, Quantity, Texts
from .ordinance import FactTest, Ordinance, Rule
from .outcomes import NO, YES, Outcomes, all_of
from .rule_states import Bools, Coded, Ints, coded, limit_of
from .rule_words import number_of, shown_numbers

COLUMNS = (
    "row",
    "rule",
    "outcome",
    "value",
    "unit",
    "comparison",
    "threshold",
    "force",
    "section",
    "source",
    "near",
    "text",
    "settle",
)
NUMBERS = {"row", "value", "threshold"}

Column: TypeAlias = Ints | npt.NDArray[np.float64]


@dataclass(frozen=True)
class Answer:
    """The answer of a rule for every site.

    Attributes
    ----------
    outcome
        Whether the rule is met.
    near
        Whether a number of it lies within its error of the limit.
    settle
        What would settle it where it is open.
    is_duty
        True for a requirement that no map can check.
    applies
        Whether the rule applies to the site at all.
    """

    outcome: Outcomes
    near: Bools
    settle: Texts
    is_duty: bool = False
    applies: Outcomes = field(default_factory=lambda: np.empty(0, np.int8))

    def with_applies(self, applies: Outcomes) -> Answer:
        """Return the answer with where it applies."""
        return replace(self, applies=applies)


class _Vocabulary:
    """Texts as numbers, so that millions of rows are joined and sorted in little time."""

    def __init__(self) -> None:
        self._code: dict[str, int] = {}

    def codes(self, texts_: list[str], places: Ints) -> Ints:
        """Return the numbers of texts, given by their places in a list."""
        table = [self._code.setdefault(text, len(self._code)) for text in texts_]
        return np.asarray(np.array(table, np.int64)[places], np.int64)

    def constant(self, text: str, count: int) -> Ints:
        """Return the number of one text, many times."""
        return np.full(count, self._code.setdefault(text, len(self._code)))

    def texts(self, codes: Ints) -> Texts:
        """Return the texts of numbers."""
        return np.asarray(np.array([*self._code, ""], object)[codes], object)


def findings_frame(
    facts: Facts,
    ordinance: Ordinance,
    answers: Mapping[str, Answer],
    parameters: Mapping[str, float],
) -> pd.DataFrame:
    """Return the findings of all rules, by site and in the order of the rules.

    Returns
    -------
    pandas.DataFrame
        ``row`` (from 1), ``rule``, ``outcome`` (a duty: ``applies``), ``value`` and ``threshold``
        in ``unit``, ``comparison``, ``force``, ``section``, ``source``, ``near`` (``yes`` or
        empty), ``text``, ``settle``.
    """
    work = _Findings(facts, ordinance, parameters)
    parts = [
        work.of_rule(ordinance.rules[rule_id], answer)
        for rule_id, answer in answers.items()
        if ordinance.rules[rule_id].report
    ]
    if not parts:
        return pd.DataFrame({name: [] for name in COLUMNS})
    joined = {name: np.concatenate([part[name] for part in parts]) for name in COLUMNS}
    order = np.argsort(joined["row"], kind="stable")
    columns = {name: column[order] for name, column in joined.items()}
    for name in set(COLUMNS) - NUMBERS:
        columns[name] = work.vocabulary.texts(columns[name])
    return pd.DataFrame(columns, copy=False)


class _Findings:
    """Makes the rows of one rule after the other."""

    def __init__(self, facts: Facts, ordinance: Ordinance, parameters: Mapping[str, float]) -> None:
        self.facts, self.ordinance, self.parameters = facts, ordinance, parameters
        self.vocabulary = _Vocabulary()
        self.coded: dict[tuple[str, str], Coded] = {}

    def of_rule(self, rule: Rule, answer: Answer) -> dict[str, Column]:
        sites = np.flatnonzero(answer.applies != NO)
        outcome = all_of(answer.applies[sites], answer.outcome[sites])
        text, told = rule.text, self.vocabulary
        assert text is not None
        yes = "applies" if answer.is_duty else "yes"
        return {
            "row": sites + 1,
            "rule": told.constant(rule.id, len(sites)),
            "outcome": told.codes(["no", "review", "unknown", yes], outcome.astype(np.int64)),
            **self.number(rule, sites),
            "force": told.constant(text.force, len(sites)),
            "section": told.constant(text.section, len(sites)),
            "source": self.of_facts(rule, sites, "source", ""),
            "near": told.codes(["", "yes"], answer.near[sites].astype(np.int64)),
            "text": self.of_facts(rule, sites, "reason", rule.summary),
            "settle": self.settle(rule, answer, outcome, sites),
        }

    def number(self, rule: Rule, sites: Ints) -> dict[str, Column]:
        count, told = len(sites), self.vocabulary
        shown = shown_numbers(rule.id, self.ordinance)
        number = number_of(shown[0], self.ordinance) if shown else None
        if number is None:
            nothing, empty = np.full(count, np.nan), told.constant("", count)
            return {"value": nothing, "unit": empty, "comparison": empty, "threshold": nothing}
        fact = self.facts.by_name[number.fact]
        assert isinstance(fact, Quantity)
        return {
            "value": fact.value[sites],
            "unit": told.constant(fact.unit, count),
            "comparison": told.constant(number.comparison, count),
            "threshold": np.full(count, limit_of(number, self.parameters)),
        }

    def of_facts(self, rule: Rule, sites: Ints, attribute: str, before: str) -> Ints:
        """Return a text of all facts that a rule looks at: where they come from, or why unknown."""
        names = dict.fromkeys(fact_of(part, self.ordinance) for part in self.facts_below(rule))
        parts = [self.of_fact(name, attribute) for name in names]
        key = np.zeros(len(sites), np.int64)
        for codes, found in parts:
            key = np.unique(key * len(found) + codes[sites], return_inverse=True)[1].reshape(-1)
        first, place = _first_of_each(key)
        told = []
        for site in sites[first]:
            items = dict.fromkeys(found[codes[site]] for codes, found in parts)
            joined = "; ".join(filter(None, items))
            told.append(": ".join(filter(None, (before, joined))))
        return self.vocabulary.codes(told, place)

    def facts_below(self, rule: Rule) -> list[str]:
        return list(self.ordinance.fact_tests(rule.id))

    def of_fact(self, name: str, attribute: str) -> Coded:
        if (name, attribute) not in self.coded:
            values = getattr(self.facts.by_name[name], attribute)
            self.coded[name, attribute] = coded(values)
        return self.coded[name, attribute]

    def settle(self, rule: Rule, answer: Answer, outcome: Outcomes, sites: Ints) -> Ints:
        """Return what would settle the rule; where only its reach is open, that."""
        reach = f"whether {rule.applies_if} is met" if rule.applies_if else "the class of the site"
        is_open = (outcome != YES) & (outcome != NO)
        codes, found = coded(answer.settle[sites])
        own_is_empty = np.array([not text for text in found] or [True])[codes]
        only_reach = is_open & (answer.applies[sites] != YES)
        only_reach &= (answer.outcome[sites] == YES) | own_is_empty
        places = np.where(is_open, codes, len(found))
        places = np.where(only_reach, len(found) + 1, places)
        return self.vocabulary.codes([*found, "", reach], places)


def fact_of(rule_id: str, ordinance: Ordinance) -> str:
    """Return the fact that a rule looks at itself."""
    text = ordinance.rules[rule_id].text
    assert text is not None
    assert isinstance(text.test, FactTest)
    return text.test.fact


def _first_of_each(key: Ints) -> tuple[Ints, Ints]:
    _, first, place = np.unique(key, return_index=True, return_inverse=True)
    return first.astype(np.int64), place.reshape(-1).astype(np.int64)
