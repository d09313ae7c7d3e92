"""Tables of the core into the outputs of an algorithm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import geopandas as gpd
import pandas as pd
from qgis.core import Qgis, QgsCoordinateReferenceSystem

from ..stormwater_screen.coded import CodedPieces
from ..stormwater_screen.columns import Column
from ..stormwater_screen.shapes import Shapes
from .adapter import SiteRows
from .geopackage import PLAIN, Chunk
from .sinks import (
    Outputs,
    chunk_features,
    coded_chunks,
    column_chunks,
    column_fields,
    column_values,
    joined_fields,
    own_columns,
)


def write_sites(
    outputs: Outputs,
    name: str,
    rows: SiteRows,
    columns: Sequence[Column],
    table: pd.DataFrame,
    geometries: gpd.GeoSeries,
) -> list[str]:
    """Write the sites with their own attributes and added columns; return what was renamed."""
    fields, kept, messages = joined_fields(
        rows.fields, rows.values, columns, outputs.wanted.get(name)
    )
    own = own_columns(rows.fields, rows.values, kept)
    lengths = [fields.at(at).length() for at in range(len(kept))]
    if all(_in_bulk(values, length) for values, length in zip(own, lengths, strict=True)):
        chunks = _beside(own, column_chunks(columns, table, geometries))
        outputs.write_chunks(name, fields, chunks, rows.crs)
    else:
        whole = Chunk([*own, *column_values(columns, table)], geometries)
        outputs.write_layer(name, fields, chunk_features(fields, [whole]), rows.crs)
    return messages


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
    fields = column_fields(columns)
    pieces = shapes.pieces() if isinstance(shapes, Shapes) else iter([shapes])
    chunks = (chunk for piece in pieces for chunk in column_chunks(columns, piece, piece.geometry))
    outputs.write_chunks(name, fields, chunks, crs, kind)


def write_table(
    outputs: Outputs, name: str, columns: Sequence[Column], table: pd.DataFrame | CodedPieces
) -> None:
    """Write a table without geometry."""
    fields = column_fields(columns)
    none = QgsCoordinateReferenceSystem()
    chunks = (
        coded_chunks(table) if isinstance(table, CodedPieces) else column_chunks(columns, table)
    )
    outputs.write_chunks(name, fields, chunks, none, Qgis.WkbType.NoGeometry)


def title_of(what: str, rows: SiteRows) -> str:
    """Return the title of a layer that is loaded: what it is, and of which sites."""
    return f"{what} ({rows.layer.name})" if what else ""
