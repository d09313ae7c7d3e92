"""Outputs: names of columns, rows, places, and what stays when writing fails."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import shapely
from stormwater_screening.processing_provider import destinations
from stormwater_screening.processing_provider.destinations import (
    Destination,
    Staging,
    WriteError,
    destination,
    refuse_collisions,
)
from stormwater_screening.processing_provider.feature_tables import (
    column_fields,
    column_rows,
    features,
    joined_fields,
    usable_fid,
)
from stormwater_screening.processing_provider.sinks import Outputs
from stormwater_screening.stormwater_screen.columns import SCREENED_COLUMNS, Column
from stormwater_screening.stormwater_screen.errors import InputError

OURS = [column.name for column in SCREENED_COLUMNS]
COLUMNS = (
    Column("row", "integer", "row"),
    Column("class", "text", "class", 24),
    Column("slope_pct", "number", "slope, percent"),
)


@pytest.mark.parametrize(
    ("values", "usable"),
    [([1, 2, 5], True), ([], True), ([1, 1], False), ([2, 1], False), ([0, 1], False),
     ([1, None], False), (["1", "2"], False)],
)  # fmt: skip
def test_an_own_fid_is_usable_only_where_it_counts_up(values: list[Any], usable: bool) -> None:
    assert usable_fid(values) is usable


def test_missing_values_become_null(qgis_app: object) -> None:
    from qgis.core import NULL

    table = pd.DataFrame({"row": [1, None], "class": ["major", None], "slope_pct": [15.0, np.nan]})

    assert column_rows(COLUMNS, table) == [[1, "major", 15.0], [NULL, NULL, NULL]]


def test_an_infinite_number_is_not_written(qgis_app: object) -> None:
    from qgis.core import NULL

    table = pd.DataFrame({"row": [1], "class": ["x"], "slope_pct": [np.inf]})

    assert column_rows(COLUMNS, table) == [[1, "x", NULL]]


def test_own_columns_come_first_and_renamed_ones_are_told(qgis_app: object) -> None:
    own = _fields("PIN", "class", "geom")

    fields, kept, messages = joined_fields(own, [], COLUMNS, None)

    assert fields.names() == ["PIN", "src_class", "src_geom", "row", "class", "slope_pct"]
    assert kept == [0, 1, 2]
    assert "class is kept as src_class" in messages[0]


def test_an_output_in_a_folder_that_does_not_exist_is_refused(context: Any) -> None:
    with pytest.raises(InputError, match="no folder"):
        destination("SCREENED", {"SCREENED": "/no/such/folder/out.gpkg"}, context, vector=True)


def test_a_layer_name_in_an_output_path_is_refused(context: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a table of a GeoPackage as"):
        destination(
            "SCREENED", {"SCREENED": f"{tmp_path}/a.gpkg|layername=b"}, context, vector=True
        )


@pytest.mark.parametrize("text", ["TEMPORARY_OUTPUT", "memory:", "postgres:dbname='x' table=\"y\""])
def test_memory_and_databases_are_no_files(context: Any, text: str) -> None:
    place = destination("SCREENED", {"SCREENED": text}, context, vector=True)

    assert place == Destination("SCREENED", None)


def test_a_table_of_a_geopackage_is_understood(context: Any, tmp_path: Path) -> None:
    text = f"ogr:dbname='{tmp_path}/town.gpkg' table=\"screened\" (geom)"

    place = destination("SCREENED", {"SCREENED": text}, context, vector=True)

    assert place == Destination("SCREENED", tmp_path / "town.gpkg", "screened")


def test_a_name_without_suffix_is_a_geopackage_as_qgis_writes_it(
    context: Any, tmp_path: Path
) -> None:
    given = {"SCREENED": str(tmp_path / "out"), "SUMMARY": str(tmp_path / "page")}

    layer = destination("SCREENED", given, context, vector=True)
    page = destination("SUMMARY", given, context, vector=False)

    assert (layer and layer.path) == tmp_path / "out.gpkg"
    assert (page and page.path) == tmp_path / "page"


@pytest.mark.parametrize("name", ["out.parquet", "out.json", "out.2024", "out.zip"])
def test_a_suffix_to_which_qgis_adds_another_is_refused(
    context: Any, tmp_path: Path, name: str
) -> None:
    with pytest.raises(InputError, match=r"a suffix that QGIS does not write.*as out\.gpkg"):
        destination("SCREENED", {"SCREENED": str(tmp_path / name)}, context, vector=True)


@pytest.mark.parametrize(
    ("output", "source"),
    [
        ("parcels.gpkg", "parcels.gpkg"),
        ("parcels.gpkg", "parcels.gpkg|layername=parcels"),
        ("sub/../parcels.gpkg", "parcels.gpkg|layername=parcels|subset=a = 1"),
        ("link.gpkg", "parcels.gpkg"),
        ("parcels.gpkg", "link.gpkg"),
        ("lots.dbf", "lots.shp"),
        ("lots.shp", "lots.dbf"),
        ("shapes/lots.shp", "shapes|layername=lots"),
        ("lots.zip", "/vsizip/{folder}/lots.zip/lots.shp"),
        ("wells.csv", "file://{folder}/wells.csv?type=csv"),
    ],
)
def test_an_output_that_is_an_input_is_refused(
    qgis_app: object, tmp_path: Path, output: str, source: str
) -> None:
    for name in ("parcels.gpkg", "lots.shp", "lots.dbf", "lots.zip", "wells.csv"):
        (tmp_path / name).touch()
    for name in ("sub", "shapes"):
        (tmp_path / name).mkdir()
    (tmp_path / "link.gpkg").symlink_to(tmp_path / "parcels.gpkg")
    source = source.format(folder=tmp_path) if "{folder}" in source else f"{tmp_path}/{source}"

    with pytest.raises(InputError, match="is also input SITES"):
        refuse_collisions([Destination("SCREENED", tmp_path / output)], {"SITES": [source]})


def test_a_file_behind_a_virtual_file_is_an_input_too(qgis_app: object, tmp_path: Path) -> None:
    wells = tmp_path / "wells.csv"
    wells.write_text("name\nold well\n")
    source = f"<SrcDataSource>{wells}</SrcDataSource>"
    layer = f'<OGRVRTLayer name="wells">{source}</OGRVRTLayer>'
    virtual = tmp_path / "town.vrt"
    virtual.write_text(f"<OGRVRTDataSource>{layer}</OGRVRTDataSource>")

    with pytest.raises(InputError, match="is also input SITES"):
        refuse_collisions([Destination("SUMMARY", wells)], {"SITES": [str(virtual)]})


def test_a_pipe_and_a_name_too_long_are_no_places_to_write(context: Any, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, message in (("pipe", "a device or a pipe"), ("x" * 300, "name too long")):
        with pytest.raises(InputError, match=message):
            destination("SUMMARY", {"SUMMARY": str(tmp_path / name)}, context, vector=False)


def test_through_a_link_the_file_that_it_names_is_written(context: Any, tmp_path: Path) -> None:
    (tmp_path / "real.gpkg").touch()
    (tmp_path / "link.gpkg").symlink_to(tmp_path / "real.gpkg")

    place = destination("ZONES", {"ZONES": str(tmp_path / "link.gpkg")}, context, vector=True)

    assert (place and place.path) == tmp_path / "real.gpkg"


def test_two_outputs_of_one_file_are_refused_and_two_tables_are_not(
    qgis_app: object, tmp_path: Path
) -> None:
    path = tmp_path / "out.gpkg"
    with pytest.raises(InputError, match="is also output SCREENED"):
        refuse_collisions([Destination("SCREENED", path), Destination("ZONES", path)], {})

    refuse_collisions([Destination("SCREENED", path, "a"), Destination("ZONES", path, "b")], {})


def test_a_table_beside_an_input_in_one_geopackage_is_allowed_and_its_own_table_is_not(
    qgis_app: object, tmp_path: Path
) -> None:
    path = tmp_path / "town.gpkg"
    path.touch()
    sources = {"SITES": [f"{path}|layername=parcels"]}
    refuse_collisions([Destination("SCREENED", path, "screened")], sources)

    with pytest.raises(InputError, match="is also input SITES"):
        refuse_collisions([Destination("SCREENED", path, "Parcels")], sources)


def test_what_stood_there_survives_until_all_outputs_are_written(tmp_path: Path) -> None:
    place = tmp_path / "out.txt"
    place.write_text("good")

    with Staging() as staging:
        staging.path(Destination("SUMMARY", place)).write_text("half")

    assert place.read_text() == "good"
    assert [path.name for path in tmp_path.iterdir()] == ["out.txt"]


def test_outputs_take_the_place_of_old_files_and_their_companions(tmp_path: Path) -> None:
    for suffix in (".shp", ".qix"):
        (tmp_path / f"lots{suffix}").write_text("old")

    with Staging() as staging:
        staged = staging.path(Destination("SCREENED", tmp_path / "lots.shp"))
        staged.write_text("new")
        staged.with_suffix(".dbf").write_text("new")
        staging.commit()

    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "lots.shp": "new",
        "lots.dbf": "new",
    }


def test_an_output_that_cannot_take_its_place_gives_the_others_back(tmp_path: Path) -> None:
    good = tmp_path / "good.txt"
    good.write_text("good")

    with Staging() as staging:
        staging.path(Destination("SCREENED", good)).write_text("new")
        staging.path(Destination("SUMMARY", tmp_path / "page.html")).write_text("page")
        (tmp_path / "page.html").mkdir()
        with pytest.raises(WriteError, match="SUMMARY"):
            staging.commit()

    assert good.read_text() == "good"


@pytest.fixture
def context(qgis_app: object) -> Any:
    from qgis.core import QgsProcessingContext

    return QgsProcessingContext()


def _fields(*names: str) -> Any:
    from qgis.core import QgsField, QgsFields
    from qgis.PyQt.QtCore import QMetaType

    fields = QgsFields()
    for name in names:
        fields.append(QgsField(name, QMetaType.Type.QString))
    return fields


class _Writer:
    """A run of `screensites` reduced to the writing of one layer."""

    def __init__(self, parameters: dict[str, Any], poll: Any = lambda: None) -> None:
        from qgis.core import QgsProcessingContext, QgsProcessingFeedback
        from stormwater_screening.processing_provider.screensites import ScreenSites

        self.algorithm = ScreenSites()
        self.algorithm.initAlgorithm({})
        self.context = QgsProcessingContext()
        self.context.setFeedback(QgsProcessingFeedback(False))
        self.outputs = Outputs(self.algorithm, parameters, self.context, ["SCREENED"], poll)

    def write(self, rows: int = 3, shapes: list[Any] | None = None) -> str:
        from qgis.core import QgsCoordinateReferenceSystem

        fields = column_fields(COLUMNS)
        shapes = shapes or [shapely.box(i, 0, i + 1, 1) for i in range(rows - 1)] + [None]
        table = [[i, "major", 15.0] for i in range(rows)]
        crs = QgsCoordinateReferenceSystem("EPSG:26918")
        with self.outputs:
            self.outputs.write_layer("SCREENED", fields, features(fields, table, shapes), crs)
            return self.outputs.commit()["SCREENED"]


def _read(source: str) -> tuple[list[str], int]:
    from qgis.core import QgsVectorLayer

    layer = QgsVectorLayer(source, "layer", "ogr")
    assert layer.isValid(), source
    return [field.name() for field in layer.fields()], layer.featureCount()


@pytest.mark.parametrize("name", ["out.gpkg", "out.shp", "out.geojson", "out.csv"])
def test_every_format_has_all_rows_and_nothing_else_is_left(
    qgis_processing: object, tmp_path: Path, name: str
) -> None:
    written = _Writer({"SCREENED": str(tmp_path / name)}).write()

    names, count = _read(written)
    assert written == str(tmp_path / name)
    assert count == 3
    assert names[-3:] == ["row", "class", "slope_pct"]
    assert {path.stem for path in tmp_path.iterdir()} == {"out"}


def test_a_table_is_added_to_a_geopackage_and_replaced_the_next_time(
    qgis_processing: object, tmp_path: Path
) -> None:
    path = tmp_path / "town.gpkg"
    _Writer({"SCREENED": str(path)}).write()
    text = f"ogr:dbname='{path}' table=\"screened\" (geom)"

    _Writer({"SCREENED": text}).write(5)
    written = _Writer({"SCREENED": text}).write(4)

    assert written == f"{path}|layername=screened"
    assert _read(written)[1] == 4
    assert _read(f"{path}|layername=town")[1] == 3
    assert [entry.name for entry in tmp_path.iterdir()] == ["town.gpkg"]


def test_two_tables_of_a_new_geopackage_stand_beside_each_other(
    qgis_processing: object, tmp_path: Path
) -> None:
    path = tmp_path / "new.gpkg"
    for table in ("a", "b"):
        _Writer({"SCREENED": f"ogr:dbname='{path}' table=\"{table}\" (geom)"}).write()

    assert _read(f"{path}|layername=a")[1] == _read(f"{path}|layername=b")[1] == 3


def test_a_cancelled_write_leaves_the_good_file_that_stood_there(
    qgis_processing: object, tmp_path: Path
) -> None:
    path = tmp_path / "out.gpkg"
    _Writer({"SCREENED": str(path)}).write()
    before = path.read_bytes()

    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _Writer({"SCREENED": str(path)}, stop).write(5)

    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.gpkg"]


def test_a_layer_to_be_loaded_is_loaded_from_its_final_place(
    qgis_processing: object, tmp_path: Path
) -> None:
    from qgis.core import QgsProcessingOutputLayerDefinition, QgsProject

    path = tmp_path / "out.gpkg"
    project = QgsProject()
    writer = _Writer({"SCREENED": QgsProcessingOutputLayerDefinition(str(path), project)})

    writer.write()

    assert list(writer.context.layersToLoadOnCompletion()) == [str(path)]


def test_a_table_that_cannot_be_copied_leaves_the_old_one(
    qgis_processing: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from osgeo import gdal

    path = tmp_path / "town.gpkg"
    text = f"ogr:dbname='{path}' table=\"town\" (geom)"
    _Writer({"SCREENED": text}).write(3)
    translate = gdal.VectorTranslate

    def broken(*args: Any, **options: Any) -> None:
        translate(*args, **options)
        raise RuntimeError("disk full")

    monkeypatch.setattr(gdal, "VectorTranslate", broken)
    with pytest.raises(WriteError, match="disk full"):
        _Writer({"SCREENED": text}).write(5)

    assert [_read(f"{path}|layername=town")[1], _layers(path)] == [3, ["town"]]


def test_a_disk_too_full_even_to_drop_a_table_leaves_no_half_copy(
    qgis_processing: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "town.gpkg"
    text = f"ogr:dbname='{path}' table=\"town\" (geom)"
    _Writer({"SCREENED": text}).write(3)

    def full(*_: Any) -> None:
        raise RuntimeError("disk full")

    monkeypatch.setattr(destinations, "_drop_table", full)
    with pytest.raises(WriteError, match="disk full"):
        _Writer({"SCREENED": text}).write(5)

    assert [_read(f"{path}|layername=town")[1], _layers(path)] == [3, ["town"]]


def _layers(path: Path) -> list[str]:
    from osgeo import gdal

    with gdal.ExceptionMgr():
        dataset = gdal.OpenEx(str(path))
    return [dataset.GetLayer(at).GetName() for at in range(dataset.GetLayerCount())]
