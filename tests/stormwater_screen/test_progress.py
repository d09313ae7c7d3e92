from __future__ import annotations

import pytest

from stormwater_screen.errors import CancelledError
from stormwater_screen.progress import no_progress, part_of


def test_part_of_the_work_moves_within_its_shares() -> None:
    told: list[float] = []
    half = part_of(told.append, 0.5, 1.0)
    for share in (0.0, 0.5, 1.0, 7.0, -1.0):
        half(share)
    assert told == pytest.approx([0.5, 0.75, 1.0, 1.0, 0.5])


def test_part_of_a_part_moves_within_both() -> None:
    told: list[float] = []
    part_of(part_of(told.append, 0.0, 0.5), 0.5, 1.0)(0.5)
    assert told == pytest.approx([0.375])


def test_cancel_passes_through_a_part() -> None:
    def cancel(share: float) -> None:
        raise CancelledError

    with pytest.raises(CancelledError):
        part_of(cancel, 0.0, 1.0)(0.1)
    no_progress(0.1)
