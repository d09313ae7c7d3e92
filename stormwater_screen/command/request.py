"""What a command is asked to do: from the command line and from a run file."""

from __future__ import annotations

import argparse
import difflib
import json
import math
import re
import textwrap
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Final

from .. import __version__
from ..errors import InputError
from ..model import Options
from ..ordinance import Ordinance, load_ordinance
from .names import Name, help_texts, names_of

Parameters = dict[str, Any]

_ABOUT: Final = {
    "screen": "Screen sites under a stormwater law, as the algorithm Screen sites of the toolbox.",
    "check": "Look at all inputs before a screening, as the algorithm Check inputs.",
    "cluster": "Screen sites in partitions on several processes or machines (Dask). The answers"
    " are those of `screen`, row for row.",
}
_NOTES: Final = """\
A layer inside a file is named as FILE|layername=NAME, in quotes; a source with a filter of QGIS is
refused. Layers may have any coordinate reference system, but must have one. Areas in fields are
square feet; lengths are feet. Names may be written in lower case and with hyphens: --dem-z-unit is
--DEM_Z_UNIT.

A run file (--RUN) holds the same names in JSON or TOML, as {"SITES": "parcels.gpkg"}, also
within "inputs" as qgis_process takes them. The command line wins over it. File names in it hold
from the folder in which the command runs.

The results go to standard output as JSON, everything else to standard error. The exit status is 0
where all was done, 1 where the run failed, 2 where the command cannot be understood, 130 where it
was stopped. Outputs appear when everything is computed; a run that fails leaves none.
"""


def parse(arguments: Sequence[str]) -> tuple[str, Parameters]:
    """Return the command and what it was given, by name.

    Parameters
    ----------
    arguments
        Command line, without the name of the program.

    Raises
    ------
    SystemExit
        The command cannot be understood, or asks for help.
    InputError
        The run file cannot be used, or a value is none of those allowed.
    """
    given = vars(_parser().parse_args(arguments))
    command = str(given.pop("command"))
    run_file = given.pop("RUN", None)
    parameters = {} if run_file is None else read_run_file(Path(run_file), command)
    parameters |= {name: value for name, value in given.items() if value not in (None, [])}
    names = names_of(command)
    return command, {name: _value(name, names[name], v) for name, v in parameters.items()}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m stormwater_screen",
        description="Stormwater Site Screening without QGIS. A screening aid, not legal advice.",
        epilog="COMMAND --help lists what a command takes, with its units.",
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command, about in _ABOUT.items():
        own = commands.add_parser(
            command,
            help=about.partition(",")[0].partition(". ")[0].rstrip(".") + ".",
            description=about,
            epilog=_NOTES,
            formatter_class=_Help,
            allow_abbrev=False,
        )
        own.add_argument("--RUN", "--run", metavar="FILE", help="JSON or TOML file with names")
        for name, one in names_of(command).items():
            _add(own, name, one)
    return parser


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help that wraps the description and keeps the lines of the notes."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if "\n" in text else textwrap.fill(text, width)


def _add(parser: argparse.ArgumentParser, name: str, one: Name) -> None:
    spellings = dict.fromkeys((name, name.lower(), name.lower().replace("_", "-")))
    text = help_texts()[name].replace("%", "%%").replace("`", "")
    if one.words:
        text += f" Words: {', '.join(one.words)}."
    if one.default is not None:
        default = "yes" if one.default is True else one.default
        text += f" Default: {default}."
    sort = "yes/no" if one.sort == "flag" else one.sort.removesuffix("s").upper()
    parser.add_argument(
        *(f"--{spelling}" for spelling in spellings),
        dest=name,
        metavar="NUMBER" if one.sort == "whole" else sort,
        help=text,
        action="append" if one.sort == "layers" else "store",
    )


def read_run_file(path: Path, command: str) -> Parameters:
    """Return what a run file gives a command.

    The same file serves all commands: outputs and choices of another one are passed over.

    Raises
    ------
    InputError
        The file cannot be read, or has a name that no command takes.
    """
    try:
        text = path.read_text("utf-8")
        found = tomllib.loads(text) if path.suffix.lower() == ".toml" else json.loads(text)
    except (OSError, ValueError) as error:
        raise InputError(f"RUN ({path})", f"{error}", "a JSON or TOML file") from error
    if isinstance(found, dict) and isinstance(found.get("inputs"), dict):
        found = found["inputs"]
    if not isinstance(found, dict):
        raise InputError(f"RUN ({path})", "no names with values", 'a table as {"SITES": "a.gpkg"}')
    known = {name for other in _ABOUT for name in names_of(other)}
    for name in found:
        if name not in known:
            near = difflib.get_close_matches(str(name).upper(), sorted(known), 1, 0.5)
            needed = f"a name as {near[0]}" if near else "a name that the help lists"
            raise InputError(f"RUN ({path})", f"the name {name}", needed)
    own = names_of(command)
    return {name: value for name, value in found.items() if name in own and value is not None}


