"""Make the checks of the QGIS plugin repository on the zip as it would be uploaded, and our own.

Bandit, detect-secrets and flake8 with the QGIS rules, metadata.txt, names and sizes of the files,
what Qt 6 would refuse, and texts that cannot be translated.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from package import PLUGIN, write_package
from plugin_checks.metadata import metadata_problems
from plugin_checks.qt6 import qt6_problems
from plugin_checks.user_texts import code_problems, parameter_names, translatable, unmarked_problems

ROOT = Path(__file__).resolve().parent.parent
SUSPICIOUS = frozenset({".exe", ".dll", ".so", ".dylib", ".bat", ".sh", ".ps1", ".cmd", ".pyc"})
# E203: ruff's spaces in slices. QGS2: experimental guesses at what a method returns, by its name.
FLAKE8 = ("--max-line-length=120", "--extend-ignore=E203,W503,QGS2", "--isolated")


def python(folder: Path, *arguments: str) -> str:
    """Run a Python module in a folder and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode > 1 or (done.returncode and not done.stdout):
        raise RuntimeError(f"{arguments[0]} failed:\n{done.stderr}")
    return done.stdout


def bandit(folder: Path) -> Iterator[str]:
    """Yield what bandit finds of medium or high severity, as the repository asks for it."""
    report = json.loads(python(folder, "bandit", "-r", ".", "-f", "json", "--quiet", "-ll"))
    for error in report["errors"]:
        yield f"{error['filename']}: {error['reason']}"
    for issue in report["results"]:
        where = f"{issue['filename']}:{issue['line_number']}"
        yield f"{where}: {issue['test_id']} {issue['issue_text']}"


def secrets(folder: Path) -> Iterator[str]:
    """Yield what looks like a password, a key or a token."""
    report = json.loads(python(folder, "detect_secrets", "scan", "--all-files", "."))
    for name, found in report["results"].items():
        for secret in found:
            yield f"{name}:{secret['line_number']}: {secret['type']}"


def flake8(folder: Path) -> Iterator[str]:
    """Yield what flake8 finds with the rules for QGIS."""
    yield from python(folder, "flake8", *FLAKE8, ".").splitlines()


def files(folder: Path) -> Iterator[str]:
    """Yield files that the repository refuses or warns of."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        hidden = path.name.startswith((".", "__MACOSX")) or path.name == "__pycache__"
        if hidden or path.suffix.lower() in SUSPICIOUS or ".." in name:
            yield f"{name}: must not be in the zip"


def metadata(folder: Path) -> Iterator[str]:
    """Yield what is wrong with metadata.txt."""
    yield from metadata_problems(folder / PLUGIN)


def qt6(folder: Path) -> Iterator[str]:
    """Yield what would fail with Qt 6."""
    for path in sorted(folder.rglob("*.py")):
        yield from qt6_problems(path)


def texts(folder: Path) -> Iterator[str]:
    """Yield texts that are shown without translation, and codes that would be translated."""
    for path in sorted((folder / PLUGIN / "processing_provider").rglob("*.py")):
        yield from unmarked_problems(path)
    yield from code_problems(translatable(folder / PLUGIN), parameter_names(folder / PLUGIN))


CHECKS: tuple[Callable[[Path], Iterator[str]], ...] = (
    files,
    metadata,
    bandit,
    secrets,
    flake8,
    qt6,
    texts,
)


def problems(package: Path) -> dict[str, list[str]]:
    """Return what each check finds in a zip."""
    with tempfile.TemporaryDirectory(prefix="stormwater-check-") as name:
        folder = Path(name)
        with zipfile.ZipFile(package) as file:
            file.extractall(folder)
        return {
            check.__name__: [line.replace(f"{folder}/", "") for line in check(folder)]
            for check in CHECKS
        }


def main() -> int:
    """Check the zip of this clone and return the exit code."""
    with tempfile.TemporaryDirectory(prefix="stormwater-zip-") as name:
        found = problems(write_package(Path(name)))
    for check, lines in found.items():
        print(f"{check}: {'well' if not lines else ''}", *lines, sep="\n  " if lines else "")
    return 1 if any(found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
