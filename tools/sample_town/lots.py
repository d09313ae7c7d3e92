"""The lots of the sample town and the outcome that each law's text gives for them.

Every number here is invented. The outcomes are written by hand from the texts of the four laws; no
program made them. Places are feet east (x) and north (y) of the town's south-west corner.
"""

# fmt: off
from __future__ import annotations

from dataclasses import dataclass, field

LAWS = ("lake_george", "wilton", "shelter_island", "wayne_county")
NOT_APPLICABLE = "not_applicable"
SMALL = ("minor", NOT_APPLICABLE, NOT_APPLICABLE, "exempt")
MIDDLE = ("major", NOT_APPLICABLE, NOT_APPLICABLE, "exempt")
ONE_ACRE = ("major", "swppp", "swppp", "review")
LARGE = ("major", "swppp", "swppp", "plan_required")
IN_PLAN = ("major", "swppp", "swppp", "exempt")


@dataclass(frozen=True)
class Lot:
    """One lot: its place, what its application says, and its known answers.

    Attributes
    ----------
    lot
        Id; None is a lot without an id. Ids may repeat.
    box
        West, south, width and height in feet; None is a lot without a geometry.
    note
        What the lot shows.
    classes
        Class under each law, in the order of ``LAWS``.
    dist, imp
        Disturbed and new impervious area, square feet, as typed; None is not given.
    lda
        Land development activity (not asked under Wayne County).
    cond_a
        Condition A as Lake George and Wilton read it, and as Shelter Island reads it.
    cond_b, cond_c
        Conditions B and C; an empty word says nothing.
    may
        Factors for which Lake George may treat the project as major.
    also
        Answers by column that are the same under every law.
    by_law
        Answers by law and column that differ from the rest.
    ring
        Corners instead of the box, feet.
    """

    lot: str | None
    box: tuple[float, float, float, float] | None
    note: str
    classes: tuple[str, str, str, str]
    dist: float | None = 9_000
    imp: float | None = 2_000
    project_type: str | None = "commercial"
    plan: str | None = "none"
    plan_total: float | None = None
    max_open: float | None = None
    lots: int | None = None
    lot_max: float | None = None
    road: float | None = None
    high_traffic: str | None = None
    attested: str | None = None
    swppp: str | None = None
    lda: str = "no"
    cond_a: tuple[str, str] = ("no", "no")
    cond_b: str = "no"
    cond_c: str = "no"
    may: str = ""
    also: dict[str, str] = field(default_factory=dict)
    by_law: dict[str, dict[str, str]] = field(default_factory=dict)
    ring: tuple[tuple[float, float], ...] | None = None


TO_LAKE = ("no", "no")
"""Condition A where runoff first reaches Lake George, which is not listed. The ground falls due
east, so by a lot's latitude one sees which water lies in the way."""
TO_POND = ("no", "yes")
"""Condition A where runoff first reaches Heron Pond, which is listed for mercury: not from
stormwater under Lake George and Wilton; under Shelter Island any pollutant counts."""
SMALL_PLAN = {"class": "review", "lda": "review", "cond_a": "no"}
"""Shelter Island's definition takes in less than an acre of a larger common plan and gives the plan
no least size: a plan of less than an acre in all is open."""
FAR = {"in_35ft": "no", "in_50ft": "no", "in_100ft": "no", "in_500ft": "no", "slope_15": "no"}
ON_LOT = {"in_35ft": "yes", "in_50ft": "yes", "in_100ft": "yes"}
AT_WATER = {**ON_LOT, "in_500ft": "yes"}

