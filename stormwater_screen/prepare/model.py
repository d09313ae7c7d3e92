"""What a preparation hands back."""

from __future__ import annotations

from dataclasses import dataclass, field

import geopandas as gpd
import pandas as pd

from ..columns import Column


@dataclass(frozen=True)
class Prepared:
    """Layers and tables made from what an agency publishes.

    Attributes
    ----------
    layers
        By output parameter: features with the columns of ``columns`` in their order.
    tables
        By output parameter: rows without geometry.
    columns
        By output parameter: its columns.
    notes
        What was recognised, left out and found wrong, one sentence each.
    """

    layers: dict[str, gpd.GeoDataFrame]
    columns: dict[str, tuple[Column, ...]]
    notes: tuple[str, ...]
    tables: dict[str, pd.DataFrame] = field(default_factory=dict)
