from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import rasterio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stormwater_screen.dem import Dem, Piece, bilinear
from stormwater_screen.errors import InputError
from tests.terrain import LAKE_GEORGE, PLANE, hills, level, plane, write_dem

X0, Y0 = LAKE_GEORGE


def piece(ground: np.ndarray) -> Piece:
    return Piece(np.array([0]), ground, 0, 0)


RANDOM = np.random.default_rng(5)
X = X0 + RANDOM.uniform(-200, 200, 300)
Y = Y0 + RANDOM.uniform(-200, 200, 300)


@pytest.mark.parametrize(
    ("crs", "cell", "z_unit", "rotation"),
    [
        ("EPSG:26918", 1.0, "metre", 0.0),
        ("EPSG:26918", 10.0, "metre", 0.0),
        ("EPSG:26918", 2.0, "foot", 0.0),
        ("EPSG:26918", 2.0, "metre", 33.0),
        ("EPSG:2260", 6.0, "us_survey_foot", 0.0),
        ("EPSG:4269", 1 / 3 / 3600, "metre", 0.0),
        ("EPSG:3857", 4.0, "metre", 0.0),
        ("EPSG:26918", (2.0, -2.0), "metre", 0.0),
    ],
)
def test_elevation_is_in_feet_whatever_the_raster(
    tmp_path: Path, crs: str, cell: float, z_unit: str, rotation: float
) -> None:
    ground = plane(12.0, 40.0)
    path = write_dem(
        tmp_path / "a.tif", ground, crs=crs, cell=cell, z_unit=z_unit, rotation=rotation
    )
    with Dem.open(str(path)) as dem:
        assert np.abs(dem.elevation_ft(X, Y, PLANE) - ground(X, Y)).max() < 0.001


def test_elevation_keeps_the_shape_of_the_points(tmp_path: Path) -> None:
    with Dem.open(str(write_dem(tmp_path / "a.tif", level(320.0)))) as dem:
        found = dem.elevation_ft(X.reshape(30, 10), Y.reshape(30, 10), PLANE)
        assert found.shape == (30, 10)
        assert dem.elevation_ft(X[:0], Y[:0], PLANE).shape == (0,)
    assert np.allclose(found, 320.0, atol=1e-4)


def test_elevation_agrees_with_gdal(tmp_path: Path) -> None:
    from osgeo import gdal

    path = write_dem(tmp_path / "a.tif", hills(3), cell=3.0, rotation=20.0)
    gdal.UseExceptions()
    dataset = gdal.Open(str(path))
    band = dataset.GetRasterBand(1)
    with Dem.open(str(path)) as dem:
        found = dem.elevation_ft(X, Y, PLANE)
        rows, columns = dem.cells(X, Y, PLANE)
    theirs = [
        band.InterpolateAtPoint(c + 0.5, r + 0.5, gdal.GRIORA_Bilinear)
        for r, c in zip(rows, columns, strict=True)
    ]
    assert np.abs(found - np.array(theirs) / 0.3048).max() < 1e-3


@settings(max_examples=200, deadline=None)
@given(row=st.floats(0, 4), column=st.floats(0, 5))
def test_bilinear_agrees_with_scipy(row: float, column: float) -> None:
    from scipy.ndimage import map_coordinates

    ground = np.random.default_rng(1).uniform(0, 100, (5, 6))
    found = bilinear(piece(ground), np.array([row]), np.array([column]))
    assert found == pytest.approx(map_coordinates(ground, [[row], [column]], order=1), abs=1e-3)


def test_point_on_a_cell_centre_needs_no_neighbour() -> None:
    ground = np.array([[1.0, np.nan], [3.0, 4.0]])
    rows, columns = np.array([0.0, 0.5, 0.0, 1.0, 1.0]), np.array([0.0, 0.0, 0.5, 0.5, 1.0])
    assert bilinear(piece(ground), rows, columns) == pytest.approx(
        [1.0, 2.0, np.nan, 3.5, 4.0], nan_ok=True
    )


