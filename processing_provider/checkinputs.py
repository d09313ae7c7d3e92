"""Looks at all inputs of a screening before it is run."""

from __future__ import annotations

from typing import Any

from qgis.core import (
    Qgis,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingOutputNumber,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterFileDestination,
)

from ..stormwater_screen.columns import CHECK_COLUMNS
from . import parameters as build
from .i18n import mark, tr
from .screensites import ScreenSites

COUNTS = {
    "SITE_COUNT": mark("Number of sites"),
    "ERROR_COUNT": mark("Errors"),
    "UNKNOWN_COUNT": mark("What would come out unknown"),
    "WARNING_COUNT": mark("Warnings"),
}
FAIL_ON = ("never", "errors", "unknowns")


class CheckInputs(ScreenSites):
    """The inputs of a screening, looked at."""

    NAME = "checkinputs"
    GROUP = "Preparation"
    TAGS = ("stormwater", "check", "crs", "coverage", "fields", "validate", "preflight")
    COLUMNS = CHECK_COLUMNS
    COLUMNS_TITLE = mark("Columns of the checks:")

    def displayName(self) -> str:
        return tr("Check inputs")

    def _add_basic(self) -> None:
        super()._add_basic()
        self.add_with_help(build.word("FAIL_ON", tr("End as failed on"), FAIL_ON, "never"))

    def _add_outputs(self) -> None:
        table = Qgis.ProcessingSourceType.Vector
        html = tr("HTML files (*.html)")
        self.add_with_help(
            QgsProcessingParameterFeatureSink("CHECKS", tr("Checks"), table),
            QgsProcessingParameterFileDestination("REPORT", tr("Report"), html, None, True, False),
        )
        for name, label in COUNTS.items():
            self.addOutput(QgsProcessingOutputNumber(name, tr(label)))

    def processAlgorithm(
        self,
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        feedback: QgsProcessingFeedback,
    ) -> dict[str, Any]:
        with self.guarded(feedback):
            # Imported here, so that the provider loads where the core's packages are missing.
            from .check_run import run_check

            return run_check(self, parameters, context, feedback)
