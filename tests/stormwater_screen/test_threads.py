from __future__ import annotations

import threading
import time
from contextlib import closing
from functools import partial

import pytest

from stormwater_screen.errors import CancelledError
from stormwater_screen.progress import Progress, no_progress
from stormwater_screen.threads import in_order, side_by_side, together


@pytest.mark.parametrize("workers", [1, 2, 5, None])
def test_results_come_in_the_order_of_the_items(workers: int | None) -> None:
    def work(item: int) -> int:
        time.sleep(0.002 * (item % 3))
        return item * item

    assert list(in_order(work, range(20), workers)) == [item * item for item in range(20)]


@pytest.mark.parametrize("workers", [1, 2])
def test_error_of_a_piece_of_work_reaches_the_caller(workers: int) -> None:
    def work(item: int) -> int:
        if item == 3:
            raise ValueError("three")
        return item

    with pytest.raises(ValueError, match="three"):
        list(in_order(work, range(10), workers))


def test_no_work_is_begun_after_the_caller_stopped() -> None:
    begun = []

    def work(item: int) -> int:
        begun.append(item)
        return item

    with closing(in_order(work, range(1_000), 2)) as results:
        next(results)
    assert len(begun) <= 6


def test_items_are_taken_a_few_at_a_time() -> None:
    taken = []

    def items() -> object:
        for item in range(100):
            taken.append((item, threading.current_thread()))
            yield item

    results = in_order(lambda item: item, items(), 2)
    next(results)
    assert len(taken) <= 6
    assert {thread for _, thread in taken} == {threading.current_thread()}
    results.close()


@pytest.mark.parametrize("workers", [1, 2, 5, None])
def test_work_side_by_side_gives_results_in_order_and_progress_in_the_calling_thread(
    workers: int | None,
) -> None:
    told: list[tuple[float, threading.Thread]] = []

    def work(item: int, progress: Progress) -> int:
        progress(0.5)
        time.sleep(0.05 * (item % 2))
        return item * item

    def report(share: float) -> None:
        told.append((share, threading.current_thread()))

    results = side_by_side(work, range(5), [0.2] * 5, report, workers)
    assert results == [0, 1, 4, 9, 16]
    assert {thread for _, thread in told} == {threading.current_thread()}
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1.0)


def test_the_error_of_one_item_stops_the_others_and_reaches_the_caller() -> None:
    stopped = threading.Event()

    def work(item: int, progress: Progress) -> int:
        if item == 1:
            raise ValueError("one")
        for _ in range(2_000):
            time.sleep(0.005)
            try:
                progress(0.1)
            except CancelledError:
                stopped.set()
                raise
        return item

    with pytest.raises(ValueError, match="one"):
        side_by_side(work, [0, 1, 2], [0.3, 0.3, 0.4], no_progress, 2)
    assert stopped.is_set()


def test_a_cancelled_run_stops_all_work_and_begins_no_more() -> None:
    begun: list[int] = []

    def work(item: int, progress: Progress) -> int:
        begun.append(item)
        while True:
            time.sleep(0.005)
            progress(0.1)

    def cancel(share: float) -> None:
        if share > 0:
            raise CancelledError

    with pytest.raises(CancelledError):
        side_by_side(work, range(10), [0.1] * 10, cancel, 2)
    assert len(begun) == 2


@pytest.mark.parametrize("workers", [1, 2])
def test_works_are_all_done_and_what_is_none_is_left_out(workers: int) -> None:
    done: list[str] = []
    shares: list[float] = []
    here = threading.get_ident()

    def work(name: str, progress: Progress) -> None:
        progress(0.5)
        done.append(name)

    def told(share: float) -> None:
        assert threading.get_ident() == here
        shares.append(share)

    works = [partial(work, "first"), None, partial(work, "second")]
    together(works, told, workers)

    assert sorted(done) == ["first", "second"]
    assert shares[-1] == 1.0


def test_work_stops_when_the_one_beside_it_fails() -> None:
    begun, stopped = threading.Event(), threading.Event()

    def long_work(progress: Progress) -> None:
        begun.set()
        try:
            while True:
                time.sleep(0.005)
                progress(0.1)
        except CancelledError:
            stopped.set()
            raise

    def failing(progress: Progress) -> None:
        begun.wait()
        raise ValueError("the disk is full")

    with pytest.raises(ValueError, match="the disk is full"):
        together([long_work, failing], no_progress, 2)
    assert stopped.is_set()
