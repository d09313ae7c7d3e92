"""What is said about the soils of a site: groups with shares, hints, percolation."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from .details import COLUMNS
from .facts import Flag, Quantity, Texts, texts
from .outcomes import REVIEW
from .tables import SoilIndicator

if TYPE_CHECKING:
    from .soils import Pieces

_COMPARE: Final = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_SHOWN: Final = 4
_NO_GROUP, _NOT_MAPPED = "no group", "unmapped"


def percent(share: float) -> str:
    """Return a share as text: ``38%``, ``<1%``, ``>99%`` or ``100%``."""
    if share < 0.005:
        return "<1%"
    if 0.995 <= share < 1 - 1e-9:
        return ">99%"
    return f"{100 * share:.0f}%"


def indicator_table(soils: pd.DataFrame, indicators: Sequence[SoilIndicator]) -> pd.DataFrame:
    """Return the indicators that the soils have a value for, with the soils that meet each.

    Parameters
    ----------
    soils
        Values by name of ``SOIL_QUANTITIES``, one row a soil polygon.
    indicators
        Limits.

    Returns
    -------
    pandas.DataFrame
        indicator, says, hits (a boolean array over the soils).
    """
    usable = [item for item in indicators if item.quantity in soils]
    return pd.DataFrame(
        {
            "indicator": pd.Series([item.indicator for item in usable], dtype=object),
            "says": pd.Series([item.says for item in usable], dtype=object),
            "hits": pd.Series([_hits(soils[item.quantity], item) for item in usable], dtype=object),
        }
    )


def _hits(values: pd.Series[object], item: SoilIndicator) -> npt.NDArray[np.bool_]:
    if item.comparison == "in":
        return np.array([str(value).casefold() in item.words for value in values], dtype=bool)
    numbers = values.to_numpy(np.float64)
    return np.asarray(_COMPARE[item.comparison](numbers, item.limit), dtype=bool)


def shares_said(pieces: Pieces, found: pd.DataFrame) -> pd.DataFrame:
    """Return one row a site and indicator that part of it meets: row, kind, text, share."""
    tables = [pd.DataFrame({"row": [], "kind": [], "text": [], "share": []}).astype({"row": int})]
    for item in found.itertuples():
        share = pieces.share_of(item.hits)
        rows = np.flatnonzero(share > 0)
        said = [f"{item.says} on {percent(part)} of the site" for part in share[rows]]
        kind = texts(len(rows), str(item.indicator))
        tables.append(pd.DataFrame({"row": rows, "kind": kind, "text": said, "share": share[rows]}))
    return pd.concat([table for table in tables if len(table)] or tables, ignore_index=True)


def group_texts(pieces: Pieces, soils: pd.DataFrame) -> tuple[Texts, pd.DataFrame]:
    """Return the text of hydrologic groups of each site, and their shares as a table.

    A text reads ``B 62%, C/D 38%; worst D``: the largest first; a dual group counts as undrained.
    Soils without a group, and parts without a soil polygon, are said so and never taken for A.

    Parameters
    ----------
    pieces
        Parts of the sites by soil polygon.
    soils
        Values of the soil polygons, with ``group`` if that is known.
    """
    empty = texts(len(soils))
    group = soils["group"].to_numpy(object) if "group" in soils else empty
    name = np.where(group == "", _NO_GROUP, group)[pieces.soil]
    parts = pd.DataFrame({"row": pieces.row, "text": name, "share": pieces.share})
    open_rows = np.flatnonzero(pieces.there & ~pieces.whole)
    unmapped = pd.DataFrame({"row": open_rows, "share": 1 - pieces.mapped[open_rows]})
    unmapped["text"] = texts(len(open_rows), _NOT_MAPPED)
    shares = pd.concat([parts, unmapped]).groupby(["row", "text"], as_index=False)["share"].sum()
    shares = shares.sort_values(["row", "share"], ascending=[True, False], kind="stable")
    own: dict[int, list[tuple[str, float]]] = {}
    for row, text, share in zip(shares["row"], shares["text"], shares["share"], strict=True):
        own.setdefault(row, []).append((text, share))
    said = texts(pieces.count, "unknown")
    for row, groups in own.items():
        said[row] = _group_text(groups)
    details = shares.reset_index(drop=True)
    details["kind"] = texts(len(details), "group")
    return said, details[["row", "kind", "text", "share"]]


def _group_text(groups: list[tuple[str, float]]) -> str:
    letters = [text[-1] for text, _ in groups if text not in (_NO_GROUP, _NOT_MAPPED)]
    if not letters:
        return "unknown"
    if len(groups) == 1:  # what is missing of a whole is no more than an edge
        groups = [(groups[0][0], 1.0)]
    shown = [f"{text} {percent(share)}" for text, share in groups[:_SHOWN]]
    if len(groups) > _SHOWN:
        shown.append(f"others {percent(sum(share for _, share in groups[_SHOWN:]))}")
    worst = max(letters)
    known = "" if len(letters) == len(groups) or worst == "D" else " known"
    return f"{', '.join(shown)}; worst {worst}{known}"


def perc_indicator(pieces: Pieces, soils: pd.DataFrame, found: pd.DataFrame) -> Texts:
    """Return by site what the permeability of the soil survey hints at.

    Parameters
    ----------
    pieces
        Parts of the sites by soil polygon.
    soils
        Values of the soil polygons, with ``ksat`` (um/s) if that is known.
    found
        Indicators that the soils meet.
    """
    if "ksat" not in soils:
        return texts(pieces.count, "the soil layer has no permeability: it does not tell")
    slower, faster = (
        _meeting(found, name, len(soils)) for name in ("perc_slower", "perc_not_slower")
    )
    slow = pieces.share_of(slower)
    all_fast = pieces.whole & ~pieces.any_of(~faster)
    said = np.where(
        all_fast,
        "unlikely slower than 60 min/in",
        "the permeability of the soil survey does not tell (indeterminate)",
    )
    likely = [f"likely slower than 60 min/in on {percent(share)} of the site" for share in slow]
    return np.where(slow > 0, likely, said).astype(object)


def _meeting(found: pd.DataFrame, indicator: str, count: int) -> npt.NDArray[np.bool_]:
    hits = found["hits"][found["indicator"] == indicator]
    return np.asarray(np.logical_or.reduce([np.zeros(count, dtype=bool), *hits]), dtype=bool)


def perc_column(perc: Quantity, perc_soil: Flag) -> Texts:
    """Return the slowest field test of each site, else the indicator, else ``unknown``.

    Parameters
    ----------
    perc
        Slowest field test, min/in.
    perc_soil
        Indicator from the soil survey.
    """
    tested = [
        f"field test {value:g} min/in" + ("" if whole else ", part not tested")
        for value, whole in zip(perc.value, np.isfinite(perc.high), strict=True)
    ]
    hinted = np.where(perc_soil.outcome == REVIEW, "review: " + perc_soil.reason, "unknown")
    return np.where(np.isnan(perc.value), hinted, tested).astype(object)


def soil_details(shares: pd.DataFrame, layer: str) -> pd.DataFrame:
    """Return shares of the sites as rows for findings, with the columns of ``details.COLUMNS``.

    Parameters
    ----------
    shares
        row, kind, text, share.
    layer
        Name of the soil layer.
    """
    ordered = shares.sort_values("row", kind="stable", ignore_index=True)
    table = {
        "row": ordered["row"],
        "id": "soil_" + ordered["kind"].astype(object),
        "outcome": texts(len(ordered), "info"),
        "value": 100 * ordered["share"],
        "unit": texts(len(ordered), "%"),
        "text": ordered["text"],
        "source": texts(len(ordered), layer),
    }
    return pd.DataFrame(table, columns=list(COLUMNS))
