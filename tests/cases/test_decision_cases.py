"""Every row of decision_cases.csv gives the stated outcomes under the four laws."""

from datetime import date
from pathlib import Path

import pandas as pd
import pytest

from stormwater_screen.ordinance import load_ordinance
from stormwater_screen.rules import judge
from tests.cases.decision import OUTCOMES, facts_of


@pytest.fixture(scope="module")
def rows(shared_cases: Path) -> pd.DataFrame:
    return pd.read_csv(shared_cases / "decision_cases.csv", dtype=str, keep_default_na=False)


@pytest.mark.parametrize("law", OUTCOMES)
def test_every_case_gives_the_stated_outcomes(law: str, rows: pd.DataFrame) -> None:
    columns = judge(facts_of(rows), load_ordinance(law, date(2024, 6, 1))).columns
    wrong = []
    for stated, column in OUTCOMES[law].items():
        for case, expected, found in zip(rows.id, rows[stated], columns[column], strict=True):
            if (expected or stated == "lg_factors") and expected != found:
                wrong.append(f"{case} {stated}: {found}, not {expected}")
    assert not wrong
