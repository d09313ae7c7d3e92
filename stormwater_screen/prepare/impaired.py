"""Listed waters and TMDL areas from EPA ATTAINS and the New York Waterbody Inventory."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from datetime import date
from typing import Final

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd
import shapely

from ..columns import LISTED_COLUMNS, UNLISTED_COLUMNS
from ..errors import InputError
from ..facts import Floats, Texts, texts
from ..features import has_geometry
from ..fields import NO_WORDS, YES_WORDS
from ..geometry import Geometries
from ..layers import Layer
from ..progress import Progress, no_progress
from ..tables import PollutantTable, normalised, pollutant_table
from .model import Prepared
from .names import SHAPEFILE_NAME, counted, find_field, numbers_of, texts_of

LISTED: Final = ("LISTED_AREAS", "LISTED_LINES", "LISTED_POINTS")
OLD_YEARS: Final = 4
"""Years after which a list is called old: two cycles of the Clean Water Act's reports."""

_CAUSES: Final = (
    "algal_growth", "ammonia", "biotoxins", "cause_unknown", "cause_unknown_fish_kills",
    "cause_unknown_impaired_biota", "chlorine", "dioxins", "fish_consumption_advisory",
    "flow_alterations", "habitat_alterations", "hydrologic_alteration", "mercury",
    "metals_other_than_mercury", "noxious_aquatic_plants", "nuisance_exotic_species",
    "nuisance_native_species", "nutrients", "oil_and_grease", "oxygen_depletion", "other_cause",
    "pathogens", "pesticides", "pfas", "ph_acidity_caustic_conditions",
    "polychlorinated_biphenyls_pcbs", "radiation", "solids_chlorides_sulfates", "sediment",
    "taste_color_and_odor", "temperature", "total_toxics", "toxic_inorganics", "toxic_organics",
    "trash", "turbidity",
)  # fmt: skip
_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "unit": (
        "assessmentunitidentifier", "assessmentunitid", "assessment_unit_id", "auid", "pwl_id",
        "seg_id", "segid",
    ),
    "cycle": ("reportingcycle", "reporting_cycle", "cycle", "list_year"),
    "category": ("ircategory", "ir_category", "epaircategory", "assessment", "category", "wi_pwl"),
    "listed": ("on303dlist", "on_303d_list", "303d"),
    "tmdl": ("hastmdl", "has_tmdl"),
    "catchment": ("catchmentareasqkm", "catchmentistribal", "catchmentresolution"),
}  # fmt: skip
_UNIT_NAMES: Final = (
    "assessmentunitname", "assessment_unit_name", "waterbody", "waterbody_name", "name", "descript",
)  # fmt: skip
_PARAMETER: Final = ("parametername", "parameter_name", "parameter", "pollutant", "cause")
_PARAMETER_STATUS: Final = (
    "parameterstatus", "parameterstatusname", "parameter_status", "status",
)  # fmt: skip
_OWN_POLLUTANT: Final = (
    "pollutant", "pollutants", "cause", "causes", "cause_name", "impairment", "poll_cause",
)  # fmt: skip
_CATEGORY: Final = re.compile(r"(?:category\s*)?([1-5])\s*-?\s*([a-c])?", re.IGNORECASE)
_DIMENSION: Final = ("LISTED_POINTS", "LISTED_LINES", "LISTED_AREAS")
_WORDS: Final = {
    "impaired": "5?", "impaired segment": "5?", "impaired water": "5?",
}  # fmt: skip
_REASON: Final = {
    "4A": "category 4A: a TMDL is in place; the water is not on the 303(d) list",
    "4B": "category 4B: another control is in place; not on the 303(d) list, no TMDL",
    "4C": "category 4C: not impaired by a pollutant",
    "4": "category 4: not on the 303(d) list; which part of it is not said",
}


def is_assessment(frame: pd.DataFrame) -> bool:
    """Return whether a layer lists assessed waters."""
    fields = frame.columns
    unit = find_field(fields, _FIELDS["unit"])
    told = (*_FIELDS["category"], *_FIELDS["listed"], *_FIELDS["tmdl"])
    return unit is not None and find_field(fields, told) is not None