def test_point_beyond_the_outer_cell_centres_is_off() -> None:
    rows = np.array([-0.01, 0.0, 1.0, 1.01, np.nan, 1e12])
    found = bilinear(piece(np.ones((2, 2))), rows, np.zeros(6))
    assert np.isfinite(found).tolist() == [False, True, True, False, False, False]


def test_points_off_the_raster_have_no_elevation(tmp_path: Path) -> None:
    with Dem.open(str(write_dem(tmp_path / "a.tif", level()))) as dem:
        x = np.array([X0, X0 + 5_000, X0 + 5e7, np.nan])
        found = dem.elevation_ft(x, np.full(4, Y0), PLANE)
    assert np.isfinite(found).tolist() == [True, False, False, False]


@pytest.mark.parametrize("nodata", [-9999.0, -32768.0, np.nan])
def test_holes_have_no_elevation(tmp_path: Path, nodata: float) -> None:
    path = write_dem(
        tmp_path / "a.tif", level(), nodata=nodata, holes=lambda x, y: 20 - np.hypot(x - X0, y - Y0)
    )
    with Dem.open(str(path)) as dem:
        found = dem.elevation_ft(np.array([X0, X0 + 100]), np.array([Y0, Y0]), PLANE)
    assert np.isnan(found[0])
    assert found[1] == pytest.approx(500.0, abs=1e-3)


def test_nodata_that_the_file_forgot_is_a_hole(tmp_path: Path) -> None:
    path = write_dem(tmp_path / "a.tif", level(), holes=lambda x, y: X0 - x)
    with rasterio.open(path, "r+") as dataset:
        dataset.nodata = None
    with Dem.open(str(path)) as dem:
        assert np.isnan(dem.elevation_ft(np.array([X0 - 50]), np.array([Y0]), PLANE)).all()


