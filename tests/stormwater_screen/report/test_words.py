"""Texts of the data stay texts, in tables too."""

from __future__ import annotations

import pytest

from stormwater_screen.report.words import between, direction, number, safe_cell


@pytest.mark.parametrize(
    "text",
    ['=HYPERLINK("http://x","y")', "+1+cmd|'/C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1"],
)
def test_what_a_spreadsheet_would_compute_begins_with_an_apostrophe(text: str) -> None:
    assert safe_cell(text) == f"'{text}"


@pytest.mark.parametrize("text", ["L05", "-12.5", "+3", "12-34-56", "<script>", ""])
def test_other_texts_and_numbers_stay_as_they_are(text: str) -> None:
    assert safe_cell(text) == text


def test_numbers_have_no_superfluous_digit() -> None:
    assert [number(v) for v in (20.0, 14.96, 1234.5, float("nan"))] == [
        "20", "15", "1,234", "not known"
    ]  # fmt: skip


def test_bounds_that_read_the_same_are_one_number() -> None:
    assert between(3.0, 3.04, "%") == "3 %"
    assert between(0.0, 50.0, "ft") == "at most 50 ft"
    assert between(20.0, float("inf"), "ft") == "at least 20 ft"


def test_a_bearing_has_its_point_of_the_compass() -> None:
    assert [direction(d) for d in (0.0, 44.0, 181.0, 337.6)] == [
        "0° (north)", "44° (northeast)", "181° (south)", "338° (north)"
    ]  # fmt: skip
