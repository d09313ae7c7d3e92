"""The least that any program must do: read every input once, write every output once."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pyogrio
import rasterio

from tests.benchmark.county import LAYERS, County


def read_all(county: County) -> None:
    """Read every layer with its attributes, and the raster block by block."""
    for name in LAYERS:
        pyogrio.raw.read(county.layers, layer=name.lower())
    with rasterio.open(county.dem) as raster:
        for _, window in raster.block_windows(1):
            raster.read(1, window=window)


def write_again(written: list[Path], folder: Path) -> None:
    """Write GeoPackages again, row by row, by SQLite itself: no other way is faster."""
    for path in written:
        copy = folder / f"floor_{path.name}"
        shutil.copy(path, copy)
        with closing(sqlite3.connect(copy, isolation_level=None)) as database:
            database.execute("PRAGMA journal_mode = OFF")
            database.execute("PRAGMA synchronous = OFF")
            ((table,),) = database.execute("SELECT table_name FROM gpkg_contents").fetchall()
            triggers = database.execute(
                "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?", (table,)
            ).fetchall()
            for (trigger,) in triggers:
                database.execute(f'DROP TRIGGER "{trigger}"')
            database.execute("BEGIN")
            database.execute(f'CREATE TABLE again AS SELECT * FROM "{table}"')
            database.execute("COMMIT")
        copy.unlink()
