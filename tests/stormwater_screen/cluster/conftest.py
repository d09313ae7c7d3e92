"""What the tests of runs in partitions share."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import geopandas as gpd
import pyogrio
import pytest
from shapely.geometry import box

from tests.cluster_runs import OneProcess, in_this_process
from tests.command_line import run_file


@pytest.fixture
def one_process(monkeypatch: pytest.MonkeyPatch) -> OneProcess:
    return in_this_process(monkeypatch)


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


@pytest.fixture(autouse=True)
def signals() -> Iterator[None]:
    """Take back the handlers that a command sets."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
