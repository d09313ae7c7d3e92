"""Listed waters and TMDL watersheds: what a site reaches, and what each law makes of it."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import shapely
from shapely import LineString, Point, box

from stormwater_screen.details import COLUMNS
from stormwater_screen.errors import CancelledError, InputError
from stormwater_screen.facts import Flag
from stormwater_screen.features import WaterLayer
from stormwater_screen.listing_rows import (
    ListingFields,
    is_listed,
    named_source,
    speaks_otherwise,
)
from stormwater_screen.listing_runoff import with_runoff
from stormwater_screen.listing_texts import shortened
from stormwater_screen.listings import (
    ListingsResult,
    _listed_within,
    _reached,
    condition_a_limb,
    measure_listings,
)
from stormwater_screen.outcomes import UNKNOWN, WORDS, YES, words
from stormwater_screen.progress import no_progress
from stormwater_screen.tables import pollutant_table

IMPAIRED = ListingFields(name="name", pollutant="pollutant")
TMDL = ListingFields(name="name", pollutant="pollutant", source="source")
MILE = 5280.0


def frame(shapes: Sequence[Any], **columns: Sequence[Any]) -> gpd.GeoDataFrame:
    return gpd.GeoDataFrame({**columns, "geometry": list(shapes)}, geometry="geometry")


def layer(
    shapes: Sequence[Any], *, role: str = "IMPAIRED", name: str = "list", **columns: Sequence[Any]
) -> WaterLayer:
    return WaterLayer(name, role, frame(shapes, **columns), box(0, 0, 1000, 1000))


def water(shape: Any, pollutant: Any = "sediment", name: str = "Shingle Brook") -> WaterLayer:
    return layer([shape], name="303d list", name_=[name], pollutant=[pollutant])


def listed(shape: Any, pollutant: Any = "sediment", name: Any = "Shingle Brook") -> WaterLayer:
    features = frame([shape], name=[name], pollutant=[pollutant])
    return WaterLayer("303d list", "IMPAIRED", features, box(*shape.bounds))


def watershed(
    shape: Any, pollutant: Any = "phosphorus", source: Any = "stormwater", name: str = "Mill Bay"
) -> WaterLayer:
    features = frame([shape], name=[name], pollutant=[pollutant], source=[source])
    return WaterLayer("tmdl areas", "TMDL", features, box(*shape.bounds))


FAR_WATER = listed(LineString([(0, 9000), (100, 9000)]), name="Far Brook")
FAR_TMDL = watershed(box(-5000, -5000, -4000, -4000), name="Far Bay")
LOT = box(0, 0, 100, 100)


def measure(
    impaired: Sequence[WaterLayer] = (),
    tmdl: Sequence[WaterLayer] = (),
    sites: Sequence[Any] = (LOT,),
    **options: Any,
) -> ListingsResult:
    settings: dict[str, Any] = {
        "impaired_fields": IMPAIRED if impaired else ListingFields(),
        "tmdl_fields": TMDL if tmdl else ListingFields(),
        "coverage": frame([box(-1e5, -1e5, 1e5, 1e5)]),
        "water_error_ft": 0.0,
    }
    return measure_listings(frame(sites), impaired, tmdl, **{**settings, **options})


def flags(result: ListingsResult, site: int = 0) -> tuple[str, str]:
    """Return what Lake George and Shelter Island make of the listings, in words."""
    both = [result.facts[name] for name in ("listed_construction", "listed_any")]
    assert all(isinstance(flag, Flag) for flag in both)
    return tuple(WORDS[flag.outcome[site]] for flag in both)  # type: ignore[return-value, union-attr]


def flag(result: ListingsResult, name: str = "listed_construction") -> Flag:
    fact = result.facts[name]
    assert isinstance(fact, Flag)
    return fact


# --- the rule itself -----------------------------------------------------------------------------


def limb(*given: str) -> tuple[str, str]:
    lake_george, shelter_island = condition_a_limb(*given)
    return words(lake_george)[0], words(shelter_island)[0]


@pytest.mark.parametrize(
    ("pollutant", "reached", "lake_george", "shelter_island"),
    [
        ("yes", "inside", "yes", "yes"),
        ("yes", "direct", "yes", "yes"),
        ("review", "inside", "review", "yes"),
        ("not_stormwater", "inside", "no", "yes"),
        ("not_recorded", "inside", "unknown", "yes"),
        ("yes", "tributary", "review", "review"),
        ("review", "tributary", "review", "review"),
        ("not_stormwater", "tributary", "no", "review"),
        ("not_recorded", "tributary", "unknown", "review"),
        ("yes", "nearby", "review", "review"),
        ("not_stormwater", "nearby", "no", "review"),
        ("yes", "near", "review", "review"),
        ("not_recorded", "nearby", "review", "review"),
        ("not_recorded", "near", "review", "review"),
        ("yes", "none", "no", "no"),
        ("not_recorded", "none", "no", "no"),
    ],
)
def test_a_303d_listing_counts_by_its_pollutant_and_by_how_it_is_reached(
    pollutant: str, reached: str, lake_george: str, shelter_island: str
) -> None:
    for source in ("stormwater", "other", "not_recorded"):  # the list names no sources
        assert limb("303d", pollutant, source, reached) == (lake_george, shelter_island)


@pytest.mark.parametrize(
    ("pollutant", "source", "lake_george", "shelter_island"),
    [
        ("yes", "stormwater", "yes", "yes"),
        ("review", "stormwater", "review", "yes"),
        ("not_stormwater", "stormwater", "review", "yes"),
        ("not_recorded", "stormwater", "unknown", "yes"),
        ("yes", "other", "no", "no"),
        ("review", "other", "no", "no"),
        ("not_stormwater", "other", "no", "no"),
        ("not_recorded", "other", "no", "no"),
        ("yes", "not_recorded", "unknown", "unknown"),
        ("review", "not_recorded", "unknown", "unknown"),
        ("not_stormwater", "not_recorded", "no", "unknown"),
        ("not_recorded", "not_recorded", "unknown", "unknown"),
    ],
)
def test_a_tmdl_watershed_counts_by_its_pollutant_and_by_the_sources_it_names(
    pollutant: str, source: str, lake_george: str, shelter_island: str
) -> None:
    assert limb("tmdl", pollutant, source, "inside") == (lake_george, shelter_island)


def test_a_listing_that_counts_less_never_counts_more_when_it_is_reached_less() -> None:
    rank = {"no": 0, "review": 1, "unknown": 1, "yes": 2}
    pollutants = ("yes", "review", "not_stormwater", "not_recorded")
    sources = ("stormwater", "other", "not_recorded")
    for kind, pollutant, source in itertools.product(("303d", "tmdl"), pollutants, sources):
        for law in (0, 1):
            ranks = [
                rank[limb(kind, pollutant, source, reached)[law]]
                for reached in ("none", "tributary", "inside")
            ]
            assert ranks == sorted(ranks)


def test_a_word_that_is_not_known_is_refused() -> None:
    with pytest.raises(KeyError):
        condition_a_limb("303d", "maybe", "other", "inside")


def test_every_listing_of_the_decision_cases_comes_out(shared_cases: Path) -> None:
    with (shared_cases / "decision_cases.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if ":" in row["listing"]]
    applying = [row for row in rows if row["id"] != "P33"]  # below one acre: no Condition A
    assert len(applying) >= 6
    for row in applying:
        kind, pollutant, source = (row["listing"] + ":").split(":")[:3]
        named = {"stormwater": "stormwater", "unknown": "not_recorded", "": "other"}[source]
        (match,) = pollutant_table().match(pollutant)
        expected = (row["cond_a_lg"], row["cond_a_si"])
        assert limb(kind, match.pollutant_class, named, row["reached"]) == expected, row["id"]


# --- 303(d)-listed waters ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "shape",
    [
        box(50, 50, 60, 60),  # the listed pond lies on the lot
        box(100, 0, 200, 100),  # it shares an edge
        box(100, 100, 200, 200),  # it shares a corner
        LineString([(-50, 50), (150, 50)]),  # the listed stream crosses it
        LineString([(0, 0), (0, 100)]),  # or runs along it
        Point(50, 50),
    ],
)
def test_a_site_that_touches_a_listed_water_reaches_it(shape: Any) -> None:
    result = measure([listed(shape)], [FAR_TMDL])
    assert flags(result) == ("yes", "yes")
    assert result.listings["reached"].tolist() == ["inside"]
    assert result.listings["distance_ft"].tolist() == [0.0]
    assert result.columns["impaired"][0] == "Shingle Brook"
    assert result.columns["pollutant"][0] == "sediment"
    assert flag(result).source[0] == "303d list"


@pytest.mark.parametrize(
    ("pollutant", "expected"),
    [
        ("sediment", ("yes", "yes")),
        ("pathogens", ("review", "yes")),
        ("mercury", ("no", "yes")),
        ("glitter", ("review", "yes")),
        ("mercury; sediment", ("yes", "yes")),
        ("mercury/pathogens", ("review", "yes")),
        ("phosphorus, unknown", ("yes", "yes")),
        ("mercury, unknown", ("unknown", "yes")),
    ],
)
def test_any_pollutant_of_a_listing_may_make_it_count(
    pollutant: str, expected: tuple[str, str]
) -> None:
    assert flags(measure([listed(LOT, pollutant)], [FAR_TMDL])) == expected


@pytest.mark.parametrize("pollutant", [None, float("nan"), pd.NA, "", "n/a"])
def test_a_pollutant_that_is_not_recorded_is_unknown_but_counts_under_shelter_island(
    pollutant: Any,
) -> None:
    result = measure([listed(LOT, pollutant)], [FAR_TMDL])
    assert flags(result) == ("unknown", "yes")
    assert flag(result).settle[0] == "which pollutant Shingle Brook is listed for"
    assert "not recorded" in flag(result).reason[0]
    assert flag(result, "listed_any").settle[0] == ""
    assert "not recorded" in result.columns["pollutant"][0] or pollutant == "n/a"


def test_without_a_pollutant_field_the_pollutant_is_not_recorded() -> None:
    fields = ListingFields(name="name")
    result = measure([listed(LOT)], [FAR_TMDL], impaired_fields=fields)
    assert flags(result) == ("unknown", "yes")


def test_a_listed_water_within_a_mile_is_for_review_and_one_beyond_is_not() -> None:
    waters = listed(box(200, 0, 300, 100))
    lots = [box(0, 0, 100, 100), box(300 + MILE, 0, 400 + MILE, 100), box(301 + MILE, 0, 9000, 100)]
    result = measure([waters], [FAR_TMDL], sites=lots)
    assert [flags(result, site) for site in range(3)] == [
        ("review", "review"),
        ("review", "review"),
        ("no", "no"),
    ]
    assert "not followed" in flag(result).reason[0]
    assert "within 5,280 ft" in flag(result).reason[2]
    assert result.columns["impaired"].tolist() == [
        "review: Shingle Brook at 100 ft",
        "review: Shingle Brook at 5,280 ft",
        "none mapped",
    ]


def test_how_far_away_is_nearby_can_be_set() -> None:
    for gap, expected in ((500.0, "review"), (501.0, "no")):
        waters = listed(box(100 + gap, 0, 900, 100))
        assert flags(measure([waters], [FAR_TMDL], nearby_ft=500.0)) == (expected, expected)


def test_a_pollutant_that_is_not_stormwater_within_a_mile_is_no_under_lake_george() -> None:
    result = measure([listed(box(200, 0, 300, 100), "mercury")], [FAR_TMDL])
    assert flags(result) == ("no", "review")


def test_a_listed_water_as_near_as_its_error_is_for_review_and_says_so() -> None:
    for gap, word in ((40.0, "error"), (40.1, "not followed")):
        shape = box(100 + gap, 0, 300, 100)
        result = measure([listed(shape)], [FAR_TMDL], water_error_ft=40.0)
        assert flags(result) == ("review", "review")
        assert word in flag(result).reason[0]


def test_only_the_nearest_of_the_waters_not_reached_is_kept_and_all_that_are() -> None:
    shapes = [LineString([(x, 0), (x, 100)]) for x in (0, 50, 100, 600, 700, 800)]
    rows = layer(shapes, name="l", pollutant=["sediment"] * 6, unit=list("abcdef"))
    fields = ListingFields(name="unit", pollutant="pollutant")
    result = measure([rows], [FAR_TMDL], impaired_fields=fields)
    assert result.listings["name"].tolist() == ["a", "b", "c", "d"]
    assert result.columns["impaired"][0] == "a; b; c"


def test_a_shoreline_of_many_vertices_is_measured_exactly() -> None:
    angle = np.linspace(0, 2 * np.pi, 2001)
    lake = shapely.Polygon(
        np.column_stack([2000 + 1000 * np.cos(angle), 50 + 1000 * np.sin(angle)])
    )
    result = measure([listed(lake)], [FAR_TMDL])
    assert result.listings["distance_ft"][0] == pytest.approx(LOT.distance(lake), abs=1e-6)


def test_several_layers_are_all_looked_at() -> None:
    pond = listed(box(50, 50, 60, 60), "pathogens", "Pond")
    brook = listed(LineString([(0, 0), (0, 100)]), "sediment", "Brook")
    result = measure([pond, brook, FAR_WATER], [FAR_TMDL])
    assert flags(result) == ("yes", "yes")
    assert result.columns["impaired"][0] == "Pond; Brook"
    assert result.columns["pollutant"][0] == "pathogens; sediment"


# --- which rows are listed -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "wanted", "expected"),
    [
        ("Y", "Y", "yes"),
        ("yes", "Y", "yes"),
        ("TRUE", "Y", "yes"),
        (True, "Y", "yes"),
        ("N", "Y", "no"),
        (None, "Y", "unknown"),
        ("", "Y", "unknown"),
        ("5", "5", "yes"),
        (5, "5", "yes"),
        (5.0, "5", "yes"),
        ("5-alt", "5", "yes"),
        ("5R", "5", "yes"),
        ("50", "5", "no"),
        ("15", "5", "no"),
        ("4A", "5", "no"),
        ("4A", "5; 4A", "yes"),
        ("4C", "5,4A", "no"),
        ("Impaired", "impaired", "yes"),
        ("Impaired, delisted", "Impaired", "no"),
        ("Yellow", "Y", "no"),
    ],
)
def test_a_row_counts_as_listed_by_its_status(value: Any, wanted: str, expected: str) -> None:
    assert words(is_listed([value], [wanted]))[0] == expected


def test_rows_that_are_not_listed_do_not_count_and_a_null_status_is_unknown() -> None:
    fields = ListingFields("unit", "pollutant", status="cat", status_values=("5",))
    columns = {"unit": ["a", "b"], "pollutant": ["sediment"] * 2}
    for status, expected in (
        (["5", "3"], "yes"),
        (["3", "2"], "no"),
        (["3", None], "unknown"),
        (["5", None], "yes"),
    ):
        rows = layer([LOT, LOT], **columns, cat=status)
        result = measure([rows], [FAR_TMDL], impaired_fields=fields)
        assert flags(result) == (expected, expected)
    assert "whether" not in flag(result).settle[0]


def test_a_null_status_is_named_as_the_fact_that_would_settle_it() -> None:
    fields = ListingFields("unit", "pollutant", status="cat", status_values=("5",))
    rows = layer([LOT], unit=["Brook"], pollutant=["sediment"], cat=[None])
    result = measure([rows], [FAR_TMDL], impaired_fields=fields)
    assert flag(result).settle[0] == "whether Brook is listed"


def test_field_names_are_found_in_any_letter_case() -> None:
    fields = ListingFields(name="NAME", pollutant="Pollutant")
    assert flags(measure([listed(LOT)], [FAR_TMDL], impaired_fields=fields)) == ("yes", "yes")


def test_a_field_that_no_layer_has_is_refused_and_one_that_some_lack_is_null_there() -> None:
    fields = ListingFields(name="name", pollutant="cause")
    with pytest.raises(InputError, match=r"IMPAIRED.*303d list.*'cause'.*pollutant"):
        measure([listed(LOT)], [FAR_TMDL], impaired_fields=fields)
    other = layer([LOT], name="other", cause=["sediment"])
    result = measure([listed(LOT), other], [FAR_TMDL], impaired_fields=fields)
    assert flags(result) == ("yes", "yes")
    assert result.listings["pollutant"].tolist() == ["not recorded", "sediment"]


@pytest.mark.parametrize(
    "fields", [ListingFields(status="name"), ListingFields(status_values=("Y",))]
)
def test_a_status_field_without_values_and_values_without_a_field_are_refused(
    fields: ListingFields,
) -> None:
    with pytest.raises(InputError, match="IMPAIRED_STATUS"):
        measure([listed(LOT)], [FAR_TMDL], impaired_fields=fields)


# --- TMDL watersheds -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (box(-50, -50, 150, 150), "yes"),  # around the lot
        (box(50, 0, 500, 100), "yes"),  # half of it
        (box(90, 90, 500, 500), "yes"),  # a corner of 10 by 10 ft
        (box(40, 40, 50, 50), "yes"),  # inside it
        (box(100, 0, 500, 100), "no"),  # shares an edge
        (box(100, 100, 500, 500), "no"),  # shares a corner
        (box(99.6, -500, 500, 500), "no"),  # an edge, as two layers draw it
        (box(98, -500, 500, 500), "yes"),
        (box(140, 0, 500, 100), "no"),
    ],
)
def test_a_site_is_inside_a_tmdl_watershed_by_area_and_not_by_a_shared_edge(
    shape: Any, expected: str
) -> None:
    result = measure([FAR_WATER], [watershed(shape)], water_error_ft=40.0)
    assert flags(result) == (expected, expected)
    assert result.columns["tmdl"][0] == ("Mill Bay" if expected == "yes" else "none mapped")


def test_a_shared_edge_is_said_so() -> None:
    result = measure([FAR_WATER], [watershed(box(100, 0, 500, 100))])
    assert "shares an edge with Mill Bay" in flag(result).reason[0]
    assert result.columns["pollutant"][0] == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("stormwater", "stormwater"),
        ("Wastewater; Storm water", "stormwater"),
        ("Municipal (MS4)", "stormwater"),
        ("Urban runoff/storm sewers", "stormwater"),
        ("construction site runoff", "stormwater"),
        ("yes", "stormwater"),
        ("agriculture", "other"),
        ("no stormwater", "other"),
        ("non-stormwater", "other"),
        ("not from stormwater", "other"),
        ("stormwater: no", "other"),
        ("no", "other"),
        ("atmospheric deposition", "other"),
        ("unknown", "not_recorded"),
        ("", "not_recorded"),
        (None, "not_recorded"),
        (float("nan"), "not_recorded"),
    ],
)
def test_a_tmdl_names_stormwater_or_other_sources_or_none(text: Any, expected: str) -> None:
    assert named_source([text])[0] == expected


@pytest.mark.parametrize(
    ("pollutant", "source", "expected"),
    [
        ("phosphorus", "stormwater", ("yes", "yes")),
        ("pathogens", "stormwater", ("review", "yes")),
        ("mercury", "atmospheric deposition", ("no", "no")),
        ("mercury", None, ("no", "unknown")),
        ("phosphorus", None, ("unknown", "unknown")),
        (None, "stormwater", ("unknown", "yes")),
        (None, None, ("unknown", "unknown")),
    ],
)
def test_a_tmdl_watershed_counts_by_pollutant_and_source(
    pollutant: Any, source: Any, expected: tuple[str, str]
) -> None:
    result = measure([FAR_WATER], [watershed(LOT, pollutant, source)])
    assert flags(result) == expected


def test_the_fact_that_would_settle_a_tmdl_is_named() -> None:
    result = measure([FAR_WATER], [watershed(LOT, "phosphorus", None)])
    assert flag(result).settle[0] == "whether the TMDL of Mill Bay names stormwater as a source"
    result = measure([FAR_WATER], [watershed(LOT, None, "stormwater")])
    assert flag(result).settle[0] == "which pollutant Mill Bay is listed for"


def test_without_a_source_field_the_source_is_not_recorded() -> None:
    fields = ListingFields(name="name", pollutant="pollutant")
    result = measure([FAR_WATER], [watershed(LOT)], tmdl_fields=fields)
    assert flags(result) == ("unknown", "unknown")


def test_every_listing_of_a_site_is_kept() -> None:
    result = measure([listed(LOT, "pathogens")], [watershed(LOT), watershed(LOT, name="Lake")])
    assert flags(result) == ("yes", "yes")
    assert result.listings[["kind", "name"]].to_numpy().tolist() == [
        ["303d", "Shingle Brook"],
        ["tmdl", "Mill Bay"],
        ["tmdl", "Lake"],
    ]
    assert result.columns["tmdl"][0] == "Mill Bay; Lake"
    assert result.columns["pollutant"][0] == "pathogens; phosphorus"
    assert flag(result).source[0] == "tmdl areas"


# --- missing, empty and not covering layers ------------------------------------------------------


def test_without_any_layer_the_answer_is_unknown_and_names_both() -> None:
    result = measure()
    assert flags(result) == ("unknown", "unknown")
    assert "303(d)" in flag(result).settle[0]
    assert "TMDL" in flag(result).settle[0]
    assert result.columns.loc[0].tolist() == ["unknown", "unknown", "unknown"]


@pytest.mark.parametrize(
    ("impaired", "tmdl", "missing"),
    [([FAR_WATER], [], "TMDL"), ([], [FAR_TMDL], "303(d)")],
)
def test_one_layer_that_says_no_leaves_the_other_limb_unknown(
    impaired: list[WaterLayer], tmdl: list[WaterLayer], missing: str
) -> None:
    result = measure(impaired, tmdl)
    assert flags(result) == ("unknown", "unknown")
    assert flag(result).settle[0].startswith(f"a layer of {missing}")
    assert ";" not in flag(result).settle[0]


def test_one_layer_that_says_yes_is_enough() -> None:
    assert flags(measure([listed(LOT)])) == ("yes", "yes")
    assert flags(measure([], [watershed(LOT)])) == ("yes", "yes")


@pytest.mark.parametrize("role", ["IMPAIRED", "TMDL"])
def test_an_empty_layer_is_never_a_no(role: str) -> None:
    empty = WaterLayer("empty list", role, frame([], name=[], pollutant=[], source=[]), None)
    result = measure([empty], [FAR_TMDL]) if role == "IMPAIRED" else measure([FAR_WATER], [empty])
    assert flags(result) == ("unknown", "unknown")
    assert "empty list) is empty or lies far away" in flag(result).reason[0]


def test_an_empty_layer_beside_one_with_features_does_no_harm() -> None:
    empty = WaterLayer("empty", "IMPAIRED", frame([], name=[], pollutant=[]), None)
    assert flags(measure([FAR_WATER, empty], [FAR_TMDL])) == ("no", "no")


def test_without_coverage_polygons_a_layer_covers_a_mile_around_its_extent() -> None:
    lots = [box(200 + gap, 0, 300 + gap, 100) for gap in (MILE, MILE + 1)]
    waters = listed(box(0, 0, 200, 100), "mercury")
    watersheds = watershed(box(-9000, -9000, -8000, 9000))
    everywhere = WaterLayer("all", "TMDL", watersheds.frame, box(-1e5, -1e5, 1e5, 1e5))
    result = measure([waters], [everywhere], sites=lots, coverage=None)
    assert [flags(result, site)[0] for site in (0, 1)] == ["no", "unknown"]
    assert "more than one mile outside" in flag(result).reason[1]
    assert result.columns["impaired"].tolist()[1] == "unknown"


def test_outside_the_coverage_polygons_nothing_found_is_unknown_and_something_found_counts() -> (
    None
):
    lots = [LOT, box(900, 0, 1000, 100), box(450, 0, 550, 100)]
    coverage = frame([box(-10, -10, 500, 500)])
    result = measure([FAR_WATER], [FAR_TMDL], sites=lots, coverage=coverage)
    assert [flags(result, site)[0] for site in range(3)] == ["no", "unknown", "unknown"]
    assert "outside the coverage polygons" in flag(result).reason[1]
    touching = listed(box(950, 0, 990, 50))
    result = measure([touching], [FAR_TMDL], sites=lots, coverage=coverage)
    assert flags(result, 1) == ("yes", "yes")


def test_a_site_without_geometry_is_unknown_and_the_others_are_not() -> None:
    sites = [None, shapely.Polygon(), LOT]
    result = measure([FAR_WATER], [FAR_TMDL], sites=sites)
    assert [flags(result, site)[0] for site in range(3)] == ["unknown", "unknown", "no"]
    assert flag(result).settle[0] == "the geometry of the site"
    assert flag(result).reason[0] == "the site has no geometry"


def test_no_sites_give_no_rows() -> None:
    result = measure([FAR_WATER], [FAR_TMDL], sites=[])
    assert len(result.columns) == len(result.listings) == len(flag(result).outcome) == 0


def test_listed_features_without_geometry_are_left_out() -> None:
    rows = layer([None, shapely.Polygon(), LOT], name_=["a", "b", "c"], pollutant=["sediment"] * 3)
    fields = ListingFields(name="name_", pollutant="pollutant")
    result = measure([rows], [FAR_TMDL], impaired_fields=fields)
    assert result.listings["name"].tolist() == ["c"]


# --- texts ---------------------------------------------------------------------------------------


def test_columns_fit_a_shapefile_whatever_the_names_are() -> None:
    names = [f"Rivière {number} " + "é" * 60 for number in range(9)]
    rows = layer([LOT] * 9, unit=names, pollutant=["silt\nand  clay"] * 9)
    fields = ListingFields(name="unit", pollutant="pollutant")
    result = measure([rows], [FAR_TMDL], impaired_fields=fields)
    for text in result.columns.loc[0]:
        assert len(text.encode()) <= 254
    assert result.columns["impaired"][0].endswith("...")
    assert "\n" not in result.columns["pollutant"][0]


def test_a_short_text_is_not_cut() -> None:
    assert shortened("a" * 254) == "a" * 254
    assert shortened("a" * 255) == "a" * 251 + "..."


def test_a_feature_without_a_name_is_said_so() -> None:
    assert measure([listed(LOT, name=None)], [FAR_TMDL]).columns["impaired"][0] == "(no name)"


def test_a_listing_whose_pollutant_decides_nothing_still_explains_the_no() -> None:
    result = measure([listed(LOT, "mercury")], [FAR_TMDL])
    assert "mercury: from the air" in flag(result).reason[0]


# --- running -------------------------------------------------------------------------------------


def test_sites_are_answered_alike_alone_and_together() -> None:
    lots = [box(x, 0, x + 100, 100) for x in range(0, 12000, 700)]
    waters = [listed(LineString([(1500, -50), (1500, 200)])), FAR_WATER]
    watersheds = [watershed(box(4000, 0, 6350, 50))]
    together = measure(waters, watersheds, sites=lots)
    for number, lot in enumerate(lots):
        alone = measure(waters, watersheds, sites=[lot])
        assert flags(alone) == flags(together, number)
        assert alone.columns.loc[0].tolist() == together.columns.loc[number].tolist()


def test_every_listing_is_a_row_for_the_findings() -> None:
    details = measure([listed(LOT)], [watershed(box(100, 0, 200, 100))]).details
    assert tuple(details.columns) == COLUMNS
    assert details["id"].tolist() == ["listed_water", "tmdl_watershed"]
    assert details["source"].tolist() == ["303d list", "tmdl areas"]


def test_the_run_can_be_stopped() -> None:
    def stop(share: float) -> None:
        raise CancelledError("stopped")

    with pytest.raises(CancelledError):
        measure([FAR_WATER], [FAR_TMDL], progress=stop)


def test_bangor_streams_marked_impaired_are_reached_by_the_parcels_that_touch_them(
    shared_data: Path,
) -> None:
    path = shared_data / "bangor" / "bangor.gpkg"
    parcels = gpd.read_file(path, layer="parcels", engine="fiona")
    streams = gpd.read_file(path, layer="streams_impaired_flag", engine="fiona")
    for data in (parcels, streams):  # US survey feet are near enough to count what touches
        data["geometry"] = shapely.make_valid(data.geometry.to_numpy())
    rows = WaterLayer("streams", "IMPAIRED", streams, box(*streams.total_bounds))
    fields = ListingFields(name="Name", status="Impaired", status_values=("Y",))
    result = measure_listings(
        parcels, [rows], [], impaired_fields=fields, tmdl_fields=ListingFields(), water_error_ft=0
    )
    flagged = streams.geometry[streams["Impaired"] == "Y"]
    touching = np.any([parcels.geometry.intersects(stream) for stream in flagged], axis=0)
    assert touching.sum() == 84
    np.testing.assert_array_equal(flag(result, "listed_any").outcome == YES, touching)
    # No layer of TMDL watersheds is given, and the streams' pollutant is not recorded.
    assert set(flag(result).outcome) == {UNKNOWN}
    assert len(result.columns) == len(parcels)


@pytest.mark.parametrize(
    ("found", "wanted", "otherwise"),
    [
        (["Y", "N"], "Listed", True),
        (["N", None], "Y", False),
        (["1", "3", "4A"], "5", False),
        (["Y", "N"], "5", True),
        (["Impaired", "No Known Impact"], "impaired", False),
        (["No Known Impact"], "Impaired", True),
        ([None, ""], "Y", False),
        (["50"], "5", True),
    ],
)
def test_a_status_of_another_kind_is_told_from_one_that_is_not_there(
    found: list[str | None], wanted: str, otherwise: bool
) -> None:
    assert speaks_otherwise(found, [wanted]) == otherwise


@pytest.mark.parametrize("seed", range(6))
def test_waters_left_out_where_runoff_is_known_change_nothing(seed: int) -> None:
    random = np.random.default_rng(seed)
    count, places = 30, random.uniform(0, 9000, (2, 30))
    geometry = np.array([*shapely.box(*places, *(places + 100)), None], dtype=object)
    waters = shapely.buffer(shapely.points(random.uniform(0, 9000, (8, 2))), 200)
    rows = pd.DataFrame({"geometry": waters, "name": [f"Brook {n} and tribs" for n in range(8)]})
    pairs = random.integers(0, [count, 8], (40, 2))
    reached = pd.DataFrame(pairs, columns=["row", "listing"]).drop_duplicates(ignore_index=True)
    receiving: Any = SimpleNamespace(
        reached=reached.assign(
            reached=random.choice(["direct", "tributary"], len(reached)),
            share=0.5,
            along_ft=100.0,
            counts=random.random(len(reached)) < 0.7,
        ),
        sewer=random.random(count + 1) < 0.2,
        lost=np.where(random.random(count + 1) < 0.2, "lost in a pit", "").astype(object),
        complete=random.random(count + 1) < 0.6,
    )

    def told(known: Any) -> pd.DataFrame:
        near = _listed_within(geometry, rows, 2 * MILE, 40.0, known, no_progress)
        near["reached"] = _reached(near["distance_ft"].to_numpy(), 40.0)
        return with_runoff(near, rows["name"].to_numpy(), receiving, MILE)

    by = ["row", "listing"]
    every, some = told(None).sort_values(by), told(receiving).sort_values(by)
    pd.testing.assert_frame_equal(
        every.reset_index(drop=True), some.reset_index(drop=True), check_exact=True
    )
    assert len(every) > 20
