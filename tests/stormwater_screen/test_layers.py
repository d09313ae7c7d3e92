"""Layers as they come: dirt costs at most the feature that it sits on."""

from __future__ import annotations

import sqlite3
import struct
from pathlib import Path

import geopandas as gpd
import numpy as np
import pandas as pd
import pyogrio
import pyproj
import pytest
import shapely
from shapely.geometry import box

from stormwater_screen import layers
from stormwater_screen.errors import InputError
from stormwater_screen.layers import (
    Layer,
    clean_geometries,
    layer_from_frame,
    layer_from_wkb,
    read_layer,
)
from stormwater_screen.units import ACRE_SQFT, FOOT_M
from stormwater_screen.wkb import RING_CLOSED

UTM = 26918
LOT = box(600_000, 4_800_000, 600_050, 4_800_050)
BOW_TIE = shapely.Polygon(
    [(600_000, 4_800_000), (600_050, 4_800_050), (600_050, 4_800_000), (600_000, 4_800_050)]
)


def _array(*geometries: object) -> np.ndarray:
    array = np.empty(len(geometries), dtype=object)
    array[:] = geometries
    return array


def _layer(*geometries: object, crs: object = UTM, kind: str = "polygon", **columns: list) -> Layer:
    frame = gpd.GeoDataFrame(columns, geometry=_array(*geometries), crs=crs)
    return layer_from_frame(frame, role="SITES", name="Lots", geometry=kind)


def _polygon_wkb(*points: tuple[float, float]) -> bytes:
    flat = [value for point in points for value in point]
    return struct.pack(f"<BIII{len(flat)}d", 1, 3, 1, len(points), *flat)


UNCLOSED = _polygon_wkb((600_000, 4_800_000), (600_050, 4_800_000), (600_050, 4_800_050))


def _geopackage(folder: Path, crs: object = UTM, **layers: list) -> Path:
    path = folder / "town.gpkg"
    for name, geometries in layers.items():
        frame = gpd.GeoDataFrame({"lot": range(len(geometries))}, geometry=geometries, crs=crs)
        frame.to_file(path, layer=name, engine="pyogrio")
    return path


# --- geometries ---------------------------------------------------------------------------------


def test_a_bow_tie_is_repaired_and_both_areas_are_reported() -> None:
    layer = _layer(LOT, BOW_TIE)
    assert shapely.is_valid(layer.frame.geometry).all()
    status = layer.status.loc[1]
    assert "Self-intersection" in status["repair"]
    assert status["before_sqft"] == pytest.approx(0, abs=1)
    assert status["after_sqft"] == pytest.approx(1250 / FOOT_M**2, rel=1e-3)
    assert layer.notes == ("Lots: 1 feature with an invalid geometry repaired",)


def test_null_and_empty_geometries_keep_their_rows() -> None:
    layer = _layer(None, shapely.Polygon(), LOT, lot=["a", "b", "c"])
    assert layer.frame["lot"].tolist() == ["a", "b", "c"]
    assert layer.frame.geometry.isna().tolist() == [True, True, False]
    assert layer.status["fault"].tolist() == ["no geometry", "an empty geometry", ""]
    assert "Lots: 1 feature without a usable geometry (no geometry)" in layer.notes


def test_three_dimensional_and_measured_geometries_become_flat() -> None:
    high = shapely.force_3d(LOT, 12.0)
    measured = shapely.from_wkt("POLYGON ZM ((0 0 1 2, 9 0 1 2, 9 9 1 2, 0 0 1 2))")
    cleaned, status = clean_geometries(_array(high, measured))
    assert not shapely.has_z(cleaned).any()
    assert [geometry.wkt.split(" ")[1][0] for geometry in cleaned] == ["(", "("]
    assert (status["repair"] == "").all()


def test_the_polygons_of_a_collection_are_kept() -> None:
    line = shapely.LineString([(600_100, 4_800_000), (600_200, 4_800_000)])
    inner = shapely.GeometryCollection([box(600_100, 4_800_100, 600_110, 4_800_110), line])
    layer = _layer(shapely.GeometryCollection([LOT, line, inner]))
    assert layer.frame.geom_type.tolist() == ["MultiPolygon"]
    assert layer.frame.area[0] == pytest.approx(2600)


def test_a_stray_line_among_polygons_costs_that_feature() -> None:
    layer = _layer(LOT, shapely.LineString([(600_000, 4_800_000), (600_009, 4_800_000)]))
    assert layer.status["fault"].tolist() == ["", "not polygons"]


def test_a_polygon_without_area_is_not_a_site() -> None:
    flat = shapely.Polygon([(600_000, 4_800_000), (600_050, 4_800_000), (600_000, 4_800_000)])
    layer = _layer(LOT, flat)
    assert layer.frame.geometry.isna().tolist() == [False, True]
    assert layer.status["fault"][1].startswith("nothing left after the repair of")


