"""Run a command, and say how it ended."""

from __future__ import annotations

import json
import logging
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from types import FrameType
from typing import Any, Final

from ..errors import CancelledError, ScreeningError
from .check import run_check
from .request import Parameters, parse
from .screen import run_screen

Say = Callable[[str], None]

STOPPED: Final = 130
"""Exit status of a command that was stopped, as shells have it."""


def main(arguments: Sequence[str]) -> int:
    """Run a command and return its exit status.

    Parameters
    ----------
    arguments
        Command line, without the name of the program.
    """
    # What pyogrio logs of attributes is a note of the run.
    logging.getLogger("pyogrio").addHandler(logging.NullHandler())
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)
    command = ""
    try:
        command, parameters = parse(arguments)
        results = _run(command, parameters)
    except (CancelledError, KeyboardInterrupt):
        kept = " What is done is kept in WORK." if command == "cluster" else ""
        say(f"Stopped. Nothing was written.{kept}")
        return STOPPED
    except ScreeningError as error:
        say(f"Error: {error}")
        return 1
    except OSError as error:
        say(f"Error: {error}")
        return 1
    except MemoryError:
        say("Error: not enough memory. The command cluster takes the sites in partitions.")
        return 1
    sys.stdout.write(json.dumps(results, ensure_ascii=False) + "\n")
    return 0


def _run(command: str, parameters: Parameters) -> Mapping[str, Any]:
    if command == "screen":
        return run_screen(parameters, say)
    if command == "check":
        return run_check(parameters, say)
    # Imported here, since Dask is not everywhere.
    from .cluster import run_cluster

    return run_cluster(parameters, say)


def say(text: str) -> None:
    """Write a line to standard error."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def _stop(number: int, frame: FrameType | None) -> None:
    raise CancelledError("stopped")
