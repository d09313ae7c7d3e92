"""What the facts of the sites may still turn out to be, cut down to what rules can tell apart.

A rule that asks "less than 5,000" sees two states of an area: below, and not below. The states of a
fact are numbered, and of every site the lowest and the highest that are still possible are kept,
so that thousands of sites share a few patterns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from .errors import ScreeningError
from .fact_names import FACT_NAMES
from .facts import (
    Fact,
    Facts,
    Flag,
    Quantity,
    Texts,
    Word,
    missing_flag,
    missing_quantity,
    missing_word,
)
from .ordinance import FactTest, Flagged, Known, Number, OneOf, Ordinance, Rule, named_rules
from .outcomes import REVIEW, UNKNOWN, YES, Outcomes
from .units import UNITS, convert

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

OPEN_WORDS: Final = {"review": int(REVIEW), "unknown": int(UNKNOWN)}


@dataclass(frozen=True)
class Axis:
    """The possible states of one fact for every site.

    Attributes
    ----------
    name
        Name of the fact, or id of the rule whose answer the law leaves open.
    truth
        Answer of each rule for each state.
    low, high
        Lowest and highest state that is possible, for each site.
    openness
        0 where only one state is possible, else REVIEW or UNKNOWN, for each site.
    forced
        For each rule and site 0 or 1 where the answer does not depend on the state, else -1.
    settle, settle_texts
        What would settle the fact: a position in the list of texts, for each site.
    lower, upper, lower_in, upper_in
        Ends of each state of a quantity, and whether they belong to it; empty for other facts.
    """

    name: str
    truth: Mapping[str, Bools]
    low: Ints
    high: Ints
    openness: Outcomes
    forced: Mapping[str, npt.NDArray[np.int8]]
    settle: Ints
    settle_texts: list[str]
    lower: npt.NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    upper: npt.NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    lower_in: Bools = field(default_factory=lambda: np.empty(0, bool))
    upper_in: Bools = field(default_factory=lambda: np.empty(0, bool))


def complete_facts(facts: Facts) -> Facts:
    """Return the facts with every name that rules may ask for; what is absent is unknown.

    Raises
    ------
    ScreeningError
        A fact is of another kind or unit than its name says.
    """
    by_name: dict[str, Fact] = {}
    for name, spec in FACT_NAMES.items():
        fact = facts.by_name.get(name)
        reason = "not measured"
        if fact is None and spec.kind == "quantity":
            fact = missing_quantity(facts.count, spec.unit, reason=reason, settle=spec.settle)
        elif fact is None and spec.kind == "word":
            fact = missing_word(facts.count, reason=reason, settle=spec.settle)
        elif fact is None:
            fact = missing_flag(facts.count, reason=reason, settle=spec.settle)
        by_name[name] = _checked(name, fact)
    return Facts(facts.count, by_name)


def _checked(name: str, fact: Fact) -> Fact:
    kind = {Quantity: "quantity", Word: "word", Flag: "flag"}[type(fact)]
    spec = FACT_NAMES[name]
    if kind != spec.kind:
        raise ScreeningError(f"Fact {name}: is a {kind}. Needed: a {spec.kind}.")
    if not isinstance(fact, Quantity) or fact.unit == spec.unit:
        return fact
    if fact.unit not in UNITS or UNITS[fact.unit][0] != UNITS[spec.unit][0]:
        raise ScreeningError(f"Fact {name}: is in {fact.unit}. Needed: {spec.unit}.")
    factor = convert(1.0, fact.unit, spec.unit)
    return replace(
        fact,
        value=fact.value * factor,
        low=fact.low * factor,
        high=fact.high * factor,
        error=fact.error * factor,
        tolerance=fact.tolerance * factor,
        unit=spec.unit,
    )


def limit_of(number: Number, parameters: Mapping[str, float]) -> float:
    """Return the limit of a number, which a parameter of the run may replace."""
    return parameters.get(number.parameter, number.limit) if number.parameter else number.limit


Coded = tuple[Ints, list[str]]


def coded(values: Texts) -> Coded:
    """Return texts as positions in a list of the different ones."""
    codes, found = pd.factorize(values)
    return codes.astype(np.int64), [str(text) for text in found]


def axes_of(
    rule_ids: list[str],
    ordinance: Ordinance,
    facts: Facts,
    parameters: Mapping[str, float],
    settles: Mapping[str, Coded],
) -> list[Axis]:
    """Return the axes of all facts that some rules look at, and of what the law leaves open.

    Parameters
    ----------
    rule_ids
        Rules to be answered together, in reading order.
    ordinance
        The law.
    facts
        Complete facts.
    parameters
        Parameters of the run.
    settles
        What would settle each fact, as codes and texts.
    """
    tests: dict[str, dict[str, FactTest]] = {}
    left_open: dict[str, Rule] = {}
    for rule_id in rule_ids:
        for below in ordinance.fact_tests(rule_id):
            text = ordinance.rules[below].text
            if text is not None and isinstance(text.test, FactTest):
                tests.setdefault(text.test.fact, {})[below] = text.test
        for rule in _rules_left_open(rule_id, ordinance):
            left_open[rule.id] = rule
    axes = []
    for name, of_fact in tests.items():
        axis = _fact_axis(name, facts.by_name[name], of_fact, parameters)
        codes, told = settles[name]
        of_rules = (ordinance.rules[rule_id].settle for rule_id in of_fact)
        fallback = next(filter(None, of_rules), FACT_NAMES[name].settle)
        axes.append(replace(axis, settle=codes, settle_texts=[text or fallback for text in told]))
    return axes + [_open_axis(rule, facts.count) for rule in left_open.values()]


def _rules_left_open(rule_id: str, ordinance: Ordinance) -> list[Rule]:
    rule = ordinance.rules[rule_id]
    if rule.text is None:
        return []
    found = [rule] if rule.outcome else []
    for part in named_rules(rule.text.test):
        found += _rules_left_open(part, ordinance)
    return found


def _fact_axis(
    name: str, fact: Fact, tests: Mapping[str, FactTest], parameters: Mapping[str, float]
) -> Axis:
    if isinstance(fact, Quantity):
        return _quantity_axis(name, fact, tests, parameters)
    if isinstance(fact, Word):
        return _word_axis(name, fact, tests)
    return _flag_axis(name, fact, tests)


def _axis(
    name: str,
    truth: Mapping[str, Bools],
    low: Ints,
    high: Ints,
    openness: Outcomes,
    forced: Mapping[str, npt.NDArray[np.int8]],
) -> Axis:
    """Return an axis on which a site whose open states make no difference is decided."""
    free = np.zeros(len(low), bool)
    for rule_id, answers in truth.items():
        free |= (forced[rule_id] < 0) & ~_constant(answers, low, high)
    openness = np.where(free, openness, 0).astype(np.int8)
    none = np.zeros(len(low), np.int64)
    return Axis(name, truth, low, np.where(free, high, low), openness, forced, none, [""])


def _constant(answers: Bools, low: Ints, high: Ints) -> Bools:
    met = np.concatenate([[0], np.cumsum(answers)])
    inside = met[high + 1] - met[low]
    constant: Bools = (inside == 0) | (inside == high - low + 1)
    return constant


def _quantity_axis(
    name: str, fact: Quantity, tests: Mapping[str, FactTest], parameters: Mapping[str, float]
) -> Axis:
    numbers = {key: test for key, test in tests.items() if isinstance(test, Number)}
    limits = np.unique([limit_of(number, parameters) for number in numbers.values()])
    cells = np.arange(2 * len(limits) + 1)
    truth = {
        key: _compare(
            cells, number.comparison, 2 * np.searchsorted(limits, limit_of(number, parameters)) + 1
        )
        for key, number in numbers.items()
    }
    states, lower, upper, lower_in, upper_in = _merged(truth, limits, len(cells))
    merged = {
        key: answers[np.unique(states, return_index=True)[1]] for key, answers in truth.items()
    }

    def state(values: npt.NDArray[np.float64]) -> Ints:
        cell = np.zeros(len(values), np.int64)
        for limit in limits:
            cell += (values > limit + fact.tolerance).astype(np.int64)
            cell += (values >= limit - fact.tolerance).astype(np.int64)
        return states[cell]

    low, high = state(fact.low), state(fact.high)
    openness = np.where(low < high, fact.between, 0).astype(np.int8)
    unseen = np.isnan(fact.value) & (fact.between == UNKNOWN)
    forced = {}
    for key, number in numbers.items():
        decided = _constant(merged[key], low, high)
        forced[key] = np.where(decided & merged[key][low], np.int8(1), np.int8(-1))
        if number.missing == "no":
            forced[key] = np.where(unseen & ~decided, np.int8(0), forced[key])
        elif number.missing == "review":
            openness = np.where(unseen & ~decided, REVIEW, openness).astype(np.int8)
    if fact.hides:
        low, high, openness = _hidden(fact, numbers, state, low, high, openness)
    forced |= _known(tests, ~np.isnan(fact.value))
    merged |= {key: np.zeros(int(states[-1]) + 1, bool) for key in tests if key not in merged}
    axis = _axis(name, merged, low, high, openness, forced)
    return replace(axis, lower=lower, upper=upper, lower_in=lower_in, upper_in=upper_in)


def _compare(cells: Ints, comparison: str, limit_cell: int | np.intp) -> Bools:
    at = int(limit_cell)
    answers: dict[str, Bools] = {
        "<": cells < at,
        "<=": cells <= at,
        "==": cells == at,
        ">=": cells >= at,
        ">": cells > at,
    }
    return answers[comparison]


def _merged(
    truth: Mapping[str, Bools], limits: npt.NDArray[np.float64], count: int
) -> tuple[Ints, npt.NDArray[np.float64], npt.NDArray[np.float64], Bools, Bools]:
    """Return the state of each cell; cells that no rule tells apart are one state."""
    changes = np.zeros(count, bool)
    for answers in truth.values():
        changes[1:] |= answers[1:] != answers[:-1]
    states = np.cumsum(changes).astype(np.int64)
    at_limit = np.arange(count) % 2 == 1
    cell_lower = np.concatenate([[-np.inf], np.repeat(limits, 2)])
    cell_upper = np.concatenate([np.repeat(limits, 2), [np.inf]])
    first = np.unique(states, return_index=True)[1]
    last = np.append(first[1:] - 1, count - 1)
    return states, cell_lower[first], cell_upper[last], at_limit[first], at_limit[last]


def _hidden(
    fact: Quantity,
    numbers: Mapping[str, Number],
    state: object,
    low: Ints,
    high: Ints,
    openness: Outcomes,
) -> tuple[Ints, Ints, Outcomes]:
    """Widen the states by the error of the data, on the sides where it could hide a yes."""
    comparisons = {number.comparison for number in numbers.values()}
    wide_low, wide_high = low, high
    if comparisons & {"<", "<=", "=="}:
        wide_low = np.minimum(low, state(fact.low - fact.error))  # type: ignore[operator]
    if comparisons & {">", ">=", "=="}:
        wide_high = np.maximum(high, state(fact.high + fact.error))  # type: ignore[operator]
    wider = (wide_low < low) | (wide_high > high)
    openness = np.where(wider & (openness == 0), REVIEW, openness).astype(np.int8)
    return wide_low, wide_high, openness


def _known(tests: Mapping[str, FactTest], known: Bools) -> dict[str, npt.NDArray[np.int8]]:
    return {key: known.astype(np.int8) for key, test in tests.items() if isinstance(test, Known)}


def _word_axis(name: str, fact: Word, tests: Mapping[str, FactTest]) -> Axis:
    """One state for each group of words that no rule tells apart."""
    asked = {key: test for key, test in tests.items() if isinstance(test, OneOf)}
    words = FACT_NAMES[name].words
    answers = [tuple(word in test.words for test in asked.values()) for word in words]
    groups = list(dict.fromkeys(answers))
    truth = {key: np.array([group[i] for group in groups]) for i, key in enumerate(asked)}
    truth |= {key: np.zeros(len(groups), bool) for key in tests if key not in truth}
    state_of = {word: groups.index(answer) for word, answer in zip(words, answers, strict=True)}
    state = _states_of_words(name, fact, state_of)
    missing = state < 0
    low = np.where(missing, 0, state)
    high = np.where(missing, len(groups) - 1, state)
    policies = {test.missing for test in asked.values()}
    openness = max((OPEN_WORDS[word] for word in policies if word in OPEN_WORDS), default=0)
    forced = {
        key: np.where(missing & (test.missing == "no"), np.int8(0), np.int8(-1))
        for key, test in asked.items()
    }
    forced |= _known(tests, ~missing)
    return _axis(name, truth, low, high, np.where(missing, openness, 0).astype(np.int8), forced)


def _states_of_words(name: str, fact: Word, state_of: Mapping[str, int]) -> Ints:
    codes, found = pd.factorize(fact.value)
    for word in found:
        if word not in state_of:
            raise ScreeningError(
                f"Fact {name}: {word!r} is no word of it. Needed: {', '.join(state_of)}."
            )
    table = np.array([state_of[word] for word in found] + [-1], np.int64)
    return np.asarray(table[codes], np.int64)


def _flag_axis(name: str, fact: Flag, tests: Mapping[str, FactTest]) -> Axis:
    undecided = (fact.outcome == REVIEW) | (fact.outcome == UNKNOWN)
    low = (fact.outcome == YES).astype(np.int64)
    high = np.where(undecided, 1, low)
    openness = np.where(undecided, fact.outcome, 0).astype(np.int8)
    truth = {key: np.array([False, isinstance(test, Flagged)]) for key, test in tests.items()}
    free = np.full(len(low), -1, np.int8)
    forced = dict.fromkeys(tests, free) | _known(tests, fact.outcome != UNKNOWN)
    return _axis(name, truth, low, high, openness, forced)


def _open_axis(rule: Rule, count: int) -> Axis:
    zero = np.zeros(count, np.int64)
    openness = max(OPEN_WORDS[word] for word in rule.outcome.values())
    return Axis(
        name=rule.id,
        truth={rule.id: np.array([False, True])},
        low=zero,
        high=zero + 1,
        openness=np.full(count, openness, np.int8),
        forced={rule.id: np.full(count, -1, np.int8)},
        settle=zero,
        settle_texts=[rule.settle or rule.summary],
    )
