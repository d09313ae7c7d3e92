from __future__ import annotations

import geopandas as gpd
import numpy as np
import pytest
from shapely.geometry import box

from stormwater_screen.coverage import coverage_of, find_covered

SITES = np.array([box(0, 0, 10, 10), box(1_000, 0, 1_010, 10)], dtype=object)
WHOLE = box(-5_000, -5_000, 5_000, 5_000)


def polygons(**fields: list[str | None]) -> gpd.GeoDataFrame:
    return gpd.GeoDataFrame(fields, geometry=[box(-50, -50, 50, 50)], crs="EPSG:2260")


def covered(coverage: gpd.GeoDataFrame | None, role: str) -> list[bool]:
    found = find_covered(SITES, [WHOLE], coverage, what="x", names=["x"], role=role)
    return found.complete.tolist()


@pytest.mark.parametrize("fields", [{}, {"role": [None]}, {"ROLE": [" "]}, {"role": ["wetlands"]}])
def test_polygons_without_a_role_or_with_this_one_hold(fields: dict[str, list[str | None]]) -> None:
    coverage = polygons(**fields) if fields else polygons(NAME=["a"])
    assert covered(coverage, "WETLANDS") == [True, False]


def test_polygons_of_another_role_do_not_speak_of_this_one() -> None:
    coverage = polygons(role=["WETLANDS"])
    assert coverage_of(coverage, "WATER_BODIES") is None
    assert covered(coverage, "WATER_BODIES") == [True, True]
    assert covered(coverage, "") == [True, True]
