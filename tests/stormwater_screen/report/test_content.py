"""Reports of the sample town: what they say, and that its class follows from what they say."""

from __future__ import annotations

import itertools
import json
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

import geopandas as gpd
import pandas as pd
import pytest

from stormwater_screen.errors import InputError
from stormwater_screen.layers import layer_from_frame, read_layer
from stormwater_screen.model import DemSource, Options, ScreeningInputs
from stormwater_screen.ordinance import load_ordinance
from stormwater_screen.record import run_record
from stormwater_screen.report.content import ReportInputs, Reports, SiteReport
from stormwater_screen.report.overrides import Override
from stormwater_screen.report.pages import Page, Pages, file_stem, program_answer, work_queue
from stormwater_screen.screening import screen

SAMPLE = Path(__file__).resolve().parents[3] / "resources" / "sample"
SCRIPT = '<script>alert("x")</script>'
FORMULA = '=HYPERLINK("http://x","y")'
LAYERS = {
    "DISTURBANCE": ("limits_of_disturbance", "polygon"),
    "BUILDING_CENTRES": ("building_centres", "point"),
    "WATER_BODIES": ("water_bodies", "polygon"),
    "WATERCOURSES": ("watercourses", "line_or_polygon"),
    "WATER_SUPPLIES": ("wells", "point_or_polygon"),
    "LEACH_FIELDS": ("leach_fields", "point_or_polygon"),
}
FIELDS = {
    "SITE_ID": "lot",
    "DISTURBED_FIELD": "dist_sqft",
    "IMPERVIOUS_FIELD": "newimp_sqft",
    "PROJECT_TYPE_FIELD": "project_type",
}


@lru_cache
def outputs(first_id: str = "L01") -> ReportInputs:
    """Return the outputs of a screening of the sample town; the first lot has an id of choice."""
    sites = gpd.read_file(SAMPLE / "sample.gpkg", layer="lots")
    sites.loc[0, "lot"] = first_id
    layers = {
        role: (read_layer(SAMPLE / "sample.gpkg", role=role, geometry=kind, layer=name),)
        for role, (name, kind) in LAYERS.items()
    }
    inputs = ScreeningInputs(
        layer_from_frame(sites, role="SITES", name="lots", geometry="polygon"),
        layers,
        FIELDS,
        DemSource(str(SAMPLE / "dem.tif")),
    )
    law, options = load_ordinance("lake_george", date(2025, 6, 1)), Options(run_id="run-0001")
    done = screen(inputs, law, options)
    record = run_record(done, inputs, law, options, law="lake_george", parameters={})
    own = sites.drop(columns=["geometry"]).reset_index(drop=True)
    screened = gpd.GeoDataFrame(
        pd.concat([own, done.columns], axis=1), geometry=done.geometries.to_numpy(), crs=sites.crs
    )
    return ReportInputs(screened, done.findings, done.zones, json.loads(json.dumps(record)))


@lru_cache
def reports(first_id: str = "L01") -> Reports:
    return Reports(outputs(first_id))


def report_of(site: str) -> SiteReport:
    return reports().of(list(reports().sites["site_id"]).index(site))


def test_the_class_of_a_lot_follows_from_its_report_and_the_text_of_the_law_alone() -> None:
    report = report_of("L05")
    square_feet = {fact.name: fact.value.split(" sq ft")[0] for fact in report.facts}
    disturbed = float(square_feet["Disturbed area"].replace(",", ""))
    impervious = float(square_feet["New impervious area"].replace(",", ""))
    exempt = disturbed < 5_000 and impervious <= 1_000  # section 220-57
    minor = max(disturbed, impervious) < 15_000  # section 220-58A(1)
    assert report.word == ("exempt" if exempt else "minor" if minor else "major") == "minor"
    assert [step.outcome for step in report.steps][-1] == "yes"
    assert report.steps[-1].rule == "LG-MN1"
    assert report.steps[-1].section.startswith("§ 220-58A(1)")


def test_a_lot_one_square_foot_below_the_limit_is_told_what_is_left() -> None:
    (limit,) = (one for one in report_of("L05").limits if one.rule == "LG-MN1")
    assert limit.room == "1 sq ft left before major"


def test_every_step_of_the_chain_before_the_last_is_not_met() -> None:
    for report in reports():
        if report.word in ("exempt", "minor", "major"):
            assert report.steps[-1].outcome in ("yes", ""), report.name
            assert report.steps[-1].word == report.word, report.name
            assert "yes" not in [step.outcome for step in report.steps[:-1]], report.name


def test_both_elevations_of_a_slope_agree_with_its_percent() -> None:
    (run,) = (one for one in report_of("L05").runs if one.kind == "Building centre")
    begin, end = (float(text.removesuffix(" ft")) for text in (run.begin_ft, run.end_ft))
    assert abs(begin - end) == pytest.approx(float(run.percent.removesuffix(" %")), abs=0.11)


