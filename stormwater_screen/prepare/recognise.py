"""Raw layers of agencies given straight to a screening: recognised, sorted, their fields found."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import geopandas as gpd
import numpy as np
import pandas as pd
import shapely

from ..input_names import LAYER_FIELDS
from ..layers import Extent, Layer
from ..tables import known_fields
from .files import Bundle, find_layers
from .hydrography import CODE_FIELDS, classified, is_hydrography
from .impaired import LISTED, is_assessment, prepare_impaired
from .names import counted, find_field
from .soils import mukeys_of, prepare_soils
from .ssurgo import SurveyTables, database_tables, text_tables
from .wetlands import has_wetland_field, prepare_wetlands, wetland_kind

_WATER: Final = ("WATER_BODIES", "WATERCOURSES", "WETLANDS", "WATER_SUPPLIES")
_SOIL_RESULT: Final = {
    "SOIL_GROUP_FIELD": "hsg", "SOIL_KSAT_FIELD": "ksat_r",
    "SOIL_WATER_TABLE_FIELD": "water_cm", "SOIL_BEDROCK_FIELD": "rock_cm",
}  # fmt: skip
_LISTED_RESULT: Final = {
    "IMPAIRED_NAME_FIELD": "name", "IMPAIRED_POLLUTANT_FIELD": "pollutant",
    "IMPAIRED_STATUS_FIELD": "listed",
}  # fmt: skip
_TMDL_RESULT: Final = {"TMDL_NAME_FIELD": "name", "TMDL_POLLUTANT_FIELD": "pollutant"}


@dataclass(frozen=True)
class Recognised:
    """What a screening takes instead of what was given.

    Attributes
    ----------
    layers
        By parameter name.
    fields
        Fields by parameter name: those that the user named, and those found.
    status_values
        Values of IMPAIRED_STATUS_FIELD that count as listed.
    notes
        What was recognised and what became of it, one sentence each.
    """

    layers: dict[str, tuple[Layer, ...]]
    fields: dict[str, str]
    status_values: tuple[str, ...]
    notes: tuple[str, ...]


def recognise(
    layers: Mapping[str, tuple[Layer, ...]],
    fields: Mapping[str, str],
    status_values: Sequence[str] = (),
    *,
    whole: bool = True,
) -> Recognised:
    """Recognise raw layers of agencies among those given for a screening, and prepare them.

    A layer whose fields the user named is taken as it is, and so is one that is not recognised.

    Parameters
    ----------
    layers
        Layers by parameter name.
    fields
        Fields that the user named, by parameter name.
    status_values
        Values of IMPAIRED_STATUS_FIELD that the user named.
    whole
        False: the layers are those of a part of a run, and only what is sorted row by row,
        hydrography, is recognised.

    Raises
    ------
    InputError
        A raw layer lacks what its preparation needs.
    """
    found = dict(layers)
    known = dict(fields)
    values = tuple(status_values)
    notes: list[str] = []
    named = {role for role, own in LAYER_FIELDS.items() if any(name in fields for name in own)}
    for role in _WATER:
        found[role], said = _water(role, layers, whole=whole)
        notes += said
    if not whole:
        return _recognised(found, known, values, notes)
    if "COVERAGE" not in layers:
        found["COVERAGE"], said = _coverage(layers.get("WETLANDS", ()))
        notes += said
    if "SOILS" not in named:
        found["SOILS"], own, said = _soils(layers.get("SOILS", ()))
        known |= own
        notes += said
    if "IMPAIRED" not in named and not values:
        found["IMPAIRED"], own, said = _impaired(layers.get("IMPAIRED", ()))
        known |= own
        values = ("yes",) if own else values
        notes += said
    if "TMDL" not in named:
        found["TMDL"], own, said = _tmdl(layers.get("TMDL", ()))
        known |= own
        notes += said
    return _recognised(found, known, values, notes)


def _recognised(
    found: Mapping[str, tuple[Layer, ...]],
    fields: dict[str, str],
    values: tuple[str, ...],
    notes: list[str],
) -> Recognised:
    given = {role: some for role, some in found.items() if some}
    return Recognised(given, fields, values, tuple(notes))


def may_be_wetlands(role: str, layers: Sequence[Layer]) -> bool:
    """Return whether layers may be raw wetlands, as their fields tell, whatever their rows say."""
    plain = [one for one in layers if not _prepared(one) and not _raw_hydrography(one)]
    return role in ("WATER_BODIES", "WETLANDS") and any(map(has_wetland_field, plain))


def remade_layers(
    before: Mapping[str, tuple[Layer, ...]], after: Mapping[str, tuple[Layer, ...]]
) -> tuple[str, ...]:
    """Return the names of layers whose rows `recognise` made anew, from all rows that it was given.

    Of hydrography each row is sorted by itself, so it is none of them.
    """
    made = [role for role in (*LAYER_FIELDS, "COVERAGE") if after.get(role) is not before.get(role)]
    for role in _WATER:
        pairs = zip(before.get(role, ()), after.get(role, ()), strict=True)
        if any(new is not old and not _raw_hydrography(old) for old, new in pairs):
            made.append(role)
    return tuple(made)


def _water(
    role: str, layers: Mapping[str, tuple[Layer, ...]], *, whole: bool
) -> tuple[tuple[Layer, ...], list[str]]:
    """Return the layers with a class for each feature, where the measures do not tell it."""
    result: list[Layer] = []
    notes: list[str] = []
    for layer in layers.get(role, ()):
        if _raw_hydrography(layer):
            kinds = classified(layer)
            counts = ", ".join(f"{n:,} {kind}" for kind, n in kinds["class"].value_counts().items())
            notes.append(f"{layer.name}: recognised as hydrography: {counts}")
            known = find_field(layer.frame.columns, CODE_FIELDS) is not None
            result.append(layer if known else _with_kinds(layer, kinds))
        elif whole and role == "WATER_BODIES" and _is_nwi(layer):
            frame = prepare_wetlands([layer]).layers["WATER_BODIES"]
            result.append(_as_one([layer], frame))
            notes.append(_said([layer], "the National Wetlands Inventory", len(frame)))
        else:
            result.append(layer)
    return tuple(result), notes


def _is_nwi(layer: Layer) -> bool:
    return not _prepared(layer) and wetland_kind(layer) == "nwi"


def _with_kinds(layer: Layer, kinds: pd.DataFrame) -> Layer:
    frame = gpd.GeoDataFrame(
        kinds, geometry=np.asarray(layer.frame.geometry.array, object), crs=layer.frame.crs
    )
    return dataclasses.replace(layer, frame=frame)


def _coverage(wetlands: tuple[Layer, ...]) -> tuple[tuple[Layer, ...], list[str]]:
    """Return where DEC's wetlands are complete, since they leave out the Adirondack Park."""
    raw = [one for one in wetlands if not _prepared(one) and not _raw_hydrography(one)]
    dec = [one for one in raw if wetland_kind(one) == "dec"]
    if not dec:
        return (), []
    prepared = prepare_wetlands(dec)
    frame = prepared.layers["COVERAGE"]
    if frame.empty:
        return (), []
    layer = dataclasses.replace(_as_one(dec, frame), role="COVERAGE")
    return (layer,), [note for note in prepared.notes if note.startswith("DEC's layers")]


