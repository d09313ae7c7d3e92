"""One run of `screensites`: read, one call of the core, write."""

from __future__ import annotations

from collections.abc import Callable, Sized
from dataclasses import dataclass
from functools import partial
from typing import Any

from qgis.core import (
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingFeedback,
)

from ..stormwater_screen.columns import FINDING_COLUMNS, SCREENED_COLUMNS
from ..stormwater_screen.model import Options, Screening, ScreeningInputs
from ..stormwater_screen.ordinance import Ordinance
from ..stormwater_screen.progress import Progress, no_progress, part_of
from ..stormwater_screen.record import Record, record_text, run_record
from ..stormwater_screen.screening import screen
from ..stormwater_screen.shapes import Shapes
from ..stormwater_screen.summary import summary_html
from ..stormwater_screen.threads import Work, together
from .adapter import InputReader, SiteRows
from .base import Pieces, progress_of
from .feature_tables import CHUNK
from .i18n import tr
from .reading import law_source, read_inputs, read_law, read_options
from .recording import program_versions, record_destination, recorded_parameters
from .sinks import Begun, Outputs
from .writing import begin_sites, begin_table, begin_zones, title_of

OUTPUTS = ("SCREENED", "FINDINGS", "ZONES", "SUMMARY")
STAGES = ((0.0, 0.02), (0.02, 0.93), (0.93, 1.0))
"""Shares of the bar for reading, screening and writing, as the benchmark measures them."""

_LAYERS = 0.77
"""Share of writing that the rows of the layers take; the page and the record take the rest."""

_SHAPE = 6
"""How much longer a row with a geometry takes than one without."""


@dataclass(frozen=True)
class Run:
    """A screening with all that it was made of."""

    rows: SiteRows
    inputs: ScreeningInputs
    ordinance: Ordinance
    options: Options
    screening: Screening
    law: str
    parameters: dict[str, Any]
    dem_source: str | None

    def record(self, progress: Progress = no_progress) -> Record:
        """Return the record of the run; looks now and then whether the run is cancelled."""
        return run_record(
            self.screening,
            self.inputs,
            self.ordinance,
            self.options,
            law=self.law,
            parameters=self.parameters,
            versions=program_versions(),
            dem_source=self.dem_source,
            progress=progress,
        )


def run(
    algorithm: QgsProcessingAlgorithm,
    parameters: dict[str, Any],
    context: QgsProcessingContext,
    feedback: QgsProcessingFeedback,
) -> dict[str, Any]:
    """Screen the sites and return the outputs by name."""
    read, judge, write = (progress_of(feedback, *part) for part in STAGES)
    reader = InputReader(algorithm, parameters, context, lambda: read(0.5))
    pieces = Pieces(part_of(write, 0.0, _LAYERS))
    with Outputs(algorithm, parameters, context, OUTPUTS, pieces) as outputs:
        beside = record_destination(outputs.wanted.get("SCREENED"))
        if beside is not None:
            outputs.wanted["RECORD"] = beside
        else:
            feedback.pushInfo(tr("The screened sites go to no file: no record of the run is kept."))
        outputs.refuse_sources(reader.sources())
        zones = _Zones(outputs)
        want_zones = "ZONES" in outputs.wanted
        done = screened(reader, judge, feedback.pushInfo, want_zones=want_zones, zones=zones.begin)
        for note in done.screening.notes:
            feedback.pushInfo(note)
        for note in _write(outputs, done, zones.begun, pieces, write):
            feedback.pushInfo(note)
        # The last moment at which a run can be cancelled, and nothing of it is left.
        write(1.0)
        results = outputs.commit()
    counts = done.screening.counts
    feedback.pushInfo(", ".join(f"{name} {count}" for name, count in counts.items()))
    return {**results, **counts}


class _Zones:
    """The layer of zones, written while the sites are judged if it goes to a GeoPackage.

    Attributes
    ----------
    begun
        The layer; None where it is still to be written.
    """

    def __init__(self, outputs: Outputs) -> None:
        self._outputs = outputs
        self.begun: Begun | None = None

    def begin(self, rows: SiteRows, zones: Shapes) -> Work | None:
        """Return the work of writing them; None where it has to wait."""
        # Of other outputs something would be left of a run that is stopped.
        if self._outputs.goes_to_geopackage("ZONES"):
            self.begun = begin_zones(self._outputs, "ZONES", zones, rows.crs)
        return None if self.begun is None else _filling(self.begun, len(zones))


