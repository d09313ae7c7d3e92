"""Every output column, named in one place. The names are promises: models and scripts use them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["text", "number", "integer"]


@dataclass(frozen=True)
class Column:
    """An output column.

    Attributes
    ----------
    name
        At most 10 characters, since shapefiles cut longer names.
    kind
        ``text``, ``number`` or ``integer``.
    meaning
        What stands there, with its unit or its words. What is never translated, as a column name
        or a word of the law, stands between backticks.
    length
        Greatest length of a text, in characters.
    """

    name: str
    kind: Kind
    meaning: str
    length: int = 0


SLOPE_15_PERCENT: Final = 15.0
"""Slope that the columns ``slope_15`` and ``slope_shr`` are named after, percent."""

_OUTCOME = "`yes`, `no`, `review` or `unknown`"
_OUTCOME_OR_NONE = "`yes`, `no`, `review`, `unknown` or `not_applicable`"
_LIMIT = "`below`, `at`, `above` or `unknown`"
_BOUNDS = "with bounds and errors, for `classifysites`"

SCREENED_COLUMNS: Final[tuple[Column, ...]] = (
    Column("row", "integer", "place of the site in the input, from 1"),
    Column("site_id", "text", "id of the site as given, or empty", 80),
    Column("disturb_sf", "number", "disturbed area, sq ft"),
    Column("disturb_by", "text", "where the disturbed area comes from", 80),
    Column("imperv_sf", "number", "new impervious area, sq ft"),
    Column("vs_5000", "text", f"disturbed area against 5,000 sq ft: {_LIMIT}", 10),
    Column("vs_15000", "text", f"disturbed area against 15,000 sq ft: {_LIMIT}", 10),
    Column("vs_1acre", "text", f"disturbed area against 1 acre: {_LIMIT}", 10),
    Column("vs_2acre", "text", f"disturbed area against 2 acres: {_LIMIT}", 10),
    Column("vs_5acre", "text", f"disturbed area against 5 acres: {_LIMIT}", 10),
    Column("slope_pct", "number", "largest slope over 100 ft, percent"),
    Column("slope_dir", "number", "direction of that slope, degrees clockwise from north"),
    Column("slope_by", "text", "how the slope was measured", 80),
    Column("slope_15", "text", f"slope of 15 percent or greater over 100 ft: {_OUTCOME}", 10),
    Column("slope_shr", "number", "share of the site where a building would meet 15 percent, 0-1"),
    Column("water_ft", "number", "distance to the nearest water body or watercourse, ft"),
    Column("water_nm", "text", "name of that water", 80),
    Column("supply_ft", "number", "distance to the nearest drinking-water supply, ft"),
    Column("in_35ft", "text", f"water or a supply 35 ft away or nearer: {_OUTCOME}", 10),
    Column("in_50ft", "text", f"water or a supply 50 ft away or nearer: {_OUTCOME}", 10),
    Column("in_100ft", "text", f"water or a supply 100 ft away or nearer: {_OUTCOME}", 10),
    Column(
        "in_500ft", "text", f"lake, pond, river, stream or wetland within 500 ft: {_OUTCOME}", 10
    ),
    Column("infil_sf", "number", "most area where infiltration may stand, sq ft"),
    Column("infilht_sf", "number", "most area where infiltration may stand, high traffic, sq ft"),
    Column("soil_grp", "text", "hydrologic soil groups with shares", 80),
    Column("perc", "text", "percolation: field test, or indicator from the soil survey", 120),
    Column("impaired", "text", "listed waters reached or near", 254),
    Column("tmdl", "text", "TMDL watersheds the site lies in", 254),
    Column("pollutant", "text", "pollutants of these listings", 254),
    Column("ev_areas", "text", f"disturbed and impervious areas {_BOUNDS}", 254),
    Column("ev_slope", "text", f"slope {_BOUNDS}", 254),
    Column("ev_water", "text", f"distances to water and wetlands {_BOUNDS}", 254),
    Column("ev_near", "text", f"distances to corridors and sensitive areas {_BOUNDS}", 254),
    Column("ev_setbk", "text", f"distances to supplies and by gradient side {_BOUNDS}", 254),
    Column("ev_device", "text", f"slope and distances of infiltration devices {_BOUNDS}", 254),
    Column("ev_infil", "text", "`infil_sf` and `infilht_sf` under each text of the law", 254),
    Column("ev_listed", "text", f"listed waters {_BOUNDS}", 254),
    Column("ev_soils", "text", f"soil figures {_BOUNDS}", 254),
    Column("lda", "text", f"land development activity: {_OUTCOME_OR_NONE}", 16),
    Column("cond_a", "text", f"Condition A: {_OUTCOME_OR_NONE}", 16),
    Column("cond_b", "text", f"Condition B: {_OUTCOME_OR_NONE}", 16),
    Column("cond_c", "text", f"Condition C: {_OUTCOME_OR_NONE}", 16),
    Column("class", "text", "class of the site in the words of the law, `review` or `unknown`", 24),
    Column("is_major", "text", f"major project: {_OUTCOME_OR_NONE}", 16),
    Column("may_major", "text", "factors for which the project may be considered major", 120),
    Column("near", "text", "rules whose limit lies within the error of the data", 254),
    Column("reasons", "text", "deciding rules, short", 254),
    Column("settle", "text", "the fact that would settle what is open", 254),
    Column("run_id", "text", "id of the run", 40),
)
"""Columns that the screening adds to the sites' own."""

