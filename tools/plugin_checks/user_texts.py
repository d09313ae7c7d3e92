"""Finds every text that users read in the provider, and what is wrong with it."""

from __future__ import annotations

import ast
import importlib
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

PACKAGE = "stormwater_screening"
MARKERS = frozenset({"tr", "mark", "said"})
# Calls whose texts a user reads. The first argument of a parameter is its name, which is no text.
SHOWN = frozenset(
    {
        "QgsProcessingException",
        "InputError",
        "WriteError",
        "pushInfo",
        "pushWarning",
        "pushFormattedMessage",
        "reportError",
        "logMessage",
        "setProgressText",
        "setMetadata",
        "setShortDescription",
    }
)
LABELLED = re.compile(r"QgsProcessing(Parameter|Output)[A-Z]\w*|sink|file")
_WORDS = re.compile(r"[A-Za-z]{2,} [A-Za-z]{2,}|[a-z]{3,}")


def marked_texts(path: Path) -> Iterator[str]:
    """Yield the texts of a module that are given to one of ``MARKERS``, and its group names.

    Raises
    ------
    ValueError
        A text is put together before it is translated.
    """
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and _name(node.func) in MARKERS:
            value = node.args[0]
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield value.value
            elif isinstance(value, ast.JoinedStr | ast.BinOp):
                raise ValueError(f"{path}:{node.lineno}: {ast.unparse(value)} is no plain text")
        elif (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and node.targets[0].id == "GROUP"
            and isinstance(node.value, ast.Constant)
        ):
            yield str(node.value.value)


def help_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a help file."""

    def texts(value: object) -> Iterator[str]:
        if isinstance(value, dict):
            for part in value.values():
                yield from texts(part)
        elif isinstance(value, list):
            for part in value:
                yield from texts(part)
        elif isinstance(value, str):
            yield from value.split("\n")

    yield from texts(tomllib.loads(path.read_text("utf-8")))


def translatable(root: Path) -> list[str]:
    """Return every text that translators get, codes replaced by numbered places, in order."""
    i18n = _module("processing_provider.i18n")
    columns = _module("stormwater_screen.columns")
    found: set[str] = set()
    for package in ("processing_provider", "stormwater_screen"):
        for path in sorted((root / package).rglob("*.py")):
            found.update(marked_texts(path))
    lines: list[str] = []
    for path in sorted((root / "resources" / "help").glob("*.toml")):
        lines += help_lines(path)
    lines += (column.meaning for table in _tables(columns) for column in table)
    found.update(i18n.split_codes(line)[0] for line in lines)
    return sorted(text for text in found if text.strip())


def _tables(columns: ModuleType) -> Iterator[tuple[Any, ...]]:
    """Yield every table of output columns."""
    for name, value in vars(columns).items():
        if name.endswith("_COLUMNS") and isinstance(value, tuple):
            yield value


def parameter_names(root: Path) -> set[str]:
    """Return the names of parameters; DEM and TMDL are words of the field too."""
    names: set[str] = set()
    for path in (root / "resources" / "help").glob("*.toml"):
        names |= tomllib.loads(path.read_text("utf-8")).get("parameters", {}).keys()
    return names - {"DEM", "TMDL"}


def code_problems(texts: list[str], names: set[str]) -> list[str]:
    """Return one line for each text that carries a name which must not be translated.

    Columns and words of the laws that are ordinary words, as reasons or exempt, are not found.
    """
    tables = _tables(_module("stormwater_screen.columns"))
    names = names | {c.name for table in tables for c in table if re.search(r"[_\d]", c.name)}
    found = []
    for text in texts:
        words = re.findall(r"[A-Za-z][A-Za-z0-9_]*", text)
        codes = [word for word in words if "_" in word or word in names]
        found += [f"{code} in: {text[:90]}" for code in codes]
    return found


def unmarked_problems(path: Path) -> list[str]:
    """Return one line for each text of a module that is shown without being translated."""
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = _name(node.func)
        if name in SHOWN:
            arguments = [*node.args, *(word.value for word in node.keywords)]
        elif LABELLED.fullmatch(name):
            arguments = node.args[1:2]
        else:
            continue
        found += [
            f"{path}:{node.lineno}: {text!r} is shown without tr()"
            for argument in arguments
            for text in _plain(argument)
        ]
    return found


def _plain(node: ast.expr) -> Iterator[str]:
    """Yield the words of an expression that do not go through ``tr``."""
    if isinstance(node, ast.Call):
        if _name(node.func) not in MARKERS and isinstance(node.func, ast.Attribute):
            yield from _plain(node.func.value)
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, str) and _WORDS.search(node.value):
            yield node.value
    elif isinstance(node, ast.JoinedStr | ast.BinOp | ast.IfExp):
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.expr) and part is not getattr(node, "test", None):
                yield from _plain(part)


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"{PACKAGE}.{name}")
