"""New York tax parcels with one key, one row a parcel, and hints from the roll."""

from __future__ import annotations

from typing import Any, ClassVar

from qgis.core import (
    Qgis,
    QgsProcessingParameterFeatureSink,
)

from . import parameters as build
from .i18n import tr
from .preparing import PreparationAlgorithm


class PrepareParcels(PreparationAlgorithm):
    """Tax parcels with keys, duplicates merged, owners dropped, acres compared."""

    NAME = "prepareparcels"
    PREPARATION = "parcels"
    KINDS: ClassVar[dict[str, int | None]] = {"PARCELS": 2}
    TAGS = ("parcels", "tax", "swis", "sbl", "assessment")

    def displayName(self) -> str:
        return tr("Prepare parcels")

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        sink = QgsProcessingParameterFeatureSink
        polygon = Qgis.ProcessingSourceType.VectorPolygon
        self.add_with_help(
            build.folder(),
            build.file(),
            build.layer("PARCEL_LAYERS", tr("Tax parcels (polygons)")),
            build.near(),
            sink("PARCELS", tr("Parcels"), polygon),
        )
        self.add_counts()
