"""The hydrography as a network: lines and water bodies in pieces, and which piece follows which.

Flow runs as the lines say: by NHD numbers (``hydroseq`` and ``dnhydroseq``, from and to node) where
a line has them, else from end to start point of the next line. A line runs towards the one that its
numbers name next; one without numbers as it was digitised, unless its layer was plainly digitised
without regard to flow and the ground says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyproj
import shapely
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from .facts import Floats, Texts, texts
from .features import Geometries, Indices, WaterLayer, feature_names, firsts, has_geometry
from .flow_cells import cells_touched
from .geometry import prepared_copies
from .gradient import Ground
from .network_lines import Pieces, cut_lines, directions, downhill_shares
from .network_listings import covered_pieces, match_listings
from .network_numbers import (
    FIELDS,
    LINKS,
    Turns,
    numbers_of_lines,
    runs_as_digitised,
    turns_by_numbers,
)

Booleans = npt.NDArray[np.bool_]

SNAP_FT: Final = 10.0
"""Ends of lines closer than this are joined, in feet: rounding and careless snapping."""

CONVEYANCE_FCODES: Final = ((33400, 33401), (42000, 42900))
"""NHD codes, from and up to, of what only carries water on: connectors, conduits, pipelines. Their
lines are followed, but runoff does not enter them."""

_OUTLINE_FT: Final = 100.0
_LEAST_FT: Final = 0.001
_SOURCES_AT_ONCE: Final = 64
_PLACE_FT: Final = 10_000.0


@dataclass(frozen=True)
class Network:
    """Pieces of mapped water and what follows each downstream.

    Attributes
    ----------
    geometry
        Lines of a few hundred feet, running downstream, and polygons.
    name, layer
        Of the feature that each piece is a part of; the name is empty where it has none.
    water
        A number for each piece that is the same for all pieces of one water: of one name, or of one
        feature without a name.
    line
        Number of the line that a piece is cut from; -1 for polygons.
    is_body
        True for polygons.
    at_rest
        True for polygons of water bodies: water may stay there.
    takes_runoff
        False for conduits and the like.
    length_ft
        Length of lines in feet; 0 for polygons.
    cell_start, cell
        Column and row, in the plane's lattice, of the cells that piece i touches are
        ``cell[cell_start[i]:cell_start[i + 1]]``.
    after_start, after
        Pieces that follow piece i are ``after[after_start[i]:after_start[i + 1]]``.
    gap_ft
        Way from a piece to one that follows it and does not touch it, over land or through what is
        not mapped, for each of ``after``, in feet.
    listed
        One row a piece and listing: ``piece``, ``listing`` (row of the listing table).
    notes
        What was found about the directions of the lines.
    """

    geometry: Geometries
    name: Texts
    layer: Texts
    water: Indices
    line: Indices
    is_body: Booleans
    at_rest: Booleans
    takes_runoff: Booleans
    length_ft: Floats
    cell_start: Indices
    cell: Indices
    after_start: Indices
    after: Indices
    gap_ft: Floats
    listed: pd.DataFrame
    notes: tuple[str, ...]


@dataclass(frozen=True)
class LayerTrust:
    """How far the lines of layers can be trusted, by the layer's name.

    Attributes
    ----------
    downhill
        Share of the lines with a clear fall that runs downhill as digitised.
    against
        Share of the lines whose numbers tell their way that were digitised the other way.
    """

    downhill: Mapping[str, float]
    against: Mapping[str, float]


@dataclass(frozen=True)
class Trust:
    """The same of layers of mapped water, and of layers of listed waters."""

    mapped: LayerTrust
    listed: LayerTrust


def layer_trust(
    layers: Sequence[WaterLayer], listings: pd.DataFrame, ground: Ground, crs: pyproj.CRS
) -> Trust:
    """Return how far the lines of layers can be trusted; parameters as `build_network`."""

    def of(table: pd.DataFrame) -> LayerTrust:
        parts, feature = shapely.get_parts(table["geometry"].to_numpy(object), return_index=True)
        curves = shapely.get_dimensions(parts) == 1
        if not curves.any():
            return LayerTrust({}, {})
        by_numbers = _turns(table)
        of_line = feature[curves]
        told = (table["directed"].to_numpy(bool) | by_numbers.told)[of_line]
        layer = table["layer"].to_numpy(object)[of_line]
        return LayerTrust(
            downhill_shares(parts[curves], layer, told, ground, crs), by_numbers.against
        )

    mapped = [_features(layer) for layer in layers]
    table = pd.concat(mapped, ignore_index=True) if mapped else _no_features()
    return Trust(of(table), of(_listed_features(listings)))


def build_network(
    layers: Sequence[WaterLayer],
    listings: pd.DataFrame,
    ground: Ground,
    crs: pyproj.CRS,
    *,
    match_ft: float,
    trusted: Trust | None = None,
) -> Network:
    """Join watercourses, water bodies and listed waters to a network.

    Parameters
    ----------
    layers
        Layers of the roles WATERCOURSES (lines or polygons) and WATER_BODIES (polygons) in one
        plane, in feet.
    listings
        Rows of listed waters, with ``name``, ``layer`` and ``geometry``: a listed water that lies
        on a mapped one marks it; what lies on none becomes a part of the network.
    ground
        Elevations, which give a direction to lines whose own cannot be trusted.
    crs
        The plane.
    match_ft
        How far a listed water may lie from the mapped one that it means, in feet.
    trusted
        Result of `layer_trust` for all lines of a run of which these are a part; None: these are
        all.
    """
    # The same line in two layers differs by rounding, even where no error of the data is assumed.
    match_ft = max(match_ft, SNAP_FT)
    mapped = [_features(layer) for layer in layers]
    table = pd.concat(mapped, ignore_index=True) if mapped else _no_features()
    notes: list[str] = []
    pieces = _pieces(table, ground, crs, notes, None if trusted is None else trusted.mapped)
    listed_table = _listed_features(listings)
    extra = _pieces(listed_table, ground, crs, [], None if trusted is None else trusted.listed)
    fresh = ~covered_pieces(extra.geometry, pieces.geometry, match_ft)
    pieces = pieces.with_more(extra.take(fresh), len(table))
    table = pd.concat([table, listed_table], ignore_index=True)
    feature = pieces.feature
    start, after = _links(pieces, table, ground, crs)
    touching, column, row = cells_touched(pieces.geometry)
    return Network(
        geometry=pieces.geometry,
        name=table["name"].to_numpy(object)[feature],
        layer=table["layer"].to_numpy(object)[feature],
        water=_waters(table)[feature],
        line=pieces.part,
        is_body=pieces.part < 0,
        at_rest=(pieces.part < 0) & table["still"].to_numpy(bool)[feature],
        takes_runoff=table["takes_runoff"].to_numpy(bool)[feature],
        length_ft=np.where(pieces.part < 0, 0.0, shapely.length(pieces.geometry)),
        cell_start=np.searchsorted(touching, np.arange(len(feature) + 1)),
        cell=np.column_stack([column, row]),
        after_start=start,
        after=after,
        gap_ft=_gaps_ft(pieces, start, after),
        listed=match_listings(pieces.geometry, listings["geometry"].to_numpy(object), match_ft),
        notes=tuple(notes),
    )


def downstream(network: Network, sources: Indices, limit_ft: float) -> pd.DataFrame:
    """Follow the network down from pieces.

    Parameters
    ----------
    network
        Pieces and what follows them.
    sources
        Pieces to start from.
    limit_ft
        How far, in feet.

    Returns
    -------
    pandas.DataFrame
        One row a source and piece below it, itself included, in order of distance: ``source``
        (place in ``sources``), ``piece``, ``along_ft`` (from the upper end of the source to that of
        the piece), ``last`` (True where nothing follows).
    """
    graph = _graph(network)
    found: list[Indices] = [np.empty((0, 2), np.int64)]
    along = [np.empty(0)]
    order = _by_place(network.geometry[sources])
    for start in range(0, len(sources), _SOURCES_AT_ONCE):
        own = order[start : start + _SOURCES_AT_ONCE]
        some = np.asarray(sources[own], np.int64)
        # Neighbours share most of what lies below them, and the library's table of distances is
        # as wide as the graph that it is given.
        nearest = dijkstra(graph, indices=np.unique(some), limit=limit_ft, min_only=True)
        below = np.flatnonzero(np.isfinite(nearest))
        way = dijkstra(graph[below][:, below], indices=np.searchsorted(below, some), limit=limit_ft)
        source, piece = np.nonzero(np.isfinite(way))
        found.append(np.column_stack([own[source], below[piece]]))
        along.append(way[source, piece])
    (source, piece), along_ft = np.concatenate(found).T, np.concatenate(along)
    rank = np.lexsort((piece, along_ft, source))
    last = np.diff(network.after_start) == 0
    return pd.DataFrame(
        {
            "source": source[rank],
            "piece": piece[rank],
            "along_ft": along_ft[rank],
            "last": last[piece[rank]],
        }
    )


def all_downstream(network: Network, sources: Indices, limit_ft: float) -> Indices:
    """Return the pieces that lie within a distance below any of some pieces, these included.

    Parameters
    ----------
    network
        Pieces and what follows them.
    sources
        Pieces to start from.
    limit_ft
        How far, in feet.
    """
    if not len(sources):
        return np.empty(0, np.int64)
    way = dijkstra(_graph(network), indices=np.unique(sources), limit=limit_ft, min_only=True)
    return np.flatnonzero(np.isfinite(way))


def _graph(network: Network) -> csr_array:
    """Return the links with their lengths in feet."""
    count = len(network.geometry)
    leaving = np.repeat(np.arange(count), np.diff(network.after_start))
    # A link of no length would be none to the library.
    length = np.maximum(network.length_ft[leaving] + network.gap_ft, _LEAST_FT)
    return csr_array(
        (length, np.ascontiguousarray(network.after), network.after_start.astype(np.int64)),
        shape=(count, count),
    )


def _by_place(shapes: Geometries) -> Indices:
    """Return an order in which neighbours stand near each other."""
    bounds = shapely.bounds(shapes).reshape(-1, 4)
    column, row = (np.floor(bounds[:, axis] / _PLACE_FT) for axis in (0, 1))
    return np.asarray(np.lexsort((column, row)), np.int64)


def _features(layer: WaterLayer) -> pd.DataFrame:
    frame = layer.frame
    geometry = np.asarray(frame.geometry.array, dtype=object)
    table = pd.DataFrame(
        {
            "name": feature_names(frame, layer.role),
            "layer": texts(len(frame), layer.name),
            "takes_runoff": ~_carries(frame),
            "still": layer.role == "WATER_BODIES",
            "directed": runs_as_digitised(frame),
            "geometry": pd.Series(geometry, dtype=object),
        }
    ).join(numbers_of_lines(frame).reset_index(drop=True))
    return table[has_geometry(geometry)]


def _carries(frame: gpd.GeoDataFrame) -> Booleans:
    """Return True for conduits and the like, by code or by the class of a recognised layer."""
    own = {str(column).casefold(): column for column in frame.columns}
    carries = np.zeros(len(frame), bool)
    if "fcode" in own:
        fcode = pd.to_numeric(frame[own["fcode"]], errors="coerce").to_numpy(np.float64)
        for low, high in CONVEYANCE_FCODES:
            carries |= (fcode >= low) & (fcode < high)
    if {"class", "kind", "permanence"} <= set(own):
        carries |= (frame[own["class"]] == "conveyance").to_numpy(bool)
    return carries


def _listed_features(listings: pd.DataFrame) -> pd.DataFrame:
    table = listings[["name", "layer", "geometry"]].reset_index(drop=True)
    names = table["name"].where(table["name"] != "(no name)", "")
    flags = {"takes_runoff": True, "still": False, "directed": False}
    return table.assign(name=names, **flags, **dict.fromkeys(FIELDS, np.nan))


def _no_features() -> pd.DataFrame:
    columns = ["name", "layer", "takes_runoff", "still", "directed", "geometry", *FIELDS]
    return pd.DataFrame(columns=columns)


def _waters(table: pd.DataFrame) -> Indices:
    own = pd.Series([f"feature {number}" for number in range(len(table))], dtype=object)
    names = table["name"].astype(str)
    # Prepared hydrography calls what has no name "unnamed StreamRiver" and the like.
    nameless = (names == "") | names.str.casefold().str.startswith("unnamed")
    key = own.where(nameless.to_numpy(bool), "name " + names)
    return np.asarray(pd.factorize(key)[0], np.int64)


def _turns(table: pd.DataFrame, against: Mapping[str, float] | None = None) -> Turns:
    """Return which way the numbers of the features say that they run."""
    return turns_by_numbers(
        table["geometry"].to_numpy(object),
        table[list(FIELDS)].astype(np.float64),
        table["layer"].to_numpy(object),
        table["directed"].to_numpy(bool),
        against,
    )


def _pieces(
    table: pd.DataFrame,
    ground: Ground,
    crs: pyproj.CRS,
    notes: list[str],
    trusted: LayerTrust | None,
) -> Pieces:
    """Cut the lines of the features and put the polygons behind them."""
    parts, feature = shapely.get_parts(table["geometry"].to_numpy(object), return_index=True)
    kind = shapely.get_dimensions(parts)
    lines, of_line = parts[kind == 1], feature[kind == 1]
    if len(lines):
        layer = table["layer"].to_numpy(object)[of_line]
        by_numbers = _turns(table, None if trusted is None else trusted.against)
        told = (table["directed"].to_numpy(bool) | by_numbers.told)[of_line]
        shares = None if trusted is None else trusted.downhill
        turned = directions(lines, layer, told, ground, crs, notes, shares)
        turned |= by_numbers.turned[of_line]
        lines = np.where(turned, shapely.reverse(lines), lines)
        # The parts of a line that is turned come in the other order as well.
        nth = np.arange(len(lines))
        order = np.lexsort((np.where(turned, -nth, nth), of_line))
        lines, of_line = lines[order], of_line[order]
    cut, part = cut_lines(lines)
    others = kind != 1
    # Parts of a polygon that lie apart are one water, and each is a place of its own.
    return Pieces(
        geometry=np.concatenate([cut, parts[others]]),
        feature=np.concatenate([of_line[part], feature[others]]).astype(np.int64),
        part=np.concatenate([part, np.full(int(others.sum()), -1)]).astype(np.int64),
    )


def _links(
    pieces: Pieces, table: pd.DataFrame, ground: Ground, crs: pyproj.CRS
) -> tuple[Indices, Indices]:
    """Return which pieces follow which, as starts and numbers."""
    line = np.flatnonzero(pieces.part >= 0)
    part = pieces.part[line]
    within = np.flatnonzero(part[1:] == part[:-1])
    first = line[firsts(part)]
    last = line[np.r_[firsts(part)[1:] - 1, len(part) - 1]] if len(part) else line
    numbered = _by_numbers(pieces, table, first, last)
    links = [np.column_stack([line[within], line[within + 1]]), numbered]
    rest = last[~np.isin(last, numbered[:, 0])]
    links.append(_by_ends(pieces, first, rest))
    links.append(_with_bodies(pieces, line))
    links.append(_between_bodies(pieces, ground, crs))
    pairs = np.unique(np.concatenate(links), axis=0)
    start = np.searchsorted(pairs[:, 0], np.arange(len(pieces.part) + 1))
    return start, pairs[:, 1]


def _gaps_ft(pieces: Pieces, start: Indices, after: Indices) -> Floats:
    """Return how far apart lines lie that their numbers join, as where a pipe was taken out."""
    before = np.repeat(np.arange(len(pieces.part)), np.diff(start))
    lines = np.flatnonzero((pieces.part[before] >= 0) & (pieces.part[after] >= 0))
    ends = shapely.get_point(pieces.geometry[before[lines]], -1)
    apart = shapely.distance(ends, pieces.geometry[after[lines]])
    gap_ft = np.zeros(len(after))
    gap_ft[lines] = np.where(apart > SNAP_FT, apart, 0.0)
    return gap_ft


def _by_numbers(pieces: Pieces, table: pd.DataFrame, first: Indices, last: Indices) -> Indices:
    """Join last pieces of features to first pieces of those that their numbers name."""
    found = []
    heads, tails = pieces.feature[first], pieces.feature[last]
    # Of a feature in several parts, the first piece of all and the last one.
    heads_at = firsts(heads)
    tails_at = np.r_[firsts(tails)[1:] - 1, len(tails) - 1] if len(tails) else heads_at
    for leaving, entering in LINKS:
        tail = pd.DataFrame(
            {"key": table[leaving].to_numpy(float)[tails[tails_at]], "tail": last[tails_at]}
        )
        head = pd.DataFrame(
            {"key": table[entering].to_numpy(float)[heads[heads_at]], "head": first[heads_at]}
        )
        known = tail.dropna().merge(head.dropna(), on="key")
        other = pieces.feature[known["tail"]] != pieces.feature[known["head"]]
        found.append(known.loc[other, ["tail", "head"]].to_numpy(np.int64))
    return np.asarray(np.concatenate(found).reshape(-1, 2), np.int64)


def _by_ends(pieces: Pieces, first: Indices, last: Indices) -> Indices:
    """Join last pieces to lines that start where they end, else to a line that they run into."""
    ends = shapely.get_point(pieces.geometry[last], -1)
    starts = shapely.get_point(pieces.geometry[first], 0)
    i, j = shapely.STRtree(starts).query(ends, predicate="dwithin", distance=SNAP_FT)
    other = pieces.part[last[i]] != pieces.part[first[j]]
    joined = np.column_stack([last[i[other]], first[j[other]]])
    open_ends = np.setdiff1d(np.arange(len(last)), i[other])
    lines = np.flatnonzero(pieces.part >= 0)
    tree = shapely.STRtree(pieces.geometry[lines])
    i, j = tree.query(ends[open_ends], predicate="dwithin", distance=SNAP_FT)
    i, j = open_ends[i], lines[j]
    # Two lines that end at one place do not run into each other.
    meet = shapely.dwithin(shapely.get_point(pieces.geometry[j], -1), ends[i], SNAP_FT)
    other = (pieces.part[last[i]] != pieces.part[j]) & ~(meet & np.isin(j, last))
    i, j = i[other], j[other]
    apart = shapely.distance(ends[i], pieces.geometry[j])
    order = np.lexsort((j, apart, i))
    order = order[firsts(i[order])]
    return np.concatenate([joined, np.column_stack([last[i[order]], j[order]])])


def _with_bodies(pieces: Pieces, line: Indices) -> Indices:
    """Join lines to the polygons that they run into, and polygons to the lines that leave them."""
    body = np.flatnonzero(pieces.part < 0)
    tree = shapely.STRtree(pieces.geometry[line])
    j, i = tree.query(pieces.geometry[body], predicate="dwithin", distance=SNAP_FT)
    i, j = line[i], body[j]
    shape = prepared_copies(pieces.geometry[j])
    from_inside = shapely.dwithin(shape, shapely.get_point(pieces.geometry[i], 0), SNAP_FT)
    to_inside = shapely.dwithin(shape, shapely.get_point(pieces.geometry[i], -1), SNAP_FT)
    through = ~from_inside & ~to_inside
    entering, leaving = ~from_inside, (from_inside | through) & ~to_inside
    return np.concatenate(
        [
            np.column_stack([i[entering], j[entering]]),
            np.column_stack([j[leaving], i[leaving]]),
        ]
    )


def _between_bodies(pieces: Pieces, ground: Ground, crs: pyproj.CRS) -> Indices:
    """Join polygons that touch, down the ground's lowest places along their edges."""
    body = np.flatnonzero(pieces.part < 0)
    shapes = pieces.geometry[body]
    i, j = shapely.STRtree(shapes).query(shapes, predicate="dwithin", distance=SNAP_FT)
    i, j = i[i != j], j[i != j]
    if not len(i):
        return np.empty((0, 2), np.int64)
    xy, owner = shapely.get_coordinates(shapely.segmentize(shapes, _OUTLINE_FT), return_index=True)
    lowest = np.full(len(shapes), np.nan)
    np.fmin.at(lowest, owner, ground.elevation_ft(xy[:, 0], xy[:, 1], crs))
    # Where the ground does not tell, water may go either way.
    down = ~(lowest[j] > lowest[i])
    return np.column_stack([body[i[down]], body[j[down]]])
