"""The command line: screen, check and cluster without QGIS."""