SIZES = (
    Lot("L01", (795, 2840, 110, 120),
        "4,999 sq ft disturbed and exactly 1,000 sq ft new impervious: exempt under Lake George. "
        "The ground is 25 % steep, but the factors act on minor projects only.",
        ("exempt", NOT_APPLICABLE, NOT_APPLICABLE, "exempt"), 4_999, 1_000,
        also={"vs_5000": "below", "slope_15": "yes"}),
    Lot("L02", (1345, 2290, 110, 120),
        "1,001 sq ft new impervious is more than 1,000: minor. Slope 15.1 %. The device stands "
        "34.5 ft from a well below it (35 ft are asked for).",
        SMALL, 4_999, 1_001, may="slope", high_traffic="no",
        also={"vs_5000": "below", "slope_15": "yes", **ON_LOT, "in_500ft": "no"}),
    Lot("L03", (795, 2290, 110, 120),
        "5,000 sq ft is not less than 5,000: minor. Slope exactly 15.0 %. The device stands "
        "exactly 35 ft from a well below it, which is far enough.",
        SMALL, 5_000, 0, may="slope", high_traffic="no",
        also={"vs_5000": "at", "slope_15": "yes", **ON_LOT, "in_500ft": "no"}),
    Lot("L04", (1345, 2840, 110, 120),
        "New impervious area not given: exempt or minor, so unknown, but not major. A "
        "hole in the DEM lies 100 ft north of the building centre: the slope is incomplete, not "
        "small.",
        ("unknown", NOT_APPLICABLE, NOT_APPLICABLE, "exempt"), 4_000, None,
        also={"slope_15": "unknown"}, by_law={"lake_george": {"is_major": "no"}}),
    Lot("L05", (245, 2270, 110, 160),
        "14,999 sq ft: the largest minor project. Slope 14.9 %: no factor. The device stands "
        "exactly 20 ft above a leach field: within 20 ft.",
        SMALL, 14_999, 5_000, high_traffic="no",
        also={"vs_15000": "below", "slope_15": "no", "in_500ft": "no"}),
    Lot("L06", (1290, 630, 120, 360),
        "15,000 sq ft is not less than 15,000: major. The device stands 99.5 ft from a leach "
        "field: a major project keeps 100 ft.",
        MIDDLE, 15_000, 5_000, also={"vs_15000": "at", **FAR}),
    Lot(None, (1170, 630, 120, 360),
        "A lot without an id. 14,000 sq ft disturbed but 15,000 sq ft new impervious: the project "
        "affects 15,000, so major. The device stands exactly 100 ft from a leach field.",
        MIDDLE, 14_000, 15_000, also={"vs_15000": "below", **FAR}),
    Lot("L08", (510, 1050, 150, 300),
        "43,559 sq ft: one square foot below the acre, no land development activity.",
        MIDDLE, 43_559, 20_000, also={"vs_1acre": "below", **FAR}),
    Lot("L09", (660, 1050, 150, 300),
        "43,560 sq ft: exactly one acre. Land development activity; Wayne County leaves a gap "
        "between 'in excess of' and 'less than' one acre. One acre open at one time is allowed.",
        ONE_ACRE, 43_560, 20_000, max_open=43_560, swppp="no", lda="yes", cond_a=TO_POND,
        cond_c="yes",
        also={"vs_1acre": "at", **FAR}),
    Lot("L10", (360, 1050, 150, 300),
        "43,561 sq ft: more than one acre. Shares its west edge with a TMDL watershed and is not "
        "inside it. More than one acre open at one time without an approved SWPPP.",
        LARGE, 43_561, 20_000, max_open=43_561, swppp="no", lda="yes", cond_a=TO_POND, cond_c="yes",
        also={"vs_1acre": "above", **FAR}),
    Lot("L11", (60, 1050, 300, 300),
        "Single-family house on exactly 2 acres, inside a phosphorus TMDL watershed that names "
        "stormwater: Condition A has no single-family exclusion, Condition C has.",
        LARGE, 87_120, 6_000, "single_family", lda="yes", cond_a=("yes", "yes"),
        also={"vs_2acre": "at", **FAR}),
    Lot("L12", (900, 1050, 300, 300),
        "Two-family house on 87,121 sq ft, above 2 acres, inside a pathogen TMDL watershed that "
        "names stormwater: Shelter Island counts every cause of impairment.",
        LARGE, 87_121, 20_000, "two_family", lda="yes", cond_a=("review", "yes"), cond_c="yes",
        also={"vs_2acre": "above", **FAR}),
    Lot("L13", (60, 100, 470, 470),
        "217,799 sq ft: one square foot below five acres, Condition C.",
        LARGE, 217_799, 90_000, lda="yes", cond_a=TO_LAKE, cond_c="yes",
        also={"vs_5acre": "below", **FAR}),
    Lot("L14", (530, 100, 470, 470),
        "Single-family house on exactly five acres: Condition B has no single-family exclusion. "
        "Five acres open at one time under an approved SWPPP.",
        LARGE, 217_800, 9_000, "single_family", max_open=217_800, swppp="yes", lda="yes",
        cond_a=TO_LAKE,
        cond_b="yes", also={"vs_5acre": "at", **FAR}),
    Lot("L15", (1000, 100, 560, 470),
        "Six acres: Condition B. 217,801 sq ft open at one time without an approved SWPPP.",
        LARGE, 261_360, 90_000, max_open=217_801, swppp="no", lda="yes", cond_a=TO_LAKE,
        cond_b="yes",
        also={"vs_5acre": "above", **FAR}),
    Lot("L16", (2035, 1050, 200, 300),
        "Disturbed area not given: unknown under every law, never the whole lot. Its "
        "runoff reaches Heron Pond, so under Shelter Island Condition A is open too.",
        ("unknown", "unknown", "unknown", "unknown"), None, 2_000, lda="unknown",
        cond_a=("no", "unknown"),
        cond_b="unknown", cond_c="unknown", also={"vs_5000": "unknown", **FAR}),
    Lot("L17", (1200, 1050, 240, 300),
        "Project type not known: no exemption is claimed, but Condition C may exclude it.",
        LARGE, 65_340, 9_000, None, lda="yes", cond_a=TO_POND, cond_c="unknown", also=FAR),
    Lot("L18", (1510, 630, 250, 360),
        "Two limits of disturbance of 0.6 acre share 0.3 acre: 0.9 acre, below the acre. New "
        "impervious area on the old footprint is not new.",
        MIDDLE, None, None, also={"vs_1acre": "below", **FAR}),
    Lot("L19", (1760, 630, 300, 360),
        "A limit of disturbance of exactly one acre, drawn: at the limit, not lost to projection.",
        ONE_ACRE, None, None, lda="yes", cond_a=TO_LAKE, cond_c="yes", also={"vs_1acre": "at",
        **FAR}),
)

