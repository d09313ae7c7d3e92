from __future__ import annotations

import re
from pathlib import Path

import geopandas as gpd
import numpy as np
import pytest
import shapely
from shapely import Point, Polygon, box

from stormwater_screen.dem import Dem
from stormwater_screen.errors import CancelledError
from stormwater_screen.facts import Quantity
from stormwater_screen.outcomes import NO, REVIEW, UNKNOWN, YES
from stormwater_screen.plane import plane_crs, plane_keys, to_plane
from stormwater_screen.slope import (
    SlopeResult,
    device_slope_facts,
    reaches,
    slope_at_points,
    slope_facts,
    unplaced,
)
from tests.terrain import LAKE_GEORGE, PLANE, Surface, hills, plane, wall, write_dem

X0, Y0 = LAKE_GEORGE
ACRE = box(X0 - 104, Y0 - 104, X0 + 104, Y0 + 104)


def frame(*shapes: object) -> gpd.GeoDataFrame:
    return gpd.GeoDataFrame(geometry=np.array([*shapes, None], dtype=object)[:-1], crs=PLANE)


def screen(
    folder: Path,
    ground: Surface,
    sites: gpd.GeoDataFrame,
    centres: gpd.GeoDataFrame | None = None,
    *,
    error_ft: float = 0.0,
    **raster: object,
) -> SlopeResult:
    path = write_dem(folder / "town.tif", ground, **{"size_ft": 900.0, **raster})
    with Dem.open(str(path)) as dem:
        return slope_facts(sites, dem, centres, error_ft=error_ft)


def slope_of(result: SlopeResult) -> Quantity:
    quantity = result.facts["slope"]
    assert isinstance(quantity, Quantity)
    return quantity


RASTERS = [
    {"crs": "EPSG:26918", "cell": 3.0},
    {"crs": "EPSG:26918", "cell": 10.0},
    {"crs": "EPSG:26918", "cell": 1.0, "rotation": 21.0},
    {"crs": "EPSG:26918", "cell": 2.0, "z_unit": "foot"},
    {"crs": "EPSG:4269", "cell": 1 / 3 / 3600},
    {"crs": "EPSG:2260", "cell": 6.0, "z_unit": "us_survey_foot"},
    {"crs": "EPSG:3857", "cell": 4.0},
]


@pytest.mark.parametrize("raster", RASTERS)
@pytest.mark.parametrize("azimuth", [0.0, 37.5, 211.3])
@pytest.mark.parametrize(("percent", "outcome"), [(14.9, "no"), (15.0, "yes"), (15.1, "yes")])
def test_fifteen_percent_trips_the_rule_at_the_centre_and_anywhere(
    tmp_path: Path, raster: dict, azimuth: float, percent: float, outcome: str
) -> None:
    sites = frame(ACRE, shapely.affinity.translate(ACRE, 0, -208))
    result = screen(tmp_path, plane(percent, azimuth), sites, frame(Point(X0, Y0)), **raster)
    assert result.columns["slope_15"].tolist() == [outcome, outcome]
    assert np.allclose(result.columns["slope_pct"], percent, atol=0.01)
    assert result.columns["slope_shr"].isna().tolist() == [True, False]
    assert result.columns["slope_shr"][1] == (outcome == "yes")
    assert result.columns["slope_by"][0] == "building centre"
    by = r"any place on the site \(grid of (6|7|8|10) ft\); no building centre on it"
    assert re.fullmatch(by, result.columns["slope_by"][1])


@pytest.mark.parametrize("crs", ["EPSG:26918", "EPSG:2260", "EPSG:26847"])
def test_fifteen_percent_on_the_grid_of_a_raster_trips_the_rule(tmp_path: Path, crs: str) -> None:
    # Rise and run of 15 in 100 units of the grid, which is up to 4 in 10,000 shorter than ground.
    import rasterio
    from pyproj import Transformer

    east, north = Transformer.from_crs(PLANE, crs, always_xy=True).transform(X0, Y0)
    unit = 1.0 if crs == "EPSG:26918" else 3937 / 1200
    transform = rasterio.transform.from_origin(east - 150 * unit, north + 150 * unit, unit, unit)
    heights = np.broadcast_to(100 + 0.15 * unit * np.arange(300), (300, 300)).astype(np.float32)
    with rasterio.open(
        tmp_path / "g.tif",
        "w",
        driver="GTiff",
        width=300,
        height=300,
        count=1,
        dtype="float32",
        crs=crs,
        transform=transform,
    ) as dataset:
        dataset.write(heights, 1)
    word = "metre" if crs == "EPSG:26918" else "us_survey_foot"
    with Dem.open(str(tmp_path / "g.tif"), z_unit=word) as dem:
        result = slope_facts(frame(ACRE), dem, None, error_ft=0.0)
    assert result.columns["slope_15"][0] == "yes"


