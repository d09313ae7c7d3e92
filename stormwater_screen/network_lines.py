"""Lines of a network: cut to pieces, and which way they run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import pyproj
import shapely

from .facts import Floats, Texts
from .features import Geometries, Indices
from .gradient import Ground

Booleans = npt.NDArray[np.bool_]

PIECE_FT: Final = 250.0
"""Longest piece of a line, in feet: a listing may begin anywhere along a stream."""

DROP_FT: Final = 2.0
"""Fall between the ends of a line from which the ground tells its direction, in feet."""

AGREES: Final = 0.9
"""Share of the lines with a clear fall that must run downhill for a layer's own directions to be
trusted; if so few run downhill that as many run up, all are turned."""

_STEP_FT: Final = 25.0


@dataclass(frozen=True)
class Pieces:
    """Pieces of features.

    Attributes
    ----------
    geometry
        Lines and polygons.
    feature
        Number of the feature of each.
    part
        Number of the line that a piece is cut from, in order along it; -1 for polygons.
    """

    geometry: Geometries
    feature: Indices
    part: Indices

    def take(self, which: Booleans) -> Pieces:
        """Return some of the pieces."""
        return Pieces(self.geometry[which], self.feature[which], self.part[which])

    def with_more(self, other: Pieces, features: int) -> Pieces:
        """Return both; the other's features are numbered on from ``features``."""
        shift = self.part.max(initial=-1) + 1
        return Pieces(
            np.concatenate([self.geometry, other.geometry]),
            np.concatenate([self.feature, other.feature + features]),
            np.concatenate([self.part, np.where(other.part < 0, -1, other.part + shift)]),
        )


def cut_lines(lines: Geometries) -> tuple[Geometries, Indices]:
    """Cut lines to pieces of about equal length, at most ``PIECE_FT``, in order along them.

    Returns
    -------
    tuple of numpy.ndarray
        Pieces, and the position of the line of each.
    """
    if not len(lines):
        return np.empty(0, dtype=object), np.empty(0, np.int64)
    dense = shapely.segmentize(lines, _STEP_FT)
    xy, line = shapely.get_coordinates(dense, return_index=True)
    start = np.flatnonzero(line[1:] == line[:-1])
    owner = line[start]
    length = np.hypot(*(xy[start + 1] - xy[start]).T)
    total = np.cumsum(length) - length
    first = np.searchsorted(owner, owner)
    middle = total - total[first] + length / 2
    whole = shapely.length(lines)[owner]
    number = np.maximum(np.ceil(whole / PIECE_FT), 1)
    place = np.floor(middle / np.where(whole > 0, whole, 1.0) * number)
    fresh = np.r_[True, (np.diff(owner) != 0) | (np.diff(place) != 0)]
    piece = np.cumsum(fresh) - 1
    last = np.r_[fresh[1:], True]
    # Each segment brings its first point, the last one of a piece its second as well.
    points = np.concatenate([xy[start], xy[start[last] + 1]])
    of_piece = np.concatenate([piece, piece[last]])
    order = np.argsort(of_piece, kind="stable")
    pieces = shapely.linestrings(points[order], indices=of_piece[order])
    return pieces, owner[fresh].astype(np.int64)


def downhill_shares(
    lines: Geometries, layer: Texts, told: Booleans, ground: Ground, crs: pyproj.CRS
) -> dict[str, float]:
    """Return the share of each layer's lines with a clear fall that runs downhill as digitised.

    Parameters are those of `directions`. A layer without such lines is left out.
    """
    return _shares(_falls(lines, ground, crs), layer, told)


def _falls(lines: Geometries, ground: Ground, crs: pyproj.CRS) -> Floats:
    """Return how much lower the end of each line lies than its start, in feet."""
    xy = np.concatenate([shapely.get_coordinates(shapely.get_point(lines, end)) for end in (0, -1)])
    level = ground.elevation_ft(xy[:, 0], xy[:, 1], crs).reshape(2, -1)
    return np.asarray(level[0] - level[1])


def _shares(fall: Floats, layer: Texts, told: Booleans) -> dict[str, float]:
    clear = ~told & (np.abs(fall) >= DROP_FT)
    return {
        str(name): float((fall[clear & (layer == name)] > 0).mean())
        for name in dict.fromkeys(layer[clear])
    }


def directions(
    lines: Geometries,
    layer: Texts,
    told: Booleans,
    ground: Ground,
    crs: pyproj.CRS,
    notes: list[str],
    shares: Mapping[str, float] | None = None,
) -> Booleans:
    """Return True for lines that run against the way they were digitised.

    Parameters
    ----------
    lines
        Lines in the plane, in feet.
    layer
        Name of the layer of each.
    told
        True where attributes say that a line runs as it was digitised.
    ground
        Elevations.
    crs
        The plane.
    notes
        Takes a sentence about each layer whose own directions are not used.
    shares
        Result of `downhill_shares` for all lines of a run of which these are a part; None: these
        are all.
    """
    fall = _falls(lines, ground, crs)
    known = _shares(fall, layer, told) if shares is None else shares
    turned = np.zeros(len(lines), bool)
    for name in dict.fromkeys(layer):
        own = (layer == name) & ~told
        clear = own & (np.abs(fall) >= DROP_FT)
        downhill = known.get(name, 1.0)
        if downhill >= AGREES or not own.any():
            continue
        if downhill <= 1 - AGREES:
            turned |= own
            notes.append(f"{name}: lines run against the flow; all are turned")
            continue
        turned |= clear & (fall < 0)
        notes.append(
            f"{name}: only {downhill:.0%} of the lines with a clear fall run downhill as digitised;"
            " those with a clear fall are taken to run downhill"
        )
    return turned
