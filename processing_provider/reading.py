"""What a run was given: layers, fields, choices and the law, for any algorithm of the provider."""

from __future__ import annotations

import re
from dataclasses import fields as fields_of
from datetime import date
from typing import Any

from qgis.core import QgsProcessingAlgorithm, QgsProcessingContext

from ..stormwater_screen import reading
from ..stormwater_screen.model import Options, ScreeningInputs
from ..stormwater_screen.ordinance import Ordinance, load_ordinance
from .adapter import InputReader, SiteRows

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
    return reading.read_inputs(reader, rows.layer, options, known)
