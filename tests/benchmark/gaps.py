"""Where a screening does not look whether it is cancelled, and how evenly its bar moves.

    tools/qgis python3 tests/benchmark/gaps.py --lots 10000 [--longest 20] [--cancel 5]

`screensites` runs through Processing and each look at the feedback is noted. A thread beside it
notes what the run is doing while nobody looks. The longest times without a look are printed with
where they began and where they were spent: there a look is missing. With ``--cancel`` the run is
repeated and cancelled at moments spread over it, and the time until it ends is printed.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.benchmark.county import County, make_county  # noqa: E402
from tests.benchmark.toolbox import given, start_qgis, wanted  # noqa: E402

SAMPLE_S = 0.02
TOLD_S = 0.25
"""What lasts longer without a look is watched."""

LIMIT_S = 2.0
_OWN = ("stormwater_screen", "processing_provider")
_WAITING = ("threading.py", "_base.py", "thread.py", "queue.py")
_PLACES = 6


class Look(NamedTuple):
    """A moment at which the run looked at its feedback: seconds on the clock and of processor."""

    wall_s: float
    processor_s: float


class Sample(NamedTuple):
    """What a run was doing: after how many looks, for how long, and where."""

    looks: int
    seconds: float
    stack: tuple[str, ...]


class Watch:
    """Looks of a run at its feedback, and what it does between them.

    Attributes
    ----------
    looks
        Each look, in order.
    shares
        Share of the bar shown after each look, per cent.
    samples
        What the run was doing where it did not look for long.
    """

    def __init__(self) -> None:
        self.looks: list[Look] = []
        self.shares: list[float] = []
        self.samples: list[Sample] = []
        self._share = 0.0
        self._thread = threading.get_ident()

    def feedback(self) -> Any:
        """Return a feedback of Processing that notes each look."""
        from qgis.core import QgsProcessingFeedback

        watch = self

        class Feedback(QgsProcessingFeedback):
            def isCanceled(self) -> bool:  # noqa: N802
                watch.look()
                return bool(super().isCanceled())

            def setProgress(self, progress: float) -> None:  # noqa: N802
                watch._share = progress

        return Feedback(False)

    def look(self) -> None:
        """Note a look."""
        self.shares.append(self._share)
        self.looks.append(Look(time.perf_counter(), time.process_time()))

    @contextmanager
    def sampling(self) -> Iterator[None]:
        """Note what the run is doing as long as the block lasts."""
        over = threading.Event()
        thread = threading.Thread(target=self._sample, args=(over,), daemon=True)
        self.look()
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
            self.look()

    def _sample(self, over: threading.Event) -> None:
        before = time.perf_counter()
        since_look: list[Sample] = []
        while not over.wait(SAMPLE_S):
            now, count = time.perf_counter(), len(self.looks)
            if since_look and since_look[0].looks != count:
                since_look = []
            since_look.append(Sample(count, now - before, self._doing()))
            before = now
            if now - self.looks[count - 1].wall_s > TOLD_S:
                self.samples += since_look
                since_look.clear()

    def _doing(self) -> tuple[str, ...]:
        frames = sys._current_frames()
        main = frames.pop(self._thread)
        if Path(main.f_code.co_filename).name not in _WAITING:
            return _places(main)
        frames.pop(threading.get_ident(), None)
        busy = sorted({places[-1] for frame in frames.values() if (places := _places(frame))})
        return (*_places(main), f"workers in {', '.join(busy) or 'nothing of ours'}")


def _places(frame: FrameType | None) -> tuple[str, ...]:
    """Return the lines of our own code that a frame stands in, outermost first."""
    places = []
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if set(_OWN) & set(path.parts):
            places.append(f"{path.stem}.{frame.f_code.co_name}:{frame.f_lineno}")
        frame = frame.f_back
    return tuple(reversed(places))


def print_gaps(watch: Watch, longest: int) -> None:
    """Print the longest times without a look, where they began and where they were spent."""
    looks = np.array(watch.looks)
    wall, processor = np.diff(looks, axis=0).T
    print(f"{len(looks):,} looks in {looks[-1, 0] - looks[0, 0]:.1f} s on the clock,", end=" ")
    print(f"{looks[-1, 1] - looks[0, 1]:.1f} s of processor")
    over = wall > LIMIT_S
    print(
        f"{over.sum()} times {LIMIT_S:g} s or more without a look, {wall[over].sum():.1f} s in all"
    )
    for at in np.argsort(-wall)[:longest]:
        own = [sample for sample in watch.samples if sample.looks == at + 1]
        print(f"\n{wall[at]:6.2f} s on the clock, {processor[at]:6.2f} s of processor,", end=" ")
        print(f"at {watch.shares[at]:.1f} %")
        if own:
            print("   began in " + " > ".join(own[0].stack[-_PLACES:]))
        spent: Counter[str] = Counter()
        for sample in own:
            spent[" > ".join(sample.stack[-3:])] += sample.seconds  # type: ignore[assignment]
        for place, seconds in spent.most_common(_PLACES):
            print(f"   {seconds:6.2f} s  {place}")


def print_evenness(watch: Watch) -> None:
    """Print how the bar moved over the time of the run."""
    looks, shares = np.array(watch.looks), np.array(watch.shares)
    print("\nhow the bar moves: time gone, what it shows (by the clock; by processor time)")
    done = (looks - looks[0]) / (looks[-1] - looks[0]) * 100
    for share in range(10, 100, 10):
        shown = [np.interp(share, done[:, kind], shares) for kind in (0, 1)]
        print(f"   {share:3d} %   {shown[0]:5.1f} %   {shown[1]:5.1f} %")
    away = np.abs(shares[:-1, None] - done[:-1]).max(axis=0)
    print(f"farthest from the time gone: {away[0]:.1f} points; {away[1]:.1f} points")
    print(f"moves backwards: {int((np.diff(shares) < 0).sum())}")
    moved = np.r_[0, np.flatnonzero(np.diff(np.floor(shares)) > 0) + 1, len(shares) - 1]
    stands = np.diff(looks[moved, 0])
    at = int(np.argmax(stands))
    print(f"stands still for at most {stands[at]:.1f} s on the clock, at {shares[moved[at]]:.0f} %")


def run_watched(processing: Any, county: County, folder: Path, cancel_after_s: float = 0) -> Watch:
    """Run the screening; cancel it after a time, if one is given, and print how long it went on."""
    from qgis.core import QgsProcessingException

    watch = Watch()
    feedback = watch.feedback()
    moment: list[float] = []

    def cancel() -> None:
        moment.append(time.perf_counter())
        feedback.cancel()

    timer = threading.Timer(cancel_after_s, cancel)
    if cancel_after_s:
        timer.start()
    try:
        with watch.sampling():
            processing.run(
                "stormwater:screensites", {**given(county), **wanted(folder)}, feedback=feedback
            )
        if cancel_after_s:
            print(f"   ended before it was cancelled after {cancel_after_s:.1f} s")
    except QgsProcessingException as error:
        if not moment:
            raise
        later_s = time.perf_counter() - moment[0]
        print(f"   cancelled after {cancel_after_s:.1f} s, ended {later_s:.2f} s later: {error}")
    finally:
        timer.cancel()
    return watch


def main() -> None:
    """Run, and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--lots", type=int, default=10_000)
    parser.add_argument("--longest", type=int, default=20, help="how many times without a look")
    parser.add_argument("--cancel", type=int, default=0, help="runs to cancel")
    parser.add_argument("--folder", type=Path, help="where counties and results are kept")
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.gettempdir()) / "stormwater-benchmark"
    county = make_county(folder, options.lots)
    own = folder / f"gaps_{options.lots}"
    own.mkdir(exist_ok=True)
    processing = start_qgis()
    print(f"{options.lots:,} lots, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    watch = run_watched(processing, county, own)
    print_gaps(watch, options.longest)
    print_evenness(watch)
    whole_s = watch.looks[-1].wall_s - watch.looks[0].wall_s
    for number in range(options.cancel):
        run_watched(processing, county, own, whole_s * (number + 0.5) / options.cancel)


if __name__ == "__main__":
    main()
