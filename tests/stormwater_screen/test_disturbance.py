"""Disturbed and impervious areas: drawn, typed, or the whole site."""

from __future__ import annotations

from collections.abc import Sequence

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import shapely
from shapely.geometry import box

from stormwater_screen.disturbance import (
    NO_GEOMETRY,
    AreaInput,
    Disturbance,
    against_limit,
    measure_disturbance,
)
from stormwater_screen.errors import CancelledError
from stormwater_screen.facts import Quantity
from stormwater_screen.fields import number_field
from stormwater_screen.outcomes import REVIEW, UNKNOWN
from stormwater_screen.plane import plane_crs, plane_keys, to_plane

PLANE = plane_crs((43, -74))
ACRE = 43_560.0
LOT = box(0, 0, 300, 300)


def _frame(*geometries: object) -> gpd.GeoDataFrame:
    array = np.empty(len(geometries), dtype=object)
    array[:] = geometries
    return gpd.GeoDataFrame(geometry=array, crs=PLANE)


def _drawn(*geometries: object) -> AreaInput:
    return AreaInput(_frame(*geometries), "Limits")


def _typed(values: Sequence[object], field: str = "DIST") -> AreaInput:
    frame = pd.DataFrame({field: pd.Series(values, dtype=object)})
    return AreaInput(typed=number_field(frame, field, layer="Lots"))


def _both(polygons: AreaInput, typed: AreaInput) -> AreaInput:
    return AreaInput(polygons.polygons, polygons.layer, typed.typed)


def _measure(
    sites: Sequence[object],
    disturbed: AreaInput | None = None,
    new: AreaInput | None = None,
    existing: AreaInput | None = None,
) -> Disturbance:
    return measure_disturbance(
        _frame(*sites), disturbed or AreaInput(), new or AreaInput(), existing or AreaInput()
    )


def _fact(result: Disturbance, name: str) -> Quantity:
    fact = result.facts[name]
    assert isinstance(fact, Quantity)
    return fact


def _square(acres: float, x: float = 0.0, y: float = 0.0) -> shapely.Polygon:
    side = np.sqrt(acres * ACRE)
    return box(x, y, x + side, y + side)


# --- drawn --------------------------------------------------------------------------------------


def test_overlapping_polygons_count_once() -> None:
    side = np.sqrt(0.6 * ACRE)
    first, second = box(0, 0, side, side), box(side / 2, 0, side * 1.5, side)
    result = _measure([box(0, 0, 400, 400)], _drawn(first, second))
    assert result.columns["disturb_sf"][0] / ACRE == pytest.approx(0.9)
    assert result.columns["disturb_by"].tolist() == ["polygons"]


def test_a_polygon_over_two_sites_is_split_and_said_so() -> None:
    result = _measure([LOT, box(300, 0, 600, 300)], _drawn(box(200, 0, 500, 100)))
    assert result.columns["disturb_sf"].tolist() == pytest.approx([10_000, 20_000])
    assert result.details["id"].tolist() == ["disturbance_split"] * 2
    assert result.details["text"][0] == (
        "10,000 sq ft of 1 polygon of Limits reaching over several sites count here"
    )


def test_sites_that_overlap_each_get_their_part_and_it_is_said() -> None:
    result = _measure([LOT, LOT], _drawn(box(0, 0, 100, 100)))
    assert result.columns["disturb_sf"].tolist() == pytest.approx([10_000, 10_000])
    assert "sites overlap there" in result.details["text"][0]


def test_a_site_without_polygon_is_not_known_where_polygons_are_given() -> None:
    result = _measure([LOT, box(300, 0, 600, 300)], _drawn(box(0, 0, 100, 100)))
    fact = _fact(result, "disturbed")
    assert np.isnan(fact.value[1])
    assert (fact.low[1], fact.high[1]) == (0.0, np.inf)
    assert fact.reason[1] == "no polygon of Limits lies on the site"
    assert fact.settle[1] == "the disturbed area"
    assert result.columns["disturb_by"][1] == "no polygon of Limits lies on the site"
    assert result.columns.loc[1, "vs_5000":"vs_5acre"].tolist() == ["unknown"] * 5


def test_an_empty_layer_of_polygons_leaves_every_site_unknown() -> None:
    result = _measure([LOT], _drawn())
    assert np.isnan(result.columns["disturb_sf"][0])
    assert not result.whole_site.any()


def test_a_polygon_that_only_shares_the_edge_of_a_neighbour_does_not_disturb_it() -> None:
    result = _measure([LOT, box(300, 0, 600, 300)], _drawn(box(200, 0, 300.02, 100)))
    assert np.isnan(result.columns["disturb_sf"][1])
    assert result.details.empty


def test_a_whole_layer_in_one_multipolygon_is_taken_apart() -> None:
    many = shapely.MultiPolygon([box(0, 0, 10, 10), box(300, 0, 320, 10), box(900, 0, 910, 10)])
    result = _measure([LOT, box(300, 0, 600, 300)], _drawn(many))
    assert result.columns["disturb_sf"].tolist() == pytest.approx([100, 200])


