"""Checks the Python packages that the core needs, without importing them."""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

NEEDED = {
    "geopandas": "1.0",
    "shapely": "2.0",
    "rasterio": "1.4",
    "fiona": "1.10",
    "pyproj": "3.7",
    "numpy": "1.26",
}


def missing_packages() -> list[str]:
    """Return one line for each package missing or too old: what was found, what is needed."""
    lines = []
    for package, needed in NEEDED.items():
        found = found_version(package)
        if found is None:
            lines.append(f"{package}: not found, {needed} or newer is needed")
        elif _numbers(found) < _numbers(needed):
            lines.append(f"{package}: {found} found, {needed} or newer is needed")
    return lines


@cache
def message() -> str:
    """Return one message about all packages that are missing or too old, or an empty text."""
    lines = missing_packages()
    if not lines:
        return ""
    return (
        "Stormwater Site Screening cannot run, because Python packages are missing or too old. "
        + "; ".join(lines)
        + ". Install them from the source that QGIS itself came from, "
        "so that they share its GEOS, GDAL and PROJ; then start QGIS again."
    )


def found_version(package: str) -> str | None:
    """Return the version of a package that could be imported, or None."""
    if find_spec(package) is None:
        return None
    try:
        return version(package)
    except PackageNotFoundError:
        return "0 (version not stated)"


def _numbers(text: str) -> tuple[int, ...]:
    leading = re.match(r"\d+(?:\.\d+)*", text)
    return tuple(int(part) for part in leading.group().split(".")) if leading else (0,)
