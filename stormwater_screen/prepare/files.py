"""Folders, zip files and geodatabases, looked through for layers and tables."""

from __future__ import annotations

import warnings
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Final

import numpy as np
import pandas as pd
import pyogrio
from pyogrio.errors import DataLayerError, DataSourceError

from ..errors import InputError
from ..geometry import Kind
from ..layers import Layer, read_layer
from .vicinity import Vicinity

LAYER_SUFFIXES: Final = (".shp", ".gpkg", ".geojson", ".json", ".sqlite", ".fgb")
_DEEPEST: Final = 6
_MOST_FILES: Final = 20_000
_KEYS_AT_ONCE: Final = 400


@dataclass(frozen=True)
class Found:
    """A layer or table in a file.

    Attributes
    ----------
    path
        File, folder or ``/vsizip/`` address that GDAL opens.
    layer
        Name of the layer in it.
    geometry
        Type of geometry in GDAL's words; empty for a table.
    fields
        Names of its fields.
    """

    path: str
    layer: str
    geometry: str
    fields: tuple[str, ...]


@dataclass(frozen=True)
class Bundle:
    """A folder or a zip file, or one file alone.

    Attributes
    ----------
    path
        As given.
    """

    path: Path

    @cached_property
    def members(self) -> tuple[PurePosixPath, ...]:
        """Paths of all files inside; of geodatabases the folder only."""
        if self.path.suffix.casefold() == ".gdb":
            return (PurePosixPath("."),)
        if self.path.is_dir():
            return tuple(self._walk())
        if zipfile.is_zipfile(self.path):
            with zipfile.ZipFile(self.path) as archive:
                names = [PurePosixPath(name) for name in archive.namelist()[:_MOST_FILES]]
            return tuple(dict.fromkeys(_without_inside(name) for name in names))
        return (PurePosixPath("."),)

    def _walk(self) -> list[PurePosixPath]:
        found: list[PurePosixPath] = []
        stack = [(self.path, 0)]
        while stack and len(found) < _MOST_FILES:
            folder, depth = stack.pop()
            for entry in sorted(folder.iterdir()):
                if entry.is_dir() and entry.suffix.casefold() != ".gdb" and depth < _DEEPEST:
                    stack.append((entry, depth + 1))
                elif entry.is_file() or entry.suffix.casefold() == ".gdb":
                    found.append(PurePosixPath(entry.relative_to(self.path).as_posix()))
        return found

    def address(self, member: PurePosixPath) -> str:
        """Return what GDAL opens to read a file inside."""
        if str(member) == ".":
            return str(self.path)
        if self.path.is_dir():
            return str(self.path / member)
        return f"/vsizip/{self.path.absolute()}/{member}"

    def content(self, member: PurePosixPath) -> bytes:
        """Return the bytes of a file inside."""
        if self.path.is_dir():
            return (self.path / member).read_bytes()
        with zipfile.ZipFile(self.path) as archive:
            return archive.read(str(member))


def _without_inside(name: PurePosixPath) -> PurePosixPath:
    """Return the geodatabase that a file lies in, else the file."""
    parts = [part.casefold().endswith(".gdb") for part in name.parts]
    return PurePosixPath(*name.parts[: parts.index(True) + 1]) if any(parts) else name


def bundles(paths: Sequence[str | Path]) -> list[Bundle]:
    """Return the folders, zip files and files given, and the zip files that lie in the folders.

    Raises
    ------
    InputError
        One of them does not exist.
    """
    found: list[Bundle] = []
    for path in map(Path, paths):
        if not path.exists():
            raise InputError(str(path), "no such file or folder", "a file or folder that exists")
        bundle = Bundle(path)
        found.append(bundle)
        if path.is_dir():
            zips = [m for m in bundle.members if m.suffix.casefold() == ".zip"]
            found += [Bundle(path / member) for member in zips]
    return found


def find_layers(bundle: Bundle) -> list[Found]:
    """Return all layers and tables that GDAL finds in a bundle."""
    found: list[Found] = []
    for member in bundle.members:
        suffix = (bundle.path if str(member) == "." else member).suffix.casefold()
        if suffix in (*LAYER_SUFFIXES, ".gdb"):
            found += _layers_in(bundle.address(member))
    return found


def _layers_in(address: str) -> list[Found]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            names = pyogrio.list_layers(address)
            infos = [pyogrio.read_info(address, layer=name) for name, _ in names]
        except (DataSourceError, DataLayerError):
            return []
    return [
        Found(address, str(name), str(kind or ""), tuple(map(str, info["fields"])))
        for (name, kind), info in zip(names, infos, strict=True)
    ]


def read_found(found: Found, *, role: str, geometry: Kind, near: Vicinity | None) -> Layer:
    """Return a layer, of a large one only what lies near the sites.

    Raises
    ------
    InputError
        As `read_layer`.
    """
    return read_layer(
        found.path,
        role=role,
        geometry=geometry,
        layer=found.layer,
        name=found.layer,
        mask=None if near is None else near.within,
    )


def read_table(
    found: Found,
    columns: Sequence[str],
    *,
    key: str | None = None,
    keys: Sequence[str] | None = None,
) -> pd.DataFrame:
    """Return columns of a table; where keys are given only the rows that have one of them.

    Parameters
    ----------
    found
        Table, or layer whose geometries are not wanted.
    columns
        Names in lower case; those that the table lacks are left out.
    key, keys
        Column and the texts wanted in it.
    """
    own = {name.casefold(): name for name in found.fields}
    wanted = [own[name] for name in columns if name in own]
    if key is None or keys is None or key not in own:
        return _table(found, wanted, None)
    unique = sorted(set(keys))
    parts = [
        _table(found, wanted, f'"{own[key]}" IN ({_listed(unique[at : at + _KEYS_AT_ONCE])})')
        for at in range(0, len(unique), _KEYS_AT_ONCE)
    ]
    filled = [part for part in parts if len(part)] or parts[:1] or [_table(found, wanted, "1 = 0")]
    return pd.concat(filled, ignore_index=True)


def _listed(keys: Sequence[str]) -> str:
    return ", ".join("'" + key.replace("'", "''") + "'" for key in keys)


def _table(found: Found, columns: list[str], where: str | None) -> pd.DataFrame:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        meta, _, _, values = pyogrio.raw.read(
            found.path, layer=found.layer, columns=columns, where=where, read_geometry=False
        )
    names = [str(name).casefold() for name in meta["fields"]]
    table = pd.DataFrame(dict(zip(names, values, strict=True)))
    return table.replace({np.nan: None}) if len(table) else table
