"""Measures the largest slope over 100 ft, at building centres or anywhere on a site."""

from __future__ import annotations

from typing import Any

from . import parameters as build
from .i18n import mark, tr
from .steps import StepAlgorithm


class SlopeOver100Ft(StepAlgorithm):
    """Slope over 100 ft, as a step of its own."""

    NAME = "slopeover100ft"
    TAGS = ("slope", "dem", "terrain", "steep", "building")
    STEPS = ("slope",)
    STYLE = "slope_15"
    LINES = mark("Directions of the slopes")

    def displayName(self) -> str:
        return tr("Slope over 100 ft")

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        self.add_with_help(
            build.sites(),
            build.field("SITE_ID", tr("Id of the site (field)"), "SITES"),
            build.dem(),
            build.dem_z_unit(),
            build.layer("BUILDING_CENTRES", tr("Centres of proposed buildings (points)")),
        )
        self.add_advanced(build.dem_band(), build.dem_error())
        self.add_outputs(tr("Sites with slope"))
