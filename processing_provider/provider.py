"""The provider `stormwater` and the list of its algorithms."""

from __future__ import annotations

from pathlib import Path

from qgis.core import QgsMessageLog, QgsProcessingAlgorithm, QgsProcessingProvider
from qgis.PyQt.QtGui import QIcon

from .dependencies import message
from .preparehydrography import PrepareHydrography
from .prepareimpaired import PrepareImpaired
from .prepareparcels import PrepareParcels
from .preparesoils import PrepareSoils
from .preparewetlands import PrepareWetlands
from .screensites import ScreenSites

ICON = Path(__file__).parent.parent / "resources" / "icons" / "provider.svg"

ALGORITHMS: tuple[type[QgsProcessingAlgorithm], ...] = (
    ScreenSites,
    PrepareSoils,
    PrepareHydrography,
    PrepareImpaired,
    PrepareWetlands,
    PrepareParcels,
)


class StormwaterProvider(QgsProcessingProvider):
    """All algorithms of the plugin, in one explicit list."""

    def id(self) -> str:
        return "stormwater"

    def name(self) -> str:
        return "Stormwater Site Screening"

    def icon(self) -> QIcon:
        return QIcon(str(ICON))

    def svgIconPath(self) -> str:
        return str(ICON)

    def warningMessage(self) -> str:
        """Say what is missing, where the toolbox shows it."""
        return message()

    def loadAlgorithms(self) -> None:
        problem = message()
        if problem:
            QgsMessageLog.logMessage(problem, self.name())
        for algorithm in ALGORITHMS:
            self.addAlgorithm(algorithm())
