"""A report as PDF: text by Qt, the map as lines and letters from the print layout."""

from __future__ import annotations

from collections.abc import Mapping
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
from .report_map import HEIGHT_MM, WIDTH_MM, ReportMap
from .report_symbols import FONT

MAP_NAME = "map"
DOTS_PER_INCH = 300
FOOT_MM = 5.0
HEADING_POINTS = 8.6
HEADING_ROOM_MM = 15.0
"""Least room below the top of a heading, which is known by its size of type."""
_LETTER_MM = (215.9, 279.4)
_MARGIN_MM = ((_LETTER_MM[0] - WIDTH_MM) / 2, 11.0)


def map_points() -> tuple[int, int]:
    """Return the size of the map on the page in the units of Qt's HTML, dots of the screen."""
    screen = QGuiApplication.primaryScreen()
    per_inch = 96.0 if screen is None else screen.logicalDotsPerInchY()
    return int(WIDTH_MM / 25.4 * per_inch), int(HEIGHT_MM / 25.4 * per_inch) + 1


def write_pdf(
    path: Path,
    html: str,
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
        The text.
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
    document = _document(html, writer, images)
    painter = QPainter()
    if not painter.begin(writer):
        raise WriteError(f"REPORTS: {path.name} cannot be written")
    place = None if drawing is None else _map_place(document)
    width, height = document.pageSize().width(), document.pageSize().height()
    pages = document.pageCount()
    try:
        for page in range(pages):
            if page:
                writer.newPage()
            painter.save()
            painter.translate(0, -page * height)
            document.drawContents(painter, QRectF(0, page * height, width, height))
            painter.restore()
            if drawing is not None and place is not None and place.y() // height == page:
                painter.save()
                painter.translate(place.x(), place.y() - page * height)
                drawing.paint(painter)
                painter.restore()
            painter.setFont(QFont(FONT, 6))
            line = QRectF(0, writer.height() - _dots(FOOT_MM), width, _dots(FOOT_MM))
            flags = Qt.AlignmentFlag.AlignBottom
            painter.drawText(line, int(flags | Qt.AlignmentFlag.AlignLeft), foot)
            number = f"page {page + 1} of {pages}"
            painter.drawText(line, int(flags | Qt.AlignmentFlag.AlignRight), number)
    finally:
        painter.end()
    return pages


def _dots(millimetres: float) -> float:
    return millimetres / 25.4 * DOTS_PER_INCH


def _document(html: str, writer: QPdfWriter, images: Mapping[str, QImage]) -> QTextDocument:
    document = QTextDocument()
    document.setUndoRedoEnabled(False)
    document.documentLayout().setPaintDevice(writer)
    document.setDocumentMargin(0)
    blank = QImage(1, 1, QImage.Format.Format_ARGB32)
    blank.fill(Qt.GlobalColor.transparent)
    for name, image in {MAP_NAME: blank, **images}.items():
        document.addResource(QTextDocument.ResourceType.ImageResource, QUrl(name), image)
    document.setHtml(html)
    document.setPageSize(QSizeF(writer.width(), writer.height() - _dots(FOOT_MM)))
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
