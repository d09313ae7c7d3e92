"""Bytes that are no geometry cost one feature, never the layer."""

from __future__ import annotations

import struct

import pytest
import shapely
from shapely.geometry import box

from stormwater_screen.wkb import RING_CLOSED, UNREADABLE, geometries_from_wkb

LOT = box(600_000, 4_800_000, 600_050, 4_800_050)
UNCLOSED = struct.pack("<BIII6d", 1, 3, 1, 3, 0, 0, 50, 0, 50, 50)


def test_an_unclosed_ring_is_closed() -> None:
    geometries, faults = geometries_from_wkb([shapely.to_wkb(LOT), UNCLOSED, None])
    assert geometries[1].area == pytest.approx(1250)
    assert faults.tolist() == ["", RING_CLOSED, ""]


@pytest.mark.parametrize("odd", [b"", b"\x01", b"rubbish", shapely.to_wkb(LOT)[:40]])
def test_bytes_that_are_no_geometry_cost_one_feature(odd: bytes) -> None:
    geometries, _ = geometries_from_wkb([shapely.to_wkb(LOT), odd])
    assert geometries[0].equals(LOT)
    assert geometries[1] is None


def test_a_curve_that_was_not_segmentised_costs_one_feature() -> None:
    arc = struct.pack("<BII6d", 1, 8, 3, 0, 0, 1, 1, 2, 0)
    geometries, faults = geometries_from_wkb([shapely.to_wkb(LOT), arc, shapely.to_wkb(LOT)])
    assert [geometry is None for geometry in geometries] == [False, True, False]
    assert faults.tolist() == ["", UNREADABLE, ""]


def test_a_triangulated_surface_becomes_polygons() -> None:
    triangle = struct.pack("<BIII12d", 1, 1017, 1, 4, 0, 0, 5, 9, 0, 5, 9, 9, 5, 0, 0, 5)
    tin = struct.pack("<BII", 1, 1016, 1) + triangle
    geometries, faults = geometries_from_wkb([tin])
    assert geometries[0].area == pytest.approx(40.5)
    assert faults.tolist() == [""]
