"""A package that is missing or too old gives one message, and the provider still loads."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from stormwater_screening.processing_provider import dependencies

ROOT = Path(__file__).parents[2]


@pytest.fixture
def versions(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str | None]]:
    """Let a test say which version of a package is found."""
    found = {name: dependencies.found_version(name) for name in dependencies.NEEDED}
    monkeypatch.setattr(dependencies, "found_version", found.get)
    dependencies.message.cache_clear()
    yield found
    dependencies.message.cache_clear()


def test_nothing_is_missing_in_the_environment() -> None:
    assert dependencies.missing_packages() == []
    assert dependencies.message() == ""


def test_missing_package_is_named_with_what_is_needed(versions: dict[str, str | None]) -> None:
    versions["rasterio"] = None
    assert dependencies.missing_packages() == ["rasterio: not found, 1.4 or newer is needed"]


def test_old_package_is_named_with_what_was_found(versions: dict[str, str | None]) -> None:
    versions["shapely"] = "1.8.5"
    assert dependencies.missing_packages() == ["shapely: 1.8.5 found, 2.1 or newer is needed"]


def test_version_with_two_digits_is_newer_than_one_digit(
    versions: dict[str, str | None],
) -> None:
    versions["pyogrio"] = "0.10.1"
    assert dependencies.missing_packages() == []
    versions["pyogrio"] = "0.9.6"
    assert dependencies.missing_packages() == ["pyogrio: 0.9.6 found, 0.10 or newer is needed"]


def test_release_candidate_counts_by_its_numbers(versions: dict[str, str | None]) -> None:
    versions["geopandas"] = "1.0rc1"
    assert dependencies.missing_packages() == []


def test_one_message_names_all_packages(versions: dict[str, str | None]) -> None:
    versions["shapely"] = "1.8.5"
    versions["rasterio"] = None
    assert "shapely: 1.8.5 found" in dependencies.message()
    assert "rasterio: not found" in dependencies.message()


def test_packages_of_the_environment_use_the_libraries_of_qgis() -> None:
    assert dependencies.mixed_libraries() == []


def test_package_with_a_library_of_its_own_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shapely.geos_version_string", "3.11.4")
    assert "shapely brings GEOS 3.11.4" in dependencies.mixed_libraries()[0]


def test_provider_loads_and_warns_when_a_package_is_missing(
    versions: dict[str, str | None], qgis_app: object
) -> None:
    from stormwater_screening.processing_provider.provider import StormwaterProvider

    versions["geopandas"] = None
    provider = StormwaterProvider()
    assert provider.load()
    assert "geopandas: not found" in provider.warningMessage()


def test_packages_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    ours = {f"{name}>={version}" for name, version in dependencies.NEEDED.items()}
    assert ours == set(project["dependencies"])
