"""Runs in partitions: the answers of one run, whatever dies, stops or changes on the way."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
import pyogrio
import pytest
from distributed import Client
from pyogrio.errors import DataSourceError
from shapely.geometry import LineString, Point, box

from stormwater_screen.cluster import running, tasks
from stormwater_screen.cluster.folder import file_state, load_run
from stormwater_screen.cluster.preparing import partitions
from stormwater_screen.cluster.tasks import make_part, measure_plans, survey_plane
from stormwater_screen.command import cluster
from stormwater_screen.command.main import main
from stormwater_screen.plane import plane_keys
from tests.benchmark.county import SOUTH, WEST, write_dem
from tests.command_line import assert_same, command, environment, outputs, run_file
from tests.toolbox import sample_parameters

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

BANGOR_STREAMS = ("streams_impaired_flag", "drainage_draw", "ditch", "rivers")


class OneProcess:
    """Makes each task at once, in this process: what Dask does is tested apart."""

    def __init__(self) -> None:
        self.done: list[tuple[Any, ...]] = []

    def submit(self, work: Any, *given: Any, **_: Any) -> _Done:
        self.done.append((work.__name__, *given[1:]))
        return _Done(work(*given))

    def cancel(self, futures: Any, *, force: bool) -> None:
        assert force

    def scheduler_info(self) -> dict[str, Any]:
        return {"workers": {"this": {}}}


class _Done:
    status = "finished"

    def __init__(self, outcome: Any) -> None:
        self._outcome = outcome

    def result(self) -> Any:
        return self._outcome

    def release(self) -> None:
        self._outcome = None


@pytest.fixture
def one_process(monkeypatch: pytest.MonkeyPatch) -> OneProcess:
    return _in_this_process(monkeypatch)


def _in_this_process(monkeypatch: pytest.MonkeyPatch) -> OneProcess:
    client = OneProcess()

    class Workers:
        def __enter__(self) -> OneProcess:
            return client

        def __exit__(self, *error: object) -> None:
            return None

    monkeypatch.setattr(running, "workers", lambda *_: Workers())
    monkeypatch.setattr(running, "as_completed", list)
    return client


def arguments(name: str, given: Path, folder: Path, *more: str | Path) -> list[str]:
    """Return the command line of a run with all outputs in a folder."""
    return list(map(str, (name, "--RUN", given, *outputs(folder), *more)))


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
    assert len(_stamps(tmp_path / "work")) == 4
    # Common plans and limits of disturbance reach over several partitions.
    assert len(json.loads((tmp_path / "work" / "plans" / "all.json").read_text("utf-8"))["row"]) > 5
    assert_same(town.parent / "one", tmp_path / "out", least=56)
    first, second = (
        json.loads((folder / "screened.record.json").read_text("utf-8"))
        for folder in (town.parent / "one", tmp_path / "out")
    )
    assert first["results"]["checksum"] == second["results"]["checksum"]
    assert first["counts"] == second["counts"]


def _stamps(work: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in (work / "parts").glob("*.json")}


@pytest.fixture
def small(tmp_path: Path) -> tuple[Path, Path]:
    """Forty lots along a stream, and the run file."""
    x, y = 606_000.0, 4_809_000.0
    lots = gpd.GeoDataFrame(
        {"lot": [f"L{n}" for n in range(40)]},
        geometry=[box(x + 70 * n, y, x + 70 * n + 60, y + 60) for n in range(40)],
        crs="EPSG:26918",
    )
    pyogrio.write_dataframe(lots, tmp_path / "lots.gpkg")
    ponds = gpd.GeoDataFrame(geometry=[box(x, y + 90, x + 900, y + 130)], crs="EPSG:26918")
    pyogrio.write_dataframe(ponds, tmp_path / "ponds.gpkg")
    given = {"SITES": str(tmp_path / "lots.gpkg"), "WATER_BODIES": str(tmp_path / "ponds.gpkg")}
    return tmp_path, run_file(tmp_path / "run.json", {**given, "AS_OF": "2025-06-01"})


def _small(folder: Path, given: Path, *more: str) -> int:
    work = ("--WORK", folder / "work", "--PARTITION_SITES", "10")
    return main(arguments("cluster", given, folder / "out", *work, *more))


def test_a_run_that_was_killed_makes_only_what_is_missing_when_it_is_begun_again(
    small: tuple[Path, Path], one_process: OneProcess, capfd: pytest.CaptureFixture[str]
) -> None:
    folder, given = small
    work = folder / "work"
    assert main(arguments("screen", given, folder / "one")) == 0
    line = arguments("cluster", given, folder / "out", "--WORK", work, "--PARTITION_SITES", "2")
    process = subprocess.Popen(
        command(*line, "--PROCESSES", "2"), env=environment(), start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    while len(_stamps(work)) < 2:
        assert process.poll() is None
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    before = _stamps(work)
    assert len(before) < 20
    assert not any((folder / "out").iterdir())

    assert main(line) == 0

    assert f"{len(before)} of 20 partitions are there already." in capfd.readouterr().err
    after = _stamps(work)
    assert len(after) == 20
    assert {name: after[name] for name in before} == before
    made = [number for name, *number in one_process.done if name == "make_part"]
    assert len(made) == 20 - len(before)
    assert_same(folder / "one", folder / "out", least=40)


_CLUSTER = """
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    given = dict(threads_per_worker=1, processes=False, dashboard_address=None)
    with LocalCluster(n_workers=0, protocol="tcp://", **given) as cluster:
        print(cluster.scheduler_address, flush=True)
        for line in sys.stdin:
            cluster.scale(int(line))
