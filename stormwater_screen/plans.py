"""Common plans of development: which sites belong to one, and what it disturbs altogether."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from .details import Details
from .facts import Floats, Quantity, Texts, Word, texts
from .fields import Numbers
from .outcomes import REVIEW, UNKNOWN

Bools = npt.NDArray[np.bool_]

SETTLE_PLAN: Final = "whether the site is part of a larger common plan"
SETTLE_TOTAL: Final = "the total disturbance of the common plan"
NO_FIELD: Final = "assumed: no plan field given"

_EMPTY_WORDS: Final = ("n/a", "na", "#n/a", "nan", "null", "<null>", "nil", "-", "--")
_NONE_WORDS: Final = ("none", "no")
_UNKNOWN_WORDS: Final = ("unknown", "not known", "?", "tbd", "nd", "not available", "0")


@dataclass(frozen=True)
class Plans:
    """Membership in common plans.

    Attributes
    ----------
    word
        The fact ``common_plan``: ``yes``, ``no`` or not known.
    plan
        Id of the plan; None where the site is in none, where that is not known, and where the
        field says ``yes`` only.
    notes
        Sentences on doubtful ids.
    """

    word: Word
    plan: Texts
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Mates:
    """Other sites of a run that belong to the common plans of some of its sites.

    Attributes
    ----------
    rows
        Rows of the some among all sites of the run, rising.
    table
        One row for each of the others, by ``row`` among all sites: ``plan`` (id), ``own`` (id of
        the site, or None), ``low``, ``high``, ``error``, ``tolerance`` (of its disturbed area, in
        square feet), ``typed`` (total of the plan as its row says it, NaN where it says none).
    """

    rows: npt.NDArray[np.int64]
    table: pd.DataFrame


def no_plans(count: int) -> Plans:
    """Return the membership where no plan field is given: no site is assumed to be in a plan."""
    word = Word(texts(count, "no"), texts(count, NO_FIELD), texts(count), texts(count))
    return Plans(word, np.full(count, None, dtype=object), ())


def read_plans(entries: Texts, field: str, *, layer: str, plan_empty: str = "unknown") -> Plans:
    """Return the membership that a field of plan ids tells.

    The word ``none`` (or ``no``) says that a site is in no plan; ``yes`` says that it is in one
    without saying which; a mark for not known (``?``, ``tbd``, ``0``) is not known.

    Parameters
    ----------
    entries
        Trimmed texts, None where empty.
    field, layer
        Names, for messages.
    plan_empty
        ``none`` where an empty entry means that the site is in no plan; else ``unknown``.
    """
    count = len(entries)
    lower = np.array([(entry or "").casefold() for entry in entries], dtype=object)
    empty = np.isin(lower, ["", *_EMPTY_WORDS])
    not_known = np.isin(lower, _UNKNOWN_WORDS) | (empty & (plan_empty != "none"))
    outside = np.isin(lower, _NONE_WORDS) | (empty & (plan_empty == "none"))
    value = np.full(count, "yes", dtype=object)
    value[outside] = "no"
    value[not_known] = None
    source = texts(count, f"field {field}")
    source[empty & outside] = f"field {field}, where empty means none"
    reason = texts(count)
    reason[empty & not_known] = f"field {field} is empty"
    strange = not_known & ~empty
    reason[strange] = [f"field {field} says {entry!r}" for entry in entries[strange]]
    word = Word(value, source, reason, np.where(not_known, SETTLE_PLAN, "").astype(object))
    plan = entries.copy()
    plan[np.isin(lower, ["yes", "y"]) | (value != "yes")] = None
    return Plans(word, plan, _doubtful_ids(plan, field, layer))


def _doubtful_ids(plan: Texts, field: str, layer: str) -> tuple[str, ...]:
    ids = pd.Series(plan, dtype=object).dropna().drop_duplicates()
    alike = ids.astype(str).str.casefold().str.split().str.join(" ").duplicated(keep=False)
    if not alike.any():
        return ()
    listed = ", ".join(repr(name) for name in ids[alike][:6])
    return (f"{layer}: field {field} has ids that differ in case or blanks only: {listed}",)


def plan_areas(
    plans: Plans,
    disturbed: Quantity,
    typed_total: Numbers | None,
    site_ids: Texts,
    details: Details,
    mates: Mates | None = None,
) -> tuple[Quantity, Quantity]:
    """Return what each site's plan disturbs, and what the acre rules look at.

    A typed total wins over the sum of the plan's sites, and a difference is reported; a site of its
    own that is larger than the typed total counts as it is. The sum of a plan of which the run has
    one site only is no total.

    Parameters
    ----------
    plans
        Membership, for all sites of the run or for a part of them.
    disturbed
        Disturbed area of the same sites.
    typed_total
        Typed totals; None: no field is given.
    site_ids
        Id of each site, None where it has none: a site that stands in several rows may be one.
    details
        Takes differences.
    mates
        The other sites of the plans, where the sites are a part of the run.

    Returns
    -------
    plan_total
        0 for sites in no plan (without a value).
    lda_area
        The plan's total for sites in a plan, else the site's own area.
    """
    count = len(site_ids)
    in_plan = plans.word.value == "yes"
    open_plan = np.array([word is None for word in plans.word.value], dtype=bool)
    sums = _sums(plans.plan, disturbed, site_ids, mates)
    typed, typed_field = _typed_totals(plans.plan, in_plan, typed_total, details, mates)
    known = ~np.isnan(typed)
    summed = in_plan & ~known & (sums["members"].to_numpy() > 1)
    lone = in_plan & ~known & ~summed
    low = np.where(lone | open_plan, disturbed.low, 0.0)
    high = np.where(lone | open_plan, np.inf, 0.0)
    low, high = np.where(summed, sums["low"], low), np.where(summed, sums["high"], high)
    low, high = np.where(known, typed, low), np.where(known, typed, high)
    reason, settle = texts(count), texts(count)
    reason[lone] = "the total of the common plan is not given"
    unknown_member = summed & ~np.isfinite(sums["high"].to_numpy())
    reason[unknown_member] = "the disturbed area of a site of the common plan is not known"
    doubled = summed & (sums["repeated"].to_numpy() > 0) & ~unknown_member
    reason[doubled] = "a site stands in several rows of the common plan: it may count once or more"
    settle[lone | unknown_member | doubled] = SETTLE_TOTAL
    reason[open_plan], settle[open_plan] = plans.word.reason[open_plan], SETTLE_PLAN
    reason[~in_plan & ~open_plan] = "not part of a common plan"
    source = np.where(known, f"field {typed_field}", plans.word.source)
    source = np.where(summed, "sum over the sites of the common plan", source).astype(object)
    total = Quantity(
        value=np.where((low == high) & in_plan, low, np.nan),
        low=low,
        high=high,
        unit="sq ft",
        error=np.where(summed, sums["error"], 0.0),
        hides=False,
        tolerance=np.where(summed, sums["tolerance"], 0.0),
        between=np.where(doubled, REVIEW, UNKNOWN).astype(np.int8),
        source=source,
        reason=reason,
        settle=settle,
    )
    _report(plans.plan, typed, sums, summed, disturbed, details)
    return total, _lda_area(total, disturbed, in_plan, open_plan)


def _with_mates(own: pd.DataFrame, mates: Mates | None) -> pd.DataFrame:
    """Return the rows of sites and of their mates in the order of the run; ``at`` is the site."""
    own["at"] = np.arange(len(own))
    if mates is None:
        return own
    own["row"] = mates.rows
    beside = mates.table[["row", *own.columns.drop(["at", "row"])]].assign(at=-1)
    both = pd.concat([own, beside], ignore_index=True) if len(beside) else own
    return both.sort_values("row", kind="stable", ignore_index=True)


def _of_sites(values: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """Return the values of the sites alone, in their order."""
    there = (rows["at"] >= 0).to_numpy()
    return values[there].reset_index(drop=True)


def _sums(plan: Texts, disturbed: Quantity, site_ids: Texts, mates: Mates | None) -> pd.DataFrame:
    """Return for each site the sums of its plan; zeros for a site without a plan id."""
    own = pd.DataFrame(
        {
            "plan": plan,
            "low": disturbed.low,
            "high": disturbed.high,
            "error": disturbed.error,
            "tolerance": np.broadcast_to(disturbed.tolerance, len(plan)),
            "own": site_ids,
        }
    )
    rows = _with_mates(own, mates)
    count = len(rows)
    for name in ("plan", "own"):
        rows[name] = pd.factorize(rows[name].astype(object))[0]
    # Rows without an id are sites of their own; factorize marks them all with -1.
    rows["own"] = np.where(rows["own"] < 0, -1 - np.arange(count), rows["own"])
    by_plan = rows.groupby("plan")
    sums = by_plan[["high", "error", "tolerance"]].transform("sum")
    once = rows.groupby(["plan", "own"], as_index=False)["low"].max()
    sums["low"] = once.groupby("plan")["low"].sum().reindex(rows["plan"]).to_numpy()
    sums["members"] = by_plan["low"].transform("size")
    distinct = once.groupby("plan").size().reindex(rows["plan"]).to_numpy()
    sums["repeated"] = sums["members"] - distinct
    return _of_sites(sums.where(rows["plan"] >= 0, 0.0), rows)


def _typed_totals(
    plan: Texts, in_plan: Bools, typed: Numbers | None, details: Details, mates: Mates | None
) -> tuple[Floats, str]:
    """Return the typed total of each site's plan, NaN where none of its sites has one."""
    if typed is None:
        return np.full(len(plan), np.nan), ""
    own = np.where(in_plan, typed.value, np.nan)
    rows = _with_mates(pd.DataFrame({"plan": plan, "typed": own}), mates)
    rows["plan"] = pd.factorize(rows["plan"].astype(object))[0]
    shared = rows.groupby("plan")["typed"]
    ends = pd.DataFrame({end: shared.transform(end) for end in ("max", "min")})
    ends = _of_sites(ends, rows)
    largest, smallest = ends["max"].to_numpy(), ends["min"].to_numpy()
    named = np.array([one is not None for one in plan], dtype=bool)
    for row in np.flatnonzero(named & (largest > smallest)):
        text = (
            f"the rows of plan {plan[row]} give totals from {smallest[row]:,.0f} to"
            f" {largest[row]:,.0f} sq ft; the largest is used"
        )
        details.add(row, "plan_totals_differ", largest[row], text, f"field {typed.field}")
    return np.where(named, largest, own), typed.field


