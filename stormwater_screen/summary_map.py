"""The small map of the summary page: sites by class, waters, scale and north, as SVG."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pyproj
import shapely

from .layers import Layer
from .progress import Progress, no_progress, part_of

Geometries = npt.NDArray[np.object_]

WIDTH: Final = 1000.0
"""Width of the drawing, in its own units; about a pixel each on a wide screen."""
SHORTEST: Final = 260.0
TALLEST: Final = 820.0
MANY_SITES: Final = 1_500
"""Above this the sites of a class are one shape, without a name for each."""
MOST_LABELS: Final = 150
LABEL_WIDTH: Final = 6.2
"""Width of a character of a label."""
MOST_CORNERS: Final = 40_000
"""Corners of waters that are drawn; beyond it they are simplified until they fit."""
OUTLYING_GAIN: Final = 2.0
"""Sites far from the others are left out where that makes the map so many times larger."""
SCALE_SHARE: Final = 0.2

WATER_STYLES: Final = (
    ("WETLANDS", "wetland"),
    ("WATER_BODIES", "water"),
    ("WATERCOURSES", "stream"),
    ("IMPAIRED", "listed"),
)
LINE_STYLES: Final = ("stream", "listed")


@dataclass(frozen=True)
class Shape:
    """A path of the drawing with its style and the words that stand for it."""

    path: str
    style: str
    title: str = ""


@dataclass(frozen=True)
class Label:
    """A short text on the drawing."""

    x: float
    y: float
    text: str


@dataclass(frozen=True)
class SiteMap:
    """What the template draws.

    Attributes
    ----------
    width, height
        Size of the drawing in its units.
    waters, sites, lines
        Paths from back to front; lines of streams and listed waters cross the sites.
    labels
        Ids of sites.
    scale_ft, scale_length
        Length of the scale bar, in feet and in units of the drawing.
    beyond
        Places (from 0) of sites that lie beyond the map.
    styles
        Styles of waters that are drawn, for the key.
    """

    width: float
    height: float
    waters: list[Shape]
    sites: list[Shape]
    lines: list[Shape]
    labels: list[Label]
    scale_ft: int
    scale_length: float
    beyond: list[int]
    styles: list[str]


@dataclass(frozen=True)
class _Frame:
    """The part of the plane that is drawn."""

    west: float
    south: float
    east: float
    north: float

    @property
    def factor(self) -> float:
        return WIDTH / (self.east - self.west)

    def draw(self, geometries: Geometries) -> Geometries:
        """Return geometries in units of the drawing, y downwards."""
        moved: Geometries = shapely.transform(
            geometries,
            lambda xy: np.column_stack(
                ((xy[:, 0] - self.west) * self.factor, (self.north - xy[:, 1]) * self.factor)
            ),
        )
        return moved


def site_map(
    geometries: gpd.GeoSeries,
    styles: Sequence[str],
    titles: Sequence[str],
    labels: Sequence[str],
    layers: Mapping[str, Iterable[Layer]],
    progress: Progress = no_progress,
) -> SiteMap | None:
    """Return the drawing of the sites, or None where no site has a geometry.

    Parameters
    ----------
    geometries
        Polygons of the sites in any CRS; may be None or empty.
    styles, titles, labels
        Style, description and short name of each site.
    layers
        Layers by parameter name; waters and wetlands are drawn.
    progress
        Called with the share done; raises to stop.
    """
    there = np.flatnonzero(~(geometries.isna() | geometries.is_empty).to_numpy())
    if not len(there) or geometries.crs is None:
        return None
    plane = _map_plane(geometries.iloc[there])
    shapes = np.asarray(geometries.iloc[there].to_crs(plane).array, dtype=object)
    progress(0.2)
    inside = _without_outlying(shapes)
    frame = _frame(shapes[inside])
    shown = there[inside]
    drawn = frame.draw(shapes[inside])
    height = (frame.north - frame.south) * frame.factor
    progress(0.4)
    waters = _waters(layers, plane, frame, part_of(progress, 0.4, 0.8))
    words = [(styles[i], titles[i], labels[i]) for i in shown]
    scale_ft = _round_length(SCALE_SHARE * (frame.east - frame.west))
    return SiteMap(
        width=WIDTH,
        height=round(height, 1),
        waters=[shape for shape in waters if shape.style not in LINE_STYLES],
        lines=[shape for shape in waters if shape.style in LINE_STYLES],
        sites=_site_shapes(drawn, words),
        labels=_labels(drawn, words),
        scale_ft=scale_ft,
        scale_length=round(scale_ft * frame.factor, 1),
        beyond=[int(i) for i in there[~inside]],
        styles=list(dict.fromkeys(shape.style for shape in waters)),
    )


def _map_plane(geometries: gpd.GeoSeries) -> pyproj.CRS:
    west, south, east, north = (float(side) for side in geometries.total_bounds)
    to_degrees = pyproj.Transformer.from_crs(geometries.crs, 4269, always_xy=True)
    lon, lat = to_degrees.transform((west + east) / 2, (south + north) / 2)
    return pyproj.CRS.from_proj4(
        f"+proj=laea +lat_0={lat:.4f} +lon_0={lon:.4f} +datum=NAD83 +units=ft +no_defs"
    )


def _without_outlying(shapes: Geometries) -> npt.NDArray[np.bool_]:
    """Return which sites the map shows: all, unless a few lie far away from the others."""
    bounds = shapely.bounds(shapes)
    middle = np.column_stack(((bounds[:, 0] + bounds[:, 2]) / 2, (bounds[:, 1] + bounds[:, 3]) / 2))
    low, high = np.quantile(middle, 0.04, axis=0), np.quantile(middle, 0.96, axis=0)
    margin = (high - low) * 0.5 + 500.0
    near = ((middle >= low - margin) & (middle <= high + margin)).all(axis=1)
    if near.all() or not near.any():
        return np.ones(len(shapes), dtype=bool)
    span = np.ptp(middle, axis=0).max() / max(float(np.ptp(middle[near], axis=0).max()), 1.0)
    return near if span >= OUTLYING_GAIN else np.ones(len(shapes), dtype=bool)


def _frame(shapes: Geometries) -> _Frame:
    west, south, east, north = shapely.total_bounds(shapes)
    pad = 0.03 * max(east - west, north - south) + 50.0
    west, south, east, north = west - pad, south - pad, east + pad, north + pad
    width, height = east - west, north - south
    if height / width > TALLEST / WIDTH:
        more = (height * WIDTH / TALLEST - width) / 2
        west, east = west - more, east + more
    elif height / width < SHORTEST / WIDTH:
        more = (width * SHORTEST / WIDTH - height) / 2
        south, north = south - more, north + more
    return _Frame(float(west), float(south), float(east), float(north))


def _round_length(feet: float) -> int:
    """Return the largest round number of feet up to a length."""
    power = 10.0 ** np.floor(np.log10(max(feet, 1.0)))
    steps = [step * power for step in (1, 2, 5) if step * power <= max(feet, 1.0)]
    return int(max(steps))


def _waters(
    layers: Mapping[str, Iterable[Layer]], plane: pyproj.CRS, frame: _Frame, progress: Progress
) -> list[Shape]:
    shapes: list[Shape] = []
    for number, (role, style) in enumerate(WATER_STYLES):
        progress(number / len(WATER_STYLES))
        for layer in layers.get(role, ()):
            clipped = _clipped(layer, plane, frame)
            if len(clipped):
                shapes.append(Shape(_path(clipped, 1), style, layer.name))
    return shapes


def _clipped(layer: Layer, plane: pyproj.CRS, frame: _Frame) -> Geometries:
    """Return what the map shows of a layer, in units of the drawing."""
    given = layer.frame.geometry[~(layer.frame.geometry.isna() | layer.frame.geometry.is_empty)]
    if not len(given) or given.crs is None:
        return np.empty(0, dtype=object)
    moved = np.asarray(given.to_crs(plane).array, dtype=object)
    window = (frame.west, frame.south, frame.east, frame.north)
    moved = moved[shapely.intersects(shapely.box(*shapely.bounds(moved).T), shapely.box(*window))]
    drawn = frame.draw(shapely.clip_by_rect(moved, *window))
    drawn = drawn[~shapely.is_empty(drawn)]
    step = 0.4
    simple = shapely.simplify(drawn, step)
    while shapely.get_num_coordinates(simple).sum() > MOST_CORNERS and step < 20:
        step *= 2
        simple = shapely.simplify(drawn, step, preserve_topology=False)
    kept: Geometries = simple[~shapely.is_empty(simple)]
    return kept


def _site_shapes(drawn: Geometries, words: Sequence[tuple[str, str, str]]) -> list[Shape]:
    if len(drawn) <= MANY_SITES:
        simple = shapely.simplify(drawn, 0.2)
        return [
            Shape(_path([shape], 1), style, title)
            for shape, (style, title, _) in zip(simple, words, strict=True)
        ]
    simple = shapely.simplify(drawn, 1.0)
    styles = np.array([style for style, _, _ in words])
    return [Shape(_path(simple[styles == style], 0), str(style)) for style in np.unique(styles)]


def _labels(drawn: Geometries, words: Sequence[tuple[str, str, str]]) -> list[Label]:
    """Return the ids of sites, leaving out those that would run into another's."""
    if len(drawn) > MOST_LABELS:
        return []
    places = shapely.get_coordinates(shapely.point_on_surface(drawn))
    half = np.array([len(text) * LABEL_WIDTH / 2 for _, _, text in words])
    taken = shapely.box(
        places[:, 0] - half, places[:, 1] - LABEL_WIDTH, places[:, 0] + half,
        places[:, 1] + LABEL_WIDTH,
    )  # fmt: skip
    kept: list[int] = []
    for i, (_, _, text) in enumerate(words):
        if text and not shapely.intersects(taken[i], taken[kept]).any():
            kept.append(i)
    return [Label(round(places[i, 0], 1), round(places[i, 1], 1), words[i][2]) for i in kept]


