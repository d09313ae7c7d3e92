"""Of a large layer only what lies near the sites is read, and its coverage stays that of all."""

from __future__ import annotations

from typing import Any

import geopandas as gpd
import numpy as np
import pyogrio
import pytest
import shapely
from qgis.core import QgsVectorLayer

from stormwater_screen.layers import read_layer
from stormwater_screen.prepare.vicinity import vicinity_of

STEP = 1_000.0
ACROSS = 100


@pytest.fixture(scope="module", params=["gpkg", "shp"])
def wetlands(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Ten thousand squares, one every kilometre."""
    number = np.arange(ACROSS**2)
    x, y = 500_000 + number % ACROSS * STEP, 4_750_000 + number // ACROSS * STEP
    frame = gpd.GeoDataFrame(
        {"ATTRIBUTE": "PEM1E"}, index=number, geometry=shapely.box(x, y, x + 30, y + 30), crs=26918
    )
    path = tmp_path_factory.mktemp("large") / f"wetlands.{request.param}"
    pyogrio.write_dataframe(frame, path)
    return str(path)


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Two lots far from one another."""
    lots = [shapely.box(x, x + 4_250_000, x + 50, x + 4_250_050) for x in (520_100, 580_100)]
    path = tmp_path_factory.mktemp("sites") / "sites.gpkg"
    pyogrio.write_dataframe(gpd.GeoDataFrame({"A": [1, 2]}, geometry=lots, crs=26918), path)
    return str(path)


def test_the_core_reads_only_what_lies_near(wetlands: str, sites: str) -> None:
    near = vicinity_of(gpd.read_file(sites))
    assert near is not None
    found = read_layer(wetlands, role="WETLANDS", geometry="polygon", mask=near.within)
    whole = read_layer(wetlands, role="WETLANDS", geometry="polygon")
    lots = gpd.read_file(sites).geometry
    close = whole.frame.geometry.apply(lambda shape: lots.distance(shape).min() < 2 * 1_609)
    assert len(found.frame) < 400
    assert close.sum() <= len(found.frame)
    assert set(whole.frame.geometry[close]) <= set(found.frame.geometry)
    assert found.extent == whole.extent
    assert found.feature_count == 10_000


def test_a_preparation_near_sites_reads_only_what_lies_near(
    qgis_processing: Any, wetlands: str, sites: str
) -> None:
    import processing

    given = {"WETLAND_LAYERS": [wetlands], "NEAR": sites, "WETLANDS": "TEMPORARY_OUTPUT"}
    result = processing.run("stormwater:preparewetlands", given)
    assert 0 < result["WETLANDS_COUNT"] < 400


def test_a_screening_asks_the_source_for_what_lies_near_and_finds_the_same(
    qgis_processing: Any, wetlands: str, sites: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import processing

    asked: list[bool] = []
    original = QgsVectorLayer.getFeatures

    def counting(layer: QgsVectorLayer, request: Any) -> Any:
        asked.append(not request.filterRect().isEmpty())
        return original(layer, request)

    monkeypatch.setattr(QgsVectorLayer, "getFeatures", counting)
    given = {"SITES": sites, "WATERCOURSES": [wetlands], "SCREENED": "TEMPORARY_OUTPUT"}
    result = processing.run("stormwater:screensites", given)
    monkeypatch.undo()
    assert asked == [True, True]
    water = [feature["water_ft"] for feature in result["SCREENED"].getFeatures()]
    assert water == pytest.approx([70 * np.sqrt(2) / 0.3048] * 2, rel=1e-3)


def test_features_near_the_sites_are_named_in_the_order_of_their_file(
    qgis_processing: Any, sites: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    import processing

    spots = np.random.default_rng(3).permutation(400)
    x = np.where(spots % 2, 520_100.0, 580_100.0) + spots / 20
    listed = gpd.GeoDataFrame(
        {"name": [f"W{number}" for number in range(400)]},
        geometry=shapely.box(x, x + 4_250_000 - spots / 20, x + 20, x + 4_250_020),
        crs=26918,
    )
    path = tmp_path_factory.mktemp("listed") / "listed.gpkg"
    pyogrio.write_dataframe(listed, path)

    given = {"SITES": sites, "IMPAIRED": [str(path)], "SCREENED": "TEMPORARY_OUTPUT"}
    result = processing.run("stormwater:screensites", given)

    for feature, odd in zip(result["SCREENED"].getFeatures(), (True, False), strict=True):
        told = feature["impaired"].rstrip(";.…").split("; ")[:20]
        here = [f"W{number}" for number in np.flatnonzero((spots % 2 == 1) == odd)]
        assert told == here[:20]
