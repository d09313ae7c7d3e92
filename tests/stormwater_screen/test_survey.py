from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import shapely
from shapely import LineString, box

from stormwater_screen.dem import Dem
from stormwater_screen.lattice import lattice_of, runs_in_sites
from stormwater_screen.radials import slope_at_cells, slope_at_points
from stormwater_screen.survey import survey
from tests.terrain import LAKE_GEORGE, PLANE, Surface, hills, plane, write_dem

X0, Y0 = LAKE_GEORGE

SITES = np.array(
    [
        box(X0 - 150, Y0 - 140, X0 + 60, Y0 + 80),
        shapely.Point(X0 + 90, Y0 + 60).buffer(120.0).difference(box(X0, Y0, X0 + 90, Y0 + 90)),
        box(X0 - 80, Y0 - 200, X0 + 200, Y0 + 10),
        shapely.MultiPolygon(
            [box(X0 - 250, Y0 - 60, X0 - 190, Y0), box(X0 + 150, Y0, X0 + 250, Y0 + 50)]
        ),
    ],
    dtype=object,
)

RASTERS = [
    {"cell": 3.0},
    {"cell": 1.0},
    {"cell": 0.7},
    {"cell": 10.0, "rotation": 15.0},
    {"cell": (4.0, -2.0)},
    {"crs": "EPSG:4269", "cell": 1 / 3 / 3600},
    {"crs": "EPSG:2260", "cell": 10.0, "z_unit": "us_survey_foot"},
]


def brute_force(dem: Dem, sites: np.ndarray, limit: float) -> pd.DataFrame:
    """Look up every direction from every point of the lattice, site by site."""
    lattice = lattice_of(dem, PLANE)
    rows = []
    for number in range(len(sites)):
        runs = runs_in_sites(dem, sites[number : number + 1], np.array([0]), PLANE, lattice)
        points = [
            (row, column)
            for _, row, start, end in zip(*runs, strict=True)
            for column in range(start, end)
        ]
        u, v = np.array(points, dtype=float).T
        found = slope_at_cells(dem, u * lattice.rows.step, v * lattice.columns.step, PLANE)
        seen = found.seen_percent.fillna(0.0)
        rows.append(
            {
                "centres": len(points),
                "reached": int((seen >= limit).sum()),
                "below": int((found.slope_percent < limit).sum()),
                "incomplete": int((~found.complete).sum()),
                "low": found.slope_percent.min(),
                "least": seen.min(),
                "high": seen.max(),
            }
        )
    return pd.DataFrame(rows)


def same(found: pd.DataFrame, expected: pd.DataFrame) -> None:
    counts = ["centres", "reached", "below", "incomplete"]
    pd.testing.assert_frame_equal(found[counts], expected[counts])
    slopes = ["low", "least", "high"]
    pd.testing.assert_frame_equal(found[slopes], expected[slopes], rtol=0, atol=0.004)


@pytest.mark.parametrize("raster", RASTERS)
@pytest.mark.parametrize("seed", [1, 2])
def test_survey_equals_looking_up_every_direction(tmp_path: Path, raster: dict, seed: int) -> None:
    limit = 15.003
    path = write_dem(tmp_path / "a.tif", hills(seed, relief_ft=15.0), size_ft=800, **raster)
    with Dem.open(str(path)) as dem:
        same(survey(dem, SITES, PLANE, limit_percent=limit), brute_force(dem, SITES, limit))


def test_survey_with_holes_equals_looking_up_every_direction(tmp_path: Path) -> None:
    def holes(x: object, y: object) -> object:
        return np.maximum(18 - np.hypot(x - X0 + 60, y - Y0 - 120), x - X0 - 210)

    path = write_dem(tmp_path / "a.tif", hills(3, relief_ft=15.0), size_ft=800, holes=holes)
    with Dem.open(str(path)) as dem:
        found = survey(dem, SITES, PLANE, limit_percent=12.0)
        same(found, brute_force(dem, SITES, 12.0))
    assert (found["incomplete"] > 0).all()


