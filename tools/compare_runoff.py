"""Follow the runoff of parcels with GRASS as well, and say where it and the screening disagree.

    tools/qgis python3 tools/compare_runoff.py FOLDER [--pictures FOLDER]

FOLDER holds bangor.gpkg and dem_ft.tif. Runoff of each parcel is followed by the screening, and on
the raster itself by GRASS r.watershed (single flow direction) cell by cell to the first mapped
water. Printed are how the screening's paths end, how many climb or cross a ridge on the raster, for
how many parcels the two engines name the same water, and each parcel for which they disagree on
whether that water is listed, with what a third way says: straight down the bilinear ground in steps
of 5 ft, which no cell turns aside and every hollow stops. With ``--pictures`` these parcels are
drawn.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd
import rasterio
import shapely
from rasterio.features import rasterize

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from stormwater_screen.dem import Dem  # noqa: E402
from stormwater_screen.features import WaterLayer  # noqa: E402
from stormwater_screen.flow_cells import cells_touched  # noqa: E402
from stormwater_screen.flow_grid import EDGE, PIT, route  # noqa: E402
from stormwater_screen.flow_ground import CELL_FT, FlowGround  # noqa: E402
from stormwater_screen.flow_path import trace  # noqa: E402
from stormwater_screen.layers import read_layer  # noqa: E402
from stormwater_screen.listing_rows import ListingFields, listing_rows  # noqa: E402
from stormwater_screen.network import Network, build_network  # noqa: E402
from stormwater_screen.receiving import PIT_FT, ReceivingResult, measure_receiving  # noqa: E402
from stormwater_screen.receiving_tiles import (  # noqa: E402
    follow_tile,
    longest_first,
    site_starts,
    tiles,
    window_terrain,
)
from stormwater_screen.tables import pollutant_table  # noqa: E402
from stormwater_screen.vicinity import Group, groups  # noqa: E402

LAYERS = {
    "WATERCOURSES": ("streams_impaired_flag", "drainage_draw", "ditch", "rivers"),
    "WATER_BODIES": ("ponds",),
    "IMPAIRED": ("streams_impaired_flag",),
}
FIELDS = ListingFields(name="Name", status="Impaired", status_values=("Y",))
STEP_FT = 5.0
MOST_STEPS = 2_000
LOST = "(lost)"
ACRE_SQFT = 43_560.0

_STEPS = {1: (-1, 1), 2: (-1, 0), 3: (-1, -1), 4: (0, -1), 5: (1, -1), 6: (1, 0), 7: (1, 1),
          8: (0, 1)}  # fmt: skip
"""Rows down and columns right of GRASS's directions, counter-clockwise from north-east."""

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Town:
    """Parcels with the water around them in their plane, and the ids of the parcels."""

    group: Group
    ids: npt.NDArray[np.object_]
    network: Network
    listed: npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Raster:
    """The ground as GRASS sees it: elevations, place, and the next cell of each; -1: none."""

    ground: npt.NDArray[np.float64]
    transform: rasterio.Affine
    crs: rasterio.CRS
    following: Numbers


def read_town(folder: Path, dem: Dem) -> Town:
    """Return the parcels and the mapped water."""
    source = folder / "bangor.gpkg"
    sites = read_layer(source, role="SITES", geometry="polygon", layer="parcels")
    layers = {
        role: tuple(read_layer(source, role=role, geometry="any", layer=name) for name in names)
        for role, names in LAYERS.items()
    }
    (group,) = groups(sites.frame, layers)
    listings = listing_rows(
        [(layer.name, layer.frame) for layer in group.of("IMPAIRED")],
        role="IMPAIRED", fields=FIELDS, pollutants=pollutant_table(),
    )  # fmt: skip
    network = build_network(_hydrography(group), listings, dem, group.crs, match_ft=40.0)
    listed = np.zeros(len(network.geometry), bool)
    listed[network.listed["piece"].to_numpy(np.int64)] = True
    ids = sites.frame["MAP_LOT"].fillna("(none)").astype(str).to_numpy(object)
    return Town(group, ids[group.positions], network, listed)


def _hydrography(group: Group) -> list[WaterLayer]:
    return [layer for role in ("WATERCOURSES", "WATER_BODIES") for layer in group.of(role)]


def label(network: Network, piece: Numbers) -> npt.NDArray[np.object_]:
    """Return a name for the water of each piece that tells unnamed ones apart."""
    own = np.array([f"{layer} {n}" for layer, n in zip(network.layer, network.water, strict=True)],
                   dtype=object)  # fmt: skip
    names = np.where(network.name == "", own, network.name).astype(object)
    return np.where(piece < 0, LOST, names[np.maximum(piece, 0)]).astype(object)


