"""Tables of the core into the outputs of an algorithm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import geopandas as gpd
import pandas as pd
from qgis.core import Qgis, QgsCoordinateReferenceSystem

from ..stormwater_screen.coded import CodedPieces
from ..stormwater_screen.columns import ZONE_COLUMNS, Column
from ..stormwater_screen.shapes import Shapes
from .adapter import SiteRows
from .feature_tables import (
    chunk_features,
    coded_chunks,
    column_chunks,
    column_fields,
    column_values,
    joined_fields,
    own_columns,
)
from .geopackage import PLAIN, Chunk
from .sinks import Begun, Outputs


def write_sites(
    outputs: Outputs,
    name: str,
    rows: SiteRows,
    columns: Sequence[Column],
    table: pd.DataFrame,
    geometries: gpd.GeoSeries,
) -> list[str]:
    """Write the sites with their own attributes and added columns; return what was renamed."""
    begun, messages = begin_sites(outputs, name, rows, columns, table, geometries)
    outputs.complete(begun)
    return messages


def begin_sites(
    outputs: Outputs,
    name: str,
    rows: SiteRows,
    columns: Sequence[Column],
    table: pd.DataFrame,
    geometries: gpd.GeoSeries,
) -> tuple[Begun | None, list[str]]:
    """Begin what `write_sites` writes, as `Outputs.begin` does."""
    fields, kept, messages = joined_fields(
        rows.fields, rows.values, columns, outputs.wanted.get(name)
    )
    own = own_columns(rows.fields, rows.values, kept)
    lengths = [fields.at(at).length() for at in range(len(kept))]
    if all(_in_bulk(values, length) for values, length in zip(own, lengths, strict=True)):
        chunks = _beside(own, column_chunks(columns, table, geometries))
        return outputs.begin(name, fields, chunks, rows.crs), messages
    whole = Chunk([*own, *column_values(columns, table)], geometries)
    outputs.write_layer(name, fields, chunk_features(fields, [whole]), rows.crs)
    return None, messages


def _in_bulk(values: list[Any], length: int) -> bool:
    """Return whether QGIS would write values as they are: no dates, no lists, no text to cut."""
    kinds = set(map(type, values))
    if not kinds <= PLAIN:
        return False
    return str not in kinds or length <= 0 or max(len(text or "") for text in values) <= length


def _beside(own: list[list[Any]], chunks: Iterator[Chunk]) -> Iterator[Chunk]:
    start = 0
    for chunk in chunks:
        end = start + len(chunk.columns[0])
        yield Chunk([*(values[start:end] for values in own), *chunk.columns], chunk.shapes)
        start = end


def write_shapes(
    outputs: Outputs,
    name: str,
    columns: Sequence[Column],
    shapes: gpd.GeoDataFrame | Shapes,
    crs: QgsCoordinateReferenceSystem,
    kind: Qgis.WkbType = Qgis.WkbType.MultiPolygon,
) -> None:
    """Write shapes with their columns."""
    pieces = shapes.pieces() if isinstance(shapes, Shapes) else iter([shapes])
    outputs.write_chunks(name, column_fields(columns), _drawn(columns, pieces), crs, kind)


def begin_zones(
    outputs: Outputs, name: str, shapes: Shapes, crs: QgsCoordinateReferenceSystem
) -> Begun | None:
    """Begin a layer of zones, as `Outputs.begin` does."""
    fields = column_fields(ZONE_COLUMNS)
    return outputs.begin(name, fields, _drawn(ZONE_COLUMNS, shapes.pieces()), crs)


def _drawn(columns: Sequence[Column], pieces: Iterator[gpd.GeoDataFrame]) -> Iterator[Chunk]:
    for piece in pieces:
        yield from column_chunks(columns, piece, piece.geometry)


def write_table(
    outputs: Outputs, name: str, columns: Sequence[Column], table: pd.DataFrame | CodedPieces
) -> None:
    """Write a table without geometry."""
    outputs.complete(begin_table(outputs, name, columns, table))


def begin_table(
    outputs: Outputs, name: str, columns: Sequence[Column], table: pd.DataFrame | CodedPieces
) -> Begun | None:
    """Begin what `write_table` writes, as `Outputs.begin` does."""
    fields = column_fields(columns)
    none = QgsCoordinateReferenceSystem()
    chunks = (
        coded_chunks(table) if isinstance(table, CodedPieces) else column_chunks(columns, table)
    )
    return outputs.begin(name, fields, chunks, none, Qgis.WkbType.NoGeometry)


def title_of(what: str, rows: SiteRows) -> str:
    """Return the title of a layer that is loaded: what it is, and of which sites."""
    return f"{what} ({rows.layer.name})" if what else ""
