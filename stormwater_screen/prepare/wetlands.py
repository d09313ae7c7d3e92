"""Wetlands apart from other water, from the National Wetlands Inventory, DEC and APA."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd
import shapely
from shapely.geometry.base import BaseGeometry

from ..columns import COVERAGE_COLUMNS, LEFT_OUT_COLUMNS, WATER_COLUMNS
from ..errors import InputError
from ..facts import texts
from ..features import has_geometry
from ..geometry import Geometries, parts_of_dimension
from ..layers import Layer
from ..progress import Progress, no_progress
from ..tables import TABLES, normalised, read_rows
from .model import Prepared
from .names import counted, find_field, texts_of

KINDS: Final = ("nwi", "dec", "apa")
PONDS: Final = ("both", "water", "wetland")
LINE_METRES: Final = 0.3
"""Half the width that a wetland drawn as a line is given, in metres."""

_CODE: Final = ("attribute", "cowardin", "wetland_code", "nwi_code")
_TYPE: Final = ("wetland_type",)
_DEC: Final = ("wetid", "wetland_id", "wetid_1")
_APA_WORDS: Final = ("apa", "adirondack")
_WORDS: Final = {
    "estuarine marine deepwater": "water", "lake": "water", "riverine": "water",
    "freshwater pond": "pond", "estuarine marine wetland": "wetland",
    "freshwater emergent wetland": "wetland", "freshwater forested shrub wetland": "wetland",
    "other": "review",
}  # fmt: skip
_VEGETATED: Final = frozenset({"EM", "FO", "SS", "ML"})
_OPEN: Final = frozenset({"UB", "AB", "US", "RB", "OW", "SB", "RS", "RF", "BB", "FL", "ST"})
_CLASS: Final = re.compile(r"[A-Z]{2}")
_NAMES: Final = {
    "wetland": "wetland", "pond": "pond", "water": "lake, river or deep water",
    "review": "wetland type that is not known",
}  # fmt: skip


def cowardin_class(code: str) -> str:
    """Return what a code of the National Wetlands Inventory is: wetland, pond, water or review.

    Estuarine and marine waters are wetlands between the tides (subsystem 2) and deep water below
    (1); lakes and rivers are water; palustrine ones are wetlands, of which those of open water are
    ponds.

    Parameters
    ----------
    code
        As ``PFO1E`` or ``PUB/FO5Fh``; zeros typed for the letter O are understood.

    Source
    ------
    Federal Geographic Data Committee, Classification of Wetlands and Deepwater Habitats, 2013.
    """
    text = code.strip().upper().replace(" ", "")
    system, rest = text[:1], text[1:]
    if system in ("E", "M"):
        return {"1": "water", "2": "wetland"}.get(rest[:1]) or "review"
    if system in ("L", "R"):
        return "water" if rest else "review"
    if system != "P" or not rest:
        return "review"
    classes = _CLASS.findall(re.sub(r"(?<=F)0|(?<=[/P]F)0", "O", rest))
    if _VEGETATED & set(classes):
        return "wetland"
    return "pond" if _OPEN & set(classes) else "wetland"


def is_wetlands(name: str, fields: Iterable[str]) -> bool:
    """Return whether a layer may hold wetlands, by its fields and its name."""
    known = find_field(fields, (*_TYPE, *_DEC, "attribute", "cowardin"))
    return known is not None or "wetland" in name.casefold()


def has_wetland_field(layer: Layer) -> bool:
    """Return whether a layer has a field by which `wetland_kind` tells its agency."""
    return find_field(layer.frame.columns, (*_TYPE, *_CODE, *_DEC)) is not None


def wetland_kind(layer: Layer) -> str | None:
    """Return which agency's wetlands a layer holds: ``nwi``, ``dec``, ``apa``, or None."""
    fields = layer.frame.columns
    if find_field(fields, _TYPE) is not None:
        return "nwi"
    code = find_field(fields, _CODE)
    if code is not None:
        codes = texts_of(layer.frame, (code.casefold(),), layer=layer.name)
        given = [one for one in codes if one]
        if sum(bool(re.match(r"[PELMR][A-Z0-9]", one)) for one in given) * 2 > len(given):
            return "nwi"
    words = normalised(layer.name).split()
    if any(word in words for word in _APA_WORDS):
        return "apa"
    return "dec" if find_field(fields, _DEC) is not None else None


