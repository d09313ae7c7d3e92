"""Soil polygons with what their survey says: groups, conductivity, depths, hints."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Final

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd

from ..columns import SOIL_COLUMNS
from ..errors import InputError
from ..facts import Floats, Texts, texts
from ..fields import text_field
from ..layers import Layer
from ..progress import Progress, no_progress
from ..soils import hydrologic_groups
from ..tables import SoilIndicator, normalised, soil_indicators
from ..units import convert
from .model import Prepared
from .names import counted, find_field, numbers_of, plain
from .ssurgo import SurveyTables

PROFILE_CM: Final = 152.0
"""Depth to which the least conductivity is looked for: 60 in, to which soils are described."""

_ROCK: Final = ("bedrock",)
_NONE: Final = "none"
_ORDER: Final = {"": 0, "A": 1, "B": 2, "C": 3, "D": 4}
_COMPARE: Final = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_KEYS: Final = ("mukey", "mu_key")
_SYMBOLS: Final = ("musym", "map_symbol", "soil_code")


def prepare_soils(
    polygons: Sequence[Layer],
    tables: SurveyTables,
    *,
    indicators: Sequence[SoilIndicator] | None = None,
    progress: Progress = no_progress,
) -> Prepared:
    """Join soil polygons with the tables of their survey.

    A map unit without a row (water, urban land, pits) keeps its polygon and stays unknown.

    Parameters
    ----------
    polygons
        Soil polygons of one or several survey areas, any CRS; a field MUKEY, or MUSYM where the
        tables are known by it.
    tables
        Tables of the survey, or a plain table of map units.
    indicators
        Limits that hint at something; None: the shipped table.
    progress
        Called with the share done; raises to stop the run.

    Returns
    -------
    Prepared
        ``SOILS`` with the columns of ``SOIL_COLUMNS``, in the CRS of the first layer.

    Raises
    ------
    InputError
        A layer has no key of map units.

    Source
    ------
    USDA NRCS, SSURGO metadata: table column descriptions; National Engineering Handbook 630-7.
    """
    if not polygons:
        raise InputError("soil polygons", "none", "a layer of soil map units")
    crs = polygons[0].frame.crs
    by_symbol = "plain" in tables.by_name and "mukey" not in tables.by_name["plain"]
    parts = [_keys(layer, by_symbol) for layer in polygons]
    units = pd.concat(parts, ignore_index=True)
    geometry = np.concatenate(
        [np.asarray(layer.frame.geometry.to_crs(crs).array, dtype=object) for layer in polygons]
    )
    progress(0.3)
    key = "musym" if by_symbol else "mukey"
    survey = map_units(tables, sorted(set(units[key]) - {""}), key)
    progress(0.7)
    joined = units.merge(survey, how="left", left_on=key, right_index=True, suffixes=("", "_t"))
    for column in ("musym", "mukey"):
        if f"{column}_t" in joined:
            joined[column] = joined[column].where(joined[column] != "", joined[f"{column}_t"])
    result = _finished(joined, soil_indicators() if indicators is None else indicators)
    notes = [note for layer in polygons for note in layer.notes]
    notes += [*tables.notes, *_said(units[key], survey, key)]
    frame = gpd.GeoDataFrame(result, geometry=geometry, crs=crs)
    progress(1.0)
    return Prepared({"SOILS": frame}, {"SOILS": SOIL_COLUMNS}, tuple(notes))


def mukeys_of(polygons: Sequence[Layer]) -> list[str]:
    """Return the keys of map units that the polygons have."""
    keys = [
        _keys(layer, by_symbol=False)["mukey"]
        for layer in polygons
        if find_field(layer.frame.columns, _KEYS, joined=True) is not None
    ]
    return sorted({key for some in keys for key in some} - {""})


def _keys(layer: Layer, by_symbol: bool) -> pd.DataFrame:
    frame = layer.frame
    found = {
        "mukey": find_field(frame.columns, _KEYS, joined=True),
        "musym": find_field(frame.columns, _SYMBOLS, joined=True),
        "survey": find_field(frame.columns, ("areasymbol",), joined=True),
    }
    needed = "musym" if by_symbol else "mukey"
    if found[needed] is None:
        listed = ", ".join(str(c) for c in frame.columns if c != "geometry") or "none"
        raise InputError(layer.name, f"the fields {listed}", f"a field {needed.upper()}")
    return pd.DataFrame(
        {
            column: texts(len(frame))
            if field is None
            else np.array(
                [plain(text) for text in text_field(frame, field, layer=layer.name)], dtype=object
            ).reshape(len(frame))
            for column, field in found.items()
        }
    )


def map_units(tables: SurveyTables, keys: Sequence[str], key: str = "mukey") -> pd.DataFrame:
    """Return what the tables say of map units.

    Parameters
    ----------
    tables
        Tables of the survey, or a plain table.
    keys
        Keys of the map units wanted.
    key
        ``mukey`` or ``musym``.

    Returns
    -------
    pandas.DataFrame
        Indexed by key, with muname, group, group_share, worst, components, ksat_l, ksat_r, ksat_h,
        ksat_most (um/s), water_cm, rock_cm, drainage, runoff, slope_pct, kwfact; a map unit that no
        table knows is not there. Unknown numbers are NaN, unknown texts empty.
    """
    if "plain" in tables.by_name:
        return _plain_units(tables.by_name["plain"], key)
    wanted = set(keys)
    units, aggregated, components = (
        table[table["mukey"].isin(wanted)].drop_duplicates("mukey" if one else None)
        for table, one in (
            (tables.table("mapunit"), True),
            (tables.table("muaggatt"), True),
            (tables.table("component"), False),
        )
    )
    index = pd.Index(
        sorted({*units["mukey"], *aggregated["mukey"], *components["mukey"]}), dtype=object
    )
    units, aggregated = units.set_index("mukey"), aggregated.set_index("mukey")
    result = pd.DataFrame(index=index)
    for column in ("musym", "muname"):
        result[column] = _reindexed(units, column, index)
    result["group"] = hydrologic_groups(_reindexed(aggregated, "hydgrpdcd", index).to_numpy())
    result["rock_cm"] = numbers_of(_reindexed(aggregated, "brockdepmin", index).to_numpy())
    result["water_cm"] = numbers_of(_reindexed(aggregated, "wtdepannmin", index).to_numpy())
    result["drainage"] = _reindexed(aggregated, "drclassdcd", index)
    result["slope_pct"] = numbers_of(_reindexed(aggregated, "slopegraddcp", index).to_numpy())
    _add_components(result, components, aggregated.empty)
    _add_horizons(result, components, tables.table("chorizon"))
    if aggregated.empty:
        _add_rock(result, components, tables.table("corestrictions"))
    return result


def _plain_units(table: pd.DataFrame, key: str) -> pd.DataFrame:
    table = table[table[key] != ""].drop_duplicates(key).set_index(key)
    index = table.index
    result = pd.DataFrame(index=index)
    result["muname"] = _reindexed(table, "muname", index)
    result["group"] = hydrologic_groups(_reindexed(table, "hydgrpdcd", index).to_numpy())
    result["worst"], result["components"] = undrained(result["group"].to_numpy(object)), ""
    result["group_share"] = np.nan
    result["drainage"] = _reindexed(table, "drclassdcd", index)
    result["runoff"] = _reindexed(table, "runoff", index)
    for column, own in (
        ("rock_cm", "brockdepmin"), ("water_cm", "wtdepannmin"), ("slope_pct", "slopegraddcp"),
        ("ksat_l", "ksat_l"), ("ksat_r", "ksat_r"), ("ksat_h", "ksat_h"), ("ksat_most", "ksat_r"),
        ("kwfact", "kwfact"),
    ):  # fmt: skip
        result[column] = numbers_of(_reindexed(table, own, index).to_numpy())
    return result


def _reindexed(table: pd.DataFrame, column: str, index: pd.Index) -> pd.Series:
    if column not in table:
        return pd.Series("", index=index, dtype=object)
    return table[column].reindex(index).fillna("").astype(object)


def undrained(groups: Texts) -> Texts:
    """Return hydrologic groups with dual ones (``B/D``) as undrained: D."""
    return np.array([group.split("/")[-1] for group in groups], dtype=object).reshape(len(groups))


def _add_components(
    result: pd.DataFrame, components: pd.DataFrame, without_aggregates: bool
) -> None:
    """Add the spread of the components' groups, the worst one, and the runoff of the largest."""
    table = components.assign(
        share=numbers_of(components["comppct_r"].to_numpy(object)),
        group=hydrologic_groups(components["hydgrp"].to_numpy(object)),
    )
    table["drained"] = [_ORDER[one] for one in undrained(table["group"].to_numpy(object))]
    spread = (
        table.groupby(["mukey", "group"], sort=False)["share"].sum().reset_index()
        if len(table)
        else pd.DataFrame({"mukey": [], "group": [], "share": []})
    ).sort_values("share", ascending=False, kind="stable")
    said = (spread["group"].where(spread["group"] != "", _NONE)).astype(str)
    spread["said"] = said + [f" {share:.0f}%" for share in spread["share"]]
    result["components"] = _reindexed(
        spread.groupby("mukey", sort=False)["said"].agg(", ".join).to_frame(), "said", result.index
    )
    worst = table.groupby("mukey")["drained"].max().reindex(result.index).fillna(0)
    letters = {number: letter for letter, number in _ORDER.items()}
    result["worst"] = [letters[int(number)] for number in worst]
    if without_aggregates:
        first = spread.drop_duplicates("mukey").set_index("mukey")
        result["group"] = _reindexed(first, "group", result.index)
    shares = spread.set_index(["mukey", "group"])["share"].to_dict()
    result["group_share"] = [
        shares.get(pair, np.nan) if pair[1] else np.nan
        for pair in zip(result.index, result["group"], strict=True)
    ]
    largest = table.sort_values("share", ascending=False, kind="stable").drop_duplicates("mukey")
    largest = largest.set_index("mukey")
    result["runoff"] = _reindexed(largest, "runoff", result.index)
    if without_aggregates:
        result["drainage"] = _reindexed(largest, "drainagecl", result.index)


