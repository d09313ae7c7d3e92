"""Sites and listed waters: on the 303(d) list, or inside a TMDL watershed.

A site that touches a listed water discharges to it. Where its runoff was followed
(`stormwater_screen.receiving`), what it reaches decides; else a site near a listed water is for
review.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd
import shapely
from shapely.geometry.base import BaseGeometry

from .coverage import Covered, find_covered
from .facts import Fact
from .features import Geometries, WaterLayer, has_geometry, subdivide
from .listing_rows import ListingFields, listing_rows
from .listing_runoff import by_distance, nothing_reached, with_runoff
from .listing_texts import (
    LISTING_COLUMNS,
    listing_columns,
    listing_details,
    listing_flag,
    with_texts,
)
from .outcomes import NO, REVIEW, UNKNOWN, YES, Outcomes, all_of, any_of
from .progress import Progress, no_progress, part_of
from .shared_area import overlaps
from .tables import PollutantTable, pollutant_table
from .tolerances import DISTANCE_FT, WATERSHED_EDGE_FT
from .units import MILE_FT

if TYPE_CHECKING:
    from .receiving import ReceivingResult

POLLUTANT_OUTCOME: Final = {
    "yes": YES, "review": REVIEW, "not_stormwater": NO, "not_recorded": UNKNOWN
}  # fmt: skip
"""Whether a pollutant is one of concern, as Lake George and Wilton are read, by its class."""

SOURCE_OUTCOME: Final = {"stormwater": YES, "other": NO, "not_recorded": UNKNOWN}
"""Whether pollutants in stormwater have been identified as a source, by what a TMDL names."""

REACHED_OUTCOME: Final = {
    "inside": YES,  # the site lies in the listed area or touches the listed water
    "direct": YES,  # the first water that its runoff reaches is listed
    "tribs": YES,  # the first water is not listed, one further down is, with its tributaries
    "tributary": REVIEW,  # the first water is not listed, one further down is
    "sewer": REVIEW,  # a storm sewer may take the runoff there, or away from there
    "lost": UNKNOWN,  # some of the runoff could not be followed
    "near": REVIEW,  # as near as the error of mapped water
    "nearby": REVIEW,  # not far away; whether runoff reaches it is not followed
    "edge": NO,  # shares an edge with a TMDL watershed
    "none": NO,
}
"""Whether runoff reaches a listing, by how the site lies to it."""

UNFOLLOWED: Final = ("near", "nearby", "sewer")
"""Ways of lying to a listed water that leave open whether any runoff reaches it."""

NEARBY_FT: Final = MILE_FT
"""How far from a listed water a site that does not touch it is for review, in feet."""


@dataclass(frozen=True)
class ListingsResult:
    """Listings that the sites reach.

    Attributes
    ----------
    facts
        Flags ``listed_construction`` (Condition A as Lake George and Wilton are read, without the
        test of land development) and ``listed_any`` (as Shelter Island defines pollutants of
        concern).
    columns
        ``impaired``, ``tmdl``, ``pollutant``, one row a site.
    listings
        One row a site and listing: row (place of the site, from 0), kind (``303d`` or ``tmdl``),
        layer, name, pollutant, pollutant_class, source, distance_ft, reached, construction and any
        (outcome codes), text, settle. Of the listings nearby that the site does not reach
        only the nearest of each pair of outcomes is kept.
    details
        The same for findings, with the columns of ``details.COLUMNS``.
    """

    facts: dict[str, Fact]
    columns: pd.DataFrame
    listings: pd.DataFrame
    details: pd.DataFrame


def condition_a_limb(
    kind: npt.ArrayLike,
    pollutant_class: npt.ArrayLike,
    source_named: npt.ArrayLike,
    reached: npt.ArrayLike,
) -> tuple[Outcomes, Outcomes]:
    """Return whether a listing makes Condition A, for each pollutant of each listing.

    Lake George and Wilton ask for a pollutant of concern without saying which: construction
    stormwater must carry it. Shelter Island takes sediment and every pollutant that is a cause of
    the impairment, so any listing will do. Under both the TMDL limb also asks that pollutants in
    stormwater were identified as a source. A TMDL that names stormwater as a source of a pollutant
    that the table sorts as not from stormwater is for review: one of the two is wrong.

    Parameters
    ----------
    kind
        ``303d`` or ``tmdl``.
    pollutant_class
        ``yes``, ``review``, ``not_stormwater`` or ``not_recorded``.
    source_named
        ``stormwater``, ``other`` or ``not_recorded``; only looked at for a TMDL.
    reached
        A key of ``REACHED_OUTCOME``.

    Returns
    -------
    tuple of arrays of outcomes
        For Lake George and Wilton; for Shelter Island.

    Raises
    ------
    KeyError
        A word is not known.

    Source
    ------
    Village of Lake George section 220-67E(2); Town of Wilton section 129-206B(2); Town of Shelter
    Island sections 110-34 and 110-38C(1).
    """
    words = np.broadcast_arrays(
        *(
            np.atleast_1d(np.asarray(w, object))
            for w in (kind, pollutant_class, source_named, reached)
        )
    )
    tmdl = _codes(words[0], {"303d": NO, "tmdl": YES}) == YES
    concern = _codes(words[1], POLLUTANT_OUTCOME)
    source = np.where(tmdl, _codes(words[2], SOURCE_OUTCOME), YES).astype(np.int8)
    reach = _codes(words[3], REACHED_OUTCOME)
    # Where it is open whether runoff gets there at all, that is what has to be looked at first.
    unsure = np.isin(words[3], UNFOLLOWED) & (concern == UNKNOWN)
    concern = np.where(unsure, REVIEW, concern).astype(np.int8)
    contradicted = tmdl & (concern == NO) & (source == YES)
    concern = np.where(contradicted, REVIEW, concern).astype(np.int8)
    return all_of(reach, concern, source), all_of(reach, source)


def _codes(words: npt.NDArray[np.object_], table: dict[str, np.int8]) -> Outcomes:
    return np.array([table[word] for word in words.ravel()], np.int8).reshape(words.shape)


def measure_listings(
    sites: gpd.GeoDataFrame,
    impaired: Sequence[WaterLayer],
    tmdl: Sequence[WaterLayer],
    *,
    impaired_fields: ListingFields,
    tmdl_fields: ListingFields,
    coverage: gpd.GeoDataFrame | None = None,
    water_error_ft: float = 40.0,
    nearby_ft: float = NEARBY_FT,
    receiving: ReceivingResult | None = None,
    pollutants: PollutantTable | None = None,
    progress: Progress = no_progress,
) -> ListingsResult:
    """Find the listed waters and TMDL watersheds that the sites touch, lie in or lie near.

    Parameters
    ----------
    sites
        Polygons in a plane, in feet; may be None or empty.
    impaired
        Layers of 303(d)-listed waters in the same plane, read at least a mile around the sites:
        points, lines or polygons.
    tmdl
        Layers of TMDL watersheds: polygons.
    impaired_fields, tmdl_fields
        Fields of these layers.
    coverage
        Polygons inside which all layers are complete; None: up to a mile outside their extent.
    water_error_ft
        Positional error of listed waters, in feet. It does not widen TMDL watersheds.
    nearby_ft
        How far from a listed water a site that does not touch it is for review, in feet; not more
        than what was read around the sites.
    receiving
        Where the runoff of the same sites goes, found with the same layers; None: location decides.
    pollutants
        Table that sorts pollutants; None: the shipped one.
    progress
        Called with the share done; raises to stop the run.

    Raises
    ------
    InputError
        A field is in none of the layers, or a status field has no values.
    """
    geometry = np.asarray(sites.geometry.array, dtype=object)
    table = pollutants or pollutant_table()
    rows = {
        role: listing_rows(
            [(layer.name, layer.frame) for layer in layers], role=role, fields=f, pollutants=table
        )
        for role, layers, f in (
            ("IMPAIRED", impaired, impaired_fields),
            ("TMDL", tmdl, tmdl_fields),
        )
    }
    reach_ft = max(nearby_ft, water_error_ft, receiving.follow_ft if receiving else 0) + DISTANCE_FT
    near = _listed_within(
        geometry,
        rows["IMPAIRED"],
        reach_ft,
        water_error_ft,
        receiving,
        part_of(progress, 0.0, 0.6),
    )
    near["reached"] = _reached(near["distance_ft"].to_numpy(float), water_error_ft)
    near = with_runoff(near, rows["IMPAIRED"]["name"].to_numpy(object), receiving, nearby_ft)
    inside = _watersheds(geometry, rows["TMDL"], part_of(progress, 0.6, 0.9))
    parts = [_with_outcomes(near, rows["IMPAIRED"], "303d")]
    parts.append(_with_outcomes(inside, rows["TMDL"], "tmdl"))
    found = _without_far_repeats(_settled(pd.concat(parts, ignore_index=True)))
    found = with_texts(found, water_error_ft)
    known = {
        "303d": _covered(geometry, impaired, coverage, "303(d)-listed waters"),
        "tmdl": _covered(geometry, tmdl, coverage, "TMDL watersheds"),
    }
    nothing = nothing_reached(len(geometry), receiving, nearby_ft)
    facts: dict[str, Fact] = {
        "listed_construction": listing_flag(found, known, "construction", nothing),
        "listed_any": listing_flag(found, known, "any", nothing),
    }
    progress(1.0)
    return ListingsResult(facts, listing_columns(found, known), found, listing_details(found))


def _covered(
    geometry: Geometries,
    layers: Sequence[WaterLayer],
    coverage: gpd.GeoDataFrame | None,
    what: str,
) -> Covered:
    return find_covered(
        geometry,
        [layer.extent for layer in layers],
        coverage,
        what=what,
        names=[layer.name for layer in layers],
        role=layers[0].role if layers else "",
    )


def _reached(distance_ft: npt.NDArray[np.float64], error_ft: float) -> npt.NDArray[np.object_]:
    near = np.where(distance_ft <= error_ft + DISTANCE_FT, "near", "nearby")
    return np.where(distance_ft <= DISTANCE_FT, "inside", near).astype(object)


def _pairs(
    row: Sequence[npt.NDArray[np.int64]], **columns: Sequence[npt.ArrayLike]
) -> pd.DataFrame:
    table = {"row": np.concatenate([np.empty(0, np.int64), *row])}
    for name, parts in columns.items():
        empty = np.empty(0, np.int64 if name == "listing" else np.float64)
        table[name] = np.concatenate([empty, *parts])
    return pd.DataFrame(table)


def _listed_within(
    geometry: Geometries,
    rows: pd.DataFrame,
    reach_ft: float,
    error_ft: float,
    receiving: ReceivingResult | None,
    progress: Progress,
) -> pd.DataFrame:
    """Return row, listing and distance of each site and listed water within ``reach_ft``.

    Where runoff was followed, pairs are left out that `with_runoff` is sure to drop: of a water
    that it does not reach, farther away than ``error_ft``.
    """
    there = np.flatnonzero(has_geometry(geometry))
    tree = shapely.STRtree(geometry[there])
    matters = None if receiving is None else by_distance(receiving)
    found: list[npt.NDArray[np.int64]] = []
    which: list[npt.NDArray[np.int64]] = []
    apart: list[npt.NDArray[np.float64]] = []
    for number, water in enumerate(rows["geometry"]):
        candidates = there[tree.query(_around(water, reach_ft))]
        if matters is not None:
            beside = there[tree.query(_around(water, error_ft + DISTANCE_FT))]
            candidates = candidates[matters(number, beside)[candidates]]
        progress((number + 1) / len(rows))
        if not len(candidates):
            continue
        pieces, _ = subdivide(np.array([water], dtype=object))
        (place, _), distance = shapely.STRtree(pieces).query_nearest(
            geometry[candidates], max_distance=reach_ft, return_distance=True, all_matches=False
        )
        found.append(candidates[place])
        which.append(np.full(len(place), number, np.int64))
        apart.append(np.where(distance <= DISTANCE_FT, 0.0, distance))
    return _pairs(found, listing=which, distance_ft=apart)


def _around(water: BaseGeometry, reach_ft: float) -> shapely.Polygon:
    x0, y0, x1, y1 = water.bounds
    return shapely.box(x0 - reach_ft, y0 - reach_ft, x1 + reach_ft, y1 + reach_ft)


def _watersheds(geometry: Geometries, rows: pd.DataFrame, progress: Progress) -> pd.DataFrame:
    """Return row, listing and how each site that meets a TMDL watershed lies to it."""
    watersheds = rows["geometry"].to_numpy(object)
    found = overlaps(geometry, watersheds, edge_ft=WATERSHED_EDGE_FT, progress=progress)
    return pd.DataFrame(
        {
            "row": found["row"],
            "listing": found["polygon"],
            "distance_ft": 0.0,
            "reached": np.where(found["edge"], "edge", "inside").astype(object),
            "flow": "",
        }
    )


def _with_outcomes(pairs: pd.DataFrame, rows: pd.DataFrame, kind: str) -> pd.DataFrame:
    """Return the pairs with what their listing says and the outcomes of both readings."""
    listed = rows.drop(columns="geometry").iloc[pairs["listing"].to_numpy(np.int64)]
    table = pd.concat([pairs, listed.reset_index(drop=True)], axis=1)
    table["kind"] = kind
    words = [[match.pollutant_class for match in matches] for matches in rows["matches"]]
    table["pollutant_class"] = [
        ";".join(dict.fromkeys(words[number])) for number in pairs["listing"]
    ]
    outcomes: dict[tuple[int, str], tuple[np.int8, np.int8]] = {}
    for number, reached in set(zip(pairs["listing"], pairs["reached"], strict=True)):
        limbs = condition_a_limb(kind, words[number], rows["source"].iloc[number], reached)
        listed_code = np.array([rows["listed"].iloc[number]], np.int8)
        both = [all_of(any_of(*limb[:, None]), listed_code)[0] for limb in limbs]
        outcomes[number, reached] = (both[0], both[1])
    codes = [outcomes[pair] for pair in zip(pairs["listing"], pairs["reached"], strict=True)]
    table[["construction", "any"]] = np.array(codes, np.int8).reshape(-1, 2)
    return table[[name for name in LISTING_COLUMNS if name in table]]


def _settled(found: pd.DataFrame) -> pd.DataFrame:
    """Return the listings with what could not change the answer of a site taken as settled.

    A pollutant that is not recorded leaves a listing reached through a tributary at review or no.
    Where another listing of the site is for review, that is all the same.
    """
    settled = found.copy()
    at_most = np.array([REACHED_OUTCOME[word] for word in found["reached"]], np.int8)
    row = found["row"].to_numpy(np.int64)
    for reading in ("construction", "any"):
        code = found[reading].to_numpy(np.int8)
        review = np.unique(row[code == REVIEW])
        same = (code == UNKNOWN) & (at_most == REVIEW) & np.isin(row, review)
        settled.loc[same, reading] = REVIEW
    return settled


def _without_far_repeats(found: pd.DataFrame) -> pd.DataFrame:
    """Keep every listing that is reached, and of the others the nearest of each outcome."""
    ordered = found.sort_values(["row", "kind", "distance_ft"], kind="stable", ignore_index=True)
    repeated = ordered.duplicated(["row", "reached", "construction", "any"])
    far = ordered["reached"].isin(["nearby", "sewer", "lost"])
    return ordered[~(far & repeated)].reset_index(drop=True)
