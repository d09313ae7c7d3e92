"""One run of a preparation: read what agencies publish, one call of the core, write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import shapely
from qgis.core import (
    Qgis,
    QgsCoordinateReferenceSystem,
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingFeedback,
)

from ..stormwater_screen.errors import InputError
from ..stormwater_screen.layers import Layer
from ..stormwater_screen.prepare.files import Bundle, Found, bundles, find_layers, read_found
from ..stormwater_screen.prepare.model import Prepared
from ..stormwater_screen.prepare.vicinity import Vicinity, vicinity_of
from ..stormwater_screen.progress import Progress
from .adapter import InputReader, layer_name
from .base import progress_of
from .feature_tables import column_fields, column_rows, features
from .i18n import tr
from .parameters import GEOMETRY, PREPARED_FROM
from .sinks import Outputs

_KINDS = (Qgis.WkbType.MultiPoint, Qgis.WkbType.MultiLineString, Qgis.WkbType.MultiPolygon)


class RawReader(InputReader):
    """Reads layers, tables, folders and zip files that agencies publish."""

    def near(self) -> Vicinity | None:
        """Return the surroundings of NEAR; None where everything is to be read."""
        given = self.layers("NEAR")
        if not given:
            return None
        found = vicinity_of(given[0].frame)
        if found is None:
            raise InputError(f"NEAR ({given[0].name})", tr("no feature with a place"), tr("sites"))
        return found

    def bundles(self) -> list[Bundle]:
        """Return the folder and the file given, with the zip files in the folder."""
        return bundles(
            [str(self.parameters[name]) for name in ("FOLDER", "FILE") if self.given(name)]
        )

    def raw_layers(
        self,
        name: str,
        near: Vicinity | None,
        wanted: Callable[[Found], bool],
        found: Sequence[Found] = (),
    ) -> list[Layer]:
        """Return the layers given by the parameter, and those wanted of the download.

        Raises
        ------
        InputError
            There is none.
        """
        layers = list(self.layers(name, near))
        for one in found:
            if one.geometry and wanted(one):
                self.poll()
                layers.append(read_found(one, role=name, geometry=GEOMETRY[name], near=near))
        if not layers:
            seen = ", ".join(one.layer for one in found) or tr("nothing")
            raise InputError(
                f"{name}, FOLDER, FILE", tr("no layer to read; seen: {}").format(seen), tr("one")
            )
        return layers

    def found(self) -> list[Found]:
        """Return all layers and tables of the download."""
        return [one for bundle in self.bundles() for one in find_layers(bundle)]

    def table(self, name: str) -> tuple[str, pd.DataFrame] | None:
        """Return the name and the rows of a table; None where it was not given."""
        if not self.given(name):
            return None
        (layer,) = self._map_layers(name)
        return layer_name(layer), self._rows(layer).frame()

    def sources(self) -> dict[str, list[str]]:
        """Return the sources of all that was given, by parameter name."""
        found = {
            name: [layer.source() for layer in self._map_layers(name)]
            for name in (*sorted(PREPARED_FROM), "TABLE", "PARAMETERS")
            if self.given(name)
        }
        for name in ("FOLDER", "FILE"):
            if self.given(name):
                path = Path(str(self.parameters[name]))
                inside = [one.path for one in self.found()] if path.exists() else []
                found[name] = [str(path), *inside]
        return found


def run_preparation(
    algorithm: QgsProcessingAlgorithm,
    parameters: dict[str, Any],
    context: QgsProcessingContext,
    feedback: QgsProcessingFeedback,
    kinds: dict[str, int | None],
    prepare: Callable[[RawReader, Progress], Prepared],
) -> dict[str, Any]:
    """Read, prepare and write.

    Parameters
    ----------
    algorithm, parameters, context, feedback
        As Processing hands them to `processAlgorithm`.
    kinds
        Dimension of the geometries of each output (0, 1, 2); None: a table.
    prepare
        Reads from the reader and calls the core.

    Returns
    -------
    dict
        Outputs by name, and the number of rows of each as ``<NAME>_COUNT``.
    """
    work, write = progress_of(feedback, 0, 0.85), progress_of(feedback, 0.85, 1)
    reader = RawReader(algorithm, parameters, context, lambda: work(0.2))
    with Outputs(algorithm, parameters, context, tuple(kinds), lambda: write(0.5)) as outputs:
        outputs.refuse_sources(reader.sources())
        prepared = prepare(reader, work)
        counts = {}
        for name, kind in kinds.items():
            counts[f"{name}_COUNT"] = _write(outputs, name, kind, prepared)
        for note in prepared.notes:
            feedback.pushInfo(note)
        results = outputs.commit()
    feedback.pushInfo(", ".join(f"{name} {count}" for name, count in counts.items()))
    return {**results, **counts}


def _write(outputs: Outputs, name: str, kind: int | None, prepared: Prepared) -> int:
    columns = prepared.columns[name]
    fields = column_fields(columns)
    table = prepared.tables[name] if kind is None else prepared.layers[name]
    # Empty texts of the core are NULL in a layer.
    plain = pd.DataFrame(table.drop(columns="geometry", errors="ignore")).replace({"": None})
    rows = column_rows(columns, _cut(plain, columns))
    if kind is None:
        crs, shape, geometries = QgsCoordinateReferenceSystem(), Qgis.WkbType.NoGeometry, None
    else:
        crs = QgsCoordinateReferenceSystem.fromWkt(table.crs.to_wkt())
        shape = _KINDS[kind]
        geometries = np.asarray(table.geometry.array, dtype=object)
        geometries = np.array([None if shapely.is_empty(g) else g for g in geometries], object)
    outputs.write_layer(name, fields, features(fields, rows, geometries), crs, shape)
    return len(rows)


def _cut(table: pd.DataFrame, columns: Sequence[Any]) -> pd.DataFrame:
    """Return a table with texts not longer than their columns."""
    result = table.copy()
    for column in columns:
        if column.kind == "text" and column.length and len(result):
            result[column.name] = [
                text if text is None else str(text)[: column.length] for text in result[column.name]
            ]
    return result
