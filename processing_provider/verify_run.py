"""One run of `verifyrun`: screen again from the record, compare, write what differs."""

from __future__ import annotations

from typing import Any

import pandas as pd
from qgis.core import (
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingFeatureSourceDefinition,
    QgsProcessingFeedback,
    QgsProperty,
)

from ..stormwater_screen.columns import FINDING_COLUMNS, SCREENED_COLUMNS
from ..stormwater_screen.digests import site_digests
from ..stormwater_screen.errors import InputError
from ..stormwater_screen.record import Record
from ..stormwater_screen.report.content import ReportInputs, check_outputs
from ..stormwater_screen.verifying import (
    DIFFERENCE_COLUMNS,
    Difference,
    difference_table,
    edited_sites,
    record_differences,
    site_differences,
)
from .adapter import InputReader
from .base import progress_of
from .i18n import tr
from .report_inputs import reader_of
from .run import Run, screened
from .screensites import ScreenSites
from .sinks import Outputs
from .writing import write_table

_MOST_SHOWN = 40


def run_verification(
    algorithm: QgsProcessingAlgorithm,
    parameters: dict[str, Any],
    context: QgsProcessingContext,
    feedback: QgsProcessingFeedback,
) -> dict[str, Any]:
    """Compare a run with the same run made again and return the counts."""
    read, work, write = (
        progress_of(feedback, *part) for part in ((0, 0.05), (0.05, 0.95), (0.95, 1))
    )
    reader = reader_of(algorithm, parameters, context, read)
    with Outputs(algorithm, parameters, context, ("DIFFERENCES",), lambda: write(0.5)) as outputs:
        outputs.refuse_sources({"inputs": [str(path) for path in reader.read_files()]})
        before = reader.outputs()
        check_outputs(before)
        again = InputReader(
            ScreenSites().create(), _parameters(before.record), context, lambda: work(0.0)
        )
        done = screened(again, work, feedback.pushInfo, want_zones=False)
        found = differences(before, done)
        write_table(outputs, "DIFFERENCES", DIFFERENCE_COLUMNS, difference_table(found))
        results = outputs.commit()
    return {**results, **_tell(found, feedback)}


def differences(before: ReportInputs, done: Run) -> list[Difference]:
    """Return all differences: of what went in first, then of the sites."""
    sites = pd.DataFrame(before.sites.drop(columns=before.sites.geometry.name))
    names = ["" if pd.isna(name) else str(name) for name in sites["site_id"]]
    digests = site_digests(sites, before.findings, SCREENED_COLUMNS, FINDING_COLUMNS)
    rows = [int(row) for row in sites["row"]]
    return [
        *record_differences(before.record, done.record()),
        *edited_sites(before.record, rows, names, digests),
        *site_differences(sites, before.findings, done.screening.columns, done.screening.findings),
    ]


def _parameters(record: Record) -> dict[str, Any]:
    """Return the recorded parameters as Processing takes them."""
    given: dict[str, Any] = {}
    for name, value in record["parameters"].items():
        if isinstance(value, dict) and "source" in value:
            if value.get("selectedFeaturesOnly"):
                raise InputError(
                    f"RECORD, {name}",
                    tr("selected features only; which ones is not known any more"),
                    tr("a run on whole layers, or on a filter"),
                )
            source = QgsProcessingFeatureSourceDefinition()
            source.source = QgsProperty.fromValue(value["source"])
            source.filterExpression = str(value.get("filter") or "")
            source.featureLimit = int(value.get("featureLimit", -1))
            given[name] = source
        else:
            given[name] = value
    return given


def _tell(found: list[Difference], feedback: QgsProcessingFeedback) -> dict[str, Any]:
    """Say what differs and return the counts."""
    causes = [one for one in found if one.what not in ("site", "table")]
    for one in causes:
        feedback.pushInfo(tr("Changed: {}").format(one.text))
    edited = {one.row for one in found if one.what == "table"}
    if edited:
        told = tr("The tables were changed by hand on {}.")
        feedback.pushWarning(told.format(_rows(edited)))
    touched = {one.row for one in found if one.what == "site" and one.row > 0}
    if touched:
        feedback.pushInfo(tr("To be screened again: {}.").format(_rows(touched)))
    else:
        feedback.pushInfo(tr("The answers of all sites are the same."))
    return {
        "DIFFERENCE_COUNT": len(found),
        "CHANGED_INPUT_COUNT": len(causes),
        "CHANGED_SITE_COUNT": len(touched | edited),
        "CHANGED_SITES": ",".join(map(str, sorted(touched | edited))),
    }


def _rows(rows: set[int]) -> str:
    named = ", ".join(map(str, sorted(rows)[:_MOST_SHOWN]))
    if len(rows) > _MOST_SHOWN:
        more = len(rows) - _MOST_SHOWN
        return tr("{} site(s), row {} and {} more").format(len(rows), named, more)
    return tr("{} site(s), row {}").format(len(rows), named)