TYPES = (
    Lot("L20", (60, 630, 370, 360),
        "Agricultural activity on 3 acres: Lake George asks for a plan filed 15 days before; "
        "Wilton may exempt it; Shelter Island and Wayne County do.",
        ("review", "eligible_for_exemption", "exempt", "exempt"), 130_680, 0,
        "agricultural_activity", lda="", cond_a=("", "no"), also=FAR),
    Lot("L21", (430, 630, 370, 360),
        "The same with the plan shown (attested): exempt under Lake George.",
        ("exempt", "eligible_for_exemption", "exempt", "exempt"), 130_680, 0,
        "agricultural_activity", attested="yes", lda="", cond_a=("", "no"), also=FAR,
        by_law={"lake_george": {"cond_a": "no"}}),
    Lot("L22", (800, 630, 370, 360),
        "Silviculture on 3 acres: Lake George needs the filed plan; Shelter Island keeps landings "
        "and haul roads in; Wayne County names no such exemption.",
        ("review", "eligible_for_exemption", "review", "plan_required"), 130_680, 0,
        "silviculture", lda="", cond_a=("", ""), cond_c="", also=FAR),
    Lot("L23", (1560, 100, 470, 470),
        "Routine maintenance on 217,799 sq ft, below five acres: Wilton may exempt it, Shelter "
        "Island does; Wayne County only if runoff does not change.",
        ("major", "eligible_for_exemption", "exempt", "review"), 217_799, 0,
        "routine_maintenance", lda="", cond_a=("", "no"), cond_c="", also={"vs_5acre": "below",
        **FAR}),
    Lot("L24", (2030, 100, 470, 470),
        "Routine maintenance on exactly five acres: not less than five, so no exemption.",
        ("major", "swppp", "swppp", "review"), 217_800, 0, "routine_maintenance", lda="yes",
        cond_a=TO_LAKE,
        cond_b="yes", also={"vs_5acre": "at", "in_500ft": "no"}),
    Lot("L25", (3060, 500, 250, 220),
        "Agricultural building on more than an acre: not an agricultural activity; Condition C "
        "leaves agricultural properties out. Its stream was taken off the 303(d) list.",
        ("major", "swppp", "swppp", "review"), 50_000, 20_000, "agricultural_building",
        lda="yes", cond_a=TO_LAKE, also={**AT_WATER}),
    Lot("L26", (3700, 700, 120, 120),
        "Change of a stormwater control measure: minor even below 5,000 sq ft. High traffic; the "
        "device stands exactly 50 ft from a well above it and 100 ft from one below it.",
        SMALL, 3_000, 0, "control_measure", high_traffic="yes",
        also={"vs_5000": "below", "in_500ft": "yes"}),
)

