"""The long table: one row for each site and each rule that applies or may apply to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from .coded import Codes, Vocabulary
from .facts import Facts, Floats, Quantity, Texts
from .ordinance import FactTest, Ordinance, Rule
from .outcomes import NO, REVIEW, YES, Outcomes, all_of
from .progress import Progress, no_progress
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
OPPOSITE = {"<": ">=", "<=": ">", "==": "!=", ">=": "<", ">": "<="}
"""Comparison that is met where another is not."""

_COMPARE = {
    "<": np.less,
    "<=": np.less_equal,
    "==": np.equal,
    "!=": np.not_equal,
    ">=": np.greater_equal,
    ">": np.greater,
}

NUMBERS = {"row", "value", "threshold"}
ERROR_HIDES = "nearer to the limit than the error of the data"

Column: TypeAlias = Ints | Codes | npt.NDArray[np.float64]


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
    open_rules
        Rules on whose facts it depends where it is open, separated by commas.
    is_duty
        True for a requirement that no map can check.
    applies
        Whether the rule applies to the site at all.
    """

    outcome: Outcomes
    near: Bools
    settle: Texts
    open_rules: Texts
    is_duty: bool = False
    applies: Outcomes = field(default_factory=lambda: np.empty(0, np.int8))

    def with_applies(self, applies: Outcomes) -> Answer:
        """Return the answer with where it applies."""
        return replace(self, applies=applies)


@dataclass(frozen=True)
class RuleRows:
    """The findings of all rules, rule by rule.

    Attributes
    ----------
    values
        By column: ``row`` (from 1); ``rule``, ``outcome`` (a duty: ``applies``), ``value`` and
        ``threshold`` in ``unit``, ``comparison``, ``force``, ``section``, ``source``, ``near``
        (``yes`` or empty), ``text``, ``settle``. Texts are numbers.
    vocabulary
        The texts.
    """

    values: Mapping[str, npt.NDArray[Any]]
    vocabulary: Vocabulary

    def frame(self) -> pd.DataFrame:
        """Return the findings by site and in the order of the rules."""
        order = np.argsort(self.values["row"], kind="stable")
        texts = self.vocabulary.texts()
        columns = {name: values[order] for name, values in self.values.items()}
        for name in set(COLUMNS) - NUMBERS:
            columns[name] = texts[columns[name]]
        return pd.DataFrame(columns, columns=list(COLUMNS), copy=False)


def rule_rows(
    facts: Facts,
    ordinance: Ordinance,
    answers: Mapping[str, Answer],
    parameters: Mapping[str, float],
    progress: Progress = no_progress,
) -> RuleRows:
    """Return the findings of all rules."""
    work = _Findings(facts, ordinance, parameters, answers)
    parts = []
    for number, (rule_id, answer) in enumerate(answers.items()):
        progress(number / len(answers))
        if ordinance.rules[rule_id].report:
            parts.append(work.of_rule(ordinance.rules[rule_id], answer))
    if not parts:
        nothing = {name: np.empty(0, np.int32) for name in COLUMNS}
        return RuleRows(nothing, work.vocabulary)
    joined = {name: np.concatenate([part.pop(name) for part in parts]) for name in COLUMNS}
    return RuleRows(joined, work.vocabulary)


