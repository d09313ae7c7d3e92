"""What a report says of each site, from the outputs of a screening and the record of its run."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Final

import geopandas as gpd
import numpy as np
import pandas as pd

from ..columns import FINDING_COLUMNS, SCREENED_COLUMNS
from ..digests import LENGTH, site_digests
from ..errors import InputError
from ..evidence import INFILTRATION, read_evidence, read_infiltration
from ..facts import Fact
from ..ordinance import Ordinance
from ..ordinance_file import read_ordinance
from ..record import Record, receipt
from .chain import Finding, Step, chain_of, next_classes
from .facts import Fact as FactLine
from .facts import facts_of, site_geometry
from .limits import Limit, limits_of
from .overrides import Override
from .unchecked import Open, not_given, open_points
from .worksheets import (
    Gradient,
    Infiltration,
    Run,
    gradients_of,
    infiltration_of,
    runs_of,
)

_CONDITIONS: Final = (
    ("lda", "Land development activity"),
    ("cond_a", "Condition A"),
    ("cond_b", "Condition B"),
    ("cond_c", "Condition C"),
)


@dataclass(frozen=True)
class Answer:
    """An answer for the whole site: a Condition, or whether it is a land development activity."""

    name: str
    column: str
    outcome: str
    text: str
    section: str
    settle: str


@dataclass(frozen=True)
class Duty:
    """A requirement that follows for the site, or may."""

    rule: str
    text: str
    section: str
    force: str
    outcome: str
    settle: str


@dataclass(frozen=True)
class SiteReport:
    """All that a report says of a site.

    Attributes
    ----------
    row, site_id, name
        Place in the input, id as given, and what the page calls it.
    word, label, reasons, settle
        Class, its words in the law, the reasons as the screening gives them, and what would settle
        what is open.
    steps
        Cases of the law that were looked at, the one that decides last.
    answers
        Conditions.
    facts
        What is known of the site, with its source.
    factors
        Factors for which the project may be considered major.
    limits
        Limits of the law with the numbers found.
    runs
        Slopes over 100 ft with the elevations of both ends.
    gradients
        Worksheet of the gradient.
    infiltration
        Where infiltration may stand under each text.
    duties, perhaps
        What follows for the site, and what may follow.
    remarks
        Other findings of the measures.
    open
        Open points by the fact that would settle them.
    overrides
        Decisions of the board by rule.
    outcomes
        Answers of the program by rule.
    receipt
        Number of the report.
    altered
        True where sites or findings are no longer what the run wrote.
    has_shape
        False where the site has no geometry, so that nothing was measured.
    """

    row: int
    site_id: str
    name: str
    word: str
    label: str
    reasons: str
    settle: str
    near: str
    disturb_by: str
    steps: list[Step]
    answers: list[Answer]
    facts: list[FactLine]
    factors: str
    limits: list[Limit]
    runs: list[Run]
    gradients: list[Gradient]
    infiltration: list[Infiltration]
    duties: list[Duty]
    perhaps: list[Duty]
    remarks: list[str]
    open: list[Open]
    overrides: dict[str, Override]
    outcomes: dict[str, str]
    receipt: str
    altered: bool
    has_shape: bool

    @property
    def shown_word(self) -> str:
        """Return the class that stands: the board's where it decided, else the program's."""
        decided = self.overrides.get("class")
        return self.word if decided is None else decided.outcome


@dataclass
class ReportInputs:
    """Outputs of a screening, as they were read back.

    Attributes
    ----------
    sites
        Screened sites with geometries in any CRS, all their columns, RangeIndex.
    findings
        Table of the findings.
    zones
        Zones, or None.
    record
        Record of the run.
    overrides
        Decisions of the board by row of the site.
    """

    sites: gpd.GeoDataFrame
    findings: pd.DataFrame
    zones: gpd.GeoDataFrame | None
    record: Record
    overrides: Mapping[int, Sequence[Override]] = field(default_factory=dict)


def ordinance_of(record: Record) -> Ordinance:
    """Return the law of a run, from the text in its record: as it was, not as it is now.

    Raises
    ------
    OrdinanceError
        This program no longer reads that text.
    """
    law = record["ordinance"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / Path(str(law["file"])).name
        path.write_text(str(law["text"]), "utf-8")
        return read_ordinance(path, date.fromisoformat(str(law["as_of"])))


def check_outputs(inputs: ReportInputs) -> None:
    """Refuse sites and findings of another run, or with columns missing.

    Raises
    ------
    InputError
        What was found and what is needed.
    """
    needed = "the output of a screening"
    for name, table, columns in (
        ("SCREENED", inputs.sites, SCREENED_COLUMNS),
        ("FINDINGS", inputs.findings, FINDING_COLUMNS),
    ):
        missing = [column.name for column in columns if column.name not in table]
        if missing:
            raise InputError(name, f"no column {', '.join(missing)}", needed)
        runs = set(table["run_id"].dropna().astype(str)) - {str(inputs.record["run_id"])}
        if runs:
            raise InputError(
                name,
                f"rows of the run {min(runs)}, but the record is of {inputs.record['run_id']}",
                "sites, findings and record of the same run",
            )
    if inputs.sites["row"].duplicated().any():
        raise InputError("SCREENED", "a row number twice", needed)


class Reports:
    """Makes the reports of the sites of a run, one by one.

    Parameters
    ----------
    inputs
        Outputs of the screening.

    Raises
    ------
    InputError
        They do not belong together.
    """

    def __init__(self, inputs: ReportInputs) -> None:
        check_outputs(inputs)
        self.inputs = inputs
        self.record = inputs.record
        self.ordinance = ordinance_of(inputs.record)
        self.sites = inputs.sites
        self.columns = pd.DataFrame(inputs.sites.drop(columns=inputs.sites.geometry.name))
        self._facts: dict[str, Fact] = read_evidence(self.columns)[0]
        self._areas = read_infiltration(self.columns[INFILTRATION])
        self._findings = _by_row(inputs.findings)
        zones = inputs.zones
        self._zones = {} if zones is None else _by_row(zones.drop(columns=zones.geometry.name))
        self._area_sqft, _ = site_geometry(inputs.sites)
        self._digests = site_digests(
            self.columns, inputs.findings, SCREENED_COLUMNS, FINDING_COLUMNS
        )
        self.not_given = list(not_given(inputs.record))

    def __len__(self) -> int:
        """Return the number of sites."""
        return len(self.sites)

    def __iter__(self) -> Iterator[SiteReport]:
        """Yield the report of each site in their order."""
        return (self.of(place) for place in range(len(self)))

    def of(self, place: int) -> SiteReport:
        """Return the report of the site at a place, from 0."""
        site = {
            name: None if _missing(value) else value
            for name, value in self.columns.iloc[place].items()
        }
        row = int(self.columns["row"].iloc[place])
        findings = self._findings.get(row, [])
        found = {finding["rule"]: finding for finding in findings}
        word = str(site["class"] or "unknown")
        ordinance = self.ordinance
        steps = chain_of(word, ordinance, found)
        limits = limits_of(
            findings, ordinance, self._facts, place, next_classes(word, ordinance, found)
        )
        duties = list(self._duties(findings))
        digests = str(self.record["results"]["digests"])
        recorded = digests[(row - 1) * LENGTH : row * LENGTH]
        site_id = str(site["site_id"] or "")
        return SiteReport(
            row=row,
            site_id=site_id,
            name=site_id or f"row {row}",
            word=word,
            label=self.label_of(word),
            reasons=str(site["reasons"] or ""),
            settle=str(site["settle"] or ""),
            near=str(site["near"] or ""),
            disturb_by=str(site["disturb_by"] or ""),
            steps=steps,
            answers=list(self._answers(site, found)),
            facts=facts_of(site, self._facts, place, self.record, float(self._area_sqft[place])),
            factors=str(site["may_major"] or "").replace(";", ", ").replace("_", " "),
            limits=limits,
            runs=runs_of(findings),
            gradients=gradients_of(findings, ordinance, word),
            infiltration=infiltration_of(
                self._areas.iloc[place].to_dict(), self._zones.get(row, []), ordinance, word
            ),
            duties=[duty for duty in duties if duty.outcome in ("applies", "yes")],
            perhaps=[duty for duty in duties if duty.outcome in ("review", "unknown")],
            remarks=_remarks(findings),
            open=open_points(findings, site, ordinance),
            overrides={one.rule: one for one in self.inputs.overrides.get(row, ())},
            outcomes={rule: str(one["outcome"] or "") for rule, one in found.items()}
            | {"is_major": str(site["is_major"] or "")},
            receipt=receipt(self.record, row),
            altered=recorded != self._digests[place],
            has_shape=bool(np.isfinite(self._area_sqft[place])),
        )

    def label_of(self, word: str) -> str:
        """Return a class in the words of the law."""
        open_ = {
            "review": "Review: the law or the data does not decide",
            "unknown": "Unknown: a fact or a layer is missing",
        }
        return {**open_, **self.ordinance.classes.labels}.get(word, word)

    def _answers(self, site: Mapping[str, Any], found: Mapping[str, Finding]) -> Iterator[Answer]:
        for column, name in _CONDITIONS:
            outcome = str(site[column] or "")
            rule = self.ordinance.columns.get(column, "")
            if outcome in ("", "not_applicable") or not rule:
                continue
            text = self.ordinance.rules[rule]
            finding = found.get(rule, {})
            section = "" if text.text is None else text.text.section
            settle = str(finding.get("settle") or "")
            yield Answer(name, column, outcome, text.summary, section, settle)

    def _duties(self, findings: Sequence[Finding]) -> Iterator[Duty]:
        """Yield what is asked of the site beyond its class, Conditions and factors."""
        rules, classes = self.ordinance.rules, self.ordinance.classes
        of_class = {case.when for case in classes.cases} | set(classes.default_reasons)
        of_class |= {reason for case in classes.cases for reason in case.reasons}
        of_class |= set(self.ordinance.columns.values())
        for rule_id in list(of_class):
            text = rules[rule_id].text if rule_id in rules else None
            of_class |= set(getattr(text.test, "rules", ())) if text is not None else set()
        of_class |= {one for one in of_class for one in rules[one].shows}
        for finding in findings:
            rule = rules.get(finding["rule"])
            if rule is None or rule.factor or rule.id in of_class:
                continue
            yield Duty(
                rule.id,
                rule.summary,
                str(finding["section"] or ""),
                str(finding["force"] or ""),
                str(finding["outcome"] or ""),
                str(finding["settle"] or ""),
            )


def _by_row(table: pd.DataFrame) -> dict[int, list[Finding]]:
    """Return the rows of a table by the row of their site; what is missing is None."""
    plain = table.astype(object).where(table.notna(), None)
    found: dict[int, list[Finding]] = {}
    for values in plain.to_dict("records"):
        found.setdefault(int(values["row"]), []).append({str(k): v for k, v in values.items()})
    return found


def _missing(value: object) -> bool:
    return value is None or value is pd.NaT or (isinstance(value, float) and np.isnan(value))


_SAID_ELSEWHERE: Final = frozenset(
    {"gradient", "slope_centre", "slope_places", "slope_device", "soil_group"}
)


def _remarks(findings: Sequence[Finding]) -> list[str]:
    """Return the sentences of the measures that stand nowhere else in the report."""
    told = [
        str(finding["text"])
        for finding in findings
        if not finding["section"] and finding["rule"] not in _SAID_ELSEWHERE and finding["text"]
    ]
    return list(dict.fromkeys(text[:1].upper() + text[1:] for text in told))
