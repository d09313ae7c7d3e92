"""The command ``cluster``: partitions screened by Dask, and put together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..cluster.folder import load_run
from ..errors import InputError
from ..file_reader import FileReader
from ..freed_memory import give_back
from ..outputs import WriteError
from .names import OWN, names_of
from .request import Parameters, law_of, options_of, recorded
from .screen import places_of, tell_notes, told

Say = Callable[[str], None]


def run_cluster(parameters: Parameters, say: Say) -> Mapping[str, Any]:
    """Screen the sites in partitions and return outputs and counts by name.

    Parameters
    ----------
    parameters
        What was given, by name.
    say
        Takes a sentence.

    Raises
    ------
    ScreeningError
        An input cannot be used, a partition failed, or an output cannot be written.
    """
    missing = [name for name in ("dask", "distributed") if find_spec(name) is None]
    if missing:
        raise InputError("Python", f"no package {', '.join(missing)}", "the extra `cluster`")
    # Imported here, since they need Dask.
    from ..cluster.merging import merge
    from ..cluster.preparing import begin
    from ..cluster.running import make_parts, workers

    if "WORK" not in parameters:
        raise InputError("WORK", "not given", "a folder for the partitions")
    if "SCHEDULER" in parameters and "PROCESSES" in parameters:
        raise InputError("PROCESSES", "given together with SCHEDULER", "one of them")
    places = places_of(parameters, "cluster", FileReader(parameters))
    folder = Path(str(parameters["WORK"])).absolute()
    size = int(parameters.get("PARTITION_SITES", OWN["cluster"]["PARTITION_SITES"].default))
    with only_driver(folder):
        before = load_run(folder)
        if before is not None and "AS_OF" not in parameters:
            # A run that is taken up another day keeps its own.
            parameters = {**parameters, "AS_OF": before.as_of}
        _, ordinance = law_of(parameters)
        options = options_of(parameters, want_zones="ZONES" in places)
        asked = recorded(parameters, "cluster", ordinance.as_of.isoformat())
        law = str(asked.get("ORDINANCE_FILE") or asked["ORDINANCE"])
        known = names_of("cluster")
        begun = begin(
            folder,
            asked,
            law,
            ordinance,
            options,
            known,
            size,
            told(say, " of what comes first"),
            want_findings="FINDINGS" in places,
        )
        give_back()
        say(f"{len(begun.sites.frame):,} sites in {begun.run.parts} partitions")
        with workers(parameters.get("SCHEDULER"), parameters.get("PROCESSES")) as client:
            make_parts(begun, client, say)
        merged = merge(begun, places, told(say, " of the single files"))
    tell_notes(merged.notes, ordinance, say)
    return {**merged.files, **merged.counts}


@contextmanager
def only_driver(folder: Path) -> Iterator[None]:
    """Hold a folder, so that no second command works in it.

    Raises
    ------
    InputError
        Another command does.
    WriteError
        The folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "lock").open("w")
    except OSError as error:
        raise WriteError(f"WORK: {folder}: {error.strerror}") from error
    with lock:
        try:
            import fcntl
        except ImportError:
            # Windows has no such lock; two commands there make the same parts twice.
            yield
            return
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise InputError(
                f"WORK ({folder})", "another command works in it", "a folder of its own"
            ) from error
        yield
