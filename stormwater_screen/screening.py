"""Screen sites end to end, or one step of it: columns, findings, zones, lines and counts."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd

from .coded import Coded, CodedPieces, Vocabulary, cut_texts, small_codes, text_sizes
from .columns import (
    FINDING_COLUMNS,
    LINE_COLUMNS,
    PATH_COLUMNS,
    SCREENED_COLUMNS,
    ZONE_COLUMNS,
    Column,
    columns_of,
)
from .details import Details
from .evidence import (
    INFILTRATION,
    evidence_columns,
    infiltration_column,
    read_evidence,
    read_infiltration,
)
from .facts import Fact, Facts, Quantity, taken
from .fields import text_field
from .freed_memory import give_back
from .gathering import Gathered, gather
from .measured import Some, block_rows
from .measuring import Demands
from .model import Options, Screening, ScreeningInputs
from .ordinance import Ordinance, Setbacks
from .progress import Progress, no_progress, part_of
from .project import Project, project_facts
from .rule_findings import RuleRows
from .rules import Judgement, judge
from .shapes import Shapes, SiteRows
from .threads import Work, together


@dataclass(frozen=True)
class Step:
    """The result of measures without a judgement.

    Attributes
    ----------
    columns
        One row a site, in order, with the columns that the measures own.
    geometries
        The sites' geometries, repaired, in the sites' CRS; None where a site has none.
    findings
        Long table with the columns of ``columns.FINDING_COLUMNS``.
    zones
        Polygons in the sites' CRS with the columns of ``columns.ZONE_COLUMNS``.
    lines
        Lines in the sites' CRS with the columns of ``columns.LINE_COLUMNS``.
    paths, outlets
        Ways of runoff, and the points where it leaves the sites, in the sites' CRS, with the
        columns of ``columns.PATH_COLUMNS``.
    notes
        Messages about the run as a whole.
    """

    columns: pd.DataFrame
    geometries: gpd.GeoSeries
    findings: pd.DataFrame
    zones: gpd.GeoDataFrame
    lines: gpd.GeoDataFrame
    paths: gpd.GeoDataFrame
    outlets: gpd.GeoDataFrame
    notes: list[str]


def screen(
    inputs: ScreeningInputs,
    ordinance: Ordinance,
    options: Options | None = None,
    *,
    progress: Progress = no_progress,
    message: Callable[[str], None] = lambda text: None,
    beside: Callable[[Shapes], Work | None] = lambda zones: None,
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
    beside
        Called with the zones when all is measured; the work that it returns is done in a thread
        while the sites are judged.

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
    # The same id in the zones and in what is judged.
    options = replace(options, run_id=run_id_of(options))
    demands = Demands.of(ordinance)
    step = part_of(progress, 0.02, 0.93)
    found = gather(inputs, demands, options, kinds=("zones",), progress=step)
    message("All sites are measured.")
    kept: list[Screening] = []

    def judge_all(progress: Progress) -> None:
        kept.append(judged(found, inputs, ordinance, options, progress))

    work = beside(_zone_rows(found, inputs, options))
    together([judge_all, work], part_of(progress, 0.93, 1.0), options.workers)
    message("The rules of the law are applied.")
    progress(1.0)
    return kept[0]


def _zone_rows(found: Gathered, inputs: ScreeningInputs, options: Options) -> Shapes:
    ids = site_ids(inputs)
    return _drawn(found.shapes["zones"], ZONE_COLUMNS, ids, run_id_of(options))


def judged(
    found: Gathered,
    inputs: ScreeningInputs,
    ordinance: Ordinance,
    options: Options,
    progress: Progress = no_progress,
) -> Screening:
    """Judge sites that are measured.

    Parameters
    ----------
    found
        What all measures found, by the distances of the same law.
    inputs
        What the run was given.
    ordinance
        The law on the day of the application.
    options
        Choices of the run.
    progress
        Called with the share done; raises to stop the run.
    """
    run_id, ids = run_id_of(options), site_ids(inputs)
    # Ground, water and indexes, which only measuring needs.
    give_back()
    disturbed = found.measured.facts(["disturbed"]).by_name["disturbed"]
    work = _Judging(inputs, ordinance, options, ids, run_id, SCREENED_COLUMNS)
    project = work.project(disturbed)
    table, findings = work.judged(
        map(_told, found.measured.blocks()), project, found.details, progress
    )
    return Screening(
        columns=table,
        geometries=inputs.sites.frame.geometry,
        finding_rows=findings,
        zone_rows=_zone_rows(found, inputs, replace(options, run_id=run_id)),
        counts=_counts(table, ordinance, int(found.measured.whole_site.sum())),
        notes=_notes(found.notes, ordinance.notes, project.notes),
    )


def take_step(
    inputs: ScreeningInputs,
    measures: Sequence[str],
    demands: Demands | None = None,
    options: Options | None = None,
    *,
    progress: Progress = no_progress,
) -> Step:
    """Take some measures of sites, without a judgement.

    Parameters
    ----------
    inputs
        Sites, and the layers and fields that the measures need.
    measures
        Names of ``measuring.MEASURES``.
    demands
        What a law asks of the measures; None: nothing.
    options
        Errors of the data.
    progress
        Called with the share done, 0 to 1; raises to stop the run.

    Returns
    -------
    Step
        As many rows as sites, in their order.

    Raises
    ------
    InputError
        A layer, field or raster cannot be used.
    CancelledError
        The run was stopped.
    """
    demands, options = demands or Demands(), options or Options()
    run_id, ids = run_id_of(options), site_ids(inputs)
    found = gather(inputs, demands, options, measures=measures, progress=progress)
    tables = []
    for some in map(_told, found.measured.blocks()):
        columns = some.columns
        if "setbacks" in measures:
            for name, high_traffic in (("infil_sf", False), ("infilht_sf", True)):
                # Without a class the text that leaves least is the safe one.
                columns[name] = _area_left(
                    some, None, demands.infiltration, high_traffic=high_traffic
                )
        tables.append(shaped(columns, columns_of(*measures)))
    return Step(
        columns=pd.concat(tables, ignore_index=True),
        geometries=inputs.sites.frame.geometry,
        findings=_details_only(found.details, ids, run_id),
        zones=_drawn(found.shapes["zones"], ZONE_COLUMNS, ids, run_id).frame(),
        lines=_drawn(found.shapes["lines"], LINE_COLUMNS, ids, run_id).frame(),
        paths=_drawn(found.shapes["paths"], PATH_COLUMNS, ids, run_id).frame(),
        outlets=_drawn(found.shapes["outlets"], PATH_COLUMNS, ids, run_id).frame(),
        notes=_notes(found.notes),
    )


def _details_only(details: SiteRows, ids: npt.NDArray[np.object_], run_id: str) -> pd.DataFrame:
    """Return the details of measures as findings."""
    pieces = CodedPieces()
    for table in details.blocks():
        pieces.add(_findings(None, table, ids, run_id))
    if not len(pieces):
        pieces.add(_findings(None, Details().frame(), ids, run_id))
    return pieces.frame()


def classify_sites(
    inputs: ScreeningInputs,
    ordinance: Ordinance,
    options: Options,
    *,
    progress: Progress = no_progress,
) -> Screening:
    """Judge sites by the columns that steps have written on them.

    Parameters
    ----------
    inputs
        Sites with the columns of ``evidence.EVIDENCE``, and the fields of the projects.
    ordinance
        The law on the day of the application.
    options
        Choices of the run.
    progress
        Called with the share done, 0 to 1; raises to stop the run.

    Returns
    -------
    Screening
        Columns of the rules only; no zones.

    Raises
    ------
    InputError
        A field cannot be used.
    """
    run_id, ids = run_id_of(options), site_ids(inputs)
    sites = inputs.sites.frame
    by_name, notes = read_evidence(sites)
    facts = Facts(len(sites), dict(by_name))
    areas = read_infiltration(sites[INFILTRATION]) if INFILTRATION in sites else None
    own = sites.drop(columns="geometry")
    given = (
        Some(
            taken(facts, rows),
            own.iloc[rows].reset_index(drop=True),
            None if areas is None else areas.iloc[rows],
        )
        for rows in block_rows(len(sites))
    )
    work = _Judging(inputs, ordinance, options, ids, run_id, columns_of("rules"))
    project = work.project(facts.by_name["disturbed"])
    columns, findings = work.judged(given, project, SiteRows(Details().frame()), progress)
    whole = int((sites.get("disturb_by", pd.Series(dtype=object)) == "whole site").sum())
    return Screening(
        columns=columns,
        geometries=sites.geometry,
        finding_rows=findings,
        zone_rows=_drawn(Shapes(sites.crs), ZONE_COLUMNS, ids, run_id),
        counts=_counts(columns, ordinance, whole),
        notes=_notes(inputs.sites.notes, notes, ordinance.notes, project.notes),
    )


def run_findings(details: pd.DataFrame, run_id: str) -> pd.DataFrame:
    """Return details of the run as a whole as findings; their row is 0.

    Parameters
    ----------
    details
        Rows with the columns of ``details.COLUMNS``, all with ``row`` -1.
    run_id
        Id of the run.
    """
    return _findings(None, details, np.empty(0, dtype=object), run_id).frame()


def run_id_of(options: Options) -> str:
    """Return the id of the run, a new one where none is given."""
    return options.run_id or str(uuid.uuid4())


def judgement_of(
    facts: Facts,
    inputs: ScreeningInputs,
    ordinance: Ordinance,
    options: Options,
    progress: Progress = no_progress,
) -> tuple[Project, Judgement]:
    """Return what the sites' fields say of the projects, and what the law says of the sites."""
    project = _project(facts.by_name["disturbed"], inputs, options)
    together = Facts(facts.count, {**facts.by_name, **project.facts})
    return project, _judgement(together, ordinance, options, progress)


