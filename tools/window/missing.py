"""The window on a machine where geopandas and rasterio are missing."""

from __future__ import annotations

from collections.abc import Iterator

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QTextEdit, QTreeView

from window.steps import Step, Tour, dialog, picture, plain_window, run_as_user


def choose(tree: QTreeView, name: str) -> None:
    """Mark an entry of the toolbox, wherever it stands."""
    model = tree.model()
    hint = Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive
    (found,) = model.match(model.index(0, 0), Qt.ItemDataRole.DisplayRole, name, -1, hint)
    tree.setCurrentIndex(found)


def tour() -> Iterator[Step]:
    """Try to open the algorithm, and read what the window says."""
    yield 3
    toolbox = plain_window()
    toolbox.searchBox.setText("screen sites")
    yield 2
    choose(toolbox.algorithmTree, "Screen sites")
    run_as_user(toolbox, "stormwater:screensites")
    yield lambda: dialog("MessageDialog") is not None
    yield 1
    picture("missing")
    said = " ".join(box.toPlainText() for box in dialog("MessageDialog").findChildren(QTextEdit))
    for package in ("geopandas: not found", "rasterio: not found"):
        if package not in said:
            raise RuntimeError(f"the message does not say {package}: {said}")


TOUR = Tour(tour())
