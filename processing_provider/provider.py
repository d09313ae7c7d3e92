"""The provider `stormwater` and the list of its algorithms."""

from __future__ import annotations

from pathlib import Path

from qgis.core import QgsMessageLog, QgsProcessingAlgorithm, QgsProcessingProvider
from qgis.PyQt.QtGui import QIcon

from .checkinputs import CheckInputs
from .classifysites import ClassifySites
from .compareordinances import CompareOrdinances
from .dependencies import message
from .disturbancethresholds import DisturbanceThresholds
from .impairedwaters import ImpairedWaters
from .infiltrationsetbacks import InfiltrationSetbacks
from .preparehydrography import PrepareHydrography
from .prepareimpaired import PrepareImpaired
from .prepareparcels import PrepareParcels
from .preparesoils import PrepareSoils
from .preparewetlands import PrepareWetlands
from .screensites import ScreenSites
from .slopeover100ft import SlopeOver100Ft
from .slopeover100ftraster import SlopeOver100FtRaster
from .soilindicators import SoilIndicators
from .waterbodybuffer import WaterBodyBuffer

ICON = Path(__file__).parent.parent / "resources" / "icons" / "provider.svg"

ALGORITHMS: tuple[type[QgsProcessingAlgorithm], ...] = (
    ScreenSites,
    ClassifySites,
    CompareOrdinances,
    DisturbanceThresholds,
    SlopeOver100Ft,
    SlopeOver100FtRaster,
    InfiltrationSetbacks,
    WaterBodyBuffer,
    ImpairedWaters,
    SoilIndicators,
    CheckInputs,
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
