"""From what a reader finds to the inputs of a run: the same whatever it reads from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from .checking import Checks, check_inputs
from .errors import CancelledError, InputError, ScreeningError, said
from .guessing import GUESSED, guess_fields, listed_values
from .input_names import LAYER_FIELDS, LAYERS, NEARBY, SITE_FIELDS
from .layers import Layer
from .listing_rows import speaks_otherwise
from .model import DemSource, Options, ScreeningInputs
from .ordinance import Ordinance
from .prepare.recognise import recognise
from .prepare.vicinity import Vicinity, vicinity_of
from .progress import Progress

Result = TypeVar("Result")


class Reader(Protocol):
    """Reads what a run was given.

    Attributes
    ----------
    parameters
        What was given, by name.
    """

    @property
    def parameters(self) -> Mapping[str, Any]:
        """What was given, by name."""

    def given(self, name: str) -> bool:
        """Return whether something was given for the name."""

    def layers(self, name: str, near: Vicinity | None = None) -> tuple[Layer, ...]:
        """Return the layers of a name, of which only what is near is read; none: not given."""

    def fields(self, columns: dict[str, Iterable[Layer]]) -> dict[str, str]:
        """Return the fields given, of names that each stand in some layers."""

    def distinct(self, name: str, field: str) -> set[Any]:
        """Return the different values of a field in the whole layers of a name."""

    def dem(self) -> DemSource | None:
        """Return the raster of elevation; None: not given."""


def named_field(name: str, field: str, layers: Sequence[Layer]) -> str:
    """Return the field given for a name, if one of its layers has it.

    Raises
    ------
    InputError
        The layer was not given, or none has such a field.
    """
    if not layers:
        found = said("field {}, but its layer is not given", field)
        raise InputError(name, found, said("the layer too"))
    if any(field in layer.frame.columns for layer in layers):
        return field
    known = "; ".join(
        f"{layer.name}: {', '.join(map(str, layer.frame.columns.drop('geometry')))}"
        for layer in layers
    )
    raise InputError(name, said("no field {}", field), said("one of the fields of {}", known))


def read_inputs(
    reader: Reader, sites: Layer, options: Options, known: Collection[str]
) -> tuple[ScreeningInputs, Options, list[str]]:
    """Return what a run was given, with well-known fields found, and what is said of those.

    Parameters
    ----------
    reader
        Reads layers and fields.
    sites
        The sites.
    options
        Choices of the run.
    known
        Names that the run takes.

    Raises
    ------
    InputError
        A layer or field cannot be used.
    """
    near = vicinity_of(sites.frame)
    layers = {
        name: reader.layers(name, near if name in NEARBY else None)
        for name in LAYERS
        if name in known
    }
    where: dict[str, Iterable[Layer]] = {name: (sites,) for name in SITE_FIELDS if name in known}
    for layer, field_names in LAYER_FIELDS.items():
        where.update({name: layers[layer] for name in field_names if name in known})
    _refuse_half_a_status(reader, options)
    fields = reader.fields(where)
    refuse_other_status(reader, options)
    raw: Mapping[str, tuple[Layer, ...]] = {name: some for name, some in layers.items() if some}
    recognised = recognise(raw, fields, options.impaired_status_values)
    options = replace(options, impaired_status_values=recognised.status_values)
    given = recognised.layers
    fields = {name: field for name, field in recognised.fields.items() if name in known}
    guesses = guess_fields(
        {"SITES": (sites,), **given},
        fields,
        set(known) & set(GUESSED),
        status_values=options.impaired_status_values,
    )
    fields = {**fields, **guesses.fields}
    if guesses.status_values:
        options = replace(options, impaired_status_values=guesses.status_values)
    if options.impaired_status_values and "IMPAIRED_STATUS_FIELD" not in fields:
        raise _half_a_status()
    inputs = ScreeningInputs(sites, given, fields, reader.dem() if "DEM" in known else None)
    return inputs, options, [*recognised.notes, *guesses.notes]


def refuse_other_status(reader: Reader, options: Options) -> None:
    """Refuse status values that no listed water has: all would count as not listed."""
    wanted = options.impaired_status_values
    if not wanted or not reader.given("IMPAIRED_STATUS_FIELD") or not reader.given("IMPAIRED"):
        return
    field = str(reader.parameters["IMPAIRED_STATUS_FIELD"])
    found = reader.distinct("IMPAIRED", field)
    if speaks_otherwise(found, wanted):
        shown = sorted(str(value) for value in found if value is not None)[:8]
        raise InputError(
            "IMPAIRED_STATUS_VALUES",
            said("no feature has {} in the field {}", ", ".join(wanted), field),
            said("some of {}", ", ".join(shown)),
        )


def _refuse_half_a_status(reader: Reader, options: Options) -> None:
    if not reader.given("IMPAIRED_STATUS_FIELD") or options.impaired_status_values:
        return
    if not listed_values(str(reader.parameters["IMPAIRED_STATUS_FIELD"])):
        raise _half_a_status()


def _half_a_status() -> InputError:
    return InputError(
        "IMPAIRED_STATUS_FIELD, IMPAIRED_STATUS_VALUES",
        said("one without the other"),
        said("both"),
    )


def attempt(checks: Checks, name: str, work: Callable[[], Result]) -> Result | None:
    """Return what a step of reading gives; what it refuses becomes a row of the checks."""
    try:
        return work()
    except CancelledError:
        raise
    except ScreeningError as error:
        checks.refused(name, error)
        return None


def look_at_inputs(
    reader: Reader,
    sites: Layer,
    law: Ordinance | None,
    options: Options,
    checks: Checks,
    progress: Progress,
) -> None:
    """Look at all that a run was given; what cannot be read becomes a row of the checks.

    Parameters
    ----------
    reader
        Reads layers and fields.
    sites
        The sites.
    law
        The law, or None where it cannot be read.
    options
        Choices of the run.
    checks
        Takes what is found.
    progress
        Called with the share done; raises to stop.
    """
    layers, refused = _layers_that_open(reader, sites, checks)
    where: dict[str, tuple[Layer, ...]] = dict.fromkeys(SITE_FIELDS, (sites,))
    for layer, names in LAYER_FIELDS.items():
        where.update({} if layer in refused else dict.fromkeys(names, layers.get(layer, ())))
    fields: dict[str, str] = {}
    for name, stands_in in where.items():
        fields |= attempt(checks, name, lambda n=name, s=stands_in: reader.fields({n: s})) or {}  # type: ignore[misc]
    attempt(checks, "IMPAIRED_STATUS_VALUES", lambda: refuse_other_status(reader, options))
    dem = attempt(checks, "DEM", reader.dem)
    recognised = attempt(
        checks, "layers", lambda: recognise(layers, fields, options.impaired_status_values)
    )
    if recognised is not None:
        layers, fields = recognised.layers, recognised.fields
        options = replace(options, impaired_status_values=recognised.status_values)
        for sentence in recognised.notes:
            checks.add("info", "layers", "", "format", sentence)
    guesses = guess_fields(
        {"SITES": (sites,), **layers},
        fields,
        set(GUESSED),
        status_values=options.impaired_status_values,
    )
    if guesses.status_values:
        options = replace(options, impaired_status_values=guesses.status_values)
    fields = {**fields, **guesses.fields}
    half = bool(options.impaired_status_values) != ("IMPAIRED_STATUS_FIELD" in fields)
    if half and "IMPAIRED" not in refused:
        checks.add(
            "error", "IMPAIRED_STATUS_FIELD", "", "can be used",
            "IMPAIRED_STATUS_FIELD and IMPAIRED_STATUS_VALUES: one without the other",
            means="a run stops", todo="give both",
        )  # fmt: skip
    inputs = ScreeningInputs(sites, layers, fields, dem)
    check_inputs(
        inputs, law, options, checks, guessed=guesses.notes, refused=refused, progress=progress
    )


def _layers_that_open(
    reader: Reader, sites: Layer, checks: Checks
) -> tuple[dict[str, tuple[Layer, ...]], Sequence[str]]:
    """Return the layers that can be read, and the names of the others."""
    near = vicinity_of(sites.frame)
    layers: dict[str, tuple[Layer, ...]] = {}
    refused = []
    for name in LAYERS:
        window = near if name in NEARBY else None
        found = attempt(checks, name, lambda n=name, w=window: reader.layers(n, w))  # type: ignore[misc]
        if found:
            layers[name] = found
        elif found is None:
            refused.append(name)
    return layers, refused


def refuse_failed_checks(checks: Checks, fail_on: str) -> None:
    """End as failed where that is asked for.

    Parameters
    ----------
    checks
        What was found.
    fail_on
        ``never``, ``errors`` or ``unknowns``.

    Raises
    ------
    ScreeningError
        There is what ``fail_on`` names.
    """
    errors, unknowns = checks.count("error"), checks.count("unknown")
    if (errors and fail_on != "never") or (unknowns and fail_on == "unknowns"):
        raise ScreeningError(
            f"FAIL_ON {fail_on}: {errors} problem(s) stop a run, {unknowns} finding(s) leave"
            " answers open. The checks are written."
        )
