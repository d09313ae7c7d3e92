"""Facts and columns of many sites, few of them in memory at a time."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from .facts import Fact, Facts, taken, with_shared_texts
from .part import Part
from .shapes import SITES_AT_ONCE, SiteRows


def block_rows(count: int) -> list[slice]:
    """Return the places of the sites of each block; at least one block, maybe empty."""
    starts = range(0, max(count, 1), SITES_AT_ONCE)
    return [slice(start, min(start + SITES_AT_ONCE, count)) for start in starts]


@dataclass(frozen=True)
class Some:
    """What was measured of some sites that follow each other.

    Attributes
    ----------
    facts
        Facts of the measures.
    columns
        Columns of the measures, one row a site.
    infiltration_sqft
        Where infiltration may stand: one column a text of the law, in sq ft; None: not measured.
    """

    facts: Facts
    columns: pd.DataFrame
    infiltration_sqft: pd.DataFrame | None


class Measured:
    """What was measured of all sites of a run, read some sites at a time in their order.

    Parameters
    ----------
    count
        Number of sites.

    Attributes
    ----------
    whole_site
        True for sites judged as if wholly disturbed.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self.whole_site = np.zeros(count, bool)
        self._facts, self._columns, self._areas = _Tables(), _Tables(), _Tables()
        self._kinds: dict[str, Fact] = {}

    def add(self, places: npt.NDArray[np.intp], part: Part) -> None:
        """Keep what was found of sites; threads may add.

        Every site must be given once with each fact and column, and those that come together of
        one site must come together of all.

        Parameters
        ----------
        places
            Places of the sites of the part among all sites, from 0.
        part
            What was found of them; shapes, details and notes are not kept.
        """
        facts = with_shared_texts(part.facts)
        for name, fact in facts.items():
            self._kinds.setdefault(name, taken(Facts(0, {name: fact}), slice(0, 0)).by_name[name])
        arrays = {
            f"{name}.{attribute}": values
            for name, fact in facts.items()
            for attribute, values in _arrays(fact).items()
        }
        for tables, table in (
            (self._facts, pd.DataFrame(arrays, index=pd.RangeIndex(len(places)))),
            (self._columns, part.columns),
            (self._areas, part.infiltration_sqft),
        ):
            if table is not None:
                tables.add(places, table)
        if part.whole_site is not None:
            self.whole_site[places] = part.whole_site

    def blocks(self) -> Iterator[Some]:
        """Yield what was found of the sites of each block."""
        for number, rows in enumerate(block_rows(self.count)):
            count = rows.stop - rows.start
            columns, areas, facts = (
                tables.block(number, count) for tables in (self._columns, self._areas, self._facts)
            )
            known = self._areas.given
            yield Some(self._of_table(facts, self._kinds), columns, areas if known else None)

    def facts(self, names: Collection[str] | None = None) -> Facts:
        """Return facts of all sites; of a whole county all of them take much memory.

        Parameters
        ----------
        names
            Names of the facts that are wanted; None: all.
        """
        wanted = [name for name in self._kinds if names is None or name in names]
        columns = [f"{name}.{key}" for name in wanted for key in _arrays(self._kinds[name])]
        blocks = [
            self._facts.block(number, rows.stop - rows.start, columns)
            for number, rows in enumerate(block_rows(self.count))
        ]
        return self._of_table(pd.concat(blocks, ignore_index=True), wanted)

    def _of_table(self, table: pd.DataFrame, names: Collection[str]) -> Facts:
        found = Facts(len(table))
        for name in names:
            kind = self._kinds[name]
            arrays = {key: table[f"{name}.{key}"].to_numpy() for key in _arrays(kind)}
            found.by_name[name] = replace(kind, **arrays)
        return found


class _Tables:
    """Tables of the same sites with different columns, side by side."""

    def __init__(self) -> None:
        self._tables: dict[tuple[str, ...], SiteRows] = {}
        self._lock = threading.Lock()

    @property
    def given(self) -> bool:
        """Whether any were added, be they without columns."""
        return bool(self._tables)

    def add(self, places: npt.NDArray[np.intp], table: pd.DataFrame) -> None:
        names = tuple(map(str, table.columns))
        with self._lock:
            if names not in self._tables:
                self._tables[names] = SiteRows(table.iloc[:0].assign(row=places[:0]).copy())
        self._tables[names].add(table.assign(row=places))

    def block(
        self, number: int, count: int, columns: Collection[str] | None = None
    ) -> pd.DataFrame:
        """Return the rows of a block; where nothing is kept, rows without columns."""
        blocks = [
            rows.block(number).drop(columns="row")
            for names, rows in self._tables.items()
            if columns is None or not set(columns).isdisjoint(names)
        ]
        if not blocks:
            return pd.DataFrame(index=pd.RangeIndex(count))
        if any(len(block) != count for block in blocks):
            raise ValueError(f"{[len(block) for block in blocks]} sites measured of {count}")
        joined = pd.concat(blocks, axis=1)
        return joined if columns is None else joined[list(columns)]


def _arrays(fact: Fact) -> dict[str, Any]:
    """Return what a fact has for each site, by the names of its attributes."""
    values = {attribute.name: getattr(fact, attribute.name) for attribute in fields(fact)}
    return {name: value for name, value in values.items() if isinstance(value, np.ndarray)}
