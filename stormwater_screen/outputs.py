"""Outputs as files: never onto an input, never half written.

A file is written in a hidden folder beside its place and moved there when everything is written.
What stood there before survives a run that fails.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Final

import geopandas as gpd
import numpy as np
import pandas as pd
import pyogrio
import pyproj
from pyogrio.errors import DataSourceError, FieldError

from .coded import CodedPieces
from .columns import Column
from .errors import InputError, ScreeningError
from .own_columns import kept_names, written_before

DRIVERS: Final = {".gpkg": "GPKG", ".fgb": "FlatGeobuf", ".csv": "CSV"}
ROWS_AT_ONCE: Final = 100_000
_ROOM_BYTES: Final = 2**20

_KINDS: Final = {"text": object, "number": np.float64, "integer": np.int32}


class WriteError(ScreeningError):
    """An output cannot be written."""


def output_path(name: str, text: str, suffixes: Sequence[str]) -> Path:
    """Return the file of an output.

    Parameters
    ----------
    name
        Name of the output.
    text
        What was given for it.
    suffixes
        How the file may end.

    Raises
    ------
    InputError
        The folder does not exist, or the text names no file that can be written.
    """
    path = Path(text).absolute()
    if path.is_symlink():
        # The file that the link names is written; the link stays.
        path = path.resolve()
    if path.suffix.lower() not in suffixes:
        raise InputError(name, path.name, f"a file that ends in {' or '.join(suffixes)}")
    if not path.parent.is_dir():
        raise InputError(name, f"no folder {path.parent}", "a file in a folder that exists")
    if path.exists() and not path.is_file():
        raise InputError(name, f"{path} is no ordinary file", "the name of a file")
    return path


def refuse_collisions(outputs: Mapping[str, Path], sources: Mapping[str, Iterable[str]]) -> None:
    """Refuse an output that is also an input, or that two outputs share.

    Parameters
    ----------
    outputs
        Files of the outputs, by name.
    sources
        Layers and files that are read, by name.

    Raises
    ------
    InputError
        Two of them are the same file, also through links and relative names.
    """
    taken = {
        Path(source.partition("|")[0]).resolve(): f"input {name}"
        for name, some in sources.items()
        for source in some
    }
    for name, path in outputs.items():
        place = path.resolve()
        owner = next((taken[one] for one in (place, *place.parents) if one in taken), None)
        if owner is not None:
            raise InputError(name, f"{path} is also {owner}", "a file of its own")
        taken[place] = f"output {name}"


class Staging:
    """Keeps outputs beside their places until all are written.

    Parameters
    ----------
    places
        Files of the outputs, by name.
    """

    def __init__(self, places: Mapping[str, Path]) -> None:
        self._places = dict(places)
        self._staged: dict[str, Path] = {}
        self._folders = ExitStack()

    def __enter__(self) -> Staging:
        """Return itself; nothing is made yet."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take away what was not moved into place."""
        self._folders.close()

    def path(self, name: str) -> Path:
        """Return where an output is written for now.

        Raises
        ------
        WriteError
            Its folder cannot be written.
        """
        place = self._places[name]
        try:
            folder = tempfile.TemporaryDirectory(prefix=f".{place.stem}.", dir=place.parent)
        except OSError as error:
            raise WriteError(f"{name}: {place}: {error.strerror}") from error
        self._folders.push(folder)
        self._staged[name] = Path(folder.name) / place.name
        return self._staged[name]

    def commit(self) -> dict[str, str]:
        """Move all that was written into place, or nothing; return the files by name.

        Raises
        ------
        WriteError
            A file cannot be put there; what stood there is there again.
        """
        moved: list[tuple[Path, Path, Path]] = []
        name, place = "", Path()
        try:
            for name, staged in self._staged.items():
                place = self._places[name]
                _require_room(staged.parent)
            for name, staged in self._staged.items():
                place = self._places[name]
                kept = staged.with_name(f"{place.name}.old")
                moved.append((place, staged, kept))
                if place.exists():
                    place.replace(kept)
                staged.replace(place)
        except BaseException as error:
            # A signal may stop the run at any moment, and what stood there must not go with it.
            for one in reversed(moved):
                _put_back(*one)
            if isinstance(error, OSError):
                raise WriteError(f"{name}: {place}: {error.strerror}") from error
            raise
        return {name: str(self._places[name]) for name in self._staged}


def _require_room(folder: Path) -> None:
    """Refuse a disk that is full: libraries do not tell when a file's last bytes found no place.

    Raises
    ------
    OSError
        There is less room than a file may lack.
    """
    with tempfile.TemporaryFile(dir=folder) as spare:
        spare.write(bytes(_ROOM_BYTES))
        spare.flush()
        os.fsync(spare.fileno())