def test_infinite_coordinates_cost_their_feature() -> None:
    wkb = _polygon_wkb((0, 0), (np.inf, 0), (1, 1), (0, 0))
    layer = layer_from_wkb(
        [shapely.to_wkb(LOT), wkb],
        pd.DataFrame(index=range(2)),
        "EPSG:26918",
        role="SITES",
        name="Lots",
        geometry="polygon",
    )
    assert layer.status["fault"].tolist() == ["", "coordinates without a number"]


def test_features_cleaned_some_at_a_time_are_those_cleaned_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    line = shapely.LineString([(600_000, 4_800_000), (600_009, 4_800_000)])
    shapes = [shapely.to_wkb(shape) for shape in (LOT, BOW_TIE, line, LOT, BOW_TIE)]
    given = [*shapes, None, UNCLOSED, b"nothing"]

    def read() -> Layer:
        table = pd.DataFrame({"lot": range(8)})
        return layer_from_wkb(
            given, table, "EPSG:26918", role="SITES", name="Lots", geometry="polygon"
        )

    at_once = read()
    monkeypatch.setattr(layers, "_AT_ONCE", 3)
    in_parts = read()

    assert at_once.status["fault"].astype(bool).sum() == 3
    assert at_once.status["repair"].astype(bool).sum() == 3
    pd.testing.assert_frame_equal(in_parts.status, at_once.status)
    pd.testing.assert_frame_equal(in_parts.frame, at_once.frame)
    assert in_parts.notes == at_once.notes
    # One part with lines only is no layer of lines.
    monkeypatch.setattr(layers, "_AT_ONCE", 1)
    assert read().notes == at_once.notes


def test_a_repair_never_changes_a_valid_geometry() -> None:
    cleaned, _ = clean_geometries(_array(LOT, BOW_TIE))
    assert cleaned[0].equals_exact(LOT)


def test_the_input_frame_is_not_edited() -> None:
    frame = gpd.GeoDataFrame({"lot": [1]}, geometry=[BOW_TIE], crs=UTM, index=[7])
    layer_from_frame(frame, role="SITES", name="Lots", geometry="polygon")
    assert not frame.geometry.is_valid[7]


def test_lines_and_polygons_may_stand_together_where_both_are_asked() -> None:
    line = shapely.LineString([(600_000, 4_800_000), (600_009, 4_800_000)])
    layer = _layer(LOT, line, shapely.GeometryCollection([LOT, line]), kind="line_or_polygon")
    assert (layer.status["fault"] == "").all()
    assert layer.frame.geom_type[2] == "GeometryCollection"


def test_a_closed_ring_is_noted_as_a_repair() -> None:
    layer = layer_from_wkb(
        [UNCLOSED],
        pd.DataFrame({"lot": ["a"]}),
        "EPSG:26918",
        role="SITES",
        name="Lots",
        geometry="polygon",
    )
    assert layer.status["repair"].tolist() == [RING_CLOSED]


# --- kind and CRS -------------------------------------------------------------------------------


def test_a_line_layer_where_polygons_are_asked_is_refused() -> None:
    line = shapely.LineString([(600_000, 4_800_000), (600_009, 4_800_000)])
    with pytest.raises(InputError, match=r"Lots: a layer of lines\. Needed: a layer of polygons"):
        _layer(line)


def test_a_layer_without_crs_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="Lots: no coordinate reference system"):
        _layer(LOT, crs=None)


def test_a_layer_a_little_outside_its_zone_is_noted_and_taken() -> None:
    collins = gpd.GeoSeries([box(-78.87, 42.58, -78.86, 42.59)], crs=4269).to_crs(26918)
    layer = _layer(*collins)
    assert "0.9 degrees outside the area of use" in layer.notes[0]


def test_one_feature_far_off_does_not_cost_the_layer() -> None:
    layer = _layer(LOT, LOT, box(1e12, 1e12, 2e12, 2e12))
    assert layer.status["fault"].tolist()[:2] == ["", ""]


def test_a_crs_without_a_code_is_taken() -> None:
    wkt = pyproj.CRS(2260).to_wkt("WKT1_ESRI")
    feet = gpd.GeoSeries([LOT], crs=UTM).to_crs(2260)
    assert _layer(*feet, crs=wkt).notes == ()


def test_an_empty_layer_is_taken_and_has_no_extent() -> None:
    layer = _layer()
    assert (len(layer.frame), layer.extent, layer.feature_count) == (0, None, 0)


