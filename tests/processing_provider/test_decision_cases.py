"""Every row of decision_cases.csv gives the stated outcomes through the algorithm."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import geopandas as gpd
import pandas as pd
import pytest

from tests.cases.case_town import FIELDS, build
from tests.cases.decision import OUTCOMES

SEVERAL = ("IMPAIRED", "WATER_BODIES", "WATERCOURSES", "SENSITIVE")

# pyogrio turns messages that GDAL has for QGIS into warnings of Python.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@pytest.fixture(scope="module")
def towns(
    shared_cases: Path, tmp_path_factory: pytest.TempPathFactory
) -> list[tuple[pd.DataFrame, dict[str, Any]]]:
    """Cases with and without listed waters, each with the parameters of its run."""
    rows = pd.read_csv(shared_cases / "decision_cases.csv", dtype=str, keep_default_na=False)
    without = rows["listing"] == "not_supplied"
    towns = []
    for part in (rows[~without], rows[without]):
        folder = tmp_path_factory.mktemp("town")
        town = build(part.reset_index(drop=True), folder)
        layers: dict[str, Any] = {}
        for name, frame in town.layers.items():
            frame.to_file(folder / "town.gpkg", layer=name)
            source = f"{folder}/town.gpkg|layername={name}"
            layers[name] = [source] if name in SEVERAL else source
        fields = {
            name: field
            for name, field in FIELDS.items()
            if name.split("_")[0] not in ("IMPAIRED", "TMDL") or name.split("_")[0] in layers
        }
        towns.append((part, {**layers, **fields, "DEM": str(town.dem), "AS_OF": "2024-06-01"}))
    return towns


@pytest.mark.parametrize("law", OUTCOMES)
def test_every_case_gives_the_stated_outcomes_through_the_algorithm(
    law: str,
    towns: list[tuple[pd.DataFrame, dict[str, Any]]],
    tmp_path: Path,
    qgis_processing: object,
) -> None:
    import processing

    exact = {"DEM_ERROR_FT": 0, "WATER_ERROR_FT": 0, "SUPPLY_ERROR_FT": 0}
    wrong, seen = [], 0
    for number, (rows, given) in enumerate(towns):
        out = str(tmp_path / f"out{number}.gpkg")
        processing.run(
            "stormwater:screensites", {**given, **exact, "ORDINANCE": law, "SCREENED": out}
        )
        columns = gpd.read_file(out)
        assert list(columns["site_id"]) == list(rows["id"])
        seen += len(columns)
        for stated, column in OUTCOMES[law].items():
            found_words = columns[column].fillna("")
            for case, expected, found in zip(rows.id, rows[stated], found_words, strict=True):
                if (expected or stated == "lg_factors") and expected != found:
                    wrong.append(f"{case} {stated}: {found}, not {expected}")
    assert not wrong
    assert seen == 41
