"""What each preparation reads, and the call of the core that it makes."""

from __future__ import annotations

import pandas as pd

from ..stormwater_screen.errors import InputError
from ..stormwater_screen.layers import Layer
from ..stormwater_screen.prepare.files import Found
from ..stormwater_screen.prepare.hydrography import is_hydrography, prepare_hydrography
from ..stormwater_screen.prepare.impaired import is_assessment, prepare_impaired
from ..stormwater_screen.prepare.model import Prepared
from ..stormwater_screen.prepare.names import find_field
from ..stormwater_screen.prepare.parcels import is_parcels, prepare_parcels
from ..stormwater_screen.prepare.soils import mukeys_of, prepare_soils
from ..stormwater_screen.prepare.ssurgo import (
    SurveyTables,
    database_tables,
    joined,
    table_of_map_units,
    text_tables,
)
from ..stormwater_screen.prepare.wetlands import is_wetlands, prepare_wetlands
from ..stormwater_screen.progress import Progress
from .i18n import tr
from .preparation import RawReader


def soils(reader: RawReader, progress: Progress) -> Prepared:
    """Read soil polygons and their tables, and join them."""
    found = reader.found()
    polygons = reader.raw_layers("SOIL_POLYGONS", reader.near(), _soil_polygons, found)
    table = reader.table("TABLE")
    if table is not None:
        return prepare_soils(polygons, table_of_map_units(table[1], table[0]), progress=progress)
    return prepare_soils(polygons, _survey_tables(reader, found, polygons), progress=progress)


def _soil_polygons(one: Found) -> bool:
    return "Polygon" in one.geometry and find_field(one.fields, ("mukey",)) is not None


def _survey_tables(reader: RawReader, found: list[Found], polygons: list[Layer]) -> SurveyTables:
    """Return the tables of the download; else what the polygons themselves have."""
    tables = [some for bundle in reader.bundles() if (some := text_tables(bundle)).by_name]
    databases = {one.path for one in found if not one.geometry}
    for path in sorted(databases):
        own = [one for one in found if one.path == path]
        some = database_tables(own, mukeys_of(polygons))
        if some.by_name:
            tables.append(some)
    if tables:
        return joined(tables)
    rows = pd.concat([layer.frame.drop(columns="geometry") for layer in polygons])
    try:
        return table_of_map_units(rows, polygons[0].name)
    except InputError as error:
        needed = tr("{} or {} with the tables of the survey, or {}").format(
            "FOLDER", "FILE", "TABLE"
        )
        raise InputError("SOILS", tr("no table of map units"), needed) from error


def hydrography(reader: RawReader, progress: Progress) -> Prepared:
    """Read hydrography and sort it."""
    layers = reader.raw_layers("HYDROGRAPHY", reader.near(), _hydrography, reader.found())
    review = reader.algorithm.parameterAsBool(reader.parameters, "REVIEW", reader.context)
    return prepare_hydrography(layers, with_review=review, progress=progress)


def _hydrography(one: Found) -> bool:
    return is_hydrography(pd.DataFrame(columns=list(one.fields)))


def impaired(reader: RawReader, progress: Progress) -> Prepared:
    """Read assessed waters and sort them."""
    layers = reader.raw_layers("ASSESSMENTS", reader.near(), _assessments, reader.found())
    return prepare_impaired(layers, parameters=reader.table("PARAMETERS"), progress=progress)


def _assessments(one: Found) -> bool:
    return is_assessment(pd.DataFrame(columns=list(one.fields)))


def wetlands(reader: RawReader, progress: Progress) -> Prepared:
    """Read wetland layers and sort them."""
    layers = reader.raw_layers("WETLAND_LAYERS", reader.near(), _wetlands, reader.found())
    context = (reader.parameters, "AGENCY", reader.context)
    agency = reader.algorithm.parameterAsEnumString(*context)
    kinds = [] if agency in ("", "auto") else [agency] * len(layers)
    ponds = reader.algorithm.parameterAsEnumString(reader.parameters, "PONDS", reader.context)
    excluded = reader.layers("EXCLUDED")
    return prepare_wetlands(
        layers,
        kinds=kinds,
        ponds=ponds or "both",
        excluded=excluded[0].frame if excluded else None,
        progress=progress,
    )


def _wetlands(one: Found) -> bool:
    return is_wetlands(one.layer, one.fields)


def parcels(reader: RawReader, progress: Progress) -> Prepared:
    """Read tax parcels and give each one key."""
    layers = reader.raw_layers("PARCEL_LAYERS", reader.near(), _parcels, reader.found())
    return prepare_parcels(layers, progress=progress)


def _parcels(one: Found) -> bool:
    return "Polygon" in one.geometry and is_parcels(pd.DataFrame(columns=list(one.fields)))