"""


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A cluster of another program, without workers until their number is written to it."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-c", _CLUSTER], cwd=folder, env=environment(), text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    yield process
    process.communicate(timeout=60)
    assert process.returncode in (0, -signal.SIGKILL)


def test_a_scheduler_that_runs_elsewhere_is_reached_by_its_address_and_goes_on_running(
    small: tuple[Path, Path],
    elsewhere: subprocess.Popen[str],
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder, given = small
    assert main(arguments("screen", given, folder / "one")) == 0
    assert elsewhere.stdout is not None
    assert elsewhere.stdin is not None
    address = elsewhere.stdout.readline().strip()
    stdin, make_parts = elsewhere.stdin, running.make_parts

    def with_a_worker(begun: Any, client: Client, say: Any) -> None:
        def told(text: str) -> None:
            say(text)
            if "no workers yet" in text:
                stdin.write("1\n")
                stdin.flush()

        make_parts(begun, client, told)

    monkeypatch.setattr(running, "make_parts", with_a_worker)

    assert _small(folder, given, "--SCHEDULER", address) == 0

    assert "The scheduler has no workers yet: the run waits for them." in capfd.readouterr().err
    assert_same(folder / "one", folder / "out", least=40)
    assert elsewhere.poll() is None


def test_a_scheduler_that_dies_is_told_and_what_is_done_is_kept(
    small: tuple[Path, Path],
    elsewhere: subprocess.Popen[str],
    capfd: pytest.CaptureFixture[str],
) -> None:
    folder, given = small
    assert elsewhere.stdout is not None
    assert elsewhere.stdin is not None
    address = elsewhere.stdout.readline().strip()
    elsewhere.stdin.write("1\n")
    elsewhere.stdin.flush()

    def kill() -> None:
        while not _stamps(folder / "work"):
            time.sleep(0.01)
        elsewhere.kill()

    threading.Thread(target=kill, daemon=True).start()
    line = arguments("cluster", given, folder / "out", "--WORK", folder / "work")

    assert main([*line, "--PARTITION_SITES", "1", "--SCHEDULER", address]) == 1

    error = capfd.readouterr().err
    assert "Error: Scheduler: the connection is lost (" in error
    assert "the same command goes on where this one stopped." in error
    assert "Traceback" not in error
    assert 0 < len(_stamps(folder / "work")) < 40
    assert list((folder / "out").iterdir()) == []


def test_a_part_that_was_damaged_is_made_again(
    small: tuple[Path, Path], one_process: OneProcess
) -> None:
    folder, given = small
    assert _small(folder, given) == 0
    (folder / "work" / "parts" / "00002.gpkg").write_bytes(b"half a file")
    (folder / "work" / "parts" / "00003.json").write_bytes(b"half a file")
    one_process.done.clear()

    assert _small(folder, given) == 0

    assert one_process.done == [("make_part", 2), ("make_part", 3)]


def test_what_is_not_asked_for_takes_no_place(
    small: tuple[Path, Path], one_process: OneProcess
) -> None:
    folder, given = small
    assert _small(folder, given) == 0
    work, out = folder / "lean", folder / "lean.gpkg"

    assert main(list(map(str, ("cluster", "--RUN", given, "--WORK", work, "--SCREENED", out)))) == 0

    part = work / "parts" / "00000.gpkg"
    assert [pyogrio.read_info(part, layer=name)["features"] for name in ("findings", "zones")] == [
        0, 0
    ]  # fmt: skip
    checksums = [
        json.loads(path.read_text("utf-8"))["results"]["checksum"]
        for path in (folder / "out" / "screened.record.json", folder / "lean.record.json")
    ]
    assert checksums[0] == checksums[1]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda folder: os.utime(folder / "ponds.gpkg"), "files WATER_BODIES"),
        (lambda folder: ["--CONTIGUOUS_FT", "50"], "options contiguous_ft"),
        (lambda folder: ["--ORDINANCE", "wilton"], "law, parameters ORDINANCE"),
        (lambda folder: ["--AS_OF", "2026-01-02"], "as_of, parameters AS_OF"),
        (lambda folder: ["--PARTITION_SITES", "9"], "partition_sites"),
    ],
)
def test_changed_inputs_are_refused_by_name(
    small: tuple[Path, Path],
    one_process: OneProcess,
    capfd: pytest.CaptureFixture[str],
    change: Any,
    told: str,
) -> None:
    folder, given = small
    assert _small(folder, given) == 0
    one_process.done.clear()
    before = {path: path.read_bytes() for path in (folder / "out").iterdir()}

    status = _small(folder, given, *(change(folder) or []))

    assert status == 1
    error = capfd.readouterr().err
    assert "a run of other inputs; changed since it was begun: " in error
    assert told in error
    assert one_process.done == []
    assert {path: path.read_bytes() for path in (folder / "out").iterdir()} == before


def test_the_attributes_of_a_shapefile_belong_to_it(tmp_path: Path) -> None:
    lots = gpd.GeoDataFrame({"n": [1]}, geometry=[box(0, 0, 1, 1)], crs="EPSG:26918")
    pyogrio.write_dataframe(lots, tmp_path / "lots.shp")
    before = file_state(f"{tmp_path}/lots.shp")
    assert file_state(f"{tmp_path}/lots.shp") == before

    os.utime(tmp_path / "lots.dbf", ns=(0, 0))

    assert file_state(f"{tmp_path}/lots.shp") != before


def test_a_run_that_is_taken_up_another_day_keeps_its_own(
    small: tuple[Path, Path], one_process: OneProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, given = small
    run_file(given, {**json.loads(given.read_text("utf-8")), "AS_OF": None})
    assert _small(folder, given, "--AS_OF", "2025-06-01") == 0

    assert _small(folder, given) == 0

    run = load_run(folder / "work")
    assert run is not None
    assert run.as_of == "2025-06-01"


def test_a_task_that_cannot_be_made_says_why_after_some_tries(
    small: tuple[Path, Path], one_process: OneProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, given = small
    assert _small(folder, given) == 0
    (folder / "work" / "parts" / "00001.json").unlink()
    (folder / "ponds.gpkg").rename(folder / "gone.gpkg")
    waits: list[float] = []
    monkeypatch.setattr(tasks.time, "sleep", waits.append)

    outcome = make_part(str(folder / "work"), 1)

    assert outcome["error"].startswith("WATER_BODIES")
    assert "no such file" in outcome["error"]
    assert waits == [1.0, 5.0, 0.0]


def test_a_file_that_is_away_for_a_moment_costs_no_task(
    small: tuple[Path, Path], one_process: OneProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, given = small
    assert _small(folder, given) == 0
    parts = folder / "work" / "parts"
    (parts / "00001.json").unlink()
    (folder / "ponds.gpkg").rename(folder / "gone.gpkg")
    parts.rename(folder / "away")
    (folder / "work" / "parts").write_text("no folder", "utf-8")

    def back(_: float) -> None:
        # First the layer is there again, then the place of the parts.
        if (folder / "gone.gpkg").exists():
            (folder / "gone.gpkg").rename(folder / "ponds.gpkg")
        else:
            parts.unlink()
            (folder / "away").rename(parts)

    monkeypatch.setattr(tasks.time, "sleep", back)

    assert make_part(str(folder / "work"), 1) == {"done": 1}
    assert (parts / "00001.json").exists()


def test_an_error_of_a_task_ends_the_run_without_outputs(
    small: tuple[Path, Path],
    one_process: OneProcess,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder, given = small

    def fails(work: str, number: int) -> Any:
        return make_part(work, number) if number != 2 else {"error": "ponds: no such file."}

    monkeypatch.setattr(running, "make_part", fails)

    assert _small(folder, given) == 1

    error = capfd.readouterr().err
    assert "Error: Partition 2 failed: ponds: no such file." in error
    assert "Traceback" not in error
    assert list((folder / "out").iterdir()) == []
    # What is done stays for the next try.
    assert set(_stamps(folder / "work")) == {"00000.json", "00001.json", "00003.json"}


def test_a_partition_that_no_process_can_make_is_named_and_nothing_is_merged(
    small: tuple[Path, Path],
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder, given = small
    with monkeypatch.context() as patch:
        _in_this_process(patch)
        assert _small(folder, given) == 0
    before = {path: path.read_bytes() for path in (folder / "out").iterdir()}
    (folder / "work" / "parts" / "00001.json").unlink()
    (folder / "work" / "sites" / "00001.gpkg").write_bytes(b"half a file")
    capfd.readouterr()

    assert _small(folder, given, "--PROCESSES", "1") == 1

    told = capfd.readouterr()
    assert told.out == ""
    assert "Error: Partition 1 failed: DataSourceError: " in told.err
    assert "Traceback" not in told.err
    assert {path: path.read_bytes() for path in (folder / "out").iterdir()} == before


def test_a_full_disk_at_the_start_is_told_in_one_line_and_no_run_is_begun(
    small: tuple[Path, Path],
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder, given = small

    def full(*_: Any, **__: Any) -> None:
        raise DataSourceError("database or disk is full")

    monkeypatch.setattr(pyogrio, "write_dataframe", full)

    assert _small(folder, given) == 1

    error = capfd.readouterr().err
    kept = folder / "work" / "sites" / "00000.gpkg"
    assert f"Error: WORK: {kept}: database or disk is full" in error
    assert "Traceback" not in error
    assert not (folder / "work" / "run.json").exists()


def test_two_commands_do_not_work_in_one_folder(
    small: tuple[Path, Path], capfd: pytest.CaptureFixture[str]
) -> None:
    folder, given = small
    with cluster.only_driver(folder / "work"):
        assert _small(folder, given) == 1
    assert "another command works in it" in capfd.readouterr().err


def test_two_clusters_stand_side_by_side_on_one_machine() -> None:
    # A warning is an error here.
    with running.workers(None, 1) as first, running.workers(None, 1) as second:
        assert first.submit(os.getpid).result() != second.submit(os.getpid).result()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--SCHEDULER", "tcp://127.0.0.1:1", "--PROCESSES", "2"], "given together"),
        (["--SCHEDULER", "nowhere"], "SCHEDULER: nowhere"),
        (["--SITES", "none.gpkg"], "SITES (none.gpkg): no such file"),
        (["--SITE_ID", "pin"], "SITE_ID: no field pin. Needed: one of the fields of lots: lot"),
    ],
)
def test_bad_input_of_a_cluster_is_told_in_one_line(
    small: tuple[Path, Path], capfd: pytest.CaptureFixture[str], more: list[str], message: str
) -> None:
    folder, given = small

    assert _small(folder, given, *more) == 1

    error = capfd.readouterr().err
    assert message in error
    assert "Traceback" not in error


def test_no_sites_are_one_empty_partition(
    small: tuple[Path, Path], one_process: OneProcess
) -> None:
    folder, given = small
    lots = pyogrio.read_dataframe(folder / "lots.gpkg")
    pyogrio.write_dataframe(lots.iloc[:0], folder / "lots.gpkg", geometry_type="Polygon")

    assert _small(folder, given) == 0

    for name in ("screened", "findings", "zones"):
        assert pyogrio.read_info(folder / "out" / f"{name}.gpkg")["features"] == 0


def test_without_sites_or_a_folder_the_command_says_what_is_missing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "out.gpkg")
    assert main(["cluster", "--SCREENED", out, "--WORK", str(tmp_path / "work")]) == 1
    assert "SITES: not given" in capfd.readouterr().err
    assert main(["cluster", "--SCREENED", out]) == 1
    assert "WORK: not given" in capfd.readouterr().err


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


@pytest.fixture(autouse=True)
def signals() -> Iterator[None]:
    """Take back the handlers that a command sets."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def test_tasks_of_another_folder_are_refused(tmp_path: Path) -> None:
    for outcome in (
        make_part(str(tmp_path), 0),
        measure_plans(str(tmp_path), 0),
        survey_plane(str(tmp_path), 43, -74),
    ):
        assert "a folder that this machine sees too" in outcome["error"]


def test_a_run_with_other_libraries_is_refused_by_a_task(
    small: tuple[Path, Path], one_process: OneProcess
) -> None:
    folder, given = small
    assert _small(folder, given) == 0
    path = folder / "work" / "run.json"
    state = json.loads(path.read_text("utf-8"))
    state["asked"]["versions"]["GEOS"] = "3.0.0"
    path.write_text(json.dumps(state), "utf-8")

    assert "GEOS 3.0.0, as where the run was begun" in make_part(str(folder / "work"), 0)["error"]
