"""The shipped sample town is small, complete, as described, and made again alike."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import fiona
import geopandas as gpd
import numpy as np
import pyproj
import pytest
import rasterio
import shapely

from tools.sample_town import land, lots

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "resources" / "sample"
FEET = pyproj.CRS.from_proj4("+proj=laea +lat_0=43.5 +lon_0=-73.5 +datum=NAD83 +units=ft +no_defs")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    subprocess.run(
        [sys.executable, str(ROOT / "tools" / "make_sample.py"), str(folder)], check=True
    )
    return folder


@pytest.fixture(scope="module")
def town() -> dict[str, gpd.GeoDataFrame]:
    names = fiona.listlayers(SAMPLE / "sample.gpkg")
    return {name: gpd.read_file(SAMPLE / "sample.gpkg", layer=name).to_crs(FEET) for name in names}


def test_the_sample_stays_under_two_megabytes() -> None:
    files = [path for path in SAMPLE.rglob("*") if path.is_file()]
    names = {"sample.gpkg", "dem.tif", "expected.csv", "expected_findings.csv", "parameters.json"}
    assert names <= {path.name for path in files}
    assert sum(path.stat().st_size for path in files) < 2_000_000


def test_the_maker_gives_the_shipped_layers_again(made: Path) -> None:
    names = fiona.listlayers(SAMPLE / "sample.gpkg")
    assert fiona.listlayers(made / "sample.gpkg") == names == ["lots", *land.LAYERS]
    for name in names:
        shipped = gpd.read_file(SAMPLE / "sample.gpkg", layer=name)
        again = gpd.read_file(made / "sample.gpkg", layer=name)
        assert shipped.crs == again.crs
        assert shipped.drop(columns="geometry").equals(again.drop(columns="geometry")), name
        same = shapely.equals_exact(
            np.asarray(shipped.geometry), np.asarray(again.geometry), tolerance=1e-4
        )
        missing = shipped.geometry.isna() & again.geometry.isna()
        assert (same | missing.to_numpy()).all(), name


def test_the_maker_gives_the_shipped_ground_again(made: Path) -> None:
    with rasterio.open(SAMPLE / "dem.tif") as shipped, rasterio.open(made / "dem.tif") as again:
        assert shipped.profile == again.profile
        assert shipped.units == again.units == ("metre",)
        np.testing.assert_allclose(shipped.read(1), again.read(1), atol=1e-4)


@pytest.mark.parametrize("name", ["expected.csv", "expected_findings.csv"])
def test_the_maker_gives_the_shipped_answers_again(made: Path, name: str) -> None:
    assert (made / name).read_bytes() == (SAMPLE / name).read_bytes()


def test_every_lot_says_what_it_shows() -> None:
    shipped = gpd.read_file(SAMPLE / "sample.gpkg", layer="lots")
    assert len(shipped) == len(lots.ALL_LOTS)
    assert shipped["note"].str.len().between(40, 254).all()
    assert shipped["note"].is_unique


def test_every_lot_has_an_answer_under_every_law() -> None:
    with (SAMPLE / "expected.csv").open(encoding="utf-8", newline="") as file:
        answers = list(csv.DictReader(file))
    asked = [(int(answer["row"]), answer["law"]) for answer in answers]
    assert asked == [(row, law) for row in range(1, len(lots.ALL_LOTS) + 1) for law in lots.LAWS]
    assert all(answer["class"] for answer in answers)


@pytest.mark.parametrize(
    ("law", "words"),
    [
        ("lake_george", {"exempt", "minor", "major", "review", "unknown"}),
        ("wilton", {"not_applicable", "swppp", "eligible_for_exemption", "unknown"}),
        ("shelter_island", {"not_applicable", "swppp", "exempt", "review", "unknown"}),
        ("wayne_county", {"exempt", "plan_required", "review", "unknown"}),
    ],
)
def test_every_class_of_a_law_is_met(law: str, words: set[str]) -> None:
    assert {row["class"] for row in lots.expected_rows() if row["law"] == law} == words


@pytest.mark.parametrize("column", ["vs_5000", "vs_15000", "vs_1acre", "vs_2acre", "vs_5acre"])
def test_every_area_limit_is_met_at_the_limit(column: str) -> None:
    assert "at" in {row[column] for row in lots.expected_rows()}


@pytest.mark.parametrize(
    "column", ["cond_a", "slope_15", "in_35ft", "in_50ft", "in_100ft", "in_500ft"]
)
def test_every_yes_no_measure_is_met_with_yes_and_no(column: str) -> None:
    assert {"yes", "no", "unknown"} <= {row[column] for row in lots.expected_rows()}


def test_the_lots_lie_near_the_village_of_lake_george() -> None:
    shipped = gpd.read_file(SAMPLE / "sample.gpkg", layer="lots")
    assert shipped.crs.to_epsg() == 26918
    west, south, east, north = shipped.to_crs(4269).total_bounds
    assert -73.78 < west < east < -73.70
    assert 43.41 < south < north < 43.44


@pytest.mark.parametrize(
    ("lot", "layer", "distance_ft"),
    [
        ("L33", "water_bodies", 35.0),
        ("L34", "water_bodies", 35.5),
        ("L35", "water_bodies", 50.0),
        ("L36", "water_bodies", 50.5),
        ("L37", "water_bodies", 100.0),
        ("L38", "water_bodies", 100.5),
        ("L39", "water_bodies", 0.0),
        ("L50", "water_bodies", 0.0),
        ("L27", "watercourses", 500.0),
        ("L28", "watercourses", 500.5),
        ("L46", "wetlands", 100.0),
        ("L44", "critical_environmental_areas", 100.0),
        ("L43", "critical_environmental_areas", 100.5),
        ("L45", "historic_places", 0.0),
    ],
)
def test_a_lot_lies_as_far_as_its_note_says(
    town: dict[str, gpd.GeoDataFrame], lot: str, layer: str, distance_ft: float
) -> None:
    sites = town["lots"]
    place = sites.geometry[sites["lot"] == lot].iloc[0]
    assert town[layer].distance(place).min() == pytest.approx(distance_ft, abs=0.02)


@pytest.mark.parametrize(
    ("lot", "layer", "distance_ft"),
    [
        ("L02", "wells", 34.5),
        ("L03", "wells", 35.0),
        ("L26", "wells", 50.0),
        ("L27", "wells", 49.5),
        ("L05", "leach_fields", 20.0),
        ("L40", "leach_fields", 20.5),
        ("L06", "leach_fields", 99.5),
        ("L07", "leach_fields", 100.0),
    ],
)
def test_a_device_stands_as_far_as_its_note_says(
    town: dict[str, gpd.GeoDataFrame], lot: str, layer: str, distance_ft: float
) -> None:
    devices = town["infiltration_devices"].set_index("lot").geometry
    assert town[layer].distance(devices[lot]).min() == pytest.approx(distance_ft, abs=0.02)


def test_drawn_limits_of_disturbance_have_the_areas_of_the_notes(
    town: dict[str, gpd.GeoDataFrame],
) -> None:
    limits = town["limits_of_disturbance"].dissolve("lot").area
    assert limits["L18"] == pytest.approx(0.9 * 43_560, rel=1e-5)
    assert limits["L19"] == pytest.approx(43_560, rel=1e-5)


def test_every_lot_is_large_enough_for_its_disturbed_area(
    town: dict[str, gpd.GeoDataFrame],
) -> None:
    sites = town["lots"][town["lots"].geometry.notna()]
    whole = sites[sites.is_valid & sites["dist_sqft"].notna()]
    assert (whole.area >= whole["dist_sqft"]).all()


@pytest.mark.parametrize(
    ("lot", "percent"),
    [("L05", 14.9), ("L03", 15.0), ("L02", 15.1), ("L01", 25.0), ("L40", 3 + 1 / 0.3048)],
)
def test_the_ground_falls_as_steeply_as_the_note_says(lot: str, percent: float) -> None:
    places = {row["lot"]: row["geometry"] for row in land.building_centres()}
    angle = np.radians(np.arange(0.0, 360.0, 1.0))
    x, y = places[lot].x, places[lot].y
    centre = land.ground_ft(np.array([x]), np.array([y]))[0]
    around = land.ground_ft(x + 100 * np.sin(angle), y + 100 * np.cos(angle))
    assert np.abs(around - centre).max() == pytest.approx(percent, abs=0.001)


def test_dirt_is_there() -> None:
    shipped = gpd.read_file(SAMPLE / "sample.gpkg", layer="lots")
    assert shipped.geometry.isna().sum() == 1
    assert (~shipped.geometry[shipped.geometry.notna()].is_valid).sum() == 1
    assert shipped["lot"].isna().sum() == 1
    assert shipped["lot"].duplicated().sum() == 1


def test_every_layer_and_field_of_the_stored_parameters_exists() -> None:
    inputs = json.loads((SAMPLE / "parameters.json").read_text())["inputs"]
    texts = [
        text
        for value in inputs.values()
        for text in (value if isinstance(value, list) else [value])
        if isinstance(text, str)
    ]
    names = [text.split("layername=")[1] for text in texts if "layername=" in text]
    assert sorted(names) == sorted(["lots", *land.LAYERS])
    fields = {
        field
        for name in names
        for field in gpd.read_file(SAMPLE / "sample.gpkg", layer=name, rows=1).columns
    }
    asked = {value for key, value in inputs.items() if key.endswith("_FIELD")}
    assert asked <= fields
