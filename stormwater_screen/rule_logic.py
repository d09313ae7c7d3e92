"""Answers that hold whatever the open facts turn out to be.

Every way in which the open facts of a site can still turn out is gone through, once for each
pattern that sites share. An answer that is the same in all of them is the answer, however much is
unknown. Otherwise it is `unknown` if a missing fact could change it, else `review`; and the one
fact is named that would settle it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from .fact_names import AT_MOST
from .facts import Texts
from .ordinance import All, AnyOf, Duty, FactTest, Not, Ordinance
from .outcomes import NO, REVIEW, UNKNOWN, YES, Outcomes
from .rule_states import Axis, Bools, Ints

REVIEW_BIT: Final = np.int64(1 << 61)
UNKNOWN_BIT: Final = np.int64(1 << 62)
MOST_WAYS: Final = 1 << 18
"""Ways that are gone through for one pattern; with more, nothing is known of the site."""

_CHUNK: Final = 1 << 18


@dataclass(frozen=True)
class Resolution:
    """Answers to one question for every site.

    Attributes
    ----------
    answer
        A single bit: one of the question's own, REVIEW_BIT or UNKNOWN_BIT.
    possible
        The question's own bits that are still possible.
    trace
        Bits of the second kind that are still possible (which case decided).
    settle
        What would settle an open answer, else empty.
    open_rules
        Rules that an open answer depends on, else empty.
    """

    answer: Ints
    possible: Ints
    trace: Ints
    settle: Texts
    open_rules: Texts


NO_BIT: Final = np.int64(1)
YES_BIT: Final = np.int64(2)


def outcomes_of(answer: Ints) -> Outcomes:
    """Return the outcomes of a question that is answered by yes or no."""
    outcome = np.where(answer == YES_BIT, YES, NO)
    outcome = np.where(answer == REVIEW_BIT, REVIEW, outcome)
    return np.where(answer == UNKNOWN_BIT, UNKNOWN, outcome).astype(np.int8)


class Ways:
    """Ways in which open facts can turn out: the answer of each rule in each way."""

    def __init__(
        self, ordinance: Ordinance, axes: list[Axis], answers: Mapping[str, Bools]
    ) -> None:
        self._ordinance, self._count = ordinance, len(next(iter(answers.values()), np.empty(0)))
        self._facts = answers
        self._open = {axis.name for axis in axes if axis.name in ordinance.rules}
        self._done: dict[str, Bools] = {}

    def met(self, rule_id: str) -> Bools:
        """Return in which ways a rule is met."""
        if rule_id not in self._done:
            self._done[rule_id] = self._left_open(rule_id, self._plain(rule_id))
        return self._done[rule_id]

    def extra(self, name: str) -> Bools:
        """Return the answers on an axis that is no rule's."""
        return self._facts[name]

    def _plain(self, rule_id: str) -> Bools:
        text = self._ordinance.rules[rule_id].text
        if text is None:
            return np.zeros(self._count, bool)
        test = text.test
        if isinstance(test, FactTest):
            return self._facts[f"fact {rule_id}"]
        if isinstance(test, Not):
            return ~self.met(test.rule)
        if isinstance(test, Duty):
            return np.ones(self._count, bool)
        parts = [self.met(part) for part in test.rules]
        joined: Bools = (np.logical_and if isinstance(test, All) else np.logical_or).reduce(parts)
        assert isinstance(test, All | AnyOf)
        return joined

    def _left_open(self, rule_id: str, plain: Bools) -> Bools:
        outcome = self._ordinance.rules[rule_id].outcome
        if not outcome or self._ordinance.rules[rule_id].text is None:
            return plain
        either = self._facts[rule_id]
        if len(outcome) == 2:
            return either
        return plain & either if "yes" in outcome else plain | either


def resolve(
    ordinance: Ordinance,
    axes: list[Axis],
    count: int,
    decide: Callable[[Ways], tuple[Ints, Ints]],
    *,
    name_settling: bool = True,
) -> Resolution:
    """Answer a question for every site.

    Parameters
    ----------
    ordinance
        The law.
    axes
        Facts on which the answer depends.
    count
        Number of sites.
    decide
        Gives for all ways the bit of the answer, and a second bit that is only handed on. Several
        bits are an answer that is for review.
    name_settling
        False saves the work of naming what would settle open answers.
    """
    pattern, first = _patterns(axes, count)
    shape = (len(first), len(axes))
    low, high = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    openness = np.zeros(shape, np.int8)
    for v, axis in enumerate(axes):
        low[:, v], high[:, v], openness[:, v] = (
            axis.low[first],
            axis.high[first],
            axis.openness[first],
        )
    found = _Found(len(first), name_settling=name_settling)
    sizes = np.prod(high - low + 1, axis=1, dtype=np.float64)
    for chunk in _chunks(sizes):
        spread = _Spread(axes, first[chunk], low[chunk], high[chunk], openness[chunk])
        bits, trace = decide(Ways(ordinance, axes, spread.answers()))
        found.take(chunk, spread, bits, trace)
    _give_up(found, axes, first, low < high, sizes > MOST_WAYS)
    return Resolution(
        found.answer[pattern],
        found.possible[pattern],
        found.trace[pattern],
        found.settle[pattern],
        found.open_rules[pattern],
    )


