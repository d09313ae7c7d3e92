"""Tables that people may edit: pollutants, NHD codes, soil indicators, fields, sensitive areas.

They lie in ``resources/tables`` as CSV. They are read strictly: a table with an unknown word, a
missing column or a key given twice is refused with file, line and key.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd

from .errors import InputError

TABLES: Final = Path(__file__).resolve().parent.parent / "resources" / "tables"
"""Folder of the shipped tables."""

POLLUTANT_CLASSES: Final = ("yes", "review", "not_stormwater", "not_recorded")
NHD_CLASSES: Final = (
    "water", "wetland", "review", "conveyance", "not_water", "artificial_path", "supply"
)  # fmt: skip
NWI_CLASSES: Final = ("water", "wetland", "review")
PERMANENCES: Final = ("", "perennial", "intermittent", "ephemeral")
COMPARISONS: Final = ("<", "<=", ">", ">=", "in")
SOIL_QUANTITIES: Final = (
    "group", "ksat", "water_table", "bedrock", "slope", "kwfact", "runoff", "drainage"
)  # fmt: skip
SOIL_INDICATORS: Final = (
    "perc_slower", "perc_not_slower", "perc_context", "overland", "through_soil"
)  # fmt: skip
SENSITIVE_KINDS: Final = ("critical_area", "habitat", "scenic_historic")

NOT_IN_TABLE: Final = "not in the table"


def normalised(text: object) -> str:
    """Return lower-case words without punctuation and without the word "and"."""
    words = re.sub(r"[^0-9a-z]+", " ", str(text).casefold()).split()
    return " ".join(word for word in words if word != "and")


def is_missing(value: object) -> bool:
    """Return whether a field's value is None, NaN or NaT."""
    return value is None or (np.isscalar(value) and bool(pd.isna(value))) or value is pd.NA


def read_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield line number and values of each row of a CSV table.

    Parameters
    ----------
    path
        CSV file in UTF-8 with a header line.
    columns
        The columns that the file must have, no others.

    Raises
    ------
    InputError
        The file cannot be read, or its columns are not those wanted.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"table {path.name}", str(error), "a CSV file in UTF-8") from error
    reader = csv.DictReader(lines)
    if list(reader.fieldnames or []) != list(columns):
        raise InputError(
            f"table {path.name}, line 1",
            f"the columns {', '.join(reader.fieldnames or []) or 'none'}",
            f"the columns {', '.join(columns)}",
        )
    for row in reader:
        if None in row or None in row.values():
            raise InputError(
                f"table {path.name}, line {reader.line_num}, key {row[columns[0]]!r}",
                "too few or too many values",
                f"{len(columns)} values, in quotes where they hold a comma",
            )
        yield reader.line_num, {key: value.strip() for key, value in row.items()}


def _refuse(path: Path, line: int, key: object, found: str, needed: str) -> InputError:
    return InputError(f"table {path.name}, line {line}, key {key!r}", found, needed)


def _one_of(path: Path, line: int, key: object, word: str, allowed: Iterable[str]) -> str:
    if word not in allowed:
        needed = "one of " + ", ".join(item or "(empty)" for item in allowed)
        raise _refuse(path, line, key, f"the word {word!r}", needed)
    return word


@dataclass(frozen=True)
class Pollutant:
    """A pollutant as a list names it.

    Attributes
    ----------
    text
        As written in the list.
    pollutant_class
        ``yes`` (construction stormwater carries it), ``review``, ``not_stormwater`` or
        ``not_recorded``.
    note
        Why.
    """

    text: str
    pollutant_class: str
    note: str


class PollutantTable:
    """Pollutant words and what they are to construction stormwater.

    Parameters
    ----------
    path
        CSV with the columns pollutant, class, note; default: the shipped table.
    """

    def __init__(self, path: Path | None = None) -> None:
        path = path or TABLES / "pollutants.csv"
        self._rows: dict[str, tuple[str, str]] = {}
        for line, row in read_rows(path, ("pollutant", "class", "note")):
            key = normalised(row["pollutant"])
            name = row["pollutant"]
            if not key:
                raise _refuse(path, line, name, "no words", "a pollutant")
            if key in self._rows:
                raise _refuse(path, line, name, "a pollutant given twice", "one line for each")
            kind = _one_of(path, line, name, row["class"], POLLUTANT_CLASSES)
            self._rows[key] = (kind, row["note"])

    def __contains__(self, text: object) -> bool:
        """Return whether the table has the text, whatever its case and punctuation."""
        return normalised(text) in self._rows

    def _find(self, text: str) -> Pollutant | None:
        for form in (text, re.sub(r"\([^)]*\)", " ", text)):
            row = self._rows.get(normalised(form))
            if row is not None:
                return Pollutant(text.strip(), *row)
        return None

    def match(self, text: object) -> tuple[Pollutant, ...]:
        """Return the pollutants that a list's text names, each with its class.

        Parameters
        ----------
        text
            One or several pollutants, separated by ``;``, ``|``, ``,``, ``/``, ``&`` or "and".
            Separators that belong to a name of the table (``silt/sediment``, ``oil and grease``)
            do not split it.

        Returns
        -------
        tuple of Pollutant
            At least one. A text that is NULL or empty is ``not_recorded``; words that the table
            does not have are ``review``.
        """
        parts = [] if is_missing(text) else re.split(r"[;|\r\n]+", str(text))
        found = [item for part in parts if normalised(part) for item in self._match_part(part)]
        return tuple(dict.fromkeys(found)) or (Pollutant("", "not_recorded", "no text"),)

    def _match_part(self, part: str) -> list[Pollutant]:
        whole = self._find(part)
        if whole is not None:
            return [whole]
        tokens = re.split(r"(\s*[,/&]\s*(?:and\s+)?|\s+and\s+)", part)
        found: list[Pollutant] = []
        start = 0
        while start < len(tokens):
            # The longest run of tokens that the table knows, so that "phosphorus, total" stays one.
            for stop in range(len(tokens), start, -2):
                hit = self._find("".join(tokens[start:stop]))
                if hit is not None:
                    break
            else:
                stop = start + 1
                hit = Pollutant(tokens[start].strip(), "review", NOT_IN_TABLE)
            if normalised(hit.text):
                found.append(hit)
            start = stop + 1
        return found