def _filling(begun: Begun, count: int) -> Work:
    """Return the work of writing so many rows of an output."""

    def fill(progress: Progress) -> None:
        look = Pieces(progress)
        look.expected = count // CHUNK + 1
        begun.fill(look)

    return fill


def screened(
    reader: InputReader,
    progress: Progress,
    message: Callable[[str], None],
    *,
    want_zones: bool,
    zones: Callable[[SiteRows, Shapes], Work | None] = lambda rows, zones: None,
) -> Run:
    """Read what was given to a run and screen the sites.

    ``zones`` returns what is done with the zones while the sites are judged.
    """
    algorithm, parameters, context = reader.algorithm, reader.parameters, reader.context
    ordinance = read_law(algorithm, parameters, context)
    options = read_options(algorithm, parameters, context, want_zones=want_zones)
    rows = reader.sites()
    inputs, options, guessed = read_inputs(reader, rows, options)
    screening = screen(
        inputs, ordinance, options, progress=progress, message=message, beside=partial(zones, rows)
    )
    screening.notes[:0] = guessed
    sources = reader.sources()
    recorded = recorded_parameters(algorithm, parameters, context, sources)
    recorded["AS_OF"] = ordinance.as_of.isoformat()
    return Run(
        rows,
        inputs,
        ordinance,
        options,
        screening,
        law_source(algorithm, parameters, context),
        recorded,
        next(iter(sources.get("DEM", ())), None),
    )


def _pieces(screening: Screening) -> int:
    """Return the sum of the weights of the pieces that the layers are written in."""

    def of(table: Sized) -> int:
        return len(table) // CHUNK + 1

    shapes = of(screening.columns) + of(screening.zone_rows)
    return of(screening.finding_rows) + _SHAPE * shapes


def _write(
    outputs: Outputs, done: Run, zones: Begun | None, pieces: Pieces, progress: Progress
) -> list[str]:
    """Write all that was asked for and return messages about renamed columns.

    ``zones`` may be written already. Rows that QGIS itself writes come first, one output after the
    other; the rest is written side by side.
    """
    rows, screening = done.rows, done.screening
    pieces.expected, pieces.weight = _pieces(screening), _SHAPE
    sites, messages = begin_sites(
        outputs, "SCREENED", rows, SCREENED_COLUMNS, screening.columns, screening.geometries
    )
    pieces.weight = 1
    findings = begin_table(outputs, "FINDINGS", FINDING_COLUMNS, screening.finding_rows)
    pieces.weight = _SHAPE
    zones = zones or begin_zones(outputs, "ZONES", screening.zone_rows, rows.crs)
    pages: dict[str, str] = {}

    def sites_and_pages(progress: Progress) -> None:
        if sites is not None:
            _filling(sites, len(screening.columns))(part_of(progress, 0.0, 0.3))
        pages.update(_pages(outputs, done, part_of(progress, 0.3, 1.0)))

    tables = ((findings, screening.finding_rows), (zones, screening.zone_rows))
    works = [_filling(begun, len(table)) for begun, table in tables if begun is not None]
    together([sites_and_pages, *works], part_of(progress, _LAYERS * pieces.share, 1.0))
    for begun in (sites, findings, zones):
        if begun is not None:
            outputs.finish(begun)
    for name, text in pages.items():
        outputs.write_text(name, text)
    if "RECORD" in pages:
        outputs.stamp("SCREENED", pages["RECORD"])
    outputs.dress("SCREENED", "class", title_of("Screened sites", rows))
    outputs.dress("ZONES", "zones", title_of("Zones", rows))
    outputs.dress("FINDINGS", "", title_of("Findings", rows))
    return messages


def _pages(outputs: Outputs, done: Run, progress: Progress) -> dict[str, str]:
    """Return the summary and the record by output, where they were asked for."""
    pages = {}
    if "SUMMARY" in outputs.wanted:
        pages["SUMMARY"] = summary_html(
            done.screening, done.inputs, done.ordinance, done.options,
            progress=part_of(progress, 0.0, 0.35),
        )  # fmt: skip
    progress(0.35)
    if "RECORD" in outputs.wanted:
        pages["RECORD"] = record_text(done.record(part_of(progress, 0.35, 1.0)))
    return pages