def test_an_attribute_named_geometry_is_kept() -> None:
    layer = layer_from_wkb(
        [shapely.to_wkb(LOT)],
        pd.DataFrame({"geometry": ["flat"]}),
        "EPSG:26918",
        role="SITES",
        name="Lots",
        geometry="polygon",
    )
    assert layer.frame["geometry_1"].tolist() == ["flat"]


# --- files --------------------------------------------------------------------------------------


def test_several_layers_and_none_named_is_refused_with_their_names(tmp_path: Path) -> None:
    path = _geopackage(tmp_path, parcels=[LOT], ponds=[LOT])
    with pytest.raises(InputError, match="2 layers: parcels, ponds"):
        read_layer(path, role="SITES", geometry="polygon")
    assert read_layer(path, role="SITES", geometry="polygon", layer="ponds").name == "ponds"
    assert len(read_layer(f"{path}|layername=parcels", role="SITES", geometry="polygon").frame) == 1
    with pytest.raises(InputError, match="no layer lakes; its layers: parcels, ponds"):
        read_layer(path, role="SITES", geometry="polygon", layer="lakes")


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_layer(tmp_path / "none.gpkg", role="SITES", geometry="polygon")


def test_a_file_that_is_no_layer_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.gpkg").write_text("not a database")
    with pytest.raises(InputError, match="cannot be opened"):
        read_layer(tmp_path / "notes.gpkg", role="SITES", geometry="polygon")


def test_only_features_in_the_box_are_read_and_the_whole_extent_is_kept(tmp_path: Path) -> None:
    far = shapely.affinity.translate(LOT, 5_000, 0)
    path = _geopackage(tmp_path, parcels=[LOT, far])
    west, south, east, north = LOT.bounds
    longitude_latitude = gpd.GeoSeries([LOT], crs=UTM).to_crs(4326).total_bounds
    for box_, crs in (((west, south, east, north), None), (longitude_latitude, pyproj.CRS(4326))):
        layer = read_layer(path, role="SITES", geometry="polygon", bbox=tuple(box_), bbox_crs=crs)
        assert layer.frame["lot"].tolist() == [0]
        assert layer.feature_count == 2
        assert layer.extent == pytest.approx((west, south, far.bounds[2], north))


def _with_second_lot(path: Path, wkb: bytes) -> Layer:
    """Return the layer after the geometry of its second lot was overwritten with raw bytes."""
    with sqlite3.connect(path) as database:
        for trigger in database.execute("select name from sqlite_master where type='trigger'"):
            database.execute(f'drop trigger "{trigger[0]}"')
        (blob,) = database.execute("select geom from parcels where lot = 1").fetchone()
        header = blob[: len(blob) - len(shapely.to_wkb(LOT))]
        database.execute("update parcels set geom = ? where lot = 1", (header + wkb,))
    database.close()
    return read_layer(path, role="SITES", geometry="polygon")


def test_one_unclosed_ring_in_a_geopackage_costs_nothing_else(tmp_path: Path) -> None:
    layer = _with_second_lot(_geopackage(tmp_path, parcels=[LOT, LOT, LOT]), UNCLOSED)
    assert layer.frame["lot"].tolist() == [0, 1, 2]
    assert layer.frame.geometry.notna().all()
    assert layer.status["repair"].tolist() == ["", RING_CLOSED, ""]


def test_curves_are_segmentised(tmp_path: Path) -> None:
    circle = (600_000, 4_800_000, 600_020, 4_800_000, 600_000, 4_800_000)
    curve = struct.pack("<BII", 1, 10, 1) + struct.pack("<BII6d", 1, 8, 3, *circle)
    layer = _with_second_lot(_geopackage(tmp_path, parcels=[LOT, LOT, LOT]), curve)
    assert layer.frame.area[1] == pytest.approx(np.pi * 100, rel=2e-3)


def test_an_empty_line_layer_is_refused_where_polygons_are_asked(tmp_path: Path) -> None:
    path = tmp_path / "streams.gpkg"
    frame = gpd.GeoDataFrame({"a": []}, geometry=[], crs=UTM)
    pyogrio.write_dataframe(frame, path, layer="streams", geometry_type="LineString")
    with pytest.raises(InputError, match="a layer of lines"):
        read_layer(path, role="SITES", geometry="polygon")


def test_a_shapefile_without_prj_is_refused_and_one_in_latin1_is_read(tmp_path: Path) -> None:
    path = tmp_path / "flur stücke.shp"
    frame = gpd.GeoDataFrame({"owner": ["Müller"]}, geometry=[LOT], crs=UTM)
    # QGIS, once it has opened a shapefile, sets an option that keeps GDAL from converting texts.
    pyogrio.set_gdal_config_options({"SHAPE_ENCODING": None})
    frame.to_file(path, engine="pyogrio", encoding="ISO-8859-1")
    (tmp_path / "flur stücke.cpg").write_text("UTF-8")
    layer = read_layer(path, role="SITES", geometry="polygon")
    assert layer.frame["owner"].tolist() == ["Müller"]
    path.with_suffix(".prj").unlink()
    with pytest.raises(InputError, match="flur stücke: no coordinate reference system"):
        read_layer(path, role="SITES", geometry="polygon")


