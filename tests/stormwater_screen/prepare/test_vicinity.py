from __future__ import annotations

import geopandas as gpd
import numpy as np
import pyproj
import pytest
import shapely
from shapely.geometry import Point, box

from stormwater_screen.prepare.vicinity import vicinity_of
from stormwater_screen.units import FOOT_M


def sites(*shapes: object, crs: str = "EPSG:26918") -> gpd.GeoDataFrame:
    return gpd.GeoDataFrame(geometry=list(shapes), crs=crs)


@pytest.mark.parametrize("crs", ["EPSG:26918", "EPSG:3857", "EPSG:4326", "EPSG:2260", "EPSG:5070"])
def test_the_surroundings_hold_everything_within_the_distance(crs: str) -> None:
    given = sites(box(600_000, 4_800_000, 600_100, 4_800_100))
    found = vicinity_of(given, 5_000.0)
    assert found is not None
    circle = Point(600_050, 4_800_050).buffer(5_000 * FOOT_M)
    needed = gpd.GeoSeries([circle], crs="EPSG:26918").to_crs(crs).iloc[0]
    area = found.within(pyproj.CRS.from_user_input(crs))
    assert area.contains(needed)
    assert area.area < 12 * needed.area


def test_sites_far_apart_do_not_pull_in_what_lies_between() -> None:
    given = sites(
        box(500_000, 4_700_000, 500_100, 4_700_100), box(600_000, 4_800_000, 600_100, 4_800_100)
    )
    found = vicinity_of(given, 5_000.0)
    assert found is not None
    assert len(shapely.get_parts(found.area)) == 2


def test_broken_sites_have_no_surroundings() -> None:
    assert vicinity_of(sites(None, shapely.Polygon())) is None


def test_a_thousand_lots_make_few_boxes() -> None:
    x, y = np.meshgrid(np.arange(40) * 50.0 + 600_000, np.arange(25) * 50.0 + 4_800_000)
    lots = shapely.box(x.ravel(), y.ravel(), x.ravel() + 40, y.ravel() + 40)
    found = vicinity_of(gpd.GeoDataFrame(geometry=lots, crs="EPSG:26918"))
    assert found is not None
    assert shapely.get_num_coordinates(found.area) < 40
