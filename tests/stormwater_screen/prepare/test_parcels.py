from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pytest
from pyproj import Geod
from shapely.geometry import box

from stormwater_screen.errors import InputError
from stormwater_screen.layers import Layer, layer_from_frame, read_layer
from stormwater_screen.prepare.parcels import parcel_keys, prepare_parcels
from stormwater_screen.units import ACRE_SQFT, FOOT_M


def lot(x: float, width: float = 50) -> Any:
    return box(600_000 + x, 4_800_000, 600_000 + x + width, 4_800_100)


def layer(shapes: list[Any], **fields: Any) -> Layer:
    count = len(shapes)
    base: dict[str, Any] = {
        "SWIS": ["522001"] * count,
        "PRINT_KEY": [f"1-{i}" for i in range(count)],
    }
    frame = gpd.GeoDataFrame(base | fields, geometry=shapes, crs="EPSG:26918")
    return layer_from_frame(frame, role="PARCEL_LAYERS", name="parcels", geometry="polygon")


def texts(*values: str) -> Any:
    return np.array(values, dtype=object)


def test_keys_are_made_of_swis_and_print_key_else_sbl() -> None:
    keys, made = parcel_keys(
        texts("013001", "013089", "013001", "", "013001"),
        texts("1-1", "1-1", "", "1-1", ""),
        texts("", "", "00100010", "", "WATER"),
    )
    assert keys.tolist() == ["013001 1-1", "013089 1-1", "013001 00100010", "1-1", ""]
    assert made.tolist()[2:] == ["SWIS and SBL", "PRINT_KEY", ""]


def test_parts_of_one_key_are_one_parcel_and_rows_on_one_shape_one_piece_of_land() -> None:
    shapes = [lot(0), lot(100), lot(200), lot(200), lot(300)]
    found = prepare_parcels(
        [
            layer(
                shapes,
                PRINT_KEY=["1-1", "1-1", "2-1", "2-2", "3"],
                DUP_GEO=[None, None, "Y", "Y", None],
            )
        ]
    ).layers["PARCELS"]
    assert found["merged"].tolist() == [2, 2, 1]
    assert found["parcels"].tolist() == ["522001 1-1", "522001 2-1; 522001 2-2", "522001 3"]
    assert found.geometry.area.tolist() == pytest.approx([10_000, 5_000, 5_000])


def test_pieces_without_a_key_stay_single() -> None:
    prepared = prepare_parcels([layer([lot(0), lot(100)], PRINT_KEY=[None, "N/A"])])
    assert len(prepared.layers["PARCELS"]) == 2
    assert "2 pieces without a key (rights of way) kept single" in prepared.notes


def test_owners_and_mailing_addresses_are_not_taken_over() -> None:
    prepared = prepare_parcels(
        [layer([lot(0)], PRIMARY_OWNER=["Jane Doe"], MAIL_ADDR=["1 Main St"], PO_BOX=["12"])]
    )
    assert "Jane Doe" not in prepared.layers["PARCELS"].to_csv()
    assert "1 Main St" not in prepared.layers["PARCELS"].to_csv()
    assert (
        prepared.notes[0]
        == "Fields of owners and mail not taken over: MAIL_ADDR, PO_BOX, PRIMARY_OWNER"
    )


def test_hints_of_use_septic_and_well_come_from_the_roll() -> None:
    found = prepare_parcels(
        [
            layer(
                [lot(i * 100) for i in range(3)],
                PROP_CLASS=["210", "311", None],
                SEWER_TYPE=["2", "3", None],
                WATER_SUPP=["2", "1", "9"],
            )
        ]
    ).layers["PARCELS"]
    assert found["use_now"].tolist() == ["one-family house", "vacant residential or rural land", ""]
    assert found["septic"].tolist() == ["private: septic system likely", "public sewer", "unknown"]
    assert found["well"].tolist() == ["private: well likely", "none recorded", "unknown"]


def test_town_and_village_of_one_name_are_told_by_the_swis_code() -> None:
    shapes = [lot(0), lot(100), lot(200)]
    found = prepare_parcels([layer(shapes, SWIS=["522001", "522089", "522000"])]).layers["PARCELS"]
    assert found["town"].tolist() == ["village", "town outside village", "town or city"]


def test_acres_of_the_roll_are_compared_with_the_drawing() -> None:
    acres = 50 * 100 / FOOT_M**2 / ACRE_SQFT
    found = prepare_parcels(
        [
            layer(
                [lot(i * 100) for i in range(4)],
                ACRES=[f"{acres:.2f}", "12.0", "0", "N/A"],
            )
        ]
    ).layers["PARCELS"]
    assert found["acres_map"].tolist() == pytest.approx([acres] * 4, rel=1e-3)
    assert found["acres_note"].tolist()[1] == "the roll says 12 acres, the drawing has 1.24"
    assert found["acres_note"].tolist()[2:] == ["the roll gives no acres"] * 2


def test_overlapping_parcels_are_counted() -> None:
    prepared = prepare_parcels([layer([lot(0, 60), lot(50, 60)])])
    assert "2 parcels overlap another by more than 50 sq ft" in prepared.notes


def test_broken_parcels_keep_their_rows() -> None:
    found = prepare_parcels([layer([None, lot(0)])]).layers["PARCELS"]
    assert found["acres_note"].tolist()[0] == "no usable geometry"
    assert len(found) == 2


def test_a_layer_without_keys_is_refused() -> None:
    frame = gpd.GeoDataFrame({"MAP_LOT": ["1"]}, geometry=[lot(0)], crs="EPSG:26918")
    other = layer_from_frame(frame, role="PARCEL_LAYERS", name="lots", geometry="polygon")
    with pytest.raises(InputError, match="PRINT_KEY or SBL"):
        prepare_parcels([other])


def test_real_parcels_agree_with_the_database_and_with_ellipsoidal_acres(shared_data: Path) -> None:
    path = shared_data / "north_collins" / "tax_parcels_2018.gpkg"
    parcels = read_layer(path, role="PARCEL_LAYERS", geometry="polygon")
    found = prepare_parcels([parcels]).layers["PARCELS"]
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        rows = database.execute(
            "SELECT SWIS || ' ' || PRINT_KEY, SEWER_TYPE, WATER_SUPP, ACRES FROM tax_parcels_2018"
        ).fetchall()
    database.close()
    assert found["parcel"].tolist() == [row[0] for row in rows]
    assert (found["septic"] == "private: septic system likely").sum() == 28
    assert sum(row[1] == "2" for row in rows) == 28
    assert (found["well"] == "private: well likely").sum() == sum(row[2] == "2" for row in rows)
    assert found["acres_roll"].isna().sum() == sum(row[3] == 0 for row in rows) == 2
    geod = Geod(ellps="GRS80")
    degrees = parcels.frame.geometry.to_crs("EPSG:4269")
    acres = [
        abs(geod.geometry_area_perimeter(shape)[0]) / FOOT_M**2 / ACRE_SQFT for shape in degrees
    ]
    assert found["acres_map"].tolist() == pytest.approx(acres, rel=1e-5)
