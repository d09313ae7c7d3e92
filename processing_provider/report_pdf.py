"""A report as PDF: text by Qt, the map as lines and letters from the print layout."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from qgis.PyQt.QtCore import QMarginsF, QRectF, QSizeF, Qt, QUrl
from qgis.PyQt.QtGui import (
    QFont,
    QGuiApplication,
    QImage,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextImageFormat,
)

from .destinations import WriteError
from .i18n import tr
from .report_map import HEIGHT_MM, WIDTH_MM, ReportMap
from .report_symbols import FONT

MAP_NAME = "map"
DOTS_PER_INCH = 300
FOOT_MM = 5.0
PAGES = 2
SCALES = (0.96, 0.93, 0.9)
"""How much smaller a report is drawn to save a third page: 6.6 points become 5.9 at most."""
HEADING_POINTS = 8.6
HEADING_ROOM_MM = 15.0
"""Least room below the top of a heading, which is known by its size of type."""
_LETTER_MM = (215.9, 279.4)
_MARGIN_MM = ((_LETTER_MM[0] - WIDTH_MM) / 2, 11.0)


def map_points(larger: float = 1.0) -> tuple[int, int]:
    """Return the size of the map on the page in the units of Qt's HTML, dots of the screen."""
    screen = QGuiApplication.primaryScreen()
    per_inch = 96.0 if screen is None else screen.logicalDotsPerInchY()
    per_mm = larger * per_inch / 25.4
    return int(WIDTH_MM * per_mm), int(HEIGHT_MM * per_mm) + 1


def write_pdf(
    path: Path,
    html: Callable[[float], str],
    *,
    title: str,
    foot: str,
    images: Mapping[str, QImage],
    drawing: ReportMap | None,
) -> int:
    """Write a PDF of letter size and return the number of its pages.

    Parameters
    ----------
    path
        The file.
    html
        Returns the text for a map so many times as large: on a page that is drawn smaller, so that
        a report fits on two, the map keeps its size.
    title, foot
        Title of the document, and the line at the foot of each page.
    images
        Images of the text by their address.
    drawing
        The map, already moved to the site; None: there is none.

    Raises
    ------
    WriteError
        The file cannot be written.
    """
    writer = QPdfWriter(str(path))
    writer.setResolution(DOTS_PER_INCH)
    writer.setTitle(title)
    writer.setCreator("Stormwater Site Screening")
    side, top = _MARGIN_MM
    writer.setPageLayout(
        QPageLayout(
            QPageSize(QPageSize.PageSizeId.Letter),
            QPageLayout.Orientation.Portrait,
            QMarginsF(side, top, side, top),
            QPageLayout.Unit.Millimeter,
        )
    )
    document, scale = _fitted(html, writer, images)
    painter = QPainter()
    if not painter.begin(writer):
        raise WriteError("REPORTS: " + tr("{} cannot be written").format(path.name))
    place = None if drawing is None else _map_place(document)
    width, height = document.pageSize().width(), document.pageSize().height()
    pages = document.pageCount()
    try:
        for page in range(pages):
            if page:
                writer.newPage()
            painter.save()
            painter.scale(scale, scale)
            painter.translate(0, -page * height)
            document.drawContents(painter, QRectF(0, page * height, width, height))
            painter.restore()
            if drawing is not None and place is not None and place.y() // height == page:
                painter.save()
                painter.translate(place.x() * scale, (place.y() - page * height) * scale)
                drawing.paint(painter)
                painter.restore()
            painter.setFont(QFont(FONT, 6))
            foot_dots = _dots(FOOT_MM)
            line = QRectF(0, writer.height() - foot_dots, writer.width(), foot_dots)
            flags = Qt.AlignmentFlag.AlignBottom
            painter.drawText(line, int(flags | Qt.AlignmentFlag.AlignLeft), foot)
            number = f"page {page + 1} of {pages}"
            painter.drawText(line, int(flags | Qt.AlignmentFlag.AlignRight), number)
    finally:
        painter.end()
    return pages


def _dots(millimetres: float) -> float:
    return millimetres / 25.4 * DOTS_PER_INCH


def _fitted(
    html: Callable[[float], str], writer: QPdfWriter, images: Mapping[str, QImage]
) -> tuple[QTextDocument, float]:
    """Return the text and how much smaller it is drawn, if that saves the third page."""
    whole = _document(html(1.0), writer, images, 1.0)
    if whole.pageCount() == PAGES + 1:
        for scale in SCALES:
            smaller = _document(html(1 / scale), writer, images, scale)
            if smaller.pageCount() <= PAGES:
                return smaller, scale
    return whole, 1.0


def _document(
    html: str, writer: QPdfWriter, images: Mapping[str, QImage], scale: float
) -> QTextDocument:
    document = QTextDocument()
    document.setUndoRedoEnabled(False)
    document.documentLayout().setPaintDevice(writer)
    document.setDocumentMargin(0)
    blank = QImage(1, 1, QImage.Format.Format_ARGB32)
    blank.fill(Qt.GlobalColor.transparent)
    for name, image in {MAP_NAME: blank, **images}.items():
        document.addResource(QTextDocument.ResourceType.ImageResource, QUrl(name), image)
    document.setHtml(html)
    height = writer.height() - _dots(FOOT_MM)
    document.setPageSize(QSizeF(writer.width() / scale, height / scale))
    _keep_headings(document)
    return document


def _keep_headings(document: QTextDocument) -> None:
    """Move each heading that stands at the foot of a page to the next one."""
    height = document.pageSize().height()
    block = document.begin()
    while block.isValid():
        pieces = block.begin()
        form = None if pieces.atEnd() else pieces.fragment().charFormat()
        if form is not None and abs(form.fontPointSize() - HEADING_POINTS) < 0.05:
            top = document.documentLayout().blockBoundingRect(block).y() % height
            if height - top < _dots(HEADING_ROOM_MM):
                moved = block.blockFormat()
                moved.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
                QTextCursor(block).setBlockFormat(moved)
        block = block.next()
    # Qt loses blocks behind a changed one unless all is laid out anew.
    size = document.pageSize()
    document.setPageSize(QSizeF(size.width(), size.height() + 1))
    document.setPageSize(size)


def _map_place(document: QTextDocument) -> QRectF | None:
    """Return where the text leaves room for the map."""
    block = document.begin()
    while block.isValid():
        pieces = block.begin()
        while not pieces.atEnd():
            form = pieces.fragment().charFormat()
            if form.isImageFormat() and QTextImageFormat(form.toImageFormat()).name() == MAP_NAME:
                return QRectF(document.documentLayout().blockBoundingRect(block))
            pieces += 1
        block = block.next()
    return None
