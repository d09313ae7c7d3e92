"""The page of a check of inputs."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import jinja2

from .checking import LEVELS, Checks

TEMPLATES: Final = Path(__file__).parent.parent / "resources" / "templates"

_TITLES: Final = {
    "error": ("Stops a run", "A screening with these inputs ends without a result."),
    "unknown": ("Comes out unknown", "A screening runs, and these answers stay open."),
    "warning": ("Look at it", "A screening runs; this may not be what you mean."),
    "info": ("For the record", "What the inputs are and what was found in them."),
}


def checks_html(checks: Checks, *, sites: str, law: str) -> str:
    """Return the page of a check.

    Parameters
    ----------
    checks
        What was found.
    sites
        Name of the layer of sites, or why there is none.
    law
        Title of the law with its day, or empty.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    table = checks.table()
    found = [
        (level, *_TITLES[level], table[table["level"] == level].to_dict("records"))
        for level in LEVELS
        if (table["level"] == level).any()
    ]
    return environment.get_template("checks.html").render(
        sites=sites, law=law, verdict=verdict(checks), groups=found
    )


def verdict(checks: Checks) -> str:
    """Return the result of a check in one sentence."""
    errors, unknowns = checks.count("error"), checks.count("unknown")
    first = f"{errors} problem(s) stop a run" if errors else "Nothing stops a run"
    then = f"{unknowns} finding(s) leave answers open" if unknowns else "nothing stays open"
    return f"{first}; {then}."