def _add_horizons(result: pd.DataFrame, components: pd.DataFrame, horizons: pd.DataFrame) -> None:
    """Add the least conductivity in the profile of any component, and the erodibility on top."""
    table = horizons.merge(components[["mukey", "cokey", "comppct_r"]], on="cokey")
    for column in ("hzdept_r", "ksat_l", "ksat_r", "ksat_h", "kwfact", "comppct_r"):
        table[column] = numbers_of(table[column].to_numpy(object))
    # Rock is told by its depth; as a horizon its conductivity is mostly that of no water at all.
    rock = table["hzname"].str.fullmatch(r"\d*(R|Cr\w*|2?Cr|Rt?)\d*", case=True, na=False)
    profile = table[~rock & ~(table["hzdept_r"] >= PROFILE_CM)]
    known = profile.dropna(subset=["ksat_r"])
    least = known.sort_values("ksat_r", kind="stable").drop_duplicates("mukey").set_index("mukey")
    for column in ("ksat_l", "ksat_r", "ksat_h"):
        result[column] = least[column].reindex(result.index)
    result["ksat_most"] = known.groupby("mukey")["ksat_r"].max().reindex(result.index)
    top = table.dropna(subset=["kwfact"]).sort_values(
        ["comppct_r", "hzdept_r"], ascending=[False, True], kind="stable"
    )
    result["kwfact"] = (
        top.drop_duplicates("mukey").set_index("mukey")["kwfact"].reindex(result.index)
    )


