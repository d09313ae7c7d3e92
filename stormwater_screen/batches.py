"""Sites of one plane a few thousand at a time, so that memory does not grow with their number."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd
import shapely

from .details import stacked
from .facts import merge
from .features import WaterLayer
from .flow_ground import TILE_FT
from .freed_memory import give_back
from .notes import added_up
from .part import Part
from .progress import Progress
from .threads import side_by_side
from .vicinity import SEARCHED_FT, Group

BATCH_SITES: Final = 1_500

LEAST_SITES: Final = 500
"""Sites for which a batch of their own pays."""

WHOLE_LAYERS: Final = ("COVERAGE", "IMPAIRED")
"""Layers that a batch keeps whole: a site may lie far inside an area that is covered, and runoff
of all batches is followed to the same listed waters."""

Places = npt.NDArray[np.intp]
Frames = tuple[gpd.GeoDataFrame, ...]


def batch_size(count: int, workers: int | None) -> int:
    """Return how many of so many sites are measured together.

    Parameters
    ----------
    count
        Sites.
    workers
        Batches that are measured side by side; None: one for each processor.
    """
    side_by_side = workers or os.cpu_count() or 1
    return int(np.clip(-(-count // side_by_side), LEAST_SITES, BATCH_SITES))


def batches(group: Group, size: int) -> list[Places]:
    """Return the places of the sites of a group in batches of neighbours.

    Parameters
    ----------
    group
        Sites in one plane.
    size
        Most sites of a batch.
    """
    count = len(group.sites)
    if count <= size:
        return [np.arange(count)]
    # Sites without a place have no distance along the curve; they come first.
    along = np.zeros((2, count), np.uint64)
    geometry = np.asarray(group.sites.geometry.array, dtype=object)
    there = ~(shapely.is_missing(geometry) | shapely.is_empty(geometry))
    if there.any():
        bounds = shapely.bounds(geometry[there])
        middle = (bounds[:, :2] + bounds[:, 2:]) / 2
        # Tile by tile, so that few tiles of runoff are needed by several batches.
        for key, spots in enumerate((middle, np.floor(middle / TILE_FT))):
            along[key, there] = gpd.GeoSeries(gpd.points_from_xy(*spots.T)).hilbert_distance()
    order = np.lexsort(along)
    # In a batch the sites keep their order.
    return [np.sort(order[start : start + size]) for start in range(0, count, size)]


def batch_of(group: Group, places: Places) -> Group:
    """Return a group of some sites, with what lies within ``SEARCHED_FT`` of them.

    Parameters
    ----------
    group
        Sites in one plane.
    places
        Their places in the group.
    """
    if len(places) == len(group.sites):
        return group
    sites = group.sites.iloc[places].reset_index(drop=True)
    left, bottom, right, top = sites.total_bounds
    reach = SEARCHED_FT
    window = shapely.box(left - reach, bottom - reach, right + reach, top + reach)

    def near(layer: WaterLayer) -> WaterLayer:
        rows = layer.frame.sindex.query(window)
        chosen = layer.frame.iloc[np.sort(rows)].reset_index(drop=True)
        return replace(layer, frame=chosen)

    layers = {
        name: some if name in WHOLE_LAYERS else tuple(near(layer) for layer in some)
        for name, some in group.layers.items()
    }
    return Group(group.positions[places], group.crs, sites, layers, group.rest)


def in_batches(
    group: Group,
    places: Sequence[Places],
    take: Callable[[Group, Progress], Part],
    progress: Progress,
    workers: int | None,
) -> Part:
    """Return what is found of a group, measured batch by batch.

    Parameters
    ----------
    group
        Sites in one plane.
    places
        Places of the sites of each batch.
    take
        Measures the sites of a smaller group; called in threads.
    progress
        Called with the share done; raises to stop the run.
    workers
        Batches that are measured side by side; None: one for each processor.
    """
    for some in group.layers.values():
        for layer in some:
            # An index that several threads need at once is made before they begin.
            _ = layer.frame.sindex
    shares = [len(own) / len(group.sites) for own in places]

    def work(own: Places, progress: Progress) -> Part:
        part = take(batch_of(group, own), progress)
        give_back()
        return part

    parts = side_by_side(work, places, shares, progress, workers)
    return parts[0] if len(parts) == 1 else _joined(parts, places)


def _joined(parts: Sequence[Part], places: Sequence[Places]) -> Part:
    order = np.argsort(np.concatenate(list(places)), kind="stable")

    def rows(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
        return pd.concat(tables, ignore_index=True).iloc[order].reset_index(drop=True)

    def moved(frame: pd.DataFrame, own: Places) -> pd.DataFrame:
        row = frame["row"].to_numpy(np.int64)
        return frame.assign(row=np.where(row < 0, -1, own[row]))

    areas = [part.infiltration_sqft for part in parts if part.infiltration_sqft is not None]
    facts = merge([(own, part.facts) for own, part in zip(places, parts, strict=True)], len(order))
    return Part(
        facts=facts.by_name,
        columns=rows([part.columns for part in parts]),
        details=stacked(
            [moved(part.details, own) for part, own in zip(parts, places, strict=True)]
        ),
        notes=tuple(added_up(part.notes for part in parts)),
        infiltration_sqft=rows(areas) if areas else None,
    )
