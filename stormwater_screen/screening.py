"""Screen sites end to end, or one step of it: columns, findings, zones, lines and counts."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd

from .coded import CodedPieces
from .columns import LINE_COLUMNS, PATH_COLUMNS, SCREENED_COLUMNS, ZONE_COLUMNS, Column, columns_of
from .details import Details
from .evidence import INFILTRATION, read_evidence, read_infiltration
from .facts import Facts, taken
from .fields import text_field
from .freed_memory import give_back
from .gathering import Gathered, gather
from .judging import Judging, area_left, with_evidence
from .measured import Some, block_rows
from .measuring import Demands
from .model import Options, Screening, ScreeningInputs
from .ordinance import Ordinance
from .output_tables import finding_table, shaped
from .progress import Progress, no_progress, part_of
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
    work = Judging(inputs, ordinance, options, ids, run_id, SCREENED_COLUMNS)
    project = work.project(disturbed)
    table, findings = work.judged(
        map(with_evidence, found.measured.blocks()), project, found.details, progress
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
    for some in map(with_evidence, found.measured.blocks()):
        columns = some.columns
        if "setbacks" in measures:
            for name, high_traffic in (("infil_sf", False), ("infilht_sf", True)):
                # Without a class the text that leaves least is the safe one.
                columns[name] = area_left(
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
        pieces.add(finding_table(None, table, ids, run_id))
    if not len(pieces):
        pieces.add(finding_table(None, Details().frame(), ids, run_id))
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
    work = Judging(inputs, ordinance, options, ids, run_id, columns_of("rules"))
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
    return finding_table(None, details, np.empty(0, dtype=object), run_id).frame()


def run_id_of(options: Options) -> str:
    """Return the id of the run, a new one where none is given."""
    return options.run_id or str(uuid.uuid4())


def site_ids(inputs: ScreeningInputs) -> npt.NDArray[np.object_]:
    """Return the id of each site, None where it has none."""
    field = inputs.fields.get("SITE_ID")
    frame = inputs.sites.frame
    if field is None:
        return np.full(len(frame), None, dtype=object)
    ids = text_field(frame, field, layer=inputs.sites.name)
    return np.array([text or None for text in ids], dtype=object)


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
