"""Real layers made of the rows of decision_cases.csv, so that the whole way of the data is tried.

Each case is a lot of 300 ft with its typed facts. Lots without a listing stand 1,000 ft apart; a
lot with one stands two miles from every other, in its listed water or TMDL watershed. The ground of
a lot rises eastwards by the slope of its row.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import geopandas as gpd
import numpy as np
import pandas as pd
import shapely

from tests.terrain import LAKE_GEORGE, PLANE, Floats, write_dem

LOT_FT = 300.0
APART_FT = 1_000.0
FAR_FT = 2 * 5_280.0
GENTLE_PERCENT = 5.0
ACROSS = 7


@dataclass(frozen=True)
class CaseTown:
    """Layers by parameter name, and the DEM."""

    layers: dict[str, gpd.GeoDataFrame]
    dem: Path


FIELDS = {
    "SITE_ID": "id",
    "DISTURBED_FIELD": "dist_sqft",
    "IMPERVIOUS_FIELD": "newimp_sqft",
    "PROJECT_TYPE_FIELD": "project_type",
    "PLAN_FIELD": "plan",
    "PLAN_TOTAL_FIELD": "plan_total_sqft",
    "LOTS_FIELD": "lots",
    "LOT_MAX_FIELD": "lot_max_sqft",
    "ROAD_FIELD": "road_sqft",
    "SOIL_PERC_FIELD": "perc_min_in",
    "IMPAIRED_POLLUTANT_FIELD": "pollutant",
    "TMDL_POLLUTANT_FIELD": "pollutant",
    "TMDL_SOURCE_FIELD": "source",
}


def build(rows: pd.DataFrame, folder: Path) -> CaseTown:
    """Return the layers of some rows, read as text; the same layers are given for all of them."""
    listed = rows["listing"].str.contains(":").to_numpy()
    x, y = _places(listed)
    half = LOT_FT / 2
    shapes = shapely.box(x - half, y - half, x + half, y + half)
    lots = _frame(rows.assign(plan=_plan(rows)), shapes)
    for column in ("dist_sqft", "newimp_sqft", "plan_total_sqft", "lots", "lot_max_sqft"):
        lots[column] = pd.to_numeric(lots[column].replace("", None))
    soils = _frame(rows[["perc_min_in"]], shapes)
    soils["perc_min_in"] = pd.to_numeric(soils["perc_min_in"].replace("", None))
    layers = {
        "SITES": lots,
        "SOILS": soils,
        "BUILDING_CENTRES": _frame(rows[["id"]], shapely.points(x, y)),
        "COVERAGE": _frame(
            pd.DataFrame({"name": ["all"]}),
            [shapely.box(x.min() - FAR_FT, y.min() - FAR_FT, x.max() + FAR_FT, y.max() + FAR_FT)],
        ),
    }
    if (rows["listing"] != "not_supplied").all():
        layers.update(_listings(rows, shapes))
    return CaseTown(layers, _ground(rows, x, y, folder))


def _places(listed: np.ndarray) -> tuple[Floats, Floats]:
    x0, y0 = LAKE_GEORGE
    order, far = np.cumsum(~listed) - 1, np.cumsum(listed)
    near_x, near_y = x0 + APART_FT * (order % ACROSS), y0 + APART_FT * (order // ACROSS)
    return (
        np.where(listed, x0 - FAR_FT, near_x),
        np.where(listed, y0 - FAR_FT * far, near_y),
    )


def _plan(rows: pd.DataFrame) -> list[str | None]:
    words = {"no": "none", "unknown": None}
    return [
        f"plan of {case}" if plan == "yes" else words[plan]
        for case, plan in zip(rows["id"], rows["common_plan"], strict=True)
    ]


def _listings(rows: pd.DataFrame, lots: np.ndarray) -> dict[str, gpd.GeoDataFrame]:
    """Return the listed waters and TMDL watersheds; a far one stands in where there is none."""
    sources = {"stormwater": "urban stormwater", "": "atmospheric deposition", "unknown": None}
    found: dict[str, list[tuple[str | None, str | None, object]]] = {"303d": [], "tmdl": []}
    for listing, lot in zip(rows["listing"], lots, strict=True):
        kind, pollutant, source = (*listing.split(":"), "", "")[:3]
        if kind in found:
            found[kind].append((pollutant or None, sources[source], shapely.buffer(lot, 50.0)))
    away = shapely.box(-40_000.0, 80_000.0, -39_000.0, 81_000.0)
    layers = {}
    for kind, name in (("303d", "IMPAIRED"), ("tmdl", "TMDL")):
        entries = [*found[kind], ("sediment", "urban stormwater", away)]
        pollutant, source, shape = zip(*entries, strict=True)
        layers[name] = _frame(pd.DataFrame({"pollutant": pollutant, "source": source}), shape)
    return layers


def _ground(rows: pd.DataFrame, x: Floats, y: Floats, folder: Path) -> Path:
    percent = pd.to_numeric(rows["slope_pct"].replace("", None)).fillna(GENTLE_PERCENT).to_numpy()

    def surface(east: Floats, north: Floats) -> Floats:
        across = np.rint((east - LAKE_GEORGE[0]) / APART_FT)
        up = np.rint((north - LAKE_GEORGE[1]) / APART_FT)
        height = np.zeros(np.shape(east))
        for place_x, place_y, slope in zip(x, y, percent, strict=True):
            mine = np.hypot(across * APART_FT + LAKE_GEORGE[0] - place_x, 0) < 1
            mine &= np.hypot(up * APART_FT + LAKE_GEORGE[1] - place_y, 0) < 1
            height = np.where(mine, slope / 100 * (east - place_x), height)
        return 500.0 + height

    size = APART_FT * (max(ACROSS, math.ceil(len(rows) / ACROSS)) + 1)
    middle = (LAKE_GEORGE[0] + size / 2 - APART_FT, LAKE_GEORGE[1] + size / 2 - APART_FT)
    return write_dem(folder / "dem.tif", surface, size_ft=size, centre=middle, cell=3.0)


def _frame(table: pd.DataFrame, shapes: object) -> gpd.GeoDataFrame:
    frame = gpd.GeoDataFrame(table.reset_index(drop=True), geometry=list(shapes), crs=PLANE)
    return frame.to_crs("EPSG:26918")
