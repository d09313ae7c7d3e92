"""One run of `checkinputs`: read what can be read, look at it, write, and fail if asked to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from qgis.core import QgsProcessingAlgorithm, QgsProcessingContext, QgsProcessingFeedback

from ..stormwater_screen.checking import Checks, check_inputs
from ..stormwater_screen.checking_page import checks_html, verdict
from ..stormwater_screen.columns import CHECK_COLUMNS
from ..stormwater_screen.comparing import law_on_a_day
from ..stormwater_screen.errors import CancelledError, ScreeningError
from ..stormwater_screen.guessing import GUESSED, guess_fields
from ..stormwater_screen.layers import Layer
from ..stormwater_screen.model import DemSource, Options, ScreeningInputs
from ..stormwater_screen.ordinance import Ordinance
from ..stormwater_screen.prepare.recognise import recognise
from ..stormwater_screen.prepare.vicinity import vicinity_of
from ..stormwater_screen.screening import shaped
from .adapter import InputReader, SiteRows
from .base import progress_of
from .reading import (
    LAYER_FIELDS,
    LAYERS,
    NEARBY,
    SITE_FIELDS,
    read_law,
    read_options,
    refuse_other_status,
)
from .sinks import Outputs
from .writing import write_table

Result = TypeVar("Result")


def run_check(
    algorithm: QgsProcessingAlgorithm,
    parameters: dict[str, Any],
    context: QgsProcessingContext,
    feedback: QgsProcessingFeedback,
) -> dict[str, Any]:
    """Look at the inputs and return the outputs by name.

    Raises
    ------
    ScreeningError
        FAIL_ON asks for it; the outputs are written all the same.
    """
    read, work = (progress_of(feedback, *part) for part in ((0, 0.4), (0.4, 1)))
    reader = InputReader(algorithm, parameters, context, lambda: read(0.5))
    checks = Checks()
    with Outputs(
        algorithm, parameters, context, ("CHECKS", "REPORT"), lambda: work(1.0)
    ) as outputs:
        outputs.refuse_sources(reader.sources(lenient=True))
        law = _try(checks, "ORDINANCE", lambda: read_law(algorithm, parameters, context))
        options = read_options(algorithm, parameters, context, want_zones=False)
        rows = _try(checks, "SITES", reader.sites)
        if rows is not None:
            _look(reader, rows, law, options, checks, work)
        write_table(outputs, "CHECKS", CHECK_COLUMNS, shaped(checks.table(), CHECK_COLUMNS))
        title = f"{law.title}, {law_on_a_day(law)}" if law else ""
        name = rows.layer.name if rows else "no sites"
        if "REPORT" in outputs.wanted:
            outputs.write_text("REPORT", checks_html(checks, sites=name, law=title))
        outputs.dress("CHECKS", "", f"Checks ({name})")
        results = outputs.commit()
    _tell(checks, feedback)
    _fail(checks, str(algorithm.parameterAsEnumString(parameters, "FAIL_ON", context)))
    counts = {f"{level.upper()}_COUNT": checks.count(level) for level in ("error", "unknown")}
    return {
        **results,
        **counts,
        "WARNING_COUNT": checks.count("warning"),
        "SITE_COUNT": len(rows.layer.frame) if rows else 0,
    }


def _try(checks: Checks, parameter: str, work: Callable[[], Result]) -> Result | None:
    """Return what a step of reading gives; what it refuses becomes a row."""
    try:
        return work()
    except CancelledError:
        raise
    except ScreeningError as error:
        checks.refused(parameter, error)
        return None


def _look(
    reader: InputReader,
    rows: SiteRows,
    law: Ordinance | None,
    options: Options,
    checks: Checks,
    work: Callable[[float], None],
) -> None:
    near = vicinity_of(rows.layer.frame)
    layers: dict[str, tuple[Layer, ...]] = {}
    refused = []
    for name in LAYERS:
        window = near if name in NEARBY else None
        found = _try(checks, name, lambda name=name, window=window: reader.layers(name, window))
        if found:
            layers[name] = found
        elif found is None:
            refused.append(name)
    where: dict[str, tuple[Layer, ...]] = dict.fromkeys(SITE_FIELDS, (rows.layer,))
    for layer, names in LAYER_FIELDS.items():
        where.update({} if layer in refused else dict.fromkeys(names, layers.get(layer, ())))
    fields: dict[str, str] = {}
    for name, stands_in in where.items():
        fields |= _try(checks, name, lambda n=name, s=stands_in: reader.fields({n: s})) or {}
    _try(checks, "IMPAIRED_STATUS_VALUES", lambda: refuse_other_status(reader, options))
    dem: DemSource | None = _try(checks, "DEM", reader.dem)
    recognised = _try(
        checks, "layers", lambda: recognise(layers, fields, options.impaired_status_values)
    )
    if recognised is not None:
        layers, fields = recognised.layers, recognised.fields
        options = replace(options, impaired_status_values=recognised.status_values)
        for sentence in recognised.notes:
            checks.add("info", "layers", "", "format", sentence)
    guesses = guess_fields(
        {"SITES": (rows.layer,), **layers},
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
    inputs = ScreeningInputs(rows.layer, layers, fields, dem)
    check_inputs(
        inputs,
        law,
        options,
        checks,
        guessed=guesses.notes,
        refused=refused,
        progress=work,
    )


def _tell(checks: Checks, feedback: QgsProcessingFeedback) -> None:
    for row in checks.table().to_dict("records"):
        text = f"{row['level']}: {row['input']} {row['layer']}: {row['found']}"
        tell = feedback.pushInfo if row["level"] == "info" else feedback.pushWarning
        tell(text + (f". {row['todo']}" if row["todo"] else ""))
    feedback.pushInfo(verdict(checks))


def _fail(checks: Checks, fail_on: str) -> None:
    errors, unknowns = checks.count("error"), checks.count("unknown")
    if (errors and fail_on != "never") or (unknowns and fail_on == "unknowns"):
        raise ScreeningError(
            f"FAIL_ON {fail_on}: {errors} problem(s) stop a run, {unknowns} finding(s) leave"
            " answers open. The checks are written."
        )
