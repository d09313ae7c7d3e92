"""What mapped water features are: codes of the NHD and of the National Wetlands Inventory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import shapely

from .facts import Texts, texts
from .tables import NHD_CLASSES, is_missing, known_fields, nhd_table, nwi_table

Found = TypeVar("Found")
Booleans = npt.NDArray[np.bool_]
Geometries = npt.NDArray[np.object_]

WATER_ROLES: Final = ("WATER_BODIES", "WATERCOURSES")

_LEFT_OUT = ("conveyance", "not_water", "supply")


@dataclass(frozen=True)
class Kinds:
    """What each feature of a layer is.

    Attributes
    ----------
    role
        Role that the feature plays; empty where it is left out.
    doubtful
        True where it may or may not count, as a ditch or an ephemeral stream.
    path
        True for the centre line of a water body.
    what
        What the feature is in the words of its code; empty where it has none.
    """

    role: Texts
    doubtful: Booleans
    path: Booleans
    what: Texts


def find_kinds(frame: gpd.GeoDataFrame, role: str) -> Kinds:
    """Find what the features of a layer are, by their codes where they have any.

    Marshes among water bodies become wetlands, lakes and rivers among wetlands become water bodies;
    pipes, conduits, dams and basins for treatment are left out. Features without a known code are
    what the layer was given for.

    Parameters
    ----------
    frame
        Features with their own attributes.
    role
        Parameter that the layer was given for.

    Source
    ------
    USGS, NHD feature catalogue; USFWS, National Wetlands Inventory; section 220-60C.
    """
    classes, what = _classes(frame, role)
    roles = texts(len(frame), role)
    wet = np.isin(classes, ["wetland"])
    open_water = np.isin(classes, ["water", "artificial_path"])
    if role in WATER_ROLES:
        roles[wet] = "WETLANDS"
        roles[np.isin(classes, _LEFT_OUT)] = ""
    if role == "WETLANDS":
        roles[open_water] = "WATER_BODIES"
        roles[np.isin(classes, _LEFT_OUT)] = ""
    return Kinds(
        role=roles,
        doubtful=(classes == "review") & np.isin(roles, [*WATER_ROLES, "WETLANDS"]),
        path=classes == "artificial_path",
        what=what,
    )


def _classes(frame: gpd.GeoDataFrame, role: str) -> tuple[Texts, Texts]:
    """Return class and words of each feature's code; empty where there is no known code."""
    guess = known_fields().guess
    if role not in (*WATER_ROLES, "WETLANDS"):
        return texts(len(frame)), texts(len(frame))
    if {"class", "kind", "permanence"} <= set(frame.columns):
        # Prepared layers say themselves what each feature is.
        classes = [str(_plain(word) or "") for word in frame["class"]]
        known = [word if word in NHD_CLASSES else "" for word in classes]
        return _texts(known), _texts([str(_plain(word) or "") for word in frame["kind"]])
    ftype, fcode = guess("NHD_FTYPE", frame.columns), guess("NHD_FCODE", frame.columns)
    if ftype is not None or fcode is not None:
        codes = _decoded(frame, ftype, fcode, nhd_table().find)
        classes = [code.nhd_class if code else "" for code in codes]
        return _texts(classes), _texts([code.name if code else "" for code in codes])
    words, letters = guess("NWI_TYPE", frame.columns), guess("NWI_CODE", frame.columns)
    if role == "WETLANDS" and (words is not None or letters is not None):
        kinds = _decoded(frame, words, letters, nwi_table().find)
        what = ["polygon of another type" if kind == "review" else "" for kind in kinds]
        return _texts([kind or "" for kind in kinds]), _texts(what)
    return texts(len(frame)), texts(len(frame))


def _decoded(
    frame: gpd.GeoDataFrame,
    first: str | None,
    second: str | None,
    find: Callable[[object, object], Found],
) -> list[Found]:
    """Return what a table says of each row's two fields; each pair of values is looked up once."""
    columns: list[list[object]] = [
        [None] * len(frame) if field is None else [_plain(value) for value in frame[field]]
        for field in (first, second)
    ]
    known: dict[tuple[object, object], Found] = {}
    found = []
    for pair in zip(*columns, strict=True):
        if pair not in known:
            known[pair] = find(*pair)
        found.append(known[pair])
    return found


def _plain(value: object) -> object:
    return None if is_missing(value) else value


def _texts(words: Sequence[str]) -> Texts:
    result = texts(len(words))
    result[:] = words
    return result


def within_polygons(paths: Geometries, polygons: Geometries) -> Booleans:
    """Return which lines lie inside one of the polygons."""
    inside = np.zeros(len(paths), dtype=bool)
    inside[shapely.STRtree(paths).query(polygons, predicate="covers")[1]] = True
    return inside
