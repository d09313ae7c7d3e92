"""What the commands take, by the names that the algorithms of the toolbox have too."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

from ..fact_names import PROJECT_TYPES
from ..input_names import LAYER_FIELDS, LAYER_KINDS, SEVERAL_LAYERS, SITE_FIELDS
from ..model import Options
from ..ordinance import packaged

HELP: Final = Path(__file__).parents[2] / "resources" / "help"

Sort = Literal["layer", "layers", "field", "text", "word", "number", "whole", "flag", "file"]

_UNKNOWN_YES_NO: Final = ("unknown", "yes", "no")


@dataclass(frozen=True)
class Name:
    """A name that a command takes.

    Attributes
    ----------
    sort
        What stands behind it.
    words
        Words that it takes; empty: any.
    default
        What holds where it is not given; None: nothing.
    """

    sort: Sort
    words: tuple[str, ...] = ()
    default: str | float | bool | None = None


def _layers() -> dict[str, Name]:
    return {name: Name("layers" if name in SEVERAL_LAYERS else "layer") for name in LAYER_KINDS}


def _fields() -> dict[str, Name]:
    names = (*SITE_FIELDS, *(name for some in LAYER_FIELDS.values() for name in some))
    return {name: Name("field") for name in names}


INPUTS: Final[Mapping[str, Name]] = {
    **_layers(),
    **_fields(),
    "ORDINANCE": Name("word", packaged(), "lake_george"),
    "ORDINANCE_FILE": Name("file"),
    "AS_OF": Name("text"),
    "DISCRETIONARY": Name("word", ("report", "upgrade"), Options.discretionary),
    "PROJECT_TYPE": Name("word", tuple(PROJECT_TYPES)),
    "PLAN_EMPTY": Name("word", ("unknown", "none"), Options.plan_empty),
    "HIGH_TRAFFIC": Name("word", _UNKNOWN_YES_NO, Options.high_traffic),
    "DEM": Name("file"),
    "DEM_BAND": Name("whole", default=1),
    "DEM_Z_UNIT": Name("word", ("auto", "metre", "foot", "us_survey_foot"), "auto"),
    "DEM_ERROR_FT": Name("number", default=Options.dem_error_ft),
    "WATER_ERROR_FT": Name("number", default=Options.water_error_ft),
    "SUPPLY_ERROR_FT": Name("number", default=Options.supply_error_ft),
    "CONTIGUOUS_FT": Name("number", default=Options.contiguous_ft),
    "IMPAIRED_STATUS_VALUES": Name("text"),
    "FOLLOW_RUNOFF": Name("flag", default=True),
}
"""Inputs of every command: those of the algorithms `screensites` and `checkinputs`."""

OUTPUTS: Final[Mapping[str, tuple[str, ...]]] = {
    "SCREENED": (".gpkg", ".fgb", ".csv"),
    "FINDINGS": (".gpkg", ".csv"),
    "ZONES": (".gpkg", ".fgb"),
    "SUMMARY": (".html", ".htm"),
    "CHECKS": (".gpkg", ".csv"),
    "REPORT": (".html", ".htm"),
}
"""Outputs of the commands, and how their files may end."""

OUTPUTS_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "screen": ("SCREENED", "FINDINGS", "ZONES", "SUMMARY"),
    "check": ("CHECKS", "REPORT"),
    "cluster": ("SCREENED", "FINDINGS", "ZONES"),
}

OWN: Final[Mapping[str, Mapping[str, Name]]] = {
    "screen": {"WORKERS": Name("whole")},
    "check": {"FAIL_ON": Name("word", ("never", "errors", "unknowns"), "never")},
    "cluster": {
        "WORK": Name("file"),
        "PARTITION_SITES": Name("whole", default=5_000),
        "PROCESSES": Name("whole"),
        "SCHEDULER": Name("text"),
    },
}
"""What a command takes besides inputs and outputs."""

_OWN_HELP: Final = {
    "WORKERS": "Threads; each processor gets one unless a number is given. The results are the same"
    " for any number.",
    "WORK": "Folder that keeps what is done, so that a run that was stopped goes on where it"
    " stopped. It must be seen under this path by all machines of the cluster.",
    "PARTITION_SITES": "About how many sites one task takes.",
    "PROCESSES": "Processes on this machine, one thread each; one for each processor unless a"
    " number is given. Not together with `SCHEDULER`.",
    "SCHEDULER": "Address of a running Dask scheduler, as `tcp://10.0.0.5:8786`. Without it the"
    " processes of this machine do the work.",
}


def names_of(command: str) -> dict[str, Name]:
    """Return all names that a command takes, in the order of its help."""
    outputs = {name: Name("file") for name in OUTPUTS_OF[command]}
    return {**INPUTS, **outputs, **OWN[command]}


@lru_cache(maxsize=1)
def help_texts() -> dict[str, str]:
    """Return what is said of each name, in the words of the toolbox."""
    found: dict[str, str] = {}
    for file in ("screensites.toml", "checkinputs.toml"):
        found |= tomllib.loads((HELP / file).read_text("utf-8"))["parameters"]
    return {**found, **_OWN_HELP}
