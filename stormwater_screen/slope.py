"""Slope over 100 ft of sites: at the building centre, or wherever a building may stand.

Village of Lake George § 220-58B(1)(b) (15 percent or greater, measured in any direction over 100 ft
from the centre of the proposed building site) and § 220-59A(7) (an infiltration measure where the
slope exceeds 15 percent before grading). The second names no run; the same 100 ft is used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd
import shapely

from .dem import Dem
from .facts import Fact, Floats, Quantity, texts
from .notes import counted
from .outcomes import NO, REVIEW, UNKNOWN, YES, Outcomes, words
from .plane import transformation_note
from .progress import Progress, no_progress, part_of
from .radials import RUN_FT, slope_at_cells, slope_at_points
from .slope_report import centre_details, lines_of, no_report, place_details, stack
from .survey import survey
from .tolerances import SLOPE_POINTS

__all__ = ["SlopeResult", "device_slope_facts", "reaches", "slope_at_points", "slope_facts"]

Integers = npt.NDArray[np.intp]
Geometries = npt.NDArray[np.object_]

NO_BUILDING: Final = "where the building will stand"
NO_DEVICE: Final = "where the infiltration device will stand"
NO_GROUND: Final = "ground elevation (DEM) of the site and 100 ft around it"
NO_DEM: Final = "no ground elevation (DEM) is given"
OFF_DEM: Final = "outside the DEM"
CENTRES_OUTSIDE: Final = "{} building centre(s) lie on no site and are not used"
DEVICES_OUTSIDE: Final = "{} infiltration device(s) lie on no site and are not used"
NO_SHAPE: Final = "the site has no geometry"


@dataclass(frozen=True)
class SlopeResult:
    """Slopes over 100 ft.

    Attributes
    ----------
    facts
        ``slope`` or ``device_slope``, in percent.
    columns
        ``slope_pct``, ``slope_dir``, ``slope_by``, ``slope_15``, ``slope_shr``; none for devices.
    details
        ``row`` (position of the site), ``id``, ``outcome``, ``value``, ``unit``, ``text``,
        ``source``: the runs measured, for the findings.
    lines
        Runs as lines from the centre to the end on the plane: ``row``, ``kind`` (building centre,
        flattest place, steepest place, infiltration device), ``slope_pct``, ``slope_dir``,
        ``from_ft``, ``to_ft``, ``complete``.
    notes
        Messages about the run as a whole.
    """

    facts: dict[str, Fact]
    columns: pd.DataFrame
    details: pd.DataFrame
    lines: gpd.GeoDataFrame
    notes: tuple[str, ...]


def slope_facts(
    sites: gpd.GeoDataFrame,
    dem: Dem | None,
    centres: gpd.GeoDataFrame | None,
    *,
    limit_percent: float = 15.0,
    error_ft: float = 0.6,
    workers: int | None = None,
    progress: Progress = no_progress,
) -> SlopeResult:
    """Measure the largest slope over 100 ft of each site.

    On a site with building centres it is the largest at any of them. On another, every place on the
    site is a possible centre: the slope lies between that of the flattest and of the steepest.

    Parameters
    ----------
    sites
        Polygons on a plane in feet; may be None or empty.
    dem
        Ground elevation, or None.
    centres
        Points on the same plane, or None.
    limit_percent
        Slope that possible centres are counted against, percent.
    error_ft
        Error of an elevation, feet; that of a slope is the root of two of it over the run.
    workers
        Threads; None: one for each processor.
    progress
        Called with the share done; raises to stop the run.

    Returns
    -------
    SlopeResult
        ``slope_pct`` is the slope at the building centre, else that of the steepest place.

    Raises
    ------
    InputError
        The DEM cannot be brought together with the plane, or is damaged.

    Source
    ------
    Village of Lake George, section 220-58B(1)(b).
    """
    geometry = np.asarray(sites.geometry.array, dtype=object)
    whole = _Slopes(len(sites), NO_BUILDING)
    whole.say(~_has_shape(geometry), "no geometry", NO_SHAPE, "the site's geometry")
    if dem is None:
        whole.say(np.ones(len(sites), bool), "no DEM", NO_DEM, NO_GROUND)
        return whole.result("slope", limit_percent, error_ft, *no_report(sites.crs))
    notes = _notes(dem, sites)
    points = _place(geometry, centres)
    runs = _runs(dem, points, sites, workers, part_of(progress, 0.0, 0.1))
    whole.at_points(runs, dem.name, "building centre")
    details = [centre_details(runs, "slope_centre", "the building centre", sites.crs, dem.name)]
    lines = [lines_of(runs, "building centre", sites.crs)]

    open_sites = np.setdiff1d(np.flatnonzero(_has_shape(geometry)), points["site"])
    limit = limit_percent - SLOPE_POINTS
    found = survey(
        dem,
        geometry[open_sites],
        sites.crs,
        limit_percent=limit,
        workers=workers,
        progress=part_of(progress, 0.1, 0.8),
    )
    ends = []
    for key, kind, start in (("low", "flattest place", 0.8), ("high", "steepest place", 0.9)):
        places = found[[f"{key}_x", f"{key}_y"]].set_axis(["x", "y"], axis=1)
        places.insert(0, "site", open_sites)
        measured = slope_at_cells(
            dem,
            found[f"{key}_row"].to_numpy(),
            found[f"{key}_column"].to_numpy(),
            sites.crs,
            workers=workers,
            progress=part_of(progress, start, start + 0.1),
        )
        ends.append(pd.concat([places, measured], axis=1))
        lines.append(lines_of(ends[-1], kind, sites.crs))
    whole.anywhere(open_sites, found, ends[0], ends[1], dem.name)
    whole.without_centre(open_sites, centres is not None)
    details.append(place_details(found, ends[0], ends[1], limit_percent, sites.crs, dem.name))
    off = int((whole.by == OFF_DEM).sum())
    if off:
        text = f"{{}} site(s) lie outside {dem.name}: their slope is unknown"
        notes.append(counted(text, off, scope="sites"))
    progress(1.0)
    return whole.result("slope", limit_percent, error_ft, details, lines, notes)


def device_slope_facts(
    sites: gpd.GeoDataFrame,
    dem: Dem | None,
    devices: gpd.GeoDataFrame | None,
    *,
    error_ft: float = 0.6,
    workers: int | None = None,
    progress: Progress = no_progress,
) -> SlopeResult:
    """Measure the largest slope over 100 ft from the infiltration devices of each site.

    A polygon is measured from its corners and from a point within it.

    Parameters
    ----------
    sites
        Polygons on a plane in feet; may be None or empty.
    dem
        Ground elevation, or None.
    devices
        Points or polygons on the same plane, or None.
    error_ft
        Error of an elevation, feet.
    workers
        Threads; None: one for each processor.
    progress
        Called with the share done; raises to stop the run.

    Raises
    ------
    InputError
        The DEM cannot be brought together with the plane, or is damaged.

    Source
    ------
    Village of Lake George, section 220-59A(7).
    """
    geometry = np.asarray(sites.geometry.array, dtype=object)
    whole = _Slopes(len(sites), NO_DEVICE)
    missing = "no infiltration device is given"
    if devices is not None:
        missing = "no infiltration device lies on the site"
    whole.say(np.ones(len(sites), bool), "no device", missing, NO_DEVICE)
    whole.say(~_has_shape(geometry), "no geometry", NO_SHAPE, "the site's geometry")
    points = _place(geometry, devices)
    if dem is None:
        with_device = np.isin(np.arange(len(sites)), points["site"])
        whole.say(with_device, "no DEM", NO_DEM, NO_GROUND)
        return whole.result("device_slope", None, error_ft, *no_report(sites.crs))
    runs = _runs(dem, points, sites, workers, progress)
    whole.at_points(runs, dem.name, "infiltration device")
    details = [centre_details(runs, "slope_device", "the infiltration device", sites.crs, dem.name)]
    lines = [lines_of(runs, "infiltration device", sites.crs)]
    return whole.result("device_slope", None, error_ft, details, lines, [])


def reaches(quantity: Quantity, limit: float) -> Outcomes:
    """Return whether a quantity is at least ``limit``, with its error and its bounds."""
    least = limit - quantity.tolerance
    hidden = np.where(quantity.hides, quantity.error, 0.0)
    outcome = np.where(quantity.high < least, NO, quantity.between)
    outcome = np.where((outcome == NO) & (quantity.high >= least - hidden), REVIEW, outcome)
    return np.where(quantity.low >= least, YES, outcome).astype(np.int8)


class _Slopes:
    """The slope of each site while it is put together; at first nothing is known."""

    def __init__(self, count: int, settle: str) -> None:
        self.count = count
        self.low, self.high = np.zeros(count), np.full(count, np.inf)
        self.decided = np.zeros(count, bool)
        self.between = np.full(count, UNKNOWN)
        self.shown, self.direction, self.share = (np.full(count, np.nan) for _ in range(3))
        self.by, self.reason, self.source = texts(count), texts(count), texts(count)
        self.settle = texts(count, settle)

    def say(self, where: npt.NDArray[np.bool_], by: str, reason: str, settle: str) -> None:
        """Say why the slope of some sites is not known."""
        self.by[where], self.reason[where], self.settle[where] = by, reason, settle

    def at_points(self, runs: pd.DataFrame, source: str, kind: str) -> None:
        """Take the largest slope from each site's points."""
        if runs.empty:
            return
        worst = runs.sort_values(["site", "seen_percent"], kind="stable", na_position="first")
        worst = worst.groupby("site").tail(1).set_index("site")
        groups = runs.groupby("site")
        complete = groups["complete"].all().to_numpy()
        count = groups["centre"].nunique().to_numpy()
        site = worst.index.to_numpy()
        seen = np.nan_to_num(worst["seen_percent"].to_numpy(), nan=0.0)
        self.low[site], self.high[site] = seen, np.where(complete, seen, np.inf)
        self.decided[site] = complete
        self.shown[site], self.direction[site] = seen, worst["azimuth_deg"].to_numpy()
        self.source[site] = source
        self.settle[site] = np.where(complete, "", NO_GROUND)
        by = [f"steepest of {number} {kind}s" if number > 1 else kind for number in count]
        off = worst["seen_percent"].isna().to_numpy()
        self.by[site] = np.select(
            [complete, off], [np.array(by, object), OFF_DEM], f"{kind}, DEM incomplete"
        )
        least = [
            f"the DEM has holes or ends within 100 ft of the {kind};"
            f" the slope is at least {percent:.1f} %"
            for percent in seen
        ]
        off_text = f"the {kind} lies outside the DEM or in a hole of it"
        self.reason[site] = np.select([complete, off], ["", off_text], np.array(least, object))

    def anywhere(
        self,
        site: Integers,
        found: pd.DataFrame,
        flattest: pd.DataFrame,
        steepest: pd.DataFrame,
        source: str,
    ) -> None:
        """Take the bounds of the slopes at all possible centres of sites."""
        count, reached, below = (found[name].to_numpy() for name in ("centres", "reached", "below"))
        whole = (count > 0) & (found["incomplete"].to_numpy() == 0)
        seen = np.nan_to_num(found["high"].to_numpy(), nan=0.0) > 0
        low, high = flattest["seen_percent"].to_numpy(), steepest["seen_percent"].to_numpy()
        self.low[site] = np.where(whole, low, np.nan_to_num(found["least"].to_numpy(), nan=0.0))
        self.high[site] = np.where(whole, high, np.inf)
        depends = whole | ((reached > 0) & (below > 0))
        self.between[site] = np.where(depends, REVIEW, UNKNOWN)
        self.shown[site] = np.where(whole, high, np.nan)
        self.direction[site] = np.where(whole, steepest["azimuth_deg"].to_numpy(), np.nan)
        self.share[site] = np.where(whole, reached / np.maximum(count, 1), np.nan)
        grid = [f"any place on the site (grid of {s:.0f} ft)" for s in found["spacing_ft"]]
        self.by[site] = np.select(
            [whole, seen], [np.array(grid, object), "DEM incomplete"], OFF_DEM
        )
        self.source[site] = np.where(count > 0, source, "")
        self.reason[site] = np.select(
            [whole, seen],
            [
                "it depends on where the building will stand",
                "the DEM has holes or ends within 100 ft of some places of the site",
            ],
            "the site lies outside the DEM",
        )
        self.settle[site] = np.where(depends, NO_BUILDING, NO_GROUND)

    def without_centre(self, site: Integers, layer_given: bool) -> None:
        """Say that a layer of centres has none on some sites."""
        if layer_given:
            site = site[np.isfinite(self.high[site])]
            self.by[site] = self.by[site] + "; no building centre on it"

    def result(
        self,
        name: str,
        limit_percent: float | None,
        error_ft: float,
        details: list[pd.DataFrame],
        lines: list[gpd.GeoDataFrame],
        notes: list[str],
    ) -> SlopeResult:
        """Return what was put together."""
        quantity = Quantity(
            value=np.where(self.decided, self.low, np.nan),
            low=self.low,
            high=self.high,
            unit="%",
            error=np.full(self.count, error_ft * 2**0.5 / RUN_FT * 100),
            hides=True,
            tolerance=SLOPE_POINTS,
            between=self.between,
            source=self.source,
            reason=self.reason,
            settle=self.settle,
        )
        columns = pd.DataFrame(index=pd.RangeIndex(self.count))
        if limit_percent is not None:
            outcome = reaches(quantity, limit_percent)
            # What is seen of a slope is shown only where what is not seen cannot change the answer.
            shown = np.isfinite(self.high) | (outcome == YES)
            columns["slope_pct"] = np.where(shown, self.shown, np.nan)
            columns["slope_dir"] = np.where(shown, self.direction, np.nan)
            columns["slope_by"] = self.by
            columns["slope_15"] = words(outcome)
            columns["slope_shr"] = self.share
        return SlopeResult({name: quantity}, columns, stack(details), stack(lines), tuple(notes))


