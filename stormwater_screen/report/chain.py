"""How the class of a site follows from the law, case by case, until one is met."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..ordinance import All, AnyOf, Not, Ordinance
from ..rule_words import shown_numbers
from .limits import precise
from .words import SIGNS, known, quantity

Finding = dict[str, Any]


@dataclass(frozen=True)
class Step:
    """A case of the law that was looked at.

    Attributes
    ----------
    word, label
        Class that the case leads to.
    rule, text, section
        The rule that decides the case.
    outcome
        Whether it is met; empty where only its parts were reported.
    because
        Numbers of the rule and of its parts.
    """

    word: str
    label: str
    rule: str
    text: str
    section: str
    outcome: str
    because: str


def outcome_of(rule_id: str, ordinance: Ordinance, found: Mapping[str, Finding]) -> str:
    """Return the outcome of a rule, from its finding or from those of its parts; empty: neither."""
    if rule_id in found:
        outcome = str(found[rule_id]["outcome"] or "")
        return "yes" if outcome == "applies" else outcome
    rule = ordinance.rules[rule_id]
    if rule.text is None:
        return "no"
    test = rule.text.test
    outcome = ""
    if isinstance(test, Not):
        inner = outcome_of(test.rule, ordinance, found)
        outcome = {"yes": "no", "no": "yes"}.get(inner, inner)
    elif isinstance(test, All | AnyOf):
        parts = [outcome_of(part, ordinance, found) for part in test.rules]
        outcome = _together(parts, every=isinstance(test, All))
    return rule.outcome.get(outcome, outcome) if outcome else ""


def _together(parts: Sequence[str], *, every: bool) -> str:
    ends, goes_on = ("no", "yes") if every else ("yes", "no")
    if ends in parts:
        return ends
    if "" in parts:
        return ""
    open_ = [part for part in parts if part != goes_on]
    if not open_:
        return goes_on
    return "unknown" if "unknown" in open_ else open_[0]


def chain_of(word: str, ordinance: Ordinance, found: Mapping[str, Finding]) -> list[Step]:
    """Return the cases that were looked at, the one that decides last.

    Parameters
    ----------
    word
        Class of the site.
    ordinance
        The law.
    found
        Findings of the site by rule.
    """
    classes = ordinance.classes
    decided = word in classes.labels
    steps: list[Step] = []
    for case in classes.cases:
        outcome = outcome_of(case.when, ordinance, found)
        shown = case.when
        if outcome == "yes" and case.reasons:
            shown = case.reasons[0]
        if not outcome and case.word != word:
            continue
        met = outcome == "yes" or (not outcome and case.word == word)
        if ordinance.rules[shown].report or met or outcome != "no":
            steps.append(_step(case.word, shown, outcome, ordinance, found))
        if met and decided and case.word == word:
            return _only_what_matters(steps)
    if decided and word == classes.default:
        for rule_id in classes.default_reasons:
            steps.append(_step(word, rule_id, "yes", ordinance, found))
    return _only_what_matters(steps)


def _only_what_matters(steps: list[Step]) -> list[Step]:
    """Return the steps, each rule once."""
    return list({step.rule: step for step in steps}.values())


def _step(
    word: str, rule_id: str, outcome: str, ordinance: Ordinance, found: Mapping[str, Finding]
) -> Step:
    rule = ordinance.rules[rule_id]
    section = rule.text.section if rule.text is not None else "not in force"
    label = ordinance.classes.labels.get(word, word)
    because = because_of(rule_id, ordinance, found)
    return Step(word, label, rule_id, rule.summary, section, outcome, because)


def because_of(rule_id: str, ordinance: Ordinance, found: Mapping[str, Finding]) -> str:
    """Return the numbers of a rule: "39,204 sq ft (asked: < 5,000 sq ft)"."""
    parts = [part for part in shown_numbers(rule_id, ordinance) if part in found] or [rule_id]
    told = []
    for part in dict.fromkeys(parts):
        finding = found.get(part)
        if finding is None or not known(finding["threshold"]):
            continue
        threshold, unit = float(finding["threshold"]), finding["unit"] or ""
        value = finding["value"]
        if not known(value) and finding["outcome"] == "no":
            continue
        have = precise(value, threshold, unit) if known(value) else "not known"
        limit = f"{SIGNS.get(finding['comparison'] or '', '')} {quantity(threshold, unit)}"
        told.append(f"{have} (asked: {limit})")
    return "; ".join(told)


def next_classes(word: str, ordinance: Ordinance, found: Mapping[str, Finding]) -> dict[str, str]:
    """Return for each rule that holds a site in its class the class if the rule were not met."""
    classes = ordinance.classes
    for place, case in enumerate(classes.cases):
        if case.word != word or outcome_of(case.when, ordinance, found) != "yes":
            continue
        later = (
            other.word
            for other in classes.cases[place + 1 :]
            if outcome_of(other.when, ordinance, found) == "yes"
        )
        beyond = next(later, classes.default)
        if beyond == word:
            return {}
        text = ordinance.rules[case.when].text
        parts = text.test.rules if text is not None and isinstance(text.test, All | AnyOf) else ()
        return dict.fromkeys((case.when, *parts), beyond.replace("_", " "))
    return {}
