"""Every fact that a rule may ask for, named in one place: its kind, its unit and its words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

FactKind: TypeAlias = Literal["quantity", "word", "flag"]

PROJECT_TYPES: Final = (
    "single_family",
    "two_family",
    "multi_family",
    "commercial",
    "subdivision_single_family",
    "subdivision_other",
    "agricultural_activity",
    "agricultural_building",
    "silviculture",
    "routine_maintenance",
    "control_measure",
    "other",
)
"""Words of the fact ``project_type``."""

YES_NO: Final = ("yes", "no")


@dataclass(frozen=True)
class FactName:
    """A fact that measures hand to rules.

    Attributes
    ----------
    kind
        ``quantity``, ``word`` or ``flag``.
    unit
        Unit of a quantity, else empty.
    phrase
        How a reason speaks of the number: "disturbs 20,000 sq ft".
    settle
        What would settle the fact where a measure does not say so itself.
    words
        Words of a word, else empty.
    """

    kind: FactKind
    unit: str
    phrase: str
    settle: str
    words: tuple[str, ...] = ()


def _area(phrase: str, settle: str) -> FactName:
    return FactName("quantity", "sq ft", phrase, settle)


def _distance(what: str) -> FactName:
    return FactName("quantity", "ft", f"{what} at", f"a survey of the distance to the {what}")


def _device(what: str) -> FactName:
    return FactName(
        "quantity", "ft", f"{what} from the device at", "where the infiltration device will stand"
    )


def _yes_no(settle: str) -> FactName:
    return FactName("word", "", "", settle, YES_NO)


FACT_NAMES: Final[dict[str, FactName]] = {
    "project_type": FactName("word", "", "project type", "the project type", PROJECT_TYPES),
    "common_plan": _yes_no("whether the site is part of a larger common plan"),
    "high_traffic": _yes_no("whether the device serves a high-traffic area"),
    "attested": _yes_no("the papers that show an exemption"),
    "swppp_approved": _yes_no("whether a SWPPP is approved"),
    "disturbed": _area("disturbs", "the disturbed area"),
    "plan_total": _area("common plan disturbs", "the total disturbance of the common plan"),
    "lda_area": _area("disturbs in all", "the total disturbance of the common plan"),
    "new_impervious": _area("new impervious", "the new impervious area"),
    "existing_impervious": _area("existing impervious", "the existing impervious area"),
    "affected": _area("affects", "the disturbed area and the new impervious area"),
    "max_open": _area("open at one time", "the largest area open at one time"),
    "lot_max": _area("largest lot disturbs", "the largest disturbance of a lot"),
    "road": _area("subdivision road disturbs", "the disturbance of the subdivision road"),
    "lots": FactName("quantity", "lots", "subdivides into", "the number of lots"),
    "slope": FactName("quantity", "%", "slope over 100 ft", "where the building will stand"),
    "device_slope": FactName(
        "quantity", "%", "slope at the device", "where the infiltration device will stand"
    ),
    "perc": FactName("quantity", "min/in", "percolation", "a percolation test"),
    "perc_soil": FactName("flag", "", "", "a percolation test"),
    "transport": FactName(
        "flag", "", "", "the official list of soils of high potential for pollutant transport"
    ),
    "water_table": FactName("quantity", "cm", "seasonal high groundwater at", "a test pit"),
    "bedrock": FactName("quantity", "cm", "bedrock at", "a test pit"),
    "water": _distance("nearest water body or watercourse"),
    "water_or_wetland": _distance("nearest water body, watercourse or wetland"),
    "wetland": _distance("nearest wetland"),
    "supply": _distance("nearest drinking-water supply"),
    "leach": _distance("nearest leach field"),
    "setback_down": _distance("Lake George or nearest downgradient water or supply"),
    "setback_up_supply": _distance("nearest upgradient supply"),
    "device_down": _device("Lake George or downgradient water or supply"),
    "device_up_supply": _device("upgradient supply"),
    "device_leach": _device("leach field"),
    "device_leach_up": _device("downgradient leach field"),
    "stream_corridor": _distance("nearest stream corridor"),
    "critical_area": _distance("nearest critical environmental area"),
    "habitat": _distance("nearest significant habitat"),
    "scenic_historic": _distance("nearest area of scenic, historic or natural significance"),
    "listed_construction": FactName(
        "flag", "", "", "which listed water first receives the runoff, and for which pollutant"
    ),
    "listed_any": FactName(
        "flag", "", "", "which listed water first receives the runoff, and for which pollutant"
    ),
}
"""All facts by name."""

AT_MOST: Final = (
    ("disturbed", "affected"),
    ("new_impervious", "affected"),
    ("disturbed", "lda_area"),
)
"""Pairs of quantities of which the first is never larger than the second."""

PARAMETERS: Final = ("contiguous_ft",)
"""Run parameters that a rules file may let replace a number."""

FACTOR_WORDS: Final = (
    "slope",
    "percolation",
    "soils",
    "critical_area",
    "wetland",
    "stream_corridor",
    "habitat",
    "scenic_historic",
)
"""Discretionary factors, in the order in which they are listed."""
