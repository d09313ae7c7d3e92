"""What is said about the listings that sites reach: columns, reasons, what would settle them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np
import pandas as pd

from .coverage import NO_GEOMETRY, Covered
from .details import COLUMNS
from .facts import Flag, Texts, texts
from .outcomes import NO, UNKNOWN
from .tables import Pollutant

LISTING_COLUMNS: Final = (
    "row", "kind", "layer", "name", "pollutant", "matches", "pollutant_class", "source", "listed",
    "distance_ft", "reached", "flow", "construction", "any",
)  # fmt: skip
"""Columns of the listings that sites reach, before the texts are added."""

LIMBS: Final = {"303d": "303(d)-listed waters", "tmdl": "TMDL watersheds"}
"""The two limbs of Condition A, and what the layers of each hold."""

LONGEST: Final = 254
"""Longest text of a column, in bytes: a shapefile holds no more."""

NOT_RECORDED: Final = "not recorded"
REACHED: Final = ("inside", "direct", "tribs")


def shortened(text: str, limit: int = LONGEST) -> str:
    """Return the text, cut with an ellipsis to at most ``limit`` bytes of UTF-8."""
    if len(text.encode()) <= limit:
        return text
    return text.encode()[: limit - 3].decode(errors="ignore").rstrip() + "..."


def joined(parts: Iterable[str], separator: str = "; ") -> str:
    """Return the parts without repeats and empty ones, in order."""
    return separator.join(dict.fromkeys(part for part in parts if part))


def with_texts(found: pd.DataFrame, error_ft: float) -> pd.DataFrame:
    """Return the listings with text and settle, and the pollutant said where it is not recorded.

    Parameters
    ----------
    found
        Columns ``LISTING_COLUMNS``.
    error_ft
        Positional error of listed waters, in feet.
    """
    said = found.copy()
    said["pollutant"] = said["pollutant"].where(said["pollutant"] != "", NOT_RECORDED)
    records = said.to_dict("records")
    said["text"] = pd.Series([_text(item, error_ft) for item in records], dtype=object)
    said["settle"] = pd.Series([_settle(item) for item in records], dtype=object)
    return said.drop(columns=["matches", "listed", "flow"])


def _text(item: Mapping[Any, Any], error_ft: float) -> str:
    name, pollutant = item["name"], item["pollutant"]
    listing = "303(d) list" if item["kind"] == "303d" else "TMDL"
    what = f"{name} ({listing}: {pollutant})"
    place = {
        "inside": f"the site touches {what}"
        if item["kind"] == "303d"
        else f"the site lies in {what}",
        "direct": f"runoff first reaches {what}{item['flow']}",
        "tribs": f"runoff reaches {what}{item['flow']} through a tributary, and the listing names "
        "its tributaries",
        "tributary": f"runoff reaches {what}{item['flow']} through another water",
        "sewer": f"{what} is {item['distance_ft']:,.0f} ft away{item['flow']}; a storm sewer "
        "near the site may take its runoff",
        "lost": f"{what} is {item['distance_ft']:,.0f} ft away; {item['flow']}",
        "near": f"{what} is {item['distance_ft']:,.1f} ft away, within the {error_ft:g} ft error "
        "of mapped water",
        "nearby": f"{what} is {item['distance_ft']:,.0f} ft away; whether runoff "
        "reaches it is not followed",
        "edge": f"the site shares an edge with {what} and is not inside",
    }[item["reached"]]
    parts = [place, *(_pollutant_text(match) for match in item["matches"])]
    if item["kind"] == "tmdl" and item["reached"] != "edge":
        parts.append(
            {
                "stormwater": "stormwater is named as a source",
                "other": "its sources are named and stormwater is not among them",
                "not_recorded": "its sources are not recorded",
            }[item["source"]]
        )
    if item["listed"] == UNKNOWN:
        parts.append("whether it is listed is not recorded")
    return joined(parts)


def _pollutant_text(match: Pollutant) -> str:
    if match.pollutant_class == "yes":
        return ""
    if match.pollutant_class == "not_recorded":
        return "the pollutant is not recorded"
    return f"{match.text}: {match.note}"


def _settle(item: Mapping[Any, Any]) -> str:
    if UNKNOWN not in (item["construction"], item["any"]):
        return ""
    if item["reached"] == "lost":
        return "where the runoff goes from the place where it is lost"
    if item["listed"] == UNKNOWN:
        return f"whether {item['name']} is listed"
    if item["kind"] == "tmdl" and item["source"] == "not_recorded":
        return f"whether the TMDL of {item['name']} names stormwater as a source"
    return f"which pollutant {item['name']} is listed for"


def joined_by_row(rows: Iterable[int], parts: Iterable[str], count: int) -> Texts:
    """Return for each of ``count`` rows its parts, joined, without repeats and empty ones."""
    found: dict[int, dict[str, None]] = {}
    for row, part in zip(rows, parts, strict=True):
        if part:
            found.setdefault(row, {})[part] = None
    result = texts(count)
    for row, own in found.items():
        result[row] = "; ".join(own)
    return result


def listing_flag(
    found: pd.DataFrame, known: Mapping[str, Covered], reading: str, nothing: Texts
) -> Flag:
    """Return whether any listing makes Condition A, under one reading.

    Parameters
    ----------
    found
        Listings of the sites, with texts.
    known
        By limb, the sites that its layers cover.
    reading
        Column of the outcomes: ``construction`` or ``any``.
    nothing
        What to say of each site that reaches no listed water.
    """
    count = len(known["303d"].complete)
    row, code = found["row"].to_numpy(np.int64), found[reading].to_numpy(np.int8)
    limbs = {kind: np.where(known[kind].complete, NO, UNKNOWN).astype(np.int8) for kind in LIMBS}
    outcome = np.maximum(limbs["303d"], limbs["tmdl"])
    np.maximum.at(outcome, row, code)
    deciding = code == outcome[row]
    row = row[deciding]
    source, reason, settle = (
        joined_by_row(row, found[column][deciding], count) for column in ("layer", "text", "settle")
    )
    settle[outcome != UNKNOWN] = ""
    for kind, what in LIMBS.items():
        open_limb = (outcome == UNKNOWN) & (limbs[kind] == UNKNOWN)
        broken = known[kind].reason == NO_GEOMETRY
        layer = f"a layer of {what} that covers the site"
        wanted = np.where(broken, "the geometry of the site", layer).astype(object)
        reason = np.where(open_limb, _added(reason, known[kind].reason), reason)
        settle = np.where(open_limb, _added(settle, wanted), settle)
    reason = np.where((outcome == NO) & (reason == ""), nothing, reason)
    return Flag(outcome, source, reason.astype(object), settle.astype(object))


def _added(first: Texts, second: Texts) -> Texts:
    """Return both texts with a semicolon between, once where they are equal or one is empty."""
    alone = np.where(first == "", second, first)
    return np.where((first == "") | (first == second), alone, first + "; " + second)


def listing_columns(found: pd.DataFrame, known: Mapping[str, Covered]) -> pd.DataFrame:
    """Return the columns impaired, tmdl and pollutant, at most 254 bytes each.

    Parameters
    ----------
    found
        Listings of the sites, with texts.
    known
        By limb, the sites that its layers cover.
    """
    count = len(known["303d"].complete)
    counted = found[found["reached"] != "edge"]
    touched = counted["reached"].isin(REACHED).to_numpy(dtype=bool)
    columns = {}
    for kind, column in (("303d", "impaired"), ("tmdl", "tmdl")):
        mapped = np.where(known[kind].complete, "none mapped", "unknown")
        own = counted["kind"].to_numpy() == kind
        names = _by_row(counted[own & touched], "name", count)
        near = _near_names(counted[own & ~touched], count)
        columns[column] = np.where(names != "", names, np.where(near != "", near, mapped))
    complete = known["303d"].complete & known["tmdl"].complete
    first, second = (_by_row(counted[which], "pollutant", count) for which in (touched, ~touched))
    rest = np.where(complete, "", "unknown")
    columns["pollutant"] = np.where(first != "", first, np.where(second != "", second, rest))
    return pd.DataFrame(
        {
            name: np.array([shortened(text) for text in column], dtype=object)
            for name, column in columns.items()
        }
    )


def _by_row(found: pd.DataFrame, column: str, count: int) -> Texts:
    return joined_by_row(found["row"], found[column], count)


def _near_names(found: pd.DataFrame, count: int) -> Texts:
    near = found.drop_duplicates(["row", "name"])
    said = [
        f"{name} at {distance:,.0f} ft"
        for name, distance in zip(near["name"], near["distance_ft"], strict=True)
    ]
    lost = (near["reached"] == "lost").to_numpy(bool)
    open_ones, unknown = (
        joined_by_row(near["row"][own], np.array(said, dtype=object)[own], count)
        for own in (~lost, lost)
    )
    unknown = np.where(unknown == "", "", "unknown: " + unknown)
    return np.where(open_ones == "", unknown, "review: " + open_ones)


def listing_details(found: pd.DataFrame) -> pd.DataFrame:
    """Return the listings as rows for findings, with the columns of ``details.COLUMNS``.

    Parameters
    ----------
    found
        Listings of the sites, with texts.
    """
    ids = {"303d": "listed_water", "tmdl": "tmdl_watershed"}
    table = {
        "row": found["row"],
        "id": found["kind"].map(ids),
        "outcome": texts(len(found), "info"),
        "value": found["distance_ft"],
        "unit": texts(len(found), "ft"),
        "text": found["text"],
        "source": found["layer"],
    }
    return pd.DataFrame(table, columns=list(COLUMNS))
