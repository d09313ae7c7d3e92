"""How the runoff that was followed reaches listed waters."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from .facts import Texts, texts

if TYPE_CHECKING:
    from .receiving import ReceivingResult

WITH_TRIBUTARIES: Final = re.compile(
    r"(\band|&|\+|,|\bincl\w*\.?)\s*(its\s+|all\s+)?trib", re.IGNORECASE
)
"""Words of a listing's name that take in the tributaries, as in "Hague Brook and tribs"."""


def by_distance(
    receiving: ReceivingResult,
) -> Callable[[int, npt.NDArray[np.int64]], npt.NDArray[np.bool_]]:
    """Return what tells for a listing for which sites their distance from it may matter.

    It takes the number of the listing and the sites beside its water, and returns a boolean by
    site. Of the other sites runoff is known to its end and does not reach it.
    """
    open_ = receiving.sewer | (receiving.lost != "") | ~receiving.complete
    found = receiving.reached[receiving.reached["counts"]]
    listing, row = found["listing"].to_numpy(np.int64), found["row"].to_numpy(np.int64)

    def matters(number: int, beside: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        sites: npt.NDArray[np.bool_] = open_.copy()
        sites[row[listing == number]] = True
        sites[beside] = True
        return sites

    return matters


def with_runoff(
    near: pd.DataFrame,
    names: Texts,
    receiving: ReceivingResult | None,
    nearby_ft: float,
) -> pd.DataFrame:
    """Return sites and listed waters with the way in which runoff reaches them.

    Parameters
    ----------
    near
        ``row``, ``listing``, ``distance_ft`` and, by location, ``reached`` (``inside``, ``near``,
        ``nearby``).
    names
        Name of each listing.
    receiving
        Where runoff goes, or None.
    nearby_ft
        How far a listed water is for review where runoff was not followed, in feet.

    Returns
    -------
    pandas.DataFrame
        The same with ``flow``, words on the runoff; without listed waters that none reaches.
    """
    if receiving is None:
        return near.assign(flow="")
    found = receiving.reached[receiving.reached["counts"]]
    table = near.merge(
        found[["row", "listing", "reached", "share", "along_ft"]].rename(
            columns={"reached": "way"}
        ),
        on=["row", "listing"],
        how="left",
    )
    row = table["row"].to_numpy(np.int64)
    place = table["reached"].to_numpy(object)
    way = table["way"].fillna("").to_numpy(object)
    named = np.array([bool(WITH_TRIBUTARIES.search(str(name))) for name in names], bool)
    way = np.where((way == "tributary") & named[table["listing"].to_numpy(np.int64)], "tribs", way)
    sewer, lost = receiving.sewer[row], receiving.lost[row] != ""
    sure = np.isin(way, ["direct", "tribs"])
    close = (table["distance_ft"] <= nearby_ft).to_numpy()
    unfollowed = np.where(close, "nearby", "none")
    word = np.select(
        [
            place == "inside",
            sure & sewer,
            way != "",
            place == "near",
            lost,
            sewer & close,
            receiving.complete[row],
        ],
        [place, "sewer", way, place, "lost", "sewer", "none"],
        default=unfollowed,
    ).astype(object)
    flow = np.where(word == "lost", receiving.lost[row], _ways(table))
    table = table.assign(reached=word, flow=flow).drop(columns=["way", "share", "along_ft"])
    return table[word != "none"].reset_index(drop=True)


def _ways(table: pd.DataFrame) -> npt.NDArray[np.object_]:
    """Return what share of a site reaches a listed water and how far the way is."""
    return np.array(
        [
            "" if np.isnan(share) else f" ({share:.0%} of the site, {along:,.0f} ft)"
            for share, along in zip(table["share"], table["along_ft"], strict=True)
        ],
        dtype=object,
    )


def nothing_reached(count: int, receiving: ReceivingResult | None, nearby_ft: float) -> Texts:
    """Return what to say of each site that reaches no listed water."""
    near = f"no 303(d)-listed water mapped within {nearby_ft:,.0f} ft"
    said = texts(count, near)
    if receiving is not None:
        followed = (
            f"followed for {receiving.follow_ft:,.0f} ft over ground and along watercourses, its"
            " runoff reaches no mapped 303(d)-listed water; farther down none was looked for"
        )
        said = np.where(receiving.complete, followed, near)
    return np.asarray(said + "; the site lies in no mapped TMDL watershed", dtype=object)
