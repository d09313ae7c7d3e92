"""Strict reading of the rules of a rules file, and of what they say of each other."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from itertools import pairwise
from typing import Any, Final, get_args

from .fact_names import FACT_NAMES, FACTOR_WORDS, PARAMETERS
from .ordinance import (
    All,
    AnyOf,
    Comparison,
    Duty,
    Flagged,
    Known,
    Missing,
    Not,
    Number,
    OneOf,
    Rule,
    Test,
    Text,
    named_rules,
)
from .toml_tables import Table, Tables
from .units import UNITS, convert

FORCES: Final = ("shall", "may", "should")

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

KEYS: Final = tuple(sorted(_DATED | _RULE))
"""Keys that a rule may have."""

_ID = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,39}")


class RuleTables(Tables):
    """Makes rules of the tables of a file."""

    def tables(self, data: Mapping[str, Any]) -> list[tuple[str, Table]]:
        """Return the tables of the rules by id."""
        table = data.get("rule", {})
        if not isinstance(table, dict) or not table:
            self.refuse("rule", "the file has no rules")
        for name in table:
            if not _ID.fullmatch(name):
                self.refuse(f"rule[{name}]", "an id has letters, digits and hyphens, at most 40")
        return list(table.items())

    def all_texts(self, data: Mapping[str, Any], first: date) -> dict[str, list[Text]]:
        """Return the dated texts of every rule; none is before the law's first day."""
        return {name: self.texts(name, table, first) for name, table in self.tables(data)}

    def rule(self, name: str, table: Mapping[str, Any], texts: list[Text], as_of: date) -> Rule:
        """Return a rule as it stands on a day."""
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

    def texts(self, name: str, raw: object, first: date) -> list[Text]:
        """Return the dated texts of a rule."""
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
        """Refuse texts that overlap, or begin before the law."""
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
        """Return one dated text."""
        entry = self.only(raw, key.rstrip("."), _DATED)
        start, until = self.span(entry, key)
        section = self.string(entry, "section", key)
        force = self.choice(entry, "force", key, FORCES, "force")
        return Text(start, until, section, force, self.test(entry, key))

    def test(self, entry: Mapping[str, Any], key: str) -> Test:
        """Return what a text asks."""
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
        """Return a test of one fact."""
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
        """Return a number with its limit in the unit of the fact."""
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
        """Return a test of a word."""
        words = self.strings(entry, "is", key)
        for word in words:
            if word not in FACT_NAMES[fact].words:
                known = ", ".join(FACT_NAMES[fact].words)
                self.refuse(f"{key}is", f"{word!r} is no word of {fact}; known: {known}")
        return OneOf(fact, words, self.missing(entry, key))

    def missing(self, entry: Mapping[str, Any], key: str) -> Missing:
        """Return the outcome where the fact is not known."""
        if "missing" not in entry:
            return "unknown"
        return self.choice(entry, "missing", key, get_args(Missing), "outcome")  # type: ignore[return-value]

    def check_rules(
        self, rules: Mapping[str, Rule], texts: Mapping[str, list[Text]], labels: Mapping[str, str]
    ) -> None:
        """Refuse what rules say of rules and classes that are not there."""
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
                self.known_class(word, labels, f"rule[{name}].applies_to")
            for part in parts:
                if any(isinstance(text.test, Duty) for text in texts[part]):
                    self.refuse(f"rule[{name}]", f"{part} is a duty, which no rule can be made of")
        self.check_cycles(below)

    def check_cycles(self, below: Mapping[str, set[str]]) -> None:
        """Refuse rules that depend on themselves."""
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

    def known_class(
        self, word: str, labels: Mapping[str, str], key: str, *, may_be_open: bool = True
    ) -> None:
        """Refuse a class word without a label."""
        if word not in labels and not (may_be_open and word == "review"):
            self.refuse(key, f"class word {word!r} has no label in class.labels")

    def tested_rule(self, rule_id: str, rules: Mapping[str, Rule], key: str) -> None:
        """Refuse a rule that is not there or decides nothing."""
        self.known_rule(rule_id, rules, key)
        text = rules[rule_id].text
        if text is not None and isinstance(text.test, Duty):
            self.refuse(key, f"{rule_id} is a duty, which decides nothing")

    def known_rule(self, rule_id: str, rules: Iterable[str], key: str) -> None:
        """Refuse a rule that is not there."""
        if rule_id not in rules:
            self.refuse(key, f"names the rule {rule_id!r}, which the file does not have")
