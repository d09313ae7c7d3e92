"""Makes a screening again from its record and lists everything that differs."""

from __future__ import annotations

from typing import Any

from qgis.core import (
    Qgis,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingOutputNumber,
    QgsProcessingOutputString,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterFile,
)

from . import parameters as build
from .base import ScreeningAlgorithm
from .i18n import tr


class VerifyRun(ScreeningAlgorithm):
    """The same run again, compared."""

    NAME = "verifyrun"
    GROUP = "Evidence"
    TAGS = ("stormwater", "record", "provenance", "repeat", "differences", "evidence")

    def displayName(self) -> str:
        return tr("Verify a run")

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        polygon = Qgis.ProcessingSourceType.VectorPolygon
        self.add_with_help(
            QgsProcessingParameterFeatureSource("SCREENED", tr("Screened sites"), [polygon]),
            build.table("FINDINGS", tr("Findings")),
            QgsProcessingParameterFile(
                "RECORD",
                tr("Record of the run, if it lies elsewhere"),
                extension="json",
                optional=True,
            ),
            QgsProcessingParameterFeatureSink(
                "DIFFERENCES", tr("Differences"), Qgis.ProcessingSourceType.Vector, None, True, True
            ),
        )
        self.parameterDefinition("FINDINGS").setFlags(Qgis.ProcessingParameterFlags())
        for name, label in (
            ("DIFFERENCE_COUNT", tr("Number of differences")),
            ("CHANGED_INPUT_COUNT", tr("Number of changes of what went in")),
            ("CHANGED_SITE_COUNT", tr("Number of changed sites")),
        ):
            self.addOutput(QgsProcessingOutputNumber(name, label))
        self.addOutput(QgsProcessingOutputString("CHANGED_SITES", tr("Rows of changed sites")))

    def processAlgorithm(
        self,
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        feedback: QgsProcessingFeedback,
    ) -> dict[str, Any]:
        with self.guarded(feedback):
            # Imported here, so that the provider loads where the core's packages are missing.
            from .verify_run import run_verification

            return run_verification(self, parameters, context, feedback)
