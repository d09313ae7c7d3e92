"""The summary page of a run: one HTML file that needs nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import jinja2
import numpy as np
import pandas as pd

from . import __version__
from .layers import Layer
from .model import Options, Screening, ScreeningInputs
from .ordinance import Ordinance, Rule
from .progress import Progress, no_progress, part_of
from .summary_map import MANY_SITES, site_map
from .summary_texts import ALWAYS_LEFT_OUT, NOT_GIVEN, ROLE_TITLES, UNIT_TITLES

TEMPLATES: Final = Path(__file__).resolve().parent.parent / "resources" / "templates"
MOST_ROWS: Final = 500
"""Sites in the table; the page says how many there are beside them."""
MOST_NAMES: Final = 40
"""Names in a list of sites."""
UNDECIDED: Final = ("unknown", "review")
CONDITIONS: Final = (("cond_a", "A"), ("cond_b", "B"), ("cond_c", "C"))
WHOLE_SITE: Final = "whole site"


@dataclass(frozen=True)
class _Class:
    """A class of the law as the page shows it."""

    word: str
    label: str
    style: str
    count: int


@dataclass(frozen=True)
class _Open:
    """A fact that would settle sites."""

    fact: str
    count: int
    names: str


def summary_html(
    screening: Screening,
    inputs: ScreeningInputs,
    ordinance: Ordinance,
    options: Options,
    *,
    made: datetime | None = None,
    progress: Progress = no_progress,
) -> str:
    """Return the summary page of a run.

    Every text of the data is escaped: what stands in a layer never becomes markup.

    Parameters
    ----------
    screening
        The result of the run.
    inputs, ordinance, options
        What the run was made with.
    made
        Time of the run; None: now.
    progress
        Called with the share done; raises to stop.
    """
    sites = _site_rows(screening.columns)
    progress(0.1)
    classes = _classes(ordinance, sites["class"])
    style_of = {item.word: item.style for item in classes}
    label_of = {item.word: item.label for item in classes}
    queue = _work_queue(sites, [item.word for item in classes])
    styles = [style_of.get(word, "unknown") for word in sites["class"]]
    titles = [
        f"{name}: {label_of.get(word, word)}"
        for name, word in zip(sites["name"], sites["class"], strict=True)
    ]
    progress(0.2)
    words = (styles, titles, list(sites["site_id"]))
    step = part_of(progress, 0.2, 0.8)
    drawing = site_map(screening.geometries, *words, inputs.layers, step)
    whole = sites["disturb_by"].str.startswith(WHOLE_SITE)
    shown = sites.iloc[queue[:MOST_ROWS]]
    return _template().render(
        ordinance=ordinance,
        options=options,
        version=__version__,
        made=(made or datetime.now().astimezone()).strftime("%Y-%m-%d %H:%M"),
        run_id=next(iter(sites["run_id"]), ""),
        count=len(sites),
        classes=classes,
        style_of=style_of,
        label_of=label_of,
        numbers=_numbers(sites),
        map=drawing,
        many_sites=MANY_SITES,
        beyond=_names(sites["name"].iloc[drawing.beyond]) if drawing else "",
        open_facts=_open_facts(sites),
        rows=shown.to_dict("records"),
        conditions=[
            (name, letter) for name, letter in CONDITIONS if (sites[name] != "not_applicable").any()
        ],
        rules=_rules_named(ordinance, [*shown["reasons"], *shown["near"]]),
        factors=bool(ordinance.classes.major),
        whole_count=int(whole.sum()),
        whole_names=_names(sites["name"][whole]),
        not_given=list(_not_given(inputs, options)),
        left_out=ALWAYS_LEFT_OUT,
        layers=list(_layer_rows(inputs)),
        notes=list(dict.fromkeys([*screening.notes, *_layer_notes(inputs), *ordinance.notes])),
    )


def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = _number
    environment.filters["word"] = lambda text: str(text).replace("_", " ")
    return environment.get_template("summary.html")


def _number(value: float | None) -> str:
    if value is None or not np.isfinite(value):
        return "not known"
    return f"{value:,.0f}"


def _site_rows(columns: pd.DataFrame) -> pd.DataFrame:
    """Return the columns of the page, texts without NULL, with a name for every site."""
    words = ["site_id", "class", "cond_a", "cond_b", "cond_c", "lda", "may_major", "reasons",
             "settle", "near", "disturb_by", "run_id", "in_500ft"]  # fmt: skip
    sites = columns[words].fillna("").astype(str).reset_index(drop=True)
    sites["disturb_sf"] = columns["disturb_sf"].to_numpy(float)
    sites["row"] = np.arange(1, len(sites) + 1)
    sites["name"] = sites["site_id"].where(
        sites["site_id"] != "", "row " + sites["row"].astype(str)
    )
    sites["may_major"] = sites["may_major"].where(sites["may_major"] != "none", "")
    return sites


def _classes(ordinance: Ordinance, words: pd.Series) -> list[_Class]:
    """Return the classes of the law, the most demanding first, then review and unknown."""
    counts = words.value_counts()
    classes = ordinance.classes
    light = iter(("light", "faint", "faint", "faint"))
    styled = []
    for word, label in classes.labels.items():
        strong = word == classes.major or (not classes.major and word in classes.regulated)
        style = "strong" if strong else "middle" if word == classes.minor else next(light)
        styled.append(_Class(word, label, style, int(counts.get(word, 0))))
    undecided = [
        _Class("review", "review: the law or the data does not decide", "review",
               int(counts.get("review", 0))),
        _Class("unknown", "unknown: a fact or a layer is missing", "unknown",
               int(counts.get("unknown", 0))),
    ]  # fmt: skip
    return [*reversed(styled), *undecided]


def _work_queue(sites: pd.DataFrame, class_order: Sequence[str]) -> list[int]:
    """Return the places of the sites: unknown, review, near a limit, open Conditions, the rest."""
    conditions = sites[[name for name, _ in CONDITIONS]]
    rank = np.select(
        [
            (sites["class"] == "unknown").to_numpy(),
            (sites["class"] == "review").to_numpy(),
            (sites["near"] != "").to_numpy(),
            conditions.isin(UNDECIDED).any(axis=1).to_numpy(),
        ],
        [0, 1, 2, 3],
        default=4,
    )
    order = {word: place for place, word in enumerate(class_order)}
    demand = sites["class"].map(order).fillna(len(order)).to_numpy()
    return [int(i) for i in np.lexsort((sites["row"], demand, rank))]


def _numbers(sites: pd.DataFrame) -> list[tuple[str, int, int]]:
    """Return what is counted beside the classes: words, sites with yes, sites still open."""
    columns = [("lda", "Land development activities")]
    columns += [(name, f"Condition {letter}") for name, letter in CONDITIONS]
    columns.append(("in_500ft", "Within 500 ft of water or a wetland"))
    return [
        (title, int((sites[name] == "yes").sum()), int(sites[name].isin(UNDECIDED).sum()))
        for name, title in columns
        if not sites[name].isin(("not_applicable", "")).all()
    ]


def _open_facts(sites: pd.DataFrame) -> list[_Open]:
    """Return the facts that would settle sites, those that settle most sites first."""
    waiting = sites[sites["settle"] != ""]
    parts = waiting.assign(fact=waiting["settle"].str.split(";")).explode("fact")
    # Behind each group of facts stands in brackets what it settles; a cut text ends in an ellipsis.
    facts = parts["fact"].astype(str).str.replace(r"\s*\([^()]*\)?\s*$", "", regex=True)
    parts["fact"] = facts.str.strip().str.rstrip(".")
    parts = parts[~parts["fact"].str.endswith("…") & (parts["fact"] != "")]
    parts = parts.drop_duplicates(["row", "fact"])
    grouped = [
        _Open(str(fact), len(group), _names(group["name"]))
        for fact, group in parts.groupby("fact", sort=True)
    ]
    return sorted(grouped, key=lambda item: -item.count)


def _names(names: pd.Series) -> str:
    """Return a list of sites; an id that stands on several rows says on how many."""
    rows = names.groupby(names, sort=False).size()
    first = rows.iloc[:MOST_NAMES]
    shown = ", ".join(
        str(name) if count == 1 else f"{name} ({count:,} rows)" for name, count in first.items()
    )
    more = len(names) - int(first.sum())
    return f"{shown} and {more:,} more" if more > 0 else shown


def _rules_named(ordinance: Ordinance, texts: Iterable[str]) -> list[Rule]:
    """Return the rules whose ids stand in the texts, in the order of the rules file."""
    words = set(re.findall(r"[\w-]+", " ".join(texts)))
    return [rule for name, rule in ordinance.rules.items() if name in words and rule.text]


def _not_given(inputs: ScreeningInputs, options: Options) -> Iterator[tuple[str, str]]:
    given = {role for role, layers in inputs.layers.items() if layers}
    given |= {name for name, field in inputs.fields.items() if field}
    if inputs.dem is not None:
        given.add("DEM")
    if options.project_type is not None:
        given.add("PROJECT_TYPE")
    for parameters, title, consequence in NOT_GIVEN:
        if not given.intersection(parameters):
            yield title, consequence


def _all_layers(inputs: ScreeningInputs) -> Iterator[tuple[str, Layer]]:
    yield ROLE_TITLES["SITES"], inputs.sites
    for role in sorted(inputs.layers, key=lambda name: list(ROLE_TITLES).index(name)):
        for layer in inputs.layers[role]:
            yield ROLE_TITLES[role], layer


def _layer_rows(inputs: ScreeningInputs) -> Iterator[dict[str, Any]]:
    for title, layer in _all_layers(inputs):
        yield {
            "title": title,
            "name": layer.name,
            "count": layer.feature_count,
            "crs": _crs_name(layer),
            "source": layer.source,
        }
    if inputs.dem is not None:
        unit = inputs.dem.z_unit
        yield {
            "title": ROLE_TITLES["DEM"],
            "name": Path(inputs.dem.path).name,
            "count": None,
            "crs": "as the file says",
            "source": f"{inputs.dem.path}, band {inputs.dem.band}, heights in " + UNIT_TITLES[unit],
        }


def _crs_name(layer: Layer) -> str:
    crs = layer.frame.crs
    if crs is None:
        return "none"
    authority = crs.to_authority()
    return f"{crs.name} ({':'.join(authority)})" if authority else str(crs.name)


def _layer_notes(inputs: ScreeningInputs) -> Iterator[str]:
    for _, layer in _all_layers(inputs):
        yield from layer.notes
