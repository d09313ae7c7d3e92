"""The folder of a run: what it is, its partitions, and what is done of them."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Final

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyogrio
import pyproj
import shapely
from pyogrio.errors import DataLayerError, DataSourceError

from ..errors import InputError
from ..layers import Layer
from ..model import Options
from ..ordinance import Ordinance, load_ordinance
from ..outputs import WriteError

Rows = npt.NDArray[np.int64]
Plane = tuple[int, int]

_STATUS: Final = ("fault", "repair", "before_sqft", "after_sqft")


@dataclass(frozen=True)
class Run:
    """A run in partitions: all that a task must know besides its own sites.

    Attributes
    ----------
    folder
        Where everything of the run is kept.
    run_id
        Id of the run, the same in all partitions.
    asked
        What the run was made of, by which it is known again: inputs, choices, law, files.
    parameters
        Inputs by name, files with their whole path.
    law, as_of
        Id or file of the law, and its day.
    options
        Choices of the run.
    made
        What was made of raw layers of agencies, as `raw.prepare_raw` returns it.
    fields
        Fields by name, well-known ones that nobody named among them.
    sites
        Name, source, CRS, extent, count and attributes of the layer of sites.
    planes
        Bounds in feet of all sites of each working plane.
    parts
        Number of partitions.
    follows
        Whether runoff may be followed.
    plans
        Whether sites are summed by common plans.
    findings
        Whether findings are kept.
    """

    folder: Path
    run_id: str
    asked: Mapping[str, Any]
    parameters: Mapping[str, Any]
    law: str
    as_of: str
    options: Mapping[str, Any]
    made: Mapping[str, Any]
    fields: Mapping[str, str]
    sites: Mapping[str, Any]
    planes: tuple[tuple[Plane, tuple[float, ...]], ...]
    parts: int
    follows: bool
    plans: bool
    findings: bool

    @property
    def digest(self) -> str:
        """Checksum of what the run was made of."""
        return digest_of(self.asked)

    @property
    def crs(self) -> pyproj.CRS:
        """CRS of the sites."""
        return pyproj.CRS.from_wkt(str(self.sites["crs"]))

    def ordinance(self) -> Ordinance:
        """Return the law on its day."""
        return load_ordinance(self.law, date.fromisoformat(self.as_of))

    def choices(self) -> Options:
        """Return the choices of the run, for a task on one thread."""
        values = tuple(self.options["impaired_status_values"])
        own = {**self.options, "impaired_status_values": values}
        return replace(Options(**own), run_id=self.run_id, workers=1)

    def path(self, *parts: str) -> Path:
        """Return a path in the folder."""
        return self.folder.joinpath(*parts)


def digest_of(asked: Mapping[str, Any]) -> str:
    """Return the checksum (SHA-256) of what a run was made of."""
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


def save_run(run: Run) -> None:
    """Write what a run is to its folder."""
    write_json(run.path("run.json"), {**asdict(run), "folder": "", "planes": list(run.planes)})


def load_run(folder: Path) -> Run | None:
    """Return the run of a folder, or None where none was begun.

    Raises
    ------
    InputError
        The folder holds something else.
    """
    path = folder / "run.json"
    if not path.exists():
        return None
    try:
        found = json.loads(path.read_text("utf-8"))
        planes = tuple(((int(a), int(b)), tuple(bounds)) for (a, b), bounds in found["planes"])
        return Run(**{**found, "folder": folder, "planes": planes})
    except (ValueError, KeyError, TypeError) as error:
        needed = "a folder of a run by this version of the program, or an empty one"
        raise InputError(f"WORK ({folder})", f"run.json is something else ({error})", needed) from (
            error
        )


def write_json(path: Path, content: object) -> None:
    """Write JSON so that it is there as a whole or not at all.

    Raises
    ------
    WriteError
        It cannot be written.
    """
    with replacing(path) as staged:
        staged.write_text(json.dumps(content, ensure_ascii=False), "utf-8")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a name beside a file; what is written there takes its place at the end.

    Raises
    ------
    WriteError
        It cannot be written.
    """
    staged = path.with_name(f".{uuid.uuid4().hex[:12]}.{path.name}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield staged
        staged.replace(path)
    except (OSError, DataSourceError, DataLayerError) as error:
        raise WriteError(f"WORK: {path}: {error}") from error
    finally:
        staged.unlink(missing_ok=True)


_COMPANIONS: Final = {
    ".shp": (".dbf", ".shx", ".prj", ".cpg"),
    ".tab": (".dat", ".map", ".id"),
    ".mif": (".mid",),
}
"""Files beside a file that hold the rest of a layer."""


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def file_state(source: str) -> list[Any]:
    """Return path, size and time of a file with those that belong to it, or of a folder's files.

    They tell a change without reading: hundreds of gigabytes are not read for it.
    """
    path = Path(source.partition("|")[0])
    if path.is_dir():
        files = sorted(one for one in path.rglob("*") if one.is_file())
        return [str(path), *([str(one.name), *_state(one)] for one in files)]
    if not path.is_file():
        return [source]
    names = _COMPANIONS.get(path.suffix.lower(), ())
    beside = (path.with_suffix(suffix) for end in names for suffix in (end, end.upper()))
    others = [[one.name, *_state(one)] for one in beside if one.is_file()]
    return [str(path), *_state(path), *others]


def _state(path: Path) -> list[int]:
    state = path.stat()
    return [state.st_size, state.st_mtime_ns]


def save_sites(run: Run, number: int, layer: Layer, rows: Rows, others: gpd.GeoSeries) -> None:
    """Write the sites of a partition, as they were read and cleaned, and their neighbours.

    Parameters
    ----------
    run
        The run.
    number
        Number of the partition.
    layer
        All sites.
    rows
        Places of the partition's sites, rising.
    others
        Other sites on which polygons lie that reach over some of these.
    """
    own = layer.frame.iloc[rows]
    values = {f"a{at}": _storable(own.iloc[:, at]) for at in range(len(own.columns) - 1)}
    status = layer.status.iloc[rows][list(_STATUS)].reset_index(drop=True)
    table = pd.DataFrame({"row": rows, **values}).join(status)
    frame = gpd.GeoDataFrame(table, geometry=own.geometry.to_numpy(), crs=layer.frame.crs)
    with replacing(run.path("sites", f"{number:05d}.gpkg")) as staged:
        options = {"geometry_type": "Unknown", "driver": "GPKG", "SPATIAL_INDEX": "NO"}
        pyogrio.write_dataframe(frame, staged, layer="sites", **options)
        beside = gpd.GeoDataFrame(geometry=others.to_numpy(), crs=layer.frame.crs)
        pyogrio.write_dataframe(beside, staged, layer="others", append=True, **options)


def _storable(values: pd.Series) -> npt.NDArray[Any]:
    """Return values of one kind: yes and no beside NULL as the words that they are read by."""
    if values.dtype == object:
        values = values.map(lambda one: str(one) if isinstance(one, bool) else one)
    return np.asarray(values.to_numpy())


def load_sites(run: Run, number: int) -> tuple[Layer, Rows, gpd.GeoSeries]:
    """Return the sites of a partition, their rows among all sites, and their neighbours."""
    path = run.path("sites", f"{number:05d}.gpkg")
    found = pyogrio.read_dataframe(path, layer="sites")
    rows = found["row"].to_numpy(np.int64)
    names = [str(name) for name in run.sites["columns"]]
    attributes = found[[f"a{at}" for at in range(len(names))]].set_axis(names, axis=1)
    frame = gpd.GeoDataFrame(attributes, geometry=found.geometry.to_numpy(), crs=run.crs)
    extent = run.sites["extent"]
    layer = Layer(
        role="SITES",
        name=str(run.sites["name"]),
        frame=frame,
        extent=None if extent is None else tuple(extent),
        feature_count=int(run.sites["count"]),
        source=str(run.sites["source"]),
        status=found[list(_STATUS)].fillna({"fault": "", "repair": ""}),
    )
    others = pyogrio.read_dataframe(path, layer="others").geometry.to_numpy()
    return layer, rows, gpd.GeoSeries(others, crs=run.crs)


def save_vicinity(run: Run, plane: Plane, area: shapely.Geometry | None) -> None:
    """Write the surroundings of all sites of a plane, in NAD83 degrees."""
    with replacing(_vicinity_path(run, plane)) as staged:
        staged.write_bytes(b"" if area is None else shapely.to_wkb(area))


def load_vicinity(run: Run, plane: Plane) -> shapely.Geometry | None:
    """Return the surroundings of all sites of a plane."""
    found = _vicinity_path(run, plane).read_bytes()
    return shapely.from_wkb(found) if found else None


def _vicinity_path(run: Run, plane: Plane) -> Path:
    return run.path("planes", f"{plane[0]}_{plane[1]}.wkb")
