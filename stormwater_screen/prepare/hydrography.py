"""Water bodies, watercourses, wetlands and supplies from the hydrography of the USGS."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd
import shapely

from ..columns import COURSE_COLUMNS, LEFT_OUT_COLUMNS, WATER_COLUMNS, Column
from ..errors import InputError
from ..facts import Texts, texts
from ..features import has_geometry
from ..geometry import Geometries
from ..layers import Layer
from ..network_numbers import (
    FIELDS,
    as_texts,
    numbers_of_lines,
    runs_as_digitised,
    through,
    turns_by_numbers,
)
from ..progress import Progress, no_progress
from ..tables import (
    NHD_CLASSES,
    PERMANENCES,
    TABLES,
    NhdCode,
    NhdTable,
    nhd_table,
    normalised,
    read_rows,
)
from .model import Prepared
from .names import counted, find_field, texts_of

OUTPUTS: Final = ("WATER_BODIES", "WATERCOURSES", "WETLANDS", "WATER_SUPPLIES")
TYPE_FIELDS: Final = ("ftype", "featuretype", "feature_type")
LABEL_FIELDS: Final = ("featuretypelabel", "feature_type_label", "ftype_label")
CODE_FIELDS: Final = ("fcode",)
_IDS: Final = (
    "permanent_identifier", "permanent_", "id3dhp", "nhdplusid", "comid", "featureid",
)  # fmt: skip
_NAMES: Final = ("gnis_name", "gnisidlabel", "name")
_SHARE: Final = 1e-4
_POINT, _LINE, _POLYGON = 0, 1, 2
_WATERBODY_TYPES: Final = {1: "river", 2: "canal", 3: "lake", 4: "ocean or great lake"}
"""Feature types of the 3DHP's water bodies."""
_PLACED: Final = {
    ("water", _POLYGON): "WATER_BODIES", ("water", _LINE): "WATERCOURSES",
    ("artificial_path", _LINE): "WATERCOURSES", ("wetland", _POLYGON): "WETLANDS",
    ("supply", _POINT): "WATER_SUPPLIES",
    ("review", _POLYGON): "WATER_BODIES", ("review", _LINE): "WATERCOURSES",
    ("review", _POINT): "WATER_SUPPLIES",
}  # fmt: skip
_LEFT: Final = {
    "conveyance": "a conveyance, not a water body", "not_water": "not a water body",
    "review": "for review only", "wetland": "a wetland drawn as a line or point",
    "water": "water drawn as a point", "artificial_path": "an artificial path that is no line",
    "supply": "a supply that is no point: give it as WATER_SUPPLIES itself",
}  # fmt: skip


@lru_cache(maxsize=1)
def hydro_words(path: Path | None = None) -> dict[str, NhdCode]:
    """Return what the words of feature types without an NHD code are to the screening.

    Parameters
    ----------
    path
        CSV with the columns word, class, permanence, note; None: the shipped table.

    Raises
    ------
    InputError
        The table has an unknown word.
    """
    path = path or TABLES / "hydro_words.csv"
    found: dict[str, NhdCode] = {}
    for line, row in read_rows(path, ("word", "class", "permanence", "note")):
        where = f"table {path.name}, line {line}, key {row['word']!r}"
        for word, allowed in ((row["class"], NHD_CLASSES), (row["permanence"], PERMANENCES)):
            if word not in allowed:
                raise InputError(where, f"the word {word!r}", f"one of {', '.join(allowed)}")
        key = normalised(row["word"])
        found[key] = NhdCode(0, "", row["word"], row["permanence"], row["class"], row["note"])
    return found


def is_hydrography(frame: pd.DataFrame) -> bool:
    """Return whether a layer has the feature types of a hydrography dataset."""
    code = find_field(frame.columns, CODE_FIELDS)
    label = find_field(frame.columns, LABEL_FIELDS)
    kind = find_field(frame.columns, TYPE_FIELDS)
    return (
        code is not None
        or label is not None
        or (kind is not None and find_field(frame.columns, _IDS) is not None)
    )


