"""One run of `screensites`: read, one call of the core, write."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from qgis.core import (
    Qgis,
    QgsCoordinateReferenceSystem,
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingFeedback,
)

from ..stormwater_screen.columns import FINDING_COLUMNS, SCREENED_COLUMNS, ZONE_COLUMNS
from ..stormwater_screen.errors import InputError
from ..stormwater_screen.layers import Layer
from ..stormwater_screen.model import Options, Screening, ScreeningInputs
from ..stormwater_screen.ordinance import load_ordinance
from ..stormwater_screen.prepare.vicinity import vicinity_of
from ..stormwater_screen.screening import screen
from ..stormwater_screen.summary import summary_html
from .adapter import InputReader, SiteRows
from .base import progress_of
from .i18n import tr
from .parameters import GEOMETRY, PREPARED_FROM
from .sinks import Outputs, column_fields, column_rows, features, joined_fields

OUTPUTS = ("SCREENED", "FINDINGS", "ZONES", "SUMMARY")
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


def run(
    algorithm: QgsProcessingAlgorithm,
    parameters: dict[str, Any],
    context: QgsProcessingContext,
    feedback: QgsProcessingFeedback,
) -> dict[str, Any]:
    """Screen the sites and return the outputs by name."""
    read, judge, write = (progress_of(feedback, *part) for part in ((0, 0.1), (0.1, 0.9), (0.9, 1)))
    reader = InputReader(algorithm, parameters, context, lambda: read(0.5))
    with Outputs(algorithm, parameters, context, OUTPUTS, lambda: write(0.5)) as outputs:
        outputs.refuse_sources(reader.sources())
        ordinance = load_ordinance(
            # A NULL, as the window hands over, would be read as the text 0.
            algorithm.parameterAsFile(parameters, "ORDINANCE_FILE", context)
            if reader.given("ORDINANCE_FILE")
            else algorithm.parameterAsEnumString(parameters, "ORDINANCE", context),
            as_of=_as_of(algorithm, parameters, context),
        )
        options = _options(algorithm, parameters, context, want_zones="ZONES" in outputs.wanted)
        rows = reader.sites()
        inputs = _inputs(reader, rows)
        screening = screen(inputs, ordinance, options, progress=judge, message=feedback.pushInfo)
        for note in screening.notes:
            feedback.pushInfo(note)
        for note in _write(outputs, rows, screening):
            feedback.pushInfo(note)
        if "SUMMARY" in outputs.wanted:
            outputs.write_text("SUMMARY", summary_html(screening, inputs, ordinance, options))
        results = outputs.commit()
    feedback.pushInfo(", ".join(f"{name} {count}" for name, count in screening.counts.items()))
    return {**results, **screening.counts}


def _as_of(
    algorithm: QgsProcessingAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext
) -> date:
    moment = algorithm.parameterAsDateTime(parameters, "AS_OF", context)
    return moment.date().toPyDate() if moment.isValid() else date.today()


def _options(
    algorithm: QgsProcessingAlgorithm,
    parameters: dict[str, Any],
    context: QgsProcessingContext,
    *,
    want_zones: bool,
) -> Options:
    def word(name: str) -> str:
        return str(algorithm.parameterAsEnumString(parameters, name, context))

    def feet(name: str) -> float:
        return float(algorithm.parameterAsDouble(parameters, name, context))

    values = algorithm.parameterAsString(parameters, "IMPAIRED_STATUS_VALUES", context)
    return Options(
        discretionary=word("DISCRETIONARY"),
        plan_empty=word("PLAN_EMPTY"),
        project_type=word("PROJECT_TYPE") or None,
        high_traffic=word("HIGH_TRAFFIC"),
        dem_error_ft=feet("DEM_ERROR_FT"),
        water_error_ft=feet("WATER_ERROR_FT"),
        supply_error_ft=feet("SUPPLY_ERROR_FT"),
        contiguous_ft=feet("CONTIGUOUS_FT"),
        impaired_status_values=tuple(
            value.strip() for value in re.split("[;,]", values) if value.strip()
        ),
        want_zones=want_zones,
    )


def _inputs(reader: InputReader, rows: SiteRows) -> ScreeningInputs:
    status = [reader.given(f"IMPAIRED_STATUS_{part}") for part in ("FIELD", "VALUES")]
    if any(status) and not all(status):
        raise InputError(
            "IMPAIRED_STATUS_FIELD, IMPAIRED_STATUS_VALUES", tr("one without the other"), tr("both")
        )
    near = vicinity_of(rows.layer.frame)
    layers = {name: reader.layers(name, near if name in NEARBY else None) for name in LAYERS}
    where: dict[str, tuple[Layer, ...]] = dict.fromkeys(SITE_FIELDS, (rows.layer,))
    for layer, names in LAYER_FIELDS.items():
        where.update(dict.fromkeys(names, layers[layer]))
    given: Mapping[str, tuple[Layer, ...]] = {name: some for name, some in layers.items() if some}
    return ScreeningInputs(rows.layer, given, reader.fields(where), reader.dem())


def _write(outputs: Outputs, rows: SiteRows, screening: Screening) -> list[str]:
    """Write the three tables and return messages about renamed columns."""
    fields, kept, messages = joined_fields(
        rows.fields, rows.attributes, SCREENED_COLUMNS, outputs.wanted.get("SCREENED")
    )
    own = ([row[at] for at in kept] for row in rows.attributes)
    added = column_rows(SCREENED_COLUMNS, screening.columns)
    joined = (mine + ours for mine, ours in zip(own, added, strict=True))
    outputs.write_layer(
        "SCREENED", fields, features(fields, joined, screening.geometries), rows.crs
    )
    fields = column_fields(FINDING_COLUMNS)
    outputs.write_layer(
        "FINDINGS",
        fields,
        features(fields, column_rows(FINDING_COLUMNS, screening.findings)),
        QgsCoordinateReferenceSystem(),
        Qgis.WkbType.NoGeometry,
    )
    fields = column_fields(ZONE_COLUMNS)
    outputs.write_layer(
        "ZONES",
        fields,
        features(fields, column_rows(ZONE_COLUMNS, screening.zones), screening.zones.geometry),
        rows.crs,
    )
    return messages
