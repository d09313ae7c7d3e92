"""From Processing parameters to the layers, fields and raster of the core."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyproj
import shapely
from osgeo import gdal, osr
from qgis.core import (
    NULL,
    Qgis,
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsFeatureRequest,
    QgsFields,
    QgsMapLayer,
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingFeatureSource,
    QgsProcessingFeatureSourceDefinition,
    QgsProcessingUtils,
    QgsProject,
    QgsProperty,
    QgsProviderRegistry,
    QgsRasterLayer,
    QgsRectangle,
    QgsVectorLayer,
    QgsVirtualLayerDefinition,
)
from qgis.PyQt.QtCore import QUrl

from ..stormwater_screen.errors import InputError
from ..stormwater_screen.layers import Layer, layer_from_wkb
from ..stormwater_screen.model import DemSource
from ..stormwater_screen.prepare.vicinity import Vicinity
from ..stormwater_screen.reading import named_field
from .feature_rows import FeatureRows, python_value
from .i18n import mark, tr
from .parameters import GEOMETRY, SEVERAL

_GEOMETRY_WORDS = {
    Qgis.GeometryType.Point: "point",
    Qgis.GeometryType.Line: "line",
    Qgis.GeometryType.Polygon: "polygon",
    Qgis.GeometryType.Null: "no geometry",
}
_FOUND_TEXTS = {
    "point": mark("a point layer"),
    "line": mark("a line layer"),
    "polygon": mark("a polygon layer"),
    "no geometry": mark("a table without geometry"),
}
_NEEDED_TEXTS = {
    "point": mark("a layer of points"),
    "polygon": mark("a layer of polygons"),
    "line_or_polygon": mark("a layer of lines or polygons"),
    "point_or_polygon": mark("a layer of points or polygons"),
    "any": mark("a layer of points, lines or polygons"),
}
_MOST_WINDOWS = 20


@dataclass(frozen=True)
class SiteRows:
    """The sites as the core takes them, and their own attributes as QGIS gave them.

    Attributes
    ----------
    layer
        The sites.
    fields
        Own fields.
    values
        Field by field the values of all sites; NULL is None.
    crs
        CRS of the layer.
    """

    layer: Layer
    fields: QgsFields
    values: list[list[Any]]
    crs: QgsCoordinateReferenceSystem


class InputReader:
    """Reads what the user gave to one run of an algorithm.

    Parameters
    ----------
    algorithm, parameters, context
        As Processing hands them to `processAlgorithm`.
    poll
        Called now and then while features are read; raises when the run is cancelled.
    """

    def __init__(
        self,
        algorithm: QgsProcessingAlgorithm,
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        poll: Callable[[], None],
    ) -> None:
        self.algorithm, self.parameters, self.context = algorithm, parameters, context
        self.poll = poll

    def given(self, name: str) -> bool:
        """Return whether the user gave something for the parameter."""
        value = self.parameters.get(name)
        return value is not None and value != NULL and value not in ("", [])

    def sites(self) -> SiteRows:
        """Read SITES: all rows, in order, broken geometries too."""
        source, layer = self._source("SITES")
        rows = self._rows(source)
        return SiteRows(
            layer=self._layer("SITES", layer, source.sourceCrs(), rows),
            fields=rows.fields,
            values=rows.values,
            crs=source.sourceCrs(),
        )

    def layers(self, name: str, near: Vicinity | None = None) -> tuple[Layer, ...]:
        """Read the layers of a parameter; empty where it was not given.

        Parameters
        ----------
        name
            Name of the parameter.
        near
            Surroundings outside which nothing is read; None: all is.
        """
        if not self.given(name):
            return ()
        if name in SEVERAL:
            return tuple(self._whole_layer(name, layer, near) for layer in self._map_layers(name))
        source, layer = self._source(name)
        rows = self._rows(source, _windows(near, source.sourceCrs()))
        return (self._layer(name, layer, source.sourceCrs(), rows),)

    def fields(self, columns: dict[str, Iterable[Layer]]) -> dict[str, str]:
        """Return the field named for each parameter that the user gave.

        Parameters
        ----------
        columns
            For each field parameter, the layers that it may stand in.

        Raises
        ------
        InputError
            The layer was not given, or has no such field.
        """
        named = {name: layers for name, layers in columns.items() if self.given(name)}
        return {name: self._field(name, tuple(layers)) for name, layers in named.items()}

    def distinct(self, name: str, field: str) -> set[Any]:
        """Return the different values of a field in the whole layers of a parameter."""
        found: set[Any] = set()
        for layer in self._map_layers(name):
            at = layer.fields().lookupField(field)
            if at >= 0:
                found |= {python_value(value) for value in layer.uniqueValues(at)}
        return found

    def dem(self) -> DemSource | None:
        """Return the raster DEM, or None where it was not given."""
        if not self.given("DEM"):
            return None
        raster = self.algorithm.parameterAsRasterLayer(self.parameters, "DEM", self.context)
        if raster is None:
            raise InputError(
                "DEM", tr("{} cannot be read").format(self.parameters["DEM"]), tr("a raster file")
            )
        if raster.providerType() != "gdal":
            raise InputError(
                f"DEM ({raster.name()})",
                tr("a raster of the provider {}").format(raster.providerType()),
                tr("a raster file; export it to GeoTIFF first"),
            )
        band = self._band(raster.bandCount())
        unit = self.algorithm.parameterAsEnumString(self.parameters, "DEM_Z_UNIT", self.context)
        return DemSource(_raster_path(raster), band, unit or "auto")

    def _band(self, count: int) -> int:
        if not self.given("DEM_BAND"):
            return 1
        # As a text, since as a number QGIS takes what is none for the first band.
        text = self.algorithm.parameterAsString(self.parameters, "DEM_BAND", self.context)
        if not text.isdecimal() or not 1 <= int(text) <= count:
            raise InputError(
                "DEM_BAND", tr("band {}").format(text), tr("a band from 1 to {}").format(count)
            )
        return int(text)

    def sources(self, *, lenient: bool = False) -> dict[str, list[str]]:
        """Return the sources of all layers, rasters and files given, by parameter name.

        Parameters
        ----------
        lenient
            Take what cannot be read by the text that was given for it, instead of refusing it.
        """
        found: dict[str, list[str]] = {}
        for name in GEOMETRY:
            if self.given(name):
                try:
                    given = self._map_layers(name)
                except InputError:
                    if not lenient:
                        raise
                    value = self.parameters[name]
                    texts = value if isinstance(value, list | tuple) else [value]
                    found[name] = [str(text) for text in texts]
                    continue
                layers = [one for layer in given for one in _with_origins(layer)]
                # The source of a layer in memory is a list of its fields, too long for a path.
                found[name] = [
                    layer.source() for layer in layers if layer.providerType() != "memory"
                ]
        raster = self.algorithm.parameterAsRasterLayer(self.parameters, "DEM", self.context)
        if raster is not None:
            found["DEM"] = [raster.source()]
        if self.given("ORDINANCE_FILE"):
            found["ORDINANCE_FILE"] = [str(self.parameters["ORDINANCE_FILE"])]
        return found

    def _source(self, name: str) -> tuple[QgsProcessingFeatureSource, QgsVectorLayer]:
        (layer,) = self._map_layers(name)
        self._check_layer(name, layer)
        source = self.algorithm.parameterAsSource(self.parameters, name, self.context)
        if source is None:
            raise InputError(
                name, tr("{} cannot be read").format(layer_name(layer)), tr("a vector layer")
            )
        return source, layer

    def _map_layers(self, name: str) -> list[QgsVectorLayer]:
        value = self.parameters[name]
        entries = value if isinstance(value, list | tuple) else [value]
        return [self._map_layer(name, entry) for entry in entries]

    def _map_layer(self, name: str, entry: Any) -> QgsVectorLayer:
        if isinstance(entry, QgsProcessingFeatureSourceDefinition):
            entry = entry.source
        if isinstance(entry, QgsProperty):
            entry = entry.valueAsString(self.context.expressionContext(), "")[0]
        layer = entry
        if not isinstance(entry, QgsMapLayer):
            hint = QgsProcessingUtils.LayerHint.Vector
            layer = QgsProcessingUtils.mapLayerFromString(str(entry), self.context, True, hint)
        if not isinstance(layer, QgsVectorLayer):
            raise InputError(name, tr("{} cannot be read").format(entry), tr("a vector layer"))
        return layer

    def _check_layer(self, name: str, layer: QgsVectorLayer) -> None:
        _refuse_unnamed_sublayer(name, layer)
        _refuse_geometry(name, layer)
        if not layer.crs().isValid():
            raise InputError(
                f"{name} ({layer_name(layer)})",
                tr("no coordinate reference system"),
                tr("a layer whose coordinate reference system is known"),
            )

    def _whole_layer(self, name: str, layer: QgsVectorLayer, near: Vicinity | None) -> Layer:
        self._check_layer(name, layer)
        rows = self._rows(layer, _windows(near, layer.crs()))
        return self._layer(name, layer, layer.crs(), rows)

    def _rows(
        self,
        source: QgsProcessingFeatureSource | QgsVectorLayer,
        windows: Sequence[QgsRectangle | None] = (None,),
    ) -> FeatureRows:
        """Return the features that meet one of the windows, each once."""
        with closing(self._features(source, windows)) as features:
            rows = FeatureRows.of(source.fields(), features, self.poll)
        # A spatial index gives features in an order of its own, which depends on the windows.
        return rows if None in windows else rows.by_id()

    def _features(
        self,
        source: QgsProcessingFeatureSource | QgsVectorLayer,
        windows: Iterable[QgsRectangle | None],
    ) -> Generator[QgsFeature, None, None]:
        seen: set[int] = set()
        for window in windows:
            with closing(self._features_in(source, window)) as features:
                for feature in features:
                    if feature.id() not in seen:
                        seen.add(feature.id())
                        yield feature

    def _features_in(
        self, source: QgsProcessingFeatureSource | QgsVectorLayer, window: QgsRectangle | None
    ) -> Generator[QgsFeature, None, None]:
        # The geometry checks of QGIS stop `processing.run` but not `qgis_process`: none of them.
        request = QgsFeatureRequest()
        request.setInvalidGeometryCheck(Qgis.InvalidGeometryCheck.NoCheck)
        if window is not None:
            request.setFilterRect(window)
        if isinstance(source, QgsVectorLayer):
            iterator = source.getFeatures(request)
        else:
            iterator = source.getFeatures(
                request, Qgis.ProcessingFeatureSourceFlag.SkipGeometryValidityChecks
            )
        try:
            yield from iterator
        finally:
            # A stopped run is remembered for a while with all it held; QGIS has four connections to
            # a file, and waits for ever for a fifth.
            iterator.close()

    def _layer(
        self,
        name: str,
        layer: QgsVectorLayer,
        crs: QgsCoordinateReferenceSystem,
        rows: FeatureRows,
    ) -> Layer:
        count = layer.featureCount()
        # A selection or a filter must not make the layer's coverage smaller.
        whole = count < 0 or len(rows) == count
        return layer_from_wkb(
            rows.wkb,
            rows.frame(),
            crs.toWkt(Qgis.CrsWktVariant.Preferred),
            role=name,
            name=layer_name(layer),
            geometry=GEOMETRY[name],
            source=layer.publicSource(),
            extent=None if whole else _extent(layer),
            feature_count=len(rows) if whole else max(count, len(rows)),
        )

    def _field(self, name: str, layers: tuple[Layer, ...]) -> str:
        field = self.algorithm.parameterAsString(self.parameters, name, self.context)
        return named_field(name, field, layers)


def _windows(
    near: Vicinity | None, crs: QgsCoordinateReferenceSystem
) -> tuple[QgsRectangle | None, ...]:
    """Return rectangles in a layer's CRS that hold the surroundings; (None,): everything."""
    if near is None or not crs.isValid():
        return (None,)
    area = near.within(pyproj.CRS.from_wkt(crs.toWkt(Qgis.CrsWktVariant.Preferred)))
    if area is None:
        return (None,)
    boxes = shapely.bounds(shapely.get_parts(area))
    if len(boxes) > _MOST_WINDOWS:
        boxes = shapely.bounds(np.array([area]))
    return tuple(QgsRectangle(*box) for box in boxes.tolist())


