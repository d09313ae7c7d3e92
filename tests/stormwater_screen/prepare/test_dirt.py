"""Parcels with every kind of dirt, alone and together, read without QGIS."""

from __future__ import annotations

from pathlib import Path

import geopandas as gpd
import pytest

from stormwater_screen.errors import InputError
from stormwater_screen.layers import layer_from_frame, read_layer
from stormwater_screen.prepare.parcels import prepare_parcels
from tests import dirty_lots as dirt


def parcels(source: str | gpd.GeoDataFrame) -> gpd.GeoDataFrame:
    options = {"role": "PARCEL_LAYERS", "geometry": "polygon"}
    layer = (
        read_layer(source, **options)
        if isinstance(source, str)
        else layer_from_frame(source, name="lots", **options)
    )
    return prepare_parcels([layer]).layers["PARCELS"]


def check_clean(found: gpd.GeoDataFrame) -> None:
    clean = found[found["print_key"].isin(dirt.CLEAN)]
    assert clean["print_key"].tolist() == list(dirt.CLEAN)
    assert clean["acres_map"].tolist() == pytest.approx([1.0] * 3, rel=1e-3)


@pytest.mark.parametrize("kind", dirt.ROWS)
def test_rows_of_dirt_cost_the_clean_lots_nothing(kind: str) -> None:
    extra = dirt.ROWS[kind]
    found = parcels(dirt.frame(extra))
    check_clean(found)
    merged = 1 if kind in ("the same lot twice", "a repeated key") else 0
    assert len(found) == 3 + len(extra) - merged


@pytest.mark.parametrize("kind", dirt.FILES)
def test_files_with_dirt_give_the_clean_lots(kind: str, tmp_path: Path) -> None:
    check_clean(parcels(dirt.FILES[kind](tmp_path)))


@pytest.mark.parametrize("kind", dirt.REFUSED)
def test_files_that_cannot_be_right_are_refused(kind: str, tmp_path: Path) -> None:
    make, message = dirt.REFUSED[kind]
    with pytest.raises(InputError, match=message):
        parcels(make(tmp_path))


def test_all_dirt_together_costs_the_clean_lots_nothing(tmp_path: Path) -> None:
    found = parcels(dirt.geopackage(dirt.everything(), tmp_path / "all of it é.gpkg"))
    check_clean(found)
    assert found["acres_note"].eq("no usable geometry").any()


def test_an_empty_layer_gives_no_parcels(tmp_path: Path) -> None:
    assert parcels(dirt.empty(tmp_path)).empty


def test_names_in_latin_1_are_read(tmp_path: Path) -> None:
    found = parcels(dirt.latin_1(tmp_path))
    assert found["muni"].tolist() == ["Cañada", "Zürich", "São"]