def _prepared(layer: Layer) -> bool:
    return {"class", "kind", "permanence"} <= set(map(str, layer.frame.columns))


def _raw_hydrography(layer: Layer) -> bool:
    return not _prepared(layer) and is_hydrography(layer.frame)


def _soils(
    layers: tuple[Layer, ...],
) -> tuple[tuple[Layer, ...], dict[str, str], list[str]]:
    if not layers:
        return layers, {}, []
    names = [str(name) for name in layers[0].frame.columns]
    if known_fields().guess("SOIL_GROUP_FIELD", names) or find_field(names, ("mukey",)) is None:
        return layers, {}, []
    tables = _tables_beside(layers)
    if tables is None:
        where = "no tables of the survey beside the layer; run Prepare soils"
        return layers, {}, [f"{layers[0].name}: soil polygons without groups, and {where}"]
    prepared = prepare_soils(layers, tables)
    result = _as_one(layers, prepared.layers["SOILS"])
    notes = [_said(layers, "a soil survey", len(result.frame))]
    notes += [note for note in prepared.notes if note.startswith("Soils:")]
    return (result,), dict(_SOIL_RESULT), notes


def _tables_beside(layers: Sequence[Layer]) -> SurveyTables | None:
    """Return the tables of the download or geodatabase that the layers were read from."""
    path = Path(layers[0].source.partition("|")[0])
    if path.suffix.casefold() == ".gdb" and path.is_dir():
        tables = database_tables(find_layers(Bundle(path)), mukeys_of(layers))
        return tables if tables.by_name else None
    for folder in (path.parent / "tabular", path.parent.parent / "tabular"):
        if folder.is_dir():
            tables = text_tables(Bundle(folder))
            return tables if tables.by_name else None
    return None


