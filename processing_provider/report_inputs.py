"""Outputs of a screening read back, with the record of their run and the layers around them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
import shapely
from qgis.core import (
    NULL,
    Qgis,
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProviderRegistry,
    QgsVectorLayer,
)

from ..stormwater_screen.columns import FINDING_COLUMNS, SCREENED_COLUMNS, ZONE_COLUMNS, Column
from ..stormwater_screen.dem import Dem
from ..stormwater_screen.errors import InputError, ScreeningError
from ..stormwater_screen.progress import Progress
from ..stormwater_screen.record import Record, read_record, record_path
from ..stormwater_screen.report.content import ReportInputs, ordinance_of
from ..stormwater_screen.report.overrides import read_overrides
from .adapter import InputReader
from .i18n import tr
from .recording import stamped

CONTEXT = ("DISTURBANCE", "WATER_BODIES", "WATERCOURSES", "WETLANDS", "WATER_SUPPLIES",
           "LEACH_FIELDS", "DEVICES")  # fmt: skip
"""Layers that the maps show beside the outputs."""


class ScreenedReader(InputReader):
    """Reads SCREENED, FINDINGS, ZONES, the record and the layers of the maps."""

    def outputs(self) -> ReportInputs:
        """Return the outputs of a screening that belong together."""
        record = self.record()
        sites = self._table("SCREENED", SCREENED_COLUMNS)
        assert isinstance(sites, gpd.GeoDataFrame)
        zones = self._table("ZONES", ZONE_COLUMNS) if self.given("ZONES") else None
        findings = pd.DataFrame(self._table("FINDINGS", FINDING_COLUMNS))
        outputs = ReportInputs(sites, findings, zones, record)
        if self.given("OVERRIDES"):
            outputs.overrides = read_overrides(
                self._table("OVERRIDES", ()),
                [int(row) for row in sites["row"]],
                ["" if pd.isna(name) else str(name) for name in sites["site_id"]],
                ordinance_of(record),
                "OVERRIDES",
            )
        return outputs

    def record(self) -> Record:
        """Return the record of the run: from RECORD, from the GeoPackage or from beside it.

        Raises
        ------
        InputError
            There is none.
        """
        if self.given("RECORD"):
            path = Path(self.algorithm.parameterAsFile(self.parameters, "RECORD", self.context))
            return _record_file(path)
        (layer,) = self._map_layers("SCREENED")
        found = QgsProviderRegistry.instance().decodeUri(layer.providerType(), layer.source())
        path, table = Path(str(found.get("path") or "")), str(found.get("layerName") or "")
        if path.suffix.lower() == ".gpkg" and path.is_file():
            text = stamped(path, table)
            if text:
                return read_record(text, f"SCREENED ({path.name})")
        for place in (record_path(path), record_path(path, table)) if path.name else ():
            if place.is_file():
                return _record_file(place)
        raise InputError(
            "RECORD",
            tr("no record in or beside {}").format(path.name or layer.name()),
            tr("the record; a screening writes it where its sites go to a file"),
        )

    def context_layers(self, record: Record) -> tuple[dict[str, list[QgsVectorLayer]], list[str]]:
        """Return the layers of the maps, those of the record where none is given, and notes."""
        found: dict[str, list[QgsVectorLayer]] = {}
        notes = []
        for role in CONTEXT:
            if self.parameters.get(role) and self.given(role):
                found[role] = self._map_layers(role)
                continue
            found[role] = []
            for layer in record["layers"]:
                if layer["role"] != role:
                    continue
                opened = QgsVectorLayer(str(layer["source"]), str(layer["name"]), "ogr")
                if opened.isValid():
                    found[role].append(opened)
                else:
                    lacking = tr("{} is not there; the maps lack it").format(layer["source"])
                    notes.append(f"{role}: {lacking}")
        return found, notes

    def ground(self, record: Record) -> tuple[Dem | None, list[str]]:
        """Return the DEM for contours: as given, else that of the record, and notes."""
        given = self.dem() if self.given("DEM") else None
        rasters = record["rasters"]
        if given is None and not rasters:
            return None, []
        try:
            if given is not None:
                return Dem.open(given.path, band=given.band, z_unit=given.z_unit), []
            one = rasters[0]
            return Dem.open(one["source"], band=one["band"], z_unit=one["z_unit"]), []
        except ScreeningError as error:
            if given is not None:
                raise
            return None, [tr("The maps have no contours: {}").format(error)]

    def read_files(self) -> list[Path]:
        """Return the files that are read."""
        names = [name for name in ("SCREENED", "FINDINGS", "ZONES", "OVERRIDES", *CONTEXT)
                 if self.parameters.get(name) and self.given(name)]  # fmt: skip
        sources = [layer.source() for name in names for layer in self._map_layers(name)]
        files = [Path(source.split("|")[0]) for source in sources]
        if self.given("RECORD"):
            files.append(Path(str(self.parameters["RECORD"])))
        return files

    def _table(self, name: str, columns: tuple[Column, ...]) -> Any:
        source = self.algorithm.parameterAsSource(self.parameters, name, self.context)
        given = self.parameters.get(name)
        if source is None:
            raise InputError(name, tr("{} cannot be read").format(given), tr("a layer"))
        rows = self._rows(source)
        table = rows.frame()
        for column in columns:
            if column.kind != "text" and column.name in table:
                table[column.name] = pd.to_numeric(table[column.name], errors="coerce")
        if "row" in table and table["row"].isna().any():
            raise InputError(name, tr("a row without number"), tr("the output of a screening"))
        if source.wkbType() == Qgis.WkbType.NoGeometry:
            return table
        geometry = np.array([None if one is None else shapely.from_wkb(one) for one in rows.wkb])
        crs = source.sourceCrs().toWkt(Qgis.CrsWktVariant.Preferred)
        return gpd.GeoDataFrame(
            table, geometry=gpd.GeoSeries(geometry.tolist(), index=table.index), crs=crs
        )


def _record_file(path: Path) -> Record:
    try:
        return read_record(path.read_text("utf-8"), f"RECORD ({path.name})")
    except OSError as error:
        raise InputError("RECORD", f"{path}: {error.strerror}", tr("a record of a run")) from error
    except UnicodeDecodeError as error:
        found = tr("{} is no text").format(path.name)
        raise InputError("RECORD", found, tr("a record of a run")) from error


def reader_of(
    algorithm: QgsProcessingAlgorithm,
    parameters: dict[str, Any],
    context: QgsProcessingContext,
    progress: Progress,
) -> ScreenedReader:
    """Return a reader that can be cancelled."""
    plain = {name: value for name, value in parameters.items() if value != NULL}
    return ScreenedReader(algorithm, plain, context, lambda: progress(0.5))
