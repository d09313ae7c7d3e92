"""Units of length, area and height, as factors to the international foot."""

from __future__ import annotations

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