def _path(geometries: Iterable[shapely.Geometry], digits: int) -> str:
    """Return geometries as the data of an SVG path; a shape without extent becomes a dot."""
    parts = shapely.get_parts(np.asarray(list(geometries), dtype=object))
    parts = shapely.get_parts(parts)  # collections hold multi-part geometries
    polygons = parts[shapely.get_dimensions(parts) == 2]
    lines = parts[shapely.get_dimensions(parts) == 1]
    rings = shapely.get_rings(polygons)
    shapes = [*_paths(rings, "Z", digits), *_paths(lines, "", digits)]
    # Drawn as small as this, many shapes are the same.
    return "".join(dict.fromkeys(shapes))


def _paths(lines: Geometries, end: str, digits: int) -> list[str]:
    """Return the data of an SVG path for each line; closed ones end with ``Z``."""
    corners, line = shapely.get_coordinates(lines, return_index=True)
    if not len(line):
        return []
    corners = np.round(corners, digits)
    first = np.r_[True, np.diff(line) > 0]
    moved = first | np.r_[True, (np.diff(corners, axis=0) != 0).any(axis=1)]
    corners, line, first = corners[moved], line[moved], first[moved]
    if end:
        # A closed line comes back to its first corner.
        last = np.r_[first[1:], True]
        kept = first | ~last
        corners, line = corners[kept], line[kept]
    texts = [f"{x:.{digits}f} {y:.{digits}f}" for x, y in corners.tolist()]
    starts = map(int, np.flatnonzero(np.diff(line, prepend=-1)))
    least = 3 if end else 2
    return [
        f"M{'L'.join(texts[start:stop])}{end}"
        if stop - start >= least
        else f"M{texts[start]}h1v1h-1Z"
        for start, stop in pairwise([*starts, len(texts)])
    ]