def _project(disturbed: Fact, inputs: ScreeningInputs, options: Options) -> Project:
    sites = inputs.sites
    assert isinstance(disturbed, Quantity)
    return project_facts(
        sites.frame.drop(columns="geometry"),
        disturbed,
        inputs.fields,
        layer=sites.name,
        project_type=options.project_type,
        plan_empty=options.plan_empty,
        high_traffic=options.high_traffic,
        mates=None if inputs.whole is None else inputs.whole.mates,
    )


def _judgement(
    facts: Facts, ordinance: Ordinance, options: Options, progress: Progress
) -> Judgement:
    return judge(
        facts,
        ordinance,
        discretionary=options.discretionary,
        parameters={"contiguous_ft": options.contiguous_ft},
        progress=progress,
    )


def _told(some: Some) -> Some:
    """Return what was measured with the columns that hand it on to another step."""
    columns = some.columns
    evidence = evidence_columns(some.facts.by_name)
    columns[list(evidence)] = evidence
    if some.infiltration_sqft is not None:
        columns[INFILTRATION] = infiltration_column(some.infiltration_sqft)
    return some


@dataclass(frozen=True)
class _Judging:
    """The law, applied to some sites after the other; the last is what columns are wanted."""

    inputs: ScreeningInputs
    ordinance: Ordinance
    options: Options
    ids: npt.NDArray[np.object_]
    run_id: str
    wanted: Sequence[Column]

    def project(self, disturbed: Fact) -> Project:
        """Return what is known of the projects; plans are summed over all sites."""
        return _project(disturbed, self.inputs, self.options)

    def judged(
        self, blocks: Iterable[Some], project: Project, details: SiteRows, progress: Progress
    ) -> tuple[pd.DataFrame, CodedPieces]:
        """Return the columns wanted and the findings.

        ``details`` are those of the measures, which become findings too.
        """
        details.add(project.details)
        of_project = Facts(len(self.ids), project.facts)
        columns, findings = [], CodedPieces()
        every = block_rows(len(self.ids))
        for number, (rows, some) in enumerate(zip(every, blocks, strict=True)):
            step = part_of(progress, number / len(every), (number + 1) / len(every))
            step(0.0)
            facts = {**some.facts.by_name, **taken(of_project, rows).by_name}
            judgement = _judgement(
                Facts(some.facts.count, facts), self.ordinance, self.options,
                part_of(step, 0.0, 0.5),
            )  # fmt: skip
            own, last = details.block(number), part_of(step, 0.5, 1.0)
            findings.add(
                _findings(judgement.rows, own, self.ids, self.run_id, last, before=rows.start)
            )
            columns.append(self.columns(some, judgement.columns, rows))
        return pd.concat(columns, ignore_index=True), findings

    def columns(self, some: Some, judged: pd.DataFrame, rows: slice) -> pd.DataFrame:
        """Return the columns of some sites."""
        names = [*judged, "row", "site_id", "run_id", "infil_sf", "infilht_sf"]
        own = some.columns.drop(columns=[name for name in names if name in some.columns])
        table = pd.concat([own, judged], axis=1)
        table["row"] = np.arange(rows.start, rows.start + len(table)) + 1
        table["site_id"] = self.ids[rows]
        table["run_id"] = self.run_id
        for name, high_traffic in (("infil_sf", False), ("infilht_sf", True)):
            table[name] = _area_left(
                some,
                judged["class"],
                self.ordinance.zones.infiltration,
                high_traffic=high_traffic,
            )
        return shaped(table, self.wanted)


