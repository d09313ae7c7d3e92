"""Parameters that algorithms share, each built by one small function."""

from __future__ import annotations

from typing import TypeVar

from qgis.core import (
    Qgis,
    QgsProcessingParameterBand,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterDateTime,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterField,
    QgsProcessingParameterFile,
    QgsProcessingParameterMultipleLayers,
    QgsProcessingParameterNumber,
    QgsProcessingParameterRasterLayer,
    QgsProcessingParameterString,
)

from ..stormwater_screen.input_names import LAYER_KINDS, SEVERAL_LAYERS
from .i18n import tr

_POINT = Qgis.ProcessingSourceType.VectorPoint
_LINE = Qgis.ProcessingSourceType.VectorLine
_POLYGON = Qgis.ProcessingSourceType.VectorPolygon
_SOURCE_TYPES = {
    "point": [_POINT],
    "polygon": [_POLYGON],
    "line": [_LINE],
    "line_or_polygon": [_LINE, _POLYGON],
    "point_or_polygon": [_POINT, _POLYGON],
    "any": [Qgis.ProcessingSourceType.VectorAnyGeometry],
}

GEOMETRY = {
    **LAYER_KINDS,
    "SOIL_POLYGONS": "polygon",
    "HYDROGRAPHY": "any",
    "ASSESSMENTS": "any",
    "WETLAND_LAYERS": "line_or_polygon",
    "PARCEL_LAYERS": "polygon",
    "EXCLUDED": "polygon",
    "NEAR": "any",
}
"""Kind of geometry that each layer parameter takes. QGIS itself checks it in its window only."""

PREPARED_FROM = frozenset(GEOMETRY) - frozenset(LAYER_KINDS)
"""Layer parameters of the preparations."""

SEVERAL = SEVERAL_LAYERS | (PREPARED_FROM - {"EXCLUDED", "NEAR"})
"""Layer parameters that take several layers."""

ORDINANCES = ("lake_george", "wilton", "shelter_island", "wayne_county")
Z_UNITS = ("auto", "metre", "foot", "us_survey_foot")

Definition = TypeVar("Definition", bound=QgsProcessingParameterDefinition)


def advanced(parameter: Definition) -> Definition:
    """Return the parameter moved to the advanced part of the window."""
    parameter.setFlags(parameter.flags() | Qgis.ProcessingParameterFlag.Advanced)
    return parameter


def layer(name: str, label: str, *, optional: bool = True) -> QgsProcessingParameterDefinition:
    """Return a parameter for one vector layer, or for several where ``SEVERAL`` says so."""
    types = _SOURCE_TYPES[GEOMETRY[name]]
    if name in SEVERAL:
        kind = types[0] if len(types) == 1 else Qgis.ProcessingSourceType.VectorAnyGeometry
        return QgsProcessingParameterMultipleLayers(name, label, kind, None, optional)
    return QgsProcessingParameterFeatureSource(name, label, types, None, optional)


def field(name: str, label: str, parent: str) -> QgsProcessingParameterField:
    """Return an optional parameter for a field of the layer ``parent``."""
    return QgsProcessingParameterField(name, label, parentLayerParameterName=parent, optional=True)


def word(
    name: str, label: str, words: tuple[str, ...], default: str | None = None
) -> QgsProcessingParameterEnum:
    """Return a parameter for one of the words; optional where there is no default."""
    return QgsProcessingParameterEnum(
        name,
        label,
        options=list(words),
        defaultValue=default,
        optional=default is None,
        usesStaticStrings=True,
    )


def feet(name: str, label: str, default: float) -> QgsProcessingParameterNumber:
    """Return a parameter for a length in feet, at least 0."""
    return QgsProcessingParameterNumber(
        name, label, Qgis.ProcessingNumberParameterType.Double, default, False, 0.0
    )