RECEIVING_COLUMNS: Final[tuple[Column, ...]] = (
    Column("first_wtr", "text", "first mapped waters that runoff reaches, with shares", 254),
    Column("flow_via", "text", "named waters further down, from the largest share", 254),
    Column("flow_ft", "number", "longest way over land of the largest share, ft"),
    Column("flow_drop", "number", "fall along that way, ft"),
    Column("lost_pct", "number", "runoff that could not be followed to the end, percent"),
    Column("lost_at", "text", "how and where it was lost", 254),
    Column("sewer", "text", "a storm sewer may take the runoff: yes, no or unknown", 10),
)
"""Columns that following runoff adds to the sites' own."""

STEP_COLUMNS: Final[dict[str, tuple[str, ...]]] = {
    "areas": (
        "disturb_sf", "disturb_by", "imperv_sf",
        "vs_5000", "vs_15000", "vs_1acre", "vs_2acre", "vs_5acre", "ev_areas",
    ),
    "slope": ("slope_pct", "slope_dir", "slope_by", "slope_15", "slope_shr", "ev_slope"),
    "water": ("water_ft", "water_nm", "in_500ft", "ev_water"),
    "sensitive": ("ev_near",),
    "setbacks": (
        "supply_ft", "in_35ft", "in_50ft", "in_100ft", "infil_sf", "infilht_sf",
        "ev_setbk", "ev_device", "ev_infil",
    ),
    "receiving": tuple(column.name for column in RECEIVING_COLUMNS),
    "listings": ("impaired", "tmdl", "pollutant", "ev_listed"),
    "soils": ("soil_grp", "perc", "ev_soils"),
    "rules": (
        "row", "site_id", "infil_sf", "infilht_sf", "lda", "cond_a", "cond_b", "cond_c", "class",
        "is_major", "may_major", "near", "reasons", "settle", "run_id",
    ),
}  # fmt: skip
"""Columns that each measure, and the rules, write when they run alone."""


def columns_of(*steps: str) -> tuple[Column, ...]:
    """Return the columns of some steps in their order."""
    names = {name for step in steps for name in STEP_COLUMNS[step]}
    known = (*RECEIVING_COLUMNS, *SCREENED_COLUMNS)
    return tuple(column for column in known if column.name in names)


