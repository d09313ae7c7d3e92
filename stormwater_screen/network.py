"""The hydrography as a network: lines and water bodies in pieces, and which piece follows which.

Flow runs as the lines say: by NHD numbers (``hydroseq`` and ``dnhydroseq``, from and to node) where
a line has them, else from end to start point of the next line. A line runs as it was digitised,
unless its layer was plainly digitised without regard to flow and the ground says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

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
from .gradient import Ground
from .network_lines import Pieces, cut_lines, directions, downhill_shares
from .network_listings import covered_pieces, match_listings

Booleans = npt.NDArray[np.bool_]

SNAP_FT: Final = 10.0
"""Ends of lines closer than this are joined, in feet: rounding and careless snapping."""

CONVEYANCE_FCODES: Final = ((33400, 33401), (42000, 42900))
"""NHD codes, from and up to, of what only carries water on: connectors, conduits, pipelines. Their
lines are followed, but runoff does not enter them."""

_OUTLINE_FT: Final = 100.0
_LEAST_FT: Final = 0.001
_SOURCES_AT_ONCE: Final = 64


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
        Way over land from a piece to the one that follows it, for each of ``after``, in feet.
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
class Downhill:
    """Shares of lines with a clear fall that run downhill as digitised, by the layer's name.

    Attributes
    ----------
    mapped, listed
        Of layers of watercourses; of layers of listed waters.
    """

    mapped: Mapping[str, float]
    listed: Mapping[str, float]


def downhill(
    layers: Sequence[WaterLayer], listings: pd.DataFrame, ground: Ground, crs: pyproj.CRS
) -> Downhill:
    """Return how far the directions of lines can be trusted; parameters as `build_network`."""

    def shares(table: pd.DataFrame) -> dict[str, float]:
        lines, _, layer, told = _lines(table)
        return downhill_shares(lines, layer, told, ground, crs) if len(lines) else {}

    mapped = [_features(layer) for layer in layers]
    table = pd.concat(mapped, ignore_index=True) if mapped else _no_features()
    return Downhill(shares(table), shares(_listed_features(listings)))


def build_network(
    layers: Sequence[WaterLayer],
    listings: pd.DataFrame,
    ground: Ground,
    crs: pyproj.CRS,
    *,
    match_ft: float,
    trusted: Downhill | None = None,
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
        Result of `downhill` for all lines of a run of which these are a part; None: these are all.
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
        gap_ft=np.zeros(len(after)),
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
    count = len(network.geometry)
    leaving = np.repeat(np.arange(count), np.diff(network.after_start))
    # A link of no length would be none to the library.
    length = np.maximum(network.length_ft[leaving] + network.gap_ft, _LEAST_FT)
    graph = csr_array(
        (length, np.ascontiguousarray(network.after), network.after_start.astype(np.int64)),
        shape=(count, count),
    )
    found: list[Indices] = [np.empty((0, 2), np.int64)]
    along = [np.empty(0)]
    for start in range(0, len(sources), _SOURCES_AT_ONCE):
        some = np.asarray(sources[start : start + _SOURCES_AT_ONCE], np.int64)
        way = dijkstra(graph, indices=some, limit=limit_ft)
        source, piece = np.nonzero(np.isfinite(way))
        found.append(np.column_stack([source + start, piece]))
        along.append(way[source, piece])
    pairs = np.concatenate(found)
    table = pd.DataFrame(pairs, columns=["source", "piece"]).assign(along_ft=np.concatenate(along))
    table["last"] = np.diff(network.after_start)[pairs[:, 1]] == 0
    return table.sort_values(["source", "along_ft"], kind="stable", ignore_index=True)


def _features(layer: WaterLayer) -> pd.DataFrame:
    frame = layer.frame
    own = {str(column).casefold(): column for column in frame.columns}

    def number(*names: str) -> Floats:
        column = next((own[name] for name in names if name in own), None)
        if column is None:
            return np.full(len(frame), np.nan)
        return np.asarray(pd.to_numeric(frame[column], errors="coerce"), np.float64)

    fcode = number("fcode")
    carries = np.zeros(len(frame), bool)
    for low, high in CONVEYANCE_FCODES:
        carries |= (fcode >= low) & (fcode < high)
    geometry = np.asarray(frame.geometry.array, dtype=object)
    table = pd.DataFrame(
        {
            "name": feature_names(frame, layer.role),
            "layer": texts(len(frame), layer.name),
            "takes_runoff": ~carries,
            "still": layer.role == "WATER_BODIES",
            "number": number("hydroseq"),
            "next_number": number("dnhydroseq", "dnhydrosq", "dnhydrose"),
            "from_node": number("fromnode"),
            "to_node": number("tonode"),
            "directed": _directed(frame, own),
            "geometry": pd.Series(geometry, dtype=object),
        }
    )
    return table[has_geometry(geometry)]


def _directed(frame: gpd.GeoDataFrame, own: dict[str, Any]) -> Booleans:
    """Return True where a line says itself that it flows as it was digitised."""
    if "flowdir" not in own:
        return np.zeros(len(frame), bool)
    words = frame[own["flowdir"]].astype(str).str.casefold()
    return np.asarray(words.isin(["1", "1.0", "with digitized"]), bool)


def _listed_features(listings: pd.DataFrame) -> pd.DataFrame:
    table = listings[["name", "layer", "geometry"]].reset_index(drop=True)
    names = table["name"].where(table["name"] != "(no name)", "")
    numbers = dict.fromkeys(("number", "next_number", "from_node", "to_node"), np.nan)
    flags = {"takes_runoff": True, "still": False, "directed": False}
    return table.assign(name=names, **flags, **numbers)


def _no_features() -> pd.DataFrame:
    columns = ["name", "layer", "takes_runoff", "still", "number", "next_number", "from_node"]
    return pd.DataFrame(columns=[*columns, "to_node", "directed", "geometry"])


def _waters(table: pd.DataFrame) -> Indices:
    own = pd.Series([f"feature {number}" for number in range(len(table))], dtype=object)
    names = table["name"].astype(str)
    # Prepared hydrography calls what has no name "unnamed StreamRiver" and the like.
    nameless = (names == "") | names.str.casefold().str.startswith("unnamed")
    key = own.where(nameless.to_numpy(bool), "name " + names)
    return np.asarray(pd.factorize(key)[0], np.int64)


def _lines(table: pd.DataFrame) -> tuple[Geometries, Indices, Texts, Booleans]:
    """Return the lines of features, the feature and layer of each, and whether it is directed."""
    parts, feature = shapely.get_parts(table["geometry"].to_numpy(object), return_index=True)
    curves = shapely.get_dimensions(parts) == 1
    of_line = feature[curves].astype(np.int64)
    told = table["directed"].to_numpy(bool) | table["number"].notna().to_numpy()
    told |= table["from_node"].notna().to_numpy()
    return parts[curves], of_line, table["layer"].to_numpy(object)[of_line], told[of_line]


def _pieces(
    table: pd.DataFrame,
    ground: Ground,
    crs: pyproj.CRS,
    notes: list[str],
    shares: Mapping[str, float] | None,
) -> Pieces:
    """Cut the lines of the features and put the polygons behind them."""
    lines, of_line, layer, told = _lines(table)
    if len(lines):
        turned = directions(lines, layer, told, ground, crs, notes, shares)
        lines = np.where(turned, shapely.reverse(lines), lines)
    cut, part = cut_lines(lines)
    parts, feature = shapely.get_parts(table["geometry"].to_numpy(object), return_index=True)
    others = shapely.get_dimensions(parts) != 1
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


def _by_numbers(pieces: Pieces, table: pd.DataFrame, first: Indices, last: Indices) -> Indices:
    """Join last pieces of features to first pieces of those that their numbers name."""
    found = []
    heads, tails = pieces.feature[first], pieces.feature[last]
    # Of a feature in several parts, the first piece of all and the last one.
    heads_at = firsts(heads)
    tails_at = np.r_[firsts(tails)[1:] - 1, len(tails) - 1] if len(tails) else heads_at
    for leaving, entering in (("next_number", "number"), ("to_node", "from_node")):
        tail = pd.DataFrame(
            {"key": table[leaving].to_numpy(float)[tails[tails_at]], "tail": last[tails_at]}
        )
        head = pd.DataFrame(
            {"key": table[entering].to_numpy(float)[heads[heads_at]], "head": first[heads_at]}
        )
        # 0 stands for none in NHD.
        known = tail[tail["key"] > 0].merge(head[head["key"] > 0], on="key")
        found.append(known[["tail", "head"]].to_numpy(np.int64))
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
    tree = shapely.STRtree(pieces.geometry[body])
    i, j = tree.query(pieces.geometry[line], predicate="dwithin", distance=SNAP_FT)
    i, j = line[i], body[j]
    shape = pieces.geometry[j]
    from_inside = shapely.dwithin(shapely.get_point(pieces.geometry[i], 0), shape, SNAP_FT)
    to_inside = shapely.dwithin(shapely.get_point(pieces.geometry[i], -1), shape, SNAP_FT)
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
