"""Runs a tour through the window step by step, while the window goes on working."""

from __future__ import annotations

import os
import subprocess
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

from qgis.core import Qgis, QgsApplication
from qgis.PyQt.QtCore import Qt, QTimer
from qgis.PyQt.QtWidgets import QApplication, QDockWidget, QWidget
from qgis.utils import iface

Step = float | Callable[[], bool]
PICTURES = Path(os.environ["STORMWATER_PICTURES"])
REPORT = Path(os.environ["STORMWATER_REPORT"])
ROOT = Path(os.environ["STORMWATER_ROOT"])
TICK_MS = 100
LONGEST_TICKS = 900


def picture(name: str) -> None:
    """Write the whole screen to a PNG of few colours."""
    target = PICTURES / f"window_{name}.png"
    shot = ["import", "-window", "root", "-depth", "8", "-strip", "-colors", "200", "+dither"]
    subprocess.run([*shot, f"PNG8:{target}"], check=True)


def dock(name: str) -> QDockWidget:
    """Return a panel of the window by the name that QGIS gives it."""
    found = iface.mainWindow().findChild(QDockWidget, name)
    if found is None:
        raise LookupError(f"the window has no panel {name}")
    return found


def dialog(kind: str) -> QWidget | None:
    """Return the open dialog of a class, or None."""
    for widget in QApplication.topLevelWidgets():
        if type(widget).__name__ == kind and widget.isVisible():
            return widget
    return None


def plain_window() -> QDockWidget:
    """Show the window large, with layers on the left and the toolbox on the right; return this."""
    iface.mainWindow().showMaximized()
    # The page of recent projects gives way to the map.
    iface.newProject()
    dock("Browser").hide()
    toolbox = dock("ProcessingToolbox")
    toolbox.show()
    toolbox.raise_()
    panels, widths = [dock("Layers"), toolbox], [275, 290]
    iface.mainWindow().resizeDocks(panels, widths, Qt.Orientation.Horizontal)
    return toolbox


def run_as_user(toolbox: QDockWidget, algorithm: str) -> None:
    """Open an algorithm as a double click does; it is modal, so the tour goes on beside it."""
    QTimer.singleShot(0, lambda: toolbox.executeWithGui.emit(algorithm, toolbox, False, False))


class Tour:
    """Takes a generator that yields seconds to wait, or a question to be asked until it is true.

    Any error of the tour or of Python in QGIS, and any warning about the plugin, is reported.
    """

    def __init__(self, steps: Iterator[Step]) -> None:
        self.steps = steps
        self.errors: list[str] = []
        self.question: Callable[[], bool] | None = None
        self.ticks = 0
        QgsApplication.messageLog().messageReceived[str, str, Qgis.MessageLevel].connect(
            self._logged
        )
        self.timer = QTimer()
        self.timer.timeout.connect(self._tick)
        self.timer.start(TICK_MS)

    def _logged(self, text: str, tag: str, level: Qgis.MessageLevel) -> None:
        ours = "stormwater" in text and level == Qgis.MessageLevel.Warning
        if level == Qgis.MessageLevel.Critical or "Traceback" in text or ours:
            self.errors.append(f"{tag}: {text}")

    def _tick(self) -> None:
        self.ticks += 1
        try:
            if self.question is not None and not self.question():
                if self.ticks > LONGEST_TICKS:
                    raise TimeoutError("a step waited too long")
                return
            self.ticks, self.question = 0, None
            self._next()
        except StopIteration:
            self._end("\n".join(self.errors) or "done")
        except Exception:  # noqa: BLE001 (it is reported)
            self._end(traceback.format_exc() + "\n".join(self.errors))

    def _next(self) -> None:
        self.timer.stop()
        step = next(self.steps)
        if callable(step):
            self.question = step
            self.timer.start(TICK_MS)
        else:
            self.question = self._waited
            self.timer.start(int(step * 1000))

    def _waited(self) -> bool:
        self.timer.setInterval(TICK_MS)
        return True

    def _end(self, report: str) -> None:
        self.timer.stop()
        REPORT.write_text(report, encoding="utf-8")
        # Any other way out would ask whether to save the project.
        os._exit(0)
