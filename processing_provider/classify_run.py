"""One run of `classifysites`: read, judge, write."""

from __future__ import annotations

from typing import Any

from qgis.core import QgsProcessingAlgorithm, QgsProcessingContext, QgsProcessingFeedback

from ..stormwater_screen.columns import FINDING_COLUMNS, columns_of
from ..stormwater_screen.screening import classify_sites
from .adapter import InputReader
from .base import progress_of
from .reading import read_inputs, read_law, read_options
from .sinks import Outputs
from .writing import title_of, write_sites, write_table


def run_classify(
    algorithm: QgsProcessingAlgorithm,
    parameters: dict[str, Any],
    context: QgsProcessingContext,
    feedback: QgsProcessingFeedback,
) -> dict[str, Any]:
    """Judge the sites and return the outputs by name."""
    read, work, write = (progress_of(feedback, *part) for part in ((0, 0.3), (0.3, 0.8), (0.8, 1)))
    reader = InputReader(algorithm, parameters, context, lambda: read(0.5))
    with Outputs(
        algorithm, parameters, context, ("OUTPUT", "FINDINGS"), lambda: write(0.5)
    ) as outputs:
        outputs.refuse_sources(reader.sources())
        law = read_law(algorithm, parameters, context)
        options = read_options(algorithm, parameters, context, want_zones=False)
        rows = reader.sites()
        inputs, options, guessed = read_inputs(reader, rows, options)
        screening = classify_sites(inputs, law, options, progress=work)
        for note in [*guessed, *screening.notes]:
            feedback.pushInfo(note)
        columns = columns_of("rules")
        for note in write_sites(
            outputs, "OUTPUT", rows, columns, screening.columns, screening.geometries
        ):
            feedback.pushInfo(note)
        write_table(outputs, "FINDINGS", FINDING_COLUMNS, screening.finding_rows)
        outputs.dress("OUTPUT", "class", title_of(algorithm.displayName(), rows))
        results = outputs.commit()
    feedback.pushInfo(", ".join(f"{name} {count}" for name, count in screening.counts.items()))
    return {**results, **screening.counts}
