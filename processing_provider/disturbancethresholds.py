"""Compares the disturbed area of each site with the limits of the laws."""

from __future__ import annotations

from typing import Any

from . import parameters as build
from .i18n import tr
from .steps import StepAlgorithm


class DisturbanceThresholds(StepAlgorithm):
    """Disturbance thresholds, as a step of its own."""

    NAME = "disturbancethresholds"
    TAGS = ("stormwater", "disturbance", "clearing", "acre", "impervious")
    STEPS = ("areas",)
    STYLE = "vs_1acre"

    def displayName(self) -> str:
        return tr("Disturbance thresholds")

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        self.add_with_help(
            build.sites(),
            build.field("SITE_ID", tr("Id of the site (field)"), "SITES"),
            build.layer("DISTURBANCE", tr("Limits of disturbance (polygons)")),
            build.field("DISTURBED_FIELD", tr("Disturbed area (field, square feet)"), "SITES"),
            build.layer("IMPERVIOUS", tr("New impervious area (polygons)")),
            build.field("IMPERVIOUS_FIELD", tr("New impervious area (field, sq ft)"), "SITES"),
            build.layer("EXISTING_IMPERVIOUS", tr("Existing impervious area (polygons)")),
        )
        self.add_advanced(build.layer("COVERAGE", tr("Where the layers are complete (polygons)")))
        self.add_outputs(tr("Sites with disturbance"))
