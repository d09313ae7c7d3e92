"""The map of a report: a QGIS print layout that moves from site to site."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyproj
import shapely
from osgeo import gdal, ogr
from qgis.core import (
    Qgis,
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsFeatureRequest,
    QgsGeometry,
    QgsLayoutExporter,
    QgsLayoutItemMap,
    QgsLayoutItemPicture,
    QgsLayoutItemScaleBar,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsPrintLayout,
    QgsProject,
    QgsRectangle,
    QgsSingleSymbolRenderer,
    QgsSymbol,
    QgsTextFormat,
    QgsUnitTypes,
    QgsVectorLayer,
    QgsVectorSimplifyMethod,
)
from qgis.PyQt.QtCore import QSize, Qt
from qgis.PyQt.QtGui import QColor, QFont, QImage, QPainter

from ..stormwater_screen.dem import Dem
from ..stormwater_screen.plane import plane_crs
from ..stormwater_screen.report.content import SiteReport
from ..stormwater_screen.report.relief import interval_ft, lattice
from . import report_symbols as symbols

WIDTH_MM = 190.0
HEIGHT_MM = 78.0
INSET_MM = (38.0, 29.0)
LEAST_FT = 420.0
"""Least width of what is shown, in feet."""
MARGIN_FT = 130.0
"""Least margin around a site: what lies within 100 ft of it is on the map."""
INSET_TIMES = 9.0
COARSE_FT = 15.0
"""What is left out of outlines on the small map, in feet."""
DOTS_PER_INCH = 150
_KEY = {
    "site": "this site",
    "other_sites": "other sites",
    "disturbance": "limits of disturbance",
    "no_infiltration": "no infiltration device here",
    "near_water": "zone along water",
    "water": "lake, pond, river",
    "stream": "stream",
    "wetland": "wetland",
    "supply": "drinking-water supply",
    "leach_field": "leach field",
    "device": "infiltration device",
    "slope_run": "slope over 100 ft, both elevations",
    "contour": "contour, elevation in ft",
}

ROLE_SYMBOLS = {
    "WETLANDS": ("", "", "wetland"),
    "WATER_BODIES": ("", "", "water"),
    "WATERCOURSES": ("", "stream", "water"),
    "DISTURBANCE": ("", "", "disturbance"),
    "LEACH_FIELDS": ("leach_field", "", "leach_area"),
    "WATER_SUPPLIES": ("supply", "", "supply_area"),
    "DEVICES": ("device", "", "device_area"),
}
"""Symbols of points, lines and polygons of each context layer, from back to front."""


@dataclass(frozen=True)
class DrawnMap:
    """What was drawn of a site.

    Attributes
    ----------
    interval_ft
        Distance between contours; 0: none.
    width_ft
        Width of what is shown.
    key
        Names of the symbols on the map.
    """

    interval_ft: float
    width_ft: float
    key: tuple[str, ...]


class ReportMap:
    """A layout with a map, a small map of the surroundings, a scale bar and a north arrow.

    Parameters
    ----------
    sites
        Shapes of all sites, None where there is none, with their names.
    zones
        Zones by row of the site: kind and shape.
    crs
        CRS of both.
    keys
        Plane of each site.
    context
        Waters, supplies and other layers by parameter name.
    dem
        Ground, or None.
    """

    def __init__(
        self,
        sites: Sequence[shapely.Geometry | None],
        names: Sequence[str],
        zones: Mapping[int, Sequence[tuple[str, shapely.Geometry]]],
        crs: QgsCoordinateReferenceSystem,
        keys: npt.NDArray[np.int64],
        context: Mapping[str, Sequence[QgsVectorLayer]],
        dem: Dem | None,
    ) -> None:
        self.sites, self.zones, self.crs, self.keys, self.dem = sites, zones, crs, keys, dem
        self._pyproj = pyproj.CRS.from_wkt(crs.toWkt(Qgis.CrsWktVariant.Preferred))
        self._planes: dict[tuple[int, int], tuple[pyproj.CRS, QgsCoordinateReferenceSystem]] = {}
        self._own = _memory("Polygon", "", crs, "site")
        self._block = _memory("Polygon", "", crs, "site_block")
        self._others = _memory("Polygon", "name:string(80)&field=row:integer", crs, "other_sites")
        self._others.setLabeling(symbols.labels("name", 6.0, "#555555"))
        self._others.setLabelsEnabled(True)
        _fill(
            self._others,
            [(one, (name, at)) for at, (one, name) in enumerate(zip(sites, names, strict=True))],
        )
        self._others.dataProvider().createSpatialIndex()
        self._hatched = _memory("Polygon", "", crs, "no_infiltration")
        self._along = _memory("Polygon", "", crs, "near_water")
        self._runs = _memory("LineString", "", crs, "slope_run")
        self._ends = _memory("Point", "label:string(40)", crs, "slope_end")
        self._ends.setLabeling(symbols.labels("label", 6.5, bold=True))
        self._ends.setLabelsEnabled(True)
        self._contours = _memory("LineString", "label:string(12)", crs, "contour")
        self._contours.setLabeling(symbols.labels("label", 5.0, "#8a6a48", around_line=True))
        self._contours.setLabelsEnabled(True)
        self._context = {role: _styled(role, layers) for role, layers in context.items()}
        back = [layer for role in ROLE_SYMBOLS for layer in self._context.get(role, ())]
        points = [layer for layer in back if layer.geometryType() == Qgis.GeometryType.Point]
        areas = [layer for layer in back if layer.geometryType() != Qgis.GeometryType.Point]
        front = [self._ends, self._runs, *reversed(points), self._own, self._others, self._along]
        layers = [*front, self._hatched, self._contours, *reversed(areas)]
        wide = []
        for role in ("WATERCOURSES", "WATER_BODIES"):
            wide += [layer.clone() for layer in self._context.get(role, ())]
        for layer in wide:
            layer.setLabelsEnabled(False)
            line = layer.geometryType() == Qgis.GeometryType.Line
            symbol = symbols.thin_stream() if line else symbols.plain_water()
            layer.setRenderer(QgsSingleSymbolRenderer(symbol))
        # A layout holds layers weakly: what nobody else holds is not drawn.
        self._wide = [self._block, self._wide_sites(sites, names), *wide]
        self._layout(layers, self._wide)

    def _wide_sites(self, sites: Sequence[Any], names: Sequence[str]) -> QgsVectorLayer:
        self._plain = _memory("Polygon", "name:string(80)", self.crs, "other_sites")
        step = COARSE_FT * QgsUnitTypes.fromUnitToUnitFactor(
            Qgis.DistanceUnit.Feet, self.crs.mapUnits()
        )
        there = [one for one in sites if one is not None and not one.is_empty]
        coarse = shapely.simplify(np.array(there, dtype=object), step)
        _fill(self._plain, [(one, ("",)) for one in coarse])
        return self._plain

    def _layout(self, layers: list[QgsVectorLayer], wide: list[QgsVectorLayer]) -> None:
        self._project = QgsProject()
        self.layout = QgsPrintLayout(self._project)
        self.layout.initializeDefaults()
        self.layout.renderContext().setSimplifyMethod(_simplified())
        page = self.layout.pageCollection().page(0)
        page.setPageSize(QgsLayoutSize(WIDTH_MM, HEIGHT_MM))
        self.map = _map_item(self.layout, 0, 0, WIDTH_MM, HEIGHT_MM, layers)
        left = WIDTH_MM - INSET_MM[0] - 1.5
        self.inset = _map_item(self.layout, left, 1.5, *INSET_MM, wide)
        self.bar = QgsLayoutItemScaleBar(self.layout)
        self.bar.setStyle("Single Box")
        self.bar.setLinkedMap(self.map)
        self.bar.setUnits(Qgis.DistanceUnit.Feet)
        self.bar.setUnitLabel("ft")
        self.bar.setNumberOfSegments(2)
        self.bar.setNumberOfSegmentsLeft(0)
        self.bar.setHeight(1.6)
        self.bar.setTextFormat(_text(7.0))
        self.bar.setBackgroundEnabled(True)
        self.layout.addLayoutItem(self.bar)
        arrow = QgsLayoutItemPicture(self.layout)
        arrow.setPicturePath(":/images/north_arrows/layout_default_north_arrow.svg")
        arrow.attemptMove(QgsLayoutPoint(3, 3))
        arrow.attemptResize(QgsLayoutSize(9, 12))
        self.layout.addLayoutItem(arrow)

    def show(self, place: int, report: SiteReport, infiltration: str) -> DrawnMap | None:
        """Move the layout to a site; None where the site has no shape.

        Parameters
        ----------
        place
            Place of the site, from 0.
        report
            Its report.
        infiltration
            Kind of zone that is hatched, or an empty text.
        """
        shape = self.sites[place]
        if shape is None or shape.is_empty:
            return None
        plane, crs = self._plane(place)
        to_plane = pyproj.Transformer.from_crs(self._pyproj, plane, always_xy=True)
        local = shapely.transform(
            shape, lambda xy: np.column_stack(to_plane.transform(xy[:, 0], xy[:, 1]))
        )
        extent = _extent(local.bounds)
        self.map.setCrs(crs)
        self.map.zoomToExtent(QgsRectangle(*extent))
        self.inset.setCrs(crs)
        self.inset.zoomToExtent(QgsRectangle(*_widened(extent, INSET_TIMES)))
        self._others.setSubsetString(f'"row" <> {place}')
        _fill(self._own, [(shape, ())])
        _fill(self._block, [(shape, ())])
        zones = self.zones.get(report.row, ())
        hatched = [(zone, ()) for kind, zone in zones if kind == infiltration]
        along = [(zone, ()) for kind, zone in zones if kind.startswith("zone_")]
        _fill(self._hatched, hatched)
        _fill(self._along, along)
        runs = self._show_runs(report, plane, crs)
        interval = self._show_contours(extent, plane, crs)
        width = extent[2] - extent[0]
        segment = _round_length(width / 9)
        self.bar.setUnitsPerSegment(segment)
        self.bar.setMapUnitsPerScaleBarUnit(1.0)
        self.bar.update()
        self.bar.resizeToMinimumWidth()
        self.bar.attemptMove(QgsLayoutPoint(3, HEIGHT_MM - self.bar.sizeWithUnits().height() - 2))
        key = ["site", "other_sites"]
        key += self._key_of(crs, extent)
        key += ["no_infiltration"] if hatched else []
        key += ["near_water"] if along else []
        key += ["slope_run"] if runs else []
        key += ["contour"] if interval else []
        order = [name for name in _KEY if name in key]
        return DrawnMap(interval, width, tuple(order))

    def image(self, dots_per_inch: int = DOTS_PER_INCH) -> QImage:
        """Return the map as an image with few colours."""
        exporter = QgsLayoutExporter(self.layout)
        size = QSize(
            round(WIDTH_MM / 25.4 * dots_per_inch), round(HEIGHT_MM / 25.4 * dots_per_inch)
        )
        image = exporter.renderPageToImage(0, size, dots_per_inch)
        plain = QImage(image.size(), QImage.Format.Format_RGB32)
        plain.fill(QColor("#ffffff"))
        painter = QPainter(plain)
        painter.drawImage(0, 0, image)
        painter.end()
        flags = Qt.ImageConversionFlag.ThresholdDither | Qt.ImageConversionFlag.AvoidDither
        return plain.convertToFormat(QImage.Format.Format_Indexed8, flags)

    def paint(self, painter: QPainter) -> None:
        """Draw the map as lines and letters, at the painter's place and resolution."""
        QgsLayoutExporter(self.layout).renderPage(painter, 0)

    def close(self) -> None:
        """Let go of all layers and of the layout, which must not outlive QGIS."""
        for name in [name for name in vars(self) if name != "_planes"]:
            delattr(self, name)

    def _plane(self, place: int) -> tuple[pyproj.CRS, QgsCoordinateReferenceSystem]:
        key = (int(self.keys[place][0]), int(self.keys[place][1]))
        if key not in self._planes:
            plane = plane_crs(key)
            self._planes[key] = plane, QgsCoordinateReferenceSystem.fromWkt(plane.to_wkt())
        return self._planes[key]

    def _show_runs(
        self, report: SiteReport, plane: pyproj.CRS, crs: QgsCoordinateReferenceSystem
    ) -> bool:
        runs = [run for run in report.runs if math.isfinite(run.latitude)]
        runs = [run for run in runs if not run.kind.startswith("Flattest")][:4]
        from_degrees = pyproj.Transformer.from_crs("EPSG:4269", plane, always_xy=True)
        lines, ends = [], []
        for run in runs:
            x, y = from_degrees.transform(run.longitude, run.latitude)
            angle = math.radians(run.degrees)
            far = (x + 100 * math.sin(angle), y + 100 * math.cos(angle))
            lines.append((shapely.LineString([(x, y), far]), ()))
            ends += [(shapely.Point(x, y), (run.begin_ft,)), (shapely.Point(far), (run.end_ft,))]
        self._runs.setCrs(crs)
        self._ends.setCrs(crs)
        _fill(self._runs, lines)
        _fill(self._ends, ends)
        return bool(runs)

    def _show_contours(
        self,
        extent: tuple[float, float, float, float],
        plane: pyproj.CRS,
        crs: QgsCoordinateReferenceSystem,
    ) -> float:
        found = None if self.dem is None else lattice(self.dem, extent, plane)
        self._contours.setCrs(crs)
        if found is None:
            _fill(self._contours, [])
            return 0.0
        heights, west, north, step = found
        interval = interval_ft(heights)
        _fill(self._contours, _contours(heights, west, north, step, interval))
        return interval

    def _key_of(
        self, crs: QgsCoordinateReferenceSystem, extent: tuple[float, float, float, float]
    ) -> list[str]:
        """Return the symbols of the context layers that meet the map."""
        named = []
        request = QgsFeatureRequest(QgsRectangle(*extent))
        request.setDestinationCrs(crs, self._project.transformContext())
        request.setLimit(1).setNoAttributes()
        for role, layers in self._context.items():
            for layer in layers:
                symbol = ROLE_SYMBOLS[role][int(layer.geometryType())]
                if symbol and any(True for _ in layer.getFeatures(request)):
                    name = symbol.replace("_area", "")
                    named.append({"leach": "leach_field"}.get(name, name))
        return named


