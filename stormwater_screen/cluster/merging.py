"""The parts of a run put together: single outputs in the order of the sites."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyogrio

from ..columns import FINDING_COLUMNS, SCREENED_COLUMNS, ZONE_COLUMNS
from ..digests import Total
from ..gathering import whole_note
from ..notes import from_json, together
from ..outputs import (
    Staging,
    beside_own,
    own_names,
    own_types,
    typed,
    typed_shapes,
    write_rows,
    write_text,
)
from ..progress import Progress
from ..record import law_record, library_versions, record_text
from ..screening import run_findings
from ..sources import which_layer
from .preparing import Begun
from .tasks import manifest_path, part_path

SITES_AT_ONCE: Final = 20_000
"""Sites that are merged together: their findings and zones are held in memory."""

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class _Part:
    """Where the rows of a part lie: rows of its sites, and how many findings and zones precede."""

    path: Path
    rows: Integers
    findings: Integers
    zones: Integers

    @classmethod
    def of(cls, path: Path) -> _Part:
        columns = ["row", "n_findings", "n_zones"]
        table = pyogrio.read_dataframe(path, layer="sites", columns=columns, read_geometry=False)
        before = [np.r_[0, np.cumsum(table[name].to_numpy(np.int64))] for name in columns[1:]]
        return cls(path, table["row"].to_numpy(np.int64), before[0], before[1])

    def read(self, layer: str, start: int, end: int) -> gpd.GeoDataFrame | None:
        """Return the rows of a layer that belong to the sites from row ``start`` up to ``end``."""
        first, past = (int(np.searchsorted(self.rows, row)) for row in (start, end))
        if layer != "sites":
            before = self.findings if layer == "findings" else self.zones
            first, past = int(before[first]), int(before[past])
        if first == past:
            return None
        # Rows are numbered from 1 as they were written.
        where = f"fid > {first} AND fid <= {past}"
        return pyogrio.read_dataframe(self.path, layer=layer, where=where)


@dataclass(frozen=True)
class Merged:
    """Counts and sentences of the whole run, and the files that hold it.

    Attributes
    ----------
    counts
        Numbers of the run by name, as ``SITE_COUNT``.
    notes
        Sentences on the run.
    files
        Files by output.
    """

    counts: Mapping[str, int]
    notes: list[str]
    files: Mapping[str, str]


def merge(begun: Begun, places: Mapping[str, Path], progress: Progress) -> Merged:
    """Write the outputs of a run whose parts are all made.

    Parameters
    ----------
    begun
        The run.
    places
        Files of the outputs, by name.
    progress
        Called with the share done; raises to stop the run.

    Raises
    ------
    WriteError
        An output cannot be written; then none is there.
    """
    run = begun.run
    states = [
        json.loads(manifest_path(run, number).read_text("utf-8")) for number in range(run.parts)
    ]
    counts = {
        name: sum(int(state["counts"][name]) for state in states) for name in states[0]["counts"]
    }
    notes = _notes(begun, states, counts)
    parts = [_Part.of(part_path(run, number)) for number in range(run.parts)]
    count = len(begun.sites.frame)
    digests = Total()
    crs = begun.sites.frame.crs
    starts = range(0, max(count, 1), SITES_AT_ONCE)

    def blocks(layer: str) -> Iterator[tuple[int, gpd.GeoDataFrame]]:
        before = ("sites", "findings", "zones").index(layer)
        for number, start in enumerate(starts):
            progress((before + number / len(starts)) / 3)
            yield start, _block(parts, layer, start + 1, start + SITES_AT_ONCE + 1)

    with Staging(places) as staging:
        if "SCREENED" in places:
            renamed, chunks = _screened(begun, blocks("sites"), digests)
            notes += renamed
            write_rows(staging.path("SCREENED"), chunks, crs=crs)
            record = _record(begun, counts, notes, digests)
            write_text(staging.path("RECORD"), record_text(record))
        if "FINDINGS" in places:
            write_rows(staging.path("FINDINGS"), _findings(begun, blocks("findings")))
        if "ZONES" in places:
            chunks = (typed_shapes(block, ZONE_COLUMNS) for _, block in blocks("zones"))
            write_rows(staging.path("ZONES"), chunks, crs=crs)
        files = staging.commit()
    return Merged(counts, notes, files)


def _block(parts: list[_Part], layer: str, start: int, end: int) -> gpd.GeoDataFrame:
    """Return the rows of sites from row ``start`` up to ``end``, in the order of the sites."""
    found = [part.read(layer, start, end) for part in parts]
    filled = [table for table in found if table is not None]
    if not filled:
        table = pyogrio.read_dataframe(parts[0].path, layer=layer, max_features=1).iloc[:0]
        return table
    joined = pd.concat(filled, ignore_index=True)
    return joined.sort_values("row", kind="stable", ignore_index=True)


def _screened(
    begun: Begun, blocks: Iterator[tuple[int, gpd.GeoDataFrame]], digests: Total
) -> tuple[tuple[str, ...], Iterator[pd.DataFrame]]:
    """Return sentences on changed names, and the sites with their own attributes."""
    source, layer = which_layer(str(begun.run.parameters["SITES"]))
    types = own_types(source, layer)
    names, notes = own_names(list(types), SCREENED_COLUMNS)

    def chunks() -> Iterator[pd.DataFrame]:
        for start, block in blocks:
            own = pyogrio.read_dataframe(
                source,
                layer=layer,
                skip_features=start,
                max_features=SITES_AT_ONCE,
                read_geometry=False,
            )
            digests.add(block["digest"])
            added = typed(block, SCREENED_COLUMNS)
            table = beside_own(own, names, added, types)
            yield gpd.GeoDataFrame(table, geometry=block.geometry.to_numpy(), crs=block.crs)

    return notes, chunks()


def _findings(begun: Begun, blocks: Iterator[tuple[int, pd.DataFrame]]) -> Iterator[pd.DataFrame]:
    """Return the findings: of the run as a whole first, then site by site."""
    whole = typed(run_findings(begun.details, begun.run.run_id), FINDING_COLUMNS)
    for start, block in blocks:
        own = typed(block, FINDING_COLUMNS)
        yield pd.concat([whole, own], ignore_index=True) if start == 0 and len(whole) else own


def _notes(begun: Begun, states: list[Any], counts: Mapping[str, int]) -> list[str]:
    """Return the sentences of the run, each once.

    What the fields of the sites could not give was counted over all sites.
    """
    own_fields = f"{begun.sites.name}: field "
    told = together([from_json(note) for note in state["notes"]] for state in states)
    notes = [*begun.notes, *(note for note in told if not note.startswith(own_fields))]
    if counts["WHOLE_SITE_COUNT"]:
        notes.append(whole_note(counts["WHOLE_SITE_COUNT"]))
    return list(dict.fromkeys(str(note) for note in notes))


def _record(
    begun: Begun, counts: Mapping[str, int], notes: list[str], digests: Total
) -> dict[str, Any]:
    """Return with what the run was made, and the checksum of its answers."""
    run = begun.run
    return {
        "run_id": run.run_id,
        "versions": library_versions(),
        "parameters": {**run.parameters, "AS_OF": run.as_of},
        "ordinance": law_record(run.ordinance(), run.law),
        "files": run.asked["files"],
        "options": dict(run.options),
        "fields": dict(run.fields),
        "partitions": run.parts,
        "counts": dict(counts),
        "notes": notes,
        "results": {"checksum": str(digests)},
    }
