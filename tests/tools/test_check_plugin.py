"""The checks of the plugin repository find what they are there for, and nothing in the plugin."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
METADATA = (ROOT / "metadata.txt").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def checker(tool: Callable[[str], ModuleType]) -> ModuleType:
    return tool("check_plugin")


@pytest.fixture(scope="module")
def qt6(tool: Callable[[str], ModuleType]) -> ModuleType:
    return tool("plugin_checks.qt6")


@pytest.fixture(scope="module")
def metadata(tool: Callable[[str], ModuleType]) -> ModuleType:
    return tool("plugin_checks.metadata")


@pytest.fixture(scope="module")
def bad(checker: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What the checks find in a plugin with one fault of each kind."""
    package = tmp_path_factory.mktemp("bad") / "bad.zip"
    # Put together, so that nobody's scanner takes this test for a leak.
    key = "AKIA" + "QYLPMN5HFIQR7XYA"
    module = (
        "import subprocess\n"
        "from PyQt5.QtCore import Qt\n"
        "from qgis.core import Qgis, QgsProcessingException\n"
        f"KEY = '{key}'\n"
        "def run(text: str) -> None:\n"
        "    subprocess.call(text, shell=True)\n"
        "    print(Qgis.Warning, undefined)\n"
        "    raise QgsProcessingException('nothing was found')\n"
    )
    with zipfile.ZipFile(package, "w") as file:
        folder = "stormwater_screening"
        file.writestr(f"{folder}/__init__.py", "")
        file.writestr(f"{folder}/.hidden", "")
        file.writestr(f"{folder}/start.sh", "")
        file.writestr(f"{folder}/metadata.txt", METADATA.replace("author=", "writer="))
        file.writestr(f"{folder}/processing_provider/bad.py", module)
        file.writestr(f"{folder}/resources/help/bad.toml", 'short = "Put it into FOLDER."\n')
        file.writestr(f"{folder}/resources/help/names.toml", '[parameters]\nFOLDER = "A folder."\n')
    return dict(checker.problems(package))


@pytest.mark.parametrize(
    ("check", "text"),
    [
        ("files", ".hidden: must not be in the zip"),
        ("files", "start.sh: must not be in the zip"),
        ("metadata", "author: is missing or empty"),
        ("bandit", "bad.py:6: B602"),
        ("secrets", "bad.py:4: AWS Access Key"),
        ("flake8", "QGS103"),
        ("flake8", "F821 undefined name 'undefined'"),
        ("qt6", "bad.py:2: import PyQt5.QtCore"),
        ("qt6", "bad.py:7: Qgis.Warning: unscoped; write Qgis.MessageLevel.Warning"),
        ("texts", "'nothing was found' is shown without tr()"),
        ("texts", "FOLDER in: Put it into FOLDER."),
    ],
)
def test_each_check_finds_what_it_is_there_for(
    bad: dict[str, list[str]], check: str, text: str
) -> None:
    assert any(text in line for line in bad[check]), bad[check]


@pytest.mark.parametrize(
    ("line", "needed"),
    [
        ("Qt.AlignLeft", "Qt.AlignmentFlag.AlignLeft"),
        ("QMessageBox.Yes", "QMessageBox.StandardButton.Yes"),
        ("QgsProcessing.TypeVectorPolygon", "Qgis.ProcessingSourceType.VectorPolygon"),
        ("QgsWkbTypes.Polygon", "Qgis.WkbType.Polygon"),
        ("QgsProcessingAlgorithm.FlagNoThreading", "Qgis.ProcessingAlgorithmFlag.NoThreading"),
        ("qgis.core.Qgis.Critical", "Qgis.MessageLevel.Critical"),
        ("QVariant.Type.Int", "gone in Qt 6"),
        ("QDialog().exec_()", "gone in Qt 6"),
    ],
)
def test_what_qt_6_refuses_is_found(
    qt6: ModuleType, tmp_path: Path, line: str, needed: str
) -> None:
    module = tmp_path / "module.py"
    module.write_text(HEAD + line + "\n", encoding="utf-8")
    (problem,) = qt6.qt6_problems(module)
    assert needed in problem


@pytest.mark.parametrize(
    "line",
    [
        "Qt.AlignmentFlag.AlignLeft",
        "Qgis.ProcessingSourceType.VectorPolygon",
        "QgsProcessingAlgorithm.Flag.FlagNoThreading",
        "QgsProcessing.TEMPORARY_OUTPUT",
        "QDialog().exec()",
        "QMessageBox.warning",
    ],
)
def test_what_qt_6_takes_is_not_found(qt6: ModuleType, tmp_path: Path, line: str) -> None:
    module = tmp_path / "module.py"
    module.write_text(HEAD + line + "\n", encoding="utf-8")
    assert qt6.qt6_problems(module) == []


HEAD = """\
import qgis.core
from qgis.core import Qgis, QgsProcessing, QgsProcessingAlgorithm, QgsWkbTypes
from qgis.PyQt.QtCore import Qt, QVariant
from qgis.PyQt.QtWidgets import QDialog, QMessageBox
"""


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("tracker=https://", "tracker=http://", "tracker: "),
        ("homepage=https://example.org", "homepage=https://example org", "homepage: "),
        ("version=0.1.0", "version=first", "version: "),
        ("qgisMinimumVersion=3.40", "qgisMinimumVersion=3", "qgisMinimumVersion: "),
        ("experimental=True", "experimental=yes", "experimental: "),
        ("icon=resources/icons/provider.svg", "icon=none.svg", "icon: no file none.svg"),
        ("email=maintainers@example.org", "email=maintainers", "email: "),
        ("changelog=0.1.0", "changelog=0.0.9", "changelog: says nothing about 0.1.0"),
        ("about=For", "about=100 % for", "cannot be read"),
        ("category=Analysis", "category=Water", "category: "),
    ],
)
def test_metadata_that_the_repository_refuses_is_found(
    metadata: ModuleType, tmp_path: Path, before: str, after: str, problem: str
) -> None:
    assert before in METADATA
    for name in ("LICENSE", "__init__.py", "CHANGELOG.md"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    icon = tmp_path / "resources" / "icons" / "provider.svg"
    icon.parent.mkdir(parents=True)
    icon.touch()
    for named in [line[11:] for line in METADATA.splitlines() if line.startswith("screenshot=")]:
        (tmp_path / named).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / named).touch()
    (tmp_path / "metadata.txt").write_text(METADATA, encoding="utf-8")
    assert metadata.metadata_problems(tmp_path) == []
    (tmp_path / "metadata.txt").write_text(METADATA.replace(before, after), encoding="utf-8")
    found = metadata.metadata_problems(tmp_path)
    assert any(problem in line for line in found), found
