from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import geopandas as gpd
import pytest
import shapely
from osgeo import ogr
from shapely.geometry import LineString, Point, box

from stormwater_screen.errors import InputError
from stormwater_screen.layers import Layer, layer_from_frame
from stormwater_screen.prepare.files import Bundle, find_layers, read_found
from stormwater_screen.prepare.hydrography import is_hydrography, prepare_hydrography
from stormwater_screen.prepare.model import Prepared

ogr.UseExceptions()


def layer(shapes: list[Any], name: str = "NHD", crs: str = "EPSG:26918", **fields: Any) -> Layer:
    frame = gpd.GeoDataFrame(fields, geometry=shapes, crs=crs)
    return layer_from_frame(frame, role="HYDROGRAPHY", name=name, geometry="any")


def line(y: float, x0: float = 600_000, x1: float = 601_000) -> LineString:
    return LineString([(x0, 4_800_000 + y), (x1, 4_800_000 + y)])


def lake(size: float = 500) -> shapely.Polygon:
    return box(600_000, 4_799_900, 600_000 + size, 4_800_100)


def read_all(path: Path) -> list[Layer]:
    found = [one for one in find_layers(Bundle(path)) if one.geometry]
    layers = [read_found(one, role="HYDROGRAPHY", geometry="any", near=None) for one in found]
    return [one for one in layers if is_hydrography(one.frame)]


def kinds(prepared: Prepared, name: str) -> list[str]:
    return prepared.layers[name]["kind"].tolist()


def test_streams_pipes_ditches_and_ponds_go_where_the_code_table_says() -> None:
    flow = layer(
        [line(y) for y in range(0, 700, 100)],
        FTYPE=[460, 460, 460, 428, 336, 420, 468],
        FCODE=[46006, 46003, 46007, 42807, 33600, 42003, 46800],
    )
    ponds = layer(
        [lake(), lake(), lake()], "ponds", FTYPE=[390, 436, 466], FCODE=[39004, 43612, 46600]
    )
    found = prepare_hydrography([flow, ponds])
    courses = found.layers["WATERCOURSES"]
    assert courses["class"].tolist() == ["water", "water", "review", "review", "review"]
    assert courses["permanence"].tolist()[:3] == ["perennial", "intermittent", "ephemeral"]
    assert kinds(found, "WATER_BODIES") == ["lake or pond, perennial"]
    assert len(found.layers["WETLANDS"]) == 1
    gone = found.tables["LEFT_OUT"]
    assert gone["fcode"].tolist() == ["42807", "42003", "43612"]
    assert "not a water body" in gone["why"][2]


def test_what_the_law_leaves_open_is_listed_when_it_is_not_wanted() -> None:
    ditch = layer([line(0)], FTYPE=[336], FCODE=[33600])
    found = prepare_hydrography([ditch], with_review=False)
    assert found.layers["WATERCOURSES"].empty
    assert "man-made watercourse" in found.tables["LEFT_OUT"]["why"][0]


def test_an_artificial_path_inside_a_lake_is_left_out() -> None:
    path = layer([line(0, x1=600_400)], FTYPE=[558], FCODE=[55800])
    body = layer([lake()], "lake", FTYPE=[390], FCODE=[39004])
    found = prepare_hydrography([path, body])
    assert found.layers["WATERCOURSES"].empty
    assert found.tables["LEFT_OUT"]["why"].tolist() == ["an artificial path inside a water body"]


def test_an_artificial_path_that_leaves_a_lake_is_cut_at_its_shore() -> None:
    path = layer([line(0)], FTYPE=[558], FCODE=[55800])
    body = layer([lake()], "lake", FTYPE=[390], FCODE=[39004])
    found = prepare_hydrography([path, body]).layers["WATERCOURSES"]
    assert found.geometry.length.tolist() == [500]


def test_an_artificial_path_without_a_polygon_counts_as_water_and_is_remarked_on() -> None:
    found = prepare_hydrography([layer([line(0)], FTYPE=[558], FCODE=[55800])])
    assert found.layers["WATERCOURSES"]["class"].tolist() == ["artificial_path"]
    assert any("the shore lies nearer" in note for note in found.notes)


def test_text_types_of_nhdplus_v2_are_understood_with_and_without_blanks() -> None:
    found = prepare_hydrography(
        [layer([line(0), line(9)], COMID=[1, 2], FTYPE=["StreamRiver", "Stream River"])]
    )
    assert found.layers["WATERCOURSES"]["class"].tolist() == ["water", "water"]


def test_3dhp_is_told_by_its_labels_and_its_water_bodies_by_their_numbers() -> None:
    flow = layer(
        [line(0), line(9), line(18)],
        id3dhp=["a", "b", "c"],
        featuretype=[1, 2, 3],
        featuretypelabel=["River", "Pipeline", "Never seen"],
        gnisidlabel=["Finkle Brook", None, None],
    )
    bodies = layer([lake(), lake()], "bodies", id3dhp=["d", "e"], featuretype=[3, 2])
    found = prepare_hydrography([flow, bodies])
    courses = found.layers["WATERCOURSES"]
    assert courses["name"].tolist() == ["Finkle Brook", "unnamed type Never seen"]
    assert courses["class"].tolist() == ["water", "review"]
    assert courses["permanence"].tolist() == ["", ""]
    assert found.layers["WATER_BODIES"]["class"].tolist() == ["water", "review"]
    assert "No wetlands are mapped in these layers, which says nothing of wetlands" in found.notes


