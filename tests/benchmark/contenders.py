"""What is compared: each contender does its work in a process of its own."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd
import shapely

from tests.benchmark.county import County

if TYPE_CHECKING:
    from stormwater_screen.coded import Coded
    from stormwater_screen.model import Screening

THREADS = (1, 2, 5)
"""Numbers of workers whose results are compared."""


FINDINGS_COMPARED = ("listed_water", "soil_group", "tmdl_watershed")


class Job(NamedTuple):
    """What a contender is given.

    Attributes
    ----------
    county
        Layers.
    folder
        Where results and times are written.
    workers
        Threads; None: one a processor.
    """

    county: County
    folder: Path
    workers: int | None


class Parts:
    """Times of parts of a contender.

    Parameters
    ----------
    job, name
        The contender.
    processor_s
        Clock of processor time.
    """

    def __init__(
        self, job: Job, name: str, processor_s: Callable[[], float] = time.process_time
    ) -> None:
        self._file = parts_file(job.folder, name)
        self._processor_s = processor_s
        self.spent: dict[str, tuple[float, float]] = {}

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Add the time of the block to a part, and write all parts."""
        processor_s, wall_s = self._processor_s(), time.perf_counter()
        yield
        before = self.spent.get(name, (0.0, 0.0))
        now = (self._processor_s() - processor_s, time.perf_counter() - wall_s)
        self.spent[name] = (before[0] + now[0], before[1] + now[1])
        self._file.write_text(json.dumps(self.spent))


def parts_file(folder: Path, name: str) -> Path:
    """Return the file in which a contender leaves the times of its parts, by part: both clocks."""
    return folder / f"{name}_parts.json"


def core(job: Job) -> None:
    """Read and screen, without QGIS and without writing."""
    from tests.benchmark.headless import read_county, screen_county

    screening = screen_county(read_county(job.county), job.workers)
    screening.columns.set_index("site_id").to_pickle(job.folder / "core.pkl")
    compared = [_only(piece) for piece in screening.finding_rows.pieces()]
    pd.concat(compared).to_pickle(job.folder / "core_findings.pkl")
    zones = [piece[piece["zone"] == "zone_500ft"] for piece in screening.zone_rows.pieces()]
    whole = pd.concat([pd.DataFrame(piece.drop(columns="geometry")) for piece in zones])
    whole.set_index("site_id")["area_sf"].to_pickle(job.folder / "core_zone.pkl")


def _only(rows: Coded) -> pd.DataFrame:
    """Return the findings that are compared; all of them would take more memory than a run."""
    rule = rows.texts["rule"][rows.values["rule"][rows.order]]
    return replace(rows, order=rows.order[np.isin(rule, FINDINGS_COMPARED)]).frame()


def receiving(job: Job) -> None:
    """Follow runoff and nothing else, without QGIS and without writing."""
    from stormwater_screen.model import Options
    from stormwater_screen.screening import take_step
    from tests.benchmark.headless import read_county

    parts = Parts(job, "receiving")
    with parts.part("layers read"):
        inputs = read_county(job.county)
    with parts.part("runoff followed"):
        take_step(inputs, ["receiving"], options=Options(workers=job.workers))


def workers(job: Job) -> None:
    """Screen with different numbers of workers.

    Raises
    ------
    AssertionError
        The results are not the same.
    """
    from tests.benchmark.headless import read_county, screen_county

    inputs = read_county(job.county)
    parts = Parts(job, "workers")
    digests = set()
    for count in THREADS:
        with parts.part(f"{count} at work"):
            screening = screen_county(inputs, count)
        digests.add(_digest(screening))
    if len(digests) > 1:
        raise AssertionError(f"{THREADS} workers: the results are not the same")


def _digest(screening: Screening) -> str:
    """Return a checksum of sites, findings and zones."""
    from stormwater_screen.columns import FINDING_COLUMNS, SCREENED_COLUMNS
    from stormwater_screen.digests import site_digests, total

    rows = site_digests(
        screening.columns, screening.finding_rows, SCREENED_COLUMNS, FINDING_COLUMNS
    )
    drawn = hashlib.sha256()
    for piece in screening.zone_rows.pieces():
        drawn.update(piece.drop(columns="geometry").to_csv().encode())
        for shape in shapely.to_wkb(piece.geometry.to_numpy()):
            drawn.update(shape)
    return total([*rows, drawn.hexdigest()])


def provider(job: Job) -> None:
    """Screen by `processing.run` and write all outputs."""
    from tests.benchmark.toolbox import given, start_qgis, timed, wanted

    parts = Parts(job, "provider")
    with parts.part("QGIS started"):
        processing = start_qgis()
    with timed(parts):
        processing.run("stormwater:screensites", {**given(job.county), **wanted(job.folder)})


def floor(job: Job) -> None:
    """Read every input once, and write what the provider wrote."""
    from tests.benchmark.floor import read_all, write_again
    from tests.benchmark.toolbox import OUTPUTS

    parts = Parts(job, "floor")
    with parts.part("all read"):
        read_all(job.county)
    with parts.part("all written"):
        write_again([job.folder / f"{name.lower()}.gpkg" for name in OUTPUTS], job.folder)


def tuned(job: Job) -> None:
    """Run the chain of QGIS algorithms as an expert builds it."""
    _chain(job, "tuned")


def plain(job: Job) -> None:
    """Run the chain of QGIS algorithms as a planner builds it."""
    _chain(job, "plain")


def _chain(job: Job, name: str) -> None:
    from tests.benchmark.toolbox import start_qgis

    start_qgis()
    from tests.benchmark.chain import Chain

    found = Chain(job.county, _plane_wkt(), job.folder, tuned=name == "tuned").run()
    found.to_pickle(job.folder / f"{name}.pkl")


def _plane_wkt(version: str = "WKT2_2019") -> str:
    from stormwater_screen.plane import plane_crs

    return str(plane_crs((43, -74)).to_wkt(version))


def postgis(job: Job) -> None:
    """Do the vector part in a database."""
    from tests.benchmark.postgis import Database

    with Database() as database:
        parts = Parts(job, "postgis", database.processor_s)
        plane = _plane_wkt("WKT1_GDAL")
        with parts.part("loaded, cut and indexed"):
            database.load(job.county, plane)
        with parts.part("queries"):
            database.query()
        with parts.part("written"):
            database.write(job.folder / "postgis.gpkg")
        database.results(job.folder)


CONTENDERS: dict[str, Callable[[Job], None]] = {
    "provider": provider,
    "core": core,
    "receiving": receiving,
    "workers": workers,
    "floor": floor,
    "tuned": tuned,
    "postgis": postgis,
    "plain": plain,
}
"""Contenders in the order in which they run."""


def run_contender(name: str, county: County, folder: Path, workers: int) -> None:
    """Do the work of a contender in this process."""
    CONTENDERS[name](Job(county, folder, workers or None))
