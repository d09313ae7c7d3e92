"""One run of `screensites`: read, one call of the core, write."""

from __future__ import annotations

from typing import Any

from qgis.core import (
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingFeedback,
)

from ..stormwater_screen.columns import FINDING_COLUMNS, SCREENED_COLUMNS, ZONE_COLUMNS
from ..stormwater_screen.model import Screening
from ..stormwater_screen.screening import screen
from ..stormwater_screen.summary import summary_html
from .adapter import InputReader, SiteRows
from .base import progress_of
from .reading import read_inputs, read_law, read_options
from .sinks import Outputs
from .writing import title_of, write_shapes, write_sites, write_table

OUTPUTS = ("SCREENED", "FINDINGS", "ZONES", "SUMMARY")


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
        ordinance = read_law(algorithm, parameters, context)
        options = read_options(algorithm, parameters, context, want_zones="ZONES" in outputs.wanted)
        rows = reader.sites()
        inputs, options, guessed = read_inputs(reader, rows, options)
        screening = screen(inputs, ordinance, options, progress=judge, message=feedback.pushInfo)
        screening.notes[:0] = guessed
        for note in screening.notes:
            feedback.pushInfo(note)
        for note in _write(outputs, rows, screening):
            feedback.pushInfo(note)
        outputs.dress("SCREENED", "class", title_of("Screened sites", rows))
        outputs.dress("ZONES", "zones", title_of("Zones", rows))
        outputs.dress("FINDINGS", "", title_of("Findings", rows))
        if "SUMMARY" in outputs.wanted:
            outputs.write_text("SUMMARY", summary_html(screening, inputs, ordinance, options))
        results = outputs.commit()
    feedback.pushInfo(", ".join(f"{name} {count}" for name, count in screening.counts.items()))
    return {**results, **screening.counts}


def _write(outputs: Outputs, rows: SiteRows, screening: Screening) -> list[str]:
    """Write the three tables and return messages about renamed columns."""
    messages = write_sites(
        outputs, "SCREENED", rows, SCREENED_COLUMNS, screening.columns, screening.geometries
    )
    write_table(outputs, "FINDINGS", FINDING_COLUMNS, screening.finding_rows)
    write_shapes(outputs, "ZONES", ZONE_COLUMNS, screening.zones, rows.crs)
    return messages
