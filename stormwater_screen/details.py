"""Details of a measure: what is worth a finding beside the facts themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pandas as pd

COLUMNS = ("row", "id", "outcome", "value", "unit", "text", "source", "figures")
"""``figures`` holds the numbers behind a finding as JSON, or nothing."""


@dataclass
class Details:
    """Rows that become findings."""

    rows: list[tuple[int, str, str, float, str, str, str, str]] = field(default_factory=list)

    def add(
        self,
        row: int,
        name: str,
        value: float,
        text: str,
        source: str,
        *,
        outcome: str = "info",
        unit: str = "sq ft",
    ) -> None:
        """Add a row.

        Parameters
        ----------
        row
            Place of the site among the sites of the call, from 0; -1: of the run as a whole.
        name
            Short id of the finding, as ``disturbance_split``.
        value, unit
            Number and its unit.
        text, source
            Explanation, and the layer or field it comes from.
        outcome
            ``info``, or an outcome.
        """
        self.rows.append((int(row), name, outcome, float(value), unit, text, source, ""))

    def frame(self) -> pd.DataFrame:
        """Return the rows as a table with the columns of `COLUMNS`."""
        return pd.DataFrame(self.rows, columns=list(COLUMNS))


def stacked(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return the rows of tables of the same columns one below the other.

    Empty tables are left out, since pandas lets them decide the kind of a column.
    """
    filled = [table.dropna(axis="columns", how="all") for table in tables if len(table)]
    if not filled:
        return tables[0].iloc[:0]
    return pd.concat(filled, ignore_index=True).reindex(columns=tables[0].columns)