def text(name: str, label: str) -> QgsProcessingParameterString:
    """Return an optional parameter for a text."""
    return QgsProcessingParameterString(name, label, optional=True)


def folder() -> QgsProcessingParameterFile:
    """Return the parameter FOLDER."""
    return QgsProcessingParameterFile(
        "FOLDER",
        tr("Folder of the download, or geodatabase"),
        Qgis.ProcessingFileParameterBehavior.Folder,
        optional=True,
    )


def file() -> QgsProcessingParameterFile:
    """Return the parameter FILE."""
    return QgsProcessingParameterFile(
        "FILE",
        tr("Download (zip, GeoPackage or shapefile)"),
        Qgis.ProcessingFileParameterBehavior.File,
        optional=True,
    )


def near() -> QgsProcessingParameterDefinition:
    """Return the parameter NEAR."""
    return layer("NEAR", tr("Read only what lies near these sites"))


def table(name: str, label: str) -> QgsProcessingParameterFeatureSource:
    """Return an optional parameter for a table, with geometries or without."""
    types = [Qgis.ProcessingSourceType.Vector]
    return QgsProcessingParameterFeatureSource(name, label, types, None, True)


def sites() -> QgsProcessingParameterDefinition:
    """Return the parameter SITES."""
    return layer("SITES", tr("Sites (parcels or project areas, polygons)"), optional=False)


def ordinance() -> QgsProcessingParameterEnum:
    """Return the parameter ORDINANCE."""
    return word("ORDINANCE", tr("Stormwater law"), ORDINANCES, ORDINANCES[0])


def ordinance_file(suffix: str = "") -> QgsProcessingParameterFile:
    """Return the parameter ORDINANCE_FILE; ``_2`` makes it that of a second law."""
    return QgsProcessingParameterFile(
        f"ORDINANCE_FILE{suffix}",
        tr("Second law from an own rules file (TOML)")
        if suffix
        else tr("Own rules file instead (TOML)"),
        extension="toml",
        optional=True,
    )


def as_of(suffix: str = "") -> QgsProcessingParameterDateTime:
    """Return the parameter AS_OF; ``_2`` makes it that of a second law."""
    return QgsProcessingParameterDateTime(
        f"AS_OF{suffix}",
        tr("Date for the second law (empty: today)")
        if suffix
        else tr("Date of the application (empty: today)"),
        Qgis.ProcessingDateTimeParameterDataType.Date,
        optional=True,
    )


def dem(*, optional: bool = True) -> QgsProcessingParameterRasterLayer:
    """Return the parameter DEM."""
    return QgsProcessingParameterRasterLayer(
        "DEM", tr("Ground elevation (DEM raster)"), optional=optional
    )


def dem_band() -> QgsProcessingParameterBand:
    """Return the parameter DEM_BAND."""
    return QgsProcessingParameterBand("DEM_BAND", tr("Band of the DEM"), 1, "DEM", True)


def dem_z_unit() -> QgsProcessingParameterEnum:
    """Return the parameter DEM_Z_UNIT."""
    return word("DEM_Z_UNIT", tr("Vertical unit of the DEM"), Z_UNITS, Z_UNITS[0])


def dem_error() -> QgsProcessingParameterNumber:
    """Return the parameter DEM_ERROR_FT."""
    return feet("DEM_ERROR_FT", tr("Vertical error of the DEM (feet)"), 0.6)


def follow_runoff() -> QgsProcessingParameterBoolean:
    """Return the parameter FOLLOW_RUNOFF."""
    return QgsProcessingParameterBoolean(
        "FOLLOW_RUNOFF", tr("Follow the runoff of the sites"), True
    )


def runoff() -> tuple[QgsProcessingParameterDefinition, ...]:
    """Return the parameters of what lets runoff through, and takes it away."""
    return (
        layer("CULVERTS", tr("Culverts (lines)")),
        layer("STORM_SEWERS", tr("Storm sewers (lines)")),
    )
