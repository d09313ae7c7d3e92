"""PDF of a report: nothing is lost at the foot of a page, a third page is saved if it can be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

HEADING = '<p class="h" style="font-size:8.6pt;font-weight:bold">Heading {}</p>'
ROWS = "<table border='1'>" + "<tr><td>one row of a table</td></tr>" * 9 + "</table>"


def _page(sections: int) -> str:
    return "".join(HEADING.format(number) + ROWS for number in range(sections))


def _dark(document: Any, top: float, height: float) -> bool:
    """Return whether anything is drawn between two heights of the text."""
    from qgis.PyQt.QtCore import QRectF
    from qgis.PyQt.QtGui import QColor, QImage, QPainter

    width = int(document.pageSize().width())
    image = QImage(width, max(1, int(height)), QImage.Format.Format_RGB32)
    image.fill(QColor("#ffffff"))
    painter = QPainter(image)
    painter.translate(0, -top)
    document.drawContents(painter, QRectF(0, top, width, height))
    painter.end()
    return any(
        image.pixelColor(x, y).lightness() < 128
        for y in range(0, image.height(), 2)
        for x in range(0, min(width, 900), 2)
    )


def test_every_heading_is_drawn_whole_and_none_stands_at_the_foot_of_a_page(
    qgis_app: object, tmp_path: Path
) -> None:
    from qgis.PyQt.QtGui import QPageSize, QPdfWriter
    from stormwater_screening.processing_provider.report_pdf import (
        HEADING_ROOM_MM,
        _document,
        _dots,
    )

    writer = QPdfWriter(str(tmp_path / "x.pdf"))
    writer.setResolution(300)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.Letter))
    document = _document(_page(24), writer, {}, 1.0)
    height = document.pageSize().height()
    found, block = 0, document.begin()
    while block.isValid():
        if block.text().startswith("Heading"):
            place = document.documentLayout().blockBoundingRect(block)
            assert place.height() > 0
            assert height - place.y() % height >= _dots(HEADING_ROOM_MM) - 1
            assert _dark(document, place.y(), place.height()), block.text()
            found += 1
        block = block.next()
    assert found == 24
    assert document.pageCount() > 2


def test_a_report_a_little_too_long_is_drawn_smaller_to_fit_two_pages(
    qgis_app: object, tmp_path: Path
) -> None:
    from stormwater_screening.processing_provider.report_pdf import write_pdf

    def pages(rows: int) -> int:
        text = "<p>one line of text</p>" * rows
        return write_pdf(
            tmp_path / "x.pdf", lambda _: text, title="t", foot="f", images={}, drawing=None
        )

    longest = next(rows for rows in range(20, 400) if pages(rows) > 2)
    shorter = next(rows for rows in range(20, 400) if pages(rows) > 1)
    # Two pages at full size hold twice what one holds; drawn smaller they hold more.
    assert longest > 2 * shorter
