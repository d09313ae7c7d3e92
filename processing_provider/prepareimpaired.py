"""303(d)-listed waters and TMDL areas from EPA ATTAINS or the New York inventory."""

from __future__ import annotations

from typing import Any, ClassVar

from qgis.core import (
    Qgis,
    QgsProcessingParameterFeatureSink,
)

from . import parameters as build
from .i18n import tr
from .preparing import PreparationAlgorithm


class PrepareImpaired(PreparationAlgorithm):
    """Assessed waters sorted into the 303(d) list, TMDL areas and the rest."""

    NAME = "prepareimpaired"
    PREPARATION = "impaired"
    KINDS: ClassVar[dict[str, int | None]] = {
        "LISTED_AREAS": 2,
        "LISTED_LINES": 1,
        "LISTED_POINTS": 0,
        "TMDL": 2,
        "UNLISTED": None,
    }
    TAGS = ("303(d)", "tmdl", "attains", "impaired", "pollutant")

    def displayName(self) -> str:
        return tr("Prepare listed waters")

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        sink = QgsProcessingParameterFeatureSink
        types = Qgis.ProcessingSourceType
        polygon, line, point = types.VectorPolygon, types.VectorLine, types.VectorPoint
        self.add_with_help(
            build.folder(),
            build.file(),
            build.layer("ASSESSMENTS", tr("Assessed waters (areas, lines, points, catchments)")),
            build.table("PARAMETERS", tr("Table of parameters (ATTAINS)")),
            build.near(),
            sink("LISTED_AREAS", tr("Listed waters, areas"), polygon),
            sink("LISTED_LINES", tr("Listed waters, lines"), line),
            sink("LISTED_POINTS", tr("Listed waters, points"), point, None, True),
            sink("TMDL", tr("TMDL areas"), polygon),
            sink("UNLISTED", tr("Not listed, and why"), types.Vector, None, True),
        )
        self.add_counts()
