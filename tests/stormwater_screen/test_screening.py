"""Sites screened end to end: what goes wrong with a layer costs no more than it must."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import shapely
from shapely.geometry import box

from stormwater_screen.columns import FINDING_COLUMNS, SCREENED_COLUMNS, ZONE_COLUMNS
from stormwater_screen.errors import CancelledError, InputError
from stormwater_screen.layers import layer_from_frame
from stormwater_screen.model import DemSource, Options, Screening, ScreeningInputs
from stormwater_screen.ordinance import load_ordinance
from stormwater_screen.progress import Progress
from stormwater_screen.screening import screen
from stormwater_screen.shapes import Shapes
from stormwater_screen.threads import Work
from tests.terrain import LAKE_GEORGE, PLANE, plane, write_dem

X, Y = LAKE_GEORGE
ACRE = 43_560.0
EXACT = Options(dem_error_ft=0.0, water_error_ft=0.0, supply_error_ft=0.0, run_id="test")
ANY_CRS = ["EPSG:3857", "EPSG:4326", "EPSG:26918", "EPSG:2260", "EPSG:5070"]
KINDS = {"WATERCOURSES": "line_or_polygon", "BUILDING_CENTRES": "point"}


def square(acres: float, east: float = 0.0, north: float = 0.0) -> shapely.Polygon:
    side = (acres * ACRE) ** 0.5
    return box(X + east, Y + north, X + east + side, Y + north + side)


def frame(*shapes: object, crs: str | None = "EPSG:26918", **columns: object) -> gpd.GeoDataFrame:
    table = gpd.GeoDataFrame(columns, geometry=list(shapes), crs=PLANE)
    return table if crs is None else table.to_crs(crs)


def run(
    sites: gpd.GeoDataFrame,
    law: str = "lake_george",
    *,
    fields: Mapping[str, str] | None = None,
    dem: Path | None = None,
    options: Options = EXACT,
    beside: Callable[[Shapes], Work | None] = lambda zones: None,
    **layers: gpd.GeoDataFrame,
) -> Screening:
    given = {
        name: (layer_from_frame(f, role=name, name=name, geometry=KINDS.get(name, "polygon")),)
        for name, f in layers.items()
    }
    inputs = ScreeningInputs(
        layer_from_frame(sites, role="SITES", name="lots", geometry="polygon"),
        given,
        fields or {},
        None if dem is None else DemSource(str(dem)),
    )
    return screen(inputs, load_ordinance(law, date(2025, 6, 1)), options, beside=beside)


def test_every_promised_column_is_there_in_order() -> None:
    result = run(frame(square(1.0)))
    assert list(result.columns.columns) == [column.name for column in SCREENED_COLUMNS]
    assert list(result.findings.columns) == [column.name for column in FINDING_COLUMNS]
    named = [column.name for column in ZONE_COLUMNS]
    assert list(result.zones.columns) == [*named, "geometry"]


def test_nothing_but_sites_leads_to_unknowns_and_a_stated_bound_never_to_no() -> None:
    site = run(frame(square(1.5))).columns.iloc[0]
    assert site["disturb_by"] == "whole site"
    assert (site["class"], site["lda"], site["cond_b"]) == ("major", "yes", "no")
    for column in ("slope_15", "in_35ft", "in_50ft", "in_100ft", "in_500ft", "cond_a", "cond_c"):
        assert site[column] == "unknown", column
    for column in ("impaired", "tmdl", "soil_grp"):
        assert site[column] == "unknown", column


@pytest.mark.filterwarnings("error")
def test_a_single_site_is_screened_without_a_warning(tmp_path: Path) -> None:
    dem = write_dem(tmp_path / "dem.tif", plane(3.0, 90.0), size_ft=1200.0)
    centre = frame(shapely.Point(X + 50.0, Y + 50.0), crs=None)
    run(frame(square(0.25)), dem=dem, BUILDING_CENTRES=centre, WATER_BODIES=frame(square(0.1)))


def test_without_a_plan_field_the_findings_say_what_is_assumed() -> None:
    assumed = run(frame(square(0.2)), "wilton").findings
    assumed = assumed[assumed["rule"] == "common_plan"]
    assert list(assumed["row"]) == [1]
    assert "assumed not to be part of a larger common plan" in assumed["text"].iloc[0]
    told = run(frame(square(0.2), plan=["none"]), fields={"PLAN_FIELD": "plan"}).findings
    assert "common_plan" not in set(told["rule"])


def test_sites_judged_as_wholly_disturbed_are_counted_and_named() -> None:
    result = run(frame(square(1.5), square(0.1, east=900.0)))
    assert result.counts["WHOLE_SITE_COUNT"] == 2
    whole = result.findings[result.findings["rule"] == "whole_site"]
    assert list(whole["row"]) == [1, 2]
    assert "2 sites are judged as if wholly disturbed: no disturbed area is given" in result.notes


@pytest.mark.parametrize("crs", ANY_CRS)
def test_a_lot_has_the_same_acres_and_class_in_any_crs(crs: str) -> None:
    site = run(frame(square(0.6), crs=crs)).columns.iloc[0]
    assert site["disturb_sf"] == pytest.approx(0.6 * ACRE, rel=1e-5)
    assert (site["class"], site["vs_1acre"], site["lda"]) == ("major", "below", "no")


@pytest.mark.parametrize("crs", ANY_CRS)
def test_a_lot_of_one_acre_is_not_lost_to_projection(crs: str) -> None:
    site = run(frame(square(1.0), crs=crs)).columns.iloc[0]
    assert (site["vs_1acre"], site["lda"]) == ("at", "yes")


@pytest.mark.parametrize("crs", ANY_CRS)
def test_500_feet_from_surveyed_water_is_within_and_a_tenth_more_is_not(crs: str) -> None:
    sites = frame(*(square(0.2, east=500.0 + d, north=n) for d, n in EDGE), crs=crs)
    shore = box(X - 900.0, Y - 2000.0, X, Y + 4000.0)
    river = shapely.LineString([(X - 2000.0, Y - 2000.0), (X - 2000.0, Y + 4000.0)])
    result = run(
        sites,
        WATER_BODIES=frame(shore, crs=crs),
        WATERCOURSES=frame(river, crs=crs),
        WETLANDS=frame(box(X - 3000.0, Y, X - 2900.0, Y + 100.0), crs=crs),
    )
    assert list(result.columns["in_500ft"]) == ["yes", "yes", "no"]


EDGE = [(-0.1, 0.0), (0.0, 500.0), (0.1, 1000.0)]


def test_500_feet_and_a_tenth_from_water_mapped_at_1_24000_is_for_review() -> None:
    shore = frame(box(X - 900.0, Y - 2000.0, X, Y + 4000.0))
    result = run(
        frame(square(0.2, east=500.1), square(0.2, east=540.5, north=500.0)),
        WATER_BODIES=shore,
        WATERCOURSES=shore,
        WETLANDS=shore,
        options=Options(water_error_ft=40.0),
    )
    assert list(result.columns["in_500ft"]) == ["review", "no"]


def test_a_parcel_that_shares_an_edge_with_a_pond_is_at_distance_0() -> None:
    pond = frame(box(X - 300.0, Y, X, Y + 200.0))
    site = run(frame(square(0.5)), WATER_BODIES=pond).columns.iloc[0]
    assert site["water_ft"] == 0.0
    assert site["in_35ft"] == "yes"


def test_a_parcel_that_shares_an_edge_with_a_tmdl_watershed_is_not_inside_it() -> None:
    columns = {"pollutant": ["phosphorus"], "source": ["stormwater"]}
    fields = {"TMDL_POLLUTANT_FIELD": "pollutant", "TMDL_SOURCE_FIELD": "source"}
    far = frame(box(X + 60_000.0, Y, X + 61_000.0, Y + 900.0), pollutant=["sediment"])
    near = pd.concat([far, frame(box(X - 9_000.0, Y, X - 8_900.0, Y + 9.0), pollutant=[None])])
    found = []
    for west in (0.0, 30.0):
        watershed = frame(box(X - 3000.0, Y - 3000.0, X + west, Y + 3000.0), **columns)
        result = run(
            frame(square(1.5)),
            fields={**fields, "IMPAIRED_POLLUTANT_FIELD": "pollutant"},
            TMDL=watershed,
            IMPAIRED=gpd.GeoDataFrame(near),
        )
        found.append(result.columns.iloc[0]["cond_a"])
    assert found == ["no", "yes"]


def test_two_overlapping_polygons_of_disturbance_count_once() -> None:
    side = (0.6 * ACRE) ** 0.5
    first, second = square(0.6), square(0.6, east=side / 2)
    result = run(frame(box(X - 50, Y - 50, X + 600, Y + 600)), DISTURBANCE=frame(first, second))
    assert result.columns.iloc[0]["disturb_sf"] == pytest.approx(0.9 * ACRE, rel=1e-5)


def test_no_polygon_on_a_site_where_a_layer_is_given_is_unknown_not_zero() -> None:
    result = run(frame(square(1.0), square(1.0, east=900.0)), DISTURBANCE=frame(square(0.2)))
    assert result.columns.iloc[1]["class"] == "unknown"
    assert np.isnan(result.columns.iloc[1]["disturb_sf"])
    assert result.counts["UNKNOWN_COUNT"] == 1


def test_a_broken_site_costs_its_own_row_and_no_other() -> None:
    bow_tie = shapely.Polygon([(X, Y), (X + 400, Y + 400), (X + 400, Y), (X, Y + 400)])
    sites = frame(
        square(1.5, east=2000.0), None, bow_tie, shapely.Polygon(), id=["a", "b", None, "a"]
    )
    result = run(sites, fields={"SITE_ID": "id"})
    assert list(result.columns["row"]) == [1, 2, 3, 4]
    assert list(result.columns["site_id"]) == ["a", "b", None, "a"]
    assert list(result.columns["class"]) == ["major", "unknown", "major", "unknown"]
    assert result.columns["disturb_sf"][2] == pytest.approx(80_000.0, rel=1e-5)
    repairs = result.findings[result.findings["rule"] == "geometry"]
    assert list(repairs["row"]) == [2, 3, 4]
    assert list(repairs["outcome"]) == ["unknown", "info", "unknown"]
    assert any("repaired" in note for note in result.notes)


def test_sites_without_any_geometry_are_all_unknown() -> None:
    result = run(frame(None, None))
    assert list(result.columns["class"]) == ["unknown", "unknown"]
    assert all(result.columns["reasons"].str.contains("unknown"))


def test_an_empty_layer_of_sites_gives_no_rows_and_says_so() -> None:
    empty = frame(square(1.0), name=["a"]).iloc[:0]
    result = run(empty, WATER_BODIES=frame(square(0.1)))
    assert len(result.columns) == len(result.findings) == len(result.zones) == 0
    assert list(result.columns.columns) == [column.name for column in SCREENED_COLUMNS]
    assert result.counts["SITE_COUNT"] == 0
    assert "lots: no sites" in result.notes


def test_an_empty_layer_of_water_is_unknown_not_no() -> None:
    water = frame(square(0.1)).iloc[:0]
    site = run(
        frame(square(1.0)), WATER_BODIES=water, WATERCOURSES=water, WETLANDS=water
    ).columns.iloc[0]
    assert site["in_500ft"] == "unknown"


def test_a_layer_without_a_crs_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="WETLANDS: no coordinate reference system"):
        run(
            frame(square(1.0)),
            WETLANDS=frame(square(0.1), crs=None).set_crs(None, allow_override=True),
        )


def test_a_pollutant_that_is_null_is_not_recorded_not_no() -> None:
    listed = frame(square(3.0, east=-100.0, north=-100.0), pollutant=[None])
    site = run(
        frame(square(1.5)), fields={"IMPAIRED_POLLUTANT_FIELD": "pollutant"}, IMPAIRED=listed
    ).columns.iloc[0]
    assert site["cond_a"] == "unknown"
    assert site["pollutant"] == "not recorded"


def test_a_site_off_the_dem_is_unknown_not_flat(tmp_path: Path) -> None:
    dem = write_dem(tmp_path / "dem.tif", plane(3.0, 90.0), size_ft=1200.0)
    sites = frame(square(0.25), square(0.25, east=50_000.0), square(0.25, east=560.0))
    result = run(sites, dem=dem)
    assert list(result.columns["slope_15"]) == ["no", "unknown", "unknown"]
    assert np.isnan(result.columns["slope_pct"][1])


def test_a_run_split_in_two_gives_the_same_figures(tmp_path: Path) -> None:
    dem = write_dem(tmp_path / "dem.tif", plane(14.0, 60.0), size_ft=4000.0)
    shapes = [square(0.3 + 0.1 * n, east=350.0 * n, north=40.0 * n) for n in range(6)]
    water = frame(box(X - 400.0, Y - 900.0, X - 50.0, Y + 900.0), name=["Mill Pond"])
    layers = {"WATER_BODIES": water, "WATERCOURSES": water, "WETLANDS": water}

    def columns(*chosen: shapely.Polygon) -> pd.DataFrame:
        return run(frame(*chosen), dem=dem, **layers).columns.drop(columns="row")

    whole = columns(*shapes)
    parts = pd.concat([columns(*shapes[:2]), columns(*shapes[2:])], ignore_index=True)
    pd.testing.assert_frame_equal(whole, parts, check_exact=True)


def test_sites_of_two_working_planes_come_back_in_their_order() -> None:
    sites = pd.concat(
        [
            frame(square(a, east=e), crs="EPSG:4326")
            for a, e in ((1.0, 0), (2.0, 600_000), (3.0, 900))
        ]
    )
    sites = gpd.GeoDataFrame(sites.reset_index(drop=True))
    acres = run(sites).columns["disturb_sf"] / ACRE
    assert list(acres) == pytest.approx([1.0, 2.0, 3.0], rel=2e-3)
    assert list(run(sites, "wilton").columns["vs_2acre"])[0::2] == ["below", "above"]


def test_a_long_straight_border_of_a_watershed_is_no_overlap_in_another_crs() -> None:
    border = gpd.GeoSeries([shapely.LineString([(-73.9, 43.42), (-73.5, 43.42)])], crs=4326)
    dense = border.segmentize(0.0005).to_crs(PLANE).iloc[0]
    middle = dense.interpolate(0.5, normalized=True)
    lots = [box(middle.x, middle.y - 300.0, middle.x + 300.0, middle.y)]
    listed = gpd.GeoDataFrame(
        {"p": ["sediment"], "s": ["stormwater"]},
        geometry=[box(-73.9, 43.42, -73.5, 43.6)],
        crs=4326,
    )
    result = run(
        frame(*lots, crs="EPSG:26918"),
        fields={"TMDL_POLLUTANT_FIELD": "p", "TMDL_SOURCE_FIELD": "s"},
        TMDL=listed,
        IMPAIRED=frame(box(X + 60_000.0, Y, X + 61_000.0, Y + 900.0)),
    )
    assert result.columns.iloc[0]["tmdl"] == "none mapped"


def test_disturbance_beyond_all_sites_is_reported_once() -> None:
    result = run(
        frame(square(1.0), square(1.0, east=300.0)),
        DISTURBANCE=frame(box(X, Y - 100.0, X + 400.0, Y + 50.0)),
    )
    outside = [note for note in result.notes if "outside all sites" in note]
    assert len(outside) == 1
    split = result.findings[result.findings["rule"] == "disturbance_split"]
    assert list(split["row"]) == [1, 2]


def test_a_cancelled_run_raises() -> None:
    def stop(share: float) -> None:
        if share > 0.3:
            raise CancelledError("stopped")

    inputs = ScreeningInputs(
        layer_from_frame(frame(square(1.0)), role="SITES", name="lots", geometry="polygon")
    )
    with pytest.raises(CancelledError):
        screen(inputs, load_ordinance("wilton", date(2025, 6, 1)), EXACT, progress=stop)


def test_a_field_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(InputError, match=r"acres.*id"):
        run(frame(square(1.0), id=["a"]), fields={"DISTURBED_FIELD": "acres"})


def test_a_field_of_words_taken_for_areas_is_said_beside_the_unknown_sites() -> None:
    result = run(frame(square(1.0), kind=["commercial"]), fields={"DISTURBED_FIELD": "kind"})
    assert result.columns.iloc[0]["class"] == "unknown"
    assert any("kind" in note and "something else than a number" in note for note in result.notes)


def test_laws_without_major_projects_count_none_and_say_not_applicable() -> None:
    result = run(frame(square(1.5)), "shelter_island")
    assert (result.counts["MAJOR_COUNT"], result.counts["REGULATED_COUNT"]) == (0, 1)
    assert result.columns.iloc[0]["is_major"] == "not_applicable"


def test_the_conditions_are_not_applicable_under_wayne_county() -> None:
    site = run(frame(square(1.5)), "wayne_county").columns.iloc[0]
    assert site["class"] == "plan_required"
    assert {site[column] for column in ("cond_a", "cond_b", "cond_c")} == {"not_applicable"}


def test_zones_may_be_used_while_sites_are_judged_and_are_those_of_the_result() -> None:
    seen: list[gpd.GeoDataFrame] = []

    def beside(zones: Shapes) -> Work:
        def use(progress: Progress) -> None:
            progress(0.5)
            seen.append(zones.frame())

        return use

    lake = frame(square(2.0, east=100.0))
    options = replace(EXACT, run_id=None)
    result = run(frame(square(1.0)), options=options, beside=beside, WATER_BODIES=lake)

    (zones,) = seen
    assert len(zones) > 0
    pd.testing.assert_frame_equal(zones, result.zones)
    assert set(zones["run_id"]) == set(result.columns["run_id"])


def test_a_screening_ends_where_the_work_beside_it_cannot_be_done() -> None:
    def beside(zones: Shapes) -> Work:
        def fail(progress: Progress) -> None:
            raise OSError("the disk is full")

        return fail

    with pytest.raises(OSError, match="the disk is full"):
        run(frame(square(1.0)), beside=beside)
