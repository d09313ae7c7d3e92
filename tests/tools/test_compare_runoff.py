"""The comparison of runoff with a second engine, as far as it needs no other program."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import rasterio
import shapely

from stormwater_screen.dem import Dem

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tools import compare_runoff  # noqa: E402

Ground = tuple[compare_runoff.Town, Dem, Path]


@pytest.fixture(scope="module")
def bangor(shared_data: Path) -> Iterator[Ground]:
    path = shared_data / "bangor" / "dem_ft.tif"
    with Dem.open(str(path), z_unit="foot") as dem:
        yield compare_runoff.read_town(shared_data / "bangor", dem), dem, path


def site_of(town: compare_runoff.Town, parcel: str) -> int:
    return int(np.flatnonzero(town.ids == parcel)[0])


def southwards(path: Path) -> compare_runoff.Raster:
    """Return the raster of Bangor with all runoff running due south."""
    with rasterio.open(path) as raster:
        ground = raster.read(1, masked=True).filled(np.nan).astype(np.float64)
        below = np.arange(ground.size) + ground.shape[1]
        following = np.where(below < ground.size, below, -1)
        return compare_runoff.Raster(ground, raster.transform, raster.crs, following)


def test_cells_are_followed_to_the_first_mapped_water(bangor: Ground) -> None:
    town, _, path = bangor
    shares, paths = compare_runoff.follow_with_grass(town, southwards(path))
    first = compare_runoff.main_waters(shares, town)
    assert len(first) == len(town.ids) == 594
    assert shares.groupby("site")["cells"].sum().min() >= 1
    # Arctic Brook runs south-southeast, west of this parcel: due south of it lie only ditches.
    site = site_of(town, "016-068")
    assert first.at[site, "water"] != "ARCTIC BROOK"
    columns = paths[site] % southwards(path).ground.shape[1]
    assert (columns == columns[0]).all()


def test_straight_down_the_slope_runs_to_arctic_brook(bangor: Ground) -> None:
    town, dem, _ = bangor
    site = site_of(town, "016-068")
    found = compare_runoff.main_waters(compare_runoff.descend(town, dem, np.array([site])), town)
    assert found.at[site, "water"] == "ARCTIC BROOK"
    assert found.at[site, "listed"]
    assert found.at[site, "share"] > 0.7


def test_every_cell_of_a_parcel_has_its_path(bangor: Ground) -> None:
    town, dem, _ = bangor
    site = site_of(town, "016-068")
    lines = compare_runoff.all_paths(town, dem, site)
    # 0.7 acres are 34 cells of 900 sq ft, more with those that the lot line cuts.
    assert 30 <= len(lines) <= 60
    assert shapely.length(lines[~shapely.is_missing(lines)]).min() > 0


def test_a_path_that_stands_still_has_ended() -> None:
    assert compare_runoff._length(np.array([5, 9, 13, 13, 13])) == 3
    assert compare_runoff._length(np.array([5, 9, 13])) == 3
    assert compare_runoff._length(np.array([5, 5])) == 1
