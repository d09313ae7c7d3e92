"""Fixtures that all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def _shared(name: str, variable: str) -> Path:
    folder = Path(os.environ.get(variable, ROOT.parent / "shared" / name))
    if not folder.is_dir():
        message = f"No folder {folder}; set {variable} to where the {name} lie"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return folder


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of the real layers that tests read where they lie."""
    return _shared("data", "STORMWATER_DATA")


@pytest.fixture(scope="session")
def shared_cases() -> Path:
    """Folder of the decision cases."""
    return _shared("cases", "STORMWATER_CASES")