def site_ids(inputs: ScreeningInputs) -> npt.NDArray[np.object_]:
    """Return the id of each site, None where it has none."""
    field = inputs.fields.get("SITE_ID")
    frame = inputs.sites.frame
    if field is None:
        return np.full(len(frame), None, dtype=object)
    ids = text_field(frame, field, layer=inputs.sites.name)
    return np.array([text or None for text in ids], dtype=object)


def _area_left(
    some: Some,
    classes: pd.Series | None,
    infiltration: Mapping[str, Setbacks],
    *,
    high_traffic: bool,
) -> npt.NDArray[np.float64]:
    """Return where infiltration may stand under the text for the class of each site, sq ft.

    A site whose class has no text of its own gets the smaller area of all texts.
    """
    areas = some.infiltration_sqft
    if areas is None:
        return np.full(some.facts.count, np.nan)
    chosen = {
        name: setbacks
        for name, setbacks in infiltration.items()
        if setbacks.high_traffic == high_traffic and name in areas
    }
    if not chosen:
        return np.full(len(areas), np.nan)
    left = areas[list(chosen)].min(axis=1).to_numpy(dtype=np.float64)
    if classes is None:
        return np.asarray(left)
    for name, setbacks in chosen.items():
        for_class = (classes == setbacks.class_word).to_numpy()
        left = np.where(for_class, areas[name].to_numpy(np.float64), left)
    return np.asarray(left, dtype=np.float64)


