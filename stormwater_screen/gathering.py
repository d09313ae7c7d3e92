"""Measure all sites of a run, plane by plane, and put what was found in the order of the sites."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Final

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyproj

from .dem import Dem
from .details import Details, stacked
from .geometry import distinct
from .measured import Measured
from .measuring import MEASURES, Demands
from .measuring_batches import measure
from .model import Options, ScreeningInputs
from .notes import added_up
from .overlay import polygons_outside
from .part import Part
from .plane import transform_geometries
from .progress import Progress, no_progress, part_of
from .shapes import Shapes, SiteRows
from .vicinity import Group, groups

KINDS: Final = {
    "zones": ("zone", "why"),
    "lines": ("kind",),
    "paths": ("order",),
    "outlets": ("order",),
}
"""Kinds of shapes, with the columns by which those of a site are ordered."""

SPLIT_LAYERS = ("DISTURBANCE", "IMPERVIOUS")
"""Layers whose polygons are split among the sites that they reach over."""


@dataclass(frozen=True)
class Gathered:
    """What was measured of all sites of a run, in their order.

    Attributes
    ----------
    measured
        Facts and columns of the measures.
    details
        Rows with the columns of ``details.COLUMNS``, site by site; -1: of the run as a whole.
    shapes
        By kind, in the sites' CRS, with ``row`` (from 0): ``zones`` with ``zone``, ``why``,
        ``area_sf``; ``lines``, runs along which slopes were measured; ``paths`` and ``outlets``,
        ways of runoff, and where it leaves the sites.
    notes
        Messages about the run as a whole.
    """

    measured: Measured
    details: SiteRows
    shapes: Mapping[str, Shapes]
    notes: tuple[str, ...]


def gather(
    inputs: ScreeningInputs,
    demands: Demands,
    options: Options,
    *,
    measures: Collection[str] = tuple(MEASURES),
    kinds: Collection[str] = tuple(KINDS),
    progress: Progress = no_progress,
) -> Gathered:
    """Measure the sites of a run.

    Parameters
    ----------
    inputs
        Sites, layers, fields and DEM.
    demands
        What the law asks of the measures.
    options
        Choices of the run.
    measures
        Names of the measures to take.
    kinds
        Kinds of shapes that are wanted.
    progress
        Called with the share done; raises to stop the run.

    Raises
    ------
    InputError
        A layer, field or raster cannot be used.
    """
    sites = inputs.sites.frame
    parts = groups(sites, inputs.layers, None if inputs.whole is None else inputs.whole.rest)
    drawn = {kind: Shapes(sites.crs, KINDS[kind]) for kind in kinds}
    details, measured = SiteRows(Details().frame()), Measured(len(sites))

    def keep(group: Group, part: Part) -> None:
        measured.add(group.positions, part)
        if len(part.details):
            details.add(part.details.assign(row=_places(group, part.details["row"])))
        for kind, shapes in drawn.items():
            frames = [frame for frame in getattr(part, kind) if len(frame)]
            if frames:
                shapes.add(_moved(group, frames, shapes.crs))

    step = part_of(progress, 0.0, 0.99)
    said = _measure_all(parts, inputs, demands, options, measures, keep, step)
    # What lies outside all sites is told for the run as a whole.
    told = "areas" in measures and inputs.whole is None
    outside, notes = outside_sites(parts) if told else (Details().frame(), [])
    for table in (outside, _repairs(inputs)):
        if len(table):
            details.add(table)
    whole = int(measured.whole_site.sum())
    if whole and inputs.whole is None:
        notes.append(whole_note(whole))
    return Gathered(measured, details, drawn, (*_layer_notes(inputs, said), *notes))


def whole_note(count: int) -> str:
    """Return the sentence on sites judged as if wholly disturbed."""
    sites = "1 site is" if count == 1 else f"{count:,} sites are"
    return f"{sites} judged as if wholly disturbed: no disturbed area is given"


def _measure_all(
    parts: Sequence[Group],
    inputs: ScreeningInputs,
    demands: Demands,
    options: Options,
    measures: Collection[str],
    keep: Callable[[Group, Part], None],
    progress: Progress,
) -> list[list[str]]:
    """Measure the sites of each group and return messages about the run as a whole."""
    source = inputs.dem
    opened = (
        nullcontext()
        if source is None
        else Dem.open(source.path, band=source.band, z_unit=source.z_unit)
    )
    notes = []
    done, total = 0, max(1, sum(len(group.positions) for group in parts))
    with opened as dem:
        for group in parts:
            share = part_of(progress, done / total, (done + len(group.positions)) / total)
            notes.append(
                measure(group, inputs, demands, options, dem, share, keep=keep, measures=measures)
            )
            done += len(group.positions)
    return notes


def _places(group: Group, rows: pd.Series) -> npt.NDArray[np.int64]:
    """Return places among all sites; -1, the run as a whole, stays."""
    own = rows.to_numpy(np.int64)
    return np.where(own < 0, -1, group.positions[own]).astype(np.int64)


def _moved(group: Group, frames: list[gpd.GeoDataFrame], crs: pyproj.CRS) -> gpd.GeoDataFrame:
    """Return shapes of a group in the sites' CRS; texts of the law share many of them."""
    joined = pd.concat(frames, ignore_index=True)
    shapes, number = distinct(np.asarray(joined.geometry.array, dtype=object))
    # Rounding in another CRS lets the edges of slivers cross, so they are made valid again.
    moved = transform_geometries(shapes, group.crs, crs)
    table = pd.DataFrame(joined.drop(columns="geometry"))
    table["row"] = _places(group, table["row"])
    return gpd.GeoDataFrame(table, geometry=moved[number], crs=crs)


