"""Dirt through Processing: parcels prepared, sites screened, alone and together."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import geopandas as gpd
import pyogrio
import pytest
from qgis.core import (
    QgsProcessingException,
    QgsProcessingFeatureSourceDefinition,
    QgsProject,
    QgsVectorLayer,
)

from tests import dirty_lots as dirt


@pytest.fixture(autouse=True)
def _processing(qgis_processing: Any) -> None:
    """Start Processing."""


def run(name: str, **parameters: Any) -> dict[str, Any]:
    import processing

    return dict(processing.run(f"stormwater:{name}", parameters))


def prepared(source: Any, folder: Path) -> gpd.GeoDataFrame:
    output = folder / "prepared parcels.gpkg"
    run("prepareparcels", PARCEL_LAYERS=[source], PARCELS=str(output))
    return gpd.read_file(output)


def check_clean(found: gpd.GeoDataFrame) -> None:
    clean = found[found["print_key"].isin(dirt.CLEAN)]
    assert clean["print_key"].tolist() == list(dirt.CLEAN)
    assert clean["acres_map"].tolist() == pytest.approx([1.0] * 3, rel=1e-3)


@pytest.mark.parametrize("kind", [*dirt.FILES, *dirt.QGIS_ONLY])
def test_files_with_dirt_are_prepared(kind: str, tmp_path: Path) -> None:
    make = {**dirt.FILES, **dirt.QGIS_ONLY}[kind]
    found = prepared(make(tmp_path), tmp_path)
    check_clean(found)


@pytest.mark.parametrize("kind", dirt.REFUSED)
def test_files_that_cannot_be_right_are_refused(kind: str, tmp_path: Path) -> None:
    make, message = dirt.REFUSED[kind]
    with pytest.raises(QgsProcessingException, match=message):
        prepared(make(tmp_path), tmp_path)
    assert not (tmp_path / "prepared parcels.gpkg").exists()


def test_all_dirt_together_is_prepared(tmp_path: Path) -> None:
    source = dirt.geopackage(dirt.everything(), tmp_path / "alles zusammen é.gpkg")
    check_clean(prepared(source, tmp_path))


def test_memory_layers_and_slow_sources_are_prepared(tmp_path: Path) -> None:
    path = dirt.geopackage(dirt.frame(), tmp_path / "lots.gpkg", geometry_type="Polygon")
    file = QgsVectorLayer(f"{path}|layername=lots", "lots", "ogr")
    memory = file.materialize(dirt_request())
    check_clean(prepared(memory, tmp_path))
    QgsProject.instance().addMapLayer(file)
    slow = QgsVectorLayer("?query=SELECT * FROM lots", "slow", "virtual")
    assert slow.isValid()
    check_clean(prepared(slow, tmp_path))
    QgsProject.instance().removeMapLayer(file)


def dirt_request() -> Any:
    from qgis.core import QgsFeatureRequest

    return QgsFeatureRequest()


def screened(source: Any, folder: Path, **more: Any) -> gpd.GeoDataFrame:
    output = folder / "screened.gpkg"
    run("screensites", SITES=source, ORDINANCE="lake_george", SCREENED=str(output), **more)
    return gpd.read_file(output)


@pytest.mark.parametrize("kind", dirt.ROWS)
def test_every_row_of_dirt_is_screened_and_costs_the_others_nothing(
    kind: str, tmp_path: Path
) -> None:
    extra = dirt.ROWS[kind]
    source = dirt.geopackage(dirt.frame(extra), tmp_path / "lots.gpkg")
    found = screened(source, tmp_path)
    assert found["row"].tolist() == list(range(1, 4 + len(extra)))
    assert found["disturb_sf"].tolist()[:3] == pytest.approx([43_560.0] * 3, rel=1e-3)


def test_a_selection_is_respected(tmp_path: Path) -> None:
    path = dirt.geopackage(dirt.frame(), tmp_path / "lots.gpkg", geometry_type="Polygon")
    layer = QgsVectorLayer(f"{path}|layername=lots", "lots", "ogr")
    layer.selectByExpression("\"PRINT_KEY\" = '1-2'")
    QgsProject.instance().addMapLayer(layer)
    found = screened(QgsProcessingFeatureSourceDefinition(layer.id(), True), tmp_path)
    assert found["PRINT_KEY"].tolist() == ["1-2"]
    QgsProject.instance().removeMapLayer(layer)


def around(folder: Path) -> dict[str, Any]:
    """Write raw layers around the lots, each in a CRS of its own."""
    lake = dirt.shape(600, 900, 900)
    tables = {
        "WATER_BODIES": ({"FTYPE": [390], "FCODE": [39004]}, lake, "EPSG:2260"),
        "WETLANDS": ({"ATTRIBUTE": ["PEM1E"]}, dirt.shape(-900, 300), "EPSG:5070"),
        "IMPAIRED": (
            {
                "assessmentunitidentifier": ["NY-1006-0016"],
                "assessmentunitname": ["Lake George"],
                "reportingcycle": [2024],
                "ircategory": ["5"],
                "sediment": ["Cause"],
            },
            lake,
            "EPSG:3857",
        ),
        "SOILS": ({"MUSYM": ["CvA"], "HSG": ["C"]}, dirt.shape(-2000, 9000, 9000), "EPSG:4326"),
    }
    found: dict[str, Any] = {}
    for name, (fields, shape, crs) in tables.items():
        path = folder / f"{name} roh.gpkg"
        frame = gpd.GeoDataFrame(fields, geometry=[shape], crs=dirt.CRS).to_crs(crs)
        pyogrio.write_dataframe(frame, path, driver="GPKG")
        found[name] = [str(path)] if name in ("WATER_BODIES", "IMPAIRED") else str(path)
    return found


def test_all_dirt_together_with_raw_layers_in_four_crs(tmp_path: Path) -> None:
    data = dirt.everything()
    found = screened(dirt.geopackage(data, tmp_path / "alles.gpkg"), tmp_path, **around(tmp_path))
    assert len(found) == len(data)
    # The third lot ends 300 ft west of the lake, which begins 600 ft from the corner.
    assert found["water_ft"].tolist()[2] == pytest.approx(300, abs=0.5)
    assert found["soil_grp"].tolist()[2].startswith("C")
    assert found["pollutant"].tolist()[2] == "sediment"


def executed(name: str, **parameters: Any) -> subprocess.CompletedProcess[str]:
    """Run the executable with JSON on standard input."""
    return subprocess.run(
        ["qgis_process", "run", f"stormwater:{name}", "-"],
        input=json.dumps({"inputs": parameters}),
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.mark.parametrize("kind", [*dirt.FILES, *dirt.QGIS_ONLY])
def test_files_with_dirt_are_prepared_by_the_executable(kind: str, tmp_path: Path) -> None:
    make = {**dirt.FILES, **dirt.QGIS_ONLY}[kind]
    output = tmp_path / "prepared parcels.gpkg"
    done = executed("prepareparcels", PARCEL_LAYERS=[make(tmp_path)], PARCELS=str(output))
    assert done.returncode == 0, done.stderr
    check_clean(gpd.read_file(output))


@pytest.mark.parametrize("kind", dirt.REFUSED)
def test_files_that_cannot_be_right_are_refused_by_the_executable(
    kind: str, tmp_path: Path
) -> None:
    make, message = dirt.REFUSED[kind]
    output = tmp_path / "prepared parcels.gpkg"
    done = executed("prepareparcels", PARCEL_LAYERS=[make(tmp_path)], PARCELS=str(output))
    assert done.returncode != 0
    assert message in done.stdout + done.stderr
    assert not output.exists()


def test_all_dirt_together_is_screened_by_the_executable(tmp_path: Path) -> None:
    data = dirt.everything()
    source = dirt.geopackage(data, tmp_path / "alles zusammen é.gpkg")
    output = tmp_path / "screened.gpkg"
    done = executed(
        "screensites",
        SITES=source,
        ORDINANCE="lake_george",
        SCREENED=str(output),
        **around(tmp_path),
    )
    assert done.returncode == 0, done.stderr
    found = gpd.read_file(output)
    assert len(found) == len(data)
    assert found["water_ft"].tolist()[2] == pytest.approx(300, abs=0.5)
    assert found["pollutant"].tolist()[2] == "sediment"
