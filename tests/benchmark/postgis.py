"""The vector part of the screening in PostGIS, on a server that lives as long as the work."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.benchmark.county import County

ROOT = Path(__file__).resolve().parents[2]
DATABASE = "county"
_MEASURED = (
    "lot, site_sf, disturb_sf, zone_sf, water_bodies_ft, watercourses_ft, wetland_ft, supply_ft,"
    " leach_ft, in_35_sf, in_50_sf, in_100_sf, tmdl_sf, tmdl_name, listed_name, hsg"
)
_USER = "bench"
_START_S = 30.0
_SETTINGS = {
    "listen_addresses": "",
    "shared_buffers": "512MB",
    "work_mem": "128MB",
    "maintenance_work_mem": "256MB",
    # The data can be made again: nothing is kept for a failure of the machine.
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_wal_size": "4GB",
    "autovacuum": "off",
    "jit": "off",
    "max_parallel_workers_per_gather": "2",
    "min_parallel_table_scan_size": "0",
}


class ServerError(Exception):
    """PostgreSQL, or a program that speaks with it, failed."""


class Database:
    """A database of one's own: no port, no service, stopped and removed at the end."""

    def __init__(self) -> None:
        found = subprocess.run(
            [ROOT / "tools" / "postgis"], check=True, stdout=subprocess.PIPE, text=True
        )
        layer = Path(found.stdout.strip())
        self._programs = next(layer.glob("usr/lib/postgresql/*/bin"))
        libraries = ":".join(map(str, layer.glob("usr/lib/*-linux-gnu*")))
        self._environment = {**os.environ, "LD_LIBRARY_PATH": libraries}
        self._folder = Path()
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Database:
        """Make the files and start."""
        # The path of a socket may have a hundred characters, so not below the given folder.
        self._folder = Path(tempfile.mkdtemp(prefix="stormwater-postgis-"))
        try:
            data = str(self._folder / "data")
            self._run("initdb", "-D", data, "-U", _USER, "--auth=trust", "--no-locale", "-E",
                      "UTF8", "--no-sync", as_user=True)  # fmt: skip
            self._start(data)
            self.psql("-d", "postgres", "-c", f"CREATE DATABASE {DATABASE}")
            self.psql("-c", "CREATE EXTENSION postgis")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Stop and remove everything."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def address(self) -> str:
        """How GDAL reaches the database; the socket lies in the folder, which only we can enter."""
        return f"PG:host={self._folder} user={_USER} dbname={DATABASE}"

    def psql(self, *arguments: str) -> None:
        """Run SQL."""
        chosen = arguments if "-d" in arguments else ("-d", DATABASE, *arguments)
        self._run("psql", "-h", str(self._folder), "-U", _USER, "-X", "-q",
                  "-v", "ON_ERROR_STOP=1", "-o", os.devnull, *chosen)  # fmt: skip

    def ogr2ogr(self, *arguments: str) -> None:
        """Copy layers into the database or out of it."""
        subprocess.run(["ogr2ogr", *arguments], check=True)

    def processor_s(self) -> float:
        """Return the processor time of the server and of the programs run here, seconds."""
        assert self._process is not None
        # A child that has ended counts with the server only once the server has seen it.
        processes = [self._process.pid, *self._children()]
        server_s = sum(map(_ticks, processes)) / os.sysconf("SC_CLK_TCK")
        programs = resource.getrusage(resource.RUSAGE_CHILDREN)
        return server_s + programs.ru_utime + programs.ru_stime

    def load(self, county: County, plane: str) -> None:
        """Load all layers, bring them to a plane (WKT), cut and index them."""
        copied = ["-nlt", "PROMOTE_TO_MULTI", "-lco", "GEOMETRY_NAME=geom", "-lco", "FID=id",
                  "-lco", "SPATIAL_INDEX=NONE", "-lco", "UNLOGGED=ON"]  # fmt: skip
        self.ogr2ogr("-f", "PostgreSQL", self.address, str(county.layers), *copied,
                     "--config", "PG_USE_COPY", "YES")  # fmt: skip
        self._sql("prepare", plane)

    def query(self) -> None:
        """Measure everything."""
        self._sql("query")

    def write(self, path: Path) -> None:
        """Write the sites with what was measured."""
        path.unlink(missing_ok=True)
        self.ogr2ogr("-f", "GPKG", str(path), self.address, "screened")

    def results(self, folder: Path) -> None:
        """Write what was measured, a row a lot, and a row a lot and soil group."""
        for name in ("screened", "grounds"):
            out = folder / f"postgis_{name}.csv"
            columns = "*" if name == "grounds" else _MEASURED
            self.psql("-c", f"\\copy (SELECT {columns} FROM {name}) TO '{out}' CSV HEADER")

    def _children(self) -> list[int]:
        assert self._process is not None
        file = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        return [int(number) for number in file.read_text().split()]

    def _sql(self, part: str, plane: str = "") -> None:
        script = str(Path(__file__).with_name("postgis.sql"))
        self.psql("-v", f"plane={plane}", "-v", f"part={part}", "-f", script)

    def _start(self, data: str) -> None:
        settings = [f"--{name}={value}" for name, value in _SETTINGS.items()]
        folder = str(self._folder)
        command = ["setpriv", "--pdeathsig", "INT", str(self._programs / "postgres")]
        log = (self._folder / "log").open("wb")
        with log:
            self._process = subprocess.Popen(
                [*_other_user(), *command, "-D", data, "-k", folder, *settings],
                env=self._environment, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        end = time.monotonic() + _START_S
        while True:
            try:
                return self.psql("-d", "postgres", "-c", "SELECT 1")
            except ServerError:
                if self._process.poll() is not None or time.monotonic() > end:
                    said = (self._folder / "log").read_text()
                    raise ServerError(f"PostgreSQL did not start: {said}") from None
            time.sleep(0.2)

    def _run(self, program: str, *arguments: str, as_user: bool = False) -> None:
        command: Sequence[str] = [str(self._programs / program), *arguments]
        done = subprocess.run(
            [*_other_user(), *command] if as_user else command,
            env=self._environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise ServerError(f"{program}: {done.stderr or done.stdout}")


def _ticks(process: int) -> int:
    """Return the processor time of a process and of its children that have ended; 0: it is gone."""
    try:
        text = Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:
        return 0
    # After the name in brackets, these are the 12th to the 15th number.
    return sum(map(int, text.rpartition(")")[2].split()[11:15]))


def _other_user() -> list[str]:
    """Return what makes PostgreSQL run, which refuses root: the same files, another number."""
    if os.geteuid() != 0:
        return []
    return ["unshare", "--user", "--map-user=1000", "--map-group=1000"]
