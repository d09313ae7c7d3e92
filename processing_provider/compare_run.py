"""One run of `compareordinances`: read, measure once, judge twice, write."""

from __future__ import annotations

from typing import Any

from qgis.core import QgsProcessingAlgorithm, QgsProcessingContext, QgsProcessingFeedback

from ..stormwater_screen.columns import CHANGE_COLUMNS, COMPARED_COLUMNS
from ..stormwater_screen.comparing import compare
from ..stormwater_screen.errors import InputError
from .adapter import InputReader
from .base import progress_of
from .i18n import tr
from .reading import read_inputs, read_law, read_options
from .sinks import Outputs
from .writing import title_of, write_sites, write_table


def run_compare(
    algorithm: QgsProcessingAlgorithm,
    parameters: dict[str, Any],
    context: QgsProcessingContext,
    feedback: QgsProcessingFeedback,
) -> dict[str, Any]:
    """Judge the sites twice and return the outputs by name."""
    read, work, write = (progress_of(feedback, *part) for part in ((0, 0.1), (0.1, 0.9), (0.9, 1)))
    reader = InputReader(algorithm, parameters, context, lambda: read(0.5))
    with Outputs(
        algorithm, parameters, context, ("OUTPUT", "CHANGES"), lambda: write(0.5)
    ) as outputs:
        outputs.refuse_sources(reader.sources())
        laws = [read_law(algorithm, parameters, context, suffix) for suffix in ("", "_2")]
        if (laws[0].file, laws[0].as_of) == (laws[1].file, laws[1].as_of):
            raise InputError(
                "ORDINANCE_2, AS_OF_2",
                tr("the same law on the same day"),
                tr("another law or day"),
            )
        options = read_options(algorithm, parameters, context, want_zones=False)
        rows = reader.sites()
        inputs, options, guessed = read_inputs(reader, rows, options)
        found = compare(inputs, laws[0], laws[1], options, progress=work)
        for note in [*guessed, *found.notes]:
            feedback.pushInfo(note)
        for note in write_sites(
            outputs, "OUTPUT", rows, COMPARED_COLUMNS, found.columns, found.geometries
        ):
            feedback.pushInfo(note)
        write_table(outputs, "CHANGES", CHANGE_COLUMNS, found.changes)
        outputs.dress("OUTPUT", "changed", title_of(algorithm.displayName(), rows))
        outputs.dress("CHANGES", "", title_of("Rules by which classes change", rows))
        results = outputs.commit()
    feedback.pushInfo(", ".join(f"{name} {count}" for name, count in found.counts.items()))
    return {**results, **found.counts}
