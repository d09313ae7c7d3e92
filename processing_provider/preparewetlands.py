"""Wetlands apart from other water, from NWI, DEC or the Adirondack Park Agency."""

from __future__ import annotations

from typing import Any, ClassVar

from qgis.core import (
    Qgis,
    QgsProcessingParameterFeatureSink,
)

from . import parameters as build
from .i18n import tr
from .preparing import PreparationAlgorithm


class PrepareWetlands(PreparationAlgorithm):
    """Wetland layers sorted into wetlands and other water, and where they are complete."""

    NAME = "preparewetlands"
    PREPARATION = "wetlands"
    KINDS: ClassVar[dict[str, int | None]] = {
        "WETLANDS": 2,
        "WATER_BODIES": 2,
        "COVERAGE": 2,
        "LEFT_OUT": None,
    }
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
        self.add_counts()