@dataclass(frozen=True)
class NhdCode:
    """What a code of the National Hydrography Dataset is to the screening."""

    ftype: int
    ftype_name: str
    name: str
    permanence: str
    nhd_class: str
    note: str


class NhdTable:
    """FType and FCode of the National Hydrography Dataset.

    Parameters
    ----------
    path
        CSV with the columns ftype, fcode, ftype_name, name, permanence, class, note; a row without
        fcode holds for the whole type. Default: the shipped table.
    """

    def __init__(self, path: Path | None = None) -> None:
        path = path or TABLES / "nhd_codes.csv"
        columns = ("ftype", "fcode", "ftype_name", "name", "permanence", "class", "note")
        self._codes: dict[int, NhdCode] = {}
        self._types: dict[int, NhdCode] = {}
        self._names: dict[str, int] = {}
        for line, row in read_rows(path, columns):
            key = row["fcode"] or row["ftype"]
            if not row["ftype"].isdigit() or not (row["fcode"] or "0").isdigit():
                raise _refuse(path, line, key, "a code that is no number", "digits")
            code = NhdCode(
                int(row["ftype"]),
                row["ftype_name"],
                row["name"],
                _one_of(path, line, key, row["permanence"], PERMANENCES),
                _one_of(path, line, key, row["class"], NHD_CLASSES),
                row["note"],
            )
            place = self._codes if row["fcode"] else self._types
            if int(key) in place:
                raise _refuse(path, line, key, "a code given twice", "one line for each")
            if row["fcode"] and int(key) // 100 != code.ftype:
                raise _refuse(path, line, key, f"type {code.ftype}", f"type {int(key) // 100}")
            place[int(key)] = code
            self._names[normalised(code.ftype_name).replace(" ", "")] = code.ftype

    def find(self, ftype: object, fcode: object) -> NhdCode | None:
        """Return the code of a feature, by FCode, else by FType (number or name), else None."""
        code = _whole_number(fcode)
        if code is not None and code in self._codes:
            return self._codes[code]
        kind = _whole_number(ftype)
        if kind is None and not is_missing(ftype):
            kind = self._names.get(normalised(ftype).replace(" ", ""))
        if kind is None and code is not None:
            kind = code // 100
        return None if kind is None else self._types.get(kind)


class NwiTable:
    """Types and Cowardin codes of the National Wetlands Inventory.

    Parameters
    ----------
    path
        CSV with the columns match, class, note; ``*`` ends the first letters of a code. Default:
        the shipped table.
    """

    def __init__(self, path: Path | None = None) -> None:
        path = path or TABLES / "nwi_types.csv"
        self._types: dict[str, str] = {}
        self._codes: dict[str, str] = {}
        for line, row in read_rows(path, ("match", "class", "note")):
            match = row["match"]
            kind = _one_of(path, line, match, row["class"], NWI_CLASSES)
            place, key = self._types, normalised(match)
            if match.endswith("*"):
                place, key = self._codes, match[:-1].upper()
            if not key or key in place:
                raise _refuse(path, line, match, "no words, or given twice", "one line each")
            place[key] = kind

    def find(self, type_words: object, code: object) -> str | None:
        """Return the class of a polygon by its type, else by its code, else None."""
        if not is_missing(type_words) and normalised(type_words) in self._types:
            return self._types[normalised(type_words)]
        letters = "" if is_missing(code) else str(code).strip().upper()
        fits = [key for key in self._codes if letters.startswith(key)]
        return self._codes[max(fits, key=len)] if fits else None


def _whole_number(value: object) -> int | None:
    if is_missing(value):
        return None
    try:
        number = float(str(value))
    except ValueError:
        return None
    return int(number) if number.is_integer() else None