def _impaired(
    layers: tuple[Layer, ...],
) -> tuple[tuple[Layer, ...], dict[str, str], list[str]]:
    if not layers:
        return layers, {}, []
    if all(is_assessment(layer.frame) for layer in layers):
        prepared = prepare_impaired(layers)
        parts = [prepared.layers[name] for name in LISTED if len(prepared.layers[name])]
        frame = _stacked(parts) if parts else prepared.layers[LISTED[0]]
        result = _as_one(layers, frame)
        notes = [_said(layers, "assessed waters", len(frame)), *prepared.notes]
        return (result,), dict(_LISTED_RESULT), notes
    return layers, {}, []


def _tmdl(
    layers: tuple[Layer, ...],
) -> tuple[tuple[Layer, ...], dict[str, str], list[str]]:
    if not layers:
        return layers, {}, []
    if all(is_assessment(layer.frame) for layer in layers):
        prepared = prepare_impaired(layers)
        frame = prepared.layers["TMDL"]
        return (
            (_as_one(layers, frame),),
            dict(_TMDL_RESULT),
            [_said(layers, "assessed waters", len(frame))],
        )
    return layers, {}, []


def _said(layers: Sequence[Layer], what: str, count: int) -> str:
    names = ", ".join(layer.name for layer in layers)
    total = sum(len(layer.frame) for layer in layers)
    role = layers[0].role
    return (
        f"{names}: recognised as {what}; {count:,} of {counted(total, 'feature')} read for {role}"
    )


def _stacked(frames: Sequence[gpd.GeoDataFrame]) -> gpd.GeoDataFrame:
    table = pd.concat([frame.drop(columns="geometry") for frame in frames], ignore_index=True)
    shapes = np.concatenate([np.asarray(frame.geometry.array, dtype=object) for frame in frames])
    return gpd.GeoDataFrame(table, geometry=shapes, crs=frames[0].crs)


def _as_one(layers: Sequence[Layer], frame: gpd.GeoDataFrame) -> Layer:
    """Return one layer in place of several, complete where one of them is."""
    first = layers[0]
    names = ", ".join(layer.name for layer in layers)
    # NULL, not an empty text, is what an attribute without a value is.
    plain = frame.drop(columns="geometry").replace({"": None})
    clean = gpd.GeoDataFrame(
        plain, geometry=np.asarray(frame.geometry.array, object), crs=frame.crs
    )
    nothing = np.full(len(clean), "", dtype=object)
    unknown = np.full(len(clean), np.nan)
    status = pd.DataFrame(
        {"fault": nothing, "repair": nothing, "before_sqft": unknown, "after_sqft": unknown}
    )
    return dataclasses.replace(
        first,
        name=names,
        frame=clean,
        extent=_extent(layers, frame),
        feature_count=sum(layer.feature_count for layer in layers),
        notes=tuple(note for layer in layers for note in layer.notes),
        status=status,
    )


def _extent(layers: Sequence[Layer], frame: gpd.GeoDataFrame) -> Extent | None:
    boxes = [
        gpd.GeoSeries([shapely.box(*layer.extent)], crs=layer.frame.crs).to_crs(frame.crs).iloc[0]
        for layer in layers
        if layer.extent is not None
    ]
    if not boxes:
        return None
    west, south, east, north = (float(side) for side in shapely.total_bounds(np.array(boxes)))
    return west, south, east, north