def test_wells_and_springs_go_to_supplies() -> None:
    points = layer(
        [Point(600_000, 4_800_000)] * 3, FTYPE=[488, 458, 367], FCODE=[48800, 45800, 36700]
    )
    found = prepare_hydrography([points])
    assert found.layers["WATER_SUPPLIES"]["class"].tolist() == ["supply", "review"]
    assert len(found.tables["LEFT_OUT"]) == 1


def test_a_feature_of_two_downloads_is_kept_once() -> None:
    one = layer([line(0)], permanent_identifier=["x"], ftype=[460], fcode=[46006])
    found = prepare_hydrography([one, one])
    assert len(found.layers["WATERCOURSES"]) == 1
    assert found.tables["LEFT_OUT"]["why"].tolist() == ["the same feature is there already"]


def test_layers_in_different_crs_come_together() -> None:
    path = layer([line(0, x1=600_400)], FTYPE=[558], FCODE=[55800])
    body = gpd.GeoDataFrame({"FTYPE": [390], "FCODE": [39004]}, geometry=[lake()], crs="EPSG:26918")
    degrees = layer_from_frame(body.to_crs(4269), role="HYDROGRAPHY", name="l", geometry="any")
    found = prepare_hydrography([path, degrees])
    assert found.layers["WATERCOURSES"].empty


def test_another_layer_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="roads"):
        prepare_hydrography([layer([line(0)], "roads", NAME=["Main St"])])


def test_nhd_high_resolution_counts_agree_with_the_shapefiles(shared_data: Path) -> None:
    folder = shared_data / "formats" / "nhd_hr_ms"
    found = prepare_hydrography(read_all(folder))
    counts = {}
    for name in ("NHDFlowline", "NHDWaterbody"):
        source = ogr.Open(str(folder / f"{name}.shp"))
        rows = source.ExecuteSQL(
            f"SELECT fcode, COUNT(*) AS n FROM {name} GROUP BY fcode", dialect="SQLite"
        )
        counts |= {row["fcode"]: row["n"] for row in rows}
    assert counts == {33400: 12, 46003: 9, 46006: 79, 55800: 2403, 39004: 11, 46600: 5}
    courses = found.layers["WATERCOURSES"]["fcode"].astype(int).value_counts().to_dict()
    left = found.tables["LEFT_OUT"]["fcode"].astype(int).value_counts().to_dict()
    for code in (33400, 46003, 46006, 55800):
        assert courses.get(code, 0) + left.get(code, 0) == counts[code]
    assert len(found.layers["WATER_BODIES"]) == counts[39004]
    assert len(found.layers["WETLANDS"]) == counts[46600]
    assert not found.layers["WATERCOURSES"].geometry.has_z.any()


def test_nhdplus_v2_counts_agree_with_the_database(shared_data: Path) -> None:
    path = shared_data / "formats" / "nhdplusv2_new_hope.gpkg"
    found = prepare_hydrography(read_all(path))
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:

        def count(table: str, *codes: int) -> int:
            marks = ",".join("?" * len(codes))
            query = f"SELECT COUNT(*) FROM {table} WHERE FCODE IN ({marks})"
            return int(database.execute(query, codes).fetchone()[0])

        streams = count("NHDFlowline_Network", 46003, 46006) + count(
            "NHDFlowline_NonNetwork", 46003, 46006
        )
        paths = count("NHDFlowline_Network", 55800)
        bodies = count("NHDWaterbody", 39004, 39009) + count("NHDArea", 46006, 40307, 40308)
        wetlands = count("NHDWaterbody", 46600)
    database.close()
    courses = found.layers["WATERCOURSES"]
    assert (courses["ftype"] == "StreamRiver").sum() == streams == 635
    left = found.tables["LEFT_OUT"]
    assert (courses["class"] == "artificial_path").sum() + len(left) == paths == 116
    assert (left["why"] == "an artificial path inside a water body").all()
    assert len(found.layers["WATER_BODIES"]) == bodies == 111
    assert len(found.layers["WETLANDS"]) == wetlands == 1


def test_artificial_paths_left_out_lie_inside_by_another_measure(shared_data: Path) -> None:
    layers = read_all(shared_data / "formats" / "nhdplusv2_new_hope.gpkg")
    found = prepare_hydrography(layers)
    water = found.layers["WATER_BODIES"]
    area = water[water["class"] == "water"].geometry.union_all()
    area = area.union(found.layers["WETLANDS"].geometry.union_all())
    flow = next(one for one in layers if one.name == "NHDFlowline_Network").frame
    paths = flow[flow["FTYPE"] == "ArtificialPath"]
    shapes = paths.geometry.to_numpy()
    rest = shapely.length(shapely.intersection(shapes, area)) / shapely.length(shapes)
    inside = set(paths["COMID"][rest > 0.9999].astype(str))
    assert inside == set(found.tables["LEFT_OUT"]["feature"])
