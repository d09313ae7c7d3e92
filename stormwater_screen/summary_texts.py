"""What the summary page says of parameters that were not given."""

from __future__ import annotations

from typing import Final

ROLE_TITLES: Final[dict[str, str]] = {
    "SITES": "Sites",
    "DISTURBANCE": "Limits of disturbance",
    "IMPERVIOUS": "New impervious areas",
    "EXISTING_IMPERVIOUS": "Existing impervious areas",
    "DEM": "Ground elevation (DEM)",
    "BUILDING_CENTRES": "Building centres",
    "DEVICES": "Infiltration devices",
    "WATER_BODIES": "Lakes, ponds and rivers",
    "WATERCOURSES": "Streams",
    "WETLANDS": "Wetlands",
    "WATER_SUPPLIES": "Drinking-water supplies",
    "LEACH_FIELDS": "Leach fields",
    "COVERAGE": "Coverage of the layers",
    "SOILS": "Soils",
    "IMPAIRED": "Listed (303(d)) waters",
    "TMDL": "TMDL watersheds",
    "SENSITIVE": "Sensitive areas",
    "STREAM_CORRIDORS": "Stream corridors",
}
"""Layer parameters in the words of the page, in the order in which they are listed."""

UNIT_TITLES: Final[dict[str, str]] = {
    "auto": "the unit that the file states",
    "metre": "metres",
    "foot": "feet",
    "us_survey_foot": "US survey feet",
}
"""Vertical units of the DEM in the words of the page."""

NOT_GIVEN: Final[tuple[tuple[tuple[str, ...], str, str], ...]] = (
    (
        ("DISTURBANCE", "DISTURBED_FIELD"),
        "Limits of disturbance",
        "Every site is judged as if it were disturbed as a whole.",
    ),
    (
        ("IMPERVIOUS", "IMPERVIOUS_FIELD"),
        "New impervious area",
        "Taken as not known, and at most the disturbed area.",
    ),
    (
        ("PROJECT_TYPE_FIELD", "PROJECT_TYPE"),
        "Project type",
        "No exemption for a kind of project is claimed, and exclusions for one stay open.",
    ),
    (("PLAN_FIELD",), "Common plans", "Every site is taken as no part of a larger common plan."),
    (("DEM",), "Ground elevation", "Slope over 100 ft and the gradient side are unknown."),
    (
        ("BUILDING_CENTRES",),
        "Building centres",
        "Slope over 100 ft is tried at every place on the site where a building may stand.",
    ),
    (
        ("DEVICES",),
        "Infiltration devices",
        "Their setbacks are not checked; only where they may stand is drawn.",
    ),
    (("WATER_BODIES",), "Lakes, ponds and rivers", "Distances to them stay open."),
    (("WATERCOURSES",), "Streams", "Distances to them stay open."),
    (("WETLANDS",), "Wetlands", "Distances to them stay open."),
    (("WATER_SUPPLIES",), "Drinking-water supplies", "Distances to them stay open."),
    (("LEACH_FIELDS",), "Leach fields", "Distances to them stay open."),
    (("SOILS",), "Soils", "Soil groups, depth to water and rock, and percolation are unknown."),
    (
        ("SOIL_PERC_FIELD",),
        "Percolation tests",
        "A soil survey only indicates slow percolation; a field test decides it.",
    ),
    (
        ("SOIL_TRANSPORT_FIELD",),
        "Official list of soils of high pollutant transport",
        "Soils are only indicated, never cleared.",
    ),
    (("IMPAIRED",), "Listed (303(d)) waters", "Condition A stays open."),
    (("TMDL",), "TMDL watersheds", "Condition A stays open."),
    (
        ("SENSITIVE",),
        "Critical environmental areas, habitat, scenic and historic areas",
        "Whether a site lies in or beside one stays open.",
    ),
    (("STREAM_CORRIDORS",), "Stream corridors", "Whether a site lies in one stays open."),
)
"""Parameters of which one is needed, what they bring, and what follows where none is given."""

ALWAYS_LEFT_OUT: Final = (
    "Runoff volumes, peak flows and the design of control measures.",
    "Culverts, storm sewers and ditches that no layer shows: runoff is followed over the ground and"
    " down the mapped streams, if a DEM and streams are given.",
    "What is not on the layers: a well or wetland that nobody mapped is not found.",
    "Other permits and laws of the town, the county, the State or the Adirondack Park Agency.",
)
"""What no run checks."""
