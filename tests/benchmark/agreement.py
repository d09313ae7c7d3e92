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
SHARE = 0.05
"""Points of a share: edges that neighbours share overlap a little."""

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
    theirs = _measured(folder, name).loc[ours.index]
    areas = np.asarray(theirs["disturb_sf"])
    yield _line("disturbed area", ours["disturb_sf"], areas, AREA_SHARE * np.maximum(areas, 1))
    near = pd.read_pickle(folder / "core_zone.pkl").reindex(ours.index).fillna(0.0)
    side = theirs["zone_sf"].to_numpy()
    yield _line("area within 500 ft of water", near, side, CHORD_SHARE * 60_000)
    least = np.fmin(ours["water_ft"], ours["supply_ft"]).to_numpy()
    for distance in SETBACKS_FT:
        within = theirs[f"in_{distance}_sf"].to_numpy() > 0
        # At the limit itself a circle of chords may fall short.
        clear = np.abs(least - distance) > CHORD_FT
        yield _same(f"within {distance} ft", (least <= distance)[clear], within[clear])
    inside = ours["tmdl"].str.startswith("Watershed")
    covered = theirs["tmdl_sf"].to_numpy()
    clear = (covered == 0) | (covered > SHARED_EDGE_SF)
    yield _same("in a TMDL watershed", inside[clear], covered[clear] > 0)
    yield _same("largest soil group", _largest_group(ours["soil_grp"]), theirs["hsg"], tied=0.01)
    if name == "postgis":
        yield from _all_distances(ours, theirs)
        told = pd.read_pickle(folder / "core_findings.pkl")
        yield _every_name("listed waters touched", told, "listed_water", theirs["listed_name"])
        tmdl_names = theirs["tmdl_name"].where(clear, "")
        yield _every_name("TMDL watersheds", told, "tmdl_watershed", tmdl_names, clear)
        yield _soil_shares(told, theirs["site_sf"], pd.read_csv(folder / "postgis_grounds.csv"))
    else:
        yield from _nearest(ours, theirs, county)
        touched = theirs["listed_name"].to_numpy()
        told = ours["impaired"].fillna("").to_numpy()
        named = [name in text for name, text in zip(touched, told, strict=True)]
        yield _same("listed water touched is named", named, np.ones(len(named), bool))
        yield from _slopes(county, theirs)


def _measured(folder: Path, name: str) -> pd.DataFrame:
    """Return what a contender measured, by lot."""
    if name != "postgis":
        return pd.read_pickle(folder / f"{name}.pkl")
    texts = ["lot", "tmdl_name", "listed_name", "hsg"]
    table = pd.read_csv(folder / "postgis_screened.csv", dtype=dict.fromkeys(texts, str))
    table[texts] = table[texts].fillna("")
    table["water_ft"] = table[["water_bodies_ft", "watercourses_ft"]].min(axis=1)
    return table.set_index("lot")


def _all_distances(ours: pd.DataFrame, theirs: pd.DataFrame) -> Iterator[str]:
    """Compare the distance to the nearest feature of each kind, where ours was looked for."""
    measured = {
        "water_ft": ours["water_ft"],
        "wetland_ft": _evidence(ours["ev_water"], "wetland"),
        "supply_ft": ours["supply_ft"],
        "leach_ft": _evidence(ours["ev_setbk"], "leach"),
    }
    for name, values in measured.items():
        there = np.isfinite(values.to_numpy())
        side = theirs[name].to_numpy()[there]
        yield _line(name, values[there], side, np.full(len(side), DISTANCE_FT))


def _evidence(texts: pd.Series, name: str) -> pd.Series:
    """Return the exact numbers of a fact out of a column of evidence; NaN where it has bounds."""
    found = texts.str.extract(rf"(?:^|; ){name} ([\d.]+) e", expand=False)
    return pd.to_numeric(found)


def _every_name(
    what: str, told: pd.DataFrame, rule: str, theirs: pd.Series, asked: object = None
) -> str:
    """Compare how many features each lot touches, and look for the name of each in our texts."""
    rows = told[(told["rule"] == rule) & (told["value"] == 0)].groupby("site_id")["text"]
    counts = rows.size().reindex(theirs.index).fillna(0).astype(int)
    texts = rows.agg(" ".join).reindex(theirs.index).fillna("")
    names = [[name for name in text.split("; ") if name] for text in theirs]
    same = np.array(
        [
            len(own) == count and all(f"{name} (" in text for name in own)
            for own, count, text in zip(names, counts, texts, strict=True)
        ]
    )
    same = same if asked is None else same[np.asarray(asked)]
    return _same(f"{what}, each by name", same, np.ones(len(same), bool))


def _soil_shares(told: pd.DataFrame, site_sf: pd.Series, grounds: pd.DataFrame) -> str:
    """Compare the share of each soil group of each lot, in points."""
    rows = told[(told["rule"] == "soil_group") & (told["text"] != "unmapped")]
    ours = rows.set_index(["site_id", "text"])["value"]
    ours.index.names = ["lot", "hsg"]
    grounds["hsg"] = grounds["hsg"].fillna("no group")
    areas = grounds.set_index(["lot", "hsg"])["sf"]
    percent = areas / site_sf.reindex(areas.index.get_level_values("lot")).to_numpy() * 100
    both = pd.concat([ours, percent, areas], axis=1, keys=["ours", "theirs", "sf"]).fillna(0.0)
    both = both[(both["ours"] > 0) | (both["sf"] > SHARED_EDGE_SF)]
    side = both["theirs"].to_numpy()
    return _line("share of each soil group, %", both["ours"], side, np.full(len(side), SHARE))


def _largest_group(told: pd.Series) -> list[str]:
    """Return the group that covers most of each lot; empty where its group is not known."""
    groups = []
    for text in told.fillna(""):
        shares = re.findall(r"([A-D](?:/D)?|[a-z ]+) [<>]?(\d+)%", text)
        mapped = [name for name, _ in shares if name.strip() != "unmapped"]
        first = mapped[0] if mapped else ""
        groups.append(first if first[:1].isupper() else "")
    return groups


def _nearest(table: pd.DataFrame, other: pd.DataFrame, county: County) -> Iterator[str]:
    """Compare distances to water; QGIS's join by nearest does not always find the nearest line."""
    there = np.isfinite(table["water_ft"].to_numpy())
    ours, theirs = (frame["water_ft"].to_numpy()[there] for frame in (table, other))
    lots = table.index[there]
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
