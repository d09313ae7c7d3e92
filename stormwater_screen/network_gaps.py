"""Where the mapped network stops, runoff goes on over the ground to the next mapped water."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import shapely
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from .facts import Floats
from .features import Geometries, Indices, firsts
from .flow_cells import points_along
from .flow_grid import FAR, LAND, WATER, Terrain, route_from
from .flow_ground import CELL_FT, Booleans, FlowGround, Window
from .flow_path import walk
from .network import Network, all_downstream, downstream
from .progress import Progress, no_progress
from .receiving_tiles import WaterCells, first_pieces, window_terrain
from .unique import unique_rows
from .units import MILE_FT

FEEDERS_FT: Final = 1_500.0
"""How far up a line that stops its feeders are crossed as land, in feet."""

CIRCLE_FT: Final = 2 * MILE_FT
"""Longest way round in a circle over bridges whose way out is looked for, in feet."""

CIRCLE_ACROSS_FT: Final = MILE_FT / 2
"""How far across such a circle may be, in feet: so much more than runoff is followed is read around
sites, so that a circle is whole in whatever company a site is."""

NEAR_CELLS: Final = (44, 110)
"""Cells around a stop in which the way on is looked for, first a quarter of a mile, then more."""

FAR_CELLS: Final = 264
"""Cells around a stop in which it is looked for at last: a mile and a half."""


@dataclass(frozen=True)
class _Stops:
    """Places where the network stops: single pieces, or circles of them.

    Attributes
    ----------
    piece, x, y
        The lowest piece of each, and the lowest place of it.
    own_piece, own_stop
        Pieces of each, and the number of the stop.
    """

    piece: Indices
    x: Floats
    y: Floats
    own_piece: Indices
    own_stop: Indices


def bridge_gaps(
    network: Network,
    sources: Indices,
    ground: FlowGround,
    *,
    mapped: Network,
    tree: shapely.STRtree,
    tried: set[bytes],
    culverts: Geometries,
    limit_ft: float,
    progress: Progress = no_progress,
) -> Network:
    """Join pieces that nothing follows to the water that runoff from their ends reaches.

    A mapped stream surely goes on, under a road if not over it, and a pond spills, so here every
    depression is filled.
    Lines that run in a circle, as lines digitised against the flow do, are taken together.

    Parameters
    ----------
    network
        Mapped water, with the gaps that are bridged already.
    sources
        Pieces from which the network is followed.
    ground
        Elevations.
    mapped
        The network without bridges.
    tree
        Index of its pieces.
    tried
        Stops that were followed already; those of this call are added.
    culverts
        Lines that let water through embankments.
    limit_ft
        How far the network is followed, in feet.
    progress
        Called with the share done; raises to stop the run.

    Returns
    -------
    Network
        With the links.
    """
    # Only the distance ends it: a number of rounds would let the sites that begin farther down
    # decide how far those above them are followed.
    for round_ in itertools.count():
        # So far that every circle that begins within the limit is seen as a whole.
        seen = all_downstream(network, sources, limit_ft + CIRCLE_FT)
        stops = _stops(network, mapped, seen, ground, tried)
        dry = _dry(mapped, stops)
        links: list[Indices] = [np.empty((0, 2), np.int64)]
        lengths: list[Floats] = [np.empty(0)]
        for number, own in enumerate(dry):
            for window in _windows(mapped, stops, number):
                terrain, water = window_terrain(
                    window, ground, mapped, tree, culverts=culverts, dry=own
                )
                met, way_ft, end = _met(mapped, stops, number, terrain, water, own)
                if end != FAR:
                    break
            links.append(met)
            lengths.append(way_ft)
            progress(1 - 0.5 ** (round_ + (number + 1) / len(dry)))
        if not len(dry):
            break
        network = _with_links(network, np.concatenate(links), np.concatenate(lengths))
    return network


def _windows(network: Network, stops: _Stops, number: int) -> list[Window]:
    """Return the windows in which a stop is followed, the next where it leaves the one before.

    They depend on the stop alone, as what is crossed as land does: which sites are followed, and
    in what order the gaps are met, changes nothing.
    """
    at = np.floor(np.array([stops.x[number], stops.y[number]]) / CELL_FT).astype(np.int64)
    low, high = at, at
    if _is_alone(network, stops)[number]:
        own = network.geometry[stops.own_piece[stops.own_stop == number]]
        bounds = np.floor(shapely.total_bounds(own) / CELL_FT).astype(np.int64)
        low, high = bounds[:2], bounds[2:]
    first, last = at - FAR_CELLS, at + FAR_CELLS
    corners = [(low - cells, high + cells) for cells in NEAR_CELLS]
    near = [(a, b) for a, b in corners if (a >= first).all() and (b <= last).all()]
    return [
        Window(int(a[0]), int(a[1]), int(b[0] - a[0]) + 1, int(b[1] - a[1]) + 1)
        for a, b in (*near, (first, last))
    ]


def _is_alone(network: Network, stops: _Stops) -> Booleans:
    """Return True for polygons and circles: all that drains to them is crossed as land."""
    return np.asarray(network.is_body[stops.piece] | (np.bincount(stops.own_stop) > 1), bool)


def _stops(
    network: Network, mapped: Network, seen: Indices, ground: FlowGround, tried: set[bytes]
) -> _Stops:
    """Return where water from the sources goes on nowhere, lakes included: they spill somewhere.

    A circle that closes over bridges and is long stays one, and what runs into it is lost there:
    whether it closes would depend on how far down other sites are followed.
    """
    group = _strongly_connected(network)
    before = np.repeat(np.arange(len(group)), np.diff(network.after_start))
    leaves = group[before] != group[network.after]
    open_group = np.zeros(group.max(initial=-1) + 1, bool)
    open_group[group[before[leaves]]] = True
    seen = seen[~open_group[group[seen]]]
    own = np.flatnonzero(np.isin(group, group[seen]))
    own = own[np.argsort(group[own], kind="stable")]
    members = np.split(own, firsts(group[own])[1:]) if len(own) else []
    fresh = [some for some in members if some.tobytes() not in tried]
    tried.update(some.tobytes() for some in fresh)
    fresh = _whole(network, mapped, fresh)
    own = np.concatenate([np.empty(0, np.int64), *fresh])
    stop = np.repeat(np.arange(len(fresh)), [len(some) for some in fresh])
    return _lowest(network, own, stop, ground)


def _whole(network: Network, mapped: Network, circles: list[Indices]) -> list[Indices]:
    """Return the circles that are seen as a whole from each site that comes to them.

    Mapped circles may be of any size: they are there whatever the sites.
    """
    group = _strongly_connected(mapped)
    bridged = [len(some) > 1 and np.ptp(group[some]) > 0 for some in circles]
    pieces = [some for some, over in zip(circles, bridged, strict=True) if over]
    if not pieces:
        return circles
    own, size = np.concatenate(pieces), np.array([len(some) for some in pieces])
    circle = np.repeat(np.arange(len(pieces)), size)
    # Nothing leaves a circle, so what lies below its pieces are its pieces.
    below = downstream(network, own, CIRCLE_FT)["source"].to_numpy(np.int64)
    near = np.bincount(circle[below], minlength=len(pieces)) == size**2
    bounds = shapely.bounds(network.geometry[own])
    first = firsts(circle)
    low, high = np.minimum.reduceat(bounds, first), np.maximum.reduceat(bounds, first)
    near &= np.hypot(*(high[:, 2:] - low[:, :2]).T) <= CIRCLE_ACROSS_FT
    kept = iter(near)
    return [some for some, over in zip(circles, bridged, strict=True) if not over or next(kept)]


def _strongly_connected(network: Network) -> Indices:
    count = len(network.geometry)
    graph = csr_array(
        (
            np.ones(len(network.after), np.int8),
            np.ascontiguousarray(network.after),
            network.after_start.astype(np.int64),
        ),
        shape=(count, count),
    )
    _, group = connected_components(graph, directed=True, connection="strong")
    return np.asarray(group, np.int64)


def _lowest(network: Network, own: Indices, stop: Indices, ground: FlowGround) -> _Stops:
    shapes = network.geometry[own]
    lines = shapely.get_type_id(shapes) == 1
    first, last = (shapely.get_point(shapes[lines], at) for at in (0, -1))
    rings, ring_of = shapely.get_coordinates(shapes[~lines], return_index=True)
    xy = np.concatenate([shapely.get_coordinates(first), shapely.get_coordinates(last), rings])
    of_line, of_other = np.flatnonzero(lines), np.flatnonzero(~lines)
    owner = np.concatenate([of_line, of_line, of_other[ring_of]]).astype(np.int64)
    level = ground.at(xy[:, 0], xy[:, 1])
    # The end of a line comes before its start where the ground does not tell.
    is_start = np.arange(len(owner)) < len(of_line)
    order = np.lexsort((is_start, level, stop[owner]))
    order = order[firsts(stop[owner[order]])]
    return _Stops(own[owner[order]], xy[order, 0], xy[order, 1], own, stop)


def _dry(network: Network, stops: _Stops) -> list[Indices]:
    """Return for each stop its pieces and those that feed it: runoff would end in them at once.

    Below a line that stops, a listed line stays water, and so does a polygon.
    """
    alone = _is_alone(network, stops)
    listed = network.listed["piece"].to_numpy(np.int64)
    found = []
    for which, far in ((alone, np.inf), (~alone, FEEDERS_FT)):
        own = np.flatnonzero(which[stops.own_stop])
        turned = _turned(network, lines_only=far < np.inf)
        above = downstream(turned, stops.own_piece[own], far)
        pairs = np.column_stack(
            [stops.own_stop[own[above["source"].to_numpy(np.int64)]], above["piece"]]
        ).astype(np.int64)
        if far < np.inf:
            piece = pairs[:, 1]
            pairs = pairs[(network.line[piece] >= 0) & ~np.isin(piece, listed)]
        found.append(pairs)
    stop, piece = unique_rows(np.concatenate(found)).rows.T
    edges = np.searchsorted(stop, np.arange(1, len(stops.piece)))
    return np.split(piece, edges) if len(stops.piece) else []


def _turned(network: Network, *, lines_only: bool) -> Network:
    """Return the network with its links turned upstream."""
    count = len(network.geometry)
    before = np.repeat(np.arange(count), np.diff(network.after_start))
    kept = ~network.is_body[before] & ~network.is_body[network.after]
    kept |= not lines_only
    pairs = np.column_stack([network.after[kept], before[kept]])
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    start = np.searchsorted(pairs[:, 0], np.arange(count + 1))
    return replace(network, after_start=start, after=pairs[:, 1], gap_ft=np.zeros(len(pairs)))


def _met(
    network: Network,
    stops: _Stops,
    number: int,
    terrain: Terrain,
    water: WaterCells,
    dry: Indices,
) -> tuple[Indices, Floats, int]:
    """Return the link that the way from a stop makes, its length in feet, and how the way ends."""
    piece = stops.piece[[number]]
    start = terrain.cells(stops.x[[number]], stops.y[[number]])
    if piece[0] not in dry:
        start = _lowest_beside(terrain, network.geometry[piece])
    if start[0] < 0:
        return np.empty((0, 2), np.int64), np.empty(0), int(FAR)
    walks = walk(route_from(terrain, int(start[0])), start)
    met = first_pieces(terrain, walks, network, water)
    reached = (walks.code == WATER) & (met != piece)
    links = np.column_stack([piece[reached], met[reached]])
    return links, walks.length_ft[reached], int(walks.code[0])


def _lowest_beside(terrain: Terrain, shapes: Geometries) -> Indices:
    """Return the lowest land cell beside each shape, -1 where there is none."""
    start = np.full(len(shapes), -1, np.int64)
    if not len(shapes):
        return start
    lines = shapely.get_type_id(shapes) == 1
    outlines, owner = shapely.get_parts(
        np.where(lines, shapes, shapely.boundary(shapes)), return_index=True
    )
    curves = shapely.get_type_id(outlines) != 0
    number, xy, _ = points_along(outlines[curves])
    rows, columns = terrain.shape
    step = np.array([(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)])
    column = np.floor((xy[:, 0] - terrain.left_ft) / CELL_FT).astype(np.int64)[:, None] + step[:, 1]
    row = np.floor((xy[:, 1] - terrain.bottom_ft) / CELL_FT).astype(np.int64)[:, None] + step[:, 0]
    inside = ((row >= 0) & (row < rows) & (column >= 0) & (column < columns)).ravel()
    cell = (row * columns + column).ravel()[inside]
    owner = np.repeat(owner[curves][number], len(step))[inside]
    land = terrain.code[cell] == LAND
    cell, owner = cell[land], owner[land]
    order = np.lexsort((cell, terrain.ground[cell], owner))
    fresh, first = np.unique(owner[order], return_index=True)
    start[fresh] = cell[order[first]]
    return start


def _with_links(network: Network, links: Indices, length_ft: Floats) -> Network:
    count = len(network.geometry)
    before = np.repeat(np.arange(count), np.diff(network.after_start))
    pairs = np.concatenate([np.column_stack([before, network.after]), links])
    gaps = np.concatenate([network.gap_ft, length_ft])
    order = np.lexsort((gaps, pairs[:, 1], pairs[:, 0]))
    pairs, gaps = pairs[order], gaps[order]
    fresh = np.r_[True, (np.diff(pairs, axis=0) != 0).any(axis=1)][: len(pairs)]
    start = np.searchsorted(pairs[fresh, 0], np.arange(count + 1))
    return replace(network, after_start=start, after=pairs[fresh, 1], gap_ft=gaps[fresh])