FINDING_COLUMNS: Final[tuple[Column, ...]] = (
    Column("row", "integer", "place of the site in the input, from 1"),
    Column("site_id", "text", "id of the site as given, or empty", 80),
    Column("rule", "text", "id of the rule or of the measure", 40),
    Column("outcome", "text", f"{_OUTCOME}, applies or info", 16),
    Column("value", "number", "measured or typed value"),
    Column("unit", "text", "unit of value and threshold", 16),
    Column("comparison", "text", "comparison of the value with the threshold", 4),
    Column("threshold", "number", "limit of the law"),
    Column("force", "text", "shall (mandatory), may (discretionary) or should (advisory)", 16),
    Column("section", "text", "section of the law", 80),
    Column("source", "text", "layer or field", 254),
    Column("near", "text", "yes where the value lies within its error of the limit", 4),
    Column("text", "text", "explanation", 2000),
    Column("settle", "text", "the fact that would settle it", 254),
    Column("figures", "text", "numbers behind a measure, as JSON, for reports", 1000),
    Column("run_id", "text", "id of the run", 40),
)
"""Columns of the findings table."""

ZONE_COLUMNS: Final[tuple[Column, ...]] = (
    Column("row", "integer", "place of the site in the input, from 1"),
    Column("site_id", "text", "id of the site as given, or empty", 80),
    Column("zone", "text", "kind of zone", 40),
    Column("why", "text", "what makes the zone", 254),
    Column("area_sf", "number", "area, sq ft"),
    Column("run_id", "text", "id of the run", 40),
)
"""Columns of the zones layer."""

PATH_COLUMNS: Final[tuple[Column, ...]] = (
    Column("row", "integer", "place of the site in the input, from 1"),
    Column("site_id", "text", "id of the site as given, or empty", 80),
    Column("ends", "text", "how the path ends: water, edge, hole, pit or far", 10),
    Column("water", "text", "name of the first water", 120),
    Column("layer", "text", "layer of the first water", 80),
    Column("via", "text", "named waters further down", 254),
    Column("share_pct", "number", "share of the site that drains this way, percent"),
    Column("area_sf", "number", "area that drains this way, sq ft"),
    Column("counts", "text", "no where the share is too small to count: yes or no", 4),
    Column("length_ft", "number", "length of the path over land, ft"),
    Column("drop_ft", "number", "fall along the path, ft"),
    Column("climb_ft", "number", "most that the path rises over its lowest ground so far, ft"),
    Column("filled_ft", "number", "most that a depression on the path is filled, ft"),
    Column("run_id", "text", "id of the run", 40),
)
"""Columns of the paths of runoff and of the points where it leaves the sites."""

SOIL_COLUMNS: Final[tuple[Column, ...]] = (
    Column("mukey", "text", "key of the map unit", 30),
    Column("musym", "text", "symbol of the map unit", 20),
    Column("survey", "text", "survey area", 20),
    Column("muname", "text", "name of the map unit", 254),
    Column("hsg", "text", "dominant hydrologic group, dual ones as they are; empty: unknown", 3),
    Column("hsg_undr", "text", "dominant hydrologic group, dual ones as undrained", 3),
    Column("hsg_worst", "text", "worst group of any component, dual ones as undrained", 3),
    Column("hsg_pct", "number", "components of the dominant group, percent of the map unit"),
    Column("hsg_comps", "text", "groups of all components, percent of the map unit", 254),
    Column("ksat_l", "number", "least saturated conductivity to 60 in, low, um/s"),
    Column("ksat_r", "number", "least saturated conductivity to 60 in, representative, um/s"),
    Column("ksat_h", "number", "least saturated conductivity to 60 in, high, um/s"),
    Column("water_cm", "number", "least depth to the water table, cm"),
    Column("water_ft", "number", "least depth to the water table, ft"),
    Column("rock_cm", "number", "least depth to rock, cm"),
    Column("rock_ft", "number", "least depth to rock, ft"),
    Column("drainage", "text", "drainage class", 60),
    Column("runoff", "text", "runoff class of the largest component", 30),
    Column("slope_pct", "number", "slope of the map unit, percent"),
    Column("kwfact", "number", "erodibility of the surface of the largest component"),
    Column("perc_hint", "text", "what the figures hint at on percolation", 254),
    Column("trans_hint", "text", "what the figures hint at on pollutant transport", 254),
    Column("unknown", "text", "what is not known, and why", 254),
)
"""Columns of prepared soils."""