SUBDIVISIONS = (
    Lot("L27", (3000, 3030, 200, 170),
        "Two lots of 14,999 sq ft: minor, the total has no limit. Exactly 500 ft from Mill Brook. "
        "High traffic; the device stands 49.5 ft from a well above it (too near).",
        SMALL, 29_998, 8_000, "subdivision_single_family", lots=2, lot_max=14_999, road=0,
        high_traffic="yes", also={**ON_LOT, "in_500ft": "yes"}),
    Lot("L28", (3400, 3029.5, 200, 170),
        "Two lots, one of exactly 15,000 sq ft: major. 500.5 ft from Mill Brook.",
        MIDDLE, 29_999, 8_000, "subdivision_single_family", lots=2, lot_max=15_000, road=0,
        also={"in_100ft": "no", "in_500ft": "no"}),
    Lot("L29", (1440, 1050, 260, 300),
        "Four lots of 14,999 sq ft and a road of 14,999: minor on its face, but 1.72 acres are a "
        "land development activity. In a nitrogen TMDL watershed whose sources are not recorded.",
        LARGE, 74_995, 20_000, "subdivision_single_family", lots=4, lot_max=14_999, road=14_999,
        lda="yes", cond_a=("unknown", "yes"), cond_c="review", also=FAR),
    Lot("L30", (1900, 1050, 135, 300),
        "Four lots, road of exactly 15,000 sq ft: not less than 15,000, so major. Its id stands "
        "twice in the layer.",
        MIDDLE, 39_000, 12_000, "subdivision_single_family", lots=4, lot_max=6_000, road=15_000,
        also=FAR),
    Lot("L30", (1760, 1050, 140, 300),
        "Five lots: no small subdivision, major. Its id stands twice in the layer.",
        MIDDLE, 40_000, 12_000, "subdivision_single_family", lots=5, lot_max=8_000, road=0,
        also=FAR),
    Lot("L32", (1410, 630, 100, 360),
        "Three lots, the largest one's disturbance not given: unknown under Lake George.",
        ("unknown", NOT_APPLICABLE, NOT_APPLICABLE, "exempt"), 30_000, 9_000,
        "subdivision_single_family", lots=3, road=0, also=FAR),
)

SHORE = (
    Lot("L33", (4255, 2450, 110, 120),
        "Exactly 35 ft from Lake George. Its common plan Birch Hill sums to exactly one acre: "
        "minor on its face, major as a land development activity. Wayne has no common-plan clause.",
        IN_PLAN, 12_000, 3_000, plan="Birch Hill", lda="yes", cond_a=TO_LAKE, cond_c="yes",
        also={**AT_WATER, "vs_15000": "below", "slope_15": "no"}),
    Lot("L34", (4164.5, 2600, 200, 170),
        "35.5 ft from Lake George. The other lot of the plan Birch Hill.",
        IN_PLAN, 31_560, 9_000, plan="Birch Hill", lda="yes", cond_a=TO_LAKE, cond_c="yes",
        also={**AT_WATER, "in_35ft": "no"}),
    Lot("L35", (4240, 2800, 110, 120),
        "Exactly 50 ft from Lake George. The common plan Fern Lane sums to 43,559 sq ft: no land "
        "development activity, minor; Shelter Island gives a plan no least size. High traffic.",
        SMALL, 12_000, 3_000, plan="Fern Lane", high_traffic="yes",
        also={**AT_WATER, "in_35ft": "no"}, by_law={"shelter_island": SMALL_PLAN}),
    Lot("L36", (4149.5, 2950, 200, 170),
        "50.5 ft from Lake George. The other lot of the plan Fern Lane: major by its own size.",
        MIDDLE, 31_559, 9_000, plan="Fern Lane",
        also={**AT_WATER, "in_35ft": "no", "in_50ft": "no"},
        by_law={"shelter_island": SMALL_PLAN}),
    Lot("L37", (4190, 1800, 110, 120),
        "Exactly 100 ft from Lake George. Part of a larger plan of 3 acres (typed): major.",
        IN_PLAN, 12_000, 3_000, plan="Harbor View", plan_total=130_680, lda="yes",
        cond_a=TO_LAKE, cond_c="yes",
        also={**AT_WATER, "in_35ft": "no", "in_50ft": "no"}),
    Lot("L38", (4189.5, 1600, 110, 120),
        "100.5 ft from Lake George. Not known whether it is part of a larger plan: unknown. "
        "A listed water lies within a mile, but runoff reaches the lake: Condition A is no.",
        ("unknown", "unknown", "unknown", "exempt"), 12_000, 3_000, plan=None, lda="unknown",
        cond_a=("no", "no"),
        cond_b="unknown", cond_c="unknown",
        also={"in_35ft": "no", "in_50ft": "no", "in_100ft": "no", "in_500ft": "yes"}),
    Lot("L39", (4290, 1400, 110, 120),
        "On the shore. 4,000 and 500 sq ft: exempt on its face, but part of a plan of 3 acres, "
        "which the State permit binds: review under Lake George.",
        ("review", "swppp", "swppp", "exempt"), 4_000, 500, plan="Quarry Road",
        plan_total=130_680, lda="yes", cond_a=TO_LAKE, cond_c="yes", also=AT_WATER,
        by_law={"lake_george": {"cond_a": "", "cond_c": ""}}),
)

