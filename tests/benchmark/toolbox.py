"""The screening of a made-up county through QGIS Processing, as its users start it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

from tests.benchmark.county import LAYERS, County
from tests.benchmark.headless import FIELDS, LAW_DAY

if TYPE_CHECKING:
    from tests.benchmark.contenders import Parts

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


@contextmanager
def timed(parts: Parts) -> Iterator[None]:
    """Time the stages of a screening: transfer from QGIS and to it, and what lies between."""
    from stormwater_screening.processing_provider import adapter, run

    def told(owner: Any, name: str, part: str) -> Any:
        work: Callable[..., Any] = getattr(owner, name)

        def timing(*given: Any, **named: Any) -> Any:
            with parts.part(part):
                return work(*given, **named)

        return mock.patch.object(owner, name, timing)

    with (
        told(adapter.InputReader, "sites", "features read"),
        told(run, "read_inputs", "features read"),
        told(adapter, "layer_from_wkb", "of that, layers cleaned"),
        told(run, "screen", "screened"),
        told(run, "_write", "outputs written"),
    ):
        yield
