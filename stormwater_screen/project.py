"""What people say of their projects: type, common plan, subdivision, traffic, papers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from .details import Details
from .errors import InputError
from .fact_names import PROJECT_TYPES
from .facts import Fact, Quantity, Word, missing_quantity, missing_word, texts, typed
from .fields import (
    Words,
    number_field,
    project_type_field,
    project_type_word,
    text_field,
    yes_no_field,
)
from .parcel_classes import existing_use_hints
from .plans import NO_FIELD, Mates, no_plans, plan_areas, read_plans

NO_PLAN_TEXT: Final = (
    "assumed not to be part of a larger common plan of development, since no field of plan ids is"
    " given; as a part of one it may be a land development activity below one acre too"
)

SETTLE_TYPE: Final = "the project type"

NUMBER_FIELDS: Final[dict[str, tuple[str, str, str]]] = {
    "max_open": ("MAX_OPEN_FIELD", "sq ft", "the largest area open at one time"),
    "lots": ("LOTS_FIELD", "lots", "the number of lots"),
    "lot_max": ("LOT_MAX_FIELD", "sq ft", "the largest disturbance of a lot"),
    "road": ("ROAD_FIELD", "sq ft", "the disturbance of the subdivision road"),
}
"""Typed numbers by fact: parameter, unit, what would settle them."""

WORD_FIELDS: Final[dict[str, tuple[str, str]]] = {
    "high_traffic": ("HIGH_TRAFFIC_FIELD", "whether the area has high traffic"),
    "attested": ("ATTESTED_FIELD", "the papers that show an exemption"),
    "swppp_approved": ("SWPPP_FIELD", "whether a SWPPP is approved"),
}
"""Yes or no by fact: parameter, what would settle it."""


@dataclass(frozen=True)
class Project:
    """What is known of the projects.

    Attributes
    ----------
    facts
        ``project_type``, ``common_plan``, ``plan_total``, ``lda_area`` and those of
        `NUMBER_FIELDS` and `WORD_FIELDS`.
    details
        What else is worth a finding: row, id, outcome, value, unit, text, source.
    notes
        Sentences on entries that could not be used.
    """

    facts: dict[str, Fact]
    details: pd.DataFrame
    notes: tuple[str, ...]


def project_facts(
    sites: pd.DataFrame,
    disturbed: Quantity,
    fields: Mapping[str, str],
    *,
    layer: str,
    project_type: str | None = None,
    plan_empty: str = "unknown",
    high_traffic: str = "unknown",
    mates: Mates | None = None,
) -> Project:
    """Return what the sites' fields say of the projects.

    Common plans are summed over all rows, so all sites of the run belong in one call, or the other
    sites of their plans are told.

    Parameters
    ----------
    sites
        Attributes of all sites of the run, in their order.
    disturbed
        Their disturbed area.
    fields
        Names of fields by parameter name; a parameter that is absent is not given.
    layer
        Name of the layer of sites.
    project_type
        One type for all sites where no field is given.
    plan_empty
        What an empty plan id means: ``unknown`` or ``none``.
    high_traffic
        ``unknown``, ``yes`` or ``no`` for sites whose field says nothing.
    mates
        Other sites of the run that belong to the same common plans.

    Raises
    ------
    InputError
        A field does not exist, or a word of a parameter is none of those allowed.
    """
    count = len(sites)
    facts: dict[str, Fact] = {}
    notes: list[str] = []
    details = Details()
    facts["project_type"] = _project_type(sites, fields, layer, project_type, notes)
    for name, (parameter, unit, settle) in NUMBER_FIELDS.items():
        field = fields.get(parameter)
        if not field:
            reason = f"{settle} is not given"
            facts[name] = missing_quantity(count, unit, reason=reason, settle=settle)
            continue
        found = number_field(sites, field, layer=layer, unit=unit, whole=unit == "lots")
        notes += found.notes
        quantity = typed(found.value, unit, source=f"field {field}", settle=settle)
        quantity.reason[:] = found.reason
        facts[name] = quantity
    for name, (parameter, settle) in WORD_FIELDS.items():
        default = high_traffic if name == "high_traffic" else "unknown"
        field = fields.get(parameter)
        facts[name] = _yes_no(sites, field, layer, default, settle, notes)
    _common_plan(sites, disturbed, fields, layer, plan_empty, facts, details, notes, mates)
    return Project(facts, details.frame(), tuple(notes))


def _project_type(
    sites: pd.DataFrame,
    fields: Mapping[str, str],
    layer: str,
    project_type: str | None,
    notes: list[str],
) -> Word:
    count = len(sites)
    for_all = project_type_word(project_type)
    if project_type and for_all is None:
        listed = ", ".join(PROJECT_TYPES)
        raise InputError("PROJECT_TYPE", f"the word {project_type!r}", f"one of {listed}")
    field = fields.get("PROJECT_TYPE_FIELD")
    if field:
        if for_all:
            notes.append(f"PROJECT_TYPE is not used, since field {field} is given")
        found = project_type_field(sites, field, layer=layer)
        notes += found.notes
        word = _word(found, SETTLE_TYPE)
    elif for_all:
        none = texts(count)
        return Word(texts(count, for_all), texts(count, "PROJECT_TYPE"), none, none.copy())
    else:
        word = missing_word(count, reason="the project type is not given", settle=SETTLE_TYPE)
    hints = existing_use_hints(sites)
    rows = (hints != "") & np.array([value is None for value in word.value], dtype=bool)
    word.reason[rows] = word.reason[rows] + "; " + hints[rows]
    return word


def _word(found: Words, settle: str) -> Word:
    unknown = np.array([value is None for value in found.value], dtype=bool)
    source = texts(len(unknown), f"field {found.field}")
    return Word(found.value, source, found.reason, np.where(unknown, settle, "").astype(object))


def _yes_no(
    sites: pd.DataFrame,
    field: str | None,
    layer: str,
    default: str,
    settle: str,
    notes: list[str],
) -> Word:
    """Return a field as yes or no, with the default where it says nothing."""
    if default not in ("unknown", "yes", "no"):
        raise InputError("HIGH_TRAFFIC", f"the word {default!r}", "one of unknown, yes, no")
    if field:
        found = yes_no_field(sites, field, layer=layer)
        notes += found.notes
        word = _word(found, settle)
    else:
        word = missing_word(len(sites), reason="not given", settle=settle)
    if default != "unknown":
        unknown = np.array([value is None for value in word.value], dtype=bool)
        word.value[unknown] = default
        word.source[unknown] = "HIGH_TRAFFIC"
        word.reason[unknown] = word.settle[unknown] = ""
    return word


def _common_plan(
    sites: pd.DataFrame,
    disturbed: Quantity,
    fields: Mapping[str, str],
    layer: str,
    plan_empty: str,
    facts: dict[str, Fact],
    details: Details,
    notes: list[str],
    mates: Mates | None,
) -> None:
    """Add the facts on common plans."""
    if plan_empty not in ("unknown", "none"):
        raise InputError("PLAN_EMPTY", f"the word {plan_empty!r}", "one of unknown, none")
    count = len(sites)
    field, total_field = fields.get("PLAN_FIELD"), fields.get("PLAN_TOTAL_FIELD")
    totals = number_field(sites, total_field, layer=layer) if total_field else None
    if field:
        entries = text_field(sites, field, layer=layer)
        plans = read_plans(entries, field, layer=layer, plan_empty=plan_empty)
    else:
        plans = no_plans(count)
        for row in range(count):
            details.add(row, "common_plan", np.nan, NO_PLAN_TEXT, NO_FIELD, unit="")
        if totals is not None:
            notes.append(f"field {totals.field} of plan totals is not used without PLAN_FIELD")
    id_field = fields.get("SITE_ID")
    nameless = np.full(count, None, dtype=object)
    site_ids = text_field(sites, id_field, layer=layer) if id_field else nameless
    notes += plans.notes
    facts["common_plan"] = plans.word
    facts["plan_total"], facts["lda_area"] = plan_areas(
        plans, disturbed, totals, site_ids, details, mates
    )
