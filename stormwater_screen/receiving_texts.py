"""What is said about where runoff goes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd

from .details import COLUMNS
from .facts import texts
from .flow_grid import EDGE, FAR, HOLE, PIT
from .receiving_outlets import LOST_TEXTS

_LOST = {
    "edge": LOST_TEXTS[int(EDGE)], "hole": LOST_TEXTS[int(HOLE)], "pit": LOST_TEXTS[int(PIT)],
    "far": LOST_TEXTS[int(FAR)],
}  # fmt: skip


def outlet_details(outlets: gpd.GeoDataFrame, dem: str) -> pd.DataFrame:
    """Return the outlets as rows for findings, with the columns of ``details.COLUMNS``.

    Parameters
    ----------
    outlets
        As in `receiving.ReceivingResult`.
    dem
        Name of the raster.
    """
    records = pd.DataFrame(outlets.drop(columns="geometry")).to_dict("records")
    layer = outlets["layer"].to_numpy(object)
    table = {
        "row": outlets["row"],
        "id": np.where(outlets["ends"] == "water", "receiving_water", "runoff_lost").astype(object),
        "outcome": texts(len(outlets), "info"),
        "value": outlets["share"] * 100,
        "unit": texts(len(outlets), "%"),
        "text": np.array([_sentence(record) for record in records], dtype=object),
        "source": np.where(layer == "", dem, layer + f"; {dem}"),
    }
    return pd.DataFrame(table, columns=list(COLUMNS))


def _sentence(item: Mapping[Any, Any]) -> str:
    who = f"{item['share']:.0%} of the runoff ({item['area_sqft']:,.0f} sq ft)"
    fall = "" if np.isnan(item["drop_ft"]) else f", falling {item['drop_ft']:,.1f} ft"
    way = f"over {item['length_ft']:,.0f} ft of ground{fall}"
    if item["ends"] == "water":
        water = item["water"] or f"an unnamed water of {item['layer']}"
        parts = [f"{who} first reaches {water} {way}"]
        further = [name for name in item["passed"].split(" > ") if name and name != item["water"]]
        if further:
            parts.append("further down: " + ", ".join(further))
        if item["stops"]:
            parts.append("the mapped network stops further down")
    else:
        parts = [f"{who} is lost {_LOST[item['ends']]}, {way}, at {item['place']}"]
        if item["ends"] == "pit":
            parts.append("a culvert may drain it")
    if item["deepest_ft"] >= 0.5 and item["ends"] == "water":
        parts.append(
            f"on its way it crosses a depression, filled {item['deepest_ft']:.1f} ft there"
        )
    if not item["counts"]:
        parts.append("too small a share to count")
    return "; ".join(parts)
