"""What several threads need is made once, and the last of it is kept."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, wait
from typing import Final, Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

_LOOK_S: Final = 0.2


class Kept(Generic[Key, Value]):
    """Values by key, the last few of them.

    Parameters
    ----------
    most
        How many are kept.
    """

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, threading.Lock()
        self._values: OrderedDict[Key, Future[Value]] = OrderedDict()

    def get(
        self, key: Key, make: Callable[[], Value], look: Callable[[], None] = lambda: None
    ) -> Value:
        """Return the value of a key.

        Parameters
        ----------
        key
            What is asked for.
        make
            Makes the value where it is not kept; not twice at a time for one key.
        look
            Called now and then while another thread makes it; raises to stop waiting.
        """
        with self._lock:
            mine = key not in self._values
            value = self._values.setdefault(key, Future())
            self._values.move_to_end(key)
            if len(self._values) > self._most:
                self._values.popitem(last=False)
        if mine:
            self._make(key, value, make)
        while not value.done():
            wait([value], _LOOK_S)
            look()
        # The thread that was to make it has failed or was stopped.
        return self.get(key, make, look) if value.cancelled() else value.result()

    def _make(self, key: Key, value: Future[Value], make: Callable[[], Value]) -> None:
        try:
            value.set_result(make())
        except BaseException:
            with self._lock:
                if self._values.get(key) is value:
                    del self._values[key]
            value.cancel()
            raise
