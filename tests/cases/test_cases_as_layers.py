"""Every row of decision_cases.csv, as real layers, gives the stated outcomes end to end."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pandas as pd
import pytest

from stormwater_screen.layers import layer_from_frame
from stormwater_screen.model import DemSource, Options, ScreeningInputs
from stormwater_screen.ordinance import load_ordinance
from stormwater_screen.screening import screen
from tests.cases.case_town import FIELDS, CaseTown, build
from tests.cases.decision import OUTCOMES

KINDS = {"BUILDING_CENTRES": "point"}


@pytest.fixture(scope="module")
def towns(
    shared_cases: Path, tmp_path_factory: pytest.TempPathFactory
) -> list[tuple[pd.DataFrame, CaseTown]]:
    rows = pd.read_csv(shared_cases / "decision_cases.csv", dtype=str, keep_default_na=False)
    without = rows["listing"] == "not_supplied"
    return [
        (part.reset_index(drop=True), build(part, tmp_path_factory.mktemp("town")))
        for part in (rows[~without], rows[without])
    ]


@pytest.mark.parametrize("law", OUTCOMES)
def test_every_case_as_layers_gives_the_stated_outcomes(
    law: str, towns: list[tuple[pd.DataFrame, CaseTown]]
) -> None:
    wrong, seen = [], 0
    for rows, town in towns:
        columns = screen(_inputs(town), load_ordinance(law, date(2024, 6, 1)), EXACT).columns
        assert list(columns["site_id"]) == list(rows["id"])
        seen += len(columns)
        for stated, column in OUTCOMES[law].items():
            for case, expected, found in zip(rows.id, rows[stated], columns[column], strict=True):
                if (expected or stated == "lg_factors") and expected != found:
                    wrong.append(f"{case} {stated}: {found}, not {expected}")
    assert not wrong
    assert seen == 41


EXACT = Options(dem_error_ft=0.0, water_error_ft=0.0, supply_error_ft=0.0)


def _inputs(town: CaseTown) -> ScreeningInputs:
    layers = {
        name: layer_from_frame(frame, role=name, name=name, geometry=KINDS.get(name, "polygon"))
        for name, frame in town.layers.items()
    }
    fields = {
        name: field
        for name, field in FIELDS.items()
        if name.split("_")[0] not in ("IMPAIRED", "TMDL") or name.split("_")[0] in layers
    }
    sites = layers.pop("SITES")
    given = {name: (layer,) for name, layer in layers.items()}
    return ScreeningInputs(sites, given, fields, DemSource(str(town.dem)))
