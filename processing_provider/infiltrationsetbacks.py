"""Measures setbacks by gradient side, and where infiltration may stand."""

from __future__ import annotations

from typing import Any

from . import parameters as build
from .i18n import mark, tr
from .steps import StepAlgorithm


class InfiltrationSetbacks(StepAlgorithm):
    """Infiltration setbacks, as a step of its own."""

    NAME = "infiltrationsetbacks"
    TAGS = ("infiltration", "setback", "well", "septic", "leach field", "gradient")
    STEPS = ("setbacks",)
    STYLE = "in_100ft"
    ZONES = mark("Infiltration zones")
    LINES = mark("Slopes at infiltration devices")

    def displayName(self) -> str:
        return tr("Infiltration setbacks")

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        self.add_with_help(
            build.sites(),
            build.field("SITE_ID", tr("Id of the site (field)"), "SITES"),
            build.ordinance(),
            build.layer("WATER_BODIES", tr("Lakes, ponds and wide rivers (polygons)")),
            build.layer("WATERCOURSES", tr("Streams and rivers (lines or polygons)")),
            build.layer("WATER_SUPPLIES", tr("Drinking-water supplies (points or polygons)")),
            build.layer("LEACH_FIELDS", tr("Leach fields (points or polygons)")),
            build.layer("DEVICES", tr("Infiltration devices (points or polygons)")),
            build.dem(),
            build.dem_z_unit(),
        )
        self.add_advanced(
            build.ordinance_file(),
            build.as_of(),
            build.dem_band(),
            build.dem_error(),
            build.feet("WATER_ERROR_FT", tr("Positional error of mapped water (feet)"), 40.0),
            build.feet("SUPPLY_ERROR_FT", tr("Positional error of supplies (feet)"), 40.0),
            build.layer("COVERAGE", tr("Where the layers are complete (polygons)")),
            build.follow_runoff(),
            build.layer("CULVERTS", tr("Culverts (lines)")),
            build.layer("IMPAIRED", tr("303(d) listed waters")),
        )
        self.add_outputs(tr("Sites with setbacks"))