def key_image(name: str, dots_per_inch: int = 300) -> QImage:
    """Return a symbol of the map's key as a small image."""
    symbol = _symbol(name)
    size = QSize(round(0.30 * dots_per_inch), round(0.16 * dots_per_inch))
    image = QImage(size, QImage.Format.Format_ARGB32)
    image.setDotsPerMeterX(round(dots_per_inch / 0.0254))
    image.setDotsPerMeterY(round(dots_per_inch / 0.0254))
    image.fill(QColor("#ffffff"))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    inside = QSize(size.width() - 8, size.height() - 6)
    painter.translate(4, 3)
    symbol.drawPreviewIcon(painter, inside)
    painter.end()
    return image


def key_words(name: str) -> str:
    """Return what a symbol of the map's key stands for."""
    return _KEY[name]


def _symbol(name: str) -> QgsSymbol:
    made: QgsSymbol = getattr(symbols, name)()
    return made


def _memory(
    kind: str, fields: str, crs: QgsCoordinateReferenceSystem, symbol: str
) -> QgsVectorLayer:
    layer = QgsVectorLayer(f"{kind}?{'field=' + fields if fields else ''}", symbol, "memory")
    layer.setCrs(crs)
    layer.setRenderer(QgsSingleSymbolRenderer(_symbol(symbol)))
    return layer


