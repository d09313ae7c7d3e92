"""Tables of a soil survey: headerless text files of SSURGO, or tables of a geodatabase."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

import pandas as pd

from ..errors import InputError
from .files import Bundle, Found, read_table
from .names import counted, find_field, plain

COLUMNS: Final[dict[str, tuple[str, ...]]] = {
    "mapunit": ("musym", "muname", "mukind", "mukey"),
    "muaggatt": (
        "muname", "slopegraddcp", "brockdepmin", "wtdepannmin", "drclassdcd", "hydgrpdcd",
        "engstafdcd", "mukey",
    ),
    "component": (
        "comppct_r", "compname", "majcompflag", "runoff", "drainagecl", "hydgrp", "mukey", "cokey",
    ),
    "chorizon": (
        "hzname", "hzdept_r", "hzdepb_r", "ksat_l", "ksat_r", "ksat_h", "kwfact", "cokey",
    ),
    "corestrictions": ("reskind", "resdept_r", "cokey"),
}  # fmt: skip
"""Tables of a survey that are read, and their columns."""

_FILES: Final = {
    "mapunit": "mapunit", "muaggatt": "muaggatt", "component": "comp", "chorizon": "chorizon",
    "corestrictions": "crstrcts",
}  # fmt: skip
_WIDTHS: Final = {
    "mapunit": 24, "muaggatt": 40, "component": 109, "chorizon": 171, "corestrictions": 13,
}  # fmt: skip
_PLACES: Final[dict[str, dict[str, int]]] = {
    "mapunit": {"musym": 1, "muname": 2, "mukind": 3, "mukey": 24},
    "muaggatt": {
        "muname": 2, "slopegraddcp": 4, "brockdepmin": 6, "wtdepannmin": 7, "drclassdcd": 16,
        "hydgrpdcd": 18, "engstafdcd": 27, "mukey": 40,
    },
    "component": {
        "comppct_r": 2, "compname": 4, "majcompflag": 6, "runoff": 15, "drainagecl": 24,
        "hydgrp": 80, "mukey": 108, "cokey": 109,
    },
    "chorizon": {
        "hzname": 1, "hzdept_r": 7, "hzdepb_r": 10, "ksat_l": 82, "ksat_r": 83, "ksat_h": 84,
        "kwfact": 112, "cokey": 170,
    },
    "corestrictions": {"reskind": 1, "resdept_r": 4, "cokey": 12},
}  # fmt: skip


@dataclass(frozen=True)
class SurveyTables:
    """Tables of one or several survey areas, texts as written, NULL as an empty text.

    Attributes
    ----------
    by_name
        Tables by the names of ``COLUMNS``; an absent one was not found.
    notes
        Rows that could not be used, tables found twice.
    """

    by_name: dict[str, pd.DataFrame]
    notes: tuple[str, ...]

    def table(self, name: str) -> pd.DataFrame:
        """Return a table, empty where there is none."""
        found = self.by_name.get(name)
        return pd.DataFrame(columns=list(COLUMNS[name])) if found is None else found


@dataclass(frozen=True)
class Layout:
    """Where the columns of a survey's text files stand.

    Attributes
    ----------
    files
        Name of each table's file, without ``.txt``.
    places
        By table, place of each column, from 1.
    widths
        By table, number of columns.
    """

    files: dict[str, str]
    places: dict[str, dict[str, int]]
    widths: dict[str, int]


def parse_text(content: bytes, width: int | None = None) -> list[list[str]]:
    r"""Return the rows of a pipe-separated text file.

    Parameters
    ----------
    content
        Bytes in UTF-8 or Latin-1; quoted texts may hold pipes, line ends and quotes, doubled or
        behind a backslash.
    width
        Number of columns, where known: of two readings of backslashes that one is taken which
        gives more rows of this width.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    rows = _rows(text, "\\")
    if width is not None and "\\" in text:
        plainly = _rows(text, None)
        fits = [sum(len(row) == width for row in some) for some in (rows, plainly)]
        return rows if fits[0] >= fits[1] else plainly
    return rows


def _rows(text: str, escape: str | None) -> list[list[str]]:
    stream = io.StringIO(text, newline="")
    reader = csv.reader(stream, delimiter="|", quotechar='"', escapechar=escape, strict=False)
    return [[value.strip() for value in row] for row in reader if row]


def text_tables(bundle: Bundle) -> SurveyTables:
    """Return the tables of the ``tabular`` folders of a download, all survey areas together.

    Names of files and columns are read from ``mstab.txt`` and ``mstabcol.txt`` where present.

    Raises
    ------
    InputError
        A table has no row of the right number of columns.
    """
    folders: dict[str, dict[str, PurePosixPath]] = {}
    for member in bundle.members:
        if member.suffix.casefold() == ".txt":
            folders.setdefault(str(member.parent), {})[member.stem.casefold()] = member
    parts: dict[str, list[pd.DataFrame]] = {}
    notes: list[str] = []
    for files in folders.values():
        if not {"mapunit", "comp", "muaggatt", "mstab"} & set(files):
            continue
        layout = _layout(bundle, files)
        for table in COLUMNS:
            file = files.get(layout.files.get(table, _FILES[table]))
            if file is not None:
                rows, note = _text_table(bundle, file, table, layout)
                parts.setdefault(table, []).append(rows)
                notes += note
    return SurveyTables(
        {
            name: pd.concat(some, ignore_index=True).drop_duplicates()
            for name, some in parts.items()
        },
        tuple(notes),
    )


