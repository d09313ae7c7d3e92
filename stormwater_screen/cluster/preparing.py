"""Begin a run in partitions, or take up one that was stopped."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyogrio
import shapely
from pyogrio.errors import DataLayerError, DataSourceError

from .. import __version__
from ..errors import InputError
from ..fields import number_field, project_type_field, text_field, yes_no_field
from ..file_reader import FileReader
from ..following import can_follow
from ..gathering import SPLIT_LAYERS, outside_sites
from ..input_names import SITE_FIELDS
from ..layers import Layer
from ..model import Options
from ..ordinance import Ordinance
from ..plane import NO_PLANE, plane_keys
from ..plans import read_plans
from ..prepare.vicinity import Vicinity, vicinity_of
from ..progress import Progress
from ..project import NUMBER_FIELDS, WORD_FIELDS
from ..reading import read_inputs
from ..record import law_record, library_versions
from ..slope import CENTRES_OUTSIDE, DEVICES_OUTSIDE, unplaced
from ..sources import which_layer
from ..tables import known_fields
from ..vicinity import Group, groups, plane_bounds
from .folder import (
    Rows,
    Run,
    digest_of,
    file_state,
    load_run,
    save_run,
    save_sites,
    save_vicinity,
)
from .raw import NOTHING, Made, as_made, prepare_raw, read_instead
from .tasks import DRAWN


@dataclass(frozen=True)
class Begun:
    """A run that is ready for its tasks, and what only the run as a whole knows.

    Attributes
    ----------
    run
        The run.
    sites
        All sites, with the attributes that the run looks at; without their shapes.
    details
        Details of the run as a whole, with the columns of ``details.COLUMNS``.
    notes
        Sentences on the run as a whole.
    """

    run: Run
    sites: Layer
    details: pd.DataFrame
    notes: list[str]


class _Sample(FileReader):
    """Reads layers near some of the sites only: their fields are the same everywhere."""

    near: Vicinity | None = None
    made: Made = NOTHING

    def layers(self, name: str, near: Vicinity | None = None) -> tuple[Layer, ...]:
        return as_made(name, super().layers(name, self.near), self.made)


def begin(
    folder: Path,
    parameters: Mapping[str, Any],
    law: str,
    ordinance: Ordinance,
    options: Options,
    known: Mapping[str, Any],
    size: int,
    progress: Progress,
    *,
    want_findings: bool = True,
) -> Begun:
    """Begin a run, or take up the run of a folder if it is the same.

    Parameters
    ----------
    folder
        Folder of the run; made where there is none.
    parameters
        Inputs by name, defaults too, files with their whole path.
    law, ordinance
        Id or file of the law, and the law on its day.
    options
        Choices of the run.
    known
        Names that the run takes.
    size
        About how many sites a partition has.
    progress
        Called with the share done; raises to stop.
    want_findings
        False saves the place of the findings, half of what is written.

    Raises
    ------
    InputError
        An input cannot be used, or the folder holds a run of other inputs.
    """
    reader = _Sample(parameters)
    asked = _asked(parameters, law, ordinance, options, size, reader)
    asked["findings"] = want_findings
    before = load_run(folder)
    if before is not None:
        _refuse_other(folder, before.asked, asked)
    sites = reader.sites(_looked_at(parameters))
    progress(0.3)
    keys = plane_keys(sites.frame)
    partition = partitions(sites.frame, keys, size)
    reader.near = vicinity_of(sites.frame.iloc[np.flatnonzero(partition == 0)])
    made = _made(folder, reader, sites, options) if before is None else before.made
    reader.made, reader.parameters = made, read_instead(folder, parameters, made)
    if made["values"]:
        options = replace(options, impaired_status_values=tuple(made["values"]))
    inputs, options, guessed = read_inputs(reader, sites, options, known)
    guessed = [note for note in guessed if "recognised as hydrography" not in note]
    drawn = {name: FileReader(parameters).layers(name) for name in DRAWN if reader.given(name)}
    # Without drawn shapes nothing is asked of the sites in their planes but bounds.
    parts = groups(sites.frame[["geometry"]], drawn) if drawn else []
    details, notes = outside_sites(parts)
    notes = [
        *made["notes"],
        *guessed,
        *sites.notes,
        *(note for some in drawn.values() for layer in some for note in layer.notes),
        *_field_notes(sites, inputs.fields, options),
        *notes,
    ]
    notes += _unplaced(parts, reader.given("DEM"))
    run = Run(
        folder=folder,
        run_id=str(uuid.uuid4()) if before is None else before.run_id,
        asked=asked,
        parameters=dict(parameters),
        law=law,
        as_of=ordinance.as_of.isoformat(),
        options={**asdict(options), "impaired_status_values": options.impaired_status_values},
        made=made,
        fields=dict(inputs.fields),
        sites=_sites_record(sites),
        planes=tuple(plane_bounds(sites.frame).items()),
        parts=int(partition.max(initial=0)) + 1,
        follows=_follows(parameters, options),
        plans="PLAN_FIELD" in inputs.fields,
        findings=want_findings,
    )
    progress(0.6)
    if before is None:
        _stage(run, sites, partition, keys, parts, progress)
    return Begun(run, _without_shapes(sites), details, notes)


def _without_shapes(sites: Layer) -> Layer:
    """Return the sites with their attributes only: their shapes wait in the partitions."""
    nothing = np.full(len(sites.frame), None, dtype=object)
    own = sites.frame.drop(columns="geometry")
    frame = gpd.GeoDataFrame(own, geometry=nothing, crs=sites.frame.crs)
    return replace(sites, frame=frame, status=sites.status.iloc[:0])


def partitions(sites: gpd.GeoDataFrame, keys: npt.NDArray[np.int64], size: int) -> Rows:
    """Return the number of the partition of each site: neighbours along a Hilbert curve.

    Parameters
    ----------
    sites
        Polygons in any CRS; may be None or empty.
    keys
        Working plane of each.
    size
        About how many sites a partition has.
    """
    placed = np.flatnonzero(keys[:, 0] != NO_PLANE)
    result = np.zeros(len(sites), np.int64)
    if len(placed):
        along = sites.geometry.iloc[placed].hilbert_distance().to_numpy()
        number = max(1, round(len(placed) / size))
        order = placed[np.argsort(along, kind="stable")]
        for at, some in enumerate(np.array_split(order, number)):
            result[some] = at
        # Sites without a place join the first that has one, as in a run of all.
        result[keys[:, 0] == NO_PLANE] = result[placed[0]]
    return result


def _made(folder: Path, sample: FileReader, sites: Layer, options: Options) -> Made:
    """Prepare raw data of agencies that partitions cannot sort each for itself."""
    near = vicinity_of(sites.frame)
    return prepare_raw(folder, sample, near, options.impaired_status_values)


def _asked(
    parameters: Mapping[str, Any],
    law: str,
    ordinance: Ordinance,
    options: Options,
    size: int,
    reader: FileReader,
) -> dict[str, Any]:
    """Return what the run is made of, so that a change is found."""
    choices = {name: value for name, value in asdict(options).items() if name != "workers"}
    return {
        "program": __version__,
        "versions": library_versions(),
        "law": law_record(ordinance, law)["sha256"],
        "as_of": ordinance.as_of.isoformat(),
        "parameters": dict(parameters),
        "options": {**choices, "impaired_status_values": list(options.impaired_status_values)},
        "partition_sites": size,
        "files": {
            name: [file_state(source) for source in sources]
            for name, sources in reader.sources().items()
        },
    }


def _refuse_other(folder: Path, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Refuse a folder whose run was made of something else."""
    if digest_of(before) == digest_of(now):
        return
    changed = []
    for name, value in now.items():
        old = before.get(name)
        if isinstance(value, dict) and isinstance(old, dict):
            keys = dict.fromkeys((*value, *old))
            changed += [f"{name} {key}" for key in keys if value.get(key) != old.get(key)]
        elif value != old:
            changed.append(name)
    raise InputError(
        f"WORK ({folder})",
        f"a run of other inputs; changed since it was begun: {', '.join(changed)}",
        "the inputs of that run, or another folder for a run of its own",
    )


