"""Runs a tour through the window step by step, while the window goes on working."""

from __future__ import annotations

import os
import subprocess
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

from qgis.core import Qgis, QgsApplication
from qgis.PyQt.QtCore import QTimer
from qgis.PyQt.QtWidgets import QApplication
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
    shot = ["import", "-window", "root", "-depth", "8", "-strip"]
    subprocess.run([*shot, "-colors", "200", "+dither", f"PNG8:{target}"], check=True)


class Tour:
    """Takes a generator that yields seconds to wait, or a question to be asked until it is true."""

    def __init__(self, steps: Iterator[Step]) -> None:
        self.steps = steps
        self.errors: list[str] = []
        self.question: Callable[[], bool] | None = None
        self.ticks = 0
        QgsApplication.messageLog().messageReceived.connect(self._logged)
        self.timer = QTimer()
        self.timer.timeout.connect(self._tick)
        self.timer.start(TICK_MS)

    def _logged(self, text: str, tag: str, level: Qgis.MessageLevel) -> None:
        if level == Qgis.MessageLevel.Critical or "Traceback" in text:
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
        except Exception:
            self._end(traceback.format_exc() + "\n".join(self.errors))

    def _next(self) -> None:
        self.timer.stop()
        step = next(self.steps)
        if callable(step):
            self.question = step
            self.timer.start(TICK_MS)
        else:
            self.timer.start(int(step * 1000))
            self.question = self._once

    def _once(self) -> bool:
        self.timer.setInterval(TICK_MS)
        return True

    def _end(self, report: str) -> None:
        self.timer.stop()
        REPORT.write_text(report, encoding="utf-8")
        for window in QApplication.topLevelWidgets():
            if window is not iface.mainWindow():
                window.close()
        # A project that was not saved would raise a question on the way out.
        os._exit(0)
