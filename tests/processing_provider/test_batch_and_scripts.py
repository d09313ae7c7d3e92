"""Folders of applications: the batch window's code path and the two example scripts."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import geopandas as gpd
import pytest

from tests.toolbox import ROOT, rows, sample_parameters

EXAMPLES = ROOT / "resources" / "examples"
SHARED = ("DEM", "WATER_BODIES", "WATERCOURSES", "SITE_ID", "DISTURBED_FIELD")

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three applications, cut from the sample town."""
    file, layer = sample_parameters()["SITES"].split("|layername=")
    lots = gpd.read_file(file, layer=layer, engine="fiona")
    applications = tmp_path / "applications"
    applications.mkdir()
    for number, part in enumerate((lots.iloc[:3], lots.iloc[3:5], lots.iloc[5:9]), 1):
        part.drop(columns="fid", errors="ignore").to_file(
            applications / f"application {number}.gpkg", engine="fiona"
        )
    return applications


def shared() -> dict[str, Any]:
    given = sample_parameters()
    return {**{name: given[name] for name in SHARED}, "ORDINANCE": "wilton"}


BATCH = """
import json, sys, time
from pathlib import Path
from processing.core.Processing import Processing
from processing.gui.BatchAlgorithmDialog import BatchAlgorithmDialog
from qgis.core import QgsApplication
from stormwater_screening import classFactory

application = QgsApplication([], True)
application.initQgis()
Processing.initialize()
plugin = classFactory(None)
plugin.initProcessing()
algorithm = QgsApplication.processingRegistry().createAlgorithmById("stormwater:screensites")
dialog = BatchAlgorithmDialog(algorithm)
panel = dialog.mainWidget()
panel.checkLoadLayersOnCompletion.setChecked(False)
rows = json.loads(sys.argv[1])
panel.load_batch_file_3_40_version(
    {panel.ROWS: [{panel.PARAMETERS: inputs, panel.OUTPUTS: out} for inputs, out in rows]}
)
dialog.runAlgorithm()
until = time.monotonic() + 120
while not all(Path(out["SCREENED"]).exists() for _, out in rows):
    application.processEvents()
    time.sleep(0.02)
    if time.monotonic() > until:
        break
print(panel.batchRowCount(), flush=True)
"""


def test_a_batch_screens_every_layer_through_the_window_of_qgis(
    qgis_processing: object, folder: Path, tmp_path: Path
) -> None:
    outputs = [tmp_path / f"out{number}.gpkg" for number in range(3)]
    batch = [
        ({**shared(), "SITES": str(sites)}, {"SCREENED": str(out)})
        for sites, out in zip(sorted(folder.iterdir()), outputs, strict=True)
    ]
    # In a process of its own: a window that outlives QGIS would end the tests.
    done = subprocess.run(
        [sys.executable, "-c", BATCH, json.dumps(batch)],
        capture_output=True,
        text=True,
        timeout=240,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    assert done.stdout.splitlines()[-1:] == ["3"], done.stderr
    assert [len(rows(out)) for out in outputs] == [3, 2, 4]
    assert all(row["class"] for out in outputs for row in rows(out))


def _arguments(given: dict[str, Any]) -> list[str]:
    return [
        f"--{name}={part}"
        for name, value in given.items()
        for part in (value if isinstance(value, list) else [value])
    ]


def test_the_shell_script_writes_one_table_of_a_folder(folder: Path, tmp_path: Path) -> None:
    script = EXAMPLES / "screen_folder.sh"
    out = tmp_path / "out folder"
    done = subprocess.run(
        ["sh", str(script), str(folder), str(out), *_arguments(shared())],
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    with (out / "table.csv").open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    assert len(table) == 9
    assert {row["layer"] for row in table} == {f"application {number}" for number in (1, 2, 3)}
    assert all(row["class"] for row in table)


def test_the_shell_script_says_which_application_failed_and_ends_with_1(
    folder: Path, tmp_path: Path
) -> None:
    (folder / "broken.gpkg").write_text("no layer at all", "utf-8")
    done = subprocess.run(
        [
            "sh",
            str(EXAMPLES / "screen_folder.sh"),
            str(folder),
            str(tmp_path / "out"),
            *_arguments(shared()),
        ],
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 1
    assert "broken: not screened" in done.stderr
    assert (tmp_path / "out" / "table.csv").is_file()


def test_the_python_script_writes_one_table_of_a_folder(folder: Path, tmp_path: Path) -> None:
    parameters = tmp_path / "parameters.json"
    parameters.write_text(json.dumps({"inputs": shared()}), "utf-8")
    table = tmp_path / "table.csv"
    (folder / "broken.gpkg").write_text("no layer at all", "utf-8")
    done = subprocess.run(
        [
            sys.executable,
            str(EXAMPLES / "screen_folder.py"),
            str(folder),
            str(parameters),
            str(table),
        ],
        capture_output=True,
        text=True,
        timeout=240,
        env={**os.environ},
    )
    assert done.returncode == 1
    assert "broken.gpkg: not screened" in done.stderr
    with table.open(encoding="utf-8", newline="") as file:
        written = list(csv.DictReader(file))
    assert [row["application"] for row in written].count("application 3") == 4
    assert len(written) == 9
