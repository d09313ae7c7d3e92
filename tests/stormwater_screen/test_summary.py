"""The summary page says what a run found, escapes what the data says, and stays small."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime
from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
from shapely import LineString, Point, box

from stormwater_screen.coded import CodedPieces
from stormwater_screen.columns import SCREENED_COLUMNS
from stormwater_screen.layers import Layer, layer_from_frame
from stormwater_screen.model import DemSource, Options, Screening, ScreeningInputs
from stormwater_screen.ordinance import load_ordinance, packaged
from stormwater_screen.shapes import Shapes
from stormwater_screen.summary import MOST_ROWS, summary_html

CRS = 26918
MADE = datetime(2025, 6, 1, 12, 0, tzinfo=UTC)
VOID = {"meta", "br", "link", "img"}


def law(**changes: Any) -> Any:
    classes = {
        "labels": {"exempt": "exempt", "minor": "minor project", "major": "major project"},
        "regulated": ("minor", "major"),
        "minor": "minor",
        "major": "major",
    }
    given = {
        "title": "Village of Somewhere",
        "as_of": date(2025, 6, 1),
        "file": "somewhere.toml",
        "notes": (),
        "rules": {},
        "classes": SimpleNamespace(**{**classes, **changes.pop("classes", {})}),
    }
    return SimpleNamespace(**{**given, **changes})


def layer(role: str, name: str, shapes: list[Any], **columns: Any) -> Layer:
    frame = gpd.GeoDataFrame(columns, geometry=shapes, crs=CRS)
    return layer_from_frame(frame, role=role, name=name, geometry="any", source=f"{name}.gpkg")


def lots(count: int) -> list[Any]:
    side = int(np.ceil(np.sqrt(count)))
    return [
        box(600_000 + 30 * (i % side), 4_809_000 + 30 * (i // side),
            600_025 + 30 * (i % side), 4_809_025 + 30 * (i // side))
        for i in range(count)
    ]  # fmt: skip


def screened(count: int, **changes: Any) -> pd.DataFrame:
    empty = {"text": "", "number": np.nan, "integer": 0}
    columns = pd.DataFrame({c.name: [empty[c.kind]] * count for c in SCREENED_COLUMNS})
    columns["row"] = np.arange(1, count + 1)
    columns["site_id"] = [f"S{i}" for i in range(1, count + 1)]
    columns["class"] = "minor"
    for name in ("lda", "cond_a", "cond_b", "cond_c"):
        columns[name] = "no"
    columns["disturb_sf"] = 9_000.0
    columns["disturb_by"] = "field dist"
    columns["run_id"] = "run-1"
    return columns.assign(**changes)


def run(columns: pd.DataFrame, shapes: list[Any] | None = None, notes: list[str] | None = None):
    shapes = lots(len(columns)) if shapes is None else shapes
    sites = layer("SITES", "lots", shapes) if shapes else None
    series = gpd.GeoSeries(shapes, crs=CRS)
    screening = Screening(
        columns=columns,
        geometries=series,
        finding_rows=CodedPieces(),
        zone_rows=Shapes(CRS),
        counts={"SITE_COUNT": len(columns)},
        notes=notes or [],
    )
    empty = Layer("SITES", "lots", gpd.GeoDataFrame(geometry=series), None, 0, "lots.gpkg")
    return screening, ScreeningInputs(sites or empty)


def page(
    screening: Screening,
    inputs: ScreeningInputs,
    ordinance: Any = None,
    options: Options | None = None,
) -> str:
    return summary_html(screening, inputs, ordinance or law(), options or Options(), made=MADE)


def words(html: str) -> str:
    """Return the text that a reader sees, blanks in one piece."""
    body = re.sub(r"(?s)<style.*?</style>", " ", html)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", body))


class Balance(HTMLParser):
    """Checks that every element that opens also closes, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag


def test_the_page_is_well_formed() -> None:
    checker = Balance()
    checker.feed(page(*run(screened(3))))
    assert checker.open == []


def test_law_date_and_program_stand_at_the_top() -> None:
    text = words(page(*run(screened(1))))
    for part in ("Village of Somewhere", "Law as of 2025-06-01", "somewhere.toml", "run-1"):
        assert part in text
    assert "not legal advice" in text


def test_classes_are_counted_in_the_words_of_the_law() -> None:
    columns = screened(5, **{"class": ["major", "minor", "minor", "unknown", "review"]})
    text = words(page(*run(columns)))
    for part in ("5 sites", "1 major project", "2 minor project", "0 exempt", "1 unknown"):
        assert part in text


@pytest.mark.parametrize("column", ["site_id", "reasons", "settle", "near", "disturb_by", "run_id"])
def test_text_from_the_sites_never_becomes_markup(column: str) -> None:
    bad = "<script>alert('x')</script>\"><img src=x onerror=alert(1)>"
    columns = screened(1, **{column: f"whole site {bad}"})
    html = page(*run(columns))
    assert "<script" not in html
    assert "<img" not in html
    if column != "disturb_by":
        assert "&lt;script&gt;" in html


