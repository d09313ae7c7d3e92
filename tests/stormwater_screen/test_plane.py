"""The working plane: areas and distances agree with the ellipsoid, whatever CRS a lot comes in."""

from __future__ import annotations

import geopandas as gpd
import numpy as np
import pyproj
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import box

from stormwater_screen.errors import InputError
from stormwater_screen.plane import (
    NO_PLANE,
    area_sqft,
    plane_crs,
    plane_keys,
    to_plane,
    transform_geometries,
    transformation_note,
)
from stormwater_screen.units import ACRE_SQFT, FOOT_M

GEOD = pyproj.Geod(ellps="GRS80")
LAKE_GEORGE = (43.4262, -73.7123)
PLACES = {
    "Lake George": LAKE_GEORGE,
    "Wilton": (43.17, -73.74),
    "Shelter Island": (41.07, -72.34),
    "Lyons": (43.06, -76.99),
    "corner of four planes": (43.5001, -74.4999),
    "Bangor": (44.80, -68.77),
}
CRSES = [3857, 4326, 26918, 2260, 5070]


def _on(crs: object, *geometries: object) -> gpd.GeoDataFrame:
    return gpd.GeoDataFrame(geometry=list(geometries), crs=crs)


def _lot(acres: float, place: tuple[float, float]) -> gpd.GeoDataFrame:
    """Return a square lot of exactly so many acres, turned by 30 degrees, on its working plane."""
    latitude, longitude = place
    point = _on(4269, shapely.Point(longitude, latitude))
    plane = plane_crs(tuple(plane_keys(point)[0]))
    centre = to_plane(point, plane).geometry[0]
    half = np.sqrt(acres * ACRE_SQFT) / 2
    square = box(centre.x - half, centre.y - half, centre.x + half, centre.y + half)
    return _on(plane, shapely.affinity.rotate(square, 30))


def _measured(frame: gpd.GeoDataFrame) -> gpd.GeoDataFrame:
    return to_plane(frame, plane_crs(tuple(plane_keys(frame)[0])))


@pytest.mark.parametrize("code", CRSES)
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_a_lot_of_0_600_acre_measures_the_same_in_every_crs(
    code: int, place: tuple[float, float]
) -> None:
    handed_over = _lot(0.6, place).to_crs(code)
    assert _measured(handed_over).area[0] / ACRE_SQFT == pytest.approx(0.6, rel=1e-5)


@pytest.mark.parametrize("code", [*CRSES, 2261, 2262, 26917, 6347, 4269, 32618])
def test_a_lot_of_43560_sq_ft_is_not_lost_to_projection(code: int) -> None:
    handed_over = _lot(1.0, LAKE_GEORGE).to_crs(code)
    assert _measured(handed_over).area[0] == pytest.approx(43_560.0, abs=0.4)


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_area_agrees_with_the_ellipsoid_to_1_in_100000(place: tuple[float, float]) -> None:
    lot = box(place[1], place[0], place[1] + 0.01, place[0] + 0.01)
    ellipsoidal = abs(GEOD.geometry_area_perimeter(lot)[0]) / FOOT_M**2
    assert _measured(_on(4269, lot)).area[0] == pytest.approx(ellipsoidal, rel=1e-5)


@given(
    latitude=st.floats(40.5, 45.5),
    longitude=st.floats(-80.0, -71.8),
    bearing=st.floats(0, 360),
    feet=st.floats(20, 6000),
)
def test_distance_agrees_with_the_geodesic_to_1_in_10000(
    latitude: float, longitude: float, bearing: float, feet: float
) -> None:
    x, y, _ = GEOD.fwd(longitude, latitude, bearing, feet * FOOT_M)
    line = shapely.LineString([(longitude, latitude), (x, y)])
    assert _measured(_on(4269, line)).length[0] == pytest.approx(feet, rel=1e-4)


def test_feet_and_metres_of_the_same_lot_give_the_same_square_feet() -> None:
    lot = _lot(0.25, LAKE_GEORGE)
    feet, metres = _measured(lot.to_crs(2260)), _measured(lot.to_crs(26918))
    assert feet.area[0] == pytest.approx(metres.area[0], rel=1e-8)


def test_us_survey_feet_are_not_taken_for_international_feet() -> None:
    lot = _lot(0.25, LAKE_GEORGE)
    moved = shapely.distance(
        lot.geometry[0].centroid, _measured(lot.to_crs(2260)).geometry[0].centroid
    )
    assert moved < 0.01


def test_the_plane_depends_on_the_place_of_the_site_alone() -> None:
    near, far = box(-73.7, 43.4, -73.6, 43.41), box(-72.3, 41.0, -72.2, 41.1)
    both, one = plane_keys(_on(4269, near, far)), plane_keys(_on(4269, near))
    assert both.tolist() == [[43, -74], [41, -72]]
    assert one.tolist() == [[43, -74]]


