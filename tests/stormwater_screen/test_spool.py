from __future__ import annotations

import gc
from pathlib import Path
from typing import IO, Any

import numpy as np
import pytest

from stormwater_screen import spool
from stormwater_screen.errors import ScreeningError
from stormwater_screen.spool import Spool


def test_pieces_come_back_by_their_number_from_memory_and_from_the_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(spool, "IN_MEMORY_BYTES", 1_000)
    kept: Spool[np.ndarray[Any, Any]] = Spool()
    numbers = [kept.add(np.arange(size)) for size in (3, 500, 0, 7)]
    assert numbers == [0, 1, 2, 3]
    assert len(kept) == 4
    assert [len(kept.get(number)) for number in (3, 1, 0, 2)] == [7, 500, 3, 0]
    assert kept.get(1).tolist() == list(range(500))


def test_a_full_disk_is_said_with_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: Spool[str] = Spool()

    def full(_: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kept._file, "write", full)
    with pytest.raises(ScreeningError, match=r"No space left on device \(.+\)\. Needed: free"):
        kept.add("text")


def test_no_file_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "IN_MEMORY_BYTES", 10)
    monkeypatch.setattr(spool.tempfile, "tempdir", str(tmp_path))
    kept: Spool[str] = Spool()
    kept.add("longer than ten bytes")
    file: IO[bytes] = kept._file
    del kept
    gc.collect()
    assert file.closed
    assert list(tmp_path.iterdir()) == []
