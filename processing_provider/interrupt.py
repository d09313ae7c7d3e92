"""Ctrl-C in `qgis_process`, which QGIS itself swallows."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from qgis.core import QgsApplication, QgsProcessingFeedback

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def cancelled_by_signals(feedback: QgsProcessingFeedback) -> Iterator[None]:
    """Let SIGINT and SIGTERM cancel ``feedback`` while a run lasts, in `qgis_process` only.

    The desktop program and scripts that call `processing.run` keep their own handling.
    """
    # Python takes signals in the main thread only.
    main = threading.current_thread() is threading.main_thread()
    if QgsApplication.platform() != "qgis_process" or not main:
        yield
        return
    before = {
        number: signal.signal(number, lambda _number, _frame: feedback.cancel())
        for number in SIGNALS
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            # None stands for a handler that was not set from Python, which cannot be put back.
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
