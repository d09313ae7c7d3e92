"""A stormwater law as data: its rules, its classes and the dates at which its texts hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Final, Literal, TypeAlias

from .errors import NoTextInForceError

Comparison: TypeAlias = Literal["<", "<=", "==", ">=", ">"]
Missing: TypeAlias = Literal["no", "review", "unknown"]

FOLDER: Final = Path(__file__).resolve().parent.parent / "resources" / "ordinances"
"""Folder of the laws that ship."""


@dataclass(frozen=True)
class Number:
    """A number compared with a limit.

    Attributes
    ----------
    fact
        Name of a quantity.
    comparison
        How the quantity is compared with the limit.
    value, unit
        The limit as the law writes it.
    limit
        The limit in the unit of the fact.
    missing
        Outcome where the quantity is not known; ``unknown`` leaves it to the bounds of the fact.
    parameter
        Run parameter, in the unit of the fact, that replaces the limit; empty for none.
    """

    fact: str
    comparison: Comparison
    value: float
    unit: str
    limit: float
    missing: Missing = "unknown"
    parameter: str = ""


@dataclass(frozen=True)
class OneOf:
    """A word that is one of several."""

    fact: str
    words: tuple[str, ...]
    missing: Missing = "unknown"


@dataclass(frozen=True)
class Flagged:
    """A finding that a measure made without a number."""

    fact: str


@dataclass(frozen=True)
class Known:
    """Whether a fact is known at all."""

    fact: str


@dataclass(frozen=True)
class All:
    """Every one of several rules."""

    rules: tuple[str, ...]


@dataclass(frozen=True)
class AnyOf:
    """At least one of several rules."""

    rules: tuple[str, ...]


@dataclass(frozen=True)
class Not:
    """The contrary of a rule."""

    rule: str


@dataclass(frozen=True)
class Duty:
    """A requirement that no map can check: it applies or it does not."""


FactTest: TypeAlias = Number | OneOf | Flagged | Known
Test: TypeAlias = FactTest | All | AnyOf | Not | Duty


def named_rules(test: Test) -> tuple[str, ...]:
    """Return the ids of the rules that a test is made of."""
    if isinstance(test, All | AnyOf):
        return test.rules
    return (test.rule,) if isinstance(test, Not) else ()


@dataclass(frozen=True)
class Text:
    """The text of a rule as it holds between two dates.

    Attributes
    ----------
    start, until
        First and last day; None: until now.
    section
        Section of the law.
    force
        ``shall``, ``may`` or ``should``.
    test
        What the text asks.
    """

    start: date
    until: date | None
    section: str
    force: str
    test: Test

    def holds(self, as_of: date) -> bool:
        """Return whether the text is in force on a day."""
        return self.start <= as_of and (self.until is None or as_of <= self.until)


@dataclass(frozen=True)
class Rule:
    """A rule of the law, with the text in force on the day of the run.

    Attributes
    ----------
    id
        Id, the same word in the file, in the findings and in the tests.
    summary
        What the rule says, in short words of our own.
    settle
        What would settle it where the facts do not say so.
    text
        The text in force, or None; a rule without one is never met.
    outcome
        What the law itself leaves open: ``{"yes": "review"}``.
    factor
        Word of the discretionary factor that the rule finds, else empty.
    applies_to
        Classes for which the rule is reported; empty: for all.
    applies_if
        Rule on which it depends whether this one is reported, else empty.
    shows
        Rules whose numbers stand for this one in findings and reasons.
    report
        False for a part of other rules that is no finding of its own.
    """

    id: str
    summary: str
    settle: str
    text: Text | None
    outcome: Mapping[str, str]
    factor: str
    applies_to: tuple[str, ...]
    applies_if: str
    shows: tuple[str, ...]
    report: bool


@dataclass(frozen=True)
class Case:
    """A class that a site has where a rule is met, unless an earlier case is."""

    word: str
    when: str
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Classes:
    """How a site is classed.

    Attributes
    ----------
    cases
        Cases, the first that is met decides.
    default
        Class where none is met.
    default_reasons
        Rules that give the reason for the default.
    labels
        Class words, from the least to the most demanding, with the words of the law.
    regulated
        Classes that mean that a plan or a permit is needed.
    exempt
        Classes that mean that the project is exempt, or may be.
    minor, major
        Class words of minor and major projects; empty where the law has none.
    """

    cases: tuple[Case, ...]
    default: str
    default_reasons: tuple[str, ...]
    labels: Mapping[str, str]
    regulated: tuple[str, ...]
    exempt: tuple[str, ...] = ()
    minor: str = ""
    major: str = ""


@dataclass(frozen=True)
class Factors:
    """Which classes discretionary factors act on, and which class they may make of them."""

    act_on: tuple[str, ...] = ()
    upgrade_to: str = ""


@dataclass(frozen=True)
class Setbacks:
    """How far infiltration devices of a class must stand from waters, by one text of the law.

    Attributes
    ----------
    class_word
        Class of the projects it is for.
    high_traffic
        True for devices that serve high-traffic areas.
    down_ft
        Least distance from waters that always count and from downgradient waters and supplies.
    up_supply_ft
        Least distance from upgradient supplies; 0: none.
    leach_ft, leach_upgradient_ft
        Least distance from leach fields, and that of devices upgradient of one; 0: none.
    """

    class_word: str
    high_traffic: bool
    down_ft: float
    up_supply_ft: float
    leach_ft: float
    leach_upgradient_ft: float


@dataclass(frozen=True)
class Zones:
    """What a law lets be drawn on the map.

    Attributes
    ----------
    infiltration
        Setbacks by the name of their zone.
    near_water_ft
        Width of the zone around waters and wetlands in which cleared land must not lie bare; None:
        the law has none.
    """

    infiltration: Mapping[str, Setbacks] = field(default_factory=dict)
    near_water_ft: float | None = None


@dataclass(frozen=True)
class Ordinance:
    """A law as it stands on a day.

    Attributes
    ----------
    id, title, municipality
        Names of the law.
    file
        Name of the rules file.
    as_of
        The day.
    start, until
        First and last day for which the file knows a text.
    notes
        What a reader of results on this day must know of the text.
    always_counted_water
        Names of waters that setbacks count whatever the gradient.
    columns
        Rule of each of the columns ``lda``, ``cond_a``, ``cond_b``, ``cond_c``; a column that is
        absent is `not_applicable`.
    zones
        Zones that can be drawn.
    rules
        Rules by id, in the order of the file.
    """

    id: str
    title: str
    municipality: str
    file: str
    as_of: date
    start: date
    until: date | None
    notes: tuple[str, ...]
    always_counted_water: tuple[str, ...]
    columns: Mapping[str, str]
    classes: Classes
    factors: Factors
    zones: Zones
    rules: Mapping[str, Rule]

    def fact_tests(self, rule_id: str) -> Iterator[str]:
        """Yield the ids of the rules that look at facts, below a rule and in reading order."""
        yield from dict.fromkeys(self._below(rule_id))

    def negates(self, rule_id: str, part_id: str) -> bool:
        """Return whether a rule is met where a part of it is not."""
        return self._sign(rule_id, part_id) == -1

    def _sign(self, rule_id: str, part_id: str) -> int:
        """Return 1 or -1, or 0 where the rule does not have that part."""
        text = self.rules[rule_id].text
        if rule_id == part_id or text is None:
            return int(rule_id == part_id)
        signs = (self._sign(part, part_id) for part in named_rules(text.test))
        sign = next((sign for sign in signs if sign), 0)
        return -sign if isinstance(text.test, Not) else sign

    def _below(self, rule_id: str) -> Iterator[str]:
        text = self.rules[rule_id].text
        if text is None:
            return
        if isinstance(text.test, FactTest):
            yield rule_id
        for part in named_rules(text.test):
            yield from self._below(part)


def packaged() -> tuple[str, ...]:
    """Return the ids of the laws that ship."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def load_ordinance(source: str | Path, as_of: date) -> Ordinance:
    """Return a law as it stands on a day.

    Parameters
    ----------
    source
        Id of a law that ships, or path of a rules file.
    as_of
        Day of the application.

    Raises
    ------
    OrdinanceError
        The file cannot be read or is refused; every text of it is checked, whatever the day.
    NoTextInForceError
        The file knows no text of the law for that day.
    """
    from .ordinance_file import read_ordinance

    path = FOLDER / f"{source}.toml" if str(source) in packaged() else Path(source)
    ordinance = read_ordinance(path, as_of)
    if as_of < ordinance.start or (ordinance.until is not None and as_of > ordinance.until):
        raise NoTextInForceError(ordinance.title, as_of, ordinance.start, ordinance.until)
    return ordinance