WATER_COLUMNS: Final[tuple[Column, ...]] = (
    Column("feature", "text", "id of the feature in its source", 60),
    Column("name", "text", "its name, else what it is", 120),
    Column("kind", "text", "what it is, by the code table", 60),
    Column("class", "text", "water, wetland, review, supply or artificial_path", 20),
    Column("permanence", "text", "perennial, intermittent, ephemeral or empty: not known", 15),
    Column("ftype", "text", "type as given", 40),
    Column("fcode", "text", "code as given", 10),
    Column("note", "text", "why the class is what it is", 254),
    Column("source", "text", "layer that it comes from", 80),
)
"""Columns of prepared water bodies, watercourses, wetlands and supplies."""

FLOW_NUMBER_COLUMNS: Final[tuple[Column, ...]] = (
    Column("hydroseq", "text", "number of the line in its network; empty: none", 20),
    Column("dnhydroseq", "text", "`hydroseq` of the next line down that is in the layer", 20),
    Column("fromnode", "text", "number of the node where the line begins; empty: none", 20),
    Column("tonode", "text", "node where the next line down in the layer begins", 20),
    Column("flowdir", "text", "1: the line runs downstream; empty: not known", 5),
)
"""Columns of prepared watercourses that say which line follows which."""

COURSE_COLUMNS: Final[tuple[Column, ...]] = (*WATER_COLUMNS, *FLOW_NUMBER_COLUMNS)
"""Columns of prepared watercourses."""

LEFT_OUT_COLUMNS: Final[tuple[Column, ...]] = (
    *(column for column in WATER_COLUMNS if column.name != "note"),
    Column("why", "text", "why it was left out", 254),
)
"""Columns of the table of what was left out."""

LISTED_COLUMNS: Final[tuple[Column, ...]] = (
    Column("unit", "text", "id of the assessment unit", 60),
    Column("name", "text", "name of the water", 254),
    Column("cycle", "number", "year of the list; empty: not said"),
    Column("category", "text", "category of the integrated report: 5 is 303(d), 4A has a TMDL", 30),
    Column("listed", "text", "on the 303(d) list: yes, no, or empty where it is not said", 3),
    Column("tmdl", "text", "has a TMDL: yes, no, or empty where it is not said", 3),
    Column("pollutant", "text", "causes of the impairment", 254),
    Column("poll_yes", "text", "those that construction stormwater carries", 254),
    Column("poll_rev", "text", "those for review", 254),
    Column("poll_no", "text", "those not from stormwater", 254),
    Column("catchment", "text", "yes: the land beside the water; no: the water itself", 3),
    Column("source", "text", "layer that it comes from", 80),
)
"""Columns of prepared listed waters and TMDL areas."""

UNLISTED_COLUMNS: Final[tuple[Column, ...]] = (
    *LISTED_COLUMNS[:7],
    Column("source", "text", "layer that it comes from", 80),
    Column("why", "text", "why it is not among the listed waters", 254),
)
"""Columns of the table of waters that are not listed."""

COVERAGE_COLUMNS: Final[tuple[Column, ...]] = (
    Column("source", "text", "layer that is complete there", 80),
    Column("role", "text", "parameter of a screening that it holds for", 30),
    Column("agency", "text", "whose layer it is", 20),
)
"""Columns of the areas in which prepared layers are complete."""

PARCEL_COLUMNS: Final[tuple[Column, ...]] = (
    Column("parcel", "text", "key: SWIS and PRINT_KEY, else SWIS and SBL; empty: none", 60),
    Column("parcels", "text", "keys of all rows on this land", 254),
    Column("key_of", "text", "fields that the key is made of", 30),
    Column("merged", "integer", "rows of the source that make the parcel"),
    Column("swis", "text", "SWIS code of the municipality", 6),
    Column("town", "text", "village, town outside village, or town or city, by the SWIS code", 25),
    Column("print_key", "text", "PRINT_KEY as given", 40),
    Column("sbl", "text", "SBL as given", 40),
    Column("muni", "text", "name of the municipality as given", 60),
    Column("address", "text", "address of the land", 120),
    Column("prop_class", "text", "property class: the use that was assessed", 5),
    Column("use_now", "text", "what the class means; a hint, never the project type", 80),
    Column("septic", "text", "hint by SEWER_TYPE", 40),
    Column("well", "text", "hint by WATER_SUPPLY", 40),
    Column("acres_roll", "number", "acres in the roll; empty: not given"),
    Column("acres_map", "number", "measured acres"),
    Column("acres_diff", "number", "measured acres against the roll, percent"),
    Column("acres_note", "text", "remark on the acres", 120),
)
"""Columns of prepared parcels."""