def test_repeated_ids_and_attributes_stay_as_they_are(tmp_path: Path) -> None:
    layer = _layer(LOT, LOT, lot=["7", "7"], when=[None, "2020-01-01"])
    assert layer.frame["lot"].tolist() == ["7", "7"]
    assert layer.frame["when"].tolist() == [None, "2020-01-01"]


# --- real layers --------------------------------------------------------------------------------


def test_bangor_has_594_parcels_all_of_them_measurable(shared_data: Path) -> None:
    path = shared_data / "bangor" / "bangor.gpkg"
    layer = read_layer(path, role="SITES", geometry="polygon", layer="parcels")
    assert (len(layer.frame), layer.feature_count) == (594, 594)
    assert (layer.status["fault"] == "").all()
    assert shapely.is_valid(layer.frame.geometry).all()
    assert layer.frame["MAP_LOT"].isna().sum() + (layer.frame["MAP_LOT"] == "").sum() > 0


def test_north_collins_has_43_parcels_whose_acres_agree_with_the_assessor(
    shared_data: Path,
) -> None:
    from stormwater_screen.plane import area_sqft

    path = shared_data / "north_collins" / "tax_parcels_2018.gpkg"
    layer = read_layer(path, role="SITES", geometry="polygon")
    assert len(layer.frame) == 43
    assert "outside the area of use" in " ".join(layer.notes)
    acres = area_sqft(layer.frame.geometry.to_numpy(), layer.frame.crs) / ACRE_SQFT
    assert acres == pytest.approx(layer.frame["CALC_ACRES"].to_numpy(), rel=0.01, abs=0.02)


@pytest.mark.parametrize(
    ("file", "layer", "kind"),
    [
        ("attains_colorado.gpkg", "ATTAINS_lines", "line"),
        ("nhdplusv2_new_hope.gpkg", "NHDFlowline_Network", "line"),
        ("nhdplusv2_new_hope.gpkg", "NHDWaterbody", "polygon"),
        ("nhd_hr_ms/NHDFlowline.shp", None, "line"),
        ("nhd_hr_ms/NHDWaterbody.shp", None, "polygon"),
        ("ssurgo_ny123/spatial/soilmu_a_aoi.shp", None, "polygon"),
    ],
)
def test_agency_layers_are_read_whole(
    shared_data: Path, file: str, layer: str | None, kind: str
) -> None:
    path = shared_data / "formats" / file
    read = read_layer(path, role="WATER_BODIES", geometry=kind, layer=layer)
    assert len(read.frame) == read.feature_count > 0
    assert (read.status["fault"] == "").all()
    assert not shapely.has_z(read.frame.geometry).any()


def test_features_read_by_place_come_in_the_order_of_the_file(tmp_path: Path) -> None:
    # A spatial index gives a square of points in an order of its own.
    places = np.random.default_rng(1).permutation(400)
    points = shapely.points(600_000.0 + places % 20, 4_800_000.0 + places // 20)
    frame = gpd.GeoDataFrame({"n": np.arange(400)}, geometry=points, crs="EPSG:26918")
    path = tmp_path / "points.gpkg"
    frame.to_file(path, engine="pyogrio")
    window = (600_003.0, 4_800_003.0, 600_016.0, 4_800_016.0)

    by_box = read_layer(path, role="DEVICES", geometry="point", bbox=window)
    by_mask = read_layer(path, role="DEVICES", geometry="point", mask=lambda _: box(*window))

    inside = frame.cx[window[0] : window[2], window[1] : window[3]]["n"].tolist()
    assert by_box.frame["n"].tolist() == by_mask.frame["n"].tolist() == inside
    assert len(inside) == 196
    assert by_box.feature_count == 400


def test_only_the_attributes_that_are_asked_for_are_read(tmp_path: Path) -> None:
    frame = gpd.GeoDataFrame({"a": [1], "b": ["x"]}, geometry=[box(0, 0, 1, 1)], crs="EPSG:26918")
    frame = frame.set_geometry(frame.translate(600_000, 4_800_000))
    frame.to_file(tmp_path / "lots.gpkg", engine="pyogrio")

    layer = read_layer(tmp_path / "lots.gpkg", role="SITES", geometry="polygon", columns=["b"])

    assert list(layer.frame.columns) == ["b", "geometry"]
