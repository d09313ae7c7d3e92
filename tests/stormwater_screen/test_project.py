"""What people say of their projects, and common plans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stormwater_screen.errors import InputError
from stormwater_screen.facts import Quantity, Word, typed
from stormwater_screen.layers import read_layer
from stormwater_screen.outcomes import REVIEW, UNKNOWN
from stormwater_screen.plans import Mates
from stormwater_screen.project import Project, project_facts

ACRE = 43_560.0
PLAN = {"PLAN_FIELD": "PLAN"}
TOTAL = {"PLAN_FIELD": "PLAN", "PLAN_TOTAL_FIELD": "TOTAL"}


def _disturbed(values: Sequence[float | None]) -> Quantity:
    return typed(np.array(values, dtype=float), "sq ft", source="field DIST", settle="the area")


def _project(
    columns: Mapping[str, Sequence[object]],
    fields: Mapping[str, str],
    disturbed: Sequence[float | None] | None = None,
    **options: object,
) -> Project:
    sites = pd.DataFrame({name: pd.Series(list(v), dtype=object) for name, v in columns.items()})
    areas = [1_000.0] * len(sites) if disturbed is None else disturbed
    return project_facts(sites, _disturbed(areas), fields, layer="Lots", **options)


def _word(project: Project, name: str) -> Word:
    fact = project.facts[name]
    assert isinstance(fact, Word)
    return fact


def _quantity(project: Project, name: str) -> Quantity:
    fact = project.facts[name]
    assert isinstance(fact, Quantity)
    return fact


def _bounds(quantity: Quantity) -> list[tuple[float, float]]:
    return list(zip(quantity.low.tolist(), quantity.high.tolist(), strict=True))


# --- project type -------------------------------------------------------------------------------


def test_the_type_comes_from_the_field() -> None:
    project = _project({"T": ["Single Family", "castle", None]}, {"PROJECT_TYPE_FIELD": "T"})
    word = _word(project, "project_type")
    assert word.value.tolist() == ["single_family", None, None]
    assert word.source[0] == "field T"
    assert word.settle.tolist() == ["", "the project type", "the project type"]
    assert any("no project type on 1 feature, such as 'castle'" in note for note in project.notes)


def test_one_type_for_all_counts_where_no_field_is_given() -> None:
    word = _word(_project({"A": [1, 2]}, {}, project_type="Commercial"), "project_type")
    assert word.value.tolist() == ["commercial", "commercial"]
    assert word.source.tolist() == ["PROJECT_TYPE", "PROJECT_TYPE"]


def test_the_field_wins_over_one_type_for_all_and_it_is_said() -> None:
    project = _project(
        {"T": ["other", None]}, {"PROJECT_TYPE_FIELD": "T"}, project_type="commercial"
    )
    assert _word(project, "project_type").value.tolist() == ["other", None]
    assert "PROJECT_TYPE is not used, since field T is given" in project.notes


def test_a_strange_type_for_all_is_refused_with_the_words_allowed() -> None:
    with pytest.raises(InputError, match=r"PROJECT_TYPE: the word 'castle'.*single_family"):
        _project({"A": [1]}, {}, project_type="castle")


def test_no_type_is_not_known() -> None:
    word = _word(_project({"A": [1]}, {}), "project_type")
    assert word.value.tolist() == [None]
    assert word.reason.tolist() == ["the project type is not given"]


def test_the_property_class_hints_and_never_decides() -> None:
    project = _project({"PROP_CLASS": ["210", None, "xyz"]}, {})
    word = _word(project, "project_type")
    assert word.value.tolist() == [None, None, None]
    assert word.reason[0] == (
        "the project type is not given; PROP_CLASS 210: one-family house now, which only hints at"
        " the project type"
    )
    assert word.reason[1] == word.reason[2] == "the project type is not given"


# --- typed numbers and words --------------------------------------------------------------------


def test_typed_numbers_become_facts() -> None:
    fields = {
        "MAX_OPEN_FIELD": "OPEN",
        "LOTS_FIELD": "LOTS",
        "LOT_MAX_FIELD": "LOT_MAX",
        "ROAD_FIELD": "ROAD",
    }
    columns = {"OPEN": ["20,000"], "LOTS": ["3"], "LOT_MAX": [14_999], "ROAD": [None]}
    project = _project(columns, fields)
    assert _quantity(project, "max_open").value.tolist() == [20_000]
    assert _quantity(project, "lots").value.tolist() == [3]
    assert _quantity(project, "lots").unit == "lots"
    assert _quantity(project, "lot_max").value.tolist() == [14_999]
    road = _quantity(project, "road")
    assert _bounds(road) == [(0.0, np.inf)]
    assert road.reason.tolist() == ["field ROAD is empty"]
    assert road.settle.tolist() == ["the disturbance of the subdivision road"]


@pytest.mark.parametrize("name", ["max_open", "lots", "lot_max", "road"])
def test_a_number_without_a_field_is_not_known(name: str) -> None:
    fact = _quantity(_project({"A": [1]}, {}), name)
    assert _bounds(fact) == [(0.0, np.inf)]
    assert fact.reason[0].endswith("is not given")


@pytest.mark.parametrize(
    ("parameter", "name"),
    [
        ("HIGH_TRAFFIC_FIELD", "high_traffic"),
        ("ATTESTED_FIELD", "attested"),
        ("SWPPP_FIELD", "swppp_approved"),
    ],
)
def test_yes_and_no_become_words(parameter: str, name: str) -> None:
    word = _word(_project({"F": ["Y", 0, None]}, {parameter: "F"}), name)
    assert word.value.tolist() == ["yes", "no", None]
    assert _word(_project({"A": [1]}, {}), name).value.tolist() == [None]


def test_high_traffic_for_all_counts_for_sites_without_a_word_of_their_own() -> None:
    project = _project({"F": ["no", None]}, {"HIGH_TRAFFIC_FIELD": "F"}, high_traffic="yes")
    word = _word(project, "high_traffic")
    assert word.value.tolist() == ["no", "yes"]
    assert word.settle.tolist() == ["", ""]
    with pytest.raises(InputError, match="HIGH_TRAFFIC"):
        _project({"A": [1]}, {}, high_traffic="maybe")


def test_a_field_that_does_not_exist_is_refused() -> None:
    with pytest.raises(InputError, match="Lots: no field LOTZ"):
        _project({"LOTS": [1]}, {"LOTS_FIELD": "LOTZ"})


# --- common plans -------------------------------------------------------------------------------


def test_without_a_plan_field_no_site_is_assumed_to_be_in_a_plan() -> None:
    project = _project({"A": [1, 2]}, {}, [12_000, None])
    word = _word(project, "common_plan")
    assert word.value.tolist() == ["no", "no"]
    assert word.source[0] == "assumed: no plan field given"
    area = _quantity(project, "lda_area")
    assert _bounds(area) == [(12_000, 12_000), (0, np.inf)]
    assert area.settle.tolist() == ["", "the area"]


@pytest.mark.parametrize("entry", ["none", "NONE", " None ", "no"])
def test_the_word_none_is_no_plan(entry: str) -> None:
    project = _project({"PLAN": [entry]}, PLAN, [12_000])
    assert _word(project, "common_plan").value.tolist() == ["no"]
    assert _bounds(_quantity(project, "lda_area")) == [(12_000, 12_000)]


@pytest.mark.parametrize("entry", [None, "", np.nan, "N/A", "unknown", "0"])
def test_an_empty_plan_is_not_known(entry: object) -> None:
    project = _project({"PLAN": [entry]}, PLAN, [12_000])
    assert _word(project, "common_plan").value.tolist() == [None]
    area = _quantity(project, "lda_area")
    assert _bounds(area) == [(12_000, np.inf)]
    assert np.isnan(area.value[0])
    assert area.between[0] == UNKNOWN
    assert area.settle.tolist() == ["whether the site is part of a larger common plan"]


def test_an_empty_plan_may_mean_none() -> None:
    project = _project({"PLAN": [None, "unknown"]}, PLAN, plan_empty="none")
    word = _word(project, "common_plan")
    assert word.value.tolist() == ["no", None]
    assert word.source[0] == "field PLAN, where empty means none"
    with pytest.raises(InputError, match="PLAN_EMPTY"):
        _project({"PLAN": [None]}, PLAN, plan_empty="yes")


def test_a_plan_is_summed_over_its_sites() -> None:
    project = _project({"PLAN": ["Oak", " Oak ", "Elm", "none"]}, PLAN, [20_000, 30_000, 5, 7])
    area = _quantity(project, "lda_area")
    assert _bounds(area) == [(50_000, 50_000), (50_000, 50_000), (5, np.inf), (7, 7)]
    assert _quantity(project, "plan_total").value[:2].tolist() == [50_000, 50_000]
    assert project.details["id"].tolist() == ["plan_summed", "plan_summed"]


def test_one_site_alone_is_no_total_of_its_plan() -> None:
    area = _quantity(_project({"PLAN": ["Oak"]}, PLAN, [12_000]), "lda_area")
    assert _bounds(area) == [(12_000, np.inf)]
    assert area.settle.tolist() == ["the total disturbance of the common plan"]


def test_an_unknown_member_leaves_the_sum_open_upwards() -> None:
    project = _project({"PLAN": ["Oak", "Oak"]}, PLAN, [30_000, None])
    area = _quantity(project, "lda_area")
    assert _bounds(area) == [(30_000, np.inf), (30_000, np.inf)]
    assert "not known" in area.reason[0]


def test_a_typed_total_wins_over_the_sum_and_the_difference_is_reported() -> None:
    columns = {"PLAN": ["Oak", "Oak"], "TOTAL": ["130,680", None]}
    project = _project(columns, TOTAL, [20_000, 30_000])
    assert _bounds(_quantity(project, "lda_area")) == [(130_680, 130_680)] * 2
    assert _bounds(_quantity(project, "plan_total")) == [(130_680, 130_680)] * 2
    assert project.details["id"].tolist() == ["plan_total_differs"] * 2
    assert (
        "given as 130,680 sq ft, its 2 sites of this run disturb 50,000"
        in (project.details["text"][0])
    )


def test_typed_totals_that_disagree_are_reported_and_the_largest_counts() -> None:
    columns = {"PLAN": ["Oak", "Oak"], "TOTAL": [40_000, 50_000]}
    project = _project(columns, TOTAL, [25_000, 25_000])
    assert _bounds(_quantity(project, "lda_area")) == [(50_000, 50_000)] * 2
    assert project.details["id"].tolist() == ["plan_totals_differ"] * 2


def test_a_site_larger_than_the_total_of_its_plan_counts_as_it_is() -> None:
    project = _project({"PLAN": ["Oak"], "TOTAL": [30_000]}, TOTAL, [50_000])
    assert _bounds(_quantity(project, "lda_area")) == [(50_000, 50_000)]
    assert project.details["id"].tolist() == ["plan_total_below_site"]


def test_yes_is_a_plan_without_a_name_and_is_never_summed() -> None:
    columns = {"PLAN": ["yes", "yes", "yes"], "TOTAL": [None, None, 130_680]}
    project = _project(columns, TOTAL, [30_000, 30_000, 12_000])
    assert _word(project, "common_plan").value.tolist() == ["yes"] * 3
    assert _bounds(_quantity(project, "lda_area")) == [
        (30_000, np.inf),
        (30_000, np.inf),
        (130_680, 130_680),
    ]


def test_a_total_of_a_plan_answers_for_a_site_whose_own_area_is_not_known() -> None:
    project = _project({"PLAN": ["Oak"], "TOTAL": [130_680]}, TOTAL, [None])
    assert _bounds(_quantity(project, "lda_area")) == [(130_680, 130_680)]


def test_numbers_as_plan_ids_are_the_same_with_and_without_nulls() -> None:
    project = _project({"PLAN": [12.0, 12, "12"]}, PLAN, [20_000] * 3)
    assert _quantity(project, "lda_area").value.tolist() == [60_000] * 3


def test_ids_that_differ_in_case_only_are_kept_apart_and_noted() -> None:
    project = _project({"PLAN": ["Oak", "OAK"]}, PLAN, [20_000, 20_000])
    assert _quantity(project, "lda_area").high.tolist() == [np.inf, np.inf]
    assert project.notes == (
        "Lots: field PLAN has ids that differ in case or blanks only: 'Oak', 'OAK'",
    )


def test_a_site_in_two_rows_of_a_plan_may_count_once_or_twice() -> None:
    columns = {"PLAN": ["Oak"] * 3, "ID": ["7", "7", "8"]}
    project = _project(columns, {**PLAN, "SITE_ID": "ID"}, [20_000, 20_000, 10_000])
    area = _quantity(project, "lda_area")
    assert _bounds(area) == [(30_000, 50_000)] * 3
    assert area.between.tolist() == [REVIEW] * 3
    assert "may count once or more" in area.reason[0]


def test_sites_without_id_each_count() -> None:
    columns = {"PLAN": ["Oak"] * 2, "ID": [None, None]}
    project = _project(columns, {**PLAN, "SITE_ID": "ID"}, [20_000, 25_000])
    assert _quantity(project, "lda_area").value.tolist() == [45_000, 45_000]


def test_plan_totals_without_plans_are_not_used_and_it_is_said() -> None:
    project = _project({"TOTAL": [130_680]}, {"PLAN_TOTAL_FIELD": "TOTAL"}, [12_000])
    assert _bounds(_quantity(project, "lda_area")) == [(12_000, 12_000)]
    assert project.notes == ("field TOTAL of plan totals is not used without PLAN_FIELD",)


def test_no_sites_give_no_facts() -> None:
    project = _project({"PLAN": [], "TOTAL": []}, TOTAL, [])
    assert len(_quantity(project, "lda_area").value) == 0


areas = st.one_of(st.none(), st.floats(0, 1e6))
plan_ids = st.sampled_from(["Oak", "Elm", "none", "yes", "", "unknown"])


@given(st.lists(st.tuples(plan_ids, areas, areas), min_size=1, max_size=8))
def test_what_the_acre_rules_look_at_is_never_below_the_sites_own_area(
    rows: list[tuple[str, float | None, float | None]],
) -> None:
    names, own, totals = zip(*rows, strict=True)
    project = _project({"PLAN": names, "TOTAL": totals}, TOTAL, own)
    area, disturbed = _quantity(project, "lda_area"), _disturbed(own)
    assert (area.low >= disturbed.low).all()
    assert (area.low <= area.high).all()
    assert (np.isnan(area.value) == (area.low != area.high)).all()
    assert ((area.settle != "") == np.isnan(area.value)).all()


def test_north_collins_parcels_have_hints_and_no_project_types(shared_data: Path) -> None:
    path = shared_data / "north_collins" / "tax_parcels_2018.gpkg"
    sites = read_layer(path, role="SITES", geometry="polygon").frame
    project = project_facts(sites, _disturbed([1.0] * len(sites)), {}, layer="Parcels")
    word = _word(project, "project_type")
    assert word.value.tolist() == [None] * 43
    assert sum("only hints" in reason for reason in word.reason) > 30


# --- parts of a run -----------------------------------------------------------------------------


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["A", "B", "C", "none", None]),
            st.sampled_from(["1", "2", None]),
            st.one_of(st.none(), st.floats(0, 1e6)),
            st.one_of(st.none(), st.sampled_from([10_000.0, 50_000.0])),
        ),
        min_size=1,
        max_size=12,
    ),
    st.integers(0, 4_095),
)
def test_a_part_of_a_run_that_knows_its_mates_sums_plans_as_the_whole_run(
    rows: list[tuple[str | None, str | None, float | None, float | None]], chosen: int
) -> None:
    names = ("PLAN", "PIN", "OWN", "TOTAL")
    columns = {name: [row[at] for row in rows] for at, name in enumerate(names)}
    fields = {**TOTAL, "SITE_ID": "PIN"}
    disturbed = _disturbed(columns["OWN"])
    whole = _project(columns, fields, columns["OWN"])
    table = pd.DataFrame(
        {
            "row": np.arange(len(rows)),
            "plan": pd.Series(columns["PLAN"], dtype=object),
            "own": pd.Series(columns["PIN"], dtype=object),
            "low": disturbed.low,
            "high": disturbed.high,
            "error": disturbed.error,
            "tolerance": disturbed.tolerance,
            "typed": np.array(columns["TOTAL"], dtype=float),
        }
    )
    own = np.array([bool(chosen >> n & 1) for n in range(len(rows))])
    places = np.flatnonzero(own)
    plans = set(table["plan"][own]) - {"none", None}
    mates = Mates(places, table[~own & table["plan"].isin(plans).to_numpy()])
    some = {name: [values[place] for place in places] for name, values in columns.items()}

    part = _project(some, fields, some["OWN"], mates=mates)

    for name in ("plan_total", "lda_area"):
        one, other = _quantity(whole, name), _quantity(part, name)
        for attribute in ("value", "low", "high", "error", "reason", "settle", "source"):
            np.testing.assert_array_equal(
                getattr(one, attribute)[places], getattr(other, attribute)
            )
    told = whole.details[whole.details["row"].isin(places)].reset_index(drop=True)
    moved = part.details.assign(row=places[part.details["row"].to_numpy(int)])
    pd.testing.assert_frame_equal(told, moved, check_dtype=False)
