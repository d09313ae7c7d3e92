"""The window on a machine where geopandas and rasterio are missing."""

from __future__ import annotations

from collections.abc import Iterator

from qgis.PyQt.QtCore import QTimer
from qgis.PyQt.QtWidgets import QDockWidget
from qgis.utils import iface
from window.steps import Step, Tour, picture


def tour() -> Iterator[Step]:
    yield 3
    iface.mainWindow().showMaximized()
    for name in ("Browser", "Browser2"):
        dock = iface.mainWindow().findChild(QDockWidget, name)
        if dock:
            dock.hide()
    toolbox = iface.mainWindow().findChild(QDockWidget, "ProcessingToolbox")
    toolbox.show()
    toolbox.searchBox.setText("screen sites")
    yield 2
    # The message is modal: it opens from a timer, and the tour goes on beside it.
    QTimer.singleShot(
        0, lambda: toolbox.executeWithGui.emit("stormwater:screensites", toolbox, False, False)
    )
    yield 2
    picture("missing")


TOUR = Tour(tour())
