"""Measures how far sites lie from water, wetlands and sensitive areas."""

from __future__ import annotations

from typing import Any

from . import parameters as build
from .i18n import mark, tr
from .steps import StepAlgorithm


class WaterBodyBuffer(StepAlgorithm):
    """Water body buffer, as a step of its own."""

    NAME = "waterbodybuffer"
    TAGS = ("water", "lake", "stream", "wetland", "buffer", "500 ft")
    STEPS = ("water", "sensitive")
    STYLE = "in_500ft"
    ZONES = mark("Zone along water")

    def displayName(self) -> str:
        return tr("Water body buffer")

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        self.add_with_help(
            build.sites(),
            build.field("SITE_ID", tr("Id of the site (field)"), "SITES"),
            build.layer("WATER_BODIES", tr("Lakes, ponds and wide rivers (polygons)")),
            build.layer("WATERCOURSES", tr("Streams and rivers (lines or polygons)")),
            build.layer("WETLANDS", tr("Wetlands (polygons)")),
            build.feet("ZONE_FT", tr("Width of the zone that is drawn (feet)"), 500.0),
        )
        self.add_advanced(
            build.layer("SENSITIVE", tr("Critical, habitat, scenic or historic areas")),
            build.layer("STREAM_CORRIDORS", tr("Stream corridors (lines or polygons)")),
            build.feet("WATER_ERROR_FT", tr("Positional error of mapped water (feet)"), 40.0),
            build.layer("COVERAGE", tr("Where the layers are complete (polygons)")),
        )
        self.add_outputs(tr("Sites with distance to water"))
