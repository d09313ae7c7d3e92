"""The side decided by elevation and by the paths of runoff together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest
from shapely import box

from stormwater_screen.features import Geometries
from stormwater_screen.gradient import Pairs
from stormwater_screen.outcomes import WORDS
from stormwater_screen.path_sides import decide_sides
from stormwater_screen.progress import Progress
from stormwater_screen.setbacks import SetbackResult, measure_setbacks
from stormwater_screen.water import WaterResult, within
from stormwater_screen.zones import SetbackText, infiltration_zones
from tests.water_town import Slope, frame, measured

BY_ELEVATION = {
    "downgradient": {"below": True, "above": False, "unseen": False},
    "upgradient": {"below": False, "above": True, "unseen": False},
    "level": {"below": False, "above": False, "unseen": False},
    "unknown": {"below": False, "above": False, "unseen": True},
}
NOTHING = {
    "passes": False, "reaches": False, "may": False, "onto": False, "share": 0.0,
    "nearest_ft": np.nan, "fall_ft": np.nan, "coarse": False,
}  # fmt: skip
PASSES = {**NOTHING, "passes": True, "share": 0.4, "nearest_ft": 20.0, "fall_ft": 9.0}
ENDS = {**PASSES, "reaches": True}
MAY, ONTO = {**NOTHING, "may": True}, {**NOTHING, "onto": True}


def decided(side: str, paths: dict[str, object] | None) -> pd.Series:
    table = pd.DataFrame([{"side": side, **BY_ELEVATION[side]}]).astype({"side": object})
    found = None if paths is None else pd.DataFrame([paths])
    return decide_sides(table, found, 100.0).iloc[0]


@pytest.mark.parametrize(
    ("side", "paths", "answer", "by"),
    [
        ("downgradient", None, "downgradient", "elevation"),
        ("upgradient", None, "upgradient", "elevation"),
        ("level", None, "level", ""),
        ("unknown", None, "unknown", ""),
        ("downgradient", PASSES, "downgradient", "elevation and path"),
        ("upgradient", PASSES, "downgradient", "path"),
        ("level", PASSES, "downgradient", "path"),
        ("unknown", ENDS, "downgradient", "path"),
        ("downgradient", NOTHING, "downgradient", "elevation"),
        ("downgradient", ONTO, "downgradient", "elevation"),
        ("downgradient", MAY, "downgradient", "elevation"),
        ("upgradient", NOTHING, "upgradient", "elevation"),
        ("upgradient", ONTO, "upgradient", "elevation and path"),
        ("upgradient", MAY, "unknown", ""),
        ("level", ONTO, "upgradient", "path"),
        ("level", NOTHING, "level", ""),
        ("level", MAY, "level", ""),
        ("unknown", NOTHING, "unknown", ""),
        ("unknown", ONTO, "unknown", ""),
        ("unknown", MAY, "unknown", ""),
    ],
)
def test_the_stricter_of_elevation_and_path_counts(
    side: str, paths: dict[str, object] | None, answer: str, by: str
) -> None:
    found = decided(side, paths)
    assert (found["side"], found["by"]) == (answer, by)
    # What either of them saw is never taken back.
    seen = {} if paths is None else paths
    assert found["below"] == (BY_ELEVATION[side]["below"] or bool(seen.get("passes")))
    assert found["above"] == (BY_ELEVATION[side]["above"] or bool(seen.get("onto")))


def test_where_elevation_and_path_disagree_both_are_said() -> None:
    said = decided("upgradient", PASSES)["path"]
    assert "runoff of 40% of the site passes 20 ft from it" in said
    assert "by elevation it is upgradient, and the stricter counts" in said
    said = decided("downgradient", NOTHING)["path"]
    assert "no runoff of the site passes within 100 ft of it" in said
    assert "by elevation it is downgradient, and the stricter counts" in said
    # Nearer than a cell the paths have no say against elevation.
    assert "do not tell" in decided("downgradient", {**NOTHING, "coarse": True})["path"]
    assert "no runoff" in decided("upgradient", {**NOTHING, "coarse": True})["path"]
    assert "elevation" not in decided("downgradient", PASSES)["path"]
    assert "elevation" not in decided("level", ENDS)["path"]
    assert "do not tell" in decided("level", MAY)["path"]
    assert "its own runoff goes over the site" in decided("level", ONTO)["path"]
    assert "ends in it" in decided("level", ENDS)["path"]
    assert decided("level", None)["path"] == ""


SITE = box(0, 0, 200, 100)
UP, DOWN, FLAT = Slope(-10), Slope(10), Slope(0)
"""Ground on which what lies west of the site is upgradient, downgradient, level."""
WEST = box(-30, 40, -25, 60)
"""25 ft west of the site."""


def water_near(role: str) -> WaterResult:
    return measured(frame(SITE), error=0.0, **{role: [WEST]})


def setbacks(role: str, ground: Slope, paths: dict[str, object] | None) -> SetbackResult:
    def follow(
        places: Sequence[tuple[Geometries, Pairs]], progress: Progress
    ) -> list[pd.DataFrame]:
        ((_, pairs),) = places
        assert pairs.distance_ft.tolist() == [25]
        return [pd.DataFrame([paths])]

    return measure_setbacks(
        frame(SITE), water_near(role), devices=None, ground=ground, reach_ft=100.0,
        dem_error_ft=0.6, follow=None if paths is None else follow,
    )  # fmt: skip


def outcome(result: SetbackResult, name: str, limit: float) -> str:
    return WORDS[within(result.facts[name], limit)[0]]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("ground", "paths", "answer"),
    [
        (FLAT, None, "review"), (FLAT, PASSES, "yes"), (FLAT, NOTHING, "review"),
        (FLAT, MAY, "review"), (FLAT, ONTO, "review"), (UP, PASSES, "yes"),
        (UP, NOTHING, "review"), (UP, MAY, "review"), (DOWN, NOTHING, "yes"),
    ],
)  # fmt: skip
def test_a_well_that_runoff_passes_is_downgradient_and_no_path_makes_a_no(
    ground: Slope, paths: dict[str, object] | None, answer: str
) -> None:
    assert outcome(setbacks("water_supplies", ground, paths), "setback_down", 35) == answer


def test_a_well_whose_ground_drains_onto_the_site_is_upgradient() -> None:
    assert outcome(setbacks("water_supplies", FLAT, NOTHING), "setback_up_supply", 50) == "review"
    assert outcome(setbacks("water_supplies", FLAT, ONTO), "setback_up_supply", 50) == "yes"


def test_the_worksheet_says_by_what_a_side_was_decided() -> None:
    row = setbacks("water_supplies", UP, PASSES).details.iloc[0]
    assert "downgradient by path" in row["text"]
    assert "by elevation it is upgradient" in row["text"]
    assert '"by":"path"' in row["figures"]
    row = setbacks("water_supplies", DOWN, None).details.iloc[0]
    assert "downgradient by elevation" in row["text"]


def test_where_no_path_tells_that_is_what_is_said() -> None:
    fact = setbacks("water_supplies", UP, MAY).facts["setback_down"]
    assert "no path of runoff tells on which side" in fact.reason[0]


TEXT = SetbackText(down_ft=100.0, up_supply_ft=50.0)


@pytest.mark.parametrize(
    ("ground", "paths", "kept_ft"),
    [
        (UP, None, 50), (UP, NOTHING, 50), (UP, PASSES, 100), (UP, MAY, 100),
        (FLAT, NOTHING, 100), (FLAT, ONTO, 50), (DOWN, NOTHING, 100),
    ],
)  # fmt: skip
def test_zones_keep_the_distance_of_the_side_that_is_decided(
    ground: Slope, paths: dict[str, object] | None, kept_ft: float
) -> None:
    result = setbacks("water_supplies", ground, paths)
    zones = infiltration_zones(
        frame(SITE), water_near("water_supplies"), result.sides, {"text": TEXT}
    )
    left = SITE.difference(WEST.buffer(kept_ft, quad_segs=64)).area
    assert zones.area_sqft["text"].iloc[0] == pytest.approx(left, rel=1e-3)
    why = zones.zones.set_index("zone").at["not_text", "why"]
    assert ("by path" in why) == (paths in (PASSES, ONTO))


def test_a_device_is_judged_by_its_own_path() -> None:
    devices = frame(box(5, 45, 10, 50), box(150, 45, 155, 50))
    for own, answer in ((PASSES, "yes"), (NOTHING, "review")):

        def follow(
            places: Sequence[tuple[Geometries, Pairs]],
            progress: Progress,
            own: dict[str, object] = own,
        ) -> list[pd.DataFrame]:
            # The second device lies too far away.
            assert [len(pairs.place) for _, pairs in places] == [1, 1]
            return [pd.DataFrame([NOTHING]), pd.DataFrame([own])]

        found = measure_setbacks(
            frame(SITE), water_near("water_supplies"), devices=devices, ground=FLAT,
            reach_ft=100.0, dem_error_ft=0.6, follow=follow,
        )  # fmt: skip
        assert outcome(found, "device_down", 35) == answer
        assert outcome(found, "setback_down", 35) == "review"
