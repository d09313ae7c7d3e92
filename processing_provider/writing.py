"""Tables of the core into the outputs of an algorithm."""

from __future__ import annotations

from collections.abc import Sequence

import geopandas as gpd
import pandas as pd
from qgis.core import Qgis, QgsCoordinateReferenceSystem

from ..stormwater_screen.columns import Column
from .adapter import SiteRows
from .sinks import Outputs, column_fields, column_rows, features, joined_fields, own_values


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
        rows.fields, rows.attributes, columns, outputs.wanted.get(name)
    )
    own = (own_values(rows.fields, row, kept) for row in rows.attributes)
    added = column_rows(columns, table)
    joined = (mine + ours for mine, ours in zip(own, added, strict=True))
    outputs.write_layer(name, fields, features(fields, joined, geometries), rows.crs)
    return messages


def write_shapes(
    outputs: Outputs,
    name: str,
    columns: Sequence[Column],
    shapes: gpd.GeoDataFrame,
    crs: QgsCoordinateReferenceSystem,
    kind: Qgis.WkbType = Qgis.WkbType.MultiPolygon,
) -> None:
    """Write shapes with their columns."""
    fields = column_fields(columns)
    rows = features(fields, column_rows(columns, shapes), shapes.geometry)
    outputs.write_layer(name, fields, rows, crs, kind)


def write_table(
    outputs: Outputs, name: str, columns: Sequence[Column], table: pd.DataFrame
) -> None:
    """Write a table without geometry."""
    fields = column_fields(columns)
    rows = features(fields, column_rows(columns, table))
    none = QgsCoordinateReferenceSystem()
    outputs.write_layer(name, fields, rows, none, Qgis.WkbType.NoGeometry)


def title_of(what: str, rows: SiteRows) -> str:
    """Return the title of a layer that is loaded: what it is, and of which sites."""
    return f"{what} ({rows.layer.name})" if what else ""
