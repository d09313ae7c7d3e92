"""Fixtures for tests that need QGIS; the others never start it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session")
def qgis_app() -> Iterator[object]:
    """Start QGIS once, with the configuration folder that tools/qgis sets."""
    from qgis.core import QgsApplication

    app = QgsApplication([], True)
    app.initQgis()
    yield app
    app.exitQgis()


@pytest.fixture(scope="session")
def qgis_processing(qgis_app: object) -> Iterator[object]:
    """Start Processing with QGIS's own algorithms and the provider; `processing.run` works."""
    from processing.core.Processing import Processing
    from qgis.core import QgsApplication
    from stormwater_screening import classFactory

    Processing.initialize()
    plugin = classFactory(None)
    plugin.initProcessing()
    yield QgsApplication.processingRegistry()
    plugin.unload()
