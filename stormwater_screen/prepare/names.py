"""Fields by the names that agencies give them, in any case, cut to ten characters or not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import pandas as pd

from ..facts import Floats, Texts, texts
from ..fields import MISSING_WORDS, NO_DATA_NUMBERS, text_field

SHAPEFILE_NAME: Final = 10
_NO_DATA: Final = frozenset(f"{number:g}" for number in NO_DATA_NUMBERS) | {"<na>"}


def find_field(names: Iterable[str], aliases: Sequence[str], *, joined: bool = False) -> str | None:
    """Return the field that has one of the names, or None.

    A whole name wins over one that a shapefile cut to ten characters; of names of the same kind
    the first of the aliases wins.

    Parameters
    ----------
    names
        Fields of a layer.
    aliases
        Names in order of preference, in lower case.
    joined
        Also take names with the prefix of a joined table (``muaggatt_hydgrpdcd``,
        ``muaggatt.hydgrpdcd``).
    """
    own: dict[str, str] = {}
    for name in map(str, names):
        own.setdefault(name.casefold(), name)
    for alias in aliases:
        if alias in own:
            return own[alias]
    for alias in aliases:
        if len(alias) > SHAPEFILE_NAME and alias[:SHAPEFILE_NAME] in own:
            return own[alias[:SHAPEFILE_NAME]]
    for alias in aliases if joined else ():
        for name, original in own.items():
            if name.endswith((f".{alias}", f"_{alias}")):
                return original
    return None


def texts_of(frame: pd.DataFrame, aliases: Sequence[str], *, layer: str) -> Texts:
    """Return a field as texts; empty where it is NULL, says nothing or does not exist."""
    name = find_field(frame.columns, aliases)
    if name is None:
        return texts(len(frame))
    found = text_field(frame, name, layer=layer)
    return np.array([plain(value) for value in found], dtype=object).reshape(len(frame))


def plain(value: object) -> str:
    """Return a text with single blanks; empty where it says that nothing is known."""
    text = "" if value is None else " ".join(str(value).split())
    folded = text.casefold()
    return "" if folded in MISSING_WORDS or folded in _NO_DATA else text


def numbers_of(values: Texts) -> Floats:
    """Return numbers from texts; NaN where there is none."""
    cleaned = pd.Series(values, dtype=object).str.replace(",", "", regex=False)
    numbers = pd.to_numeric(cleaned, errors="coerce").to_numpy(np.float64)
    result: Floats = np.where(np.isin(numbers, NO_DATA_NUMBERS), np.nan, numbers)
    return result


def counted(count: int, one: str, many: str | None = None) -> str:
    """Return a count with its noun."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