def _looked_at(parameters: Mapping[str, Any]) -> list[str] | None:
    """Return the attributes of the sites that a run looks at; None: all, to say what is wrong."""
    if "SITES" not in parameters:
        return None
    try:
        source, layer = which_layer(str(parameters["SITES"]))
        names = [str(name) for name in pyogrio.read_info(source, layer=layer)["fields"]]
    except (InputError, DataSourceError, DataLayerError):
        return None
    named = {str(parameters[name]) for name in SITE_FIELDS if name in parameters}
    if not named <= set(names):
        # So that the message names all fields that there are.
        return None
    guessed = {known_fields().guess(name, names) for name in ("SITE_ID", "PROP_CLASS")}
    return [name for name in names if name in named | guessed]


def _follows(parameters: Mapping[str, Any], options: Options) -> bool:
    wanted = options.follow_runoff and {"DEM", "WATERCOURSES"} <= set(parameters)
    return wanted and not can_follow()


def _sites_record(sites: Layer) -> dict[str, Any]:
    return {
        "name": sites.name,
        "source": sites.source,
        "crs": sites.frame.crs.to_wkt(),
        "extent": sites.extent,
        "count": sites.feature_count,
        "columns": [str(name) for name in sites.frame.columns.drop("geometry")],
    }


def _field_notes(sites: Layer, fields: Mapping[str, str], options: Options) -> list[str]:
    """Return what the entries of the sites' fields could not give, counted over all sites."""
    attributes = pd.DataFrame(sites.frame.drop(columns="geometry"))
    notes: list[str] = []
    numbers = {"DISTURBED_FIELD": "sq ft", "IMPERVIOUS_FIELD": "sq ft"}
    numbers |= {parameter: unit for parameter, unit, _ in NUMBER_FIELDS.values()}
    for parameter, unit in numbers.items():
        if parameter in fields:
            field, whole = fields[parameter], unit == "lots"
            notes += number_field(attributes, field, layer=sites.name, unit=unit, whole=whole).notes
    for parameter, _ in WORD_FIELDS.values():
        if parameter in fields:
            notes += yes_no_field(attributes, fields[parameter], layer=sites.name).notes
    if "PROJECT_TYPE_FIELD" in fields:
        field = fields["PROJECT_TYPE_FIELD"]
        notes += project_type_field(attributes, field, layer=sites.name).notes
    if "PLAN_FIELD" in fields:
        field = fields["PLAN_FIELD"]
        entries = text_field(attributes, field, layer=sites.name)
        plans = read_plans(entries, field, layer=sites.name, plan_empty=options.plan_empty)
        notes += plans.notes
    return notes


