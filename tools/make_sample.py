"""Write the sample town: lots, layers, ground and known answers.

``make_sample.py [FOLDER]`` writes to ``resources/sample`` unless another folder is named. The town
is invented; it lies near the village of Lake George, New York (43.426 N, 73.712 W), and its
coordinates are EPSG:26918 (NAD83 / UTM zone 18N, metres). Distances and areas are laid out in feet
on an equal-area plane at the town's centre, so that a lot of 43,560 sq ft has them on the ground.
"""

from __future__ import annotations

import csv
import os
import sys
from pathlib import Path

os.environ.setdefault("OGR_CURRENT_DATE", "2025-01-01T00:00:00.000Z")  # same bytes every time

import geopandas as gpd
import numpy as np
import pandas as pd
import pyproj
import rasterio
import shapely
from rasterio.transform import from_origin
from sample_town import land, limits, lots
from shapely import Polygon, box

ROOT = Path(__file__).resolve().parent.parent
CENTRE_LAT, CENTRE_LON = 43.426, -73.712
CENTRE_X, CENTRE_Y = 2600.0, 2100.0
PLANE = pyproj.CRS.from_proj4(
    f"+proj=laea +lat_0={CENTRE_LAT} +lon_0={CENTRE_LON} +datum=NAD83 +units=m +no_defs"
)
MAP = pyproj.CRS.from_epsg(26918)
FOOT_M = 0.3048
CELL_M = 2.0
NODATA = -9999.0


def to_map(x_ft: np.ndarray, y_ft: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return map coordinates, metres, of places in the town's feet."""
    forward = pyproj.Transformer.from_crs(PLANE, MAP, always_xy=True)
    return forward.transform((x_ft - CENTRE_X) * FOOT_M, (y_ft - CENTRE_Y) * FOOT_M)


def to_town(x_m: np.ndarray, y_m: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the town's feet of places in map coordinates, metres."""
    back = pyproj.Transformer.from_crs(MAP, PLANE, always_xy=True)
    x, y = back.transform(x_m, y_m)
    return x / FOOT_M + CENTRE_X, y / FOOT_M + CENTRE_Y


def on_map(shape: shapely.Geometry | None) -> shapely.Geometry | None:
    """Return a shape of the town in map coordinates, to a tenth of a millimetre."""
    if shape is None:
        return None
    return shapely.transform(
        shape, lambda xy: np.round(np.column_stack(to_map(xy[:, 0], xy[:, 1])), 5)
    )


def lot_frame() -> gpd.GeoDataFrame:
    """Return the lots with what their applications say."""
    rows = [
        {
            "lot": lot.lot,
            "dist_sqft": lot.dist,
            "newimp_sqft": lot.imp,
            "project_type": lot.project_type,
            "plan_id": lot.plan,
            "plan_total_sqft": lot.plan_total,
            "max_open_sqft": lot.max_open,
            "lots": lot.lots,
            "lot_max_sqft": lot.lot_max,
            "road_sqft": lot.road,
            "high_traffic": lot.high_traffic,
            "attested": lot.attested,
            "swppp": lot.swppp,
            "note": lot.note,
            "geometry": on_map(_shape(lot)),
        }
        for lot in lots.ALL_LOTS
    ]
    numbers = ("dist_sqft", "newimp_sqft", "plan_total_sqft", "max_open_sqft", "lots",
               "lot_max_sqft", "road_sqft")  # fmt: skip
    frame = pd.DataFrame(rows).astype(dict.fromkeys(numbers, "float64"))
    return gpd.GeoDataFrame(frame, geometry="geometry", crs=MAP)


def _shape(lot: lots.Lot) -> Polygon | None:
    if lot.ring is not None:
        return Polygon(lot.ring)
    if lot.box is None:
        return None
    west, south, width, height = lot.box
    return box(west, south, west + width, south + height)


def write_layers(path: Path) -> None:
    """Write the lots and every other layer to one GeoPackage."""
    path.unlink(missing_ok=True)
    lot_frame().to_file(path, layer="lots", driver="GPKG", geometry_type="Polygon")
    for name, make in land.LAYERS.items():
        frame = gpd.GeoDataFrame(make(), geometry="geometry", crs=MAP)
        frame["geometry"] = [on_map(shape) for shape in frame.geometry]
        frame.to_file(path, layer=name, driver="GPKG")


def write_dem(path: Path) -> None:
    """Write the ground as a raster of metres; the file states its unit."""
    west, south, east, north = land.TOWN
    corners = to_map(np.array([west, east, west, east]), np.array([south, south, north, north]))
    left, top = np.floor(corners[0].min() / 10) * 10, np.ceil(corners[1].max() / 10) * 10
    columns = int(np.ceil((corners[0].max() - left) / CELL_M))
    rows = int(np.ceil((top - corners[1].min()) / CELL_M))
    x = left + (np.arange(columns) + 0.5) * CELL_M
    y = top - (np.arange(rows) + 0.5) * CELL_M
    grid_x, grid_y = np.meshgrid(x, y)
    town_x, town_y = to_town(grid_x.ravel(), grid_y.ravel())
    metres = land.ground_ft(town_x, town_y).reshape(grid_x.shape) * FOOT_M
    profile = {
        "driver": "GTiff", "dtype": "float32", "count": 1, "width": columns, "height": rows,
        "crs": MAP.to_wkt(), "transform": from_origin(left, top, CELL_M, CELL_M), "nodata": NODATA,
        "compress": "deflate", "predictor": 3, "zlevel": 9,
    }  # fmt: skip
    with rasterio.open(path, "w", **profile) as file:
        file.write(np.where(np.isnan(metres), NODATA, metres).astype("float32"), 1)
        file.units = ("metre",)
        file.set_band_description(1, "ground elevation")


def write_expected(path: Path) -> None:
    """Write the known answers of the sites."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, lots.EXPECTED_COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(lots.expected_rows())


def write_expected_findings(path: Path) -> None:
    """Write what findings must say at the limits."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(limits.LIMIT_COLUMNS)
        writer.writerows(limits.LIMITS)


def main(folder: Path) -> None:
    """Write the sample town to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    write_layers(folder / "sample.gpkg")
    write_dem(folder / "dem.tif")
    write_expected(folder / "expected.csv")
    write_expected_findings(folder / "expected_findings.csv")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "resources" / "sample")