def _report(
    plan: Texts,
    typed: Floats,
    sums: pd.DataFrame,
    summed: Bools,
    disturbed: Quantity,
    details: Details,
) -> None:
    low, high = sums["low"].to_numpy(), sums["high"].to_numpy()
    members = sums["members"].to_numpy()
    differs = ((low > typed * 1.001 + 1) | (high < typed * 0.999 - 1)) & (members > 1)
    for row in np.flatnonzero(differs):
        text = (
            f"the total of plan {plan[row]} is given as {typed[row]:,.0f} sq ft, its"
            f" {members[row]:.0f} sites of this run disturb {low[row]:,.0f} sq ft; the given total"
            " is used"
        )
        details.add(row, "plan_total_differs", low[row], text, "common plan")
    for row in np.flatnonzero(disturbed.low > typed):
        text = (
            f"the site alone disturbs more than the given total of its plan, {typed[row]:,.0f} sq"
            " ft; the site's own area is used"
        )
        details.add(row, "plan_total_below_site", disturbed.low[row], text, "common plan")
    for row in np.flatnonzero(summed):
        text = f"the total of plan {plan[row]} is the sum over its {members[row]:.0f} sites"
        details.add(row, "plan_summed", low[row], text + " of this run", "common plan")


def _lda_area(total: Quantity, disturbed: Quantity, in_plan: Bools, open_plan: Bools) -> Quantity:
    """Return the area that the acre rules look at: never less than the site's own."""
    own_high = np.where(np.isfinite(disturbed.high), disturbed.high, 0.0)
    low = np.where(in_plan, np.maximum(total.low, disturbed.low), disturbed.low)
    high = np.where(in_plan, np.maximum(total.high, own_high), disturbed.high)
    high = np.where(open_plan, np.inf, high)
    from_total = in_plan & (total.low >= disturbed.low) & np.isfinite(total.high)
    known = low == high
    plan_open = open_plan & np.isfinite(disturbed.high)
    from_plan = in_plan | plan_open
    return replace(
        disturbed,
        value=np.where(known, low, np.nan),
        low=low,
        high=high,
        error=np.where(from_total, total.error, disturbed.error),
        tolerance=np.where(from_total, total.tolerance, disturbed.tolerance),
        between=np.where(from_plan, total.between, disturbed.between).astype(np.int8),
        source=np.where(in_plan, total.source, disturbed.source).astype(object),
        reason=np.where(known, "", np.where(from_plan, total.reason, disturbed.reason)).astype(
            object
        ),
        settle=np.where(known, "", np.where(from_plan, total.settle, disturbed.settle)).astype(
            object
        ),
    )