def test_text_from_layers_notes_and_the_law_never_becomes_markup() -> None:
    bad = "<script>alert(1)</script>"
    screening, inputs = run(screened(1), notes=[bad])
    waters = layer("WATER_BODIES", bad, [box(599_900, 4_809_000, 599_980, 4_809_100)])
    waters = replace(waters, notes=(bad,), source=bad)
    inputs = replace(inputs, layers={"WATER_BODIES": (waters,)}, dem=DemSource(bad))
    html = page(screening, inputs, law(title=bad, file=bad, notes=(bad,)))
    assert "<script" not in html
    assert html.count("&lt;script&gt;") >= 7


def test_a_class_of_the_law_that_is_markup_stays_text() -> None:
    html = page(*run(screened(1, **{"class": "<b onclick=x>"})))
    assert "<b onclick" not in html


def test_unknown_comes_first_then_review_then_near_then_open_conditions() -> None:
    columns = screened(
        5,
        **{
            "class": ["minor", "major", "minor", "review", "unknown"],
            "near": ["", "", "LG-MJ1b", "", ""],
            "cond_a": ["no", "review", "no", "no", "no"],
        },
    )
    html = page(*run(columns))
    order = re.findall(r'<th scope="row">(S\d)<small>', html)
    assert order == ["S5", "S4", "S3", "S2", "S1"]


def test_a_fact_that_settles_several_sites_stands_with_their_number() -> None:
    columns = screened(
        3,
        settle=["the new impervious area", "the new impervious area; the project type", ""],
        **{"class": ["unknown", "unknown", "minor"]},
    )
    text = words(page(*run(columns)))
    assert "the new impervious area 2 S1, S2" in text
    assert "the project type 1 S2" in text


def test_what_a_fact_settles_does_not_split_it() -> None:
    columns = screened(
        2,
        settle=[
            "the disturbed area; the project type (class, Condition B); the plan (class); where…",
            "the disturbed area (class)",
        ],
    )
    text = words(page(*run(columns)))
    assert "the disturbed area 2 S1, S2" in text
    assert "the project type 1 S1" in text
    assert "the plan 1 S1" in text
    assert not re.search(r"where… 1 S1", text)


def test_sites_judged_as_wholly_disturbed_are_named_apart() -> None:
    columns = screened(3, disturb_by=["field dist", "whole site", "whole site"])
    text = words(page(*run(columns)))
    assert "Judged as if wholly disturbed: 2 sites" in text
    assert "disturbed as a whole: S2, S3." in text


def test_all_sites_judged_as_wholly_disturbed_are_not_listed() -> None:
    text = words(page(*run(screened(3, disturb_by="whole site"))))
    assert "Judged as if wholly disturbed: 3 sites" in text
    assert "every class answers for a site disturbed as a whole" in text
    assert "S2, S3" not in text


def test_an_id_on_several_rows_counts_every_row() -> None:
    columns = screened(4, site_id=["A", "B", "A", "A"], settle="the plan")
    assert "the plan 4 A (3 rows), B " in words(page(*run(columns)))


def test_rules_that_the_page_names_are_explained() -> None:
    ordinance = load_ordinance("lake_george", date(2025, 6, 1))
    columns = screened(2, reasons="minor: LG-MN1 affects 9,000 sq ft", near=["", "LG-D2"])
    text = words(page(*run(columns), ordinance))
    said = text[text.index("Rules named above") : text.index("What was not checked")]
    assert "LG-MN1 affects less than 15,000 sq ft § 220-58A(1) [I] shall" in said
    assert "LG-D2 within 500 ft" in said
    assert "was rebuilt from the order and the cross-references" in said
    assert "LG-MN2" not in said


def test_a_law_without_conditions_has_no_columns_for_them() -> None:
    without = screened(2, cond_a="not_applicable", cond_b="not_applicable", cond_c="not_applicable")
    assert "Cond." not in page(*run(without))
    assert "open Conditions" not in words(page(*run(without)))
    assert "Cond.&nbsp;A" in page(*run(screened(2)))


def test_nothing_is_said_of_whole_sites_where_there_are_none() -> None:
    assert "wholly disturbed" not in words(page(*run(screened(2))))


def test_what_was_not_given_is_named_with_what_follows() -> None:
    screening, inputs = run(screened(1))
    text = words(page(screening, inputs))
    assert "Ground elevation Slope over 100 ft and the gradient side are unknown." in text
    assert "Condition A stays open." in text


def test_what_was_given_is_not_called_missing() -> None:
    screening, inputs = run(screened(1))
    inputs = replace(
        inputs,
        fields={"DISTURBED_FIELD": "dist", "PLAN_FIELD": "plan"},
        dem=DemSource("ground.tif", z_unit="us_survey_foot"),
    )
    text = words(page(screening, inputs, options=Options(project_type="commercial")))
    for part in ("Slope over 100 ft and the gradient side are unknown", "Common plans Every",
                 "No exemption for a kind", "Limits of disturbance Every"):  # fmt: skip
        assert part not in text
    assert "heights in US survey feet" in text


