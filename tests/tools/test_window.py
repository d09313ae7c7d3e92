"""The real window: toolbox, dialog, a run that loads layers, the message on missing packages."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ("toolbox", "dialog", "result", "missing")


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Go through the window; its own checks end it non-zero."""
    folder = tmp_path_factory.mktemp("pictures")
    screen = ("xvfb-run", "-a", "-s", "-screen 0 1360x880x24")
    done = subprocess.run(
        [*screen, sys.executable, str(ROOT / "tools" / "screenshots.py"), str(folder)],
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow
def test_window_is_gone_through_without_an_error_and_pictures_are_taken(pictures: Path) -> None:
    taken = {path.name: path.stat().st_size for path in pictures.iterdir()}
    assert set(taken) == {f"window_{name}.png" for name in PICTURES}
    # An empty screen takes less than 5 kB.
    assert all(20_000 < size < 300_000 for size in taken.values()), taken


def test_shipped_pictures_are_small() -> None:
    shipped = list((ROOT / "resources" / "images").glob("*.png"))
    assert {path.name for path in shipped} >= {f"window_{name}.png" for name in PICTURES}
    assert all(path.stat().st_size < 300_000 for path in shipped)


@pytest.mark.parametrize("package", ["geopandas", "rasterio"])
def test_qgis_process_says_which_package_is_missing_and_ends_non_zero(
    tmp_path: Path, tool: Callable[[str], ModuleType], package: str
) -> None:
    tool("window.profile").hide_packages(tmp_path / "shim", package)
    sample = ROOT / "resources" / "sample" / "sample.gpkg"
    output = tmp_path / "out.gpkg"
    given = (f"--SITES={sample}|layername=lots", f"--SCREENED={output}")
    done = subprocess.run(
        ["qgis_process", "run", "stormwater:screensites", *given],
        env=os.environ | {"PYTHONPATH": f"{tmp_path / 'shim'}:{os.environ['PYTHONPATH']}"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode != 0
    assert f"{package}: not found" in done.stderr + done.stdout
    assert "Install them from the source that QGIS itself came from" in done.stderr + done.stdout
    assert not output.exists()