LINE_COLUMNS: Final[tuple[Column, ...]] = (
    Column("row", "integer", "place of the site in the input, from 1"),
    Column("site_id", "text", "id of the site as given, or empty", 80),
    Column("kind", "text", "what the line begins at", 40),
    Column("slope_pct", "number", "largest slope over 100 ft from there, percent"),
    Column("slope_dir", "number", "its direction, degrees clockwise from north"),
    Column("from_ft", "number", "elevation where the line begins, ft"),
    Column("to_ft", "number", "elevation where the line ends, ft"),
    Column("complete", "text", "no where some direction leaves the DEM: yes or no", 4),
    Column("run_id", "text", "id of the run", 40),
)
"""Columns of the lines along which slopes were measured."""

COMPARED_COLUMNS: Final[tuple[Column, ...]] = (
    Column("row", "integer", "place of the site in the input, from 1"),
    Column("site_id", "text", "id of the site as given, or empty", 80),
    Column("law_1", "text", "first law and its day", 80),
    Column("law_2", "text", "second law and its day", 80),
    Column("class_1", "text", "class under the first law", 24),
    Column("class_2", "text", "class under the second law", 24),
    Column("changed", "text", "whether the class changes: yes or no", 4),
    Column("change", "text", "the change in words, or empty", 60),
    Column("reg_1", "text", f"plan or permit needed under the first law: {_OUTCOME}", 10),
    Column("reg_2", "text", f"plan or permit needed under the second law: {_OUTCOME}", 10),
    Column("by_1", "text", "rules that decide the class under the first law", 254),
    Column("by_2", "text", "rules that decide the class under the second law", 254),
    Column("settle_1", "text", "what would settle the first, where it is open", 254),
    Column("settle_2", "text", "what would settle the second, where it is open", 254),
    Column("run_id", "text", "id of the run", 40),
)
"""Columns that a comparison of two laws adds to the sites' own."""

CHANGE_COLUMNS: Final[tuple[Column, ...]] = (
    Column("row", "integer", "place of the site in the input, from 1"),
    Column("site_id", "text", "id of the site as given, or empty", 80),
    Column("side", "integer", "1 for the first law, 2 for the second"),
    Column("law", "text", "law and its day", 80),
    Column("class", "text", "class under this law", 24),
    Column("rule", "text", "id of a rule that decides the class", 40),
    Column("outcome", "text", _OUTCOME, 16),
    Column("value", "number", "measured or typed value"),
    Column("unit", "text", "unit of value and threshold", 16),
    Column("comparison", "text", "comparison of the value with the threshold", 4),
    Column("threshold", "number", "limit of the law"),
    Column("section", "text", "section of the law", 80),
    Column("source", "text", "layer or field", 254),
    Column("text", "text", "explanation", 2000),
    Column("run_id", "text", "id of the run", 40),
)
"""Columns of the table of rules by which classes change."""

CHECK_COLUMNS: Final[tuple[Column, ...]] = (
    Column("level", "text", "error (a run stops), unknown, warning or info", 10),
    Column("input", "text", "name of the parameter", 30),
    Column("layer", "text", "layer or field as the user knows it", 120),
    Column("checked", "text", "what was looked at", 40),
    Column("found", "text", "what was found", 254),
    Column("count", "integer", "number of sites or features that it concerns"),
    Column("means", "text", "what follows for the screening", 1000),
    Column("todo", "text", "what to do about it", 254),
)
"""Columns of the table of a check of inputs."""
