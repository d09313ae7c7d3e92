"""Every row of decision_cases.csv gives the stated outcomes through the algorithm."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from tests.cases.case_town import FIELDS, build
from tests.cases.decision import OUTCOMES

EXACT = {"DEM_ERROR_FT": 0, "WATER_ERROR_FT": 0, "SUPPLY_ERROR_FT": 0, "AS_OF": "2024-06-01"}
SEVERAL = ("IMPAIRED",)


@pytest.fixture(scope="module")
def towns(
    shared_cases: Path, tmp_path_factory: pytest.TempPathFactory
) -> list[tuple[pd.DataFrame, dict[str, Any]]]:
    rows = pd.read_csv(shared_cases / "decision_cases.csv", dtype=str, keep_default_na=False)
    without = rows["listing"] == "not_supplied"
    return [
        (part.reset_index(drop=True), _parameters(part, tmp_path_factory.mktemp("town")))
        for part in (rows[~without], rows[without])
    ]


def _parameters(rows: pd.DataFrame, folder: Path) -> dict[str, Any]:
    town = build(rows, folder)
    parameters: dict[str, Any] = {"DEM": str(town.dem), **EXACT}
    for name, frame in town.layers.items():
        frame.to_file(folder / "town.gpkg", layer=name.lower())
        source = f"{folder / 'town.gpkg'}|layername={name.lower()}"
        parameters[name] = [source] if name in SEVERAL else source
    for name, field in FIELDS.items():
        layer = name.split("_")[0]
        if layer not in ("IMPAIRED", "TMDL") or layer in town.layers:
            parameters[name] = field
    return parameters


@pytest.mark.parametrize("law", OUTCOMES)
def test_every_case_gives_the_stated_outcomes_through_the_algorithm(
    law: str, qgis_processing: object, towns: list[tuple[pd.DataFrame, dict[str, Any]]]
) -> None:
    import processing

    wrong, seen = [], 0
    for rows, parameters in towns:
        done = processing.run(
            "stormwater:screensites",
            {**parameters, "ORDINANCE": law, "SCREENED": "TEMPORARY_OUTPUT"},
        )
        sites = {site["site_id"]: site for site in done["SCREENED"].getFeatures()}
        seen += len(sites)
        for stated, column in OUTCOMES[law].items():
            for case, expected in zip(rows["id"], rows[stated], strict=True):
                found = sites[case][column] or ""
                if (expected or stated == "lg_factors") and expected != found:
                    wrong.append(f"{case} {stated}: {found}, not {expected}")
    assert not wrong
    assert seen == 41
