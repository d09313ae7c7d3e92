"""Units of length, area and height, as factors to the international foot."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

FOOT_M: Final = 0.3048
"""Metres in one international foot (exact)."""

US_SURVEY_FOOT_M: Final = 1200 / 3937
"""Metres in one US survey foot (exact)."""

ACRE_SQFT: Final = 43_560.0
"""Square feet in one acre."""

MILE_FT: Final = 5_280.0
"""Feet in one mile."""

Z_UNIT_FT: Final[dict[str, float]] = {
    "metre": 1 / FOOT_M,
    "foot": 1.0,
    "us_survey_foot": US_SURVEY_FOOT_M / FOOT_M,
}
"""International feet in one vertical unit."""

_FOOT_M = Fraction(3048, 10_000)

UNITS: Final[dict[str, tuple[str, Fraction]]] = {
    "ft": ("length", Fraction(1)),
    "in": ("length", Fraction(1, 12)),
    "mile": ("length", Fraction(5280)),
    "m": ("length", 1 / _FOOT_M),
    "cm": ("length", Fraction(1, 100) / _FOOT_M),
    "sq ft": ("area", Fraction(1)),
    "acre": ("area", Fraction(43_560)),
    "sq m": ("area", 1 / _FOOT_M**2),
    "hectare": ("area", 10_000 / _FOOT_M**2),
    "%": ("slope", Fraction(1)),
    "min/in": ("percolation", Fraction(1)),
    "um/s": ("conductivity", Fraction(1)),
    "lots": ("count", Fraction(1)),
}
"""Units of numbers in rules: what they measure, and feet or square feet in one unit (exact)."""


def convert(value: float, unit: str, to: str) -> float:
    """Return a number in another unit of the same kind, without an error of rounding.

    Parameters
    ----------
    value
        Number in ``unit``.
    unit, to
        Keys of ``UNITS``.

    Raises
    ------
    ValueError
        The units do not measure the same.
    """
    (kind, factor), (to_kind, to_factor) = UNITS[unit], UNITS[to]
    if kind != to_kind:
        raise ValueError(f"{unit} is no unit of {to_kind}")
    return float(Fraction(repr(float(value))) * factor / to_factor)
