"""Symbols of the maps in reports: readable in black and white, told apart by pattern and line."""

from __future__ import annotations

from qgis.core import (
    Qgis,
    QgsFillSymbol,
    QgsLinePatternFillSymbolLayer,
    QgsLineSymbol,
    QgsMarkerSymbol,
    QgsPalLayerSettings,
    QgsPointPatternFillSymbolLayer,
    QgsSymbol,
    QgsTextBufferSettings,
    QgsTextFormat,
    QgsVectorLayerSimpleLabeling,
)
from qgis.PyQt.QtGui import QColor, QFont

INK = "#111111"
WATER = "#5b86a8"
WETLAND = "#5f7f5a"
FONT = "DejaVu Sans"


def site() -> QgsSymbol:
    """Return the outline of the site of the report."""
    return QgsFillSymbol.createSimple(
        {"style": "no", "outline_color": INK, "outline_width": "0.9", "joinstyle": "miter"}
    )


def other_sites() -> QgsSymbol:
    """Return the outline of the other sites."""
    return QgsFillSymbol.createSimple(
        {"style": "no", "outline_color": "#8a8a8a", "outline_width": "0.2"}
    )


def site_block() -> QgsSymbol:
    """Return a black block: the site on the small map."""
    return QgsFillSymbol.createSimple({"color": INK, "outline_color": INK, "outline_width": "0.4"})


def no_infiltration() -> QgsSymbol:
    """Return the hatch of where no infiltration may stand."""
    return _hatched(45.0, 1.6, "#444444", outline="#444444")


def near_water() -> QgsSymbol:
    """Return the edge of the zone along water."""
    symbol = QgsFillSymbol.createSimple(
        {"style": "no", "outline_color": INK, "outline_width": "0.35", "outline_style": "dash dot"}
    )
    return symbol


def disturbance() -> QgsSymbol:
    """Return the limits of disturbance."""
    return QgsFillSymbol.createSimple(
        {"style": "no", "outline_color": INK, "outline_width": "0.4", "outline_style": "dash"}
    )


def water() -> QgsSymbol:
    """Return lakes, ponds and wide rivers."""
    return QgsFillSymbol.createSimple(
        {"color": "#cfdfea", "outline_color": WATER, "outline_width": "0.35"}
    )


def stream() -> QgsSymbol:
    """Return streams drawn as lines."""
    return QgsLineSymbol.createSimple({"color": WATER, "width": "0.6"})


def thin_stream() -> QgsSymbol:
    """Return streams on the small map."""
    return QgsLineSymbol.createSimple({"color": WATER, "width": "0.15"})


def plain_water() -> QgsSymbol:
    """Return waters drawn as areas on the small map."""
    return QgsFillSymbol.createSimple({"color": WATER, "outline_style": "no"})


def wetland() -> QgsSymbol:
    """Return wetlands: tufts on a pale ground."""
    symbol = QgsFillSymbol.createSimple(
        {"color": "#edf2ea", "outline_color": WETLAND, "outline_width": "0.25"}
    )
    pattern = QgsPointPatternFillSymbolLayer()
    tuft = QgsMarkerSymbol.createSimple(
        {"name": "line", "angle": "90", "size": "1.2", "outline_color": WETLAND}
    )
    pattern.setSubSymbol(tuft)
    pattern.setDistanceX(2.6)
    pattern.setDistanceY(1.8)
    pattern.setDisplacementX(1.3)
    symbol.appendSymbolLayer(pattern)
    return symbol


def supply() -> QgsSymbol:
    """Return wells and other supplies: a ring with a dot."""
    symbol = QgsMarkerSymbol.createSimple(
        {"name": "circle", "size": "3", "color": "#ffffff", "outline_color": INK,
         "outline_width": "0.4"}
    )  # fmt: skip
    dot = QgsMarkerSymbol.createSimple({"name": "circle", "size": "1.1", "color": INK})
    symbol.appendSymbolLayer(dot.symbolLayer(0).clone())
    return symbol


def supply_area() -> QgsSymbol:
    """Return supplies drawn as areas."""
    return QgsFillSymbol.createSimple(
        {"style": "no", "outline_color": INK, "outline_width": "0.4", "outline_style": "dot"}
    )


def leach_field() -> QgsSymbol:
    """Return leach fields drawn as points."""
    return QgsMarkerSymbol.createSimple(
        {"name": "square", "size": "2.8", "color": "#ffffff", "outline_color": INK,
         "outline_width": "0.4"}
    )  # fmt: skip


def leach_area() -> QgsSymbol:
    """Return leach fields drawn as areas."""
    return _hatched(0.0, 1.0, INK, outline=INK)


def device() -> QgsSymbol:
    """Return infiltration devices drawn as points."""
    return QgsMarkerSymbol.createSimple(
        {"name": "triangle", "angle": "180", "size": "3", "color": "#ffffff",
         "outline_color": INK, "outline_width": "0.4"}
    )  # fmt: skip


def device_area() -> QgsSymbol:
    """Return infiltration devices drawn as areas."""
    return QgsFillSymbol.createSimple(
        {"color": "#d9d9d9", "outline_color": INK, "outline_width": "0.4"}
    )


def slope_run() -> QgsSymbol:
    """Return a slope over 100 ft."""
    return QgsLineSymbol.createSimple({"color": INK, "width": "0.6"})


def slope_end() -> QgsSymbol:
    """Return an end of a slope over 100 ft."""
    return QgsMarkerSymbol.createSimple({"name": "cross2", "size": "2.2", "outline_color": INK,
                                         "outline_width": "0.5"})  # fmt: skip


def contour() -> QgsSymbol:
    """Return contours."""
    return QgsLineSymbol.createSimple({"color": "#b08d6a", "width": "0.16"})


def _hatched(angle: float, distance: float, color: str, *, outline: str) -> QgsSymbol:
    symbol = QgsFillSymbol.createSimple(
        {"style": "no", "outline_color": outline, "outline_width": "0.2"}
    )
    pattern = QgsLinePatternFillSymbolLayer()
    pattern.setLineAngle(angle)
    pattern.setDistance(distance)
    pattern.setSubSymbol(QgsLineSymbol.createSimple({"color": color, "width": "0.14"}))
    symbol.insertSymbolLayer(0, pattern)
    return symbol


def labels(
    field: str, size: float, color: str = INK, *, around_line: bool = False, bold: bool = False
) -> QgsVectorLayerSimpleLabeling:
    """Return labels of a field, with a white edge.

    Parameters
    ----------
    field
        Name of the field; its texts are drawn as they are, never as markup.
    size
        Height in points.
    color
        Colour of the letters.
    around_line
        Whether they run along lines.
    bold
        Whether the letters are bold.
    """
    text = QgsTextFormat()
    font = QFont(FONT)
    font.setBold(bold)
    text.setFont(font)
    text.setSize(size)
    text.setSizeUnit(Qgis.RenderUnit.Points)
    text.setColor(QColor(color))
    text.setAllowHtmlFormatting(False)
    edge = QgsTextBufferSettings()
    edge.setEnabled(True)
    edge.setSize(0.7)
    edge.setColor(QColor("#ffffff"))
    text.setBuffer(edge)
    settings = QgsPalLayerSettings()
    settings.fieldName = field
    settings.setFormat(text)
    if around_line:
        settings.placement = Qgis.LabelPlacement.Line
        settings.lineSettings().setPlacementFlags(Qgis.LabelLinePlacementFlag.OnLine)
    return QgsVectorLayerSimpleLabeling(settings)
