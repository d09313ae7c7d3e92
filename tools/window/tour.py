"""Through the window with the sample town: toolbox, dialog, run, map."""

from __future__ import annotations

import json
from collections.abc import Iterator

import processing
from qgis.core import QgsApplication, QgsProject, QgsRasterLayer, QgsVectorLayer
from qgis.PyQt.QtCore import QPoint, Qt
from qgis.PyQt.QtWidgets import QDockWidget, QPushButton, QTabWidget, QTreeView
from qgis.utils import iface
from window.steps import ROOT, Step, Tour, picture

SAMPLE = ROOT / "resources" / "sample"
LAYERS = {
    "soils": "Soils",
    "limits_of_disturbance": "Limits of disturbance",
    "water_bodies": "Lakes and ponds",
    "watercourses": "Streams",
    "wetlands": "Wetlands",
    "wells": "Wells",
    "lots": "Lots",
}
COLOURS = {
    "water_bodies": "#9ec7e6",
    "watercourses": "#4d8fc4",
    "wetlands": "#b9d9c3",
    "wells": "#2b5f9e",
    "lots": "#f4efe0",
    "limits_of_disturbance": "#d9b38c",
    "soils": "#e9e2c8",
}


def colour(layer: QgsVectorLayer, value: str) -> None:
    symbol = layer.renderer().symbol()
    from qgis.PyQt.QtGui import QColor

    symbol.setColor(QColor(value))


def dock(name: str) -> QDockWidget:
    return iface.mainWindow().findChild(QDockWidget, name)


def load_sample() -> dict[str, object]:
    project = QgsProject.instance()
    loaded: dict[str, object] = {}
    dem = QgsRasterLayer(str(SAMPLE / "dem.tif"), "Ground elevation")
    project.addMapLayer(dem)
    loaded["dem"] = dem
    iface.layerTreeView().setCurrentIndex(iface.layerTreeView().model().index(0, 0))
    for name, title in LAYERS.items():
        layer = QgsVectorLayer(f"{SAMPLE / 'sample.gpkg'}|layername={name}", title)
        colour(layer, COLOURS[name])
        project.addMapLayer(layer)
        loaded[name] = layer
    for name in ("dem", "soils"):
        project.layerTreeRoot().findLayer(loaded[name]).setItemVisibilityChecked(False)
    project.layerTreeRoot().findLayer(dem).setExpanded(False)
    project.setCrs(loaded["lots"].crs())
    return loaded


def tour() -> Iterator[Step]:
    yield 3
    window = iface.mainWindow()
    window.showMaximized()
    for name in ("Browser", "Browser2"):
        if dock(name):
            dock(name).hide()
    toolbox = dock("ProcessingToolbox")
    loaded = load_sample()
    iface.setActiveLayer(loaded["lots"])
    iface.mapCanvas().setExtent(loaded["lots"].extent().buffered(60))
    iface.mapCanvas().refresh()
    toolbox.show()
    toolbox.raise_()
    window.resizeDocks([toolbox, dock("Layers")], [340, 230], Qt.Orientation.Horizontal)
    yield 2
    tree = toolbox.algorithmTree
    open_provider(tree)
    yield 1
    picture("toolbox")

    dialog = processing.createAlgorithmDialog("stormwater:screensites")
    dialog.show()
    dialog.resize(1120, 800)
    dialog.move(140, 30)
    yield 2
    picture("dialog")

    given = json.loads((SAMPLE / "parameters.json").read_text(encoding="utf-8"))["inputs"]
    given = {name: full(value) for name, value in given.items()}
    by_source = {layer.source(): layer.id() for layer in loaded.values()}
    given = {name: by_source.get(value, value) if isinstance(value, str) else value
             for name, value in given.items()}  # fmt: skip
    dialog.setParameters(given | {"ORDINANCE": "lake_george"})
    yield 1
    picture("dialog_filled")
    ended: list[bool] = []
    dialog.algorithmFinished.connect(lambda ok, _results: ended.append(ok))
    dialog.runButton().click()
    yield lambda: bool(ended)
    if not ended[0]:
        raise RuntimeError("the run from the dialog failed")
    yield 3
    picture("log")
    dialog.close()
    yield 2
    iface.mapCanvas().refresh()
    yield 3
    picture("result")


def full(value: object) -> object:
    if isinstance(value, list):
        return [full(part) for part in value]
    if isinstance(value, str) and value.startswith(("sample.gpkg", "dem.tif")):
        return str(SAMPLE / value)
    return value


def open_provider(tree: QTreeView) -> None:
    """Open the provider with its groups and close the others."""
    model = tree.model()
    for row in range(model.rowCount()):
        index = model.index(row, 0)
        if model.data(index) == "Stormwater Site Screening":
            tree.expandRecursively(index)
            tree.scrollTo(index, QTreeView.ScrollHint.PositionAtTop)


TOUR = Tour(tour())