def _fill(
    layer: QgsVectorLayer, shapes: Iterable[tuple[shapely.Geometry | None, tuple[Any, ...]]]
) -> None:
    provider = layer.dataProvider()
    provider.truncate()
    features = []
    for shape, values in shapes:
        if shape is None or shape.is_empty:
            continue
        feature = QgsFeature(layer.fields())
        feature.setAttributes(list(values))
        geometry = QgsGeometry()
        geometry.fromWkb(shapely.to_wkb(shape))
        feature.setGeometry(geometry)
        features.append(feature)
    provider.addFeatures(features)
    layer.updateExtents()


def _styled(role: str, layers: Sequence[QgsVectorLayer]) -> list[QgsVectorLayer]:
    """Return copies of layers with the symbols of the map, never the user's own objects."""
    drawn = []
    for layer in layers:
        name = ROLE_SYMBOLS[role][int(layer.geometryType())]
        if not name:
            continue
        copy = layer.clone()
        copy.setRenderer(QgsSingleSymbolRenderer(_symbol(name)))
        copy.setLabelsEnabled(False)
        label = _name_field(copy)
        if role in ("WATER_BODIES", "WATERCOURSES") and label:
            along = name == "stream"
            copy.setLabeling(symbols.labels(label, 6.5, symbols.WATER, around_line=along))
            copy.setLabelsEnabled(True)
        drawn.append(copy)
    return drawn


