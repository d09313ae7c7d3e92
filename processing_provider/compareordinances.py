"""Judges the same sites under two laws, or two dates of one law, and says who changes class."""

from __future__ import annotations

from typing import Any

from qgis.core import (
    Qgis,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingOutputNumber,
    QgsProcessingParameterFeatureSink,
)

from ..stormwater_screen.columns import COMPARED_COLUMNS
from . import parameters as build
from .i18n import mark, tr
from .screensites import ScreenSites

COUNTS = {
    "SITE_COUNT": mark("Number of sites"),
    "CHANGED_COUNT": mark("Sites that change class"),
    "NEWLY_REGULATED_COUNT": mark("Sites that become regulated"),
    "NO_LONGER_COUNT": mark("Sites that are no longer regulated"),
}


class CompareOrdinances(ScreenSites):
    """The inputs of a screening, and a second law."""

    NAME = "compareordinances"
    GROUP = "Screening"
    TAGS = ("stormwater", "law", "amendment", "compare", "what if", "class")
    COLUMNS = COMPARED_COLUMNS

    def displayName(self) -> str:
        return tr("Compare ordinances")

    def _add_basic(self) -> None:
        super()._add_basic()
        self.add_with_help(
            build.word("ORDINANCE_2", tr("Second stormwater law"), build.ORDINANCES, "lake_george"),
            build.ordinance_file("_2"),
            build.as_of("_2"),
        )

    def _add_outputs(self) -> None:
        sink, polygon = QgsProcessingParameterFeatureSink, Qgis.ProcessingSourceType.VectorPolygon
        table = Qgis.ProcessingSourceType.Vector
        self.add_with_help(
            sink("OUTPUT", tr("Compared sites"), polygon),
            sink("CHANGES", tr("Rules by which classes change"), table, None, True, True),
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
            from .compare_run import run_compare

            return run_compare(self, parameters, context, feedback)
