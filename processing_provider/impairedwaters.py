"""Finds the 303(d)-listed waters and TMDL watersheds that sites touch or lie near."""

from __future__ import annotations

from typing import Any

from . import parameters as build
from .i18n import tr
from .steps import StepAlgorithm


class ImpairedWaters(StepAlgorithm):
    """Impaired waters, as a step of its own."""

    NAME = "impairedwaters"
    TAGS = ("303(d)", "tmdl", "impaired", "pollutant", "listed water")
    STEPS = ("listings",)
    STYLE = "impaired"

    def displayName(self) -> str:
        return tr("Impaired waters")

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        self.add_with_help(
            build.sites(),
            build.field("SITE_ID", tr("Id of the site (field)"), "SITES"),
            build.layer("IMPAIRED", tr("303(d) listed waters")),
            build.field("IMPAIRED_NAME_FIELD", tr("Name of the listed water (field)"), "IMPAIRED"),
            build.field("IMPAIRED_POLLUTANT_FIELD", tr("Its pollutant (field)"), "IMPAIRED"),
            build.field("IMPAIRED_STATUS_FIELD", tr("Status of listing (field)"), "IMPAIRED"),
            build.text("IMPAIRED_STATUS_VALUES", tr("Status values that count as listed")),
            build.layer("TMDL", tr("TMDL watersheds (polygons)")),
            build.field("TMDL_NAME_FIELD", tr("Name of the TMDL (field)"), "TMDL"),
            build.field("TMDL_POLLUTANT_FIELD", tr("Its pollutant (field)"), "TMDL"),
            build.field("TMDL_SOURCE_FIELD", tr("Sources named in the TMDL (field)"), "TMDL"),
        )
        self.add_advanced(
            build.feet("WATER_ERROR_FT", tr("Positional error of mapped water (feet)"), 40.0),
            build.layer("COVERAGE", tr("Where the layers are complete (polygons)")),
            build.follow_runoff(),
            build.dem(),
            build.dem_band(),
            build.dem_z_unit(),
            build.layer("WATER_BODIES", tr("Lakes, ponds and wide rivers (polygons)")),
            build.layer("WATERCOURSES", tr("Streams and rivers (lines or polygons)")),
            build.layer("DISTURBANCE", tr("Limits of disturbance (polygons)")),
            *build.runoff(),
        )
        self.add_outputs(tr("Sites with listed waters"))
