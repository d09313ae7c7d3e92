"""Geometries from well-known binary: what cannot be read costs one feature, never the layer."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Final

import numpy as np
import shapely

from .facts import Texts, texts
from .geometry import Geometries

RING_CLOSED: Final = "a ring was not closed"
UNREADABLE: Final = "the geometry cannot be read"

_POLYGON, _MULTIPOLYGON, _POLYHEDRAL_SURFACE, _TIN, _TRIANGLE = 3, 6, 15, 16, 17
_HAS_Z, _HAS_M, _HAS_SRID = 0x80000000, 0x40000000, 0x20000000


def geometries_from_wkb(wkb: Sequence[bytes | None]) -> tuple[Geometries, Texts]:
    """Return geometries, and for each what was wrong with its bytes.

    Rings that are not closed are closed; triangulated surfaces become polygons. Curves must be
    segmentised by whoever reads the layer, since GEOS does not know them.

    Parameters
    ----------
    wkb
        Well-known binary (ISO or extended) of each feature, or None.

    Returns
    -------
    geometries
        None where there is none or it cannot be read.
    faults
        Empty where nothing was wrong; `RING_CLOSED`; `UNREADABLE`.
    """
    raw = np.empty(len(wkb), dtype=object)
    raw[:] = [None if item is None else bytes(item) for item in wkb]
    faults = texts(len(raw))
    geometries = _decoded(raw, "ignore")
    given = np.array([bool(item) for item in raw], dtype=bool)
    failed = given & shapely.is_missing(geometries)
    if failed.any():
        mended = _decoded(raw[failed], "fix")
        again = shapely.is_missing(mended)
        mended[again] = [_surface(item) for item in raw[failed][again]]
        geometries[failed] = mended
        faults[failed] = np.where(
            shapely.is_missing(mended), UNREADABLE, np.where(again, "", RING_CLOSED)
        )
    return geometries, faults


def _decoded(raw: Geometries, on_invalid: str) -> Geometries:
    try:
        return np.asarray(shapely.from_wkb(raw, on_invalid=on_invalid), dtype=object)
    except (NotImplementedError, shapely.errors.ShapelyError):
        if len(raw) == 1:
            return np.array([None], dtype=object)
        # A geometry type that shapely does not know stops the whole array; halving finds it.
        half = len(raw) // 2
        return np.concatenate([_decoded(raw[:half], on_invalid), _decoded(raw[half:], on_invalid)])


def _surface(wkb: bytes) -> shapely.Geometry | None:
    """Return the polygons of a triangulated or polyhedral surface, else None."""
    try:
        rewritten = bytearray(wkb)
        _polygons_for_surfaces(rewritten, 0)
        return _decoded(np.array([bytes(rewritten)], dtype=object), "ignore")[0]
    except struct.error:
        return None


def _polygons_for_surfaces(wkb: bytearray, start: int) -> int:
    """Rewrite the types of a surface and its faces in place; return where it ends."""
    order = "<" if wkb[start] == 1 else ">"
    (code,) = struct.unpack_from(order + "I", wkb, start + 1)
    base = (code & 0xFFFF) % 1000
    thousands = (code & 0xFFFF) // 1000
    dimension = 2 + bool(code & _HAS_Z) + bool(code & _HAS_M)
    dimension = {0: dimension, 1: 3, 2: 3, 3: 4}.get(thousands, 2)
    place = start + 5 + (4 if code & _HAS_SRID else 0)
    (count,) = struct.unpack_from(order + "I", wkb, place)
    place += 4
    if base in (_POLYHEDRAL_SURFACE, _TIN):
        struct.pack_into(order + "I", wkb, start + 1, code - base + _MULTIPOLYGON)
        for _ in range(count):
            place = _polygons_for_surfaces(wkb, place)
    elif base in (_POLYGON, _TRIANGLE):
        struct.pack_into(order + "I", wkb, start + 1, code - base + _POLYGON)
        for _ in range(count):
            (points,) = struct.unpack_from(order + "I", wkb, place)
            place += 4 + points * dimension * 8
    else:
        raise struct.error("not a surface")
    return place