def run_grass(dem: Path) -> npt.NDArray[np.int64]:
    """Return the directions of r.watershed on a raster."""
    layer = subprocess.run(
        [ROOT / "tools" / "grass"], check=True, capture_output=True, text=True
    ).stdout.strip()
    (base,) = Path(layer).glob("usr/lib/grass*")
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        space = work / "location" / "PERMANENT"
        space.mkdir(parents=True)
        with rasterio.open(dem) as raster:
            height, width = raster.shape
            box, (cell_y, cell_x) = raster.bounds, raster.res
        # A location without a projection: directions need none.
        region = (
            f"proj: 0\nzone: 0\nnorth: {box.top}\nsouth: {box.bottom}\neast: {box.right}\n"
            f"west: {box.left}\ncols: {width}\nrows: {height}\n"
            f"e-w resol: {cell_x}\nn-s resol: {cell_y}\ntop: 1\nbottom: 0\ncols3: {width}\n"
            f"rows3: {height}\ndepths: 1\ne-w resol3: {cell_x}\nn-s resol3: {cell_y}\n"
            "t-b resol: 1\n"
        )
        for file in ("WIND", "DEFAULT_WIND"):
            (space / file).write_text(region, encoding="utf-8")
        (work / "rc").write_text(
            f"GISDBASE: {work}\nLOCATION_NAME: location\nMAPSET: PERMANENT\n", encoding="utf-8"
        )
        environment = {
            **os.environ, "GISBASE": str(base), "GISRC": str(work / "rc"),
            "LD_LIBRARY_PATH": os.pathsep.join(
                [str(base / "lib"), *map(str, Path(layer).glob("usr/lib/*-linux-gnu"))]
            ),
        }  # fmt: skip

        def call(module: str, *arguments: str) -> None:
            subprocess.run([base / "bin" / module, *arguments, "--quiet"], check=True,
                           env=environment)  # fmt: skip

        with rasterio.open(dem) as raster:
            ground = raster.read(1, masked=True).filled(np.nan).astype("<f4")
        (work / "ground").write_bytes(ground.tobytes())
        call("r.in.bin", "-f", f"input={work / 'ground'}", "output=ground", "anull=nan",
             f"north={box.top}", f"south={box.bottom}", f"east={box.right}", f"west={box.left}",
             f"rows={height}", f"cols={width}")  # fmt: skip
        call("r.watershed", "-s", "elevation=ground", "drainage=way", "accumulation=flow")
        call("r.out.bin", "-i", "input=way", f"output={work / 'way'}", "bytes=4", "null=0")
        way = np.frombuffer((work / "way").read_bytes(), dtype="<i4").reshape(height, width)
    return way.astype(np.int64)


def read_raster(path: Path) -> Raster:
    """Return the raster with the next cell of each by GRASS."""
    way = run_grass(path)
    with rasterio.open(path) as raster:
        ground = raster.read(1, masked=True).filled(np.nan).astype(np.float64)
        rows, columns = ground.shape
        row, column = np.indices(ground.shape)
        following = np.full(ground.shape, -1)
        for code, (down, right) in _STEPS.items():
            r, c = row + down, column + right
            inside = (way == code) & (r >= 0) & (r < rows) & (c >= 0) & (c < columns)
            following[inside] = (r * columns + c)[inside]
        return Raster(ground, raster.transform, raster.crs, following.ravel())


def follow_with_grass(town: Town, raster: Raster) -> tuple[pd.DataFrame, dict[int, Numbers]]:
    """Return for each parcel and piece of water how many cells drain there, and the paths."""
    network, crs = town.network, town.group.crs
    pieces = np.asarray(gpd.GeoSeries(network.geometry, crs=crs).to_crs(raster.crs), dtype=object)
    usable = np.flatnonzero(network.takes_runoff)
    rows, columns = raster.ground.shape
    wet = rasterize(
        pieces[usable], out_shape=(rows, columns), transform=raster.transform, all_touched=True
    ).ravel().astype(bool)  # fmt: skip
    sites = np.asarray(town.group.sites.geometry.to_crs(raster.crs).array, dtype=object)
    site, cell = _cells_of(sites, raster)
    paths = [cell]
    here, before, active = cell.copy(), cell.copy(), np.arange(len(cell))
    while len(active):
        going = ~wet[here[active]] & (raster.following[here[active]] >= 0)
        active = active[going & (len(paths) < rows + columns)]
        before[active] = here[active]
        here[active] = raster.following[here[active]]
        paths.append(here.copy())
    entry = (_xy(before, raster) + _xy(here, raster)) / 2
    piece = np.full(len(cell), -1)
    ended = np.flatnonzero(wet[here])
    near, found = shapely.STRtree(pieces[usable]).query_nearest(
        shapely.points(entry[ended]), all_matches=False
    )
    piece[ended[near]] = usable[found]
    table = pd.DataFrame({"site": site, "piece": piece})
    told = {number: np.stack(paths)[:, site == number] for number in np.unique(site)}
    shares = table.groupby(["site", "piece"]).size().rename("cells").reset_index()
    return shares.assign(code=-1, filled_ft=np.nan), told


