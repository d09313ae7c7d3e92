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

from .dem import Dem
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

_KEPT_BLOCKS: Final = 400
"""Some 160 KB each. Batches of sites that lie apart come back to the blocks of those before."""

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
        self._size = np.array([dem.height, dem.width]).reshape(2, 1, 1)
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
        # Axes: row and column; north and east.
        scales = np.stack([np.gradient(row), np.gradient(column)])[:, :, 1:-1, 1:-1]
        places = np.stack([row, column])[:, 1:-1, 1:-1]
        inside = (places > -0.5) & (places < self._size - 0.5)
        return self._means(places, scales), np.asarray(~inside.all(axis=0), bool)

    def _means(self, places: Floats, scales: Floats) -> Singles:
        """Return the mean of some elevations in each cell, by strips that fit into memory."""
        from .flow_kernels import cell_means  # numba takes a second to load

        down, along = ((np.arange(count) + 0.5) / count - 0.5 for count in self._samples)
        reach = np.abs(scales).sum(axis=1) / 2
        low, high = np.floor(places - reach), np.ceil(places + reach)
        near = ((high > -1) & (low < self._size)).all(axis=0)
        means = np.full(near.shape, np.nan, np.float32)
        if not near.any():
            return means
        cells = np.prod(high[:, near].max(axis=1) - low[:, near].min(axis=1))
        strips = int(np.clip(np.ceil(cells / _WINDOW_CELLS), 1, len(means)))
        for strip in np.array_split(np.arange(len(means)), strips):
            some = near[strip]
            if not some.any():
                continue
            top, left = low[:, strip][:, some].min(axis=1).astype(int).tolist()
            end, right = high[:, strip][:, some].max(axis=1).astype(int).tolist()
            ground = self._dem.ground_ft(top, end + 1, left, right + 1)
            own = np.ascontiguousarray(places[:, strip])
            turned = np.ascontiguousarray(scales[:, :, strip])
            means[strip] = cell_means(ground, (top, left), own, turned, down, along)
        return means
