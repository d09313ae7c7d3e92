"""The measures taken of all sites of a plane, batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Final

import pandas as pd

from .batches import batch_size, batches, in_batches
from .dem import Dem
from .details import COLUMNS as DETAIL_COLUMNS
from .details import stacked
from .facts import Fact
from .measuring import MEASURES, Demands, Work
from .model import Options, ScreeningInputs
from .notes import added_up
from .part import Part
from .plane import transformation_note
from .progress import Progress, part_of
from .vicinity import Group

_FOLLOWED_SHARE: Final = 0.02
"""Share of the work that is left of a measure whose runoff has been followed."""

_OF_ALL: Final = ("areas",)
"""Measures for which all sites are needed at once."""


def measure(
    group: Group,
    inputs: ScreeningInputs,
    demands: Demands,
    options: Options,
    dem: Dem | None,
    progress: Progress,
    *,
    keep: Callable[[Group, Part], None],
    measures: Collection[str] = tuple(MEASURES),
) -> list[str]:
    """Measure the sites of a group and return messages about the run as a whole.

    Parameters
    ----------
    group
        Sites and layers in one plane.
    inputs
        What the run was given; its sites' fields are read for typed areas.
    demands
        Distances of the law, and the water that always counts.
    options
        Errors of the data.
    dem
        Ground elevation, or None.
    progress
        Called with the share done; raises to stop the run.
    keep
        Takes what was found; called with the sites measured, in threads.
    measures
        Names of the measures to take.
    """
    chosen = [name for name in MEASURES if name in measures]
    everyone = Work(group, inputs, demands, options, dem, measures=chosen)
    places = batches(group, batch_size(len(group.sites), options.workers))
    notes: list[tuple[str, ...]] = []
    # A polygon on several sites is split among them all.
    first = [name for name in chosen if name in _OF_ALL]
    rest = [name for name in chosen if name not in _OF_ALL]
    share = sum(MEASURES[name][1] for name in first) / sum(MEASURES[name][1] for name in chosen)
    steps = part_of(progress, 0.0, share), part_of(progress, share, 1.0)
    alone = replace(options, workers=1)

    def taken(work: Work, names: Sequence[str], progress: Progress) -> tuple[str, ...]:
        part = _together(_taken(work, names, progress))
        keep(work.group, part)
        return part.notes

    def take(batch: Group, progress: Progress) -> tuple[str, ...]:
        work = Work(batch, inputs, demands, alone, dem, everyone.new_receiver, measures=chosen)
        return taken(work, rest, progress)

    if first:
        notes.append(taken(everyone, first, steps[0]))
    # Devices are measured over all sites: which of them lie on none is told.
    if rest and (len(places) == 1 or "DEVICES" in group.layers):
        notes.append(taken(everyone, rest, steps[1]))
    elif rest:
        notes += in_batches(group, places, take, steps[1], options.workers)
    of_layers = (*_datum_notes(group, inputs), *everyone.layer_notes(chosen))
    return added_up([*notes, of_layers])


def _taken(work: Work, names: Sequence[str], progress: Progress) -> list[Part]:
    weights = {name: MEASURES[name][1] for name in names}
    if "setbacks" in names and not work.unfollowed:
        # They come first of all that asks where runoff goes, so that it is followed with them.
        weights["setbacks"] += MEASURES["receiving"][1]
        weights |= dict.fromkeys(weights.keys() & {"receiving", "listings"}, _FOLLOWED_SHARE)
    parts, done, whole = [], 0.0, sum(weights.values())
    for name, weight in weights.items():
        step = part_of(progress, done / whole, (done + weight) / whole)
        parts.append(MEASURES[name][0](work, step))
        done += weight
    return parts


def _together(parts: list[Part]) -> Part:
    facts: dict[str, Fact] = {}
    for part in parts:
        facts.update(part.facts)
    details = [part.details.reindex(columns=list(DETAIL_COLUMNS)) for part in parts]
    areas = [part.infiltration_sqft for part in parts if part.infiltration_sqft is not None]
    whole = [part.whole_site for part in parts if part.whole_site is not None]
    return Part(
        facts=facts,
        columns=pd.concat([part.columns for part in parts], axis=1),
        details=stacked(details),
        notes=tuple(note for part in parts for note in part.notes),
        zones=tuple(zone for part in parts for zone in part.zones),
        lines=tuple(line for part in parts for line in part.lines),
        paths=tuple(path for part in parts for path in part.paths),
        outlets=tuple(outlet for part in parts for outlet in part.outlets),
        infiltration_sqft=areas[0] if areas else None,
        whole_site=whole[0] if whole else None,
    )


def _datum_notes(group: Group, inputs: ScreeningInputs) -> tuple[str, ...]:
    given = [inputs.sites, *(layer for some in inputs.layers.values() for layer in some)]
    notes = [transformation_note(layer.name, layer.frame.crs, group.crs) for layer in given]
    return tuple(note for note in notes if note)
