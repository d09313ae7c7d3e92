"""The class of each site, and questions about it, whatever the open facts turn out to be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from .facts import Facts, Texts, texts
from .ordinance import Ordinance
from .outcomes import Outcomes
from .rule_logic import (
    NO_BIT,
    REVIEW_BIT,
    YES_BIT,
    Resolution,
    Ways,
    outcomes_of,
    resolve,
)
from .rule_states import Axis, Bools, Coded, Ints, axes_of

_UPGRADE: Final = "(upgrade)"


@dataclass
class Classified:
    """The class of each site.

    Attributes
    ----------
    ordinance
        The law.
    axes
        Facts on which the class depends.
    count
        Number of sites.
    resolution
        Answers: bit n is the n-th class of the law, and the last one the word `review`. The trace
        tells which case decided: bit n is the n-th case, then the default, then the upgrade.
    """

    ordinance: Ordinance
    axes: list[Axis]
    count: int
    resolution: Resolution
    _among: dict[tuple[str, ...], Outcomes] = field(default_factory=dict)

    def words(self) -> Texts:
        """Return the class of each site as a word."""
        column = texts(self.count, "unknown")
        column[self.resolution.answer == REVIEW_BIT] = "review"
        for place, word in enumerate(class_words(self.ordinance)):
            column[self.resolution.answer == 1 << place] = word
        return column

    def among(self, wanted: tuple[str, ...]) -> Outcomes:
        """Return whether the class of each site is one of several."""
        if wanted not in self._among:
            names = class_words(self.ordinance)
            bit_of = np.array([YES_BIT if name in wanted else NO_BIT for name in names])
            bit_of[-1] = YES_BIT | NO_BIT

            def decide(ways: Ways) -> tuple[Ints, Ints]:
                word, case = _class_of(ways, self.ordinance)
                return bit_of[word], case

            answer = resolve(
                self.ordinance, self.axes, self.count, decide, name_settling=False
            ).answer
            self._among[wanted] = outcomes_of(answer)
        return self._among[wanted]


def class_words(ordinance: Ordinance) -> tuple[str, ...]:
    """Return the class words of a law, and last the word for what it leaves open."""
    return (*ordinance.classes.labels, "review")


def classify(
    facts: Facts,
    ordinance: Ordinance,
    parameters: Mapping[str, float],
    settles: Mapping[str, Coded],
    upgraded: Bools,
) -> Classified:
    """Class every site.

    Parameters
    ----------
    facts
        Complete facts.
    ordinance
        The law.
    parameters
        Parameters of the run.
    settles
        What would settle each fact.
    upgraded
        Sites with a factor that makes a class on which it acts another one.
    """
    rule_ids = [case.when for case in ordinance.classes.cases]
    axes = axes_of(rule_ids, ordinance, facts, parameters, settles)
    axes.append(_plain_axis(_UPGRADE, upgraded))

    def decide(ways: Ways) -> tuple[Ints, Ints]:
        word, case = _class_of(ways, ordinance)
        return np.int64(1) << word, np.int64(1) << case

    resolution = resolve(ordinance, axes, facts.count, decide)
    return Classified(ordinance, axes, facts.count, resolution)


def _class_of(ways: Ways, ordinance: Ordinance) -> tuple[Ints, Ints]:
    """Return in each way the place of the class word, and of the case that decides."""
    classes, factors = ordinance.classes, ordinance.factors
    names = class_words(ordinance)
    raised = ways.extra(_UPGRADE)  # nosec B610 (ours, no database)
    case: Ints = np.full(len(raised), len(classes.cases), np.int64)
    for place in range(len(classes.cases) - 1, -1, -1):
        case = np.where(ways.met(classes.cases[place].when), place, case)
    word_of = [names.index(name) for name in (*(c.word for c in classes.cases), classes.default)]
    word: Ints = np.array(word_of, np.int64)[case]
    if factors.upgrade_to:
        raised = raised & np.isin(names, factors.act_on)[word]
        word = np.where(raised, names.index(factors.upgrade_to), word)
        case = np.where(raised, len(word_of), case)
    return word, case


def _plain_axis(name: str, answers: Bools) -> Axis:
    state = answers.astype(np.int64)
    nothing = np.zeros(len(answers), np.int64)
    free = {name: np.full(len(answers), -1, np.int8)}
    truth = {name: np.array([False, True])}
    return Axis(name, truth, state, state, nothing.astype(np.int8), free, nothing, [""])
