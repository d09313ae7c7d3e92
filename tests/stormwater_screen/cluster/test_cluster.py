"""Runs in partitions: the answers of one run, whatever dies on the way."""

from __future__ import annotations

import json
import os
import shutil
import signal
import threading
import time
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
import pyogrio
import pytest
from distributed import Client
from shapely.geometry import LineString, Point, box

from stormwater_screen.cluster import running
from stormwater_screen.cluster.preparing import partitions
from stormwater_screen.command.main import main
from stormwater_screen.plane import plane_keys
from tests.benchmark.county import SOUTH, WEST, write_dem
from tests.cluster_runs import OneProcess, arguments, run_small, stamps
from tests.command_line import assert_same, run_file
from tests.toolbox import sample_parameters

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

BANGOR_STREAMS = ("streams_impaired_flag", "drainage_draw", "ditch", "rivers")


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample town as a run file, screened by one run beside it."""
    folder = tmp_path_factory.mktemp("town")
    path = run_file(folder / "run.json", sample_parameters())
    assert main(arguments("screen", path, folder / "one")) == 0
    return path


def test_bangor_has_the_same_answers_in_partitions(
    shared_data: Path, tmp_path: Path, one_process: OneProcess
) -> None:
    source = f"{shared_data / 'bangor' / 'bangor.gpkg'}|layername="
    parcels = pyogrio.read_dataframe(shared_data / "bangor" / "bangor.gpkg", layer="parcels")
    west = parcels.bounds["minx"].rank(method="first") <= 160
    pyogrio.write_dataframe(parcels[west], tmp_path / "parcels.gpkg")
    given = run_file(
        tmp_path / "run.json",
        {
            "SITES": str(tmp_path / "parcels.gpkg"), "SITE_ID": "MAP_LOT", "AS_OF": "2025-06-01",
            "DISTURBANCE": f"{source}buildings", "WATER_BODIES": f"{source}ponds",
            "WATERCOURSES": [f"{source}{name}" for name in BANGOR_STREAMS],
            "WETLANDS": f"{source}wetlands_nwi", "SOILS": f"{source}soils_ssurgo",
            "IMPAIRED": f"{source}streams_impaired_flag", "IMPAIRED_NAME_FIELD": "Name",
            "IMPAIRED_STATUS_FIELD": "Impaired", "IMPAIRED_STATUS_VALUES": "Y",
            "DEM": str(shared_data / "bangor" / "dem_ft.tif"), "DEM_Z_UNIT": "foot",
        },
    )  # fmt: skip
    assert main(arguments("screen", given, tmp_path / "one")) == 0

    more = ("--WORK", tmp_path / "work", "--PARTITION_SITES", "80")
    assert main(arguments("cluster", given, tmp_path / "two", *more)) == 0

    assert sum(name == "make_part" for name, *_ in one_process.done) == 2
    assert_same(tmp_path / "one", tmp_path / "two", least=160)


def _write(folder: Path, table: str, shapes: list[Any], **columns: list[Any]) -> str:
    frame = gpd.GeoDataFrame(columns, geometry=shapes, crs="EPSG:26918")
    pyogrio.write_dataframe(frame, folder / "villages.gpkg", layer=table)
    return f"{folder}/villages.gpkg|layername={table}"


def _villages(folder: Path) -> Path:
    """Write three villages, one 20 miles from the first and one on the next working plane.

    Most layers have features near one of them only.
    """
    y = SOUTH + 300
    starts = (WEST + 300, WEST + 32_500, WEST + 90_000)
    lots = [box(x + 70 * n, y, x + 70 * n + 60, y + 60) for x in starts for n in range(8)]
    first, second, third = starts
    write_dem(folder / "dem.tif", 900.0, 5.0)
    brooks = [
        LineString([(first - 50, y - 40), (first + 700, y - 40)]),
        LineString([(second + 700, y - 40), (second - 50, y - 40)]),
    ]
    drawn = [
        # Over all lots of a village, over two neighbours, and beside all of them.
        box(first + 10, y + 10, first + 545, y + 30),
        box(second + 215, y + 10, second + 310, y + 40),
        box(third, y + 80, third + 40, y + 120),
        None,
    ]
    covered = [box(x - 900, y - 900, x + 900, y + 900) for x in (first, first, second)]
    kinds = ["critical environmental area", "habitat", "historic district"]
    given: dict[str, Any] = {
        "SITES": _write(
            folder, "lots", [*lots, None],
            lot=[f"L{n}" for n in range(25)],
            plan=[("P" if n % 3 else "Q" if n % 2 else "none") for n in range(24)] + ["P"],
            dist=[None if n % 5 else 900.0 * n for n in range(25)],
            busy=pd.array([None, True, False, True, False] * 5, dtype="boolean"),
        ),
        "SITE_ID": "lot", "HIGH_TRAFFIC_FIELD": "busy", "PLAN_FIELD": "plan",
        "DISTURBED_FIELD": "dist", "AS_OF": "2025-06-01",
        "DEM": str(folder / "dem.tif"), "DEM_Z_UNIT": "metre",
        "DISTURBANCE": _write(folder, "limits", drawn),
        "BUILDING_CENTRES": _write(
            folder, "centres", [Point(x + dx, y + 30) for x in starts for dx in (30, 65, 95)]
        ),
        "WATERCOURSES": [_write(folder, "brooks", brooks, GNIS_NAME=["One", "Two"])],
        "IMPAIRED": [_write(folder, "listed", brooks[:1], name=["One"], pollutant=["silt"])],
        "IMPAIRED_NAME_FIELD": "name", "IMPAIRED_POLLUTANT_FIELD": "pollutant",
        "WETLANDS": _write(folder, "marsh", [box(second, y + 100, second + 90, y + 200)]),
        "WATER_SUPPLIES": _write(folder, "wells", [Point(third + 20, y + 90)], name=["Well"]),
        "SENSITIVE": [
            _write(
                folder, "areas",
                [box(x, y + 300, x + 50, y + 350) for x in (first, second, third)], kind=kinds,
            )
        ],
        "COVERAGE": _write(
            folder, "coverage", covered, role=["WATERCOURSES", "IMPAIRED", "WATERCOURSES"]
        ),
        "SOILS": _write(folder, "soils", [box(first, y, first + 250, y + 60)], hsg=["B"]),
        "SOIL_GROUP_FIELD": "hsg",
    }  # fmt: skip
    return run_file(folder / "run.json", given)


def test_villages_far_apart_have_the_same_answers_in_partitions(
    tmp_path: Path, one_process: OneProcess
) -> None:
    given = _villages(tmp_path)
    assert main(arguments("screen", given, tmp_path / "one")) == 0

    more = ("--WORK", tmp_path / "work", "--PARTITION_SITES", "4")
    assert main(arguments("cluster", given, tmp_path / "two", *more)) == 0

    assert [task for task in one_process.done if task[0] == "survey_plane"] == [
        ("survey_plane", 43, -74), ("survey_plane", 43, -73)
    ]  # fmt: skip
    assert sum(name == "make_part" for name, *_ in one_process.done) == 6
    assert_same(tmp_path / "one", tmp_path / "two", least=25)
    findings = pyogrio.read_dataframe(tmp_path / "two" / "findings.gpkg")
    found = set(findings["rule"])
    assert {"disturbance_split", "area_outside_sites", "plan_summed", "geometry"} <= found
    records = [
        json.loads((tmp_path / name / "screened.record.json").read_text("utf-8"))
        for name in ("one", "two")
    ]
    assert records[0]["results"] == {**records[0]["results"], **records[1]["results"]}
    notes = [set(record["notes"]) for record in records]
    assert notes[0] == notes[1]
    assert "lots: field dist is empty on 20 features" in notes[0]
    assert "limits: 1 feature without a usable geometry (no geometry)" in notes[0]


def test_the_sample_town_has_the_same_answers_where_a_worker_is_killed(
    town: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed: list[int] = []
    make_parts = running.make_parts

    def kill_one(begun: Any, client: Client, say: Any) -> None:
        client.wait_for_workers(2, timeout=60)
        workers = sorted(client.run(os.getpid).values())
        assert len(workers) == 2

        def kill() -> None:
            parts = begun.run.path("parts")
            while not list(parts.glob("*.json")):
                time.sleep(0.02)
            os.kill(workers[0], signal.SIGKILL)
            killed.append(workers[0])

        thread = threading.Thread(target=kill, daemon=True)
        thread.start()
        make_parts(begun, client, say)
        thread.join()

    monkeypatch.setattr(running, "make_parts", kill_one)

    more = ("--WORK", tmp_path / "work", "--PARTITION_SITES", "14", "--PROCESSES", "2")
    assert main(arguments("cluster", town, tmp_path / "out", *more)) == 0

    assert len(killed) == 1
    assert len(stamps(tmp_path / "work")) == 4
    # Common plans and limits of disturbance reach over several partitions.
    assert len(json.loads((tmp_path / "work" / "plans" / "all.json").read_text("utf-8"))["row"]) > 5
    assert_same(town.parent / "one", tmp_path / "out", least=56)
    first, second = (
        json.loads((folder / "screened.record.json").read_text("utf-8"))
        for folder in (town.parent / "one", tmp_path / "out")
    )
    assert first["results"]["checksum"] == second["results"]["checksum"]
    assert first["counts"] == second["counts"]


def test_no_sites_are_one_empty_partition(
    small: tuple[Path, Path], one_process: OneProcess
) -> None:
    folder, given = small
    lots = pyogrio.read_dataframe(folder / "lots.gpkg")
    pyogrio.write_dataframe(lots.iloc[:0], folder / "lots.gpkg", geometry_type="Polygon")

    assert run_small(folder, given) == 0

    for name in ("screened", "findings", "zones"):
        assert pyogrio.read_info(folder / "out" / f"{name}.gpkg")["features"] == 0


def _raw_layers(folder: Path, formats: Path) -> Path:
    """Write twelve lots and raw layers of agencies, of which most lie far from the first lots."""
    x, y = WEST + 300, SOUTH + 300
    starts = [x + 70 * n + (32_000 if n > 5 else 0) for n in range(12)]
    far = starts[-1]
    shutil.copytree(formats / "ssurgo_tx347" / "tabular", folder / "tabular")
    (folder / "spatial").mkdir()
    ground = [box(x - 50, y - 50, x + 250, y + 90), box(far - 300, y - 50, far + 90, y + 90)]
    soils = gpd.GeoDataFrame({"MUKEY": ["575618", "575620"]}, geometry=ground, crs="EPSG:26918")
    pyogrio.write_dataframe(soils, folder / "spatial" / "soilmu_a_tx347.shp")
    brooks = [LineString([(at - 50, y - 40), (at + 400, y - 40)]) for at in (x, far - 300, far)]
    waters = [box(far, y + 90, far + 60, y + 140), box(far - 200, y + 90, far - 150, y + 140)]
    given = {
        "SITES": _write(
            folder, "lots", [box(at, y, at + 60, y + 60) for at in starts],
            lot=[f"L{n}" for n in range(12)],
        ),
        "AS_OF": "2025-06-01",
        "SOILS": str(folder / "spatial" / "soilmu_a_tx347.shp"),
        "IMPAIRED": [
            _write(
                folder, "attains", brooks, assessmentunitidentifier=["A", "B", "C"],
                assessmentunitname=["Brook", "Creek", "Run"], reportingcycle=[2024.0] * 3,
                ircategory=["5", "4A", "5"], sediment=["Cause", "Cause", None],
            )
        ],
        "WATER_BODIES": [
            _write(folder, "lakes", waters[1:], GNIS_NAME=["Long Pond"]),
            _write(folder, "nwi", [*waters, waters[0]], ATTRIBUTE=["L1UBH", "PUBH", "PEM1E"]),
        ],
        # The layer reaches out of the park that it leaves out.
        "WETLANDS": _write(
            folder, "dec", [waters[0], box(x, y - 150_000, x + 60, y - 149_900)],
            WETID_1=["GF-1", "A-1"], CLASS=[2, 3],
        ),
    }  # fmt: skip
    return run_file(folder / "run.json", given)


def test_raw_data_of_agencies_is_prepared_once_and_the_answers_are_those_of_one_run(
    tmp_path: Path, shared_data: Path, one_process: OneProcess
) -> None:
    given = _raw_layers(tmp_path, shared_data / "formats")
    assert main(arguments("screen", given, tmp_path / "one")) == 0
    work = tmp_path / "work"
    line = arguments("cluster", given, tmp_path / "two", "--WORK", work, "--PARTITION_SITES", "6")

    assert main(line) == 0

    made = sorted(path.name for path in (work / "layers").iterdir())
    assert made == [
        f"{name}.gpkg" for name in ("COVERAGE_0", "IMPAIRED_0", "SOILS_0", "WATER_BODIES_1")
    ]
    assert_same(tmp_path / "one", tmp_path / "two", least=12)
    found = pyogrio.read_dataframe(tmp_path / "two" / "screened.gpkg")
    assert found["soil_grp"].nunique() > 1
    records = [
        json.loads((tmp_path / name / "screened.record.json").read_text("utf-8"))
        for name in ("one", "two")
    ]
    # Features that several partitions may see are counted as at least so many.
    notes = [{note.replace("at least ", "") for note in record["notes"]} for record in records]
    assert notes[0] == notes[1]
    assert records[0]["parameters"] == records[1]["parameters"]

    # Taken up again, what was made is taken as it is.
    (work / "parts" / "00001.json").unlink()
    stamps = {path: path.stat().st_mtime_ns for path in (work / "layers").iterdir()}
    assert main(line) == 0
    assert {path: path.stat().st_mtime_ns for path in (work / "layers").iterdir()} == stamps
    assert_same(tmp_path / "one", tmp_path / "two", least=12)


def test_partitions_are_neighbours_and_sites_without_a_place_join_the_first_placed_one() -> None:
    shapes = []
    for n in range(64):
        x, y = 606_000.0 + 70 * (n % 8), 4_809_000.0 + 70 * (n // 8)
        shapes.append(box(x, y, x + 60, y + 60))
    geometry = np.array([None, *shapes, None], dtype=object)
    sites = gpd.GeoDataFrame(geometry=geometry, crs="EPSG:26918")

    found = partitions(sites, plane_keys(sites), 16)

    assert np.bincount(found[1:-1]).tolist() == [16, 16, 16, 16]
    assert found[0] == found[-1] == found[1]
    # Sixteen of a square of 64 lie in a square of four times four: a quarter of its bounds.
    for number in range(4):
        west, south, east, north = sites.geometry[np.flatnonzero(found == number)].total_bounds
        assert max(east - west, north - south) <= 4 * 70
