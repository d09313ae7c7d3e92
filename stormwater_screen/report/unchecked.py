"""What a report leaves open: what was not given, and the facts that would settle open points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..ordinance import Ordinance
from ..record import Record
from ..summary_texts import NOT_GIVEN

Finding = dict[str, Any]


@dataclass(frozen=True)
class Open:
    """A fact that would settle open points.

    Attributes
    ----------
    fact
        What has to be found out.
    points
        What it settles.
    decides
        True where the class depends on it.
    """

    fact: str
    points: list[str]
    decides: bool


def not_given(record: Record) -> Iterator[tuple[str, str]]:
    """Yield what was not given to the run, and what follows from it."""
    given = {str(layer["role"]) for layer in (*record["layers"], *record["rasters"])}
    given |= {name for name, found in record["options"].get("fields", {}).items() if found}
    if record["options"].get("project_type"):
        given.add("PROJECT_TYPE")
    for parameters, title, consequence in NOT_GIVEN:
        if not given.intersection(parameters):
            yield title, consequence


def open_points(
    findings: Sequence[Finding], site: Mapping[str, Any], ordinance: Ordinance
) -> list[Open]:
    """Return the facts that would settle what is open, those that the class depends on first.

    Parameters
    ----------
    findings
        Findings of the site.
    site
        Columns of the site: ``class`` and ``settle``.
    ordinance
        The law.
    """
    points: dict[str, list[str]] = {}
    for finding in findings:
        rule = ordinance.rules.get(finding["rule"])
        if rule is None or finding["outcome"] not in ("review", "unknown"):
            continue
        # One fact is enough where the rule names several that must all be known.
        fact = str(finding["settle"] or "what the law leaves to the municipality")
        points.setdefault(fact, []).append(rule.id)
    of_class = str(site["settle"] or "") if site["class"] in ("review", "unknown") else ""
    told = [
        Open(fact, rules, any(part and part in of_class for part in fact.split("; ")))
        for fact, rules in points.items()
    ]
    return sorted(told, key=lambda one: (not one.decides, -len(one.points)))