def _give_up(found: _Found, axes: list[Axis], sites: Ints, is_open: Bools, where: Bools) -> None:
    """Leave patterns with too many open facts unknown: every open fact would have to be settled."""
    found.answer[where] = UNKNOWN_BIT
    found.possible[where] = found.trace[where] = REVIEW_BIT - 1
    for place in np.flatnonzero(where):
        told = [_settle_text(axes[v], sites[place]) for v in np.flatnonzero(is_open[place])]
        found.settle[place] = "; ".join(dict.fromkeys(told))


def _patterns(axes: list[Axis], count: int) -> tuple[Ints, Ints]:
    """Return the pattern of each site, and one site of each pattern."""
    key: Ints = np.zeros(count, np.int64)
    size = 1
    for axis in axes:
        is_open = axis.low < axis.high
        columns = [axis.low, axis.high, axis.openness.astype(np.int64), axis.settle * is_open]
        columns += [answers.astype(np.int64) + 1 for answers in axis.forced.values()]
        for column in columns:
            width = int(column.max(initial=0)) + 1
            if width == 1:
                continue
            if size * width >= 1 << 62:
                key = np.unique(key, return_inverse=True)[1].reshape(-1)
                size = count
            key, size = key * width + column, size * width
    _, first, pattern = np.unique(key, return_index=True, return_inverse=True)
    return pattern.reshape(-1), first


