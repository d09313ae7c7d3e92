"""Compare the screening with the same work done otherwise: ratios, side by side, in one run.

``make bench`` runs it. Each contender runs in a process of its own, one after the other, so that
its time on the processors and its largest memory are its own. Ratios are of processor time (user
and system): wall time says little on a machine that others use.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.benchmark.county import County, make_county  # noqa: E402

PLAIN_MOST = 1_000
"""The plain chain takes hours beyond so many lots."""


@dataclass(frozen=True)
class Spent:
    """What a contender took.

    Attributes
    ----------
    processor_s, wall_s
        Seconds of processor time (all threads) and on the clock.
    memory_mb
        Largest memory of the process.
    """

    processor_s: float
    wall_s: float
    memory_mb: float


def core(county: County, folder: Path, workers: int | None) -> None:
    """Read and screen, without QGIS and without writing."""
    from tests.benchmark.headless import read_county, screen_county

    screening = screen_county(read_county(county), workers)
    columns = screening.columns.set_index("site_id")
    columns.to_pickle(folder / "core.pkl")
    whole = screening.zones[screening.zones["zone"] == "zone_500ft"]
    whole.set_index("site_id")["area_sf"].to_pickle(folder / "core_zone.pkl")


def provider(county: County, folder: Path, workers: int | None) -> None:
    """Screen by `processing.run` and write all outputs."""
    del workers
    from tests.benchmark.toolbox import given, start_qgis, wanted

    start_qgis().run("stormwater:screensites", {**given(county), **wanted(folder)})


def tuned(county: County, folder: Path, workers: int | None) -> None:
    """Run the chain of QGIS algorithms as an expert builds it."""
    _chain(county, folder, workers, tuned=True)


def plain(county: County, folder: Path, workers: int | None) -> None:
    """Run the chain of QGIS algorithms as a planner builds it."""
    _chain(county, folder, workers, tuned=False)


def floor(county: County, folder: Path, workers: int | None) -> None:
    """Read every input once, and write what the provider wrote."""
    del workers
    from tests.benchmark.floor import read_all, write_again
    from tests.benchmark.toolbox import OUTPUTS

    read_all(county)
    write_again([folder / f"{name.lower()}.gpkg" for name in OUTPUTS], folder)


CONTENDERS: dict[str, Callable[[County, Path, int | None], None]] = {
    "core": core,
    "provider": provider,
    "floor": floor,
    "tuned": tuned,
    "plain": plain,
}


def _chain(county: County, folder: Path, workers: int | None, *, tuned: bool) -> None:
    del workers
    from tests.benchmark.toolbox import start_qgis

    start_qgis()
    from stormwater_screen.plane import plane_crs
    from tests.benchmark.chain import Chain

    found = Chain(county, plane_crs((43, -74)).to_wkt(), folder, tuned=tuned).run()
    found.to_pickle(folder / f"{'tuned' if tuned else 'plain'}.pkl")


def measured(name: str, lots: int, folder: Path, most_s: float, workers: int) -> Spent | None:
    """Run a contender in a process of its own; None where it took too long."""
    command = [sys.executable, __file__, "--only", name, "--lots", str(lots)]
    command += ["--folder", str(folder), "--workers", str(workers)]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    start = time.monotonic()
    process = subprocess.Popen(command, env=environment)
    while time.monotonic() - start < most_s:
        done, status, usage = os.wait4(process.pid, os.WNOHANG)
        if done:
            process.returncode = status
            if status:
                raise SystemExit(f"{name} at {lots:,} lots failed")
            wall = time.monotonic() - start
            return Spent(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)
        time.sleep(0.02)
    process.kill()
    process.wait()
    return None


def growth(lots: Sequence[int], values: Sequence[float]) -> float:
    """Return the slope of a curve on logarithmic scales: 1 is linear, 2 is quadratic."""
    return float(np.polyfit(np.log(lots), np.log(values), 1)[0])


def main() -> None:
    """Run the benchmark."""
    options = _options()
    folder = options.folder or Path(tempfile.gettempdir()) / "stormwater-benchmark"
    folder.mkdir(parents=True, exist_ok=True)
    if options.only:
        county = make_county(folder, options.lots[0])
        CONTENDERS[options.only](county, folder / str(options.lots[0]), options.workers or None)
        return
    results: dict[int, dict[str, Spent]] = {}
    for lots in options.lots:
        make_county(folder, lots)
        results[lots] = _compare(lots, folder, options)
    _print_growth(results)
    report = {
        lots: {name: vars(spent) for name, spent in found.items()}
        for lots, found in results.items()
    }
    (folder / "results.json").write_text(json.dumps(report, indent=1))


def _compare(lots: int, folder: Path, options: argparse.Namespace) -> dict[str, Spent]:
    own = folder / str(lots)
    shutil.rmtree(own, ignore_errors=True)
    own.mkdir()
    found: dict[str, Spent] = {}
    print(f"\n{lots:,} lots, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    print("contender    processor s     wall s   memory MB   ratio to provider")
    for name in options.contenders:
        if name == "plain" and lots > PLAIN_MOST:
            continue
        spent = measured(name, lots, folder, options.most, options.workers)
        if spent is None:
            print(f"{name:10s}   not done after {options.most:,.0f} s")
            continue
        found[name] = spent
        own_s = found["provider"].processor_s if "provider" in found else np.nan
        print(
            f"{name:10s} {spent.processor_s:13.1f} {spent.wall_s:10.1f} {spent.memory_mb:11,.0f}"
            f" {spent.processor_s / own_s:12.2f}",
            flush=True,
        )
    if "core" in found:
        from tests.benchmark.agreement import disagreements

        for name in ("tuned", "plain"):
            if name in found:
                for line in disagreements(own, name, make_county(folder, lots)):
                    print(f"  {name}: {line}")
    return found


def _print_growth(results: dict[int, dict[str, Spent]]) -> None:
    if len(results) < 2:
        return
    print("\ngrowth with the number of lots (1 is linear): processor time, memory")
    for name in CONTENDERS:
        own = {lots: found[name] for lots, found in results.items() if name in found}
        if len(own) > 1:
            times = growth([*own], [spent.processor_s for spent in own.values()])
            memory = growth([*own], [spent.memory_mb for spent in own.values()])
            print(f"{name:10s} {times:6.2f} {memory:6.2f}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--lots", type=int, nargs="+", default=[1_000])
    parser.add_argument("--contenders", nargs="+", choices=CONTENDERS, default=[*CONTENDERS])
    parser.add_argument("--most", type=float, default=1_200, help="seconds that one may take")
    parser.add_argument("--workers", type=int, default=0, help="threads; 0: one a processor")
    parser.add_argument("--folder", type=Path, help="where counties and results are kept")
    parser.add_argument("--only", choices=CONTENDERS, help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
