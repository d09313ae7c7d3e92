"""Open facts: an answer holds in every completion, and what is open differs in some."""

from __future__ import annotations

from datetime import date
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stormwater_screen.fact_names import PROJECT_TYPES
from stormwater_screen.facts import Facts, Quantity
from stormwater_screen.ordinance import load_ordinance, packaged
from stormwater_screen.rules import judge
from tests.site_facts import Value, fact, site_facts

TODAY = date(2024, 6, 1)
LAWS = {law: load_ordinance(law, TODAY) for law in packaged()}
ANSWERS = ["lda", "cond_a", "cond_b", "cond_c", "class", "is_major"]

AREAS = [0.0, 900.0, 4999.0, 5000.0, 14_999.0, 15_000.0, 43_559.0, 43_560.0, 43_561.0, 217_800.0]
VALUES: dict[str, list[Value]] = {
    "disturbed": [900.0, 4999.0, 5000.0, 15_000.0, 43_560.0, 43_561.0, 217_800.0],
    "new_impervious": [0.0, 1000.0, 1001.0, 15_000.0],
    "plan_total": [0.0, 43_559.0, 43_560.0, 217_800.0],
    "project_type": list(PROJECT_TYPES),
    "lots": [1.0, 2.0, 4.0, 5.0],
    "lot_max": [14_999.0, 15_000.0],
    "road": [0.0, 15_000.0],
    "listed_construction": ["yes", "no"],
}
NOT_CLAIMED = {"project_type"}
"""Not known, these claim nothing for the class: it need not agree with every completion."""


def facts_of(sites: list[dict[str, Value]]) -> Facts:
    """Return facts; the plan's total is what it adds to the site's own disturbance."""
    facts = site_facts(**{name: [site[name] for site in sites] for name in VALUES})
    own = facts.by_name["disturbed"]
    total = fact("lda_area", [site["plan_total"] for site in sites])
    assert isinstance(own, Quantity)
    assert isinstance(total, Quantity)
    low, high = np.maximum(own.low, total.low), np.maximum(own.high, total.high)
    value = np.where(low == high, low, np.nan)
    area = fact("lda_area", list(value))
    assert isinstance(area, Quantity)
    area.low[:], area.high[:] = low, high
    facts.by_name["lda_area"] = area
    facts.by_name["listed_any"] = facts.by_name["listed_construction"]
    return facts


def completions(site: dict[str, Value]) -> list[dict[str, Value]]:
    """Return every way in which what is open can turn out."""
    open_names = [name for name in VALUES if site[name] is None]
    ways = [
        {**site, **dict(zip(open_names, values, strict=True))}
        for values in product(*(VALUES[name] for name in open_names))
    ]
    return [way for way in ways if possible(site, way)]


def possible(site: dict[str, Value], way: dict[str, Value]) -> bool:
    """Return whether a new impervious area that is not known is at most the disturbance."""
    if site["new_impervious"] is not None:
        return True
    assert isinstance(way["new_impervious"], float)
    assert isinstance(way["disturbed"], float)
    return way["new_impervious"] <= way["disturbed"]


@st.composite
def partly_known(draw: st.DrawFn) -> dict[str, Value]:
    site = {name: draw(st.sampled_from(values)) for name, values in VALUES.items()}
    for name in draw(st.lists(st.sampled_from(list(VALUES)), max_size=3, unique=True)):
        site[name] = None
    if site["project_type"] is None:
        site["lots"] = None
    return site


@pytest.mark.parametrize("law", packaged())
@settings(max_examples=6, deadline=None)
@given(sites=st.lists(partly_known(), min_size=15, max_size=25))
def test_an_answer_agrees_with_every_completion(law: str, sites: list[dict[str, Value]]) -> None:
    ways = [(place, way) for place, site in enumerate(sites) for way in completions(site)]
    answers = judge(facts_of(sites), LAWS[law]).columns
    completed = judge(facts_of([way for _, way in ways]), LAWS[law]).columns
    owner = pd.Series([place for place, _ in ways])
    for name in ANSWERS:
        found = completed[name].groupby(owner).agg(set)
        for place, words in found.items():
            answer = answers[name][place]
            claimed_nothing = any(sites[place][open_name] is None for open_name in NOT_CLAIMED)
            if answer != "unknown":
                if not claimed_nothing:
                    assert words == {answer}, (name, sites[place])
            elif "unknown" not in words and not claimed_nothing:
                assert len(words) > 1, (name, sites[place])


@pytest.mark.parametrize(
    ("law", "order"),
    [
        ("lake_george", ["exempt", "review", "minor", "major"]),
        ("wilton", ["not_applicable", "eligible_for_exemption", "swppp"]),
        ("shelter_island", ["not_applicable", "exempt", "review", "swppp"]),
        ("wayne_county", ["exempt", "review", "plan_required"]),
    ],
)
@settings(max_examples=15, deadline=None)
@given(
    areas=st.lists(st.floats(0, 400_000) | st.sampled_from(AREAS), min_size=2, max_size=60),
    impervious=st.sampled_from([0.0, 1000.0, 1001.0, 20_000.0]),
    plan=st.sampled_from([0.0, 43_560.0, 217_800.0]),
    kind=st.sampled_from([*PROJECT_TYPES, None]),
)
def test_a_larger_disturbance_never_makes_the_class_smaller(
    law: str,
    order: list[str],
    areas: list[float],
    impervious: float,
    plan: float,
    kind: str | None,
) -> None:
    areas.sort()
    facts = site_facts(
        disturbed=list(areas),
        new_impervious=impervious,
        lda_area=[max(area, plan) for area in areas],
        project_type=kind,
        lots=3,
        lot_max=9000,
        road=0,
    )
    if kind is None:
        facts.by_name["lots"] = fact("lots", [None] * len(areas))
    ranks = [order.index(word) for word in judge(facts, LAWS[law]).columns["class"]]
    assert ranks == sorted(ranks)


def test_a_word_is_one_word_at_a_time() -> None:
    site = dict.fromkeys(VALUES) | {"disturbed": 50_000.0, "new_impervious": 0.0}
    site |= {"plan_total": 50_000.0}
    assert judge(facts_of([site]), LAWS["wilton"]).columns["cond_c"][0] == "unknown"
    assert judge(facts_of([site]), LAWS["wilton"]).columns["cond_b"][0] == "no"


def test_an_area_is_not_above_one_limit_and_below_a_lower_one() -> None:
    site = dict.fromkeys(VALUES) | {"disturbed": None, "project_type": "commercial"}
    columns = judge(facts_of([site]), LAWS["wayne_county"]).columns
    assert columns["settle"][0] == "the disturbed area"


def test_many_sites_share_few_patterns_and_take_little_time() -> None:
    count = 20_000
    numbers = np.random.default_rng(1).integers(0, 60_000, count).astype(float)
    facts = site_facts(disturbed=list(numbers), new_impervious=0, project_type="commercial")
    columns = judge(facts, LAWS["lake_george"]).columns
    expected = np.select([numbers < 5000, numbers < 15_000], ["exempt", "minor"], "major")
    assert list(columns["class"]) == list(expected)
