"""The provider `stormwater` and the list of its algorithms."""

from __future__ import annotations

from pathlib import Path

from qgis.core import (
    QgsMessageLog,
    QgsProcessingAlgorithm,
    QgsProcessingProvider,
)
from qgis.PyQt.QtGui import QIcon

from .checkinputs import CheckInputs
from .classifysites import ClassifySites
from .compareordinances import CompareOrdinances
from .dependencies import message
from .disturbancethresholds import DisturbanceThresholds
from .i18n import tr
from .impairedwaters import ImpairedWaters
from .infiltrationsetbacks import InfiltrationSetbacks
from .models import ProviderModel
from .preparehydrography import PrepareHydrography
from .prepareimpaired import PrepareImpaired
from .prepareparcels import PrepareParcels
from .preparesoils import PrepareSoils
from .preparewetlands import PrepareWetlands
from .receivingwaters import ReceivingWaters
from .screensites import ScreenSites
from .sitereports import SiteReports
from .slopeover100ft import SlopeOver100Ft
from .slopeover100ftraster import SlopeOver100FtRaster
from .soilindicators import SoilIndicators
from .verifyrun import VerifyRun
from .waterbodybuffer import WaterBodyBuffer

RESOURCES = Path(__file__).parent.parent / "resources"
ICON = RESOURCES / "icons" / "provider.svg"
MODELS = RESOURCES / "models"

ALGORITHMS: tuple[type[QgsProcessingAlgorithm], ...] = (
    ScreenSites,
    SiteReports,
    VerifyRun,
    ClassifySites,
    CompareOrdinances,
    DisturbanceThresholds,
    SlopeOver100Ft,
    SlopeOver100FtRaster,
    InfiltrationSetbacks,
    WaterBodyBuffer,
    ImpairedWaters,
    ReceivingWaters,
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
        for path in sorted(MODELS.glob("*.model3")):
            self._add_model(path)

    def _add_model(self, path: Path) -> None:
        """Add a model; its steps are known once the provider itself is registered.

        QGIS drops the outputs of a model whose steps it does not know, so that the provider must be
        refreshed once after it was added.
        """
        model = ProviderModel()
        if model.fromFile(str(path)):
            self.addAlgorithm(model)
        else:
            QgsMessageLog.logMessage(tr("{} cannot be loaded").format(path.name), self.name())
