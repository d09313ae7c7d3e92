"""Numbers, directions and answers in the words of a report."""

from __future__ import annotations

import math
from typing import Final

POINTS: Final = (
    "north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest",
)  # fmt: skip
NOT_KNOWN: Final = "not known"
ACRE_SQFT: Final = 43_560.0
CM_PER_FOOT: Final = 30.48

ROLES: Final = {
    "WATER_BODIES": "water body",
    "WATERCOURSES": "watercourse",
    "WETLANDS": "wetland",
    "WATER_SUPPLIES": "drinking-water supply",
    "LEACH_FIELDS": "leach field",
}
"""Layers of the gradient worksheet in the words of the law."""

COMPARISONS: Final = {
    "<": "less than",
    "<=": "not more than",
    ">=": "at least",
    ">": "more than",
    "==": "exactly",
}

SIGNS: Final = {"<": "<", "<=": "≤", ">=": "≥", ">": ">", "==": "="}

OUTCOMES: Final = {
    "yes": "yes",
    "no": "no",
    "review": "review",
    "unknown": "unknown",
    "applies": "applies",
    "not_applicable": "not applicable",
    "info": "",
}


def known(value: float | None) -> bool:
    """Return whether there is a number."""
    return value is not None and math.isfinite(value)


def number(value: float | None, digits: int = 1) -> str:
    """Return a number with thousands set off and no superfluous zero; whole from 1,000 on."""
    if value is None or not math.isfinite(value):
        return NOT_KNOWN
    if abs(value) >= 1_000:
        return f"{value:,.0f}"
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def quantity(value: float | None, unit: str, digits: int = 1) -> str:
    """Return a number with its unit."""
    return f"{number(value, digits)} {unit}".strip() if known(value) else NOT_KNOWN


def acres(sqft: float | None) -> str:
    """Return an area in square feet with its acres in brackets."""
    if sqft is None or not math.isfinite(sqft):
        return NOT_KNOWN
    return f"{sqft:,.0f} sq ft ({sqft / ACRE_SQFT:.2f} acre)"


def between(low: float, high: float, unit: str, digits: int = 1) -> str:
    """Return what is known of a number by its bounds."""
    if low == high or number(low, digits) == number(high, digits):
        return quantity(low, unit, digits)
    if not math.isfinite(high):
        return f"at least {quantity(low, unit, digits)}" if low > 0 else NOT_KNOWN
    if low <= 0:
        return f"at most {quantity(high, unit, digits)}"
    return f"{number(low, digits)} to {quantity(high, unit, digits)}"


def direction(degrees: float | None) -> str:
    """Return a bearing in degrees with its point of the compass."""
    if degrees is None or not math.isfinite(degrees):
        return ""
    return f"{degrees:.0f}° ({POINTS[round(degrees / 45) % 8]})"


def answer(word: str) -> str:
    """Return an outcome or a class as it is read."""
    return OUTCOMES.get(word, word.replace("_", " "))


def safe_cell(value: object) -> str:
    """Return a text that a spreadsheet shows and never computes.

    Spreadsheets take a cell that begins with one of ``= + - @`` or with a tab or line break for a
    formula; an apostrophe before it keeps it a text.
    """
    text = "" if value is None else str(value)
    if text[:1] in ("=", "+", "-", "@", "\t", "\r", "\n") and not _is_number(text):
        return f"'{text}"
    return text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