def _unplaced(parts: list[Group], with_dem: bool) -> list[str]:
    """Return how many centres and devices lie on no site."""
    found = (
        (text, unplaced(group.sites, group.frame(name)))
        for name, text in (("BUILDING_CENTRES", CENTRES_OUTSIDE), ("DEVICES", DEVICES_OUTSIDE))
        for group in (parts if with_dem else ())
    )
    return [text.format(outside) for text, outside in found if outside]


def _stage(
    run: Run,
    sites: Layer,
    partition: Rows,
    keys: npt.NDArray[np.int64],
    parts: list[Group],
    progress: Progress,
) -> None:
    """Write the sites of each partition, the surroundings of each plane, and what the run is."""
    others = _others(parts, partition)
    for plane, _ in run.planes:
        own = sites.frame[(keys == plane).all(axis=1)]
        near = vicinity_of(own)
        save_vicinity(run, plane, None if near is None else near.area)
    order = np.argsort(partition, kind="stable")
    ends = np.searchsorted(partition[order], np.arange(run.parts + 1))
    for number in range(run.parts):
        beside = sites.frame.geometry.iloc[others.get(number, np.empty(0, np.int64))]
        save_sites(run, number, sites, order[ends[number] : ends[number + 1]], beside)
        progress(0.6 + 0.4 * (number + 1) / run.parts)
    # What the run is comes last: a folder without it holds nothing yet.
    save_run(run)


def _others(parts: list[Group], partition: Rows) -> dict[int, Rows]:
    """Return for each partition the sites elsewhere that share a polygon with one of its own."""
    pairs = [pd.DataFrame({"polygon": [], "site": []}, dtype=np.int64)]
    shift = 0
    for group in parts:
        shapes = np.asarray(group.sites.geometry.array, dtype=object)
        for frame in (group.frame(name) for name in SPLIT_LAYERS):
            if frame is None:
                continue
            pieces, owner = shapely.get_parts(
                np.asarray(frame.geometry.array, dtype=object), return_index=True
            )
            piece, site = shapely.STRtree(shapes).query(pieces, predicate="intersects")
            own = {"polygon": owner[piece] + shift, "site": group.positions[site]}
            pairs.append(pd.DataFrame(own))
            shift += len(frame)
    table = pd.concat(pairs, ignore_index=True).drop_duplicates()
    table["part"] = partition[table["site"].to_numpy(np.int64)]
    spread = table[table.groupby("polygon")["part"].transform("nunique") > 1]
    both = spread.merge(spread[["polygon", "part"]].drop_duplicates(), on="polygon")
    both = both[both["part_x"] != both["part_y"]]
    return {
        int(number): np.unique(some.to_numpy(np.int64))
        for number, some in both.groupby("part_y")["site"]
    }


def plan_table(begun: Begun, measured: pd.DataFrame) -> pd.DataFrame:
    """Return the sites of common plans with what they disturb and what their rows say.

    Parameters
    ----------
    begun
        The run.
    measured
        ``row``, ``plan``, ``low``, ``high``, ``error``, ``tolerance`` of all of them.
    """
    run, sites = begun.run, begun.sites
    table = measured.sort_values("row", ignore_index=True)
    rows = table["row"].to_numpy(np.int64)
    ids: list[str | None] = [None] * len(rows)
    if "SITE_ID" in run.fields:
        ids = text_field(sites.frame, run.fields["SITE_ID"], layer=sites.name)[rows].tolist()
    typed = np.full(len(rows), np.nan)
    if "PLAN_TOTAL_FIELD" in run.fields:
        totals = number_field(sites.frame, run.fields["PLAN_TOTAL_FIELD"], layer=sites.name)
        typed = totals.value[rows]
    return table.assign(own=pd.Series(ids, dtype=object), typed=typed)
