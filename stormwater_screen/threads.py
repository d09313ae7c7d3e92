"""Work on several processors, with the results in order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_order(
    work: Callable[[Item], Result], items: Iterable[Item], workers: int | None = None
) -> Generator[Result, None, None]:
    """Yield the results of work in the order of its items.

    Only a few items are taken ahead of the results, so that memory does not grow with their number.
    When the caller stops, or a piece of work fails, no more is begun.

    Parameters
    ----------
    work
        Called with each item, in threads where there are several.
    items
        Taken in the calling thread.
    workers
        Threads; None: one for each processor.
    """
    count = workers or os.cpu_count() or 1
    if count == 1:
        yield from map(work, items)
        return
    with ThreadPoolExecutor(count) as pool:
        waiting: deque[Future[Result]] = deque()
        try:
            for item in items:
                waiting.append(pool.submit(work, item))
                if len(waiting) > 2 * count:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
