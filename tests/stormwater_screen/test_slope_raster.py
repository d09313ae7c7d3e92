"""A raster of the largest slope over a distance."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import rasterio

from stormwater_screen.dem import Dem
from stormwater_screen.errors import CancelledError, InputError
from stormwater_screen.slope import slope_at_points
from stormwater_screen.slope_raster import NODATA, write_slope_raster
from tests.terrain import PLANE, hills, plane, write_dem


def made(dem_path: Path, out: Path, run_ft: float = 100.0) -> tuple[np.ndarray, rasterio.Affine]:
    with Dem.open(str(dem_path)) as dem:
        write_slope_raster(dem, out, run_ft=run_ft)
    with rasterio.open(out) as found:
        assert found.nodata == NODATA
        assert found.units == ("%",)
        return found.read(1), found.transform


@pytest.mark.parametrize("crs", ["EPSG:26918", "EPSG:2260", "EPSG:4269"])
@pytest.mark.parametrize("percent", [14.9, 15.1])
def test_a_plane_reads_its_slope_in_metres_feet_and_degrees(
    tmp_path: Path, crs: str, percent: float
) -> None:
    dem = tmp_path / "dem.tif"
    cell = {"EPSG:26918": 3.0, "EPSG:2260": 10.0, "EPSG:4269": 3e-5}[crs]
    write_dem(dem, plane(percent, 40.0), crs=crs, cell=cell)
    slope, _ = made(dem, tmp_path / "slope.tif")
    seen = slope[slope != NODATA]
    assert len(seen) > 100
    assert seen == pytest.approx(np.full(len(seen), percent), abs=0.05)


def test_cells_whose_runs_leave_the_dem_have_no_data(tmp_path: Path) -> None:
    dem = tmp_path / "dem.tif"
    write_dem(dem, plane(5.0, 0.0), cell=3.0, size_ft=600.0)
    slope, _ = made(dem, tmp_path / "slope.tif")
    edge = int(np.ceil(30.48 / 3.0))
    assert (slope[: edge - 1] == NODATA).all()
    middle = slope.shape[0] // 2
    assert slope[middle, middle] != NODATA


@pytest.mark.parametrize("run_ft", [40.0, 100.0, 250.0])
def test_every_cell_reads_what_a_building_centre_there_would_read(
    tmp_path: Path, run_ft: float
) -> None:
    dem_path = tmp_path / "dem.tif"
    write_dem(dem_path, hills(3), cell=3.0, size_ft=1500.0)
    slope, _ = made(dem_path, tmp_path / "slope.tif", run_ft)
    rows, columns = np.nonzero(slope != NODATA)
    chosen = np.random.default_rng(1).choice(len(rows), 60, replace=False)
    rows, columns = rows[chosen], columns[chosen]
    with Dem.open(str(dem_path)) as dem:
        x, y = dem.places(rows.astype(float), columns.astype(float), PLANE)
        found = slope_at_points(dem, x, y, PLANE, run_ft=run_ft)
    assert slope[rows, columns] == pytest.approx(found["slope_percent"].to_numpy(), abs=0.02)


@pytest.mark.parametrize("run_ft", [0.0, 0.5, 1001.0, float("nan")])
def test_a_run_too_short_or_too_long_is_refused(tmp_path: Path, run_ft: float) -> None:
    dem = tmp_path / "dem.tif"
    write_dem(dem, plane(5.0, 0.0))
    with pytest.raises(InputError, match="DISTANCE_FT"):
        made(dem, tmp_path / "slope.tif", run_ft)


def test_a_raster_is_stopped_between_two_windows(tmp_path: Path) -> None:
    dem_path = tmp_path / "dem.tif"
    write_dem(dem_path, plane(5.0, 0.0), cell=0.5)

    def stop(share: float) -> None:
        raise CancelledError("stop")

    with Dem.open(str(dem_path)) as dem, pytest.raises(CancelledError):
        write_slope_raster(dem, tmp_path / "slope.tif", progress=stop)
