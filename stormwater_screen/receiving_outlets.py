"""From paths of runoff to outlets, listed waters reached and what was lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import geopandas as gpd
import numpy as np
import pandas as pd
import pyproj
import shapely

from .facts import Floats, Texts, texts
from .features import Geometries, Indices
from .flow_grid import EDGE, FAR, HOLE, NETWORK_END, PIT, WATER
from .geometry import prepared_copies
from .network import Network, downstream
from .tolerances import DISTANCE_FT

if TYPE_CHECKING:
    from .receiving import ReceivingOptions

END_WORDS: Final = {
    int(WATER): "water", int(EDGE): "edge", int(HOLE): "hole", int(PIT): "pit", int(FAR): "far",
}  # fmt: skip

LOST_TEXTS: Final = {
    int(EDGE): "at the edge of the DEM",
    int(HOLE): "at a hole in the DEM",
    int(PIT): "in a closed depression",
    int(FAR): "more than a mile on, before any mapped water",
    int(NETWORK_END): "where the mapped network stops",
}

_PASSED_NAMES: Final = 6


class Below(NamedTuple):
    """What lies below the first waters of runoff.

    Attributes
    ----------
    reached
        Listed waters: ``row``, ``listing``, ``reached``, ``share``, ``along_ft``, ``counts``.
    ends
        For each first piece ``piece``, ``stops`` (True where the network stops), ``end_ft`` (way
        along the network to there), ``x``, ``y``.
    names
        For each first piece the names of waters in the order in which they are met: ``piece``,
        ``name``, ``along_ft`` (way along the network).
    """

    reached: pd.DataFrame
    ends: pd.DataFrame
    names: pd.DataFrame


def reached_listings(
    walked: pd.DataFrame, network: Network, sites: Geometries, options: ReceivingOptions
) -> Below:
    """Follow the network down from the first waters.

    Parameters
    ----------
    walked
        Paths by site and piece of water, with ``share``.
    network
        Mapped water.
    sites
        Sites in the plane.
    options
        Choices.

    Returns
    -------
    Below
        What lies below the first waters.
    """
    wet = walked[walked["piece"] >= 0]
    sources = np.unique(wet["piece"].to_numpy(np.int64))
    below = downstream(network, sources, options.follow_ft)
    below["first"] = sources[below["source"].to_numpy(np.int64)]
    hits = below.merge(network.listed, on="piece")
    hits = hits.sort_values("along_ft", kind="stable").drop_duplicates(["first", "listing"])
    hits = hits.assign(direct=hits["piece"] == hits["first"])
    paths = wet[["row", "piece", "share", "length_ft"]].rename(columns={"piece": "first"})
    met = paths.merge(hits, on="first")
    met["along_ft"] += met["length_ft"]
    met = met[met["along_ft"] <= options.follow_ft]
    waters = prepared_copies(network.geometry[met["piece"].to_numpy(np.int64)])
    # A lake has no length along the network, however wide it is.
    near = shapely.dwithin(waters, sites[met["row"].to_numpy(np.int64)], options.follow_ft)
    met = met[near]
    met = met.assign(direct_share=met["share"].where(met["direct"], 0.0))
    reached = met.groupby(["row", "listing"], as_index=False).agg(
        share=("share", "sum"), direct=("direct_share", "sum"), along_ft=("along_ft", "min")
    )
    least = options.min_share - 1e-9
    direct = reached["direct"] >= least
    # Below the least share nothing counts, but what it would be is still said.
    first_only = ~(reached["share"] >= least) & (reached["direct"] > 0)
    reached["reached"] = np.where(direct | first_only, "direct", "tributary").astype(object)
    reached["share"] = np.where(direct, reached["direct"], reached["share"])
    reached["counts"] = reached["share"] >= least
    columns = ["row", "listing", "reached", "share", "along_ft", "counts"]
    return Below(
        reached[columns],
        _ends(below, network, sources, options.follow_ft),
        _names(below, network, sources),
    )


def _ends(below: pd.DataFrame, network: Network, sources: Indices, limit_ft: float) -> pd.DataFrame:
    piece = below["piece"].to_numpy(np.int64)
    end_ft = below["along_ft"].to_numpy(float) + network.length_ft[piece]
    last = below["last"].to_numpy(bool)
    source = below["source"].to_numpy(np.int64)
    going = np.zeros(len(sources), bool)
    # Water that comes to rest in a lake is not lost, nor is what runs beyond the limit.
    going[source[(last & network.at_rest[piece]) | (end_ft > limit_ft)]] = True
    order = np.lexsort((-end_ft, ~last, source))
    stop = pd.DataFrame({"source": source, "end_ft": end_ft, "at": piece}).iloc[order]
    table = pd.DataFrame({"source": np.arange(len(sources)), "piece": sources})
    table = table.merge(stop.drop_duplicates("source"), on="source", how="left")
    # Where nothing is last the network runs in a circle, and that is no way on either.
    table["stops"] = ~going
    at = table["at"].to_numpy(np.int64)
    xy = shapely.get_coordinates(shapely.point_on_surface(network.geometry[at]))
    lines = shapely.get_dimensions(network.geometry[at]) == 1
    xy[lines] = shapely.get_coordinates(shapely.get_point(network.geometry[at[lines]], -1))
    table["x"], table["y"] = xy.T if len(xy) else (np.empty(0), np.empty(0))
    return table[["piece", "stops", "end_ft", "x", "y"]]


def _names(below: pd.DataFrame, network: Network, sources: Indices) -> pd.DataFrame:
    name = network.name[below["piece"].to_numpy(np.int64)]
    first = sources[below["source"].to_numpy(np.int64)]
    table = pd.DataFrame({"piece": first, "name": name, "along_ft": below["along_ft"]})
    return table[table["name"] != ""].drop_duplicates(["piece", "name"])


def lost_shares(
    walked: pd.DataFrame,
    ends: pd.DataFrame,
    crs: pyproj.CRS,
    count: int,
    options: ReceivingOptions,
) -> tuple[Floats, Texts]:
    """Return the share of each site whose runoff is lost, and how and where.

    Parameters
    ----------
    walked
        Paths, with ``share``.
    ends
        What `reached_listings` says of the first pieces.
    crs
        The plane.
    count
        Number of sites.
    options
        Choices.
    """
    on_land = walked[walked["piece"] < 0][["row", "code", "share", "x", "y"]]
    wet = walked[walked["piece"] >= 0][["row", "piece", "share", "length_ft"]].merge(
        ends, on="piece"
    )
    stops = wet["stops"] & (wet["end_ft"] + wet["length_ft"] <= options.follow_ft)
    in_network = wet[stops].assign(code=int(NETWORK_END))[["row", "code", "share", "x", "y"]]
    lost = pd.concat([on_land, in_network], ignore_index=True)
    share = np.zeros(count)
    np.add.at(share, lost["row"].to_numpy(np.int64), lost["share"].to_numpy(float))
    said = texts(count)
    order = lost.sort_values(["row", "share"], ascending=[True, False], kind="stable")
    largest = order.drop_duplicates("row")
    row = largest["row"].to_numpy(np.int64)
    for where, code, place in zip(
        row, largest["code"], places(largest["x"], largest["y"], crs), strict=True
    ):
        said[where] = f"{share[where]:.0%} of its runoff is lost, {LOST_TEXTS[int(code)]} ({place})"
    said[share < options.min_share - 1e-9] = ""
    return share, said


def places(x: pd.Series, y: pd.Series, crs: pyproj.CRS) -> list[str]:
    """Return places in a plane as latitude and longitude."""
    to_degrees = pyproj.Transformer.from_crs(crs, crs.geodetic_crs, always_xy=True)
    longitude, latitude = to_degrees.transform(x.to_numpy(float), y.to_numpy(float))
    return [f"{a:.5f}, {b:.5f}" for a, b in zip(latitude, longitude, strict=True)]


def outlet_table(
    walked: pd.DataFrame,
    network: Network,
    shapes: Geometries,
    below: Below,
    options: ReceivingOptions,
    crs: pyproj.CRS,
) -> gpd.GeoDataFrame:
    """Return one row a site and first receiving water, or way of losing the path.

    Parameters
    ----------
    walked
        Paths, with ``share``.
    network
        Mapped water.
    shapes
        What the runoff comes from.
    below
        What lies below the first pieces.
    options
        Choices.
    crs
        The plane.
    """
    piece = walked["piece"].to_numpy(np.int64)
    wet = piece >= 0
    number = np.where(wet, network.water[np.maximum(piece, 0)] if len(network.water) else -1, -1)
    table = walked.assign(number=number).merge(
        below.ends[["piece", "stops", "end_ft"]], on="piece", how="left"
    )
    # What lies beyond the limit is neither followed nor told.
    within = table["end_ft"] + table["length_ft"] <= options.follow_ft
    table["stops"] = table["stops"].eq(True) & within
    keys = ["row", "code", "number"]
    # The path drawn and the names told are those of the piece that receives most.
    table = table.sort_values([*keys, "share"], ascending=[True, True, True, False], kind="stable")
    groups = table.groupby(keys, sort=True)
    outlets = groups.first().drop(columns="share").join(groups["share"].sum()).reset_index()
    first = outlets["piece"].to_numpy(np.int64)
    own = first >= 0
    outlets["water"], outlets["layer"] = texts(len(outlets)), texts(len(outlets))
    outlets.loc[own, "water"] = network.name[first[own]]
    outlets.loc[own, "layer"] = network.layer[first[own]]
    row = outlets["row"].to_numpy(np.int64)
    outlets["ends"] = outlets["code"].map(END_WORDS).fillna("hole")
    outlets["counts"] = outlets["share"] >= options.min_share - 1e-9
    outlets["area_sqft"] = outlets["share"] * np.nan_to_num(shapely.area(shapes[row]))
    outlets["passed"] = _passed(outlets, below.names, options.follow_ft)
    outlets["place"] = places(outlets["x"], outlets["y"], crs)
    lines = outlets["geometry"].to_numpy(object)
    outlets["outlet_x"], outlets["outlet_y"] = _leaving(lines, shapes[row], outlets)
    outlets = outlets.sort_values(["row", "share"], ascending=[True, False], kind="stable")
    columns = [
        "row", "ends", "water", "layer", "share", "counts", "area_sqft", "length_ft", "drop_ft",
        "climb_ft", "deepest_ft", "passed", "stops", "x", "y", "place", "outlet_x", "outlet_y",
    ]  # fmt: skip
    lines = outlets["geometry"].to_numpy(object)
    return gpd.GeoDataFrame(outlets[columns].reset_index(drop=True), geometry=lines, crs=crs)


def _passed(outlets: pd.DataFrame, names: pd.DataFrame, limit_ft: float) -> Texts:
    """Return the names of waters that are met within the limit, over land and along the network."""
    paths = pd.DataFrame({"at": np.arange(len(outlets)), "piece": outlets["piece"]})
    met = paths.assign(length_ft=outlets["length_ft"]).merge(names, on="piece")
    met = met[met["along_ft"] + met["length_ft"] <= limit_ft].sort_values("at", kind="stable")
    met = met[met.groupby("at").cumcount() < _PASSED_NAMES]
    said = texts(len(outlets))
    told = met.groupby("at")["name"].agg(" > ".join)
    said[told.index.to_numpy(np.int64)] = told.to_numpy(object)
    return said


def _leaving(lines: Geometries, shapes: Geometries, outlets: pd.DataFrame) -> tuple[Floats, Floats]:
    """Return where each path last leaves its site; its start where it never does."""
    xy, owner = shapely.get_coordinates(lines, return_index=True)
    inside = shapely.dwithin(shapely.points(xy), shapes[owner], DISTANCE_FT)
    x, y = outlets["x"].to_numpy(float).copy(), outlets["y"].to_numpy(float).copy()
    # Points come in order along each line, so the last assignment stands.
    x[owner[inside]], y[owner[inside]] = xy[inside].T
    return x, y
