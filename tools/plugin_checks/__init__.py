"""What a plugin must keep to be taken by the QGIS plugin repository and to run in QGIS 4."""
