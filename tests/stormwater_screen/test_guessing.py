"""Fields that nobody named."""

from __future__ import annotations

from typing import Any

import geopandas as gpd
import pytest
from shapely.geometry import box

from stormwater_screen.guessing import GUESSED, guess_fields
from stormwater_screen.layers import Layer, layer_from_frame
from stormwater_screen.tables import known_fields


def layer(role: str, **columns: list[Any]) -> Layer:
    count = len(next(iter(columns.values())))
    shapes = [box(600_000 + at, 4_800_000, 600_001 + at, 4_800_001) for at in range(count)]
    frame = gpd.GeoDataFrame(columns, geometry=shapes, crs="EPSG:26918")
    return layer_from_frame(frame, role=role, name=role.lower(), geometry="polygon")


def guess(layers: list[Layer], given: dict[str, str] | None = None, **more: Any) -> Any:
    by_role = {one.role: [one] for one in layers}
    return guess_fields(by_role, given or {}, set(GUESSED), **more)


@pytest.mark.parametrize(
    ("role", "field", "parameter"),
    [
        ("SITES", "SBL", "SITE_ID"),
        ("SITES", "print_key", "SITE_ID"),
        ("SITES", "MAP_LOT", "SITE_ID"),
        ("SOILS", "hydgrpdcd", "SOIL_GROUP_FIELD"),
        ("SOILS", "ksat_r", "SOIL_KSAT_FIELD"),
        ("IMPAIRED", "Impaired", "IMPAIRED_STATUS_FIELD"),
        ("IMPAIRED", "ircategory", "IMPAIRED_STATUS_FIELD"),
        ("TMDL", "Pollutant", "TMDL_POLLUTANT_FIELD"),
    ],
)
def test_a_well_known_field_is_found_whatever_its_case_and_said(
    role: str, field: str, parameter: str
) -> None:
    found = guess([layer(role, **{field: ["a", "b"]})])
    assert found.fields[parameter] == field
    assert any(parameter in note and field in note for note in found.notes)


@pytest.mark.parametrize(
    ("field", "values"), [("Impaired", ("Y",)), ("IRCATEGORY", ("5",)), ("on303dlist", ("Y",))]
)
def test_a_known_status_comes_with_the_values_that_count_as_listed(
    field: str, values: tuple[str, ...]
) -> None:
    assert guess([layer("IMPAIRED", **{field: ["Y"]})]).status_values == values
    named = guess([layer("IMPAIRED", **{field: ["Y"]})], {"IMPAIRED_STATUS_FIELD": field})
    assert named.status_values == values
    own = guess([layer("IMPAIRED", **{field: ["Y"]})], status_values=("maybe",))
    assert own.status_values == ()


def test_what_the_user_named_is_left_alone() -> None:
    given = {"SOIL_GROUP_FIELD": "own"}
    assert "SOIL_GROUP_FIELD" not in guess([layer("SOILS", hsg=["A"], own=["B"])], given).fields


def test_ids_that_repeat_themselves_are_not_used_and_that_is_said() -> None:
    found = guess([layer("SITES", SBL=["1", "1"])])
    assert found.fields == {}
    assert "repeats itself" in found.notes[0]
    assert guess([layer("SITES", SBL=["1", None, None])]).fields == {"SITE_ID": "SBL"}


def test_nothing_that_an_applicant_states_is_ever_guessed() -> None:
    stated = {
        role: fields
        for role, fields in known_fields().by_role.items()
        if role in ("DISTURBED_FIELD", "IMPERVIOUS_FIELD", "PLAN_FIELD", "PROJECT_TYPE_FIELD")
    }
    names = [name for fields in stated.values() for name in fields]
    assert names
    assert guess([layer("SITES", **{name: [1] for name in names})]).fields == {}
    assert not set(stated) & set(GUESSED)
