"""Decisions of the board: what is taken, and what is refused and why."""

from __future__ import annotations

from datetime import date, datetime

import pandas as pd
import pytest

from stormwater_screen.errors import InputError
from stormwater_screen.ordinance import load_ordinance
from stormwater_screen.report.overrides import Override, read_overrides

LAW = load_ordinance("lake_george", date(2025, 6, 1))
GOOD = {
    "site": "L05",
    "rule": "class",
    "outcome": "minor",
    "reason": "The board saw the site.",
    "who": "Planning Board",
    "date": "2025-06-30",
}


def read(*rows: dict[str, object]) -> dict[int, list[Override]]:
    table = pd.DataFrame([{**GOOD, **row} for row in rows])
    return read_overrides(table, [1, 2, 3], ["L05", "twice", "twice"], LAW, "decisions")


def test_a_decision_is_found_by_the_id_of_its_site() -> None:
    (one,) = read({})[1]
    assert one == Override(
        1, "class", "minor", "The board saw the site.", "Planning Board", "2025-06-30"
    )


@pytest.mark.parametrize("reason", ["", None, "   ", float("nan")])
def test_a_decision_without_a_reason_is_refused_with_its_row(reason: object) -> None:
    with pytest.raises(InputError, match=r"decisions, row 2: no reason"):
        read({}, {"rule": "cond_a", "outcome": "no", "reason": reason})


@pytest.mark.parametrize("column", ["who", "date", "rule"])
def test_a_decision_without_name_day_or_rule_is_refused(column: str) -> None:
    with pytest.raises(InputError, match=f"no {column}"):
        read({column: ""})


def test_a_rule_that_the_law_does_not_have_is_refused() -> None:
    with pytest.raises(InputError, match="rule WL-1"):
        read({"rule": "WL-1"})


def test_a_class_of_another_law_is_refused() -> None:
    with pytest.raises(InputError, match=r"outcome swppp.*minor"):
        read({"outcome": "swppp"})


def test_an_id_that_two_sites_have_needs_the_row() -> None:
    with pytest.raises(InputError, match=r"an id of 2 sites.*row 2"):
        read({"site": "twice"})
    assert list(read({"site": "row 3"})) == [3]


def test_a_site_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match="site L99"):
        read({"site": "L99"})


def test_two_decisions_on_the_same_thing_are_refused() -> None:
    with pytest.raises(InputError, match="a second decision on class"):
        read({}, {"outcome": "major"})


def test_an_empty_row_of_the_table_is_no_decision() -> None:
    assert read({}, dict.fromkeys(GOOD)) == read({})


@pytest.mark.parametrize("day", [date(2025, 6, 30), datetime(2025, 6, 30, 12), "2025/06/30"])
def test_a_day_may_be_a_date_or_a_text(day: object) -> None:
    assert read({"date": day})[1][0].day == "2025-06-30"


def test_a_day_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="date last week"):
        read({"date": "last week"})


def test_a_missing_column_is_named() -> None:
    table = pd.DataFrame([GOOD]).drop(columns=["reason", "who"])
    with pytest.raises(InputError, match="no column reason, who"):
        read_overrides(table, [1], ["L05"], LAW, "decisions")
