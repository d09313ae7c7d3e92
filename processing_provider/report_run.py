"""One run of `sitereports`: read, one report after the other, the index, the folder."""

from __future__ import annotations

import base64
import time
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from qgis.core import (
    Qgis,
    QgsCoordinateReferenceSystem,
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingFeedback,
)
from qgis.PyQt.QtCore import QBuffer, QByteArray, QIODevice
from qgis.PyQt.QtGui import QImage

from ..stormwater_screen.record import record_text
from ..stormwater_screen.report.content import ReportInputs, Reports, SiteReport
from ..stormwater_screen.report.facts import site_geometry
from ..stormwater_screen.report.pages import MapPicture, Page, Pages, file_stem, map_words
from ..stormwater_screen.report.worksheets import texts_of
from .base import progress_of
from .i18n import tr
from .report_folder import ReportFolder
from .report_inputs import reader_of
from .report_map import DrawnMap, ReportMap, key_image, key_words
from .report_pdf import map_points, write_pdf


def run_reports(
    algorithm: QgsProcessingAlgorithm,
    parameters: dict[str, Any],
    context: QgsProcessingContext,
    feedback: QgsProcessingFeedback,
) -> dict[str, Any]:
    """Write the reports and return the folder and the counts."""
    begun = time.monotonic()
    read, work = progress_of(feedback, 0, 0.05), progress_of(feedback, 0.05, 1)
    reader = reader_of(algorithm, parameters, context, read)
    place = Path(algorithm.parameterAsString(parameters, "REPORTS", context))
    formats = algorithm.parameterAsEnumString(parameters, "FORMATS", context)
    with ReportFolder(place, reader.read_files()) as folder:
        inputs = reader.outputs()
        reports = Reports(inputs)
        layers, notes = reader.context_layers(inputs.record)
        dem, more = reader.ground(inputs.record)
        for note in [*notes, *more]:
            feedback.pushWarning(note)
        drawing = _map(reports, inputs, layers, dem)
        try:
            maker = _Maker(reports, drawing, folder, formats)
            total = max(1, len(reports))
            for number, report in enumerate(reports):
                work(number / total)
                maker.make(number, report)
        finally:
            drawing.close()
            layers.clear()
            if dem is not None:
                dem.close()
        size = maker.finish()
        folder.commit()
    altered = sum(page.report.altered for page in maker.pages)
    if altered:
        feedback.pushWarning(
            tr(
                "{} site(s) are no longer what the run wrote: the tables were changed since, or"
                " saved in a format that rounds. Their reports say so."
            ).format(altered)
        )
    count = len(maker.pages)
    longest = max(maker.lengths, default=0)
    seconds, megabytes = f"{time.monotonic() - begun:.1f}", f"{size / 1e6:.1f}"
    feedback.pushInfo(tr("{} reports, {} MB, in {} s").format(count, megabytes, seconds))
    if longest:
        feedback.pushInfo(tr("The longest PDF has {} pages.").format(longest))
    return {"REPORTS": str(folder.place), "REPORT_COUNT": count}


class _Maker:
    """Writes the files of each report."""

    def __init__(
        self, reports: Reports, drawing: ReportMap, folder: ReportFolder, formats: str
    ) -> None:
        self.reports, self.drawing, self.folder = reports, drawing, folder
        self.want_html, self.want_pdf = "html" in formats, "pdf" in formats
        self.renderer = Pages(reports)
        self.pages: list[Page] = []
        self.lengths: list[int] = []
        self._keys: dict[str, QImage] = {}

    def make(self, place: int, report: SiteReport) -> None:
        """Write the files of one report."""
        stem = file_stem(report, len(self.reports))
        drawn = self.drawing.show(place, report, self._hatched(report))
        html = f"{stem}.html" if self.want_html else ""
        pdf = f"{stem}.pdf" if self.want_pdf else ""
        if html:
            picture = None if drawn is None else self._picture(report, drawn)
            self.folder.write(html, self.renderer.html(report, picture, pdf))
        if pdf:
            self._pdf(self.folder.staged / pdf, report, drawn)
        self.pages.append(Page(report, html, pdf))

    def finish(self) -> int:
        """Write the index and return the size of all files, in bytes."""
        self.folder.write("index.html", self.renderer.index(self.pages))
        self.folder.write("queue.csv", self.renderer.csv(self.pages))
        self.folder.write("record.json", record_text(self.reports.record))
        return sum(path.stat().st_size for path in self.folder.staged.iterdir())

    def _hatched(self, report: SiteReport) -> str:
        """Return the zone that the map hatches: no infiltration under the class's own text."""
        names = list(texts_of(self.reports.ordinance, report.word))
        return (
            f"not_{names[-1] if report.word not in _labels(self.reports) else names[0]}"
            if names
            else ""
        )

    def _picture(self, report: SiteReport, drawn: DrawnMap) -> MapPicture:
        return MapPicture(
            src=_data_uri(self.drawing.image()),
            key=[(_data_uri(self._key(name)), key_words(name)) for name in drawn.key],
            interval=drawn.interval_ft,
            alt=map_words(report, drawn.width_ft),
        )

    def _pdf(self, path: Path, report: SiteReport, drawn: DrawnMap | None) -> None:
        images: dict[str, QImage] = {}
        if drawn is not None:
            images = {f"key-{name}": self._key(name) for name in drawn.key}

        def text(larger: float) -> str:
            if drawn is None:
                return self.renderer.pdf_html(report, None)
            width, height = map_points(larger)
            key = [(f"key-{name}", key_words(name)) for name in drawn.key]
            picture = MapPicture("map", key, drawn.interval_ft, "", width, height)
            return self.renderer.pdf_html(report, picture)

        law = self.reports.ordinance
        pages = write_pdf(
            path,
            text,
            title=f"Stormwater screening: site {report.name}",
            foot=f"Site {report.name}, receipt {report.receipt}, {law.title}. "
            "A screening aid, not legal advice.",
            images=images,
            drawing=None if drawn is None else self.drawing,
        )
        self.lengths.append(pages)

    def _key(self, name: str) -> QImage:
        if name not in self._keys:
            self._keys[name] = key_image(name)
        return self._keys[name]


def _labels(reports: Reports) -> tuple[str, ...]:
    return tuple(reports.ordinance.classes.labels)


def _map(reports: Reports, inputs: ReportInputs, layers: Any, dem: Any) -> ReportMap:
    sites = inputs.sites
    shapes = np.asarray(sites.geometry.array, dtype=object)
    names = ["" if name is None or name != name else str(name) for name in sites["site_id"]]
    zones: dict[int, list[tuple[str, shapely.Geometry]]] = {}
    if inputs.zones is not None:
        moved = inputs.zones.to_crs(sites.crs)
        for row, kind, shape in zip(moved["row"], moved["zone"], moved.geometry, strict=True):
            zones.setdefault(int(row), []).append((str(kind), shape))
    crs = QgsCoordinateReferenceSystem.fromWkt(sites.crs.to_wkt())
    assert crs.isValid(), Qgis.version()
    _, keys = site_geometry(sites)
    return ReportMap(list(shapes), names, zones, crs, keys, layers, dem)


def _data_uri(image: QImage) -> str:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG", 10)
    return "data:image/png;base64," + base64.b64encode(bytes(data)).decode()
