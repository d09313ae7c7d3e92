"""One run of a step: read, measure, write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qgis.core import Qgis, QgsProcessingContext, QgsProcessingFeedback

from ..stormwater_screen.columns import (
    FINDING_COLUMNS,
    LINE_COLUMNS,
    PATH_COLUMNS,
    ZONE_COLUMNS,
    columns_of,
)
from ..stormwater_screen.measuring import Demands
from ..stormwater_screen.screening import take_step
from .adapter import InputReader
from .base import progress_of
from .reading import read_inputs, read_law, read_options
from .sinks import Outputs
from .writing import title_of, write_shapes, write_sites, write_table

if TYPE_CHECKING:
    from .steps import StepAlgorithm

OUTPUTS = ("OUTPUT", "ZONES", "LINES", "PATHS", "OUTLETS", "FINDINGS")


def run_step(
    algorithm: StepAlgorithm,
    parameters: dict[str, Any],
    context: QgsProcessingContext,
    feedback: QgsProcessingFeedback,
) -> dict[str, Any]:
    """Measure the sites and return the outputs by name."""
    read, work, write = (progress_of(feedback, *part) for part in ((0, 0.1), (0.1, 0.9), (0.9, 1)))
    reader = InputReader(algorithm, parameters, context, lambda: read(0.5))
    names = [name for name in OUTPUTS if algorithm.parameterDefinition(name) is not None]
    with Outputs(algorithm, parameters, context, names, lambda: write(0.5)) as outputs:
        outputs.refuse_sources(reader.sources())
        demands = _demands(algorithm, parameters, context)
        options = read_options(algorithm, parameters, context, want_zones="ZONES" in outputs.wanted)
        rows = reader.sites()
        inputs, options, guessed = read_inputs(reader, rows, options)
        step = take_step(inputs, algorithm.STEPS, demands, options, progress=work)
        for note in [*guessed, *step.notes]:
            feedback.pushInfo(note)
        columns = columns_of(*algorithm.STEPS)
        for note in write_sites(outputs, "OUTPUT", rows, columns, step.columns, step.geometries):
            feedback.pushInfo(note)
        write_shapes(outputs, "ZONES", ZONE_COLUMNS, step.zones, rows.crs)
        line = Qgis.WkbType.MultiLineString
        write_shapes(outputs, "LINES", LINE_COLUMNS, step.lines, rows.crs, line)
        write_shapes(outputs, "PATHS", PATH_COLUMNS, step.paths, rows.crs, line)
        point = Qgis.WkbType.Point
        write_shapes(outputs, "OUTLETS", PATH_COLUMNS, step.outlets, rows.crs, point)
        write_table(outputs, "FINDINGS", FINDING_COLUMNS, step.findings)
        outputs.dress("OUTPUT", algorithm.STYLE, title_of(algorithm.displayName(), rows))
        outputs.dress("ZONES", "zones", title_of(algorithm.ZONES, rows))
        outputs.dress("LINES", "slope_lines", title_of(algorithm.LINES, rows))
        results = outputs.commit()
    feedback.pushInfo(f"SITE_COUNT {len(step.columns)}")
    return {**results, "SITE_COUNT": len(step.columns)}


def _demands(
    algorithm: StepAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext
) -> Demands:
    if algorithm.parameterDefinition("ORDINANCE") is not None:
        return Demands.of(read_law(algorithm, parameters, context))
    if algorithm.parameterDefinition("ZONE_FT") is not None:
        width = algorithm.parameterAsDouble(parameters, "ZONE_FT", context)
        return Demands(near_water_ft=float(width))
    return Demands()
