"""Traps of Processing, for every algorithm of the toolbox."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import fiona
import geopandas as gpd
import numpy as np
import pytest
import shapely
from shapely.geometry import Polygon, box

from tests.toolbox import ROOT, SAMPLE, rows, run, sample_parameters

OF_SITES = (
    "screensites", "classifysites", "compareordinances", "disturbancethresholds",
    "slopeover100ft", "infiltrationsetbacks", "waterbodybuffer", "impairedwaters",
    "soilindicators", "receivingwaters",
)  # fmt: skip
ALL = (*OF_SITES, "slopeover100ftraster", "checkinputs")
MAIN = {"screensites": "SCREENED", "checkinputs": "CHECKS"}

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def given_for(name: str, **more: Any) -> dict[str, Any]:
    given = {**sample_parameters(), "ORDINANCE": "lake_george", **more}
    return {**given, "ORDINANCE_2": "wilton"} if name == "compareordinances" else given


def main_output(name: str) -> str:
    return MAIN.get(name, "OUTPUT")


def refused(name: str, given: dict[str, Any]) -> str:
    import processing
    from qgis.core import QgsApplication, QgsProcessingException

    algorithm = QgsApplication.processingRegistry().algorithmById(f"stormwater:{name}")
    known = {definition.name() for definition in algorithm.parameterDefinitions()}
    with pytest.raises(QgsProcessingException) as error:
        processing.run(
            f"stormwater:{name}",
            {key: value for key, value in given.items() if key in known or key == "MISTYPED"},
        )
    return str(error.value)


@pytest.fixture
def dirty(tmp_path: Path) -> str:
    """Sites as they really come: a bow-tie, no geometry, an empty one, twins, height."""
    x, y = 604_000.0, 4_808_000.0
    good = box(x, y, x + 50, y + 50)
    bow = Polygon([(x, y), (x + 50, y + 50), (x + 50, y), (x, y + 50), (x, y)])
    shapes = [good, bow, None, Polygon(), good, shapely.force_3d(good, 100.0), good]
    frame = gpd.GeoDataFrame(
        {"PIN": ["a", "b", "c", None, "a", "f", "g"], "class": ["own"] * 7, "perc": ["mine"] * 7},
        geometry=shapes,
        crs="EPSG:26918",
    )
    path = tmp_path / "dirty.gpkg"
    frame.to_file(path, engine="pyogrio")
    return str(path)


@pytest.mark.parametrize("name", OF_SITES)
def test_as_many_sites_come_out_as_went_in_in_order_with_their_own_columns(
    qgis_processing: object, dirty: str, name: str
) -> None:
    given = given_for(name, SITES=dirty, SITE_ID="PIN")
    given = {
        key: value
        for key, value in given.items()
        if not key.endswith("_FIELD") or key.startswith(("SOIL", "IMPAIRED", "TMDL"))
    }
    output = main_output(name)
    done = run(name, given, **{output: "TEMPORARY_OUTPUT"})
    found = rows(done[output])
    assert done["SITE_COUNT"] == 7
    assert [row["PIN"] for row in found] == ["a", "b", "c", None, "a", "f", "g"]
    kept = {row.get("src_class", row["class"]) for row in found}
    assert kept == {"own"}
    assert {row.get("src_perc", row["perc"]) for row in found} == {"mine"}


@pytest.mark.parametrize("name", OF_SITES)
def test_no_sites_give_an_empty_layer(qgis_processing: object, tmp_path: Path, name: str) -> None:
    path = tmp_path / "none.gpkg"
    with fiona.open(SAMPLE / "sample.gpkg", layer="lots") as lots:
        schema, crs = lots.schema, lots.crs
    with fiona.open(path, "w", driver="GPKG", schema=schema, crs=crs):
        pass
    output = main_output(name)
    done = run(name, given_for(name, SITES=str(path)), **{output: "TEMPORARY_OUTPUT"})
    assert done["SITE_COUNT"] == done[output].featureCount() == 0


@pytest.mark.parametrize("name", ALL)
def test_a_mistyped_parameter_is_refused(qgis_processing: object, name: str) -> None:
    given = given_for(name, MISTYPED=1, **{main_output(name): "TEMPORARY_OUTPUT"})
    assert "MISTYPED: no parameter" in refused(name, given)


@pytest.mark.parametrize("name", ALL)
def test_an_output_that_is_an_input_is_refused_and_the_input_stays(
    qgis_processing: object, tmp_path: Path, name: str
) -> None:
    raster = name == "slopeover100ftraster"
    source = SAMPLE / ("dem.tif" if raster else "sample.gpkg")
    copy = tmp_path / source.name
    copy.write_bytes(source.read_bytes())
    given = given_for(name, **{main_output(name): str(copy)})
    given["DEM" if raster else "SITES"] = str(copy) + ("" if raster else "|layername=lots")
    message = refused(name, given)
    assert "also input" in message or "would be lost" in message
    if name == "checkinputs":
        given = {**given, "CHECKS": "TEMPORARY_OUTPUT", "REPORT": str(copy)}
        assert "REPORT: " in refused(name, given)
    assert copy.read_bytes() == source.read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {source.name}


REFUSED_SITES = {
    "no coordinate system": "no coordinate reference system",
    "lines": "a line layer",
    "several layers and none named": "none named",
}


@pytest.mark.parametrize("case", REFUSED_SITES)
@pytest.mark.parametrize("name", OF_SITES)
def test_sites_that_cannot_be_meant_are_refused_by_name_and_a_good_output_stays(
    qgis_processing: object, tmp_path: Path, name: str, case: str
) -> None:
    frame = gpd.GeoDataFrame({"PIN": ["a"]}, geometry=[box(0, 0, 1, 1)], crs="EPSG:26918")
    path = tmp_path / "sites.gpkg"
    if case == "no coordinate system":
        frame = frame.set_crs(None, allow_override=True)
    if case == "lines":
        frame["geometry"] = frame.boundary
    frame.to_file(path, layer="one", engine="fiona")
    if case == "several layers and none named":
        frame.to_file(path, layer="two", engine="fiona")
    out = tmp_path / "out.gpkg"
    out.write_bytes(b"good")
    needed = {key: sample_parameters()[key] for key in ("DEM", "WATERCOURSES")}
    given = {
        **needed,
        "SITES": str(path),
        "ORDINANCE": "wilton",
        "ORDINANCE_2": "lake_george",
        main_output(name): str(out),
    }
    message = refused(name, given)
    assert "SITES" in message
    assert REFUSED_SITES[case] in message
    assert out.read_bytes() == b"good"
    assert {path.name for path in tmp_path.iterdir()} == {"sites.gpkg", "out.gpkg"}


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A thousand and more lots over the sample town, and a large DEM."""
    folder = tmp_path_factory.mktemp("large")
    with fiona.open(SAMPLE / "sample.gpkg", layer="lots") as lots:
        west, south, east, north = lots.bounds
    column, row = np.meshgrid(np.arange(50), np.arange(40))
    x = west + (east - west) * column.ravel() / 50
    y = south + (north - south) * row.ravel() / 40
    frame = gpd.GeoDataFrame(
        {"lot": [f"lot {number}" for number in range(len(x))]},
        geometry=shapely.box(x, y, x + 30, y + 30),
        crs="EPSG:26918",
    )
    frame.to_file(folder / "lots.gpkg", engine="pyogrio")
    import rasterio

    with rasterio.open(SAMPLE / "dem.tif") as dem:
        profile, values = dem.profile, dem.read(1)
    times = 4
    profile.update(
        width=values.shape[1] * times,
        height=values.shape[0] * times,
        transform=profile["transform"] * profile["transform"].scale(1 / times),
    )
    with rasterio.open(folder / "dem.tif", "w", **profile) as out:
        out.write(np.repeat(np.repeat(values, times, 0), times, 1), 1)
        out.units = ("metre",)
    return folder


