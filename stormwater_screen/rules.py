"""Judge sites: facts in, class, conditions, reasons and findings out, under one law."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal

import numpy as np
import pandas as pd

from .errors import ScreeningError
from .fact_names import FACTOR_WORDS, PARAMETERS
from .facts import Facts, Quantity, Texts, texts
from .ordinance import Duty, Ordinance
from .outcomes import NO, REVIEW, UNKNOWN, YES, Outcomes, all_of, words
from .progress import Progress, no_progress, part_of
from .rule_classes import Classified, classify
from .rule_findings import Answer, RuleRows, rule_rows
from .rule_logic import REVIEW_BIT, Ways, outcomes_of, resolve
from .rule_states import OPEN_WORDS, Bools, Ints, axes_of, coded, complete_facts, limit_of
from .rule_words import (
    Items,
    cut,
    number_of,
    numbers_behind,
    rule_phrase,
    shown_numbers,
)

Discretionary = Literal["report", "upgrade"]

CONDITIONS: Final = {"cond_a": "Condition A", "cond_b": "Condition B", "cond_c": "Condition C"}


@dataclass(frozen=True)
class Judgement:
    """What a law says of every site.

    Attributes
    ----------
    columns
        One row a site, in order: ``lda``, ``cond_a``, ``cond_b``, ``cond_c``, ``class``,
        ``is_major``, ``may_major``, ``near``, ``reasons``, ``settle``.
    because
        The rules that decide the class, or on which an open class depends, in short.
    ordinance
        The law.
    facts, answers, parameters
        What the judgement rests on, from which the findings are made.
    progress
        Called while the findings are made.
    """

    columns: pd.DataFrame
    because: Texts
    ordinance: Ordinance
    facts: Facts
    answers: Mapping[str, Answer]
    parameters: Mapping[str, float]
    progress: Progress = no_progress

    @cached_property
    def rows(self) -> RuleRows:
        """A row for each site and each rule that applies or may apply to it, rule by rule."""
        return rule_rows(self.facts, self.ordinance, self.answers, self.parameters, self.progress)

    @property
    def findings(self) -> pd.DataFrame:
        """The same as a long table, site by site."""
        return self.rows.frame()


def judge(
    facts: Facts,
    ordinance: Ordinance,
    *,
    discretionary: Discretionary = "report",
    parameters: Mapping[str, float] | None = None,
    progress: Progress = no_progress,
) -> Judgement:
    """Judge every site under a law.

    Parameters
    ----------
    facts
        Facts by the names of ``fact_names.FACT_NAMES``; what is absent is unknown.
    ordinance
        The law as it stands on the day of the application.
    discretionary
        ``report``: factors for which a minor project *may* be major are listed; ``upgrade``: a
        factor that is found makes it major.
    parameters
        Numbers that replace those of the file where a rule says so: ``contiguous_ft``, in feet.
    progress
        Called with the share done; raises to stop the run.

    Raises
    ------
    ScreeningError
        A parameter, a fact or a word of a fact is not known.
    """
    parameters = dict(parameters or {})
    for name in parameters:
        if name not in PARAMETERS:
            raise ScreeningError(f"Parameter {name}: unknown. Known: {', '.join(PARAMETERS)}.")
    if discretionary not in ("report", "upgrade"):
        raise ScreeningError(f"DISCRETIONARY: {discretionary!r}. Needed: report or upgrade.")
    work = _Work(complete_facts(facts), ordinance, parameters, part_of(progress, 0.0, 0.6))
    judgement = work.judgement(upgrade=discretionary == "upgrade")
    return replace(judgement, progress=part_of(progress, 0.6, 1.0))


class _Work:
    """One run of the rules over all sites."""

    def __init__(
        self,
        facts: Facts,
        ordinance: Ordinance,
        parameters: dict[str, float],
        progress: Progress,
    ) -> None:
        self.facts, self.ordinance, self.parameters = facts, ordinance, parameters
        self.progress = progress
        self.count = facts.count
        self.answers: dict[str, Answer] = {}
        self.settles = {name: coded(fact.settle) for name, fact in facts.by_name.items()}

    def judgement(self, *, upgrade: bool) -> Judgement:
        asked = self.asked()
        for number, rule_id in enumerate(asked):
            self.progress(0.7 * number / len(asked))
            self.answers[rule_id] = self.answer(rule_id)
        self.progress(0.7)
        found = self.factors_found()
        by_text = self.classify(self.nowhere())
        self.progress(0.8)
        final = self.classify(found) if upgrade else by_text
        for rule_id in self.answers:
            self.answers[rule_id] = self.applied(rule_id, by_text, final)
        self.progress(0.9)
        columns = self.columns(by_text, final)
        because = Items(self.count)
        self.class_reasons(because, final)
        return Judgement(
            columns,
            because.joined(),
            self.ordinance,
            self.facts,
            self.answers,
            self.parameters,
        )

    # Rules, one by one.

    def asked(self) -> list[str]:
        """Return the rules that are reported, or on which a column or another rule depends."""
        rules = self.ordinance.rules
        needed = {rule.applies_if for rule in rules.values()} | {*self.ordinance.columns.values()}
        return [
            rule_id
            for rule_id, rule in rules.items()
            if rule.text is not None and (rule.report or rule.factor or rule_id in needed)
        ]

    def answer(self, rule_id: str) -> Answer:
        text = self.ordinance.rules[rule_id].text
        assert text is not None
        if isinstance(text.test, Duty):
            return self.duty(rule_id)
        axes = axes_of([rule_id], self.ordinance, self.facts, self.parameters, self.settles)
        resolution = resolve(self.ordinance, axes, self.count, lambda ways: _yes_no(ways, rule_id))
        return Answer(
            outcomes_of(resolution.answer),
            self.near(rule_id),
            resolution.settle,
            resolution.open_rules,
        )

    def duty(self, rule_id: str) -> Answer:
        rule = self.ordinance.rules[rule_id]
        outcome = OPEN_WORDS.get(rule.outcome.get("yes", ""), YES)
        settle = rule.settle if outcome != YES else ""
        everywhere = np.full(self.count, outcome)
        told = texts(self.count, settle), texts(self.count)
        return Answer(everywhere, self.nowhere(), *told, is_duty=True)

    def near(self, rule_id: str) -> Bools:
        """Return where a number of the rule lies within its error of the limit, on either side."""
        near = self.nowhere()
        for part in numbers_behind(rule_id, self.ordinance):
            number = number_of(part, self.ordinance)
            assert number is not None
            fact = self.facts.by_name[number.fact]
            assert isinstance(fact, Quantity)
            with np.errstate(invalid="ignore"):
                distance = np.abs(fact.value - limit_of(number, self.parameters))
            near |= (fact.error > 0) & (distance <= fact.error + fact.tolerance)
        return near

    def nowhere(self) -> Bools:
        return np.zeros(self.count, bool)

    def classify(self, upgraded: Bools) -> Classified:
        return classify(self.facts, self.ordinance, self.parameters, self.settles, upgraded)

    def factors_found(self) -> Bools:
        """Return where a discretionary factor is found."""
        found = self.nowhere()
        for rule_id, answer in self.answers.items():
            if self.ordinance.rules[rule_id].factor:
                found |= answer.outcome == YES
        return found

    def applied(self, rule_id: str, by_text: Classified, final: Classified) -> Answer:
        """Return the answer of a rule with whether it applies to each site at all."""
        rule, answer = self.ordinance.rules[rule_id], self.answers[rule_id]
        applies: Outcomes = np.full(self.count, YES)
        if rule.applies_to:
            applies = final.among(rule.applies_to)
        elif rule.factor:
            applies = by_text.among(self.ordinance.factors.act_on)
        if rule.applies_if:
            other = self.answers.get(rule.applies_if)
            condition = other.outcome if other is not None else np.full(self.count, NO)
            applies = all_of(applies, condition)
        return answer.with_applies(applies)

    # Columns.

    def columns(self, by_text: Classified, final: Classified) -> pd.DataFrame:
        classes = self.ordinance.classes
        columns: dict[str, Texts] = {}
        for name in ("lda", *CONDITIONS):
            columns[name] = self.rule_column(self.ordinance.columns.get(name, ""))
        columns["class"] = final.words()
        if classes.major:
            columns["is_major"] = words(final.among((classes.major,)))
        else:
            columns["is_major"] = texts(self.count, "not_applicable")
        columns["may_major"] = self.factor_column(by_text)
        columns["near"] = self.near_column()
        columns["reasons"] = self.reasons(by_text, final)
        columns["settle"] = self.settle_column(final)
        return pd.DataFrame(columns)

    def rule_column(self, rule_id: str) -> Texts:
        if not rule_id:
            return texts(self.count, "not_applicable")
        if rule_id not in self.answers:
            return texts(self.count, "no")
        return words(self.answers[rule_id].outcome)

    def factor_column(self, by_text: Classified) -> Texts:
        found: dict[str, Bools] = {}
        for rule_id, answer in self.answers.items():
            factor = self.ordinance.rules[rule_id].factor
            if factor:
                yes = (answer.outcome == YES) & (answer.applies == YES)
                found[factor] = found.get(factor, self.nowhere()) | yes
        items = Items(self.count)
        for factor in FACTOR_WORDS:
            if factor in found:
                items.add(found[factor], factor)
        return items.joined(";")

    def near_column(self) -> Texts:
        items = Items(self.count)
        for rule_id, answer in self.answers.items():
            if self.names_nearness(rule_id):
                items.add(answer.near & (answer.applies != NO), rule_id)
        return items.joined(", ")

    def names_nearness(self, rule_id: str) -> bool:
        """Return whether no other rule that is reported names all the numbers of this one."""
        rules, numbers = self.ordinance.rules, numbers_behind(rule_id, self.ordinance)
        own = any(part == rule_id or not rules[part].report for part in numbers)
        return rules[rule_id].report and own

    def reasons(self, by_text: Classified, final: Classified) -> Texts:
        items = Items(self.count)
        self.class_reasons(items, final)
        for name, label in CONDITIONS.items():
            self.rule_reasons(items, self.ordinance.columns.get(name, ""), label)
        for rule_id, answer in self.answers.items():
            if self.ordinance.rules[rule_id].factor:
                where = (answer.outcome == YES) & (answer.applies == YES)
                items.add(where, self.phrase(where, rule_id, "may be major: "))
        told = {rule for case in self.ordinance.classes.cases for rule in case.reasons}
        activity = self.ordinance.columns.get("lda", "")
        if activity not in told | set(self.ordinance.classes.default_reasons):
            self.rule_reasons(items, activity, "land development activity")
        return items.joined()

    def class_reasons(self, items: Items, final: Classified) -> None:
        classes = self.ordinance.classes
        column = final.words()
        decided = final.resolution.answer < REVIEW_BIT
        left = decided.copy()
        told = [(case.word, case.reasons) for case in classes.cases]
        told.append((classes.default, classes.default_reasons))
        for place, (word, rule_ids) in enumerate(told):
            where = left & ((final.resolution.trace & (1 << place)) != 0) & (column == word)
            left &= ~where
            for number, rule_id in enumerate(rule_ids):
                items.add(where, self.phrase(where, rule_id, "" if number else f"{word}: "))
            if not rule_ids:
                items.add(where, f"{word}: no other class is met")
        word = self.ordinance.factors.upgrade_to
        items.add(left, f"{word}: a factor for which it may be {word} is found, and always counts")
        self.open_reasons(items, final, column, ~decided)

    def open_reasons(self, items: Items, final: Classified, column: Texts, where: Bools) -> None:
        """Add for what is open which classes are possible, once for each pattern."""
        if not where.any():
            return
        keys = pd.MultiIndex.from_arrays(
            [column[where], final.resolution.possible[where], final.resolution.open_rules[where]]
        )
        codes, found = pd.factorize(keys)
        told = []
        for word, possible, open_rules in found:
            labels = enumerate(self.ordinance.classes.labels)
            names = " or ".join(name for place, name in labels if int(possible) & (1 << place))
            told.append(f"{word}: {names}, depends on {cut(open_rules.split(', '), ', ')}")
        items.add(where, np.asarray(np.array(told, object)[codes], object))

    def rule_reasons(self, items: Items, rule_id: str, label: str) -> None:
        if rule_id not in self.answers:
            return
        outcome = self.answers[rule_id].outcome
        text = self.ordinance.rules[rule_id].text
        section = "" if text is None else f", {text.section}"
        met = outcome == YES
        if shown_numbers(rule_id, self.ordinance):
            items.add(met, self.phrase(met, rule_id, f"{label}: "))
        else:
            items.add(met, f"{label} ({rule_id}{section})")
        for code, word in ((REVIEW, "review"), (UNKNOWN, "unknown")):
            items.add(outcome == code, f"{label} {word} ({rule_id}{section})")

    def phrase(self, where: Bools, rule_id: str, before: str) -> Texts | str:
        if not where.any():
            return ""
        phrase = rule_phrase(rule_id, self.ordinance, self.facts, self.parameters, where)
        return np.asarray(before + phrase, object)

    def settle_column(self, final: Classified) -> Texts:
        """Return what would settle what is open, once for each pattern of open answers."""
        parts = {"class": final.resolution.settle}
        for name, label in {"lda": "land development activity", **CONDITIONS}.items():
            rule_id = self.ordinance.columns.get(name, "")
            if rule_id in self.answers:
                parts[label] = self.answers[rule_id].settle
        if not self.count:
            return texts(0)
        codes, found = pd.factorize(pd.MultiIndex.from_arrays(list(parts.values())))
        told = np.array([_settled(settles) for settles in found], object)
        return np.asarray(told[codes], object)


def _settled(settles: Sequence[str]) -> str:
    """Return every fact once, those that settle the class first."""
    facts = [fact for text in settles for fact in text.split("; ") if fact]
    return cut(list(dict.fromkeys(facts)))


def _yes_no(ways: Ways, rule_id: str) -> tuple[Ints, Ints]:
    met = ways.met(rule_id)
    return np.where(met, np.int64(2), np.int64(1)), np.ones(len(met), np.int64)
