"""Screens sites under one stormwater law: every measure, the Conditions, the class and why."""

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

from ..stormwater_screen.columns import SCREENED_COLUMNS
from ..stormwater_screen.fact_names import PROJECT_TYPES
from . import parameters as build
from .base import ScreeningAlgorithm
from .i18n import mark, tr, tr_text

COUNTS = {
    "SITE_COUNT": mark("Number of sites"),
    "MAJOR_COUNT": mark("Sites that are major"),
    "MINOR_COUNT": mark("Sites that are minor"),
    "EXEMPT_COUNT": mark("Sites that are exempt"),
    "REVIEW_COUNT": mark("Sites for review"),
    "UNKNOWN_COUNT": mark("Sites of unknown class"),
    "REGULATED_COUNT": mark("Sites that the law regulates"),
    "CONDITION_A_COUNT": mark("Sites under Condition A"),
    "CONDITION_B_COUNT": mark("Sites under Condition B"),
    "CONDITION_C_COUNT": mark("Sites under Condition C"),
    "WHOLE_SITE_COUNT": mark("Sites judged as if wholly disturbed"),
}


class ScreenSites(ScreeningAlgorithm):
    """The whole screening in one go."""

    NAME = "screensites"
    GROUP = "Screening"
    COLUMNS = SCREENED_COLUMNS
    COLUMNS_TITLE = mark("Columns added to the sites:")
    TAGS = ("stormwater", "parcels", "swppp", "disturbance", "slope", "setback", "303(d)", "tmdl")

    def displayName(self) -> str:
        return tr("Screen sites")

    def shortHelpString(self) -> str:
        columns = (f"{column.name}: {tr_text(column.meaning)}" for column in self.COLUMNS)
        return "\n".join((super().shortHelpString(), tr_text(self.COLUMNS_TITLE), *columns))

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        self._add_basic()
        self._add_project()
        self._add_ground_and_water()
        self._add_soils_and_listings()
        self._add_outputs()

    def _add_basic(self) -> None:
        """Add what most people give; the rest is advanced."""
        self.add_with_help(
            build.sites(),
            build.field("SITE_ID", tr("Id of the site (field)"), "SITES"),
            build.ordinance(),
            build.layer("DISTURBANCE", tr("Limits of disturbance (polygons)")),
            build.field("DISTURBED_FIELD", tr("Disturbed area (field, square feet)"), "SITES"),
            build.word("PROJECT_TYPE", tr("Project type of all sites"), PROJECT_TYPES),
            build.dem(),
            build.dem_z_unit(),
            build.layer("WATER_BODIES", tr("Lakes, ponds and wide rivers (polygons)")),
            build.layer("WATERCOURSES", tr("Streams and rivers (lines or polygons)")),
        )

    def _add_advanced(self, *parameters: Any) -> None:
        self.add_with_help(*(build.advanced(parameter) for parameter in parameters))

    def _add_project(self) -> None:
        yes_no = ("unknown", "yes", "no")
        self._add_advanced(
            build.ordinance_file(),
            build.as_of(),
            build.word(
                "DISCRETIONARY", tr("Discretionary factors"), ("report", "upgrade"), "report"
            ),
            build.layer("IMPERVIOUS", tr("New impervious area (polygons)")),
            build.field("IMPERVIOUS_FIELD", tr("New impervious area (field, sq ft)"), "SITES"),
            build.layer("EXISTING_IMPERVIOUS", tr("Existing impervious area (polygons)")),
            build.field("PROJECT_TYPE_FIELD", tr("Project type (field)"), "SITES"),
            build.field("PLAN_FIELD", tr("Id of the larger common plan (field)"), "SITES"),
            build.word("PLAN_EMPTY", tr("An empty plan id means"), ("unknown", "none"), "unknown"),
            build.field("PLAN_TOTAL_FIELD", tr("Total of the plan (field, sq ft)"), "SITES"),
            build.field("MAX_OPEN_FIELD", tr("Most open at one time (field, sq ft)"), "SITES"),
            build.field("LOTS_FIELD", tr("Number of lots (field)"), "SITES"),
            build.field("LOT_MAX_FIELD", tr("Most disturbed on one lot (field, sq ft)"), "SITES"),
            build.field("ROAD_FIELD", tr("Disturbed for roads (field, sq ft)"), "SITES"),
            build.word("HIGH_TRAFFIC", tr("High-traffic areas on all sites"), yes_no, "unknown"),
            build.field("HIGH_TRAFFIC_FIELD", tr("High-traffic areas (field, yes/no)"), "SITES"),
            build.field("ATTESTED_FIELD", tr("Exemption shown (field, yes/no)"), "SITES"),
            build.field("SWPPP_FIELD", tr("SWPPP approved (field, yes/no)"), "SITES"),
        )

    def _add_ground_and_water(self) -> None:
        self._add_advanced(
            build.dem_band(),
            build.dem_error(),
            build.layer("BUILDING_CENTRES", tr("Centres of proposed buildings (points)")),
            build.layer("DEVICES", tr("Infiltration devices (points or polygons)")),
            build.layer("WETLANDS", tr("Wetlands (polygons)")),
            build.layer("WATER_SUPPLIES", tr("Drinking-water supplies (points or polygons)")),
            build.layer("LEACH_FIELDS", tr("Leach fields (points or polygons)")),
            build.feet("WATER_ERROR_FT", tr("Positional error of mapped water (feet)"), 40.0),
            build.feet("SUPPLY_ERROR_FT", tr("Positional error of supplies (feet)"), 40.0),
            build.feet("CONTIGUOUS_FT", tr("Substantially contiguous up to (feet)"), 100.0),
            build.layer("COVERAGE", tr("Where the layers are complete (polygons)")),
        )

    def _add_soils_and_listings(self) -> None:
        self._add_advanced(
            build.layer("SOILS", tr("Soil map units (polygons)")),
            build.field("SOIL_GROUP_FIELD", tr("Hydrologic soil group (field)"), "SOILS"),
            build.field("SOIL_KSAT_FIELD", tr("Saturated conductivity (field, um/s)"), "SOILS"),
            build.field("SOIL_WATER_TABLE_FIELD", tr("Depth to water (field, cm)"), "SOILS"),
            build.field("SOIL_BEDROCK_FIELD", tr("Depth to bedrock (field, cm)"), "SOILS"),
            build.field("SOIL_PERC_FIELD", tr("Percolation test (field, min/in)"), "SOILS"),
            build.field("SOIL_TRANSPORT_FIELD", tr("On transport list (field, yes/no)"), "SOILS"),
            build.layer("IMPAIRED", tr("303(d) listed waters")),
            build.field("IMPAIRED_NAME_FIELD", tr("Name of the listed water (field)"), "IMPAIRED"),
            build.field("IMPAIRED_POLLUTANT_FIELD", tr("Its pollutant (field)"), "IMPAIRED"),
            build.field("IMPAIRED_STATUS_FIELD", tr("Status of listing (field)"), "IMPAIRED"),
            build.text("IMPAIRED_STATUS_VALUES", tr("Status values that count as listed")),
            build.layer("TMDL", tr("TMDL watersheds (polygons)")),
            build.field("TMDL_NAME_FIELD", tr("Name of the TMDL (field)"), "TMDL"),
            build.field("TMDL_POLLUTANT_FIELD", tr("Its pollutant (field)"), "TMDL"),
            build.field("TMDL_SOURCE_FIELD", tr("Sources named in the TMDL (field)"), "TMDL"),
            build.follow_runoff(),
            *build.runoff(),
            build.layer("SENSITIVE", tr("Critical, habitat, scenic or historic areas")),
            build.layer("STREAM_CORRIDORS", tr("Stream corridors (lines or polygons)")),
        )

    def _add_outputs(self) -> None:
        polygon = Qgis.ProcessingSourceType.VectorPolygon
        table = Qgis.ProcessingSourceType.Vector
        sink, file = QgsProcessingParameterFeatureSink, QgsProcessingParameterFileDestination
        self.add_with_help(
            sink("SCREENED", tr("Screened sites"), polygon),
            sink("FINDINGS", tr("Findings"), table, None, True, True),
            sink("ZONES", tr("Infiltration zones and 500-ft zone"), polygon, None, True, False),
            file("SUMMARY", tr("Summary"), tr("HTML files (*.html)"), None, True, False),
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
            from .run import run

            return run(self, parameters, context, feedback)
