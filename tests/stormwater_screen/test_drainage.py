"""Which wells, leach fields and waters runoff passes, on ground that a reader follows by head.

Ground falls northwards or southwards by 5 in 100 unless a test says otherwise. Lots are 300 ft
wide, their lower left corner is given from the middle of the ground, in feet.
"""

from __future__ import annotations

from pathlib import Path

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
from shapely.geometry import LineString, Point
from shapely.geometry.base import BaseGeometry

from stormwater_screen.dem import Dem
from stormwater_screen.drainage import Watch
from stormwater_screen.features import WaterLayer, gather
from stormwater_screen.gradient import find_pairs
from stormwater_screen.receiving import Receiver
from stormwater_screen.setbacks import SETBACK_ROLES
from tests.flow_town import X, Y, far_pond, layer, line, lot, ridge, streams, valley
from tests.terrain import PLANE, Surface, plane, write_dem

SOUTHWARDS = plane(5, 0)


def well(east: float, north: float) -> WaterLayer:
    return layer("WATER_SUPPLIES", Point(X + east, Y + north), SUPPLY_NAME=["Well"])


def drained(
    folder: Path,
    surface: Surface,
    sites: list[BaseGeometry | None],
    *near: WaterLayer,
    water: tuple[WaterLayer, ...] = (),
    reach_ft: float = 100.0,
    holes: Surface | None = None,
    culverts: gpd.GeoDataFrame | None = None,
    size_ft: float = 6_000.0,
) -> pd.DataFrame:
    """Write the ground, follow runoff, and return what it says of each site and feature near it."""
    path = write_dem(
        folder / "ground.tif", surface, crs=PLANE, cell=15.0, size_ft=size_ft, z_unit="foot",
        holes=holes,
    )  # fmt: skip
    water = water or (streams(Far_Brook=line((-2_900, -2_500), (2_900, -2_500))),)
    features = gather([*near, *water])
    geometry = np.array(sites, dtype=object)
    pairs = find_pairs(geometry, features, SETBACK_ROLES, reach_ft)
    watch = Watch(geometry, pairs, features, within_ft=reach_ft, dem_error_ft=0.6)
    bodies = layer("WATER_BODIES", far_pond())
    with Dem.open(str(path)) as dem:
        Receiver(dem, PLANE, [*water, bodies], culverts=culverts).look([watch])
    return watch.result().assign(site=pairs.place, role=features.role[pairs.feature])


def test_runoff_of_a_lot_passes_the_well_below_it(tmp_path: Path) -> None:
    row = drained(tmp_path, SOUTHWARDS, [lot(0, 0)], well(150, -60)).iloc[0]
    assert row["passes"]
    assert not row["onto"]
    # The paths run due south: those that start within 100 ft east and west of the well pass it.
    assert row["share"] == pytest.approx(200 / 300, abs=0.1)
    assert row["nearest_ft"] <= 15
    # From the upper end of the lot to the well: 360 ft at 5 in 100.
    assert row["fall_ft"] == pytest.approx(18, abs=1.5)


def test_runoff_of_a_lot_runs_away_from_the_well_above_it_whose_ground_drains_onto_it(
    tmp_path: Path,
) -> None:
    row = drained(tmp_path, SOUTHWARDS, [lot(0, 0)], well(150, 360)).iloc[0]
    assert not row["passes"]
    assert not row["may"]
    assert row["onto"]


def test_a_well_beyond_a_ridge_is_neither_passed_nor_drains_here(tmp_path: Path) -> None:
    """The lot ends 30 ft short of the ridge, the well lies 60 ft beyond it."""
    row = drained(tmp_path, ridge(10.0), [lot(-330, 0)], well(60, 150)).iloc[0]
    assert not row["passes"]
    assert not row["may"]
    assert not row["onto"]