def _simplified() -> QgsVectorSimplifyMethod:
    """Return how corners that no eye can tell apart become one; it halves the size of a PDF."""
    method = QgsVectorSimplifyMethod()
    method.setSimplifyHints(Qgis.VectorRenderingSimplificationFlag.GeometrySimplification)
    method.setSimplifyAlgorithm(Qgis.VectorSimplificationAlgorithm.SnappedToGridGlobal)
    method.setForceLocalOptimization(True)
    method.setThreshold(1.0)
    return method


def _name_field(layer: QgsVectorLayer) -> str:
    names = {name.casefold(): name for name in layer.fields().names()}
    return next((names[name] for name in ("name", "gnis_name", "gnis_name_") if name in names), "")


def _map_item(
    layout: QgsPrintLayout,
    left: float,
    top: float,
    width: float,
    height: float,
    layers: list[QgsVectorLayer],
) -> QgsLayoutItemMap:
    item = QgsLayoutItemMap(layout)
    item.attemptMove(QgsLayoutPoint(left, top))
    item.attemptResize(QgsLayoutSize(width, height))
    item.setLayers(layers)
    item.setKeepLayerSet(True)
    item.setFrameEnabled(True)
    item.setBackgroundColor(QColor("#ffffff"))
    layout.addLayoutItem(item)
    return item


