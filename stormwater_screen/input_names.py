"""Names of what a screening is given, as all surfaces of the program call it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .geometry import Kind

LAYER_KINDS: Final[Mapping[str, Kind]] = {
    "SITES": "polygon",
    "DISTURBANCE": "polygon",
    "IMPERVIOUS": "polygon",
    "EXISTING_IMPERVIOUS": "polygon",
    "BUILDING_CENTRES": "point",
    "DEVICES": "point_or_polygon",
    "WATER_BODIES": "polygon",
    "WATERCOURSES": "line_or_polygon",
    "WETLANDS": "polygon",
    "WATER_SUPPLIES": "point_or_polygon",
    "LEACH_FIELDS": "point_or_polygon",
    "COVERAGE": "polygon",
    "SOILS": "polygon",
    "IMPAIRED": "any",
    "TMDL": "polygon",
    "SENSITIVE": "any",
    "STREAM_CORRIDORS": "line_or_polygon",
    "CULVERTS": "line",
    "STORM_SEWERS": "line",
}
"""Layers, and the kind of geometry that each takes."""

SEVERAL_LAYERS: Final = frozenset({"WATER_BODIES", "WATERCOURSES", "IMPAIRED", "SENSITIVE"})
"""Names that take several layers."""

LAYERS: Final = tuple(name for name in LAYER_KINDS if name != "SITES")

NEARBY: Final = frozenset(
    {
        "WATER_BODIES",
        "WATERCOURSES",
        "WETLANDS",
        "WATER_SUPPLIES",
        "LEACH_FIELDS",
        "SOILS",
        "IMPAIRED",
        "TMDL",
        "SENSITIVE",
        "STREAM_CORRIDORS",
        "CULVERTS",
        "STORM_SEWERS",
    }
)
"""Layers of which only what lies near the sites is read. Of what people draw all is looked at."""

SITE_FIELDS: Final = (
    "SITE_ID",
    "DISTURBED_FIELD",
    "IMPERVIOUS_FIELD",
    "PROJECT_TYPE_FIELD",
    "PLAN_FIELD",
    "PLAN_TOTAL_FIELD",
    "MAX_OPEN_FIELD",
    "LOTS_FIELD",
    "LOT_MAX_FIELD",
    "ROAD_FIELD",
    "HIGH_TRAFFIC_FIELD",
    "ATTESTED_FIELD",
    "SWPPP_FIELD",
)
"""Fields of the sites."""

LAYER_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "SOILS": (
        "SOIL_GROUP_FIELD",
        "SOIL_KSAT_FIELD",
        "SOIL_WATER_TABLE_FIELD",
        "SOIL_BEDROCK_FIELD",
        "SOIL_PERC_FIELD",
        "SOIL_TRANSPORT_FIELD",
    ),
    "IMPAIRED": ("IMPAIRED_NAME_FIELD", "IMPAIRED_POLLUTANT_FIELD", "IMPAIRED_STATUS_FIELD"),
    "TMDL": ("TMDL_NAME_FIELD", "TMDL_POLLUTANT_FIELD", "TMDL_SOURCE_FIELD"),
}
"""Fields of other layers, by the layer."""
