"""The long table: one row for each site and each rule that applies or may apply to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from .facts import Facts, Quantity, Texts, texts
from .ordinance import FactTest, Ordinance, Rule
from .outcomes import NO, YES, Outcomes, all_of, words
from .rule_states import Bools, limit_of
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
    parts = [
        _of_rule(ordinance.rules[rule_id], answer, facts, ordinance, parameters)
        for rule_id, answer in answers.items()
        if ordinance.rules[rule_id].report
    ]
    parts = [part for part in parts if len(part["row"])]
    if not parts:
        return pd.DataFrame({name: [] for name in COLUMNS})
    joined = {name: np.concatenate([part[name] for part in parts]) for name in COLUMNS}
    order = np.argsort(joined["row"], kind="stable")
    return pd.DataFrame({name: column[order] for name, column in joined.items()})


def _of_rule(
    rule: Rule,
    answer: Answer,
    facts: Facts,
    ordinance: Ordinance,
    parameters: Mapping[str, float],
) -> dict[str, npt.NDArray[np.generic]]:
    sites = np.flatnonzero(answer.applies != NO)
    outcome = all_of(answer.applies[sites], answer.outcome[sites])
    text = rule.text
    assert text is not None
    word = words(outcome)
    if answer.is_duty:
        word = np.where(outcome == YES, "applies", word).astype(object)
    columns: dict[str, npt.NDArray[np.generic]] = {
        "row": sites + 1,
        "rule": texts(len(sites), rule.id),
        "outcome": word,
        "force": texts(len(sites), text.force),
        "section": texts(len(sites), text.section),
        "near": np.where(answer.near[sites], "yes", "").astype(object),
        "settle": _settle(rule, answer, outcome, sites),
    }
    columns |= _number(rule, sites, facts, ordinance, parameters)
    source, reason = _source_and_reason(rule, sites, facts, ordinance)
    columns["source"] = source
    columns["text"] = rule.summary + np.where(reason == "", "", ": ").astype(object) + reason
    return columns


def _settle(rule: Rule, answer: Answer, outcome: Outcomes, sites: npt.NDArray[np.intp]) -> Texts:
    """Return what would settle the rule; where only its reach is open, the class or condition."""
    own = answer.settle[sites]
    reach = f"whether {rule.applies_if} is met" if rule.applies_if else "the class of the site"
    is_open = (outcome != YES) & (outcome != NO)
    only_reach = is_open & ((answer.outcome[sites] == YES) | (own == ""))
    settle = np.where(is_open, own, "")
    return np.where(only_reach & (answer.applies[sites] != YES), reach, settle).astype(object)


def _number(
    rule: Rule,
    sites: npt.NDArray[np.intp],
    facts: Facts,
    ordinance: Ordinance,
    parameters: Mapping[str, float],
) -> dict[str, npt.NDArray[np.generic]]:
    shown = shown_numbers(rule.id, ordinance)
    number = number_of(shown[0], ordinance) if shown else None
    if number is None:
        nothing = np.full(len(sites), np.nan)
        empty = texts(len(sites))
        return {"value": nothing, "unit": empty, "comparison": empty, "threshold": nothing}
    fact = facts.by_name[number.fact]
    assert isinstance(fact, Quantity)
    return {
        "value": fact.value[sites],
        "unit": texts(len(sites), fact.unit),
        "comparison": texts(len(sites), number.comparison),
        "threshold": np.full(len(sites), limit_of(number, parameters)),
    }


def _source_and_reason(
    rule: Rule, sites: npt.NDArray[np.intp], facts: Facts, ordinance: Ordinance
) -> tuple[Texts, Texts]:
    """Return the sources of the facts that a rule looks at, and why what is open is not known."""
    names = []
    for part in ordinance.fact_tests(rule.id):
        text = ordinance.rules[part].text
        if text is not None and isinstance(text.test, FactTest):
            names.append(text.test.fact)
    source, reason = texts(len(sites)), texts(len(sites))
    for name in dict.fromkeys(names):
        fact = facts.by_name[name]
        source = _listed(source, fact.source[sites])
        reason = _listed(reason, fact.reason[sites])
    return source, reason


def _listed(before: Texts, more: Texts) -> Texts:
    """Return texts with one more item, unless it is empty or there already."""
    if not len(before):
        return before
    codes, found = pd.factorize(pd.MultiIndex.from_arrays([before, more]))
    joined = [_with_item(first, second) for first, second in found]
    return np.asarray(np.array(joined, object)[codes], object)


def _with_item(before: str, more: str) -> str:
    if not more or more in before.split("; "):
        return before
    return f"{before}; {more}" if before else more