def _layout(bundle: Bundle, files: dict[str, PurePosixPath]) -> Layout:
    """Return where columns stand, by the survey's own tables of tables where it has them."""
    named: dict[str, str] = dict(_FILES)
    if "mstab" in files:
        rows = parse_text(bundle.content(files["mstab"]), 5)
        named |= {row[0].casefold(): row[4].casefold() for row in rows if len(row) == 5 and row[4]}
    places, widths = dict(_PLACES), dict(_WIDTHS)
    if "mstabcol" in files:
        own: dict[str, dict[str, int]] = {}
        for row in parse_text(bundle.content(files["mstabcol"])):
            if len(row) > 2 and row[1].isdigit():
                own.setdefault(row[0].casefold(), {})[row[2].casefold()] = int(row[1])
        for table in set(own) & set(COLUMNS):
            places[table], widths[table] = own[table], max(own[table].values())
    return Layout(named, places, widths)


def _text_table(
    bundle: Bundle, member: PurePosixPath, table: str, layout: Layout
) -> tuple[pd.DataFrame, list[str]]:
    width, places = layout.widths[table], layout.places[table]
    rows = parse_text(bundle.content(member), width)
    right = [row for row in rows if len(row) == width]
    if rows and not right:
        raise InputError(
            f"{member}", f"rows of {len(rows[0])} columns", f"{width} columns, as in SSURGO"
        )
    wanted = [column for column in COLUMNS[table] if column in places]
    values = [[row[places[column] - 1] for column in wanted] for row in right]
    note = (
        [f"{member}: {counted(len(rows) - len(right), 'row')} of another length left out"]
        if len(rows) > len(right)
        else []
    )
    return pd.DataFrame(values, columns=wanted, dtype=object), note


def database_tables(layers: Iterable[Found], mukeys: Sequence[str]) -> SurveyTables:
    """Return the tables of a gSSURGO or gNATSGO geodatabase, for some map units only.

    Parameters
    ----------
    layers
        Layers and tables found in the geodatabase.
    mukeys
        The map units wanted.
    """
    tables = {found.layer.casefold(): found for found in layers if not found.geometry}
    found: dict[str, pd.DataFrame] = {}
    for name in ("mapunit", "muaggatt", "component"):
        if name in tables:
            found[name] = _as_texts(
                read_table(tables[name], COLUMNS[name], key="mukey", keys=mukeys)
            )
    cokeys = list(found["component"]["cokey"]) if "component" in found else []
    for name in ("chorizon", "corestrictions"):
        if name in tables:
            found[name] = _as_texts(
                read_table(tables[name], COLUMNS[name], key="cokey", keys=cokeys)
            )
    return SurveyTables(found, ())


def _as_texts(table: pd.DataFrame) -> pd.DataFrame:
    return table.apply(lambda column: column.map(_text)) if len(table) else table.astype(object)


def _text(value: object) -> str:
    if isinstance(value, float) and value == value and value.is_integer():
        return str(int(value))
    return "" if value is None or value != value else str(value).strip()


def joined(tables: Sequence[SurveyTables]) -> SurveyTables:
    """Return the tables of several downloads as one; equal rows are kept once."""
    names = {name for some in tables for name in some.by_name}
    by_name = {
        name: pd.concat(
            [some.by_name[name] for some in tables if name in some.by_name], ignore_index=True
        ).drop_duplicates(ignore_index=True)
        for name in names
    }
    return SurveyTables(by_name, tuple(note for some in tables for note in some.notes))


def table_of_map_units(table: pd.DataFrame, name: str) -> SurveyTables:
    """Return a plain table of map units, with names of fields as people give them.

    Parameters
    ----------
    table
        One row a map unit (key ``MUKEY`` or ``MUSYM``), or several of which the first counts.
    name
        Name of the table as the user knows it.

    Raises
    ------
    InputError
        The table has no key, or no field that says anything of soils.
    """
    fields = {
        column: find_field(table.columns, names, joined=True) for column, names in _PLAIN.items()
    }
    if fields["mukey"] is None and fields["musym"] is None:
        listed = ", ".join(map(str, table.columns)) or "none"
        raise InputError(name, f"the fields {listed}", "a field MUKEY or MUSYM")
    known = {column: field for column, field in fields.items() if field is not None}
    if not set(known) - {"mukey", "musym", "muname"}:
        listed = ", ".join(map(str, table.columns))
        raise InputError(name, f"the fields {listed}", "a field of hydrologic groups or depths")
    rows = pd.DataFrame({c: [plain(_text(v)) for v in table[f]] for c, f in known.items()})
    return SurveyTables({"plain": rows.astype(object)}, ())


_PLAIN: Final[dict[str, tuple[str, ...]]] = {
    "mukey": ("mukey",),
    "musym": ("musym", "map_symbol", "mapunit_symbol", "soil_code"),
    "muname": ("muname", "mapunit_name", "soil_name", "name"),
    "hydgrpdcd": (
        "hydgrpdcd", "hydgrp", "hsg", "hydrolgrp_dcd", "hydro_group", "hydrologic_group",
        "hydrogroup", "soil_group", "group",
    ),
    "wtdepannmin": ("wtdepannmin", "water_table_cm", "wtdep"),
    "brockdepmin": ("brockdepmin", "bedrock_cm", "rock_cm"),
    "drclassdcd": ("drclassdcd", "drainagecl", "drainage"),
    "slopegraddcp": ("slopegraddcp", "slope_r"),
    "ksat_l": ("ksat_l",),
    "ksat_r": ("ksat_r", "ksat", "ksat_um_s"),
    "ksat_h": ("ksat_h",),
    "kwfact": ("kwfact",),
    "runoff": ("runoff",),
}  # fmt: skip
