"""Columns, tables and shapes of the core as fields and features of QGIS."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import shapely
from qgis.core import NULL, QgsFeature, QgsField, QgsFields, QgsGeometry
from qgis.PyQt.QtCore import QMetaType

from ..stormwater_screen.coded import CodedPieces
from ..stormwater_screen.columns import Column
from ..stormwater_screen.own_columns import kept_names, written_before
from .destinations import Destination
from .geopackage import Chunk

_TYPES = {
    "text": QMetaType.Type.QString,
    "number": QMetaType.Type.Double,
    "integer": QMetaType.Type.Int,
}
CHUNK = 5_000
"""Rows that are handed over together."""

_SHAPEFILE_NAME = 10
_SHAPEFILE_TEXT = 254


def column_fields(columns: Iterable[Column]) -> QgsFields:
    """Return the fields of output columns."""
    fields = QgsFields()
    for column in columns:
        fields.append(QgsField(column.name, _TYPES[column.kind], "", column.length))
    return fields


def column_rows(columns: Sequence[Column], table: pd.DataFrame) -> list[list[Any]]:
    """Return the rows of a table as attribute values of the columns; missing is NULL."""
    return _rows(column_values(columns, table))


def column_values(columns: Sequence[Column], table: pd.DataFrame) -> list[list[Any]]:
    """Return the values of each column of a table; missing is None."""
    return [_values(column, table[column.name]) for column in columns]


def column_chunks(
    columns: Sequence[Column], table: pd.DataFrame, geometries: Any = None
) -> Iterator[Chunk]:
    """Yield the rows of a table, some at a time, with their shapely geometries if there are."""
    shapes = None if geometries is None else np.asarray(geometries, dtype=object)
    for start in range(0, len(table), CHUNK):
        rows = slice(start, start + CHUNK)
        part = None if shapes is None else shapes[rows]
        yield Chunk(column_values(columns, table.iloc[rows]), part)


def coded_chunks(table: CodedPieces) -> Iterator[Chunk]:
    """Yield the rows of a long table, some at a time."""
    for piece in table.pieces():
        for start in range(0, len(piece), CHUNK):
            part = piece.part(start, start + CHUNK)
            yield Chunk([_plain_values(part[column.name]) for column in piece.columns])


def _plain_values(values: npt.NDArray[Any]) -> list[Any]:
    plain: list[Any] = values.tolist()
    if values.dtype.kind == "f" and np.isnan(values).any():
        # NaN is the only number that differs from itself.
        plain = [None if value != value else value for value in plain]
    return plain


def chunk_features(fields: QgsFields, chunks: Iterable[Chunk]) -> Iterator[QgsFeature]:
    """Yield one feature for each row of chunks."""
    for chunk in chunks:
        yield from features(fields, _rows(chunk.columns), chunk.shapes)


def _rows(values: Sequence[Sequence[Any]]) -> list[list[Any]]:
    return [
        [NULL if value is None else value for value in row] for row in zip(*values, strict=True)
    ]


def _values(column: Column, series: pd.Series) -> list[Any]:
    values = series.to_numpy()
    if column.kind == "text":
        missing = series.isna().to_numpy()
        texts: list[Any] = values.tolist()
        if missing.any():
            texts = [None if gone else text for text, gone in zip(texts, missing, strict=True)]
        return texts if _all_text(texts) else [v if v is None else str(v) for v in texts]
    if column.kind == "integer" and values.dtype.kind == "i":
        return list(values.tolist())
    numbers = series.astype(float).to_numpy()
    missing = ~np.isfinite(numbers)
    convert = int if column.kind == "integer" else float
    return [
        None if gone else convert(value)
        for value, gone in zip(numbers.tolist(), missing, strict=True)
    ]


def _all_text(values: Sequence[Any]) -> bool:
    return set(map(type, values)) <= {str, type(None)}


def features(
    fields: QgsFields, rows: Iterable[list[Any]], geometries: Iterable[Any] | None = None
) -> Iterator[QgsFeature]:
    """Yield one feature for each row of attributes, with its shapely geometry if there is one."""
    wkb = None if geometries is None else iter(shapely.to_wkb(np.asarray(geometries, dtype=object)))
    for row in rows:
        feature = QgsFeature(fields)
        feature.setAttributes(row)
        shape = None if wkb is None else next(wkb)
        if shape is not None:
            geometry = QgsGeometry()
            geometry.fromWkb(shape)
            geometry.convertToMultiType()
            feature.setGeometry(geometry)
        yield feature


def usable_fid(values: Sequence[Any]) -> bool:
    """Return whether an own `fid` can number the rows of a GeoPackage, none lost or moved."""
    if not all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        return False
    return all(before < after for before, after in zip([0, *values], values, strict=False))


def own_columns(
    own: QgsFields, values: Sequence[list[Any]], kept: Iterable[int]
) -> list[list[Any]]:
    """Return the own attributes that are kept; objects of JSON as texts, which all formats take."""
    return [
        [
            value if value is None else json.dumps(value, ensure_ascii=False, default=str)
            for value in values[at]
        ]
        if own.at(at).type() == QMetaType.Type.QVariantMap
        else values[at]
        for at in kept
    ]


def joined_fields(
    own: QgsFields,
    values: Sequence[list[Any]],
    columns: Sequence[Column],
    place: Destination | None,
) -> tuple[QgsFields, list[int], list[str]]:
    """Return the fields of an output of own attributes and added columns.

    Returns
    -------
    tuple
        The fields; the indices of the own fields that are kept, in order; messages about names.
    """
    names = own.names()
    earlier = written_before(names, columns)
    # `geom` is the geometry column of every GeoPackage that QGIS writes.
    taken = [column.name for column in columns] + ["geom"]
    fid = next((at for at, name in enumerate(names) if name.casefold() == "fid"), None)
    if fid is not None and not usable_fid(values[fid]):
        taken.append("fid")
    limit = _SHAPEFILE_NAME if place is not None and place.shapefile else None
    new_names = kept_names(names, taken, dropped=earlier, bytes_limit=limit)
    fields, kept, messages = QgsFields(), [], []
    for at, new_name in enumerate(new_names):
        if new_name is None:
            continue
        field = QgsField(own.at(at))
        if field.type() == QMetaType.Type.QVariantMap:
            field = QgsField(new_name, QMetaType.Type.QString)
        field.setName(new_name)
        if limit and field.length() > _SHAPEFILE_TEXT:
            field.setLength(_SHAPEFILE_TEXT)
        fields.append(field)
        kept.append(at)
        if new_name != names[at]:
            messages.append(f"SITES: own column {names[at]} is kept as {new_name}")
    if earlier:
        messages.append("SITES: the columns of an earlier screening are replaced")
    for field in column_fields(columns):
        fields.append(field)
    return fields, kept, messages