SLOPES = (
    Lot("L40", (245, 2840, 110, 120),
        "A 3 % hillside with a 1-m wall 30 ft above the building centre: 6.3 % over 100 ft, where "
        "the slope from cell to cell says 50 %. The device stands 20.5 ft above a leach field.",
        SMALL, high_traffic="no", also={"slope_15": "no", "in_500ft": "no"}),
    Lot("L41", (690, 3690, 120, 130),
        "On Prospect Hill, no building centre given: steep on a part of the lot, so it depends on "
        "where the building stands. A cabin stands there: its runoff has to be dealt with too.",
        SMALL, also={"slope_15": "review", "in_500ft": "no"}),
    Lot("L42", (2600, -210, 120, 120),
        "Half off the DEM, no building centre: the slope is unknown, never flat.",
        SMALL, also={"slope_15": "unknown", "in_500ft": "no"}),
)

FACTORS = (
    Lot("L43", (700, 1430, 110, 130),
        "Percolation test of exactly 60 min/in: not slower than 60. 100.5 ft from a critical "
        "environmental area: not contiguous. Water table at 61 cm: 2 ft are left.",
        SMALL, also=FAR),
    Lot("L44", (400, 1430, 110, 130),
        "Percolation test of 61 min/in. Exactly 100 ft from a critical environmental area. Water "
        "table at 60 cm, less than 2 ft.",
        SMALL, may="percolation;critical_area", also=FAR),
    Lot("L45", (1000, 1430, 110, 130),
        "Soil on the official list of high pollutant transport, in significant habitat, beside a "
        "historic place. Bedrock at 60 cm, less than 2 ft.",
        SMALL, may="soils;habitat;scenic_historic", also=FAR),
    Lot("L46", (3390, 1100, 110, 130),
        "Exactly 100 ft from a wetland. Soil of dual group C/D not on any list: indicators only.",
        SMALL, may="wetland", also={"in_500ft": "yes", "slope_15": "no"}),
)

LISTED = (
    Lot("L47", (3350, 2000, 350, 300),
        "On Cedar Brook, listed for sediment and pathogens. 100,000 sq ft, part of a plan of "
        "exactly five acres (typed): Conditions A and B.",
        LARGE, 100_000, 20_000, plan="Cedar Meadow", plan_total=217_800, lda="yes",
        cond_a=("yes", "yes"), cond_b="yes", also=AT_WATER),
    Lot("L48", (2850, 2080, 250, 220),
        "On Cedar Brook where it is listed for pathogens: review under Lake George and Wilton, "
        "yes under Shelter Island.",
        LARGE, 52_272, 20_000, lda="yes", cond_a=("review", "yes"), cond_c="yes", also=AT_WATER),
    Lot("L49", (3900, 2080, 250, 220),
        "On Cedar Brook where the listed pollutant is not recorded: unknown; under Shelter Island "
        "sediment is always a pollutant of concern.",
        LARGE, 52_272, 20_000, lda="yes", cond_a=("unknown", "yes"), cond_c="yes", also=AT_WATER),
    Lot("L50", (2650, 1140, 250, 220),
        "Shares an edge with Heron Pond, listed for mercury, which stormwater does not bring: "
        "no under Lake George and Wilton. A reach listed for sediment lies within a mile, but no "
        "runoff of the lot gets there.",
        LARGE, 52_272, 20_000, lda="yes", cond_a=("no", "yes"), cond_c="yes", also=AT_WATER,
        ring=((2650, 1140), (2900, 1140), (2900, 1150), (2900, 1350), (2900, 1360), (2650, 1360))),
    Lot("L51", (3400, 2300, 100, 125),
        "On the listed brook, but below one acre: Condition A applies to land development "
        "activities only. In the stream corridor.",
        SMALL, 12_000, 3_000, may="stream_corridor", also=AT_WATER),
)

