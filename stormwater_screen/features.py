"""Features of several layers in one plane, cut into small pieces so that nearness is found fast."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd
import shapely
from shapely.geometry.base import BaseGeometry

from .facts import Floats, Texts, texts
from .hydrography import find_kinds, within_polygons
from .tables import known_fields
from .tolerances import DISTANCE_FT

Geometries = npt.NDArray[np.object_]
Indices = npt.NDArray[np.int64]

PIECE_VERTICES: Final = 32
"""Most vertices of a piece: a distance to a shoreline of 60,000 vertices looks at few of them."""

_SMALLEST_PIECE_FT: Final = 0.5
_AREA_NOISE: Final = 1e-9
_POLYGON, _LINE_TYPES = 3, (1, 2)
_NAME_ROLES: Final = {
    "WATER_BODIES": "WATER_NAME",
    "WATERCOURSES": "WATER_NAME",
    "WETLANDS": "WETLAND_NAME",
    "WATER_SUPPLIES": "SUPPLY_NAME",
    "LEACH_FIELDS": "LEACH_NAME",
}
_ONE: Final = {
    "WATER_BODIES": "a water body",
    "WATERCOURSES": "a watercourse",
    "WETLANDS": "a wetland",
    "WATER_SUPPLIES": "a drinking-water supply",
    "LEACH_FIELDS": "a leach field",
}


@dataclass(frozen=True)
class WaterLayer:
    """A layer that distances are measured to, in the working plane.

    Attributes
    ----------
    name
        Name as the user knows it.
    role
        Name of the parameter it came by, as ``WATER_BODIES``.
    frame
        Its features: points, lines or polygons, in feet.
    extent
        Box of the whole source layer as a polygon in the plane; None where the layer is empty or
        lies far from all sites.
    """

    name: str
    role: str
    frame: gpd.GeoDataFrame
    extent: BaseGeometry | None


@dataclass(frozen=True)
class Features:
    """Features of several layers.

    Attributes
    ----------
    role, layer, name
        Of each feature; the name is empty where it has none.
    geometry
        Of each feature, whole.
    pieces, piece_feature
        Small pieces of the features, and the number of the feature each belongs to.
    what
        What the code of each feature says it is; empty where it has none.
    doubtful
        True where a feature may or may not count, as a ditch; empty: none is doubtful.
    """

    role: Texts
    layer: Texts
    name: Texts
    geometry: Geometries
    pieces: Geometries
    piece_feature: Indices
    what: Texts = field(default_factory=lambda: texts(0))
    doubtful: npt.NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=bool))

    @cached_property
    def label(self) -> Texts:
        """A name for each feature: its own, else what it is and its layer."""
        what = np.array([_ONE.get(role, role) for role in self.role], dtype=object)
        return np.where(self.name != "", self.name, what + " of " + self.layer).astype(object)

    def pieces_of(self, roles: Sequence[str], *, sure: bool = False) -> tuple[Geometries, Indices]:
        """Return the pieces of the roles' features, and the number of each one's feature.

        With ``sure`` doubtful features are left out.
        """
        wanted = np.isin(self.role, list(roles))
        if sure and len(self.doubtful):
            wanted &= ~self.doubtful
        chosen = wanted[self.piece_feature]
        return self.pieces[chosen], self.piece_feature[chosen]


@dataclass(frozen=True)
class Nearest:
    """The nearest feature of each geometry.

    Attributes
    ----------
    distance_ft
        In feet, 0 where they touch or overlap; infinite where there is no feature or no geometry.
    feature
        Number of the feature, -1 where there is none.
    """

    distance_ft: Floats
    feature: Indices


def gather(layers: Sequence[WaterLayer]) -> Features:
    """Put the features of all layers together and cut the large ones.

    Parameters
    ----------
    layers
        Layers in one plane, in feet. Features without geometry are left out.
    """
    tables = [_layer_table(layer) for layer in layers]
    table = pd.concat([_layer_table(None), *tables], ignore_index=True)
    path = table.pop("path").to_numpy(dtype=bool)
    lines = table["geometry"].to_numpy()[path]
    bodies = table["geometry"].to_numpy()[(table["role"] == "WATER_BODIES") & ~path]
    # The centre line of a lake is no water of its own.
    path[path] = within_polygons(lines, bodies)
    table = table[~path]
    geometry = table["geometry"].to_numpy()
    pieces, parents = subdivide(geometry)
    role, layer, name, what = (
        table[column].to_numpy(dtype=object) for column in ("role", "layer", "name", "what")
    )
    doubtful = table["doubtful"].to_numpy(dtype=bool)
    return Features(role, layer, name, geometry, pieces, parents, what, doubtful)


def nearest_of(
    features: Features, roles: Sequence[str], searched_ft: float = np.inf, *, sure: bool = True
) -> Callable[[Geometries], Nearest]:
    """Return a search for the nearest feature of the roles, for polygons or points.

    Of features at the same distance a named one comes first, then the one that comes first in the
    layers, so that the answer does not depend on the order in which an index is searched. The
    geometries lie in the plane of the features, in feet; they may be None or empty. What lies
    farther than ``searched_ft`` is not found, and with ``sure`` neither is what is doubtful.
    """
    pieces, piece_feature = features.pieces_of(roles, sure=sure)
    tree = shapely.STRtree(pieces)
    unnamed = features.name == ""

    def search(geometries: Geometries) -> Nearest:
        distance = np.full(len(geometries), np.inf)
        found = np.full(len(geometries), -1, dtype=np.int64)
        usable = np.flatnonzero(has_geometry(geometries))
        if not len(pieces) or not len(usable):
            return Nearest(distance, found)
        (place, piece), apart = tree.query_nearest(geometries[usable], return_distance=True)
        feature = piece_feature[piece]
        order = np.lexsort((feature, unnamed[feature], place))
        first = order[firsts(place[order])]
        first = first[apart[first] <= searched_ft]
        distance[usable[place[first]]] = np.where(apart[first] < DISTANCE_FT, 0.0, apart[first])
        found[usable[place[first]]] = feature[first]
        return Nearest(distance, found)

    return search


def nearer(one: Nearest, other: Nearest) -> Nearest:
    """Return the nearer of two features for each geometry; the first where they are equal."""
    closer = other.distance_ft < one.distance_ft
    return Nearest(
        np.where(closer, other.distance_ft, one.distance_ft),
        np.where(closer, other.feature, one.feature),
    )


def firsts(values: Indices) -> Indices:
    """Return where a sorted array begins with each of its values."""
    fresh = np.ones(len(values), dtype=bool)
    fresh[1:] = np.diff(values) != 0
    return np.flatnonzero(fresh)


def has_geometry(geometries: Geometries) -> npt.NDArray[np.bool_]:
    """Return True for geometries that are there and not empty."""
    there: npt.NDArray[np.bool_] = ~(shapely.is_missing(geometries) | shapely.is_empty(geometries))
    return there


def subdivide(
    geometries: Geometries, max_vertices: int = PIECE_VERTICES
) -> tuple[Geometries, Indices]:
    """Return single-part pieces that together are the geometries, and the parent of each.

    Lines are cut at vertices, polygons along straight lines through them. The pieces of a large
    geometry are kept as long as it lives, since several measures and many batches need them; they
    take about as much memory as it does.
    """
    large = shapely.get_num_coordinates(geometries) > max_vertices
    small, number = np.flatnonzero(~large), np.flatnonzero(large)
    parts, owner = shapely.get_parts(geometries[small], return_index=True)
    kept = _kept_pieces(geometries[number], max_vertices)
    parents = np.repeat(number, [len(own) for own in kept])
    return np.concatenate([parts, *kept]), np.concatenate([small[owner], parents]).astype(np.int64)


_kept: dict[tuple[int, int], tuple[weakref.ref[BaseGeometry], Geometries]] = {}
_kept_lock = threading.RLock()


def _kept_pieces(geometries: Geometries, max_vertices: int) -> list[Geometries]:
    keys = [(id(geometry), max_vertices) for geometry in geometries]
    with _kept_lock:
        fresh = [place for place, key in enumerate(keys) if key not in _kept]
        if fresh:
            pieces, parent = _cut(geometries[fresh], max_vertices)
            order = np.argsort(parent, kind="stable")
            starts = np.searchsorted(parent[order], np.arange(1, len(fresh)))
            for place, own in zip(fresh, np.split(pieces[order], starts), strict=True):
                _keep(geometries[place], keys[place], own)
        return [_kept[key][1] for key in keys]


def _keep(geometry: BaseGeometry, key: tuple[int, int], pieces: Geometries) -> None:
    _kept[key] = (weakref.ref(geometry, lambda _: _kept.pop(key, None)), pieces)


def _cut(geometries: Geometries, max_vertices: int) -> tuple[Geometries, Indices]:
    parts, parents = shapely.get_parts(geometries, return_index=True)
    large = shapely.get_num_coordinates(parts) > max_vertices
    lines = large & np.isin(shapely.get_type_id(parts), _LINE_TYPES)
    polygons = large & (shapely.get_type_id(parts) == _POLYGON)
    line_pieces, of_line = _cut_lines(parts[lines], max_vertices)
    polygon_pieces, of_polygon = _cut_polygons(parts[polygons], max_vertices)
    rest = ~(lines | polygons)
    pieces = np.concatenate([parts[rest], line_pieces, polygon_pieces])
    parent = np.concatenate([parents[rest], parents[lines][of_line], parents[polygons][of_polygon]])
    return pieces, parent.astype(np.int64)


def _cut_lines(lines: Geometries, max_vertices: int) -> tuple[Geometries, Indices]:
    if not len(lines):
        return np.empty(0, dtype=object), np.empty(0, dtype=np.int64)
    xy, line = shapely.get_coordinates(lines, return_index=True)
    count = np.bincount(line)
    position = np.arange(len(xy)) - np.repeat(np.cumsum(count) - count, count)
    step = max_vertices - 1
    last = position == count[line] - 1
    ends = (position > 0) & (last | (position % step == 0))
    row = np.r_[np.flatnonzero(~last), np.flatnonzero(ends)]
    chunk = np.r_[position[~last] // step, (position[ends] - 1) // step]
    order = np.lexsort((position[row], chunk, line[row]))
    row, chunk = row[order], chunk[order]
    number = np.cumsum(np.r_[True, (np.diff(chunk) != 0) | (np.diff(line[row]) != 0)]) - 1
    pieces = shapely.linestrings(xy[row], indices=number)
    return pieces, line[row][np.r_[True, np.diff(number) != 0]]


def _cut_polygons(polygons: Geometries, max_vertices: int) -> tuple[Geometries, Indices]:
    pieces: list[Geometries] = []
    parents: list[Indices] = []
    parent = np.arange(len(polygons))
    while True:
        x0, y0, x1, y1 = shapely.bounds(polygons).reshape(-1, 4).T
        small = np.maximum(x1 - x0, y1 - y0) < _SMALLEST_PIECE_FT
        small |= shapely.get_num_coordinates(polygons) <= max_vertices
        pieces.append(polygons[small])
        parents.append(parent[small])
        if small.all():
            return np.concatenate(pieces), np.concatenate(parents)
        polygons, half_of = _halves(polygons[~small])
        parent = parent[~small][half_of]


def _halves(polygons: Geometries) -> tuple[Geometries, Indices]:
    """Cut each polygon across the middle of its longer side."""
    x0, y0, x1, y1 = shapely.bounds(polygons).T
    wide = x1 - x0 > y1 - y0
    x, y = np.where(wide, (x0 + x1) / 2, x1), np.where(wide, y1, (y0 + y1) / 2)
    low = np.column_stack([x0, y0, x, y])
    high = np.column_stack([np.where(wide, x, x0), np.where(wide, y0, y), x1, y1])
    boxes = np.concatenate([low, high])
    half_of = np.tile(np.arange(len(polygons)), 2)
    halves = np.array(
        [
            shapely.clip_by_rect(polygon, *corners)
            for polygon, corners in zip(polygons[half_of], boxes.tolist(), strict=True)
        ],
        dtype=object,
    )
    # Clipping by a rectangle is much faster than an intersection, but may fail on touching rings.
    area = shapely.area(polygons)
    lost = np.abs(np.bincount(half_of, shapely.area(halves)) - area) > _AREA_NOISE * area
    bad = lost[half_of] | ~shapely.is_valid(halves)
    halves[bad] = shapely.intersection(polygons[half_of[bad]], shapely.box(*boxes[bad].T))
    halves, collection = shapely.get_parts(halves, return_index=True)
    parts, inner = shapely.get_parts(halves, return_index=True)
    kept = (shapely.get_type_id(parts) == _POLYGON) & ~shapely.is_empty(parts)
    return parts[kept], half_of[collection[inner[kept]]]


def _layer_table(layer: WaterLayer | None) -> pd.DataFrame:
    """Return the features of a layer that count; an empty table without a layer."""
    if layer is None:
        columns = ["role", "layer", "name", "what", "doubtful", "path", "geometry"]
        return pd.DataFrame(columns=columns, dtype=object)
    geometry = np.asarray(layer.frame.geometry.array, dtype=object)
    kinds = find_kinds(layer.frame, layer.role)
    table = pd.DataFrame(
        {
            "role": kinds.role,
            "layer": layer.name,
            "name": feature_names(layer.frame, layer.role),
            "what": kinds.what,
            "doubtful": kinds.doubtful,
            "path": kinds.path,
        }
    )
    table["geometry"] = geometry
    return table[has_geometry(geometry) & (kinds.role != "")].astype(object)


def feature_names(frame: gpd.GeoDataFrame, role: str) -> Texts:
    """Return the name of each feature, empty where it has none.

    Taken from the first well-known field (resources/tables/known_fields.csv) in which the feature
    has a word; upper and lower case do not matter.
    """
    fields = {str(column).casefold(): column for column in frame.columns}
    names = texts(len(frame))
    for known in (name for name in known_fields().by_role[_NAME_ROLES[role]] if name in fields):
        column = frame[fields[known]]
        words = column.astype(object).where(column.notna(), "")
        found = np.array([str(word).strip() for word in words], dtype=object).reshape(len(frame))
        names = np.where(names == "", found, names)
    return names