def _put_back(place: Path, staged: Path, kept: Path) -> None:
    """Make a place what it was before a file was moved there, or was about to be."""
    if kept.exists():
        kept.replace(place)
    elif not staged.exists():
        place.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text as UTF-8.

    Raises
    ------
    WriteError
        It cannot be written.
    """
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise WriteError(f"{path.name}: {error.strerror}") from error


def write_rows(
    path: Path,
    chunks: Iterable[pd.DataFrame],
    *,
    crs: pyproj.CRS | None = None,
    metadata: Mapping[str, str] | None = None,
) -> int:
    """Write tables one below the other to a file and return the number of rows.

    Parameters
    ----------
    path
        File that ends as ``DRIVERS`` says.
    chunks
        At least one table, all of the same columns; with a geometry column polygons are written,
        but not to CSV.
    crs
        CRS of the geometries; None: tables without geometry.
    metadata
        Texts that a GeoPackage holds beside the layer.

    Raises
    ------
    WriteError
        The file cannot be written.
    """
    suffix = path.suffix.lower()
    spatial = crs is not None and suffix != ".csv"
    if suffix == ".fgb":
        # FlatGeobuf takes rows once, and with an index it would put them in another order.
        chunks = [pd.concat(list(chunks), ignore_index=True)]
    rows = 0
    for number, chunk in enumerate(chunks):
        options: dict[str, object] = {"append": number > 0}
        if number == 0 and metadata and suffix == ".gpkg":
            options["layer_metadata"] = dict(metadata)
        if suffix == ".fgb":
            options["SPATIAL_INDEX"] = "NO"
        if spatial:
            options |= {"geometry_type": "MultiPolygon", "promote_to_multi": True}
            chunk = gpd.GeoDataFrame(chunk, geometry="geometry", crs=crs)
        elif "geometry" in chunk:
            chunk = pd.DataFrame(chunk.drop(columns="geometry"))
        _append(path, chunk, options)
        rows += len(chunk)
    return rows


def _append(path: Path, table: pd.DataFrame, options: Mapping[str, object]) -> None:
    driver = DRIVERS[path.suffix.lower()]
    try:
        with warnings.catch_warnings():
            # A CRS without a code is written as a text, which pyogrio warns of.
            warnings.simplefilter("ignore")
            pyogrio.write_dataframe(table, path, layer=path.stem, driver=driver, **options)
    except (DataSourceError, FieldError, OSError, RuntimeError) as error:
        free = shutil.disk_usage(path.parent).free
        raise WriteError(f"{path.name}: {error} ({free / 1e6:,.0f} MB free)") from error


def coded_chunks(table: CodedPieces) -> Iterator[pd.DataFrame]:
    """Return a long table some rows at a time; at least one part."""
    for piece in table.pieces():
        for start in range(0, max(len(piece), 1), ROWS_AT_ONCE):
            yield typed(pd.DataFrame(piece.part(start, start + ROWS_AT_ONCE)), piece.columns)


def typed(table: pd.DataFrame, columns: Sequence[Column]) -> pd.DataFrame:
    """Return the columns in their order and of their kinds; texts are texts or None."""
    return pd.DataFrame(
        {column.name: table[column.name].astype(_KINDS[column.kind]) for column in columns}
    )


def typed_shapes(shapes: gpd.GeoDataFrame, columns: Sequence[Column]) -> gpd.GeoDataFrame:
    """Return shapes with their columns as `typed` gives them."""
    table = typed(shapes, columns)
    return gpd.GeoDataFrame(table, geometry=shapes.geometry.to_numpy(), crs=shapes.crs)


def own_names(
    names: Sequence[str], columns: Sequence[Column]
) -> tuple[list[str | None], tuple[str, ...]]:
    """Return the names that own columns of the sites get, and sentences on changed ones.

    Parameters
    ----------
    names
        Own columns, in order.
    columns
        Columns that are added.

    Returns
    -------
    tuple
        For each own column its name, None where it is left out; sentences.
    """
    earlier = written_before(names, columns)
    taken = [*(column.name for column in columns), "geom", "geometry", "fid"]
    kept = kept_names(names, taken, dropped=earlier)
    notes = [
        f"SITES: own column {name} is kept as {new}"
        for name, new in zip(names, kept, strict=True)
        if new is not None and new != name
    ]
    if earlier:
        notes.append("SITES: the columns of an earlier screening are replaced")
    return kept, tuple(notes)


def own_types(source: str, layer: str | None) -> dict[str, str]:
    """Return the names of a layer's attributes with the types of their numbers."""
    info = pyogrio.read_info(source, layer=layer)
    return {str(name): str(kind) for name, kind in zip(info["fields"], info["dtypes"], strict=True)}


def beside_own(
    own: pd.DataFrame,
    names: Sequence[str | None],
    added: pd.DataFrame,
    types: Mapping[str, str],
) -> pd.DataFrame:
    """Return own columns under their new names, and the added ones behind them.

    Parameters
    ----------
    own
        Attributes of sites.
    names
        As `own_names` returns them for all ``types``.
    added
        The same sites' columns.
    types
        As `own_types` returns them.
    """
    kept = {
        new: _plain(own[name].reset_index(drop=True), types[name])
        for name, new in zip(types, names, strict=True)
        if new is not None
    }
    return pd.concat([pd.DataFrame(kept, index=added.index), added], axis=1)


def _plain(values: pd.Series, kind: str) -> pd.Series:
    """Return values that every format takes, with NULL among whole numbers and yes and no.

    Bytes and lists become texts.
    """
    if kind == "bool" and values.dtype != bool:
        return values.astype("boolean")
    if values.dtype != object:
        whole = kind.startswith("int") and pd.api.types.is_float_dtype(values.dtype)
        return values.astype("Int64" if kind == "int64" else "Int32") if whole else values
    odd = values.map(lambda value: isinstance(value, bytes | list | dict | np.ndarray))
    if not odd.any():
        return values
    told = values[odd].map(lambda one: one.hex() if isinstance(one, bytes) else str(one))
    return values.where(~odd, told)
