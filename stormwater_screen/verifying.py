"""A run compared with itself made again: what changed since, and which sites it touches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from .columns import FINDING_COLUMNS, SCREENED_COLUMNS, Column
from .digests import LENGTH
from .record import Record

DIFFERENCE_COLUMNS: Final[tuple[Column, ...]] = (
    Column("what", "text", "layer, raster, law, program, parameter, table or site", 20),
    Column("row", "integer", "row of the site; 0: of the run as a whole"),
    Column("site_id", "text", "id of the site as given, or empty", 80),
    Column("item", "text", "layer, rule, column or library", 120),
    Column("before", "text", "what the record or the tables say", 254),
    Column("now", "text", "what was found now", 254),
    Column("text", "text", "the difference in words", 500),
)
"""Columns of the table of differences."""

MOST_FEATURES: Final = 12
"""Changed features of a layer that are named."""
_RELATIVE: Final = 1e-6
_ABSOLUTE: Final = 1e-6


@dataclass(frozen=True)
class Difference:
    """A difference between a run and the same run made again."""

    what: str
    row: int
    site_id: str
    item: str
    before: str
    now: str
    text: str


def record_differences(before: Record, now: Record) -> list[Difference]:
    """Return the differences of law, layers, rasters, parameters and program.

    Parameters
    ----------
    before
        Record of the run.
    now
        Record of the same run made again.
    """
    return [
        *_law(before["ordinance"], now["ordinance"]),
        *_layers(before["layers"], now["layers"]),
        *_rasters(before["rasters"], now["rasters"]),
        *_named("parameter", before["parameters"], now["parameters"]),
        *_named("program", _program(before), _program(now)),
    ]


def _program(record: Record) -> dict[str, Any]:
    return {record["program"]["name"]: record["program"]["version"], **record["versions"]}


def _law(before: Record, now: Record) -> Iterator[Difference]:
    if before["sha256"] == now["sha256"] and before["as_of"] == now["as_of"]:
        return
    old, new = str(before["text"]).splitlines(), str(now["text"]).splitlines()
    gone = [line.strip() for line in old if line not in set(new)]
    come = [line.strip() for line in new if line not in set(old)]
    text = f"the rules file {now['file']} changed: {len(gone)} lines gone, {len(come)} new"
    yield _whole(
        "law", str(before["id"]), "; ".join(gone[:4]) or before["sha256"][:16],
        "; ".join(come[:4]) or now["sha256"][:16], text,
    )  # fmt: skip


def _layers(before: Sequence[Record], now: Sequence[Record]) -> Iterator[Difference]:
    old, new = _by_layer(before), _by_layer(now)
    for key in dict.fromkeys((*old, *new)):
        role, name = key[0], key[1]
        item = f"{role}: {name}"
        if key not in new or key not in old:
            there = "in the record only" if key in old else "not in the record"
            yield _whole("layer", item, "yes" if key in old else "no",
                         "yes" if key in new else "no", f"{item} is {there}")  # fmt: skip
            continue
        first, second = old[key], new[key]
        if first["checksum"] != second["checksum"]:
            text = f"{item}: {_changed_features(first, second)}"
            yield _whole("layer", item, first["checksum"][:16], second["checksum"][:16], text)
        for field, words in (("crs", "coordinates"), ("features", "features")):
            if first[field] != second[field]:
                yield _whole("layer", item, first[field], second[field], f"{item}: other {words}")


def _by_layer(layers: Sequence[Record]) -> dict[tuple[str, str, int], Record]:
    found: dict[tuple[str, str, int], Record] = {}
    for layer in layers:
        number = sum(key[:2] == (layer["role"], layer["name"]) for key in found)
        found[layer["role"], layer["name"], number] = layer
    return found


def _changed_features(before: Record, now: Record) -> str:
    old, new = _split(before["digests"]), _split(now["digests"])
    if not old or not new:
        return f"features changed ({before['read']} before, {now['read']} now)"
    if len(old) == len(new):
        rows = [at for at, (a, b) in enumerate(zip(old, new, strict=True), start=1) if a != b]
        named = ", ".join(map(str, rows[:MOST_FEATURES]))
        more = f" and {len(rows) - MOST_FEATURES} more" if len(rows) > MOST_FEATURES else ""
        return f"{len(rows)} of {len(old)} features changed: feature {named}{more}"
    gone, come = len(set(old) - set(new)), len(set(new) - set(old))
    return f"{len(old)} features before, {len(new)} now: {gone} gone or changed, {come} new"


def _split(digests: str) -> list[str]:
    return [digests[at : at + LENGTH] for at in range(0, len(digests), LENGTH)]


def _rasters(before: Sequence[Record], now: Sequence[Record]) -> Iterator[Difference]:
    old = {one["role"]: one for one in before}
    new = {one["role"]: one for one in now}
    for role in dict.fromkeys((*old, *new)):
        first, second = old.get(role, {}), new.get(role, {})
        for field, words in (
            ("source", "another file"),
            ("bytes", "other size"),
            ("modified", "changed since"),
            ("crs", "other coordinates"),
            ("cells", "other cells"),
        ):
            if first.get(field) != second.get(field):
                item = f"{role}: {second.get('name') or first.get('name')}"
                yield _whole(
                    "raster", item, first.get(field), second.get(field), f"{item}: {words}"
                )


def _named(what: str, before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Difference]:
    for name in dict.fromkeys((*before, *now)):
        first, second = before.get(name), now.get(name)
        if first != second:
            text = f"{what} {name}: {_told(first)} before, {_told(second)} now"
            yield _whole(what, name, _told(first), _told(second), text)


def _told(value: object) -> str:
    return "none" if value is None else str(value)


def _whole(what: str, item: str, before: object, now: object, text: str) -> Difference:
    return Difference(what, 0, "", item, _told(before), _told(now), text)


def edited_sites(
    record: Record, rows: Sequence[int], ids: Sequence[str], digests: Sequence[str]
) -> list[Difference]:
    """Return the sites whose columns or findings are no longer what the run wrote.

    Parameters
    ----------
    record
        Record of the run.
    rows, ids, digests
        Rows, ids and digests of the sites as they are in the tables.
    """
    recorded = _split(str(record["results"]["digests"]))
    found = []
    for row, name, digest in zip(rows, ids, digests, strict=True):
        before = recorded[row - 1] if 0 < row <= len(recorded) else "none"
        if before != digest:
            text = "columns or findings of the site were changed after the run"
            found.append(Difference("table", row, name, "digest", before, digest, text))
    return found


def site_differences(
    before: pd.DataFrame,
    findings_before: pd.DataFrame,
    now: pd.DataFrame,
    findings_now: pd.DataFrame,
) -> list[Difference]:
    """Return every difference in the answers of the sites, by row.

    Parameters
    ----------
    before, findings_before
        Sites and findings as the tables hold them.
    now, findings_now
        The same of the run made again.
    """
    found = [*_columns(before, now), *_findings(findings_before, findings_now, now)]
    return sorted(found, key=lambda one: one.row)


def _columns(before: pd.DataFrame, now: pd.DataFrame) -> Iterator[Difference]:
    old, new = before.set_index("row"), now.set_index("row")
    for row in old.index.difference(new.index):
        yield Difference("site", int(row), _id(old, row), "site", "there", "gone",
                         "the site is no longer in the layer")  # fmt: skip
    for row in new.index.difference(old.index):
        yield Difference("site", int(row), _id(new, row), "site", "not there", "new",
                         "the site is new in the layer")  # fmt: skip
    shared = old.index.intersection(new.index)
    for column in SCREENED_COLUMNS:
        if column.name in ("row", "run_id"):
            continue
        first, second = old.loc[shared, column.name], new.loc[shared, column.name]
        for place in np.flatnonzero(_differ(first, second, column)):
            row = int(shared[place])
            a, b = _cell(first.iloc[place]), _cell(second.iloc[place])
            text = f"{column.name}: {a or 'empty'} before, {b or 'empty'} now"
            yield Difference("site", row, _id(new, row), column.name, a, b, text)


def _findings(before: pd.DataFrame, now: pd.DataFrame, sites: pd.DataFrame) -> Iterator[Difference]:
    ids = {int(row): _cell(name) for row, name in zip(sites["row"], sites["site_id"], strict=True)}
    old, new = _numbered(before), _numbered(now)
    for key in old.index.difference(new.index):
        text = f"{key[1]}: the finding is gone"
        yield Difference("site", int(key[0]), ids.get(int(key[0]), ""), key[1],
                         _cell(old.at[key, "outcome"]), "gone", text)  # fmt: skip
    for key in new.index.difference(old.index):
        text = f"{key[1]}: a new finding"
        yield Difference("site", int(key[0]), ids.get(int(key[0]), ""), key[1], "not there",
                         _cell(new.at[key, "outcome"]), text)  # fmt: skip
    shared = old.index.intersection(new.index)
    old, new = old.loc[shared], new.loc[shared]
    for column in FINDING_COLUMNS:
        if column.name in ("row", "site_id", "rule", "run_id", "figures"):
            continue
        first, second = old[column.name], new[column.name]
        for place in np.flatnonzero(_differ(first, second, column)):
            row, rule, _ = shared[place]
            a, b = _cell(first.iloc[place]), _cell(second.iloc[place])
            text = f"{rule}, {column.name}: {a or 'empty'} before, {b or 'empty'} now"
            yield Difference("site", int(row), ids.get(int(row), ""), str(rule), a, b, text)


def _numbered(findings: pd.DataFrame) -> pd.DataFrame:
    """Return findings by row, rule and number, since a measure may say several things of a site."""
    table = findings.assign(rule=findings["rule"].astype(str), row=findings["row"].astype(np.int64))
    ordered = table.sort_values(["row", "rule", "source", "value", "text"], kind="stable")
    number = ordered.groupby(["row", "rule"]).cumcount()
    return ordered.assign(number=number).set_index(["row", "rule", "number"])


def _differ(first: pd.Series, second: pd.Series, column: Column) -> npt.NDArray[np.bool_]:
    if column.kind == "text":
        a = first.where(first.notna(), "").astype(str).to_numpy(object)
        b = second.where(second.notna(), "").astype(str).to_numpy(object)
        return np.asarray(a != b)
    x = pd.to_numeric(first, errors="coerce").to_numpy(np.float64)
    y = pd.to_numeric(second, errors="coerce").to_numpy(np.float64)
    return np.asarray(~np.isclose(x, y, rtol=_RELATIVE, atol=_ABSOLUTE, equal_nan=True))


def _cell(value: object) -> str:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return ""
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _id(table: pd.DataFrame, row: int) -> str:
    return _cell(table.at[row, "site_id"])


def difference_table(differences: Sequence[Difference]) -> pd.DataFrame:
    """Return differences as a table with the columns of ``DIFFERENCE_COLUMNS``, texts cut."""
    names = [column.name for column in DIFFERENCE_COLUMNS]
    table = pd.DataFrame(
        [[getattr(one, name) for name in names] for one in differences], columns=names
    )
    for column in DIFFERENCE_COLUMNS:
        if column.kind == "text":
            table[column.name] = [
                text if len(text) <= column.length else text[: column.length - 1] + "…"
                for text in table[column.name].astype(str)
            ]
    return table