@pytest.mark.parametrize("cell", [1.0, 3.0])
def test_blocks_threads_and_other_sites_change_nothing(
    tmp_path: Path, cell: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_dem(tmp_path / "a.tif", hills(3), size_ft=900, cell=cell)
    with Dem.open(str(path)) as dem:
        monkeypatch.setattr("stormwater_screen.lattice.LARGEST_BLOCK", 16)
        one = survey(dem, SITES, PLANE, limit_percent=15.0)
        threads = survey(dem, SITES, PLANE, limit_percent=15.0, workers=3)
        alone = [survey(dem, SITES[k : k + 1], PLANE, limit_percent=15.0) for k in (3, 1, 0, 2)]
    pd.testing.assert_frame_equal(one, threads, check_exact=True)
    parts = pd.concat([alone[k] for k in (2, 1, 3, 0)], ignore_index=True)
    pd.testing.assert_frame_equal(one, parts, check_exact=True)


def test_flattest_and_steepest_place_have_the_slopes_told(tmp_path: Path) -> None:
    path = write_dem(tmp_path / "a.tif", hills(5), size_ft=800)
    with Dem.open(str(path)) as dem:
        found = survey(dem, SITES, PLANE, limit_percent=15.0)
        for key in ("low", "high"):
            x, y = found[f"{key}_x"].to_numpy(), found[f"{key}_y"].to_numpy()
            there = slope_at_points(dem, x, y, PLANE).slope_percent
            assert np.allclose(there, found[key], atol=0.004)
            assert shapely.intersects_xy(SITES, x, y).all()


def test_plane_has_one_slope_everywhere(tmp_path: Path) -> None:
    path = write_dem(tmp_path / "a.tif", plane(15.0, 70.0), size_ft=800)
    with Dem.open(str(path)) as dem:
        found = survey(dem, SITES, PLANE, limit_percent=14.99)
    assert np.allclose(found[["low", "high"]], 15.0, atol=0.005)
    assert (found["reached"] == found["centres"]).all()


@pytest.mark.parametrize(
    "sliver",
    [
        LineString([(X0 - 90, Y0 - 100), (X0 + 110, Y0 + 97)]).buffer(0.2, cap_style="flat"),
        box(X0, Y0, X0 + 3, Y0 + 3),
        box(X0 - 200, Y0 + 0.1, X0 + 200, Y0 + 0.2),
    ],
)
@pytest.mark.parametrize("cell", [1.0, 10.0])
def test_narrow_sliver_has_possible_centres_along_all_of_it(
    tmp_path: Path, sliver: object, cell: float
) -> None:
    def step(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return np.where(x > X0 + 50, 520.0, 500.0)

    path = write_dem(tmp_path / "a.tif", step, size_ft=800, cell=cell)
    with Dem.open(str(path)) as dem:
        found = survey(dem, np.array([sliver], dtype=object), PLANE, limit_percent=15.0)
    assert found["centres"][0] >= 5
    assert found["high"][0] == pytest.approx(20.0, abs=0.01)
    if shapely.bounds(sliver)[0] < X0 - 80:
        assert found["low"][0] == 0.0


def test_large_site_is_surveyed_on_a_coarser_lattice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stormwater_screen.survey.MOST_CENTRES", 100)
    path = write_dem(tmp_path / "a.tif", plane(10.0, 10.0), size_ft=900)
    sites = np.array([box(X0 - 300, Y0 - 300, X0 + 300, Y0 + 300), box(X0, Y0, X0 + 90, Y0 + 90)])
    with Dem.open(str(path)) as dem:
        found = survey(dem, sites, PLANE, limit_percent=15.0)
    assert found["centres"].between(40, 110).all()
    assert found["spacing_ft"].round().tolist() == [79.0, 10.0]
    assert np.allclose(found["high"], 10.0, atol=0.005)


def test_sites_without_a_shape_or_off_the_raster_have_no_centres(tmp_path: Path) -> None:
    path = write_dem(tmp_path / "a.tif", plane(10.0, 10.0))
    sites = np.array(
        [None, shapely.Polygon(), box(X0 + 9e3, Y0, X0 + 9.1e3, Y0 + 100), SITES[0]], dtype=object
    )
    with Dem.open(str(path)) as dem:
        found = survey(dem, sites, PLANE, limit_percent=15.0)
    assert (found["centres"] > 0).tolist() == [False, False, False, True]
    assert found.loc[:2, ["low", "least", "high", "low_x", "high_x"]].isna().all(axis=None)


def test_site_half_off_the_raster_keeps_its_centres(tmp_path: Path) -> None:
    path = write_dem(tmp_path / "a.tif", plane(10.0, 10.0), size_ft=600.0)
    sites = np.array([box(X0 + 100, Y0 - 100, X0 + 500, Y0 + 100)], dtype=object)
    with Dem.open(str(path)) as dem:
        found = survey(dem, sites, PLANE, limit_percent=15.0).iloc[0]
    assert found["centres"] == pytest.approx(400 * 200 / 96.9, rel=0.05)
    assert 270 * 200 / 96.9 < found["incomplete"] < 300 * 200 / 96.9
    assert found["least"] == 0.0
    assert found["low"] == pytest.approx(10.0, abs=0.005)


def test_progress_moves_forward_to_the_end(tmp_path: Path) -> None:
    surface: Surface = plane(10.0, 10.0)
    told: list[float] = []
    with Dem.open(str(write_dem(tmp_path / "a.tif", surface, size_ft=800))) as dem:
        survey(dem, SITES, PLANE, limit_percent=15.0, progress=told.append)
    assert told == sorted(told)
    assert told[-1] > 0.85