@dataclass(frozen=True)
class SoilIndicator:
    """A limit of a soil quantity that hints at something; never a finding of its own.

    Attributes
    ----------
    indicator
        What it hints at: one of ``SOIL_INDICATORS``.
    quantity
        One of ``SOIL_QUANTITIES``.
    comparison
        One of ``COMPARISONS``.
    limit
        Number, for ``in`` NaN.
    words
        For ``in``: the words that count, normalised with ``_`` between them; else empty.
    unit, says, source
        Unit of the limit, what it says, where it comes from.
    """

    indicator: str
    quantity: str
    comparison: str
    limit: float
    words: frozenset[str]
    unit: str
    says: str
    source: str


def load_soil_indicators(path: Path | None = None) -> tuple[SoilIndicator, ...]:
    """Return the soil indicators.

    Parameters
    ----------
    path
        CSV with the columns indicator, quantity, comparison, limit, unit, says, source; default:
        the shipped table.

    Raises
    ------
    InputError
        The table has an unknown word or a limit that is no number.
    """
    path = path or TABLES / "soil_indicators.csv"
    columns = ("indicator", "quantity", "comparison", "limit", "unit", "says", "source")
    found = []
    for line, row in read_rows(path, columns):
        key = row["indicator"]
        comparison = _one_of(path, line, key, row["comparison"], COMPARISONS)
        words = comparison == "in"
        try:
            limit = float("nan") if words else float(row["limit"])
        except ValueError as error:
            raise _refuse(path, line, key, f"the limit {row['limit']!r}", "a number") from error
        found.append(
            SoilIndicator(
                _one_of(path, line, key, key, SOIL_INDICATORS),
                _one_of(path, line, key, row["quantity"], SOIL_QUANTITIES),
                comparison,
                limit,
                frozenset(row["limit"].casefold().split()) if words else frozenset(),
                row["unit"],
                row["says"],
                row["source"],
            )
        )
    return tuple(found)


class KnownFields:
    """Well-known field names by role, in order of preference.

    Parameters
    ----------
    path
        CSV with the columns role, field, note; default: the shipped table.
    """

    def __init__(self, path: Path | None = None) -> None:
        path = path or TABLES / "known_fields.csv"
        self.by_role: dict[str, list[str]] = {}
        for line, row in read_rows(path, ("role", "field", "note")):
            names = self.by_role.setdefault(row["role"], [])
            field = row["field"].casefold()
            if not row["role"] or not field:
                raise _refuse(path, line, row["field"], "an empty role or field", "both")
            if field in names:
                raise _refuse(path, line, row["field"], "a field given twice", "one line for each")
            names.append(field)

    def guess(self, role: str, names: Iterable[str]) -> str | None:
        """Return the field of a layer that plays a role, or None.

        Parameters
        ----------
        role
            Parameter name, e.g. ``SOIL_GROUP_FIELD``.
        names
            The layer's field names, in any letter case.

        Raises
        ------
        KeyError
            The table has no such role.
        """
        own = {str(name).casefold(): str(name) for name in names}
        return next((own[name] for name in self.by_role[role] if name in own), None)


class SensitiveKinds:
    """Words that tell what kind of sensitive area a layer or a row holds.

    Parameters
    ----------
    path
        CSV with the columns words, kind, note; default: the shipped table.
    """

    def __init__(self, path: Path | None = None) -> None:
        path = path or TABLES / "sensitive_kinds.csv"
        rows: dict[str, str] = {}
        for line, row in read_rows(path, ("words", "kind", "note")):
            key = normalised(row["words"])
            if not key or key in rows:
                raise _refuse(path, line, row["words"], "no words, or given twice", "one line each")
            rows[key] = _one_of(path, line, key, row["kind"], SENSITIVE_KINDS)
        self._rows = sorted(rows.items(), key=lambda item: -len(item[0]))

    def find(self, text: object) -> str | None:
        """Return the kind that a text's words tell (the longest words win), or None."""
        if is_missing(text):
            return None
        padded = f" {normalised(text)} "
        return next((kind for words, kind in self._rows if f" {words} " in padded), None)


@lru_cache(maxsize=1)
def pollutant_table() -> PollutantTable:
    """Return the shipped table of pollutants."""
    return PollutantTable()


@lru_cache(maxsize=1)
def nhd_table() -> NhdTable:
    """Return the shipped table of NHD codes."""
    return NhdTable()


@lru_cache(maxsize=1)
def soil_indicators() -> tuple[SoilIndicator, ...]:
    """Return the shipped soil indicators."""
    return load_soil_indicators()


@lru_cache(maxsize=1)
def known_fields() -> KnownFields:
    """Return the shipped table of field names."""
    return KnownFields()


@lru_cache(maxsize=1)
def sensitive_kinds() -> SensitiveKinds:
    """Return the shipped table of sensitive areas."""
    return SensitiveKinds()


@lru_cache(maxsize=1)
def nwi_table() -> NwiTable:
    """Return the shipped table of the National Wetlands Inventory."""
    return NwiTable()
