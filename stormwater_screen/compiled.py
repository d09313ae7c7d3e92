"""Functions that numba compiles, for runs in which it is loaded: that takes a second."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType


def load_compiler() -> None:
    """Load numba where it is installed: called by runs that need it for something else too."""
    if find_spec("numba") is not None:
        import_module("numba")


def slope_kernels() -> ModuleType | None:
    """Return the compiled loops of slopes; None where numba is not loaded."""
    if "numba" not in sys.modules:
        return None
    from . import slope_kernels as kernels

    return kernels
