"""Ground, water and sites whose runoff a reader follows by head."""

from __future__ import annotations

from pathlib import Path

import geopandas as gpd
import numpy as np
from shapely.geometry import LineString, box
from shapely.geometry.base import BaseGeometry

from stormwater_screen.dem import Dem
from stormwater_screen.features import WaterLayer
from stormwater_screen.listing_rows import ListingFields
from stormwater_screen.receiving import ReceivingOptions, ReceivingResult, measure_receiving
from tests.terrain import LAKE_GEORGE, PLANE, Surface, write_dem

X, Y = LAKE_GEORGE


def lot(east: float, north: float, wide: float = 300.0, tall: float | None = None) -> BaseGeometry:
    """Return a lot with its lower left corner so far from the middle of the ground, in feet."""
    tall = wide if tall is None else tall
    return box(X + east, Y + north, X + east + wide, Y + north + tall)


def line(*places: tuple[float, float]) -> LineString:
    """Return a line through places given from the middle of the ground, in feet."""
    return LineString([(X + east, Y + north) for east, north in places])


def frame(*shapes: BaseGeometry, **columns: list[object]) -> gpd.GeoDataFrame:
    """Return shapes on the working plane."""
    return gpd.GeoDataFrame(columns, geometry=list(shapes), crs=PLANE)


def layer(role: str, *shapes: BaseGeometry, **columns: list[object]) -> WaterLayer:
    """Return a layer that covers the town."""
    whole = box(X - 20_000, Y - 20_000, X + 20_000, Y + 20_000)
    return WaterLayer(role.lower(), role, frame(*shapes, **columns), whole)


def streams(**named: LineString) -> WaterLayer:
    """Return named watercourses that run as they are drawn."""
    names = [name.replace("_", " ") for name in named]
    return layer("WATERCOURSES", *named.values(), GNIS_NAME=names, flowdir=[1] * len(names))


def listed(*shapes: BaseGeometry, name: str = "Mill Brook") -> WaterLayer:
    """Return waters listed for silt."""
    count = len(shapes)
    return layer("IMPAIRED", *shapes, Name=[name] * count, Pollutant=["Silt/Sediment"] * count)


FIELDS = ListingFields(name="Name", pollutant="Pollutant")


def receive(
    folder: Path,
    surface: Surface,
    sites: list[BaseGeometry | None],
    *layers: WaterLayer,
    impaired: WaterLayer | None = None,
    size_ft: float = 8_000.0,
    holes: Surface | None = None,
    options: ReceivingOptions | None = None,
    **more: gpd.GeoDataFrame,
) -> ReceivingResult:
    """Write the ground and follow the runoff of the sites."""
    roles = {one.role for one in layers}
    bodies = () if "WATER_BODIES" in roles else (layer("WATER_BODIES", far_pond()),)
    path = write_dem(
        folder / "ground.tif", surface, crs=PLANE, cell=15.0, size_ft=size_ft, z_unit="foot",
        holes=holes,
    )  # fmt: skip
    with Dem.open(str(path)) as dem:
        return measure_receiving(
            gpd.GeoDataFrame(geometry=sites, crs=PLANE),
            dem,
            [*layers, *bodies],
            [] if impaired is None else [impaired],
            impaired_fields=FIELDS,
            options=options,
            **more,
        )


def far_pond() -> BaseGeometry:
    """Return a pond that no runoff reaches."""
    return lot(15_000, 15_000)


def valley(side_percent: float = 10.0, fall_percent: float = 1.0) -> Surface:
    """Return a valley that falls southwards, with even sides east and west of the middle."""
    return lambda x, y: 500 + side_percent / 100 * np.abs(x - X) + fall_percent / 100 * (y - Y)


def ridge(percent: float = 10.0) -> Surface:
    """Return ground that falls east and west from the middle."""
    return lambda x, y: 600 - percent / 100 * np.abs(x - X)