def layer_name(layer: QgsVectorLayer) -> str:
    """Return the name that the user knows: of the layer in the file, else of the layer."""
    named = QgsProviderRegistry.instance().decodeUri(layer.providerType(), layer.source())
    inner = named.get("layerName")
    return str(inner) if inner and layer.name() == Path(str(named["path"])).stem else layer.name()


def _with_origins(layer: QgsVectorLayer) -> list[QgsVectorLayer]:
    """Return a layer and, of a virtual layer, the layers that its query reads."""
    if layer.providerType() != "virtual":
        return [layer]
    definition = QgsVirtualLayerDefinition.fromUrl(QUrl.fromEncoded(layer.source().encode()))
    embedded = [
        QgsVectorLayer(one.source(), one.name(), one.provider())
        for one in definition.sourceLayers()
        if not one.isReferenced()
    ]
    project = QgsProject.instance()
    ids = [dependency.layerId() for dependency in layer.dataProvider().dependencies()]
    named = [found for found in map(project.mapLayer, ids) if isinstance(found, QgsVectorLayer)]
    return [layer] + [one for found in (*embedded, *named) for one in _with_origins(found)]


def _refuse_unnamed_sublayer(name: str, layer: QgsVectorLayer) -> None:
    """Refuse a file of several layers of which none is named: QGIS would take the first."""
    uri = QgsProviderRegistry.instance().decodeUri(layer.providerType(), layer.source())
    if layer.providerType() != "ogr" or uri.get("layerName") or uri.get("layerId") is not None:
        return
    found = [
        details.name()
        for details in QgsProviderRegistry.instance().querySublayers(str(uri["path"]))
        if details.type() == Qgis.LayerType.Vector and details.wkbType() != Qgis.WkbType.NoGeometry
    ]
    if len(found) > 1:
        raise InputError(
            f"{name} ({uri['path']})",
            tr("{} layers and none named: {}").format(len(found), ", ".join(found)),
            tr("one of them, as {}").format(f"{uri['path']}|layername={found[0]}"),
        )