def classified(layer: Layer, kind: str) -> pd.DataFrame:
    """Return what each feature of a wetland layer is, with the columns of ``WATER_COLUMNS``.

    Parameters
    ----------
    layer
        Polygons or lines.
    kind
        A word of ``KINDS``. Ponds of the inventory have the class ``pond`` as yet.
    """
    frame = layer.frame
    code = texts_of(frame, _CODE if kind == "nwi" else _DEC, layer=layer.name)
    words = texts_of(frame, _TYPE, layer=layer.name)
    if kind == "nwi":
        found = np.array([_nwi_class(*pair) for pair in zip(words, code, strict=True)], object)
    else:
        found = texts(len(frame), "wetland")
    found = found.reshape(len(frame))
    result = pd.DataFrame(index=frame.index)
    result["feature"] = texts_of(frame, (*_DEC, "globalid", "objectid"), layer=layer.name)
    result["kind"] = np.where(words != "", words, [_NAMES[one] for one in found])
    title = [f"{kind.upper()} {what} {mark}".strip() for what, mark in zip(
        result["kind"], code, strict=True
    )]  # fmt: skip
    named = texts_of(frame, ("name", "gnis_name", "wetland_name"), layer=layer.name)
    result["name"] = np.where(named != "", named, title)
    result["class"] = found
    result["permanence"] = ""
    result["ftype"] = words
    result["fcode"] = code
    result["note"] = np.where(found == "pond", "a pond", "")
    result.loc[result["class"] == "review", "note"] = "kept as a wetland: its code does not say"
    result["source"] = layer.name
    return result


def _nwi_class(words: str, code: str) -> str:
    by_words = _WORDS.get(normalised(words))
    by_code = cowardin_class(code) if code else None
    if by_words is None or by_words == "review":
        return by_code or "review"
    # A pond with plants is a wetland, whatever it is called.
    return "wetland" if by_words == "pond" and by_code == "wetland" else by_words


def prepare_wetlands(
    layers: Sequence[Layer],
    *,
    kinds: Sequence[str | None] = (),
    ponds: str = "both",
    excluded: gpd.GeoDataFrame | None = None,
    progress: Progress = no_progress,
) -> Prepared:
    """Sort wetland layers into wetlands and other water, and say where they are complete.

    Parameters
    ----------
    layers
        Layers of the National Wetlands Inventory, of DEC or of the Adirondack Park Agency.
    kinds
        Which agency's each layer is; None or missing: told by its fields and its name.
    ponds
        What ponds of the inventory count as: ``water``, ``wetland`` or ``both``.
    excluded
        Polygons that DEC's layers leave out (the Adirondack Park); None: a rectangle around it.
    progress
        Called with the share done; raises to stop the run.

    Returns
    -------
    Prepared
        ``WETLANDS`` (polygons), ``WATER_BODIES`` (deep water, lakes, rivers, ponds) and
        ``COVERAGE`` (where the layers are complete), in the CRS of the first layer; the table
        ``LEFT_OUT``.

    Raises
    ------
    InputError
        There is no layer, or one is of no kind known.
    """
    if not layers:
        raise InputError("wetlands", "no layer", "layers of NWI, DEC or APA")
    crs = layers[0].frame.crs
    tables, geometries, coverage = [], [], []
    given = [*kinds, *[None] * len(layers)]
    for number, layer in enumerate(layers):
        kind = given[number] or wetland_kind(layer)
        if kind is None:
            listed = ", ".join(str(c) for c in layer.frame.columns if c != "geometry") or "none"
            needed = "ATTRIBUTE or WETLAND_TYPE (NWI), WETID (DEC), or the agency named"
            raise InputError(layer.name, f"the fields {listed}", needed)
        tables.append(classified(layer, kind).assign(agency=kind))
        geometries.append(_as_polygons(layer, crs))
        coverage.append((layer.name, kind, _covered(layer, kind, excluded, crs)))
        progress((number + 1) / (len(layers) + 1))
    found = pd.concat(tables, ignore_index=True)
    geometry = np.concatenate(geometries)
    usable = has_geometry(geometry)
    pond = (found["class"] == "pond").to_numpy()
    water = (found["class"] == "water").to_numpy() | (pond & (ponds != "wetland"))
    wetland = ~found["class"].isin(["water", "pond"]).to_numpy() | (pond & (ponds != "water"))
    outputs = {
        "WETLANDS": _rows(found, geometry, usable & wetland, "wetland", crs),
        "WATER_BODIES": _rows(found, geometry, usable & water, "water", crs),
    }
    outputs["COVERAGE"] = gpd.GeoDataFrame(
        [(name, "WETLANDS", kind) for name, kind, area in coverage if area is not None],
        columns=[column.name for column in COVERAGE_COLUMNS],
        geometry=[area for _, _, area in coverage if area is not None],
        crs=crs,
    )
    gone = found[~usable].assign(why="no usable geometry").reset_index(drop=True)
    notes = [note for layer in layers for note in layer.notes]
    notes += _notes(outputs, [kind for _, kind, _ in coverage], excluded)
    progress(1.0)
    columns = {"WETLANDS": WATER_COLUMNS, "WATER_BODIES": WATER_COLUMNS}
    columns |= {"COVERAGE": COVERAGE_COLUMNS, "LEFT_OUT": LEFT_OUT_COLUMNS}
    table = gone[[column.name for column in LEFT_OUT_COLUMNS]]
    return Prepared(outputs, columns, tuple(notes), {"LEFT_OUT": table})