def _add_rock(result: pd.DataFrame, components: pd.DataFrame, restrictions: pd.DataFrame) -> None:
    """Add the depth to rock where the survey has no table of aggregates."""
    kinds = restrictions["reskind"].astype(str).str.casefold()
    rock = restrictions[kinds.str.contains("|".join(_ROCK))]
    table = rock.merge(components[["mukey", "cokey"]], on="cokey")
    table["depth"] = numbers_of(table["resdept_r"].to_numpy(object))
    result["rock_cm"] = table.groupby("mukey")["depth"].min().reindex(result.index)


def _finished(joined: pd.DataFrame, indicators: Sequence[SoilIndicator]) -> pd.DataFrame:
    """Return the output columns."""
    result = pd.DataFrame(index=joined.index)
    for column in ("mukey", "musym", "survey", "muname", "drainage", "runoff"):
        result[column] = joined[column].fillna("") if column in joined else ""
    group = joined["group"].fillna("").to_numpy(object)
    result["hsg"], result["hsg_undr"] = group, undrained(group)
    result["hsg_worst"] = joined["worst"].fillna("")
    result["hsg_pct"] = joined["group_share"]
    result["hsg_comps"] = joined["components"].fillna("")
    for column in ("ksat_l", "ksat_r", "ksat_h", "water_cm", "rock_cm", "slope_pct", "kwfact"):
        result[column] = joined[column].to_numpy(np.float64)
    for column in ("water", "rock"):
        result[f"{column}_ft"] = result[f"{column}_cm"] * convert(1.0, "cm", "ft")
    result["ksat_most"] = joined["ksat_most"].to_numpy(np.float64)
    result["perc_hint"] = soil_hints(result, indicators, ("perc_slower", "perc_not_slower"))
    result["trans_hint"] = soil_hints(result, indicators, ("overland", "through_soil"))
    result["unknown"] = _unknown(result, joined["components"].isna().to_numpy())
    return result[[column.name for column in SOIL_COLUMNS]]


