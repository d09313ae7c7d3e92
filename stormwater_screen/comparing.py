"""The same sites under two laws, or under two days of one law: measured once, judged twice."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd

from .columns import CHANGE_COLUMNS, COMPARED_COLUMNS
from .details import stacked
from .facts import Facts, Texts, texts
from .gathering import gather
from .judging import judgement_of
from .measuring import Demands
from .model import Options, ScreeningInputs
from .ordinance import Ordinance
from .output_tables import shaped
from .progress import Progress, no_progress, part_of
from .rules import Judgement
from .screening import run_id_of, site_ids

_OPEN = ("review", "unknown")


@dataclass(frozen=True)
class Comparison:
    """Sites under two laws.

    Attributes
    ----------
    columns
        One row a site, in order, with the columns of ``columns.COMPARED_COLUMNS``.
    geometries
        The sites' geometries in the sites' CRS; None where a site has none.
    changes
        The deciding rules of both laws for each site whose class changes, with the columns of
        ``columns.CHANGE_COLUMNS``.
    counts
        ``SITE_COUNT``, ``CHANGED_COUNT``, ``NEWLY_REGULATED_COUNT``, ``NO_LONGER_COUNT``.
    notes
        Messages about the run as a whole.
    """

    columns: pd.DataFrame
    geometries: gpd.GeoSeries
    changes: pd.DataFrame
    counts: dict[str, int]
    notes: list[str]


def compare(
    inputs: ScreeningInputs,
    first: Ordinance,
    second: Ordinance,
    options: Options | None = None,
    *,
    progress: Progress = no_progress,
) -> Comparison:
    """Judge the same sites under two laws.

    Parameters
    ----------
    inputs
        Sites, layers, fields and DEM.
    first, second
        The laws, each on its day.
    options
        Choices of the run.
    progress
        Called with the share done, 0 to 1; raises to stop the run.

    Returns
    -------
    Comparison
        As many rows as sites, in their order.

    Raises
    ------
    InputError
        A layer, field or raster cannot be used.
    CancelledError
        The run was stopped.
    """
    options = replace(options or Options(), want_zones=False)
    run_id, ids = run_id_of(options), site_ids(inputs)
    demands = Demands.of(first), Demands.of(second)
    found = gather(inputs, demands[0], options, progress=part_of(progress, 0.0, 0.8))
    under_first = found.measured.facts()
    facts = under_first, _facts_under(under_first, inputs, demands, options, progress)
    laws = (first, second)
    judged = [
        judgement_of(own, inputs, law, options)[1] for own, law in zip(facts, laws, strict=True)
    ]
    columns = _columns(laws, judged, ids, run_id)
    changes = _changes(laws, judged, columns, ids, run_id)
    progress(1.0)
    needed = columns["reg_1"], columns["reg_2"]
    counts = {
        "SITE_COUNT": len(columns),
        "CHANGED_COUNT": int((columns["changed"] == "yes").sum()),
        "NEWLY_REGULATED_COUNT": int(((needed[0] == "no") & (needed[1] == "yes")).sum()),
        "NO_LONGER_COUNT": int(((needed[0] == "yes") & (needed[1] == "no")).sum()),
    }
    notes = list(dict.fromkeys([*found.notes, *first.notes, *second.notes]))
    return Comparison(columns, inputs.sites.frame.geometry, changes, counts, notes)


def law_on_a_day(ordinance: Ordinance) -> str:
    """Return a law and its day in short."""
    return f"{ordinance.id}, {ordinance.as_of.isoformat()}"


def _facts_under(
    facts: Facts,
    inputs: ScreeningInputs,
    demands: tuple[Demands, Demands],
    options: Options,
    progress: Progress,
) -> Facts:
    """Return the facts for the second law; setbacks are measured again where it asks for others."""
    if demands[0] == demands[1]:
        return facts
    again = gather(
        inputs,
        demands[1],
        options,
        measures=("setbacks",),
        progress=part_of(progress, 0.8, 0.95),
    )
    return Facts(facts.count, {**facts.by_name, **again.measured.facts().by_name})


def _columns(
    laws: tuple[Ordinance, Ordinance],
    judged: list[Judgement],
    ids: npt.NDArray[np.object_],
    run_id: str,
) -> pd.DataFrame:
    table = pd.DataFrame({"row": np.arange(1, len(ids) + 1), "site_id": ids, "run_id": run_id})
    for side, (law, judgement) in enumerate(zip(laws, judged, strict=True), 1):
        words = judgement.columns["class"]
        table[f"law_{side}"] = law_on_a_day(law)
        table[f"class_{side}"] = words
        table[f"reg_{side}"] = _regulated(law, words)
        table[f"by_{side}"] = judgement.because
        table[f"settle_{side}"] = judgement.columns["settle"]
    changed = (table["class_1"] != table["class_2"]).to_numpy()
    table["changed"] = np.where(changed, "yes", "no").astype(object)
    table["change"] = texts(len(ids))
    words_of = table["class_1"] + " > " + table["class_2"]
    table["change"] = np.where(changed, words_of, "").astype(object)
    return shaped(table, COMPARED_COLUMNS)


def _regulated(law: Ordinance, words: pd.Series) -> Texts:
    open_ = words.isin(_OPEN).to_numpy()
    needed = words.isin(law.classes.regulated).to_numpy()
    return np.where(open_, words, np.where(needed, "yes", "no")).astype(object)


def _changes(
    laws: tuple[Ordinance, Ordinance],
    judged: list[Judgement],
    columns: pd.DataFrame,
    ids: npt.NDArray[np.object_],
    run_id: str,
) -> pd.DataFrame:
    """Return for each site that changes the findings of the rules that decide, side by side."""
    changed = (columns["changed"] == "yes").to_numpy()
    parts = []
    for side, (law, judgement) in enumerate(zip(laws, judged, strict=True), 1):
        named = [set(re.findall(r"[\w-]+", text or "")) for text in judgement.because]
        findings = judgement.findings
        place = findings["row"].to_numpy(np.int64) - 1
        decides = [
            bool(changed[at]) and rule in named[at]
            for at, rule in zip(place, findings["rule"], strict=True)
        ]
        kept = findings[np.array(decides, dtype=bool)].copy()
        kept["side"], kept["law"] = side, law_on_a_day(law)
        kept["class"] = columns[f"class_{side}"].to_numpy()[kept["row"].to_numpy(np.int64) - 1]
        parts.append(kept)
    table = stacked(parts)
    table["site_id"] = ids[table["row"].to_numpy(np.int64) - 1]
    table["run_id"] = run_id
    table = table.sort_values(["row", "side"], kind="stable", ignore_index=True)
    return shaped(table, CHANGE_COLUMNS)
