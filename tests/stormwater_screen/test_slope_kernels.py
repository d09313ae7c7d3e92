"""Compiled loops of slopes give to the last bit what numpy gives."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from stormwater_screen import optional_kernels, radials, slope_kernels, sweep
from stormwater_screen.dem import Dem
from stormwater_screen.radials import slope_at_cells, unit_steps
from stormwater_screen.survey import survey
from tests.stormwater_screen.test_survey import SITES, X0, Y0
from tests.terrain import PLANE, hills, write_dem


def ways(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Go through numpy and the compiled loops."""
    for name, kernels in (("numpy", None), ("compiled", slope_kernels)):
        for module in (sweep, radials):
            monkeypatch.setattr(module, "slope_kernels", lambda kernels=kernels: kernels)
        yield name


@pytest.mark.parametrize("steps", [(1, 1), (1, 3), (2, 1), (2, 3)])
@pytest.mark.parametrize("holes", [False, True])
def test_windows_have_the_same_rise(
    steps: tuple[int, int], holes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(sum(steps))
    ground = random.normal(0, 20, (70 * steps[0] - 1, 90 * steps[1])).astype(np.float32)
    if holes:
        ground[random.random(ground.shape) < 0.002] = np.nan
    windows = sweep._Windows(ground, steps)
    offsets = unit_steps() * 10.16
    found = {
        name: windows.largest_rise((11.0 * steps[0], 11.25 * steps[1]), (40, 50), offsets)
        for name in ways(monkeypatch)
    }
    for one, other in zip(found["numpy"], found["compiled"], strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)
    assert found["numpy"][1].all() != holes


@pytest.mark.parametrize(
    "raster",
    [{"cell": 3.0}, {"cell": 0.7}, {"cell": 10.0, "rotation": 15.0}, {"cell": (4.0, -2.0)}],
)
def test_surveys_of_sites_are_the_same(
    tmp_path: Path, raster: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    def holes(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return np.maximum(18 - np.hypot(x - X0 + 60, y - Y0 - 120), x - X0 - 210)

    path = write_dem(tmp_path / "a.tif", hills(3), size_ft=800, holes=holes, **raster)
    with Dem.open(str(path)) as dem:
        one, other = (survey(dem, SITES, PLANE, limit_percent=15.0) for _ in ways(monkeypatch))
    pd.testing.assert_frame_equal(one, other, check_exact=True)


def test_points_on_cells_between_them_and_off_the_raster_have_the_same_slope(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def holes(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return 40 - np.hypot(x - X0, y - Y0)

    path = write_dem(tmp_path / "a.tif", hills(8), size_ft=900, cell=3.0, holes=holes)
    random = np.random.default_rng(2)
    rows = np.r_[random.uniform(-9, 100, 150), random.integers(0, 90, 150)]
    columns = np.r_[random.uniform(-9, 100, 150), random.integers(0, 90, 150) + 5e-7]
    with Dem.open(str(path)) as dem:
        one, other = (slope_at_cells(dem, rows, columns, PLANE) for _ in ways(monkeypatch))
    pd.testing.assert_frame_equal(one, other, check_exact=True)
    assert one["complete"].any()
    assert one["seen_percent"].isna().any()
    assert (one["slope_percent"].isna() & one["seen_percent"].notna()).any()


def test_runs_that_have_not_loaded_the_compiler_do_without(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    optional_kernels.load_compiler()
    assert optional_kernels.slope_kernels() is slope_kernels
    monkeypatch.delitem(sys.modules, "stormwater_screen.compiling")
    assert optional_kernels.slope_kernels() is None
