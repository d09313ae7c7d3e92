"""The 594 parcels of Bangor, Maine, screened with every layer the city has."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import shapely

from stormwater_screen.errors import InputError
from stormwater_screen.layers import Layer, layer_from_frame, read_layer
from stormwater_screen.model import DemSource, Options, Screening, ScreeningInputs
from stormwater_screen.ordinance import load_ordinance
from stormwater_screen.screening import screen

WATERCOURSES = ("streams_impaired_flag", "drainage_draw", "ditch", "rivers")


@pytest.fixture(scope="module")
def inputs(shared_data: Path) -> ScreeningInputs:
    source = shared_data / "bangor" / "bangor.gpkg"

    def read(role: str, layer: str, kind: str = "polygon") -> Layer:
        return read_layer(source, role=role, geometry=kind, layer=layer)

    buildings = gpd.read_file(source, layer="buildings")
    buildings = buildings.set_geometry(buildings.centroid)
    centres = layer_from_frame(
        buildings, role="BUILDING_CENTRES", name="buildings", geometry="point"
    )
    streams = tuple(read("WATERCOURSES", name, "line_or_polygon") for name in WATERCOURSES)
    layers = {
        "BUILDING_CENTRES": (centres,),
        "WATER_BODIES": (read("WATER_BODIES", "ponds"),),
        "WATERCOURSES": streams,
        "WETLANDS": (read("WETLANDS", "wetlands_nwi"),),
        "SOILS": (read("SOILS", "soils_ssurgo"),),
        "IMPAIRED": (read("IMPAIRED", "streams_impaired_flag"),),
    }
    fields = {
        "SITE_ID": "MAP_LOT",
        "IMPAIRED_STATUS_FIELD": "Impaired",
        "IMPAIRED_NAME_FIELD": "Name",
    }
    dem = DemSource(str(shared_data / "bangor" / "dem_ft.tif"), z_unit="foot")
    return ScreeningInputs(read("SITES", "parcels"), layers, fields, dem)


@pytest.fixture(scope="module")
def screened(inputs: ScreeningInputs) -> Screening:
    options = Options(impaired_status_values=("Y",))
    return screen(inputs, load_ordinance("lake_george", date(2025, 6, 1)), options)


def test_594_parcels_in_and_594_out_in_order(inputs: ScreeningInputs, screened: Screening) -> None:
    ids = inputs.sites.frame["MAP_LOT"]
    assert len(screened.columns) == len(ids) == 594
    given = ids.where(ids.notna() & (ids.str.strip() != ""), None)
    assert list(screened.columns["site_id"]) == [None if pd.isna(i) else i for i in given]


def test_areas_agree_with_the_ellipsoid(inputs: ScreeningInputs, screened: Screening) -> None:
    frame = inputs.sites.frame.to_crs("EPSG:4269")
    geod = frame.crs.get_geod()
    square_feet = [
        abs(geod.geometry_area_perimeter(shape)[0]) / 0.3048**2 for shape in frame.geometry
    ]
    np.testing.assert_allclose(screened.columns["disturb_sf"], square_feet, rtol=1e-5)


def test_the_84_parcels_that_touch_a_listed_stream_are_named_after_it(
    inputs: ScreeningInputs, screened: Screening
) -> None:
    streams = inputs.layers["IMPAIRED"][0].frame
    listed = streams[streams["Impaired"] == "Y"].union_all()
    touching = inputs.sites.frame.intersects(listed).to_numpy()
    assert touching.sum() == 84
    impaired = screened.columns["impaired"]
    named = ~impaired.str.startswith(("review", "unknown")) & (impaired != "none mapped")
    # Runoff of other parcels reaches a listed stream too; of these it is certain.
    assert named[touching].all()


def test_condition_a_is_never_no_where_no_tmdl_layer_was_given(screened: Screening) -> None:
    activity = screened.columns["lda"] == "yes"
    assert set(screened.columns["cond_a"][activity]) == {"unknown"}


def test_distances_to_water_agree_with_a_plain_search(
    inputs: ScreeningInputs, screened: Screening
) -> None:
    layers = (*inputs.layers["WATER_BODIES"], *inputs.layers["WATERCOURSES"])
    shapes = np.concatenate([np.asarray(layer.frame.geometry.array) for layer in layers])
    sites = np.asarray(inputs.sites.frame.geometry.array)[::25]
    tree = shapely.STRtree(shapes)
    (site, _), found = tree.query_nearest(sites, return_distance=True, all_matches=False)
    survey_feet = 1200 / 3937 / 0.3048
    ours = screened.columns["water_ft"].to_numpy()[::25][site]
    np.testing.assert_allclose(ours, found * survey_feet, rtol=2e-4, atol=0.02)


def test_the_dem_does_not_say_its_unit_so_the_run_asks(inputs: ScreeningInputs) -> None:
    assert inputs.dem is not None
    silent = ScreeningInputs(inputs.sites, {}, {}, DemSource(inputs.dem.path))
    with pytest.raises(InputError, match="DEM_Z_UNIT"):
        screen(silent, load_ordinance("wilton", date(2025, 6, 1)))