def _cells_of(sites: npt.NDArray[np.object_], raster: Raster) -> tuple[Numbers, Numbers]:
    rows, columns = raster.ground.shape
    xy = _xy(np.arange(rows * columns), raster)
    site, cell = shapely.STRtree(shapely.points(xy)).query(sites, predicate="contains")
    lacking = np.setdiff1d(np.arange(len(sites)), site)
    inner = shapely.get_coordinates(shapely.point_on_surface(sites[lacking]))
    column, row = ~raster.transform * inner.T
    own = np.floor(row).astype(np.int64) * columns + np.floor(column).astype(np.int64)
    known = np.isfinite(raster.ground.ravel()[cell])
    return np.concatenate([site[known], lacking]), np.concatenate([cell[known], own])


def _xy(cells: Numbers, raster: Raster) -> npt.NDArray[np.float64]:
    row, column = np.divmod(cells, raster.ground.shape[1])
    return np.stack(raster.transform * (column + 0.5, row + 0.5), axis=-1)


def main_waters(shares: pd.DataFrame, town: Town) -> pd.DataFrame:
    """Return for each site the water that receives most, and whether it is listed."""
    piece = shares["piece"].to_numpy(np.int64)
    table = shares.assign(
        water=label(town.network, piece), listed=(piece >= 0) & town.listed[np.maximum(piece, 0)]
    )
    table = table.sort_values(["site", "cells"], ascending=[True, False], kind="stable")
    by_water = table.groupby(["site", "water"], as_index=False).agg(
        cells=("cells", "sum"), listed=("listed", "any"), piece=("piece", "first"),
        code=("code", "first"), filled_ft=("filled_ft", "max"),
    )  # fmt: skip
    whole = by_water.groupby("site")["cells"].transform("sum")
    by_water["share"] = by_water["cells"] / whole
    order = by_water.sort_values(["site", "share", "water"], ascending=[True, False, True])
    told = order[order["share"] >= 0.05]
    first = order.drop_duplicates("site").set_index("site")
    first["all"] = (told["water"] + " " + (told["share"] * 100).map("{:.0f}%".format)).groupby(
        told["site"]
    ).agg(", ".join)  # fmt: skip
    first["waters"] = told.groupby("site")["water"].agg(frozenset)
    return first


def print_reasons(both: pd.DataFrame, town: Town) -> None:
    """Print why the two engines name different waters, each parcel under the first that fits."""
    code, piece = (both[name].to_numpy(np.int64) for name in ("code", "piece"))
    other = both["piece_grass"].to_numpy(np.int64)
    shapes = town.network.geometry
    known = (piece >= 0) & (other >= 0)
    apart = np.where(
        known, shapely.distance(shapes[np.maximum(piece, 0)], shapes[np.maximum(other, 0)]), np.inf
    )
    area = shapely.area(town.group.sites.geometry.to_numpy(object)[both.index.to_numpy()])
    reasons = [
        ("the screening stops in a depression", code == PIT),
        ("the screening stops at the edge of the DEM", code == EDGE),
        ("GRASS stops at the edge of the DEM", other < 0),
        ("the same waters, in another order of shares", both["waters"] == both["waters_grass"]),
        ("the way crosses a depression, filled half a foot or more", both["filled_ft"] >= 0.5),
        ("the two waters lie within two cells of each other", apart <= 2 * CELL_FT),
        ("parcel under an acre", area < ACRE_SQFT),
        ("none of these", np.ones(len(both), bool)),
    ]
    found = np.select([chosen for _, chosen in reasons], [name for name, _ in reasons], "")
    for name, _ in reasons:
        print(f"  {name}: {(found == name).sum()}")


