from __future__ import annotations

import threading
import time
from contextlib import closing

import pytest

from stormwater_screen.threads import in_order


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
