"""Translation of the texts that users read; ids, column names and words of the laws stay as is."""

from __future__ import annotations

from qgis.PyQt.QtCore import QCoreApplication


def tr(text: str) -> str:
    """Return ``text`` in the language of the QGIS window."""
    return QCoreApplication.translate("StormwaterScreening", text)
