"""Runs in partitions for tests: in this process, with all outputs in one folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from stormwater_screen.cluster import running
from stormwater_screen.command.main import main
from tests.command_line import outputs


class OneProcess:
    """Makes each task at once, in this process: what Dask does is tested apart."""

    def __init__(self) -> None:
        self.done: list[tuple[Any, ...]] = []

    def submit(self, work: Any, *given: Any, **_: Any) -> _Done:
        self.done.append((work.__name__, *given[1:]))
        return _Done(work(*given))

    def cancel(self, futures: Any, *, force: bool) -> None:
        assert force

    def scheduler_info(self) -> dict[str, Any]:
        return {"workers": {"this": {}}}


class _Done:
    status = "finished"

    def __init__(self, outcome: Any) -> None:
        self._outcome = outcome

    def result(self) -> Any:
        return self._outcome

    def release(self) -> None:
        self._outcome = None


def in_this_process(monkeypatch: pytest.MonkeyPatch) -> OneProcess:
    client = OneProcess()

    class Workers:
        def __enter__(self) -> OneProcess:
            return client

        def __exit__(self, *error: object) -> None:
            return None

    monkeypatch.setattr(running, "workers", lambda *_: Workers())
    monkeypatch.setattr(running, "as_completed", list)
    return client


def arguments(name: str, given: Path, folder: Path, *more: str | Path) -> list[str]:
    """Return the command line of a run with all outputs in a folder."""
    return list(map(str, (name, "--RUN", given, *outputs(folder), *more)))


def stamps(work: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in (work / "parts").glob("*.json")}


def run_small(folder: Path, given: Path, *more: str) -> int:
    work = ("--WORK", folder / "work", "--PARTITION_SITES", "10")
    return main(arguments("cluster", given, folder / "out", *work, *more))
