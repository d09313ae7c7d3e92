"""How a run says how far it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from stormwater_screening.processing_provider.base import Pieces, progress_of
from stormwater_screening.stormwater_screen.errors import CancelledError

from tests.toolbox import sample_parameters


def test_each_piece_moves_the_bar_on_and_never_past_the_end() -> None:
    told: list[float] = []
    pieces = Pieces(told.append)
    pieces.expected = 4

    for _ in range(6):
        pieces()

    assert told == [0.0, 0.25, 0.5, 0.75, 1.0, 1.0]


def test_a_cancelled_run_stops_at_the_next_piece(qgis_processing: object) -> None:
    from qgis.core import QgsProcessingFeedback

    feedback = QgsProcessingFeedback(False)
    pieces = Pieces(progress_of(feedback, 0.9, 1.0))
    pieces()
    feedback.cancel()

    with pytest.raises(CancelledError):
        pieces()


def test_the_bar_of_a_screening_only_goes_forward_to_the_end(
    qgis_processing: Any, tmp_path: Path
) -> None:
    import processing
    from qgis.core import QgsProcessingFeedback

    feedback, shown = QgsProcessingFeedback(False), list[float]()
    feedback.progressChanged.connect(shown.append)
    # What goes into GeoPackages is written in threads, a small one before the bar is looked at.
    endings = {"SCREENED": "gpkg", "FINDINGS": "csv", "ZONES": "fgb"}
    outputs = {name: str(tmp_path / f"{name}.{ending}") for name, ending in endings.items()}
    processing.run("stormwater:screensites", {**sample_parameters(), **outputs},
                   feedback=feedback)  # fmt: skip

    assert shown == sorted(shown)
    assert shown[0] <= 2
    assert max(shown) > 95
    writing = [share for share in shown if share > 90]
    assert len(set(writing)) > 2
