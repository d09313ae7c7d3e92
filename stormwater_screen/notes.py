"""Sentences about a run that hold a count, so that those of the parts of a run can be added up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

Scope = Literal["sites", "features", "run"]


class Counted(str):
    """A sentence with a count in it; a plain text to everyone who does not ask for the count.

    Attributes
    ----------
    template
        The sentence, with ``{}`` for the count.
    number
        How many.
    noun
        What is counted, in the singular; empty where the sentence says it.
    tail
        An example behind it, which other parts of the run need not share.
    scope
        What is counted: ``sites``, of which each is in one part; ``features``, which may be seen
        by several parts; ``run``: what can only be counted over the run as a whole.
    """

    template: str
    number: int
    noun: str
    tail: str
    scope: Scope


def counted(
    template: str, number: int, noun: str = "", *, tail: str = "", scope: Scope = "features"
) -> Counted:
    """Return a sentence with a count; parameters as the attributes of `Counted`."""
    told = f"{number:,} {noun}" + ("" if number == 1 else "s") if noun else f"{number}"
    note = Counted(template.replace("{}", told) + tail)
    note.template, note.number, note.noun = template, number, noun
    note.tail, note.scope = tail, scope
    return note


def of_sites(note: str) -> str:
    """Return a sentence whose count is one of sites, where it was one of features."""
    if not isinstance(note, Counted):
        return note
    return counted(note.template, note.number, note.noun, tail=note.tail, scope="sites")


def added_up(parts: Iterable[Iterable[str]]) -> list[str]:
    """Return the sentences of parts that have no site in common, each once.

    Counts of sites are added up, and stay counts.
    """
    found: dict[tuple[bool, str], str] = {}
    for note in (note for notes in parts for note in notes):
        if not isinstance(note, Counted) or note.scope != "sites":
            found.setdefault((False, note), note)
            continue
        before = found.get((True, note.template))
        number = note.number + (before.number if isinstance(before, Counted) else 0)
        tail = before.tail if isinstance(before, Counted) else note.tail
        found[True, note.template] = counted(
            note.template, number, note.noun, tail=tail, scope=note.scope
        )
    return list(found.values())


def together(parts: Iterable[Iterable[str]]) -> list[str]:
    """Return the sentences of the parts of a run, each once.

    Counts of sites are added up. Of features, which several parts may have seen, the largest count
    is told as what there is at least. What only the run as a whole can count is left out.
    """
    plain: dict[str, list[str]] = {}
    for note in (note for notes in parts for note in notes):
        if not isinstance(note, Counted):
            plain.setdefault(note, []).append(note)
        elif note.scope != "run":
            plain.setdefault(note.template, []).append(note)
    return [_one(notes) for notes in plain.values()]


def _one(notes: list[str]) -> str:
    same = [note for note in notes if isinstance(note, Counted)]
    if len(same) < 2:
        return str(notes[0])
    first = same[0]
    if first.scope == "sites":
        number = sum(note.number for note in same)
        return str(counted(first.template, number, first.noun, tail=first.tail))
    template = first.template.replace("{}", "at least {}")
    return str(counted(template, max(note.number for note in same), first.noun, tail=first.tail))


def as_json(note: str) -> str | dict[str, Any]:
    """Return a sentence as JSON takes it."""
    if not isinstance(note, Counted):
        return note
    return {name: getattr(note, name) for name in ("template", "number", "noun", "tail", "scope")}


def from_json(found: str | dict[str, Any]) -> str:
    """Return a sentence that `as_json` wrote."""
    return found if isinstance(found, str) else counted(**found)