def test_wall_half_way_counts_over_the_whole_run(tmp_path: Path) -> None:
    metre = 1 / 0.3048
    ground = wall(3.0, metre, at_x=X0 + 50)
    result = screen(tmp_path, ground, frame(ACRE), frame(Point(X0, Y0)), cell=1.0)
    assert result.columns["slope_pct"][0] == pytest.approx(6.3, abs=0.03)
    assert result.columns["slope_dir"][0] == pytest.approx(90.0, abs=5.0)


def test_steepest_of_several_buildings_counts(tmp_path: Path) -> None:
    def ground(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return 500 + 0.05 * (x - X0) + np.where(y > Y0, 0.2 * (y - Y0), 0.0)

    centres = frame(Point(X0, Y0 - 100), Point(X0 + 20, Y0 + 50), Point(X0, Y0 - 60))
    result = screen(tmp_path, ground, frame(ACRE), centres)
    quantity = slope_of(result)
    expected = 100 * (0.05**2 + 0.2**2) ** 0.5
    assert quantity.value[0] == pytest.approx(expected, abs=0.05)
    assert quantity.low[0] == quantity.high[0] == quantity.value[0]
    assert result.columns["slope_by"][0] == "steepest of 3 building centres"
    assert len(result.lines) == len(result.details) == 3


def test_site_with_flat_and_steep_places_depends_on_the_building(tmp_path: Path) -> None:
    def ground(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return 500 + 0.3 * np.maximum(x - X0, 0.0)

    site = box(X0 - 250, Y0 - 50, X0 + 150, Y0 + 50)
    result = screen(tmp_path, ground, frame(site))
    quantity = slope_of(result)
    assert np.isnan(quantity.value[0])
    assert quantity.low[0] == pytest.approx(0.0, abs=0.001)
    assert quantity.high[0] == pytest.approx(30.0, abs=0.02)
    assert quantity.between[0] == REVIEW
    assert result.columns["slope_15"][0] == "review"
    # 15 ft of rise over 100 ft is reached from 50 ft before the foot of the slope.
    assert result.columns["slope_shr"][0] == pytest.approx(200 / 400, abs=0.03)
    assert "0.0 % to 30.0 %" in result.details["text"][0]
    assert result.lines["kind"].tolist() == ["flattest place", "steepest place"]
    assert quantity.settle[0] == "where the building will stand"


@pytest.mark.parametrize(
    ("percent", "error_ft", "outcome"),
    [
        (14.0, 0.6, "no"),
        (14.3, 0.6, "review"),
        (14.3, 0.0, "no"),
        (15.2, 0.6, "yes"),
        (14.9, 0.05, "no"),
    ],
)
def test_error_of_the_raster_hides_a_yes(
    tmp_path: Path, percent: float, error_ft: float, outcome: str
) -> None:
    sites = frame(ACRE, shapely.affinity.translate(ACRE, 0, -208))
    ground = plane(percent, 20.0)
    result = screen(tmp_path, ground, sites, frame(Point(X0, Y0)), error_ft=error_ft)
    assert result.columns["slope_15"].tolist() == [outcome, outcome]
    assert slope_of(result).error == pytest.approx([error_ft * 2**0.5] * 2)


def test_site_off_the_raster_is_unknown_and_not_flat(tmp_path: Path) -> None:
    away = shapely.affinity.translate(ACRE, 5_000, 0)
    sites, centres = frame(away, away), frame(Point(X0 + 5_000, Y0))
    for given in (None, centres):
        result = screen(tmp_path, plane(20.0, 0.0), sites, given)
        assert result.columns["slope_15"].tolist() == ["unknown"] * 2
        assert result.columns["slope_pct"].isna().all()
        assert np.isinf(slope_of(result).high).all()
        assert "DEM" in slope_of(result).settle[0]
        assert result.columns["slope_by"].tolist() == ["outside the DEM"] * 2
        assert result.notes == ("2 site(s) lie outside town.tif: their slope is unknown",)


@pytest.mark.parametrize(("percent", "outcome"), [(20.0, "yes"), (10.0, "unknown")])
def test_centre_near_the_edge_of_the_raster_is_known_only_where_it_is_steep(
    tmp_path: Path, percent: float, outcome: str
) -> None:
    site = box(X0, Y0 - 50, X0 + 420, Y0 + 50)
    centre = frame(Point(X0 + 410, Y0))
    result = screen(tmp_path, plane(percent, 90.0), frame(site), centre)
    quantity = slope_of(result)
    assert result.columns["slope_15"][0] == outcome
    assert np.isnan(quantity.value[0])
    assert quantity.low[0] == pytest.approx(percent, abs=0.01)
    assert np.isinf(quantity.high[0])
    assert np.isnan(result.columns["slope_pct"][0]) == (outcome == "unknown")
    assert f"at least {percent:.1f} %" in quantity.reason[0]


def test_site_half_off_the_raster_is_unknown(tmp_path: Path) -> None:
    site = box(X0, Y0 - 50, X0 + 900, Y0 + 50)
    for percent in (5.0, 20.0):
        result = screen(tmp_path, plane(percent, 90.0), frame(site))
        assert result.columns["slope_15"][0] == "unknown"
        assert result.columns["slope_by"][0] == "DEM incomplete"
        assert result.columns["slope_shr"].isna().all()


def test_site_half_off_with_flat_and_steep_places_depends_on_the_building(tmp_path: Path) -> None:
    def ground(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return 500 + 0.3 * np.maximum(x - X0, 0.0)

    result = screen(tmp_path, ground, frame(box(X0 - 200, Y0 - 50, X0 + 900, Y0 + 50)))
    assert result.columns["slope_15"][0] == "review"


def test_hole_within_the_run_of_every_place_makes_the_site_unknown(tmp_path: Path) -> None:
    site = box(X0 - 40, Y0 - 40, X0 + 40, Y0 + 40)
    result = screen(
        tmp_path, plane(5.0, 0.0), frame(site), holes=lambda x, y: 30 - np.hypot(x - X0, y - Y0)
    )
    assert result.columns["slope_15"][0] == "unknown"


def test_broken_sites_cost_only_themselves(tmp_path: Path) -> None:
    result = screen(tmp_path, plane(20.0, 0.0), frame(None, ACRE, Polygon()))
    assert result.columns["slope_15"].tolist() == ["unknown", "yes", "unknown"]
    assert slope_of(result).reason[0] == "the site has no geometry"
    assert len(result.columns) == 3


def test_no_sites_have_no_slopes(tmp_path: Path) -> None:
    result = screen(tmp_path, plane(20.0, 0.0), frame())
    assert len(result.columns) == len(result.lines) == len(result.details) == 0


def test_without_a_raster_every_slope_is_unknown() -> None:
    for measure in (slope_facts, device_slope_facts):
        result = measure(frame(ACRE, None), None, frame(Point(X0, Y0)))
        (quantity,) = result.facts.values()
        assert (quantity.between == UNKNOWN).all()
        assert np.isinf(quantity.high).all()
        assert "ground elevation" in quantity.settle[0]
        assert len(result.lines) == 0


def test_centres_on_no_site_are_counted() -> None:
    centres = frame(Point(X0, Y0), Point(X0 + 300, Y0), None, Point())
    assert unplaced(frame(ACRE), centres) == 1
    assert unplaced(frame(None), centres) == 2
    assert unplaced(frame(ACRE), None) == 0


def test_centre_on_a_shared_edge_belongs_to_both_sites(tmp_path: Path) -> None:
    sites = frame(ACRE, shapely.affinity.translate(ACRE, 208, 0))
    result = screen(tmp_path, plane(20.0, 0.0), sites, frame(Point(X0 + 104, Y0)))
    assert result.columns["slope_by"].tolist() == ["building centre"] * 2


def test_lines_run_from_the_centre_to_the_end(tmp_path: Path) -> None:
    ground = hills(4)
    result = screen(tmp_path, ground, frame(ACRE), frame(Point(X0, Y0)), cell=1.0)
    line = result.lines.iloc[0]
    assert result.lines.crs == PLANE
    assert line.geometry.length == pytest.approx(100.0)
    start, end = shapely.get_coordinates(line.geometry)
    assert line["from_ft"] == pytest.approx(ground(*start), abs=0.05)
    assert line["to_ft"] == pytest.approx(ground(*end), abs=0.05)
    assert abs(line["from_ft"] - line["to_ft"]) == pytest.approx(line["slope_pct"])
    assert line["complete"] == "yes"
    text = result.details["text"][0]
    assert f"{line['from_ft']:.1f} ft to {line['to_ft']:.1f} ft" in text


def test_slope_of_devices_is_the_largest_of_a_site(tmp_path: Path) -> None:
    def ground(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return 500 + 0.16 * np.maximum(x - X0, 0.0)

    sites = frame(ACRE, shapely.affinity.translate(ACRE, 208, 0), None)
    trench = box(X0 - 90, Y0 - 10, X0 + 104, Y0 + 10)
    devices = frame(Point(X0 - 100, Y0), trench)
    path = write_dem(tmp_path / "a.tif", ground, size_ft=900.0)
    with Dem.open(str(path)) as dem:
        result = device_slope_facts(sites, dem, devices, error_ft=0.0)
    quantity = result.facts["device_slope"]
    # The trench touches the second lot along the lot line only, and is no device of it.
    assert quantity.value == pytest.approx([16.0, np.nan, np.nan], abs=0.01, nan_ok=True)
    assert quantity.settle.tolist()[1] == "where the infiltration device will stand"
    assert len(result.columns.columns) == 0
    assert set(result.details["id"]) == {"slope_device"}


def test_device_at_fifteen_percent_does_not_exceed_it(tmp_path: Path) -> None:
    path = write_dem(tmp_path / "a.tif", plane(15.0, 77.0), size_ft=900.0)
    with Dem.open(str(path)) as dem:
        quantity = device_slope_facts(frame(ACRE), dem, frame(Point(X0, Y0))).facts["device_slope"]
    assert quantity.value[0] == pytest.approx(15.0, abs=quantity.tolerance)


def test_reaches_follows_bounds_error_and_tolerance(tmp_path: Path) -> None:
    result = screen(tmp_path, plane(14.5, 10.0), frame(ACRE), error_ft=0.6)
    quantity = slope_of(result)
    limits = [10.0, 14.5, 14.505, 14.6, 15.3, 15.5]
    found = [int(reaches(quantity, limit)[0]) for limit in limits]
    assert found == [YES, YES, YES, REVIEW, REVIEW, NO]


@pytest.mark.parametrize("after", [0.0, 0.3, 0.85])
def test_cancel_stops_the_measure(tmp_path: Path, after: float) -> None:
    def stop(share: float) -> None:
        if share >= after:
            raise CancelledError

    path = write_dem(tmp_path / "a.tif", hills(1), size_ft=900.0)
    with Dem.open(str(path)) as dem, pytest.raises(CancelledError):
        slope_facts(frame(ACRE), dem, None, progress=stop)


def test_two_rasters_of_north_collins_agree(shared_data: Path) -> None:
    folder = shared_data / "north_collins"
    parcels = gpd.read_file(folder / "tax_parcels_2018.gpkg")
    crs = plane_crs(tuple(plane_keys(parcels)[0]))
    points = parcels.geometry.representative_point().to_crs(crs)
    found = []
    for name, unit in (
        ("dem_2m_utm17_metres.tif", "metre"),
        ("dem_6ft_spny_west_feet.tif", "us_survey_foot"),
    ):
        with Dem.open(str(folder / name), z_unit=unit) as dem:
            slopes = slope_at_points(dem, points.x.to_numpy(), points.y.to_numpy(), crs)
            found.append(slopes["slope_percent"].to_numpy())
    both = np.isfinite(found[0]) & np.isfinite(found[1])
    difference = np.abs(found[0] - found[1])[both]
    # A unit mistaken would be a factor of 3.28; the two were triangulated separately.
    assert both.sum() == 36
    assert np.median(difference) == pytest.approx(0.6, abs=0.1)
    assert difference.max() <= 3.4


def test_parcels_beyond_the_raster_of_north_collins_are_not_flat(shared_data: Path) -> None:
    folder = shared_data / "north_collins"
    parcels = gpd.read_file(folder / "tax_parcels_2018.gpkg")
    sites = to_plane(parcels, plane_crs(tuple(plane_keys(parcels)[0])))
    with Dem.open(str(folder / "dem_2m_utm17_metres.tif"), z_unit="metre") as dem:
        result = slope_facts(sites, dem, None)
        x, y = dem.places(
            np.array([0, 0, dem.height, dem.height]) - 0.5,
            np.array([0, dem.width, dem.width, 0]) - 0.5,
            sites.crs,
        )
    beyond = ~shapely.covers(Polygon(np.column_stack([x, y])), sites.geometry.to_numpy())
    assert beyond.sum() > 3
    columns = result.columns[beyond]
    assert columns["slope_15"].isin(["unknown", "review"]).all()
    assert columns["slope_pct"].isna().all()
    assert set(result.columns["slope_15"]) >= {"no", "unknown"}


def test_bangor_is_measured_with_its_buildings(shared_data: Path) -> None:
    import pyogrio

    package = shared_data / "bangor" / "bangor.gpkg"
    layers = {name: name.lower() for name, _ in pyogrio.list_layers(package)}
    parcels = gpd.read_file(package, layer=next(k for k, v in layers.items() if "parcel" in v))
    buildings = gpd.read_file(package, layer=next(k for k, v in layers.items() if "build" in v))
    crs = plane_crs(tuple(plane_keys(parcels)[0]))
    sites, outlines = to_plane(parcels, crs), to_plane(buildings, crs)
    centres = outlines.set_geometry(outlines.centroid)
    with Dem.open(str(shared_data / "bangor" / "dem_ft.tif"), z_unit="foot") as dem:
        result = slope_facts(sites, dem, centres)
    assert len(result.columns) == len(parcels) == 594
    words = result.columns["slope_15"].value_counts()
    assert words.sum() == 594
    assert words["no"] > 100
    seen = result.columns["slope_pct"].dropna()
    assert len(seen) > 300
    assert seen.between(0, 100).all()
