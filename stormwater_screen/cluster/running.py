"""Hand the tasks of a run to Dask, and wait for them."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import dask
import pandas as pd
from distributed import Client, LocalCluster, as_completed

from ..errors import InputError, ScreeningError
from .folder import write_json
from .preparing import Begun, plan_table
from .tasks import (
    Outcome,
    made_for,
    make_part,
    measure_plans,
    part_is_done,
    plan_path,
    survey_plane,
    trust_path,
)

MOST_DEATHS: Final = 3
"""How many workers may die of one task before the run is given up."""

Say = Callable[[str], None]
Task = tuple[str, Callable[..., Outcome], tuple[Any, ...]]


@contextmanager
def workers(scheduler: str | None, processes: int | None) -> Iterator[Client]:
    """Give a client of a running cluster, or of processes on this machine.

    Parameters
    ----------
    scheduler
        Address of a Dask scheduler; None: processes of this machine.
    processes
        Number of processes, one thread each; None: one for each processor.

    Raises
    ------
    InputError
        There is no scheduler at the address.
    """
    settings = {
        "distributed.scheduler.allowed-failures": MOST_DEATHS,
        # A task may take minutes in which its worker's thread holds the interpreter.
        "distributed.comm.timeouts.tcp": "120s",
    }
    logging.getLogger("distributed").setLevel(logging.ERROR)
    with ExitStack() as stack:
        stack.enter_context(dask.config.set(settings))
        if scheduler is None:
            cluster = stack.enter_context(
                LocalCluster(
                    n_workers=processes,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=None,
                    # Of a fixed port there is one only, and other machines would see it.
                    scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
                    silence_logs=logging.ERROR,
                )
            )
            yield stack.enter_context(Client(cluster))
            return
        try:
            client = Client(scheduler, timeout="20s")
        except (OSError, ValueError) as error:
            needed = "the address of a running Dask scheduler, as tcp://10.0.0.5:8786"
            raise InputError("SCHEDULER", f"{scheduler}: {error}", needed) from error
        yield stack.enter_context(client)


def make_parts(begun: Begun, client: Client, say: Say) -> None:
    """Make what is not made yet of a run.

    Parameters
    ----------
    begun
        The run.
    client
        Client of the cluster.
    say
        Takes a sentence.

    Raises
    ------
    InputError
        The scheduler is gone.
    ScreeningError
        A task failed; the others that run are given up.
    """
    run = begun.run
    folder = str(run.folder)
    if not client.scheduler_info()["workers"]:
        say("The scheduler has no workers yet: the run waits for them.")
    if run.follows:
        survey: list[Task] = [
            (f"plane {plane[0]}, {plane[1]}", survey_plane, (folder, *plane))
            for plane, _ in run.planes
            if not made_for(run, trust_path(run, plane))
        ]
        _all(client, survey, "planes surveyed", say)
    if run.plans:
        _measure_plans(begun, client, say)
    done = [number for number in range(run.parts) if part_is_done(run, number)]
    if done:
        say(f"{len(done)} of {run.parts} partitions are there already.")
    parts: list[Task] = [
        (f"partition {number}", make_part, (folder, number))
        for number in range(run.parts)
        if number not in set(done)
    ]
    _all(client, parts, "partitions screened", say)


def _measure_plans(begun: Begun, client: Client, say: Say) -> None:
    """Find what the sites of common plans disturb, and write it for all tasks."""
    run = begun.run
    numbers = [number for number in range(run.parts) if not made_for(run, plan_path(run, number))]
    tasks: list[Task] = [
        (f"plans of partition {number}", measure_plans, (str(run.folder), number))
        for number in numbers
    ]
    _all(client, tasks, "partitions looked through for common plans", say)
    found = [_json(plan_path(run, number))["table"] for number in range(run.parts)]
    empty: dict[str, list[float]] = {
        name: [] for name in ("row", "plan", "low", "high", "error", "tolerance")
    }
    measured = pd.concat([pd.DataFrame({**empty, **one}) for one in found], ignore_index=True)
    table = plan_table(begun, measured.astype({"row": "int64"}))
    write_json(run.path("plans", "all.json"), table.to_dict("list"))


def _json(path: Path) -> Any:  # noqa: ANN401
    return json.loads(path.read_text("utf-8"))


def _all(client: Client, tasks: Sequence[Task], what: str, say: Say) -> None:
    """Make tasks, in any order; the first that fails ends it all."""
    futures = {client.submit(work, *given, pure=False): name for name, work, given in tasks}
    last = 0
    try:
        for count, future in enumerate(as_completed(list(futures)), start=1):
            _refuse_failed(future, futures[future])
            share = 20 * count // len(futures)
            if share > last:
                last = share
                say(f"{count} of {len(futures)} {what}")
            future.release()
    except BaseException as error:
        with suppress(OSError):
            client.cancel(list(futures), force=True)
        if isinstance(error, OSError):
            raise _lost(str(error)) from error
        raise


def _lost(why: str) -> InputError:
    needed = "one that runs; the same command goes on where this one stopped"
    return InputError("Scheduler", f"the connection is lost ({why})", needed)


def _refuse_failed(future: Any, name: str) -> None:  # noqa: ANN401
    if future.status in ("cancelled", "lost"):
        raise _lost(f"{name} is {future.status}")
    if future.status != "finished":
        error = future.exception()
        raise ScreeningError(f"{name.capitalize()} failed: {type(error).__name__}: {error}")
    outcome = future.result()
    if "error" in outcome:
        raise ScreeningError(f"{name.capitalize()} failed: {outcome['error']}")
