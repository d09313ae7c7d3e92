"""Features of QGIS as columns of values."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import geopandas as gpd
import pytest
from shapely.geometry import box
from stormwater_screening.processing_provider.feature_rows import FeatureRows
from stormwater_screening.stormwater_screen.errors import CancelledError


@pytest.fixture
def layer(qgis_processing: object) -> Any:
    """Three rows of every kind of value, the last without any."""
    from qgis.core import NULL, QgsFeature, QgsField, QgsGeometry, QgsVectorLayer
    from qgis.PyQt.QtCore import QDate, QDateTime, QMetaType, QTime

    kinds = {
        "name": (QMetaType.Type.QString, "an owner"),
        "count": (QMetaType.Type.LongLong, 2**40),
        "size": (QMetaType.Type.Double, 2.5),
        "sold": (QMetaType.Type.Bool, True),
        "day": (QMetaType.Type.QDate, QDate(2024, 2, 29)),
        "at": (QMetaType.Type.QDateTime, QDateTime(QDate(2024, 2, 29), QTime(13, 0))),
    }
    made = QgsVectorLayer("Polygon?crs=EPSG:26918", "lots", "memory")
    made.dataProvider().addAttributes([QgsField(name, kind) for name, (kind, _) in kinds.items()])
    made.updateFields()
    full = [value for _, value in kinds.values()]
    for values, wkt in (
        (full, "POLYGON((0 0,1 0,1 1,0 0))"),
        (full, "CURVEPOLYGON(CIRCULARSTRING(0 0,1 1,2 0,1 -1,0 0))"),
        ([NULL] * len(full), ""),
    ):
        feature = QgsFeature(made.fields())
        feature.setAttributes(values)
        if wkt:
            feature.setGeometry(QgsGeometry.fromWkt(wkt))
        added, _ = made.dataProvider().addFeatures([feature])
        assert added
    return made


def test_values_stay_as_qgis_gave_them_and_null_is_none(layer: Any) -> None:
    from qgis.PyQt.QtCore import QDate

    rows = FeatureRows.of(layer.fields(), layer.getFeatures())

    assert len(rows) == 3
    assert rows.values[:4] == [
        ["an owner", "an owner", None],
        [2**40, 2**40, None],
        [2.5, 2.5, None],
        [True, True, None],
    ]
    assert rows.values[4] == [QDate(2024, 2, 29)] * 2 + [None]
    assert rows.wkb[2] is None


def test_a_text_that_stands_in_many_rows_is_held_once(layer: Any) -> None:
    first, second, _ = FeatureRows.of(layer.fields(), layer.getFeatures()).values[0]

    assert first is second


def test_the_frame_holds_values_of_python(layer: Any) -> None:
    frame = FeatureRows.of(layer.fields(), layer.getFeatures()).frame()

    assert list(frame["day"]) == [datetime.date(2024, 2, 29)] * 2 + [None]
    assert frame["at"][0] == datetime.datetime(2024, 2, 29, 13)
    assert frame["count"][0] == 2**40
    assert frame["size"].isna().tolist() == [False, False, True]
    assert list(frame["name"]) == ["an owner", "an owner", None]


def test_a_layer_without_rows_has_its_columns(layer: Any) -> None:
    frame = FeatureRows.of(layer.fields(), []).frame()

    assert list(frame) == ["name", "count", "size", "sold", "day", "at"]
    assert len(frame) == 0


def test_what_is_cancelled_while_it_reads_leaves_the_file_open_for_others(
    qgis_processing: object, tmp_path: Path
) -> None:
    from qgis.core import QgsProcessingContext, QgsProject
    from stormwater_screening.processing_provider.adapter import InputReader
    from stormwater_screening.processing_provider.screensites import ScreenSites

    path = tmp_path / "lots.gpkg"
    lots = [box(600_000 + x, 4_800_000, 600_009 + x, 4_800_009) for x in range(0, 20_000, 10)]
    gpd.GeoDataFrame({"A": range(2_000)}, geometry=lots, crs=26918).to_file(path)
    algorithm, context = ScreenSites(), QgsProcessingContext()
    algorithm.initAlgorithm({})
    context.setProject(QgsProject.instance())
    looks: list[int] = []

    def stop() -> None:
        looks.append(1)
        if len(looks) % 2 == 0:
            raise CancelledError("stopped")

    stopped = []
    # QGIS opens a file four times at most and waits for ever for a fifth.
    for _ in range(6):
        with pytest.raises(CancelledError) as caught:
            InputReader(algorithm, {"SITES": str(path)}, context, stop).sites()
        stopped.append(caught)
    rows = InputReader(algorithm, {"SITES": str(path)}, context, lambda: None).sites()

    assert len(rows.layer.frame) == 2_000
    assert len(stopped) == 6
