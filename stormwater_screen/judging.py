"""The law applied to sites that are measured, some of them after the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from .coded import CodedPieces
from .columns import Column
from .evidence import INFILTRATION, evidence_columns, infiltration_column
from .facts import Fact, Facts, Quantity, taken
from .measured import Some, block_rows
from .model import Options, ScreeningInputs
from .ordinance import Ordinance, Setbacks
from .output_tables import finding_table, shaped
from .progress import Progress, no_progress, part_of
from .project import Project, project_facts
from .rules import Judgement, judge
from .shapes import SiteRows


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


def with_evidence(some: Some) -> Some:
    """Return what was measured with the columns that hand it on to another step."""
    columns = some.columns
    evidence = evidence_columns(some.facts.by_name)
    columns[list(evidence)] = evidence
    if some.infiltration_sqft is not None:
        columns[INFILTRATION] = infiltration_column(some.infiltration_sqft)
    return some


@dataclass(frozen=True)
class Judging:
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
                finding_table(judgement.rows, own, self.ids, self.run_id, last, before=rows.start)
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
            table[name] = area_left(
                some,
                judged["class"],
                self.ordinance.zones.infiltration,
                high_traffic=high_traffic,
            )
        return shaped(table, self.wanted)


def area_left(
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
