"""The same sites under two laws."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import geopandas as gpd
import pytest
from shapely.geometry import box

from stormwater_screen.comparing import Comparison, compare
from stormwater_screen.layers import layer_from_frame
from stormwater_screen.model import ScreeningInputs
from stormwater_screen.ordinance import Ordinance, load_ordinance
from tests.terrain import LAKE_GEORGE, PLANE
from tests.town_file import TOWN

X, Y = LAKE_GEORGE


def lots(*acres: float) -> ScreeningInputs:
    shapes = [
        box(X + 500 * at, Y, X + 500 * at + 100, Y + 435.6 * size) for at, size in enumerate(acres)
    ]
    frame = gpd.GeoDataFrame(geometry=shapes, crs=PLANE)
    return ScreeningInputs(layer_from_frame(frame, role="SITES", name="lots", geometry="polygon"))


@pytest.fixture
def town(tmp_path: Path) -> Path:
    path = tmp_path / "town.toml"
    path.write_text(TOWN, "utf-8")
    return path


def under(town: Path, inputs: ScreeningInputs) -> Comparison:
    older = load_ordinance(town, date(2019, 6, 1))
    return compare(inputs, older, load_ordinance(town, date(2021, 6, 1)))


def test_a_lower_limit_changes_the_class_of_sites_between_the_two_and_names_the_rule(
    town: Path,
) -> None:
    found = under(town, lots(0.4, 0.5, 0.9, 1.0))
    assert list(found.columns["changed"]) == ["no", "yes", "yes", "no"]
    assert list(found.columns["change"])[1] == "none_needed > permit"
    assert found.counts == {
        "SITE_COUNT": 4,
        "CHANGED_COUNT": 2,
        "NEWLY_REGULATED_COUNT": 2,
        "NO_LONGER_COUNT": 0,
    }
    assert "SP-1" in found.columns["by_2"][1]
    assert list(found.changes["row"]) == [2, 2, 3, 3]
    assert list(found.changes["threshold"]) == pytest.approx([43_560, 21_780, 43_560, 21_780])


def test_the_same_law_on_two_days_without_a_change_changes_nothing() -> None:
    laws: list[Ordinance] = [
        load_ordinance("lake_george", date(year, 6, 1)) for year in (2024, 2025)
    ]
    found = compare(lots(0.1, 0.9, 1.1), *laws)
    assert found.counts["CHANGED_COUNT"] == 0
    assert found.changes.empty


def test_a_comparison_gives_the_classes_of_two_screenings() -> None:
    from stormwater_screen.screening import screen

    inputs = lots(0.1, 0.9, 1.1, 6.0)
    laws = [load_ordinance(name, date(2025, 6, 1)) for name in ("wilton", "lake_george")]
    found = compare(inputs, *laws)
    for side, law in enumerate(laws, 1):
        assert list(found.columns[f"class_{side}"]) == list(screen(inputs, law).columns["class"])