def test_a_well_beside_the_path_counts_to_the_foot_of_the_setback(tmp_path: Path) -> None:
    """A lot 30 ft wide: its one column of cells runs 15 ft from its western side."""
    column = np.floor(X / 30) * 30 - X
    strip = lot(column, 0, 30, 600)
    for east, passed in ((98, True), (102, False)):
        found = drained(tmp_path, SOUTHWARDS, [strip], well(column + 15 + east, 150))
        assert found["passes"].iloc[0] == passed
        # Two feet beyond it the cells are too coarse to say that it does not.
        assert found["may"].iloc[0] or passed


def test_the_foot_of_the_setback_is_that_of_the_law(tmp_path: Path) -> None:
    column = np.floor(X / 30) * 30 - X
    strip = lot(column, 0, 30, 600)
    near = drained(tmp_path, SOUTHWARDS, [strip], well(column + 15 + 150, 150), reach_ft=200.0)
    assert near["passes"].tolist() == [True]


def test_every_path_is_looked_at_not_only_the_longest(tmp_path: Path) -> None:
    """Nine tenths of the lot drain east, one tenth west, and there is the well."""
    row = drained(tmp_path, ridge(10.0), [lot(-60, 0, 600)], well(-120, 150)).iloc[0]
    assert row["passes"]
    assert row["share"] < 0.1


def test_a_fall_within_the_error_of_the_elevations_does_not_tell(tmp_path: Path) -> None:
    """0.2 in 100 over 360 ft is 0.72 ft; of two elevations each is wrong by 0.6 ft."""
    row = drained(tmp_path, plane(0.2, 0), [lot(0, 0)], well(150, -60)).iloc[0]
    assert not row["passes"]
    assert row["may"]
    row = drained(tmp_path, plane(0.3, 0), [lot(0, 0)], well(150, -60)).iloc[0]
    assert row["passes"]


