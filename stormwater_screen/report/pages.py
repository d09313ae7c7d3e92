"""Pages of reports, from templates. What stands in the data is text everywhere, never markup."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import jinja2

from ..record import Record
from ..summary_map import SiteMap, site_map
from ..summary_texts import ALWAYS_LEFT_OUT, ROLE_TITLES
from .content import Reports, SiteReport
from .words import answer, number, safe_cell

TEMPLATES: Final = Path(__file__).resolve().parent.parent.parent / "resources" / "templates"
NAMED_VERSIONS: Final = ("QGIS", "Python", "GEOS", "GDAL", "PROJ", "shapely", "geopandas",
                         "rasterio")  # fmt: skip
CSV_COLUMNS: Final = (
    "order", "row", "site", "class", "board", "condition_a", "condition_b", "condition_c",
    "near", "would_settle", "receipt", "page",
)  # fmt: skip

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")


@dataclass(frozen=True)
class MapPicture:
    """The map of a site as a page shows it.

    Attributes
    ----------
    src
        Address of the image.
    key
        Address and words of each symbol.
    interval
        Distance between contours, in feet; 0: none.
    width, height
        Size on the page, in points.
    alt
        The map in words.
    """

    src: str
    key: Sequence[tuple[str, str]]
    interval: float
    alt: str
    width: int = 0
    height: int = 0


@dataclass(frozen=True)
class Page:
    """What the index says of a report."""

    report: SiteReport
    html: str
    pdf: str


class Pages:
    """Renders reports of one run.

    Parameters
    ----------
    reports
        The reports.
    """

    def __init__(self, reports: Reports) -> None:
        self.reports = reports
        self._environment = _environment()
        self._common: dict[str, Any] = {
            "record": reports.record,
            "ordinance": reports.ordinance,
            "not_given": reports.not_given,
            "left_out": ALWAYS_LEFT_OUT,
            "layers": list(_layer_rows(reports.record)),
            "files": _by_file(list(_layer_rows(reports.record))),
            "versions": _versions(reports.record),
            "program": program_answer,
        }

    def html(self, report: SiteReport, picture: MapPicture | None, pdf: str = "") -> str:
        """Return the page of a site."""
        template = self._environment.get_template("report.html")
        return template.render(report=report, map=picture, pdf=pdf, links=True, **self._common)

    def pdf_html(self, report: SiteReport, picture: MapPicture | None) -> str:
        """Return the page of a site in the few tags that Qt's text documents know."""
        template = self._environment.get_template("report_pdf.html")
        return template.render(report=report, map=picture, **self._common)

    def index(self, pages: Sequence[Page]) -> str:
        """Return the page of all sites: map, counts and the queue of work."""
        queue = work_queue(pages)
        words = [page.report.shown_word for page in pages]
        labels = self.reports.ordinance.classes.labels
        order = [*reversed(list(labels)), "review", "unknown"]
        counts = [(word, self.reports.label_of(word), words.count(word)) for word in order]
        template = self._environment.get_template("index.html")
        return template.render(
            pages=queue,
            counts=counts,
            rank_words=RANK_WORDS,
            rank_of=rank_of,
            drawing=_drawing(self.reports, pages),
            **self._common,
        )

    def csv(self, pages: Sequence[Page]) -> str:
        """Return the queue of work as CSV that no spreadsheet takes for formulas."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow(CSV_COLUMNS)
        for place, page in enumerate(work_queue(pages), start=1):
            one = page.report
            outcomes = {answer_.column: answer_.outcome for answer_ in one.answers}
            decided = one.overrides.get("class")
            cells = [
                place, one.row, one.site_id, one.word,
                "" if decided is None else decided.outcome,
                *(outcomes.get(name, "not_applicable") for name in ("cond_a", "cond_b", "cond_c")),
                one.near, one.settle, one.receipt, page.html or page.pdf,
            ]  # fmt: skip
            writer.writerow([safe_cell(cell) for cell in cells])
        return text.getvalue()


RANK_WORDS: Final = (
    "unknown: a fact or a layer is missing",
    "near a limit: within the error of the data",
    "review: the law or the data does not decide",
    "open Conditions",
    "decided",
)
"""Groups of the queue of work, in their order."""


def rank_of(report: SiteReport) -> int:
    """Return the place of a site's group in ``RANK_WORDS``; what the board decided is decided."""
    if "class" in report.overrides:
        return 4
    if report.word == "unknown":
        return 0
    if report.near:
        return 1
    if report.word == "review":
        return 2
    open_ = any(one.outcome in ("review", "unknown") for one in report.answers)
    return 3 if open_ else 4


