"""New York tax parcels: keys, duplicates, hints of use, septic and wells, acres compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd
import shapely

from ..columns import PARCEL_COLUMNS
from ..errors import InputError
from ..facts import Floats, Texts, texts
from ..features import has_geometry
from ..fields import YES_WORDS
from ..geometry import Geometries
from ..layers import Layer
from ..parcel_classes import parcel_classes
from ..plane import area_sqft
from ..progress import Progress, no_progress
from ..units import ACRE_SQFT
from .model import Prepared
from .names import counted, find_field, numbers_of, texts_of

ACRES_SHARE: Final = 0.1
ACRES_LEAST: Final = 0.05
"""The assessor's acres are remarked on where they differ by more than a tenth and 0.05 acres."""

OVERLAP_SQFT: Final = 50.0
"""Parcels that overlap by more than this are counted: less is the drawing of shared edges."""

_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "swis": ("swis",),
    "print_key": ("print_key", "printkey"),
    "sbl": ("sbl",),
    "muni": ("muni_name", "municipality"),
    "address": ("parcel_addr", "parceladdr", "parcel_address", "prop_addrs"),
    "prop_class": ("prop_class", "propclass"),
    "sewer": ("sewer_type",),
    "water": ("water_supply", "water_supp"),
    "acres": ("acres",),
    "dup": ("dup_geo",),
    "own_key": ("swis_sbl_id", "swissblid"),
}
_KEYS: Final = ("print_key", "sbl", "swis_sbl_id", "swissblid", "printkey")
_PRIVATE: Final = ("owner", "mail", "po_box", "own_", "add_", "book", "deed")
_SEWER: Final = {
    "1": "none recorded", "2": "private: septic system likely", "3": "public sewer",
}  # fmt: skip
_WELL: Final = {
    "1": "none recorded", "2": "private: well likely", "3": "public supply",
}  # fmt: skip
_UNKNOWN: Final = "unknown"


def is_parcels(frame: pd.DataFrame) -> bool:
    """Return whether a layer has the keys of New York tax parcels."""
    key = find_field(frame.columns, _KEYS)
    return key is not None and find_field(frame.columns, ("swis", "prop_class")) is not None


def parcel_keys(swis: Texts, print_key: Texts, sbl: Texts) -> tuple[Texts, Texts]:
    """Return the key of each parcel, and what it is made of; both empty where there is none.

    PRINT_KEY and SBL tell parcels apart only within a SWIS code; an SBL without a digit (``WATER``,
    ``ROAD``) is a label.
    """
    digits = np.array([any(sign.isdigit() for sign in text) for text in sbl], dtype=bool)
    second = np.where(print_key != "", print_key, np.where(digits, sbl, "")).astype(object)
    made = np.where(print_key != "", "PRINT_KEY", np.where(digits, "SBL", ""))
    there = second != ""
    joined = np.where(there & (swis != ""), swis + " " + second, second)
    made = np.where(there & (swis != ""), np.char.add("SWIS and ", made.astype(str)), made)
    return joined.astype(object), np.where(there, made, "").astype(object)


def prepare_parcels(layers: Sequence[Layer], *, progress: Progress = no_progress) -> Prepared:
    """Return parcels with one key each, one row a parcel, and hints from the assessment roll.

    Rows of one key are one parcel in several parts; rows of several keys on one shape (units of a
    condominium, ``DUP_GEO``) are one piece of land. Pieces without a key, as of rights of way, stay
    single.

    Parameters
    ----------
    layers
        New York tax parcels, with full or ten-character field names, in any CRS.
    progress
        Called with the share done; raises to stop the run.

    Returns
    -------
    Prepared
        ``PARCELS`` with the columns of ``PARCEL_COLUMNS`` in the CRS of the first layer. Owners and
        mailing addresses are not among them.

    Raises
    ------
    InputError
        There is no layer, or one has neither PRINT_KEY nor SBL.
    """
    if not layers:
        raise InputError("parcels", "no layer", "a layer of tax parcels")
    crs = layers[0].frame.crs
    parts, geometries = [], []
    for layer in layers:
        if find_field(layer.frame.columns, _KEYS) is None:
            listed = ", ".join(str(c) for c in layer.frame.columns if c != "geometry") or "none"
            raise InputError(layer.name, f"the fields {listed}", "a field PRINT_KEY or SBL")
        parts.append(_attributes(layer))
        geometries.append(np.asarray(layer.frame.geometry.to_crs(crs).array, dtype=object))
    rows, geometry = pd.concat(parts, ignore_index=True), np.concatenate(geometries)
    progress(0.3)
    group = _same_land(rows, geometry)
    merged, shapes = _merged(rows, geometry, group)
    progress(0.7)
    area = np.where(has_geometry(shapes), area_sqft(shapes, crs), np.nan)
    merged["acres_map"] = area / ACRE_SQFT
    merged["acres_diff"], merged["acres_note"] = _compared(
        merged["acres_roll"].to_numpy(np.float64), merged["acres_map"].to_numpy(np.float64)
    )
    frame = gpd.GeoDataFrame(
        merged[[column.name for column in PARCEL_COLUMNS]], geometry=shapes, crs=crs
    )
    notes = [note for layer in layers for note in layer.notes]
    notes += _dropped(layers) + _notes(rows, frame)
    progress(1.0)
    return Prepared({"PARCELS": frame}, {"PARCELS": PARCEL_COLUMNS}, tuple(notes))


