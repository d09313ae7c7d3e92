"""What a run was given: layers, fields, choices and the law, for any algorithm of the provider."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields as fields_of
from dataclasses import replace
from datetime import date
from typing import Any

from qgis.core import QgsProcessingAlgorithm, QgsProcessingContext

from ..stormwater_screen.errors import InputError
from ..stormwater_screen.guessing import GUESSED, guess_fields, listed_values
from ..stormwater_screen.layers import Layer
from ..stormwater_screen.listing_rows import speaks_otherwise
from ..stormwater_screen.model import Options, ScreeningInputs
from ..stormwater_screen.ordinance import Ordinance, load_ordinance
from ..stormwater_screen.prepare.recognise import recognise
from ..stormwater_screen.prepare.vicinity import vicinity_of
from .adapter import InputReader, SiteRows
from .i18n import tr
from .parameters import GEOMETRY, PREPARED_FROM

SITE_FIELDS = (
    "SITE_ID",
    "DISTURBED_FIELD",
    "IMPERVIOUS_FIELD",
    "PROJECT_TYPE_FIELD",
    "PLAN_FIELD",
    "PLAN_TOTAL_FIELD",
    "MAX_OPEN_FIELD",
    "LOTS_FIELD",
    "LOT_MAX_FIELD",
    "ROAD_FIELD",
    "HIGH_TRAFFIC_FIELD",
    "ATTESTED_FIELD",
    "SWPPP_FIELD",
)
LAYERS = tuple(name for name in GEOMETRY if name != "SITES" and name not in PREPARED_FROM)
NEARBY = frozenset(
    {
        "WATER_BODIES",
        "WATERCOURSES",
        "WETLANDS",
        "WATER_SUPPLIES",
        "LEACH_FIELDS",
        "SOILS",
        "IMPAIRED",
        "TMDL",
        "SENSITIVE",
        "STREAM_CORRIDORS",
        "CULVERTS",
        "STORM_SEWERS",
    }
)
"""Layers of which only what lies near the sites is read. Of what people draw all is looked at."""
LAYER_FIELDS = {
    "SOILS": (
        "SOIL_GROUP_FIELD",
        "SOIL_KSAT_FIELD",
        "SOIL_WATER_TABLE_FIELD",
        "SOIL_BEDROCK_FIELD",
        "SOIL_PERC_FIELD",
        "SOIL_TRANSPORT_FIELD",
    ),
    "IMPAIRED": ("IMPAIRED_NAME_FIELD", "IMPAIRED_POLLUTANT_FIELD", "IMPAIRED_STATUS_FIELD"),
    "TMDL": ("TMDL_NAME_FIELD", "TMDL_POLLUTANT_FIELD", "TMDL_SOURCE_FIELD"),
}
_WORDS = {
    "discretionary": "DISCRETIONARY",
    "plan_empty": "PLAN_EMPTY",
    "project_type": "PROJECT_TYPE",
    "high_traffic": "HIGH_TRAFFIC",
}
_FEET = {
    "dem_error_ft": "DEM_ERROR_FT",
    "water_error_ft": "WATER_ERROR_FT",
    "supply_error_ft": "SUPPLY_ERROR_FT",
    "contiguous_ft": "CONTIGUOUS_FT",
    "follow_ft": "FOLLOW_FT",
    "pit_ft": "PIT_FT",
}
_NUMBERS = {"min_share_percent": "MIN_SHARE"}


def read_law(
    algorithm: QgsProcessingAlgorithm,
    parameters: dict[str, Any],
    context: QgsProcessingContext,
    suffix: str = "",
) -> Ordinance:
    """Return the law of ORDINANCE_FILE, else of ORDINANCE, on the day AS_OF."""
    moment = algorithm.parameterAsDateTime(parameters, f"AS_OF{suffix}", context)
    return load_ordinance(
        law_source(algorithm, parameters, context, suffix),
        as_of=moment.date().toPyDate() if moment.isValid() else date.today(),
    )


def law_source(
    algorithm: QgsProcessingAlgorithm,
    parameters: dict[str, Any],
    context: QgsProcessingContext,
    suffix: str = "",
) -> str:
    """Return the path of ORDINANCE_FILE, else the id of ORDINANCE."""
    file, name = f"ORDINANCE_FILE{suffix}", f"ORDINANCE{suffix}"
    # A NULL, as the window hands over, would be read as the text 0.
    own = str(parameters.get(file) or "") not in ("", "NULL")
    if own:
        return str(algorithm.parameterAsFile(parameters, file, context))
    return str(algorithm.parameterAsEnumString(parameters, name, context))


def read_options(
    algorithm: QgsProcessingAlgorithm,
    parameters: dict[str, Any],
    context: QgsProcessingContext,
    *,
    want_zones: bool,
) -> Options:
    """Return the choices of the run; what the algorithm has no parameter for keeps its default."""
    known = {definition.name() for definition in algorithm.parameterDefinitions()}
    chosen: dict[str, Any] = {"want_zones": want_zones}
    for key, name in _WORDS.items():
        if name in known:
            word = str(algorithm.parameterAsEnumString(parameters, name, context))
            chosen[key] = word or None
    for key, name in _FEET.items():
        if name in known:
            chosen[key] = float(algorithm.parameterAsDouble(parameters, name, context))
    for key, name in _NUMBERS.items():
        if name in known:
            chosen[key] = float(algorithm.parameterAsDouble(parameters, name, context))
    if "FOLLOW_RUNOFF" in known:
        chosen["follow_runoff"] = algorithm.parameterAsBool(parameters, "FOLLOW_RUNOFF", context)
    if "IMPAIRED_STATUS_VALUES" in known:
        values = algorithm.parameterAsString(parameters, "IMPAIRED_STATUS_VALUES", context)
        chosen["impaired_status_values"] = tuple(
            value.strip() for value in re.split("[;,]", values) if value.strip()
        )
    assert set(chosen) <= {one.name for one in fields_of(Options)}
    return Options(**chosen)


def read_inputs(
    reader: InputReader, rows: SiteRows, options: Options
) -> tuple[ScreeningInputs, Options, list[str]]:
    """Return what the run was given, with well-known fields found, and what is said of those."""
    known = {definition.name() for definition in reader.algorithm.parameterDefinitions()}
    near = vicinity_of(rows.layer.frame)
    layers = {
        name: reader.layers(name, near if name in NEARBY else None)
        for name in LAYERS
        if name in known
    }
    where: dict[str, tuple[Layer, ...]] = {
        name: (rows.layer,) for name in SITE_FIELDS if name in known
    }
    for layer, field_names in LAYER_FIELDS.items():
        where.update({name: layers[layer] for name in field_names if name in known})
    _refuse_half_a_status(reader, options)
    fields = reader.fields(where)
    refuse_other_status(reader, options)
    raw: Mapping[str, tuple[Layer, ...]] = {name: some for name, some in layers.items() if some}
    recognised = recognise(raw, fields, options.impaired_status_values)
    given, options = (
        recognised.layers,
        replace(options, impaired_status_values=recognised.status_values),
    )
    fields = {name: field for name, field in recognised.fields.items() if name in known}
    guesses = guess_fields(
        {"SITES": (rows.layer,), **given},
        fields,
        known & set(GUESSED),
        status_values=options.impaired_status_values,
    )
    fields = {**fields, **guesses.fields}
    if guesses.status_values:
        options = replace(options, impaired_status_values=guesses.status_values)
    if options.impaired_status_values and "IMPAIRED_STATUS_FIELD" not in fields:
        raise _half_a_status()
    inputs = ScreeningInputs(rows.layer, given, fields, reader.dem() if "DEM" in known else None)
    return inputs, options, [*recognised.notes, *guesses.notes]


def refuse_other_status(reader: InputReader, options: Options) -> None:
    """Refuse status values that no listed water has: all would count as not listed."""
    wanted = options.impaired_status_values
    if not wanted or not reader.given("IMPAIRED_STATUS_FIELD") or not reader.given("IMPAIRED"):
        return
    field = str(reader.parameters["IMPAIRED_STATUS_FIELD"])
    found = reader.distinct("IMPAIRED", field)
    if speaks_otherwise(found, wanted):
        shown = sorted(str(value) for value in found if value is not None)[:8]
        raise InputError(
            "IMPAIRED_STATUS_VALUES",
            tr("no feature has {} in the field {}").format(", ".join(wanted), field),
            tr("some of {}").format(", ".join(shown)),
        )


def _refuse_half_a_status(reader: InputReader, options: Options) -> None:
    if not reader.given("IMPAIRED_STATUS_FIELD") or options.impaired_status_values:
        return
    field = str(reader.parameters["IMPAIRED_STATUS_FIELD"])
    if not listed_values(field):
        raise _half_a_status()


def _half_a_status() -> InputError:
    return InputError(
        "IMPAIRED_STATUS_FIELD, IMPAIRED_STATUS_VALUES",
        tr("one without the other"),
        tr("both"),
    )