def soil_hints(
    soils: pd.DataFrame, indicators: Sequence[SoilIndicator], wanted: Sequence[str]
) -> Texts:
    """Return what a survey's figures hint at, with the figure; empty where nothing is met.

    A hint never says yes or no. What percolates slowly is judged by the high end of the least
    conductivity, what does not by its low end, so that only what the whole range says is said.

    Parameters
    ----------
    soils
        Columns as in ``SOIL_COLUMNS``, and ksat_most.
    indicators
        Limits.
    wanted
        Names of the indicators.
    """
    result = texts(len(soils))
    for item in (one for one in indicators if one.indicator in wanted):
        hits, values = _hits(soils, item)
        for row in np.flatnonzero(hits):
            said = f"{item.says} ({item.quantity} {values[row]}{item.unit and ' ' + item.unit})"
            result[row] += f"; {said}" if result[row] else said
    return result


def _hits(soils: pd.DataFrame, item: SoilIndicator) -> tuple[npt.NDArray[np.bool_], Texts]:
    column = {
        "group": "hsg", "water_table": "water_cm", "bedrock": "rock_cm", "slope": "slope_pct",
        "kwfact": "kwfact", "runoff": "runoff", "drainage": "drainage",
        "ksat": _ksat_column(item),
    }[item.quantity]  # fmt: skip
    values = soils[column].to_numpy(object)
    if item.comparison == "in":
        words = [str(value).casefold() for value in values]
        if item.quantity != "group":
            words = [normalised(word).replace(" ", "_") for word in words]
        return np.array([word in item.words for word in words], dtype=bool), values
    numbers = values.astype(np.float64)
    said = np.array([f"{number:g}" for number in numbers], dtype=object)
    return np.asarray(_COMPARE[item.comparison](numbers, item.limit), dtype=bool), said


def _ksat_column(item: SoilIndicator) -> str:
    if item.indicator == "through_soil":
        return "ksat_most"
    return "ksat_h" if item.comparison.startswith("<") else "ksat_l"


def _unknown(result: pd.DataFrame, without_row: npt.NDArray[np.bool_]) -> Texts:
    """Return what is not known of each soil, and why."""
    why = texts(len(result))
    why[:] = "no row for this map unit in the tables"
    lacking: list[tuple[str, Floats]] = [
        ("hydrologic group", (result["hsg"] == "").to_numpy()),
        ("conductivity", result["ksat_r"].isna().to_numpy()),
        ("water table (none recorded, or deeper than described)",
         result["water_cm"].isna().to_numpy()),
        ("rock (deeper than described, or not recorded)", result["rock_cm"].isna().to_numpy()),
    ]  # fmt: skip
    for row in np.flatnonzero(~without_row):
        why[row] = "; ".join(what for what, missing in lacking if missing[row])
    return why


def _said(keys: pd.Series, survey: pd.DataFrame, key: str) -> list[str]:
    given = set(keys) - {""}
    missing = sorted(given - set(survey.index))
    known = counted(len(given) - len(missing), "map unit")
    notes = [f"Soils: {known} of {len(given):,} have a row in the tables"]
    if missing:
        shown = ", ".join(missing[:5]) + (" and others" if len(missing) > 5 else "")
        notes.append(f"Soils: no row for {key.upper()} {shown}; these soils stay unknown")
    empty = int((keys == "").sum())
    if empty:
        notes.append(f"Soils: {counted(empty, 'polygon')} without {key.upper()} stay unknown")
    return notes