def classified(layer: Layer, table: NhdTable | None = None) -> pd.DataFrame:
    """Return what each feature of a layer is to the screening.

    Parameters
    ----------
    layer
        Layer of NHD, NHDPlus HR, NHDPlus V2 or 3DHP: lines, areas, water bodies or points.
    table
        Code table; None: the shipped one.

    Returns
    -------
    pandas.DataFrame
        One row a feature, with the columns of ``COURSE_COLUMNS``. Codes that no table has are of
        class ``review``.
    """
    frame, table = layer.frame, table or nhd_table()
    result = pd.DataFrame(index=frame.index)
    result["feature"] = texts_of(frame, _IDS, layer=layer.name)
    label = texts_of(frame, LABEL_FIELDS, layer=layer.name)
    kind = texts_of(frame, TYPE_FIELDS, layer=layer.name)
    code = texts_of(frame, CODE_FIELDS, layer=layer.name)
    rows = pd.DataFrame({"kind": kind, "label": label, "code": code})
    bodies = bool((shapely.get_dimensions(frame.geometry.array) == _POLYGON).any())
    threedhp = find_field(frame.columns, ("id3dhp", *LABEL_FIELDS)) is not None
    unique: dict[tuple[str, ...], NhdCode] = {
        (kind, label, code): _code(kind, label, code, table, threedhp, bodies)
        for kind, label, code in set(rows.itertuples(index=False, name=None))
    }
    codes = [unique[key] for key in rows.itertuples(index=False, name=None)]
    names = np.array([code.name for code in codes], dtype=object).reshape(len(frame))
    given = texts_of(frame, _NAMES, layer=layer.name)
    result["name"] = np.where(given != "", given, np.char.add("unnamed ", names.astype(str)))
    result["kind"] = names
    result["class"] = [code.nhd_class for code in codes]
    result["permanence"] = [code.permanence for code in codes]
    result["ftype"] = np.where(label != "", label, kind)
    result["fcode"] = code
    result["note"] = [code.note for code in codes]
    result["source"] = layer.name
    result[list(FIELDS)] = _texts_of_numbers(numbers_of_lines(frame))
    result["flowdir"] = np.where(runs_as_digitised(frame), "1", "")
    return result


