"""How far a number lies from a limit, in the words of a report."""

from __future__ import annotations

import numpy as np
import pytest

from stormwater_screen.report.limits import _room, precise

NONE = float("nan")


@pytest.mark.parametrize(
    ("value", "comparison", "limit", "unit", "room"),
    [
        (12_860.0, "<", 15_000.0, "sq ft", "2,140 sq ft left"),
        (15_001.0, "<", 15_000.0, "sq ft", "1 sq ft over"),
        (15_000.0, "<", 15_000.0, "sq ft", "at the limit"),
        (13.9, ">=", 15.0, "%", "1.1 points left"),
        (16.5, ">=", 15.0, "%", "1.5 points over"),
        (120.0, "<=", 100.0, "ft", "20 ft farther"),
        (80.0, "<=", 100.0, "ft", "20 ft nearer"),
        (43_560.004, ">=", 43_560.0, "sq ft", "at the limit"),
    ],
)
def test_the_margin_says_on_which_side_and_by_how_much(
    value: float, comparison: str, limit: float, unit: str, room: str
) -> None:
    assert _room(value, value, value, comparison, limit, unit, "") == room


def test_headroom_names_the_class_beyond_the_limit() -> None:
    told = _room(12_860.0, 12_860.0, 12_860.0, "<", 15_000.0, "sq ft", "major")
    assert told == "2,140 sq ft left before major"


def test_bounds_that_hold_the_limit_between_them_leave_it_open() -> None:
    assert _room(NONE, 5.0, 20.0, ">=", 15.0, "%", "") == "open"
    assert _room(NONE, 0.0, np.inf, "<", 15_000.0, "sq ft", "") == "open"


def test_bounds_on_one_side_give_the_least_margin() -> None:
    assert _room(NONE, 2.0, 9.0, ">=", 15.0, "%", "") == "6 points left"
    assert _room(NONE, 20_000.0, np.inf, "<", 15_000.0, "sq ft", "") == "5,000 sq ft over"


def test_a_number_just_beside_its_limit_is_written_with_enough_digits() -> None:
    assert precise(14_999.6, 15_000.0, "sq ft") == "14,999.60 sq ft"
    assert precise(14.96, 15.0, "%") == "14.96 %"
    assert precise(12_860.2, 15_000.0, "sq ft") == "12,860 sq ft"
