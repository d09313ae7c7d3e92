"""Ground on a lattice of square cells fixed in the plane, for following runoff.

The lattice is the same for every run, and a cell's elevation depends on the raster alone, so that
a site's runoff never depends on the other sites.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pyproj
import shapely

from .dem import Dem, Piece, bilinear
from .facts import Floats
from .kept import Kept

CELL_FT: Final = 30.0
"""Side of a cell, in feet: about 10 m. Smaller cells follow every furrow and every kerb of a lidar
survey, larger ones lose lots and embankments."""

BLOCK_CELLS: Final = 176
"""Cells along the side of a block: 5,280 ft, one mile."""

BLOCK_FT: Final = CELL_FT * BLOCK_CELLS

TILE_CELLS: Final = 2 * BLOCK_CELLS
"""Cells along the side of a tile, on which runoff is followed at once: two miles."""

TILE_FT: Final = CELL_FT * TILE_CELLS

MOST_SAMPLES: Final = 5
"""Most elevations along each side of a cell that are averaged, so that a cell of a one-metre raster
stands for its whole area."""

_KEPT_BLOCKS: Final = 96
_WINDOW_CELLS: Final = 3_000_000

Booleans = npt.NDArray[np.bool_]
Singles = npt.NDArray[np.float32]


class Window(NamedTuple):
    """Cells of the lattice.

    The first eastwards and northwards from the plane's origin, and how many in each direction.
    """

    left: int
    bottom: int
    columns: int
    rows: int

    @property
    def left_ft(self) -> float:
        """Left edge in the plane, in feet."""
        return self.left * CELL_FT

    @property
    def bottom_ft(self) -> float:
        """Lower edge in the plane, in feet."""
        return self.bottom * CELL_FT

    @property
    def box(self) -> shapely.Polygon:
        """The window in the plane, in feet."""
        return shapely.box(
            self.left_ft,
            self.bottom_ft,
            self.left_ft + self.columns * CELL_FT,
            self.bottom_ft + self.rows * CELL_FT,
        )


class FlowGround:
    """Mean elevations of lattice cells, read block by block; some blocks are kept.

    Several threads may ask for them.

    Parameters
    ----------
    dem
        Open raster of ground elevation.
    crs
        The plane, in feet.
    """

    def __init__(self, dem: Dem, crs: pyproj.CRS) -> None:
        self._dem, self._crs = dem, crs
        row_ft, column_ft = dem.cell_ft(crs)
        self._samples = tuple(
            int(np.clip(np.rint(CELL_FT / side), 1, MOST_SAMPLES)) for side in (row_ft, column_ft)
        )
        self._blocks: Kept[tuple[int, int], tuple[Singles, Booleans]] = Kept(_KEPT_BLOCKS)

    def window(
        self, window: Window, look: Callable[[], None] = lambda: None
    ) -> tuple[Singles, Booleans]:
        """Return elevations of a window.

        Parameters
        ----------
        window
            Cells of the lattice.
        look
            Called before each block; raises to stop the run.

        Returns
        -------
        tuple of numpy.ndarray
            Elevations in feet, rows northwards, NaN where most of a cell is not known; and True
            where a cell lies off the raster.
        """
        left, bottom = window.left // BLOCK_CELLS, window.bottom // BLOCK_CELLS
        right = (window.left + window.columns - 1) // BLOCK_CELLS
        top = (window.bottom + window.rows - 1) // BLOCK_CELLS
        rows: list[list[tuple[Singles, Booleans]]] = []
        for j in range(bottom, top + 1):
            rows.append([])
            for i in range(left, right + 1):
                look()
                rows[-1].append(self._blocks.get((i, j), partial(self._read, i, j), look))
        from_row = window.bottom - bottom * BLOCK_CELLS
        from_column = window.left - left * BLOCK_CELLS
        inner = (
            slice(from_row, from_row + window.rows),
            slice(from_column, from_column + window.columns),
        )
        ground = np.block([[block[0] for block in row] for row in rows])[inner]
        off = np.block([[block[1] for block in row] for row in rows])[inner]
        return ground, off

    def at(self, x: Floats, y: Floats) -> Floats:
        """Return elevations of points of the plane, in feet; NaN where not known."""
        return self._dem.elevation_ft(x, y, self._crs)

    def _read(self, i: int, j: int) -> tuple[Singles, Booleans]:
        # One cell more on each side gives the scale between plane and raster at every cell.
        steps = (np.arange(-1, BLOCK_CELLS + 1) + 0.5) * CELL_FT
        x, y = np.meshgrid(i * BLOCK_FT + steps, j * BLOCK_FT + steps)
        row, column = self._dem.cells(x.ravel(), y.ravel(), self._crs)
        row, column = row.reshape(x.shape), column.reshape(x.shape)
        inner = (slice(1, -1), slice(1, -1))
        row_north, row_east = (slope[inner] for slope in np.gradient(row))
        column_north, column_east = (slope[inner] for slope in np.gradient(column))
        row, column = row[inner], column[inner]
        height, width = self._dem.height, self._dem.width
        off = ~((row > -0.5) & (row < height - 0.5) & (column > -0.5) & (column < width - 0.5))
        down, along = ((np.arange(count) + 0.5) / count - 0.5 for count in self._samples)
        # Axes: row and part of a cell northwards, column and part of a cell eastwards.
        north, east = down[None, :, None, None], along[None, None, None, :]
        values = self._elevations(
            _spread(row) + _spread(row_north) * north + _spread(row_east) * east,
            _spread(column) + _spread(column_north) * north + _spread(column_east) * east,
        )
        known = np.isfinite(values).sum(axis=(1, 3))
        total = np.nansum(values, axis=(1, 3))
        enough = known > len(down) * len(along) / 2
        ground = np.where(enough, total / np.maximum(known, 1), np.nan).astype(np.float32)
        return ground, off

    def _elevations(self, rows: Floats, columns: Floats) -> Floats:
        """Return bilinear elevations of many points, by strips that fit into memory."""
        values = np.full(rows.shape, np.nan)
        near = (rows > -1) & (rows < self._dem.height)
        near &= (columns > -1) & (columns < self._dem.width)
        if not near.any():
            return values
        cells = np.ptp(rows[near]) * np.ptp(columns[near])
        strips = int(np.clip(np.ceil(cells / _WINDOW_CELLS), 1, len(rows)))
        for strip in np.array_split(np.arange(len(rows)), strips):
            inside = near[strip]
            if not inside.any():
                continue
            some_rows, some_columns = rows[strip][inside], columns[strip][inside]
            top, left = (int(np.floor(part.min())) for part in (some_rows, some_columns))
            end, right = (int(np.ceil(part.max())) for part in (some_rows, some_columns))
            ground = self._dem.ground_ft(top, end + 1, left, right + 1)
            piece = Piece(strip, ground, top, left)
            values[strip] = bilinear(piece, rows[strip], columns[strip])
        return values


def _spread(values: Floats) -> Floats:
    return values[:, None, :, None]
