"""The record of a run: with what it was made, so that it can be made again and compared."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import pyogrio
import pyproj
import rasterio
import shapely

from . import __version__
from .columns import FINDING_COLUMNS, SCREENED_COLUMNS
from .digests import LENGTH, feature_digests, site_digests, total
from .errors import InputError
from .layers import Layer
from .model import Options, Screening, ScreeningInputs
from .ordinance import FOLDER, Ordinance, packaged
from .progress import Progress, no_progress, part_of

SCHEMA: Final = 1
METADATA_KEY: Final = "STORMWATER_RUN_RECORD"
"""Name under which a GeoPackage holds the record, in the metadata of the layer of sites."""
SUFFIX: Final = ".record.json"
PACKAGES: Final = ("geopandas", "shapely", "numpy", "pandas", "rasterio", "pyogrio", "pyproj",
                   "jinja2")  # fmt: skip
MOST_DIGESTS: Final = 100_000
"""Features of a layer of which each one's digest is kept; beyond it only that of the layer."""

_NEEDED: Final = ("schema", "run_id", "made", "program", "versions", "parameters", "ordinance",
                  "layers", "rasters", "options", "counts", "results")  # fmt: skip

Record = dict[str, Any]


def run_record(
    screening: Screening,
    inputs: ScreeningInputs,
    ordinance: Ordinance,
    options: Options,
    *,
    law: str | Path,
    parameters: Mapping[str, Any],
    versions: Mapping[str, str] | None = None,
    dem_source: str | None = None,
    made: datetime | None = None,
    progress: Progress = no_progress,
) -> Record:
    """Return the record of a run, ready for JSON.

    Parameters
    ----------
    screening
        The result.
    inputs, ordinance, options
        With what it was made.
    law
        Id of a law that ships, or path of the rules file.
    parameters
        Values by which the run can be made again.
    versions
        Versions of programs that the core does not know, as that of QGIS.
    dem_source
        The raster as the user knows it; None: the path of ``inputs.dem``.
    made
        Time of the run; None: now.
    progress
        Called with the share done; raises to stop.
    """
    columns = screening.columns
    digests = site_digests(
        columns,
        screening.finding_rows,
        SCREENED_COLUMNS,
        FINDING_COLUMNS,
        part_of(progress, 0, 0.7),
    )
    run_ids = columns["run_id"]
    given = [inputs.sites, *(layer for some in inputs.layers.values() for layer in some)]
    return {
        "schema": SCHEMA,
        "run_id": str(run_ids.iloc[0]) if len(run_ids) else options.run_id or "",
        "made": (made or datetime.now().astimezone()).isoformat(timespec="seconds"),
        "program": {"name": "Stormwater Site Screening", "version": __version__},
        "versions": {**(versions or {}), **library_versions()},
        "parameters": dict(parameters),
        "ordinance": law_record(ordinance, law),
        "layers": [_looked_at(layer, progress) for layer in given],
        "rasters": raster_records(inputs, dem_source),
        "options": {
            "dem_error_ft": options.dem_error_ft,
            "water_error_ft": options.water_error_ft,
            "supply_error_ft": options.supply_error_ft,
            "contiguous_ft": options.contiguous_ft,
            "discretionary": options.discretionary,
            "plan_empty": options.plan_empty,
            "project_type": options.project_type,
            "high_traffic": options.high_traffic,
            "fields": dict(inputs.fields),
        },
        "counts": dict(screening.counts),
        "notes": list(screening.notes),
        "results": {"checksum": total(digests), "digests": "".join(digests)},
    }


def _looked_at(layer: Layer, progress: Progress) -> Record:
    progress(0.7)
    return layer_record(layer)


