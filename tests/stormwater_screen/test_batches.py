"""Sites measured a few at a time, and in several threads, have the same answers as all at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import shapely
from shapely.geometry import box

from stormwater_screen import batches
from stormwater_screen.batches import batch_of
from stormwater_screen.features import WaterLayer
from stormwater_screen.model import Screening, ScreeningInputs
from stormwater_screen.plane import plane_crs
from stormwater_screen.vicinity import SEARCHED_FT, Group
from tests.benchmark.county import make_county
from tests.benchmark.headless import read_county, screen_county

CRS = plane_crs((43, -74))


@pytest.fixture(scope="module")
def county(tmp_path_factory: pytest.TempPathFactory) -> ScreeningInputs:
    folder: Path = tmp_path_factory.mktemp("county")
    return read_county(make_county(folder, 200, cell_m=6.0))


@pytest.fixture(scope="module")
def at_once(county: ScreeningInputs) -> Screening:
    return screen_county(county, workers=1)


def _same(one: Screening, other: Screening) -> None:
    pd.testing.assert_frame_equal(one.columns, other.columns)
    pd.testing.assert_frame_equal(one.findings, other.findings)
    assert one.notes == other.notes
    assert len(one.zones) > 100
    pd.testing.assert_frame_equal(
        pd.DataFrame(one.zones.drop(columns="geometry")),
        pd.DataFrame(other.zones.drop(columns="geometry")),
    )
    first, second = (shapely.to_wkb(part.zones.geometry.to_numpy()) for part in (one, other))
    assert (first == second).all()


def test_zones_are_valid_in_the_crs_of_the_sites(at_once: Screening) -> None:
    zones = at_once.zones.geometry
    assert zones.is_valid.all()
    assert not zones.is_empty.any()
    # Repairing slivers changes no area: the column was measured before, on the plane.
    apart = at_once.zones.to_crs(CRS).area - at_once.zones["area_sf"]
    assert apart.abs().max() < 1.0


def test_sites_in_batches_have_the_same_answers_as_all_at_once(
    county: ScreeningInputs, at_once: Screening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "BATCH_SITES", 37)

    _same(at_once, screen_county(county, workers=1))


def test_what_is_said_of_whole_layers_is_said_once_and_of_all_batches(
    county: ScreeningInputs, monkeypatch: pytest.MonkeyPatch
) -> None:
    sites = county.sites.frame
    centres = sites.geometry.representative_point().to_numpy()
    off = shapely.transform(centres[:1], lambda xy: xy - [0, 2_000])
    soils = county.layers["SOILS"][0]
    spoilt = replace(soils, frame=soils.frame.assign(ksat_r="bad"))
    drawn = gpd.GeoDataFrame(geometry=np.r_[centres[:150], off], crs=sites.crs)
    areas = gpd.GeoDataFrame(
        {"kind": [f"odd {number}" for number in range(150)]}, geometry=centres[:150], crs=sites.crs
    )
    layers = {
        "SOILS": (spoilt,),
        "BUILDING_CENTRES": (replace(soils, name="centres", frame=drawn, status=None),),
        "SENSITIVE": (replace(soils, name="areas", frame=areas, status=None),),
    }
    given = replace(county, layers=layers)
    monkeypatch.setattr(batches, "BATCH_SITES", 37)

    notes = screen_county(given, workers=1).notes

    assert "1 building centre(s) lie on no site and are not used" in notes
    assert sum("lie on no site" in note for note in notes) == 1
    bad = [note for note in notes if "field ksat_r" in note]
    assert [note.split(" on ")[1].split(" ")[0] for note in bad] == [str(len(soils.frame))]
    assert sum("no word tells the kind of" in note for note in notes) == 1


def test_any_number_of_workers_gives_the_same_answers(
    county: ScreeningInputs, at_once: Screening
) -> None:
    _same(at_once, screen_county(county, workers=3))


def _lots(count: int) -> gpd.GeoDataFrame:
    shapes = [box(210 * n, 0, 210 * n + 200, 200) for n in range(count)]
    return gpd.GeoDataFrame(geometry=np.array(shapes, dtype=object), crs=CRS)


def test_every_site_is_in_one_batch_and_a_site_without_place_too() -> None:
    sites = _lots(14)
    sites.loc[3, "geometry"] = None
    group = Group(np.arange(14), CRS, sites, {})

    found = batches.batches(group, 4)

    assert sorted(np.concatenate(found)) == list(range(14))
    assert [len(places) for places in found] == [4, 4, 4, 2]
    assert all((np.diff(places) > 0).all() for places in found)


def test_a_batch_keeps_what_lies_within_the_searched_distance() -> None:
    places = [shapely.Point(200 + SEARCHED_FT + beyond, 100) for beyond in (1, -1)]
    frame = gpd.GeoDataFrame({"name": ["far", "near"]}, geometry=places, crs=CRS)
    wells = WaterLayer("wells", "WATER_SUPPLIES", frame, None)
    group = Group(np.array([7, 8]), CRS, _lots(2), {"WATER_SUPPLIES": (wells,)})

    batch = batch_of(group, np.array([0]))

    assert batch.frame("WATER_SUPPLIES")["name"].tolist() == ["near"]
    assert batch.positions.tolist() == [7]
    assert len(batch.sites) == 1