def _attributes(layer: Layer) -> pd.DataFrame:
    frame = layer.frame
    given = {
        column: texts_of(frame, aliases, layer=layer.name) for column, aliases in _FIELDS.items()
    }
    result = pd.DataFrame(index=frame.index)
    key, made = parcel_keys(given["swis"], given["print_key"], given["sbl"])
    whole = (key == "") & (given["own_key"] != "")
    result["parcel"] = np.where(whole, given["own_key"], key)
    result["key_of"] = np.where(whole, "SWIS_SBL_ID", made)
    for column in ("swis", "print_key", "sbl", "muni", "address", "prop_class"):
        result[column] = given[column]
    result["town"] = [_town(code) for code in given["swis"]]
    result["use_now"] = parcel_classes().meaning(given["prop_class"])
    result["septic"] = [_hint(code, _SEWER) for code in given["sewer"]]
    result["well"] = [_hint(code, _WELL) for code in given["water"]]
    acres = numbers_of(given["acres"])
    # The roll writes 0 where nobody entered the acres.
    result["acres_roll"] = np.where(acres > 0, acres, np.nan)
    result["duplicate"] = [text.casefold() in YES_WORDS for text in given["dup"]]
    return result


def _hint(code: str, words: dict[str, str]) -> str:
    return words.get(code.split(".")[0].lstrip("0"), _UNKNOWN)


def _town(swis: str) -> str:
    """Return what the last two digits of a SWIS code say: village, town outside, or whole."""
    if len(swis) != 6 or not swis.isdigit():
        return ""
    return {"00": "town or city", "89": "town outside village"}.get(swis[4:], "village")


def _same_land(rows: pd.DataFrame, geometry: Geometries) -> npt.NDArray[np.int64]:
    """Return the number of the piece of land that each row belongs to, in order of appearance."""
    own = np.array([f"row {number}" for number in range(len(rows))], dtype=object)
    key = np.where(rows["parcel"] != "", "key " + rows["parcel"].astype(str), own).astype(object)
    shape = pd.Series(shapely.to_wkb(shapely.normalize(geometry)), dtype=object)
    there = has_geometry(geometry)
    number, _ = pd.factorize(key)
    # Rows on one shape are one piece of land, and so are all rows that share a key with them.
    shared = pd.DataFrame({"shape": shape, "group": number})[there]
    first = shared.groupby("shape")["group"].transform("min").reindex(range(len(rows)))
    links = pd.DataFrame({"a": number, "b": first.fillna(pd.Series(number)).astype(np.int64)})
    root = np.arange(number.max() + 1 if len(number) else 0)
    for a, b in links[links["a"] != links["b"]].drop_duplicates().itertuples(index=False):
        high, low = sorted((_root(root, a), _root(root, b)), reverse=True)
        root[high] = low
    return np.array([_root(root, one) for one in number], dtype=np.int64)


def _root(root: npt.NDArray[np.int64], at: int) -> int:
    while root[at] != at:
        at = int(root[at])
    return int(at)


