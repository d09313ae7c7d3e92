from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from stormwater_screen.prepare.names import find_field, numbers_of, plain, texts_of


def test_a_field_is_found_in_any_case_and_cut_to_ten_characters() -> None:
    assert find_field(["FType", "FCODE"], ("fcode",)) == "FCODE"
    assert find_field(["WATER_SUPP"], ("water_supply",)) == "WATER_SUPP"
    assert find_field(["other"], ("fcode",)) is None


def test_a_whole_name_wins_over_a_cut_one() -> None:
    assert find_field(["assessment", "pwl_id"], ("assessmentunitidentifier", "pwl_id")) == "pwl_id"


def test_calculated_acres_are_not_the_acres_of_the_roll() -> None:
    assert find_field(["CALC_ACRES"], ("acres",)) is None


def test_prefixes_of_joined_tables_are_understood_where_asked() -> None:
    names = ["muaggatt_hydgrpdcd"]
    assert find_field(names, ("hydgrpdcd",), joined=True) == "muaggatt_hydgrpdcd"
    assert find_field(names, ("hydgrpdcd",)) is None


@pytest.mark.parametrize("nothing", ["<NA>", "N/A", " ", "-9999", None, "null", "NULL"])
def test_words_for_nothing_are_empty(nothing: object) -> None:
    assert plain(nothing) == ""


def test_numbers_as_text_with_thousands_separators_are_read() -> None:
    found = numbers_of(np.array(["1,234.5", "-9999", "", "about 3"], dtype=object))
    assert found[0] == 1234.5
    assert np.isnan(found[1:]).all()


def test_a_field_that_is_not_there_gives_empty_texts() -> None:
    assert texts_of(pd.DataFrame({"a": [1, 2]}), ("b",), layer="x").tolist() == ["", ""]