def test_a_broken_site_is_not_known_and_the_others_are() -> None:
    result = _measure([None, shapely.Polygon(), LOT], _drawn(box(0, 0, 100, 100)))
    assert np.isnan(result.columns["disturb_sf"]).tolist() == [True, True, False]
    assert result.columns["disturb_by"].tolist() == [NO_GEOMETRY, NO_GEOMETRY, "polygons"]


def test_null_polygons_are_passed_over() -> None:
    result = _measure([LOT], _drawn(None, shapely.Polygon(), box(0, 0, 100, 100)))
    assert result.columns["disturb_sf"].tolist() == pytest.approx([10_000])


def test_no_sites_give_no_rows() -> None:
    for disturbed in (None, _drawn(LOT), _typed([])):
        result = _measure([], disturbed)
        assert len(result.columns) == 0
        assert len(_fact(result, "affected").value) == 0


def test_a_drawn_area_has_its_error_and_its_tolerance() -> None:
    fact = _fact(_measure([LOT], _drawn(box(0, 0, 100, 50))), "disturbed")
    assert fact.error.tolist() == pytest.approx([300])
    assert np.asarray(fact.tolerance).tolist() == pytest.approx([0.05])
    assert not fact.hides


# --- typed --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "word"), [(4_999.99, "below"), (5_000, "at"), (5_000.01, "above"), (None, "unknown")]
)
def test_a_typed_number_is_compared_exactly(typed: object, word: str) -> None:
    result = _measure([LOT], _typed([typed]))
    assert result.columns["vs_5000"].tolist() == [word]
    assert result.columns["disturb_by"][0] == ("field DIST" if typed else "field DIST is empty")


def test_null_in_a_given_field_is_not_known_and_never_the_whole_site() -> None:
    result = _measure([LOT, LOT], _typed([7_000, None]))
    assert np.isnan(result.columns["disturb_sf"]).tolist() == [False, True]
    assert not result.whole_site.any()
    assert _fact(result, "disturbed").reason[1] == "field DIST is empty"


def test_a_typed_number_wins_over_polygons_and_the_difference_is_reported() -> None:
    given = _both(_drawn(box(0, 0, 100, 100)), _typed([12_000]))
    result = _measure([LOT], given)
    assert result.columns["disturb_sf"].tolist() == [12_000]
    assert result.columns["disturb_by"].tolist() == ["field DIST"]
    assert result.details["id"].tolist() == ["disturbance_differs"]
    assert result.details["value"][0] == pytest.approx(10_000)
    assert np.asarray(_fact(result, "disturbed").tolerance).tolist() == [0.0]


def test_polygons_answer_where_the_field_is_empty() -> None:
    given = _both(_drawn(box(0, 0, 100, 100)), _typed([None, None]))
    result = _measure([LOT, box(300, 0, 600, 300)], given)
    assert result.columns["disturb_by"].tolist() == [
        "polygons",
        "field DIST is empty and no polygon of Limits lies on the site",
    ]


def test_a_typed_number_stands_for_a_site_without_geometry() -> None:
    assert _measure([None], _typed([6_000])).columns["disturb_sf"].tolist() == [6_000]


def test_a_typed_area_larger_than_the_site_is_reported() -> None:
    details = _measure([LOT], _typed([100_000])).details
    assert details["id"].tolist() == ["disturbance_exceeds_site"]
    assert "which measures 90,000 sq ft" in details["text"][0]


def test_a_typed_zero_is_zero() -> None:
    result = _measure([LOT], _typed([0]))
    assert result.columns["vs_5000"].tolist() == ["below"]
    assert _fact(result, "new_impervious").value.tolist() == [0.0]


# --- the whole site -----------------------------------------------------------------------------


def test_the_whole_site_counts_where_nothing_is_given_and_it_is_said() -> None:
    result = _measure([LOT, None])
    assert result.columns["disturb_sf"][0] == pytest.approx(90_000)
    assert result.columns["disturb_by"].tolist() == ["whole site", NO_GEOMETRY]
    assert result.whole_site.tolist() == [True, False]
    assert result.details["id"].tolist() == ["whole_site"]


@pytest.mark.parametrize("code", [3857, 4326, 26918, 2260, 5070])
def test_a_lot_of_one_acre_in_any_crs_is_at_one_acre(code: int) -> None:
    handed_over = _frame(_square(1.0, 80_000, 155_000)).to_crs(code)
    sites = to_plane(handed_over, plane_crs(tuple(plane_keys(handed_over)[0])))
    result = measure_disturbance(sites, AreaInput(), AreaInput(), AreaInput())
    assert result.columns.loc[0, "vs_5000":"vs_5acre"].tolist() == [
        "above",
        "above",
        "at",
        "below",
        "below",
    ]


@pytest.mark.parametrize(
    ("square_feet", "word"), [(43_559, "below"), (43_560, "at"), (43_561, "above")]
)
def test_one_square_foot_less_or_more_than_an_acre_is_told_apart(
    square_feet: float, word: str
) -> None:
    assert _measure([_square(square_feet / ACRE)]).columns["vs_1acre"].tolist() == [word]


