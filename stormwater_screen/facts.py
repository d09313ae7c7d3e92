"""What is known of the sites: the one thing that measures hand to rules.

A fact is a number, a word or a flag for every site, in the order of the sites, together with where
it comes from and, where it is not known, why and what would settle it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from .outcomes import UNKNOWN, Outcomes

Floats: TypeAlias = npt.NDArray[np.float64]
Texts: TypeAlias = npt.NDArray[np.object_]


def texts(count: int, text: str = "") -> Texts:
    """Return an array of ``count`` equal texts."""
    return np.full(count, text, dtype=object)


@dataclass(frozen=True)
class Quantity:
    """A number for every site, with its bounds and its error.

    Attributes
    ----------
    value
        The number, NaN where it is not known.
    low, high
        What the number is at least and at most with all that is known; both equal ``value`` where
        it is known. An undecided comparison between them gives ``between``.
    unit
        Unit of all the numbers: ``ft``, ``sq ft``, ``%``, ``min/in``, ``cm``, ``um/s``, ``lots``.
    error
        Error of the data, in ``unit``. A number closer than this to a limit is ``near``.
    hides
        True where a `no` closer to the limit than the error becomes `review`.
    tolerance
        Numbers closer than this to a limit count as equal to it (float noise and projection). 0 for
        numbers that a person typed. One number, or one for every site: typed and measured areas
        stand together in one quantity, so whoever compares must allow an array.
    between
        Outcome where the limit lies between ``low`` and ``high``: UNKNOWN (a fact is missing) or
        REVIEW (it depends on a choice not made yet, such as where the building stands).
    source
        Layer or field of each number.
    reason
        Why the number is not known, or only within bounds; else empty.
    settle
        The fact that would settle it, where it is not known.
    """

    value: Floats
    low: Floats
    high: Floats
    unit: str
    error: Floats
    hides: bool
    tolerance: float | Floats
    between: Outcomes
    source: Texts
    reason: Texts
    settle: Texts


@dataclass(frozen=True)
class Word:
    """A word for every site; None where it is not known."""

    value: Texts
    source: Texts
    reason: Texts
    settle: Texts


@dataclass(frozen=True)
class Flag:
    """An outcome for every site that a measure found without a number."""

    outcome: Outcomes
    source: Texts
    reason: Texts
    settle: Texts


Fact: TypeAlias = Quantity | Word | Flag


@dataclass
class Facts:
    """All facts of a run, by name, for ``count`` sites."""

    count: int
    by_name: dict[str, Fact] = field(default_factory=dict)


def typed(value: Floats, unit: str, *, source: str, reason: str = "", settle: str = "") -> Quantity:
    """Return a quantity that people typed: compared exactly; NaN is unknown from 0 to infinity."""
    missing = np.isnan(value)
    count = len(value)
    return Quantity(
        value=value,
        low=np.where(missing, 0.0, value),
        high=np.where(missing, np.inf, value),
        unit=unit,
        error=np.zeros(count),
        hides=False,
        tolerance=0.0,
        between=np.full(count, UNKNOWN),
        source=texts(count, source),
        reason=np.where(missing, reason, "").astype(object),
        settle=np.where(missing, settle, "").astype(object),
    )


def missing_quantity(count: int, unit: str, *, reason: str, settle: str) -> Quantity:
    """Return a quantity that is not known for any site."""
    return typed(np.full(count, np.nan), unit, source="", reason=reason, settle=settle)


def missing_flag(count: int, *, reason: str, settle: str) -> Flag:
    """Return a flag that is unknown for every site."""
    return Flag(np.full(count, UNKNOWN), texts(count), texts(count, reason), texts(count, settle))


def missing_word(count: int, *, reason: str, settle: str) -> Word:
    """Return a word that is not known for any site."""
    return Word(
        np.full(count, None, dtype=object), texts(count), texts(count, reason), texts(count, settle)
    )


def taken(facts: Facts, rows: slice) -> Facts:
    """Return the facts of some sites."""
    count = len(range(*rows.indices(facts.count)))
    return Facts(count, {name: _some(fact, rows) for name, fact in facts.by_name.items()})


def with_shared_texts(facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """Return facts in which equal texts are one text: of many sites they fill the memory."""
    return {name: _with_shared_texts(fact) for name, fact in facts.items()}


def _with_shared_texts(fact: Fact) -> Fact:
    shared: dict[str, Any] = {}
    for attribute in fields(fact):
        values = getattr(fact, attribute.name)
        if isinstance(values, np.ndarray) and values.dtype == object:
            place, found = pd.factorize(values)
            # -1, what is no text, takes the last.
            shared[attribute.name] = np.array([*found, None], dtype=object)[place]
    return replace(fact, **shared)


def _some(fact: Fact, rows: slice) -> Fact:
    values = {attribute.name: getattr(fact, attribute.name) for attribute in fields(fact)}
    arrays = {name: value for name, value in values.items() if isinstance(value, np.ndarray)}
    some: dict[str, Any] = {name: value[rows] for name, value in arrays.items()}
    return replace(fact, **some)
