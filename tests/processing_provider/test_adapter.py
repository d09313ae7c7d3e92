"""Layers, fields and rasters as QGIS hands them over."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from stormwater_screening.processing_provider.adapter import InputReader
from stormwater_screening.stormwater_screen.errors import InputError

ORIGIN = (600_000.0, 4_800_000.0)
SQUARE = "MULTIPOLYGON(((0 0,10 0,10 10,0 10,0 0)))"


@pytest.fixture
def reader(qgis_processing: object) -> Callable[..., InputReader]:
    from qgis.core import QgsProcessingContext, QgsProcessingFeedback, QgsProject
    from stormwater_screening.processing_provider.screensites import ScreenSites

    algorithm = ScreenSites()
    algorithm.initAlgorithm({})
    context = QgsProcessingContext()
    context.setFeedback(QgsProcessingFeedback(False))
    context.setProject(QgsProject.instance())
    return lambda **given: InputReader(algorithm, given, context, lambda: None)


def _layer(
    kind: str = "MultiPolygon", *shapes: str | None, crs: str = "EPSG:26918", **columns: list[Any]
) -> Any:
    """Return a layer with a feature for each shape in WKT (None: NULL), moved by `ORIGIN`."""
    from qgis.core import (
        QgsCoordinateReferenceSystem,
        QgsFeature,
        QgsField,
        QgsGeometry,
        QgsVectorLayer,
    )
    from qgis.PyQt.QtCore import QDate, QMetaType

    types = {
        str: QMetaType.Type.QString,
        int: QMetaType.Type.Int,
        float: QMetaType.Type.Double,
        QDate: QMetaType.Type.QDate,
    }
    layer = QgsVectorLayer(kind, "town", "memory")
    layer.setCrs(QgsCoordinateReferenceSystem(crs))
    for name, values in columns.items():
        layer.dataProvider().addAttributes([QgsField(name, types[type(values[0])])])
    layer.updateFields()
    for at, shape in enumerate(shapes):
        feature = QgsFeature(layer.fields())
        feature.setAttributes([values[at] for values in columns.values()])
        if shape is not None:
            geometry = QgsGeometry.fromWkt(shape)
            geometry.translate(*ORIGIN)
            feature.setGeometry(geometry)
        added, _ = layer.dataProvider().addFeatures([feature])
        assert added
    layer.updateExtents()
    return layer


def test_rows_come_in_order_with_values_of_python(reader: Callable[..., InputReader]) -> None:
    from qgis.PyQt.QtCore import QDate

    layer = _layer(
        "MultiPolygon",
        SQUARE,
        None,
        PIN=["b", None],
        area=[5.5, None],
        lots=[3, None],
        day=[QDate(2024, 2, 29), None],
    )

    rows = reader(SITES=layer).sites()

    frame = rows.layer.frame
    assert list(frame["PIN"]) == ["b", None]
    assert frame["area"][0] == 5.5
    assert np.isnan(frame["area"][1])
    assert frame["lots"][0] == 3
    assert frame["day"][0] == datetime.date(2024, 2, 29)
    assert frame.geometry[0].area == 100
    assert frame.geometry[1] is None
    assert rows.values[0] == ["b", None]
    assert frame.crs.to_epsg() == 26918


@pytest.mark.parametrize(
    ("shape", "area"),
    [
        ("CURVEPOLYGON(CIRCULARSTRING(0 0,1 1,2 0,1 -1,0 0))", np.pi),
        ("MULTISURFACE(CURVEPOLYGON(CIRCULARSTRING(0 0,1 1,2 0,1 -1,0 0)))", np.pi),
        ("POLYGON Z((0 0 5,10 0 5,10 10 5,0 10 5,0 0 5))", 100),
        ("TIN Z(((0 0 0,10 0 0,0 10 0,0 0 0)),((10 0 0,10 10 0,0 10 0,10 0 0)))", 100),
        ("POLYHEDRALSURFACE Z(((0 0 0,10 0 0,10 10 0,0 10 0,0 0 0)))", 100),
        ("TRIANGLE((0 0,10 0,0 10,0 0))", 50),
        ("GEOMETRYCOLLECTION(POINT(0 0),POLYGON((0 0,10 0,10 10,0 10,0 0)))", 100),
        ("POLYGON((0 0,10 10,10 0,0 10,0 0))", 50),
    ],
)
def test_curves_surfaces_heights_and_bow_ties_are_read(
    reader: Callable[..., InputReader], shape: str, area: float
) -> None:
    rows = reader(SITES=_layer(shape.split("(")[0].replace(" ", ""), shape)).sites()

    assert rows.layer.frame.geometry[0].area == pytest.approx(area, rel=1e-3)
    assert not rows.layer.frame.geometry[0].has_z


def test_a_selection_is_read_alone_and_keeps_the_extent_of_the_whole_layer(
    reader: Callable[..., InputReader],
) -> None:
    from qgis.core import QgsProcessingFeatureSourceDefinition, QgsProject

    layer = _layer(
        "MultiPolygon", SQUARE, "MULTIPOLYGON(((90 90,99 90,99 99,90 99,90 90)))", PIN=["a", "b"]
    )
    QgsProject.instance().addMapLayer(layer)
    layer.selectByIds([1])
    chosen = QgsProcessingFeatureSourceDefinition(layer.id(), True)

    (read,) = reader(WETLANDS=chosen).layers("WETLANDS")
    QgsProject.instance().removeMapLayer(layer.id())

    assert list(read.frame["PIN"]) == ["a"]
    assert read.feature_count == 2
    assert read.extent == pytest.approx((600_000, 4_800_000, 600_099, 4_800_099))


def test_several_layers_are_read_each_with_its_name(
    reader: Callable[..., InputReader], shared_data: Path
) -> None:
    path = shared_data / "bangor" / "bangor.gpkg"
    given = [f"{path}|layername=rivers", f"{path}|layername=drainage_draw"]

    layers = reader(WATERCOURSES=given).layers("WATERCOURSES")

    assert [layer.name for layer in layers] == ["rivers", "drainage_draw"]
    assert all(layer.feature_count == len(layer.frame) > 0 for layer in layers)


def test_an_empty_layer_has_no_extent(reader: Callable[..., InputReader]) -> None:
    (read,) = reader(WETLANDS=_layer("MultiPolygon")).layers("WETLANDS")

    assert (read.extent, read.feature_count) == (None, 0)


def test_a_layer_not_given_is_no_layer(reader: Callable[..., InputReader]) -> None:
    assert reader(WETLANDS=None, WATER_BODIES=[], SOILS="").layers("WETLANDS") == ()
    assert reader(WATER_BODIES=[]).layers("WATER_BODIES") == ()


def test_a_layer_without_crs_is_refused_by_name(reader: Callable[..., InputReader]) -> None:
    with pytest.raises(InputError, match=r"SITES \(town\): no coordinate reference system"):
        reader(SITES=_layer("MultiPolygon", SQUARE, crs="")).sites()


def test_lines_where_polygons_are_asked_are_refused(reader: Callable[..., InputReader]) -> None:
    with pytest.raises(InputError, match=r"SITES \(town\): a line layer.*Needed: a layer of poly"):
        reader(SITES=_layer("LineString")).sites()
    with pytest.raises(InputError, match=r"WATERCOURSES .*: a point layer"):
        reader(WATERCOURSES=[_layer("Point")]).layers("WATERCOURSES")


def test_a_file_of_several_layers_and_none_named_is_refused_with_their_names(
    reader: Callable[..., InputReader], shared_data: Path
) -> None:
    path = shared_data / "bangor" / "bangor.gpkg"

    with pytest.raises(InputError, match="15 layers and none named: parcels, buildings"):
        reader(SITES=str(path)).sites()
    with pytest.raises(InputError, match=r"WATER_BODIES .*none named"):
        reader(WATER_BODIES=[str(path)]).layers("WATER_BODIES")


def test_a_field_that_does_not_exist_is_refused_with_the_fields_there_are(
    reader: Callable[..., InputReader],
) -> None:
    given = reader(SITES=_layer("MultiPolygon", SQUARE, PIN=["a"], sbl=["b"]), SITE_ID="PINN")

    with pytest.raises(InputError, match=r"SITE_ID: no field PINN. Needed: .*town: PIN, sbl"):
        given.fields({"SITE_ID": [given.sites().layer]})


def test_a_field_of_a_layer_not_given_is_refused(reader: Callable[..., InputReader]) -> None:
    with pytest.raises(InputError, match="its layer is not given"):
        reader(SOIL_GROUP_FIELD="hydgrp").fields({"SOIL_GROUP_FIELD": []})


def test_a_raster_is_handed_over_as_path_band_and_unit(
    reader: Callable[..., InputReader], shared_data: Path
) -> None:
    path = str(shared_data / "bangor" / "dem_ft.tif")

    dem = reader(DEM=path, DEM_Z_UNIT="foot").dem()

    assert dem is not None
    assert (dem.path, dem.band, dem.z_unit) == (path, 1, "foot")
    with pytest.raises(InputError, match="DEM_BAND: band 7"):
        reader(DEM=path, DEM_BAND=7).dem()


def test_a_raster_without_crs_takes_the_one_that_the_user_set(
    reader: Callable[..., InputReader], shared_data: Path
) -> None:
    import rasterio
    from qgis.core import QgsCoordinateReferenceSystem, QgsRasterLayer

    path = shared_data / "formats" / "dem" / "landlab_SRTMGL3_colorado.asc"
    layer = QgsRasterLayer(str(path), "dem")
    layer.setCrs(QgsCoordinateReferenceSystem("EPSG:4326"))

    dem = reader(DEM=layer).dem()

    assert dem is not None
    with rasterio.open(dem.path) as raster:
        assert raster.crs.to_epsg() == 4326
        assert raster.read(1).max() > 1000
