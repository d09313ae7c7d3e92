"""Sites by working plane."""

from __future__ import annotations

import geopandas as gpd
import numpy as np
import pytest
from shapely.geometry import box

from stormwater_screen import vicinity
from stormwater_screen.vicinity import groups, plane_bounds


@pytest.mark.parametrize("crs", ["EPSG:26918", "EPSG:4326"])
def test_the_bounds_of_planes_are_those_of_their_groups(
    crs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vicinity, "_BOUNDED_AT_ONCE", 3)
    x = 600_000 + np.arange(20) * 9_000.0
    # The widest has edges that are bent on the plane.
    shapes = [None, *(box(west, 4_800_000, west + 900 + west % 4, 4_800_500) for west in x)]
    sites = gpd.GeoDataFrame(geometry=np.array(shapes, object), crs="EPSG:26918").to_crs(crs)

    found = plane_bounds(sites)

    parts = groups(sites, {})
    assert len(found) == len(parts) == 3
    assert list(found.values()) == [tuple(group.sites.total_bounds) for group in parts]


def test_sites_without_a_place_have_no_bounds() -> None:
    assert plane_bounds(gpd.GeoDataFrame(geometry=[None, None], crs="EPSG:26918")) == {}
    assert plane_bounds(gpd.GeoDataFrame(geometry=[], crs="EPSG:26918")) == {}
