"""What goes into a screening and what comes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import geopandas as gpd
import pandas as pd

from .coded import CodedPieces
from .layers import Layer
from .plans import Mates
from .rules import Discretionary
from .shapes import Shapes
from .vicinity import Rest


@dataclass(frozen=True)
class DemSource:
    """A raster of ground elevation.

    Attributes
    ----------
    path
        File that rasterio opens.
    band
        Band number, from 1.
    z_unit
        ``auto`` (the file says), ``metre``, ``foot`` or ``us_survey_foot``.
    """

    path: str
    band: int = 1
    z_unit: str = "auto"


@dataclass(frozen=True)
class Whole:
    """What a part of a run must know of the whole run, so that its answers are those of the whole.

    Attributes
    ----------
    rest
        By working plane (whole degrees of latitude and longitude), what its sites must know.
    mates
        Other sites of the common plans that sites of the part belong to; None: there are no plans.
    """

    rest: Mapping[tuple[int, int], Rest]
    mates: Mates | None


@dataclass(frozen=True)
class ScreeningInputs:
    """Layers, fields and raster of a run.

    Attributes
    ----------
    sites
        Polygons, one a site.
    layers
        Other layers by parameter name (``WATER_BODIES``); a name that is absent was not given.
    fields
        Field names by parameter name (``DISTURBED_FIELD``); absent: not given.
    dem
        Elevation, or None.
    whole
        What lies beyond, where the sites are a part of a run; None: they are all of it.
    """

    sites: Layer
    layers: Mapping[str, tuple[Layer, ...]] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    dem: DemSource | None = None
    whole: Whole | None = None


@dataclass(frozen=True)
class Options:
    """Choices of a run.

    Attributes
    ----------
    discretionary
        ``report``: factors for which a project *may* be major are listed; ``upgrade``: they make a
        minor project major.
    plan_empty
        What an empty plan id means: ``unknown`` or ``none``.
    project_type
        One type for all sites, or None.
    high_traffic
        ``unknown``, ``yes`` or ``no`` for all sites without a word of their own.
    dem_error_ft, water_error_ft, supply_error_ft
        Errors of the data, in feet.
    contiguous_ft
        Distance that counts as substantially contiguous, in feet.
    impaired_status_values
        Values of the status field that count as listed; empty: every row counts.
    run_id
        Id written to every output row; None makes one.
    want_zones
        False saves the work of drawing the zones.
    follow_runoff
        False: location alone decides on listed waters, as where there is no DEM.
    follow_ft
        How far runoff is followed, in feet.
    min_share_percent
        Least share of a site whose runoff counts.
    pit_ft
        Depth from which a depression ends a path of runoff, in feet.
    workers
        Threads; None: one for each processor.
    """

    discretionary: Discretionary = "report"
    plan_empty: str = "unknown"
    project_type: str | None = None
    high_traffic: str = "unknown"
    dem_error_ft: float = 0.6
    water_error_ft: float = 40.0
    supply_error_ft: float = 40.0
    contiguous_ft: float = 100.0
    impaired_status_values: tuple[str, ...] = ()
    run_id: str | None = None
    want_zones: bool = True
    follow_runoff: bool = True
    follow_ft: float = 10_560.0
    min_share_percent: float = 5.0
    pit_ft: float = 3.0
    workers: int | None = None


@dataclass(frozen=True)
class Screening:
    """The result of a run.

    Attributes
    ----------
    columns
        One row a site, in order, with the columns of ``columns.SCREENED_COLUMNS``.
    geometries
        The sites' geometries, repaired, in the sites' CRS; None where a site has none.
    finding_rows
        Long table with the columns of ``columns.FINDING_COLUMNS``, its texts as numbers, in pieces.
    zone_rows
        Polygons in the sites' CRS with the columns of ``columns.ZONE_COLUMNS``, in pieces.
    counts
        Numbers of the run by output name (``SITE_COUNT``).
    notes
        Messages about the run as a whole.
    """

    columns: pd.DataFrame
    geometries: gpd.GeoSeries
    finding_rows: CodedPieces
    zone_rows: Shapes
    counts: dict[str, int]
    notes: list[str]

    @property
    def findings(self) -> pd.DataFrame:
        """The findings as a plain table, made anew; of a whole county it takes much memory."""
        return self.finding_rows.frame()

    @property
    def zones(self) -> gpd.GeoDataFrame:
        """The zones as a plain table, made anew; of a whole county it takes much memory."""
        return self.zone_rows.frame()