def _merged(
    rows: pd.DataFrame, geometry: Geometries, group: npt.NDArray[np.int64]
) -> tuple[pd.DataFrame, Geometries]:
    """Return one row a piece of land: the first of its rows, and the union of their shapes."""
    order = pd.Series(range(len(rows))).groupby(group, sort=False)
    first = order.min().to_numpy().astype(np.int64)
    members = order.indices
    numbers = order.min().index.to_numpy()
    result = rows.iloc[first].reset_index(drop=True)
    shapes = geometry[first].copy()
    count = order.size().to_numpy()
    result["merged"] = count
    result["parcels"] = result["parcel"]
    for place in np.flatnonzero(count > 1):
        own = members[numbers[place]]
        shapes[place] = _union(geometry[own])
        keys = [key for key in rows["parcel"].iloc[own].unique() if key]
        result.loc[place, "parcels"] = "; ".join(keys)
        by_key = rows.iloc[own].drop_duplicates("parcel")
        # Units of a condominium share the land: their acres are not added up.
        result.loc[place, "acres_roll"] = by_key["acres_roll"].max()
        for column in ("septic", "well"):
            words = by_key[column].unique()
            result.loc[place, column] = next((w for w in words if "likely" in w), words[0])
    return result, shapes


def _union(geometries: Geometries) -> object:
    there = geometries[has_geometry(geometries)]
    return shapely.union_all(there) if len(there) else None


def _compared(roll: Floats, measured: Floats) -> tuple[Floats, Texts]:
    """Return by how many percent the measured acres differ from the roll's, and a remark."""
    with np.errstate(invalid="ignore", divide="ignore"):
        percent = 100.0 * (measured - roll) / roll
    apart = np.abs(measured - roll)
    far = (apart > ACRES_SHARE * roll) & (apart > ACRES_LEAST)
    note = texts(len(roll))
    note[np.isnan(roll)] = "the roll gives no acres"
    note[far] = [
        f"the roll says {a:g} acres, the drawing has {b:.2f}"
        for a, b in zip(roll[far], measured[far], strict=True)
    ]
    note[np.isnan(measured)] = "no usable geometry"
    return percent, note


def _dropped(layers: Sequence[Layer]) -> list[str]:
    private = sorted(
        {
            str(name)
            for layer in layers
            for name in layer.frame.columns
            if str(name).casefold().startswith(_PRIVATE) or "owner" in str(name).casefold()
        }
    )
    return [f"Fields of owners and mail not taken over: {', '.join(private)}"] if private else []


def _notes(rows: pd.DataFrame, frame: gpd.GeoDataFrame) -> list[str]:
    notes = [f"{counted(len(rows), 'row')} make {counted(len(frame), 'parcel')}"]
    several = frame["merged"] > 1
    if several.any():
        from_rows = counted(int(frame["merged"][several].sum()), "row")
        notes.append(
            f"{counted(int(several.sum()), 'parcel')} merged from {from_rows}"
            f" of one key or one shape ({int(rows['duplicate'].sum()):,} marked DUP_GEO)"
        )
    lacking = int((frame["parcel"] == "").sum())
    if lacking:
        notes.append(f"{counted(lacking, 'piece')} without a key (rights of way) kept single")
    alone = int(((frame["parcel"] != "") & (frame["swis"] == "")).sum())
    if alone:
        notes.append(f"{counted(alone, 'key')} without SWIS: not unique across municipalities")
    differ = int(frame["acres_note"].str.startswith("the roll says").sum())
    if differ:
        notes.append(
            f"{counted(differ, 'parcel')} with other acres in the roll than in the drawing, by more"
            f" than {ACRES_SHARE:.0%}; measured acres are used"
        )
    overlaps = _overlapping(frame)
    if overlaps:
        notes.append(f"{counted(overlaps, 'parcel')} overlap another by more than 50 sq ft")
    return notes


def _overlapping(frame: gpd.GeoDataFrame) -> int:
    geometry = np.asarray(frame.geometry.array, dtype=object)
    there = geometry[has_geometry(geometry)]
    if not len(there):
        return 0
    first, second = shapely.STRtree(there).query(there, predicate="overlaps")
    _, inside = shapely.STRtree(there).query(there, predicate="contains_properly")
    one, other = first[first < second], second[first < second]
    shared = area_sqft(shapely.intersection(there[one], there[other]), frame.crs)
    far = shared > OVERLAP_SQFT
    return len(set(one[far]) | set(other[far]) | set(inside))