# --- impervious area ----------------------------------------------------------------------------


def test_new_impervious_area_not_given_is_at_most_the_disturbed_area() -> None:
    fact = _fact(_measure([LOT], _typed([4_000])), "new_impervious")
    assert np.isnan(fact.value[0])
    assert (fact.low[0], fact.high[0]) == (0.0, 4_000.0)
    assert fact.between[0] == UNKNOWN
    assert fact.settle[0] == "the new impervious area"


def test_new_impervious_area_on_a_site_with_unknown_disturbance_has_no_bound() -> None:
    fact = _fact(_measure([LOT], _typed([None])), "new_impervious")
    assert fact.high[0] == np.inf


def test_only_surface_outside_the_existing_footprint_is_new() -> None:
    result = _measure(
        [LOT],
        _typed([4_000]),
        _drawn(box(0, 0, 40, 50)),
        _drawn(box(0, 0, 10, 50)),
    )
    fact = _fact(result, "new_impervious")
    assert fact.value.tolist() == pytest.approx([1_500])
    assert fact.low.tolist() == fact.high.tolist() == fact.value.tolist()
    assert _fact(result, "existing_impervious").value.tolist() == pytest.approx([500])
    assert result.columns["imperv_sf"].tolist() == pytest.approx([1_500])


def test_gross_and_net_are_reported_and_between_them_it_is_for_review() -> None:
    # 1,200 sq ft are built; of 800 existing ones inside the disturbance 500 are taken away.
    result = _measure(
        [LOT],
        _drawn(box(0, 0, 60, 60)),
        _drawn(box(0, 0, 30, 40)),
        _drawn(box(20, 0, 40, 40)),
    )
    fact = _fact(result, "new_impervious")
    assert fact.value.tolist() == pytest.approx([800])
    assert (fact.low[0], fact.high[0]) == pytest.approx((400, 800))
    assert fact.between[0] == REVIEW
    assert "800 sq ft of new surface" in result.details["text"][0]
    assert "400 sq ft net" in result.details["text"][0]


def test_existing_surface_outside_the_disturbance_stays_and_changes_nothing() -> None:
    result = _measure(
        [LOT], _drawn(box(0, 0, 60, 60)), _drawn(box(0, 0, 30, 40)), _drawn(box(100, 0, 200, 40))
    )
    fact = _fact(result, "new_impervious")
    assert (fact.low[0], fact.high[0]) == pytest.approx((1_200, 1_200))


def test_existing_impervious_area_is_zero_near_its_layer_and_unknown_far_from_it() -> None:
    near, far = LOT, box(0, 6_000, 300, 6_300)
    fact = _fact(
        _measure([near, far], existing=_drawn(box(400, 0, 500, 100))), "existing_impervious"
    )
    assert fact.value[0] == 0.0
    assert np.isnan(fact.value[1])
    assert np.isnan(_fact(_measure([near]), "existing_impervious").value[0])
    empty = _fact(_measure([near], existing=_drawn()), "existing_impervious")
    assert np.isnan(empty.value[0])


def test_new_surface_larger_than_the_disturbance_is_reported_and_affects() -> None:
    result = _measure([LOT], _typed([4_000]), _typed([6_000], "NEWIMP"))
    assert result.details["id"].tolist() == ["impervious_exceeds_disturbance"]
    assert _fact(result, "affected").value.tolist() == [6_000]


# --- affected area ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("disturbed", "new", "low", "high"),
    [
        (4_000, 1_000, 4_000, 4_000),
        (4_000, 6_000, 6_000, 6_000),
        (4_000, None, 4_000, 4_000),
        (None, 6_000, 6_000, np.inf),
        (None, None, 0, np.inf),
    ],
)
def test_a_project_affects_the_larger_of_disturbance_and_new_surface(
    disturbed: object, new: object, low: float, high: float
) -> None:
    fact = _fact(_measure([LOT], _typed([disturbed]), _typed([new], "NEWIMP")), "affected")
    assert (fact.low[0], fact.high[0]) == (low, high)
    assert np.isnan(fact.value[0]) == (low != high)
    assert bool(fact.settle[0]) == (low != high)


def test_drawn_disturbance_and_new_surface_beside_each_other_affect_both() -> None:
    result = _measure([LOT], _drawn(box(0, 0, 140, 100)), _drawn(box(200, 0, 220, 100)))
    assert _fact(result, "affected").value.tolist() == pytest.approx([16_000])


# --- the run ------------------------------------------------------------------------------------


def test_a_cancelled_run_stops() -> None:
    def cancel(share: float) -> None:
        raise CancelledError

    with pytest.raises(CancelledError):
        measure_disturbance(_frame(LOT), _drawn(LOT), AreaInput(), AreaInput(), progress=cancel)


def test_bounds_on_one_side_of_a_limit_decide_and_on_both_sides_do_not() -> None:
    fact = _fact(_measure([LOT, LOT], _typed([4_000, 9_000])), "new_impervious")
    assert against_limit(fact, 5_000).tolist() == ["below", "unknown"]
