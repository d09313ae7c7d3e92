"""Runoff followed through Processing, on the sample town and on Bangor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.toolbox import bangor_parameters, rows, run, sample_parameters


def test_the_sample_town_drains_where_its_ground_says(qgis_processing: object) -> None:
    done = run(
        "receivingwaters",
        sample_parameters(),
        OUTPUT="TEMPORARY_OUTPUT",
        PATHS="TEMPORARY_OUTPUT",
        OUTLETS="TEMPORARY_OUTPUT",
        FINDINGS="TEMPORARY_OUTPUT",
    )
    sites = {row["lot"]: row for row in rows(done["OUTPUT"]) if row["lot"]}
    assert len(rows(done["OUTPUT"])) == done["SITE_COUNT"] == 56
    # Lots at the latitude of Heron Pond drain into it, those south of it into Lake George.
    assert sites["L09"]["first_wtr"] == "Heron Pond 100%"
    assert sites["L13"]["first_wtr"] == "Lake George 100%"
    assert sites["L42"]["lost_at"].startswith("100% of its runoff is lost, at the edge of the DEM")
    paths = rows(done["PATHS"])
    assert {row["ends"] for row in paths} == {"water", "edge", "hole", "pit"}
    assert len(rows(done["OUTLETS"])) == len(paths)
    kinds = {row["rule"] for row in rows(done["FINDINGS"])}
    assert {"receiving_water", "runoff_lost", "listed_water"} <= kinds


def test_the_84_parcels_at_an_impaired_stream_of_bangor_reach_it(
    qgis_processing: object, shared_data: Path
) -> None:
    given: dict[str, Any] = {
        **bangor_parameters(shared_data),
        "IMPAIRED_STATUS_FIELD": "Impaired",
        "IMPAIRED_STATUS_VALUES": "Y",
        "IMPAIRED_NAME_FIELD": "Name",
    }
    done = run(
        "receivingwaters", given, OUTPUT="TEMPORARY_OUTPUT", FINDINGS="TEMPORARY_OUTPUT",
        PATHS="TEMPORARY_OUTPUT",
    )  # fmt: skip
    touching = {
        row["row"] for row in rows(done["FINDINGS"]) if "the site touches" in (row["text"] or "")
    }
    assert len(touching) == 84
    # No path of a share that counts climbs more than the depressions that are filled.
    paths = [row for row in rows(done["PATHS"]) if row["counts"] == "yes"]
    assert len(paths) > 594
    assert max(row["climb_ft"] for row in paths) < 3.0


def test_screening_follows_runoff_unless_told_not_to(qgis_processing: object) -> None:
    given = {**sample_parameters(), "ORDINANCE": "wilton"}
    followed = rows(run("screensites", given, SCREENED="TEMPORARY_OUTPUT")["SCREENED"])
    near = rows(
        run("screensites", given, SCREENED="TEMPORARY_OUTPUT", FOLLOW_RUNOFF=False)["SCREENED"]
    )
    # L13 is an acre and more that drains to Lake George, within a mile of a listed brook.
    assert followed[12]["cond_a"] == "no"
    assert near[12]["cond_a"] == "review"
