"""Write the zip that QGIS installs: ``dist/stormwater_screening-VERSION.zip``.

``package.py [FOLDER]`` writes to ``dist`` unless another folder is named. The same files give the
same bytes, whenever and wherever the zip is made.
"""

from __future__ import annotations

import configparser
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLUGIN = "stormwater_screening"
FILES = ("__init__.py", "metadata.txt", "LICENSE", "README.md", "CHANGELOG.md")
FOLDERS = ("processing_provider", "stormwater_screen", "resources")
# What programs leave behind, and what only a developer reads.
LEFT_OUT_NAMES = frozenset({"__pycache__", "ruff.toml"})
LEFT_OUT_ENDINGS = (
    *(".pyc", ".aux.xml", ".gpkg-wal", ".gpkg-shm", ".gpkg-journal", ".ts"),
    # The plugin repository takes shell scripts for suspicious.
    ".sh",
)
LARGEST_BYTES = 5_000_000
# The first moment that a zip can state.
MOMENT = (1980, 1, 1, 0, 0, 0)


def contents(root: Path = ROOT) -> list[Path]:
    """Return the files of the plugin, relative to the root, in order."""
    found = [Path(name) for name in FILES]
    for folder in FOLDERS:
        found += (path.relative_to(root) for path in (root / folder).rglob("*") if path.is_file())
    return sorted(path for path in found if not _left_out(path))


def _left_out(path: Path) -> bool:
    hidden = any(part.startswith(".") for part in path.parts)
    return (
        hidden
        or bool(LEFT_OUT_NAMES.intersection(path.parts))
        or path.name.endswith(LEFT_OUT_ENDINGS)
    )


def version(root: Path = ROOT) -> str:
    """Return the version that metadata.txt states."""
    metadata = configparser.ConfigParser(interpolation=None)
    metadata.read(root / "metadata.txt", encoding="utf-8")
    return metadata["general"]["version"]


def write_package(folder: Path, root: Path = ROOT) -> Path:
    """Write the zip to a folder and return its path.

    Raises
    ------
    ValueError
        The zip is larger than the plugin repository likes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{PLUGIN}-{version(root)}.zip"
    unfinished = target.with_suffix(".part")
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for path in contents(root):
            entry = zipfile.ZipInfo(f"{PLUGIN}/{path.as_posix()}", MOMENT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = 0o100644 << 16
            file.writestr(entry, (root / path).read_bytes())
    size = unfinished.stat().st_size
    if size > LARGEST_BYTES:
        unfinished.unlink()
        raise ValueError(f"{target.name}: {size:,} bytes found, less than {LARGEST_BYTES:,} needed")
    unfinished.replace(target)
    return target


def main() -> int:
    """Write the zip, say what it holds, and return the exit code."""
    target = write_package(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist")
    print(f"{target}: {len(contents())} files, {target.stat().st_size / 1e6:.2f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