def shaped(table: pd.DataFrame, columns: Sequence[Column]) -> pd.DataFrame:
    """Return the columns in their order, texts cut to their length, nothing as None."""
    values_of = {}
    for column in columns:
        values = table[column.name]
        if column.kind == "text":
            values_of[column.name] = _texts(values, column.length)
        elif column.kind == "integer":
            values_of[column.name] = values.to_numpy(np.int64)
        else:
            numbers = values.to_numpy(np.float64)
            values_of[column.name] = np.where(np.isfinite(numbers), numbers, np.nan)
    return pd.DataFrame(values_of)


def _texts(values: pd.Series, length: int) -> npt.NDArray[np.object_]:
    return cut_texts(values.astype(object).where(values.notna(), None).to_numpy(), length)


def _findings(
    rules: RuleRows | None,
    details: pd.DataFrame,
    ids: npt.NDArray[np.object_],
    run_id: str,
    progress: Progress = no_progress,
    *,
    before: int = 0,
) -> Coded:
    """Return rules and details in one table, site by site; the run as a whole has row 0.

    ``before`` sites are judged already: ``rules`` count from there.
    """
    judged = {} if rules is None else dict(rules.values)
    told = Vocabulary() if rules is None else rules.vocabulary
    count = len(judged.get("row", ()))
    if count:
        judged["row"] = judged["row"] + before
    # Rules count rows from 1, details count places from 0, with -1 for the run as a whole.
    extra = details.rename(columns={"id": "rule"}).assign(row=details["row"] + 1)
    values: dict[str, npt.NDArray[Any]] = {}
    for number, column in enumerate(FINDING_COLUMNS):
        progress(number / len(FINDING_COLUMNS))
        name = column.name
        own = extra[name] if name in extra else pd.Series([None] * len(extra), dtype=object)
        if column.kind == "text":
            parts = [judged.get(name, told.constant(None, count)), told.of_column(own)]
        else:
            kind = np.int32 if column.kind == "integer" else np.float64
            missing = np.full(count, np.nan)
            numbers = own.to_numpy(dtype=np.float64)
            parts = [part.astype(kind) for part in (judged.get(name, missing), numbers)]
        values[name] = np.concatenate(parts)
    values["value"][~np.isfinite(values["value"])] = np.nan
    texts = told.texts()
    sizes = text_sizes(texts)
    named = [column for column in FINDING_COLUMNS if column.kind == "text"]
    by_column = {
        column.name: cut_texts(texts, column.length, sizes, values[column.name]) for column in named
    }
    for column in named:
        values[column.name] = small_codes(values[column.name], len(texts))
    own_ids = ids[before : max(int(values["row"].max(initial=0)), before)]
    by_column["site_id"] = cut_texts(np.r_[[None], own_ids], _length("site_id"))
    by_column["run_id"] = np.array([run_id], dtype=object)
    values["site_id"] = small_codes(np.maximum(values["row"] - before, 0), len(own_ids) + 1)
    values["run_id"] = np.zeros(len(values["row"]), np.int8)
    order = np.argsort(values["row"], kind="stable").astype(np.int32)
    return Coded(FINDING_COLUMNS, values, by_column, order)


def _length(name: str) -> int:
    return next(column.length for column in FINDING_COLUMNS if column.name == name)


def _drawn(
    shapes: Shapes,
    columns: Sequence[Column],
    ids: npt.NDArray[np.object_],
    run_id: str,
) -> Shapes:
    """Return shapes with the columns of an output."""
    names = [column.name for column in columns]

    def finish(frame: gpd.GeoDataFrame) -> gpd.GeoDataFrame:
        row = frame["row"].to_numpy(np.int64)
        table = pd.DataFrame(frame.drop(columns="geometry")).reindex(columns=names)
        table["row"], table["site_id"], table["run_id"] = row + 1, ids[row], run_id
        own = shaped(table, columns)
        return gpd.GeoDataFrame(own, geometry=frame["geometry"].to_numpy(), crs=frame.crs)

    return shapes.finished(finish)


def _notes(*groups: Collection[str]) -> list[str]:
    return list(dict.fromkeys(note for group in groups for note in group))


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
