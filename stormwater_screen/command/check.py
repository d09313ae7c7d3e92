"""The command ``check``: look at all inputs, write what was found, fail if asked to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..checking import Checks
from ..checking_page import checks_html, verdict
from ..columns import CHECK_COLUMNS
from ..comparing import law_on_a_day
from ..file_reader import FileReader
from ..output_tables import shaped
from ..outputs import Staging, typed, write_rows, write_text
from ..progress import no_progress
from ..reading import attempt, look_at_inputs, refuse_failed_checks
from .request import Parameters, law_of, options_of
from .screen import places_of

Say = Callable[[str], None]


def run_check(parameters: Parameters, say: Say) -> Mapping[str, Any]:
    """Look at the inputs and return outputs and counts by name.

    Parameters
    ----------
    parameters
        What was given, by name.
    say
        Takes a sentence.

    Raises
    ------
    ScreeningError
        An output cannot be written, or FAIL_ON asks for it; then the checks are written.
    """
    reader = FileReader(parameters)
    places = places_of(parameters, "check", reader) if _wanted(parameters) else {}
    checks = Checks()
    found = attempt(checks, "ORDINANCE", lambda: law_of(parameters))
    law = None if found is None else found[1]
    sites = attempt(checks, "SITES", reader.sites)
    if sites is not None:
        options = options_of(parameters, want_zones=False)
        look_at_inputs(reader, sites, law, options, checks, no_progress)
    with Staging(places) as staging:
        if "CHECKS" in places:
            table = shaped(checks.table(), CHECK_COLUMNS)
            write_rows(staging.path("CHECKS"), [typed(table, CHECK_COLUMNS)])
        if "REPORT" in places:
            title = f"{law.title}, {law_on_a_day(law)}" if law else ""
            name = sites.name if sites else "no sites"
            write_text(staging.path("REPORT"), checks_html(checks, sites=name, law=title))
        results = staging.commit()
    for row in checks.table().to_dict("records"):
        text = f"{row['level']}: {row['input']} {row['layer']}: {row['found']}"
        say(text + (f". {row['todo']}" if row["todo"] else ""))
    say(verdict(checks))
    refuse_failed_checks(checks, str(parameters.get("FAIL_ON", "never")))
    counts = {f"{level.upper()}_COUNT": checks.count(level) for level in ("error", "unknown")}
    return {
        **results,
        **counts,
        "WARNING_COUNT": checks.count("warning"),
        "SITE_COUNT": len(sites.frame) if sites else 0,
    }


def _wanted(parameters: Parameters) -> bool:
    return "CHECKS" in parameters or "REPORT" in parameters
