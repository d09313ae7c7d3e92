"""The waters that receive the runoff of each site, found on the ground and along the network.

Runoff is followed from every part of a site over the ground to the first mapped water, and from
there down the hydrography. What cannot be followed is said with its place, never passed over.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyproj
import shapely

from .coverage import find_covered
from .dem import Dem
from .drainage import Watch
from .facts import Floats, Texts
from .features import Geometries, Indices, WaterLayer, has_geometry
from .flow_cells import cells_touched
from .flow_grid import FlowGrid, route
from .flow_ground import FlowGround, Window
from .kept import Kept
from .listing_rows import ListingFields, listing_rows
from .network import Network, Trust, build_network
from .network_gaps import bridge_gaps
from .overlay import overlay
from .progress import Progress, no_progress, part_of
from .receiving_outlets import lost_shares, outlet_table, reached_listings
from .receiving_texts import outlet_details
from .receiving_tiles import (
    WaterCells,
    follow_tile,
    longest_first,
    site_starts,
    tiles,
    window_terrain,
)
from .tables import pollutant_table
from .units import MILE_FT

Booleans = npt.NDArray[np.bool_]

FOLLOW_FT: Final = 2 * MILE_FT
"""How far runoff is followed, over land and along the network together, in feet."""

MIN_SHARE: Final = 0.05
"""Least share of a site that counts. A smaller one is a strip along its edge, about as wide as a
cell of the ground, and is shown only."""

PIT_FT: Final = 3.0
"""Depth from which a depression is taken for one, in feet. Shallower ones are errors of the
elevations, or drain through something too small to be mapped."""

SEWER_FT: Final = 100.0
"""A site this near to a storm sewer may drain into it, in feet."""

_KEPT_TILES: Final = 12
"""Tiles of which the ways of runoff are kept, for the next batches: some 6 MB each."""

_LOOK_S: Final = 0.5


@dataclass(frozen=True)
class ReceivingOptions:
    """Choices for following runoff.

    Attributes
    ----------
    min_share
        Least share of a site, 0-1, that counts.
    pit_ft
        Depth from which a depression ends a path, in feet.
    follow_ft
        How far runoff is followed, in feet; not more than was read around the sites.
    match_ft
        How far a listed water may lie from the mapped one that it means, in feet.
    sewer_ft
        Distance within which a storm sewer may take a site's runoff, in feet.
    """

    min_share: float = MIN_SHARE
    pit_ft: float = PIT_FT
    follow_ft: float = FOLLOW_FT
    match_ft: float = 40.0
    sewer_ft: float = SEWER_FT


@dataclass(frozen=True)
class ReceivingResult:
    """Where the runoff of each site goes.

    Attributes
    ----------
    followed
        True for sites whose runoff was followed.
    reason
        Why it was not; else empty.
    complete
        True where the layers of watercourses and water bodies cover the site, so that reaching no
        listed water means that there is none.
    outlets
        One row a site and first receiving water, or way of losing the path, the largest share
        first: ``row``, ``ends`` (``water``, ``edge``, ``hole``, ``pit``, ``far``), ``water`` and
        ``layer`` (of the first water), ``share`` (0-1), ``counts`` (True where the share does),
        ``area_sqft``, ``length_ft``, ``drop_ft`` and ``climb_ft`` (of the longest path),
        ``deepest_ft`` (deepest depression that it fills on its way), ``passed`` (names of waters
        further down), ``x``, ``y`` (where it ends), ``outlet_x``, ``outlet_y`` (where it leaves the
        site), ``geometry`` (the path).
    reached
        One row a site and listed water: ``row``, ``listing`` (row of `listing_rows`), ``reached``
        (``direct`` or ``tributary``), ``share`` (0-1), ``along_ft`` (way to it, over land from the
        far side of the site), ``counts``.
    lost_share
        Share of each site whose runoff was lost before ``follow_ft``.
    lost
        How and where it was lost; empty where the share does not count.
    sewer
        True where a storm sewer may take the runoff.
    details
        The outlets for findings, with the columns of ``details.COLUMNS``.
    follow_ft
        How far runoff was followed, in feet.
    notes
        Messages about the run as a whole.
    """

    followed: Booleans
    reason: Texts
    complete: Booleans
    outlets: gpd.GeoDataFrame
    reached: pd.DataFrame
    lost_share: Floats
    lost: Texts
    sewer: Booleans
    details: pd.DataFrame
    follow_ft: float
    notes: tuple[str, ...]


def measure_receiving(
    sites: gpd.GeoDataFrame,
    dem: Dem,
    hydrography: Sequence[WaterLayer],
    impaired: Sequence[WaterLayer] = (),
    *,
    impaired_fields: ListingFields | None = None,
    disturbance: gpd.GeoDataFrame | None = None,
    culverts: gpd.GeoDataFrame | None = None,
    sewers: gpd.GeoDataFrame | None = None,
    coverage: gpd.GeoDataFrame | None = None,
    options: ReceivingOptions | None = None,
    trusted: Trust | None = None,
    progress: Progress = no_progress,
) -> ReceivingResult:
    """Follow the runoff of each site to the waters that receive it.

    Parameters
    ----------
    sites
        Polygons in a plane, in feet; may be None or empty.
    dem
        Open raster of ground elevation.
    hydrography
        Layers of the roles WATERCOURSES and WATER_BODIES in the same plane, read at least
        ``follow_ft`` around the sites.
    impaired
        Layers of 303(d)-listed waters.
    impaired_fields
        Their fields.
    disturbance
        Polygons; of a site on which some lie, their runoff is followed, else that of all of it.
    culverts
        Lines that let water through embankments, or None.
    sewers
        Lines of storm sewers, or None.
    coverage
        Polygons inside which all layers are complete; None: up to a mile outside their extent.
    options
        Choices.
    trusted
        How far the directions of lines can be trusted, where the sites are a part of a run; None:
        what lies near these sites tells.
    progress
        Called with the share done; raises to stop the run.

    Raises
    ------
    ImportError
        pyflwdir is not installed.
    """
    receiver = Receiver(
        dem,
        sites.crs,
        hydrography,
        impaired,
        impaired_fields=impaired_fields,
        culverts=culverts,
        sewers=sewers,
        coverage=coverage,
        options=options,
        trusted=trusted,
    )
    return receiver.measure(sites, disturbance, progress)


class Receiver:
    """The ground and the mapped water of a plane, on which the runoff of its sites is followed.

    Sites may be measured in several calls, and from several threads: what was learned of the
    network stays. The parameters are those of `measure_receiving`.
    """

    def __init__(
        self,
        dem: Dem,
        crs: pyproj.CRS,
        hydrography: Sequence[WaterLayer],
        impaired: Sequence[WaterLayer] = (),
        *,
        impaired_fields: ListingFields | None = None,
        culverts: gpd.GeoDataFrame | None = None,
        sewers: gpd.GeoDataFrame | None = None,
        coverage: gpd.GeoDataFrame | None = None,
        options: ReceivingOptions | None = None,
        trusted: Trust | None = None,
    ) -> None:
        self._dem, self._crs, self._hydrography = dem, crs, hydrography
        self._impaired, self._fields = impaired, impaired_fields or ListingFields()
        self._coverage, self._options = coverage, options or ReceivingOptions()
        self._culverts, self._sewers = (_lines(frame) for frame in (culverts, sewers))
        self._sewer_cells = np.column_stack(cells_touched(self._sewers)[1:])
        self._ground, self._trusted = FlowGround(dem, crs), trusted
        self._lock = threading.Lock()
        self._tried: set[bytes] = set()
        self._grids: Kept[Window, tuple[FlowGrid, WaterCells]] = Kept(_KEPT_TILES)

    def measure(
        self,
        sites: gpd.GeoDataFrame,
        disturbance: gpd.GeoDataFrame | None = None,
        progress: Progress = no_progress,
        watches: Sequence[Watch] = (),
    ) -> ReceivingResult:
        """Follow the runoff of sites; parameters and result as of `measure_receiving`.

        ``watches`` look at the same ground on the way.
        """
        options, crs = self._options, self._crs
        geometry = np.asarray(sites.geometry.array, dtype=object)
        shapes = _shapes(sites, geometry, disturbance)
        self._prepare(progress)
        walked = self._follow(shapes, watches, part_of(progress, 0.1, 0.6))
        pieces = walked.loc[walked["piece"] >= 0, "piece"].to_numpy(np.int64)
        with _held(self._lock, progress):
            network = self._bridged(np.unique(pieces), part_of(progress, 0.6, 0.9))
        below = reached_listings(walked, network, geometry, options)
        reason = np.where(_on_ground(walked, len(geometry)), "", "the site lies off the DEM")
        reason = reason.astype(object)
        reason[~has_geometry(shapes)] = "the site has no geometry"
        followed = reason == ""
        walked = walked[followed[walked["row"].to_numpy(np.int64)]].reset_index(drop=True)
        reached = below.reached
        reached = reached[followed[reached["row"].to_numpy(np.int64)]].reset_index(drop=True)
        lost_share, lost = lost_shares(walked, below.ends, crs, len(geometry), options)
        progress(0.95)
        outlets = outlet_table(walked, network, shapes, below, options, crs)
        return ReceivingResult(
            followed=followed,
            reason=reason,
            complete=followed & _complete(geometry, self._hydrography, self._coverage),
            outlets=outlets,
            reached=reached,
            lost_share=lost_share,
            lost=lost,
            sewer=_sewer(geometry, self._sewers, walked, options),
            details=outlet_details(outlets, self._dem.name),
            follow_ft=options.follow_ft,
            notes=network.notes,
        )

    @cached_property
    def _mapped(self) -> Network:
        listings = listing_rows(
            [(layer.name, layer.frame) for layer in self._impaired],
            role="IMPAIRED",
            fields=self._fields,
            pollutants=pollutant_table(),
        )
        return build_network(
            self._hydrography,
            listings,
            self._dem,
            self._crs,
            match_ft=self._options.match_ft,
            trusted=self._trusted,
        )

    @cached_property
    def _tree(self) -> shapely.STRtree:
        return shapely.STRtree(self._mapped.geometry)

    def look(self, watches: Sequence[Watch], progress: Progress = no_progress) -> None:
        """Follow runoff for watches alone, where the waters that it reaches are not asked for."""
        self._prepare(progress)
        self._look_at_rest(watches, progress)

    def _prepare(self, progress: Progress) -> None:
        """Make what all threads need before several ask for it."""
        with _held(self._lock, progress):
            _ = self._mapped, self._tree

    def _look_at_rest(self, watches: Sequence[Watch], progress: Progress) -> None:
        windows = list(dict.fromkeys(window for watch in watches for window in watch.windows()))
        for number, window in enumerate(windows):
            share = number / len(windows)
            grid, _ = self._grid(window, partial(progress, share))
            for watch in watches:
                watch.look(window, grid)
            progress(share)

    def _follow(
        self, shapes: Geometries, watches: Sequence[Watch], progress: Progress
    ) -> pd.DataFrame:
        starts = site_starts(shapes)
        tables, done = [_no_paths()], 0
        for window, own in tiles(starts):
            share = done / len(starts.site)
            grid, water = self._grid(window, partial(progress, share))
            progress(share)
            for watch in watches:
                watch.look(window, grid)
            some = starts.take(own)
            found = follow_tile(window, some, grid, water, self._mapped, self._sewer_cells)
            tables.append(found)
            done += len(own)
            progress(done / len(starts.site))
        # Where the limits of disturbance are followed, the rest of a site may lie on other tiles.
        self._look_at_rest(watches, lambda _: progress(1.0))
        # A site on several tiles has a row for each.
        filled = [table for table in tables if len(table)] or tables
        whole = longest_first(pd.concat(filled, ignore_index=True))
        total = whole.groupby("row")["points"].transform("sum")
        return whole.assign(share=whole["points"] / total)

    def _grid(self, window: Window, look: Callable[[], None]) -> tuple[FlowGrid, WaterCells]:
        """Return the ways of runoff on a tile; neighbours that are measured apart share it."""

        def made() -> tuple[FlowGrid, WaterCells]:
            terrain, water = window_terrain(
                window,
                self._ground,
                self._mapped,
                self._tree,
                culverts=self._culverts,
                look=look,
            )
            return route(terrain, pit_ft=self._options.pit_ft, look=look), water

        return self._grids.get(window, made, look)

    def _bridged(self, sources: Indices, progress: Progress) -> Network:
        self._network = bridge_gaps(
            self._network,
            sources,
            self._ground,
            mapped=self._mapped,
            tree=self._tree,
            tried=self._tried,
            culverts=self._culverts,
            limit_ft=self._options.follow_ft,
            progress=progress,
        )
        return self._network

    @cached_property
    def _network(self) -> Network:
        return self._mapped


@contextmanager
def _held(lock: threading.Lock, progress: Progress) -> Iterator[None]:
    """Wait for a lock, and look meanwhile whether the run is cancelled."""
    while not lock.acquire(timeout=_LOOK_S):
        progress(0.0)
    try:
        yield
    finally:
        lock.release()


def _shapes(
    sites: gpd.GeoDataFrame, geometry: Geometries, disturbance: gpd.GeoDataFrame | None
) -> Geometries:
    if disturbance is None or disturbance.empty:
        return geometry
    drawn = overlay(sites, disturbance).united
    return np.where(shapely.is_missing(drawn), geometry, drawn)


def _no_paths() -> pd.DataFrame:
    """Return the table of `follow_tile` without rows."""
    whole = ("row", "points", "piece", "code", "start_column", "start_row")
    feet = ("length_ft", "drop_ft", "deepest_ft", "climb_ft", "x", "y")
    table = pd.DataFrame({name: np.empty(0, np.int64) for name in whole})
    table[list(feet)] = np.empty((0, len(feet)))
    return table.assign(crossed=False, on_ground=False, geometry=None)


def _lines(frame: gpd.GeoDataFrame | None) -> Geometries:
    if frame is None:
        return np.empty(0, dtype=object)
    parts = shapely.get_parts(np.asarray(frame.geometry.array, dtype=object))
    return np.asarray(parts[has_geometry(parts)], dtype=object)


def _on_ground(walked: pd.DataFrame, count: int) -> Booleans:
    """Return True for sites of which some lies on known ground."""
    seen = np.zeros(count, bool)
    seen[walked["row"].to_numpy(np.int64)[walked["on_ground"].to_numpy(bool)]] = True
    return seen


def _complete(
    geometry: Geometries, hydrography: Sequence[WaterLayer], coverage: gpd.GeoDataFrame | None
) -> Booleans:
    complete = np.ones(len(geometry), bool)
    for role, what in (("WATERCOURSES", "watercourses"), ("WATER_BODIES", "water bodies")):
        own = [layer for layer in hydrography if layer.role == role]
        complete &= find_covered(
            geometry,
            [layer.extent for layer in own],
            coverage,
            what=what,
            names=[layer.name for layer in own],
        ).complete
    return complete


def _sewer(
    geometry: Geometries,
    lines: Geometries,
    walked: pd.DataFrame,
    options: ReceivingOptions,
) -> Booleans:
    near = np.zeros(len(geometry), bool)
    if not len(lines):
        return near
    site, _ = shapely.STRtree(lines).query(geometry, predicate="dwithin", distance=options.sewer_ft)
    near[site] = True
    crossed = walked["share"].where(walked["crossed"], 0.0).groupby(walked["row"]).sum()
    near[crossed.index[crossed >= options.min_share].to_numpy(np.int64)] = True
    return near
