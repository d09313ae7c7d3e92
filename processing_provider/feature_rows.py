"""From features of QGIS to columns of Python values, some features at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

import pandas as pd
from osgeo import ogr
from qgis.core import NULL, Qgis, QgsFeature, QgsFields, QgsGeometry, QgsWkbTypes
from qgis.PyQt.QtCore import QByteArray, QDate, QDateTime, QTime, QVariant

_SIMPLE = frozenset(
    {
        Qgis.WkbType.Point,
        Qgis.WkbType.LineString,
        Qgis.WkbType.Polygon,
        Qgis.WkbType.MultiPoint,
        Qgis.WkbType.MultiLineString,
        Qgis.WkbType.MultiPolygon,
    }
)
_SURFACES = frozenset({Qgis.WkbType.TIN, Qgis.WkbType.PolyhedralSurface})
_PYTHON = frozenset({int, float, str, bool, type(None)})
_CHUNK = 500


class FeatureRows:
    """Geometries and attributes of features.

    Parameters
    ----------
    fields
        Fields of the features.

    Attributes
    ----------
    ids
        Id of each feature in its layer.
    wkb
        Geometry of each feature, straight; None where it has none.
    values
        Field by field the values as QGIS gave them; NULL is None.
    """

    def __init__(self, fields: QgsFields) -> None:
        self.fields = fields
        self.ids: list[int] = []
        self.wkb: list[bytes | None] = []
        self.values: list[list[Any]] = [[] for _ in range(len(fields))]

    def __len__(self) -> int:
        """Return the number of features."""
        return len(self.wkb)

    @classmethod
    def of(
        cls,
        fields: QgsFields,
        features: Iterable[QgsFeature],
        poll: Callable[[], None] = lambda: None,
    ) -> FeatureRows:
        """Return the rows of features, none of which is kept: a feature takes much memory.

        Parameters
        ----------
        fields
            Fields of the features.
        features
            Features in their order.
        poll
            Called now and then; raises when the run is cancelled.
        """
        rows = cls(fields)
        # Most texts stand in many rows; one copy of each is kept.
        texts: list[dict[str, str]] = [{} for _ in rows.values]
        coming = iter(features)
        while some := list(islice(coming, _CHUNK)):
            poll()
            rows.ids += [feature.id() for feature in some]
            rows.wkb += map(straight_wkb, some)
            columns = zip(*(feature.attributes() for feature in some), strict=True)
            for values, known, column in zip(rows.values, texts, columns, strict=True):
                values += _plain(column, known)
        return rows

    def by_id(self) -> FeatureRows:
        """Return the same features in the order of their ids, as files hold them."""
        order = sorted(range(len(self)), key=self.ids.__getitem__)
        rows = FeatureRows(self.fields)
        rows.ids = [self.ids[place] for place in order]
        rows.wkb = [self.wkb[place] for place in order]
        rows.values = [[values[place] for place in order] for values in self.values]
        return rows

    def frame(self) -> pd.DataFrame:
        """Return the attributes as columns of Python values; NULL is None."""
        kind = None if len(self) else object
        columns = {
            name: pd.Series(_of_python(values), dtype=kind)
            for name, values in zip(self.fields.names(), self.values, strict=True)
        }
        return pd.DataFrame(columns, index=pd.RangeIndex(len(self)))


def _plain(column: tuple[Any, ...], known: dict[str, str]) -> Iterable[Any]:
    """Return values with None for NULL, equal texts as one object."""
    kinds = set(map(type, column))
    if QVariant in kinds:
        # Faster than to compare with NULL.
        column = tuple(None if type(one) is QVariant and one.isNull() else one for one in column)
    if str in kinds:
        return [known.setdefault(one, one) if type(one) is str else one for one in column]
    return column


def _of_python(values: list[Any]) -> list[Any]:
    if set(map(type, values)) <= _PYTHON:
        return values
    return [python_value(value) for value in values]


def python_value(value: Any) -> Any:
    """Return an attribute of QGIS as a plain Python value; NULL is None."""
    if value is None or value == NULL:
        return None
    if isinstance(value, QDate):
        return value.toPyDate()
    if isinstance(value, QDateTime):
        return value.toPyDateTime()
    if isinstance(value, QTime):
        return value.toPyTime()
    if isinstance(value, QByteArray):
        return bytes(value)
    return value


def straight_wkb(feature: QgsFeature) -> bytes | None:
    """Return the geometry of a feature as WKB without curves, TINs and surfaces; None if NULL."""
    if not feature.hasGeometry():
        return None
    geometry = feature.geometry()
    kind = QgsWkbTypes.flatType(geometry.wkbType())
    if kind in _SURFACES:
        with ogr.ExceptionMgr():
            surface = ogr.CreateGeometryFromWkb(bytes(geometry.asWkb()))
            return bytes(ogr.ForceToMultiPolygon(surface).ExportToIsoWkb())
    if kind not in _SIMPLE:
        geometry = QgsGeometry(geometry.constGet().segmentize())
    return bytes(geometry.asWkb())
