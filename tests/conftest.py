"""Fixtures that all tests share."""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent


def _shared(name: str, variable: str) -> Path:
    folder = Path(os.environ.get(variable, ROOT.parent / "shared" / name))
    if not folder.is_dir():
        message = f"No folder {folder}; set {variable} to where the {name} lie"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return folder


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of the real layers that tests read where they lie."""
    return _shared("data", "STORMWATER_DATA")


@pytest.fixture(scope="session")
def shared_cases() -> Path:
    """Folder of the decision cases."""
    return _shared("cases", "STORMWATER_CASES")


@pytest.fixture(scope="session")
def qgis_app() -> Iterator[object]:
    """Start QGIS once, with the configuration folder that tools/qgis sets."""
    from qgis.core import QgsApplication

    app = QgsApplication([], True)
    app.initQgis()
    yield app
    # Layers that wait in cycles for Python's collector must go before QGIS does.
    gc.collect()
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


@pytest.fixture(scope="session")
def tool() -> Iterator[Callable[[str], ModuleType]]:
    """Return a function that imports a script of tools by its name."""
    sys.path.insert(0, str(ROOT / "tools"))
    yield importlib.import_module
    sys.path.remove(str(ROOT / "tools"))


@pytest.fixture(scope="session")
def user_texts(tool: Callable[[str], ModuleType]) -> ModuleType:
    """Return what finds the texts that users read."""
    return tool("plugin_checks.user_texts")
