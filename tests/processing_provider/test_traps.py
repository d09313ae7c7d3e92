"""Traps of Processing, each through `processing.run` and through the `qgis_process` executable."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from osgeo import gdal, ogr, osr

# pyogrio turns messages that GDAL has for QGIS into warnings of Python.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

X, Y = 603_000.0, 4_809_000.0
"""A place near Lake George village in EPSG:26918."""

SAMPLE_DEM = Path(__file__).parents[2] / "resources" / "sample" / "dem.tif"

Run = Callable[..., dict[str, Any]]


class RefusedError(Exception):
    """A run that failed, with what it said."""


def _box(column: int, size: float = 60.0) -> str:
    x = X + 100 * column
    corners = ((x, Y), (x + size, Y), (x + size, Y + size), (x, Y + size), (x, Y))
    return "POLYGON((" + ",".join(f"{a} {b}" for a, b in corners) + "))"


def _bow_tie(column: int) -> str:
    x = X + 100 * column
    corners = ((x, Y), (x + 60, Y + 60), (x + 60, Y), (x, Y + 60), (x, Y))
    return "POLYGON((" + ",".join(f"{a} {b}" for a, b in corners) + "))"


def _write(
    path: Path,
    shapes: list[str | bytes | None],
    *,
    kind: int = ogr.wkbUnknown,
    epsg: int | None = 26918,
    layer: str | None = None,
    **columns: list[Any],
) -> str:
    """Write a GeoPackage layer with shapes in WKT or WKB and text or number columns."""
    with gdal.ExceptionMgr(), ogr.ExceptionMgr(), osr.ExceptionMgr():
        driver = gdal.GetDriverByName("GPKG")
        dataset = (
            gdal.OpenEx(str(path), gdal.OF_VECTOR | gdal.OF_UPDATE)
            if path.exists()
            else driver.Create(str(path), 0, 0, 0, gdal.GDT_Unknown)
        )
        reference = osr.SpatialReference()
        if epsg:
            reference.ImportFromEPSG(epsg)
        table = dataset.CreateLayer(layer or path.stem, reference if epsg else None, kind)
        for name, values in columns.items():
            number = all(isinstance(value, int | float) for value in values)
            table.CreateField(ogr.FieldDefn(name, ogr.OFTReal if number else ogr.OFTString))
        for at, shape in enumerate(shapes):
            feature = ogr.Feature(table.GetLayerDefn())
            for name, values in columns.items():
                feature[name] = values[at]
            if shape is not None:
                make = (
                    ogr.CreateGeometryFromWkb
                    if isinstance(shape, bytes)
                    else ogr.CreateGeometryFromWkt
                )
                feature.SetGeometry(make(shape))
            table.CreateFeature(feature)
        dataset.Close()
    return f"{path}|layername={layer or path.stem}"


def _rows(path: Path | str) -> list[dict[str, Any]]:
    with gdal.ExceptionMgr(), ogr.ExceptionMgr():
        dataset = gdal.OpenEx(str(path), gdal.OF_VECTOR)
        return [
            {**feature.items(), "geometry": _has_shape(feature)} for feature in dataset.GetLayer(0)
        ]


def _has_shape(feature: ogr.Feature) -> bool:
    # QGIS writes a NULL geometry as an empty one into most formats.
    shape = feature.GetGeometryRef()
    return shape is not None and not shape.IsEmpty()


def _executable(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["qgis_process", *arguments], capture_output=True, text=True, timeout=120, **options
    )


def _run_in_executable(**given: Any) -> dict[str, Any]:
    """Run through JSON on standard input; what comes on standard output must be JSON alone."""
    done = _executable("run", "stormwater:screensites", "-", input=json.dumps({"inputs": given}))
    if done.returncode:
        raise RefusedError(done.stdout + done.stderr)
    return dict(json.loads(done.stdout)["results"])


def _run_in_python(**given: Any) -> dict[str, Any]:
    import processing
    from qgis.core import QgsProcessingException

    try:
        return dict(processing.run("stormwater:screensites", given))
    except QgsProcessingException as error:
        raise RefusedError(str(error)) from error


@pytest.fixture(params=["python", "executable"])
def run(request: pytest.FixtureRequest, qgis_processing: object) -> Run:
    return _run_in_python if request.param == "python" else _run_in_executable


@pytest.fixture
def sites(tmp_path: Path) -> str:
    return _write(tmp_path / "parcels.gpkg", [_box(0), _box(1)], PIN=["a", "b"], dist=[4000, 9000])


def _left(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"parcels.gpkg"}


def test_dirty_sites_all_come_out_in_order_with_their_own_columns(run: Run, tmp_path: Path) -> None:
    unclosed = bytes(ogr.CreateGeometryFromWkt(_box(5)).ExportToIsoWkb())[:-16]
    unclosed = unclosed[:9] + (4).to_bytes(4, "little") + unclosed[13:]
    x = X + 300
    circle = f"{x} {Y},{x + 30} {Y + 30},{x + 60} {Y},{x + 30} {Y - 30},{x} {Y}"
    curve = f"CURVEPOLYGON(CIRCULARSTRING({circle}))"
    flat = _box(4)[len("POLYGON((") : -2]
    high = "POLYGON Z((" + ",".join(f"{pair} 100" for pair in flat.split(",")) + "))"
    shapes = [_box(0), _bow_tie(1), None, curve, high, unclosed, "POLYGON EMPTY", _box(7)]
    source = _write(
        tmp_path / "parcels.gpkg",
        shapes,
        PIN=[None if at == 3 else f"lot {at % 4}" for at in range(8)],
        **{"class": ["own"] * 8, "run_id": ["mine"] * 8},
    )

    done = run(
        SITES=source,
        SITE_ID="PIN",
        ORDINANCE="lake_george",
        SCREENED=str(tmp_path / "out.gpkg"),
        FINDINGS=str(tmp_path / "findings.csv"),
        ZONES=str(tmp_path / "zones.shp"),
        SUMMARY=str(tmp_path / "page.html"),
    )

    rows = _rows(tmp_path / "out.gpkg")
    assert done["SITE_COUNT"] == 8
    assert [row["row"] for row in rows] == list(range(1, 9))
    assert [row["PIN"] for row in rows] == [None if at == 3 else f"lot {at % 4}" for at in range(8)]
    assert {row["src_class"] for row in rows} == {"own"}
    assert {row["src_run_id"] for row in rows} == {"mine"}
    assert [row["geometry"] for row in rows][:5] == [True, True, False, True, True]
    assert all(row["class"] for row in rows)
    assert (tmp_path / "page.html").read_text().startswith("<")
    assert {path.stem for path in tmp_path.iterdir()} == {
        "parcels",
        "out",
        "out.record",
        "findings",
        "zones",
        "page",
    }


def test_a_repeated_fid_loses_no_row(run: Run, tmp_path: Path) -> None:
    corners = [[-73.71, 43.42], [-73.7095, 43.42], [-73.71, 43.4205], [-73.71, 43.42]]
    shape = {"type": "Polygon", "coordinates": [corners]}
    features = [
        {"type": "Feature", "properties": {"fid": fid}, "geometry": shape} for fid in (7, 7, None)
    ]
    source = tmp_path / "parcels.geojson"
    source.write_text(json.dumps({"type": "FeatureCollection", "features": features}))

    run(SITES=str(source), SCREENED=str(tmp_path / "out.gpkg"))

    assert [row["src_fid"] for row in _rows(tmp_path / "out.gpkg")] == [7, 7, None]


def test_in_a_shapefile_no_own_name_takes_the_place_of_ours(
    qgis_processing: object, tmp_path: Path
) -> None:
    own = {"disturb_sf_planned": ["a"], "class": ["b"], "reasons_given_by_owner": ["c"]}
    source = _write(tmp_path / "parcels.gpkg", [_box(0)], **own)

    done = _run_in_python(
        SITES=source,
        SCREENED=str(tmp_path / "out.shp"),
        FINDINGS=str(tmp_path / "findings.shp"),
        SUMMARY="TEMPORARY_OUTPUT",
    )

    (row,) = _rows(tmp_path / "out.shp")
    assert (row["src_distur"], row["src_class"], row["reasons_gi"]) == ("a", "b", "c")
    assert row["disturb_sf"] == pytest.approx(60 * 60 / 0.3048**2, rel=1e-3)
    assert done["FINDINGS"] == str(tmp_path / "findings.dbf")
    assert _rows(done["FINDINGS"])
    assert Path(done["SUMMARY"]).read_text().startswith("<")


@pytest.mark.parametrize("suffix", ["gpkg", "shp", "geojson", "csv", "fgb", "sqlite"])
def test_every_format_keeps_all_rows_and_their_order(
    qgis_processing: object, tmp_path: Path, suffix: str
) -> None:
    shapes = [_box(5), _box(2), None, _box(9), "POLYGON EMPTY", _box(1)]
    source = _write(tmp_path / "parcels.gpkg", shapes, lot=list("abcdef"))
    places = {name: str(tmp_path / f"{name}.{suffix}") for name in ("SCREENED", "FINDINGS")}

    done = _run_in_python(SITES=source, **places)

    assert [row["lot"] for row in _rows(done["SCREENED"])] == list("abcdef")
    assert Path(done["FINDINGS"]).is_file()


@pytest.mark.parametrize("suffix", ["gpkg", "shp", "geojson", "csv", "fgb"])
def test_objects_in_own_columns_are_kept_as_text(
    qgis_processing: object, tmp_path: Path, suffix: str
) -> None:
    corners = [[-73.71, 43.42], [-73.7095, 43.42], [-73.7095, 43.4205], [-73.71, 43.42]]
    shape = {"type": "Polygon", "coordinates": [corners]}
    owners = ({"name": "Zoë", "share": [1, 2]}, [1, "b"], None)
    features = [
        {"type": "Feature", "properties": {"owner": owner}, "geometry": shape} for owner in owners
    ]
    source = tmp_path / "parcels.geojson"
    source.write_text(json.dumps({"type": "FeatureCollection", "features": features}))

    done = _run_in_python(SITES=str(source), SCREENED=str(tmp_path / f"out.{suffix}"))

    found = [json.loads(row["owner"] or "null") for row in _rows(done["SCREENED"])]
    assert found == list(owners)


def test_no_sites_give_no_rows(run: Run, tmp_path: Path) -> None:
    source = _write(tmp_path / "parcels.gpkg", [], kind=ogr.wkbMultiPolygon, PIN=[])
    places = {
        "SCREENED": str(tmp_path / "out.gpkg"),
        "FINDINGS": str(tmp_path / "findings.gpkg"),
        "ZONES": str(tmp_path / "zones.gpkg"),
        "SUMMARY": str(tmp_path / "page.html"),
    }

    done = run(SITES=source, **places)

    assert done["SITE_COUNT"] == 0
    assert _rows(tmp_path / "out.gpkg") == []
    assert all(Path(place).is_file() for place in places.values())


def test_empty_parameters_as_the_window_hands_them_over_count_as_not_given(
    qgis_processing: Any, sites: str, tmp_path: Path
) -> None:
    from qgis.core import NULL, Qgis

    algorithm = qgis_processing.createAlgorithmById("stormwater:screensites")
    empty = {
        definition.name(): NULL if definition.type() in ("field", "file") else None
        for definition in algorithm.parameterDefinitions()
        if definition.flags() & Qgis.ProcessingParameterFlag.Optional
    }
    empty.update(IMPAIRED_STATUS_VALUES="", WATER_BODIES=[])

    done = _run_in_python(**empty, SITES=sites, SCREENED="TEMPORARY_OUTPUT")

    assert done["SCREENED"].featureCount() == done["SITE_COUNT"] == 2
    assert not {"FINDINGS", "ZONES", "SUMMARY"} & set(done)


def test_a_second_screening_replaces_the_columns_of_the_first(
    qgis_processing: object, sites: str, tmp_path: Path
) -> None:
    for number, suffix in enumerate(("shp", "gpkg", "shp")):
        out = tmp_path / f"out{number}.{suffix}"
        _run_in_python(SITES=sites, SCREENED=str(out))
        sites = str(out)

    first, last = _rows(tmp_path / "out0.shp"), _rows(tmp_path / "out2.shp")
    assert set(last[0]) - {"fid", "src_fid"} == set(first[0]) - {"fid"}
    assert "src_class" not in last[0]


REFUSALS = {
    "a mistyped name": ({"SITE_IDS": "PIN"}, "SITE_IDS: no parameter.*mean SITE_ID"),
    "a word that is none": ({"ORDINANCE": "lake_georg"}, "Needed: one of lake_george, wilton"),
    "a number for a word": ({"PROJECT_TYPE": 0}, "Needed: one of single_family"),
    "a date that is none": ({"AS_OF": "yesterday"}, "AS_OF"),
    "a number that is none": ({"WATER_ERROR_FT": "nan"}, "WATER_ERROR_FT: nan"),
    "band 0": ({"DEM": "{dem}", "DEM_BAND": 0}, "DEM_BAND: band 0"),
    "a band that is none": ({"DEM": "{dem}", "DEM_BAND": "red"}, "DEM_BAND: band red"),
    "a field that is none": ({"DISTURBED_FIELD": "disturbed"}, "no field disturbed.*PIN, dist"),
    "lines for polygons": ({"DISTURBANCE": "{roads}"}, r"DISTURBANCE \(roads\): a line layer"),
    "lines for polygons among several": ({"WATER_BODIES": ["{roads}"]}, "a line layer"),
    "several layers and none named": ({"WETLANDS": "{town}"}, "none named: ponds, roads"),
    "no such layer": ({"WETLANDS": "{town}|layername=wet"}, "WETLANDS"),
    "a date before the first text": ({"AS_OF": "1900-01-01"}, "no text in force on 1900-01-01"),
    "no CRS": ({"WETLANDS": "{nowhere}"}, r"WETLANDS \(nowhere\).*no coordinate reference system"),
    "an input for output": ({"SCREENED": "{parcels}"}, "SCREENED: .* is also input SITES"),
    "an input without its suffix for output": (
        {"FINDINGS": "{folder}/parcels"},
        "FINDINGS: .*parcels.gpkg is also input SITES",
    ),
    "one file for two outputs": ({"ZONES": "{out}"}, "is also output SCREENED"),
    "a file of other layers for output": ({"ZONES": "{town}"}, "2 layers that would be lost: pon"),
    "no such folder": ({"SUMMARY": "{out}/page.html"}, "SUMMARY: no folder"),
    "status without values": ({"IMPAIRED_STATUS_FIELD": "state"}, "one without the other"),
    "a table in a path": ({"SCREENED": "{out}|layername=a"}, "a table of a GeoPackage as"),
}
IN_EXECUTABLE = (
    "a mistyped name",
    "a field that is none",
    "lines for polygons",
    "several layers and none named",
    "a date before the first text",
    "no CRS",
    "an input for output",
)


@pytest.mark.parametrize(
    ("way", "case"),
    [("python", case) for case in REFUSALS] + [("executable", case) for case in IN_EXECUTABLE],
)
def test_what_cannot_be_meant_is_refused_and_nothing_is_touched(
    qgis_processing: object, sites: str, tmp_path: Path, way: str, case: str
) -> None:
    files = tmp_path / "files"
    files.mkdir()
    _write(files / "town.gpkg", [_box(0)], kind=ogr.wkbPolygon, layer="ponds")
    line = f"LINESTRING({X} {Y},{X + 10} {Y})"
    _write(files / "town.gpkg", [line], kind=ogr.wkbLineString, layer="roads")
    _write(files / "nowhere.gpkg", [_box(0)], kind=ogr.wkbPolygon, epsg=None)
    places = {
        "{parcels}": sites.partition("|")[0],
        "{roads}": f"{files}/town.gpkg|layername=roads",
        "{town}": f"{files}/town.gpkg",
        "{nowhere}": f"{files}/nowhere.gpkg",
        "{out}": f"{tmp_path}/out.gpkg",
        "{folder}": str(tmp_path),
        "{dem}": str(SAMPLE_DEM),
    }

    def fill(value: Any) -> Any:
        if isinstance(value, list):
            return [fill(one) for one in value]
        for mark, place in places.items():
            value = value.replace(mark, place) if isinstance(value, str) else value
        return value

    given, message = REFUSALS[case]
    before = Path(places["{parcels}"]).read_bytes()
    everything = {
        "SITES": sites,
        "ORDINANCE": "wilton",
        "SCREENED": str(tmp_path / "out.gpkg"),
        **{name: fill(value) for name, value in given.items()},
    }

    with pytest.raises(RefusedError, match=message):
        (_run_in_python if way == "python" else _run_in_executable)(**everything)

    assert _left(tmp_path) == {"files"}
    assert Path(places["{parcels}"]).read_bytes() == before


def test_an_output_onto_the_source_of_a_virtual_layer_is_refused(
    qgis_processing: object, sites: str, tmp_path: Path
) -> None:
    from qgis.core import QgsVectorLayer

    file = sites.partition("|")[0]
    query = f"?query=SELECT * FROM lots&layer=ogr:{file}:lots:UTF-8"
    with pytest.raises(RefusedError, match=r"SCREENED: .* is also input SITES"):
        _run_in_python(SITES=QgsVectorLayer(query, "chosen", "virtual"), SCREENED=file)


def test_a_full_disk_ends_the_run_and_the_good_output_stays(sites: str, tmp_path: Path) -> None:
    out = tmp_path / "out.gpkg"
    out.write_bytes(b"good")

    def little_room() -> None:
        # The signal would end the program; ignored, the write fails as on a full disk.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))

    done = _executable(
        "run",
        "stormwater:screensites",
        f"--SITES={sites}",
        f"--SCREENED={out}",
        f"--SUMMARY={tmp_path / 'page.html'}",
        preexec_fn=little_room,
    )

    assert done.returncode != 0
    assert "SCREENED" in done.stderr + done.stdout
    assert out.read_bytes() == b"good"
    assert _left(tmp_path) == {"out.gpkg"}


def test_ctrl_c_ends_the_run_within_two_seconds_and_leaves_nothing(tmp_path: Path) -> None:
    source = _write(tmp_path / "parcels.gpkg", [_box(at) for at in range(150)] * 40)
    process = subprocess.Popen(
        ["qgis_process", "run", "stormwater:screensites", f"--SITES={source}",
         f"--SCREENED={tmp_path / 'out.gpkg'}"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    # The first step of the progress bar is shown when the algorithm has begun.
    while (character := process.stdout.read(1)) and character != "0":
        pass
    process.send_signal(signal.SIGINT)
    begun = time.monotonic()
    said = process.communicate(timeout=60)[0]

    assert time.monotonic() - begun < 2.5
    assert process.returncode != 0
    assert "Cancelled" in said
    assert _left(tmp_path) == set()


def test_a_cancelled_run_raises(qgis_processing: object, sites: str, tmp_path: Path) -> None:
    import processing
    from qgis.core import QgsProcessingException, QgsProcessingFeedback

    feedback = QgsProcessingFeedback(False)
    feedback.cancel()
    with pytest.raises(QgsProcessingException, match="Cancelled"):
        processing.run(
            "stormwater:screensites",
            {"SITES": sites, "SCREENED": str(tmp_path / "out.gpkg")},
            feedback=feedback,
        )

    assert _left(tmp_path) == set()


def test_a_package_too_old_is_told_when_the_run_starts(sites: str, tmp_path: Path) -> None:
    old = tmp_path / "old"
    (old / "rasterio").mkdir(parents=True)
    (old / "rasterio" / "__init__.py").touch()
    (old / "rasterio-0.1.dist-info").mkdir()
    (old / "rasterio-0.1.dist-info" / "METADATA").write_text("Name: rasterio\nVersion: 0.1\n")
    environment = {**os.environ, "PYTHONPATH": f"{old}:{os.environ['PYTHONPATH']}"}

    done = _executable(
        "run",
        "stormwater:screensites",
        f"--SITES={sites}",
        f"--SCREENED={tmp_path / 'out.gpkg'}",
        env=environment,
    )

    assert done.returncode != 0
    assert "rasterio: 0.1 found, 1.4 or newer is needed" in done.stderr + done.stdout
    assert _left(tmp_path) == {"old"}


def test_the_toolbox_says_which_packages_are_missing(
    qgis_processing: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from stormwater_screening.processing_provider import base

    algorithm = qgis_processing.createAlgorithmById("stormwater:screensites")
    assert algorithm.canExecute() == (True, "")

    monkeypatch.setattr(base, "missing_packages_message", lambda: "rasterio: not found")
    assert algorithm.canExecute() == (False, "rasterio: not found")


def test_plain_arguments_run_and_the_help_lists_the_words(sites: str, tmp_path: Path) -> None:
    helped = _executable("help", "stormwater:screensites")
    done = _executable(
        "run",
        "stormwater:screensites",
        f"--SITES={sites}",
        "--ORDINANCE=wayne_county",
        "--AS_OF=2024-05-06",
        f"--SCREENED={tmp_path / 'out.gpkg'}",
    )

    assert "Words: lake_george, wilton, shelter_island, wayne_county." in helped.stdout
    assert (helped.returncode, done.returncode) == (0, 0)
    assert "SITE_COUNT:\t2" in done.stdout
    assert len(_rows(tmp_path / "out.gpkg")) == 2


def test_a_status_that_no_listed_water_has_is_refused_not_taken_as_unlisted(
    run: Run, sites: str, tmp_path: Path
) -> None:
    streams = _write(tmp_path / "streams.gpkg", [_box(0), _box(1)], on303dlist=["Y", "N"])
    given = {"SITES": sites, "IMPAIRED": [streams], "IMPAIRED_STATUS_FIELD": "on303dlist"}
    with pytest.raises(RefusedError, match="IMPAIRED_STATUS_VALUES: no feature has Listed"):
        run(**given, IMPAIRED_STATUS_VALUES="Listed", SCREENED=str(tmp_path / "out.gpkg"))
    assert not (tmp_path / "out.gpkg").exists()
    done = run(**given, IMPAIRED_STATUS_VALUES="y", SCREENED=str(tmp_path / "out.gpkg"))
    assert done["SITE_COUNT"] == 2
