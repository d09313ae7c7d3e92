"""Fields as people fill them in."""

from __future__ import annotations

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import box

from stormwater_screen.errors import InputError
from stormwater_screen.fact_names import PROJECT_TYPES
from stormwater_screen.fields import (
    number_field,
    project_type_field,
    text_field,
    yes_no_field,
)


def _numbers(values: object, **options: object) -> tuple[list[float], list[str], tuple[str, ...]]:
    frame = pd.DataFrame({"AREA": values})
    found = number_field(frame, "AREA", layer="Lots", **options)
    return found.value.tolist(), found.reason.tolist(), found.notes


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("5000", 5000.0),
        (" 5,000 ", 5000.0),
        ("1,234,567.5", 1234567.5),
        ("43 560", 43560.0),
        ("43'560", 43560.0),
        ("43\u202f560", 43560.0),
        ("5,000 sq ft", 5000.0),
        ("5000 SF", 5000.0),
        ("5000 sq. ft.", 5000.0),
        ("4.356e4", 43560.0),
        (".5", 0.5),
        ("+12", 12.0),
        ("0", 0.0),
        (5000, 5000.0),
        (4999.99, 4999.99),
        (np.float64(43560), 43560.0),
    ],
)
def test_a_number_is_read_as_it_is_typed(typed: object, number: float) -> None:
    values, reasons, notes = _numbers(pd.Series([typed, 9000], dtype=object))
    assert (values, reasons, notes) == ([number, 9000.0], ["", ""], ())


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        (None, "field AREA is empty"),
        (np.nan, "field AREA is empty"),
        (pd.NA, "field AREA is empty"),
        ("  ", "field AREA is empty"),
        ("N/A", "field AREA says that nothing is known: 'N/A'"),
        ("unknown", "field AREA says that nothing is known: 'unknown'"),
        ("-9999", "field AREA holds a number that stands for no data: '-9999'"),
        (-9999.0, "field AREA holds a number that stands for no data: '-9999'"),
        ("1e300", "field AREA holds a number that stands for no data: '1e300'"),
        ("-5", "field AREA holds a negative number: '-5'"),
        ("1.2 acres", "field AREA holds something else than a number (sq ft): '1.2 acres'"),
        ("5.000,5", "field AREA holds something else than a number (sq ft): '5.000,5'"),
        ("1,2", "field AREA holds something else than a number (sq ft): '1,2'"),
        (".", "field AREA holds something else than a number (sq ft): '.'"),
        (True, "field AREA holds something else than a number (sq ft): 'True'"),
    ],
)
def test_what_is_no_number_is_not_known_with_the_reason(typed: object, reason: str) -> None:
    values, reasons, notes = _numbers(pd.Series([typed, "7000"], dtype=object))
    assert np.isnan(values[0])
    assert values[1] == 7000.0
    assert reasons == [reason, ""]
    assert len(notes) == 1


def test_entries_that_cannot_be_used_are_counted() -> None:
    _, _, notes = _numbers(["x", "y", None, "5000"])
    assert notes == (
        "Lots: field AREA is empty on 1 feature",
        "Lots: field AREA holds something else than a number (sq ft) on 2 features, such as 'x'",
    )


@pytest.mark.parametrize("dtype", ["int64", "Int64", "float64", "Float64", "float32", "uint8"])
def test_numbers_are_read_from_every_kind_of_column(dtype: str) -> None:
    assert _numbers(pd.Series([5, 7], dtype=dtype))[0] == [5.0, 7.0]


@pytest.mark.parametrize("dtype", ["Int64", "Float64", "float64", "object", "string"])
def test_null_is_not_known_in_every_kind_of_column(dtype: str) -> None:
    values, reasons, _ = _numbers(pd.Series([None, None], dtype=dtype))
    assert np.isnan(values).all()
    assert reasons == ["field AREA is empty"] * 2


def test_a_count_that_is_not_whole_is_not_known() -> None:
    values, reasons, _ = _numbers(["3", "2.5", "4.0"], unit="lots", whole=True)
    assert values[0] == 3.0
    assert np.isnan(values[1])
    assert values[2] == 4.0
    assert reasons[1] == "field AREA holds a number that is not whole: '2.5'"


