from __future__ import annotations

import sqlite3
from datetime import date
from pathlib import Path
from typing import Any

import geopandas as gpd
import pandas as pd
import pytest
from shapely.geometry import LineString, Point, box

from stormwater_screen.errors import InputError
from stormwater_screen.layers import Layer, layer_from_frame
from stormwater_screen.prepare.files import Bundle, find_layers, read_found
from stormwater_screen.prepare.impaired import prepare_impaired

POND = box(600_000, 4_800_000, 600_500, 4_800_500)
STREAM = LineString([(600_000, 4_800_000), (601_000, 4_800_000)])
TODAY = date(2026, 6, 1)


def layer(shapes: list[Any], name: str = "units", **fields: Any) -> Layer:
    frame = gpd.GeoDataFrame(fields, geometry=shapes, crs="EPSG:26918")
    return layer_from_frame(frame, role="ASSESSMENTS", name=name, geometry="any")


def unit(category: list[Any], shape: Any = POND, **fields: Any) -> Layer:
    count = len(category)
    base = {
        "assessmentunitidentifier": [f"NY-{i}" for i in range(count)],
        "assessmentunitname": [f"Water {i}" for i in range(count)],
        "reportingcycle": [2024] * count,
        "ircategory": category,
    }
    return layer([shape] * count, **(base | fields))


def test_category_five_is_listed_and_4a_is_a_tmdl_and_the_rest_is_apart() -> None:
    found = prepare_impaired([unit(["5", "5-alt", "4A", "4B", "4C", "3", "1"])], today=TODAY)
    assert found.layers["LISTED_AREAS"]["unit"].tolist() == ["NY-0", "NY-1"]
    assert found.layers["TMDL"]["unit"].tolist() == ["NY-2"]
    why = found.tables["UNLISTED"].set_index("category")["why"]
    assert "another control" in why["4B"]
    assert "not impaired by a pollutant" in why["4C"]
    assert set(why.index) == {"4B", "4C", "3", "1"}


def test_a_listed_water_with_a_tmdl_for_another_pollutant_is_both() -> None:
    found = prepare_impaired([unit(["5"], hastmdl=["Y"])], today=TODAY)
    assert len(found.layers["LISTED_AREAS"]) == len(found.layers["TMDL"]) == 1


def test_causes_are_listed_and_what_was_only_observed_is_for_review() -> None:
    layers = [
        unit(
            ["5", "5", "5"],
            sediment=["Cause", "Meeting Criteria", None],
            mercury=["CAUSE", None, None],
            nutrients=["Observed effect", "Observed effect", "<NA>"],
        )
    ]
    found = prepare_impaired(layers, today=TODAY).layers["LISTED_AREAS"]
    assert found["poll_yes"].tolist() == ["sediment", "", ""]
    assert found["poll_no"].tolist() == ["mercury", "", ""]
    assert found["poll_rev"].tolist() == ["observed effect nutrients"] * 2 + [""]
    assert found["pollutant"][0] == "mercury; sediment; observed effect nutrients"


def test_columns_cut_by_a_shapefile_are_understood() -> None:
    layers = [
        layer(
            [POND, POND],
            assessme_1=["NY-1", "NY-2"],
            assessment=["Lake George, North", "Finkle Brook"],
            reportingc=[2024, 2024],
            ircategory=["5", "1"],
            metals_oth=["Cause", None],
            cause_un_1=["Cause", None],
            solids_chl=["Cause", None],
        )
    ]
    found = prepare_impaired(layers, today=TODAY).layers["LISTED_AREAS"]
    assert found["unit"].tolist() == ["NY-1"]
    assert found["name"].tolist() == ["Lake George, North"]
    assert set(found["pollutant"][0].split("; ")) == {
        "metals other than mercury", "cause unknown", "solids chlorides sulfates",
    }  # fmt: skip


def test_the_newest_cycle_of_each_unit_is_kept() -> None:
    layers = [
        unit(
            ["5", "1", "5"],
            assessmentunitidentifier=["A", "A", "B"],
            reportingcycle=[2018, 2024, 2018],
        )
    ]
    found = prepare_impaired(layers, today=TODAY)
    assert found.layers["LISTED_AREAS"]["unit"].tolist() == ["B"]
    assert (
        "an older cycle of a unit that has a newer one" in found.tables["UNLISTED"]["why"].tolist()
    )


def test_a_list_older_than_four_years_is_remarked_on() -> None:
    old = prepare_impaired([unit(["5"], reportingcycle=[2021])], today=TODAY)
    new = prepare_impaired([unit(["5"], reportingcycle=["2022.0"])], today=TODAY)
    assert any("2021, more than 4 years old" in note for note in old.notes)
    assert not any("years old" in note for note in new.notes)


