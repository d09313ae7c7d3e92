"""Soil polygons with what their survey says of them."""

from __future__ import annotations

from typing import Any

from qgis.core import (
    Qgis,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingOutputNumber,
    QgsProcessingParameterFeatureSink,
)

from . import parameters as build
from .base import ScreeningAlgorithm
from .i18n import tr

KINDS = {"SOILS": 2}


class PrepareSoils(ScreeningAlgorithm):
    """SSURGO, gSSURGO, gNATSGO or a plain layer and a table, made into one layer of soils."""

    NAME = "preparesoils"
    GROUP = "Preparation"
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
        for name in KINDS:
            self.addOutput(
                QgsProcessingOutputNumber(f"{name}_COUNT", tr("Rows of {}").format(name))
            )

    def processAlgorithm(
        self,
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        feedback: QgsProcessingFeedback,
    ) -> dict[str, Any]:
        with self.guarded(feedback):
            # Imported here, so that the provider loads where the core's packages are missing.
            from .preparation import run_preparation
            from .preparations import soils

            return run_preparation(self, parameters, context, feedback, KINDS, soils)
