"""Water bodies, watercourses, wetlands and supplies from NHD, NHDPlus or 3DHP."""

from __future__ import annotations

from typing import Any, ClassVar

from qgis.core import (
    Qgis,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterFeatureSink,
)

from . import parameters as build
from .i18n import tr
from .preparing import PreparationAlgorithm


class PrepareHydrography(PreparationAlgorithm):
    """Hydrography sorted by its codes into what counts as water, and what does not."""

    NAME = "preparehydrography"
    PREPARATION = "hydrography"
    KINDS: ClassVar[dict[str, int | None]] = {
        "WATER_BODIES": 2,
        "WATERCOURSES": 1,
        "WETLANDS": 2,
        "WATER_SUPPLIES": 0,
        "LEFT_OUT": None,
    }
    TAGS = ("nhd", "nhdplus", "3dhp", "hydrography", "streams")

    def displayName(self) -> str:
        return tr("Prepare hydrography")

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        sink = QgsProcessingParameterFeatureSink
        types = Qgis.ProcessingSourceType
        polygon, line, point = types.VectorPolygon, types.VectorLine, types.VectorPoint
        self.add_with_help(
            build.folder(),
            build.file(),
            build.layer("HYDROGRAPHY", tr("Lines, areas, water bodies and points")),
            build.near(),
            QgsProcessingParameterBoolean("REVIEW", tr("Keep what the law leaves open"), True),
            sink("WATER_BODIES", tr("Water bodies"), polygon),
            sink("WATERCOURSES", tr("Watercourses"), line),
            sink("WETLANDS", tr("Wetlands"), polygon, None, True),
            sink("WATER_SUPPLIES", tr("Drinking-water supplies"), point, None, True),
            sink("LEFT_OUT", tr("Left out, and why"), types.Vector, None, True),
        )
        self.add_counts()
