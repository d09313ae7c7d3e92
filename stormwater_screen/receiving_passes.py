"""Whether runoff from a site passes near a drinking-water supply on its way.

A difference of elevation tells which of two places is higher; only the path tells whether water
runs from one to the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import geopandas as gpd
import numpy as np
import pandas as pd
import shapely

from .details import COLUMNS
from .facts import texts
from .features import WaterLayer, gather
from .flow_ground import CELL_FT

PASSES_FT: Final = 100.0
"""Largest setback from a supply, in feet."""


def passed_supplies(
    outlets: gpd.GeoDataFrame, supplies: Sequence[WaterLayer], *, within_ft: float = PASSES_FT
) -> pd.DataFrame:
    """Return supplies that runoff comes nearer to and passes, as rows for findings.

    The longest path of each share is looked at. A supply beside which it only begins, and from
    which it runs away, is not passed.

    Parameters
    ----------
    outlets
        As in `receiving.ReceivingResult`.
    supplies
        Layers of the role WATER_SUPPLIES in the same plane.
    within_ft
        How near, in feet.

    Returns
    -------
    pandas.DataFrame
        Columns of ``details.COLUMNS``: ``runoff_passes``, with the least distance in feet.
    """
    features = gather(supplies)
    lines = outlets["geometry"].to_numpy(object)
    path, piece = shapely.STRtree(features.pieces).query(
        lines, predicate="dwithin", distance=within_ft
    )
    shape = features.pieces[piece]
    apart = shapely.distance(lines[path], shape)
    start = shapely.get_point(lines[path], 0)
    nearer = shapely.distance(start, shape) - apart > CELL_FT
    nearer &= outlets["counts"].to_numpy(bool)[path]
    table = pd.DataFrame(
        {
            "path": path,
            "row": outlets["row"].to_numpy(np.int64)[path],
            "feature": features.piece_feature[piece],
            "value": apart,
        }
    )[nearer]
    table = table.sort_values(["row", "feature", "value"], kind="stable")
    table = table.drop_duplicates(["row", "feature"]).reset_index(drop=True)
    feature = table["feature"].to_numpy(np.int64)
    share = outlets["share"].to_numpy(np.float64)[table["path"].to_numpy(np.int64)]
    name = np.where(features.name[feature] == "", "a supply", features.name[feature])
    said = [
        f"runoff of {part:.0%} of the site passes {apart:,.0f} ft from {what}: it lies downgradient"
        for part, apart, what in zip(share, table["value"], name, strict=True)
    ]
    table = table.assign(
        id="runoff_passes",
        outcome="info",
        unit="ft",
        text=np.array(said, dtype=object).reshape(len(table)),
        source=features.layer[feature] if len(table) else texts(0),
    )
    return table.reindex(columns=list(COLUMNS))
