"""Whether the chains of QGIS algorithms measured the same numbers as the screening."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyproj
import shapely

from stormwater_screen.dem import Dem
from stormwater_screen.layers import read_layer
from stormwater_screen.plane import plane_crs, to_plane
from stormwater_screen.radials import slope_at_points
from tests.benchmark.chain import SETBACKS_FT
from tests.benchmark.county import County

AREA_SHARE = 1e-6
CHORD_SHARE = 2e-3
"""Circles drawn with chords lose up to this share of the area of a lot."""

DISTANCE_FT = 0.01
SHARED_EDGE_SF = 100.0
"""A thin overlap counts as a shared edge with us; the chain has no such rule."""

CHORD_FT = 0.1
_CHECKED = 100
SLOPE_POINTS = 1.5
"""The chain takes the cell that a point falls in, and every tenth degree; ours lies between cells
and tries every degree."""


def disagreements(folder: Path, name: str, county: County) -> Iterator[str]:
    """Yield a line for each number that both measured, with how far they lie apart.

    Raises
    ------
    AssertionError
        They lie farther apart than the ways of measuring explain.
    """
    ours = pd.read_pickle(folder / "core.pkl").sort_index()
    zone = pd.read_pickle(folder / "core_zone.pkl")
    theirs = pd.read_pickle(folder / f"{name}.pkl").loc[ours.index]
    areas = np.asarray(theirs["disturb_sf"])
    yield _line("disturbed area", ours["disturb_sf"], areas, AREA_SHARE * np.maximum(areas, 1))
    near = zone.reindex(ours.index).fillna(0.0)
    side = theirs["zone_sf"].to_numpy()
    yield _line("area within 500 ft of water", near, side, CHORD_SHARE * 60_000)
    least = np.fmin(ours["water_ft"], ours["supply_ft"]).to_numpy()
    for distance in SETBACKS_FT:
        within = theirs[f"in_{distance}_sf"].to_numpy() > 0
        # At the limit itself a circle of chords may fall short.
        clear = np.abs(least - distance) > CHORD_FT
        yield _same(f"within {distance} ft", (least <= distance)[clear], within[clear])
    there = np.isfinite(ours["water_ft"].to_numpy())
    apart = theirs["water_ft"].to_numpy()[there]
    yield from _distances(ours["water_ft"].to_numpy()[there], apart, county, ours.index[there])
    inside = ours["tmdl"].str.startswith("Watershed")
    covered = theirs["tmdl_sf"].to_numpy()
    clear = (covered == 0) | (covered > SHARED_EDGE_SF)
    yield _same("in a TMDL watershed", inside[clear], covered[clear] > 0)
    touched = theirs["listed_name"].to_numpy()
    told = ours["impaired"].fillna("").to_numpy()
    named = [name in text for name, text in zip(touched, told, strict=True)]
    yield _same("listed water touched is named", named, np.ones(len(named), bool))
    yield _same("largest soil group", _largest_group(ours["soil_grp"]), theirs["hsg"], tied=0.01)
    yield from _slopes(county, theirs)


def _largest_group(told: pd.Series) -> list[str]:
    """Return the group that covers most of each lot; empty where its group is not known."""
    groups = []
    for text in told.fillna(""):
        shares = re.findall(r"([A-D](?:/D)?|[a-z ]+) [<>]?(\d+)%", text)
        mapped = [name for name, _ in shares if name.strip() != "unmapped"]
        first = mapped[0] if mapped else ""
        groups.append(first if first[:1].isupper() else "")
    return groups


def _distances(
    ours: npt.NDArray[np.float64],
    theirs: npt.NDArray[np.float64],
    county: County,
    lots: pd.Index,
) -> Iterator[str]:
    """Compare distances; QGIS's join by nearest does not always find the nearest line."""
    if (ours > theirs + DISTANCE_FT).any():
        raise AssertionError("distance to water: the chain found something nearer")
    missed = ours < theirs - DISTANCE_FT
    yield (
        f"distance to water: {(~missed).sum():,} agree, {missed.sum():,} where the chain"
        " misses the nearest"
    )
    chosen = np.flatnonzero(missed)[:_CHECKED]
    plane = plane_crs((43, -74))

    def shapes(name: str) -> gpd.GeoDataFrame:
        return to_plane(read_layer(county.layer(name), role=name, geometry="any").frame, plane)

    sites = shapes("SITES").set_index("lot").loc[lots[chosen]].geometry.to_numpy()
    water = [shapes(name).geometry.to_numpy() for name in ("WATER_BODIES", "WATERCOURSES")]
    every = np.concatenate(water)
    plainly = np.array([shapely.distance(site, every).min() for site in sites])
    if not np.allclose(plainly, ours[chosen], rtol=0, atol=DISTANCE_FT):
        raise AssertionError("distance to water: ours is not the distance to the nearest feature")
    yield f"distance to water: measured plainly, ours is right on {len(chosen):,} of these"


def _slopes(county: County, theirs: pd.DataFrame) -> Iterator[str]:
    plane = plane_crs((43, -74))
    layer = read_layer(county.layer("SITES"), role="SITES", geometry="polygon")
    sites = to_plane(layer.frame, plane).set_index("lot").loc[theirs.index]
    points = shapely.get_coordinates(shapely.point_on_surface(sites.geometry.to_numpy()))
    with Dem.open(str(county.dem)) as dem:
        seen = slope_at_points(dem, points[:, 0], points[:, 1], plane)["seen_percent"].to_numpy()
        again = _as_the_chain(dem, points, plane)
    chain = theirs["slope_pct"].to_numpy()
    yield _line("slope as the chain samples it", pd.Series(again), chain, 0.02)
    yield _line("slope at a centre", pd.Series(seen), chain, SLOPE_POINTS)


def _as_the_chain(
    dem: Dem, points: npt.NDArray[np.float64], plane: pyproj.CRS
) -> npt.NDArray[np.float64]:
    """Return the largest rise of 36 directions, each from the cell that the point falls in."""
    angle = np.radians(np.arange(0, 360, 10.0))
    x = points[:, :1] + np.r_[0.0, 100 * np.sin(angle)]
    y = points[:, 1:] + np.r_[0.0, 100 * np.cos(angle)]
    rows, columns = dem.cells(x.ravel(), y.ravel(), plane)
    ground = dem.ground_ft(0, dem.height, 0, dem.width)
    height = ground[np.rint(rows).astype(int), np.rint(columns).astype(int)].reshape(x.shape)
    return np.asarray(np.abs(height[:, 1:] - height[:, :1]).max(axis=1))


def _line(what: str, ours: pd.Series, theirs: npt.NDArray[np.float64], allowed: object) -> str:
    apart = np.abs(ours.to_numpy(np.float64) - theirs)
    bound = np.broadcast_to(np.asarray(allowed, np.float64), apart.shape)
    bad = int((~(apart <= bound)).sum())
    if bad > 0:
        worst = int(np.nanargmax(apart - bound))
        raise AssertionError(
            f"{what}: {bad} of {len(apart)} differ, as {ours.to_numpy()[worst]} and {theirs[worst]}"
        )
    return f"{what}: {len(apart):,} agree, at most {apart.max(initial=0.0):.3g} apart"


def _same(what: str, ours: object, theirs: object, *, tied: float = 0.0) -> str:
    """Return a line on words that must be the same; a few may be tied."""
    differ = int((np.asarray(ours) != np.asarray(theirs)).sum())
    count = len(np.asarray(ours))
    if differ > tied * count:
        raise AssertionError(f"{what}: {differ} of {count} differ")
    return f"{what}: {count - differ:,} of {count:,} agree"