def work_queue(pages: Sequence[Page]) -> list[Page]:
    """Return the pages in the order of work: unknown, near a limit, review, the rest."""
    return sorted(pages, key=lambda page: (rank_of(page.report), page.report.row))


def program_answer(report: SiteReport, rule: str) -> str:
    """Return what the program says where the board decided."""
    if rule == "class":
        return report.word
    for one in report.answers:
        if one.column == rule:
            return one.outcome
    for limit in report.limits:
        if limit.rule == rule:
            return limit.outcome
    for duty in (*report.duties, *report.perhaps):
        if duty.rule == rule:
            return duty.outcome
    for step in report.steps:
        if step.rule == rule:
            return step.outcome
    return report.outcomes.get(rule, "not reported")


def file_stem(report: SiteReport, count: int) -> str:
    """Return the name of the files of a site: its row, and of its id what every system takes."""
    digits = max(4, len(str(count)))
    name = _UNSAFE.sub("-", report.site_id).strip("-")[:40]
    return f"{report.row:0{digits}d}" + (f"_{name}" if name else "")


def map_words(report: SiteReport, picture_width_ft: float) -> str:
    """Return a map in words, for those who do not see it."""
    told = [f"Map of site {report.name}, about {picture_width_ft:,.0f} ft wide."]
    for one in report.gradients[:3]:
        where = "" if one.bearing == "on the site" else f" toward {one.bearing}"
        told.append(f"{one.name}: {one.distance}{where}, {one.side}.")
    for run in report.runs[:1]:
        told.append(f"Slope from {run.begin_ft} to {run.end_ft} toward {run.toward}.")
    if not report.gradients:
        told.append("No water, supply or leach field within reach of the setbacks.")
    return " ".join(told)


def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["answer"] = answer
    environment.filters["plain"] = lambda value: number(value, 2)
    environment.filters["moment"] = _moment
    environment.filters["pairs"] = _pairs
    return environment


def _moment(text: str) -> str:
    try:
        return datetime.fromisoformat(text).strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return text


def _pairs(items: Sequence[Any]) -> list[tuple[Any, Any]]:
    """Return items in two columns, read down the first."""
    half = (len(items) + 1) // 2
    rest = [*items[half:], None]
    return list(zip(items[:half], rest, strict=False))


def _versions(record: Record) -> str:
    versions = record["versions"]
    return ", ".join(f"{name} {versions[name]}" for name in NAMED_VERSIONS if name in versions)


def _layer_rows(record: Record) -> Iterator[dict[str, str]]:
    order = list(ROLE_TITLES)
    every = [*record["layers"], *record["rasters"]]
    every.sort(key=lambda one: order.index(one["role"]) if one["role"] in order else len(order))
    for one in every:
        modified = str(one.get("modified") or "")
        count = one.get("features")
        yield {
            "title": ROLE_TITLES.get(one["role"], one["role"]),
            "name": str(one["name"]),
            "source": str(one["source"]),
            "file": Path(str(one["source"]).split("|")[0]).name,
            "crs": str(one["crs"]),
            "count": "" if count is None else f"{count:,}",
            "modified": modified[:10],
            "checksum": str(one.get("checksum") or "")[:16],
        }


def _by_file(rows: Sequence[dict[str, str]]) -> list[tuple[str, str]]:
    """Return layers in short: what they have in common once, then what each is."""
    groups: dict[str, list[str]] = {}
    for row in rows:
        modified = f", changed {row['modified']}" if row["modified"] else ""
        common = f"{row['file']} ({row['crs']}{modified})"
        told = [row["name"]] if row["name"] != row["file"] else []
        told += [f"{row['count']} features"] if row["count"] else []
        told += [row["checksum"][:8]] if row["checksum"] else []
        own = f"{row['title']}: {', '.join(told)}" if told else row["title"]
        groups.setdefault(common, []).append(own)
    return [(common, "; ".join(own)) for common, own in groups.items()]


def _drawing(reports: Reports, pages: Sequence[Page]) -> SiteMap | None:
    """Return the map of all sites, drawn as that of the summary."""
    styles = [
        {"unknown": "unknown", "review": "review"}.get(page.report.shown_word, "light")
        for page in pages
    ]
    strong = reports.ordinance.classes.major or (reports.ordinance.classes.regulated or ("",))[-1]
    styles = [
        "strong" if page.report.shown_word == strong else style
        for page, style in zip(pages, styles, strict=True)
    ]
    titles = [f"{page.report.name}: {answer(page.report.shown_word)}" for page in pages]
    labels = [page.report.site_id for page in pages]
    shapes = reports.sites.geometry
    return site_map(shapes, styles, titles, labels, {})
