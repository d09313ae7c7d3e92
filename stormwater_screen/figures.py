"""The numbers behind a finding as JSON, so that a report need not read them from a sentence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from .facts import Texts

_DIGITS: Final = {"latitude": 7, "longitude": 7}
"""Digits after the point of what needs others than three: a seventh of a degree is 0.4 inch."""


def figures_column(columns: Mapping[str, Any]) -> Texts:
    """Return one JSON object a row; what is not known is left out.

    Parameters
    ----------
    columns
        Arrays of the same length by the name that each has in the object.
    """
    names = list(columns)
    lists = [np.asarray(columns[name]).tolist() for name in names]
    told = [
        json.dumps(
            {
                name: round(value, _DIGITS.get(name, 3)) if isinstance(value, float) else value
                for name, value in zip(names, row, strict=True)
                if value is not None and value == value and value != ""
            },
            ensure_ascii=False,
            separators=(",", ":"),
        )
        for row in zip(*lists, strict=True)
    ]
    return np.array(told, dtype=object)


def read_figures(text: object) -> dict[str, Any]:
    """Return the numbers of a finding; empty where there are none or the text was cut."""
    if not isinstance(text, str) or not text:
        return {}
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
