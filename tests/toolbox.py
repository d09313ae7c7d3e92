"""Helpers to run the algorithms of the provider on the sample town and on real layers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "resources" / "sample"
STEPS = (
    "disturbancethresholds",
    "slopeover100ft",
    "infiltrationsetbacks",
    "waterbodybuffer",
    "impairedwaters",
    "soilindicators",
)
ONLY_OF_SCREENING = ("near", "reasons", "settle", "run_id")


def sample_parameters() -> dict[str, Any]:
    """Return the parameters of the sample town with whole paths."""
    given = json.loads((SAMPLE / "parameters.json").read_text("utf-8"))["inputs"]
    return {name: _whole(value) for name, value in given.items()}


def _whole(value: Any) -> Any:
    if isinstance(value, list):
        return [_whole(part) for part in value]
    if isinstance(value, str) and value.startswith(("sample.gpkg", "dem.tif")):
        return str(SAMPLE / value)
    return value


def bangor_parameters(data: Path) -> dict[str, Any]:
    """Return parameters of a screening of Bangor with every layer it has.

    The names of the fields of soils and of listed streams are left to the program.
    """
    town = f"{data / 'bangor' / 'bangor.gpkg'}|layername="
    return {
        "SITES": f"{town}parcels",
        "SITE_ID": "MAP_LOT",
        "AS_OF": "2025-06-01",
        "PROJECT_TYPE": "single_family",
        "DEM": str(data / "bangor" / "dem_ft.tif"),
        "DEM_Z_UNIT": "foot",
        "WATER_BODIES": [f"{town}ponds"],
        "WATERCOURSES": [f"{town}streams_impaired_flag", f"{town}rivers", f"{town}drainage_draw"],
        "WETLANDS": f"{town}wetlands_nwi",
        "SOILS": f"{town}soils_ssurgo",
        "IMPAIRED": [f"{town}streams_impaired_flag"],
        "SENSITIVE": [f"{town}vernal_pools"],
        "STREAM_CORRIDORS": f"{town}shoreland_zone",
    }


def run(name: str, given: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Run an algorithm with those of the parameters that it has."""
    import processing
    from qgis.core import QgsApplication

    algorithm = QgsApplication.processingRegistry().createAlgorithmById(f"stormwater:{name}")
    known = {definition.name() for definition in algorithm.parameterDefinitions()}
    chosen = {key: value for key, value in {**given, **more}.items() if key in known}
    return dict(processing.run(f"stormwater:{name}", chosen))


def chained(given: dict[str, Any], order: tuple[str, ...] = STEPS) -> dict[str, Any]:
    """Run steps one after the other and classify what comes out."""
    layer = given["SITES"]
    for step in order:
        layer = run(step, given, SITES=layer, OUTPUT="TEMPORARY_OUTPUT")["OUTPUT"]
    return run("classifysites", given, SITES=layer, OUTPUT="TEMPORARY_OUTPUT")


def rows(layer: Any) -> list[dict[str, Any]]:
    """Return the attributes of the features of a layer, NULL as None."""
    from qgis.core import NULL, QgsVectorLayer

    if isinstance(layer, str | Path):
        layer = QgsVectorLayer(str(layer), "layer", "ogr")
    names = layer.fields().names()
    return [
        {
            name: None if value == NULL else value
            for name, value in zip(names, feature.attributes(), strict=True)
        }
        for feature in layer.getFeatures()
    ]
