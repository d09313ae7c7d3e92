"""Sites of one plane a few thousand at a time, so that memory does not grow with their number."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import shapely

from .features import WaterLayer
from .flow_ground import TILE_FT
from .freed_memory import give_back
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
Found = TypeVar("Found")


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
    take: Callable[[Group, Progress], Found],
    progress: Progress,
    workers: int | None,
) -> list[Found]:
    """Return what is found of each batch of a group.

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

    def work(own: Places, progress: Progress) -> Found:
        found = take(batch_of(group, own), progress)
        give_back()
        return found

    return side_by_side(work, places, shares, progress, workers)
