"""What opens the QGIS window by itself, for pictures and tests."""
