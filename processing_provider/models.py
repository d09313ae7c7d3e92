"""Models that come with the plugin, shown like its own algorithms."""

from __future__ import annotations

from qgis.core import QgsProcessingModelAlgorithm
from qgis.PyQt.QtGui import QIcon

from .base import RESOURCES
from .i18n import mark, tr

ICON = RESOURCES / "icons" / "provider.svg"
# The name of a model is its id; a reader gets a title.
TITLES = {
    "screen_application": mark("Screen an application"),
    "setback_map": mark("Setback map"),
}


class ProviderModel(QgsProcessingModelAlgorithm):
    """A model with a title, a group and an icon of the plugin."""

    def displayName(self) -> str:
        return tr(TITLES.get(self.name(), self.name()))

    def group(self) -> str:
        return tr("Models")

    def groupId(self) -> str:
        return "models"

    def icon(self) -> QIcon:
        return QIcon(str(ICON))

    def svgIconPath(self) -> str:
        return str(ICON)

    def createInstance(self) -> ProviderModel:
        """Return a copy that keeps its title, as the window runs copies."""
        copy = type(self)()
        copy.loadVariant(self.toVariant())
        return copy
