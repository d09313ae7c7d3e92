"""Runs in partitions where something dies, is damaged, changes or is missing on the way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import geopandas as gpd
import pyogrio
import pytest
from distributed import Client
from pyogrio.errors import DataSourceError
from shapely.geometry import box

from stormwater_screen.cluster import running, tasks
from stormwater_screen.cluster.folder import file_state, load_run
from stormwater_screen.cluster.tasks import make_part, measure_plans, survey_plane
from stormwater_screen.command import cluster
from stormwater_screen.command.main import main
from tests.cluster_runs import OneProcess, arguments, in_this_process, run_small, stamps
from tests.command_line import assert_same, command, environment, run_file

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

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
    while len(stamps(work)) < 2:
        assert process.poll() is None
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    before = stamps(work)
    assert len(before) < 20
    assert not any((folder / "out").iterdir())

    assert main(line) == 0

    assert f"{len(before)} of 20 partitions are there already." in capfd.readouterr().err
    after = stamps(work)
    assert len(after) == 20
    assert {name: after[name] for name in before} == before
    made = [number for name, *number in one_process.done if name == "make_part"]
    assert len(made) == 20 - len(before)
    assert_same(folder / "one", folder / "out", least=40)


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

    assert run_small(folder, given, "--SCHEDULER", address) == 0

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
        while not stamps(folder / "work"):
            time.sleep(0.01)
        elsewhere.kill()

    threading.Thread(target=kill, daemon=True).start()
    line = arguments("cluster", given, folder / "out", "--WORK", folder / "work")

    assert main([*line, "--PARTITION_SITES", "1", "--SCHEDULER", address]) == 1

    error = capfd.readouterr().err
    assert "Error: Scheduler: the connection is lost (" in error
    assert "the same command goes on where this one stopped." in error
    assert "Traceback" not in error
    assert 0 < len(stamps(folder / "work")) < 40
    assert list((folder / "out").iterdir()) == []


def test_a_part_that_was_damaged_is_made_again(
    small: tuple[Path, Path], one_process: OneProcess
) -> None:
    folder, given = small
    assert run_small(folder, given) == 0
    (folder / "work" / "parts" / "00002.gpkg").write_bytes(b"half a file")
    (folder / "work" / "parts" / "00003.json").write_bytes(b"half a file")
    one_process.done.clear()

    assert run_small(folder, given) == 0

    assert one_process.done == [("make_part", 2), ("make_part", 3)]


def test_what_is_not_asked_for_takes_no_place(
    small: tuple[Path, Path], one_process: OneProcess
) -> None:
    folder, given = small
    assert run_small(folder, given) == 0
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
    assert run_small(folder, given) == 0
    one_process.done.clear()
    before = {path: path.read_bytes() for path in (folder / "out").iterdir()}

    status = run_small(folder, given, *(change(folder) or []))

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
    assert run_small(folder, given, "--AS_OF", "2025-06-01") == 0

    assert run_small(folder, given) == 0

    run = load_run(folder / "work")
    assert run is not None
    assert run.as_of == "2025-06-01"


def test_a_task_that_cannot_be_made_says_why_after_some_tries(
    small: tuple[Path, Path], one_process: OneProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, given = small
    assert run_small(folder, given) == 0
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
    assert run_small(folder, given) == 0
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

    assert run_small(folder, given) == 1

    error = capfd.readouterr().err
    assert "Error: Partition 2 failed: ponds: no such file." in error
    assert "Traceback" not in error
    assert list((folder / "out").iterdir()) == []
    # What is done stays for the next try.
    assert set(stamps(folder / "work")) == {"00000.json", "00001.json", "00003.json"}


def test_a_partition_that_no_process_can_make_is_named_and_nothing_is_merged(
    small: tuple[Path, Path],
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder, given = small
    with monkeypatch.context() as patch:
        in_this_process(patch)
        assert run_small(folder, given) == 0
    before = {path: path.read_bytes() for path in (folder / "out").iterdir()}
    (folder / "work" / "parts" / "00001.json").unlink()
    (folder / "work" / "sites" / "00001.gpkg").write_bytes(b"half a file")
    capfd.readouterr()

    assert run_small(folder, given, "--PROCESSES", "1") == 1

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

    assert run_small(folder, given) == 1

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
        assert run_small(folder, given) == 1
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

    assert run_small(folder, given, *more) == 1

    error = capfd.readouterr().err
    assert message in error
    assert "Traceback" not in error


def test_without_sites_or_a_folder_the_command_says_what_is_missing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "out.gpkg")
    assert main(["cluster", "--SCREENED", out, "--WORK", str(tmp_path / "work")]) == 1
    assert "SITES: not given" in capfd.readouterr().err
    assert main(["cluster", "--SCREENED", out]) == 1
    assert "WORK: not given" in capfd.readouterr().err


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
    assert run_small(folder, given) == 0
    path = folder / "work" / "run.json"
    state = json.loads(path.read_text("utf-8"))
    state["asked"]["versions"]["GEOS"] = "3.0.0"
    path.write_text(json.dumps(state), "utf-8")

    assert "GEOS 3.0.0, as where the run was begun" in make_part(str(folder / "work"), 0)["error"]
