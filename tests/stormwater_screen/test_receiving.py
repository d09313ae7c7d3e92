from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import shapely

from stormwater_screen.dem import Dem
from stormwater_screen.details import COLUMNS
from stormwater_screen.features import WaterLayer
from stormwater_screen.listings import ListingsResult, measure_listings
from stormwater_screen.outcomes import words
from stormwater_screen.receiving import (
    Receiver,
    ReceivingOptions,
    ReceivingResult,
    measure_receiving,
)
from stormwater_screen.receiving_passes import passed_supplies
from tests.flow_town import (
    FIELDS,
    X,
    Y,
    far_pond,
    frame,
    layer,
    line,
    listed,
    lot,
    receive,
    ridge,
    streams,
    valley,
)
from tests.terrain import LAKE_GEORGE, PLANE, hills, plane, write_dem

SOUTH = line((-3_900, -1_500), (14_000, -1_500))
WEST, EAST = (line((x, 3_900), (x, -14_000)) for x in (-1_500, 1_500))
THALWEG = line((0, -1_200), (0, -3_900))


def told(result: ReceivingResult, row: int = 0) -> list[tuple[str, str, float]]:
    """Return how the outlets of a site end, the water and the share, the largest first."""
    own = result.outlets[(result.outlets["row"] == row) & result.outlets["counts"]]
    return list(zip(own["ends"], own["water"], own["share"].round(2), strict=True))


def listings(sites: list[object], impaired: WaterLayer, runoff: ReceivingResult) -> ListingsResult:
    layers = gpd.GeoDataFrame(geometry=sites, crs=PLANE)
    return measure_listings(
        layers, [impaired], (), impaired_fields=FIELDS, tmdl_fields=FIELDS, receiving=runoff
    )


def outcome(found: ListingsResult, row: int = 0) -> tuple[str, str]:
    """Return the way and the outcome under Lake George's text of the only listing of a site."""
    own = found.listings[found.listings["row"] == row]
    if own.empty:
        return "none", "no"
    assert len(own) == 1
    return own["reached"].iloc[0], words(own["construction"].to_numpy(np.int8))[0]


def test_all_of_a_tilted_plane_drains_straight_down_to_the_first_brook(tmp_path: Path) -> None:
    brook = line((-3_900, -1_500), (3_900, -1_500))
    lower = line((-3_900, -2_500), (3_900, -2_500))
    result = receive(
        tmp_path, plane(5, 0), [lot(0, 0)], streams(Mill_Brook=brook, Lower_Brook=lower)
    )
    assert told(result) == [("water", "Mill Brook", 1.0)]
    outlet = result.outlets.iloc[0]
    # From the upper edge of the lot, 300 ft north, to the brook, 1,500 ft south, to within a cell.
    assert outlet["length_ft"] == pytest.approx(1_800, abs=45)
    assert outlet["drop_ft"] == pytest.approx(0.05 * outlet["length_ft"], abs=0.1)
    assert outlet["climb_ft"] == 0


@pytest.mark.parametrize("azimuth", [0, 10, 22.5, 45, 67, 118, 203, 341])
def test_a_path_on_a_plane_runs_in_the_direction_of_the_slope(
    tmp_path: Path, azimuth: float
) -> None:
    angle = np.radians(azimuth + 180)  # runoff runs opposite to the rise
    way = np.array([np.sin(angle), np.cos(angle)])
    across = np.array([way[1], -way[0]])
    ends = [tuple(2_000 * way + side * 3_000 * across) for side in (1, -1)]
    result = receive(
        tmp_path, plane(6, azimuth), [lot(-15, -15, 30)], streams(Mill_Brook=line(*ends))
    )
    path = shapely.get_coordinates(result.outlets.geometry.iloc[0]) - np.array(LAKE_GEORGE)
    # Never further aside of the steepest way than a cell and the width of the lot.
    assert np.abs((path - path[0]) @ across).max() < 35
    assert path[-1] @ way == pytest.approx(2_000, abs=30)


def test_both_sides_of_a_valley_drain_to_its_brook(tmp_path: Path) -> None:
    brook = line((0, 3_900), (0, -3_900))
    sites = [lot(-900, 0), lot(600, 0)]
    result = receive(tmp_path, valley(), sites, streams(Mill_Brook=brook))
    assert told(result, 0) == told(result, 1) == [("water", "Mill Brook", 1.0)]
    assert result.outlets["drop_ft"].to_numpy() == pytest.approx(91, abs=4)