def _rows(
    found: pd.DataFrame,
    geometry: Geometries,
    chosen: npt.NDArray[np.bool_],
    pond: str,
    crs: object,
) -> gpd.GeoDataFrame:
    rows = np.flatnonzero(chosen)
    table = found[[column.name for column in WATER_COLUMNS]].iloc[rows].reset_index(drop=True)
    table["class"] = table["class"].replace("pond", pond)
    return gpd.GeoDataFrame(table, geometry=geometry[rows], crs=crs)


def _as_polygons(layer: Layer, crs: object) -> Geometries:
    """Return the layer's polygons, its lines as narrow ones."""
    frame = layer.frame
    geometry = np.array(frame.geometry.array, dtype=object)
    lines = shapely.get_dimensions(geometry) == 1
    if lines.any():
        flat = gpd.GeoSeries(geometry[lines], crs=frame.crs)
        plane = flat.estimate_utm_crs()
        narrow = flat.to_crs(plane).buffer(LINE_METRES, cap_style="flat").to_crs(frame.crs)
        geometry[lines] = narrow.to_numpy()
    moved = gpd.GeoSeries(geometry, crs=frame.crs).to_crs(crs)
    return parts_of_dimension(np.asarray(moved.array, dtype=object), (2,))


def _covered(
    layer: Layer, kind: str, excluded: gpd.GeoDataFrame | None, crs: object
) -> BaseGeometry | None:
    """Return where a layer is complete; None where nowhere."""
    if layer.extent is None:
        return None
    area = shapely.box(*layer.extent)
    side = max(area.bounds[2] - area.bounds[0], area.bounds[3] - area.bounds[1])
    if side > 0:
        area = shapely.segmentize(area, side / 16)
    outline = gpd.GeoSeries([area], crs=layer.frame.crs).to_crs(crs)
    if kind == "dec":
        outside = uncovered_areas("dec") if excluded is None else excluded.geometry
        outside = gpd.GeoSeries(outside.dropna(), crs=outside.crs)
        outline = outline.difference(outside.to_crs(crs).union_all())
    found: BaseGeometry = outline.iloc[0]
    return None if found.is_empty else found


@lru_cache(maxsize=4)
def uncovered_areas(kind: str, path: Path | None = None) -> gpd.GeoSeries:
    """Return rectangles around the areas that an agency's layers leave out, NAD83 degrees.

    Raises
    ------
    InputError
        A corner in the table is no number.
    """
    path = path or TABLES / "uncovered_areas.csv"
    columns = ("layer", "name", "west", "south", "east", "north", "note")
    found = []
    for line, row in read_rows(path, columns):
        where = f"table {path.name}, line {line}, key {row['name']!r}"
        try:
            corners = [float(row[side]) for side in ("west", "south", "east", "north")]
        except ValueError as error:
            raise InputError(where, "a corner that is no number", "degrees") from error
        if row["layer"] == kind:
            found.append(shapely.segmentize(shapely.box(*corners), 0.1))
    return gpd.GeoSeries(found, crs="EPSG:4269")


def _notes(
    outputs: dict[str, gpd.GeoDataFrame], kinds: list[str], excluded: gpd.GeoDataFrame | None
) -> list[str]:
    notes = [f"Recognised as {', '.join(kind.upper() for kind in kinds)}"]
    for name in ("WETLANDS", "WATER_BODIES"):
        counts = outputs[name]["kind"].value_counts()
        shown = ", ".join(f"{count:,} {kind}" for kind, count in counts.iloc[:6].items())
        notes.append(f"{counted(len(outputs[name]), 'feature')} to {name}: {shown or 'none'}")
    if "dec" in kinds and excluded is None:
        notes.append(
            "DEC's layers leave out the Adirondack Park: in a rectangle around it they count as not"
            " complete; give the boundary of the Park for an exact answer"
        )
    if "dec" in kinds:
        notes.append(
            "DEC's maps only inform since 2025: wetlands may be regulated whether mapped or not"
        )
    return notes
