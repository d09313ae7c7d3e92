"""A made-up county of any size, the same every time: layers in a GeoPackage and a DEM."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import rasterio
import shapely
from rasterio.transform import from_origin
from rasterio.windows import Window

CRS = "EPSG:26918"
WEST, SOUTH = 590_000.0, 4_790_000.0
LOT_M = 64.0
"""Mean side of a lot: one acre."""

SHORELINE_VERTICES = 60_000
CELL_M = 3.0
LAND = 1.2
"""The lake takes about an eighth of the square."""

MARGIN_M = 600.0
"""Ground and streams beyond the outermost lots."""

_TILE = 512


@dataclass(frozen=True)
class County:
    """Files of a county.

    Attributes
    ----------
    lots
        Number of lots.
    layers
        GeoPackage with one table a layer, named by the parameters in lower case.
    dem
        Raster of elevation, metres.
    side_m
        Length of the square of the lots.
    wide
        Whether the lots lie apart, spread over a larger square.
    """

    lots: int
    layers: Path
    dem: Path
    side_m: float
    wide: bool = False

    def layer(self, name: str) -> str:
        """Return a layer as QGIS and the core understand it."""
        return f"{self.layers}|layername={name.lower()}"


LAYERS = (
    "SITES",
    "DISTURBANCE",
    "WATER_BODIES",
    "WATERCOURSES",
    "WETLANDS",
    "WATER_SUPPLIES",
    "LEACH_FIELDS",
    "SOILS",
    "IMPAIRED",
    "TMDL",
)


def make_county(
    folder: Path, lots: int, *, cell_m: float = CELL_M, side_m: float | None = None
) -> County:
    """Return a county of one-acre lots, made unless the folder has it already.

    Parameters
    ----------
    folder
        Where it is kept.
    lots
        Number of lots.
    cell_m
        Cell size of the DEM.
    side_m
        Length of a square that the lots are spread over; None: they fill their own.
    """
    wide = side_m is not None
    side = _side(lots) if side_m is None else side_m
    name = f"county_{lots}" + (f"_{side:g}m_{cell_m:g}m" if wide else "")
    county = County(lots, folder / f"{name}.gpkg", folder / f"{name}.tif", side, wide)
    done = folder / f"{name}.done"
    if done.exists():
        return county
    folder.mkdir(parents=True, exist_ok=True)
    county.layers.unlink(missing_ok=True)
    rng = np.random.default_rng(lots)
    # As much water and soil as where the lots fill the square.
    room = round(side**2 / LOT_M**2 / LAND) if wide else lots
    lake = _lake(side)
    sites = _sites(lots, side, lake, rng, spread=wide)
    bodies = _bodies(side, lake, room // 100, rng)
    courses = _streams(side, max(room // 250, 2), rng)
    frames = {
        "SITES": sites,
        "DISTURBANCE": _disturbance(sites, rng),
        "WATER_BODIES": bodies,
        "WATERCOURSES": courses,
        "WETLANDS": _frame(_blobs(side, room // 50, 80, 15.0, 60.0, rng)),
        "WATER_SUPPLIES": _points(sites, lots // 5, "well", rng),
        "LEACH_FIELDS": _points(sites, lots // 5, "leach field", rng),
        "SOILS": _soils(side, lots, rng),
        "IMPAIRED": _impaired(bodies),
        "TMDL": _tmdl(side),
    }
    for name in LAYERS:
        frames[name].to_file(county.layers, layer=name.lower(), driver="GPKG", engine="pyogrio")
    write_dem(county.dem, county.side_m, cell_m)
    done.touch()
    return county


def _side(lots: int) -> float:
    return float(np.ceil(np.sqrt(lots * LAND)) * LOT_M)


def _frame(geometry: Any, **columns: Any) -> gpd.GeoDataFrame:
    return gpd.GeoDataFrame(columns, geometry=geometry, crs=CRS)


def _lake(side: float) -> shapely.Polygon:
    """Return a lake of 60,000 vertices with bays at every scale; a star, so always valid."""
    angle = np.linspace(0, 2 * np.pi, SHORELINE_VERTICES, endpoint=False)
    shore = np.ones_like(angle)
    for waves, share in ((3, 0.2), (7, 0.12), (23, 0.06), (101, 0.02), (409, 0.006), (2003, 0.001)):
        shore += share * np.sin(waves * angle + waves)
    x = WEST + side * (0.45 + 0.13 * shore * np.cos(angle))
    y = SOUTH + side * (0.5 + 0.28 * shore * np.sin(angle))
    return shapely.Polygon(np.column_stack([x, y]))


def _quads(side: float, cell: float, jitter: float, rng: np.random.Generator) -> Any:
    """Return a coverage of quadrangles without gaps."""
    count = round(side / cell)
    steps = np.arange(count + 1) * cell
    x, y = np.meshgrid(WEST + steps, SOUTH + steps)
    x = x + rng.uniform(-jitter, jitter, x.shape)
    y = y + rng.uniform(-jitter, jitter, y.shape)
    corners = np.stack([x, y], axis=-1)
    rings = np.stack(
        [corners[:-1, :-1], corners[:-1, 1:], corners[1:, 1:], corners[1:, :-1]], axis=2
    )
    return shapely.polygons(rings.reshape(-1, 4, 2))


def _sites(
    lots: int, side: float, lake: shapely.Polygon, rng: np.random.Generator, *, spread: bool
) -> Any:
    quads = _quads(side, LOT_M, 8.0, rng)
    middle = shapely.get_coordinates(shapely.centroid(quads))
    shapely.prepare(lake)
    dry = quads[~shapely.contains_xy(lake, middle)]
    if len(dry) < lots:
        raise ValueError(f"room for {len(dry)} of {lots} lots")
    chosen = dry[np.linspace(0, len(dry) - 1, lots).astype(int)] if spread else dry[:lots]
    kinds = np.array(["single_family", "commercial", "residential_subdivision", "other"])
    return _frame(
        chosen,
        lot=[f"L{number:06d}" for number in range(lots)],
        owner=[f"Owner {number % 997}" for number in range(lots)],
        value=rng.integers(50_000, 900_000, lots),
        built=rng.integers(1890, 2024, lots),
        kind=kinds[rng.integers(0, len(kinds), lots)],
        open_sf=np.round(rng.uniform(500, 30_000, lots), 1),
    )


def _disturbance(sites: gpd.GeoDataFrame, rng: np.random.Generator) -> gpd.GeoDataFrame:
    centre = shapely.get_coordinates(shapely.centroid(sites.geometry.to_numpy()))
    half = rng.uniform(5.0, 24.0, (len(sites), 2))
    low, high = centre - half, centre + half
    return _frame(shapely.box(low[:, 0], low[:, 1], high[:, 0], high[:, 1]))


def _blobs(
    side: float, count: int, vertices: int, least: float, most: float, rng: np.random.Generator
) -> Any:
    """Return star-shaped polygons in random places."""
    count = max(count, 2)
    centre = rng.uniform(0.02, 0.98, (count, 1, 2)) * side + [WEST, SOUTH]
    angle = np.linspace(0, 2 * np.pi, vertices, endpoint=False)
    phase = rng.uniform(0, 6, (count, 1))
    radius = rng.uniform(least, most, (count, 1)) * (
        1 + 0.25 * np.sin(3 * angle + phase) + 0.1 * np.sin(11 * angle + 2 * phase)
    )
    star = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1)
    return shapely.polygons(centre + star)


def _bodies(side: float, lake: shapely.Polygon, ponds: int, rng: np.random.Generator) -> Any:
    shapes = np.r_[np.array([lake], dtype=object), _blobs(side, ponds, 40, 12.0, 45.0, rng)]
    names = ["Lake George"] + [f"Pond {number}" for number in range(1, len(shapes))]
    return _frame(shapes, GNIS_NAME=names)


def _streams(side: float, trunks: int, rng: np.random.Generator) -> gpd.GeoDataFrame:
    """Return streams of 15-m steps; each trunk has four branches that start on it."""
    steps = 120
    start = rng.uniform(0, 1, (trunks, 2)) * side + [WEST, SOUTH]
    heading = rng.uniform(0, 2 * np.pi, trunks)
    trunk = _walks(start, heading, steps, rng)
    lines, names = [trunk], [np.repeat(np.arange(trunks), 1)]
    for at in (20, 45, 70, 95):
        turn = heading + np.where(at % 2, 0.9, -0.9)
        lines.append(_walks(trunk[:, at], turn, steps // 2, rng))
        names.append(np.arange(trunks))
    shapes = np.concatenate([shapely.linestrings(part) for part in lines])
    number = np.concatenate(names)
    return _frame(shapes, GNIS_NAME=[f"Brook {one}" for one in number])


def _walks(start: Any, heading: Any, steps: int, rng: np.random.Generator) -> Any:
    wobble = np.cumsum(rng.normal(0, 0.12, (len(start), steps)), axis=1)
    angle = heading[:, None] + wobble
    move = 15.0 * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    return np.concatenate([start[:, None], start[:, None] + np.cumsum(move, axis=1)], axis=1)


def _points(sites: gpd.GeoDataFrame, count: int, kind: str, rng: np.random.Generator) -> Any:
    count = max(count, 2)
    chosen = rng.choice(len(sites), count, replace=False)
    centre = shapely.get_coordinates(shapely.centroid(sites.geometry.to_numpy()[chosen]))
    centre += rng.uniform(-20, 20, centre.shape)
    return _frame(shapely.points(centre), name=[f"{kind} {number}" for number in range(count)])


def _soils(side: float, lots: int, rng: np.random.Generator) -> gpd.GeoDataFrame:
    """Return a coverage of soils with curved edges that neighbours share."""
    quads = shapely.segmentize(_quads(side, LOT_M * 4.5, 60.0, rng), 12.0)

    def bent(xy: Any) -> Any:
        return xy + 14.0 * np.sin(xy[:, ::-1] / 37.0)

    shapes = shapely.transform(quads, bent)
    count = len(shapes)
    groups = np.array(["A", "B", "C", "D", "A/D", "B/D", None], dtype=object)
    return _frame(
        shapes,
        hsg=groups[rng.integers(0, len(groups), count)],
        ksat_r=np.round(rng.uniform(0.1, 120.0, count), 2),
        water_cm=np.round(rng.uniform(10, 200, count)),
        rock_cm=np.round(rng.uniform(20, 250, count)),
    )


def _impaired(bodies: gpd.GeoDataFrame) -> gpd.GeoDataFrame:
    listed = bodies.iloc[::10]
    pollutant = ["silt/sediment", "phosphorus", "pathogens", "mercury"] * (len(listed) // 4 + 1)
    return _frame(
        listed.geometry.to_numpy(),
        name=listed["GNIS_NAME"].to_numpy(),
        pollutant=pollutant[: len(listed)],
    )


def _tmdl(side: float) -> gpd.GeoDataFrame:
    """Return four watersheds with 4,000 vertices each."""
    angle = np.linspace(0, 2 * np.pi, 4_000, endpoint=False)
    radius = side * 0.17 * (1 + 0.15 * np.sin(5 * angle) + 0.03 * np.sin(61 * angle))
    star = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1)
    middle = np.array([(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)]) * side
    shapes = shapely.polygons(middle[:, None] + [WEST, SOUTH] + star)
    return _frame(
        shapes,
        name=[f"Watershed {number}" for number in range(4)],
        pollutant=["phosphorus", "nitrogen", "phosphorus", "pathogens"],
    )


def ground_m(x: Any, y: Any) -> Any:
    """Return the height of the ground in metres: hills from 5 km down to 40 m."""
    east, north = x - WEST, y - SOUTH
    height = 200 + 45 * np.sin(east / 900) * np.cos(north / 1100)
    height = height + 14 * np.sin(east / 230 + 1) * np.sin(north / 190)
    return height + 1.4 * np.sin(east / 41) * np.cos(north / 37) + 0.2 * np.sin(east / 6.3)


def write_dem(
    path: Path, side: float, cell_m: float, height: Callable[[Any, Any], Any] = ground_m
) -> None:
    """Write a tiled raster of elevation that covers a square and its margin, tile by tile."""
    size = int(np.ceil((side + 2 * MARGIN_M) / cell_m))
    top, left = SOUTH + side + MARGIN_M, WEST - MARGIN_M
    profile = {
        "driver": "GTiff", "width": size, "height": size, "count": 1, "dtype": "float32",
        "crs": CRS, "transform": from_origin(left, top, cell_m, cell_m), "nodata": -9999.0,
        "tiled": True, "blockxsize": _TILE, "blockysize": _TILE, "compress": "deflate",
        "predictor": 3, "zlevel": 1, "bigtiff": "if_safer",
    }  # fmt: skip
    with rasterio.open(path, "w", **profile) as raster:
        raster.units = ("metre",)
        for row in range(0, size, _TILE):
            for column in range(0, size, _TILE):
                tall, wide = min(_TILE, size - row), min(_TILE, size - column)
                x = left + (np.arange(column, column + wide) + 0.5) * cell_m
                y = top - (np.arange(row, row + tall) + 0.5) * cell_m
                # A row and a column: waves along each are worked out once, not for every cell.
                values = np.round(height(x[None, :], y[:, None]), 2).astype("float32")
                raster.write(
                    np.broadcast_to(values, (tall, wide)), 1, window=Window(column, row, wide, tall)
                )
