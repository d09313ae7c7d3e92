"""Strict reading of rules files: what is not understood is refused, with file, key and reason.

Nothing in such a file is executed. The keys are described in ``resources/ordinances/README.md``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final

from .fact_names import FACT_NAMES
from .ordinance import (
    Case,
    Classes,
    Factors,
    Number,
    Ordinance,
    Rule,
    Setbacks,
    Zones,
)
from .ordinance_rules import RuleTables
from .toml_tables import Table, parse_toml

COLUMNS: Final = ("lda", "cond_a", "cond_b", "cond_c")
OPEN_CLASSES: Final = ("review", "unknown")

_TOP = {
    "schema",
    "id",
    "title",
    "municipality",
    "from",
    "until",
    "note",
    "always_counted_water",
    "columns",
    "class",
    "factors",
    "zones",
    "rule",
}
_KINDS = ("regulated", "exempt")
_SETBACKS = ("down", "up_supply", "leach", "leach_upgradient")
_WORD = re.compile(r"[a-z][a-z0-9_]{0,23}")


def read_ordinance(path: Path, as_of: date) -> Ordinance:
    """Read a rules file, check all of it, and return the law as it stands on a day.

    Raises
    ------
    OrdinanceError
        The file cannot be read or is refused.
    """
    return _Reader(path.name).ordinance(parse_toml(path), as_of)


class _Reader(RuleTables):
    """Makes an ordinance of the tables of a file."""

    # The file as a whole.

    def ordinance(self, data: Table, as_of: date) -> Ordinance:
        self.only(data, "", _TOP)
        if data.get("schema") != 1 or isinstance(data.get("schema"), bool):
            self.refuse("schema", "must be 1")
        start, until = self.span(data, "")
        texts = self.all_texts(data, start)
        rules = {
            name: self.rule(name, table, texts[name], as_of) for name, table in self.tables(data)
        }
        classes = self.classes(data, rules)
        self.check_rules(rules, texts, classes.labels)
        return Ordinance(
            id=self.string(data, "id", ""),
            title=self.string(data, "title", ""),
            municipality=self.string(data, "municipality", ""),
            file=self.file,
            as_of=as_of,
            start=start,
            until=until,
            notes=self.notes(data, as_of),
            always_counted_water=self.strings(data, "always_counted_water", ""),
            columns=self.columns(data, rules),
            classes=classes,
            factors=self.factors(data, classes),
            zones=self.zones(data, classes, rules),
            rules=rules,
        )

    def notes(self, data: Mapping[str, Any], as_of: date) -> tuple[str, ...]:
        value = data.get("note", [])
        if not isinstance(value, list):
            self.refuse("note", "is no list of tables")
        found = []
        for position, entry in enumerate(value):
            key = f"note[{position}]"
            self.only(entry, key, {"text", "from", "until"})
            start, until = self.span({"from": "undated", **entry}, f"{key}.")
            text = self.string(entry, "text", f"{key}.")
            if start <= as_of and (until is None or as_of <= until):
                found.append(text)
        return tuple(found)

    def columns(self, data: Mapping[str, Any], rules: Mapping[str, Rule]) -> dict[str, str]:
        table = self.only(data.get("columns", {}), "columns", COLUMNS)
        for name in table:
            self.tested_rule(self.string(table, name, "columns."), rules, f"columns.{name}")
        return dict(table)

    def factors(self, data: Mapping[str, Any], classes: Classes) -> Factors:
        if "factors" not in data:
            return Factors()
        table = self.only(data["factors"], "factors", {"act_on", "upgrade_to"})
        act_on = self.strings(table, "act_on", "factors.")
        upgrade_to = self.string(table, "upgrade_to", "factors.")
        for word in (*act_on, upgrade_to):
            self.known_class(word, classes.labels, "factors")
        return Factors(act_on, upgrade_to)

    # Zones.

    def zones(self, data: Mapping[str, Any], classes: Classes, rules: Mapping[str, Rule]) -> Zones:
        table = self.only(data.get("zones", {}), "zones", {"near_water", "infiltration"})
        near_water = None
        if "near_water" in table:
            near_water = self.distance(table, "near_water", "zones.", rules) or None
        entries = table.get("infiltration", [])
        if not isinstance(entries, list):
            self.refuse("zones.infiltration", "is no list of tables")
        found: dict[str, Setbacks] = {}
        for position, entry in enumerate(entries):
            key = f"zones.infiltration[{position}]"
            setbacks = self.setbacks(entry, key, classes, rules)
            name = f"infiltration_{setbacks.class_word}" + "_high_traffic" * setbacks.high_traffic
            if name in found:
                self.refuse(key, f"stands for the same projects as {name} before it")
            found[name] = setbacks
        return Zones(found, near_water)

    def setbacks(
        self, entry: dict[str, Any], key: str, classes: Classes, rules: Mapping[str, Rule]
    ) -> Setbacks:
        self.only(entry, key, {"class", "high_traffic", *_SETBACKS})
        word = self.string(entry, "class", f"{key}.")
        self.known_class(word, classes.labels, f"{key}.class", may_be_open=False)
        high_traffic = entry.get("high_traffic", False)
        if not isinstance(high_traffic, bool):
            self.refuse(f"{key}.high_traffic", "is neither true nor false")
        if "down" not in entry:
            self.refuse(f"{key}.down", "is missing")
        feet = [self.distance(entry, name, f"{key}.", rules) for name in _SETBACKS]
        return Setbacks(word, high_traffic, *feet)

    def distance(
        self, table: Mapping[str, Any], name: str, key: str, rules: Mapping[str, Rule]
    ) -> float:
        """Return the limit, in feet, of the rule that an entry names; 0 where there is none."""
        if name not in table:
            return 0.0
        rule_id = self.string(table, name, key)
        self.known_rule(rule_id, rules, f"{key}{name}")
        text = rules[rule_id].text
        if text is None:
            return 0.0
        if not isinstance(text.test, Number) or FACT_NAMES[text.test.fact].unit != "ft":
            self.refuse(f"{key}{name}", f"the rule {rule_id!r} limits no distance")
        return text.test.limit

    # Classes.

    def classes(self, data: Mapping[str, Any], rules: Mapping[str, Rule]) -> Classes:
        allowed = {"case", "default", "because", "labels", *_KINDS, "minor", "major"}
        if "class" not in data:
            self.refuse("class", "is missing")
        table = self.only(data["class"], "class", allowed)
        labels = self.labels(table)
        raw_cases = table.get("case", [])
        if not isinstance(raw_cases, list):
            self.refuse("class.case", "is no list of tables")
        cases = tuple(
            self.case(entry, f"class.case[{position}]", labels, rules)
            for position, entry in enumerate(raw_cases)
        )
        default = self.string(table, "default", "class.")
        self.known_class(default, labels, "class.default")
        regulated, exempt = (self.strings(table, kind, "class.") for kind in _KINDS)
        minor = self.string_or_empty(table, "minor", "class.")
        major = self.string_or_empty(table, "major", "class.")
        for word in (*regulated, *exempt, *filter(None, (minor, major))):
            self.known_class(word, labels, "class", may_be_open=False)
        because = self.strings(table, "because", "class.")
        for rule_id in because:
            self.known_rule(rule_id, rules, "class.because")
        return Classes(cases, default, because, labels, regulated, exempt, minor, major)

    def labels(self, table: Mapping[str, Any]) -> dict[str, str]:
        labels = table.get("labels", {})
        if not isinstance(labels, dict) or not labels:
            self.refuse("class.labels", "the file names no classes")
        for word in labels:
            if not _WORD.fullmatch(word) or word in OPEN_CLASSES:
                self.refuse(
                    f"class.labels.{word}",
                    "a class word has small letters, digits and underscores, at most 24, and is"
                    " neither review nor unknown",
                )
            self.string(labels, word, "class.labels.")
        return dict(labels)

    def case(
        self, raw: object, key: str, labels: Mapping[str, str], rules: Mapping[str, Rule]
    ) -> Case:
        entry = self.only(raw, key, {"word", "when", "because"})
        word = self.string(entry, "word", f"{key}.")
        self.known_class(word, labels, f"{key}.word")
        when = self.string(entry, "when", f"{key}.")
        because = self.strings(entry, "because", f"{key}.") or (when,)
        self.tested_rule(when, rules, f"{key}.when")
        for rule_id in because:
            self.known_rule(rule_id, rules, f"{key}.because")
        return Case(word, when, because)

    # What rules say of each other.
