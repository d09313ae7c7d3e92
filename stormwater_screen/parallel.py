"""Work on pieces of a job in several threads, with the results in order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_order(
    function: Callable[[Item], Result], items: Sequence[Item], workers: int | None = None
) -> Iterator[Result]:
    """Yield ``function(item)`` for each item, in order, working a little ahead in threads.

    Only a few results wait at a time. When the caller stops, what has not begun is dropped.

    Parameters
    ----------
    function
        Something that spends its time in shapely, GDAL or numpy, which work side by side.
    items
        Pieces of the job.
    workers
        Threads; None: one for each processor.
    """
    threads = workers or os.cpu_count() or 1
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[Result]] = deque()
        try:
            for item in items:
                waiting.append(pool.submit(function, item))
                if len(waiting) > 2 * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
