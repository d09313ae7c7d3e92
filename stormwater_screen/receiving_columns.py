"""Where runoff goes, as columns of the sites and as lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import geopandas as gpd
import numpy as np
import pandas as pd

from .columns import RECEIVING_COLUMNS
from .facts import Texts, texts
from .listing_texts import joined_by_row

if TYPE_CHECKING:
    from .receiving import ReceivingResult


def receiving_columns(found: ReceivingResult | None, count: int, *, sewers: bool) -> pd.DataFrame:
    """Return the columns of ``RECEIVING_COLUMNS``.

    Parameters
    ----------
    found
        Where runoff goes; None where it was not followed.
    count
        Number of sites.
    sewers
        True where a layer of storm sewers was given.
    """
    table = pd.DataFrame(
        {
            column.name: np.full(count, np.nan) if column.kind == "number" else texts(count)
            for column in RECEIVING_COLUMNS
        }
    )
    table["sewer"] = "unknown"
    if found is None:
        return table
    outlets = found.outlets
    wet = outlets[(outlets["ends"] == "water") & outlets["counts"]]
    names = _names(wet) + (wet["share"] * 100).map(" {:.0f}%".format).to_numpy(object)
    table["first_wtr"] = joined_by_row(wet["row"], names, count)
    first = outlets.drop_duplicates("row")
    row = first["row"].to_numpy(np.int64)
    table.loc[row, "flow_via"] = first["passed"].to_numpy(object)
    for column, source in (("flow_ft", "length_ft"), ("flow_drop", "drop_ft")):
        table.loc[row, column] = first[source].to_numpy(np.float64)
    table["lost_pct"] = np.where(found.followed, found.lost_share * 100, 100.0)
    table["lost_at"] = np.where(found.followed, found.lost, found.reason)
    if sewers:
        table["sewer"] = np.where(found.sewer, "yes", "no")
    return table


def receiving_paths(found: ReceivingResult) -> tuple[gpd.GeoDataFrame, gpd.GeoDataFrame]:
    """Return the paths of runoff, and the points where they leave the sites.

    Returns
    -------
    tuple of geopandas.GeoDataFrame
        Lines (a path without length has none) and points, with the columns of ``PATH_COLUMNS`` but
        those of the run, ``row`` (place of the site, from 0) and ``order`` (the largest share
        first).
    """
    outlets = found.outlets
    table = outlets.rename(columns={"passed": "via", "area_sqft": "area_sf"}).assign(
        order=outlets.groupby("row").cumcount(),
        share_pct=outlets["share"] * 100,
        filled_ft=outlets["deepest_ft"],
        counts=np.where(outlets["counts"], "yes", "no"),
    )
    points = gpd.points_from_xy(outlets["outlet_x"], outlets["outlet_y"])
    return (
        gpd.GeoDataFrame(table, geometry="geometry", crs=outlets.crs),
        gpd.GeoDataFrame(table.drop(columns="geometry"), geometry=points, crs=outlets.crs),
    )


def _names(outlets: gpd.GeoDataFrame) -> Texts:
    unnamed = "unnamed (" + outlets["layer"] + ")"
    return np.asarray(outlets["water"].where(outlets["water"] != "", unnamed), dtype=object)