def _texts_of_numbers(numbers: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame({name: as_texts(numbers[name]) for name in FIELDS}, index=numbers.index)


def _code(
    kind: str, label: str, code: str, table: NhdTable, threedhp: bool, bodies: bool
) -> NhdCode:
    if not threedhp:
        found = table.find(kind or None, code or None)
        if found is not None:
            return found
    words = normalised(label or kind)
    if threedhp and not label and bodies and kind.isdigit():
        words = _WATERBODY_TYPES.get(int(kind), words)
    found = hydro_words().get(words)
    if found is None and words and not words.isdigit():
        found = table.find(words, None)
    if found is None:
        what = f"type {label or kind or 'none'}" + (f", code {code}" if code else "")
        found = NhdCode(0, "", what, "", "review", "a type that the tables do not have")
    return found


def prepare_hydrography(
    layers: Sequence[Layer],
    *,
    with_review: bool = True,
    table: NhdTable | None = None,
    progress: Progress = no_progress,
) -> Prepared:
    """Sort hydrography into what counts as water and what does not, with the reason.

    Parameters
    ----------
    layers
        Layers of NHD, NHDPlus HR, NHDPlus V2 or 3DHP in any CRS: lines, areas, water bodies,
        points. The same feature in several downloads is kept once.
    with_review
        True: what the law leaves open (ditches, ephemeral streams, springs) is kept, with class
        ``review``; False: it is left out and listed.
    table
        Code table; None: the shipped one.
    progress
        Called with the share done; raises to stop the run.

    Returns
    -------
    Prepared
        Layers ``WATER_BODIES``, ``WATERCOURSES``, ``WETLANDS``, ``WATER_SUPPLIES`` in the CRS of
        the first layer, and the table ``LEFT_OUT``.

    Raises
    ------
    InputError
        There is no layer, or one has no feature types.
    """
    if not layers:
        raise InputError("hydrography", "no layer", "layers of NHD, NHDPlus or 3DHP")
    crs = layers[0].frame.crs
    tables, geometries = [], []
    for number, layer in enumerate(layers):
        if not is_hydrography(layer.frame):
            listed = ", ".join(str(c) for c in layer.frame.columns if c != "geometry") or "none"
            needed = "a field FTYPE, FCODE or featuretype"
            raise InputError(layer.name, f"the fields {listed}", needed)
        tables.append(classified(layer, table))
        geometries.append(np.asarray(layer.frame.geometry.to_crs(crs).array, dtype=object))
        progress(0.4 * (number + 1) / len(layers))
    found = pd.concat(tables, ignore_index=True)
    geometry = np.concatenate(geometries)
    why = _left_out(found, geometry, with_review)
    why = np.where(
        _repeated(found, geometry) & (why == ""), "the same feature is there already", why
    )
    found, geometry, turned = _running_down(found, geometry)
    geometry, inside = without_paths_inside(found, geometry, why == "", progress)
    why = np.where(inside & (why == ""), "an artificial path inside a water body", why)
    numbers = through(numbers_of_lines(found), why != "")
    found[list(FIELDS)] = _texts_of_numbers(numbers)
    progress(0.9)
    outputs: dict[str, gpd.GeoDataFrame] = {}
    columns: dict[str, tuple[Column, ...]] = {}
    kind = _placed(found, geometry)
    for name in OUTPUTS:
        rows = np.flatnonzero((kind == name) & (why == ""))
        columns[name] = COURSE_COLUMNS if name == "WATERCOURSES" else WATER_COLUMNS
        part = found[[column.name for column in columns[name]]].iloc[rows].reset_index(drop=True)
        outputs[name] = gpd.GeoDataFrame(part, geometry=geometry[rows], crs=crs)
    gone = found.assign(why=why)[why != ""].reset_index(drop=True)
    gone = gone[[column.name for column in LEFT_OUT_COLUMNS]]
    columns["LEFT_OUT"] = LEFT_OUT_COLUMNS
    notes = [note for layer in layers for note in layer.notes]
    notes += _notes(found, outputs, gone)
    if turned:
        notes.append(f"{counted(turned, 'line')} turned: by the numbers they run the other way")
    progress(1.0)
    return Prepared(outputs, columns, tuple(notes), {"LEFT_OUT": gone})


def _running_down(
    found: pd.DataFrame, geometry: Geometries
) -> tuple[pd.DataFrame, Geometries, int]:
    """Return the features with lines turned that run up by their numbers, and how many these are.

    ``flowdir`` is 1 for all whose direction is known.
    """
    given = (found["flowdir"] == "1").to_numpy(bool)
    turns = turns_by_numbers(
        geometry, numbers_of_lines(found), found["source"].to_numpy(object), given
    )
    turned = np.asarray(geometry, dtype=object).copy()
    turned[turns.turned] = _reversed(geometry[turns.turned])
    known = np.where(given | turns.told, "1", "")
    return found.assign(flowdir=known), turned, int(turns.turned.sum())


def _reversed(lines: Geometries) -> Geometries:
    """Return lines that run the other way, their parts in the other order as well."""
    parts, owner = shapely.get_parts(lines, return_index=True)
    order = np.lexsort((-np.arange(len(parts)), owner))
    joined = shapely.multilinestrings(shapely.reverse(parts[order]), indices=owner[order])
    single = shapely.get_num_geometries(lines) == 1
    return np.where(single, shapely.reverse(lines), joined).astype(object)


def _placed(found: pd.DataFrame, geometry: Geometries) -> Texts:
    dimension = shapely.get_dimensions(geometry)
    return np.array(
        [_PLACED.get(pair, "") for pair in zip(found["class"], dimension, strict=True)],
        dtype=object,
    ).reshape(len(found))


def _left_out(found: pd.DataFrame, geometry: Geometries, with_review: bool) -> Texts:
    """Return why features are left out; empty for those that are kept."""
    why = texts(len(found))
    kept = _placed(found, geometry) != ""
    if not with_review:
        kept &= (found["class"] != "review").to_numpy()
    for row in np.flatnonzero(~kept):
        kind = found["class"].iat[row]
        note = found["note"].iat[row]
        why[row] = f"{found['kind'].iat[row]}: {_LEFT[kind]}" + (f" ({note})" if note else "")
    why[~has_geometry(geometry)] = "no usable geometry"
    return why


def _repeated(found: pd.DataFrame, geometry: Geometries) -> npt.NDArray[np.bool_]:
    """Return which features have the id and the shape of one before."""
    shape = pd.Series(shapely.to_wkb(shapely.normalize(geometry)), dtype=object).map(hash)
    table = pd.DataFrame({"feature": found["feature"].to_numpy(), "shape": shape.to_numpy()})
    repeated: npt.NDArray[np.bool_] = table.duplicated().to_numpy()
    repeated &= (found["feature"] != "").to_numpy()
    return repeated


def without_paths_inside(
    found: pd.DataFrame,
    geometry: Geometries,
    kept: npt.NDArray[np.bool_],
    progress: Progress = no_progress,
) -> tuple[Geometries, npt.NDArray[np.bool_]]:
    """Return the features with artificial paths cut to what lies outside polygons of water.

    Parameters
    ----------
    found
        As `classified` returns it.
    geometry
        Geometries in one CRS.
    kept
        Features that are looked at.
    progress
        Called with the share done; raises to stop the run.

    Returns
    -------
    geometry
        With the parts of artificial paths inside polygons cut away.
    inside
        True for artificial paths of which nothing is left.
    """
    dimension = shapely.get_dimensions(geometry)
    kind = found["class"].to_numpy(object)
    paths = np.flatnonzero((kind == "artificial_path") & (dimension == _LINE) & kept)
    water = geometry[np.isin(kind, ["water", "wetland"]) & (dimension == _POLYGON) & kept]
    inside = np.zeros(len(found), dtype=bool)
    if not len(paths) or not len(water):
        return geometry, inside
    result = geometry.copy()
    tree = shapely.STRtree(water)
    pairs = pd.DataFrame(tree.query(geometry[paths], predicate="intersects").T, columns=["p", "w"])
    for number, (path, rows) in enumerate(pairs.groupby("p")):
        line = geometry[paths[path]]
        rest = shapely.difference(line, shapely.union_all(water[rows["w"].to_numpy()]))
        row = paths[path]
        inside[row] = shapely.length(rest) <= _SHARE * shapely.length(line)
        if not inside[row]:
            result[row] = rest
        if number % 100 == 0:
            progress(0.5)
    return result, inside


def _notes(
    found: pd.DataFrame, outputs: dict[str, gpd.GeoDataFrame], gone: pd.DataFrame
) -> list[str]:
    notes = [
        f"{counted(len(frame), 'feature')} to {name}: {_kinds(frame)}"
        for name, frame in outputs.items()
        if len(frame)
    ]
    if len(gone):
        notes.append(f"{counted(len(gone), 'feature')} left out: {_kinds(gone, 'why')}")
    review = sum(int((frame["class"] == "review").sum()) for frame in outputs.values())
    if review:
        notes.append(
            f"{counted(review, 'feature')} of class review kept: whether the law counts them is"
            " to be looked at"
        )
    paths = int((outputs["WATERCOURSES"]["class"] == "artificial_path").sum())
    if paths:
        notes.append(
            f"{counted(paths, 'artificial path')} without a polygon around taken as watercourses:"
            " the shore lies nearer than the centre line"
        )
    if not (found["class"] == "wetland").any():
        notes.append("No wetlands are mapped in these layers, which says nothing of wetlands")
    if not (found["class"] == "supply").any():
        notes.append("No wells are mapped in these layers, which says nothing of supplies")
    return notes


def _kinds(table: pd.DataFrame, column: str = "kind") -> str:
    counts = table[column].value_counts()
    shown = [f"{count:,} {kind}" for kind, count in counts.iloc[:6].items()]
    return ", ".join(shown) + (" and others" if len(counts) > 6 else "")