def test_the_worksheet_names_the_setback_that_the_leach_field_asks() -> None:
    (one,) = report_of("L05").gradients
    assert (one.role, one.distance) == ("leach field", "touches the site")
    assert one.side.startswith("downgradient by elevation and path; runoff of ")
    assert one.setbacks == "20 ft"


def test_what_was_not_given_is_named() -> None:
    told = dict(reports().not_given)
    assert "Wetlands" in told
    assert "Streams" not in told


def test_an_open_point_names_the_fact_that_settles_it() -> None:
    for report in reports():
        if report.word == "unknown":
            assert report.open, report.name
            assert any(one.decides for one in report.open), report.name


def test_unchanged_tables_are_those_of_the_receipt_and_an_edited_class_is_found() -> None:
    assert not any(report.altered for report in reports())
    sites = outputs().sites.copy()
    sites.loc[4, "class"] = "exempt"
    edited = Reports(ReportInputs(sites, outputs().findings, None, outputs().record))
    assert [place for place, one in enumerate(edited) if one.altered] == [4]


def test_tables_of_another_run_are_refused() -> None:
    record = {**outputs().record, "run_id": "run-0002"}
    with pytest.raises(InputError, match="the same run"):
        Reports(ReportInputs(outputs().sites, outputs().findings, None, record))


def test_the_law_is_that_of_the_record_not_that_of_today() -> None:
    record = json.loads(json.dumps(outputs().record))
    record["ordinance"]["text"] = record["ordinance"]["text"].replace(
        'title = "Village of Lake George', 'title = "Earlier text of Lake George'
    )
    again = Reports(ReportInputs(outputs().sites, outputs().findings, None, record))
    assert again.ordinance.title.startswith("Earlier text")


def test_the_board_s_decision_stands_beside_the_answer_of_the_program() -> None:
    decision = Override(5, "class", "major", "Steep & wet.", "Planning Board", "2025-07-01")
    given = outputs()
    with_board = Reports(
        ReportInputs(given.sites, given.findings, given.zones, given.record, {5: [decision]})
    )
    report = with_board.of(4)
    assert (report.word, report.shown_word) == ("minor", "major")
    assert program_answer(report, "class") == "minor"
    for page in (Pages(with_board).html(report, None), Pages(with_board).pdf_html(report, None)):
        assert "Minor project" in page
        assert "<b>major</b>" in page
        assert "Steep &amp; wet." in page
        assert "Planning Board, 2025-07-01" in page


def all_pages(made: Reports) -> list[Page]:
    return [Page(one, f"{file_stem(one, len(made))}.html", "") for one in made]


def test_the_queue_begins_with_unknown_then_near_then_review() -> None:
    queue = [page.report for page in work_queue(all_pages(reports()))]
    words = [
        "unknown" if one.word == "unknown" else "near" if one.near else
        "review" if one.word == "review" else "rest" for one in queue
    ]  # fmt: skip
    order = ["unknown", "near", "review", "rest"]
    assert words == sorted(words, key=order.index)
    assert words[0] == "unknown"


@pytest.mark.parametrize("text", [SCRIPT, FORMULA, '"><img src=x onerror=y>', "{{ 7*7 }}"])
def test_an_id_that_is_markup_stays_text_on_every_page(text: str) -> None:
    made = reports(text)
    pages, report = Pages(made), made.of(0)
    for page in (pages.html(report, None), pages.pdf_html(report, None),
                 pages.index(all_pages(made))):  # fmt: skip
        assert "<script" not in page
        assert "<img src=x" not in page
        assert ">49<" not in page
    assert "/" not in file_stem(report, 56)
    assert file_stem(report, 56).replace("_", "").replace("-", "").isalnum()


def test_a_formula_in_an_id_stays_text_in_the_table() -> None:
    made = reports(FORMULA)
    text = Pages(made).csv(all_pages(made))
    assert '"\'=HYPERLINK(""http://x"",""y"")"' in text
    assert '"=HYPERLINK' not in text


def test_pages_have_headings_in_order_and_a_name_for_every_image_and_column() -> None:
    page = Pages(reports()).html(report_of("L05"), None)
    levels = [int(part[0]) for part in page.split("<h")[1:] if part[0].isdigit()]
    assert levels[0] == 1
    assert all(b - a <= 1 for a, b in itertools.pairwise(levels))
    assert page.count("<th ") == page.count("<th scope=")
    assert 'lang="en"' in page


def test_reports_of_a_site_without_geometry_are_made_too() -> None:
    report = report_of("L53")
    page: Any = Pages(reports()).html(report, None)
    assert "nothing to draw" in page
    assert report.word == "unknown"
