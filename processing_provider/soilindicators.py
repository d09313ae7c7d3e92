"""Finds soil groups and indicators, depth to water and depth to rock of each site."""

from __future__ import annotations

from typing import Any

from . import parameters as build
from .i18n import tr
from .steps import StepAlgorithm


class SoilIndicators(StepAlgorithm):
    """Soil indicators, as a step of its own."""

    NAME = "soilindicators"
    TAGS = ("soil", "ssurgo", "hydrologic group", "percolation", "ksat")
    STEPS = ("soils",)
    STYLE = "soil_grp"

    def displayName(self) -> str:
        return tr("Soil indicators")

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        self.add_with_help(
            build.sites(),
            build.field("SITE_ID", tr("Id of the site (field)"), "SITES"),
            build.layer("SOILS", tr("Soil map units (polygons)")),
            build.field("SOIL_GROUP_FIELD", tr("Hydrologic soil group (field)"), "SOILS"),
            build.field("SOIL_KSAT_FIELD", tr("Saturated conductivity (field, um/s)"), "SOILS"),
            build.field("SOIL_WATER_TABLE_FIELD", tr("Depth to water (field, cm)"), "SOILS"),
            build.field("SOIL_BEDROCK_FIELD", tr("Depth to bedrock (field, cm)"), "SOILS"),
            build.field("SOIL_PERC_FIELD", tr("Percolation test (field, min/in)"), "SOILS"),
            build.field("SOIL_TRANSPORT_FIELD", tr("On transport list (field, yes/no)"), "SOILS"),
        )
        self.add_outputs(tr("Sites with soils"))
