from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import shapely
from stormwater_screening.processing_provider.destinations import WriteError
from stormwater_screening.processing_provider.feature_tables import (
    column_chunks,
    column_fields,
    column_rows,
    features,
)
from stormwater_screening.processing_provider.geopackage import Chunk, fill, multi
from stormwater_screening.processing_provider.sinks import Outputs
from stormwater_screening.stormwater_screen.columns import Column

COLUMNS = (
    Column("row", "integer", ""),
    Column("class", "text", "", 24),
    Column("slope_pct", "number", ""),
)
SHAPES = np.array(
    [
        shapely.box(0, 0, 3, 1),
        None,
        shapely.MultiPolygon([shapely.box(9, 9, 11, 12), shapely.box(20, 20, 21, 21)]),
        shapely.box(0, 0, 9, 9).difference(shapely.box(1, 1, 2, 2)),
        shapely.Polygon(),
    ],
    dtype=object,
)
TABLE = pd.DataFrame(
    {
        "row": range(1, 6),
        "class": ["major", None, "", "naïve 'quoted' \"x\"", "m"],
        "slope_pct": [15.0, np.nan, np.inf, -1e-300, 0.1],
    }
)


def _outputs(path: Path) -> Outputs:
    from qgis.core import QgsProcessingContext, QgsProcessingFeedback
    from stormwater_screening.processing_provider.screensites import ScreenSites

    algorithm = ScreenSites()
    algorithm.initAlgorithm({})
    context = QgsProcessingContext()
    context.setFeedback(QgsProcessingFeedback(False))
    _outputs.kept = [algorithm, context]  # type: ignore[attr-defined]
    return Outputs(algorithm, {"SCREENED": str(path)}, context, ["SCREENED"], lambda: None)


def _write(path: Path, *, in_bulk: bool, table: pd.DataFrame = TABLE, shapes: Any = SHAPES) -> Path:
    from qgis.core import Qgis, QgsCoordinateReferenceSystem

    fields, crs = column_fields(COLUMNS), QgsCoordinateReferenceSystem("EPSG:26918")
    kind = Qgis.WkbType.NoGeometry if shapes is None else Qgis.WkbType.MultiPolygon
    with _outputs(path) as outputs:
        if in_bulk:
            chunks = column_chunks(COLUMNS, table, shapes)
            outputs.write_chunks("SCREENED", fields, chunks, crs, kind)
        else:
            rows = features(fields, column_rows(COLUMNS, table), shapes)
            outputs.write_layer("SCREENED", fields, rows, crs, kind)
        outputs.commit()
    return path


def _content(path: Path) -> dict[str, Any]:
    with closing(sqlite3.connect(path)) as database:
        schema = sorted(map(str, database.execute("SELECT type, name, sql FROM sqlite_master")))
        own = (
            "out",
            "gpkg_ogr_contents",
            "gpkg_geometry_columns",
            "gpkg_extensions",
            "rtree_out_geom",
            "sqlite_sequence",
        )
        there = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
        rows = {
            name: database.execute(f"SELECT * FROM {name}").fetchall()
            for name in own
            if name in there
        }
        rows["gpkg_contents"] = database.execute(
            "SELECT table_name, data_type, min_x, min_y, max_x, max_y, srs_id FROM gpkg_contents"
        ).fetchall()
    return {"schema": schema, **rows}


@pytest.mark.parametrize("shapes", [SHAPES, None], ids=["polygons", "table"])
def test_rows_in_bulk_make_the_same_file_as_a_sink_of_qgis(
    qgis_processing: object, tmp_path: Path, shapes: Any
) -> None:
    (tmp_path / "bulk").mkdir()
    (tmp_path / "sink").mkdir()

    bulk = _content(_write(tmp_path / "bulk" / "out.gpkg", in_bulk=True, shapes=shapes))
    sink = _content(_write(tmp_path / "sink" / "out.gpkg", in_bulk=False, shapes=shapes))

    assert bulk["out"] == sink["out"]
    assert bulk == sink


def test_a_file_without_rows_is_the_same_too(qgis_processing: object, tmp_path: Path) -> None:
    (tmp_path / "bulk").mkdir()
    (tmp_path / "sink").mkdir()
    empty = TABLE.iloc[:0]

    bulk = _write(tmp_path / "bulk" / "out.gpkg", in_bulk=True, table=empty, shapes=SHAPES[:0])
    sink = _write(tmp_path / "sink" / "out.gpkg", in_bulk=False, table=empty, shapes=SHAPES[:0])

    assert _content(bulk) == _content(sink)


def test_qgis_reads_and_finds_what_was_written_in_bulk(
    qgis_processing: object, tmp_path: Path
) -> None:
    from qgis.core import QgsRectangle, QgsVectorLayer

    path = _write(tmp_path / "out.gpkg", in_bulk=True)
    layer = QgsVectorLayer(str(path), "out", "ogr")

    assert layer.featureCount() == 5
    found = [feature["row"] for feature in layer.getFeatures(QgsRectangle(10, 10, 10.5, 10.5))]
    assert found == [3]
    assert layer.extent().yMaximum() == 21


def test_a_table_that_cannot_take_the_rows_is_an_error(
    qgis_processing: object, tmp_path: Path
) -> None:
    path = _write(tmp_path / "out.gpkg", in_bulk=True, table=TABLE.iloc[:0], shapes=SHAPES[:0])

    with pytest.raises(WriteError, match="no column named speed"):
        fill(path, ["row", "speed"], [Chunk([[1], [2]], SHAPES[:1])], lambda: None)


def test_single_parts_become_multi_parts() -> None:
    given = np.array([shapely.Point(1, 2), shapely.LineString([(0, 0), (1, 1)]), None], object)

    assert [None if g is None else g.geom_type for g in multi(given)] == [
        "MultiPoint",
        "MultiLineString",
        None,
    ]
