"""The largest slope over a distance at every cell of a raster, written block by block."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import numpy as np
import pyproj
import rasterio
from rasterio.errors import RasterioError
from rasterio.windows import Window

from .dem import Dem
from .errors import InputError, ScreeningError
from .facts import Floats
from .lattice import LARGEST_BLOCK, Axis, Lattice
from .plane import plane_crs
from .progress import Progress, no_progress
from .radials import RUN_FT, unit_steps
from .sweep import Block, Slopes, block_slopes
from .threads import in_order

NODATA: Final = -9999.0
"""Value of cells whose slope is not wholly seen."""

SHORTEST_FT: Final = 1.0
LONGEST_FT: Final = 1_000.0
"""Shortest and longest run. A longer one would need windows that no memory is promised for."""

_EVERY_CELL: Final = Lattice(Axis(1, 1), Axis(1, 1), 0.0)


def write_slope_raster(
    dem: Dem,
    path: Path,
    *,
    run_ft: float = RUN_FT,
    workers: int | None = None,
    progress: Progress = no_progress,
) -> None:
    """Write a raster of the largest slope over a run, in percent, on the cells of a DEM.

    The raster is read and written by windows, so that its size does not matter.

    Parameters
    ----------
    dem
        Ground elevation.
    path
        GeoTIFF to write.
    run_ft
        Length of the run, feet.
    workers
        Threads; None: one for each processor.
    progress
        Called with the share done; raises to stop the run.

    Raises
    ------
    InputError
        The run is too short or too long, or the DEM is damaged.
    ScreeningError
        The raster cannot be written.

    Source
    ------
    Village of Lake George, section 220-58B(1)(b), for 100 ft.
    """
    if not SHORTEST_FT <= run_ft <= LONGEST_FT:
        raise InputError(
            "DISTANCE_FT", f"{run_ft:g} ft", f"{SHORTEST_FT:g} to {LONGEST_FT:,.0f} ft"
        )
    blocks = list(_blocks(dem))
    scales = _scales(dem, blocks)
    steps = unit_steps() * run_ft

    def slopes(at: int) -> Slopes:
        return block_slopes(dem, _EVERY_CELL, blocks[at], scales[at] @ steps, run_ft=run_ft)

    try:
        with (
            rasterio.open(path, "w", **_profile(dem)) as out,
            closing(in_order(slopes, range(len(blocks)), workers)) as parts,
        ):
            out.set_band_description(1, f"largest slope over {run_ft:g} ft")
            out.units = ("%",)
            for at, part in enumerate(parts):
                block = blocks[at]
                percent = np.where(part.complete, part.seen, np.float32(NODATA))
                size = (block.right - block.left, block.bottom - block.top)
                out.write(percent, 1, window=Window(block.left, block.top, *size))
                progress((at + 1) / len(blocks))
    except RasterioError as error:
        raise ScreeningError(f"{path}: the raster cannot be written ({error})") from error


def _profile(dem: Dem) -> dict[str, object]:
    return {
        "driver": "GTiff",
        "height": dem.height,
        "width": dem.width,
        "count": 1,
        "dtype": "float32",
        "crs": dem.crs.to_wkt(),
        "transform": dem.transform,
        "nodata": NODATA,
        "tiled": True,
        "blockxsize": LARGEST_BLOCK,
        "blockysize": LARGEST_BLOCK,
        "compress": "deflate",
        "predictor": 3,
        "bigtiff": "if_safer",
    }


def _blocks(dem: Dem) -> Iterator[Block]:
    side = LARGEST_BLOCK
    for row in range(-(-dem.height // side)):
        for column in range(-(-dem.width // side)):
            top, left = row * side, column * side
            bottom, right = min(top + side, dem.height), min(left + side, dem.width)
            yield Block(row, column, top, bottom, left, right)


def _scales(dem: Dem, blocks: list[Block]) -> Floats:
    """Return cells per foot in the middle of each block, shape (blocks, 2, 2).

    Lengths are taken on the working plane of each block's own place, as for sites.
    """
    rows = np.array([(block.top + block.bottom - 1) / 2 for block in blocks])
    columns = np.array([(block.left + block.right - 1) / 2 for block in blocks])
    longitude, latitude = dem.places(rows, columns, pyproj.CRS.from_epsg(4269))
    if not (np.isfinite(longitude).all() and np.isfinite(latitude).all()):
        raise InputError(dem.name, "part of it has no place on the earth", "a georeferenced DEM")
    keys = np.floor(np.column_stack([latitude, longitude]) + 0.5).astype(np.int64)
    scales = np.empty((len(blocks), 2, 2))
    for key in np.unique(keys, axis=0):
        members = (keys == key).all(axis=1)
        crs = plane_crs((int(key[0]), int(key[1])))
        x, y = dem.places(rows[members], columns[members], crs)
        scales[members] = dem.scales(x, y, crs)
    return scales
