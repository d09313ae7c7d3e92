"""What a measure found."""

from __future__ import annotations

from dataclasses import dataclass, field

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd

from .details import Details
from .facts import Fact


@dataclass(frozen=True)
class Part:
    """What a measure found of the sites of a group.

    Attributes
    ----------
    facts
        Facts of the group's sites.
    columns
        Columns that the measure owns, one row a site.
    details
        Rows with the columns of ``details.COLUMNS``; ``row`` is the place in the group.
    notes
        Messages about the run as a whole.
    zones
        Polygons in the plane with ``row``, ``zone``, ``why``, ``area_sf``.
    lines
        Runs along which slopes were measured, in the plane.
    paths, outlets
        Ways of runoff, and where it leaves the sites, in the plane.
    infiltration_sqft
        Where infiltration may stand: one row a site, one column a text of the law, in sq ft.
    whole_site
        True for sites judged as if wholly disturbed.
    """

    facts: dict[str, Fact]
    columns: pd.DataFrame
    details: pd.DataFrame = field(default_factory=lambda: Details().frame())
    notes: tuple[str, ...] = ()
    zones: tuple[gpd.GeoDataFrame, ...] = ()
    lines: tuple[gpd.GeoDataFrame, ...] = ()
    paths: tuple[gpd.GeoDataFrame, ...] = ()
    outlets: tuple[gpd.GeoDataFrame, ...] = ()
    infiltration_sqft: pd.DataFrame | None = None
    whole_site: npt.NDArray[np.bool_] | None = None