@pytest.mark.parametrize(("key", "name"), [("PWL_ID", "NAME"), ("SEG_ID", "WATERBODY")])
def test_both_vintages_of_the_new_york_inventory_are_read(key: str, name: str) -> None:
    layers = [
        layer(
            [STREAM, STREAM, STREAM],
            **{
                key: ["1006-0016", "1006-0017", "1006-0018"],
                name: ["Lake George", "Brook", "Pond"],
                "CATEGORY": ["Impaired", "No Known Impact", "Unassessed"],
                "POLLUTANT": ["Silt/Sediment", None, None],
            },
        )
    ]
    found = prepare_impaired(layers, today=TODAY)
    lines = found.layers["LISTED_LINES"]
    assert lines[["unit", "name", "listed"]].values.tolist() == [["1006-0016", "Lake George", ""]]
    assert lines["poll_yes"].tolist() == ["Silt/Sediment"]
    assert len(found.tables["UNLISTED"]) == 2
    assert any("is not said" in note for note in found.notes)


def test_catchments_are_tmdl_areas_and_never_the_listed_water_that_is_drawn() -> None:
    water = unit(["5"], STREAM, hastmdl=["Y"])
    land = unit(["5"], POND, hastmdl=["Y"], catchmentareasqkm=[1.0])
    found = prepare_impaired([water, land], today=TODAY)
    assert len(found.layers["LISTED_LINES"]) == 1
    assert found.layers["LISTED_AREAS"].empty
    assert found.layers["TMDL"]["catchment"].tolist() == ["yes"]


def test_a_listing_known_by_its_catchments_only_is_not_lost() -> None:
    found = prepare_impaired([unit(["5"], POND, catchmentareasqkm=[1.0])], today=TODAY)
    areas = found.layers["LISTED_AREAS"]
    assert areas[["catchment", "listed"]].values.tolist() == [["yes", ""]]
    assert any("not drawn themselves" in note for note in found.notes)


def test_a_category_that_is_not_given_is_not_taken_as_unlisted() -> None:
    found = prepare_impaired([unit([None, "5"])], today=TODAY)
    assert found.layers["LISTED_AREAS"]["listed"].tolist() == ["", "yes"]


def test_a_table_of_parameters_names_the_causes_of_the_newest_cycle() -> None:
    table = pd.DataFrame(
        {
            "assessmentunitidentifier": ["NY-0", "NY-0", "NY-0", "NY-0"],
            "reportingcycle": [2024, 2024, 2024, 2018],
            "parametername": ["PHOSPHORUS, TOTAL", "DISSOLVED OXYGEN", "PH", "MERCURY"],
            "parameterstatus": ["Cause", "Observed effect", "Meeting Criteria", "Cause"],
        }
    )
    found = prepare_impaired([unit(["5"])], parameters=("table 8", table), today=TODAY)
    row = found.layers["LISTED_AREAS"].iloc[0]
    assert row["poll_yes"] == "PHOSPHORUS, TOTAL"
    assert row["pollutant"] == "PHOSPHORUS, TOTAL; observed effect DISSOLVED OXYGEN"


def test_points_go_apart() -> None:
    found = prepare_impaired([unit(["5"], Point(600_000, 4_800_000))], today=TODAY)
    assert len(found.layers["LISTED_POINTS"]) == 1


def test_another_layer_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="ponds"):
        prepare_impaired([layer([POND], "ponds", NAME=["a"])])


def test_attains_counts_agree_with_the_database(shared_data: Path) -> None:
    path = shared_data / "formats" / "attains_colorado.gpkg"
    layers = [
        read_found(one, role="ASSESSMENTS", geometry="any", near=None)
        for one in find_layers(Bundle(path))
        if one.geometry
    ]
    found = prepare_impaired(layers, today=TODAY)
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:

        def one(query: str) -> int:
            return int(database.execute(query).fetchone()[0])

        listed = "SELECT COUNT(*) FROM ATTAINS_{} WHERE on303dlist = 'Y'"
        lines, areas = one(listed.format("lines")), one(listed.format("polygons"))
        tmdl = "SELECT COUNT(*) FROM ATTAINS_{} WHERE hastmdl = 'Y'"
        catchments = one(tmdl.format("catchments")) + one(tmdl.format("polygons"))
        total = sum(
            one(f"SELECT COUNT(*) FROM ATTAINS_{kind}")
            for kind in ("lines", "polygons", "catchments")
        )
        mercury = one("SELECT COUNT(*) FROM ATTAINS_lines WHERE mercury = 'Cause'")
        nutrients = one("SELECT COUNT(*) FROM ATTAINS_lines WHERE nutrients = 'Cause'")
    database.close()
    assert len(found.layers["LISTED_LINES"]) == lines == 12
    assert len(found.layers["LISTED_AREAS"]) == areas == 1
    assert len(found.layers["TMDL"]) == catchments == 12
    rows = sum(len(frame) for frame in found.layers.values()) + len(found.tables["UNLISTED"])
    both = 1  # a listed area that has a TMDL stands in both
    assert rows - both == total
    named = found.layers["LISTED_LINES"]
    assert named["poll_no"].str.contains("mercury").sum() == mercury == 8
    assert named["poll_yes"].str.contains("nutrients").sum() == nutrients == 1