@pytest.mark.parametrize("share", [1, 30, 60])
@pytest.mark.parametrize("name", ALL)
def test_a_cancelled_run_stops_within_two_seconds_and_leaves_nothing(
    qgis_processing: Any, large: Path, tmp_path: Path, name: str, share: int
) -> None:
    from qgis.core import (
        QgsProcessingContext,
        QgsProcessingException,
        QgsProcessingFeedback,
        QgsProject,
    )

    algorithm = qgis_processing.createAlgorithmById(f"stormwater:{name}")
    raster = name == "slopeover100ftraster"
    given = given_for(name, SITES=str(large / "lots.gpkg"))
    if raster:
        given["DEM"] = str(large / "dem.tif")
    known = {definition.name() for definition in algorithm.parameterDefinitions()}
    chosen = {
        key: value
        for key, value in given.items()
        if key in known and not (key.endswith("_FIELD") and key not in SOIL_AND_LISTS)
    }
    out = tmp_path / ("out.tif" if raster else "out.gpkg")
    chosen[main_output(name)] = str(out)
    context, feedback = QgsProcessingContext(), QgsProcessingFeedback()
    context.setProject(QgsProject.instance())
    cancelled: list[float] = []

    def cancel(progress: float) -> None:
        if progress >= share and not cancelled:
            cancelled.append(time.monotonic())
            feedback.cancel()

    feedback.progressChanged.connect(cancel)
    with pytest.raises(QgsProcessingException, match=r"Cancelled|cancelled"):
        algorithm.run(chosen, context, feedback, {}, False)
    assert time.monotonic() - cancelled[0] < 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("share", [87, 92, 94, 100])
