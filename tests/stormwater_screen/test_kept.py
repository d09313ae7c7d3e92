from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from stormwater_screen.errors import CancelledError
from stormwater_screen.kept import Kept


def test_a_value_is_made_once_and_the_last_few_are_kept() -> None:
    made: list[str] = []
    kept: Kept[str, str] = Kept(2)

    def ask(key: str) -> str:
        return kept.get(key, lambda: made.append(key) or key.upper())  # type: ignore[func-returns-value]

    assert [ask(key) for key in "aabab"] == ["A", "A", "B", "A", "B"]
    assert made == ["a", "b"]
    assert ask("c") == "C"
    # "a" was asked for before "b", so it is the one that has gone.
    ask("b")
    ask("a")
    assert made == ["a", "b", "c", "a"]


def test_a_thread_waits_for_what_another_one_makes() -> None:
    kept: Kept[int, object] = Kept(2)
    begun, go_on = threading.Event(), threading.Event()

    def slow() -> object:
        begun.set()
        assert go_on.wait(10)
        return object()

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(kept.get, 1, slow)
        assert begun.wait(10)
        second = pool.submit(kept.get, 1, object, lambda: go_on.set())
        assert first.result(10) is second.result(10)


def test_who_waits_can_be_stopped() -> None:
    kept: Kept[int, int] = Kept(2)
    begun, go_on = threading.Event(), threading.Event()

    def slow() -> int:
        begun.set()
        assert go_on.wait(10)
        return 7

    def stop() -> None:
        raise CancelledError

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(kept.get, 1, slow)
        assert begun.wait(10)
        with pytest.raises(CancelledError):
            kept.get(1, lambda: 8, stop)
        go_on.set()
        assert first.result(10) == 7


def test_what_could_not_be_made_is_made_by_who_waits_for_it() -> None:
    kept: Kept[int, int] = Kept(2)
    begun, go_on = threading.Event(), threading.Event()

    def fail() -> int:
        begun.set()
        assert go_on.wait(10)
        raise OSError("the disk is gone")

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(kept.get, 1, fail)
        assert begun.wait(10)
        second = pool.submit(kept.get, 1, lambda: 8, lambda: go_on.set())
        assert second.result(10) == 8
        with pytest.raises(OSError, match="disk"):
            first.result(10)
    assert kept.get(1, lambda: 9) == 8
