"""The rules of the QGIS plugin repository for metadata.txt."""

from __future__ import annotations

import configparser
import re
from pathlib import Path
from urllib.parse import urlparse

REQUIRED = (
    "name",
    "description",
    "about",
    "version",
    "qgisMinimumVersion",
    "author",
    "email",
    "repository",
    "tracker",
)
# Not refused without, but a page of the repository looks poor.
WANTED = ("homepage", "license", "category", "tags", "icon", "changelog", "hasProcessingProvider")
URLS = ("homepage", "repository", "tracker")
BOOLEANS = ("experimental", "deprecated", "server", "supportsQt6")
CATEGORIES = frozenset({"Raster", "Vector", "Database", "Web", "Mesh", "Analysis", "Plugins"})
VERSIONS = ("qgisMinimumVersion", "qgisMaximumVersion")


def metadata_problems(folder: Path) -> list[str]:
    """Return one line for everything wrong with ``metadata.txt`` in the plugin's folder."""
    # The repository reads with interpolation: a lone percent sign is an error there.
    parser = configparser.ConfigParser()
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    try:
        parser.read_string((folder / "metadata.txt").read_text("utf-8"))
        general = dict(parser["general"])
    except (configparser.Error, UnicodeDecodeError, KeyError) as error:
        return [f"metadata.txt: cannot be read: {error}"]
    problems = [
        f"{key}: is missing or empty"
        for key in (*REQUIRED, *WANTED)
        if not general.get(key, "").strip()
    ]
    if not problems:
        problems = [
            *_urls(general),
            *_values(general),
            *_files(general, folder),
            *_changelog(general, folder),
        ]
    return [f"metadata.txt: {problem}" for problem in problems]


def _urls(general: dict[str, str]) -> list[str]:
    found = []
    for key in URLS:
        parts = urlparse(general[key])
        if parts.scheme != "https" or "." not in parts.netloc or re.search(r"\s", general[key]):
            found.append(f"{key}: {general[key]} is no https link")
    return found


def _values(general: dict[str, str]) -> list[str]:
    found = [
        f"{key}: {general[key]} found, True or False needed"
        for key in BOOLEANS
        if general.get(key, "True") not in ("True", "False")
    ]
    found += [
        f"{key}: {general[key]} found, numbers with points needed"
        for key in VERSIONS
        if key in general and not re.fullmatch(r"\d+\.\d+(\.\d+)?", general[key])
    ]
    if not re.fullmatch(r"\d+(\.\d+)+", general["version"]):
        found.append(f"version: {general['version']} found, numbers with points needed")
    if general["category"] not in CATEGORIES:
        found.append(f"category: {general['category']} found, one of {sorted(CATEGORIES)} needed")
    if "/" in general["author"]:
        found.append("author: holds a slash")
    if not re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", general["email"]):
        found.append(f"email: {general['email']} is no address")
    if len(general["description"]) > 200 or re.search(r"<\w+", general["description"]):
        found.append("description: must be one short plain sentence")
    return found


def _files(general: dict[str, str], folder: Path) -> list[str]:
    named = [key for key in ("icon", "screenshot") if key in general]
    found = [
        f"{key}: no file {general[key]}" for key in named if not (folder / general[key]).is_file()
    ]
    found += [
        f"no file {name}" for name in ("LICENSE", "__init__.py") if not (folder / name).exists()
    ]
    return found


def _changelog(general: dict[str, str], folder: Path) -> list[str]:
    version = general["version"]
    pages = {"changelog": general["changelog"], "CHANGELOG.md": ""}
    if (folder / "CHANGELOG.md").is_file():
        pages["CHANGELOG.md"] = (folder / "CHANGELOG.md").read_text("utf-8")
    return [
        f"{name}: says nothing about {version}"
        for name, text in pages.items()
        if version not in text
    ]
