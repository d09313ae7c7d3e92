"""Loops that numba compiles, with the library of such loops that fills depressions.

Import it only where runoff is followed: numba takes a second to load.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def _find_place() -> None:
    """Give compiled code a temporary folder where neither this one nor the user's can be written.

    numba refuses to compile then, and a run on a server or in a container would fail.
    """
    try:
        numba.njit(cache=True)(_nothing)
        import_module("pyflwdir")
    except RuntimeError:
        folder = tempfile.mkdtemp(prefix="stormwater-compiled-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        numba.config.CACHE_DIR = folder


def _nothing() -> None:
    """Stand for a function that is to be compiled."""


_find_place()

fill_depressions: Final[Any] = import_module("pyflwdir.dem").fill_depressions

_LIBRARY: Final[str] = import_module("pyflwdir").__version__


def compiled(function: Function) -> Function:
    """Compile a function at its first call; other threads work while it runs."""
    # Compiled code is kept by file and name. That of another version of the library, or of the
    # same file as a part of another package (plugin, command line), is not to be taken for this.
    function.__qualname__ += f"-{function.__module__}-{_LIBRARY}"
    return cast(Function, numba.njit(nogil=True, cache=True)(function))
