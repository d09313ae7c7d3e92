"""Work on several processors, with the results in order."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Final, TypeVar

from .errors import CancelledError
from .progress import Progress

Item = TypeVar("Item")
Result = TypeVar("Result")

Work = Callable[[Progress], None]
"""Work that tells its progress, which raises when it is to stop."""

LOOK_S: Final = 0.1
"""How often the caller's progress is told while threads work, in seconds."""


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


def side_by_side(
    work: Callable[[Item, Progress], Result],
    items: Sequence[Item],
    shares: Sequence[float],
    progress: Progress,
    workers: int | None = None,
) -> list[Result]:
    """Return the results of work on all items, several at a time.

    Parameters
    ----------
    work
        Called with an item and its own progress, in threads where there are several. It is stopped
        at its next look at that progress when the run is cancelled or another item fails.
    items
        What is worked on.
    shares
        Part of the whole that each item makes; together 1.
    progress
        Called in the calling thread only.
    workers
        Threads; None: one for each processor.
    """
    done = [0.0] * len(items)

    def look() -> None:
        progress(sum(part * share for part, share in zip(done, shares, strict=True)))

    def reporter(number: int, told: Callable[[], None]) -> Progress:
        def report(part: float) -> None:
            done[number] = part
            told()

        return report

    count = min(workers or os.cpu_count() or 1, len(items))
    if count <= 1:
        results = []
        for number, item in enumerate(items):
            results.append(work(item, reporter(number, look)))
            reporter(number, look)(1.0)
        return results
    stopped = threading.Event()

    def go_on() -> None:
        if stopped.is_set():
            raise CancelledError

    def one(number: int) -> Result:
        go_on()
        result = work(items[number], reporter(number, go_on))
        done[number] = 1.0
        return result

    with ThreadPoolExecutor(count) as pool:
        futures = [pool.submit(one, number) for number in range(len(items))]
        try:
            waiting = set(futures)
            while waiting:
                ended, waiting = wait(waiting, LOOK_S, FIRST_COMPLETED)
                for future in futures:
                    if future in ended:
                        future.result()
                look()
        except BaseException:
            stopped.set()
            for future in futures:
                future.cancel()
            raise
    return [future.result() for future in futures]


def together(works: Sequence[Work | None], progress: Progress, workers: int | None = None) -> None:
    """Do some works side by side, or one after the other where there is one worker.

    Parameters
    ----------
    works
        Each with a progress of its own; None is left out.
    progress
        Called in the calling thread only, with the share done of all of them.
    workers
        Threads; None: one for each processor.
    """
    there = [work for work in works if work is not None]
    shares = [1 / len(there)] * len(there)
    side_by_side(lambda work, told: work(told), there, shares, progress, workers)
