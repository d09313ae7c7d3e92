"""The side on which water lies, decided by elevation and by the paths of runoff together.

A difference of elevation tells which of two places is higher; a path tells whether water runs from
one to the other. Where the two disagree the stricter counts: what either of them puts downgradient
is downgradient. Neither ever makes a `no` within a setback, since groundwater may go elsewhere.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from .facts import Texts, texts
from .gradient import DOWNGRADIENT, LEVEL, UNKNOWN_SIDE, UPGRADIENT


def decide_sides(table: pd.DataFrame, paths: pd.DataFrame | None, within_ft: float) -> pd.DataFrame:
    """Return the sides with what the paths say of them.

    Parameters
    ----------
    table
        As `gradient.measure_sides` returns it.
    paths
        As `drainage.Watch.result` returns it, in the same order; None: runoff was not followed.
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
