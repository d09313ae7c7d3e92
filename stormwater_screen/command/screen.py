"""The command ``screen``: read, one call of the core, write."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import geopandas as gpd

from ..columns import SCREENED_COLUMNS, ZONE_COLUMNS
from ..errors import InputError
from ..file_reader import FileReader
from ..layers import Layer
from ..model import Screening
from ..ordinance import Ordinance
from ..outputs import (
    Staging,
    beside_own,
    coded_chunks,
    output_path,
    own_names,
    own_types,
    refuse_collisions,
    typed,
    typed_shapes,
    write_rows,
    write_text,
)
from ..progress import Progress
from ..reading import read_inputs
from ..record import METADATA_KEY, record_path, record_text, run_record
from ..screening import screen
from ..sources import which_layer
from ..summary import summary_html
from .names import OUTPUTS, OUTPUTS_OF, names_of
from .request import Parameters, law_of, options_of, recorded

Say = Callable[[str], None]


def run_screen(parameters: Parameters, say: Say) -> Mapping[str, Any]:
    """Screen the sites and return outputs and counts by name.

    Parameters
    ----------
    parameters
        What was given, by name.
    say
        Takes a sentence.

    Raises
    ------
    ScreeningError
        An input cannot be used, or an output cannot be written.
    """
    reader = FileReader(parameters)
    places = places_of(parameters, "screen", reader)
    law, ordinance = law_of(parameters)
    options = options_of(parameters, want_zones="ZONES" in places)
    sites = reader.sites()
    inputs, options, guessed = read_inputs(reader, sites, options, names_of("screen"))
    screening = screen(inputs, ordinance, options, progress=told(say), message=say)
    screening.notes[:0] = guessed
    tell_notes(screening.notes, ordinance, say)
    record = run_record(
        screening, inputs, ordinance, options, law=law,
        parameters=recorded(parameters, "screen", ordinance.as_of.isoformat()),
    )  # fmt: skip
    with Staging(places) as staging:
        for note in _write(staging, places, sites, screening, record_text(record)):
            say(note)
        if "SUMMARY" in places:
            page = summary_html(screening, inputs, ordinance, options)
            write_text(staging.path("SUMMARY"), page)
        results = staging.commit()
    return {**results, **screening.counts}


def places_of(parameters: Parameters, command: str, reader: FileReader) -> dict[str, Path]:
    """Return the files of the outputs asked for, and of the record beside the sites.

    Raises
    ------
    InputError
        None is asked for, one cannot be written there, or one is an input.
    """
    outputs = OUTPUTS_OF[command]
    wanted = {name: parameters[name] for name in outputs if name in parameters}
    if not wanted:
        raise InputError(outputs[0], "not given, nor any other output", "a file to write")
    places = {name: output_path(name, text, OUTPUTS[name]) for name, text in wanted.items()}
    if "SCREENED" in places:
        places["RECORD"] = record_path(places["SCREENED"])
    refuse_collisions(places, reader.sources())
    return places


def _write(
    staging: Staging, places: Mapping[str, Path], sites: Layer, screening: Screening, record: str
) -> tuple[str, ...]:
    """Write layers, table and record; return sentences on changed names."""
    notes: tuple[str, ...] = ()
    crs = sites.frame.crs
    if "SCREENED" in places:
        types = own_types(*which_layer(sites.source))
        names, notes = own_names(list(types), SCREENED_COLUMNS)
        # The same columns, of which one may have given way to the geometries.
        own = sites.frame.drop(columns="geometry").set_axis(list(types), axis=1)
        table = beside_own(own, names, typed(screening.columns, SCREENED_COLUMNS), types)
        drawn = gpd.GeoDataFrame(table, geometry=screening.geometries.to_numpy(), crs=crs)
        write_rows(staging.path("SCREENED"), [drawn], crs=crs, metadata={METADATA_KEY: record})
        write_text(staging.path("RECORD"), record)
    if "FINDINGS" in places:
        write_rows(staging.path("FINDINGS"), coded_chunks(screening.finding_rows))
    if "ZONES" in places:
        drawn_zones = (typed_shapes(piece, ZONE_COLUMNS) for piece in screening.zone_rows.pieces())
        write_rows(staging.path("ZONES"), drawn_zones, crs=crs)
    return notes


def told(say: Say, what: str = "") -> Progress:
    """Return a progress that says each tenth of something that is done, once."""
    last = 0

    def progress(share: float) -> None:
        nonlocal last
        if int(share * 10) > last:
            last = int(share * 10)
            say(f"{last * 10} %{what}")

    return progress


def tell_notes(notes: list[str], ordinance: Ordinance, say: Say) -> None:
    """Say under which law the sites were screened, and what there is to know of the run."""
    say(f"{ordinance.title}, as of {ordinance.as_of.isoformat()}")
    for note in notes:
        say(note)
