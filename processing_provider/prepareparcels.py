"""New York tax parcels with one key, one row a parcel, and hints from the roll."""

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

KINDS = {"PARCELS": 2}


class PrepareParcels(ScreeningAlgorithm):
    """Tax parcels with keys, duplicates merged, owners dropped, acres compared."""

    NAME = "prepareparcels"
    GROUP = "Preparation"
    TAGS = ("parcels", "tax", "swis", "sbl", "assessment")

    def displayName(self) -> str:
        return tr("Prepare parcels")

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        sink = QgsProcessingParameterFeatureSink
        polygon = Qgis.ProcessingSourceType.VectorPolygon
        self.add_with_help(
            build.folder(),
            build.file(),
            build.layer("PARCEL_LAYERS", tr("Tax parcels (polygons)")),
            build.near(),
            sink("PARCELS", tr("Parcels"), polygon),
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
            from .preparations import parcels

            return run_preparation(self, parameters, context, feedback, KINDS, parcels)