def units_of(layer: Layer) -> pd.DataFrame:
    """Return the assessed waters of a layer, one row a feature.

    Returns
    -------
    pandas.DataFrame
        unit, name, cycle (year or NaN), category (``5``, ``4A`` ..., ``5?`` where the inventory
        says impaired without saying listed, empty: not known), listed and tmdl (``yes``, ``no`` or
        empty), catchment (whether it is the land that drains to the water), causes and observed
        (texts separated by ``; ``).
    """
    layer = dataclasses.replace(layer, frame=_with_whole_names(layer.frame))
    frame = layer.frame
    result = pd.DataFrame(index=frame.index)
    for column in ("unit", "listed", "tmdl"):
        result[column] = texts_of(frame, _FIELDS[column], layer=layer.name)
    result["name"] = texts_of(frame, _UNIT_NAMES, layer=layer.name)
    result["cycle"] = numbers_of(texts_of(frame, _FIELDS["cycle"], layer=layer.name))
    result["category"] = _categories(texts_of(frame, _FIELDS["category"], layer=layer.name))
    for column in ("listed", "tmdl"):
        words = [text.casefold() for text in result[column]]
        result[column] = [
            "yes" if word in YES_WORDS else "no" if word in NO_WORDS else "" for word in words
        ]
    result["catchment"] = find_field(frame.columns, _FIELDS["catchment"]) is not None
    result["causes"], result["observed"] = _causes(layer)
    result["source"] = layer.name
    return result


def _with_whole_names(frame: gpd.GeoDataFrame) -> gpd.GeoDataFrame:
    """Return a layer with its id and its name told apart where a shapefile cut both names alike."""
    own = {str(name).casefold(): name for name in frame.columns}
    if not {"assessment", "assessme_1"} <= set(own):
        return frame
    pair = [own["assessment"], own["assessme_1"]]
    blanks = [frame[name].astype(str).str.strip().str.contains(" ").mean() for name in pair]
    ids, names = pair if blanks[0] <= blanks[1] else pair[::-1]
    return frame.rename(columns={ids: "assessmentunitidentifier", names: "assessmentunitname"})


def _categories(given: Texts) -> Texts:
    found = texts(len(given))
    for row, text in enumerate(given):
        match = _CATEGORY.match(text)
        # 5-alt and 5R are ways of working on waters that are on the list.
        if match:
            letter = (match[2] or "").upper() if match[1] == "4" else ""
            found[row] = match[1] + letter
        else:
            found[row] = _WORDS.get(normalised(text), "")
            if text and not found[row]:
                found[row] = f"({text})"
    return found


def _causes(layer: Layer) -> tuple[Texts, Texts]:
    """Return causes of impairment and what was only observed, from a column for each or one."""
    frame = layer.frame
    causes, observed = texts(len(frame)), texts(len(frame))
    own = find_field(frame.columns, _OWN_POLLUTANT)
    fields = {} if own is not None and own.casefold() not in _CAUSES else _cause_fields(frame)
    for field, words in fields.items():
        for row, value in enumerate(texts_of(frame, (field.casefold(),), layer=layer.name)):
            status = value.casefold()
            target = {"cause": causes, "observed effect": observed}.get(status)
            if target is not None:
                target[row] += ("; " if target[row] else "") + words
    if not fields and own is not None:
        causes = texts_of(frame, (own.casefold(),), layer=layer.name)
    return causes, observed


def _cause_fields(frame: pd.DataFrame) -> dict[str, str]:
    """Return the layer's columns of causes, whole or cut to ten characters, and their words."""
    own = {str(name).casefold(): str(name) for name in frame.columns}
    found = {own[cause]: cause.replace("_", " ") for cause in _CAUSES if cause in own}
    short: dict[str, list[str]] = {}
    for cause in _CAUSES:
        if len(cause) > SHAPEFILE_NAME:
            short.setdefault(cause[:SHAPEFILE_NAME], []).append(cause.replace("_", " "))
    for cut, words in short.items():
        if cut in own and own[cut] not in found:
            found[own[cut]] = words[0]
        # Names that a shapefile cut alike are numbered: cause_unkn, cause_un_1, cause_un_2.
        for number in range(1, len(words)):
            name = f"{cut[:8]}_{number}"
            if name in own:
                found[own[name]] = words[0]
    return found


