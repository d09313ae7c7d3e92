"""Pieces of a large result, kept in a temporary file beyond some megabytes."""

from __future__ import annotations

import pickle
import tempfile
import threading
import weakref
from typing import Generic, TypeVar

from .errors import ScreeningError

Piece = TypeVar("Piece")

IN_MEMORY_BYTES = 4 * 1024 * 1024
"""Size from which pieces go to a file. It has no name, and is gone with the object."""


class Spool(Generic[Piece]):
    """Pieces by number, in the order in which they were added; threads may add and read."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY_BYTES)  # noqa: SIM115
        weakref.finalize(self, self._file.close)
        self._ends = [0]
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """Return the number of pieces."""
        return len(self._ends) - 1

    def add(self, piece: Piece) -> int:
        """Keep a piece and return its number.

        Raises
        ------
        ScreeningError
            The folder for temporary files is full or cannot be written.
        """
        data = pickle.dumps(piece, protocol=pickle.HIGHEST_PROTOCOL)
        with self._lock:
            try:
                self._file.seek(self._ends[-1])
                self._file.write(data)
            except OSError as error:
                raise ScreeningError(
                    f"Temporary files: {error.strerror or error} ({tempfile.gettempdir()})."
                    " Needed: free space there, or TMPDIR set to another folder."
                ) from error
            self._ends.append(self._ends[-1] + len(data))
            return len(self._ends) - 2

    def get(self, number: int) -> Piece:
        """Return a piece."""
        with self._lock:
            start, end = self._ends[number : number + 2]
            self._file.seek(start)
            data = self._file.read(end - start)
        # The file was written by this object and has no name by which another could reach it.
        piece: Piece = pickle.loads(data)  # nosec B301
        return piece
