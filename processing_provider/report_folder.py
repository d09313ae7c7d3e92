"""A folder of reports that appears as a whole or not at all."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from ..stormwater_screen.errors import InputError
from .destinations import WriteError
from .i18n import tr

MARKS = ("index.html", "record.json")
"""Files by which a folder of an earlier run is known."""


class ReportFolder:
    """Holds pages until all are written: leave the block without `commit` and nothing stays.

    Parameters
    ----------
    place
        Where the folder will be.
    inputs
        Files that are read; none of them may lie in the folder.

    Raises
    ------
    InputError
        The place is a file, holds something else than reports, or an input lies in it.
    """

    def __init__(self, place: Path, inputs: Iterable[Path] = ()) -> None:
        self.place = place.absolute()
        needed = tr("a new folder, an empty one, or one of earlier reports")
        if not self.place.parent.is_dir():
            missing = tr("no folder {}").format(self.place.parent)
            raise InputError("REPORTS", missing, tr("a folder that exists"))
        if self.place.exists() and not self.place.is_dir():
            raise InputError("REPORTS", tr("{} is a file").format(self.place), needed)
        for path in inputs:
            if path.exists() and self.place.resolve() in path.resolve().parents:
                inside = tr("{} is read and lies in {}").format(path.name, self.place)
                raise InputError("REPORTS", inside, needed)
        if self.place.is_dir():
            held = [path.name for path in self.place.iterdir()]
            if held and not all(mark in held for mark in MARKS):
                raise InputError("REPORTS", tr("{} holds {}").format(self.place, min(held)), needed)
        self._folder: Path | None = None

    def __enter__(self) -> ReportFolder:
        """Begin."""
        try:
            self._folder = Path(tempfile.mkdtemp(prefix=".stormwater-", dir=self.place.parent))
            self.staged.mkdir()
        except OSError as error:
            raise WriteError(f"REPORTS: {self.place}: {error.strerror}") from error
        return self

    def __exit__(self, *_: object) -> None:
        """Remove what was written and not committed."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def staged(self) -> Path:
        """Folder in which the pages are written."""
        assert self._folder is not None
        return self._folder / "new"

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file.

        Raises
        ------
        WriteError
            It cannot be written.
        """
        path = self.staged / name
        try:
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        except OSError as error:
            raise WriteError(f"REPORTS: {name}: {error.strerror}") from error

    def commit(self) -> None:
        """Put the folder into its place; what stood there goes only then.

        Raises
        ------
        WriteError
            It cannot be put there; what stood there stays.
        """
        assert self._folder is not None
        old = self._folder / "old"
        try:
            if self.place.exists():
                self.place.replace(old)
            self.staged.replace(self.place)
        except OSError as error:
            if old.exists() and not self.place.exists():
                old.replace(self.place)
            raise WriteError(f"REPORTS: {self.place}: {error.strerror}") from error
