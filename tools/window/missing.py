"""The window on a machine where geopandas and rasterio are missing."""

from __future__ import annotations

from collections.abc import Iterator

from qgis.PyQt.QtWidgets import QTextEdit

from window.steps import Step, Tour, dialog, picture, plain_window, run_as_user


def tour() -> Iterator[Step]:
    """Try to open the algorithm, and read what the window says."""
    yield 3
    toolbox = plain_window()
    toolbox.searchBox.setText("screen sites")
    yield 2
    run_as_user(toolbox, "stormwater:screensites")
    yield lambda: dialog("MessageDialog") is not None
    yield 1
    picture("missing")
    said = " ".join(box.toPlainText() for box in dialog("MessageDialog").findChildren(QTextEdit))
    for package in ("geopandas: not found", "rasterio: not found"):
        if package not in said:
            raise RuntimeError(f"the message does not say {package}: {said}")


TOUR = Tour(tour())
