"""Make resources/styles/*.qml, the styles that outputs get when QGIS loads them.

Run with tools/qgis python3 tools/make_styles.py
"""

from __future__ import annotations

from pathlib import Path

from qgis.core import (
    Qgis,
    QgsApplication,
    QgsAttributeTableConfig,
    QgsCategorizedSymbolRenderer,
    QgsColorRampShader,
    QgsFillSymbol,
    QgsLineSymbol,
    QgsMapLayer,
    QgsPalLayerSettings,
    QgsRasterLayer,
    QgsRasterShader,
    QgsRendererCategory,
    QgsSingleBandPseudoColorRenderer,
    QgsSymbol,
    QgsVectorLayer,
    QgsVectorLayerSimpleLabeling,
)
from qgis.PyQt.QtGui import QColor

ROOT = Path(__file__).resolve().parents[1]
STYLES = ROOT / "resources" / "styles"

# Told apart by lightness too, so that they read in print and by the colour-blind.
OUTCOMES = {"yes": "#a83232", "review": "#f0b445", "unknown": "#c9ccd1", "no": "#a9d3a5"}
CLASSES = {
    "major": ("#a83232", "Major"),
    "minor": ("#f3d9a4", "Minor"),
    "exempt": ("#a9d3a5", "Exempt"),
    "swppp": ("#a83232", "SWPPP required"),
    "plan_required": ("#a83232", "Plan required"),
    "eligible_for_exemption": ("#cfe6b8", "Eligible for exemption"),
    "not_applicable": ("#a9d3a5", "Not applicable"),
    "review": ("#f0b445", "Review"),
    "unknown": ("#c9ccd1", "Unknown"),
}
LIMITS = {"above": "#a83232", "at": "#d98b4a", "below": "#a9d3a5", "unknown": "#c9ccd1"}
ZONES = {
    "not_infiltration_minor": ("#c94f4f", "No infiltration (minor)"),
    "not_infiltration_minor_high_traffic": ("#b04a7a", "No infiltration (minor, high traffic)"),
    "not_infiltration_major": ("#9c3a3a", "No infiltration (major)"),
    "not_infiltration_major_high_traffic": ("#7c3a5e", "No infiltration (major, high traffic)"),
    "infiltration_minor": ("#8fc78a", "Infiltration (minor)"),
    "infiltration_minor_high_traffic": ("#79b8a4", "Infiltration (minor, high traffic)"),
    "infiltration_major": ("#5fa55a", "Infiltration (major)"),
    "infiltration_major_high_traffic": ("#4c8f82", "Infiltration (major, high traffic)"),
    "zone_500ft": ("#6fa8d6", "500-ft zone"),
    "": ("#b9c4cf", "Other zones"),
}
LINES = {
    "steepest place": ("#a83232", "Steepest place"),
    "flattest place": ("#2f7d3b", "Flattest place"),
    "building centre": ("#1f4f7d", "Building centre"),
    "infiltration device": ("#7c3a5e", "Infiltration device"),
}
SLOPES = ((0, "#f7f3e8"), (5, "#f3e2b3"), (10, "#eebd72"), (15, "#c8553d"), (25, "#7a1f1f"))


def fill(colour: str, *, opacity: float = 0.75) -> QgsSymbol:
    """Return a fill with a thin outline."""
    symbol = QgsFillSymbol.createSimple(
        {"color": colour, "outline_color": "#4a4a4a", "outline_width": "0.2"}
    )
    symbol.setOpacity(opacity)
    return symbol


def line(colour: str) -> QgsSymbol:
    """Return a line."""
    return QgsLineSymbol.createSimple({"line_color": colour, "line_width": "0.6"})


def categorised(
    layer: QgsVectorLayer, column: str, entries: dict[str, tuple[str, str]], *, lines: bool = False
) -> None:
    """Give a layer one symbol for each word of a column."""
    make = line if lines else fill
    layer.setRenderer(
        QgsCategorizedSymbolRenderer(
            column,
            [
                QgsRendererCategory(word, make(colour), label)
                for word, (colour, label) in entries.items()
            ],
        )
    )


def without_evidence(layer: QgsVectorLayer) -> None:
    """Hide the columns that only classifysites reads."""
    config = QgsAttributeTableConfig()
    config.update(layer.fields())
    columns = config.columns()
    for column in columns:
        column.hidden = column.name.startswith("ev_")
    config.setColumns(columns)
    layer.setAttributeTableConfig(config)


def labelled(layer: QgsVectorLayer, expression: str) -> None:
    """Label a layer by an expression."""
    settings = QgsPalLayerSettings()
    settings.fieldName, settings.isExpression = expression, True
    settings.placement = Qgis.LabelPlacement.Line
    layer.setLabeling(QgsVectorLayerSimpleLabeling(settings))
    layer.setLabelsEnabled(True)


