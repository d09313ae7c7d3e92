"""Features of several layers in one plane, cut into small pieces so that nearness is found fast."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import shapely
from shapely.geometry.base import BaseGeometry

from .facts import Floats, Texts, texts
from .tolerances import DISTANCE_FT

Geometries = npt.NDArray[np.object_]
Indices = npt.NDArray[np.int64]

PIECE_VERTICES: Final = 48
"""Most vertices of a piece: a distance to a shoreline of 60,000 vertices looks at few of them."""

_SMALLEST_PIECE_FT: Final = 0.5
_AREA_NOISE: Final = 1e-9
_POLYGON, _LINE_TYPES = 3, (1, 2)
_NAME_FIELDS = Path(__file__).resolve().parent.parent / "resources" / "tables" / "name_fields.csv"


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
        Box of the whole source layer as a polygon in the plane; None where the layer is empty.
    searched_ft
        How far from every site features were read, in feet; beyond it nothing is known.
    """

    name: str
    role: str
    frame: gpd.GeoDataFrame
    extent: BaseGeometry | None
    searched_ft: float = np.inf


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
    """

    role: Texts
    layer: Texts
    name: Texts
    geometry: Geometries
    pieces: Geometries
    piece_feature: Indices

    def pieces_of(self, roles: Sequence[str]) -> tuple[Geometries, Indices]:
        """Return the pieces of the roles' features, and the number of each one's feature."""
        chosen = np.isin(self.role, list(roles))[self.piece_feature]
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
    tables = [_layer_table(layer) for layer in layers] or [_no_features()]
    role, layer, name, geometry = (np.concatenate(part) for part in zip(*tables, strict=True))
    pieces, parents = subdivide(geometry)
    return Features(role, layer, name, geometry, pieces, parents)


def nearest_of(features: Features, roles: Sequence[str]) -> Callable[[Geometries], Nearest]:
    """Return a search for the nearest feature of the roles, for polygons or points.

    Of features at the same distance a named one comes first, then the one that comes first in the
    layers, so that the answer does not depend on the order in which an index is searched. The
    geometries lie in the plane of the features, in feet; they may be None or empty.
    """
    pieces, piece_feature = features.pieces_of(roles)
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
        first = order[np.r_[True, np.diff(place[order]) != 0]]
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


def has_geometry(geometries: Geometries) -> npt.NDArray[np.bool_]:
    """Return True for geometries that are there and not empty."""
    there: npt.NDArray[np.bool_] = ~(shapely.is_missing(geometries) | shapely.is_empty(geometries))
    return there


def subdivide(
    geometries: Geometries, max_vertices: int = PIECE_VERTICES
) -> tuple[Geometries, Indices]:
    """Return single-part pieces that together are the geometries, and the parent of each.

    Lines are cut at vertices, polygons along straight lines through them.
    """
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
    pieces: list[BaseGeometry] = []
    parents: list[int] = []
    waiting = list(enumerate(polygons))
    while waiting:
        parent, polygon = waiting.pop()
        x0, y0, x1, y1 = polygon.bounds
        small = max(x1 - x0, y1 - y0) < _SMALLEST_PIECE_FT
        if small or shapely.get_num_coordinates(polygon) <= max_vertices:
            pieces.append(polygon)
            parents.append(parent)
        else:
            waiting += [(parent, half) for half in _halves(polygon)]
    return np.array(pieces, dtype=object), np.array(parents, dtype=np.int64)


def _halves(polygon: BaseGeometry) -> Geometries:
    x0, y0, x1, y1 = polygon.bounds
    if x1 - x0 > y1 - y0:
        boxes = [(x0, y0, (x0 + x1) / 2, y1), ((x0 + x1) / 2, y0, x1, y1)]
    else:
        boxes = [(x0, y0, x1, (y0 + y1) / 2), (x0, (y0 + y1) / 2, x1, y1)]
    halves = _polygons(np.array([shapely.clip_by_rect(polygon, *box) for box in boxes]))
    # Clipping by a rectangle is much faster than an intersection, but may fail on touching rings.
    lost = abs(shapely.area(halves).sum() - polygon.area) > _AREA_NOISE * polygon.area
    if lost or not shapely.is_valid(halves).all():
        return _polygons(np.array([polygon.intersection(shapely.box(*box)) for box in boxes]))
    return halves


def _polygons(geometries: Geometries) -> Geometries:
    """Return the polygons among the parts of the geometries, collections opened."""
    parts = shapely.get_parts(shapely.get_parts(geometries))
    chosen: Geometries = parts[(shapely.get_type_id(parts) == _POLYGON) & ~shapely.is_empty(parts)]
    return chosen


def _no_features() -> tuple[Texts, Texts, Texts, Geometries]:
    return texts(0), texts(0), texts(0), np.empty(0, dtype=object)


def _layer_table(layer: WaterLayer) -> tuple[Texts, Texts, Texts, Geometries]:
    frame = layer.frame
    geometry = np.asarray(frame.geometry.array, dtype=object)
    kept = has_geometry(geometry)
    count = int(kept.sum())
    names = feature_names(frame, layer.role)[kept]
    return texts(count, layer.role), texts(count, layer.name), names, geometry[kept]


def feature_names(frame: gpd.GeoDataFrame, role: str) -> Texts:
    """Return the name of each feature, empty where it has none.

    Taken from the first field of resources/tables/name_fields.csv in which the feature has a word;
    upper and lower case do not matter.
    """
    fields = {str(column).casefold(): column for column in frame.columns}
    names = texts(len(frame))
    for field in (wanted for wanted in _name_fields(role) if wanted in fields):
        column = frame[fields[field]]
        words = column.astype(object).where(column.notna(), "")
        found = np.array([str(word).strip() for word in words], dtype=object).reshape(len(frame))
        names = np.where(names == "", found, names)
    return names


def _name_fields(role: str) -> list[str]:
    group = "WATER" if role in ("WATER_BODIES", "WATERCOURSES") else role
    with _NAME_FIELDS.open(newline="", encoding="utf-8") as file:
        return [row["field"].casefold() for row in csv.DictReader(file) if row["role"] == group]
