"""Tables of a TOML file, taken apart with the place in the file in every refusal."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from .errors import OrdinanceError

Table: TypeAlias = dict[str, Any]


def parse_toml(path: Path) -> Table:
    """Return a TOML file as tables.

    Raises
    ------
    OrdinanceError
        The file cannot be read, or is no TOML.
    """
    try:
        # Notepad writes a mark before UTF-8 text, which TOML does not allow.
        return tomllib.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise OrdinanceError(path.name, "(file)", f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise OrdinanceError(path.name, "(file)", f"is no UTF-8 text: {error.reason}") from error
    except tomllib.TOMLDecodeError as error:
        raise OrdinanceError(path.name, "(file)", f"is no TOML: {error}") from error


class Tables:
    """Takes values out of tables, and refuses with the place in the file."""

    def __init__(self, file: str) -> None:
        self.file = file

    def refuse(self, key: str, reason: str) -> NoReturn:
        """Refuse the file."""
        raise OrdinanceError(self.file, key, reason)

    def only(self, table: object, key: str, allowed: Iterable[str]) -> Table:
        """Return a table that has no other keys than these."""
        if not isinstance(table, dict):
            self.refuse(key, "is no table")
        for name in table:
            if name not in allowed:
                self.refuse(f"{key}.{name}" if key else name, "unknown key")
        return table

    def string(self, table: Mapping[str, object], name: str, key: str) -> str:
        """Return a text that must be there."""
        if name not in table:
            self.refuse(f"{key}{name}", "is missing")
        value = table[name]
        if not isinstance(value, str) or not value.strip():
            self.refuse(f"{key}{name}", "is no text, or an empty one")
        return value

    def string_or_empty(self, table: Mapping[str, object], name: str, key: str) -> str:
        """Return a text that may be absent."""
        return self.string(table, name, key) if name in table else ""

    def strings(self, table: Mapping[str, object], name: str, key: str) -> tuple[str, ...]:
        """Return a list of texts, empty where it is absent."""
        value = table.get(name, [])
        if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
            self.refuse(f"{key}{name}", "is no list of texts")
        if name in table and not value:
            self.refuse(f"{key}{name}", "is an empty list")
        if len(set(value)) < len(value):
            self.refuse(f"{key}{name}", "names something twice")
        return tuple(value)

    def choice(
        self, table: Mapping[str, object], name: str, key: str, allowed: Iterable[str], what: str
    ) -> str:
        """Return one of several words."""
        value = self.string(table, name, key)
        if value not in allowed:
            self.refuse(f"{key}{name}", f"unknown {what} {value!r}; known: {', '.join(allowed)}")
        return value

    def day(self, table: Mapping[str, object], name: str, key: str) -> date:
        """Return a date; ``undated`` as a beginning is before every date."""
        if name not in table:
            self.refuse(f"{key}{name}", "is missing")
        value = table[name]
        if value == "undated" and name == "from":
            return date.min
        if not isinstance(value, date) or isinstance(value, datetime):
            self.refuse(f"{key}{name}", "is no date such as 2022-08-15")
        return value

    def span(self, table: Mapping[str, object], key: str) -> tuple[date, date | None]:
        """Return first and last day."""
        start = self.day(table, "from", key)
        until = self.day(table, "until", key) if "until" in table else None
        if until is not None and until < start:
            self.refuse(f"{key}until", f"lies before from ({start.isoformat()})")
        return start, until

    def truth(self, table: Mapping[str, object], name: str, key: str, *, default: bool) -> bool:
        """Return true or false."""
        value = table.get(name, default)
        if not isinstance(value, bool):
            self.refuse(f"{key}{name}", "is neither true nor false")
        return value

    def true(self, entry: Mapping[str, object], name: str, key: str) -> None:
        """Refuse a key that is not true."""
        if entry[name] is not True:
            self.refuse(f"{key}{name}", "can only be true")
