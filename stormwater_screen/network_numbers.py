"""Numbers of NHD, NHDPlus and NHDPlus HR that say which line of a network follows which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import shapely

from .facts import Floats, Texts
from .features import Geometries, Indices, firsts
from .network_lines import AGREES

Booleans = npt.NDArray[np.bool_]

FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "hydroseq": ("hydroseq",),
    "dnhydroseq": ("dnhydroseq", "dnhydrosq", "dnhydrose"),
    "fromnode": ("fromnode",),
    "tonode": ("tonode",),
}
"""Fields with numbers, and the names that they are met under, in lower case."""

FLOW_FIELDS: Final = ("flowdir", "flowdirection")
WITH_WORDS: Final = frozenset(("1", "1.0", "with digitized", "withdigitized"))
"""What the field of the flow's direction says of a line that runs as it was digitised."""

LINKS: Final = (("dnhydroseq", "hydroseq"), ("tonode", "fromnode"))
"""A line whose first number is the second number of another one is followed by that one."""

_CLEAR_SHARE: Final = 0.01


@dataclass(frozen=True)
class Turns:
    """Which way lines run by their numbers.

    Attributes
    ----------
    told
        True where the numbers tell.
    turned
        True where a line runs against the way it was digitised.
    against
        By layer, the share of the lines whose numbers tell that does so.
    """

    told: Booleans
    turned: Booleans
    against: Mapping[str, float]