def print_paths(found: ReceivingResult, dem: Dem) -> None:
    """Print how the screening's paths end, and how many climb on the raster itself."""
    outlets = found.outlets[found.outlets["counts"]]
    ends = outlets["ends"].value_counts().to_dict()
    print(f"{len(outlets)} paths that count end: {ends}")
    lines = outlets.geometry.to_numpy(object)
    lines = lines[~shapely.is_missing(lines)]
    xy, line = shapely.get_coordinates(shapely.segmentize(lines, STEP_FT), return_index=True)
    level = pd.Series(dem.elevation_ft(xy[:, 0], xy[:, 1], outlets.crs))
    by_line = level.groupby(line)
    climb = (level - by_line.cummin()).groupby(line).max()
    above = (level - by_line.transform("first")).groupby(line).max()
    cells = outlets["climb_ft"]
    print(
        f"climbing by the cells of 30 ft: {(cells > 1).sum()} more than 1 ft,"
        f" {(cells > 2).sum()} more than 2 ft, {(cells > 3).sum()} more than 3 ft"
    )
    print(
        f"climbing on the raster, every {STEP_FT:g} ft: {(climb > 3).sum()} more than 3 ft, at most"
        f" {climb.max():.1f} ft; rising above their start (a ridge): {(above > 1).sum()} more than"
        f" 1 ft, {(above > 3).sum()} more than 3 ft"
    )


def draw(folder: Path, town: Town, raster: Raster, site: int, own: npt.NDArray[np.object_],
         others: Numbers, title: str) -> None:  # fmt: skip
    """Draw a parcel with the paths of both engines over contours and mapped water."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    def moved(shapes: npt.NDArray[np.object_]) -> gpd.GeoSeries:
        return gpd.GeoSeries(shapes, crs=town.group.crs).to_crs(raster.crs)

    figure, axes = pyplot.subplots(figsize=(11, 11))
    parcel = moved(np.array([town.group.sites.geometry.iloc[site]], dtype=object))
    lines = [shapely.linestrings(_xy(path[:_length(path)], raster)) for path in others.T
             if _length(path) > 1]  # fmt: skip
    ours = moved(own[~shapely.is_missing(own)])
    whole = shapely.total_bounds(np.concatenate([parcel.to_numpy(), ours.to_numpy(), lines]))
    low, high = whole[:2] - 150, whole[2:] + 150
    rows, columns = raster.ground.shape
    x = (raster.transform * (np.arange(columns) + 0.5, 0))[0]
    y = (raster.transform * (0, np.arange(rows) + 0.5))[1]
    axes.contour(x, y, raster.ground, levels=np.arange(0, 400, 2), colors="0.6", linewidths=0.5)
    water = moved(town.network.geometry)
    water[~town.listed].plot(ax=axes, color="tab:blue", alpha=0.5)
    water[town.listed].plot(ax=axes, color="tab:red", alpha=0.5)
    parcel.boundary.plot(ax=axes, color="black", linewidth=2)
    gpd.GeoSeries(lines, crs=raster.crs).plot(ax=axes, color="tab:orange", linewidth=0.8)
    ours.plot(ax=axes, color="tab:green", linewidth=0.8)
    axes.set_xlim(low[0], high[0])
    axes.set_ylim(low[1], high[1])
    axes.set_title(title + "\nred: listed; green: the screening's paths; orange: GRASS's", size=9)
    figure.savefig(folder / f"{site}.png", dpi=70)
    pyplot.close(figure)


def _length(path: Numbers) -> int:
    """Return how many cells a path has before it stands still."""
    still = np.flatnonzero(np.diff(path) == 0)
    return int(still[0]) + 1 if len(still) else len(path)


def all_paths(town: Town, dem: Dem, site: int) -> npt.NDArray[np.object_]:
    """Return the screening's path from every cell of a parcel."""
    shapes = np.array([town.group.sites.geometry.iloc[site]], dtype=object)
    ground, tree = FlowGround(dem, town.group.crs), shapely.STRtree(town.network.geometry)
    lines, nothing = [], np.empty(0, dtype=object)
    for window, _ in tiles(starts := site_starts(shapes)):
        terrain, _ = window_terrain(window, ground, town.network, tree, culverts=nothing)
        grid = route(terrain, pit_ft=PIT_FT)
        cells = (starts.row - window.bottom) * window.columns + starts.column - window.left
        lines.append(trace(grid, cells))
    return np.concatenate(lines)


