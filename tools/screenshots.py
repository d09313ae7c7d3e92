"""Take pictures of the QGIS window, from a fresh profile to the screened sample town.

``screenshots.py [FOLDER]`` writes to ``resources/images`` unless another folder is named. It needs
a screen; ``make screenshots`` brings one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from window.profile import fresh_profile, hide_packages

ROOT = Path(__file__).resolve().parent.parent
LONGEST_S = 240
# Each tour, and the packages that it does without.
TOURS: dict[str, tuple[str, ...]] = {
    "tour": (),
    "dialogs": (),
    "missing": ("geopandas", "rasterio"),
}


def visit(tour: str, pictures: Path, *hidden: str) -> None:
    """Open QGIS on a fresh profile, run one tour in it, and check that it came to its end.

    Raises
    ------
    RuntimeError
        The tour failed, or Python in QGIS reported an error.
    """
    with tempfile.TemporaryDirectory(prefix="stormwater-window-") as name:
        folder = Path(name)
        version = os.environ.get("STORMWATER_QGIS", "3.40").replace(".", "")
        fresh_profile(folder, ROOT, version=version)
        hide_packages(folder / "shim", *hidden)
        report = folder / "report.txt"
        code = ROOT / "tools" / "window" / f"{tour}.py"
        done = subprocess.run(
            ["qgis", "--nologo", "--noversioncheck", "--code", str(code)],
            env=_surroundings(folder) | {"STORMWATER_PICTURES": str(pictures)},
            capture_output=True,
            text=True,
            timeout=LONGEST_S,
            check=False,
        )
        told = report.read_text(encoding="utf-8") if report.exists() else "no report"
        if told.strip() != "done":
            raise RuntimeError(
                f"{tour}: {told}\nexit code {done.returncode}\n{done.stderr[-4000:]}"
            )


def _surroundings(folder: Path) -> dict[str, str]:
    """Return the environment of a QGIS that has its profile and everything else in a folder."""
    plugins, _, others = os.environ["PYTHONPATH"].partition(":")
    ours = Path(plugins).relative_to(os.environ["QGIS_CUSTOM_CONFIG_PATH"])
    return os.environ | {
        "QGIS_CUSTOM_CONFIG_PATH": str(folder),
        "PYTHONPATH": f"{folder / 'shim'}:{folder / ours}:{others}:{ROOT / 'tools'}",
        "QT_QPA_PLATFORM": "xcb",
        "QT_STYLE_OVERRIDE": "Fusion",
        "STORMWATER_REPORT": str(folder / "report.txt"),
        "STORMWATER_ROOT": str(ROOT),
    }


def main() -> int:
    """Take all pictures and return the exit code."""
    pictures = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "resources" / "images"
    pictures.mkdir(parents=True, exist_ok=True)
    if not os.environ.get("DISPLAY") or not shutil.which("openbox"):
        print("A screen is needed: use make screenshots", file=sys.stderr)
        return 2
    manager = subprocess.Popen(["openbox"], stderr=subprocess.DEVNULL)
    try:
        for tour, hidden in TOURS.items():
            began = time.monotonic()
            visit(tour, pictures, *hidden)
            print(f"{tour}: {time.monotonic() - began:.0f} s")
    finally:
        manager.terminate()
        manager.wait()
    for picture in sorted(pictures.glob("window_*.png")):
        print(f"{picture.stat().st_size / 1000:6.0f} kB  {picture}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
