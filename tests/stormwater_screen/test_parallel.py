"""Work in several threads."""

import threading

import pytest

from stormwater_screen.parallel import in_order


@pytest.mark.parametrize("workers", [1, 2, 5, None])
def test_results_come_in_the_order_of_the_items(workers):
    assert list(in_order(lambda item: item * item, range(50), workers)) == [
        item * item for item in range(50)
    ]


def test_no_items_give_no_results():
    assert list(in_order(str, [])) == []


def test_an_error_in_a_piece_reaches_the_caller():
    with pytest.raises(ZeroDivisionError):
        list(in_order(lambda item: 1 / item, [1, 0, 1]))


def test_when_the_caller_stops_the_rest_is_dropped():
    done = []
    lock = threading.Lock()

    def work(item):
        with lock:
            done.append(item)
        return item

    for result in in_order(work, range(1000), 2):
        if result == 3:
            break
    assert len(done) < 20