def outside_sites(parts: Sequence[Group]) -> tuple[pd.DataFrame, list[str]]:
    """Return what of the drawn areas lies on no site: details of the run, and sentences.

    Parameters
    ----------
    parts
        All sites of the run by plane, with the layers ``SPLIT_LAYERS``.
    """
    details = [Details().frame()]
    notes: list[str] = []
    for name in SPLIT_LAYERS:
        frames = [frame for group in parts if (frame := group.frame(name)) is not None]
        if not frames:
            continue
        first = parts[0]
        given = [frame.to_crs(first.crs) for frame in frames]
        polygons = gpd.GeoDataFrame(pd.concat(given, ignore_index=True), crs=first.crs)
        # A polygon near the sites of two groups stands in both.
        polygons = polygons[~polygons.geometry.to_wkb().duplicated()].reset_index(drop=True)
        sites = pd.concat([group.sites.geometry.to_crs(first.crs) for group in parts])
        found, sentences = polygons_outside(
            gpd.GeoDataFrame(geometry=sites.to_numpy(), crs=first.crs),
            polygons,
            layer=", ".join(layer.name for layer in first.of(name)),
        )
        details.append(found)
        notes += sentences
    return stacked(details), notes


def _repairs(inputs: ScreeningInputs) -> pd.DataFrame:
    """Return the repaired and the broken sites as details."""
    details = Details()
    status = inputs.sites.status
    for row in np.flatnonzero(status["repair"].astype(bool) | status["fault"].astype(bool)):
        state = status.iloc[row]
        if state["fault"]:
            text = f"the site cannot be measured: {state['fault']}"
            details.add(row, "geometry", np.nan, text, inputs.sites.name, outcome="unknown")
            continue
        text = (
            f"geometry repaired ({state['repair']}): {state['before_sqft']:,.0f} sq ft as drawn,"
            f" {state['after_sqft']:,.0f} sq ft after"
        )
        details.add(row, "geometry", state["after_sqft"], text, inputs.sites.name)
    return details.frame()


def _layer_notes(inputs: ScreeningInputs, said: Sequence[Sequence[str]]) -> list[str]:
    given = [inputs.sites, *(layer for some in inputs.layers.values() for layer in some)]
    notes = [note for layer in given for note in layer.notes]
    if inputs.sites.frame.empty:
        notes.insert(0, f"{inputs.sites.name}: no sites")
    return added_up([notes, *said])
