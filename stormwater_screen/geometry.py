"""Geometries made fit to be measured: valid, 2-D, of the kind that is asked."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
import shapely

Geometries = npt.NDArray[np.object_]
Kind = Literal["point", "line", "polygon", "line_or_polygon", "point_or_polygon", "any"]

DIMENSIONS: Final[dict[str, tuple[int, ...]]] = {
    "point": (0,),
    "line": (1,),
    "polygon": (2,),
    "line_or_polygon": (1, 2),
    "point_or_polygon": (0, 2),
    "any": (0, 1, 2),
}
"""Dimensions that each kind of layer may have."""

_COLLECTION: Final = 7
_BUILD: Final = (shapely.multipoints, shapely.multilinestrings, shapely.multipolygons)


def distinct(
    geometries: Geometries,
) -> tuple[Geometries, npt.NDArray[np.intp]]:
    """Return the objects among geometries, each once, and the number of each geometry's object."""
    ids = np.fromiter(map(id, geometries), np.uint64, len(geometries))
    number, found = pd.factorize(ids)
    first = np.empty(len(found), np.intp)
    first[number[::-1]] = np.arange(len(geometries))[::-1]
    return geometries[first], number


def valid_geometries(geometries: Geometries) -> Geometries:
    """Return geometries with the invalid ones repaired (structure method), the others untouched.

    What cannot be repaired is None.
    """
    invalid = ~(shapely.is_valid(geometries) | shapely.is_missing(geometries))
    if not invalid.any():
        return geometries
    result = geometries.copy()
    result[invalid] = _repaired(geometries[invalid])
    return result


def _repaired(geometries: Geometries) -> Geometries:
    try:
        repaired = shapely.make_valid(geometries, method="structure", keep_collapsed=False)
    except shapely.errors.GEOSException:
        if len(geometries) == 1:
            return np.array([None], dtype=object)
        # One geometry that GEOS cannot repair must not cost the others.
        repaired = np.concatenate(
            [_repaired(geometries[i : i + 1]) for i in range(len(geometries))]
        )
    repaired = np.asarray(repaired, dtype=object)
    # Of a ring that passes twice along its own edge GEOS makes polygons that share that edge, which
    # is not valid either; a second pass unites them.
    again = ~(shapely.is_valid(repaired) | shapely.is_missing(repaired))
    if again.any():
        repaired[again] = shapely.make_valid(
            repaired[again], method="structure", keep_collapsed=False
        )
    return np.asarray(repaired, dtype=object)


def prepared_copies(geometries: Geometries) -> Geometries:
    """Return copies of geometries, prepared for many questions.

    What is prepared learns while it is asked, so that threads must not share it; equal objects are
    copied once.
    """
    different, number = distinct(geometries)
    copies = shapely.from_wkb(shapely.to_wkb(different))
    shapely.prepare(copies)
    return np.asarray(copies[number], dtype=object)


def parts_of_dimension(geometries: Geometries, dimensions: tuple[int, ...]) -> Geometries:
    """Return the parts of each geometry that have one of the dimensions; None where it has none.

    Parameters
    ----------
    geometries
        Any geometries; collections may be nested.
    dimensions
        0 points, 1 lines, 2 polygons.
    """
    mixed = shapely.get_type_id(geometries) == _COLLECTION
    result = geometries.copy()
    result[~np.isin(shapely.get_dimensions(geometries), dimensions)] = None
    if mixed.any():
        parts, owner = _simple_parts(geometries[mixed])
        result[mixed] = _gathered(parts, owner, int(mixed.sum()), dimensions)
    return result


def _simple_parts(collections: Geometries) -> tuple[Geometries, npt.NDArray[np.intp]]:
    """Return the single points, lines and polygons of collections, and which one each is of."""
    owner = np.arange(len(collections))
    parts = collections
    while (shapely.get_type_id(parts) > 3).any():
        parts, index = shapely.get_parts(parts, return_index=True)
        owner = owner[index]
    return parts, owner


def _gathered(
    parts: Geometries,
    owner: npt.NDArray[np.intp],
    count: int,
    dimensions: tuple[int, ...],
) -> Geometries:
    dimension = shapely.get_dimensions(parts)
    found = []
    for wanted in dimensions:
        chosen = (dimension == wanted) & ~shapely.is_empty(parts)
        gathered = np.full(count, None, dtype=object)
        if chosen.any():
            _BUILD[wanted](parts[chosen], indices=owner[chosen], out=gathered)
        found.append(gathered)
    if len(found) == 1:
        return found[0]
    stack = np.stack(found)
    present = ~shapely.is_missing(stack)
    result = stack[present.argmax(axis=0), np.arange(count)]
    for row in np.flatnonzero(present.sum(axis=0) > 1):
        result[row] = shapely.geometrycollections(stack[present[:, row], row])
    return np.asarray(result, dtype=object)
