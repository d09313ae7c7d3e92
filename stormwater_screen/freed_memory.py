"""Give freed memory back to the system between batches."""

from __future__ import annotations

import ctypes
import sys
from functools import cache


def give_back() -> None:
    """Give back what has been freed, where the C library keeps it for later (Linux).

    Geometries are millions of small pieces of memory, which the library of Linux keeps for each
    thread; without this the memory of a long run is two times what it uses.
    """
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> ctypes._NamedFuncPointer | None:
    if not sys.platform.startswith("linux"):
        return None
    # Absent from other C libraries than GNU's.
    return getattr(ctypes.CDLL(None), "malloc_trim", None)