def test_a_lot_on_a_ridge_drains_half_to_each_side(tmp_path: Path) -> None:
    result = receive(
        tmp_path, ridge(), [lot(-450, 0, 900)], streams(West_Brook=WEST, East_Brook=EAST)
    )
    found = told(result)
    assert {(ends, water) for ends, water, _ in found} == {
        ("water", "West Brook"),
        ("water", "East Brook"),
    }
    # To a cell of 30 ft in 900.
    assert [share for *_, share in found] == pytest.approx([0.5, 0.5], abs=0.035)
    assert result.outlets["area_sqft"].sum() == pytest.approx(810_000)


def embankment(x: np.ndarray, y: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
    """Return a valley that a road 60 ft wide crosses 600 ft south, 12 ft above its floor."""
    ground = valley()(x, y)
    road = 500 - 6 + 12
    return np.where(np.abs(y - Y + 600) < 30, np.maximum(ground, road), ground)


def test_a_lot_behind_an_embankment_is_unknown_without_a_culvert(tmp_path: Path) -> None:
    impaired = listed(THALWEG)
    sites = [lot(100, 0)]
    result = receive(tmp_path, embankment, sites, streams(Mill_Brook=THALWEG), impaired=impaired)
    assert told(result) == [("pit", "", 1.0)]
    # The place is where the valley meets the embankment, to two cells.
    place = result.outlets.iloc[0][["x", "y"]].to_numpy(float)
    assert np.hypot(*(place - np.array([X, Y - 560]))) < 60
    assert "in a closed depression (" in result.lost[0]
    found = listings(sites, impaired, result)
    assert outcome(found) == ("lost", "unknown")
    assert "where it is lost" in found.listings["settle"].iloc[0]


def test_a_culvert_breaks_the_embankment(tmp_path: Path) -> None:
    impaired = listed(THALWEG)
    culvert = frame(line((0, -520), (0, -680)))
    sites = [lot(100, 0)]
    result = receive(
        tmp_path, embankment, sites, streams(Mill_Brook=THALWEG), impaired=impaired,
        culverts=culvert,
    )  # fmt: skip
    assert told(result) == [("water", "Mill Brook", 1.0)]
    assert outcome(listings(sites, impaired, result)) == ("direct", "yes")


def bowl(depth_ft: float) -> object:
    """Return a plane that falls south with a bowl 600 ft wide in it, 600 ft south."""

    def surface(x: np.ndarray, y: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
        away = np.hypot(x - X, y - Y + 600) / 300
        floor = 500 - 0.02 * 900 - depth_ft
        return np.where(away < 1, floor + away * depth_ft, 500 + 0.02 * (y - Y))

    return surface


def test_a_deep_depression_ends_the_path_and_a_shallow_one_is_filled(tmp_path: Path) -> None:
    brook = streams(Mill_Brook=SOUTH)
    deep = receive(tmp_path, bowl(20.0), [lot(-30, -300, 60)], brook)  # type: ignore[arg-type]
    assert told(deep) == [("pit", "", 1.0)]
    shallow = receive(tmp_path, bowl(2.0), [lot(-30, -300, 60)], brook)  # type: ignore[arg-type]
    assert told(shallow) == [("water", "Mill Brook", 1.0)]
    assert 0.5 < shallow.outlets["deepest_ft"].iloc[0] <= 2.0
    assert "crosses a depression" in shallow.details["text"].iloc[0]
    filled = receive(
        tmp_path, bowl(20.0), [lot(-30, -300, 60)], brook,  # type: ignore[arg-type]
        options=ReceivingOptions(pit_ft=30.0),
    )  # fmt: skip
    assert told(filled) == [("water", "Mill Brook", 1.0)]


def lake(x: np.ndarray, y: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
    """Return a slope that falls to a level lake 1,000 ft south."""
    return np.maximum(500 + 0.05 * (y - Y), 450.0)


def test_a_lot_above_a_lake_drains_into_it_and_not_across_its_level_water(tmp_path: Path) -> None:
    water = lot(-3_000, -2_500, 6_000, 1_500)
    beyond = line((-3_900, -3_200), (3_900, -3_200))
    impaired = listed(water, name="Loon Lake")
    sites = [lot(0, -900), lot(600, -1_050)]
    result = receive(
        tmp_path, lake, sites, streams(Far_Brook=beyond),
        layer("WATER_BODIES", water, GNIS_NAME=["Loon Lake"]), impaired=impaired,
    )  # fmt: skip
    assert told(result, 0) == told(result, 1) == [("water", "Loon Lake", 1.0)]
    found = listings(sites, impaired, result)
    assert outcome(found, 0) == ("direct", "yes")
    assert outcome(found, 1) == ("inside", "yes")


def test_a_lake_that_is_a_hole_in_the_dem_receives_runoff(tmp_path: Path) -> None:
    water = lot(-3_000, -2_500, 6_000, 1_500)
    result = receive(
        tmp_path, lake, [lot(0, -900)], streams(Far_Brook=SOUTH),
        layer("WATER_BODIES", water, GNIS_NAME=["Loon Lake"]),
        holes=lambda x, y: np.where((y < Y - 1_010) & (y > Y - 2_490), 1.0, -1.0),
    )  # fmt: skip
    assert told(result) == [("water", "Loon Lake", 1.0)]


def test_runoff_is_lost_at_the_edge_of_the_dem_and_at_a_hole(tmp_path: Path) -> None:
    beyond = streams(Mill_Brook=line((-9_000, -6_000), (9_000, -6_000)))
    edge = receive(tmp_path, plane(5, 0), [lot(0, -3_500)], beyond)
    assert told(edge) == [("edge", "", 1.0)]
    assert edge.outlets["y"].iloc[0] == pytest.approx(Y - 4_000, abs=60)
    assert "at the edge of the DEM (" in edge.lost[0]
    hole = receive(
        tmp_path, plane(5, 0), [lot(0, 0)], streams(Mill_Brook=SOUTH),
        holes=lambda x, y: 300.0 - np.hypot(x - X - 150, y - Y + 800),
    )  # fmt: skip
    assert [ends for ends, *_ in told(hole)] == ["hole"]


def test_a_site_off_the_dem_and_one_without_geometry_are_not_followed(tmp_path: Path) -> None:
    sites = [lot(0, 0), lot(20_000, 0), None]
    result = receive(tmp_path, plane(5, 0), sites, streams(Mill_Brook=SOUTH))
    assert result.followed.tolist() == [True, False, False]
    assert result.reason.tolist() == ["", "the site lies off the DEM", "the site has no geometry"]
    assert set(result.outlets["row"]) == {0}


def test_a_site_not_followed_is_judged_by_location(tmp_path: Path) -> None:
    sites = [lot(5_000, -1_000)]
    impaired = listed(line((5_000, -1_500), (6_000, -1_500)))
    result = receive(
        tmp_path, plane(5, 0), sites, streams(Mill_Brook=SOUTH), impaired=impaired, size_ft=4_000
    )
    assert outcome(listings(sites, impaired, result)) == ("nearby", "review")


def two_brooks(flow: int | None = 1) -> WaterLayer:
    """Return a tributary that joins a brook 2,000 ft to the west."""
    names = {"GNIS_NAME": ["Side Brook", "Mill Brook"]}
    if flow is not None:
        names["flowdir"] = [flow, flow]
    return layer(
        "WATERCOURSES",
        line((3_900, -1_500), (-2_000, -1_500)),
        line((-2_000, 3_900), (-2_000, -1_500), (-2_000, -12_000)),
        **names,
    )


def test_a_tributary_of_a_listed_water_is_for_review(tmp_path: Path) -> None:
    impaired = listed(line((-2_000, -1_000), (-2_000, -12_000)))
    sites = [lot(0, 0)]
    result = receive(tmp_path, plane(5, 0), sites, two_brooks(), impaired=impaired)
    assert told(result) == [("water", "Side Brook", 1.0)]
    assert result.outlets["passed"].iloc[0] == "Side Brook > Mill Brook"
    assert outcome(listings(sites, impaired, result)) == ("tributary", "review")


def test_a_tributary_counts_where_the_listing_names_tributaries(tmp_path: Path) -> None:
    impaired = listed(line((-2_000, -1_000), (-2_000, -12_000)), name="Mill Brook and tribs")
    sites = [lot(0, 0)]
    result = receive(tmp_path, plane(5, 0), sites, two_brooks(), impaired=impaired)
    assert outcome(listings(sites, impaired, result)) == ("tribs", "yes")


def test_a_listed_water_upstream_is_not_reached(tmp_path: Path) -> None:
    impaired = listed(line((-2_000, 3_900), (-2_000, -1_000)))
    sites = [lot(0, 0)]
    result = receive(tmp_path, plane(5, 0), sites, two_brooks(), impaired=impaired)
    found = listings(sites, impaired, result)
    assert outcome(found) == ("none", "no")
    assert result.complete.all()


def test_a_listed_water_beyond_the_distance_is_not_reached(tmp_path: Path) -> None:
    impaired = listed(line((-2_000, -4_000), (-2_000, -12_000)))
    sites = [lot(0, 0)]
    near = receive(
        tmp_path, plane(5, 0), sites, two_brooks(), impaired=impaired,
        options=ReceivingOptions(follow_ft=5_000),
    )  # fmt: skip
    assert near.reached.empty
    far = receive(tmp_path, plane(5, 0), sites, two_brooks(), impaired=impaired)
    assert far.reached["reached"].tolist() == ["tributary"]
    # 1,800 ft of ground from the far edge, 2,000 to 2,300 ft of Side Brook, 2,500 ft of Mill Brook.
    assert far.reached["along_ft"].iloc[0] == pytest.approx(6_500, abs=300)


def test_lines_digitised_uphill_are_followed_downhill(tmp_path: Path) -> None:
    slope = plane(5, 20)
    up = layer(
        "WATERCOURSES", line((-2_000, -3_000), (0, -500)), line((0, -500), (500, 3_500)),
        GNIS_NAME=["Lower", "Upper"],
    )  # fmt: skip
    impaired = listed(line((-2_000, -3_000), (-200, -750)))
    sites = [lot(500, 1_500)]
    result = receive(tmp_path, slope, sites, up, impaired=impaired)
    assert result.reached["reached"].tolist() == ["tributary"]
    assert result.notes == ("watercourses: lines run against the flow; all are turned",)


def test_a_small_share_is_shown_and_does_not_count(tmp_path: Path) -> None:
    sites = [lot(-60, 0, 1_500, 300)]
    impaired = listed(WEST, name="West Brook")
    result = receive(
        tmp_path, ridge(), sites, streams(West_Brook=WEST, East_Brook=EAST), impaired=impaired
    )
    west = result.outlets[result.outlets["water"] == "West Brook"].iloc[0]
    assert 0 < west["share"] < 0.05
    assert not west["counts"]
    assert "too small a share to count" in " ".join(result.details["text"])
    assert outcome(listings(sites, impaired, result)) == ("none", "no")
    strict = receive(
        tmp_path, ridge(), sites, streams(West_Brook=WEST, East_Brook=EAST), impaired=impaired,
        options=ReceivingOptions(min_share=0.0),
    )  # fmt: skip
    assert outcome(listings(sites, impaired, strict)) == ("direct", "yes")


def test_the_disturbance_is_followed_where_one_is_drawn(tmp_path: Path) -> None:
    sites = [lot(-450, 0, 900), lot(-450, 1_000, 900)]
    drawn = frame(lot(100, 100, 200))
    result = receive(
        tmp_path, ridge(), sites, streams(West_Brook=WEST, East_Brook=EAST), disturbance=drawn
    )
    assert told(result, 0) == [("water", "East Brook", 1.0)]
    assert result.outlets["area_sqft"].iloc[0] == pytest.approx(40_000)
    assert len(told(result, 1)) == 2


def test_a_storm_sewer_near_the_site_leaves_the_answer_for_review(tmp_path: Path) -> None:
    sites = [lot(0, 0)]
    impaired = listed(SOUTH)
    sewer = frame(line((350, 0), (350, 600)))
    result = receive(
        tmp_path, plane(5, 0), sites, streams(Mill_Brook=SOUTH), impaired=impaired, sewers=sewer
    )
    assert result.sewer.tolist() == [True]
    assert outcome(listings(sites, impaired, result)) == ("sewer", "review")
    away = receive(
        tmp_path, plane(5, 0), sites, streams(Mill_Brook=SOUTH), impaired=impaired,
        sewers=frame(line((900, 0), (900, 600))),
    )  # fmt: skip
    assert not away.sewer.any()


def test_a_listed_water_that_no_layer_maps_receives_runoff_too(tmp_path: Path) -> None:
    far = streams(Far_Brook=line((-3_900, -3_000), (3_900, -3_000)))
    impaired = listed(SOUTH)
    sites = [lot(0, 0)]
    result = receive(tmp_path, plane(5, 0), sites, far, impaired=impaired)
    assert told(result) == [("water", "Mill Brook", 1.0)]
    assert outcome(listings(sites, impaired, result)) == ("direct", "yes")


def test_without_water_bodies_reaching_nothing_is_no_proof(tmp_path: Path) -> None:
    path_layers = [streams(Mill_Brook=SOUTH)]
    impaired = listed(line((-1_000, 1_500), (1_000, 1_500)))
    sites = [lot(0, 0)]
    result = receive(
        tmp_path, plane(5, 0), sites, *path_layers,
        WaterLayer("ponds", "WATER_BODIES", frame().iloc[:0], None), impaired=impaired,
    )  # fmt: skip
    assert not result.complete.any()
    assert outcome(listings(sites, impaired, result)) == ("nearby", "review")


def test_figures_of_a_site_do_not_depend_on_the_other_sites(tmp_path: Path) -> None:
    ground = hills(3, relief_ft=60, length_ft=1_500)
    water = streams(West_Brook=WEST, East_Brook=EAST, South_Brook=SOUTH)
    sites = [lot(e, n, 250) for e in range(-2_500, 2_500, 700) for n in range(-2_500, 2_500, 900)]
    every = receive(tmp_path, ground, sites, water)
    for row in (0, 17, len(sites) - 1):
        alone = receive(tmp_path, ground, [sites[row]], water)
        own = every.outlets[every.outlets["row"] == row].reset_index(drop=True)
        columns = ["ends", "water", "share", "length_ft", "drop_ft", "passed", "stops"]
        assert own[columns].equals(alone.outlets[columns])
        assert own.geometry.tolist() == alone.outlets.geometry.tolist()


def test_a_site_of_any_width_is_followed_to_both_sides_of_a_ridge(tmp_path: Path) -> None:
    # Eight miles wide, so that it lies on several tiles; the ridge runs through its middle.
    path = write_dem(
        tmp_path / "ground.tif", ridge(1.0), crs=PLANE, cell=90.0, size_ft=50_000.0, z_unit="foot"
    )
    sites = frame(lot(-21_000, -300, 42_000, 600))
    brooks = streams(
        West_Brook=line((-22_000, 3_000), (-22_000, -9_000)),
        East_Brook=line((22_000, 3_000), (22_000, -9_000)),
    )
    with Dem.open(str(path)) as dem:
        result = measure_receiving(sites, dem, [brooks, layer("WATER_BODIES", far_pond())])
    ways = result.outlets.set_index("ends")["share"].groupby(level=0).sum()
    # Only what lies within a mile and its tile of the brooks reaches them; the rest is lost far off
    # and not passed over.
    assert set(ways.index) == {"water", "far"}
    assert ways.sum() == pytest.approx(1.0)
    waters = result.outlets[result.outlets["ends"] == "water"].set_index("water")["share"]
    assert waters["West Brook"] == pytest.approx(waters["East Brook"], abs=0.1)
    assert waters.min() > 5_000 / 42_000


def test_a_gap_is_crossed_alike_whatever_the_other_sites(tmp_path: Path) -> None:
    # The upper brook ends on the slope, 1,000 ft above the lower one, which goes on far below.
    upper, lower = line((0, 3_000), (0, -500)), line((0, -1_500), (0, -2_500))
    last = line((-3_000, -3_400), (3_000, -3_400))
    water = streams(Upper_Brook=upper, Lower_Brook=lower, Last_Brook=last)
    sites = [lot(60, 1_000), lot(-400, -2_000), lot(60, -2_300)]
    options = ReceivingOptions(follow_ft=20_000)
    every = receive(tmp_path, valley(), sites, water, options=options)
    assert every.outlets["passed"].tolist()[0] == "Upper Brook > Lower Brook > Last Brook"
    for row, site in enumerate(sites):
        alone = receive(tmp_path, valley(), [site], water, options=options)
        own = every.outlets[every.outlets["row"] == row].reset_index(drop=True)
        columns = ["ends", "water", "share", "length_ft", "passed", "stops"]
        assert own[columns].equals(alone.outlets[columns])


@pytest.mark.parametrize(("aside", "up", "escapes"), [(900, 2_000, False), (300, 150, True)])
def test_a_circle_that_closes_over_a_gap_is_left_alike_whatever_the_other_sites(
    tmp_path: Path, aside: float, up: float, escapes: bool
) -> None:
    # A ditch ends on a slope; its runoff meets ditches that were drawn uphill, back to its top.
    # A listed brook lies below. From the upper lot all of the circle is near, from the lower not.
    places = [(0.0, -400.0), *((aside, -400.0 + up * k) for k in range(8))]
    ditches = {f"B{k}": line(*pair) for k, pair in enumerate(pairwise(places))}
    top = places[-1][1] - 250
    brook = line((-3_000, -2_500), (3_000, -2_500))
    water = streams(A=line((0, top), (0, 0)), **ditches, C=brook)
    path = write_dem(
        tmp_path / "slope.tif", lambda x, y: 500 + 0.02 * (y - Y) + 0.01 * abs(x - X),
        crs=PLANE, cell=30.0, size_ft=60_000.0, z_unit="foot",
    )  # fmt: skip
    lower, upper = lot(-100, 400, 60.0), lot(aside + 100, 4.7 * up, 60.0)
    found = []
    for others in ([], [upper]):
        with Dem.open(str(path)) as dem:
            receiver = Receiver(
                dem, PLANE, [water, layer("WATER_BODIES", far_pond())], [listed(brook)],
                impaired_fields=FIELDS,
            )  # fmt: skip
            for site in [*others, lower]:
                result = receiver.measure(gpd.GeoDataFrame(geometry=[site], crs=PLANE))
        found.append(result)
    alone, beside = found
    assert alone.reached.equals(beside.reached)
    assert alone.lost.tolist() == beside.lost.tolist()
    columns = ["ends", "water", "passed", "stops"]
    assert alone.outlets[columns].equals(beside.outlets[columns])
    assert bool(len(alone.reached)) == escapes


def test_waters_beyond_the_limit_over_land_and_along_the_network_are_not_told(
    tmp_path: Path,
) -> None:
    upper, lower = line((0, 3_000), (0, -500)), line((0, -1_500), (0, -2_500))
    water = streams(Upper_Brook=upper, Lower_Brook=lower)
    # Along the brook the lower one is 2,500 ft away from both; over land one has 1,500 ft more.
    sites = [lot(60, 1_000), lot(1_500, 1_000)]
    options = ReceivingOptions(follow_ft=4_000)
    outlets = receive(tmp_path, valley(), sites, water, options=options).outlets
    assert outlets.groupby("row")["passed"].first().tolist() == [
        "Upper Brook > Lower Brook",
        "Upper Brook",
    ]


def test_the_site_above_many_gaps_is_followed_as_far_alone_as_with_one_below(
    tmp_path: Path,
) -> None:
    # Twelve short brooks, one below the other, with 100 ft of slope between them.
    brooks = {f"Brook_{n}": line((0, 3_000 - 500 * n), (0, 2_600 - 500 * n)) for n in range(12)}
    sites = [lot(60, 2_700), lot(60, 2_700 - 500 * 8)]
    options = ReceivingOptions(follow_ft=20_000)

    alone, both = (
        receive(
            tmp_path,
            valley(),
            some,
            streams(**brooks),
            impaired=listed(brooks["Brook_11"], name="Brook 11"),
            options=options,
        )
        for some in (sites[:1], sites)
    )

    own = [result.reached.query("row == 0").reset_index(drop=True) for result in (alone, both)]
    assert own[0]["reached"].tolist() == ["tributary"]
    assert own[0]["along_ft"].iloc[0] == pytest.approx(5_500, abs=500)
    pd.testing.assert_frame_equal(*own)


def test_details_have_the_columns_of_findings(tmp_path: Path) -> None:
    result = receive(tmp_path, plane(5, 0), [lot(0, 0)], streams(Mill_Brook=SOUTH))
    assert list(result.details.columns) == list(COLUMNS)
    assert result.details["id"].tolist() == ["receiving_water"]
    assert result.details["value"].tolist() == [100.0]


def test_a_well_below_is_passed_and_wells_above_and_beside_are_not(tmp_path: Path) -> None:
    result = receive(tmp_path, plane(5, 0), [lot(0, 0)], streams(Mill_Brook=SOUTH))
    wells = layer(
        "WATER_SUPPLIES",
        *(
            shapely.Point(X + east, Y + north)
            for east, north in ((60, -600), (60, 380), (600, -600))
        ),
        name=["Below", "Above", "Beside"],
    )
    passed = passed_supplies(result.outlets, [wells])
    assert passed["id"].tolist() == ["runoff_passes"]
    assert "from Below: it lies downgradient" in passed["text"].iloc[0]
    assert passed["value"].iloc[0] <= 60
    assert passed_supplies(result.outlets, []).empty
