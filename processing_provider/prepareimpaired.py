"""303(d)-listed waters and TMDL areas from EPA ATTAINS or the New York inventory."""

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

KINDS = {"LISTED_AREAS": 2, "LISTED_LINES": 1, "LISTED_POINTS": 0, "TMDL": 2, "UNLISTED": None}


class PrepareImpaired(ScreeningAlgorithm):
    """Assessed waters sorted into the 303(d) list, TMDL areas and the rest."""

    NAME = "prepareimpaired"
    GROUP = "Preparation"
    TAGS = ("303(d)", "tmdl", "attains", "impaired", "pollutant")

    def displayName(self) -> str:
        return tr("Prepare listed waters")

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        sink = QgsProcessingParameterFeatureSink
        types = Qgis.ProcessingSourceType
        polygon, line, point = types.VectorPolygon, types.VectorLine, types.VectorPoint
        self.add_with_help(
            build.folder(),
            build.file(),
            build.layer("ASSESSMENTS", tr("Assessed waters (areas, lines, points, catchments)")),
            build.table("PARAMETERS", tr("Table of parameters (ATTAINS)")),
            build.near(),
            sink("LISTED_AREAS", tr("Listed waters, areas"), polygon),
            sink("LISTED_LINES", tr("Listed waters, lines"), line),
            sink("LISTED_POINTS", tr("Listed waters, points"), point, None, True),
            sink("TMDL", tr("TMDL areas"), polygon),
            sink("UNLISTED", tr("Not listed, and why"), types.Vector, None, True),
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
            from .preparations import impaired

            return run_preparation(self, parameters, context, feedback, KINDS, impaired)
