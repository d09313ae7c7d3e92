"""Judges sites by the columns that the steps have written on them."""

from __future__ import annotations

from typing import Any

from qgis.core import (
    Qgis,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingOutputNumber,
    QgsProcessingParameterFeatureSink,
)

from ..stormwater_screen.columns import columns_of
from ..stormwater_screen.fact_names import PROJECT_TYPES
from . import parameters as build
from .base import ScreeningAlgorithm
from .i18n import tr, tr_text
from .screensites import COUNTS


class ClassifySites(ScreeningAlgorithm):
    """The rules of a law, at the end of a chain of steps."""

    NAME = "classifysites"
    GROUP = "Screening"
    TAGS = ("stormwater", "major", "minor", "exempt", "swppp", "condition", "class")

    def displayName(self) -> str:
        return tr("Classify sites")

    def shortHelpString(self) -> str:
        columns = (f"{column.name}: {tr_text(column.meaning)}" for column in columns_of("rules"))
        return "\n".join((super().shortHelpString(), tr("Columns added to the sites:"), *columns))

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        self._add_inputs()
        sink, polygon = QgsProcessingParameterFeatureSink, Qgis.ProcessingSourceType.VectorPolygon
        table = Qgis.ProcessingSourceType.Vector
        self.add_with_help(
            sink("OUTPUT", tr("Classified sites"), polygon),
            sink("FINDINGS", tr("Findings"), table, None, True, False),
        )
        for name, label in COUNTS.items():
            self.addOutput(QgsProcessingOutputNumber(name, tr(label)))

    def _add_inputs(self) -> None:
        yes_no = ("unknown", "yes", "no")
        self.add_with_help(
            build.sites(),
            build.field("SITE_ID", tr("Id of the site (field)"), "SITES"),
            build.ordinance(),
            build.word("PROJECT_TYPE", tr("Project type of all sites"), PROJECT_TYPES),
            build.field("PROJECT_TYPE_FIELD", tr("Project type (field)"), "SITES"),
            build.field("PLAN_FIELD", tr("Id of the larger common plan (field)"), "SITES"),
            build.word("PLAN_EMPTY", tr("An empty plan id means"), ("unknown", "none"), "unknown"),
        )
        advanced = (
            build.ordinance_file(),
            build.as_of(),
            build.word(
                "DISCRETIONARY", tr("Discretionary factors"), ("report", "upgrade"), "report"
            ),
            build.field("PLAN_TOTAL_FIELD", tr("Total of the plan (field, sq ft)"), "SITES"),
            build.field("MAX_OPEN_FIELD", tr("Most open at one time (field, sq ft)"), "SITES"),
            build.field("LOTS_FIELD", tr("Number of lots (field)"), "SITES"),
            build.field("LOT_MAX_FIELD", tr("Most disturbed on one lot (field, sq ft)"), "SITES"),
            build.field("ROAD_FIELD", tr("Disturbed for roads (field, sq ft)"), "SITES"),
            build.word("HIGH_TRAFFIC", tr("High-traffic areas on all sites"), yes_no, "unknown"),
            build.field("HIGH_TRAFFIC_FIELD", tr("High-traffic areas (field, yes/no)"), "SITES"),
            build.field("ATTESTED_FIELD", tr("Exemption shown (field, yes/no)"), "SITES"),
            build.field("SWPPP_FIELD", tr("SWPPP approved (field, yes/no)"), "SITES"),
            build.feet("CONTIGUOUS_FT", tr("Substantially contiguous up to (feet)"), 100.0),
        )
        self.add_with_help(*(build.advanced(parameter) for parameter in advanced))

    def processAlgorithm(
        self,
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        feedback: QgsProcessingFeedback,
    ) -> dict[str, Any]:
        with self.guarded(feedback):
            # Imported here, so that the provider loads where the core's packages are missing.
            from .classify_run import run_classify

            return run_classify(self, parameters, context, feedback)
