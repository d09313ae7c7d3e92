"""Every algorithm of the toolbox as a new user meets it, and its outputs when QGIS loads them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from stormwater_screening.stormwater_screen.columns import STEP_COLUMNS

from tests.toolbox import ROOT, rows, run, sample_parameters

STYLES = sorted((ROOT / "resources" / "styles").glob("*.qml"))
GROUPS = {
    "screensites": "Screening",
    "classifysites": "Screening",
    "compareordinances": "Screening",
    "disturbancethresholds": "Measures",
    "slopeover100ft": "Measures",
    "slopeover100ftraster": "Measures",
    "infiltrationsetbacks": "Measures",
    "waterbodybuffer": "Measures",
    "impairedwaters": "Measures",
    "soilindicators": "Measures",
    "receivingwaters": "Measures",
    "checkinputs": "Preparation",
}
OWN = {
    "disturbancethresholds": ("areas",),
    "slopeover100ft": ("slope",),
    "infiltrationsetbacks": ("setbacks",),
    "waterbodybuffer": ("water", "sensitive"),
    "impairedwaters": ("listings",),
    "soilindicators": ("soils",),
    "receivingwaters": ("receiving", "listings"),
    "classifysites": ("rules",),
}

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@pytest.mark.parametrize("name", GROUPS)
def test_an_algorithm_has_group_help_tags_icon_and_help_for_every_parameter(
    qgis_processing: Any, name: str
) -> None:
    algorithm = qgis_processing.algorithmById(f"stormwater:{name}")
    assert algorithm.group() == GROUPS[name]
    assert algorithm.groupId() == GROUPS[name].lower()
    assert len(algorithm.tags()) >= 4
    assert Path(algorithm.svgIconPath()).stem == name
    assert not algorithm.icon().isNull()
    assert 20 < len(algorithm.shortDescription()) < 120
    for word in ("Input", "Section", "Limits"):
        assert f"\n{word}" in algorithm.shortHelpString()
    assert algorithm.helpUrl().endswith(f"/{name}")
    for definition in algorithm.parameterDefinitions():
        assert definition.help(), definition.name()


def test_every_icon_is_a_picture_of_its_own() -> None:
    icons = [(ROOT / "resources" / "icons" / f"{name}.svg").read_text("utf-8") for name in GROUPS]
    assert len(set(icons)) == len(icons)


@pytest.mark.parametrize("name", OWN)
def test_a_step_adds_its_own_columns_and_no_others(qgis_processing: object, name: str) -> None:
    given = sample_parameters()
    own = rows(given["SITES"].replace("|layername=lots", ""))[0]
    done = rows(run(name, given, OUTPUT="TEMPORARY_OUTPUT")["OUTPUT"])
    added = [column for step in OWN[name] for column in STEP_COLUMNS[step]]
    assert len(done) == 56
    assert set(done[0]) - set(own) == set(added)


def test_the_columns_of_the_steps_are_those_of_the_screening() -> None:
    from stormwater_screening.stormwater_screen.columns import RECEIVING_COLUMNS, SCREENED_COLUMNS

    of_steps = [name for step in STEP_COLUMNS.values() for name in step]
    receiving = {column.name for column in RECEIVING_COLUMNS}
    assert set(of_steps) - receiving == {column.name for column in SCREENED_COLUMNS} - receiving
    # The area left for infiltration is found by the measure and chosen by the class.
    twice = {name for name in of_steps if of_steps.count(name) > 1}
    assert twice == {"infil_sf", "infilht_sf"}


def test_slope_lines_carry_both_elevations_and_agree_with_the_slope(
    qgis_processing: object,
) -> None:
    done = run(
        "slopeover100ft", sample_parameters(), OUTPUT="TEMPORARY_OUTPUT", LINES="TEMPORARY_OUTPUT"
    )
    layer = done["LINES"]
    lines = rows(layer)
    assert len(lines) > 50
    for line in lines:
        assert abs(line["from_ft"] - line["to_ft"]) == pytest.approx(line["slope_pct"], abs=0.01)
    # 100 ft are 30.48 m; the layer is in metres of UTM, which differ by less than 1 in 2,000.
    lengths = [feature.geometry().length() for feature in layer.getFeatures()]
    assert lengths == pytest.approx([30.48] * len(lengths), rel=5e-4)
    steepest = {row["lot"]: row["slope_pct"] for row in rows(done["OUTPUT"])}
    centre = next(line for line in lines if line["site_id"] == "L02")
    assert centre["slope_pct"] == pytest.approx(steepest["L02"])


def test_well_known_fields_are_found_and_named_in_the_executable(tmp_path: Path) -> None:
    given = sample_parameters()
    call = {
        "inputs": {
            "SITES": given["SITES"],
            "SOILS": given["SOILS"],
            "OUTPUT": str(tmp_path / "out.gpkg"),
        }
    }
    done = subprocess.run(
        ["qgis_process", "run", "stormwater:soilindicators", "-"],
        input=json.dumps(call),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    log = json.dumps(json.loads(done.stdout)["log"])
    assert "SOIL_GROUP_FIELD: not given; field hydgrpdcd of soils is used" in log
    groups = {row["soil_grp"] for row in rows(tmp_path / "out.gpkg")}
    assert groups != {"unknown"}


def test_what_an_applicant_states_is_never_taken_from_a_field_that_nobody_named(
    qgis_processing: object,
) -> None:
    import processing

    lots = sample_parameters()["SITES"]
    renamed = processing.run(
        "native:renametablefield",
        {"INPUT": lots, "FIELD": "dist_sqft", "NEW_NAME": "DISTURBED_SQFT", "OUTPUT": "memory:"},
    )["OUTPUT"]
    done = rows(
        run("disturbancethresholds", {}, SITES=renamed, OUTPUT="TEMPORARY_OUTPUT")["OUTPUT"]
    )
    assert {row["disturb_by"] for row in done if row["disturb_sf"]} == {"whole site"}


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.stem)
def test_a_style_loads_on_a_layer_of_its_kind(qgis_processing: object, path: Path) -> None:
    from qgis.core import QgsRasterLayer, QgsVectorLayer

    kind = "LineString" if path.stem == "slope_lines" else "MultiPolygon"
    layer: Any = QgsVectorLayer(f"{kind}?crs=EPSG:26918&field=class:string", "layer", "memory")
    if path.stem == "slope_raster":
        layer = QgsRasterLayer(str(ROOT / "resources" / "sample" / "dem.tif"), "slope")
    message, loaded = layer.loadNamedStyle(str(path))
    assert loaded, message
    assert layer.name() in ("layer", "slope")


LOADED = {
    "screensites": {"SCREENED": "Screened sites (lots)", "ZONES": "Zones (lots)"},
    "slopeover100ft": {
        "OUTPUT": "Slope over 100 ft (lots)",
        "LINES": "Directions of the slopes (lots)",
    },
    "waterbodybuffer": {
        "OUTPUT": "Water body buffer (lots)",
        "ZONES": "Zone along water (lots)",
    },
    "slopeover100ftraster": {"OUTPUT": "Slope over 100 ft (percent)"},
}


@pytest.mark.parametrize("name", LOADED)
def test_loaded_layers_have_sensible_names_and_a_style_and_the_project_is_not_touched(
    qgis_processing: Any, tmp_path: Path, name: str
) -> None:
    from qgis.core import (
        QgsProcessingContext,
        QgsProcessingFeedback,
        QgsProcessingOutputLayerDefinition,
        QgsProject,
        QgsRasterLayer,
        QgsVectorLayer,
    )

    project = QgsProject()
    context, feedback = QgsProcessingContext(), QgsProcessingFeedback()
    context.setProject(project)
    suffix = "tif" if name.endswith("raster") else "gpkg"
    algorithm = qgis_processing.createAlgorithmById(f"stormwater:{name}")
    known = {definition.name() for definition in algorithm.parameterDefinitions()}
    given = {key: value for key, value in sample_parameters().items() if key in known}
    for output in LOADED[name]:
        path = str(tmp_path / f"{output}.{suffix}")
        given[output] = QgsProcessingOutputLayerDefinition(path, project)
    _, done = algorithm.run(given, context, feedback)
    assert done
    assert project.mapLayers() == {}
    loading = context.layersToLoadOnCompletion()
    assert {details.outputName: details.name for details in loading.values()} == LOADED[name]
    for source, details in loading.items():
        make = QgsRasterLayer if suffix == "tif" else QgsVectorLayer
        layer = make(source, details.name)
        plain = type(layer.renderer())
        details.postProcessor().postProcessLayer(layer, context, feedback)
        styled = layer.renderer()
        assert type(styled) is not plain or styled.type() == "categorizedSymbol"