def test_a_path_lost_before_the_well_does_not_tell(tmp_path: Path) -> None:
    def hole(x: np.ndarray, y: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
        return np.where(np.abs(y - (Y - 30)) < 16, 1.0, 0.0)

    row = drained(tmp_path, SOUTHWARDS, [lot(0, 0)], well(150, -90), holes=hole).iloc[0]
    assert not row["passes"]
    assert row["may"]
    # A well that the lost paths had left behind is not in doubt.
    row = drained(tmp_path, SOUTHWARDS, [lot(0, 0)], well(150, 360), holes=hole).iloc[0]
    assert not row["may"]


def test_a_stream_that_receives_the_runoff_is_passed_and_a_well_behind_it_is_not(
    tmp_path: Path,
) -> None:
    brook = streams(Brook=line((-2_900, -50), (2_900, -50)))
    found = drained(tmp_path, SOUTHWARDS, [lot(0, 0)], well(150, -90), water=(brook,))
    by_role = found.set_index("role")
    assert by_role.at["WATERCOURSES", "reaches"]
    assert by_role.at["WATERCOURSES", "share"] == pytest.approx(1)
    # The paths end in the brook 40 ft from the well: they pass within 100 ft of it.
    assert by_role.at["WATER_SUPPLIES", "passes"]
    assert not by_role.at["WATER_SUPPLIES", "reaches"]
    close = drained(tmp_path, SOUTHWARDS, [lot(0, 0)], well(150, -90), water=(brook,), reach_ft=95)
    assert close.set_index("role").at["WATER_SUPPLIES", "nearest_ft"] < 95


def test_a_stream_above_the_lot_is_not_passed(tmp_path: Path) -> None:
    brook = streams(
        Brook=line((-2_900, 340), (2_900, 340)), Low=line((-2_900, -900), (2_900, -900))
    )
    row = drained(tmp_path, SOUTHWARDS, [lot(0, 0)], water=(brook,)).iloc[0]
    assert not row["passes"]
    assert not row["may"]
    assert not row["onto"]


def test_a_stream_across_the_lot_receives_the_part_above_it(tmp_path: Path) -> None:
    brook = streams(
        Brook=line((-2_900, 150), (2_900, 150)), Low=line((-2_900, -900), (2_900, -900))
    )
    row = drained(tmp_path, SOUTHWARDS, [lot(0, 0)], water=(brook,)).iloc[0]
    assert row["reaches"]
    assert row["share"] == pytest.approx(0.5, abs=0.1)


def test_a_leach_field_drains_onto_the_lot_below_it(tmp_path: Path) -> None:
    field = layer("LEACH_FIELDS", lot(100, 340, 60, 40))
    row = drained(tmp_path, SOUTHWARDS, [lot(0, 0)], field).iloc[0]
    assert row["onto"]
    assert not row["passes"]
    field = layer("LEACH_FIELDS", lot(100, -90, 60, 40))
    row = drained(tmp_path, SOUTHWARDS, [lot(0, 0)], field).iloc[0]
    assert row["passes"]
    assert not row["onto"]


def test_a_well_in_the_middle_of_a_lot_lies_above_one_part_of_it_and_below_the_other(
    tmp_path: Path,
) -> None:
    row = drained(tmp_path, SOUTHWARDS, [lot(0, 0)], well(150, 150)).iloc[0]
    assert row["passes"]
    assert row["onto"]


def test_a_strip_narrower_than_a_cell_above_the_well_does_not_tell(tmp_path: Path) -> None:
    """The well stands 12 ft inside the lot's upper side, then 60 ft outside it."""
    for inside in (12, -60):
        found = drained(tmp_path, SOUTHWARDS, [lot(0, 0)], well(150, 300 - inside)).iloc[0]
        assert not found["passes"]
        assert found["onto"]
        assert found["coarse"] == (inside > 0)


def test_in_a_valley_runoff_bends_to_the_well_that_stands_in_it(tmp_path: Path) -> None:
    """The lot lies 60 ft up the side; the well stands in the bottom, south of the lot's corner."""
    row = drained(tmp_path, valley(10.0, 2.0), [lot(60, 0)], well(0, -80)).iloc[0]
    assert row["passes"]


def test_a_device_within_a_cell_of_the_well_is_too_near_to_tell(tmp_path: Path) -> None:
    device, other = Point(X + 150, Y + 20), Point(X + 150, Y + 250)
    row = drained(tmp_path, SOUTHWARDS, [device], well(150, 15)).iloc[0]
    assert not row["passes"]
    assert row["may"]
    assert drained(tmp_path, SOUTHWARDS, [other], well(150, 180))["passes"].tolist() == [True]


def test_sites_without_a_place_or_anything_near_have_no_rows(tmp_path: Path) -> None:
    assert drained(tmp_path, SOUTHWARDS, [None, lot(0, 0)]).empty
    assert drained(tmp_path, SOUTHWARDS, [], well(0, 0)).empty


def test_a_site_does_not_depend_on_the_others_of_a_run(tmp_path: Path) -> None:
    near = layer(
        "WATER_SUPPLIES", Point(X + 150, Y - 60), Point(X + 800, Y + 420),
        SUPPLY_NAME=["One", "Two"],
    )  # fmt: skip
    alone = drained(tmp_path, SOUTHWARDS, [lot(0, 0)], near)
    both = drained(tmp_path, SOUTHWARDS, [lot(700, 0, 250, 450), lot(0, 0)], near)
    own = both[both["site"] == 1].assign(site=0).reset_index(drop=True)
    pd.testing.assert_frame_equal(own, alone)


def test_a_pipe_under_an_embankment_leads_runoff_to_the_well_behind_it(tmp_path: Path) -> None:
    def surface(x: np.ndarray, y: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
        return SOUTHWARDS(x, y) + np.where(np.abs(y - (Y - 45)) < 30, 12.0, 0.0)

    sites = [lot(0, 0)]
    blocked = drained(tmp_path, surface, sites, well(150, -98)).iloc[0]
    assert blocked["may"]
    pipe = gpd.GeoDataFrame(geometry=[LineString([(X + 150, Y), (X + 150, Y - 100)])], crs=PLANE)
    open_ = drained(tmp_path, surface, sites, well(150, -98), culverts=pipe).iloc[0]
    assert open_["passes"]
    assert open_["share"] > blocked["share"]
