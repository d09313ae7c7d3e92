"""Sites of one plane a few thousand at a time, so that memory does not grow with their number."""

from __future__ import annotations

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
from .part import Part
from .vicinity import SEARCHED_FT, Group

BATCH_SITES: Final = 5_000

Places = npt.NDArray[np.intp]
Frames = tuple[gpd.GeoDataFrame, ...]


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
    along = np.zeros(count, np.uint64)
    geometry = np.asarray(group.sites.geometry.array, dtype=object)
    there = ~(shapely.is_missing(geometry) | shapely.is_empty(geometry))
    placed = group.sites.geometry[there]
    along[there] = placed.hilbert_distance().to_numpy() if len(placed) else 0
    order = np.argsort(along, kind="stable")
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
        # Coverage is asked for as a whole: a site may lie far inside it.
        name: some if name == "COVERAGE" else tuple(near(layer) for layer in some)
        for name, some in group.layers.items()
    }
    return Group(group.positions[places], group.crs, sites, layers, group.rest)


def in_batches(group: Group, take: Callable[[Group, int, int], Part]) -> Part:
    """Return what a measure finds of a group, batch by batch.

    Parameters
    ----------
    group
        Sites in one plane.
    take
        Measures the sites of a smaller group; is told how many sites are done before and after.
    """
    places = batches(group, BATCH_SITES)
    parts, done = [], 0
    for some in places:
        parts.append(take(batch_of(group, some), done, done + len(some)))
        done += len(some)
    return parts[0] if len(parts) == 1 else _joined(parts, places)


def _joined(parts: Sequence[Part], places: Sequence[Places]) -> Part:
    order = np.argsort(np.concatenate(list(places)), kind="stable")

    def rows(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
        return pd.concat(tables, ignore_index=True).iloc[order].reset_index(drop=True)

    def moved(frame: pd.DataFrame, own: Places) -> pd.DataFrame:
        row = frame["row"].to_numpy(np.int64)
        return frame.assign(row=np.where(row < 0, -1, own[row]))

    def shapes(
        kind: Callable[[Part], tuple[gpd.GeoDataFrame, ...]],
    ) -> tuple[gpd.GeoDataFrame, ...]:
        pairs = zip(parts, places, strict=True)
        return tuple(moved(frame, own) for part, own in pairs for frame in kind(part))

    areas = [part.infiltration_sqft for part in parts if part.infiltration_sqft is not None]
    facts = merge([(own, part.facts) for own, part in zip(places, parts, strict=True)], len(order))
    return Part(
        facts=facts.by_name,
        columns=rows([part.columns for part in parts]),
        details=stacked(
            [moved(part.details, own) for part, own in zip(parts, places, strict=True)]
        ),
        notes=tuple(dict.fromkeys(note for part in parts for note in part.notes)),
        zones=shapes(lambda part: part.zones),
        lines=shapes(lambda part: part.lines),
        paths=shapes(lambda part: part.paths),
        outlets=shapes(lambda part: part.outlets),
        infiltration_sqft=rows(areas) if areas else None,
    )
