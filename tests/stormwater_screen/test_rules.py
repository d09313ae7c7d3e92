"""Rules on sites: below, at and above each limit, what is not known, and what people will ask."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from stormwater_screen.errors import ScreeningError
from stormwater_screen.facts import Facts, Quantity
from stormwater_screen.ordinance import Number, load_ordinance, packaged
from stormwater_screen.outcomes import REVIEW, UNKNOWN
from stormwater_screen.rules import Judgement, judge
from tests.site_facts import Value, fact, measured, site_facts
from tests.town_file import TOWN

TODAY = date(2024, 6, 1)
LAWS = {law: load_ordinance(law, TODAY) for law in packaged()}
NUMBERS = [
    (law, rule.id)
    for law, ordinance in LAWS.items()
    for rule in ordinance.rules.values()
    if rule.text is not None and isinstance(rule.text.test, Number) and not rule.outcome
]


def judged(law: str, **values: Value | list[Value]) -> pd.DataFrame:
    return judge(site_facts(**values), LAWS[law]).columns


def one(law: str, **values: Value) -> pd.Series:
    return judged(law, **values).iloc[0]


def outcomes(judgement: Judgement, rule: str) -> list[str]:
    findings = judgement.findings
    return list(findings.outcome[findings.rule == rule])


# Every number of every law.


def alone(law: str, rule_id: str, facts: Facts) -> list[str]:
    """Return the outcomes of a rule reported for every site."""
    rule = replace(LAWS[law].rules[rule_id], report=True, applies_to=(), applies_if="", factor="")
    ordinance = replace(LAWS[law], rules={**LAWS[law].rules, rule_id: rule})
    return outcomes(judge(facts, ordinance), rule_id)


@pytest.mark.parametrize(("law", "rule_id"), NUMBERS)
def test_each_number_holds_below_at_and_above_its_limit(law: str, rule_id: str) -> None:
    text = LAWS[law].rules[rule_id].text
    assert text is not None
    number = text.test
    assert isinstance(number, Number)
    values: list[Value] = [number.limit - 0.01, number.limit, number.limit + 0.01, None]
    facts = Facts(4, {number.fact: fact(number.fact, values)})
    expected = {
        "<": ["yes", "no", "no"],
        "<=": ["yes", "yes", "no"],
        "==": ["no", "yes", "no"],
        ">=": ["no", "yes", "yes"],
        ">": ["no", "no", "yes"],
    }[number.comparison]
    missing = "no" if number.missing == "no" else "unknown"
    assert alone(law, rule_id, facts) == [*expected, missing]


# Bounds, tolerance and error of a number.


def slope_outcome(**how: object) -> str:
    facts = site_facts(disturbed=9000, new_impervious=2000, project_type="commercial")
    facts.by_name["slope"] = measured("slope", **how)  # type: ignore[arg-type]
    return outcomes(judge(facts, LAWS["lake_george"]), "LG-MJ1b")[0]


def test_bounds_on_one_side_of_the_limit_decide_without_the_number() -> None:
    assert slope_outcome(value=np.nan, low=16, high=np.inf) == "yes"
    assert slope_outcome(value=np.nan, low=0, high=14.9) == "no"


def test_a_limit_between_the_bounds_gives_what_the_measure_says() -> None:
    assert slope_outcome(value=np.nan, low=10, high=20) == "unknown"
    assert slope_outcome(value=np.nan, low=10, high=20, between=REVIEW) == "review"


def test_a_number_within_the_tolerance_counts_as_equal_to_the_limit() -> None:
    assert slope_outcome(value=14.995, tolerance=0.01) == "yes"
    assert slope_outcome(value=14.985, tolerance=0.01) == "no"


def test_typed_and_measured_numbers_may_have_tolerances_of_their_own() -> None:
    facts = site_facts(disturbed=[43_559.9, 43_559.9])
    area = facts.by_name["disturbed"]
    assert isinstance(area, Quantity)
    facts.by_name["disturbed"] = replace(area, tolerance=np.array([0.0, 0.5]))
    assert list(judge(facts, LAWS["wayne_county"]).columns["class"]) == ["exempt", "review"]


def distance(value: float, *, hides: bool = True, error: float = 40) -> pd.Series:
    facts = site_facts(disturbed=9000)
    facts.by_name["water"] = measured("water", value, error=error, hides=hides)
    findings = judge(facts, LAWS["lake_george"]).findings
    return findings[findings.rule == "LG-01"].iloc[0]


@pytest.mark.parametrize(
    ("feet", "outcome", "near"),
    [(5, "yes", ""), (30, "yes", "yes"), (50, "yes", "yes"), (51, "review", "yes"),
     (90, "review", "yes"), (90.5, "no", "")],
)  # fmt: skip
def test_the_error_of_mapped_water_can_hide_a_yes_but_never_a_no(
    feet: float, outcome: str, near: str
) -> None:
    finding = distance(feet)
    assert (finding.outcome, finding.near) == (outcome, near)


def test_an_error_that_hides_nothing_only_flags_near() -> None:
    assert tuple(distance(60, hides=False)[["outcome", "near"]]) == ("no", "yes")
    assert tuple(distance(50, error=0)[["outcome", "near"]]) == ("yes", "")


def test_near_names_the_rules_of_the_site() -> None:
    facts = site_facts(disturbed=4990, new_impervious=0)
    facts.by_name["disturbed"] = measured("disturbed", 4990, error=70)
    assert judge(facts, LAWS["lake_george"]).columns["near"][0] == "LG-EX2-area"


# What an unknown may hide.


def test_an_unknown_survives_only_if_it_could_change_the_answer() -> None:
    site = one("lake_george", disturbed=20_000, new_impervious=None, common_plan="no")
    assert site["class"] == "major"
    site = one("lake_george", disturbed=4000, new_impervious=None, common_plan="no")
    assert (site["class"], site["is_major"]) == ("unknown", "no")
    assert site["settle"] == "the new impervious area"


def test_the_fact_that_settles_alone_is_named_alone() -> None:
    site = one(
        "lake_george",
        disturbed=30_000,
        project_type="subdivision_single_family",
        lots=3,
        lot_max=9000,
        road=None,
    )
    assert site["class"] == "unknown"
    assert site["settle"] == "the disturbance of the subdivision road"


def test_facts_that_only_settle_together_are_named_together() -> None:
    site = one(
        "lake_george",
        disturbed=30_000,
        project_type="subdivision_single_family",
        lots=3,
        lot_max=None,
        road=None,
    )
    expected = "the largest disturbance of a lot; the disturbance of the subdivision road"
    assert site["settle"] == expected


def test_a_project_type_that_is_not_known_claims_no_exemption() -> None:
    for law, word in (
        ("lake_george", "major"),
        ("wilton", "swppp"),
        ("shelter_island", "swppp"),
        ("wayne_county", "plan_required"),
    ):
        assert one(law, disturbed=100_000, project_type=None)["class"] == word


def test_lots_without_a_project_type_leave_a_small_subdivision_open() -> None:
    given = {"disturbed": 30_000, "project_type": None, "lot_max": 9000, "road": 0}
    assert one("lake_george", **given, lots=3)["class"] == "unknown"
    assert one("lake_george", **given, lots=5)["class"] == "major"
    assert one("lake_george", **given, lots=None)["class"] == "major"


def test_a_site_of_which_nothing_is_known_is_unknown_everywhere() -> None:
    for law in packaged():
        columns = judge(Facts(1), LAWS[law]).columns.iloc[0]
        assert columns["class"] == "unknown"
        assert "no" not in set(columns[["lda", "cond_b", "cond_c"]])


def test_review_and_unknown_together_are_unknown() -> None:
    site = one("lake_george", disturbed=None, project_type="agricultural_activity")
    assert site["class"] == "unknown"


# Readings that people will ask about.


def test_a_small_lot_of_a_large_plan_is_exempt_on_its_face_and_for_review() -> None:
    given = {"disturbed": 3000, "new_impervious": 500, "project_type": "commercial"}
    assert one("lake_george", **given, lda_area=3000)["class"] == "exempt"
    site = one("lake_george", **given, lda_area=130_680)
    assert (site["class"], site["cond_c"]) == ("review", "review")
    assert one("lake_george", **given, lda_area=None)["class"] == "unknown"


def test_a_minor_project_that_is_a_land_development_activity_is_major_and_says_why() -> None:
    site = one("lake_george", disturbed=12_000, new_impervious=0, lda_area=130_680)
    assert site["class"] == "major"
    assert site["reasons"].startswith("major: LG-MJ3 disturbs in all 130,680 sq ft")


def test_work_on_a_control_measure_is_minor_whatever_its_size_with_a_finding() -> None:
    for area in (2000, 20_000):
        facts = site_facts(disturbed=area, new_impervious=0, project_type="control_measure")
        judgement = judge(facts, LAWS["lake_george"])
        assert judgement.columns["class"][0] == "minor"
        assert outcomes(judgement, "LG-MN3R") == ["review"]
    facts = site_facts(disturbed=9000, new_impervious=0, project_type="control_measure")
    assert outcomes(judge(facts, LAWS["lake_george"]), "LG-MN3R") == ["no"]


def test_a_farm_is_exempt_once_its_plan_is_shown_and_never_by_size_alone() -> None:
    given = {"disturbed": 300_000, "project_type": "agricultural_activity"}
    site = one("lake_george", **given)
    assert (site["class"], site["cond_b"]) == ("review", "review")
    site = one("lake_george", **given, attested="yes")
    assert (site["class"], site["cond_b"]) == ("exempt", "no")


def test_papers_that_show_an_exemption_count_under_every_law() -> None:
    words = {law: one(law, disturbed=100_000, attested="yes")["class"] for law in packaged()}
    assert words == {
        "lake_george": "exempt",
        "wilton": "eligible_for_exemption",
        "shelter_island": "exempt",
        "wayne_county": "exempt",
    }


def test_routine_maintenance_of_five_acres_is_no_longer_exempt() -> None:
    for area, wilton, shelter in (
        (217_799, "eligible_for_exemption", "exempt"),
        (217_800, "swppp", "swppp"),
    ):
        given = {"disturbed": area, "project_type": "routine_maintenance"}
        assert one("wilton", **given)["class"] == wilton
        assert one("shelter_island", **given)["class"] == shelter


def test_single_family_and_farms_are_out_of_condition_c_only() -> None:
    for kind in ("single_family", "agricultural_building"):
        given = {"project_type": kind, "listed_construction": "yes"}
        site = one("lake_george", **given, disturbed=100_000)
        assert (site["cond_a"], site["cond_b"], site["cond_c"]) == ("yes", "no", "no")
        assert one("lake_george", **given, disturbed=217_800)["cond_b"] == "yes"


def test_shelter_island_leaves_a_common_plan_under_one_acre_to_review() -> None:
    site = one("shelter_island", disturbed=10_000, lda_area=30_000, common_plan="yes")
    assert (site["class"], site["lda"]) == ("review", "review")
    assert one("wilton", disturbed=10_000, lda_area=30_000)["class"] == "not_applicable"


def test_wayne_county_reports_the_state_permit_beside_its_own_law() -> None:
    judgement = judge(site_facts(disturbed=12_000, lda_area=130_680), LAWS["wayne_county"])
    assert judgement.columns["class"][0] == "exempt"
    assert outcomes(judgement, "WA-STATE") == ["yes"]
    assert set(judgement.columns.iloc[0][["lda", "cond_a", "cond_b", "cond_c"]]) == {
        "not_applicable"
    }


def test_factors_act_on_minor_projects_only() -> None:
    given = {"slope": 25, "wetland": 0, "perc": 90, "transport": "yes", "project_type": "other"}
    minor = one("lake_george", disturbed=9000, new_impervious=0, **given)
    assert minor["may_major"] == "slope;percolation;soils;wetland"
    for area in (4000, 20_000):
        site = one("lake_george", disturbed=area, new_impervious=0, **given)
        assert site["may_major"] == ""


def test_a_factor_makes_a_project_major_only_where_the_municipality_always_says_so() -> None:
    facts = site_facts(disturbed=[9000, 9000, 4000], new_impervious=0, slope=[15, 14.9, 25])
    report = judge(facts, LAWS["lake_george"]).columns
    upgrade = judge(facts, LAWS["lake_george"], discretionary="upgrade").columns
    assert list(report["class"]) == ["minor", "minor", "exempt"]
    assert list(upgrade["class"]) == ["major", "minor", "exempt"]
    assert upgrade["may_major"][0] == "slope"
    assert "always counts" in upgrade["reasons"][0]


def test_contiguous_is_as_far_as_the_run_says() -> None:
    facts = site_facts(disturbed=9000, new_impervious=0, wetland=[0, 80, 100, 101])
    law = LAWS["lake_george"]
    assert list(judge(facts, law).columns["may_major"]) == ["wetland"] * 3 + [""]
    nearer = judge(facts, law, parameters={"contiguous_ft": 50.0})
    assert list(nearer.columns["may_major"]) == ["wetland", "", "", ""]
    assert set(nearer.findings.threshold[nearer.findings.rule == "LG-MJ2b"]) == {50.0}


def test_soil_survey_only_hints_at_percolation_where_there_is_no_test() -> None:
    facts = site_facts(
        disturbed=9000, new_impervious=0, perc=[None, None, 60, 61], perc_soil=["review", None] * 2
    )
    found = outcomes(judge(facts, LAWS["lake_george"]), "LG-MJ1c")
    assert found == ["review", "unknown", "no", "yes"]


def test_fifteen_percent_trips_the_factor_and_not_the_design_rule() -> None:
    facts = site_facts(disturbed=9000, new_impervious=0, slope=15, device_slope=15, perc=10)
    judgement = judge(facts, LAWS["lake_george"])
    assert outcomes(judgement, "LG-MJ1b") == ["yes"]
    facts.by_name["device_slope"] = fact("device_slope", [15.01])
    assert outcomes(judge(facts, LAWS["lake_george"]), "LG-A7") == ["yes"]


def test_depths_of_the_soil_survey_are_for_review_and_missing_ones_unknown() -> None:
    facts = site_facts(
        disturbed=9000, new_impervious=0, water_table=[30, 200, None], bedrock=[200, 200, None]
    )
    found = outcomes(judge(facts, LAWS["lake_george"]), "LG-A5")
    assert found == ["review", "review", "unknown"]


def test_a_site_far_from_water_needs_no_place_for_its_device() -> None:
    facts = site_facts(disturbed=9000, new_impervious=0, setback_down=[35, 34.9, 34.9])
    facts.by_name["device_down"] = fact("device_down", [None, None, 20])
    assert outcomes(judge(facts, LAWS["lake_george"]), "LG-A8a") == ["no", "unknown", "yes"]


def test_high_traffic_counts_only_where_it_is_said() -> None:
    facts = site_facts(
        disturbed=9000, new_impervious=0, setback_down=90, device_down=90,
        high_traffic=["yes", "no", None],
    )  # fmt: skip
    judgement = judge(facts, LAWS["lake_george"])
    assert outcomes(judgement, "LG-A8b") == ["yes", "no", "unknown"]
    assert outcomes(judgement, "LG-A8a") == ["no"] * 3


def test_minor_and_major_projects_have_standards_of_their_own() -> None:
    facts = site_facts(disturbed=[9000, 20_000], new_impervious=0)
    findings = judge(facts, LAWS["lake_george"]).findings
    of_row = {row: set(own.rule) for row, own in findings.groupby("row")}
    assert "LG-A1" in of_row[1]
    assert "LG-A1" not in of_row[2]
    assert "LG-B1" in of_row[2]
    assert "LG-B1" not in of_row[1]
    assert set(findings.outcome[findings.rule == "LG-B4f"]) == {"review"}


def test_a_duty_of_an_open_class_is_open_and_says_what_would_settle_it() -> None:
    facts = site_facts(disturbed=30_000, project_type="subdivision_single_family", lots=3, road=0)
    facts.by_name["lot_max"] = fact("lot_max", [None])
    findings = judge(facts, LAWS["lake_george"]).findings
    duty = findings[findings.rule == "LG-B1"].iloc[0]
    assert (duty.outcome, duty.settle) == ("unknown", "the class of the site")


def test_one_acre_at_a_time_without_an_approved_plan() -> None:
    facts = site_facts(
        disturbed=100_000,
        new_impervious=0,
        max_open=[43_560, 43_561, 43_561, 43_561, None],
        swppp_approved=["no", "no", "yes", None, "no"],
    )
    found = outcomes(judge(facts, LAWS["lake_george"]), "LG-R3")
    assert found == ["no", "yes", "no", "unknown", "review"]
    assert outcomes(judge(facts, LAWS["lake_george"]), "LG-R4") == ["no"] * 5


def test_wilton_asks_for_the_approval_of_the_state_above_five_acres() -> None:
    facts = site_facts(
        disturbed=300_000, max_open=[217_800, 217_801, 217_801], swppp_approved=["no", "no", "yes"]
    )
    assert outcomes(judge(facts, LAWS["wilton"]), "WI-05") == ["no", "yes", "review"]


def test_two_acres_and_the_inspections_of_wayne_county() -> None:
    facts = site_facts(disturbed=[43_560, 87_120, 87_121])
    judgement = judge(facts, LAWS["wayne_county"])
    assert outcomes(judgement, "WA-04") == ["no", "no", "yes"]


# Columns and findings.


def test_reasons_name_the_rule_its_number_and_its_section() -> None:
    site = one("lake_george", disturbed=20_000, new_impervious=0)
    assert (
        site["reasons"]
        == "major: LG-MJ0 affects 20,000 sq ft (limit 15,000, § 220-58A(1) [I]; § 220-58B [I])"
    )


def test_reasons_fit_a_shapefile_and_are_cut_at_a_whole_item() -> None:
    everything: dict[str, Value] = {"slope": 30, "perc": 90, "transport": "yes", "wetland": 0}
    everything |= {"habitat": 0, "critical_area": 0, "stream_corridor": 0}
    site = one("lake_george", disturbed=9000, new_impervious=0, **everything)
    assert len(site["reasons"]) <= 254
    assert site["reasons"].endswith("; …")


def test_findings_carry_value_limit_section_force_and_source() -> None:
    judgement = judge(site_facts(disturbed=20_000, new_impervious=0), LAWS["lake_george"])
    finding = judgement.findings.set_index("rule").loc["LG-EX2-area"]
    assert dict(finding[["row", "outcome", "value", "unit", "comparison", "threshold"]]) == {
        "row": 1, "outcome": "no", "value": 20_000, "unit": "sq ft", "comparison": "<",
        "threshold": 5000,
    }  # fmt: skip
    assert (finding.force, finding.section) == ("shall", "§ 220-57 [I]")
    assert finding.source == "field disturbed"


def test_rows_stay_in_order_and_no_site_is_no_error() -> None:
    judgement = judge(site_facts(disturbed=[1.0, 50_000, None, 7000]), LAWS["wilton"])
    assert len(judgement.columns) == 4
    assert judgement.findings["row"].is_monotonic_increasing
    empty = judge(Facts(0), LAWS["lake_george"])
    assert len(empty.columns) == len(empty.findings) == 0


def test_a_fact_of_the_wrong_kind_word_or_unit_is_refused() -> None:
    for facts, reason in (
        (Facts(1, {"disturbed": fact("project_type", [None])}), "is a word"),
        (Facts(1, {"project_type": replace(fact("project_type", ["barn"]))}), "'barn'"),  # type: ignore[arg-type]
        (Facts(1, {"disturbed": fact("slope", [3])}), "is in %"),
    ):
        with pytest.raises(ScreeningError, match=reason):
            judge(facts, LAWS["lake_george"])


def test_an_unknown_parameter_or_choice_is_refused() -> None:
    with pytest.raises(ScreeningError, match="near_ft"):
        judge(Facts(1), LAWS["wilton"], parameters={"near_ft": 1.0})
    with pytest.raises(ScreeningError, match="DISCRETIONARY"):
        judge(Facts(1), LAWS["wilton"], discretionary="always")  # type: ignore[arg-type]


# A town's own file.


def test_a_towns_own_file_in_acres_and_metres_without_conditions(tmp_path: Path) -> None:
    path = tmp_path / "springfield.toml"
    path.write_text(TOWN, encoding="utf-8")
    facts = site_facts(disturbed=[21_779, 21_780, None], water=[98.4, 98.5, 10])
    judgement = judge(facts, load_ordinance(path, TODAY))
    assert list(judgement.columns["class"]) == ["none_needed", "permit", "unknown"]
    assert list(judgement.columns["lda"]) == ["no", "yes", "unknown"]
    assert set(judgement.columns["cond_a"]) == {"not_applicable"}
    assert outcomes(judgement, "SP-2") == ["yes", "no", "yes"]
    assert outcomes(judgement, "SP-3") == ["no", "no", "unknown"]
    earlier = judge(facts, load_ordinance(path, date(2015, 1, 1)))
    assert list(earlier.columns["class"]) == ["none_needed", "none_needed", "unknown"]


def test_rule_not_in_force_is_never_met_and_never_reported(tmp_path: Path) -> None:
    start = TOWN.index("[rule.SP-2]")
    later = TOWN[:start] + TOWN[start:].replace("2010-01-01", "2030-01-01", 1)
    path = tmp_path / "springfield.toml"
    path.write_text(later, encoding="utf-8")
    judgement = judge(site_facts(disturbed=50_000, water=0), load_ordinance(path, TODAY))
    assert outcomes(judgement, "SP-2") == []
    assert outcomes(judgement, "SP-3") == ["no"]


def test_between_unknown_and_no_lies_nothing_a_missing_layer_can_reach() -> None:
    facts = site_facts(disturbed=9000)
    facts.by_name["water"] = measured("water", np.nan, low=0, high=np.inf, between=UNKNOWN)
    assert outcomes(judge(facts, LAWS["lake_george"]), "LG-01") == ["unknown"]
    facts.by_name["water"] = measured("water", np.nan, low=0, high=20, between=UNKNOWN)
    assert outcomes(judge(facts, LAWS["lake_george"]), "LG-01") == ["yes"]


def test_a_no_within_the_error_says_why_it_is_for_review() -> None:
    assert distance(51).text.endswith(": nearer to the limit than the error of the data")
    assert "error" not in distance(30).text


def test_a_finding_gives_only_the_reasons_that_matter() -> None:
    facts = site_facts(disturbed=[20_000, 4000], new_impervious=None)
    impervious = facts.by_name["new_impervious"]
    facts.by_name["new_impervious"] = replace(
        impervious, reason=np.array(["not given"] * 2, object)
    )  # type: ignore[type-var]
    findings = judge(facts, LAWS["lake_george"]).findings
    told = list(findings.text[findings.rule == "LG-EX2"])
    assert not told[0].endswith("not given")
    assert told[1].endswith(": not given")


def test_what_depends_on_an_open_condition_is_settled_by_what_settles_that() -> None:
    findings = judge(site_facts(disturbed=50_000), LAWS["shelter_island"]).findings
    settle = findings.set_index("rule")["settle"]
    assert settle["SI-04"] == settle["SI-A"] != ""


def test_areas_are_told_in_whole_feet_unless_that_would_put_them_at_the_limit() -> None:
    reasons = judged("wayne_county", disturbed=[99_924.23, 43_560.4])["reasons"]
    assert "disturbs 99,924 sq ft" in reasons[0]
    assert "disturbs 43,560.4 sq ft" in reasons[1]


def test_near_one_acre_is_not_told_of_five() -> None:
    facts = site_facts(disturbed=43_600, project_type="commercial")
    facts.by_name["lda_area"] = measured("lda_area", 43_600, error=800)
    assert judge(facts, LAWS["wilton"]).columns["near"][0] == "WI-01, WI-C"
