"""How a long calculation says how far it is, and how it is stopped."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[float], None]
"""Takes the share that is done, 0 to 1; raises `CancelledError` when the user stopped the run."""


def no_progress(share: float) -> None:
    """Take the share that is done, and tell nobody."""


def part_of(progress: Progress, start: float, end: float) -> Progress:
    """Return a progress for a part of the work that lies between two shares of the whole.

    Parameters
    ----------
    progress
        Progress of the whole.
    start, end
        Shares of the whole at which the part begins and ends, 0 to 1.
    """

    def report(share: float) -> None:
        progress(start + (end - start) * min(max(share, 0.0), 1.0))

    return report
