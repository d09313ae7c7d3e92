"""Tax parcels of North Collins, New York, on the same ground in metres and in feet."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from stormwater_screen.layers import layer_from_frame, read_layer
from stormwater_screen.model import DemSource, ScreeningInputs
from stormwater_screen.ordinance import load_ordinance
from stormwater_screen.screening import screen


@pytest.fixture(scope="module")
def by_dem(shared_data: Path) -> dict[str, pd.DataFrame]:
    folder = shared_data / "north_collins"
    parcels = read_layer(folder / "tax_parcels_2018.gpkg", role="SITES", geometry="polygon")
    places = parcels.frame[["PRINT_KEY"]].set_geometry(parcels.frame.representative_point())
    centres = layer_from_frame(places, role="BUILDING_CENTRES", name="places", geometry="point")
    dems = {
        "metres": DemSource(str(folder / "dem_2m_utm17_metres.tif"), z_unit="metre"),
        "feet": DemSource(str(folder / "dem_6ft_spny_west_feet.tif"), z_unit="foot"),
    }
    law = load_ordinance("lake_george", date(2025, 6, 1))
    fields = {"SITE_ID": "PRINT_KEY"}
    found = {}
    for unit, dem in dems.items():
        inputs = ScreeningInputs(parcels, {"BUILDING_CENTRES": (centres,)}, fields, dem)
        found[unit] = screen(inputs, law).columns
    return found


def test_slopes_on_metres_and_on_feet_agree(by_dem: dict[str, pd.DataFrame]) -> None:
    metres, feet = (by_dem[unit]["slope_pct"].to_numpy() for unit in ("metres", "feet"))
    both = ~np.isnan(metres) & ~np.isnan(feet)
    assert both.sum() >= 30
    apart = np.abs(metres - feet)[both]
    assert np.median(apart) <= 0.7
    assert apart.max() <= 3.5


def test_parcels_beyond_the_dem_are_unknown_not_flat(by_dem: dict[str, pd.DataFrame]) -> None:
    for columns in by_dem.values():
        beyond = columns["slope_pct"].isna()
        assert beyond.any()
        assert set(columns["slope_15"][beyond]) == {"unknown"}


def test_the_property_class_is_no_project_type(by_dem: dict[str, pd.DataFrame]) -> None:
    columns = by_dem["metres"]
    activity = (columns["lda"] == "yes") & (columns["cond_b"] == "no")
    assert activity.any()
    assert set(columns["cond_c"][activity]) == {"unknown"}
