"""The zip holds the plugin and nothing else, always the same, and runs from a fresh profile."""

from __future__ import annotations

import json
import os
import subprocess
import zipfile
from pathlib import Path
from types import ModuleType

import pandas as pd
import pyogrio
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def maker(tool) -> ModuleType:
    return tool("package")


@pytest.fixture(scope="module")
def package(maker: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return maker.write_package(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def names(package: Path) -> list[str]:
    with zipfile.ZipFile(package) as file:
        return file.namelist()


def test_zip_is_named_after_plugin_and_version(package: Path, maker: ModuleType) -> None:
    assert package.name == f"stormwater_screening-{maker.version()}.zip"


def test_everything_lies_in_one_folder_named_as_the_plugin(names: list[str]) -> None:
    assert {name.partition("/")[0] for name in names} == {"stormwater_screening"}


@pytest.mark.parametrize(
    "name", ["__init__.py", "metadata.txt", "LICENSE", "resources/sample/sample.gpkg"]
)
def test_what_qgis_and_the_user_need_is_in(names: list[str], name: str) -> None:
    assert f"stormwater_screening/{name}" in names


def test_every_module_and_resource_under_version_control_is_in(names: list[str]) -> None:
    git = ("git", "-c", f"safe.directory={ROOT}", "-C", str(ROOT))
    listed = subprocess.run(
        [*git, "ls-files", "processing_provider", "stormwater_screen", "resources"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    left_out = ("stormwater_screen/ruff.toml", ".ts", ".sh")
    needed = {f"stormwater_screening/{name}" for name in listed if not name.endswith(left_out)}
    assert len(needed) > 60
    assert needed <= set(names)


def test_tests_tools_docs_and_leavings_are_out(names: list[str]) -> None:
    tops = {name.split("/")[1] for name in names}
    assert not tops & {"tests", "tools", "docs", "out", "dist", ".git", ".ci"}
    assert not [name for name in names if "__pycache__" in name or name.endswith(".pyc")]


def test_zip_is_smaller_than_5_mb(package: Path) -> None:
    assert package.stat().st_size < 5_000_000


def test_too_large_a_zip_is_refused_and_not_left(
    maker: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maker, "LARGEST_BYTES", 1000)
    with pytest.raises(ValueError, match="less than 1,000 needed"):
        maker.write_package(tmp_path)
    assert not list(tmp_path.iterdir())


def test_the_same_files_give_the_same_bytes(
    maker: ModuleType, package: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "another clone"
    for path in maker.contents():
        target = copy / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((ROOT / path).read_bytes())
    again = maker.write_package(tmp_path / "dist", copy)
    assert again.read_bytes() == package.read_bytes()


def test_installed_zip_screens_the_sample_town_from_a_fresh_profile(
    package: Path, tmp_path: Path
) -> None:
    plugins = tmp_path / "profiles" / "default" / "python" / "plugins"
    with zipfile.ZipFile(package) as file:
        file.extractall(plugins)
    settings = tmp_path / "profiles" / "default" / "QGIS" / "QGIS3.ini"
    settings.parent.mkdir(parents=True)
    settings.write_text("[PythonPlugins]\nprocessing=true\nstormwater_screening=true\n", "utf-8")
    sample = plugins / "stormwater_screening" / "resources" / "sample"
    request = {
        "inputs": {
            "SITES": f"{sample}/sample.gpkg|layername=lots",
            "SITE_ID": "lot",
            "ORDINANCE": "lake_george",
            "DISTURBED_FIELD": "dist_sqft",
            "DEM": f"{sample}/dem.tif",
            "SCREENED": str(tmp_path / "screened.gpkg"),
        }
    }
    # From a folder that is not the clone, with the clone on no path.
    python_path = os.environ["PYTHONPATH"].split(":")
    done = subprocess.run(
        ["qgis_process", "--json", "run", "stormwater:screensites", "-"],
        input=json.dumps(request),
        cwd=tmp_path,
        env=os.environ
        | {
            "QGIS_CUSTOM_CONFIG_PATH": str(tmp_path),
            "PYTHONPATH": ":".join(
                part for part in python_path if not (Path(part) / "stormwater_screening").exists()
            ),
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout)["results"]
    assert results["SITE_COUNT"] == 56
    sites = pyogrio.read_dataframe(tmp_path / "screened.gpkg", read_geometry=False)
    answers = pd.read_csv(sample / "expected.csv")
    first = answers[(answers["law"] == "lake_george") & (answers["row"] == 1)].iloc[0]
    assert sites.iloc[0]["site_id"] == first["lot"]
