"""The tasks of a run in partitions. Each can be made anywhere, again, and in any order."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, cast

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyogrio
from pyogrio.errors import DataLayerError, DataSourceError

from ..columns import FINDING_COLUMNS, SCREENED_COLUMNS, ZONE_COLUMNS
from ..dem import Dem
from ..digests import site_digests
from ..errors import InputError, ScreeningError
from ..facts import Quantity
from ..fields import text_field
from ..file_reader import FileReader
from ..gathering import SPLIT_LAYERS, gather
from ..input_names import LAYERS
from ..layers import Layer
from ..measuring import HYDROGRAPHY, Demands, Work
from ..model import Options, ScreeningInputs, Whole
from ..network import LayerTrust, Trust
from ..notes import as_json
from ..ordinance import Ordinance
from ..outputs import typed, typed_shapes
from ..plane import plane_crs, plane_keys
from ..plans import Mates, read_plans
from ..prepare.recognise import recognise
from ..prepare.vicinity import Vicinity, vicinity_of
from ..record import library_versions
from ..screening import screen
from ..vicinity import Group, Rest, near_sites
from .folder import (
    Plane,
    Rows,
    Run,
    checksum,
    load_run,
    load_sites,
    load_vicinity,
    replacing,
    write_json,
)
from .raw import as_made, read_instead

_WAITS_S: Final = (1.0, 5.0, 0.0)
"""After a file could not be read or written: seconds until the next try, none after the last."""

_OF_FILES: Final = (OSError, DataSourceError, DataLayerError)

DRAWN: Final = (*SPLIT_LAYERS, "BUILDING_CENTRES", "DEVICES")
"""Layers that are looked at as a whole when a run is begun."""

_AREA_LAYERS: Final = ("DISTURBANCE", "IMPERVIOUS", "EXISTING_IMPERVIOUS", "COVERAGE")

Outcome = Mapping[str, Any]
"""``done`` (what was made), or ``error`` (why it cannot be made: more tries do not help)."""


def survey_plane(folder: str, latitude: int, longitude: int) -> Outcome:
    """Find how far the directions of the watercourses near all sites of a plane can be trusted."""
    return _outcome(folder, lambda run: _survey(run, (latitude, longitude)))


def measure_plans(folder: str, number: int) -> Outcome:
    """Measure what the sites of a partition disturb that belong to common plans."""
    return _outcome(folder, lambda run: _plan_areas(run, number))


def make_part(folder: str, number: int) -> Outcome:
    """Screen the sites of a partition and write what was found of them."""
    return _outcome(folder, lambda run: _part(run, number))


def _outcome(folder: str, work: Callable[[Run], object]) -> Outcome:
    for wait_s in _WAITS_S:
        try:
            return {"done": work(_run(folder))}
        except (ScreeningError, *_OF_FILES) as error:
            told = isinstance(error, ScreeningError)
            failed = str(error) if told else f"{type(error).__name__}: {error}"
            if not _may_pass(error):
                return {"error": failed}
            # A file system of many machines fails for a moment now and then.
            time.sleep(wait_s)
    return {"error": failed}


def _may_pass(error: BaseException | None) -> bool:
    """Return whether an error comes from reading or writing a file."""
    while error is not None and not isinstance(error, _OF_FILES):
        error = error.__cause__
    return error is not None


def _run(folder: str) -> Run:
    run = load_run(Path(folder))
    if run is None:
        raise InputError(f"WORK ({folder})", "no run", "a folder that this machine sees too")
    _refuse_other_program(run)
    return run


def _refuse_other_program(run: Run) -> None:
    """Refuse to work with other libraries than those the run was begun with."""
    mine = library_versions()
    asked = {str(name): str(version) for name, version in run.asked["versions"].items()}
    other = [name for name in asked if mine.get(name) != asked[name]]
    if other:
        raise InputError(
            "Libraries of this machine",
            ", ".join(f"{name} {mine.get(name)}" for name in other),
            ", ".join(f"{name} {asked[name]}" for name in other) + ", as where the run was begun",
        )


def part_layers(
    run: Run, near: Vicinity | None, names: Sequence[str] = LAYERS
) -> dict[str, tuple[Layer, ...]]:
    """Return the layers of a run as far as they lie in some surroundings; coverage as a whole.

    Raises
    ------
    InputError
        A layer cannot be read.
    """
    reader = FileReader(read_instead(run.folder, run.parameters, run.made))
    given = {
        name: as_made(name, reader.layers(name, None if name == "COVERAGE" else near), run.made)
        for name in names
        if reader.given(name)
    }
    for name in set(DRAWN) & set(given):
        # What is said of the whole layer is said already.
        given[name] = tuple(replace(layer, notes=()) for layer in given[name])
    return recognise(given, run.fields, run.choices().impaired_status_values, whole=False).layers


def _survey(run: Run, plane: Plane) -> str:
    area = load_vicinity(run, plane)
    near = None if area is None else Vicinity(area)
    layers = part_layers(run, near, (*HYDROGRAPHY, "IMPAIRED"))
    bounds, crs = dict(run.planes)[plane], plane_crs(plane)
    nobody = gpd.GeoDataFrame(geometry=[], crs=crs)
    around = {
        name: tuple(near_sites(layer, crs, bounds) for layer in some)
        for name, some in layers.items()
    }
    group = Group(np.empty(0, np.intp), crs, nobody, around)
    source = FileReader(run.parameters).dem()
    assert source is not None
    inputs = ScreeningInputs(Layer("SITES", "", nobody, None, 0, ""), layers, run.fields, source)
    with Dem.open(source.path, band=source.band, z_unit=source.z_unit) as dem:
        found = Work(group, inputs, Demands(), run.choices(), dem).trust()
    told = None
    if found is not None:
        told = {
            name: {"downhill": dict(one.downhill), "against": dict(one.against)}
            for name, one in (("mapped", found.mapped), ("listed", found.listed))
        }
    write_json(trust_path(run, plane), {"run": run.digest, "trust": told})
    return f"{plane[0]}, {plane[1]}"


def trust_path(run: Run, plane: Plane) -> Path:
    """Return the file with what a survey of a plane found."""
    return run.path("planes", f"{plane[0]}_{plane[1]}.json")


def _trust(run: Run, plane: Plane) -> Trust | None:
    if not run.follows:
        return None
    found = json.loads(trust_path(run, plane).read_text("utf-8"))["trust"]
    if found is None:
        return None
    return Trust(LayerTrust(**found["mapped"]), LayerTrust(**found["listed"]))


def _plan_areas(run: Run, number: int) -> int:
    sites, rows, _ = load_sites(run, number)
    entries = text_field(sites.frame, run.fields["PLAN_FIELD"], layer=sites.name)
    plans = read_plans(entries, "", layer="", plan_empty=run.choices().plan_empty)
    member = np.flatnonzero([plan is not None for plan in plans.plan])
    table: dict[str, list[Any]] = {"row": [], "plan": []}
    if len(member):
        some = _some_sites(sites, member)
        layers = part_layers(run, vicinity_of(some.frame), _AREA_LAYERS)
        nobody = gpd.GeoSeries([], crs=run.crs)
        rest = {plane: Rest(bounds, nobody, None) for plane, bounds in run.planes}
        inputs = ScreeningInputs(some, layers, run.fields, None, Whole(rest, None))
        found = gather(inputs, Demands(), run.choices(), measures=("areas",))
        disturbed = cast(Quantity, found.measured.facts(["disturbed"]).by_name["disturbed"])
        numbers = {
            "row": rows[member],
            "low": disturbed.low,
            "high": disturbed.high,
            "error": disturbed.error,
            "tolerance": np.broadcast_to(disturbed.tolerance, len(member)),
        }
        table = {"plan": list(plans.plan[member])}
        table |= {name: list(map(float, values)) for name, values in numbers.items()}
    write_json(plan_path(run, number), {"run": run.digest, "table": table})
    return len(member)


def _some_sites(sites: Layer, places: npt.NDArray[np.intp]) -> Layer:
    frame = sites.frame.iloc[places].reset_index(drop=True)
    status = sites.status.iloc[places].reset_index(drop=True)
    return replace(sites, frame=frame, status=status)


def plan_path(run: Run, number: int) -> Path:
    """Return the file with what the sites of common plans in a partition disturb."""
    return run.path("plans", f"{number:05d}.json")


def _mates(run: Run, sites: Layer, rows: Rows) -> Mates | None:
    if not run.plans:
        return None
    table = pd.DataFrame(json.loads(run.path("plans", "all.json").read_text("utf-8")))
    entries = text_field(sites.frame, run.fields["PLAN_FIELD"], layer=sites.name)
    plans = read_plans(entries, "", layer="", plan_empty=run.choices().plan_empty)
    own = {plan for plan in plans.plan if plan is not None}
    chosen = table["plan"].isin(own) & ~table["row"].isin(rows)
    return Mates(rows, table[chosen].reset_index(drop=True))


def _part(run: Run, number: int) -> int:
    if part_is_done(run, number):
        return number
    sites, rows, others = load_sites(run, number)
    layers = part_layers(run, vicinity_of(sites.frame))
    keys = plane_keys(gpd.GeoDataFrame(geometry=others))
    rest = {
        plane: Rest(bounds, others[(keys == plane).all(axis=1)], _trust(run, plane))
        for plane, bounds in run.planes
    }
    whole = Whole(rest, _mates(run, sites, rows))
    dem = FileReader(run.parameters).dem()
    inputs = ScreeningInputs(sites, layers, run.fields, dem, whole)
    _write_part(run, number, inputs, rows, run.ordinance(), run.choices())
    return number


def _write_part(
    run: Run,
    number: int,
    inputs: ScreeningInputs,
    rows: Rows,
    ordinance: Ordinance,
    options: Options,
) -> None:
    """Screen the sites and write the part: tables of sites, findings and zones, and a manifest."""
    found = screen(inputs, ordinance, options)
    columns = typed(found.columns, SCREENED_COLUMNS)
    findings = typed(found.finding_rows.frame(), FINDING_COLUMNS)
    zones = typed_shapes(found.zones, ZONE_COLUMNS)
    count = len(rows)
    # Of the part alone each row is counted, so that the merge finds its place without looking.
    columns["n_findings"] = np.bincount(findings["row"] - 1, minlength=count)
    columns["n_zones"] = np.bincount(zones["row"] - 1, minlength=count)
    for table in (columns, findings, zones):
        table["row"] = (rows[table["row"].to_numpy(np.int64) - 1] + 1).astype(np.int64)
    columns["digest"] = np.array(
        site_digests(columns, findings, SCREENED_COLUMNS, FINDING_COLUMNS), dtype=object
    )
    if not run.findings:
        findings, columns["n_findings"] = findings.iloc[:0], 0
    crs = inputs.sites.frame.crs
    drawn = gpd.GeoDataFrame(columns, geometry=found.geometries.to_numpy(), crs=crs)
    with replacing(part_path(run, number)) as staged:
        spatial = {"geometry_type": "MultiPolygon", "promote_to_multi": True}
        pyogrio.write_dataframe(drawn, staged, layer="sites", driver="GPKG", **spatial)
        for name, table, how in (("findings", findings, {}), ("zones", zones, spatial)):
            pyogrio.write_dataframe(table, staged, layer=name, driver="GPKG", append=True, **how)
        state = {
            "run": run.digest,
            "sha256": checksum(staged),
            "rows": [int(rows.min()), int(rows.max())] if count else [],
            "counts": found.counts,
            "notes": [as_json(note) for note in found.notes],
        }
    # The manifest comes last: without it the part counts as not made.
    write_json(manifest_path(run, number), state)


def part_path(run: Run, number: int) -> Path:
    """Return the GeoPackage of a part."""
    return run.path("parts", f"{number:05d}.gpkg")


def manifest_path(run: Run, number: int) -> Path:
    """Return the file that says that a part is made, and with which checksum."""
    return run.path("parts", f"{number:05d}.json")


def part_is_done(run: Run, number: int) -> bool:
    """Return whether a part was made of the same inputs and is as it was written."""
    manifest, part = manifest_path(run, number), part_path(run, number)
    if not manifest.exists() or not part.exists():
        return False
    state = _state(manifest)
    return bool(state.get("run") == run.digest and state.get("sha256") == checksum(part))


def made_for(run: Run, path: Path) -> bool:
    """Return whether a small file of a task was made for this very run."""
    return path.exists() and bool(_state(path).get("run") == run.digest)


def _state(path: Path) -> dict[str, Any]:
    """Return what a small file says; nothing where it was damaged."""
    try:
        found = json.loads(path.read_text("utf-8"))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