def main() -> int:
    """Compare the two engines and return 0."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pictures", type=Path)
    given = parser.parse_args()
    path = given.folder / "dem_ft.tif"
    raster = read_raster(path)
    with Dem.open(str(path), z_unit="foot") as dem:
        town = read_town(given.folder, dem)
        group = town.group
        found = measure_receiving(
            group.sites, dem, _hydrography(group), group.of("IMPAIRED"), impaired_fields=FIELDS
        )
        print_paths(found, dem)
        ours = main_waters(_our_shares(town, dem), town)
        grass, paths = follow_with_grass(town, raster)
        theirs = main_waters(grass, town)
        both = ours.join(theirs, rsuffix="_grass", how="inner")
        same = both["water"] == both["water_grass"]
        alike = both["listed"] == both["listed_grass"]
        print(f"{len(both)} parcels: the same water receives most for {same.sum()}"
              f" ({same.mean():.1%}); agreed on whether it is listed: {alike.sum()}"
              f" ({alike.mean():.1%})")  # fmt: skip
        print_reasons(both[~same], town)
        third = main_waters(descend(town, dem, both.index[~same].to_numpy()), town)
        both = both.join(third, rsuffix="_third")
        stopped = both["water_third"] == LOST
        for name, chosen in (("differ", ~same), ("differ on whether it is listed", ~alike)):
            some = both[chosen]
            print(
                f"where they {name}, straight down the raster: as ours"
                f" {(some['water'] == some['water_third']).sum()}, as GRASS"
                f" {(some['water_grass'] == some['water_third']).sum()}, stopped in a hollow"
                f" {((some['water'] != some['water_third']) & stopped[chosen]).sum()},"
                f" of {len(some)}"
            )
        for site, row in both[~alike].iterrows():
            told = (
                f"ours {row['all']} | GRASS {row['all_grass']} | straight down {row['all_third']}"
            )
            print(f"{town.ids[site]}: {told}")
            if given.pictures:
                given.pictures.mkdir(parents=True, exist_ok=True)
                title = f"{town.ids[site]}\n" + told.replace(" | ", "\n")
                draw(given.pictures, town, raster, site, all_paths(town, dem, site),
                     paths[site], title)  # fmt: skip
    return 0


def descend(town: Town, dem: Dem, sites: Numbers) -> pd.DataFrame:
    """Return for parcels and pieces of water how many points lead there straight down."""
    crs, shapes = town.group.crs, town.group.sites.geometry.to_numpy(object)[sites]
    starts = site_starts(shapes)
    xy = (np.column_stack([starts.column, starts.row]) + 0.5) * CELL_FT
    usable = np.flatnonzero(town.network.takes_runoff)
    tree = shapely.STRtree(town.network.geometry[usable])
    piece, active = np.full(len(xy), -1), np.arange(len(xy))
    reach = CELL_FT / 2
    for _ in range(MOST_STEPS):
        found, near = tree.query_nearest(
            shapely.points(xy[active]), max_distance=reach, all_matches=False
        )
        piece[active[found]] = usable[near]
        active = np.delete(active, found)
        if not len(active):
            break
        x, y = xy[active].T
        east = dem.elevation_ft(x + reach, y, crs) - dem.elevation_ft(x - reach, y, crs)
        north = dem.elevation_ft(x, y + reach, crs) - dem.elevation_ft(x, y - reach, crs)
        steep = np.hypot(east, north)
        moving = steep > 0
        active = active[moving]
        xy[active] -= STEP_FT * np.column_stack([east, north])[moving] / steep[moving, None]
    table = pd.DataFrame({"site": sites[starts.site], "piece": piece, "cells": starts.points})
    shares = table.groupby(["site", "piece"], as_index=False)["cells"].sum()
    return shares.assign(code=-1, filled_ft=np.nan)


def _our_shares(town: Town, dem: Dem) -> pd.DataFrame:
    """Return for each parcel and piece of water how many points drain there."""
    ground, tree = FlowGround(dem, town.group.crs), shapely.STRtree(town.network.geometry)
    shapes = np.asarray(town.group.sites.geometry.array, dtype=object)
    nothing = np.empty(0, dtype=object)
    sewers = np.column_stack(cells_touched(nothing)[1:])
    tables = []
    starts = site_starts(shapes)
    for window, own in tiles(starts):
        terrain, water = window_terrain(window, ground, town.network, tree, culverts=nothing)
        grid = route(terrain, pit_ft=PIT_FT)
        some = starts.take(own)
        tables.append(follow_tile(window, some, grid, water, town.network, sewers))
    whole = longest_first(pd.concat(tables, ignore_index=True))
    names = {"row": "site", "points": "cells", "deepest_ft": "filled_ft"}
    return whole[["row", "piece", "points", "code", "deepest_ft"]].rename(columns=names)


if __name__ == "__main__":
    sys.exit(main())