def _value(name: str, one: Name, value: object) -> object:
    """Return a value as its name takes it."""
    if one.sort == "layers":
        values = value if isinstance(value, list) else [value]
        return [_text(name, each) for each in values]
    if one.sort in ("number", "whole"):
        return _number(name, value, whole=one.sort == "whole")
    if one.sort == "flag":
        return _flag(name, value)
    text = _text(name, value.isoformat() if isinstance(value, date) else value)
    if one.words and text not in one.words:
        raise InputError(name, f"the word {text!r}", f"one of {', '.join(one.words)}")
    return text


def _text(name: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InputError(name, f"{value!r}", "a text")
    return value


def _number(name: str, value: object, *, whole: bool) -> float | int:
    needed = "a whole number from 1" if whole else "a number from 0"
    try:
        number = float(str(value))
    except ValueError as error:
        raise InputError(name, f"{value!r}", needed) from error
    fits = math.isfinite(number) and number >= (1 if whole else 0)
    if isinstance(value, bool) or not fits or (whole and number != int(number)):
        raise InputError(name, f"{value!r}", needed)
    return int(number) if whole else number


def _flag(name: str, value: object) -> bool:
    words = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
    found = words.get(str(value).casefold())
    if found is None:
        raise InputError(name, f"{value!r}", "yes or no")
    return found


def law_of(parameters: Parameters) -> tuple[str, Ordinance]:
    """Return the id or file of the law, and the law on the day AS_OF.

    Raises
    ------
    InputError
        AS_OF is no date.
    OrdinanceError, NoTextInForceError
        As `load_ordinance`.
    """
    source = str(parameters.get("ORDINANCE_FILE") or parameters.get("ORDINANCE", "lake_george"))
    if "ORDINANCE_FILE" in parameters and not Path(source).is_file():
        raise InputError("ORDINANCE_FILE", f"no file {source}", "a rules file (TOML)")
    text = parameters.get("AS_OF")
    try:
        day = date.fromisoformat(text) if text else date.today()
    except ValueError as error:
        raise InputError("AS_OF", f"{text!r}", "a date as 2025-06-01") from error
    return source, load_ordinance(source, day)


def options_of(parameters: Parameters, *, want_zones: bool) -> Options:
    """Return the choices of a run."""
    named = {
        name.lower(): parameters[name]
        for name in (
            "DISCRETIONARY", "PLAN_EMPTY", "PROJECT_TYPE", "HIGH_TRAFFIC", "DEM_ERROR_FT",
            "WATER_ERROR_FT", "SUPPLY_ERROR_FT", "CONTIGUOUS_FT", "FOLLOW_RUNOFF", "WORKERS",
        )
        if name in parameters
    }  # fmt: skip
    values = re.split("[;,]", parameters.get("IMPAIRED_STATUS_VALUES", ""))
    listed = tuple(value.strip() for value in values if value.strip())
    return Options(**named, impaired_status_values=listed, want_zones=want_zones)


def recorded(parameters: Mapping[str, Any], command: str, as_of: str) -> Parameters:
    """Return the inputs of a run, defaults too and files with their whole path.

    The algorithms of the toolbox take them as they are.
    """
    found: Parameters = {}
    for name, one in names_of(command).items():
        value = parameters.get(name, one.default)
        if value is None or name in (*_NOT_INPUTS, "AS_OF"):
            continue
        if one.sort == "layers":
            value = [absolute(text) for text in value]
        elif one.sort in ("layer", "file"):
            value = absolute(value)
        found[name] = value
    return {**found, "AS_OF": as_of}


_NOT_INPUTS: Final = frozenset(
    ("SCREENED", "FINDINGS", "ZONES", "SUMMARY", "CHECKS", "REPORT", "WORKERS", "FAIL_ON", "WORK",
     "PARTITION_SITES", "PROCESSES", "SCHEDULER")
)  # fmt: skip


def absolute(source: str) -> str:
    """Return a source whose file has its whole path."""
    path, mark, rest = source.partition("|")
    return f"{Path(path).absolute()}{mark}{rest}" if Path(path).exists() else source
