"""Screen every layer of applications in a folder and write one table of all their sites.

    python3 screen_folder.py FOLDER PARAMETERS.json TABLE.csv

FOLDER holds one GeoPackage or shapefile of sites for each application. PARAMETERS.json holds the
inputs that all of them share, as `qgis_process` takes them: {"inputs": {"ORDINANCE": "wilton"}}.
TABLE.csv gets one row for each site of each application; the column `application` names it.

Only the standard library is needed; QGIS is called as `qgis_process` (or what QGIS_PROCESS names),
with JSON in and JSON out. The exit status is 1 if an application could not be screened; the others
are in the table all the same.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

PROCESS = os.environ.get("QGIS_PROCESS", "qgis_process")


def screen(sites: Path, shared: dict[str, Any], out: Path) -> dict[str, Any]:
    """Screen one layer of sites and return the outputs by name.

    Raises
    ------
    subprocess.CalledProcessError
        The run failed; its `stderr` says why.
    """
    call = {"inputs": {**shared, "SITES": str(sites), "SCREENED": str(out)}}
    done = subprocess.run(
        [PROCESS, "run", "stormwater:screensites", "-"],
        input=json.dumps(call),
        capture_output=True,
        text=True,
        check=True,
    )
    results: dict[str, Any] = json.loads(done.stdout)["results"]
    return results


def main(folder: Path, parameters: Path, table: Path) -> int:
    """Screen the folder and return the exit status."""
    shared = json.loads(parameters.read_text("utf-8"))["inputs"]
    applications = sorted(path for path in folder.iterdir() if path.suffix in (".gpkg", ".shp"))
    rows: list[dict[str, str]] = []
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for sites in applications:
            out = Path(scratch) / f"{sites.stem}.csv"
            try:
                results = screen(sites, shared, out)
            except subprocess.CalledProcessError as error:
                print(f"{sites.name}: not screened. {error.stderr.strip()}", file=sys.stderr)
                failed += 1
                continue
            print(f"{sites.name}: {results['SITE_COUNT']:.0f} sites")
            with out.open(encoding="utf-8", newline="") as file:
                rows += [{"application": sites.stem, **row} for row in csv.DictReader(file)]
    names = list(dict.fromkeys(name for row in rows for name in row))
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names)
        writer.writeheader()
        writer.writerows(rows)
    return 1 if failed or not applications else 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*(Path(argument) for argument in sys.argv[1:])))
