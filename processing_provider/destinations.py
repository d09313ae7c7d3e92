"""Where outputs go: never onto an input, never half written.

A file is written in a hidden folder beside its place and moved there when everything is written; a
table of an existing GeoPackage is written to a file of its own first and copied in one transaction.
What stood there before survives a run that fails.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from osgeo import gdal
from qgis.core import (
    QgsDataSourceUri,
    QgsProcessing,
    QgsProcessingContext,
    QgsProcessingOutputLayerDefinition,
    QgsProperty,
    QgsProviderRegistry,
    QgsVectorFileWriter,
)

from ..stormwater_screen.errors import InputError, ScreeningError
from .i18n import tr

_COPIED = "stormwater_being_copied"
_PROVIDER = re.compile(r"^([A-Za-z]{2,}):")
_COMPANIONS = {
    ".shp": (".shx", ".dbf", ".prj", ".cpg", ".qpj", ".qix", ".sbn", ".sbx", ".shp.xml", ".qmd"),
    ".tab": (".dat", ".map", ".id", ".ind"),
    ".gpkg": (".gpkg-wal", ".gpkg-shm", ".gpkg-journal"),
    ".sqlite": (".sqlite-wal", ".sqlite-shm", ".sqlite-journal"),
}


# How QGIS names a table of a GeoPackage.
_TABLE = "ogr:dbname='{}' table=\"{}\""


class WriteError(ScreeningError):
    """An output cannot be written."""


@dataclass(frozen=True)
class Destination:
    """Where one output goes.

    Attributes
    ----------
    parameter
        Name of the output parameter.
    path
        File, or None where QGIS writes to memory, to a temporary file or to a database.
    table
        Table in the file, or an empty text for a file of its own.
    """

    parameter: str
    path: Path | None
    table: str = ""

    @property
    def shapefile(self) -> bool:
        """Whether field names are cut after 10 characters."""
        return self.path is not None and self.path.suffix.lower() in (".shp", ".dbf")


def destination(
    parameter: str, parameters: Mapping[str, Any], context: QgsProcessingContext, *, vector: bool
) -> Destination | None:
    """Return where an output goes; None where it was not asked for.

    Parameters
    ----------
    parameter
        Name of the output parameter.
    parameters, context
        As Processing hands them to `processAlgorithm`.
    vector
        Whether it is a layer or table that QGIS writes; its name without suffix gets ``.gpkg``.

    Raises
    ------
    InputError
        The folder does not exist, or the text names no file that can be written.
    """
    text = _destination_text(parameters.get(parameter), context)
    if not text:
        return None
    if text == QgsProcessing.TEMPORARY_OUTPUT or text.startswith("memory:"):
        return Destination(parameter, None)
    match = _PROVIDER.match(text)
    if match and match[1].lower() != "ogr":
        return Destination(parameter, None)
    table = ""
    if match:
        uri = QgsDataSourceUri(text[len("ogr:") :])
        text, table = uri.database(), uri.table()
    path = Path(text).absolute()
    if "|" in path.name:
        raise InputError(
            parameter,
            text,
            tr("a file; a table of a GeoPackage as {}").format(_TABLE.format("FILE", "T")),
        )
    _refuse_place(parameter, path)
    if path.is_symlink():
        # The file that the link names is written; the link stays.
        path = path.resolve()
    if vector and not table:
        path = _with_known_suffix(parameter, path)
    others = [] if table else _layer_names(path)
    if len(others) > 1:
        raise InputError(
            parameter,
            tr("{} holds {} layers that would be lost: {}").format(
                path, len(others), ", ".join(others)
            ),
            tr("another file, or a table beside them as {}").format(
                _TABLE.format(path, "screened")
            ),
        )
    return Destination(parameter, path, table)


def _refuse_place(parameter: str, path: Path) -> None:
    try:
        if not path.parent.is_dir():
            raise InputError(
                parameter,
                tr("no folder {}").format(path.parent),
                tr("a file in a folder that exists"),
            )
        if path.is_dir():
            raise InputError(parameter, tr("{} is a folder").format(path), tr("the name of a file"))
        if path.exists() and not path.is_file():
            raise InputError(
                parameter, tr("{} is a device or a pipe").format(path), tr("an ordinary file")
            )
    except OSError as error:
        raise InputError(
            parameter, f"{path}: {error.strerror}", tr("the name of a file")
        ) from error


def _with_known_suffix(parameter: str, path: Path) -> Path:
    """Return the file that QGIS really writes; refuse a suffix to which it adds another one."""
    if not path.suffix:
        return path.with_name(f"{path.name}.gpkg")
    suffix = path.suffix[1:].lower()
    driver = QgsVectorFileWriter.driverForExtension(suffix)
    known = QgsVectorFileWriter.MetaData()
    found = QgsVectorFileWriter.driverMetadata(driver, known) if driver else False
    if not driver or (found and suffix not in (*known.ext.split(), "dbf")):
        raise InputError(
            parameter,
            tr("{}, a suffix that QGIS does not write").format(path.name),
            tr("one that it writes, as {}").format(f"{path.stem}.gpkg"),
        )
    return path


def _layer_names(path: Path) -> list[str]:
    if not path.is_file() or path.suffix.lower() not in (".gpkg", ".sqlite"):
        return []
    return [one.name() for one in QgsProviderRegistry.instance().querySublayers(str(path))]


def _destination_text(value: Any, context: QgsProcessingContext) -> str:
    if isinstance(value, QgsProcessingOutputLayerDefinition):
        value = value.sink
    if isinstance(value, QgsProperty):
        value = value.valueAsString(context.expressionContext(), "")[0]
    return str(value or "")


def refuse_collisions(
    destinations: Iterable[Destination], sources: Mapping[str, Iterable[str]]
) -> None:
    """Refuse an output that is also an input, or that two outputs share.

    Parameters
    ----------
    destinations
        All outputs asked for.
    sources
        Layer sources and file names of the inputs, by parameter name.

    Raises
    ------
    InputError
        Two of them would be the same file, also through links, relative names and the companion
        files of a shapefile; two tables of one GeoPackage are no collision.
    """
    taken = [
        (f"input {name}", *_source_file(source))
        for name, group in sources.items()
        for source in group
    ]
    for output in destinations:
        if output.path is None:
            continue
        files = _files(output.path)
        for owner, other, table in taken:
            apart = output.table and table and output.table.lower() != table.lower()
            if files & other and not apart:
                raise InputError(
                    output.parameter,
                    tr("{} is also {}").format(output.path, owner),
                    tr("a file of its own"),
                )
        taken.append((f"output {output.parameter}", files, output.table))


def _source_file(source: str) -> tuple[frozenset[Path], str]:
    """Return the files of an input and the table that it is, if it is one."""
    for provider in ("ogr", "gdal", "delimitedtext", "spatialite"):
        uri = QgsProviderRegistry.instance().decodeUri(provider, source)
        path = Path(str(uri.get("path") or ""))
        layer = str(uri.get("layerName") or "")
        if path.is_dir() and layer:
            return _files(path / f"{layer}.shp"), ""
        # A file inside an archive: the archive is what must not be overwritten.
        archive = next((part for part in (path, *path.parents) if part.is_file()), None)
        if archive is None and str(path).startswith("/vsi"):
            inner = Path("/", *path.parts[2:])
            archive = next((part for part in (inner, *inner.parents) if part.is_file()), None)
        if archive is not None:
            return _files(archive) | _parts(source), layer
    return frozenset(), ""


def _parts(source: str) -> frozenset[Path]:
    """Return the files that a source is made of, as those behind a virtual file of GDAL."""
    try:
        with gdal.ExceptionMgr():
            dataset = gdal.OpenEx(source.partition("|")[0])
            return frozenset(Path(one).resolve() for one in dataset.GetFileList() or ())
    except RuntimeError:
        return frozenset()


def _files(path: Path) -> frozenset[Path]:
    """Return the real paths of a file and of its companions."""
    path = path.resolve()
    suffix = path.suffix.lower()
    families = [suffix] if suffix in _COMPANIONS else []
    families += [main for main, others in _COMPANIONS.items() if suffix in others]
    files = {path}
    for main in families:
        stem = path.with_suffix("")
        files.update(Path(f"{stem}{other}") for other in (main, *_COMPANIONS[main]))
    return frozenset(files)


class Staging:
    """Holds outputs until all are written: leave the block without `commit` and nothing stays."""

    def __init__(self) -> None:
        self._folders: dict[str, Path] = {}
        self._staged: list[tuple[Destination, Path]] = []

    def __enter__(self) -> Staging:
        """Begin."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove what was staged and not put into place."""
        for folder in self._folders.values():
            shutil.rmtree(folder, ignore_errors=True)

    def path(self, output: Destination) -> Path:
        """Return the file to write for an output, in a hidden folder beside its place."""
        if output.path is None:
            raise ValueError(f"{output.parameter} is no file")
        try:
            folder = Path(tempfile.mkdtemp(prefix=".stormwater-", dir=output.path.parent))
        except OSError as error:
            raise WriteError(f"{output.parameter}: {output.path}: {error.strerror}") from error
        self._folders[output.parameter] = folder
        staged = folder / output.path.name
        self._staged.append((output, staged))
        return staged

    def written(self, output: Destination) -> Path | None:
        """Return the staged file of an output, or None where it is written elsewhere."""
        return next((path for place, path in self._staged if place is output), None)

    def commit(self) -> None:
        """Put every output into its place, or none.

        Raises
        ------
        WriteError
            An output cannot be put there.
        """
        moved: list[tuple[Path, Path]] = []
        try:
            # A table copied into a file that stood there cannot be taken back: these go first.
            for output, staged in sorted(self._staged, key=lambda pair: not pair[0].table):
                if output.table and output.path is not None and output.path.exists():
                    _copy_table(staged, output.path, output.table)
                elif output.path is not None:
                    _replace(staged, output.path, moved)
        except (OSError, RuntimeError) as error:
            for source, target in reversed(moved):
                target.replace(source)
            raise WriteError(f"{output.parameter}: {output.path}: {error}") from error


