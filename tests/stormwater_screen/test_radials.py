from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stormwater_screen.dem import Dem
from stormwater_screen.radials import slope_at_points
from tests.terrain import LAKE_GEORGE, PLANE, Surface, hills, level, plane, wall, write_dem

X0, Y0 = LAKE_GEORGE
RANDOM = np.random.default_rng(7)
X = X0 + RANDOM.uniform(-150, 150, 40)
Y = Y0 + RANDOM.uniform(-150, 150, 40)

RASTERS = [
    {"cell": 0.5},
    {"cell": 1.0},
    {"cell": 3.0},
    {"cell": 10.0},
    {"cell": 2.0, "z_unit": "foot"},
    {"cell": 2.0, "rotation": 33.0},
    {"cell": (2.0, -3.0)},
    {"crs": "EPSG:2260", "cell": 6.0, "z_unit": "us_survey_foot"},
    {"crs": "EPSG:4269", "cell": 1 / 3 / 3600},
    {"crs": "EPSG:3857", "cell": 4.0},
]


@pytest.mark.parametrize("raster", RASTERS)
@pytest.mark.parametrize("percent", [14.9, 15.0, 15.1])
def test_plane_reads_its_own_slope(tmp_path: Path, raster: dict, percent: float) -> None:
    azimuth = 37.4 + 60 * percent
    path = write_dem(tmp_path / "a.tif", plane(percent, azimuth), **raster)
    with Dem.open(str(path)) as dem:
        found = slope_at_points(dem, X, Y, PLANE)
    assert found.complete.all()
    assert np.abs(found.slope_percent - percent).max() < 0.005
    downhill = (azimuth + 180) % 360
    assert np.abs(found.azimuth_deg - downhill).max() <= 1.0
    drop = found.elevation_centre_ft - found.elevation_end_ft
    assert np.allclose(drop, found.slope_percent, atol=1e-9)


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(azimuth=st.floats(0, 360), percent=st.floats(0, 60))
def test_plane_of_any_azimuth_reads_its_own_slope(
    tmp_path: Path, azimuth: float, percent: float
) -> None:
    path = write_dem(tmp_path / "a.tif", plane(percent, azimuth))
    with Dem.open(str(path)) as dem:
        found = slope_at_points(dem, X[:5], Y[:5], PLANE)
    assert np.abs(found.slope_percent - percent).max() < 0.0002 * percent + 0.001


@pytest.mark.parametrize("cell", [0.5, 1.0])
def test_wall_on_a_hillside_counts_over_the_whole_run(tmp_path: Path, cell: float) -> None:
    metre = 1 / 0.3048
    path = write_dem(tmp_path / "a.tif", wall(3.0, metre, at_x=X0 + 50), cell=cell)
    with Dem.open(str(path)) as dem:
        found = slope_at_points(dem, np.array([X0, X0 - 60]), np.array([Y0, Y0]), PLANE)
    assert found.slope_percent.to_list() == pytest.approx([3.0 + metre, 3.0], abs=0.02)


def test_level_ground_has_no_slope(tmp_path: Path) -> None:
    with Dem.open(str(write_dem(tmp_path / "a.tif", level()))) as dem:
        assert (slope_at_points(dem, X, Y, PLANE).slope_percent == 0).all()


def test_run_may_have_any_length(tmp_path: Path) -> None:
    with Dem.open(str(write_dem(tmp_path / "a.tif", plane(12.0, 90.0)))) as dem:
        found = slope_at_points(dem, X, Y, PLANE, run_ft=50.0)
    assert np.allclose(found.slope_percent, 12.0, atol=0.005)
    assert np.allclose(found.elevation_centre_ft - found.elevation_end_ft, 6.0, atol=0.005)


def test_directions_that_leave_the_raster_make_the_slope_incomplete(tmp_path: Path) -> None:
    path = write_dem(tmp_path / "a.tif", plane(10.0, 90.0), size_ft=400.0)
    with Dem.open(str(path)) as dem:
        x = np.array([X0, X0 + 180, X0 + 250, X0 + 3_000])
        found = slope_at_points(dem, x, np.full(4, Y0), PLANE)
    assert found.complete.to_list() == [True, False, False, False]
    assert np.isfinite(found.slope_percent).to_list() == [True, False, False, False]
    assert found.seen_percent[1] == pytest.approx(10.0, abs=0.01)
    assert found.azimuth_deg[1] == 270.0
    assert found.iloc[2:][["seen_percent", "azimuth_deg", "slope_percent"]].isna().all(axis=None)


def test_hole_at_the_end_of_a_run_makes_the_slope_incomplete(tmp_path: Path) -> None:
    def hole(at: float) -> Surface:
        return lambda x, y: 25 - np.hypot(x - X0 - at, y - Y0)

    for at, complete, seen in ((100.0, False, True), (50.0, True, True), (0.0, False, False)):
        path = write_dem(tmp_path / "a.tif", plane(10.0, 0.0), holes=hole(at))
        with Dem.open(str(path)) as dem:
            found = slope_at_points(dem, np.array([X0]), np.array([Y0]), PLANE)
        assert found.complete[0] == complete
        assert np.isfinite(found.seen_percent[0]) == seen


def test_slope_equals_the_largest_of_single_directions(tmp_path: Path) -> None:
    path = write_dem(tmp_path / "a.tif", hills(2), crs="EPSG:4269", cell=1 / 3 / 3600, size_ft=900)
    with Dem.open(str(path)) as dem:
        found = slope_at_points(dem, X, Y, PLANE)
        angle = np.radians(np.arange(360.0))
        ends = dem.elevation_ft(
            X[:, None] + 100 * np.sin(angle), Y[:, None] + 100 * np.cos(angle), PLANE
        )
        centre = dem.elevation_ft(X, Y, PLANE)
    assert np.allclose(found.slope_percent, np.abs(ends - centre[:, None]).max(axis=1), atol=1e-3)


def test_tiles_and_chunks_change_no_slope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_dem(tmp_path / "a.tif", hills(2), size_ft=900)
    with Dem.open(str(path)) as dem:
        whole = slope_at_points(dem, X, Y, PLANE)
        monkeypatch.setattr("stormwater_screen.dem.TILE_CELLS", 16)
        monkeypatch.setattr("stormwater_screen.radials._CHUNK", 3)
        parts = slope_at_points(dem, X, Y, PLANE)
        order = np.arange(len(X))[::-1]
        backwards = slope_at_points(dem, X[order], Y[order], PLANE).iloc[order]
    assert whole.equals(parts)
    assert whole.equals(backwards.reset_index(drop=True))


def test_no_points_have_no_slopes(tmp_path: Path) -> None:
    with Dem.open(str(write_dem(tmp_path / "a.tif", level()))) as dem:
        assert len(slope_at_points(dem, X[:0], Y[:0], PLANE)) == 0
