"""The command line as an operator uses it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
import pyogrio
import shapely

ROOT = Path(__file__).resolve().parent.parent
NAMES = ("screened", "findings", "zones")


def command(*arguments: str | Path) -> list[str]:
    """Return the command with its arguments."""
    return [sys.executable, "-m", "stormwater_screen", *map(str, arguments)]


def environment() -> dict[str, str]:
    """Return an environment in which the program is found from any folder."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path}


def run(*arguments: str | Path, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run a command and return how it ended."""
    return subprocess.run(
        command(*arguments),
        cwd=folder, env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip


def run_file(path: Path, inputs: dict[str, Any]) -> Path:
    """Write a run file and return it."""
    path.write_text(json.dumps(inputs), "utf-8")
    return path


def outputs(folder: Path) -> list[str | Path]:
    """Return the arguments for all outputs of a screening in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    pairs = [(f"--{name.upper()}", folder / f"{name}.gpkg") for name in NAMES]
    return [part for pair in pairs for part in pair]


def assert_same(one: Path, other: Path, *, least: int) -> None:
    """Check that the outputs in two folders are the same row for row, but for the id of the run."""
    for name in NAMES:
        first, second = (pyogrio.read_dataframe(path / f"{name}.gpkg") for path in (one, other))
        assert len(first) >= least
        assert first["run_id"].nunique() == second["run_id"].nunique() == 1
        for frame in (first, second):
            if isinstance(frame, gpd.GeoDataFrame):
                frame["shape"] = shapely.to_wkb(frame.geometry.to_numpy(), hex=True)
        tables = [
            pd.DataFrame(frame.drop(columns=["run_id", "geometry"], errors="ignore"))
            for frame in (first, second)
        ]
        pd.testing.assert_frame_equal(*tables, check_exact=True)
        assert (np.diff(first["row"]) >= 0).all()
