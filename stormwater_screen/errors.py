"""Errors that a user can act on."""

from __future__ import annotations

from datetime import date


class Said(str):
    """A text put together from a template; the window of QGIS can show it in its own language.

    Attributes
    ----------
    template
        The text in English, with ``{}`` for each value.
    values
        What stands there: names and numbers, which are not translated.
    """

    template: str
    values: tuple[str, ...]


def said(template: str, *values: object) -> Said:
    """Return a text that can be translated; parameters as the attributes of `Said`.

    The template is written out at the call: there translators' tools find it.
    """
    told = tuple(str(value) for value in values)
    text = Said(template.format(*told))
    text.template, text.values = template, told
    return text


class ScreeningError(Exception):
    """Base of every error that the program raises on purpose."""


class InputError(ScreeningError):
    """A layer, raster, field or parameter cannot be used.

    Parameters
    ----------
    where
        Layer, file or parameter as the user knows it.
    found
        What was found there.
    needed
        What is needed instead.

    Those made with `said` come out in the language of the window.
    """

    def __init__(self, where: str, found: str, needed: str) -> None:
        self.where, self.found, self.needed = where, found, needed
        super().__init__(f"{where}: {found}. Needed: {needed}.")


class OrdinanceError(ScreeningError):
    """A rules file is refused.

    Parameters
    ----------
    file
        Name of the rules file.
    key
        Place in the file, as ``rule[LG-MN1].unit``.
    reason
        Why it is refused.
    """

    def __init__(self, file: str, key: str, reason: str) -> None:
        self.file, self.key, self.reason = file, key, reason
        super().__init__(f"Rules file {file}, key {key}: {reason}")


class NoTextInForceError(ScreeningError):
    """No text of the law is known for the date asked for.

    Parameters
    ----------
    title
        The law.
    as_of
        The date asked for.
    first
        First date for which the rules file knows a text.
    last
        Last such date, or None.
    """

    def __init__(self, title: str, as_of: date, first: date, last: date | None) -> None:
        self.title, self.as_of, self.first, self.last = title, as_of, first, last
        known = f"from {first.isoformat()}" + (f" to {last.isoformat()}" if last else "")
        super().__init__(
            f"{title}: no text in force on {as_of.isoformat()}. The rules file knows its text"
            f" {known} only; no site is judged by another text."
        )


class CancelledError(ScreeningError):
    """The user stopped the run."""
