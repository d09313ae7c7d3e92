"""The outputs of a run: written aside by QGIS or into GeoPackages, then put in place at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from osgeo import gdal
from qgis.core import (
    Qgis,
    QgsCoordinateReferenceSystem,
    QgsDataSourceUri,
    QgsFeature,
    QgsFeatureSink,
    QgsFields,
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingOutputLayerDefinition,
    QgsProperty,
    QgsVectorFileWriter,
)

from .destinations import Destination, Staging, WriteError, destination, refuse_collisions
from .dressing import dress
from .feature_tables import chunk_features
from .geopackage import Chunk, fill
from .i18n import tr
from .recording import stamp

_CHUNK = 500


class Outputs:
    """Writes the outputs of one run; all of them appear at `commit`, or none.

    Parameters
    ----------
    algorithm, parameters, context
        As Processing hands them to `processAlgorithm`.
    names
        Names of the output parameters.
    poll
        Called now and then while features are written; raises when the run is cancelled.
    """

    def __init__(
        self,
        algorithm: QgsProcessingAlgorithm,
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        names: Iterable[str],
        poll: Callable[[], None],
    ) -> None:
        self.algorithm, self.parameters, self.context = algorithm, parameters, context
        self.poll = poll
        found = {
            name: destination(
                name,
                parameters,
                context,
                vector=algorithm.parameterDefinition(name).type() == "sink",
            )
            for name in names
        }
        self.wanted = {name: place for name, place in found.items() if place is not None}
        self.results: dict[str, str] = {}
        self._staging = Staging()

    def __enter__(self) -> Outputs:
        """Begin."""
        self._staging.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        """Remove what was written and not committed."""
        self._staging.__exit__(*error)

    def refuse_sources(self, sources: dict[str, list[str]]) -> None:
        """Refuse outputs that are also inputs or each other, before anything is touched."""
        refuse_collisions(self.wanted.values(), sources)

    def write_layer(
        self,
        name: str,
        fields: QgsFields,
        features: Iterable[QgsFeature],
        crs: QgsCoordinateReferenceSystem,
        kind: Qgis.WkbType = Qgis.WkbType.MultiPolygon,
    ) -> None:
        """Write one layer or table where it was asked for.

        Raises
        ------
        WriteError
            A feature or the whole layer cannot be written.
        """
        self.complete(self._begun(name, fields, features, crs, kind, None))

    def write_chunks(
        self,
        name: str,
        fields: QgsFields,
        chunks: Iterable[Chunk],
        crs: QgsCoordinateReferenceSystem,
        kind: Qgis.WkbType = Qgis.WkbType.MultiPolygon,
    ) -> None:
        """Write one layer or table of plain values where it was asked for.

        The same as `write_layer`, and many times faster into a GeoPackage.

        Raises
        ------
        WriteError
            A row or the whole layer cannot be written.
        """
        self.complete(self.begin(name, fields, chunks, crs, kind))

    def begin(
        self,
        name: str,
        fields: QgsFields,
        chunks: Iterable[Chunk],
        crs: QgsCoordinateReferenceSystem,
        kind: Qgis.WkbType = Qgis.WkbType.MultiPolygon,
    ) -> Begun | None:
        """Begin what `write_chunks` writes: its rows are left to be filled in, in any thread.

        Rows that only QGIS can write are written here. None: it was not asked for.
        """
        return self._begun(name, fields, chunk_features(fields, chunks), crs, kind, chunks)

    def goes_to_geopackage(self, name: str) -> bool:
        """Return whether an output is a GeoPackage of which nothing is seen before `commit`."""
        place = self.wanted.get(name)
        path = None if place is None else place.path
        return path is not None and path.suffix.lower() == ".gpkg"

    def finish(self, begun: Begun) -> None:
        """Close an output whose rows are filled in.

        Raises
        ------
        WriteError
            Not all rows are in the file.
        """
        place, staged, name = begun.place, begun.staged, begun.place.parameter
        if place.shapefile and staged is not None and not staged.exists():
            staged = staged.with_suffix(".dbf")
        if staged is not None and not staged.exists():
            raise WriteError(
                f"{name}: {tr('{} cannot be written in this format').format(place.path)}"
            )
        # The writer reports some errors only by what is missing in the file once it is closed.
        _check_count(name, staged or Path(begun.written_to), begun.count)
        final = begun.written_to if staged is None else _final(place, staged)
        self._rename_for_loading(begun.written_to, final)
        self.results[name] = final

    def complete(self, begun: Begun | None) -> None:
        """Write the rows of an output that was begun, if one was, and finish it."""
        if begun is not None:
            begun.fill(self.poll)
            self.finish(begun)

    def _begun(
        self,
        name: str,
        fields: QgsFields,
        features: Iterable[QgsFeature],
        crs: QgsCoordinateReferenceSystem,
        kind: Qgis.WkbType,
        chunks: Iterable[Chunk] | None,
    ) -> Begun | None:
        place = self.wanted.get(name)
        if place is None:
            return None
        staged = None if place.path is None else self._staging.path(place)
        if staged is not None and place.shapefile:
            # QGIS writes a table without geometry to the .dbf alone, whatever the suffix.
            staged = staged.with_suffix(".shp")
        if staged is not None and staged.suffix.lower() == ".fgb":
            opened = _flatgeobuf(staged, fields, kind, crs, self.context)
            written_to = str(staged)
            self._load_on_completion(name, written_to)
        else:
            opened, written_to = self.algorithm.parameterAsSink(
                _redirected(self.parameters, place, staged), name, self.context, fields, kind, crs
            )
        if opened is None:
            raise WriteError(
                f"{name}: {tr('{} cannot be created').format(place.path or self.parameters[name])}"
            )
        sink = _Sink(name, opened)
        del opened
        path = staged or Path(written_to)
        in_bulk = chunks is not None and path.suffix.lower() == ".gpkg"
        with sink:
            count = 0 if in_bulk else sink.write(features, self.poll)
        rows = (
            partial(fill, path, fields.names(), chunks) if in_bulk and chunks is not None else None
        )
        return Begun(place, staged, written_to, count, rows)

    def write_raster(self, name: str, write: Callable[[Path], None]) -> None:
        """Let a raster be written where it was asked for.

        Parameters
        ----------
        name
            Output parameter.
        write
            Takes the file to write.
        """
        place = self.wanted.get(name)
        if place is None:
            return
        staged = None if place.path is None else self._staging.path(place)
        written_to = self.algorithm.parameterAsOutputLayer(
            _redirected(self.parameters, place, staged), name, self.context
        )
        write(staged or Path(written_to))
        final = written_to if place.path is None else str(place.path)
        self._rename_for_loading(written_to, final)
        self.results[name] = final

    def dress(self, name: str, style: str, title: str) -> None:
        """Have an output loaded with a style and a title, if it is to be loaded at all."""
        result = self.results.get(name)
        if result is not None and self.context.willLoadLayerOnCompletion(result):
            dress(self.context.layerToLoadOnCompletionDetails(result), style, title)

    def write_text(self, name: str, text: str) -> None:
        """Write a text file where it was asked for."""
        place = self.wanted.get(name)
        if place is None:
            return
        if place.path is None:
            final = self.algorithm.parameterAsFileOutput(self.parameters, name, self.context)
            target = Path(final)
        else:
            target, final = self._staging.path(place), str(place.path)
        try:
            target.write_text(text, "utf-8")
        except OSError as error:
            raise WriteError(f"{name}: {final}: {error.strerror}") from error
        self.results[name] = final

    def stamp(self, name: str, record: str) -> None:
        """Write the record of the run into a layer that was written, if it is in a GeoPackage."""
        place = self.wanted.get(name)
        staged = None if place is None else self._staging.written(place)
        if staged is not None and staged.suffix.lower() == ".gpkg":
            stamp(staged, record)

    def commit(self) -> dict[str, str]:
        """Put all outputs into their places and return them by name."""
        self._staging.commit()
        return self.results

    def _load_on_completion(self, name: str, written_to: str) -> None:
        """Ask for what Processing asks for itself where it opens a sink."""
        value = self.parameters[name]
        if isinstance(value, QgsProcessingOutputLayerDefinition) and value.destinationProject:
            shown = value.destinationName or self.algorithm.parameterDefinition(name).description()
            details = QgsProcessingContext.LayerDetails(shown, value.destinationProject, name)
            self.context.addLayerToLoadOnCompletion(written_to, details)

    def _rename_for_loading(self, written_to: str, final: str) -> None:
        loading = self.context.layersToLoadOnCompletion()
        if written_to in loading and written_to != final:
            loading[final] = loading.pop(written_to)
            self.context.setLayersToLoadOnCompletion(loading)


@dataclass
class Begun:
    """An output that QGIS has made, until it is finished.

    Attributes
    ----------
    place
        Where it goes.
    staged
        The file that is written, or None where it goes elsewhere.
    written_to
        What QGIS calls it.
    count
        Number of rows written.
    rows
        Writes the rows; None: they are written.
    """

    place: Destination
    staged: Path | None
    written_to: str
    count: int
    rows: Callable[[Callable[[], None]], int] | None = None

    def fill(self, poll: Callable[[], None]) -> None:
        """Write the rows, if they are not; in any thread, which calls ``poll`` now and then."""
        if self.rows is not None:
            self.count, self.rows = self.rows(poll), None


class _Sink:
    """A sink that is closed at the end of the block, even while an error keeps frames alive."""

    def __init__(self, name: str, sink: QgsFeatureSink) -> None:
        self._name = name
        self._sink: QgsFeatureSink | None = sink

    def __enter__(self) -> _Sink:
        """Begin."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file; QGIS does it when the last reference goes."""
        self._sink = None

    def write(self, features: Iterable[QgsFeature], poll: Callable[[], None]) -> int:
        """Write features and return how many there were."""
        assert self._sink is not None
        count = 0
        for chunk in _chunks(iter(features)):
            poll()
            if not self._sink.addFeatures(chunk, QgsFeatureSink.Flag.FastInsert):
                why = tr("a row cannot be written: {}").format(self._sink.lastError())
                raise WriteError(f"{self._name}: {why}")
            count += len(chunk)
        if not self._sink.flushBuffer():
            why = tr("the rows cannot be written: {}").format(self._sink.lastError())
            raise WriteError(f"{self._name}: {why}")
        return count


