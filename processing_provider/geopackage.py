"""Rows into a GeoPackage table that QGIS has made and left empty, many at a time.

QGIS makes the file, so that fields, coordinate systems and index are as in any other output. Then
the rows go in through SQLite itself: a feature object for each row costs ten times as much.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import shapely

from .destinations import WriteError
from .i18n import tr

PLAIN = frozenset({int, float, str, bool, type(None)})
"""Types of values that stand in the file as QGIS would write them."""

_MULTI = {0: shapely.multipoints, 1: shapely.multilinestrings, 2: shapely.multipolygons}

_HEADER = np.dtype(
    [("magic", "S2"), ("version", "u1"), ("flags", "u1"), ("srs", "<i4"), ("box", "<f8", 4)]
)


class Chunk(NamedTuple):
    """Some rows of an output.

    Attributes
    ----------
    columns
        Values of each field; None is NULL.
    shapes
        Geometries, or None where the output has none.
    """

    columns: Sequence[Sequence[Any]]
    shapes: Any = None


def multi(shapes: Any) -> Any:
    """Return points, lines and polygons as multi-part geometries; None stays."""
    parts = np.array(shapes, dtype=object)
    for kinds, dimension in (((0,), 0), ((1, 2), 1), ((3,), 2)):
        single = np.isin(shapely.get_type_id(parts), kinds)
        if single.any():
            parts[single] = _MULTI[dimension](parts[single][:, None])
    return parts


def fill(
    path: Path, names: Sequence[str], chunks: Iterable[Chunk], poll: Callable[[], None]
) -> int:
    """Write rows into the only table of a GeoPackage and return how many there were.

    Parameters
    ----------
    path
        File with one empty table.
    names
        Fields in the order of the columns of the chunks.
    chunks
        The rows.
    poll
        Called now and then; raises when the run is cancelled.

    Raises
    ------
    WriteError
        The rows cannot be written.
    """
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            # The file is not yet in its place: nobody sees it if the machine fails.
            database.execute("PRAGMA journal_mode = OFF")
            database.execute("PRAGMA synchronous = OFF")
            database.execute("BEGIN")
            count = _Table(database).fill(names, chunks, poll)
            database.execute("COMMIT")
    except (sqlite3.Error, UnicodeError, OverflowError) as error:
        message = tr("the rows cannot be written: {}").format(error)
        raise WriteError(f"{path.name}: {message}") from error
    return count


class _Table:
    """The only table of an open GeoPackage."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self.database = database
        ((self.name,),) = database.execute("SELECT table_name FROM gpkg_contents").fetchall()
        found = database.execute(
            "SELECT column_name, srs_id, geometry_type_name FROM gpkg_geometry_columns"
        ).fetchone()
        self.geometry, self.srs, kind = found or ("", 0, "MULTIPOLYGON")
        # QGIS writes a feature without geometry with an empty one.
        self.nothing = shapely.to_wkb(shapely.from_wkt(f"{kind} EMPTY"), byte_order=1)
        self.index = f"rtree_{self.name}_{self.geometry}"
        if not self._rows("SELECT 1 FROM sqlite_master WHERE name = ?", self.index):
            self.index = ""

    def fill(self, names: Sequence[str], chunks: Iterable[Chunk], poll: Callable[[], None]) -> int:
        triggers = self._rows(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?", self.name
        )
        for name, _ in triggers:
            self.database.execute(f"DROP TRIGGER {_quoted(name)}")
        bounds = np.array([np.inf, np.inf, -np.inf, -np.inf])
        count = 0
        fid = next((at for at, name in enumerate(names) if name.lower() == "fid"), None)
        columns = [*names, *([self.geometry] if self.geometry else [])]
        if fid is None:
            columns = ["fid", *columns]
        for chunk in chunks:
            poll()
            values = list(chunk.columns)
            size = len(values[0])
            numbers = range(count + 1, count + size + 1) if fid is None else values[fid]
            if fid is None:
                values = [numbers, *values]
            if self.geometry:
                values.append(self._blobs(chunk.shapes))
                found = self._index(numbers, chunk.shapes)
                bounds[:2] = np.fmin(bounds[:2], found[:2])
                bounds[2:] = np.fmax(bounds[2:], found[2:])
            self._insert(self.name, columns, zip(*values, strict=True))
            count += size
        for _, statement in triggers:
            self.database.execute(statement)
        self._close(count, bounds)
        return count

    def _insert(self, table: str, columns: Sequence[str], rows: Iterator[Any]) -> None:
        names, marks = ", ".join(map(_quoted, columns)), ", ".join("?" * len(columns))
        # Names are quoted and values bound: no text of the data becomes SQL.
        statement = f"INSERT INTO {_quoted(table)} ({names}) VALUES ({marks})"  # nosec B608
        self.database.executemany(statement, rows)

    def _index(self, numbers: Sequence[int], shapes: Any) -> Any:
        """Enter shapes into the spatial index and return the bounds of all of them."""
        box = shapely.bounds(shapes)
        there = np.isfinite(box).all(axis=1)
        if not there.any():
            return np.full(4, np.nan)
        if self.index:
            sides = box[there][:, [0, 2, 1, 3]].tolist()
            at = np.flatnonzero(there).tolist()
            rows = ((numbers[row], *side) for row, side in zip(at, sides, strict=True))
            self._insert(self.index, ("id", "minx", "maxx", "miny", "maxy"), rows)
        box = box[there]
        return np.r_[box[:, :2].min(axis=0), box[:, 2:].max(axis=0)]

    def _blobs(self, shapes: Any) -> list[bytes]:
        """Return geometries as GeoPackage holds them: a header with the bounds, and WKB."""
        header = np.zeros(
            len(shapes),
            [
                ("magic", "S2"),
                ("version", "u1"),
                ("flags", "u1"),
                ("srs", "<i4"),
                ("box", "<f8", 4),
            ],
        )
        header["magic"], header["flags"], header["srs"] = b"GP", 0b11, self.srs
        header["box"] = shapely.bounds(shapes)[:, [0, 2, 1, 3]]
        size = header.dtype.itemsize
        heads = header.tobytes()
        empty = np.zeros(1, header.dtype)
        empty["magic"], empty["flags"], empty["srs"] = b"GP", 0b10001, self.srs
        no_box = empty.tobytes()[:8]
        bare = shapely.is_empty(shapes).tolist()
        wkb = shapely.to_wkb(multi(shapes), byte_order=1, flavor="iso").tolist()
        return [
            no_box + self.nothing
            if shape is None
            else (no_box if hollow else heads[at * size : (at + 1) * size]) + shape
            for at, (shape, hollow) in enumerate(zip(wkb, bare, strict=True))
        ]

    def _close(self, count: int, bounds: Any) -> None:
        self.database.execute("UPDATE gpkg_ogr_contents SET feature_count = ?", (count,))
        box = bounds.tolist() if np.isfinite(bounds).all() else [None] * 4
        self.database.execute(
            "UPDATE gpkg_contents SET min_x = ?, min_y = ?, max_x = ?, max_y = ?,"
            " last_change = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
            box,
        )

    def _rows(self, statement: str, value: str) -> list[tuple[Any, ...]]:
        return self.database.execute(statement, (value,)).fetchall()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
