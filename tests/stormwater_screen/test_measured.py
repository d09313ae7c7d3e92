from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from stormwater_screen import measured
from stormwater_screen.facts import Fact, Flag, Quantity, missing_word, texts, typed
from stormwater_screen.measured import Measured, block_rows
from stormwater_screen.outcomes import UNKNOWN, YES
from stormwater_screen.part import Part
from stormwater_screen.shapes import SITES_AT_ONCE

COUNT = SITES_AT_ONCE + 3


def part_of(places: np.ndarray, *, with_flag: bool = True) -> Part:
    """Return a part whose site at place n disturbs n sq ft."""
    count = len(places)
    facts: dict[str, Fact] = {
        "disturbed": typed(places.astype(float), "sq ft", source="field area", settle="")
    }
    if with_flag:
        outcome = np.where(places % 2 == 0, YES, UNKNOWN).astype(np.int8)
        facts["habitat"] = Flag(outcome, texts(count), texts(count), texts(count))
        facts["project_type"] = missing_word(count, reason="not given", settle="the type")
    return Part(facts, pd.DataFrame({"lot": [f"lot {place}" for place in places]}))


def filled(*groups: np.ndarray) -> Measured:
    kept = Measured(COUNT)
    for places in groups:
        kept.add(places, part_of(places))
    return kept


def test_sites_added_in_any_order_come_block_by_block_in_their_order() -> None:
    places = np.arange(COUNT)
    odd, even = places[places % 2 == 1], places[places % 2 == 0]

    first, last = filled(odd, even).blocks()

    assert (first.facts.count, last.facts.count) == (SITES_AT_ONCE, 3)
    disturbed = [some.facts.by_name["disturbed"] for some in (first, last)]
    assert all(isinstance(fact, Quantity) for fact in disturbed)
    values = np.concatenate([fact.value for fact in disturbed if isinstance(fact, Quantity)])
    assert values.tolist() == list(range(COUNT))
    assert last.columns["lot"].tolist() == [f"lot {place}" for place in places[-3:]]
    assert first.infiltration_sqft is None


def test_facts_come_back_as_they_were_with_their_units_kinds_and_gaps() -> None:
    (some, _) = filled(np.arange(COUNT)).blocks()

    disturbed = some.facts.by_name["disturbed"]
    assert isinstance(disturbed, Quantity)
    assert (disturbed.unit, disturbed.tolerance, disturbed.hides) == ("sq ft", 0.0, False)
    assert set(disturbed.source) == {"field area"}
    habitat = some.facts.by_name["habitat"]
    assert isinstance(habitat, Flag)
    assert habitat.outcome.dtype == np.int8
    assert habitat.outcome[:2].tolist() == [YES, UNKNOWN]
    word = some.facts.by_name["project_type"]
    assert set(word.reason) == {"not given"}
    assert word.value[0] is None  # type: ignore[union-attr]


def test_one_fact_of_all_sites_is_read_alone() -> None:
    facts = filled(np.arange(5), np.arange(5, COUNT)).facts(["disturbed"])

    assert list(facts.by_name) == ["disturbed"]
    assert facts.count == COUNT


def test_facts_and_columns_of_measures_that_come_apart_stand_side_by_side() -> None:
    kept, places = Measured(4), np.arange(4)
    kept.add(places, part_of(places, with_flag=False))
    for own in (places[:3], places[3:]):
        water = typed(np.full(len(own), 50.0), "ft", source="lakes")
        areas = pd.DataFrame({"text": 100.0 * own})
        kept.add(own, Part({"water": water}, pd.DataFrame(index=own), infiltration_sqft=areas))

    (some,) = kept.blocks()

    assert list(some.facts.by_name) == ["disturbed", "water"]
    assert list(some.columns) == ["lot"]
    assert some.infiltration_sqft is not None
    assert some.infiltration_sqft["text"].tolist() == [0.0, 100.0, 200.0, 300.0]


def test_a_site_that_was_not_measured_is_an_error() -> None:
    kept = Measured(3)
    kept.add(np.arange(2), part_of(np.arange(2)))
    with pytest.raises(ValueError, match=r"\[2\] sites measured of 3"):
        list(kept.blocks())


def test_no_sites_are_one_block_without_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, nowhere = Measured(0), np.empty(0, np.intp)
    kept.add(nowhere, part_of(nowhere))
    (some,) = kept.blocks()
    assert some.facts.count == 0
    assert list(some.facts.by_name) == ["disturbed", "habitat", "project_type"]
    assert list(some.columns) == ["lot"]
    monkeypatch.setattr(measured, "SITES_AT_ONCE", 2)
    assert block_rows(0) == [slice(0, 0)]
    assert block_rows(5) == [slice(0, 2), slice(2, 4), slice(4, 5)]
