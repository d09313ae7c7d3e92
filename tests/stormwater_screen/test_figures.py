"""Numbers behind findings travel as JSON."""

from __future__ import annotations

import numpy as np

from stormwater_screen.figures import figures_column, read_figures


def test_numbers_come_back_and_what_is_not_known_is_left_out() -> None:
    (text,) = figures_column(
        {"from_ft": [443.0], "to_ft": [np.nan], "side": ["level"], "name": [None]}
    )
    assert read_figures(text) == {"from_ft": 443.0, "side": "level"}


def test_a_place_keeps_seven_digits_of_a_degree_and_a_length_three_of_a_foot() -> None:
    (text,) = figures_column({"latitude": [43.123456789], "from_ft": [1.23456]})
    assert read_figures(text) == {"latitude": 43.1234568, "from_ft": 1.235}


def test_a_name_with_quotes_and_line_breaks_stays_text() -> None:
    name = 'Mill "Pond"\n{"side":"level"}'
    (text,) = figures_column({"name": [name]})
    assert read_figures(text) == {"name": name}


def test_a_text_that_was_cut_says_nothing() -> None:
    assert read_figures('{"from_ft":443.') == {}
    assert read_figures(None) == {}
    assert read_figures("[1]") == {}
