"""Follows runoff from sites to the waters that receive it."""

from __future__ import annotations

from typing import Any

from qgis.core import (
    Qgis,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterNumber,
)

from ..stormwater_screen.columns import PATH_COLUMNS
from . import parameters as build
from .i18n import tr, tr_text
from .steps import StepAlgorithm


class ReceivingWaters(StepAlgorithm):
    """Receiving waters, as a step of its own."""

    NAME = "receivingwaters"
    TAGS = ("runoff", "drainage", "flow path", "outlet", "303(d)", "condition a", "discharge")
    STEPS = ("receiving", "listings")
    STYLE = "impaired"

    def displayName(self) -> str:
        return tr("Receiving waters")

    def shortHelpString(self) -> str:
        columns = (f"{column.name}: {tr_text(column.meaning)}" for column in PATH_COLUMNS)
        return "\n".join((super().shortHelpString(), tr("Columns of paths and outlets:"), *columns))

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        dem, courses = (
            build.dem(),
            build.layer(
                "WATERCOURSES", tr("Streams and rivers (lines or polygons)"), optional=False
            ),
        )
        dem.setFlags(dem.flags() & ~Qgis.ProcessingParameterFlag.Optional)
        self.add_with_help(
            build.sites(),
            build.field("SITE_ID", tr("Id of the site (field)"), "SITES"),
            build.layer("DISTURBANCE", tr("Limits of disturbance (polygons)")),
            dem,
            build.dem_z_unit(),
            courses,
            build.layer("WATER_BODIES", tr("Lakes, ponds and wide rivers (polygons)")),
            build.layer("IMPAIRED", tr("303(d) listed waters")),
            build.field("IMPAIRED_NAME_FIELD", tr("Name of the listed water (field)"), "IMPAIRED"),
            *build.runoff(),
        )
        self.add_advanced(
            build.field("IMPAIRED_POLLUTANT_FIELD", tr("Its pollutant (field)"), "IMPAIRED"),
            build.field("IMPAIRED_STATUS_FIELD", tr("Status of listing (field)"), "IMPAIRED"),
            build.text("IMPAIRED_STATUS_VALUES", tr("Status values that count as listed")),
            build.layer("TMDL", tr("TMDL watersheds (polygons)")),
            build.field("TMDL_NAME_FIELD", tr("Name of the TMDL (field)"), "TMDL"),
            build.field("TMDL_POLLUTANT_FIELD", tr("Its pollutant (field)"), "TMDL"),
            build.field("TMDL_SOURCE_FIELD", tr("Sources named in the TMDL (field)"), "TMDL"),
            build.layer("WATER_SUPPLIES", tr("Drinking-water supplies (points or polygons)")),
            build.dem_band(),
            build.feet("WATER_ERROR_FT", tr("Positional error of mapped water (feet)"), 40.0),
            _follow_ft(),
            _min_share(),
            build.feet("PIT_FT", tr("A depression ends a path from a depth of (feet)"), 3.0),
            build.layer("COVERAGE", tr("Where the layers are complete (polygons)")),
        )
        self.add_outputs(tr("Sites with receiving waters"))
        line, point = Qgis.ProcessingSourceType.VectorLine, Qgis.ProcessingSourceType.VectorPoint
        sink = QgsProcessingParameterFeatureSink
        self.add_with_help(
            sink("PATHS", tr("Paths of runoff"), line, None, True, True),
            sink("OUTLETS", tr("Where runoff leaves the sites"), point, None, True, False),
        )

    def processAlgorithm(
        self,
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        feedback: QgsProcessingFeedback,
    ) -> dict[str, Any]:
        with self.guarded(feedback):
            # Imported here, so that the provider loads where the core's packages are missing.
            from ..stormwater_screen.following import require_followable

            require_followable()
        return super().processAlgorithm(parameters, context, feedback)


def _follow_ft() -> QgsProcessingParameterNumber:
    """Return the parameter FOLLOW_FT; farther than that no layer is read."""
    number = build.feet("FOLLOW_FT", tr("Follow runoff for (feet)"), 10_560.0)
    number.setMaximum(10_560.0)
    return number


def _min_share() -> QgsProcessingParameterNumber:
    """Return the parameter MIN_SHARE."""
    kind = Qgis.ProcessingNumberParameterType.Double
    label = tr("Least share of a site that counts (percent)")
    return QgsProcessingParameterNumber("MIN_SHARE", label, kind, 5.0, False, 0.0, 100.0)