def with_parameters(units: pd.DataFrame, parameters: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the units with the causes that a table of parameters names.

    Parameters
    ----------
    units
        As `units_of` returns it.
    parameters
        One row a unit, cycle and parameter.
    name
        Name of the table as the user knows it.

    Raises
    ------
    InputError
        The table has no unit or no parameter.
    """
    fields = parameters.columns
    unit, words = find_field(fields, _FIELDS["unit"]), find_field(fields, _PARAMETER)
    if unit is None or words is None:
        listed = ", ".join(map(str, fields)) or "none"
        needed = "assessmentunitidentifier and parametername"
        raise InputError(name, f"the fields {listed}", needed)
    table = pd.DataFrame(
        {
            "unit": texts_of(parameters, (unit.casefold(),), layer=name),
            "words": texts_of(parameters, (words.casefold(),), layer=name),
            "status": texts_of(parameters, _PARAMETER_STATUS, layer=name),
            "cycle": numbers_of(texts_of(parameters, _FIELDS["cycle"], layer=name)),
        }
    )
    newest = table.groupby("unit")["cycle"].transform("max")
    table = table[(table["cycle"] == newest) | newest.isna()]
    status = table["status"].str.casefold()
    has_status = find_field(fields, _PARAMETER_STATUS) is not None
    result = units.copy()
    for column, chosen in (
        ("causes", status.eq("cause") if has_status else pd.Series(True, index=table.index)),
        ("observed", status.eq("observed effect")),
    ):
        said = table[chosen & (table["words"] != "")].groupby("unit")["words"]
        known = said.agg(lambda some: "; ".join(dict.fromkeys(some)))
        named = units["unit"].map(known)
        result[column] = named.where(named.notna(), units[column])
    return result


def prepare_impaired(
    layers: Sequence[Layer],
    *,
    parameters: tuple[str, pd.DataFrame] | None = None,
    pollutants: PollutantTable | None = None,
    today: date | None = None,
    progress: Progress = no_progress,
) -> Prepared:
    """Sort assessed waters into the 303(d) list, TMDL areas and the rest.

    Parameters
    ----------
    layers
        Layers of ATTAINS (areas, lines, points, catchments) or of the New York inventory, any CRS.
    parameters
        Name and rows of the ATTAINS table of parameters, or None.
    pollutants
        Table that sorts pollutants; None: the shipped one.
    today
        Day from which the age of the list is counted; None: today.
    progress
        Called with the share done; raises to stop the run.

    Returns
    -------
    Prepared
        ``LISTED_AREAS``, ``LISTED_LINES``, ``LISTED_POINTS`` (303(d): category 5, or waters said to
        be impaired without saying whether they are listed, ``listed`` then empty), ``TMDL``
        (polygons of units with a TMDL: waters and the catchments that drain to them) in the CRS of
        the first layer; the table ``UNLISTED`` of all else with the reason. Of several cycles of a
        unit the newest is kept.

    Raises
    ------
    InputError
        A layer does not list assessed waters.

    Source
    ------
    EPA, Integrated Reporting Guidance: categories 1 to 5.
    """
    if not layers:
        raise InputError("listed waters", "no layer", "layers of ATTAINS or of the New York WI/PWL")
    crs = layers[0].frame.crs
    for layer in layers:
        if not is_assessment(layer.frame):
            listed = ", ".join(str(c) for c in layer.frame.columns if c != "geometry") or "none"
            raise InputError(layer.name, f"the fields {listed}", "a unit id and a category")
    found = pd.concat([units_of(layer) for layer in layers], ignore_index=True)
    geometry = np.concatenate(
        [np.asarray(layer.frame.geometry.to_crs(crs).array, dtype=object) for layer in layers]
    )
    if parameters is not None:
        found = with_parameters(found, parameters[1], parameters[0])
    progress(0.5)
    found = _sorted_pollutants(_catchments_named(found), pollutants or pollutant_table())
    old = _older(found)
    is_tmdl = ((found["tmdl"] == "yes") | (found["category"] == "4A")).to_numpy()
    on_list = _on_list(found)
    dimension = shapely.get_dimensions(geometry)
    usable = has_geometry(geometry) & ~old
    catchment = found["catchment"].to_numpy(bool)
    outputs: dict[str, gpd.GeoDataFrame] = {}
    placed = np.zeros(len(found), dtype=bool)
    water = usable & (on_list != "no") & ~catchment
    alone = _undrawn(found, usable & (on_list != "no") & catchment, water)
    on_list = np.where(alone, "", on_list).astype(object)
    for kind, name in enumerate(_DIMENSION):
        chosen = (water | alone) & (dimension == kind)
        outputs[name] = _frame(found, geometry, chosen, crs, on_list)
        placed |= chosen
    tmdl = usable & is_tmdl & (dimension == 2)
    outputs["TMDL"] = _frame(found, geometry, tmdl, crs, on_list)
    placed |= tmdl
    rest = found.assign(why=_why(found, geometry, old, on_list, is_tmdl))[~placed]
    rest = rest.assign(listed=on_list[~placed]).reset_index(drop=True)
    notes = [note for layer in layers for note in layer.notes]
    notes += _notes(found[~old], outputs, is_tmdl[~old], dimension[~old], int(old.sum()))
    notes += _age(found["cycle"].to_numpy(np.float64), today or date.today())
    progress(1.0)
    columns = dict.fromkeys((*LISTED, "TMDL"), LISTED_COLUMNS) | {"UNLISTED": UNLISTED_COLUMNS}
    table = rest[[column.name for column in UNLISTED_COLUMNS]]
    return Prepared(outputs, columns, tuple(notes), {"UNLISTED": table})


def _catchments_named(found: pd.DataFrame) -> pd.DataFrame:
    """Return the units with the causes of a unit also on its catchments, which have no columns."""
    result = found.copy()
    for column in ("causes", "observed"):
        known = found[found[column] != ""].drop_duplicates(["unit", "cycle"])
        key = pd.MultiIndex.from_frame(known[["unit", "cycle"]])
        by_unit = pd.Series(known[column].to_numpy(), index=key)
        own = pd.MultiIndex.from_frame(found[["unit", "cycle"]])
        named = by_unit.reindex(own).fillna("").to_numpy(object)
        result[column] = np.where(found[column] == "", named, found[column])
    return result


def _sorted_pollutants(found: pd.DataFrame, table: PollutantTable) -> pd.DataFrame:
    """Return the units with the text of pollutants and its parts by class."""
    result = found.copy()
    # What was only observed is no cause: under its own words the table has it for review.
    watched = found["observed"].map(
        lambda text: "; ".join(f"observed effect {part}" for part in text.split("; ") if part)
    )
    result["pollutant"] = found["causes"].where(found["causes"] != "", watched)
    both = (found["causes"] != "") & (watched != "")
    result.loc[both, "pollutant"] = found["causes"][both] + "; " + watched[both]
    matches = {text: table.match(text) for text in set(result["pollutant"])}
    for column, kind in (
        ("poll_yes", "yes"),
        ("poll_rev", "review"),
        ("poll_no", "not_stormwater"),
    ):
        result[column] = [
            "; ".join(one.text for one in matches[text] if one.pollutant_class == kind and one.text)
            for text in result["pollutant"]
        ]
    return result


def _older(found: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """Return which rows are of an older cycle than the newest of their unit."""
    newest = found.groupby("unit")["cycle"].transform("max")
    older: npt.NDArray[np.bool_] = (found["cycle"] < newest).to_numpy()
    undated = found["cycle"].isna() & newest.notna()
    older |= undated.to_numpy()
    older &= (found["unit"] != "").to_numpy()
    return older


def _on_list(found: pd.DataFrame) -> Texts:
    """Return whether each unit is on the 303(d) list: yes, no, or empty where it is not said."""
    category = found["category"].to_numpy(object)
    listed = found["listed"].to_numpy(object)
    by_category = np.where(category == "5", "yes", np.where(category == "5?", "", "no"))
    by_category = np.where(category == "", "", by_category)
    return np.where(listed != "", listed, by_category).astype(object)


def _undrawn(
    found: pd.DataFrame, land: npt.NDArray[np.bool_], water: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """Return the catchments of listed waters that are not drawn themselves."""
    drawn = set(found["unit"][water])
    undrawn: npt.NDArray[np.bool_] = ~found["unit"].isin(drawn).to_numpy()
    return land & undrawn


def _frame(
    found: pd.DataFrame,
    geometry: Geometries,
    chosen: npt.NDArray[np.bool_],
    crs: object,
    on_list: Texts,
) -> gpd.GeoDataFrame:
    rows = np.flatnonzero(chosen)
    part = found.assign(listed=on_list).iloc[rows].reset_index(drop=True)
    part["category"] = part["category"].str.replace("5?", "", regex=False)
    part["catchment"] = np.where(part["catchment"], "yes", "no")
    part["tmdl"] = np.where(part["category"] == "4A", "yes", part["tmdl"])
    part = part[[column.name for column in LISTED_COLUMNS]]
    return gpd.GeoDataFrame(part, geometry=geometry[rows], crs=crs)


def _why(
    found: pd.DataFrame,
    geometry: Geometries,
    old: npt.NDArray[np.bool_],
    on_list: Texts,
    is_tmdl: npt.NDArray[np.bool_],
) -> Texts:
    category = found["category"].to_numpy(object)
    why = np.array(
        [_REASON.get(one, f"category {one or 'not given'}: not on the 303(d) list")
         for one in category],
        dtype=object,
    ).reshape(len(found))  # fmt: skip
    line = is_tmdl & (shapely.get_dimensions(geometry) != 2) & (on_list == "no")
    why[line] = "has a TMDL, but is no polygon; its watershed is not in this layer"
    land = found["catchment"].to_numpy(bool) & (on_list != "no")
    why[land] = "the land that drains to a listed water, without a TMDL; the water itself is listed"
    why[~has_geometry(geometry)] = "no usable geometry"
    why[old] = "an older cycle of a unit that has a newer one"
    return why


def _notes(
    found: pd.DataFrame,
    outputs: dict[str, gpd.GeoDataFrame],
    is_tmdl: npt.NDArray[np.bool_],
    dimension: npt.NDArray[np.int_],
    old: int,
) -> list[str]:
    units = found.drop_duplicates("unit")
    counts = units["category"].replace("", "not given").value_counts().sort_index()
    by = ", ".join(f"{name.replace('5?', 'impaired')}: {count:,}" for name, count in counts.items())
    notes = [f"{counted(len(units), 'assessed water')} by category: {by}"]
    notes += [
        f"{counted(len(frame), 'feature')} to {name}"
        for name, frame in outputs.items()
        if len(frame)
    ]
    lines = int((is_tmdl & (dimension != 2)).sum())
    if lines:
        notes.append(
            f"{counted(lines, 'line or point', 'lines or points')} with a TMDL: the watersheds of"
            " TMDLs are not in these layers and must be given"
        )
    land = sum(int((outputs[name]["catchment"] == "yes").sum()) for name in LISTED)
    if land:
        notes.append(
            f"{counted(land, 'catchment')} of listed waters that are not drawn themselves kept in"
            " LISTED_AREAS, listed empty: give the lines and areas of ATTAINS too"
        )
    if bool(found["catchment"].any()) and len(outputs["TMDL"]):
        notes.append("Catchments of ATTAINS are those beside the water, not all that drains to it")
    unsaid = sum(int((outputs[name]["listed"] == "").sum()) for name in LISTED)
    if unsaid:
        notes.append(
            f"{counted(unsaid, 'feature')} said to be impaired, or without a category: whether they"
            " are on the 303(d) list is not said"
        )
    if old:
        notes.append(f"{counted(old, 'feature')} of an older cycle left out")
    return notes


def _age(cycles: Floats, today: date) -> list[str]:
    known = cycles[np.isfinite(cycles)]
    if not len(known):
        return ["The layers do not say of which year the list is"]
    newest = int(known.max())
    if today.year - newest > OLD_YEARS:
        return [
            f"The newest cycle is {newest}, more than {OLD_YEARS} years old: ask for a newer list"
        ]
    return []
