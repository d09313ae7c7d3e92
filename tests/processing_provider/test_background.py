"""Runs in the background, as the window of QGIS starts them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.toolbox import sample_parameters

SCRIPT = """
import json, sys, time
from processing.core.Processing import Processing
from qgis.core import (
    QgsApplication, QgsProcessingAlgRunnerTask, QgsProcessingContext, QgsProcessingFeedback,
)
from stormwater_screening import classFactory

application = QgsApplication([], False)
application.initQgis()
Processing.initialize()
plugin = classFactory(None)
plugin.initProcessing()
for run in range(3):
    algorithm = QgsApplication.processingRegistry().createAlgorithmById("stormwater:screensites")
    context, feedback, done = QgsProcessingContext(), QgsProcessingFeedback(), []
    task = QgsProcessingAlgRunnerTask(algorithm, json.loads(sys.argv[1]), context, feedback)
    task.executed.connect(lambda ok, results: done.append(ok))
    QgsApplication.taskManager().addTask(task)
    while not done:
        application.processEvents()
        time.sleep(0.01)
    print("run", run, done[0], flush=True)
"""


def test_a_second_run_from_the_window_does_not_end_qgis(tmp_path: Path) -> None:
    given = {**sample_parameters(), "SCREENED": str(tmp_path / "out.gpkg")}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(given)],
        capture_output=True,
        text=True,
        timeout=180,
    )
    runs = [line for line in done.stdout.splitlines() if line.startswith("run ")]
    assert runs == ["run 0 True", "run 1 True", "run 2 True"], done.stderr
