"""One run of `checkinputs`: read what can be read, look at it, write, and fail if asked to."""

from __future__ import annotations

from typing import Any

from qgis.core import QgsProcessingAlgorithm, QgsProcessingContext, QgsProcessingFeedback

from ..stormwater_screen.checking import Checks
from ..stormwater_screen.checking_page import checks_html, verdict
from ..stormwater_screen.columns import CHECK_COLUMNS
from ..stormwater_screen.comparing import law_on_a_day
from ..stormwater_screen.output_tables import shaped
from ..stormwater_screen.reading import attempt, look_at_inputs, refuse_failed_checks
from .adapter import InputReader
from .base import progress_of
from .reading import read_law, read_options
from .sinks import Outputs
from .writing import write_table


def run_check(
    algorithm: QgsProcessingAlgorithm,
    parameters: dict[str, Any],
    context: QgsProcessingContext,
    feedback: QgsProcessingFeedback,
) -> dict[str, Any]:
    """Look at the inputs and return the outputs by name.

    Raises
    ------
    ScreeningError
        FAIL_ON asks for it; the outputs are written all the same.
    """
    read, work = (progress_of(feedback, *part) for part in ((0, 0.4), (0.4, 1)))
    reader = InputReader(algorithm, parameters, context, lambda: read(0.5))
    checks = Checks()
    with Outputs(
        algorithm, parameters, context, ("CHECKS", "REPORT"), lambda: work(1.0)
    ) as outputs:
        outputs.refuse_sources(reader.sources(lenient=True))
        law = attempt(checks, "ORDINANCE", lambda: read_law(algorithm, parameters, context))
        options = read_options(algorithm, parameters, context, want_zones=False)
        rows = attempt(checks, "SITES", reader.sites)
        if rows is not None:
            look_at_inputs(reader, rows.layer, law, options, checks, work)
        write_table(outputs, "CHECKS", CHECK_COLUMNS, shaped(checks.table(), CHECK_COLUMNS))
        title = f"{law.title}, {law_on_a_day(law)}" if law else ""
        name = rows.layer.name if rows else "no sites"
        if "REPORT" in outputs.wanted:
            outputs.write_text("REPORT", checks_html(checks, sites=name, law=title))
        outputs.dress("CHECKS", "", f"Checks ({name})")
        results = outputs.commit()
    _tell(checks, feedback)
    fail_on = str(algorithm.parameterAsEnumString(parameters, "FAIL_ON", context))
    refuse_failed_checks(checks, fail_on)
    counts = {f"{level.upper()}_COUNT": checks.count(level) for level in ("error", "unknown")}
    return {
        **results,
        **counts,
        "WARNING_COUNT": checks.count("warning"),
        "SITE_COUNT": len(rows.layer.frame) if rows else 0,
    }


def _tell(checks: Checks, feedback: QgsProcessingFeedback) -> None:
    for row in checks.table().to_dict("records"):
        text = f"{row['level']}: {row['input']} {row['layer']}: {row['found']}"
        tell = feedback.pushInfo if row["level"] == "info" else feedback.pushWarning
        tell(text + (f". {row['todo']}" if row["todo"] else ""))
    feedback.pushInfo(verdict(checks))
