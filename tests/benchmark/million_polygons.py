"""Read a few features out of a layer of a million polygons: time and peak memory.

    tools/qgis python3 tests/benchmark/million_polygons.py [FOLDER] [--count 1000000]

The layer is like a statewide one of wetlands: squares of 30 m, one every 400 m. Three sites lie in
the middle of it. Each way of reading runs in a process of its own, so that peaks do not mix.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import geopandas as gpd
import numpy as np
import pyogrio
import shapely

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

STEP, SIDE, CHUNK = 400.0, 30.0, 100_000
WEST, SOUTH = 400_000.0, 4_520_000.0


def make_layer(path: Path, count: int) -> None:
    """Write the layer in pieces, so that making it stays small too."""
    across = int(np.sqrt(count))
    for start in range(0, count, CHUNK):
        number = np.arange(start, min(start + CHUNK, count))
        x, y = WEST + (number % across) * STEP, SOUTH + (number // across) * STEP
        squares = shapely.box(x, y, x + SIDE, y + SIDE)
        frame = gpd.GeoDataFrame(
            {"ATTRIBUTE": np.where(number % 3, "PEM1E", "PFO1E"), "ACRES": SIDE**2 / 4047},
            geometry=squares,
            crs="EPSG:26918",
        )
        pyogrio.write_dataframe(frame, path, layer="wetlands", append=start > 0)


def make_sites(path: Path, count: int) -> None:
    """Write three lots in the middle of the layer."""
    middle = int(np.sqrt(count)) // 2 * STEP
    x, y = WEST + middle + np.arange(3) * 100.0 + 50, np.full(3, SOUTH + middle)
    lots = gpd.GeoDataFrame(
        {"PRINT_KEY": ["1", "2", "3"]}, geometry=shapely.box(x, y, x + 50, y + 80), crs="EPSG:26918"
    )
    pyogrio.write_dataframe(lots, path, driver="GPKG")


def read_core(layer: str, sites: str) -> str:
    """Read with the core what lies near the sites."""
    from stormwater_screen.layers import read_layer
    from stormwater_screen.prepare.vicinity import vicinity_of

    near = vicinity_of(gpd.read_file(sites))
    assert near is not None
    found = read_layer(layer, role="WETLANDS", geometry="polygon", mask=near.within)
    return f"{len(found.frame):,} of {found.feature_count:,} features"


def read_all(layer: str, sites: str) -> str:
    """Read everything, to compare."""
    from stormwater_screen.layers import read_layer

    found = read_layer(layer, role="WETLANDS", geometry="polygon")
    return f"{len(found.frame):,} of {found.feature_count:,} features"


def start_qgis() -> None:
    """Start Processing with the provider."""
    from qgis.core import QgsApplication

    application = QgsApplication([], True)
    application.initQgis()
    from processing.core.Processing import Processing
    from stormwater_screening import classFactory

    Processing.initialize()
    plugin = classFactory(None)
    plugin.initProcessing()
    globals()["kept"] = (application, plugin)


def prepare(layer: str, sites: str) -> str:
    """Run Prepare wetlands near the sites."""
    import processing

    given = {"WETLAND_LAYERS": [layer], "NEAR": sites, "WETLANDS": "TEMPORARY_OUTPUT"}
    result = processing.run("stormwater:preparewetlands", given)
    return f"{result['WETLANDS_COUNT']:,} wetlands"


def screen(layer: str, sites: str) -> str:
    """Run Screen sites with the raw layer."""
    import processing

    given = {"SITES": sites, "WETLANDS": layer, "SCREENED": "TEMPORARY_OUTPUT"}
    result = processing.run("stormwater:screensites", given)
    return f"{result['SITE_COUNT']} sites"


WAYS: dict[str, Callable[[str, str], str]] = {
    "core, near": read_core,
    "core, everything": read_all,
    "preparewetlands": prepare,
    "screensites": screen,
}


def measure(way: str, layer: str, sites: str) -> None:
    """Run one way and print what it took beyond the start."""
    if way not in ("core, near", "core, everything"):
        start_qgis()
    else:
        import stormwater_screen.layers  # noqa: F401
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start = time.perf_counter()
    said = WAYS[way](layer, sites)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    suffix = Path(layer).suffix[1:]
    print(
        f"| {suffix} | {way} | {said} | {seconds:.2f} s | {peak - before:.0f} MB | {peak:.0f} MB |"
    )


def main() -> None:
    """Make the layers where they are missing, and measure every way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--way", choices=WAYS)
    parser.add_argument("--layer")
    given = parser.parse_args()
    folder = given.folder or Path(tempfile.mkdtemp())
    sites = str(folder / "sites.gpkg")
    if given.way:
        measure(given.way, given.layer, sites)
        return
    make_sites(Path(sites), given.count)
    print("| file | way | read | time | peak above start | peak |\n|---|---|---|---|---|---|")
    for suffix in ("gpkg", "shp"):
        layer = folder / f"wetlands.{suffix}"
        if not layer.exists():
            make_layer(layer, given.count)
        for way in WAYS:
            options = [str(folder), "--way", way, "--layer", str(layer)]
            subprocess.run([sys.executable, __file__, *options], check=True)


if __name__ == "__main__":
    main()
