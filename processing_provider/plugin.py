"""The plugin: registers the provider with Processing and takes it back."""

from __future__ import annotations

from qgis.core import QgsApplication

from .provider import StormwaterProvider


class StormwaterPlugin:
    """Adds the provider in QGIS and in `qgis_process`, where there is no `iface`."""

    def __init__(self, iface: object) -> None:
        self.iface = iface
        self.provider: StormwaterProvider | None = None

    def initProcessing(self) -> None:
        """Register the provider; all that `qgis_process` calls."""
        if self.provider is None:
            provider = StormwaterProvider()
            QgsApplication.processingRegistry().addProvider(provider)
            # Models of the provider's own algorithms find their steps only now.
            provider.refreshAlgorithms()
            self.provider = provider

    def initGui(self) -> None:
        """Register the provider in the desktop program."""
        self.initProcessing()

    def unload(self) -> None:
        """Take the provider out of the registry, which also deletes it."""
        if self.provider is not None:
            QgsApplication.processingRegistry().removeProvider(self.provider)
            self.provider = None
