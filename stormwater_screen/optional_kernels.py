"""Compiled loops of measures that do without them, for runs that load the compiler anyway."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Final

_COMPILER: Final = f"{__package__}.compiling"


def load_compiler() -> None:
    """Load the compiler, which takes a second: called by runs in which runoff is followed."""
    import_module(_COMPILER)


def slope_kernels() -> ModuleType | None:
    """Return the compiled loops of slopes; None where the compiler is not loaded."""
    if _COMPILER not in sys.modules:
        return None
    from . import slope_kernels as kernels

    return kernels