def save(layer: QgsMapLayer, name: str) -> None:
    """Write the style; only what is of the style itself, so that it fits any layer."""
    wanted = (
        QgsMapLayer.StyleCategory.Symbology
        | QgsMapLayer.StyleCategory.Labeling
        | QgsMapLayer.StyleCategory.AttributeTable
    )
    message, done = layer.saveNamedStyle(str(STYLES / f"{name}.qml"), wanted)
    if not done:
        raise SystemExit(message)


EVIDENCE = ("areas", "slope", "water", "near", "setbk", "device", "infil", "listed", "soils")


def polygons(field: str) -> QgsVectorLayer:
    """Return an empty layer of sites with a text field, the columns of evidence hidden."""
    names = dict.fromkeys((field, *(f"ev_{name}" for name in EVIDENCE)))
    columns = "".join(f"&field={name}:string" for name in names)
    layer = QgsVectorLayer(f"MultiPolygon?crs=EPSG:26918{columns}", "layer", "memory")
    without_evidence(layer)
    return layer


def make() -> None:
    """Make all styles."""
    STYLES.mkdir(exist_ok=True)
    layer = polygons("class")
    categorised(layer, "class", CLASSES)
    save(layer, "class")
    plain = {word: (colour, word.capitalize()) for word, colour in OUTCOMES.items()}
    for column in ("slope_15", "in_100ft", "in_500ft"):
        layer = polygons(column)
        categorised(layer, column, plain)
        save(layer, column)
    layer = polygons("vs_1acre")
    limits = {word: (colour, f"{word.capitalize()} 1 acre") for word, colour in LIMITS.items()}
    limits["unknown"] = (LIMITS["unknown"], "Unknown")
    categorised(layer, "vs_1acre", limits)
    save(layer, "vs_1acre")
    layer = polygons("changed")
    changes = {"yes": ("#a83232", "Class changes"), "no": ("#e4e7ea", "Same class")}
    categorised(layer, "changed", changes)
    save(layer, "changed")
    for name, column in (("impaired", "ev_listed"), ("soil_grp", "soil_grp")):
        layer = polygons(column)
        expression, entries = KINDS[name]
        categorised(layer, expression, entries)
        save(layer, name)
    layer = polygons("zone")
    categorised(layer, "zone", ZONES)
    save(layer, "zones")
    layer = QgsVectorLayer("LineString?crs=EPSG:26918&field=kind:string", "layer", "memory")
    categorised(layer, "kind", LINES, lines=True)
    labelled(
        layer, "round(\"slope_pct\", 1) || ' % (' || round(\"from_ft\", 1) || ' > ' ||"
        " round(\"to_ft\", 1) || ' ft)'"
    )  # fmt: skip
    save(layer, "slope_lines")
    raster()


KINDS = {
    "impaired": (
        "CASE WHEN \"ev_listed\" LIKE '%listed_any y%' THEN 'yes'"
        " WHEN \"ev_listed\" LIKE '%listed_any r%' THEN 'review'"
        " WHEN \"ev_listed\" LIKE '%listed_any n%' THEN 'no' ELSE 'unknown' END",
        {
            "yes": (OUTCOMES["yes"], "Reaches listed water"),
            "review": (OUTCOMES["review"], "Review"),
            "no": (OUTCOMES["no"], "None"),
            "unknown": (OUTCOMES["unknown"], "Unknown"),
        },
    ),
    "soil_grp": (
        'left("soil_grp", 1)',
        {
            "A": ("#f3e2b3", "Mostly A"),
            "B": ("#d9b98a", "Mostly B"),
            "C": ("#a98467", "Mostly C"),
            "D": ("#6c584c", "Mostly D"),
            "": (OUTCOMES["unknown"], "Unknown"),
        },
    ),
}


def raster() -> None:
    """Make the style of slopes in percent."""
    layer = QgsRasterLayer(str(ROOT / "resources" / "sample" / "dem.tif"), "slope")
    shader = QgsColorRampShader(0, SLOPES[-1][0])
    shader.setColorRampType(Qgis.ShaderInterpolationMethod.Linear)
    shader.setColorRampItemList(
        [
            QgsColorRampShader.ColorRampItem(value, QColor(colour), f"{value} %")
            for value, colour in SLOPES
        ]
    )
    whole = QgsRasterShader()
    whole.setRasterShaderFunction(shader)
    renderer = QgsSingleBandPseudoColorRenderer(layer.dataProvider(), 1, whole)
    renderer.setClassificationMin(0)
    renderer.setClassificationMax(SLOPES[-1][0])
    layer.setRenderer(renderer)
    save(layer, "slope_raster")


if __name__ == "__main__":
    application = QgsApplication([], False)
    application.initQgis()
    make()
    application.exitQgis()
