"""metadata.txt is complete and agrees with the project's own data."""

from __future__ import annotations

import configparser
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
REQUIRED = (
    "name",
    "description",
    "about",
    "version",
    "qgisMinimumVersion",
    "author",
    "email",
    "homepage",
    "repository",
    "tracker",
    "license",
    "tags",
    "icon",
    "category",
)


@pytest.fixture(scope="module")
def metadata() -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(ROOT / "metadata.txt", encoding="utf-8")
    return parser["general"]


@pytest.mark.parametrize("key", REQUIRED)
def test_key_that_the_plugin_repository_asks_for_is_filled(
    metadata: configparser.SectionProxy, key: str
) -> None:
    assert metadata[key].strip()


def test_plugin_says_that_it_has_a_processing_provider(
    metadata: configparser.SectionProxy,
) -> None:
    assert metadata["hasProcessingProvider"] == "yes"


def test_icon_exists(metadata: configparser.SectionProxy) -> None:
    assert (ROOT / metadata["icon"]).is_file()


def test_metadata_and_project_state_the_same_version_and_license(
    metadata: configparser.SectionProxy,
) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert metadata["version"] == project["version"]
    assert metadata["license"] == project["license"]
