"""The preparations through Processing: every format as its agency publishes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import geopandas as gpd
import pytest

ALGORITHMS = (
    "preparesoils", "preparehydrography", "prepareimpaired", "preparewetlands", "prepareparcels",
)  # fmt: skip


def run(name: str, **parameters: Any) -> dict[str, Any]:
    import processing

    return dict(processing.run(f"stormwater:{name}", parameters))


def read(path: Path) -> gpd.GeoDataFrame:
    return gpd.read_file(path)


@pytest.fixture(scope="module")
def formats(shared_data: Path) -> Path:
    return shared_data / "formats"


@pytest.mark.parametrize("name", ALGORITHMS)
def test_each_preparation_is_in_the_provider_with_help_for_every_parameter(
    qgis_processing: Any, name: str
) -> None:
    algorithm = qgis_processing.algorithmById(f"stormwater:{name}")
    assert algorithm.group() == "Preparation"
    assert algorithm.shortHelpString()
    assert all(definition.help() for definition in algorithm.parameterDefinitions())


def test_nhd_shapefiles_of_a_folder_are_sorted(
    qgis_processing: Any, formats: Path, tmp_path: Path
) -> None:
    result = run(
        "preparehydrography",
        FOLDER=str(formats / "nhd_hr_ms"),
        WATER_BODIES=str(tmp_path / "bodies.gpkg"),
        WATERCOURSES=str(tmp_path / "courses.gpkg"),
        WETLANDS=str(tmp_path / "wetlands.gpkg"),
        WATER_SUPPLIES=str(tmp_path / "supplies.gpkg"),
    )
    assert result["WATER_BODIES_COUNT"] == 11
    assert result["WETLANDS_COUNT"] == 5
    assert result["WATERCOURSES_COUNT"] == 2503
    assert len(read(tmp_path / "bodies.gpkg")) == 11


def test_the_check_of_inputs_says_which_raw_layers_it_recognised(
    qgis_processing: Any, formats: Path, tmp_path: Path
) -> None:
    run(
        "checkinputs",
        SITES=f"{formats / 'attains_colorado.gpkg'}|layername=ATTAINS_polygons",
        IMPAIRED=[f"{formats / 'attains_colorado.gpkg'}|layername=ATTAINS_lines"],
        CHECKS=str(tmp_path / "checks.gpkg"),
    )
    found = read(tmp_path / "checks.gpkg")["found"]
    assert found.str.contains("ATTAINS_lines: recognised as assessed waters").any()
