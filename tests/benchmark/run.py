"""Compare the screening with the same work done otherwise: ratios, side by side, in one run.

``make bench`` runs it. Each contender runs in a process of its own, one after the other, so that
its time on the processors and its largest memory are its own. Wall time says little on a machine
that others use; ratios are given of both.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.benchmark.contenders import CONTENDERS, parts_file, run_contender  # noqa: E402
from tests.benchmark.county import County, make_county  # noqa: E402

MOST_LOTS: Mapping[str, int] = {"plain": 1_000, "workers": 10_000}
"""The plain chain takes hours beyond so many lots; several batches are enough for the workers."""

WIDE = ("provider", "core", "floor")
WIDE_SIDE_M = 20_000.0
WIDE_CELL_M = 1.0
MEMORY_GOAL_MB = 1_500.0


@dataclass(frozen=True)
class Spent:
    """What a contender took.

    Attributes
    ----------
    processor_s, wall_s
        Seconds of processor time (all threads and programs) and on the clock.
    memory_mb
        Largest memory of the process, or of the largest of its programs.
    """

    processor_s: float
    wall_s: float
    memory_mb: float


@dataclass(frozen=True)
class Goal:
    """What the program is to reach.

    Attributes
    ----------
    text
        What is compared.
    over, under
        Contenders whose times are divided.
    limit
        Least ratio; a greatest ratio where it is negative.
    lots
        Number of lots at which it is asked.
    """

    text: str
    over: str
    under: str
    limit: float
    lots: int


GOALS = (
    Goal("tuned chain / provider", "tuned", "provider", 8.0, 50_000),
    Goal("plain chain / provider", "plain", "provider", 200.0, 1_000),
    Goal("provider / floor", "provider", "floor", -3.0, 50_000),
)


def measured(name: str, county: County, folder: Path, options: argparse.Namespace) -> Spent | None:
    """Run a contender in a process of its own; None where it took too long."""
    command = [sys.executable, __file__, "--only", name, "--lots", str(county.lots)]
    command += ["--folder", str(folder), "--workers", str(options.workers)]
    if county.wide:
        command.append("--wide")
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    start = time.monotonic()
    process = subprocess.Popen(command, env=environment)
    while time.monotonic() - start < options.most:
        done, status, usage = os.wait4(process.pid, os.WNOHANG)
        if done:
            process.returncode = status
            if status:
                raise SystemExit(f"{name} at {county.lots:,} lots failed")
            wall = time.monotonic() - start
            return Spent(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)
        time.sleep(0.02)
    # So that a contender that has started a server stops it.
    process.terminate()
    try:
        process.wait(60)
    except subprocess.TimeoutExpired:
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
        signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
        county = _county(folder, options.lots[0], wide=options.wide)
        run_contender(options.only, county, _own(folder, county), options.workers)
        return
    _fetch_postgis(options)
    results: dict[int, dict[str, Spent]] = {}
    if not options.wide:
        for lots in options.lots:
            results[lots] = _compare(_county(folder, lots, wide=False), folder, options)
        _print_growth(results)
    else:
        options.contenders = [name for name in options.contenders if name in WIDE]
        for lots in options.lots:
            results[lots] = _compare(_county(folder, lots, wide=True), folder, options)
    report = {lots: {n: asdict(spent) for n, spent in own.items()} for lots, own in results.items()}
    (folder / "results.json").write_text(json.dumps(report, indent=1))


def _fetch_postgis(options: argparse.Namespace) -> None:
    """Fetch PostGIS where it is asked for and not there, which no contender's time is to hold."""
    if "postgis" not in options.contenders or options.wide:
        return
    if subprocess.run([ROOT / "tools" / "postgis"], stdout=subprocess.DEVNULL).returncode:
        print("postgis: left out, since it could not be fetched")
        options.contenders.remove("postgis")


def _county(folder: Path, lots: int, *, wide: bool) -> County:
    if wide:
        return make_county(folder, lots, cell_m=WIDE_CELL_M, side_m=WIDE_SIDE_M)
    return make_county(folder, lots)


def _own(folder: Path, county: County) -> Path:
    return folder / county.layers.stem


