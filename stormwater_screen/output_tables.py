"""Columns and findings of sites in the form in which outputs hold them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from .coded import Coded, Vocabulary, cut_texts, small_codes, text_sizes
from .columns import FINDING_COLUMNS, Column
from .progress import Progress, no_progress
from .rule_findings import RuleRows


def shaped(table: pd.DataFrame, columns: Sequence[Column]) -> pd.DataFrame:
    """Return the columns in their order, texts cut to their length, nothing as None."""
    values_of = {}
    for column in columns:
        values = table[column.name]
        if column.kind == "text":
            values_of[column.name] = _texts(values, column.length)
        elif column.kind == "integer":
            values_of[column.name] = values.to_numpy(np.int64)
        else:
            numbers = values.to_numpy(np.float64)
            values_of[column.name] = np.where(np.isfinite(numbers), numbers, np.nan)
    return pd.DataFrame(values_of)


def _texts(values: pd.Series, length: int) -> npt.NDArray[np.object_]:
    return cut_texts(values.astype(object).where(values.notna(), None).to_numpy(), length)


def finding_table(
    rules: RuleRows | None,
    details: pd.DataFrame,
    ids: npt.NDArray[np.object_],
    run_id: str,
    progress: Progress = no_progress,
    *,
    before: int = 0,
) -> Coded:
    """Return rules and details in one table, site by site; the run as a whole has row 0.

    ``before`` sites are judged already: ``rules`` count from there.
    """
    judged = {} if rules is None else dict(rules.values)
    told = Vocabulary() if rules is None else rules.vocabulary
    count = len(judged.get("row", ()))
    if count:
        judged["row"] = judged["row"] + before
    # Rules count rows from 1, details count places from 0, with -1 for the run as a whole.
    extra = details.rename(columns={"id": "rule"}).assign(row=details["row"] + 1)
    values: dict[str, npt.NDArray[Any]] = {}
    for number, column in enumerate(FINDING_COLUMNS):
        progress(number / len(FINDING_COLUMNS))
        name = column.name
        own = extra[name] if name in extra else pd.Series([None] * len(extra), dtype=object)
        if column.kind == "text":
            parts = [judged.get(name, told.constant(None, count)), told.of_column(own)]
        else:
            kind = np.int32 if column.kind == "integer" else np.float64
            missing = np.full(count, np.nan)
            numbers = own.to_numpy(dtype=np.float64)
            parts = [part.astype(kind) for part in (judged.get(name, missing), numbers)]
        values[name] = np.concatenate(parts)
    values["value"][~np.isfinite(values["value"])] = np.nan
    texts = told.texts()
    sizes = text_sizes(texts)
    named = [column for column in FINDING_COLUMNS if column.kind == "text"]
    by_column = {
        column.name: cut_texts(texts, column.length, sizes, values[column.name]) for column in named
    }
    for column in named:
        values[column.name] = small_codes(values[column.name], len(texts))
    own_ids = ids[before : max(int(values["row"].max(initial=0)), before)]
    by_column["site_id"] = cut_texts(np.r_[[None], own_ids], _length("site_id"))
    by_column["run_id"] = np.array([run_id], dtype=object)
    values["site_id"] = small_codes(np.maximum(values["row"] - before, 0), len(own_ids) + 1)
    values["run_id"] = np.zeros(len(values["row"]), np.int8)
    order = np.argsort(values["row"], kind="stable").astype(np.int32)
    return Coded(FINDING_COLUMNS, values, by_column, order)


def _length(name: str) -> int:
    return next(column.length for column in FINDING_COLUMNS if column.name == name)