def test_layers_stand_with_their_number_coordinates_and_source() -> None:
    screening, inputs = run(screened(2))
    ponds = layer("WATER_BODIES", "ponds", [box(600_100, 4_809_000, 600_150, 4_809_050)])
    text = words(page(screening, replace(inputs, layers={"WATER_BODIES": (ponds,)})))
    assert "Lakes, ponds and rivers ponds 1 NAD83 / UTM zone 18N (EPSG:26918) ponds.gpkg" in text


def test_the_map_draws_sites_and_waters_with_their_styles() -> None:
    screening, inputs = run(screened(3, **{"class": ["major", "minor", "unknown"]}))
    brook = layer(
        "WATERCOURSES", "brook", [LineString([(599_990, 4_808_990), (600_090, 4_809_090)])]
    )
    html = page(screening, replace(inputs, layers={"WATERCOURSES": (brook,)}))
    for style in ("map-strong", "map-middle", "map-unknown", "map-stream"):
        assert f'<path class="{style}"' in html
    assert "<title>S1: major project</title>" in html


def test_sites_in_degrees_are_drawn_in_their_true_shape() -> None:
    screening, inputs = run(screened(1))
    degrees = replace(screening, geometries=screening.geometries.to_crs(4326))
    sizes = [
        re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)" role', page(one, inputs)).groups()
        for one in (screening, degrees)
    ]
    assert float(sizes[0][1]) == pytest.approx(float(sizes[1][1]), rel=0.01)


def test_a_site_far_from_all_others_is_named_and_not_drawn() -> None:
    shapes = [*lots(30), box(640_000, 4_809_000, 640_050, 4_809_050)]
    html = page(*run(screened(31), shapes))
    assert "Beyond the map: S31." in words(html)
    assert len(re.findall(r"<title>S\d", html)) == 30


def test_two_sites_far_apart_are_both_drawn() -> None:
    shapes = [lots(1)[0], box(640_000, 4_809_000, 640_050, 4_809_050)]
    assert "Beyond the map" not in words(page(*run(screened(2), shapes)))


def test_sites_without_geometry_stand_in_the_table_and_not_on_the_map() -> None:
    columns = screened(2, site_id=["S1", ""])
    html = page(*run(columns, [lots(1)[0], None]))
    assert html.count("<title>S1") == 1
    assert "no id row 2" in words(html)


def test_a_page_without_any_geometry_has_no_map() -> None:
    html = page(*run(screened(1), [None]))
    assert 'id="map"' not in html
    assert "S1" in words(html)


def test_an_empty_layer_of_sites_is_said_to_be_empty() -> None:
    text = words(page(*run(screened(0), [])))
    assert "0 sites" in text
    assert "nothing was screened" in text


def test_a_law_without_minor_and_major_shows_its_own_words() -> None:
    classes = {
        "labels": {"not_applicable": "does not apply", "exempt": "exempt", "swppp": "SWPPP needed"},
        "regulated": ("swppp",),
        "minor": "",
        "major": "",
    }
    columns = screened(2, **{"class": ["swppp", "not_applicable"]}, lda="not_applicable")
    html = page(*run(columns), law(classes=classes))
    assert "1 SWPPP needed" in words(html)
    assert "Land development activities" not in html
    assert '<path class="map-strong"' in html


def test_many_sites_give_a_page_of_bearable_size() -> None:
    count = 20_000
    kinds = np.array(["minor", "major", "exempt", "unknown"], dtype=object)
    columns = screened(count, **{"class": kinds[np.arange(count) % 4]}, settle="the plan")
    html = page(*run(columns))
    assert len(html) < 2_500_000
    assert html.count("<small>row ") == MOST_ROWS
    text = words(html)
    assert "The first 500 of 20,000 sites" in text
    assert "and 19,960 more" in text


def test_waters_with_very_many_corners_are_simplified() -> None:
    angle = np.linspace(0, 60 * np.pi, 400_000)
    x, y = 600_050 + 40 * np.cos(angle), 4_809_050 + 40 * np.sin(7.3 * angle)
    brook = layer("WATERCOURSES", "coil", [LineString(np.column_stack([x, y]))])
    screening, inputs = run(screened(9))
    html = page(screening, replace(inputs, layers={"WATERCOURSES": (brook,)}))
    assert len(html) < 1_500_000


def test_listed_waters_given_as_points_do_not_stop_the_page() -> None:
    screening, inputs = run(screened(1))
    spring = layer("IMPAIRED", "springs", [Point(600_010, 4_809_010)])
    assert "springs" in page(screening, replace(inputs, layers={"IMPAIRED": (spring,)}))


@pytest.mark.parametrize("law_id", packaged())
def test_every_shipped_law_has_its_page(law_id: str) -> None:
    ordinance = load_ordinance(law_id, date(2025, 6, 1))
    kinds = list(ordinance.classes.labels)
    html = page(*run(screened(len(kinds), **{"class": kinds})), ordinance)
    text = words(html)
    assert "Law as of 2025-06-01" in text
    for label in ordinance.classes.labels.values():
        assert f"1 {label}" in text
    styles = set(re.findall(r'<path class="map-(\w+)"', html))
    assert "strong" in styles
    assert len(styles) == len(kinds)