def _chunks(sizes: npt.NDArray[np.float64]) -> list[Ints]:
    places = np.flatnonzero(sizes <= MOST_WAYS)
    if not len(places):
        return []
    part = (np.cumsum(sizes[places]) // _CHUNK).astype(np.int64)
    return np.split(places, np.flatnonzero(np.diff(part)) + 1)


class _Spread:
    """All ways of some patterns, one below the other."""

    def __init__(
        self, axes: list[Axis], sites: Ints, low: Ints, high: Ints, openness: npt.NDArray[np.int8]
    ) -> None:
        self.axes, self.sites, self.openness = axes, sites, openness
        self.counts = high - low + 1
        self.totals = self.counts.prod(axis=1)
        self.starts = np.cumsum(self.totals) - self.totals
        self.pattern = np.repeat(np.arange(len(sites)), self.totals)
        within = np.arange(len(self.pattern)) - self.starts[self.pattern]
        strides = np.ones_like(self.counts)
        for v in range(len(axes) - 2, -1, -1):
            strides[:, v] = strides[:, v + 1] * self.counts[:, v + 1]
        self.digits = (within[:, None] // strides[self.pattern]) % self.counts[self.pattern]
        self.states = low[self.pattern] + self.digits

    def answers(self) -> dict[str, Bools]:
        """Return the answer of each rule that looks at a fact, in each way."""
        found: dict[str, Bools] = {"": np.zeros(len(self.pattern), bool)}
        for v, axis in enumerate(self.axes):
            for rule_id, truth in axis.truth.items():
                forced = axis.forced[rule_id][self.sites][self.pattern]
                name = rule_id if axis.name == rule_id else f"fact {rule_id}"
                found[name] = np.where(forced < 0, truth[self.states[:, v]], forced == 1)
        return found

    def consistent(self) -> Bools:
        """Return which ways agree with what is known of pairs of facts."""
        place = {axis.name: v for v, axis in enumerate(self.axes)}
        kept = np.ones(len(self.pattern), bool)
        for less, more in AT_MOST:
            if less in place and more in place:
                kept &= self._at_most(place[less], place[more])
        any_kept = np.zeros(len(self.sites), bool)
        np.logical_or.at(any_kept, self.pattern, kept)
        return np.asarray(kept | ~any_kept[self.pattern], bool)

    def _at_most(self, v: int, w: int) -> Bools:
        less, more = self.axes[v], self.axes[w]
        lower, upper = less.lower[self.states[:, v]], more.upper[self.states[:, w]]
        both_in = less.lower_in[self.states[:, v]] & more.upper_in[self.states[:, w]]
        return np.asarray((lower < upper) | ((lower == upper) & both_in), bool)

    def unknown_groups(self) -> tuple[Ints, Ints]:
        """Return a number for ways that differ only in what is left to review, and its pattern."""
        counts = np.where(self.openness == UNKNOWN, self.counts, 1)
        sizes = counts.prod(axis=1)
        starts = np.cumsum(sizes) - sizes
        group, stride = starts[self.pattern], np.ones(len(self.sites), np.int64)
        for v in range(len(self.axes)):
            unknown = self.openness[:, v] == UNKNOWN
            step = np.where(unknown, stride, 0)[self.pattern]
            group = group + step * self.digits[:, v]
            stride = stride * counts[:, v]
        return group, np.repeat(np.arange(len(self.sites)), sizes)


class _Found:
    """Answers of the patterns, filled chunk by chunk."""

    def __init__(self, count: int, *, name_settling: bool) -> None:
        self.name_settling = name_settling
        self.answer, self.possible, self.trace = (np.zeros(count, np.int64) for _ in range(3))
        self.settle, self.open_rules = np.full(count, "", object), np.full(count, "", object)

    def take(self, chunk: Ints, spread: _Spread, bits: Ints, trace: Ints) -> None:
        kept = spread.consistent()
        bits, trace = np.where(kept, bits, 0), np.where(kept, trace, 0)
        group, owner = spread.unknown_groups()
        of_group = _as_review(_joined(group, bits, len(owner)))
        answer = _joined(owner, of_group, len(chunk))
        self.answer[chunk] = np.where(_several(answer), UNKNOWN_BIT, answer)
        self.possible[chunk] = _joined(spread.pattern, bits, len(chunk))
        self.trace[chunk] = _joined(spread.pattern, trace, len(chunk))
        if not self.name_settling:
            return
        for place in np.flatnonzero(self.answer[chunk] >= REVIEW_BIT):
            start = spread.starts[place]
            own = bits[start : start + spread.totals[place]]
            settle, rules = _settling(spread, int(place), own)
            self.settle[chunk[place]], self.open_rules[chunk[place]] = settle, rules


def _joined(owner: Ints, bits: Ints, count: int) -> Ints:
    joined = np.zeros(count, np.int64)
    np.bitwise_or.at(joined, owner, bits)
    return joined


def _several(bits: Ints) -> Bools:
    several: Bools = (bits & (bits - 1)) != 0
    return several


def _settling(spread: _Spread, place: int, bits: Ints) -> tuple[str, str]:
    """Return what would settle an open pattern, and the rules that it depends on.

    A fact settles an unknown answer if it leaves at most review, and a review if it leaves none.
    """
    counts = spread.counts[place]
    varied = np.flatnonzero(counts > 1)
    ways = bits.reshape(counts[varied])
    openness = spread.openness[place, varied]
    axes, site = [spread.axes[v] for v in varied], spread.sites[place]
    unknown = [v for v in range(len(axes)) if openness[v] == UNKNOWN]
    left = [v for v in range(len(axes)) if openness[v] != UNKNOWN]
    without_review = _over(ways, left)
    if _several(np.bitwise_or.reduce(_as_review(without_review), axis=None)):
        axes, ways = [axes[v] for v in unknown], _as_review(without_review)
    groups: dict[str, list[int]] = {}
    for v, axis in enumerate(axes):
        groups.setdefault(_settle_text(axis, site), []).append(v)
    matter = {text: own for text, own in groups.items() if _several(_over(ways, own)).any()}
    rules = (
        rule_id
        for own in matter.values()
        for v in own
        for rule_id in axes[v].truth
        if axes[v].forced[rule_id][site] < 0
    )
    depends = ", ".join(dict.fromkeys(rules))
    for text, own in matter.items():
        others = [v for v in range(len(axes)) if v not in own]
        if not _several(_over(ways, others)).any():
            return text, depends
    return "; ".join(matter), depends


def _as_review(bits: Ints) -> Ints:
    return np.where(_several(bits), REVIEW_BIT, bits)


def _over(ways: Ints, axes: list[int]) -> Ints:
    joined: Ints = np.bitwise_or.reduce(ways, axis=tuple(axes)) if axes else ways
    return joined


def _settle_text(axis: Axis, site: np.int64) -> str:
    return axis.settle_texts[int(axis.settle[site])]
