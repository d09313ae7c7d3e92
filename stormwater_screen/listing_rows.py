"""Rows of 303(d) and TMDL layers: which count as listed, for which pollutants, by which source."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import geopandas as gpd
import numpy as np
import pandas as pd

from .errors import InputError
from .facts import Texts, texts
from .features import has_geometry
from .outcomes import NO, UNKNOWN, YES, Outcomes
from .tables import PollutantTable, is_missing, normalised

STORMWATER_WORDS: Final = (
    "stormwater", "storm water", "storm sewer", "storm sewers", "storm runoff", "ms4", "ms4s",
    "urban runoff", "construction runoff", "construction site runoff", "construction site",
    "construction sites", "construction",
)  # fmt: skip
"""Words in a TMDL's sources that name stormwater."""

_NOT_STORMWATER: Final = re.compile(
    r"\b(no|not|non|without|excluding|except)( \w+)? (storm\w*|ms4s?)\b"
    r"|\bstorm ?water( is| was)? (no|none|false|not( named| a source| included| identified)?)$"
)
_YES_WORDS: Final = frozenset({"y", "yes", "true", "t"})
_NO_WORDS: Final = frozenset({"n", "no", "false", "f"})
_NOTHING: Final = frozenset(
    {"", "unknown", "not recorded", "not known", "unspecified", "not specified", "n a", "na",
     "null", "nan", "none", "tbd", "9999"}
)  # fmt: skip
_CATEGORY: Final = re.compile(r"[1-5][a-z]?")


@dataclass(frozen=True)
class ListingFields:
    """Fields of the layers of a kind of listing; None where none was given.

    Attributes
    ----------
    name
        Name of the listed water or of the TMDL.
    pollutant
        Pollutants, several separated by ``;``, ``,``, ``/`` or ``|``.
    status
        Whether a row is listed; None: every row is.
    status_values
        The values of the status field that count as listed.
    source
        Sources of the impairment, as text (TMDL only).
    """

    name: str | None = None
    pollutant: str | None = None
    status: str | None = None
    status_values: tuple[str, ...] = ()
    source: str | None = None


def listing_rows(
    frames: Sequence[tuple[str, gpd.GeoDataFrame]],
    *,
    role: str,
    fields: ListingFields,
    pollutants: PollutantTable,
) -> pd.DataFrame:
    """Return one row for each feature that is listed, or may be.

    Parameters
    ----------
    frames
        Name and features of each layer, in one plane.
    role
        Parameter that the layers came by: ``IMPAIRED`` or ``TMDL``.
    fields
        Their fields. A layer that lacks a field which another one has counts as NULL there.
    pollutants
        Table that sorts the pollutants.

    Returns
    -------
    pandas.DataFrame
        layer, name, pollutant (text as written), matches (tuple of Pollutant), source
        (``stormwater``, ``other`` or ``not_recorded``), listed (outcome code: YES, or UNKNOWN where
        the status is NULL), geometry. Features without geometry are left out.

    Raises
    ------
    InputError
        A field is in none of the layers, or a status field comes without values or they without it.
    """
    if (fields.status is None) != (not fields.status_values):
        needed = f"both {role}_STATUS_FIELD and {role}_STATUS_VALUES, or none of them"
        found = "values without a field" if fields.status is None else "a field without values"
        raise InputError(f"{role}_STATUS_FIELD", found, needed)
    for field in (fields.name, fields.pollutant, fields.status, fields.source):
        if field is not None and frames and all(_own(frame, field) is None for _, frame in frames):
            raise InputError(
                f"{role} ({', '.join(name for name, _ in frames)})",
                f"no field {field!r}",
                "one of " + ", ".join(str(name) for name in _attributes(frames[0][1])),
            )
    tables = [_layer_rows(name, frame, fields, pollutants) for name, frame in frames]
    columns = ["layer", "name", "pollutant", "matches", "source", "listed", "geometry"]
    return pd.concat([pd.DataFrame(columns=columns), *tables], ignore_index=True)


def _attributes(frame: gpd.GeoDataFrame) -> list[Hashable]:
    return [column for column in frame.columns if column != frame.geometry.name]


def _own(frame: gpd.GeoDataFrame, field: str) -> Hashable | None:
    """Return the frame's own spelling of a field, or None."""
    names = _attributes(frame)
    if field in names:
        return field
    return next((name for name in names if str(name).casefold() == field.casefold()), None)


def _values(frame: gpd.GeoDataFrame, field: str | None) -> Texts:
    own = None if field is None else _own(frame, field)
    if own is None:
        return np.full(len(frame), None, dtype=object)
    return np.asarray(frame[own].astype(object).array, dtype=object)


