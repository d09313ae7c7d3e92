"""What is told of the runs that slopes were measured along: findings and lines."""

from __future__ import annotations

from typing import TypeVar

import geopandas as gpd
import numpy as np
import pandas as pd
import pyproj
import shapely

from .facts import Floats, Texts
from .figures import figures_column
from .plane import NAD83, transform_xy, transformer_between
from .radials import RUN_FT

Frame = TypeVar("Frame", bound=pd.DataFrame)

DETAIL_COLUMNS = ("row", "id", "outcome", "value", "unit", "text", "source", "figures")
LINE_COLUMNS = ("row", "kind", "slope_pct", "slope_dir", "from_ft", "to_ft", "complete")


def no_report(
    crs: pyproj.CRS,
) -> tuple[list[pd.DataFrame], list[gpd.GeoDataFrame], list[str]]:
    """Return empty findings and lines, and no notes."""
    details = pd.DataFrame({name: [] for name in DETAIL_COLUMNS})
    lines = gpd.GeoDataFrame({name: [] for name in LINE_COLUMNS}, geometry=[], crs=crs)
    return [details], [lines], []


def stack(frames: list[Frame]) -> Frame:
    """Return frames in one, in the order of the sites."""
    filled = [frame for frame in frames if len(frame)] or frames[:1]
    stacked: Frame = pd.concat(filled, ignore_index=True)
    ordered: Frame = stacked.sort_values("row", kind="stable", ignore_index=True)
    return ordered


def centre_details(
    runs: pd.DataFrame, measure: str, place: str, crs: pyproj.CRS, source: str
) -> pd.DataFrame:
    """Return a finding for the run from each centre or device.

    Parameters
    ----------
    runs
        ``site`` and the columns of `slope_at_points`.
    measure
        Id of the finding.
    place
        Where the run begins, as "the building centre".
    crs
        The plane.
    source
        Name of the DEM.
    """
    seen = runs[runs["seen_percent"].notna()]
    text = [
        f"From {place} at {start:.1f} ft to {end:.1f} ft, {RUN_FT:.0f} ft away in the direction of"
        f" {azimuth:.0f} degrees: {percent:.1f} %"
        + ("" if complete else "; some directions leave the DEM or end in a hole of it")
        for start, end, azimuth, percent, complete in zip(
            seen["elevation_centre_ft"],
            seen["elevation_end_ft"],
            seen["azimuth_deg"],
            seen["seen_percent"],
            seen["complete"],
            strict=True,
        )
    ]
    figures = figures_column(_run_figures(seen, crs))
    return _details(seen["site"], measure, seen["seen_percent"], text, source, figures)


def place_details(
    found: pd.DataFrame,
    flattest: pd.DataFrame,
    steepest: pd.DataFrame,
    limit_percent: float,
    crs: pyproj.CRS,
    source: str,
) -> pd.DataFrame:
    """Return a finding for each site where any place may become the building centre.

    Parameters
    ----------
    found
        Columns of `survey`.
    flattest, steepest
        Runs from the flattest and the steepest place of each, in the same order.
    limit_percent
        Slope that places were counted against.
    crs
        The plane.
    source
        Name of the DEM.
    """
    known = (found["centres"] > 0).to_numpy() & (found["incomplete"] == 0).to_numpy()
    places, low, high = found[known], flattest[known], steepest[known]
    degrees = transformer_between(crs, NAD83)
    longitude, latitude = transform_xy(degrees, low["x"].to_numpy(), low["y"].to_numpy())
    text = [
        f"Wherever the building stands, the largest slope over {RUN_FT:.0f} ft is {least:.1f} % to"
        f" {most:.1f} %. {reached} of {count} places tried ({share:.0%}) reach"
        f" {limit_percent:g} %. The flattest is at latitude {north:.6f}, longitude {east:.6f}"
        for least, most, reached, count, share, north, east in zip(
            low["seen_percent"],
            high["seen_percent"],
            places["reached"],
            places["centres"],
            places["reached"] / places["centres"],
            latitude,
            longitude,
            strict=True,
        )
    ]
    figures = figures_column(
        {
            **_run_figures(high, crs),
            **{f"flattest_{name}": column for name, column in _run_figures(low, crs).items()},
            "places": places["centres"],
            "reached": places["reached"],
        }
    )
    return _details(low["site"], "slope_places", high["seen_percent"], text, source, figures)


def _run_figures(runs: pd.DataFrame, crs: pyproj.CRS) -> dict[str, Floats]:
    """Return the elevations of both ends of each run, its direction and where it begins."""
    degrees = transformer_between(crs, NAD83)
    longitude, latitude = transform_xy(degrees, runs["x"].to_numpy(), runs["y"].to_numpy())
    return {
        "from_ft": runs["elevation_centre_ft"].to_numpy(),
        "to_ft": runs["elevation_end_ft"].to_numpy(),
        "percent": runs["seen_percent"].to_numpy(),
        "direction_deg": runs["azimuth_deg"].to_numpy(),
        "complete": runs["complete"].to_numpy(),
        "latitude": latitude,
        "longitude": longitude,
    }


def lines_of(runs: pd.DataFrame, kind: str, crs: pyproj.CRS) -> gpd.GeoDataFrame:
    """Return runs as lines from the centre to the end.

    Parameters
    ----------
    runs
        ``site``, ``x``, ``y`` and the columns of `slope_at_points`.
    kind
        What the run begins at.
    crs
        The plane.
    """
    seen = runs[runs["seen_percent"].notna()]
    start = seen[["x", "y"]].to_numpy()
    lines = shapely.linestrings(np.stack([start, start + _step(seen)], axis=1))
    return gpd.GeoDataFrame(
        {
            "row": seen["site"].to_numpy(),
            "kind": np.full(len(seen), kind, object),
            "slope_pct": seen["seen_percent"].to_numpy(),
            "slope_dir": seen["azimuth_deg"].to_numpy(),
            "from_ft": seen["elevation_centre_ft"].to_numpy(),
            "to_ft": seen["elevation_end_ft"].to_numpy(),
            "complete": np.where(seen["complete"], "yes", "no").astype(object),
        },
        geometry=lines,
        crs=crs,
    )


def _step(runs: pd.DataFrame) -> Floats:
    angle = np.radians(runs["azimuth_deg"].to_numpy())
    return np.stack([np.sin(angle), np.cos(angle)], axis=1) * RUN_FT


def _details(
    row: pd.Series,
    measure: str,
    value: pd.Series,
    text: list[str],
    source: str,
    figures: Texts,
) -> pd.DataFrame:
    count = len(row)
    return pd.DataFrame(
        {
            "row": row.to_numpy(),
            "id": np.full(count, measure, object),
            "outcome": np.full(count, "info", object),
            "value": value.to_numpy(),
            "unit": np.full(count, "%", object),
            "text": np.array(text, dtype=object),
            "source": np.full(count, source, object),
            "figures": figures,
        }
    )
