"""What the record of a run holds of Processing: parameters that can be given again, versions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from osgeo import gdal
from qgis.core import (
    NULL,
    Qgis,
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingFeatureSourceDefinition,
    QgsProcessingParameterDefinition,
    QgsProjUtils,
)

from ..stormwater_screen.record import METADATA_KEY, record_path
from .destinations import Destination, WriteError


def recorded_parameters(
    algorithm: QgsProcessingAlgorithm,
    parameters: Mapping[str, Any],
    context: QgsProcessingContext,
    sources: Mapping[str, Sequence[str]],
) -> dict[str, Any]:
    """Return all inputs of a run, defaults too, as values that `qgis_process` takes.

    Parameters
    ----------
    algorithm, parameters, context
        As Processing hands them to `processAlgorithm`.
    sources
        Sources of the layers, rasters and files given, by parameter name.
    """
    found: dict[str, Any] = {}
    for definition in algorithm.parameterDefinitions():
        name = definition.name()
        if definition.isDestination():
            continue
        value = parameters.get(name)
        if value is None or value == NULL or value == "":
            value = definition.defaultValue()
        if value is None or value == NULL:
            continue
        found[name] = _value(definition, value, context, sources.get(name))
    return found


def _value(
    definition: QgsProcessingParameterDefinition,
    value: Any,
    context: QgsProcessingContext,
    sources: Sequence[str] | None,
) -> Any:
    # A layer in memory has no source.
    if not sources:
        return definition.valueAsJsonObject(value, context)
    files = [absolute_source(source) for source in sources]
    if isinstance(value, QgsProcessingFeatureSourceDefinition):
        given = {"source": files[0], "selectedFeaturesOnly": value.selectedFeaturesOnly}
        return {**given, "filter": value.filterExpression, "featureLimit": value.featureLimit}
    return files if isinstance(value, list | tuple) else files[0]


def absolute_source(source: str) -> str:
    """Return a source whose file has its full path."""
    path, *rest = source.split("|")
    return "|".join([str(Path(path).absolute()), *rest]) if Path(path).is_file() else source


def program_versions() -> dict[str, str]:
    """Return the versions of QGIS and of the libraries that it uses itself."""
    proj = f"{QgsProjUtils.projVersionMajor()}.{QgsProjUtils.projVersionMinor()}"
    return {
        "QGIS": Qgis.version(),
        "GEOS of QGIS": Qgis.geosVersion(),
        "GDAL of QGIS": gdal.VersionInfo("RELEASE_NAME"),
        "PROJ of QGIS": proj,
    }


def record_destination(screened: Destination | None) -> Destination | None:
    """Return where the record goes beside the sites; None where these are no file."""
    if screened is None or screened.path is None:
        return None
    return Destination("RECORD", record_path(screened.path, screened.table))


def stamp(path: Path, text: str) -> None:
    """Write a record into the metadata of the only layer of a GeoPackage.

    Raises
    ------
    WriteError
        The file cannot be changed.
    """
    with gdal.ExceptionMgr():
        try:
            dataset = gdal.OpenEx(str(path), gdal.OF_VECTOR | gdal.OF_UPDATE)
            dataset.GetLayer(0).SetMetadataItem(METADATA_KEY, text)
            dataset.Close()
        except RuntimeError as error:
            raise WriteError(f"RECORD: {path.name}: {error}") from error


def stamped(path: Path, table: str = "") -> str:
    """Return the record in a GeoPackage, or an empty text."""
    with gdal.ExceptionMgr():
        try:
            dataset = gdal.OpenEx(str(path), gdal.OF_VECTOR)
            layer = dataset.GetLayerByName(table) if table else dataset.GetLayer(0)
            return str(layer.GetMetadataItem(METADATA_KEY) or "") if layer is not None else ""
        except RuntimeError:
            return ""