def _replace(staged: Path, place: Path, moved: list[tuple[Path, Path]]) -> None:
    """Move a staged file with its companions into place; what stood there goes to the folder."""
    old = staged.parent / "old"
    old.mkdir()
    new = [path for path in staged.parent.iterdir() if path != old]
    present = [path for path in _files(place) if path.is_file()]
    for path in present:
        path.replace(old / path.name)
        moved.append((path, old / path.name))
    for path in new:
        target = place.parent / path.name
        path.replace(target)
        moved.append((path, target))


def _copy_table(staged: Path, place: Path, table: str) -> None:
    """Copy a staged layer into an existing file; only then does it take the old table's name."""
    with gdal.ExceptionMgr():
        source = gdal.OpenEx(str(staged), gdal.OF_VECTOR)
        target = gdal.OpenEx(str(place), gdal.OF_VECTOR | gdal.OF_UPDATE)
        # One transaction around it all (`-gt 0`: none inside): of a copy that fails nothing stays,
        # not even where the disk is too full to drop a table.
        options = ["-nln", _COPIED, "-preserve_fid", "-gt", "0"]
        target.StartTransaction()
        try:
            gdal.VectorTranslate(target, source, options=options)
            _drop_table(target, table)
            target.GetLayerByName(_COPIED).Rename(table)
            target.CommitTransaction()
        except RuntimeError:
            with suppress(RuntimeError):
                target.RollbackTransaction()
            raise
        target.Close()


def _drop_table(dataset: gdal.Dataset, table: str) -> None:
    for at in range(dataset.GetLayerCount()):
        if dataset.GetLayer(at).GetName().lower() == table.lower():
            dataset.DeleteLayer(at)
            return
