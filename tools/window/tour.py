"""Through the window with the sample town: toolbox, dialog, run, map."""

from __future__ import annotations

import json
from collections.abc import Iterator

from qgis.core import (
    QgsApplication,
    QgsHillshadeRenderer,
    QgsProject,
    QgsRasterLayer,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QModelIndex
from qgis.PyQt.QtGui import QColor
from qgis.PyQt.QtWidgets import QDockWidget, QTreeView
from qgis.utils import iface

from window.steps import ROOT, Step, Tour, dialog, picture, plain_window, run_as_user

SAMPLE = ROOT / "resources" / "sample"
PROVIDER = "Stormwater Site Screening"
# From the bottom of the map to its top.
LAYERS = {
    "soils": ("Soils", "#e9e2c8", False),
    "water_bodies": ("Lakes and ponds", "#9ec7e6", True),
    "watercourses": ("Streams", "#2f7fc1", True),
    "wetlands": ("Wetlands", "#a8d5b5", True),
    "wells": ("Wells", "#2b5f9e", True),
    "lots": ("Lots", "#f4efe0", True),
}


def load_sample() -> dict[str, QgsVectorLayer | QgsRasterLayer]:
    """Load layers of the sample town, as a planner would before a screening."""
    project = QgsProject.instance()
    dem = QgsRasterLayer(str(SAMPLE / "dem.tif"), "Ground elevation")
    dem.setRenderer(QgsHillshadeRenderer(dem.dataProvider(), 1, 315, 45))
    dem.renderer().setZFactor(1.5)
    dem.setOpacity(0.35)
    loaded: dict[str, QgsVectorLayer | QgsRasterLayer] = {"dem": dem}
    project.addMapLayer(dem)
    for name, (title, colour, visible) in LAYERS.items():
        layer = QgsVectorLayer(f"{SAMPLE / 'sample.gpkg'}|layername={name}", title)
        symbol = layer.renderer().symbol()
        symbol.setColor(QColor(colour))
        loaded[name] = project.addMapLayer(layer)
        project.layerTreeRoot().findLayer(layer).setItemVisibilityChecked(visible)
    for node in project.layerTreeRoot().findLayers():
        node.setExpanded(False)
    project.setCrs(dem.crs())
    return loaded


def town_extent(loaded: dict[str, QgsVectorLayer | QgsRasterLayer]) -> QgsRectangle:
    """Return the east of the sample's ground, where most lots lie; a few stand far off."""
    extent = QgsRectangle(loaded["dem"].extent())
    extent.setXMinimum(extent.xMinimum() + 0.36 * extent.width())
    return extent


def provider_index(toolbox: QDockWidget) -> QModelIndex:
    """Return where the provider stands in the toolbox."""
    model = toolbox.algorithmTree.model()
    rows = [model.index(row, 0) for row in range(model.rowCount())]
    (provider,) = (index for index in rows if model.data(index) == PROVIDER)
    return provider


def show_provider(toolbox: QDockWidget) -> None:
    """Bring the provider to the top of the toolbox, if there is so much below it."""
    top = QTreeView.ScrollHint.PositionAtTop
    toolbox.algorithmTree.scrollTo(provider_index(toolbox), top)


def open_provider(toolbox: QDockWidget) -> None:
    """Open the groups of the provider in the toolbox, and check that it has its icon."""
    toolbox.algorithmTree.expandRecursively(provider_index(toolbox))
    icon = QgsApplication.processingRegistry().providerById("stormwater").icon()
    if icon.pixmap(24).isNull():
        raise RuntimeError("the provider has no icon")


def stored_parameters(loaded: dict[str, QgsVectorLayer | QgsRasterLayer]) -> dict[str, object]:
    """Return the parameters of the sample run; layers of the map are named by their id."""

    def full(value: object) -> object:
        if isinstance(value, list):
            return [full(part) for part in value]
        if isinstance(value, str) and value.startswith(("sample.gpkg", "dem.tif")):
            path = str(SAMPLE / value)
            return on_map.get(path, path)
        return value

    on_map = {layer.source(): layer.id() for layer in loaded.values()}
    stored = json.loads((SAMPLE / "parameters.json").read_text(encoding="utf-8"))["inputs"]
    return {name: full(value) for name, value in stored.items()} | {"ORDINANCE": "lake_george"}


def tour() -> Iterator[Step]:
    """Go from the toolbox over the dialog to the map."""
    yield 3
    toolbox = plain_window()
    loaded = load_sample()
    iface.setActiveLayer(loaded["lots"])
    open_provider(toolbox)
    yield 2
    # Not earlier: the window goes to the first layer by itself.
    iface.mapCanvas().setExtent(town_extent(loaded))
    iface.mapCanvas().refresh()
    show_provider(toolbox)
    yield 2
    picture("toolbox")

    yield from run_screening(toolbox, stored_parameters(loaded), "dialog")
    (screened,) = layers_called("Screened sites")
    if screened.featureCount() != loaded["lots"].featureCount():
        raise RuntimeError(f"{screened.featureCount()} screened sites were loaded")
    if screened.renderer().type() != "categorizedSymbol":
        raise RuntimeError(f"the screened sites are shown as {screened.renderer().type()}")
    lots = QgsProject.instance().layerTreeRoot().findLayer(loaded["lots"])
    lots.setItemVisibilityChecked(False)
    iface.mapCanvas().refresh()
    yield 3
    iface.messageBar().clearWidgets()
    show_provider(toolbox)
    yield 1
    picture("result")

    # A thread of QGIS that runs Python a second time has ended QGIS before.
    given = {**stored_parameters(loaded), "ORDINANCE": "wilton", "ZONES": "TEMPORARY_OUTPUT"}
    yield from run_screening(toolbox, given)
    if len(layers_called("Screened sites")) != 2:
        raise RuntimeError("the second run loaded no sites")


def layers_called(name: str) -> list[QgsVectorLayer]:
    """Return the layers whose names begin so."""
    layers = QgsProject.instance().mapLayers().values()
    return [layer for layer in layers if layer.name().startswith(name)]


def run_screening(
    toolbox: QDockWidget, parameters: dict[str, object], shot: str = ""
) -> Iterator[Step]:
    """Open the dialog of the screening, fill it, run it and close it."""
    run_as_user(toolbox, "stormwater:screensites")
    yield lambda: dialog("AlgorithmDialog") is not None
    window = dialog("AlgorithmDialog")
    window.setGeometry(70, 36, 1140, 812)
    yield 2
    if shot:
        picture(shot)
    window.setParameters(parameters)
    yield 1
    ended: list[bool] = []
    window.algorithmFinished.connect(lambda well, _results: ended.append(well))
    window.runButton().click()
    yield lambda: bool(ended)
    yield 2
    if not ended[0]:
        raise RuntimeError("the run from the dialog failed")
    window.close()


TOUR = Tour(tour())