def test_a_run_cancelled_while_it_judges_and_writes_leaves_nothing(
    qgis_processing: Any, large: Path, tmp_path: Path, share: int
) -> None:
    from qgis.core import QgsProcessingContext, QgsProcessingException, QgsProcessingFeedback

    algorithm = qgis_processing.createAlgorithmById("stormwater:screensites")
    outputs = {name: f"{name.lower()}.gpkg" for name in ("SCREENED", "FINDINGS", "ZONES")}
    outputs["SUMMARY"] = "summary.html"
    given = given_for("screensites", SITES=str(large / "lots.gpkg"))
    given = {
        name: value
        for name, value in given.items()
        if algorithm.parameterDefinition(name) is not None
        and (not name.endswith("_FIELD") or name in SOIL_AND_LISTS)
    }
    given |= {name: str(tmp_path / file) for name, file in outputs.items()}
    feedback = QgsProcessingFeedback()
    feedback.progressChanged.connect(lambda done: feedback.cancel() if done >= share else None)
    with pytest.raises(QgsProcessingException, match="Nothing was written"):
        algorithm.run(given, QgsProcessingContext(), feedback, {}, False)
    assert list(tmp_path.iterdir()) == []


SOIL_AND_LISTS = frozenset(
    name for name in sample_parameters() if name.startswith(("SOIL_", "IMPAIRED_", "TMDL_"))
)


def test_checks_end_as_failed_only_where_asked_and_are_written_all_the_same(
    qgis_processing: object, tmp_path: Path
) -> None:
    given = {**given_for("checkinputs"), "REPORT": str(tmp_path / "page.html")}
    table = str(tmp_path / "checks.csv")
    run("checkinputs", given, FAIL_ON="errors", CHECKS=table)
    assert "FAIL_ON unknowns" in refused(
        "checkinputs", {**given, "FAIL_ON": "unknowns", "CHECKS": table}
    )
    assert (tmp_path / "checks.csv").stat().st_size > 1000
    wrong = {**given, "DISTURBED_FIELD": "no such field", "CHECKS": table}
    assert "FAIL_ON errors: 1 problem" in refused("checkinputs", {**wrong, "FAIL_ON": "errors"})
    assert "no field no such field" in (tmp_path / "checks.csv").read_text("utf-8")
    assert "no field no such field" in (tmp_path / "page.html").read_text("utf-8")


def test_a_check_names_every_faulty_layer_at_once(qgis_processing: object, tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere.gpkg"
    frame = gpd.GeoDataFrame({"PIN": ["a"]}, geometry=[box(0, 0, 1, 1)])
    frame.to_file(nowhere, engine="fiona")
    given = {
        "SITES": sample_parameters()["SITES"],
        "ORDINANCE": "wilton",
        "AS_OF": "1900-01-01",
        "WETLANDS": str(nowhere),
        "SOILS": f"{SAMPLE / 'sample.gpkg'}",
        "DEM": str(ROOT / "resources" / "sample" / "dem.tif"),
    }
    done = run("checkinputs", given, CHECKS="TEMPORARY_OUTPUT")
    errors = {row["input"]: row["found"] for row in rows(done["CHECKS"]) if row["level"] == "error"}
    assert set(errors) == {"WETLANDS", "SOILS", "ORDINANCE"}
    assert "no coordinate reference system" in errors["WETLANDS"]
    assert done["ERROR_COUNT"] == 3
