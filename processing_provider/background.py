"""Runs in threads that QGIS made, as every run from its window is."""

from __future__ import annotations

import threading
from typing import Any

_kept: list[Any] = []


def keep_projections_usable() -> None:
    """Keep what pyproj holds for this thread, so that the next run in it finds it alive.

    Python forgets a thread that it did not make as soon as a call ends. pyproj 3.7.0 to 3.7.2 frees
    its context then, and goes on using it in the next call: the second run from the window would
    end QGIS (https://github.com/pyproj4/pyproj/issues/1509). Held here, it is never freed; that is
    one context for each thread of the pool.
    """
    if threading.current_thread() is threading.main_thread():
        return
    import pyproj.datadir
    from pyproj import _context

    # Any call makes the context of this thread.
    pyproj.datadir.get_user_data_dir()
    manager = getattr(_context, "get_context_manager", lambda: None)()
    if manager is not None:
        _kept.append(manager)