@given(st.floats(0, 1e12))
def test_a_number_is_never_changed(number: float) -> None:
    assert _numbers([repr(number)])[0] == [number]
    assert _numbers([number])[0] == [number]
    assert _numbers([f"{number:,.2f}"])[0] == [float(f"{number:.2f}")]


def test_a_field_that_does_not_exist_is_refused_with_those_that_do() -> None:
    frame = gpd.GeoDataFrame({"LOT": [1], "AREA": [2]}, geometry=[box(0, 0, 1, 1)])
    with pytest.raises(
        InputError, match=r"^Lots: no field area\. Needed: one of its fields: LOT, AREA\.$"
    ):
        number_field(frame, "area", layer="Lots")


@pytest.mark.parametrize("typed", ["Y", "yes", "TRUE", " t ", "1", 1, 1.0, True, "x"])
def test_yes_in_all_its_forms(typed: object) -> None:
    frame = pd.DataFrame({"F": pd.Series([typed], dtype=object)})
    assert yes_no_field(frame, "F", layer="Lots").value.tolist() == ["yes"]


@pytest.mark.parametrize("typed", ["N", "no", "False", "f", "0", 0, 0.0, False])
def test_no_in_all_its_forms(typed: object) -> None:
    frame = pd.DataFrame({"F": pd.Series([typed], dtype=object)})
    assert yes_no_field(frame, "F", layer="Lots").value.tolist() == ["no"]


@pytest.mark.parametrize("typed", [None, np.nan, pd.NA, "", "unknown", "N/A", "perhaps", "2"])
def test_neither_yes_nor_no_is_not_known(typed: object) -> None:
    frame = pd.DataFrame({"F": pd.Series([typed], dtype=object)})
    found = yes_no_field(frame, "F", layer="Lots")
    assert found.value.tolist() == [None]
    assert found.reason[0].startswith("field F ")


@pytest.mark.parametrize("word", PROJECT_TYPES)
def test_a_project_type_is_known_in_any_case_with_blanks_or_hyphens(word: str) -> None:
    forms = [word, word.upper(), word.replace("_", "-").title(), f" {word.replace('_', '  ')} "]
    frame = pd.DataFrame({"T": forms})
    assert project_type_field(frame, "T", layer="Lots").value.tolist() == [word] * 4


def test_a_strange_project_type_is_not_known_and_counted() -> None:
    found = project_type_field(pd.DataFrame({"T": ["castle", None, "other"]}), "T", layer="Lots")
    assert found.value.tolist() == [None, None, "other"]
    assert found.reason[0] == "field T holds a word that is no project type: 'castle'"
    assert found.notes[1] == (
        "Lots: field T holds a word that is no project type on 1 feature, such as 'castle'"
    )


def test_ids_are_the_same_text_with_and_without_nulls() -> None:
    frame = pd.DataFrame({"whole": [12, 13], "with_null": [12.0, np.nan], "text": [" 12 ", ""]})
    assert text_field(frame, "whole", layer="Lots").tolist() == ["12", "13"]
    assert text_field(frame, "with_null", layer="Lots").tolist() == ["12", None]
    assert text_field(frame, "text", layer="Lots").tolist() == ["12", None]


def test_an_empty_layer_has_no_numbers() -> None:
    assert _numbers([])[0] == []
    assert yes_no_field(pd.DataFrame({"F": []}), "F", layer="Lots").value.tolist() == []


def test_acres_where_square_feet_are_needed_are_doubted() -> None:
    assert "are these acres?" in _numbers(["1.2", "0.4", None])[2][-1]
    # One large parcel does not hide that the others are in acres.
    assert "half of the numbers are 0.8 or less" in _numbers(["0.4", "0.8", "0", "119"])[2][-1]
    assert not _numbers(["400", "80", "0", "22000"])[2]
    assert _numbers(["1.2", "43560"])[2] == ()
    assert _numbers([3, 4], unit="lots")[2] == ()
