"""Soil polygons with what their survey says of them."""

from __future__ import annotations

from typing import Any, ClassVar

from qgis.core import (
    Qgis,
    QgsProcessingParameterFeatureSink,
)

from . import parameters as build
from .i18n import tr
from .preparing import PreparationAlgorithm


class PrepareSoils(PreparationAlgorithm):
    """SSURGO, gSSURGO, gNATSGO or a plain layer and a table, made into one layer of soils."""

    NAME = "preparesoils"
    PREPARATION = "soils"
    KINDS: ClassVar[dict[str, int | None]] = {"SOILS": 2}
    TAGS = ("soil", "ssurgo", "gssurgo", "hydrologic group", "ksat")

    def displayName(self) -> str:
        return tr("Prepare soils")

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        sink = QgsProcessingParameterFeatureSink
        polygon = Qgis.ProcessingSourceType.VectorPolygon
        self.add_with_help(
            build.folder(),
            build.file(),
            build.layer("SOIL_POLYGONS", tr("Soil polygons (with MUKEY or MUSYM)")),
            build.table("TABLE", tr("Table of map units")),
            build.near(),
            sink("SOILS", tr("Soils"), polygon),
        )
        self.add_counts()
