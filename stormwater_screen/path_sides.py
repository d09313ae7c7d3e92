"""The side on which water lies, decided by elevation and by the paths of runoff together.

A difference of elevation tells which of two places is higher; a path tells whether water runs from
one to the other. Where the two disagree the stricter counts: what either of them puts downgradient
is downgradient. Neither ever takes a setback away by itself, since groundwater may go elsewhere.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import shapely

from .facts import Texts, texts
from .features import Features, Indices
from .flow_ground import CELL_FT
from .gradient import DOWNGRADIENT, LEVEL, UNKNOWN_SIDE, UPGRADIENT, Pairs

_COLUMNS: Final = ("passes", "reaches", "may", "onto", "share", "nearest_ft", "fall_ft")


@dataclass(frozen=True)
class Drained:
    """What the paths of runoff say of places and the features near them.

    Attributes
    ----------
    table
        One row a place and feature: ``place`` (its key), ``key`` (that of the feature), ``passes``
        (True where runoff surely passes within the distance, or ends in the feature), ``reaches``
        (True where it ends in it), ``may`` (True where the paths do not tell), ``onto`` (True where
        runoff from the feature goes over the place), ``share`` (of the place, 0-1, whose runoff
        surely passes), ``nearest_ft`` (least distance of its path) and ``fall_ft`` (largest fall to
        there, NaN where it has no ground).
    within_ft
        How near a path must come, in feet.
    """

    table: pd.DataFrame
    within_ft: float

    def of(self, places: Indices, pairs: Pairs, features: Features) -> pd.DataFrame:
        """Return the rows of pairs of places and features, in their order.

        ``coarse`` is True where the two lie nearer to each other than a cell is wide.

        Parameters
        ----------
        places
            Key of each place.
        pairs
            Places and features, by their numbers.
        features
            The same features as were watched, or some of them.
        """
        asked = pd.DataFrame(
            {"place": places[pairs.place], "key": feature_keys(features, pairs.feature)}
        )
        found = asked.merge(self.table, on=["place", "key"], how="left", validate="many_to_one")
        for column in ("passes", "reaches", "may", "onto"):
            found[column] = found[column].eq(True)
        return found[[*_COLUMNS]].assign(coarse=pairs.distance_ft < CELL_FT)


def feature_keys(features: Features, numbers: Indices) -> npt.NDArray[np.int64]:
    """Return a key for each of some features that is the same in any part of its layer."""
    unique, which = np.unique(numbers, return_inverse=True)
    shapes = shapely.to_wkb(features.geometry[unique])
    keys = np.array(
        [
            int.from_bytes(hashlib.blake2b(role.encode() + wkb, digest_size=7).digest(), "big")
            for role, wkb in zip(features.role[unique], shapes, strict=True)
        ],
        np.int64,
    )
    return keys[which.reshape(-1)]


def decide_sides(table: pd.DataFrame, paths: pd.DataFrame | None, within_ft: float) -> pd.DataFrame:
    """Return the sides with what the paths say of them.

    Parameters
    ----------
    table
        As `gradient.measure_sides` returns it.
    paths
        As `Drained.of` returns it, in the same order; None: runoff was not followed.
    within_ft
        How near a path must come to pass, in feet.

    Returns
    -------
    pandas.DataFrame
        The same with ``below``, ``above`` and ``side`` decided by both, ``by`` (``elevation``,
        ``path``, ``elevation and path``, or empty where the side is not decided) and ``path`` (what
        the paths say, in words; empty where runoff was not followed).
    """
    side = table["side"].to_numpy(object)
    decided = np.isin(side, [DOWNGRADIENT, UPGRADIENT])
    if paths is None:
        by = np.where(decided, "elevation", "").astype(object)
        return table.assign(by=by, path=texts(len(table)))
    passes, onto = paths["passes"].to_numpy(bool), paths["onto"].to_numpy(bool)
    may = paths["may"].to_numpy(bool) & ~passes
    below = table["below"].to_numpy(bool) | passes
    above = table["above"].to_numpy(bool) | onto
    unseen = table["unseen"].to_numpy(bool)
    # Water that may lie downgradient by a path is not taken for upgradient.
    both = np.select(
        [below, unseen | (above & may), above],
        [DOWNGRADIENT, UNKNOWN_SIDE, UPGRADIENT],
        default=LEVEL,
    ).astype(object)
    by_path = ((both == DOWNGRADIENT) & passes) | ((both == UPGRADIENT) & onto)
    by_elevation = (both == side) & decided
    by = np.select(
        [by_path & by_elevation, by_path, by_elevation],
        ["elevation and path", "path", "elevation"],
        default="",
    ).astype(object)
    # A strip beside the water that is narrower than a cell has no path of its own.
    hidden = paths["coarse"].to_numpy(bool) & (side == DOWNGRADIENT)
    said = _said(paths.assign(may=may | hidden), side, within_ft)
    return table.assign(below=below, above=above, side=both, by=by, path=said)


def _said(paths: pd.DataFrame, side: Texts, within_ft: float) -> Texts:
    """Return what the paths say of each pair, and where elevation says otherwise."""
    towards = np.array(
        [
            f"runoff of {share:.0%} of the site "
            + ("ends in it" if ends else f"passes {apart:,.0f} ft from it")
            for share, ends, apart in zip(
                paths["share"], paths["reaches"], paths["nearest_ft"], strict=True
            )
        ],
        dtype=object,
    ).reshape(len(paths))
    passes, may, onto = (paths[name].to_numpy(bool) for name in ("passes", "may", "onto"))
    own = "its own runoff goes over the site"
    none = f"no runoff of the site passes within {within_ft:g} ft of it"
    words = np.select(
        [passes & onto, passes, may, onto],
        [
            towards + f", and {own}",
            towards,
            "the paths of runoff do not tell whether any passes it",
            f"{none}, and {own}",
        ],
        default=none,
    )
    against = (passes & (side == UPGRADIENT)) | (~passes & ~may & (side == DOWNGRADIENT))
    tail = np.where(against, "; by elevation it is " + side + ", and the stricter counts", "")
    return np.asarray(words + tail, dtype=object)
