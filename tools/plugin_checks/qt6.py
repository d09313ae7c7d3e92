"""Finds what runs with Qt 5 only: unscoped enums, removed names, direct imports of a binding.

Names are looked up in the QGIS that runs this, so it must run in the QGIS environment.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from enum import EnumType
from pathlib import Path
from types import ModuleType
from typing import Any

BINDINGS = ("PyQt5", "PyQt6", "PySide2", "PySide6", "sip")
# Taken out of Qt 6 or of its Python binding, without a place in qgis.PyQt.
REMOVED = frozenset(
    {
        "QRegExp",
        "QRegExpValidator",
        "QDesktopWidget",
        "QTextCodec",
        "QMatrix",
        "QGLWidget",
        "QVariant.Type",
        "qApp",
    }
)
# In Qt 6 these moved from QtWidgets to QtGui.
MOVED = frozenset({"QAction", "QActionGroup", "QShortcut", "QUndoStack", "QUndoCommand"})
METHODS = frozenset({"exec_", "print_"})


def qt6_problems(path: Path) -> list[str]:
    """Return one line for each place of a module that would fail or warn with Qt 6."""
    tree = ast.parse(path.read_text("utf-8"), str(path))
    names = _imported(tree)
    found = [*_imports(tree), *_uses(tree, names)]
    return [f"{path}:{line}: {text}" for line, text in sorted(set(found))]


def _imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            modules = [node.module or ""]
        else:
            continue
        for module in modules:
            if module.partition(".")[0] in BINDINGS:
                yield node.lineno, f"import {module}: import from qgis.PyQt"
            if module.endswith(("resources_rc", "_rc")):
                yield node.lineno, f"import {module}: compiled resources are gone in Qt 6"
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if alias.name in REMOVED:
                    yield node.lineno, f"{alias.name}: gone in Qt 6"
                if alias.name in MOVED and (node.module or "").endswith("QtWidgets"):
                    yield node.lineno, f"{alias.name}: import it from qgis.PyQt.QtGui"


def _imported(tree: ast.AST) -> dict[str, Any]:
    """Return what the names that a module imports from QGIS stand for."""
    names: dict[str, Any] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "qgis":
            module = importlib.import_module(node.module or "")
            for alias in node.names:
                if hasattr(module, alias.name):
                    names[alias.asname or alias.name] = getattr(module, alias.name)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] == "qgis":
                    module = importlib.import_module(alias.name)
                    top = importlib.import_module("qgis")
                    names[alias.asname or "qgis"] = module if alias.asname else top
    return names


def _uses(tree: ast.AST, names: dict[str, Any]) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute):
            continue
        text = ast.unparse(node)
        if node.attr in METHODS:
            yield node.lineno, f"{text}: gone in Qt 6"
        if text in REMOVED:
            yield node.lineno, f"{text}: gone in Qt 6"
        owner = _object(node.value, names)
        if owner is None or isinstance(owner, ModuleType):
            continue
        value = getattr(owner, node.attr, None)
        kind = type(value)
        if _is_enum(kind) and kind is not owner and not _same_enum(owner, kind):
            name = getattr(value, "name", node.attr)
            yield node.lineno, f"{text}: unscoped; write {kind.__qualname__}.{name}"


def _is_enum(kind: type) -> bool:
    # Qt's own enums are not Python's with Qt 5.
    return isinstance(kind, EnumType) or type(kind).__name__ == "enumtype"


def _same_enum(owner: Any, kind: type) -> bool:
    return isinstance(owner, type) and issubclass(kind, owner) and _is_enum(owner)


def _object(node: ast.expr, names: dict[str, Any]) -> Any:
    """Return the class or module that an expression of names and points stands for, or None."""
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = _object(node.value, names)
        return getattr(owner, node.attr, None) if owner is not None else None
    return None
