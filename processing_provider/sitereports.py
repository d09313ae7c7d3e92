"""Writes a report for every screened site, as a page and as PDF, and an index of all."""

from __future__ import annotations

from typing import Any

from qgis.core import (
    Qgis,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingOutputNumber,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterFile,
    QgsProcessingParameterFolderDestination,
)

from . import parameters as build
from .base import ScreeningAlgorithm
from .i18n import tr

FORMATS = ("html_pdf", "html", "pdf")


class SiteReports(ScreeningAlgorithm):
    """One report a site that a board can file."""

    NAME = "sitereports"
    GROUP = "Evidence"
    TAGS = ("stormwater", "report", "pdf", "html", "atlas", "evidence")

    def displayName(self) -> str:
        return tr("Reports of sites")

    def flags(self) -> Qgis.ProcessingAlgorithmFlags:
        # Print layouts belong to the thread of the program's window.
        return super().flags() | Qgis.ProcessingAlgorithmFlag.NoThreading

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        polygon = Qgis.ProcessingSourceType.VectorPolygon
        source = QgsProcessingParameterFeatureSource
        self.add_with_help(
            source("SCREENED", tr("Screened sites"), [polygon]),
            build.table("FINDINGS", tr("Findings")),
            source("ZONES", tr("Zones"), [polygon], None, True),
            build.table("OVERRIDES", tr("Decisions of the board (table)")),
            build.word("FORMATS", tr("Files for each site"), FORMATS, FORMATS[0]),
        )
        self.parameterDefinition("FINDINGS").setFlags(Qgis.ProcessingParameterFlags())
        record = QgsProcessingParameterFile(
            "RECORD", tr("Record of the run, if it lies elsewhere"), extension="json", optional=True
        )
        more = [record, build.dem(), build.dem_band(), build.dem_z_unit()]
        more += [
            build.layer("DISTURBANCE", tr("Limits of disturbance")),
            build.layer("WATER_BODIES", tr("Lakes, ponds and wide rivers")),
            build.layer("WATERCOURSES", tr("Streams and rivers")),
            build.layer("WETLANDS", tr("Wetlands")),
            build.layer("WATER_SUPPLIES", tr("Drinking-water supplies")),
            build.layer("LEACH_FIELDS", tr("Leach fields")),
            build.layer("DEVICES", tr("Infiltration devices")),
        ]
        self.add_with_help(*(build.advanced(one) for one in more))
        self.add_with_help(
            QgsProcessingParameterFolderDestination("REPORTS", tr("Folder of the reports"))
        )
        self.addOutput(QgsProcessingOutputNumber("REPORT_COUNT", tr("Number of reports")))

    def processAlgorithm(
        self,
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        feedback: QgsProcessingFeedback,
    ) -> dict[str, Any]:
        with self.guarded(feedback):
            # Imported here, so that the provider loads where the core's packages are missing.
            from .report_run import run_reports

            return run_reports(self, parameters, context, feedback)