def library_versions() -> dict[str, str]:
    """Return the versions of Python, of the packages and of the libraries that they use."""
    found = {"Python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not stated"
    found["GEOS"] = shapely.geos_version_string
    found["GDAL"] = pyogrio.__gdal_version_string__
    found["GDAL of rasterio"] = rasterio.__gdal_version__
    found["PROJ"] = pyproj.proj_version_str
    return found


def law_record(ordinance: Ordinance, law: str | Path) -> Record:
    """Return which law was used: id, day and the whole text of its rules file with its hash."""
    text = law_path(law).read_text("utf-8")
    return {
        "id": ordinance.id,
        "title": ordinance.title,
        "file": ordinance.file,
        "as_of": ordinance.as_of.isoformat(),
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "text": text,
    }


def law_path(law: str | Path) -> Path:
    """Return the rules file of a law that ships, or the file itself."""
    return FOLDER / f"{law}.toml" if str(law) in packaged() else Path(law)


def layer_record(layer: Layer) -> Record:
    """Return where a layer comes from and the checksum of what the run read of it."""
    digests = feature_digests(layer.frame)
    crs = layer.frame.crs
    return {
        "role": layer.role,
        "name": layer.name,
        "source": layer.source,
        "crs": _crs_name(crs),
        "features": layer.feature_count,
        "read": len(layer.frame),
        **file_record(layer.source),
        "checksum": total(digests),
        "digests": "".join(digests) if len(digests) <= MOST_DIGESTS else "",
    }


def raster_records(inputs: ScreeningInputs, dem_source: str | None) -> list[Record]:
    """Return the DEM with its size and time; its cells are not read for this."""
    if inputs.dem is None:
        return []
    source = dem_source or inputs.dem.path
    if Path(source).exists():
        # A run made again may start in another folder.
        source = str(Path(source).absolute())
    with rasterio.open(inputs.dem.path) as raster:
        crs = raster.crs
        shape = [raster.width, raster.height]
    return [
        {
            "role": "DEM",
            "name": Path(source.split("|")[0]).name,
            "source": source,
            "crs": "none" if crs is None else _crs_name(pyproj.CRS.from_wkt(crs.to_wkt())),
            "cells": shape,
            "band": inputs.dem.band,
            "z_unit": inputs.dem.z_unit,
            **file_record(source),
        }
    ]


def file_record(source: str) -> Record:
    """Return size and time of the file of a source; nothing where it is no file."""
    path = Path(source.split("|")[0])
    if not source or not path.is_file():
        return {"bytes": None, "modified": None}
    state = path.stat()
    modified = datetime.fromtimestamp(state.st_mtime).astimezone()
    return {"bytes": state.st_size, "modified": modified.isoformat(timespec="seconds")}


def _crs_name(crs: pyproj.CRS | None) -> str:
    if crs is None:
        return "none"
    authority = crs.to_authority()
    return f"{crs.name} ({':'.join(authority)})" if authority else str(crs.name)


def record_text(record: Record) -> str:
    """Return a record as JSON."""
    return json.dumps(record, ensure_ascii=False, indent=1, default=str)


def read_record(text: str, where: str) -> Record:
    """Return a record from JSON.

    Parameters
    ----------
    text
        What was read.
    where
        File or layer, for messages.

    Raises
    ------
    InputError
        It is no record, or one of a later program.
    """
    needed = "the record that a screening writes beside its sites"
    try:
        record = json.loads(text)
    except ValueError as error:
        raise InputError(where, f"no JSON ({error})", needed) from error
    missing = [name for name in _NEEDED if not isinstance(record, dict) or name not in record]
    if missing:
        raise InputError(where, f"no {', '.join(missing)}", needed)
    if record["schema"] != SCHEMA:
        raise InputError(where, f"schema {record['schema']}", f"schema {SCHEMA}; a newer program")
    return dict(record)


def record_path(path: Path, table: str = "") -> Path:
    """Return the file of the record beside the file of the sites, or of a table of a file."""
    stem = f"{path.stem}.{table}" if table else path.stem
    return path.with_name(f"{stem}{SUFFIX}")


def receipt(record: Record, row: int) -> str:
    """Return the receipt number of a site: run, row, and the digest of its answers."""
    digest = record["results"]["digests"][(row - 1) * LENGTH : row * LENGTH]
    return f"{str(record['run_id'])[:8]}-{row}-{digest or 'none'}"
