"""Ground elevation from a raster: any CRS, any cell, read by windows, in international feet.

Positions on the raster are *cell coordinates*: (0, 0) is the centre of the first cell, rows count
down the file and columns along it. Between the centres of cells the ground is bilinear.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from pathlib import PurePath
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pyproj
import rasterio
from pyproj.exceptions import ProjError
from rasterio.enums import ColorInterp
from rasterio.errors import NotGeoreferencedWarning, RasterioError
from rasterio.windows import Window

from .crs import usable_crs
from .errors import InputError
from .facts import Floats
from .plane import transform_xy
from .progress import Progress, no_progress
from .vertical import vertical_unit

TILE_CELLS: Final = 1024
"""Points are read together where they fall into the same square of this many cells."""

SNAP_CELLS: Final = 1e-6
"""A point this close to a line of cell centres lies on it and needs no neighbour across it."""

LOWEST_FT: Final = -2_000.0
HIGHEST_FT: Final = 30_000.0
"""No ground lies outside these; such cells are holes (a nodata value that the file forgot)."""

CACHE_BYTES: Final = 256 * 2**20
"""Memory for blocks of the file. GDAL's own measure is a share of the machine's memory."""

_COLOURS: Final = frozenset(
    (ColorInterp.palette, ColorInterp.red, ColorInterp.green, ColorInterp.blue, ColorInterp.alpha)
)

DERIVATIVE_FT: Final = 100.0
"""Reach over which the scale between plane and raster is taken as constant around a point."""


class Piece(NamedTuple):
    """Points that are read together.

    Attributes
    ----------
    points
        Positions of the points.
    ground
        Elevation in feet, NaN in holes and off the raster.
    row, column
        Cell coordinates of ``ground[0, 0]``.
    """

    points: npt.NDArray[np.intp]
    ground: Floats
    row: int
    column: int


class Dem:
    """A raster of ground elevation; `Dem.open` makes one, and it closes as a context manager.

    Attributes
    ----------
    name
        File name as the user knows it.
    source
        Path, with the band where it is not the first.
    crs
        Horizontal CRS.
    z_unit
        ``metre``, ``foot`` or ``us_survey_foot``.
    height, width
        Rows and columns.
    transform
        From corners of cells (column, row) to the CRS.
    notes
        What the user should know about the file.
    """

    def __init__(self, dataset: rasterio.DatasetReader, path: str, band: int, z_unit: str) -> None:
        self._dataset, self._band = dataset, band
        self._lock = threading.Lock()
        self.name = PurePath(path).name or path
        self.source = path if band == 1 else f"{path}, band {band}"
        self.crs = usable_crs(dataset.crs, self.name)
        self.height, self.width = int(dataset.height), int(dataset.width)
        unit, notes = vertical_unit(dataset, band, z_unit, self.name)
        self.z_unit, self.notes = unit.name, notes
        scale, offset = float(dataset.scales[band - 1]), float(dataset.offsets[band - 1])
        self._factor, self._offset = scale * unit.feet, offset * unit.feet
        self.transform = dataset.transform
        affine = np.array(dataset.transform[:6], np.float64).reshape(2, 3)
        self._matrix, self._origin = affine[:, :2], affine[:, 2]
        self._inverse = np.linalg.inv(self._matrix)
        self._transformers: dict[pyproj.CRS, pyproj.Transformer] = {}

    @classmethod
    def open(cls, path: str, *, band: int = 1, z_unit: str = "auto") -> Dem:
        """Open a raster of ground elevation.

        Parameters
        ----------
        path
            File or address that rasterio opens.
        band
            Band number, from 1.
        z_unit
            ``metre``, ``foot``, ``us_survey_foot``, or ``auto``: the file says.

        Raises
        ------
        InputError
            The file cannot be read, has no such band, no place on the earth or no CRS, or its
            vertical unit is neither given nor in the file.
        """
        text = str(path)
        name = PurePath(text).name or text
        try:
            with warnings.catch_warnings():
                # A raster without georeference is refused below with a message of its own.
                warnings.simplefilter("ignore", NotGeoreferencedWarning)
                dataset = rasterio.open(text)
        except RasterioError as error:
            raise InputError(name, f"cannot be read ({error})", "a raster of elevation") from error
        try:
            _check(dataset, band, name)
            return cls(dataset, text, band, z_unit)
        except BaseException:
            dataset.close()
            raise

    def close(self) -> None:
        """Close the file, once no thread reads from it."""
        with self._lock:
            self._dataset.close()

    def __enter__(self) -> Dem:
        """Return the open raster."""
        return self

    def __exit__(self, *exception: object) -> None:
        """Close the file."""
        self.close()

    def elevation_ft(
        self, x: Floats, y: Floats, crs: pyproj.CRS, *, progress: Progress = no_progress
    ) -> Floats:
        """Return the ground's elevation at points.

        Parameters
        ----------
        x, y
            Coordinates of any shape.
        crs
            Their CRS, x east.

        Returns
        -------
        numpy.ndarray
            International feet in the shape of ``x``; NaN where a cell that the point needs is a
            hole or off the raster.

        Raises
        ------
        InputError
            The two CRSs cannot be brought together.
        """
        x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
        rows, columns = self.cells(x.ravel(), y.ravel(), crs)
        elevation = np.full(x.size, np.nan)
        for piece, share in self.pieces(rows, columns):
            points = piece.points
            elevation[points] = bilinear(piece, rows[points], columns[points])
            progress(share)
        return elevation.reshape(x.shape)

    def cells(self, x: Floats, y: Floats, crs: pyproj.CRS) -> tuple[Floats, Floats]:
        """Return cell coordinates (rows, columns) of points; NaN where there is no projection."""
        east, north = transform_xy(self._transformer(crs), x, y)
        shifted = np.stack([east, north]) - self._origin[:, None]
        shifted[:, ~np.isfinite(shifted).all(axis=0)] = np.nan
        columns, rows = self._inverse @ shifted - 0.5
        return rows, columns

    def places(self, rows: Floats, columns: Floats, crs: pyproj.CRS) -> tuple[Floats, Floats]:
        """Return coordinates (x, y) in a CRS of cell coordinates."""
        east, north = self._matrix @ np.stack([columns + 0.5, rows + 0.5]) + self._origin[:, None]
        return transform_xy(self._transformer(crs), east, north, inverse=True)

    def scales(self, x: Floats, y: Floats, crs: pyproj.CRS) -> Floats:
        """Return, for points of a plane in feet, cells per foot.

        Returns
        -------
        numpy.ndarray
            Shape (n, 2, 2): first axis rows, columns; second axis x, y. Central differences over
            100 ft each way, so that within 100 ft the error is of third order.
        """
        reach = DERIVATIVE_FT
        steps = np.array([[reach, 0.0], [-reach, 0.0], [0.0, reach], [0.0, -reach]])
        rows, columns = self.cells(
            (x[:, None] + steps[:, 0]).ravel(), (y[:, None] + steps[:, 1]).ravel(), crs
        )
        around = np.stack([rows.reshape(-1, 4), columns.reshape(-1, 4)], axis=1)
        differences = around[..., 0::2] - around[..., 1::2]
        return np.asarray(differences / (2 * reach), np.float64)

    def cell_ft(self, crs: pyproj.CRS) -> tuple[float, float]:
        """Return the largest distance in feet between rows and between columns, over the raster.

        Parameters
        ----------
        crs
            A plane in feet.

        Raises
        ------
        InputError
            No part of the raster has a place in the plane.
        """
        rows = np.array([0.0, 0.0, 1.0, 1.0, 0.5]) * (self.height - 1)
        columns = np.array([0.0, 1.0, 0.0, 1.0, 0.5]) * (self.width - 1)
        # Shape: the places, the next rows, the next columns; x, y; of each place.
        places = np.array(
            [
                self.places(rows + down, columns + along, crs)
                for down, along in ((0, 0), (1, 0), (0, 1))
            ]
        )
        # Far corners of a large raster may have no place in the plane.
        known = np.isfinite(places).all(axis=(0, 1))
        if not known.any():
            raise InputError(
                self.name,
                f"its cells have no size around the sites: its coordinates do not fit"
                f" {self.crs.name}, or it lies on the other side of the earth",
                "a DEM of the ground around the sites, with the right CRS",
            )
        steps = places[1:, :, known] - places[0, :, known].T
        row_ft, column_ft = np.hypot(steps[:, 0], steps[:, 1]).max(axis=1)
        return float(row_ft), float(column_ft)

    def pieces(
        self, rows: Floats, columns: Floats, *, margin: int = 1
    ) -> Iterator[tuple[Piece, float]]:
        """Yield groups of neighbouring points with the ground around them, and the share done.

        Points that lie off the raster by more than the margin, or nowhere, are in no group.

        Parameters
        ----------
        rows, columns
            Cell coordinates.
        margin
            Cells needed around each point.
        """
        near = (rows > -margin) & (rows < self.height - 1 + margin)
        near &= (columns > -margin) & (columns < self.width - 1 + margin)
        points = np.flatnonzero(near)
        if len(points) == 0:
            return
        tile_row = np.floor(rows[points] / TILE_CELLS).astype(np.int64)
        tile_column = np.floor(columns[points] / TILE_CELLS).astype(np.int64)
        order = np.lexsort((tile_column, tile_row))
        points, tile_row, tile_column = points[order], tile_row[order], tile_column[order]
        breaks = np.flatnonzero((np.diff(tile_row) != 0) | (np.diff(tile_column) != 0)) + 1
        done = 0
        for group in np.split(points, breaks):
            first_row = int(np.floor(rows[group].min())) - margin
            last_row = int(np.ceil(rows[group].max())) + margin
            first_column = int(np.floor(columns[group].min())) - margin
            last_column = int(np.ceil(columns[group].max())) + margin
            ground = self.ground_ft(first_row, last_row + 1, first_column, last_column + 1)
            done += len(group)
            yield Piece(group, ground, first_row, first_column), done / len(points)

    def ground_ft(self, first_row: int, end_row: int, first_column: int, end_column: int) -> Floats:
        """Return a window of the raster in international feet.

        Parameters
        ----------
        first_row, end_row, first_column, end_column
            Window, which may reach beyond the raster; the ends are not part of it.

        Returns
        -------
        numpy.ndarray
            NaN in holes and beyond the raster.

        Raises
        ------
        InputError
            The file is damaged there.
        """
        ground = np.full((end_row - first_row, end_column - first_column), np.nan)
        top, left = max(first_row, 0), max(first_column, 0)
        bottom, right = min(end_row, self.height), min(end_column, self.width)
        if top >= bottom or left >= right:
            return ground
        window = Window(left, top, right - left, bottom - top)
        try:
            with self._lock, rasterio.Env(GDAL_CACHEMAX=CACHE_BYTES):
                values = self._dataset.read(self._band, window=window, masked=True)
        except RasterioError as error:
            raise InputError(
                self.name, f"rows {top} to {bottom} cannot be read ({error})", "an undamaged file"
            ) from error
        feet = values.data.astype(np.float64) * self._factor + self._offset
        hole = np.asarray(values.mask) | ~((feet > LOWEST_FT) & (feet < HIGHEST_FT))
        feet[hole] = np.nan
        part = (
            slice(top - first_row, bottom - first_row),
            slice(left - first_column, right - first_column),
        )
        ground[part] = feet
        return ground

    def _transformer(self, crs: pyproj.CRS) -> pyproj.Transformer:
        if crs not in self._transformers:
            try:
                transformer = pyproj.Transformer.from_crs(crs, self.crs, always_xy=True)
            except ProjError as error:
                raise InputError(
                    self.name,
                    f"its CRS {self.crs.name} cannot be brought together with {crs.name} ({error})",
                    "a DEM in a geographic or projected CRS",
                ) from error
            self._transformers[crs] = transformer
        return self._transformers[crs]


def bilinear(piece: Piece, rows: Floats, columns: Floats) -> Floats:
    """Return values between the centres of cells.

    `scipy.ndimage.map_coordinates` would spread a hole to points that lie exactly on the cells
    beside it; here a neighbour of weight zero is not looked at.

    Parameters
    ----------
    piece
        Values at cell centres, NaN in holes.
    rows, columns
        Cell coordinates, of any equal shape.

    Returns
    -------
    numpy.ndarray
        NaN where a needed neighbour is a hole or beyond the piece.
    """
    height, width = piece.ground.shape
    row, row_share, row_off = _split(rows, piece.row, height)
    column, column_share, column_off = _split(columns, piece.column, width)
    first = row * width + column
    down = np.where(row_share > 0, width, 0)
    along = (column_share > 0).astype(np.intp)
    flat = piece.ground.ravel()
    top_left, top_right = flat.take(first), flat.take(first + along)
    first += down
    low_left, low_right = flat.take(first), flat.take(first + along)
    top = top_left + column_share * (top_right - top_left)
    low = low_left + column_share * (low_right - low_left)
    values: Floats = top + row_share * (low - top)
    values[row_off | column_off] = np.nan
    return values


def _split(
    positions: Floats, first: int, count: int
) -> tuple[npt.NDArray[np.intp], Floats, npt.NDArray[np.bool_]]:
    """Return whole cells counted from ``first``, the share beyond them, and what is off."""
    nearest = np.rint(positions)
    positions = np.where(np.abs(positions - nearest) < SNAP_CELLS, nearest, positions)
    # Written so that NaN is off as well.
    off = ~((positions >= first) & (positions <= first + count - 1))
    positions = np.where(off, first, positions)
    whole = np.floor(positions)
    # The share is taken before the corner is subtracted: not a bit may depend on the window.
    return whole.astype(np.intp) - first, positions - whole, off


def _check(dataset: rasterio.DatasetReader, band: int, name: str) -> None:
    if not 1 <= band <= dataset.count:
        raise InputError(
            name, f"it has {dataset.count} band(s), and no band {band}", "DEM_BAND of one of them"
        )
    if np.dtype(dataset.dtypes[band - 1]).kind not in "iuf":
        raise InputError(name, f"band {band} holds {dataset.dtypes[band - 1]}", "plain numbers")
    colour = dataset.colorinterp[band - 1]
    if dataset.dtypes[band - 1] == "uint8" and colour in _COLOURS:
        raise InputError(name, f"band {band} holds colours or classes ({colour.name})", "elevation")
    matrix = np.array(dataset.transform[:6], np.float64).reshape(2, 3)[:, :2]
    if dataset.transform.is_identity or np.linalg.det(matrix) == 0:
        raise InputError(name, "it has no place on the earth", "a georeferenced DEM")