def _has_shape(geometry: Geometries) -> npt.NDArray[np.bool_]:
    return np.asarray(~(shapely.is_missing(geometry) | shapely.is_empty(geometry)))


def _notes(dem: Dem, sites: gpd.GeoDataFrame) -> list[str]:
    note = transformation_note(dem.name, dem.crs, sites.crs)
    return [*dem.notes, note] if note else list(dem.notes)


def unplaced(sites: gpd.GeoDataFrame, features: gpd.GeoDataFrame | None) -> int:
    """Return how many points, lines and polygons lie on no site.

    Parameters
    ----------
    sites
        Polygons; may be None or empty.
    features
        Any shapes in the same CRS, or None.
    """
    if features is None or len(features) == 0:
        return 0
    shapes = np.asarray(features.geometry.array, dtype=object)
    feature, _ = _on_sites(np.asarray(sites.geometry.array, dtype=object), shapes)
    return int(_has_shape(shapes).sum()) - len(np.unique(feature))


def _place(geometry: Geometries, features: gpd.GeoDataFrame | None) -> pd.DataFrame:
    """Return the points of the features on each site.

    A point is measured from itself, any other shape from its corners and a point within it.
    """
    if features is None or len(features) == 0:
        return _points(np.zeros(0, np.intp), np.zeros(0, np.intp), np.zeros((0, 2)))
    shapes = np.asarray(features.geometry.array, dtype=object)
    feature, site = _on_sites(geometry, shapes)
    corners, owner = shapely.get_coordinates(shapes[feature], return_index=True)
    wide = np.flatnonzero(shapely.get_dimensions(shapes[feature]) > 0)
    within = shapely.get_coordinates(shapely.point_on_surface(shapes[feature[wide]]))
    owner = np.concatenate([owner, wide])
    return _points(site[owner], feature[owner], np.concatenate([corners, within]))


def _on_sites(geometry: Geometries, shapes: Geometries) -> tuple[Integers, Integers]:
    """Return pairs of shapes and the sites that they lie on."""
    feature, site = shapely.STRtree(geometry).query(shapes, predicate="intersects")
    # A trench along a lot line is no device of the neighbour; a point on it belongs to both.
    area = shapely.get_dimensions(shapes[feature]) == 2
    kept = ~(area & shapely.touches(geometry[site], shapes[feature]))
    return feature[kept], site[kept]


def _points(site: Integers, centre: Integers, xy: Floats) -> pd.DataFrame:
    return pd.DataFrame({"site": site, "centre": centre, "x": xy[:, 0], "y": xy[:, 1]})


def _runs(
    dem: Dem, points: pd.DataFrame, sites: gpd.GeoDataFrame, workers: int | None, progress: Progress
) -> pd.DataFrame:
    """Return points with the largest slope from each."""
    x, y = points["x"].to_numpy(), points["y"].to_numpy()
    found = slope_at_points(dem, x, y, sites.crs, workers=workers, progress=progress)
    return pd.concat([points, found], axis=1)
