"""The four outcomes and their logic.

``no`` and ``yes`` are decided; ``unknown`` lacks a fact; ``review`` has the facts, but the law or
the data does not decide. Outcomes are int8 arrays, one element a site. The order of the codes is
chosen so that, among outcomes that do not decide a rule, an unknown outranks a review.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

Outcomes = npt.NDArray[np.int8]

NO: Final = np.int8(0)
REVIEW: Final = np.int8(1)
UNKNOWN: Final = np.int8(2)
YES: Final = np.int8(3)

WORDS: Final = np.array(["no", "review", "unknown", "yes"], dtype=object)


def words(outcomes: Outcomes) -> npt.NDArray[np.object_]:
    """Return the outcomes as words."""
    return np.asarray(WORDS[outcomes], dtype=object)


def codes(outcome_words: npt.ArrayLike) -> Outcomes:
    """Return words (``no``, ``review``, ``unknown``, ``yes``) as codes.

    Raises
    ------
    KeyError
        A word is none of the four.
    """
    table = {word: code for code, word in enumerate(WORDS)}
    return np.array([table[word] for word in np.asarray(outcome_words, dtype=object)], np.int8)


def all_of(*parts: Outcomes) -> Outcomes:
    """Return yes where every part is yes and no where any part is no."""
    stack = np.stack(parts)
    undecided = np.where((stack == UNKNOWN).any(0), UNKNOWN, REVIEW)
    result = np.where((stack == YES).all(0), YES, undecided)
    return np.where((stack == NO).any(0), NO, result).astype(np.int8)


def any_of(*parts: Outcomes) -> Outcomes:
    """Return yes where any part is yes and no where every part is no."""
    result: Outcomes = np.stack(parts).max(0)
    return result


def negate(outcomes: Outcomes) -> Outcomes:
    """Return yes for no, no for yes, and what is undecided as it is."""
    result = outcomes.copy()
    result[outcomes == NO] = YES
    result[outcomes == YES] = NO
    return result
