"""A CRS that is missing, unusable or plainly wrong is refused with the layer and what was found."""

from __future__ import annotations

import numpy as np
import pyproj
import pytest
import shapely
from shapely.geometry import box

from stormwater_screen.crs import check_place, outside_state_note, usable_crs
from stormwater_screen.errors import InputError


def _check(geometry: shapely.Geometry | None, crs: object) -> tuple[list[list[float]], str]:
    array = np.array([geometry], dtype=object)
    places, note = check_place(array, usable_crs(crs, "Lots"), "Lots")
    return places.tolist(), note


@pytest.mark.parametrize(
    ("crs", "geometry"),
    [
        pytest.param(26918, box(701_370, 1_674_269, 701_500, 1_674_400), id="feet as metres"),
        pytest.param(2260, box(604_000, 4_808_000, 604_100, 4_808_100), id="metres as feet"),
        pytest.param(26918, box(-73.7, 43.4, -73.6, 43.5), id="degrees as metres"),
        pytest.param(3857, box(-73.7, 43.4, -73.6, 43.5), id="degrees in Web Mercator"),
        pytest.param(4326, box(604_000, 4_808_000, 604_100, 4_808_100), id="metres as degrees"),
        pytest.param(4978, box(0, 0, 1, 1), id="geocentric"),
        pytest.param('LOCAL_CS["site grid",UNIT["foot",0.3048]]', box(0, 0, 9, 9), id="local"),
    ],
)
def test_a_crs_that_is_plainly_wrong_is_refused_with_the_layer_and_what_was_found(
    crs: object, geometry: shapely.Geometry
) -> None:
    with pytest.raises(InputError, match=r"^Lots: .*Needed: ") as refused:
        _check(geometry, crs)
    assert "CRS" in str(refused.value)


@pytest.mark.parametrize("crs", [None, "", "no such thing"])
def test_no_crs_is_refused(crs: object) -> None:
    with pytest.raises(InputError, match=r"^Lots: .*Needed: a layer whose CRS is set"):
        usable_crs(crs, "Lots")


def test_the_height_of_a_compound_crs_is_left_out() -> None:
    assert usable_crs("EPSG:26918+5703", "Lots") == pyproj.CRS(26918)
    assert len(usable_crs(4979, "Lots").axis_info) == 2


@pytest.mark.parametrize(
    ("code", "x", "y"),
    [
        (4326, -73.7, 43.4),
        (26918, 605_000, 4_806_000),
        (2260, 697_000, 1_670_000),
        (3857, -8_204_000, 5_374_000),
        (5070, 1_800_000, 2_450_000),
    ],
)
def test_a_right_crs_gives_the_place_and_no_note(code: int, x: float, y: float) -> None:
    places, note = _check(box(x, y, x, y).buffer(1e-6), code)
    assert places[0] == pytest.approx([43.4, -73.7], abs=0.8)
    assert note == ""


def test_a_layer_without_geometries_has_no_place() -> None:
    places, note = _check(None, 26918)
    assert np.isnan(places).all()
    assert note == ""


def test_a_crs_known_by_its_parameters_only_is_checked_too() -> None:
    wkt = pyproj.CRS(26918).to_wkt("WKT1_ESRI")
    with pytest.raises(InputError, match="outside the area of use"):
        _check(box(701_370, 1_674_269, 701_500, 1_674_400), wkt)


@pytest.mark.parametrize(
    ("places", "said"),
    [
        pytest.param([[43.42, -73.71], [41.07, -72.34]], False, id="in the State"),
        pytest.param([[39.6, 5.43]], True, id="metres of UTM read as Web Mercator"),
        pytest.param([[-73.71, 43.42]], True, id="latitude and longitude exchanged"),
        pytest.param([[np.nan, np.nan]], False, id="no place"),
    ],
)
def test_sites_outside_the_state_are_told(places: list[list[float]], said: bool) -> None:
    note = outside_state_note(np.array(places), "Lots")

    assert note.startswith("Lots: lies at latitude") is said
