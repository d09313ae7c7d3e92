"""Stormwater site screening: measures, rules and findings, without QGIS."""

__version__ = "0.1.0"
