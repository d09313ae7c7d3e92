"""Checks the Python packages that the core needs, without importing them."""

from __future__ import annotations

import re
import warnings
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from .i18n import tr

NEEDED = {
    "geopandas": "1.0",
    "shapely": "2.1",
    "rasterio": "1.4",
    "pyogrio": "0.10",
    "pyproj": "3.7",
    "numpy": "1.26",
    "jinja2": "3.0",
}


def missing_packages() -> list[str]:
    """Return one line for each package missing or too old: what was found, what is needed."""
    lines = []
    for package, needed in NEEDED.items():
        found = found_version(package)
        if found is None:
            lines.append(tr("{}: not found, {} or newer is needed").format(package, needed))
        elif _numbers(found) < _numbers(needed):
            text = tr("{}: {} found, {} or newer is needed")
            lines.append(text.format(package, found, needed))
    return lines


@cache
def message() -> str:
    """Return one message about all packages that are missing or too old, or an empty text."""
    lines = missing_packages()
    if not lines:
        return ""
    return tr(
        "Stormwater Site Screening cannot run, because Python packages are missing or too old. {}."
        " Install them from the source that QGIS itself came from, so that they share its GEOS,"
        " GDAL and PROJ; then start QGIS again."
    ).format("; ".join(lines))


@cache
def import_quietly() -> None:
    """Import what warns when it is imported first; the window would show that in its log."""
    with warnings.catch_warnings():
        # geopandas 1.0 asks shapely 2.1 for a module that shapely will drop.
        warnings.simplefilter("ignore", DeprecationWarning)
        import geopandas  # noqa: F401 (kept by Python for the core)


def mixed_libraries() -> list[str]:
    """Return one line for each library that a package and QGIS hold in different versions.

    Two copies of GEOS, GDAL or PROJ in one process fail or damage data without a word. This
    imports the packages, so it is asked when an algorithm runs, not when the provider loads.
    """
    import pyogrio
    import pyproj
    import rasterio
    import shapely
    from osgeo import gdal
    from qgis.core import Qgis, QgsProjUtils

    geos = Qgis.geosVersion()
    proj = f"{QgsProjUtils.projVersionMajor()}.{QgsProjUtils.projVersionMinor()}"
    gdal_release = gdal.VersionInfo("RELEASE_NAME")
    compared = [
        ("shapely", "GEOS", shapely.geos_version_string, geos),
        ("rasterio", "GDAL", rasterio.__gdal_version__, gdal_release),
        ("pyogrio", "GDAL", pyogrio.__gdal_version_string__, gdal_release),
        ("pyproj", "PROJ", pyproj.proj_version_str, proj),
    ]
    return [
        f"{package} brings {library} {theirs}, QGIS uses {ours}"
        for package, library, theirs, ours in compared
        if _numbers(theirs)[:2] != _numbers(ours)[:2]
    ]


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
