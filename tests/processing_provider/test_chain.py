"""Steps in a chain give what the screening gives in one go."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from stormwater_screening.processing_provider.screensites import COUNTS
from stormwater_screening.stormwater_screen.columns import SCREENED_COLUMNS

from tests.toolbox import (
    ONLY_OF_SCREENING,
    STEPS,
    bangor_parameters,
    chained,
    rows,
    run,
    sample_parameters,
)

LAWS = ("lake_george", "wilton", "shelter_island", "wayne_county")

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def assert_equal(chain: dict[str, Any], whole: dict[str, Any]) -> None:
    assert {name: chain[name] for name in COUNTS} == {name: whole[name] for name in COUNTS}
    compared = [column.name for column in SCREENED_COLUMNS if column.name not in ONLY_OF_SCREENING]
    pairs = list(zip(rows(chain["OUTPUT"]), rows(whole["SCREENED"]), strict=True))
    assert len(pairs) == whole["SITE_COUNT"]
    different = [
        (theirs["row"], name, ours[name], theirs[name])
        for ours, theirs in pairs
        for name in compared
        if ours[name] != theirs[name]
    ]
    assert different == []


@pytest.mark.parametrize("law", LAWS)
def test_a_chain_judges_the_sample_town_as_the_screening_does(
    qgis_processing: object, law: str
) -> None:
    given = {**sample_parameters(), "ORDINANCE": law}
    assert_equal(chained(given), run("screensites", given, SCREENED="TEMPORARY_OUTPUT"))


def test_errors_of_the_data_and_discretion_travel_through_a_chain_in_any_order(
    qgis_processing: object,
) -> None:
    given = {
        **sample_parameters(),
        "ORDINANCE": "lake_george",
        "DISCRETIONARY": "upgrade",
        "DEM_ERROR_FT": 0.6,
        "WATER_ERROR_FT": 40,
        "SUPPLY_ERROR_FT": 40,
    }
    whole = run("screensites", given, SCREENED="TEMPORARY_OUTPUT")
    assert_equal(chained(given, STEPS[::-1]), whole)


def test_a_chain_judges_bangor_as_the_screening_does(
    qgis_processing: object, shared_data: Path
) -> None:
    import processing

    given = bangor_parameters(shared_data)
    town = f"{shared_data / 'bangor' / 'bangor.gpkg'}|layername=buildings"
    centres = processing.run(
        "native:centroids", {"INPUT": town, "ALL_PARTS": False, "OUTPUT": "TEMPORARY_OUTPUT"}
    )
    given["BUILDING_CENTRES"] = centres["OUTPUT"]
    whole = run("screensites", given, SCREENED="TEMPORARY_OUTPUT")
    assert whole["SITE_COUNT"] == 594
    assert_equal(chained(given), whole)


def test_a_chain_through_shapefiles_loses_no_fact(qgis_processing: object, tmp_path: Path) -> None:
    given = {**sample_parameters(), "ORDINANCE": "lake_george"}
    layer: Any = given["SITES"]
    for number, step in enumerate(STEPS):
        out = str(tmp_path / f"step{number}.shp")
        layer = run(step, given, SITES=layer, OUTPUT=out)["OUTPUT"]
    short = {
        name: value[:10] if name == "SITE_ID" or name.endswith("_FIELD") else value
        for name, value in given.items()
    }
    chain = run("classifysites", short, SITES=layer, OUTPUT="TEMPORARY_OUTPUT")
    whole = run("screensites", given, SCREENED="TEMPORARY_OUTPUT")
    assert [row["class"] for row in rows(chain["OUTPUT"])] == [
        row["class"] for row in rows(whole["SCREENED"])
    ]


def test_a_step_that_runs_again_replaces_its_columns_and_keeps_a_foreign_one(
    qgis_processing: object,
) -> None:
    given = sample_parameters()
    first = run("soilindicators", given, OUTPUT="TEMPORARY_OUTPUT")["OUTPUT"]
    again = run("soilindicators", given, SITES=first, OUTPUT="TEMPORARY_OUTPUT")["OUTPUT"]
    assert again.fields().names() == first.fields().names()
    foreign = run("disturbancethresholds", given, OUTPUT="TEMPORARY_OUTPUT")["OUTPUT"]
    foreign.startEditing()
    foreign.renameAttribute(foreign.fields().indexOf("disturb_by"), "perc")
    foreign.commitChanges()
    kept = run("soilindicators", given, SITES=foreign, OUTPUT="TEMPORARY_OUTPUT")["OUTPUT"]
    assert "src_perc" in kept.fields().names()


def test_a_number_changed_by_hand_after_its_step_is_not_known(qgis_processing: object) -> None:
    given = {**sample_parameters(), "ORDINANCE": "lake_george"}
    layer = run("disturbancethresholds", given, OUTPUT="TEMPORARY_OUTPUT")["OUTPUT"]
    at = layer.fields().indexOf("disturb_sf")
    layer.startEditing()
    feature = next(layer.getFeatures())
    layer.changeAttributeValue(feature.id(), at, 1_000_000.0)
    layer.commitChanges()
    judged = rows(
        run("classifysites", given, SITES=layer, OUTPUT="TEMPORARY_OUTPUT", FINDINGS=None)["OUTPUT"]
    )
    assert judged[0]["lda"] == "unknown"
    assert "disturbancethresholds" in judged[0]["settle"]


def test_sites_that_no_step_has_measured_are_unknown_never_exempt(qgis_processing: object) -> None:
    given = {**sample_parameters(), "ORDINANCE": "wilton"}
    done = run("classifysites", given, OUTPUT="TEMPORARY_OUTPUT")
    assert done["EXEMPT_COUNT"] == 0
    assert {row["lda"] for row in rows(done["OUTPUT"])} <= {"unknown", "yes"}
