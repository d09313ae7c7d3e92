"""The plugin: registers the provider with Processing and takes it back."""

from __future__ import annotations

from qgis.core import QgsApplication
from qgis.PyQt.QtCore import QCoreApplication

from .i18n import translator
from .provider import StormwaterProvider


class StormwaterPlugin:
    """Adds the provider in QGIS and in `qgis_process`, where there is no window."""

    def __init__(self) -> None:
        self.provider: StormwaterProvider | None = None
        # Before the first text is asked for; kept, since Qt does not.
        self.translator = translator()
        if self.translator is not None:
            QCoreApplication.installTranslator(self.translator)

    def initProcessing(self) -> None:
        """Register the provider; all that `qgis_process` calls."""
        if self.provider is None:
            provider = StormwaterProvider()
            if QgsApplication.processingRegistry().addProvider(provider):
                self.provider = provider
                # Models of the provider's own algorithms find their steps only now.
                provider.refreshAlgorithms()

    def initGui(self) -> None:
        """Register the provider in the desktop program."""
        self.initProcessing()

    def unload(self) -> None:
        """Take the provider out of the registry, which also deletes it."""
        if self.provider is not None:
            QgsApplication.processingRegistry().removeProvider(self.provider)
            self.provider = None
        if self.translator is not None:
            QCoreApplication.removeTranslator(self.translator)
            self.translator = None