def test_the_plane_is_in_international_feet_x_east_y_north() -> None:
    plane = plane_crs((43, -74))
    assert [axis.direction for axis in plane.axis_info] == ["east", "north"]
    assert {axis.unit_conversion_factor for axis in plane.axis_info} == {FOOT_M}


def test_a_site_without_a_place_has_no_plane() -> None:
    frame = _on(4326, None, shapely.Polygon(), box(-73.7, 43.4, -73.6, 43.5))
    assert plane_keys(frame)[:, 0].tolist() == [NO_PLANE, NO_PLANE, 43]
    with pytest.raises(ValueError, match="no working plane"):
        plane_crs((NO_PLANE, NO_PLANE))


def test_a_layer_without_a_crs_is_refused() -> None:
    frame = gpd.GeoDataFrame(geometry=[box(0, 0, 1, 1)])
    with pytest.raises(InputError, match="no coordinate reference system"):
        plane_keys(frame)
    with pytest.raises(InputError, match="no coordinate reference system"):
        to_plane(frame, plane_crs((43, -74)))


def test_coordinates_that_cannot_be_projected_cost_their_feature_only() -> None:
    frame = _on(4326, box(-73.7, 43.4, -73.6, 43.5), box(-73.7, 1e6, -73.6, 2e6))
    moved = to_plane(frame, plane_crs((43, -74)))
    assert moved.geometry.isna().tolist() == [False, True]


def test_null_and_empty_geometries_pass() -> None:
    moved = to_plane(_on(4326, None, shapely.Polygon()), plane_crs((43, -74)))
    assert moved.geometry[0] is None
    assert moved.geometry[1].is_empty


def test_attributes_and_rows_stay() -> None:
    frame = _on(26918, box(600000, 4800000, 600100, 4800100)).assign(name="a").set_index("name")
    frame["lot"] = "7"
    moved = to_plane(frame, plane_crs((43, -74)))
    assert moved["lot"].tolist() == ["7"]
    assert moved.index.tolist() == [0]
    assert frame.crs == pyproj.CRS(26918)


def test_heights_are_dropped() -> None:
    high = shapely.Polygon([(-73.7, 43.4, 9), (-73.6, 43.4, 9), (-73.6, 43.5, 9)])
    assert not to_plane(_on(4979, high), plane_crs((43, -74))).geometry[0].has_z


def test_nad27_is_shifted_and_the_poor_accuracy_is_noted() -> None:
    plane = plane_crs((43, -74))
    point = shapely.Point(-73.7, 43.4)
    old = to_plane(_on(4267, point), plane).geometry[0]
    new = to_plane(_on(4269, point), plane).geometry[0]
    assert 30 < old.distance(new) < 200
    note = transformation_note("Old wetlands", pyproj.CRS(26718), plane)
    assert note == "" or note.startswith("Old wetlands: the change of datum")


@pytest.mark.parametrize("code", [*CRSES, 6347, 4269])
def test_usual_datums_are_not_noted(code: int) -> None:
    assert transformation_note("Parcels", pyproj.CRS(code), plane_crs((43, -74))) == ""


def test_area_of_polygons_in_any_crs_is_in_square_feet() -> None:
    lots = _lot(1.0, LAKE_GEORGE).to_crs(4326).geometry.to_numpy()
    areas = area_sqft(np.array([lots[0], None], dtype=object), pyproj.CRS(4326))
    assert areas[0] == pytest.approx(43_560, abs=0.01)
    assert np.isnan(areas[1])


def test_a_geometry_is_valid_after_projection() -> None:
    lots = np.array([box(-73.7, 43.4, -73.6, 43.5)], dtype=object)
    moved = transform_geometries(lots, pyproj.CRS(4326), plane_crs((43, -74)))
    assert shapely.is_valid(moved).all()


def test_shapes_that_share_vertices_move_as_each_alone() -> None:
    lots = shapely.box(*np.array([(x, y, x + 64, y + 64) for x in (0, 64) for y in (0, 64)]).T)
    lots = shapely.transform(lots, lambda xy: xy + np.array([590_000.3, 4_790_000.7]))
    shapes = np.array([*lots, shapely.union_all(lots[:2]), None, shapely.Point(590_064.3, 4.8e6)])
    source, target = pyproj.CRS(26918), plane_crs((43, -74))
    moved = transform_geometries(shapes, source, target)
    alone = gpd.GeoSeries(shapes, crs=source).to_crs(target).to_numpy()
    assert shapely.to_wkb(moved).tolist() == shapely.to_wkb(alone).tolist()
