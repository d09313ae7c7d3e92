"""Facts travel through columns of text and come back as they were."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stormwater_screen.evidence import (
    EVIDENCE,
    INFILTRATION,
    MAKERS,
    evidence_columns,
    infiltration_column,
    read_evidence,
    read_infiltration,
)
from stormwater_screen.fact_names import FACT_NAMES
from stormwater_screen.facts import Fact, Flag, Quantity, missing_flag, missing_quantity, typed
from stormwater_screen.outcomes import NO, REVIEW, UNKNOWN, YES
from stormwater_screen.tolerances import DISTANCE_FT, SLOPE_POINTS

NAMES = [name for names in EVIDENCE.values() for name in names]


def missing(count: int) -> dict[str, Fact]:
    facts: dict[str, Fact] = {}
    for name in NAMES:
        spec = FACT_NAMES[name]
        if spec.kind == "flag":
            facts[name] = missing_flag(count, reason="", settle="")
        else:
            facts[name] = missing_quantity(count, spec.unit, reason="", settle="")
    return facts


def there_and_back(facts: dict[str, Fact]) -> dict[str, Fact]:
    found, notes = read_evidence(evidence_columns(facts))
    assert notes == []
    return found


def quantity(name: str, **arrays: list[float]) -> Quantity:
    count = len(next(iter(arrays.values())))
    unit = FACT_NAMES[name].unit
    blank = missing_quantity(count, unit, reason="", settle="")
    tolerance = {"ft": DISTANCE_FT, "%": SLOPE_POINTS}.get(unit, 0.0)
    given_arrays = {key: np.array(values, np.float64) for key, values in arrays.items()}
    return replace(blank, hides=unit in ("ft", "%"), tolerance=tolerance, **given_arrays)


def test_every_fact_that_a_measure_makes_has_a_column_and_every_column_a_maker() -> None:
    from_fields = {
        "project_type", "common_plan", "high_traffic", "attested", "swppp_approved", "plan_total",
        "lda_area", "max_open", "lot_max", "road", "lots",
    }  # fmt: skip
    assert set(NAMES) == set(FACT_NAMES) - from_fields
    assert len(NAMES) == len(set(NAMES))
    assert set(MAKERS) == set(EVIDENCE)
    assert all(len(column) <= 10 for column in (*EVIDENCE, INFILTRATION))


def test_bounds_errors_and_what_lies_between_come_back() -> None:
    slope = quantity(
        "slope",
        value=[15.0, np.nan, np.nan],
        low=[15.0, 3.25, 4.0],
        high=[15.0, 17.5, np.inf],
        error=[0.85, 0.85, 0.0],
    )
    slope = replace(slope, between=np.array([UNKNOWN, REVIEW, UNKNOWN]))
    found = there_and_back({**missing(3), "slope": slope})["slope"]
    assert isinstance(found, Quantity)
    for key in ("value", "low", "high", "error", "between"):
        np.testing.assert_array_equal(getattr(found, key), getattr(slope, key), key)
    assert (found.hides, found.tolerance, found.unit) == (True, SLOPE_POINTS, "%")


def test_a_worst_value_that_is_only_a_lower_bound_stays_one() -> None:
    perc = quantity("perc", value=[30.0], low=[30.0], high=[np.inf])
    found = there_and_back({**missing(1), "perc": perc})["perc"]
    assert isinstance(found, Quantity)
    assert (found.value[0], found.low[0], found.high[0]) == (30.0, 30.0, np.inf)


@given(st.floats(0.001, 1e7), st.floats(0, 1))
def test_a_typed_area_comes_back_to_the_last_digit_and_a_measured_one_within_its_tolerance(
    area: float, share: float
) -> None:
    plain = typed(np.array([area]), "sq ft", source="field")
    measured = replace(plain, tolerance=np.array([area * 1e-5]), error=np.array([share * area]))
    back = there_and_back({**missing(1), "disturbed": plain, "affected": measured})
    exact, near = back["disturbed"], back["affected"]
    assert isinstance(exact, Quantity)
    assert isinstance(near, Quantity)
    assert exact.value[0] == area
    assert exact.tolerance == np.array([0.0])
    assert near.value[0] == pytest.approx(area, rel=1e-9)
    assert near.tolerance[0] == pytest.approx(area * 1e-5, rel=1e-3)


@given(st.lists(st.floats(0, 20_000), min_size=1, max_size=4), st.booleans())
def test_distances_come_back_far_within_their_tolerance(ends: list[float], bounded: bool) -> None:
    low, high = min(ends), max(ends) if bounded else np.inf
    water = quantity("water", low=[low], high=[high], error=[40.0])
    back = there_and_back({**missing(1), "water": water})["water"]
    assert isinstance(back, Quantity)
    assert abs(back.low[0] - low) < DISTANCE_FT / 1000
    assert back.high[0] == high or abs(back.high[0] - high) < DISTANCE_FT / 1000


@pytest.mark.parametrize("outcome", [NO, REVIEW, UNKNOWN, YES])
def test_flags_come_back(outcome: np.int8) -> None:
    flag = replace(missing_flag(1, reason="", settle=""), outcome=np.array([outcome]))
    found = there_and_back({**missing(1), "listed_any": flag})["listed_any"]
    assert isinstance(found, Flag)
    assert found.outcome[0] == outcome


def test_no_column_is_longer_than_a_shapefile_holds() -> None:
    count = 1
    facts: dict[str, Fact] = {}
    for name in NAMES:
        spec = FACT_NAMES[name]
        if spec.kind == "flag":
            facts[name] = missing_flag(count, reason="", settle="")
            continue
        long = quantity(name, low=[12345.678901234], high=[98765.432109876], error=[39.87654321012])
        facts[name] = replace(long, tolerance=np.array([0.123456789]))
    longest = evidence_columns(facts).map(len).max().to_dict()
    assert {column: length for column, length in longest.items() if length > 254} == {}


@pytest.mark.parametrize("column", EVIDENCE)
def test_a_column_that_is_gone_or_cut_leaves_its_facts_unknown_and_names_the_step(
    column: str,
) -> None:
    table = evidence_columns(missing(2))
    cut = table.assign(**{column: table[column].str[:5]})
    for broken in (table.drop(columns=column), cut, cut.assign(**{column: None})):
        facts, notes = read_evidence(broken)
        assert any(MAKERS[column] in note for note in notes)
        for name in EVIDENCE[column]:
            fact = facts[name]
            if isinstance(fact, Quantity):
                assert list(fact.low) == [0, 0]
                assert np.isinf(fact.high).all()
                assert (fact.between == UNKNOWN).all()
            else:
                assert isinstance(fact, Flag)
                assert (fact.outcome == UNKNOWN).all()
            assert list(fact.settle) == [f"a run of {MAKERS[column]}"] * 2


def test_a_number_that_no_longer_agrees_with_its_evidence_is_not_known() -> None:
    slope = quantity("slope", value=[5.0, 5.0], low=[5.0, 5.0], high=[5.0, 5.0])
    table = evidence_columns({**missing(2), "slope": slope}).assign(slope_pct=[5.0, 16.0])
    facts, notes = read_evidence(table)
    assert list(np.isnan(facts["slope"].value)) == [False, True]
    assert "slope_pct was changed on 1 site" in notes[0]


def test_areas_for_infiltration_come_back_without_loss() -> None:
    areas = pd.DataFrame({"minor": [1 / 3, np.nan], "major": [0.1 + 0.2, 0.0]})
    back = read_infiltration(pd.Series(infiltration_column(areas)))
    pd.testing.assert_frame_equal(back, areas, check_exact=True)