def _layer_rows(
    layer: str, frame: gpd.GeoDataFrame, fields: ListingFields, pollutants: PollutantTable
) -> pd.DataFrame:
    status = is_listed(_values(frame, fields.status), fields.status_values)
    if fields.status is None:
        status[:] = YES
    words = _values(frame, fields.pollutant)
    known = {text: pollutants.match(text) for text in set(_plain(words))}
    plain = _plain(words)
    table = pd.DataFrame(
        {
            "layer": texts(len(frame), layer),
            "name": [text or "(no name)" for text in _plain(_values(frame, fields.name))],
            "pollutant": plain,
            "matches": pd.Series([known[text] for text in plain], dtype=object),
            "source": named_source(_values(frame, fields.source)),
            "listed": status,
            "geometry": np.asarray(frame.geometry.array, dtype=object),
        }
    )
    there = has_geometry(np.asarray(frame.geometry.array, dtype=object))
    return table[there & (status != NO)]


def _plain(values: Iterable[object]) -> list[str]:
    """Return texts with single blanks only; NULL is empty."""
    return ["" if is_missing(value) else " ".join(str(value).split()) for value in values]


def named_source(values: Iterable[object]) -> Texts:
    """Return for each text of sources ``stormwater``, ``other`` or ``not_recorded``.

    Stormwater counts as named where one of ``STORMWATER_WORDS`` stands in the text and is not
    denied ("no stormwater"), or where the text is only a yes; NULL, empty text and words such as
    "unknown" are not recorded.
    """
    return np.array([_named_source(value) for value in values], dtype=object)


def _named_source(value: object) -> str:
    text = "" if is_missing(value) else normalised(value)
    if text in _NOTHING:
        return "not_recorded"
    if text in _YES_WORDS:
        return "stormwater"
    if text in _NO_WORDS or _NOT_STORMWATER.search(text):
        return "other"
    named = any(f" {words} " in f" {text} " for words in STORMWATER_WORDS)
    return "stormwater" if named else "other"


def is_listed(values: Iterable[object], wanted: Sequence[str]) -> Outcomes:
    """Return whether a status counts as listed: YES, NO, or UNKNOWN for NULL and empty text.

    Parameters
    ----------
    values
        Values of the status field.
    wanted
        The values that count as listed. Case does not matter. A category of an integrated report
        (``5``, ``4A``) also takes its variants (``5-alt``, ``5R``, ``4A2``), never another number
        (``5`` does not take ``50``); a yes (``Y``) takes every spelling of it. All else must be
        equal.
    """
    accepted = _accepted(wanted)
    return np.array([_is_listed(value, accepted) for value in values], dtype=np.int8)


def _accepted(wanted: Sequence[str]) -> list[str]:
    parts = (part.strip().casefold() for text in wanted for part in re.split("[;,|]", text))
    return [text for text in parts if text]


def _status_text(value: object) -> str:
    text = "" if is_missing(value) else " ".join(str(value).split()).casefold()
    return re.sub(r"^(\d+)\.0+$", r"\1", text)


def speaks_otherwise(values: Iterable[object], wanted: Sequence[str]) -> bool:
    """Return whether no status is one of the wanted values, nor of the same kind as they are.

    A field of N alone may well be asked for Y, and categories 1 to 4 for 5; a field of Y and N
    asked for "Listed" was misread, and all its waters would count as not listed.
    """
    found = {text for text in (_status_text(value) for value in values) if text}
    accepted = _accepted(wanted)
    if not found or not accepted or any(_same_status(a, b) for a in found for b in accepted):
        return False
    return not any(
        all(kind(text) for text in found) and any(kind(text) for text in accepted)
        for kind in (_is_yes_no, _is_category)
    )


def _is_yes_no(text: str) -> bool:
    return text in _YES_WORDS or text in _NO_WORDS or text in ("0", "1")


def _is_category(text: str) -> bool:
    return bool(re.match(r"[1-5](?!\d)", text))


def _is_listed(value: object, accepted: Sequence[str]) -> np.int8:
    text = _status_text(value)
    if not text:
        return UNKNOWN
    return YES if any(_same_status(text, item) for item in accepted) else NO


def _same_status(text: str, item: str) -> bool:
    if text == item or {text, item} <= _YES_WORDS:
        return True
    rest = text[len(item) :]
    return bool(_CATEGORY.fullmatch(item)) and text.startswith(item) and not rest[0].isdigit()
