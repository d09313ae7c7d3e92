"""Stormwater Site Screening: a QGIS plugin with the Processing provider `stormwater`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .processing_provider.plugin import StormwaterPlugin


def classFactory(iface: object) -> StormwaterPlugin:  # noqa: N802 (the name that QGIS calls)
    """Return the plugin, which needs no window and takes nothing from it."""
    from .processing_provider.plugin import StormwaterPlugin

    return StormwaterPlugin()
