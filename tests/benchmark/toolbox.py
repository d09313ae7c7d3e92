"""The screening of a made-up county through QGIS Processing, as its users start it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.benchmark.county import LAYERS, County
from tests.benchmark.headless import FIELDS, LAW_DAY

OUTPUTS = ("SCREENED", "FINDINGS", "ZONES")
_kept: list[Any] = []
"""QGIS ends a process whose application object is forgotten."""


def start_qgis() -> Any:
    """Start QGIS without a window, with our provider; return its module ``processing``."""
    from qgis.core import QgsApplication

    application = QgsApplication([], False)
    application.initQgis()
    import processing
    from processing.core.Processing import Processing
    from stormwater_screening.processing_provider.provider import StormwaterProvider

    Processing.initialize()
    registry = QgsApplication.processingRegistry()
    _kept.append(application)
    if registry.providerById("stormwater") is None:
        _kept.append(StormwaterProvider())
        registry.addProvider(_kept[-1])
    return processing


def given(county: County) -> dict[str, Any]:
    """Return the inputs of a screening by parameter name."""
    layers = {name: county.layer(name) for name in LAYERS}
    return {**layers, **FIELDS, "DEM": str(county.dem), "AS_OF": LAW_DAY.isoformat()}


def wanted(folder: Path) -> dict[str, str]:
    """Return all outputs by parameter name; those of an earlier run are removed."""
    outputs = {name: folder / f"{name.lower()}.gpkg" for name in OUTPUTS}
    for path in outputs.values():
        path.unlink(missing_ok=True)
    return {
        **{name: str(path) for name, path in outputs.items()},
        "SUMMARY": str(folder / "summary.html"),
    }