def test_mask_of_the_file_makes_holes(tmp_path: Path) -> None:
    path = write_dem(tmp_path / "a.tif", level(), nodata=None)
    with rasterio.open(path, "r+") as dataset:
        mask = np.full(dataset.shape, 255, np.uint8)
        mask[:, : dataset.width // 2] = 0
        dataset.write_mask(mask)
    with Dem.open(str(path)) as dem:
        found = dem.elevation_ft(np.array([X0 - 50, X0 + 50]), np.full(2, Y0), PLANE)
    assert np.isfinite(found).tolist() == [False, True]


def test_scale_and_offset_of_the_band_count(tmp_path: Path) -> None:
    path = write_dem(tmp_path / "a.tif", level(100.0), z_unit="foot", dtype="int16")
    with rasterio.open(path, "r+") as dataset:
        dataset.scales, dataset.offsets = (0.1,), (7.0,)
    with Dem.open(str(path)) as dem:
        assert dem.elevation_ft(np.array([X0]), np.array([Y0]), PLANE) == pytest.approx([17.0])


def test_second_band_is_read(tmp_path: Path) -> None:
    path = write_dem(tmp_path / "a.tif", level(100.0))
    with rasterio.open(path) as dataset:
        profile, values = dataset.profile, dataset.read(1)
    profile.update(count=2)
    with rasterio.open(tmp_path / "b.tif", "w", **profile) as dataset:
        dataset.write(values * 0, 1)
        dataset.write(values, 2)
    with Dem.open(str(tmp_path / "b.tif"), band=2, z_unit="metre") as dem:
        assert dem.elevation_ft(np.array([X0]), np.array([Y0]), PLANE) == pytest.approx([100.0])
        assert dem.source.endswith("b.tif, band 2")


def test_band_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    path = str(write_dem(tmp_path / "town.tif", level()))
    for band in (0, 2):
        with pytest.raises(InputError, match=r"town\.tif: it has 1 band.*DEM_BAND"):
            Dem.open(path, band=band)


def test_a_picture_or_a_raster_of_classes_is_no_elevation(tmp_path: Path) -> None:
    path = tmp_path / "classes.tif"
    profile = {"driver": "GTiff", "width": 2, "height": 2, "count": 3, "dtype": "uint8"}
    profile |= {"crs": "EPSG:26918", "transform": rasterio.Affine(1, 0, 600_000, 0, -1, 4_800_000)}
    with rasterio.open(path, "w", photometric="RGB", **profile) as picture:
        picture.write(np.ones((3, 2, 2), "uint8"))

    with pytest.raises(InputError, match=r"band 1 holds colours or classes \(red\)"):
        Dem.open(str(path), z_unit="metre")


def test_missing_file_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.tif: cannot be read"):
        Dem.open(str(tmp_path / "nowhere.tif"))


def test_unit_that_nobody_states_is_asked_for(tmp_path: Path) -> None:
    path = str(write_dem(tmp_path / "town.tif", level(), states_unit=False))
    with pytest.raises(InputError, match=r"town\.tif: the file does not state.*DEM_Z_UNIT"):
        Dem.open(path)
    with Dem.open(path, z_unit="metre") as dem:
        assert dem.z_unit == "metre"


def test_unit_that_is_not_understood_is_asked_for(tmp_path: Path) -> None:
    path = write_dem(tmp_path / "town.tif", level(), states_unit=False)
    with rasterio.open(path, "r+") as dataset:
        dataset.units = ("decimetre",)
    with pytest.raises(InputError, match=r"'decimetre'.*DEM_Z_UNIT"):
        Dem.open(str(path))


def test_unknown_word_for_the_unit_is_refused(tmp_path: Path) -> None:
    path = str(write_dem(tmp_path / "town.tif", level()))
    with pytest.raises(InputError, match=r"'yard'.*us_survey_foot"):
        Dem.open(path, z_unit="yard")


@pytest.mark.parametrize(
    ("word", "unit"),
    [("m", "metre"), ("Meters", "metre"), ("ft", "foot"), ("US survey foot", "us_survey_foot")],
)
def test_unit_that_the_band_states_is_used(tmp_path: Path, word: str, unit: str) -> None:
    path = write_dem(tmp_path / "town.tif", level(), states_unit=False)
    with rasterio.open(path, "r+") as dataset:
        dataset.units = (word,)
    with Dem.open(str(path)) as dem:
        assert dem.z_unit == unit


@pytest.mark.parametrize(
    ("vertical", "unit"), [("5703", "metre"), ("8228", "foot"), ("6360", "us_survey_foot")]
)
def test_unit_of_a_vertical_crs_is_used(tmp_path: Path, vertical: str, unit: str) -> None:
    path = write_dem(
        tmp_path / "town.tif", level(), crs=f"EPSG:26918+{vertical}", z_unit=unit, states_unit=False
    )
    with Dem.open(str(path)) as dem:
        assert dem.z_unit == unit
        assert dem.elevation_ft(X[:3], Y[:3], PLANE) == pytest.approx([500.0] * 3, abs=1e-3)


def test_file_that_contradicts_itself_is_asked_about(tmp_path: Path) -> None:
    path = write_dem(tmp_path / "a.tif", level(), crs="EPSG:26918+5703", z_unit="foot")
    with pytest.raises(InputError, match=r"band says .* foot, its CRS says metre"):
        Dem.open(str(path))


def test_unit_of_the_user_wins_and_the_difference_is_noted(tmp_path: Path) -> None:
    path = write_dem(tmp_path / "a.tif", level(), z_unit="foot")
    with Dem.open(str(path), z_unit="metre") as dem:
        assert dem.z_unit == "metre"
        assert "says that its heights are in foot" in dem.notes[0]


def test_raster_without_crs_is_refused_by_name(shared_data: Path) -> None:
    for name in ("landlab_SRTMGL3_colorado.asc", "rasterio_rotated.tif"):
        path = shared_data / "formats" / "dem" / name
        with pytest.raises(InputError, match=f"{name}: no coordinate reference system"):
            Dem.open(str(path), z_unit="metre")


def test_local_crs_is_refused_by_name(shared_data: Path) -> None:
    path = shared_data / "formats" / "dem" / "whitebox_DEM.tif"
    with pytest.raises(InputError, match=r"whitebox_DEM\.tif: the CRS .*not tied to the earth"):
        Dem.open(str(path), z_unit="metre")


def test_raster_without_a_place_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.tif"
    with (
        pytest.warns(rasterio.errors.NotGeoreferencedWarning),
        rasterio.open(
            path, "w", driver="GTiff", width=3, height=3, count=1, dtype="float32", crs="EPSG:26918"
        ) as dataset,
    ):
        dataset.write(np.ones((3, 3), np.float32), 1)
    with pytest.raises(InputError, match=r"a\.tif: it has no place on the earth"):
        Dem.open(str(path), z_unit="metre")


def test_rotated_sample_is_read_at_its_cell_centres(shared_data: Path, tmp_path: Path) -> None:
    with rasterio.open(shared_data / "formats" / "dem" / "rasterio_rotated.tif") as dataset:
        values, profile = dataset.read(1), dataset.profile
    x0, y0 = 600_000.0, 4_800_000.0
    profile.update(
        crs="EPSG:26918", transform=profile["transform"].translation(x0, y0) * profile["transform"]
    )
    with rasterio.open(tmp_path / "r.tif", "w", **profile) as dataset:
        dataset.write(values, 1)
        east, north = dataset.xy(7, 4)
    with Dem.open(str(tmp_path / "r.tif"), z_unit="foot") as dem:
        assert dem.elevation_ft(np.array([east]), np.array([north]), dem.crs) == values[7, 4]


def test_bangor_needs_the_vertical_unit(shared_data: Path) -> None:
    path = str(shared_data / "bangor" / "dem_ft.tif")
    with pytest.raises(InputError, match=r"dem_ft\.tif: the file does not state its vertical unit"):
        Dem.open(path)


@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(tiles=st.sampled_from([16, 64, 4096]), seed=st.integers(0, 9))
def test_tiles_change_no_elevation(tmp_path: Path, tiles: int, seed: int) -> None:
    path = tmp_path / "a.tif"
    if not path.exists():
        write_dem(path, hills(1), tiled=True, blockxsize=16, blockysize=16)
    random = np.random.default_rng(seed)
    x, y = X0 + random.uniform(-400, 400, 60), Y0 + random.uniform(-400, 400, 60)
    with pytest.MonkeyPatch.context() as patch, Dem.open(str(path)) as dem:
        expected = [dem.elevation_ft(x[i : i + 1], y[i : i + 1], PLANE)[0] for i in range(60)]
        patch.setattr("stormwater_screen.dem.TILE_CELLS", tiles)
        found = dem.elevation_ft(x, y, PLANE)
    assert np.array_equal(found, np.array(expected), equal_nan=True)


def _flat(path: Path, west: float, north: float, size: float, shape: tuple[int, int]) -> Path:
    rows, columns = shape
    with rasterio.open(
        path, "w", driver="GTiff", width=columns, height=rows, count=1, dtype="float32",
        crs="EPSG:4326", transform=rasterio.Affine(size, 0, west, 0, -size, north),
    ) as raster:  # fmt: skip
        raster.write(np.full(shape, 100.0, np.float32), 1)
    return path


def test_the_corners_of_a_raster_of_the_world_need_no_place_around_the_sites(
    tmp_path: Path,
) -> None:
    path = _flat(tmp_path / "world.tif", -180.0, 90.0, 1.0, (180, 360))
    with Dem.open(str(path), z_unit="metre") as dem:
        assert np.isfinite(dem.cell_ft(PLANE)).all()


def test_a_raster_whose_coordinates_do_not_fit_its_crs_is_refused(tmp_path: Path) -> None:
    # Metres of a UTM zone under the name of degrees.
    path = _flat(tmp_path / "utm.tif", 606_000.0, 4_810_000.0, 1.0, (50, 50))
    with (
        Dem.open(str(path), z_unit="metre") as dem,
        pytest.raises(InputError, match=r"utm\.tif: its cells have no size around the sites"),
    ):
        dem.cell_ft(PLANE)
