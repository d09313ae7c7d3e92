"""Which layer of a file is meant, and what cannot be read of its attributes."""

from __future__ import annotations

import json
from pathlib import Path

import geopandas as gpd
import pandas as pd
import pyogrio
import pytest
from shapely.geometry import box, mapping

from stormwater_screen.errors import InputError
from stormwater_screen.fields import number_field
from stormwater_screen.layers import read_layer
from stormwater_screen.sources import which_layer


@pytest.fixture
def town(tmp_path: Path) -> Path:
    """A table without geometry, and behind it a layer of two lots."""
    path = tmp_path / "town.gpkg"
    pyogrio.write_dataframe(pd.DataFrame({"owner": ["a"]}), path, layer="owners")
    numbers = pd.array([2**53 + 1, None], dtype="Int64")
    lots = gpd.GeoDataFrame(
        {"pin": numbers}, geometry=[box(0, 0, 9, 9), box(9, 0, 18, 9)], crs="EPSG:26918"
    )
    lots.geometry = lots.geometry.translate(606_000, 4_809_000)
    pyogrio.write_dataframe(lots, path, layer="lots", append=True)
    return path


def test_the_one_layer_with_geometries_is_meant_where_none_is_named(town: Path) -> None:
    assert which_layer(str(town)) == (str(town), "lots")
    assert which_layer(f"{town}|layername=lots") == (str(town), "lots")
    with pytest.raises(InputError, match=r"no layer owners; its layers: lots"):
        which_layer(f"{town}|layername=owners")


@pytest.mark.parametrize(
    "asked", ['layername=lots|subset="pin" = 1', "layerid=1", "layername=lots|geometrytype=Polygon"]
)
def test_a_source_with_a_filter_is_refused_since_it_would_mean_other_features(
    town: Path, asked: str
) -> None:
    with pytest.raises(InputError, match=r"FILE\|layername=NAME, a filter as a file") as caught:
        which_layer(f"{town}|{asked}")

    assert caught.value.where == str(town)
    assert asked.partition("|")[2] in caught.value.found


def test_numbers_of_sites_that_the_reader_rounds_are_told(town: Path) -> None:
    sites = read_layer(town, role="SITES", geometry="polygon")

    assert sites.notes == (
        "lots: field pin: numbers of more than 15 digits are rounded, since others are empty; give"
        " them as texts",
    )
    assert read_layer(town, role="SOILS", geometry="polygon").notes == ()


def test_attributes_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    feature = {
        "type": "Feature",
        "properties": {"owners": ["a", "b"], "n": 1, "open": "12:30:00"},
        "geometry": mapping(box(-73.7, 43.4, -73.6, 43.5)),
    }
    path = tmp_path / "lots.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}), "utf-8")

    sites = read_layer(path, role="SITES", geometry="polygon")

    assert sites.frame.columns.tolist() == ["n", "geometry"]
    assert sites.notes == (
        "lots: left out, since times of day and lists cannot be read: owners, open",
    )


def test_yes_and_no_beside_null_are_no_numbers(tmp_path: Path) -> None:
    path = tmp_path / "lots.gpkg"
    shapes = [box(600_000 + 99 * n, 4_800_000, 600_060 + 99 * n, 4_800_060) for n in range(3)]
    sold = pd.array([True, None, False], dtype="boolean")
    lots = gpd.GeoDataFrame(
        {"sold": sold, "n": [1.0, None, 0.0]}, geometry=shapes, crs="EPSG:26918"
    )
    pyogrio.write_dataframe(lots, path)

    frame = read_layer(path, role="SITES", geometry="polygon").frame

    assert frame["sold"].tolist() == [True, None, False]
    areas = number_field(frame, "sold", layer="lots", unit="sq ft")
    assert pd.isna(areas.value).all()
    assert frame["n"].dtype == float
