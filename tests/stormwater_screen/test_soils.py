"""Soils of the sites: groups, percolation, pollutant transport, water table and rock."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pytest
import shapely
from shapely import box

from stormwater_screen.columns import SCREENED_COLUMNS
from stormwater_screen.errors import CancelledError, InputError
from stormwater_screen.facts import Flag, Quantity
from stormwater_screen.outcomes import WORDS
from stormwater_screen.soils import (
    SoilFields,
    SoilsResult,
    hydrologic_groups,
    measure_soils,
    soil_pieces,
)

LOT = box(0, 0, 100, 100)
WEST, EAST = box(-50, -50, 62, 150), box(62, -50, 150, 150)  # 62 % and 38 % of the lot
WHOLE = box(-50, -50, 150, 150)
FIELDS = {
    "group": "hydgrp",
    "ksat": "ksat",
    "water_table": "wt",
    "bedrock": "rock",
    "perc": "perc",
    "transport": "transport",
}


def frame(shapes: Sequence[Any], **columns: Sequence[Any]) -> gpd.GeoDataFrame:
    objects = {name: np.array(values, dtype=object) for name, values in columns.items()}
    return gpd.GeoDataFrame({**objects, "geometry": list(shapes)}, geometry="geometry")


def measure(
    shapes: Sequence[Any] = (WEST, EAST), sites: Sequence[Any] = (LOT,), **columns: Sequence[Any]
) -> SoilsResult:
    """Measure soils with the columns given, each named as in ``SoilFields``."""
    fields = SoilFields(**{name: FIELDS.get(name, name) for name in columns})
    named = {FIELDS.get(name, name): values for name, values in columns.items()}
    return measure_soils(frame(sites), frame(shapes, **named), fields, layer="ssurgo")


def quantity(result: SoilsResult, name: str, site: int = 0) -> tuple[float, float, float]:
    fact = result.facts[name]
    assert isinstance(fact, Quantity)
    return fact.value[site], fact.low[site], fact.high[site]


def flag(result: SoilsResult, name: str, site: int = 0) -> tuple[str, str]:
    fact = result.facts[name]
    assert isinstance(fact, Flag)
    return WORDS[fact.outcome[site]], fact.reason[site]


def groups(result: SoilsResult, site: int = 0) -> str:
    return str(result.columns["soil_grp"][site])


# --- hydrologic groups ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        (["B", "C/D"], "B 62%, C/D 38%; worst D"),
        (["B", "B"], "B 100%; worst B"),
        (["C", "A"], "C 62%, A 38%; worst C"),
        (["A", "B/D"], "A 62%, B/D 38%; worst D"),
        (["B", None], "B 62%, no group 38%; worst B known"),
        ([None, "D"], "no group 62%, D 38%; worst D"),
        (["B", "Not rated"], "B 62%, no group 38%; worst B known"),
        ([None, None], "unknown"),
    ],
)
def test_groups_are_told_with_shares_the_largest_first_and_the_worst_undrained(
    pair: list[str | None], expected: str
) -> None:
    assert groups(measure(group=pair)) == expected


def test_a_part_without_a_soil_polygon_is_unmapped_and_never_a_group() -> None:
    assert groups(measure([WEST], group=["B"])) == "B 62%, unmapped 38%; worst B known"
    assert groups(measure([box(900, 0, 999, 99)], group=["B"])) == "unknown"


def test_several_polygons_of_a_group_are_added() -> None:
    strips = [box(x, -50, x + 25, 150) for x in (0, 25, 50, 75)]
    assert groups(measure(strips, group=["A", "B", "A", "B/D"])) == (
        "A 50%, B 25%, B/D 25%; worst D"
    )


def test_soils_that_only_share_an_edge_do_not_count() -> None:
    neighbour = box(99.7, -50, 300, 150)
    assert groups(measure([box(-50, -50, 99.7, 150), neighbour], group=["A", "D"])) == (
        "A 100%; worst A"
    )


def test_soil_polygons_that_overlap_are_shared_out_and_a_gap_beside_them_is_still_seen() -> None:
    result = measure([box(0, 0, 60, 100), box(0, 0, 60, 100)], group=["A", "C"])
    assert groups(result) == "unmapped 40%, A 30%, C 30%; worst C known"


def test_small_and_nearly_whole_shares_are_not_rounded_away() -> None:
    sliver = box(97, 97, 150, 150)  # 9 sq ft of 10,000
    rest = WHOLE.difference(sliver)
    assert groups(measure([rest, sliver], group=["A", "D"])) == "A >99%, D <1%; worst D"


@pytest.mark.parametrize(
    ("entry", "expected"),
    [("B", "B"), (" b/d ", "B/D"), ("Group C", "C"), ("A / D", "A/D"), ("D/A", ""), ("E", ""),
     ("", ""), (None, ""), ("water", "")],
)  # fmt: skip
def test_only_the_seven_hydrologic_groups_are_known(entry: str | None, expected: str) -> None:
    assert hydrologic_groups([entry])[0] == expected


def test_without_a_group_field_the_group_is_unknown() -> None:
    assert groups(measure(ksat=[1, 2])) == "unknown"


def test_every_text_fits_its_column() -> None:
    length = {column.name: column.length for column in SCREENED_COLUMNS}
    strips = [box(x, -50, x + 12, 150) for x in range(0, 96, 12)]
    names = ["A/D", "B/D", "C/D", None, "A", "B", "C", "D"]
    result = measure(strips, group=names, ksat=[0.1] * 8)
    assert "others" in groups(result)
    for name in ("soil_grp", "perc"):
        assert len(result.columns[name][0]) <= length[name]


# --- percolation ---------------------------------------------------------------------------------


def test_the_slowest_field_test_of_the_site_counts_and_is_exact() -> None:
    result = measure(perc=[45, "20"])
    assert quantity(result, "perc") == (45.0, 45.0, 45.0)
    assert result.columns["perc"][0] == "field test 45 min/in"
    perc = result.facts["perc"]
    assert isinstance(perc, Quantity)
    assert (perc.tolerance, perc.error[0], perc.unit) == (0.0, 0.0, "min/in")


def test_a_part_that_was_not_tested_may_be_slower() -> None:
    result = measure(perc=[45, None])
    assert quantity(result, "perc") == (45.0, 45.0, np.inf)
    assert result.columns["perc"][0] == "field test 45 min/in, part not tested"


@pytest.mark.parametrize(
    ("ksat", "words"),
    [
        ([0.29, 20], "likely slower than 60 min/in on 62% of the site"),
        ([0.3, 20], "indeterminate"),
        ([7.06, 20], "unlikely slower than 60 min/in"),
        ([7.05, 20], "indeterminate"),
        ([20, None], "indeterminate"),
        ([None, None], "indeterminate"),
    ],
)
def test_the_permeability_of_a_soil_survey_is_a_hint_for_review_only(
    ksat: list[float | None], words: str
) -> None:
    result = measure(ksat=ksat)
    outcome, reason = flag(result, "perc_soil")
    assert outcome == "review"
    assert words in reason
    assert result.columns["perc"][0] == f"review: {reason}"
    assert np.isnan(quantity(result, "perc")[0])


def test_a_partly_mapped_site_is_never_unlikely_slow() -> None:
    assert "indeterminate" in flag(measure([WEST], ksat=[20]), "perc_soil")[1]


def test_soils_without_permeability_are_for_review_too() -> None:
    assert flag(measure(group=["A", "B"]), "perc_soil")[0] == "review"


def test_a_field_test_goes_before_the_hint() -> None:
    result = measure(ksat=[0.1, 0.1], perc=[30, 30])
    assert result.columns["perc"][0] == "field test 30 min/in"


# --- pollutant transport -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        (["yes", "no"], "yes"),
        (["no", "N"], "no"),
        (["no", None], "unknown"),
        (["yes", None], "yes"),
        ([None, None], "unknown"),
    ],
)
def test_an_official_list_decides_pollutant_transport(
    listed: list[str | None], expected: str
) -> None:
    assert flag(measure(transport=listed), "transport")[0] == expected


def test_a_list_does_not_clear_a_site_that_is_only_partly_mapped() -> None:
    assert flag(measure([WEST], transport=["no"]), "transport")[0] == "unknown"


def test_an_entry_that_is_neither_yes_nor_no_is_unknown_and_noted() -> None:
    result = measure(transport=["no", "perhaps"])
    assert flag(result, "transport")[0] == "unknown"
    assert "perhaps" in result.notes[0]


def test_without_a_list_indicators_are_for_review_and_never_decide() -> None:
    result = measure(group=["A", "C/D"], water_table=[200, 46], bedrock=[100, 200], ksat=[42, 1])
    outcome, reason = flag(result, "transport")
    assert outcome == "review"
    for words in (
        "hydrologic group of high runoff on 38%",
        "shallow water table on 38%",
        "shallow rock on 62%",
        "very permeable soil on 62%",
    ):
        assert words in reason
    outcome, reason = flag(measure(group=["A", "B"], ksat=[5, 5]), "transport")
    assert (outcome, "only an official list" in reason) == ("review", True)


def test_words_of_runoff_and_drainage_and_slope_are_indicators_where_given() -> None:
    result = measure(
        runoff=["Very high", "low"],
        drainage=["Excessively drained", "Well drained"],
        slope=[15, 3],
        kwfact=[".32", ".2"],
    )
    hints = result.details[result.details["id"] != "soil_group"]
    assert sorted(hints["id"]) == ["soil_overland"] * 3 + ["soil_through_soil"]
    assert hints["value"].to_numpy() == pytest.approx(62)


# --- depth to water and rock ---------------------------------------------------------------------


@pytest.mark.parametrize("name", ["water_table", "bedrock"])
@pytest.mark.parametrize(
    ("depths", "expected"),
    [
        ([30, 90], (30.0, 30.0, 30.0)),
        ([30, 0], (0.0, 0.0, 0.0)),
        ([30, None], (np.nan, 0.0, 30.0)),
        ([30, -9999], (np.nan, 0.0, 30.0)),
        ([None, None], (np.nan, 0.0, np.inf)),
    ],
)
def test_the_least_depth_counts_and_null_is_not_known_and_not_zero(
    name: str, depths: list[Any], expected: tuple[float, float, float]
) -> None:
    np.testing.assert_equal(quantity(measure(**{name: depths}), name), expected)


def test_an_unmapped_part_leaves_the_depth_open() -> None:
    np.testing.assert_equal(quantity(measure([WEST], bedrock=[80]), "bedrock"), (np.nan, 0, 80))


# --- missing things ------------------------------------------------------------------------------


def test_without_a_soil_layer_everything_is_unknown() -> None:
    result = measure_soils(frame([LOT]), None, SoilFields())
    assert result.columns.loc[0].tolist() == ["unknown", "unknown"]
    assert flag(result, "perc_soil")[0] == flag(result, "transport")[0] == "unknown"
    for name in ("perc", "water_table", "bedrock"):
        np.testing.assert_equal(quantity(result, name), (np.nan, 0, np.inf))
    assert len(result.details) == 0


def test_an_empty_soil_layer_is_unknown_everywhere() -> None:
    result = measure([], group=[], ksat=[], transport=[], bedrock=[], perc=[])
    assert result.columns.loc[0].tolist() == ["unknown", "unknown"]
    assert flag(result, "perc_soil") == ("unknown", "no soil polygon at the site")
    assert flag(result, "transport")[0] == "unknown"
    np.testing.assert_equal(quantity(result, "bedrock"), (np.nan, 0, np.inf))


def test_a_site_without_geometry_is_unknown_and_costs_no_other() -> None:
    sites = [None, shapely.Polygon(), LOT]
    result = measure(sites=sites, group=["B", "C/D"], transport=["no", "no"], ksat=[20, 20])
    assert result.columns["soil_grp"].tolist() == ["unknown", "unknown", "B 62%, C/D 38%; worst D"]
    assert [flag(result, "transport", site)[0] for site in range(3)] == ["unknown", "unknown", "no"]
    assert flag(result, "perc_soil", 0) == ("unknown", "the site has no geometry")


def test_no_sites_give_no_rows() -> None:
    result = measure(sites=[], group=["A", "B"], transport=["no", "no"])
    assert len(result.columns) == len(result.details) == 0


def test_a_field_that_is_not_there_is_refused_by_name() -> None:
    with pytest.raises(InputError, match=r"ssurgo.*HSG"):
        measure_soils(frame([LOT]), frame([WHOLE], a=[1]), SoilFields(group="HSG"), layer="ssurgo")


def test_the_run_can_be_stopped() -> None:
    def stop(share: float) -> None:
        raise CancelledError("stopped")

    with pytest.raises(CancelledError):
        measure_soils(frame([LOT]), frame([WHOLE]), SoilFields(), progress=stop)


# --- real soils ----------------------------------------------------------------------------------


def test_bangor_soil_shares_agree_with_the_overlay_of_geopandas(shared_data: Path) -> None:
    path = shared_data / "bangor" / "bangor.gpkg"
    parcels = gpd.read_file(path, layer="parcels", engine="fiona").iloc[::6]
    soils = gpd.read_file(path, layer="soils_ssurgo", engine="fiona")
    for data in (parcels, soils):
        data["geometry"] = shapely.make_valid(data.geometry.to_numpy())
    usable = parcels[parcels.geometry.notna() & ~parcels.geometry.is_empty].reset_index(drop=True)
    sites = usable.geometry.to_numpy()
    pieces = soil_pieces(sites, soils.geometry.to_numpy())
    total = np.bincount(pieces.row, pieces.share, minlength=len(sites))
    assert (total <= 1 + 1e-9).all()
    assert (total > 0.99).mean() > 0.9
    usable["site"], soils["soil"] = np.arange(len(usable)), np.arange(len(soils))
    other = gpd.overlay(
        usable[["site", "geometry"]], soils[["soil", "geometry"]], keep_geom_type=True
    )
    expected = np.zeros((len(sites), len(soils)))
    share = other.geometry.area / shapely.area(sites)[other["site"]]
    np.add.at(expected, (other["site"], other["soil"]), share)
    found = np.zeros_like(expected)
    np.add.at(found, (pieces.row, pieces.soil), pieces.share)
    # Overlaps that are no more than a shared edge are left out.
    edge = 0.5 * shapely.length(sites) / shapely.area(sites)
    assert (np.abs(found - expected) <= np.maximum(edge[:, None], 1e-6) * (found == 0) + 1e-6).all()


def test_new_york_soil_polygons_as_web_soil_survey_exports_them_can_be_read(
    shared_data: Path,
) -> None:
    path = shared_data / "formats" / "ssurgo_ny123" / "spatial" / "soilmu_a_aoi.shp"
    soils = gpd.read_file(path, engine="fiona").to_crs(26918)
    site = frame([soils.geometry.iloc[0].centroid.buffer(5)])
    result = measure_soils(site, soils, SoilFields(), layer="soilmu_a_aoi")
    assert groups(result) == "unknown"  # there is no tabular part
    assert flag(result, "perc_soil")[0] == "review"