def _chunks(features: Iterator[QgsFeature]) -> Iterator[list[QgsFeature]]:
    while chunk := list(islice(features, _CHUNK)):
        yield chunk


def _redirected(
    parameters: dict[str, Any], place: Destination, staged: Path | None
) -> dict[str, Any]:
    """Return the parameters with the output at its staged place, its other settings kept."""
    if staged is None:
        return parameters
    name, target = place.parameter, str(staged)
    if place.table:
        uri = QgsDataSourceUri()
        uri.setDatabase(target)
        uri.setDataSource("", place.table, "geom")
        target = f"ogr:{uri.uri()}"
    value = parameters[name]
    if isinstance(value, QgsProcessingOutputLayerDefinition):
        value = QgsProcessingOutputLayerDefinition(value)
        value.sink = QgsProperty.fromValue(target)
    else:
        value = target
    return {**parameters, name: value}


def _flatgeobuf(
    path: Path,
    fields: QgsFields,
    kind: Qgis.WkbType,
    crs: QgsCoordinateReferenceSystem,
    context: QgsProcessingContext,
) -> QgsFeatureSink | None:
    """Return a sink without spatial index, which Processing cannot be asked for.

    With an index FlatGeobuf sorts the rows and takes none without geometry.
    """
    options = QgsVectorFileWriter.SaveVectorOptions()
    options.driverName = "FlatGeobuf"
    options.layerOptions = ["SPATIAL_INDEX=NO"]
    writer = QgsVectorFileWriter.create(
        str(path), fields, kind, crs, context.transformContext(), options
    )
    return None if writer.hasError() else writer


def _final(place: Destination, staged: Path) -> str:
    assert place.path is not None
    if place.table:
        return f"{place.path}|layername={place.table}"
    return str(place.path.with_name(staged.name))


def _check_count(name: str, path: Path, count: int) -> None:
    """Compare the rows in a closed file with the rows handed over."""
    if not path.is_file():
        return
    with gdal.ExceptionMgr():
        try:
            dataset = gdal.OpenEx(str(path), gdal.OF_VECTOR)
            # SQLite does not list a table without geometry.
            layer = dataset.GetLayer(0) or dataset.GetLayerByName(path.stem)
            found = layer.GetFeatureCount()
        except RuntimeError as error:
            raise WriteError(
                f"{name}: {tr('{} cannot be written: {}').format(path.name, error)}"
            ) from error
    if found != count:
        raise WriteError(f"{name}: {tr('{} of {} rows are in {}').format(found, count, path.name)}")
