"""Decisions of the board that stand beside the answers of the program."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

import pandas as pd

from ..errors import InputError
from ..ordinance import Ordinance

COLUMNS: Final = ("site", "rule", "outcome", "reason", "who", "date")
ANSWERS: Final = ("yes", "no", "review", "unknown", "not_applicable")
SITE_COLUMNS: Final = ("class", "is_major", "lda", "cond_a", "cond_b", "cond_c")
"""Answers of a whole site that may be overridden beside those of single rules."""

_ROW = re.compile(r"row\s+(\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class Override:
    """A decision of the board.

    Attributes
    ----------
    row
        Place of the site in the input, from 1.
    rule
        Id of a rule, or a name of ``SITE_COLUMNS``.
    outcome
        What the board decided: a word of ``ANSWERS`` or, of the class, a class word of the law.
    reason, who, day
        Why, by whom and when.
    """

    row: int
    rule: str
    outcome: str
    reason: str
    who: str
    day: str


def read_overrides(
    table: pd.DataFrame, rows: Sequence[int], ids: Sequence[str], ordinance: Ordinance, where: str
) -> dict[int, list[Override]]:
    """Return the decisions of the board for each site, by its row.

    Parameters
    ----------
    table
        Columns ``site`` (the id of a site, or its row as ``row 12``), ``rule``, ``outcome``,
        ``reason``, ``who``, ``date``, in any letter case and order.
    rows, ids
        Rows and ids of the sites.
    ordinance
        The law, whose rules and classes are known.
    where
        Name of the table, for messages.

    Raises
    ------
    InputError
        A column is missing; a decision has no reason, name or date; its site, rule or outcome is
        not known; two decisions are about the same thing.
    """
    plain = table.rename(columns={name: str(name).strip().casefold() for name in table})
    missing = [name for name in COLUMNS if name not in plain]
    if missing:
        raise InputError(where, f"no column {', '.join(missing)}", f"columns {', '.join(COLUMNS)}")
    found: dict[int, list[Override]] = {}
    for place, values in enumerate(plain[list(COLUMNS)].itertuples(index=False), start=1):
        texts = dict(zip(COLUMNS, (_text(value) for value in values), strict=True))
        if not any(texts.values()):
            continue
        override = _override(texts, rows, ids, ordinance, f"{where}, row {place}")
        same = found.setdefault(override.row, [])
        if any(other.rule == override.rule for other in same):
            raise InputError(
                f"{where}, row {place}",
                f"a second decision on {override.rule} of the site {texts['site']}",
                "one decision on each rule of a site: the one that holds",
            )
        same.append(override)
    return found


def _text(value: object) -> str:
    if value is None or value is pd.NaT or (isinstance(value, float) and value != value):
        return ""
    if isinstance(value, datetime | date):
        return value.isoformat()[:10]
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


def _override(
    texts: dict[str, str],
    rows: Sequence[int],
    ids: Sequence[str],
    ordinance: Ordinance,
    where: str,
) -> Override:
    for name, needed in (
        ("reason", "the reason in writing; a decision without one is not taken"),
        ("who", "who decided"),
        ("date", "the day of the decision, as 2025-06-30"),
        ("rule", "the id of a rule, or class"),
    ):
        if not texts[name]:
            raise InputError(where, f"no {name}", needed)
    try:
        day = date.fromisoformat(texts["date"][:10].replace("/", "-")).isoformat()
    except ValueError as error:
        raise InputError(where, f"date {texts['date']}", "a day as 2025-06-30") from error
    rule = _rule(texts["rule"], ordinance, where)
    outcome = _outcome(texts["outcome"], rule, ordinance, where)
    row = _row(texts["site"], rows, ids, where)
    return Override(row, rule, outcome, texts["reason"], texts["who"], day)


def _rule(text: str, ordinance: Ordinance, where: str) -> str:
    known = {name.casefold(): name for name in (*ordinance.rules, *SITE_COLUMNS)}
    if text.casefold() not in known:
        raise InputError(
            where, f"rule {text}", f"a rule of {ordinance.file}, or {', '.join(SITE_COLUMNS)}"
        )
    return known[text.casefold()]


def _outcome(text: str, rule: str, ordinance: Ordinance, where: str) -> str:
    words = (*ordinance.classes.labels, "review", "unknown") if rule == "class" else ANSWERS
    word = text.casefold().replace(" ", "_")
    if word not in words:
        raise InputError(where, f"outcome {text or 'empty'}", f"one of {', '.join(words)}")
    return word


def _row(text: str, rows: Sequence[int], ids: Sequence[str], where: str) -> int:
    named = [row for row, name in zip(rows, ids, strict=True) if name and name == text]
    if len(named) == 1:
        return named[0]
    match = _ROW.fullmatch(text)
    if not named and match and int(match[1]) in rows:
        return int(match[1])
    if len(named) > 1:
        found = f"site {text}, an id of {len(named)} sites"
        raise InputError(where, found, f"the row of the site, as row {named[0]}")
    raise InputError(where, f"site {text or 'empty'}", "the id of a site, or its row as row 12")
