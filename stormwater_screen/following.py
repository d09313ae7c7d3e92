"""Whether runoff can be followed on this computer: that needs packages that nothing else needs."""

from __future__ import annotations

from importlib.util import find_spec

from .errors import InputError


def can_follow() -> str:
    """Return why runoff cannot be followed on this computer; empty where it can."""
    missing = [name for name in ("pyflwdir", "numba", "scipy") if find_spec(name) is None]
    if not missing:
        return ""
    return f"Runoff was not followed: the Python package {', '.join(missing)} is not installed."


def require_followable() -> None:
    """Refuse to go on where runoff cannot be followed on this computer.

    Raises
    ------
    InputError
        A package is missing.
    """
    if can_follow():
        raise InputError("Python", can_follow(), "that package, from where QGIS itself came from")
