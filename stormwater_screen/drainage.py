"""Which wells, leach fields and waters near a place its runoff passes, and which drain onto it.

Every path of a place's runoff is looked at where it comes near a feature. A path that comes nearer
to the feature, lies lower there by more than the error of the elevations, and passes within the
largest setback, makes the feature downgradient of the place; so does one that ends in a mapped
water that is the feature. A feature whose own runoff goes over the place is upgradient. Where a
path is lost beside the feature, or falls or comes nearer too little for the cells of the ground,
the path does not tell.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import pandas as pd
import shapely
from scipy import ndimage

from .facts import Floats
from .features import Features, Geometries, Indices
from .flow_cells import cells_inside, cells_touched
from .flow_grid import EDGE, FAR, HOLE, PIT, WATER, FlowGrid
from .flow_ground import CELL_FT, Booleans, Window
from .flow_path import visits
from .gradient import Pairs, difference_error_ft
from .receiving_tiles import Starts, cells_marked, tiles

_OWN_GROUND: Final = ("WATER_SUPPLIES", "LEACH_FIELDS")
_WATERS: Final = ("WATER_BODIES", "WATERCOURSES")
_LOWER: Final = np.array([True, True, False, False])
_LOST: Final = (int(EDGE), int(HOLE), int(PIT), int(FAR))
_TOUCHES_FT: Final = CELL_FT * 0.75
"""A shape that runs through a cell lies nearer than this to its centre, in feet."""


class Watch:
    """Looks at runoff from places near features while it is followed, tile by tile.

    Parameters
    ----------
    geometry
        Places in the plane, in feet: polygons or points.
    pairs
        Places and the features within reach of each.
    features
        The features.
    within_ft
        How near to a feature a path must come to pass it, in feet.
    dem_error_ft
        Error of one elevation, in feet.
    """

    def __init__(
        self,
        geometry: Geometries,
        pairs: Pairs,
        features: Features,
        *,
        within_ft: float,
        dem_error_ft: float,
    ) -> None:
        self._geometry, self._pairs = geometry, pairs
        self._features, self._within_ft = features, within_ft
        self._band_ft = difference_error_ft(dem_error_ft)
        count = len(pairs.place)
        self._passing, self._beside = np.zeros(count), np.zeros(count)
        self._area_sqft = np.zeros(len(geometry))
        self._flags = {name: np.zeros(count, bool) for name in ("reaches", "may", "onto")}
        self._nearest_ft, self._fall_ft = np.full(count, np.inf), np.full(count, -np.inf)
        self._bounds = shapely.bounds(pairs.local).reshape(-1, 4)
        self._around = _boxes(pairs.place, self._bounds, len(geometry), within_ft + CELL_FT)
        # Distances to a point need no geometry library.
        self._wide = shapely.get_num_coordinates(pairs.local) > 1
        shapely.prepare(pairs.local[self._wide])
        self._is_water = _one_of(features, pairs.feature, _WATERS)
        self._first = np.searchsorted(pairs.place, np.arange(len(geometry) + 1))
        self._of_feature = np.argsort(pairs.feature, kind="stable")
        places = self._place_starts()
        grounds = self._feature_starts()
        self._near = np.column_stack(cells_touched(pairs.pieces[np.unique(pairs.link_piece)])[1:])
        self._from_places = _by_tile(places)
        self._from_features = _by_tile(grounds)
        self._on_places = np.column_stack([places.column, places.row])

    def _place_starts(self) -> Starts:
        watched = np.unique(self._pairs.place)
        owner, column, row, area_sqft = cells_inside(self._geometry[watched])
        starts = Starts(watched[owner], column, row, area_sqft.astype(np.int64))
        np.add.at(self._area_sqft, starts.site, starts.points)
        return starts

    def _feature_starts(self) -> Starts:
        asked = _one_of(self._features, self._pairs.feature, _OWN_GROUND)
        watched = np.unique(self._pairs.feature[asked])
        owner, column, row = cells_touched(self._features.geometry[watched])
        return Starts(watched[owner], column, row, np.ones(len(owner), np.int64))

    def windows(self) -> list[Window]:
        """Return the windows of the tiles that have not been looked at."""
        left = {**self._from_features, **self._from_places}
        return [window for window, _ in left.values()]

    def look(self, window: Window, grid: FlowGrid) -> None:
        """Look at the runoff that begins in a tile.

        Parameters
        ----------
        window
            The tile and its margin.
        grid
            The ways of runoff in it.
        """
        tile = (window.left, window.bottom)
        if tile in self._from_places:
            self._look_from_places(window, grid, self._from_places.pop(tile)[1])
        if tile in self._from_features:
            self._look_from_features(window, grid, self._from_features.pop(tile)[1])

    def _look_from_places(self, window: Window, grid: FlowGrid, starts: Starts) -> None:
        around = int(np.ceil((self._within_ft + CELL_FT) / CELL_FT))
        near = ndimage.maximum_filter(cells_marked(self._near, window), 2 * around + 1)
        start = _cells(starts, window)
        seen = visits(grid, start, near.ravel(), self._around[starts.site])
        # One turn for each path and feature near its place.
        path, pair = _spread(self._first, starts.site)
        area_sqft = starts.points[path]
        reached = self._reached(grid, pair, seen.end[path])
        np.add.at(self._passing, pair[reached], area_sqft[reached])
        self._flags["reaches"][pair[reached]] = True
        turn_of = np.cumsum(np.r_[0, np.diff(self._first)[starts.site]])
        row, turn = _spread(turn_of, seen.path)
        # What a path ends in need not be asked for again.
        open_ = ~reached[turn]
        turn, cell = turn[open_], seen.cell[row[open_]]
        least_ft, lowest_ft = self._nearest(grid, pair, turn, cell)
        near_ = np.flatnonzero(least_ft <= self._within_ft + CELL_FT)
        begins = start[path[near_]]
        fall_ft = grid.ground[begins].astype(np.float64) - lowest_ft[near_]
        begins_ft = self._apart_ft(pair[near_], begins, grid, reach_ft=np.inf)
        turns = _Turns(pair[near_], area_sqft[near_], begins_ft, least_ft[near_], fall_ft)
        self._judge(turns)
        lost = np.flatnonzero(np.isin(grid.code[seen.end], _LOST)[path])
        self._note_lost(grid, pair[lost], start[path[lost]], seen.end[path[lost]])

    def _reached(self, grid: FlowGrid, pair: Indices, end: Indices) -> Booleans:
        """Return True where a path ends in the feature itself, a water."""
        reached = self._is_water[pair] & (grid.code[end] == WATER)
        some = np.flatnonzero(reached)
        reached[some] = self._apart_ft(pair[some], end[some], grid) <= _TOUCHES_FT
        return np.asarray(reached, bool)

    def _nearest(
        self, grid: FlowGrid, pair: Indices, turn: Indices, cell: Indices
    ) -> tuple[Floats, Floats]:
        """Return how near each turn comes, and the ground there, of the cells that it visits."""
        apart_ft = self._apart_ft(pair[turn], cell, grid)
        least_ft, lowest_ft = np.full(len(pair), np.inf), np.full(len(pair), np.nan)
        np.minimum.at(least_ft, turn, apart_ft)
        nearest = np.flatnonzero(apart_ft == least_ft[turn])
        np.fmin.at(lowest_ft, turn[nearest], grid.ground[cell[nearest]].astype(np.float64))
        return least_ft, lowest_ft

    def _judge(self, turns: _Turns) -> None:
        """Say of paths that come near features whether they pass."""
        pair, area_sqft, begins_ft, least_ft, fall_ft = turns
        within, nearer_ft = least_ft <= self._within_ft, begins_ft - least_ft
        passes = within & (nearer_ft > CELL_FT) & (fall_ft > self._band_ft)
        # A path of cells runs up to half a cell beside the true one, and one that begins within a
        # cell of the feature may cross it and seem to come no nearer.
        beside = begins_ft <= CELL_FT
        may = nearer_ft > CELL_FT
        may |= within & (nearer_ft > np.where(beside, CELL_FT / 10, CELL_FT / 2))
        np.add.at(self._beside, pair[beside], area_sqft[beside])
        np.add.at(self._passing, pair[passes], area_sqft[passes])
        np.minimum.at(self._nearest_ft, pair[passes], least_ft[passes])
        np.fmax.at(self._fall_ft, pair[passes], fall_ft[passes])
        self._flags["may"][pair[may & ~passes]] = True

    def _note_lost(self, grid: FlowGrid, pair: Indices, start: Indices, end: Indices) -> None:
        """Say of paths that are lost whether they might have gone on towards a feature."""
        begins_ft, apart_ft = (
            self._apart_ft(pair, cell, grid, reach_ft=np.inf) for cell in (start, end)
        )
        leaves_ft = apart_ft - begins_ft
        beside = (leaves_ft <= CELL_FT / 2) & (apart_ft <= self._within_ft + CELL_FT)
        self._flags["may"][pair[beside | (leaves_ft < -CELL_FT / 2)]] = True

    def _look_from_features(self, window: Window, grid: FlowGrid, starts: Starts) -> None:
        start = _cells(starts, window)
        seen = visits(grid, start, cells_marked(self._on_places, window).ravel())
        order = self._of_feature
        first = np.searchsorted(self._pairs.feature[order], np.arange(len(self._features.role) + 1))
        row, nth = _spread(first, starts.site[seen.path])
        pair, cell = order[nth], seen.cell[row]
        begun = start[seen.path[row]]
        xy = grid.centres(cell)
        ground = grid.ground.astype(np.float64)
        falls = ground[begun] - ground[cell] > self._band_ft
        pair, xy = pair[falls], xy[falls]
        place = self._geometry[self._pairs.place[pair]]
        self._flags["onto"][pair[shapely.intersects_xy(place, xy[:, 0], xy[:, 1])]] = True

    def _apart_ft(
        self, pair: Indices, cell: Indices, grid: FlowGrid, *, reach_ft: float | None = None
    ) -> Floats:
        """Return the distance from the centres of cells to the features of pairs, in feet.

        What lies farther than ``reach_ft`` (None: than a path is looked at) may come out infinite.
        """
        reach_ft = self._within_ft + CELL_FT if reach_ft is None else reach_ft
        xy = grid.centres(cell)
        # Right for points, whose bounds are themselves.
        apart_ft = np.hypot(xy[:, 0] - self._bounds[pair, 0], xy[:, 1] - self._bounds[pair, 1])
        wide = np.flatnonzero(self._wide[pair])
        xy, box = xy[wide], self._bounds[pair[wide]]
        beside = np.maximum(np.maximum(box[:, :2] - xy, xy - box[:, 2:]), 0.0)
        far = np.hypot(beside[:, 0], beside[:, 1]) > reach_ft
        apart_ft[wide[far]] = np.inf
        near = wide[~far]
        keys, which = np.unique(pair[near] * len(grid.code) + cell[near], return_inverse=True)
        pairs, cells = np.divmod(keys, len(grid.code))
        points = shapely.points(grid.centres(cells))
        apart_ft[near] = shapely.distance(self._pairs.local[pairs], points)[which.reshape(-1)]
        return np.asarray(apart_ft, np.float64)

    def result(self) -> pd.DataFrame:
        """Return what was seen.

        Returns
        -------
        pandas.DataFrame
            One row a pair: ``passes`` (True where runoff surely passes within the distance, or ends
            in the feature), ``reaches`` (True where it ends in it), ``may`` (True where the paths
            do not tell), ``onto`` (True where runoff from the feature goes over the place),
            ``coarse`` (True where the two lie nearer to each other than a cell is wide), ``share``
            (of the place, 0-1, whose runoff surely passes), ``nearest_ft`` (least distance of its
            path) and ``fall_ft`` (largest fall to there); both NaN where none passes by.
        """
        area_sqft = self._area_sqft[self._pairs.place]
        passes = self._passing > 0
        # Of a place that lies within a cell of the feature the cells are too coarse to tell.
        self._flags["may"] |= self._beside >= area_sqft
        return pd.DataFrame(
            {
                "passes": passes,
                **self._flags,
                "coarse": self._pairs.distance_ft < CELL_FT,
                "share": self._passing / np.maximum(area_sqft, 1.0),
                "nearest_ft": np.where(np.isfinite(self._nearest_ft), self._nearest_ft, np.nan),
                "fall_ft": np.where(np.isfinite(self._fall_ft), self._fall_ft, np.nan),
            }
        )


class _Turns(NamedTuple):
    """Paths with features near their places that they come near.

    The pair, the area that the path stands for in square feet, how far from the feature it begins
    and how near it comes, in feet, and how much lower it lies there than where it begins; NaN where
    the ground is not known.
    """

    pair: Indices
    area_sqft: Indices
    begins_ft: Floats
    least_ft: Floats
    fall_ft: Floats


def _one_of(features: Features, numbers: Indices, roles: tuple[str, ...]) -> Booleans:
    """Return True for features of some roles."""
    found = np.zeros(len(features.role), bool)
    for role in roles:
        found |= features.role == role
    return found[numbers]


def _boxes(place: Indices, bounds: Floats, count: int, reach_ft: float) -> Floats:
    """Return the box around the features of each place and so far around them."""
    boxes = np.tile([np.inf, np.inf, -np.inf, -np.inf], (count, 1))
    np.minimum.at(boxes, place, np.where(_LOWER, bounds - reach_ft, np.inf))
    np.maximum.at(boxes, place, np.where(~_LOWER, bounds + reach_ft, -np.inf))
    return boxes


def _by_tile(starts: Starts) -> dict[tuple[int, int], tuple[Window, Starts]]:
    return {
        (window.left, window.bottom): (window, starts.take(own)) for window, own in tiles(starts)
    }


def _cells(starts: Starts, window: Window) -> Indices:
    return (starts.row - window.bottom) * window.columns + starts.column - window.left


def _spread(first: Indices, owner: Indices) -> tuple[Indices, Indices]:
    """Return each owner's place, once for each of its members, and the members.

    The members of owner i are ``first[i]`` to ``first[i + 1]``.
    """
    count = first[owner + 1] - first[owner]
    row = np.repeat(np.arange(len(owner)), count)
    nth = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    return row, first[owner][row] + nth
