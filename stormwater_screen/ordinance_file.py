"""Strict reading of rules files: what is not understood is refused, with file, key and reason.

Nothing in such a file is executed. The keys are described in ``resources/ordinances/README.md``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, get_args

from .fact_names import FACT_NAMES, PARAMETERS
from .ordinance import (
    All,
    AnyOf,
    Case,
    Classes,
    Comparison,
    Duty,
    Factors,
    Flagged,
    Known,
    Missing,
    Not,
    Number,
    OneOf,
    Ordinance,
    Rule,
    Setbacks,
    Test,
    Text,
    Zones,
    named_rules,
)
from .toml_tables import Table, Tables, parse_toml
from .units import UNITS, convert

FORCES: Final = ("shall", "may", "should")
COLUMNS: Final = ("lda", "cond_a", "cond_b", "cond_c")
FACTOR_WORDS: Final = (
    "slope",
    "percolation",
    "soils",
    "critical_area",
    "wetland",
    "stream_corridor",
    "habitat",
    "scenic_historic",
)
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
_TESTS = {
    "number": {"fact", "comparison", "value", "unit", "missing", "parameter"},
    "is": {"fact", "is", "missing"},
    "flag": {"fact", "flag"},
    "known": {"fact", "known"},
    "all": {"all"},
    "any": {"any"},
    "not": {"not"},
    "duty": {"duty"},
}
_TEST_KEYS = set().union(*_TESTS.values())
_DATED = {"from", "until", "section", "force"} | _TEST_KEYS
_RULE = {
    "text",
    "settle",
    "outcome",
    "factor",
    "applies_to",
    "applies_if",
    "shows",
    "report",
    "dated",
}
_WORD = re.compile(r"[a-z][a-z0-9_]{0,23}")
_ID = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,39}")


def read_ordinance(path: Path, as_of: date) -> Ordinance:
    """Read a rules file, check all of it, and return the law as it stands on a day.

    Raises
    ------
    OrdinanceError
        The file cannot be read or is refused.
    """
    return _Reader(path.name).ordinance(parse_toml(path), as_of)


class _Reader(Tables):
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
        self.check_rules(rules, texts, classes)
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

    def tables(self, data: Mapping[str, Any]) -> list[tuple[str, Table]]:
        table = data.get("rule", {})
        if not isinstance(table, dict) or not table:
            self.refuse("rule", "the file has no rules")
        for name in table:
            if not _ID.fullmatch(name):
                self.refuse(f"rule[{name}]", "an id has letters, digits and hyphens, at most 40")
        return list(table.items())

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

    def known_class(
        self, word: str, labels: Mapping[str, str], key: str, *, may_be_open: bool = True
    ) -> None:
        if word not in labels and not (may_be_open and word == "review"):
            self.refuse(key, f"class word {word!r} has no label in class.labels")

    def tested_rule(self, rule_id: str, rules: Mapping[str, Rule], key: str) -> None:
        self.known_rule(rule_id, rules, key)
        text = rules[rule_id].text
        if text is not None and isinstance(text.test, Duty):
            self.refuse(key, f"{rule_id} is a duty, which decides nothing")

    def known_rule(self, rule_id: str, rules: Iterable[str], key: str) -> None:
        if rule_id not in rules:
            self.refuse(key, f"names the rule {rule_id!r}, which the file does not have")

    # Rules.

    def all_texts(self, data: Mapping[str, Any], first: date) -> dict[str, list[Text]]:
        return {name: self.texts(name, table, first) for name, table in self.tables(data)}

    def texts(self, name: str, raw: object, first: date) -> list[Text]:
        key = f"rule[{name}]"
        table = self.only(raw, key, _RULE | _DATED)
        if "dated" not in table:
            entries = {f"{key}.": {k: v for k, v in table.items() if k in _DATED}}
        else:
            for loose in sorted(_DATED & set(table)):
                self.refuse(f"{key}.{loose}", "stands beside dated; put it into each dated text")
            if not isinstance(table["dated"], list) or not table["dated"]:
                self.refuse(f"{key}.dated", "is no list of dated texts")
            entries = {f"{key}.dated[{i}].": entry for i, entry in enumerate(table["dated"])}
        texts = [self.text(entry, place) for place, entry in entries.items()]
        self.check_dates(texts, key, first)
        return texts

    def check_dates(self, texts: list[Text], key: str, first: date) -> None:
        for text in texts:
            if text.start < first:
                self.refuse(f"{key}.from", f"lies before the law's own from ({first.isoformat()})")
        for earlier, later in pairwise(texts):
            last = earlier.until or date.max
            if later.start <= last:
                day = min(last, later.start - timedelta(days=1)) if later.start > date.min else last
                self.refuse(
                    f"{key}.dated",
                    f"texts overlap or are out of order: one holds until {last.isoformat()},"
                    f" the next begins {later.start.isoformat()} (end the first by"
                    f" {day.isoformat()})",
                )

    def text(self, raw: object, key: str) -> Text:
        entry = self.only(raw, key.rstrip("."), _DATED)
        start, until = self.span(entry, key)
        section = self.string(entry, "section", key)
        force = self.choice(entry, "force", key, FORCES, "force")
        return Text(start, until, section, force, self.test(entry, key))

    def test(self, entry: Mapping[str, Any], key: str) -> Test:
        kinds = [
            kind for kind in ("is", "flag", "known", "all", "any", "not", "duty") if kind in entry
        ]
        if not kinds and {"comparison", "value", "unit", "fact"} & set(entry):
            kinds = ["number"]
        if len(kinds) != 1:
            self.refuse(
                key.rstrip("."),
                "needs exactly one test: fact with comparison, value and unit; fact with is, flag"
                f" or known; all, any or not; or duty. Found: {', '.join(kinds) or 'none'}",
            )
        for name in sorted(_TEST_KEYS & set(entry)):
            if name not in _TESTS[kinds[0]]:
                self.refuse(f"{key}{name}", f"does not belong to a test of the kind {kinds[0]}")
        if kinds[0] in ("all", "any"):
            parts = self.strings(entry, kinds[0], key)
            return All(parts) if kinds[0] == "all" else AnyOf(parts)
        if kinds[0] == "not":
            return Not(self.string(entry, "not", key))
        if kinds[0] == "duty":
            self.true(entry, "duty", key)
            return Duty()
        return self.fact_test(kinds[0], entry, key)

    def fact_test(self, kind: str, entry: Mapping[str, Any], key: str) -> Test:
        fact = self.choice(entry, "fact", key, tuple(FACT_NAMES), "fact")
        needs = {"number": "quantity", "is": "word", "flag": "flag"}.get(kind)
        if needs is not None and FACT_NAMES[fact].kind != needs:
            self.refuse(
                f"{key}fact", f"{fact} is a {FACT_NAMES[fact].kind}; this test needs a {needs}"
            )
        if kind == "number":
            return self.number(fact, entry, key)
        if kind == "is":
            return self.one_of(fact, entry, key)
        self.true(entry, kind, key)
        return Flagged(fact) if kind == "flag" else Known(fact)

    def number(self, fact: str, entry: Mapping[str, Any], key: str) -> Number:
        comparison = self.choice(entry, "comparison", key, get_args(Comparison), "comparison")
        if "value" not in entry:
            self.refuse(f"{key}value", "is missing")
        value = entry["value"]
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not math.isfinite(value)
        ):
            self.refuse(f"{key}value", "is no number")
        unit = self.choice(entry, "unit", key, tuple(UNITS), "unit")
        try:
            limit = convert(value, unit, FACT_NAMES[fact].unit)
        except ValueError:
            self.refuse(f"{key}unit", f"{unit} cannot be turned into {FACT_NAMES[fact].unit}")
        parameter = ""
        if "parameter" in entry:
            parameter = self.choice(entry, "parameter", key, PARAMETERS, "parameter")
        missing = self.missing(entry, key)
        return Number(fact, comparison, float(value), unit, limit, missing, parameter)  # type: ignore[arg-type]

    def one_of(self, fact: str, entry: Mapping[str, Any], key: str) -> OneOf:
        words = self.strings(entry, "is", key)
        for word in words:
            if word not in FACT_NAMES[fact].words:
                known = ", ".join(FACT_NAMES[fact].words)
                self.refuse(f"{key}is", f"{word!r} is no word of {fact}; known: {known}")
        return OneOf(fact, words, self.missing(entry, key))

    def missing(self, entry: Mapping[str, Any], key: str) -> Missing:
        if "missing" not in entry:
            return "unknown"
        return self.choice(entry, "missing", key, get_args(Missing), "outcome")  # type: ignore[return-value]

    def rule(self, name: str, table: Mapping[str, Any], texts: list[Text], as_of: date) -> Rule:
        key = f"rule[{name}]."
        outcome = self.only(table.get("outcome", {}), f"{key}outcome", ("yes", "no"))
        for answer in outcome:
            self.choice(outcome, answer, f"{key}outcome.", ("review", "unknown"), "outcome")
        factor = ""
        if "factor" in table:
            factor = self.choice(table, "factor", key, FACTOR_WORDS, "factor")
        return Rule(
            id=name,
            summary=self.string(table, "text", key),
            settle=self.string_or_empty(table, "settle", key),
            text=next((text for text in texts if text.holds(as_of)), None),
            outcome=dict(outcome),
            factor=factor,
            applies_to=self.strings(table, "applies_to", key),
            applies_if=self.string_or_empty(table, "applies_if", key),
            shows=self.strings(table, "shows", key),
            report=self.truth(table, "report", key, default=True),
        )

    # What rules say of each other.

    def check_rules(
        self, rules: Mapping[str, Rule], texts: Mapping[str, list[Text]], classes: Classes
    ) -> None:
        below: dict[str, set[str]] = {}
        for name, rule in rules.items():
            parts = {part for text in texts[name] for part in named_rules(text.test)}
            below[name] = parts | ({rule.applies_if} if rule.applies_if else set())
            for other in (*sorted(below[name]), *rule.shows):
                self.known_rule(other, rules, f"rule[{name}]")
            for other in rule.shows:
                if not any(isinstance(text.test, Number) for text in texts[other]):
                    self.refuse(f"rule[{name}].shows", f"{other} has no number to show")
            for word in rule.applies_to:
                self.known_class(word, classes.labels, f"rule[{name}].applies_to")
            for part in parts:
                if any(isinstance(text.test, Duty) for text in texts[part]):
                    self.refuse(f"rule[{name}]", f"{part} is a duty, which no rule can be made of")
        self.check_cycles(below)

    def check_cycles(self, below: Mapping[str, set[str]]) -> None:
        done: set[str] = set()

        def visit(name: str, path: tuple[str, ...]) -> None:
            if name in path:
                circle = " -> ".join((*path[path.index(name) :], name))
                self.refuse(f"rule[{name}]", f"depends on itself: {circle}")
            if name not in done:
                for part in sorted(below[name]):
                    visit(part, (*path, name))
                done.add(name)

        for name in below:
            visit(name, ())
