"""Fields that people fill in: numbers, yes or no, words, as they are really typed.

What cannot be understood is not known, with the reason, and is counted; it is never taken for zero
or for no.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from .errors import InputError
from .fact_names import PROJECT_TYPES
from .facts import Floats, Texts, texts
from .notes import counted

MISSING_WORDS: Final = frozenset(
    ("", "n/a", "na", "#n/a", "nan", "none", "null", "<null>", "nil", "-", "--", "?", "unknown")
) | {"tbd", "nd", "not known", "not available", "not given", "<na>"}
"""Texts, in lower case, that say that nothing is known."""

YES_WORDS: Final = frozenset(("y", "yes", "true", "t", "1", "1.0", "x"))
NO_WORDS: Final = frozenset(("n", "no", "false", "f", "0", "0.0"))

NO_DATA_NUMBERS: Final = (-9999.0, -999.0, -99999.0, -32768.0, -2147483648.0)
"""Numbers that stand for no data in widespread formats."""

ACRES_SQFT: Final = 100.0
"""A field of square feet in which no number is larger than this may hold acres."""

_LARGEST: Final = 1e15
_NUMBER: Final = r"[+-]?(?:\d{1,3}(?:[, '\u00a0\u202f]\d{3})+|\d+)?(?:\.\d*)?(?:[eE][+-]?\d+)?"
_SQUARE_FEET: Final = r"(?i)\s*(?:sq\.?\s*(?:ft|feet)\.?|square feet|sqft|s\.?f\.?|ft2|ft²)$"


@dataclass(frozen=True)
class Numbers:
    """Numbers that people typed, one a feature.

    Attributes
    ----------
    field
        Name of the field.
    value
        NaN where not known.
    reason
        Why the number is not known; else empty.
    notes
        One sentence for each kind of entry that could not be used, with the count.
    """

    field: str
    value: Floats
    reason: Texts
    notes: tuple[str, ...]

    def take(self, rows: npt.NDArray[np.intp]) -> Numbers:
        """Return the numbers of some rows, without the notes."""
        return Numbers(self.field, self.value[rows], self.reason[rows], ())


@dataclass(frozen=True)
class Words:
    """Words that people typed, one a feature; None where not known. Else as `Numbers`."""

    field: str
    value: Texts
    reason: Texts
    notes: tuple[str, ...]


def require_field(frame: pd.DataFrame, field: str, *, layer: str) -> None:
    """Raise where a layer has no such field.

    Raises
    ------
    InputError
        Naming the layer, the field and the fields that exist.
    """
    geometry = getattr(frame, "_geometry_column_name", None)
    names = [str(name) for name in frame.columns if name != geometry]
    if field not in names:
        listed = ", ".join(names) if names else "none"
        raise InputError(layer, f"no field {field}", f"one of its fields: {listed}")


def text_field(frame: pd.DataFrame, field: str, *, layer: str) -> Texts:
    """Return a field as trimmed texts; None where it is NULL or empty.

    Whole numbers have no decimals, so that an id is the same text in a column with NULLs.

    Raises
    ------
    InputError
        The layer has no such field.
    """
    require_field(frame, field, layer=layer)
    column = frame[field]
    if pd.api.types.is_float_dtype(column.dtype):
        column = column.astype(object)
    found = [_text(value) for value in column]
    result = texts(len(found))
    result[:] = found
    return result


def _text(value: object) -> str | None:
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    if isinstance(value, float):
        if np.isnan(value):
            return None
        return str(int(value)) if value.is_integer() and abs(value) < _LARGEST else str(value)
    return str(value).strip() or None


def number_field(
    frame: pd.DataFrame, field: str, *, layer: str, unit: str = "sq ft", whole: bool = False
) -> Numbers:
    """Return a field of numbers that are 0 or more, however they are typed.

    Thousands separators are understood, and ``sq ft`` behind a number of square feet.

    Parameters
    ----------
    frame
        Attributes of the layer.
    field
        Name of the field.
    layer
        Name of the layer as the user knows it.
    unit
        ``sq ft`` or a name of what is counted.
    whole
        Only whole numbers make sense.

    Raises
    ------
    InputError
        The layer has no such field.
    """
    entries = text_field(frame, field, layer=layer)
    value = _parsed(entries, unit)
    lower = np.array([(entry or "").casefold() for entry in entries], dtype=object)
    empty = np.isin(lower, [""])
    missing = np.isin(lower, list(MISSING_WORDS)) & ~empty
    no_data = np.isin(value, NO_DATA_NUMBERS) | (np.abs(value) > _LARGEST)
    unreadable = np.isnan(value) & ~empty & ~missing
    negative = (value < 0) & ~no_data
    broken = (value != np.round(value)) & np.isfinite(value) & whole
    value = np.where(no_data | negative | broken, np.nan, value)
    faults = [
        (empty, "is empty"),
        (missing, "says that nothing is known"),
        (no_data, "holds a number that stands for no data"),
        (negative, "holds a negative number"),
        (broken, "holds a number that is not whole"),
        (unreadable, f"holds something else than a number ({unit})"),
    ]
    reason, notes = _faults(faults, entries, field, layer)
    largest = np.nanmax(value, initial=0.0)
    if unit == "sq ft" and 0 < largest <= ACRES_SQFT:
        doubt = f"the largest number is {largest:g}; square feet are needed, are these acres?"
        notes = (*notes, f"{layer}: field {field}: {doubt}")
    elif unit == "sq ft" and (middle := _middle(value)) <= ACRES_SQFT:
        doubt = f"half of the numbers are {middle:g} or less"
        asked = "square feet are needed, are these acres?"
        notes = (*notes, f"{layer}: field {field}: {doubt}; {asked}")
    return Numbers(field, value, reason, notes)


def _middle(value: Floats) -> float:
    """Return the median of the numbers above zero; infinite where there is none."""
    above = value[value > 0]
    return float(np.median(above)) if len(above) else np.inf


def _parsed(entries: Texts, unit: str) -> Floats:
    text = pd.Series(entries, dtype=object).fillna("").astype(str)
    if unit == "sq ft":
        text = text.str.replace(_SQUARE_FEET, "", regex=True)
    text = text.str.strip()
    readable = text.str.fullmatch(_NUMBER)
    plain = text.str.replace(r"[, '\u00a0\u202f]", "", regex=True).where(readable, "")
    return np.array([_float(number) for number in plain], dtype=np.float64)


def _float(text: str) -> float:
    # pandas.to_numeric is off in the last digit now and then; a typed number is compared exactly.
    try:
        return float(text)
    except ValueError:
        return np.nan


def yes_no_field(frame: pd.DataFrame, field: str, *, layer: str) -> Words:
    """Return a field as ``yes`` and ``no``; Y, N, true, false, 1, 0 and the like are understood.

    Raises
    ------
    InputError
        The layer has no such field.
    """
    entries = text_field(frame, field, layer=layer)
    lower = np.array([(entry or "").casefold() for entry in entries], dtype=object)
    value = np.full(len(entries), None, dtype=object)
    value[np.isin(lower, list(YES_WORDS))] = "yes"
    value[np.isin(lower, list(NO_WORDS))] = "no"
    return _words(value, entries, lower, field, layer, "neither yes nor no")


def project_type_word(text: str | None) -> str | None:
    """Return the project type that a text names, in any case, with blanks or hyphens; else None."""
    if text is None:
        return None
    word = "_".join(text.casefold().replace("-", " ").replace("_", " ").split())
    return word if word in PROJECT_TYPES else None


def project_type_field(frame: pd.DataFrame, field: str, *, layer: str) -> Words:
    """Return a field as words of `PROJECT_TYPES`.

    Raises
    ------
    InputError
        The layer has no such field.
    """
    entries = text_field(frame, field, layer=layer)
    lower = np.array([(entry or "").casefold() for entry in entries], dtype=object)
    value = np.full(len(entries), None, dtype=object)
    value[:] = [project_type_word(entry) for entry in entries]
    return _words(value, entries, lower, field, layer, "a word that is no project type")


def _words(
    value: Texts, entries: Texts, lower: Texts, field: str, layer: str, strange: str
) -> Words:
    unknown = np.array([word is None for word in value], dtype=bool)
    missing = np.isin(lower, list(MISSING_WORDS)) & unknown
    faults = [
        (missing, "is empty or says that nothing is known"),
        (unknown & ~missing, f"holds {strange}"),
    ]
    reason, notes = _faults(faults, entries, field, layer)
    return Words(field, value, reason, notes)


def _faults(
    faults: list[tuple[npt.NDArray[np.bool_], str]], entries: Texts, field: str, layer: str
) -> tuple[Texts, tuple[str, ...]]:
    """Return why each entry is not used, and a sentence with a count for each kind of fault."""
    reason = texts(len(entries))
    notes: list[str] = []
    for rows, what in faults:
        if not rows.any():
            continue
        reason[rows] = [f"field {field} {what}" + _shown(entry) for entry in entries[rows]]
        example = _shown(entries[rows][0]).replace(": ", ", such as ")
        text = f"{layer}: field {field} {what} on {{}}"
        notes.append(counted(text, int(rows.sum()), "feature", tail=example))
    return reason, tuple(notes)


def _shown(entry: object) -> str:
    return "" if entry is None else f": {str(entry)[:40]!r}"