def numbers_of_lines(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the numbers of features as floats, however they are stored.

    Parameters
    ----------
    frame
        Attributes; upper and lower case of the names do not matter.

    Returns
    -------
    pandas.DataFrame
        Columns of ``FIELDS``, on the frame's index. NULL, words, 0 and numbers below it, as -9998,
        stand for none in these datasets, and are NaN.
    """
    own = {str(column).casefold(): column for column in frame.columns}
    table = pd.DataFrame(index=frame.index)
    for name, aliases in FIELDS.items():
        column = next((own[alias] for alias in aliases if alias in own), None)
        table[name] = np.nan if column is None else _positive(frame[column])
    return table


def _positive(values: pd.Series) -> Floats:
    plain = values if pd.api.types.is_numeric_dtype(values) else values.astype(str).str.strip()
    numbers = pd.to_numeric(plain, errors="coerce").to_numpy(np.float64, na_value=np.nan)
    return np.where(numbers > 0, numbers, np.nan)


def runs_as_digitised(frame: pd.DataFrame) -> Booleans:
    """Return True for features that say themselves that they flow as they were digitised."""
    own = {str(column).casefold(): column for column in frame.columns}
    column: Any = next((own[name] for name in FLOW_FIELDS if name in own), None)
    if column is None:
        return np.zeros(len(frame), bool)
    words = frame[column].astype(str).str.strip().str.casefold()
    return np.asarray(words.isin(WITH_WORDS), bool)


def turns_by_numbers(
    geometry: Geometries,
    numbers: pd.DataFrame,
    layer: Texts,
    given: Booleans,
    against: Mapping[str, float] | None = None,
) -> Turns:
    """Return which way lines run, by where the lines lie that follow and precede them.

    A line runs towards the line that its numbers name next. Where that one does not touch it, as
    behind a pipe that is not there, what the line says itself comes first. Where the numbers name
    no line that is there, it runs as nearly all others of its layer do, else they do not tell.

    Parameters
    ----------
    geometry
        Features in one CRS; only lines are looked at.
    numbers
        Columns of ``FIELDS``, one row a feature.
    layer
        Name of the layer of each.
    given
        True where a feature says itself that it runs as it was digitised.
    against
        ``Turns.against`` of all lines of a run of which these are a part; None: these are all.
    """
    numbered = numbers.notna().to_numpy().any(axis=1) & (shapely.get_dimensions(geometry) == 1)
    own = np.flatnonzero(numbered)
    ends = _ends(geometry[own])
    tail, head = _followers(numbers.iloc[own])
    clear = _CLEAR_SHARE * shapely.length(geometry[own])
    # How much nearer the end of a line than its start lies to the ends of what follows it, and its
    # start than its end to the ends of what precedes it: both speak for the way it was digitised.
    touching, apart = np.zeros(len(own)), np.zeros(len(own))
    joined = np.zeros(len(own), bool)
    for line, other, sign in ((tail, head, 1.0), (head, tail, -1.0)):
        between = np.linalg.norm(ends[line][:, :, None] - ends[other][:, None], axis=-1)
        least = np.full((len(own), 2), np.inf)
        np.minimum.at(least, line, between.min(axis=2))
        known = np.isfinite(least).all(axis=1)
        least[~known] = 0.0
        nearer = sign * (least[:, 0] - least[:, 1])
        touches = known & (least.min(axis=1) <= clear)
        touching += np.where(touches, nearer, 0.0)
        apart += nearer
        joined |= touches
    nearer = np.where(joined, touching, apart)
    sure = (np.abs(nearer) > clear) & (joined | ~given[own])
    told, turned = np.zeros(len(geometry), bool), np.zeros(len(geometry), bool)
    told[own[sure]], turned[own[sure & (nearer < 0)]] = True, True
    return _with_others(told, turned, numbered, layer, given, against)


def _with_others(
    told: Booleans,
    turned: Booleans,
    numbered: Booleans,
    layer: Texts,
    given: Booleans,
    known: Mapping[str, float] | None,
) -> Turns:
    """Let lines with numbers that name none run as those of their layer that are told."""
    shares: dict[str, float] = {}
    for name in dict.fromkeys(layer[numbered]):
        own = numbered & (layer == name)
        voted = own & told
        against = float(turned[voted].mean()) if voted.any() else 0.0
        if known is not None:
            against = known.get(name, 0.0)
        shares[name] = against
        rest = own & ~told
        if against >= AGREES:
            turned = turned | rest
        alike = against >= AGREES or against <= 1 - AGREES
        told = told | (rest & (alike | given))
    return Turns(told, turned, shares)


def _ends(geometry: Geometries) -> Floats:
    """Return (n, 2, 2): the first and the last point of each line, of one in parts of all parts."""
    if not len(geometry):
        return np.empty((0, 2, 2))
    xy, owner = shapely.get_coordinates(geometry, return_index=True)
    first = firsts(owner)
    return np.asarray(np.stack([xy[first], xy[np.r_[first[1:], len(xy)] - 1]], axis=1), np.float64)


def _followers(numbers: pd.DataFrame) -> tuple[Indices, Indices]:
    """Return pairs of rows of which the second follows the first."""
    tails, heads = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    place = np.arange(len(numbers))
    for leaving, entering in LINKS:
        tail = pd.DataFrame({"key": numbers[leaving].to_numpy(), "tail": place}).dropna()
        head = pd.DataFrame({"key": numbers[entering].to_numpy(), "head": place}).dropna()
        pairs = tail.merge(head, on="key")
        pairs = pairs[pairs["tail"] != pairs["head"]]
        tails.append(pairs["tail"].to_numpy(np.int64))
        heads.append(pairs["head"].to_numpy(np.int64))
    return np.concatenate(tails), np.concatenate(heads)


def through(numbers: pd.DataFrame, gone: Booleans) -> pd.DataFrame:
    """Return the numbers with lines that are left out passed over.

    What led to a line that is gone leads to the next one that is there, so that a network stays
    joined where a pipe or a path through a marsh is taken out of it.

    Parameters
    ----------
    numbers
        Columns of ``FIELDS``, one row a feature.
    gone
        True for features that are left out.
    """
    result = numbers.copy()
    there = set(numbers.loc[~gone, "hydroseq"].dropna())
    lost = numbers[gone & numbers["hydroseq"].notna().to_numpy()]
    lost = lost[~lost["hydroseq"].isin(there)].drop_duplicates("hydroseq")
    onward = dict(zip(lost["hydroseq"], lost["dnhydroseq"], strict=True))
    result["dnhydroseq"] = [_last(onward, number) for number in numbers["dnhydroseq"]]
    nodes = numbers[gone & numbers[["fromnode", "tonode"]].notna().to_numpy().all(axis=1)]
    known = numbers[~gone]
    pairs = pd.MultiIndex.from_frame(nodes[["fromnode", "tonode"]])
    nodes = nodes[~pairs.isin(pd.MultiIndex.from_frame(known[["fromnode", "tonode"]]))]
    below = dict(zip(nodes["fromnode"], nodes["tonode"], strict=True))
    begun = set(known["fromnode"].dropna())
    # A node at which a line that is there begins leads on by itself.
    below = {node: then for node, then in below.items() if node not in begun}
    result["tonode"] = [_last(below, number) for number in numbers["tonode"]]
    return result


def _last(onward: dict[float, float], number: float) -> float:
    seen: set[float] = set()
    while number in onward and number not in seen:
        seen.add(number)
        number = onward[number]
    return number


def as_texts(values: Sequence[float] | Floats) -> list[str]:
    """Return numbers as texts without decimals; empty where there is none."""
    return ["" if np.isnan(value) else f"{value:.0f}" for value in values]
