"""Screen sites end to end: measures, rules, findings, zones and counts."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from contextlib import nullcontext

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd

from .columns import FINDING_COLUMNS, SCREENED_COLUMNS, ZONE_COLUMNS, Column
from .dem import Dem
from .details import Details, stacked
from .facts import Quantity, merge
from .fields import text_field
from .measuring import Measured, measure
from .model import Options, Screening, ScreeningInputs
from .ordinance import Ordinance
from .overlay import polygons_outside
from .progress import Progress, no_progress, part_of
from .project import project_facts
from .rules import Judgement, judge
from .vicinity import Group, groups

_SPLIT_LAYERS = ("DISTURBANCE", "IMPERVIOUS")


def screen(
    inputs: ScreeningInputs,
    ordinance: Ordinance,
    options: Options | None = None,
    *,
    progress: Progress = no_progress,
    message: Callable[[str], None] = lambda text: None,
) -> Screening:
    """Screen sites under one law.

    Parameters
    ----------
    inputs
        Sites, layers, fields and DEM.
    ordinance
        The law on the day of the application.
    options
        Choices of the run.
    progress
        Called with the share done, 0 to 1; raises to stop the run.
    message
        Called with a sentence at each stage.

    Returns
    -------
    Screening
        As many rows as sites, in their order.

    Raises
    ------
    InputError
        A layer, field or raster cannot be used.
    CancelledError
        The run was stopped.
    """
    options = options or Options()
    run_id = options.run_id or str(uuid.uuid4())
    sites = inputs.sites
    ids = _site_ids(inputs)
    parts = groups(sites.frame, inputs.layers)
    measured = _measure_all(parts, inputs, ordinance, options, part_of(progress, 0.02, 0.8))
    facts = merge(
        [(group.positions, part.facts) for group, part in zip(parts, measured, strict=True)],
        len(sites.frame),
    )
    message("All sites are measured.")
    disturbed = facts.by_name["disturbed"]
    assert isinstance(disturbed, Quantity)
    project = project_facts(
        sites.frame.drop(columns="geometry"),
        disturbed,
        inputs.fields,
        layer=sites.name,
        project_type=options.project_type,
        plan_empty=options.plan_empty,
        high_traffic=options.high_traffic,
    )
    facts.by_name.update(project.facts)
    judgement = judge(
        facts,
        ordinance,
        discretionary=options.discretionary,
        parameters={"contiguous_ft": options.contiguous_ft},
    )
    progress(0.9)
    message("The rules of the law are applied.")
    joined = _Joined(parts, measured, len(sites.frame))
    columns = _columns(joined, judgement, ordinance, ids, run_id)
    outside, outside_notes = _outside(parts)
    details = stacked([joined.details, project.details, outside, _repairs(inputs)])
    findings = _findings(judgement.findings, details, ids, run_id)
    zones = _zones(parts, measured, sites.frame, ids, run_id)
    notes = _notes(inputs, measured, (*ordinance.notes, *project.notes, *outside_notes))
    progress(1.0)
    return Screening(
        columns=columns,
        geometries=sites.frame.geometry,
        findings=findings,
        zones=zones,
        counts=_counts(columns, ordinance, int(joined.whole_site.sum())),
        notes=notes,
    )


def _measure_all(
    parts: Sequence[Group],
    inputs: ScreeningInputs,
    ordinance: Ordinance,
    options: Options,
    progress: Progress,
) -> list[Measured]:
    source = inputs.dem
    opened = (
        nullcontext()
        if source is None
        else Dem.open(source.path, band=source.band, z_unit=source.z_unit)
    )
    measured = []
    done, total = 0, max(1, sum(len(group.positions) for group in parts))
    with opened as dem:
        for group in parts:
            share = part_of(progress, done / total, (done + len(group.positions)) / total)
            measured.append(measure(group, inputs, ordinance, options, dem, share))
            done += len(group.positions)
    return measured


class _Joined:
    """Tables of all groups in the order of the sites."""

    def __init__(self, parts: Sequence[Group], measured: Sequence[Measured], count: int) -> None:
        order = np.argsort(np.concatenate([group.positions for group in parts]), kind="stable")

        def in_order(tables: list[pd.DataFrame]) -> pd.DataFrame:
            return pd.concat(tables, ignore_index=True).iloc[order].reset_index(drop=True)

        self.columns = in_order([part.columns for part in measured])
        self.infiltration_sqft = in_order([part.infiltration_sqft for part in measured])
        self.whole_site = np.concatenate([part.whole_site for part in measured])[order]
        moved = [
            part.details.assign(row=_places(group, part.details["row"]))
            for group, part in zip(parts, measured, strict=True)
        ]
        self.details = stacked(moved)


def _places(group: Group, rows: pd.Series) -> npt.NDArray[np.int64]:
    """Return places among all sites; -1, the run as a whole, stays."""
    own = rows.to_numpy(np.int64)
    return np.where(own < 0, -1, group.positions[own]).astype(np.int64)


def _site_ids(inputs: ScreeningInputs) -> npt.NDArray[np.object_]:
    field = inputs.fields.get("SITE_ID")
    frame = inputs.sites.frame
    if field is None:
        return np.full(len(frame), None, dtype=object)
    ids = text_field(frame, field, layer=inputs.sites.name)
    return np.array([text or None for text in ids], dtype=object)


def _columns(
    joined: _Joined,
    judgement: Judgement,
    ordinance: Ordinance,
    ids: npt.NDArray[np.object_],
    run_id: str,
) -> pd.DataFrame:
    table = pd.concat([joined.columns, judgement.columns], axis=1)
    table["row"] = np.arange(1, len(table) + 1)
    table["site_id"] = ids
    table["run_id"] = run_id
    table["infil_sf"] = _area_left(joined, table["class"], ordinance, high_traffic=False)
    table["infilht_sf"] = _area_left(joined, table["class"], ordinance, high_traffic=True)
    return _shaped(table, SCREENED_COLUMNS)


def _area_left(
    joined: _Joined, classes: pd.Series, ordinance: Ordinance, *, high_traffic: bool
) -> npt.NDArray[np.float64]:
    """Return where infiltration may stand under the text for the class of each site, sq ft.

    A site whose class has no text of its own gets the smaller area of all texts.
    """
    chosen = {
        name: setbacks
        for name, setbacks in ordinance.zones.infiltration.items()
        if setbacks.high_traffic == high_traffic
    }
    if not chosen:
        return np.full(len(classes), np.nan)
    areas = joined.infiltration_sqft[list(chosen)]
    left = areas.min(axis=1).to_numpy(dtype=np.float64)
    for name, setbacks in chosen.items():
        for_class = (classes == setbacks.class_word).to_numpy()
        left = np.where(for_class, areas[name].to_numpy(np.float64), left)
    return np.asarray(left, dtype=np.float64)


def _shaped(table: pd.DataFrame, columns: Sequence[Column]) -> pd.DataFrame:
    """Return the columns in their order, texts cut to their length, nothing as None."""
    shaped = {}
    for column in columns:
        values = table[column.name]
        if column.kind == "text":
            shaped[column.name] = _texts(values, column.length)
        elif column.kind == "integer":
            shaped[column.name] = values.to_numpy(np.int64)
        else:
            numbers = values.to_numpy(np.float64)
            shaped[column.name] = np.where(np.isfinite(numbers), numbers, np.nan)
    return pd.DataFrame(shaped)


def _texts(values: pd.Series, length: int) -> npt.NDArray[np.object_]:
    plain = values.astype(object).where(values.notna(), None).to_numpy()
    cut = [
        text if text is None or len(text) <= length else text[: length - 1] + "…" for text in plain
    ]
    return np.array(cut, dtype=object)


def _findings(
    judged: pd.DataFrame, details: pd.DataFrame, ids: npt.NDArray[np.object_], run_id: str
) -> pd.DataFrame:
    """Return rules and details in one table, site by site; the run as a whole has row 0."""
    # Rules count rows from 1, details count places from 0, with -1 for the run as a whole.
    extra = details.rename(columns={"id": "rule"}).assign(row=details["row"] + 1)
    table = stacked([judged, extra.reindex(columns=judged.columns)])
    table["site_id"] = np.r_[[None], ids][table["row"].to_numpy(np.int64)]
    table["run_id"] = run_id
    table = table.sort_values("row", kind="stable", ignore_index=True)
    return _shaped(table, FINDING_COLUMNS)


def _zones(
    parts: Sequence[Group],
    measured: Sequence[Measured],
    sites: gpd.GeoDataFrame,
    ids: npt.NDArray[np.object_],
    run_id: str,
) -> gpd.GeoDataFrame:
    drawn = []
    for group, part in zip(parts, measured, strict=True):
        moved = part.zones.to_crs(sites.crs)
        moved["row"] = _places(group, moved["row"])
        drawn.append(moved)
    table = pd.concat(drawn, ignore_index=True).sort_values(
        ["row", "zone"], kind="stable", ignore_index=True
    )
    row = table["row"].to_numpy(np.int64)
    table["row"], table["site_id"], table["run_id"] = row + 1, ids[row], run_id
    shaped = _shaped(pd.DataFrame(table), ZONE_COLUMNS)
    return gpd.GeoDataFrame(shaped, geometry=table["geometry"].to_numpy(), crs=sites.crs)


def _outside(parts: Sequence[Group]) -> tuple[pd.DataFrame, list[str]]:
    """Return what of the drawn areas lies on no site."""
    details = [Details().frame()]
    notes: list[str] = []
    first = parts[0]
    for name in _SPLIT_LAYERS:
        frames = [group.frame(name) for group in parts]
        given = [frame.to_crs(first.crs) for frame in frames if frame is not None]
        if not given:
            continue
        polygons = gpd.GeoDataFrame(pd.concat(given, ignore_index=True), crs=first.crs)
        # A polygon near the sites of two groups stands in both.
        polygons = polygons[~polygons.geometry.to_wkb().duplicated()].reset_index(drop=True)
        sites = pd.concat([group.sites.geometry.to_crs(first.crs) for group in parts])
        found, sentences = polygons_outside(
            gpd.GeoDataFrame(geometry=sites.to_numpy(), crs=first.crs),
            polygons,
            layer=", ".join(layer.name for layer in first.of(name)),
        )
        details.append(found)
        notes += sentences
    return stacked(details), notes


def _repairs(inputs: ScreeningInputs) -> pd.DataFrame:
    """Return the repaired and the broken sites as details."""
    details = Details()
    status = inputs.sites.status
    for row in np.flatnonzero(status["repair"].astype(bool) | status["fault"].astype(bool)):
        state = status.iloc[row]
        if state["fault"]:
            text = f"the site cannot be measured: {state['fault']}"
            details.add(row, "geometry", np.nan, text, inputs.sites.name, outcome="unknown")
            continue
        text = (
            f"geometry repaired ({state['repair']}): {state['before_sqft']:,.0f} sq ft as drawn,"
            f" {state['after_sqft']:,.0f} sq ft after"
        )
        details.add(row, "geometry", state["after_sqft"], text, inputs.sites.name)
    return details.frame()


def _notes(
    inputs: ScreeningInputs, measured: Sequence[Measured], others: Sequence[str]
) -> list[str]:
    given = [inputs.sites, *(layer for some in inputs.layers.values() for layer in some)]
    notes = [note for layer in given for note in layer.notes]
    if inputs.sites.frame.empty:
        notes.insert(0, f"{inputs.sites.name}: no sites")
    notes += [note for part in measured for note in part.notes]
    return list(dict.fromkeys([*notes, *others]))


def _counts(columns: pd.DataFrame, ordinance: Ordinance, whole: int) -> dict[str, int]:
    classes = columns["class"]

    def of(*words: str) -> int:
        return int(classes.isin([word for word in words if word]).sum())

    return {
        "SITE_COUNT": len(columns),
        "MAJOR_COUNT": of(ordinance.classes.major),
        "MINOR_COUNT": of(ordinance.classes.minor),
        "EXEMPT_COUNT": of(*ordinance.classes.exempt),
        "REVIEW_COUNT": of("review"),
        "UNKNOWN_COUNT": of("unknown"),
        "REGULATED_COUNT": of(*ordinance.classes.regulated),
        "CONDITION_A_COUNT": int((columns["cond_a"] == "yes").sum()),
        "CONDITION_B_COUNT": int((columns["cond_b"] == "yes").sum()),
        "CONDITION_C_COUNT": int((columns["cond_c"] == "yes").sum()),
        "WHOLE_SITE_COUNT": whole,
    }
