"""Layers made fit to be measured: read or taken over, checked, cleaned, with notes of it all."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import geopandas as gpd
import numpy as np
import pandas as pd
import pyogrio
import pyproj
import shapely
from shapely.geometry.base import BaseGeometry

from .crs import check_place, outside_state_note, usable_crs
from .errors import InputError
from .facts import Texts, texts
from .geometry import DIMENSIONS, Geometries, Kind, parts_of_dimension, valid_geometries
from .notes import counted
from .plane import area_sqft
from .sources import raw_features, which_layer, with_yes_and_no
from .wkb import UNREADABLE, geometries_from_wkb

Extent = tuple[float, float, float, float]

KIND_WORDS: Final[dict[str, str]] = {
    "point": "points",
    "line": "lines",
    "polygon": "polygons",
    "line_or_polygon": "lines or polygons",
    "point_or_polygon": "points or polygons",
    "any": "points, lines or polygons",
}
_AT_ONCE: Final = 50_000
"""Features that are cleaned together."""
_EXACT: Final = 2**53
_DIMENSION_WORDS: Final = ("points", "lines", "polygons")


@dataclass(frozen=True)
class Layer:
    """A layer, cleaned.

    Attributes
    ----------
    role
        Parameter that the layer was given for, as ``WATER_BODIES``.
    name
        Name of the layer as the user knows it.
    frame
        Own attributes and geometries, in the layer's CRS; 2-D and valid, NULL where there is none
        that can be used; rows in the order of the source.
    extent
        West, south, east and north of the whole source layer in the CRS of ``frame``; None: empty.
    feature_count
        Number of features of the whole source layer.
    source
        Path or address that the layer was read from.
    notes
        Repairs, dropped geometries, doubtful CRS: one sentence each.
    status
        One row a feature: ``fault`` (why its geometry cannot be used, or empty), ``repair`` (what
        was wrong with it and has been repaired, or empty), ``before_sqft`` and ``after_sqft``
        (area of a repaired polygon as drawn, which may mean nothing, and as repaired).
    """

    role: str
    name: str
    frame: gpd.GeoDataFrame
    extent: Extent | None
    feature_count: int
    source: str
    notes: tuple[str, ...] = ()
    status: pd.DataFrame = field(default_factory=pd.DataFrame)


def clean_geometries(geometries: Geometries, kind: Kind = "any") -> tuple[Geometries, pd.DataFrame]:
    """Return geometries made 2-D and valid, and what had to be done.

    Parameters
    ----------
    geometries
        Any geometries, also None, empty, 3-D, measured, invalid, collections.
    kind
        What is asked; other parts of a collection are dropped.

    Returns
    -------
    geometries
        None where no part can be used.
    status
        Columns ``fault`` (why there is no geometry, or empty) and ``repair`` (what was wrong and
        has been repaired, or empty).
    """
    flat = np.asarray(shapely.force_2d(geometries), dtype=object)
    fault = texts(len(flat))
    repair = texts(len(flat))
    fault[shapely.is_missing(flat)] = "no geometry"
    fault[~shapely.is_missing(flat) & shapely.is_empty(flat)] = "an empty geometry"
    coordinates, owner = shapely.get_coordinates(flat, return_index=True)
    fault[np.unique(owner[~np.isfinite(coordinates).all(axis=1)])] = "coordinates without a number"
    flat[fault != ""] = None
    invalid = ~(shapely.is_missing(flat) | shapely.is_valid(flat))
    repair[invalid] = shapely.is_valid_reason(flat[invalid])
    cleaned = valid_geometries(flat)
    vanished = invalid & (shapely.is_missing(cleaned) | shapely.is_empty(cleaned))
    fault[vanished] = np.char.add(
        "nothing left after the repair of: ", repair[vanished].astype(str)
    )
    repair[vanished] = ""
    cleaned[vanished] = None
    kept = parts_of_dimension(cleaned, DIMENSIONS[kind])
    other = shapely.is_missing(kept) & ~shapely.is_missing(cleaned)
    fault[other] = f"not {KIND_WORDS[kind]}"
    repair[other] = ""
    return kept, pd.DataFrame({"fault": fault, "repair": repair})


def layer_from_frame(
    frame: gpd.GeoDataFrame,
    *,
    role: str,
    name: str,
    geometry: Kind,
    source: str = "",
    extent: Extent | None = None,
    feature_count: int | None = None,
) -> Layer:
    """Return a layer that can be measured.

    Parameters
    ----------
    frame
        Features in any CRS; the index is dropped.
    role, name, source
        As in `Layer`.
    geometry
        Kind of geometry that is asked.
    extent, feature_count
        Of the whole source layer, where the frame holds a part of it.

    Raises
    ------
    InputError
        The layer has no CRS, one that cannot be projected or is plainly wrong, or no geometry of
        the kind that is asked.
    """
    given = np.array(frame.geometry.array, dtype=object)
    attributes = frame.drop(columns=frame.geometry.name)
    found = _cleaned(len(given), lambda rows: (given[rows], None), geometry, frame.crs, name)
    return _layer(attributes, *found, role, name, source, extent, feature_count)


def layer_from_wkb(
    wkb: Sequence[bytes | None],
    attributes: pd.DataFrame,
    crs: pyproj.CRS | str | None,
    *,
    role: str,
    name: str,
    geometry: Kind,
    source: str = "",
    extent: Extent | None = None,
    feature_count: int | None = None,
) -> Layer:
    """Return a layer from well-known binary and attributes, row for row.

    Parameters
    ----------
    wkb
        Geometry of each feature, curves segmentised; None where it has none.
    attributes
        One row a feature.
    crs
        CRS or its WKT; None or empty where the layer has none.
    role, name, geometry, source, extent, feature_count
        As in `layer_from_frame`.

    Raises
    ------
    InputError
        As `layer_from_frame`.
    """
    found = _cleaned(
        len(wkb), lambda rows: geometries_from_wkb(wkb[rows]), geometry, crs or None, name
    )
    return _layer(attributes, *found, role, name, source, extent, feature_count)


def _cleaned(
    count: int,
    given: Callable[[slice], tuple[Geometries, Texts | None]],
    kind: Kind,
    crs: object,
    name: str,
) -> tuple[gpd.GeoSeries, pd.DataFrame]:
    """Return geometries cleaned, and what had to be done.

    Some at a time are asked for as they are, with what was wrong with their bytes, so that a large
    layer is not held twice.
    """
    crs = usable_crs(crs, name)
    geometries = np.empty(count, dtype=object)
    found: set[int] = set()
    tables = []
    for start in range(0, max(count, 1), _AT_ONCE):
        rows = slice(start, min(start + _AT_ONCE, count))
        drawn, faults = given(rows)
        found |= _dimensions(drawn)
        geometries[rows], status = clean_geometries(drawn, kind)
        if faults is not None:
            status.loc[faults == UNREADABLE, "fault"] = UNREADABLE
            closed = (faults != "") & (status["fault"] == "")
            status.loc[closed, "repair"] = faults[closed]
        status["before_sqft"] = status["after_sqft"] = np.nan
        repaired = (status["repair"] != "").to_numpy()
        if repaired.any():
            flat = np.asarray(shapely.force_2d(drawn[repaired]), dtype=object)
            status.loc[repaired, "before_sqft"] = area_sqft(flat, crs)
            status.loc[repaired, "after_sqft"] = area_sqft(geometries[rows][repaired], crs)
        tables.append(status)
    _check_kind(found, kind, name)
    return gpd.GeoSeries(geometries, crs=crs), pd.concat(tables, ignore_index=True)


def _layer(
    attributes: pd.DataFrame,
    cleaned: gpd.GeoSeries,
    status: pd.DataFrame,
    role: str,
    name: str,
    source: str,
    extent: Extent | None,
    feature_count: int | None,
) -> Layer:
    """Return the layer of cleaned geometries, of which those in no place are dropped."""
    crs, geometries = cleaned.crs, np.array(cleaned.array, dtype=object)
    places, crs_note = check_place(geometries, crs, name)
    state_note = outside_state_note(places, name) if role == "SITES" else ""
    astray = np.isnan(places).any(axis=1) & ~shapely.is_missing(geometries)
    geometries[astray] = None
    status.loc[astray, "fault"] = f"coordinates that {crs.name} cannot hold"
    own = _beside_geometry(attributes.reset_index(drop=True))
    frame = gpd.GeoDataFrame(own, geometry=geometries, crs=crs)
    if extent is None and not shapely.is_missing(geometries).all():
        extent = _extent(shapely.total_bounds(geometries))
    return Layer(
        role=role,
        name=name,
        frame=frame,
        extent=extent,
        feature_count=len(frame) if feature_count is None else feature_count,
        source=source,
        notes=tuple(note for note in (*_notes(status, name), crs_note, state_note) if note),
        status=status,
    )


def read_layer(
    path: str | Path,
    *,
    role: str,
    geometry: Kind,
    layer: str | None = None,
    bbox: Extent | None = None,
    bbox_crs: pyproj.CRS | None = None,
    mask: Callable[[pyproj.CRS], BaseGeometry | None] | None = None,
    columns: Sequence[str] | None = None,
    name: str | None = None,
) -> Layer:
    """Return a layer read from a file or database that GDAL opens.

    Parameters
    ----------
    path
        File, folder or address; ``file.gpkg|layername=parcels`` is understood.
    role, geometry
        As in `layer_from_frame`.
    layer
        Name of the layer; needed where the source has several.
    bbox
        Only features that meet this rectangle (west, south, east, north) are read.
    bbox_crs
        CRS of ``bbox``; None: that of the layer.
    mask
        Takes the CRS of the layer and returns the area outside which nothing is read; not
        together with ``bbox``.
    columns
        Names of the attributes that are read; None: all.
    name
        Name of the layer in messages; None: the name in the file.

    Raises
    ------
    InputError
        As `which_layer` and `layer_from_frame`.
    """
    with warnings.catch_warnings():
        # GDAL warns of measured coordinates and odd encodings; both are dealt with here.
        warnings.simplefilter("ignore")
        source, layer = which_layer(str(path), layer)
        name = name or layer
        info = pyogrio.read_info(
            source, layer=layer, force_feature_count=True, force_total_bounds=True
        )
        _check_declared(str(info["geometry_type"]), geometry, name)
        if bbox is not None and bbox_crs is not None:
            bbox = _bbox_in(bbox, bbox_crs, usable_crs(info["crs"], name))
        area = None if mask is None else mask(usable_crs(info["crs"], name))
        wkb, attributes, left_out = raw_features(source, layer, bbox, area, columns)
    kinds = {str(n): str(kind) for n, kind in zip(info["fields"], info["dtypes"], strict=True)}
    attributes = with_yes_and_no(attributes, kinds)
    bounds = info["total_bounds"]
    found = layer_from_wkb(
        wkb,
        attributes,
        info["crs"],
        role=role,
        name=name,
        geometry=geometry,
        source=str(path),
        extent=None if bounds is None else _extent(bounds),
        feature_count=int(info["features"]),
    )
    if role != "SITES":
        return found
    return replace(found, notes=(*found.notes, *_own_notes(name, attributes, kinds, left_out)))


def _own_notes(
    name: str, attributes: pd.DataFrame, kinds: Mapping[str, str], left_out: Sequence[str]
) -> list[str]:
    """Return what of the attributes of the sites is not as it was in the file."""
    notes = []
    if left_out:
        fields = ", ".join(left_out)
        notes.append(f"{name}: left out, since times of day and lists cannot be read: {fields}")
    for field_name, values in attributes.items():
        # GDAL's reader makes them floating-point numbers where some are NULL.
        floats = kinds.get(str(field_name)) == "int64" and values.dtype.kind == "f"
        if floats and (values.abs() >= _EXACT).any():
            notes.append(
                f"{name}: field {field_name}: numbers of more than 15 digits are rounded,"
                " since others are empty; give them as texts"
            )
    return notes


def _beside_geometry(attributes: pd.DataFrame) -> pd.DataFrame:
    """Return attributes of which none is called as the geometries are."""
    names = (f"geometry_{number}" for number in range(1, len(attributes.columns) + 2))
    free = next(name for name in names if name not in attributes.columns)
    return attributes.rename(columns={"geometry": free})


def _bbox_in(bbox: Extent, source: pyproj.CRS, target: pyproj.CRS) -> Extent:
    transformer = pyproj.Transformer.from_crs(source, target, always_xy=True)
    west, south, east, north = transformer.transform_bounds(*bbox)
    return west, south, east, north


def _extent(bounds: Sequence[float]) -> Extent | None:
    west, south, east, north = (float(value) for value in bounds)
    return (west, south, east, north) if np.isfinite([west, south, east, north]).all() else None


def _dimensions(geometries: Geometries) -> set[int]:
    """Return the dimensions of the parts that are not empty: points, lines, polygons."""
    parts = shapely.get_parts(geometries)
    found = np.unique(shapely.get_dimensions(parts[~shapely.is_empty(parts)]))
    return {int(dimension) for dimension in found if dimension in (0, 1, 2)}


def _check_kind(found: set[int], kind: Kind, name: str) -> None:
    """Refuse a layer that has geometries, but none of the kind that is asked."""
    if found and not found & set(DIMENSIONS[kind]):
        words = " and ".join(_DIMENSION_WORDS[dimension] for dimension in sorted(found))
        raise InputError(name, f"a layer of {words}", f"a layer of {KIND_WORDS[kind]}")


def _check_declared(declared: str, kind: Kind, name: str) -> None:
    """Refuse a layer by the kind that its source declares, which an empty layer has too."""
    for dimension, word in enumerate(("Point", "LineString", "Polygon")):
        if word in declared and dimension not in DIMENSIONS[kind]:
            found = f"a layer of {_DIMENSION_WORDS[dimension]}"
            raise InputError(name, found, f"a layer of {KIND_WORDS[kind]}")


def _notes(status: pd.DataFrame, name: str) -> list[str]:
    notes: list[str] = []
    repaired = int((status["repair"] != "").sum())
    if repaired:
        text = f"{name}: {{}} with an invalid geometry repaired"
        notes.append(counted(text, repaired, "feature"))
    faults = status.loc[status["fault"] != "", "fault"].str.replace(" of: .*", "", regex=True)
    for fault, count in faults.value_counts(sort=False).items():
        text = f"{name}: {{}} without a usable geometry ({fault})"
        notes.append(counted(text, int(count), "feature"))
    return notes