def _compare(county: County, folder: Path, options: argparse.Namespace) -> dict[str, Spent]:
    own, lots = _own(folder, county), county.lots
    shutil.rmtree(own, ignore_errors=True)
    own.mkdir()
    found: dict[str, Spent] = {}
    where = f", spread over {county.side_m / 1000:g} km, cells of 1 m" if county.wide else ""
    print(f"\n{lots:,} lots{where}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    print(f"{'':28s}{'seconds of':>11s}{'on the':>9s}{'memory':>9s}   ratio to provider")
    print(f"{'':28s}{'processor':>11s}{'clock':>9s}{'MB':>9s}   processor  clock")
    for name in (name for name in CONTENDERS if name in options.contenders):
        if lots > MOST_LOTS.get(name, lots):
            continue
        spent = measured(name, county, folder, options)
        if spent is None:
            print(f"{name:28s} not done after {options.most:,.0f} s")
            continue
        found[name] = spent
        _print_row(name, spent, found.get("provider"))
        _print_parts(own, name)
    _print_goals(found, lots)
    _print_agreement(found, own, county)
    return found


def _print_row(name: str, spent: Spent, ours: Spent | None) -> None:
    row = f"{name:28s}{spent.processor_s:11.1f}{spent.wall_s:9.1f}{spent.memory_mb:9,.0f}"
    if ours is not None:
        row += f"{spent.processor_s / ours.processor_s:12.2f}{spent.wall_s / ours.wall_s:7.2f}"
    print(row, flush=True)


def _print_parts(own: Path, name: str) -> None:
    file = parts_file(own, name)
    parts = json.loads(file.read_text()) if file.exists() else {}
    for part, (processor_s, wall_s) in parts.items():
        print(f"   {part:25s}{processor_s:11.1f}{wall_s:9.1f}")
    if name == "provider":
        read, cleaned = parts["features read"], parts["of that, layers cleaned"]
        written = parts["outputs written"]
        moved = [read[at] - cleaned[at] + written[at] for at in (0, 1)]
        print(
            f"{'transfer':28s}{moved[0]:11.1f}{moved[1]:9.1f}   from QGIS and to files", flush=True
        )


def _print_goals(found: Mapping[str, Spent], lots: int) -> None:
    """Print ratios with what they are to be."""
    for goal in GOALS:
        if goal.over not in found or goal.under not in found:
            continue
        over, under = found[goal.over], found[goal.under]
        ratio = over.processor_s / under.processor_s
        wall = over.wall_s / under.wall_s
        wanted = f"{abs(goal.limit):g} or {'more' if goal.limit > 0 else 'less'}"
        met = ratio >= goal.limit if goal.limit > 0 else ratio <= -goal.limit
        said = f"goal {wanted}: {'met' if met else 'not met'}"
        if lots != goal.lots:
            said = f"goal {wanted} at {goal.lots:,} lots"
        print(f"  {goal.text}: {ratio:.2f} of processor, {wall:.2f} on the clock; {said}")
    if "provider" in found:
        memory = found["provider"].memory_mb
        met = "met" if memory <= MEMORY_GOAL_MB else "not met"
        print(f"  memory of provider: {memory:,.0f} MB; goal {MEMORY_GOAL_MB:,.0f} or less: {met}")


def _print_agreement(found: Mapping[str, Spent], own: Path, county: County) -> None:
    if "core" not in found:
        return
    from tests.benchmark.agreement import disagreements

    for name in ("tuned", "plain", "postgis"):
        if name in found:
            for line in disagreements(own, name, county):
                print(f"  {name}: {line}", flush=True)
    if "workers" in found:
        print("  workers: sites, findings and zones are the same for each number of them")


def _print_growth(results: Mapping[int, Mapping[str, Spent]]) -> None:
    if len(results) < 2:
        return
    print("\ngrowth with the number of lots (1 is linear), and what 1,000 more lots cost from each")
    print("number to the next: seconds of processor, MB")
    for name in CONTENDERS:
        own = {lots: found[name] for lots, found in results.items() if name in found}
        if len(own) < 2:
            continue
        lots = np.array([*own])
        for what in ("processor_s", "memory_mb"):
            values = np.array([getattr(spent, what) for spent in own.values()])
            more = np.diff(values) / np.diff(lots) * 1_000
            row = f"{name:12s} {what:12s} {growth(lots.tolist(), values.tolist()):5.2f}   "
            print(row + "  ".join(f"{one:8.2f}" for one in more))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--lots", type=int, nargs="+", default=[1_000])
    parser.add_argument("--contenders", nargs="+", choices=CONTENDERS, default=[*CONTENDERS])
    parser.add_argument(
        "--wide", action="store_true", help="lots spread over 20 km with a DEM of 1-m cells"
    )
    parser.add_argument("--most", type=float, default=1_200, help="seconds that one may take")
    parser.add_argument("--workers", type=int, default=0, help="threads; 0: one a processor")
    parser.add_argument("--folder", type=Path, help="where counties and results are kept")
    parser.add_argument("--only", choices=CONTENDERS, help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
