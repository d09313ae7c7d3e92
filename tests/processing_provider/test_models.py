"""The models that the provider brings, and what people stored of earlier releases."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.toolbox import ROOT, SAMPLE, rows, run, sample_parameters

MODELS = sorted((ROOT / "resources" / "models").glob("*.model3"))
FROZEN = ROOT / "tests" / "frozen"

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def model_inputs(name: str) -> dict[str, Any]:
    given = sample_parameters()
    inputs = {
        "sites": given["SITES"],
        "ordinance": "lake_george",
        "water_bodies": given["WATER_BODIES"],
        "watercourses": given["WATERCOURSES"],
        "dem": given["DEM"],
        "dem_z_unit": "auto",
    }
    if name == "screen_application":
        return {**inputs, "site_id": "lot", "disturbed_field": "dist_sqft"}
    return {**inputs, "wetlands": given["WETLANDS"], "water_supplies": given["WATER_SUPPLIES"]}


def test_the_two_models_are_in_the_provider_with_all_their_outputs(qgis_processing: Any) -> None:
    for name, outputs in (
        (
            "screen_application",
            {"screened_sites", "findings", "zones", "summary", "check_of_inputs"},
        ),
        (
            "setback_map",
            {"infiltration_zones", "sites_with_setbacks_and_distances", "zone_along_water"},
        ),
    ):
        model = qgis_processing.algorithmById(f"stormwater:{name}")
        assert model is not None
        assert {output.name() for output in model.outputDefinitions()} == outputs
        assert model.shortHelpString()
        assert model.group() == "Models"


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_a_model_opens_in_the_designer_without_a_fault(qgis_processing: object, path: Path) -> None:
    from qgis.core import QgsProcessingModelAlgorithm

    model = QgsProcessingModelAlgorithm()
    assert model.fromFile(str(path))
    for child in model.childAlgorithms():
        assert model.validateChildAlgorithm(child) == (True, [])
    assert model.validate() == (True, [])


def test_the_whole_screening_runs_as_a_model_and_gives_what_the_algorithm_gives(
    qgis_processing: object, tmp_path: Path
) -> None:
    inputs = model_inputs("screen_application")
    done = run(
        "screen_application",
        inputs,
        screened_sites=str(tmp_path / "screened.gpkg"),
        findings="TEMPORARY_OUTPUT",
        zones="TEMPORARY_OUTPUT",
        summary=str(tmp_path / "summary.html"),
        check_of_inputs=str(tmp_path / "check.html"),
    )
    alone = run(
        "screensites",
        {name.upper(): value for name, value in inputs.items()},
        SCREENED="TEMPORARY_OUTPUT",
    )
    assert [row["class"] for row in rows(done["screened_sites"])] == [
        row["class"] for row in rows(alone["SCREENED"])
    ]
    assert "Check of inputs" in (tmp_path / "check.html").read_text("utf-8")
    assert (tmp_path / "summary.html").is_file()


def test_the_setback_map_draws_both_kinds_of_zones(qgis_processing: object) -> None:
    done = run(
        "setback_map",
        model_inputs("setback_map"),
        infiltration_zones="TEMPORARY_OUTPUT",
        sites_with_setbacks_and_distances="TEMPORARY_OUTPUT",
        zone_along_water="TEMPORARY_OUTPUT",
    )
    assert {row["zone"] for row in rows(done["zone_along_water"])} == {"zone_500ft"}
    assert "infiltration_minor" in {row["zone"] for row in rows(done["infiltration_zones"])}
    assert {"in_100ft", "in_500ft"} <= set(rows(done["sites_with_setbacks_and_distances"])[0])


def test_a_model_runs_in_the_executable(tmp_path: Path) -> None:
    inputs = model_inputs("setback_map")
    call = {"inputs": {**inputs, "sites_with_setbacks_and_distances": str(tmp_path / "out.gpkg")}}
    done = subprocess.run(
        ["qgis_process", "run", "stormwater:setback_map", "-"],
        input=json.dumps(call),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(rows(tmp_path / "out.gpkg")) == 56


@pytest.mark.parametrize(
    "path", sorted(FROZEN.glob("*/*.model3")), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_a_model_of_an_earlier_release_still_runs(qgis_processing: object, path: Path) -> None:
    import processing
    from qgis.core import QgsProcessingModelAlgorithm

    model = QgsProcessingModelAlgorithm()
    assert model.fromFile(str(path))
    assert model.validate() == (True, [])
    outputs = {
        definition.name(): "TEMPORARY_OUTPUT"
        for definition in model.destinationParameterDefinitions()
        if definition.type() == "sink"
    }
    done = processing.run(model, {**model_inputs(path.stem), **outputs})
    assert outputs.keys() <= done.keys()


@pytest.mark.parametrize(
    "path", sorted(FROZEN.glob("*/*.json")), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_a_call_of_an_earlier_release_still_runs(path: Path, tmp_path: Path) -> None:
    text = path.read_text("utf-8").replace("{sample}", str(SAMPLE)).replace("{out}", str(tmp_path))
    done = subprocess.run(
        ["qgis_process", "run", f"stormwater:{path.stem}", "-"],
        input=text,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    results = json.loads(done.stdout)["results"]
    for name, value in json.loads(text)["inputs"].items():
        if isinstance(value, str) and value.startswith(str(tmp_path)):
            assert Path(str(results[name]).split("|")[0]).is_file()


def test_each_group_of_the_toolbox_stands_there_once(qgis_processing: Any) -> None:
    algorithms = qgis_processing.providerById("stormwater").algorithms()
    groups = {(algorithm.groupId(), algorithm.group()) for algorithm in algorithms}
    assert sorted(groups) == [
        ("evidence", "Evidence"),
        ("measures", "Measures"),
        ("models", "Models"),
        ("preparation", "Preparation"),
        ("screening", "Screening"),
    ]


def test_models_have_titles_and_keep_them_where_they_are_run(qgis_processing: Any) -> None:
    model = qgis_processing.createAlgorithmById("stormwater:setback_map")
    assert (model.name(), model.displayName()) == ("setback_map", "Setback map")
    assert not model.icon().isNull()