def _refuse_geometry(name: str, layer: QgsVectorLayer) -> None:
    kind = _GEOMETRY_WORDS.get(layer.geometryType(), "")
    needed = GEOMETRY[name]
    if not kind or kind in needed.split("_or_") or (needed == "any" and kind != "no geometry"):
        return
    raise InputError(
        f"{name} ({layer_name(layer)})",
        tr(_FOUND_TEXTS[kind]),
        tr(_NEEDED_TEXTS[needed]),
    )


def _extent(layer: QgsVectorLayer) -> tuple[float, float, float, float] | None:
    box = layer.extent()
    corners = (box.xMinimum(), box.yMinimum(), box.xMaximum(), box.yMaximum())
    return corners if layer.featureCount() and np.isfinite(corners).all() else None


def _raster_path(raster: QgsRasterLayer) -> str:
    """Return a path that the core can open, with the coordinate system that QGIS shows.

    A raster without a coordinate system of its own, or with another one set by the user, is
    wrapped in a small virtual raster.
    """
    source = raster.source()
    crs = raster.crs()
    with gdal.ExceptionMgr(), osr.ExceptionMgr():
        dataset = gdal.OpenEx(source, gdal.OF_RASTER)
        own = dataset.GetSpatialRef()
        if own is not None:
            own = QgsCoordinateReferenceSystem.fromWkt(own.ExportToWkt())
        if not crs.isValid() or own == crs:
            return source
        virtual = QgsProcessingUtils.generateTempFilename(f"{Path(source).stem}.vrt")
        gdal.Translate(virtual, dataset, format="VRT", outputSRS=crs.toWkt())
    return virtual
