"""Short checksums of features and of results, row by row, by which a change is found."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd
import shapely
from pandas.core.util.hashing import combine_hash_arrays

from .coded import Coded, CodedPieces
from .columns import Column
from .progress import Progress, no_progress, part_of

Hashes = npt.NDArray[np.uint64]

LENGTH: Final = 8
"""Characters of a digest: 32 bits, of which two of a thousand rows are the same once in 10,000."""

_BYTES: Final = LENGTH // 2
_DECIMALS: Final = 6
"""Digits after the point that count in a result."""


def feature_digests(frame: gpd.GeoDataFrame) -> list[str]:
    """Return a digest for each feature: its geometry and all its attributes.

    Parameters
    ----------
    frame
        Features as they were read, with geometries of any type, also None.
    """
    attributes = _hashes(pd.DataFrame(frame.drop(columns=frame.geometry.name)))
    shapes = shapely.to_wkb(np.asarray(frame.geometry.array, dtype=object))
    return [
        hashlib.blake2b((shape or b"") + own.tobytes(), digest_size=_BYTES).hexdigest()
        for shape, own in zip(shapes, attributes, strict=True)
    ]


def site_digests(
    columns: pd.DataFrame,
    findings: pd.DataFrame | CodedPieces,
    column_names: Sequence[Column],
    finding_names: Sequence[Column],
    progress: Progress = no_progress,
) -> list[str]:
    """Return a digest for each site: all its columns and findings but the id of the run.

    The same answers have the same digest in every run.

    Parameters
    ----------
    columns, findings
        Sites and findings as they were written or read back; ``row`` counts from 1.
    column_names, finding_names
        Columns that count, but for ``run_id``.
    progress
        Called with the share done; raises to stop.
    """
    rows = columns["row"].to_numpy(np.int64)
    own = _hashes(_canonical(columns, column_names, progress), part_of(progress, 0.1, 0.3))
    together = np.zeros(int(max([0, *rows])) + 1, np.uint64)
    done = 0
    for place, of_finding in _finding_hashes(findings, finding_names):
        known = (place > 0) & (place < len(together))
        # A sum does not depend on the order in which a file gives the findings back.
        np.add.at(together, place[known], of_finding[known])
        done += len(place)
        progress(0.3 + 0.6 * done / max(len(findings), 1))
    return [
        hashlib.blake2b(first.tobytes() + second.tobytes(), digest_size=_BYTES).hexdigest()
        for first, second in zip(own, together[rows], strict=True)
    ]


class Total:
    """One checksum (SHA-256) of the digests of all rows, added in their order."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def add(self, digests: Iterable[str]) -> None:
        """Add the digests of the next rows."""
        self._hash.update("".join(digests).encode())

    def __str__(self) -> str:
        """Return the checksum of what has been added."""
        return self._hash.hexdigest()


def total(digests: Iterable[str]) -> str:
    """Return one checksum (SHA-256) of the digests of all rows, in their order."""
    whole = Total()
    whole.add(digests)
    return str(whole)


def _canonical(
    table: pd.DataFrame, columns: Sequence[Column], progress: Progress = no_progress
) -> pd.DataFrame:
    """Return columns in which a number or text is the same before and after it was in a file."""
    shaped: dict[str, npt.NDArray[np.float64] | npt.NDArray[np.object_]] = {}
    for column in columns:
        if column.name == "run_id":
            continue
        progress(0.1 * len(shaped) / len(columns))
        values = table[column.name]
        if column.kind == "text":
            shaped[column.name] = values.where(values.notna(), "").astype(str).to_numpy(object)
        else:
            numbers = pd.to_numeric(values, errors="coerce").to_numpy(np.float64)
            shaped[column.name] = _rounded(numbers)
    return pd.DataFrame(shaped)


def _finding_hashes(
    findings: pd.DataFrame | CodedPieces, names: Sequence[Column]
) -> Iterator[tuple[npt.NDArray[np.int64], Hashes]]:
    """Yield the sites of findings, by their rows from 1, and the hash of each finding."""
    if isinstance(findings, pd.DataFrame):
        yield findings["row"].to_numpy(np.int64), _hashes(_canonical(findings, names))
        return
    for piece in findings.pieces():
        yield piece.values["row"].astype(np.int64), _coded_hashes(piece, names)


def _coded_hashes(table: Coded, columns: Sequence[Column]) -> Hashes:
    """Return what `_hashes` gives for the rows in the order of ``table.values``, texts once each.

    Millions of rows hold a few thousand texts.
    """
    names = [column.name for column in columns if column.name != "run_id"]
    kinds = {column.name: column.kind for column in columns}
    known: dict[int, Hashes] = {}

    def of_column(name: str) -> Hashes:
        values = table.values[name]
        if kinds[name] != "text":
            return np.asarray(pd.util.hash_array(_rounded(values.astype(np.float64))))
        texts = table.texts[name]
        if id(texts) not in known:
            plain = np.array(["" if text is None else text for text in texts], dtype=object)
            known[id(texts)] = pd.util.hash_array(plain, categorize=False)
        return np.asarray(known[id(texts)][values])

    combined = combine_hash_arrays((of_column(name) for name in names), len(names))
    return np.asarray(combined ^ _name_hash(names), np.uint64)


def _rounded(numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.round(numbers, _DECIMALS) + 0.0


def _name_hash(names: Iterable[object]) -> np.uint64:
    digest = hashlib.blake2b("|".join(map(str, names)).encode(), digest_size=8).digest()
    return np.uint64(int.from_bytes(digest, "big"))


def _hashes(table: pd.DataFrame, progress: Progress = no_progress) -> Hashes:
    if not len(table.columns):
        return np.zeros(len(table), np.uint64)
    plain = table.copy()
    for at, dtype in enumerate(plain.dtypes):
        if pd.api.types.is_object_dtype(dtype):
            column = plain.iloc[:, at]
            plain.isetitem(at, column.where(column.notna(), "").astype(str).astype(object))

    def of_column(at: int) -> Hashes:
        progress(at / plain.shape[1])
        return np.asarray(pd.util.hash_pandas_object(plain.iloc[:, at], index=False))

    count = plain.shape[1]
    hashed = combine_hash_arrays(map(of_column, range(count)), count)
    return np.asarray(hashed ^ _name_hash(table), np.uint64)