def _text(size: float) -> QgsTextFormat:
    text = QgsTextFormat()
    text.setFont(QFont(symbols.FONT))
    text.setSize(size)
    text.setSizeUnit(Qgis.RenderUnit.Points)
    return text


def _extent(bounds: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    """Return what the map shows of a site with these bounds, in the shape of the map."""
    west, south, east, north = bounds
    margin = max(MARGIN_FT, 0.15 * max(east - west, north - south))
    width = max(east - west + 2 * margin, LEAST_FT)
    height = max(north - south + 2 * margin, LEAST_FT * HEIGHT_MM / WIDTH_MM)
    # The small map covers a corner: the site is moved to the left by a little.
    width = max(width, height * WIDTH_MM / HEIGHT_MM)
    height = width * HEIGHT_MM / WIDTH_MM
    x, y = (west + east) / 2, (south + north) / 2
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def _widened(
    extent: tuple[float, float, float, float], times: float
) -> tuple[float, float, float, float]:
    west, south, east, north = extent
    x, y = (west + east) / 2, (south + north) / 2
    half = max((east - west) * times / 2, 1_500.0)
    return x - half, y - half, x + half, y + half


def _round_length(feet: float) -> float:
    power = 10.0 ** math.floor(math.log10(max(feet, 1.0)))
    return max(step * power for step in (1, 2, 5) if step * power <= max(feet, 1.0))


def _contours(
    heights: npt.NDArray[np.float64], west: float, north: float, step: float, interval: float
) -> list[tuple[shapely.Geometry, tuple[str]]]:
    nothing = -99_999.0
    rows, columns = heights.shape
    with gdal.ExceptionMgr(), ogr.ExceptionMgr():
        raster = gdal.GetDriverByName("MEM").Create("", columns, rows, 1, gdal.GDT_Float64)
        raster.SetGeoTransform((west, step, 0.0, north, 0.0, -step))
        band = raster.GetRasterBand(1)
        band.WriteArray(np.where(np.isfinite(heights), heights, nothing))
        band.SetNoDataValue(nothing)
        store = ogr.GetDriverByName("MEM" if gdal.VersionInfo() >= "3110000" else "Memory")
        # The layer lives no longer than its data source.
        held = store.CreateDataSource("")
        layer = held.CreateLayer("contours", None, ogr.wkbLineString)
        layer.CreateField(ogr.FieldDefn("height", ogr.OFTReal))
        gdal.ContourGenerateEx(
            band, layer, options=[f"LEVEL_INTERVAL={interval}", "ELEV_FIELD=0",
                                  f"NODATA={nothing}"]
        )  # fmt: skip
        return [
            (
                shapely.from_wkb(bytes(feature.GetGeometryRef().ExportToWkb())),
                (f"{feature[0]:.0f}",),
            )
            for feature in layer
        ]
