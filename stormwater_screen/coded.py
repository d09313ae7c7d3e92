"""Long tables whose texts are numbers: millions of rows in little memory, read some at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from .columns import Column
from .facts import Texts
from .spool import Spool

Codes = npt.NDArray[np.int32]

MISSING: Final = -1
"""Code of no text."""


class Vocabulary:
    """Texts as numbers."""

    def __init__(self) -> None:
        self._code: dict[str, int] = {}

    def codes(self, texts: Sequence[str], places: npt.NDArray[np.integer[Any]]) -> Codes:
        """Return the numbers of texts, given by their places in a list."""
        table = [self._code.setdefault(text, len(self._code)) for text in texts]
        return np.asarray(np.array([*table, MISSING], np.int32)[places], np.int32)

    def constant(self, text: str | None, count: int) -> Codes:
        """Return the number of one text, many times; None is `MISSING`."""
        code = MISSING if text is None else self._code.setdefault(text, len(self._code))
        return np.full(count, code, np.int32)

    def of_column(self, values: pd.Series) -> Codes:
        """Return the numbers of the texts of a column; nothing is `MISSING`."""
        places, found = pd.factorize(values.to_numpy(dtype=object))
        return self.codes([str(text) for text in found], places)

    def texts(self) -> Texts:
        """Return all texts by their numbers; None stands at `MISSING`."""
        return np.array([*self._code, None], dtype=object)


@dataclass(frozen=True)
class Coded:
    """A table.

    Attributes
    ----------
    columns
        Columns in their order.
    values
        By column: numbers, or the numbers of texts.
    texts
        By column of texts: the texts by their numbers, None at `MISSING`.
    order
        Places of the rows in ``values``, in the order of the table.
    """

    columns: tuple[Column, ...]
    values: Mapping[str, npt.NDArray[Any]]
    texts: Mapping[str, Texts]
    order: npt.NDArray[np.integer[Any]]

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.order)

    def part(self, start: int, end: int) -> dict[str, npt.NDArray[Any]]:
        """Return the columns of some rows: texts, numbers (NaN is missing), integers."""
        rows = self.order[start:end]
        return {column.name: self._part(column.name, rows) for column in self.columns}

    def frame(self) -> pd.DataFrame:
        """Return the whole table."""
        return pd.DataFrame(self.part(0, len(self)), copy=False)

    def _part(self, name: str, rows: npt.NDArray[np.integer[Any]]) -> npt.NDArray[Any]:
        values = self.values[name][rows]
        return np.asarray(self.texts[name][values]) if name in self.texts else values


class CodedPieces:
    """A table in pieces, one below the other, few of them in memory at a time."""

    def __init__(self) -> None:
        self._spool: Spool[Coded] = Spool()
        self._count = 0

    def __len__(self) -> int:
        """Return the number of rows."""
        return self._count

    def add(self, piece: Coded) -> None:
        """Add rows below the others.

        Raises
        ------
        ScreeningError
            Temporary files cannot be written.
        """
        self._spool.add(piece)
        self._count += len(piece)

    def pieces(self) -> Iterator[Coded]:
        """Yield the pieces in their order; at least one."""
        yield from map(self._spool.get, range(len(self._spool)))

    def frame(self) -> pd.DataFrame:
        """Return the whole table; of a whole county it takes much memory."""
        return pd.concat([piece.frame() for piece in self.pieces()], ignore_index=True)


def text_sizes(texts: Texts) -> npt.NDArray[np.int64]:
    """Return the number of characters of texts; 0 for None."""
    there = ["" if text is None else text for text in texts.tolist()]
    return np.fromiter(map(len, there), np.int64, len(there))


def small_codes(codes: npt.NDArray[np.integer[Any]], texts: int) -> npt.NDArray[np.integer[Any]]:
    """Return codes of so many texts in as few bytes as hold them."""
    return codes.astype(np.int16 if texts <= np.iinfo(np.int16).max else np.int32, copy=False)


def cut_texts(
    texts: Texts,
    length: int,
    sizes: npt.NDArray[np.int64] | None = None,
    codes: npt.NDArray[np.integer[Any]] | None = None,
) -> Texts:
    """Return texts not longer than ``length``; a cut one ends with an ellipsis.

    Parameters
    ----------
    texts
        Texts; None stays.
    length
        Greatest length in characters.
    sizes
        Result of `text_sizes`, where it is known.
    codes
        Places of the texts that matter: others may stay longer. None: all matter.

    Returns
    -------
    Texts
        The same array where nothing had to be cut.
    """
    sizes = text_sizes(texts) if sizes is None else sizes
    long = sizes > length
    if codes is not None:
        asked = np.zeros(len(texts), bool)
        asked[codes] = True
        long &= asked
    places = np.flatnonzero(long)
    if not len(places):
        return texts
    result = texts.copy()
    result[places] = [text[: length - 1] + "…" for text in texts[places]]
    return result
