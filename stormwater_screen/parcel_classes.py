"""What stands on a parcel now, by its New York property class: a hint, never a project type."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd

from .errors import InputError
from .facts import Texts, texts
from .tables import TABLES, known_fields, read_rows

COLUMNS = ("from", "to", "use", "meaning")


class ParcelClasses:
    """Ranges of property classes.

    Parameters
    ----------
    path
        CSV with the columns from, to, use, meaning; None: the shipped table.

    Raises
    ------
    InputError
        A range is no range of whole numbers, or overlaps the one before.
    """

    def __init__(self, path: Path | None = None) -> None:
        path = path or TABLES / "parcel_classes.csv"
        rows = []
        for line, row in read_rows(path, COLUMNS):
            where = f"table {path.name}, line {line}, key {row['from']!r}"
            if not (row["from"].isdigit() and row["to"].isdigit() and row["meaning"]):
                raise InputError(where, "no range of classes", "two whole numbers and a meaning")
            rows.append((int(row["from"]), int(row["to"]), row["use"], row["meaning"]))
            if rows[-1][0] > rows[-1][1] or (len(rows) > 1 and rows[-1][0] <= rows[-2][1]):
                raise InputError(where, "a range that overlaps", "ranges in rising order")
        self._table = pd.DataFrame(rows, columns=list(COLUMNS))

    def meaning(self, classes: Texts) -> Texts:
        """Return what each class means; empty where the table does not have it.

        Parameters
        ----------
        classes
            Texts that begin with the three digits of a class, or None.
        """
        digits = pd.Series(classes, dtype=object).astype("string").str.extract(r"^\s*(\d{3})")[0]
        number = pd.to_numeric(digits).to_numpy(np.float64, na_value=np.nan)
        place = np.searchsorted(self._table["from"], number, "right") - 1
        inside = (place >= 0) & (number <= self._table["to"].to_numpy()[place])
        result = texts(len(number))
        result[inside] = self._table["meaning"].to_numpy()[place[inside]]
        return result


@lru_cache(maxsize=1)
def parcel_classes() -> ParcelClasses:
    """Return the shipped table."""
    return ParcelClasses()


def existing_use_hints(parcels: pd.DataFrame) -> Texts:
    """Return a sentence on the present use of each parcel; empty where its class says nothing.

    Parameters
    ----------
    parcels
        Attributes; a field named as New York's parcels name the property class is looked for.
    """
    name = known_fields().guess("PROP_CLASS", map(str, parcels.columns))
    result = texts(len(parcels))
    if name is None:
        return result
    meanings = parcel_classes().meaning(parcels[name].to_numpy(dtype=object))
    found = meanings != ""
    result[found] = [
        f"{name} {value}: {meaning} now, which only hints at the project type"
        for value, meaning in zip(parcels[name][found], meanings[found], strict=True)
    ]
    return result
