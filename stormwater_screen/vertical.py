"""The vertical unit of a raster of elevation: given, or stated by the file, and never guessed."""

from __future__ import annotations

from typing import Final, NamedTuple

import pyproj
import rasterio
from pyproj.exceptions import CRSError

from .errors import InputError
from .units import FOOT_M, US_SURVEY_FOOT_M, Z_UNIT_FT

_WORDS: Final[dict[str, str]] = {
    **dict.fromkeys(("m", "metre", "metres", "meter", "meters"), "metre"),
    **dict.fromkeys(("ft", "foot", "feet", "international foot", "international feet"), "foot"),
    **dict.fromkeys(
        (
            "us survey foot",
            "us survey feet",
            "us-ft",
            "usft",
            "us ft",
            "ftus",
            "sft",
            "foot_us",
            "us_survey_foot",
            "us foot",
            "us feet",
        ),
        "us_survey_foot",
    ),
}


class VerticalUnit(NamedTuple):
    """A vertical unit.

    Attributes
    ----------
    name
        ``metre``, ``foot``, ``us_survey_foot``, or the name in the file.
    feet
        International feet in one unit.
    """

    name: str
    feet: float


def vertical_unit(
    dataset: rasterio.DatasetReader, band: int, given: str, name: str
) -> tuple[VerticalUnit, tuple[str, ...]]:
    """Return the vertical unit of a band, and what the user should know about it.

    Parameters
    ----------
    dataset
        Open raster.
    band
        Band number, from 1.
    given
        The user's word, or ``auto``.
    name
        The file as the user knows it.

    Raises
    ------
    InputError
        The word is not known, the file contradicts itself, or neither says.
    """
    if given != "auto" and given not in Z_UNIT_FT:
        words = ", ".join(["auto", *Z_UNIT_FT])
        raise InputError("DEM_Z_UNIT", f"the word {given!r}", f"one of {words}")
    stated = _stated_by_band(dataset, band), _stated_by_crs(dataset)
    known = [unit for unit in stated if unit is not None]
    if given != "auto":
        unit = VerticalUnit(given, Z_UNIT_FT[given])
        other = [stated for stated in known if abs(stated.feet / unit.feet - 1) > 1e-4]
        if not other:
            return unit, ()
        return unit, (
            f"{name}: the file says that its heights are in {other[0].name};"
            f" DEM_Z_UNIT says {given}, and that is used",
        )
    if not known:
        word = dataset.units[band - 1]
        found = (
            f"the file states the vertical unit {word!r}"
            if word
            else ("the file does not state its vertical unit")
        )
        raise InputError(name, found, "DEM_Z_UNIT: metre, foot or us_survey_foot")
    if len(known) == 2 and abs(known[0].feet / known[1].feet - 1) > 1e-4:
        raise InputError(
            name,
            f"its band says that heights are in {known[0].name}, its CRS says {known[1].name}",
            "DEM_Z_UNIT: metre, foot or us_survey_foot",
        )
    return known[0], ()


def _stated_by_band(dataset: rasterio.DatasetReader, band: int) -> VerticalUnit | None:
    word = _WORDS.get((dataset.units[band - 1] or "").strip().lower())
    return None if word is None else VerticalUnit(word, Z_UNIT_FT[word])


def _stated_by_crs(dataset: rasterio.DatasetReader) -> VerticalUnit | None:
    try:
        crs = pyproj.CRS.from_user_input(dataset.crs)
    except CRSError:
        return None
    if crs.source_crs is not None and crs.is_bound:
        crs = crs.source_crs
    parts = crs.sub_crs_list if crs.is_compound else [crs]
    for axis in parts[-1].axis_info:
        if axis.direction == "up" and axis.unit_conversion_factor > 0:
            return _named(axis.unit_conversion_factor, axis.unit_name)
    return None


def _named(metres: float, unit_name: str) -> VerticalUnit:
    for word, length in (("metre", 1.0), ("foot", FOOT_M), ("us_survey_foot", US_SURVEY_FOOT_M)):
        if abs(metres / length - 1) < 1e-9:
            return VerticalUnit(word, Z_UNIT_FT[word])
    return VerticalUnit(unit_name, metres / FOOT_M)
