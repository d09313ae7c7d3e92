"""Wetlands apart from other water, from NWI, DEC or the Adirondack Park Agency."""

from __future__ import annotations

from typing import Any

from qgis.core import (
    Qgis,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingOutputNumber,
    QgsProcessingParameterFeatureSink,
)

from . import parameters as build
from .base import ScreeningAlgorithm
from .i18n import tr

KINDS = {"WETLANDS": 2, "WATER_BODIES": 2, "COVERAGE": 2, "LEFT_OUT": None}


class PrepareWetlands(ScreeningAlgorithm):
    """Wetland layers sorted into wetlands and other water, and where they are complete."""

    NAME = "preparewetlands"
    GROUP = "Preparation"
    TAGS = ("wetland", "nwi", "dec", "apa", "cowardin")

    def displayName(self) -> str:
        return tr("Prepare wetlands")

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        sink = QgsProcessingParameterFeatureSink
        polygon, table = Qgis.ProcessingSourceType.VectorPolygon, Qgis.ProcessingSourceType.Vector
        self.add_with_help(
            build.folder(),
            build.file(),
            build.layer("WETLAND_LAYERS", tr("Wetlands (polygons or lines)")),
            build.word("AGENCY", tr("Agency of all layers"), ("auto", "nwi", "dec", "apa"), "auto"),
            build.word("PONDS", tr("Ponds count as"), ("both", "water", "wetland"), "both"),
            build.layer("EXCLUDED", tr("Area that DEC leaves out (Adirondack Park)")),
            build.near(),
            sink("WETLANDS", tr("Wetlands"), polygon),
            sink("WATER_BODIES", tr("Lakes, rivers, ponds, deep water"), polygon, None, True),
            sink("COVERAGE", tr("Where the layers are complete"), polygon, None, True),
            sink("LEFT_OUT", tr("Left out, and why"), table, None, True),
        )
        for name in KINDS:
            self.addOutput(
                QgsProcessingOutputNumber(f"{name}_COUNT", tr("Rows of {}").format(name))
            )

    def processAlgorithm(
        self,
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        feedback: QgsProcessingFeedback,
    ) -> dict[str, Any]:
        with self.guarded(feedback):
            # Imported here, so that the provider loads where the core's packages are missing.
            from .preparation import run_preparation
            from .preparations import wetlands

            return run_preparation(self, parameters, context, feedback, KINDS, wetlands)