class _Findings:
    """Makes the rows of one rule after the other."""

    def __init__(
        self,
        facts: Facts,
        ordinance: Ordinance,
        parameters: Mapping[str, float],
        answers: Mapping[str, Answer],
    ) -> None:
        self.facts, self.ordinance, self.parameters = facts, ordinance, parameters
        self.answers = answers
        self.vocabulary = Vocabulary()
        self.coded: dict[tuple[str, str], Coded] = {}

    def of_rule(self, rule: Rule, answer: Answer) -> dict[str, Column]:
        sites = np.flatnonzero(answer.applies != NO)
        outcome = all_of(answer.applies[sites], answer.outcome[sites])
        text, told = rule.text, self.vocabulary
        assert text is not None
        yes = "applies" if answer.is_duty else "yes"
        return {
            "row": (sites + 1).astype(np.int32),
            "rule": told.constant(rule.id, len(sites)),
            "outcome": told.codes(["no", "review", "unknown", yes], outcome.astype(np.int64)),
            **self.number(rule, answer, sites),
            "force": told.constant(text.force, len(sites)),
            "section": told.constant(text.section, len(sites)),
            "source": self.source(rule, sites),
            "near": told.codes(["", "yes"], answer.near[sites].astype(np.int64)),
            "text": self.text(rule, answer, sites),
            "settle": self.settle(rule, answer, outcome, sites),
        }

    def number(self, rule: Rule, answer: Answer, sites: Ints) -> dict[str, Column]:
        """Return the number that decides each site: of several limbs one that agrees with the rule.

        Where the rule is decided and no limb agrees, another fact decides: no number stands there.
        """
        count, told = len(sites), self.vocabulary
        value: Floats = np.full(count, np.nan)
        threshold: Floats = np.full(count, np.nan)
        texts_: dict[str, Codes] = {
            name: told.constant("", count) for name in ("unit", "comparison")
        }
        outcome = answer.outcome[sites]
        left = np.ones(count, bool)
        for part in shown_numbers(rule.id, self.ordinance):
            number = number_of(part, self.ordinance)
            assert number is not None
            fact = self.facts.by_name[number.fact]
            assert isinstance(fact, Quantity)
            limit = limit_of(number, self.parameters)
            sign: str = number.comparison
            if self.ordinance.negates(rule.id, part):
                sign = OPPOSITE[sign]
            least, most = (
                self.met(fact, side, sites, sign, limit) for side in (fact.low, fact.high)
            )
            agrees = np.where(outcome == YES, least & most, ~least & ~most)
            here = left & (agrees | ((outcome != YES) & (outcome != NO)))
            left &= ~here
            value = np.where(here, fact.value[sites], value)
            threshold = np.where(here, limit, threshold)
            for name, text in (("unit", fact.unit), ("comparison", sign)):
                texts_[name] = np.where(here, told.constant(text, count), texts_[name])
        return {"value": value, **texts_, "threshold": threshold}

    @staticmethod
    def met(fact: Quantity, values: Floats, sites: Ints, sign: str, limit: float) -> Bools:
        """Return whether numbers meet a comparison; those within the tolerance equal the limit."""
        equal = np.abs(values - limit) <= fact.tolerance
        compared = np.where(equal, limit, values)[sites]
        met: Bools = _COMPARE[sign](compared, limit)
        return met

    def source(self, rule: Rule, sites: Ints) -> Codes:
        """Return the layers and fields of all facts that a rule looks at."""
        below = self.ordinance.fact_tests(rule.id)
        names = list(dict.fromkeys(fact_of(part, self.ordinance) for part in below))
        first, place = self.alike(sites, [self.of_fact(name, "source") for name in names])
        told = [self.joined(names, "source", site) for site in sites[first]]
        return self.vocabulary.codes(told, place)

    def text(self, rule: Rule, answer: Answer, sites: Ints) -> Codes:
        """Return what the rule says and, where it is open, why the facts are that matter."""
        hidden = answer.near & (answer.outcome == REVIEW)
        opened, found = coded(answer.open_rules)
        of_rule = {
            part: fact_of(part, self.ordinance) for part in self.ordinance.fact_tests(rule.id)
        }
        matter = [
            [of_rule[part] for part in parts.split(", ") if part in of_rule] for parts in found
        ]
        names = dict.fromkeys(name for own in matter for name in own)
        keys = [self.of_fact(name, "reason") for name in names]
        keys += [(opened, found), (hidden.astype(np.int64), ["", ERROR_HIDES])]
        first, place = self.alike(sites, keys)
        told = []
        for site in sites[first]:
            why = self.joined(matter[opened[site]], "reason", site)
            why = "; ".join(filter(None, (why, ERROR_HIDES if hidden[site] else "")))
            told.append(": ".join(filter(None, (rule.summary, why))))
        return self.vocabulary.codes(told, place)

    def alike(self, sites: Ints, keys: list[Coded]) -> tuple[Ints, Ints]:
        """Return one of each kind of sites that have the same texts, and the kind of each."""
        key: Ints = np.zeros(len(sites), np.int64)
        for codes, found in keys:
            key = np.unique(key * len(found) + codes[sites], return_inverse=True)[1].reshape(-1)
        return _first_of_each(key)

    def joined(self, names: list[str], attribute: str, site: np.int64) -> str:
        coded_ = (self.of_fact(name, attribute) for name in dict.fromkeys(names))
        items = dict.fromkeys(found[codes[site]] for codes, found in coded_)
        return "; ".join(filter(None, items))

    def of_fact(self, name: str, attribute: str) -> Coded:
        if (name, attribute) not in self.coded:
            values = getattr(self.facts.by_name[name], attribute)
            self.coded[name, attribute] = coded(values)
        return self.coded[name, attribute]

    def settle(self, rule: Rule, answer: Answer, outcome: Outcomes, sites: Ints) -> Codes:
        """Return what would settle the rule; where only its reach is open, that."""
        own, told = coded(answer.settle[sites])
        is_open = (outcome != YES) & (outcome != NO)
        by_itself = (answer.outcome[sites] != YES) & (np.array([*told, ""], object) != "")[own]
        reach, reach_told = self.reach(rule, sites)
        places = np.where(by_itself, own, len(told) + reach)
        places = np.where(is_open, places, len(told) + len(reach_told))
        return self.vocabulary.codes([*told, *reach_told, ""], places)

    def reach(self, rule: Rule, sites: Ints) -> Coded:
        """Return what would settle whether a rule applies."""
        other = self.answers.get(rule.applies_if)
        if other is None:
            return np.zeros(len(sites), np.int64), ["the class of the site"]
        codes, told = coded(other.settle[sites])
        return codes, [text or "the class of the site" for text in told]


def fact_of(rule_id: str, ordinance: Ordinance) -> str:
    """Return the fact that a rule looks at itself."""
    text = ordinance.rules[rule_id].text
    assert text is not None
    assert isinstance(text.test, FactTest)
    return text.test.fact


def _first_of_each(key: Ints) -> tuple[Ints, Ints]:
    _, first, place = np.unique(key, return_index=True, return_inverse=True)
    return first.astype(np.int64), place.reshape(-1).astype(np.int64)
