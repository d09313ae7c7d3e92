"""Rows and shapes of many sites in the order of the sites, few of them in memory at a time."""

from __future__ import annotations

import copy
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator

import geopandas as gpd
import numpy as np
import pandas as pd
import pyproj
import shapely

from .spool import Spool

SITES_AT_ONCE = 2_500
"""Sites whose rows are read together."""

SHAPES_AT_ONCE = 2_500
"""Shapes that are made together: as objects they take several times the memory of their bytes."""


class SiteRows:
    """Rows of tables with the same columns, added in any order, read site by site.

    Parameters
    ----------
    nothing
        The table without rows.
    then_by
        Columns by which the rows of a site are ordered; none: as they were added.
    """

    def __init__(self, nothing: pd.DataFrame, then_by: tuple[str, ...] = ()) -> None:
        self._nothing, self._then_by = nothing, then_by
        self._spool: Spool[pd.DataFrame] = Spool()
        self._blocks: defaultdict[int, list[int]] = defaultdict(list)
        self._count = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """Return the number of rows."""
        return self._count

    def add(self, table: pd.DataFrame) -> None:
        """Keep rows; ``row`` is the place of the site, from 0, or -1: of the run as a whole.

        The rows of a site that are added in different calls must differ in ``then_by``, or come
        from one thread.

        Raises
        ------
        ScreeningError
            Temporary files cannot be written.
        """
        block = np.maximum(table["row"].to_numpy(np.int64), 0) // SITES_AT_ONCE
        for number in np.unique(block):
            piece = self._spool.add(table[block == number])
            with self._lock:
                self._blocks[int(number)].append(piece)
        with self._lock:
            self._count += len(table)

    def block(self, number: int) -> pd.DataFrame:
        """Return the rows of the sites from ``number * SITES_AT_ONCE`` on, and what has none."""
        pieces = [self._spool.get(piece) for piece in self._blocks.get(number, ())]
        table = pd.concat(pieces, ignore_index=True) if pieces else self._nothing
        return table.sort_values(["row", *self._then_by], kind="stable", ignore_index=True)

    def blocks(self) -> Iterator[pd.DataFrame]:
        """Yield the rows of some sites after the other."""
        yield from map(self.block, sorted(self._blocks))


class Shapes:
    """Shapes with their site and other columns.

    Parameters
    ----------
    crs
        Their CRS.
    then_by
        Columns by which the shapes of a site are ordered.
    """

    def __init__(self, crs: pyproj.CRS, then_by: tuple[str, ...] = ()) -> None:
        self.crs = crs
        nothing = pd.DataFrame({"row": np.empty(0, np.int64), "geometry": np.empty(0, object)})
        self._rows = SiteRows(nothing, then_by)
        self._nothing = nothing
        self._finish: Callable[[gpd.GeoDataFrame], gpd.GeoDataFrame] = lambda frame: frame

    def __len__(self) -> int:
        """Return the number of shapes."""
        return len(self._rows)

    def add(self, frame: gpd.GeoDataFrame) -> None:
        """Keep shapes; ``row`` is the place of the site, from 0. See `SiteRows.add`."""
        table = pd.DataFrame(frame.drop(columns="geometry"))
        table["geometry"] = shapely.to_wkb(np.asarray(frame.geometry.array, dtype=object))
        self._rows.add(table)

    def finished(self, finish: Callable[[gpd.GeoDataFrame], gpd.GeoDataFrame]) -> Shapes:
        """Return the same shapes, each piece handed through a function when it is read."""
        other = copy.copy(self)
        other._finish = finish
        return other

    def pieces(self) -> Iterator[gpd.GeoDataFrame]:
        """Yield the shapes of some sites after the other; at least one piece, maybe empty."""
        for block in self._rows.blocks() if len(self) else iter([self._nothing]):
            for start in range(0, max(len(block), 1), SHAPES_AT_ONCE):
                table = block.iloc[start : start + SHAPES_AT_ONCE].reset_index(drop=True)
                shapes = shapely.from_wkb(table.pop("geometry").to_numpy(object))
                yield self._finish(gpd.GeoDataFrame(table, geometry=shapes, crs=self.crs))

    def frame(self) -> gpd.GeoDataFrame:
        """Return all shapes; of a whole county they take much memory."""
        joined = pd.concat(self.pieces(), ignore_index=True)
        return gpd.GeoDataFrame(joined, geometry="geometry", crs=self.crs)
