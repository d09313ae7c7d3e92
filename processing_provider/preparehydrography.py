"""Water bodies, watercourses, wetlands and supplies from NHD, NHDPlus or 3DHP."""

from __future__ import annotations

from typing import Any

from qgis.core import (
    Qgis,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingOutputNumber,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterFeatureSink,
)

from . import parameters as build
from .base import ScreeningAlgorithm
from .i18n import tr

KINDS = {"WATER_BODIES": 2, "WATERCOURSES": 1, "WETLANDS": 2, "WATER_SUPPLIES": 0, "LEFT_OUT": None}


class PrepareHydrography(ScreeningAlgorithm):
    """Hydrography sorted by its codes into what counts as water, and what does not."""

    NAME = "preparehydrography"
    GROUP = "Preparation"
    TAGS = ("nhd", "nhdplus", "3dhp", "hydrography", "streams")

    def displayName(self) -> str:
        return tr("Prepare hydrography")

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        sink = QgsProcessingParameterFeatureSink
        types = Qgis.ProcessingSourceType
        polygon, line, point = types.VectorPolygon, types.VectorLine, types.VectorPoint
        self.add_with_help(
            build.folder(),
            build.file(),
            build.layer("HYDROGRAPHY", tr("Lines, areas, water bodies and points")),
            build.near(),
            QgsProcessingParameterBoolean("REVIEW", tr("Keep what the law leaves open"), True),
            sink("WATER_BODIES", tr("Water bodies"), polygon),
            sink("WATERCOURSES", tr("Watercourses"), line),
            sink("WETLANDS", tr("Wetlands"), polygon, None, True),
            sink("WATER_SUPPLIES", tr("Drinking-water supplies"), point, None, True),
            sink("LEFT_OUT", tr("Left out, and why"), types.Vector, None, True),
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
            from .preparations import hydrography

            return run_preparation(self, parameters, context, feedback, KINDS, hydrography)