RIDGE = (
    Lot("L55", (-2600, 100, 250, 220),
        "More than a mile from listed water, inside a mercury TMDL watershed that names its "
        "sources, stormwater not among them: Condition A is no.",
        LARGE, 52_272, 20_000, lda="yes", cond_c="yes", also=FAR),
    Lot("L56", (-2850, 100, 250, 220),
        "More than a mile from listed water. Shares its west edge with a phosphorus TMDL "
        "watershed that names stormwater and is not inside it: Condition A is no.",
        LARGE, 52_272, 20_000, lda="yes", cond_c="yes", also=FAR),
)

DIRT = (
    Lot("L52", (2060, 630, 200, 360),
        "A bow-tie: the outline crosses itself. Repaired; the area before and after is reported.",
        SMALL, also={"in_500ft": "no"},
        ring=((2060, 630), (2260, 990), (2260, 630), (2060, 990))),
    Lot("L53", None,
        "No geometry: this lot is unknown, the others are not touched.",
        ("unknown", "unknown", "unknown", "unknown"), None, None, None, plan=None, lda="unknown",
        cond_a=("", ""), cond_b="unknown", cond_c="unknown",
        also={"slope_15": "unknown", "in_35ft": "unknown", "in_500ft": "unknown"}),
    Lot("L54", (-12_000, 2000, 120, 120),
        "Two miles out of town, beyond the coverage of the layers: nothing there is called clear.",
        SMALL,
        also={"slope_15": "unknown", "in_35ft": "unknown", "in_50ft": "unknown",
              "in_100ft": "unknown", "in_500ft": "unknown"}),
)

ALL_LOTS = SIZES + TYPES + SUBDIVISIONS + SHORE + SLOPES + FACTORS + LISTED + DIRT + RIDGE

EXPECTED_COLUMNS = (
    "row", "lot", "law", "class", "is_major", "may_major", "lda", "cond_a", "cond_b", "cond_c",
    "slope_15", "in_35ft", "in_50ft", "in_100ft", "in_500ft",
    "vs_5000", "vs_15000", "vs_1acre", "vs_2acre", "vs_5acre",
)


def expected_rows() -> list[dict[str, str]]:
    """Return the known answers: one row a lot and law; an empty word says nothing."""
    return [
        _expected(row, lot, law) for row, lot in enumerate(ALL_LOTS, start=1) for law in LAWS
    ]


def _expected(row: int, lot: Lot, law: str) -> dict[str, str]:
    answer = dict.fromkeys(EXPECTED_COLUMNS, "")
    word = lot.classes[LAWS.index(law)]
    answer.update(row=str(row), lot=lot.lot or "", law=law)
    answer["class"] = word
    answer.update(lot.also)
    if law == "lake_george":
        answer["is_major"] = {"major": "yes", "minor": "no", "exempt": "no"}.get(word, word)
        answer["may_major"] = lot.may or ("none" if word == "minor" else "")
    else:
        answer["is_major"] = NOT_APPLICABLE
    if law == "wayne_county":
        answer.update(dict.fromkeys(("cond_a", "cond_b", "cond_c"), NOT_APPLICABLE))
    else:
        answer.update(lda=lot.lda, cond_b=lot.cond_b, cond_c=lot.cond_c)
        answer["cond_a"] = lot.cond_a[1 if law == "shelter_island" else 0]
    answer.update(lot.by_law.get(law, {}))
    return answer
