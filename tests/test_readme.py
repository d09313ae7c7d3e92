"""What the README shows and points to is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "ARCHITECTURE.md", "CHANGELOG.md")


@pytest.mark.parametrize("page", PAGES)
def test_every_picture_and_page_that_is_linked_exists(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text)]
    local = [link for link in links if link and "://" not in link]
    assert not [link for link in local if not (ROOT / link).exists()]


def test_every_make_command_that_is_named_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    pages = [*PAGES, "docs/environment.md", "docs/release.md"]
    text = "\n".join((ROOT / page).read_text(encoding="utf-8") for page in pages)
    named = set(re.findall(r"`make ([a-z-]+)", text)) | set(
        re.findall(r"^make ([a-z-]+)", text, re.M)
    )
    assert {"screen", "test", "package"} <= named <= targets
