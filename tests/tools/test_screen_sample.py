"""The sample runner finds every difference, names it, and prints a table that fits."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def runner() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "screen_sample", ROOT / "tools" / "screen_sample.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def sites(**changes: object) -> pd.DataFrame:
    frame = pd.DataFrame(
        {
            "row": [1, 2],
            "site_id": ["L01", None],
            "class": ["minor", "major"],
            "cond_a": ["no", "review"],
            "cond_b": ["no", "no"],
            "cond_c": ["no", "yes"],
            "reasons": ["Less than 15,000 square feet are affected.", "Not exempt and not minor."],
            "may_major": ["soils;slope", None],
            "settle": [None, "where the runoff flows"],
        }
    )
    return frame.assign(**changes)


ANSWERS = [
    {"row": "1", "lot": "L01", "law": "lake_george", "class": "minor", "may_major": "slope;soils"},
    {"row": "2", "lot": "", "law": "lake_george", "class": "major", "may_major": "none"},
    {"row": "1", "lot": "L01", "law": "wilton", "class": "not_applicable", "may_major": ""},
]


def test_equal_answers_give_no_difference_and_are_counted(runner: ModuleType) -> None:
    assert runner.differences(sites(), ANSWERS, "lake_george") == ([], 4)


def test_each_difference_is_named_with_site_column_and_both_answers(runner: ModuleType) -> None:
    wrong, _ = runner.differences(sites(**{"class": ["exempt", "major"]}), ANSWERS, "lake_george")
    assert wrong == ["lake_george, row 1 (L01): class is exempt, known is minor"]


def test_a_factor_too_few_or_too_many_is_a_difference(runner: ModuleType) -> None:
    wrong, _ = runner.differences(sites(may_major=["slope", "soils"]), ANSWERS, "lake_george")
    assert wrong == [
        "lake_george, row 1 (L01): may_major is slope, known is slope;soils",
        "lake_george, row 2 (no id): may_major is soils, known is none",
    ]


def test_a_lost_site_is_a_difference(runner: ModuleType) -> None:
    wrong, _ = runner.differences(sites().iloc[:1], ANSWERS, "lake_george")
    assert wrong == [
        "lake_george: 2 lots went in, 1 came out",
        "lake_george, row 2 (no id): missing",
    ]


def test_an_empty_answer_where_one_is_known_is_a_difference(runner: ModuleType) -> None:
    wrong, _ = runner.differences(sites(**{"class": [None, "major"]}), ANSWERS, "lake_george")
    assert wrong == ["lake_george, row 1 (L01): class is empty, known is minor"]


def test_a_finding_at_a_limit_is_compared_by_row_and_rule(runner: ModuleType) -> None:
    findings = pd.DataFrame(
        {"row": [1, 1, 2], "rule": ["LG-MN1", "LG-01", "LG-MN1"], "outcome": ["yes", "no", "no"]}
    )
    limits = [
        {"row": "1", "law": "lake_george", "rule": "LG-MN1", "outcome": "yes", "why": "below"},
        {"row": "2", "law": "lake_george", "rule": "LG-MN1", "outcome": "yes", "why": "at"},
        {"row": "2", "law": "lake_george", "rule": "LG-01", "outcome": "no", "why": "far"},
        {"row": "2", "law": "wilton", "rule": "WI-01", "outcome": "no", "why": "other law"},
    ]
    wrong, compared = runner.finding_differences(findings, limits, "lake_george")
    assert compared == 3
    assert wrong == [
        "lake_george, row 2: finding LG-MN1 is no, known is yes (at)",
        "lake_george, row 2: finding LG-01 is missing, known is no (far)",
    ]


@pytest.mark.parametrize("width", [80, 110, 200])
def test_the_table_fits_the_terminal_and_keeps_every_word(runner: ModuleType, width: int) -> None:
    text = runner.table(sites(), width)
    assert max(len(line) for line in text.splitlines()) <= width
    assert "(no id)" in text
    words = text.split()
    for sentence in ("15,000 square feet", "Factors: soils, slope.", "where the runoff flows."):
        assert all(word in words for word in sentence.split())


def test_stored_parameters_get_full_paths(runner: ModuleType) -> None:
    inputs = runner.stored_inputs()
    folder = str(ROOT / "resources" / "sample")
    assert inputs["SITES"] == f"{folder}/sample.gpkg|layername=lots"
    assert inputs["DEM"] == f"{folder}/dem.tif"
    assert all(text.startswith(folder) for text in inputs["SENSITIVE"])
    assert inputs["DISTURBED_FIELD"] == "dist_sqft"
