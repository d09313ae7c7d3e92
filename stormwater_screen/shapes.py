"""Shapes of many sites in the order of the sites, few of them in memory at a time."""

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

SITES_AT_ONCE = 5_000
"""Sites whose shapes are read together."""


class Shapes:
    """Shapes with their site and other columns, added in any order, read site by site.

    Parameters
    ----------
    crs
        Their CRS.
    then_by
        Columns by which the shapes of a site are ordered.
    """

    def __init__(self, crs: pyproj.CRS, then_by: tuple[str, ...] = ()) -> None:
        self.crs, self._then_by = crs, then_by
        self._spool: Spool[pd.DataFrame] = Spool()
        self._blocks: defaultdict[int, list[int]] = defaultdict(list)
        self._count = 0
        self._lock = threading.Lock()
        self._finish: Callable[[gpd.GeoDataFrame], gpd.GeoDataFrame] = lambda frame: frame
        self._nothing = gpd.GeoDataFrame({"row": np.empty(0, np.int64)}, geometry=[], crs=crs)

    def __len__(self) -> int:
        """Return the number of shapes."""
        return self._count

    def add(self, frame: gpd.GeoDataFrame) -> None:
        """Keep shapes; ``row`` is the place of the site, from 0.

        Raises
        ------
        ScreeningError
            Temporary files cannot be written.
        """
        table = pd.DataFrame(frame.drop(columns="geometry"))
        table["geometry"] = shapely.to_wkb(np.asarray(frame.geometry.array, dtype=object))
        block = table["row"].to_numpy(np.int64) // SITES_AT_ONCE
        for number in np.unique(block):
            piece = self._spool.add(table[block == number])
            with self._lock:
                self._blocks[int(number)].append(piece)
        with self._lock:
            self._count += len(frame)

    def finished(self, finish: Callable[[gpd.GeoDataFrame], gpd.GeoDataFrame]) -> Shapes:
        """Return the same shapes, each piece handed through a function when it is read."""
        other = copy.copy(self)
        other._finish = finish
        return other

    def pieces(self) -> Iterator[gpd.GeoDataFrame]:
        """Yield the shapes of some sites after the other; at least one piece, maybe empty."""
        if not self._blocks:
            yield self._finish(self._nothing)
        for block in sorted(self._blocks):
            table = pd.concat(map(self._spool.get, self._blocks[block]), ignore_index=True)
            table = table.sort_values(["row", *self._then_by], kind="stable", ignore_index=True)
            shapes = shapely.from_wkb(table.pop("geometry").to_numpy(object))
            yield self._finish(gpd.GeoDataFrame(table, geometry=shapes, crs=self.crs))

    def frame(self) -> gpd.GeoDataFrame:
        """Return all shapes; of a whole county they take much memory."""
        joined = pd.concat(self.pieces(), ignore_index=True)
        return gpd.GeoDataFrame(joined, geometry="geometry", crs=self.crs)
