"""The land of the sample town: ground, waters, soils, listings and what applications draw.

Every number here is invented. Places are feet east (x) and north (y) of the town's south-west
corner; heights are feet.
"""

# fmt: off
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import shapely
from shapely import LineString, Point, Polygon, box

TOWN = (-3100.0, -150.0, 5250.0, 4250.0)
"""West, south, east and north of the surveyed ground; nothing beyond has an elevation."""
LAKE_FT = 320.0
SHORE_X = 4400.0
BASE_SLOPE = 0.03

MILL_BROOK = ((2700, 3790), (2790, 3735), (2900, 3700), (3900, 3700), (4050, 3730), (4250, 3650),
              (4420, 3600))
CEDAR_UPPER = ((2700, 2300), (3250, 2300))
CEDAR_MIDDLE = ((3250, 2300), (3800, 2300))
CEDAR_LOWER = ((3800, 2300), (4400, 2300))
DRY_RUN = ((3050, 500), (3400, 500), (3600, 530), (3800, 480), (4050, 420), (4400, 440))
HERON_POND = ((2900, 1150), (2900, 1350), (2960, 1390), (3060, 1395), (3130, 1340), (3150, 1240),
              (3110, 1150), (3030, 1105), (2950, 1110))
LOON_POND = ((3300, 4060), (3370, 4100), (3480, 4090), (3520, 4020), (3460, 3960), (3350, 3970))
ALDER_SWAMP = ((3600, 1030), (3600, 1290), (3680, 1350), (3800, 1330), (3890, 1260), (3900, 1130),
               (3830, 1020), (3700, 985))

# Planes under the building centres: centre x, y; percent; direction of the fall in degrees.
PLANES = ((300, 2350, 14.9, 37.0), (850, 2350, 15.0, 90.0), (1400, 2350, 15.1, 141.0),
          (850, 2900, 25.0, 75.0), (1400, 2900, 4.0, 90.0))
WALL = (300.0, 2900.0, 1 / 0.3048)
"""A 3 % hillside with a 1-m step 30 ft above this centre."""
PLANE_HALF_FT, PLANE_BLEND_FT = 130.0, 130.0
HOLE = (1400.0, 3000.0, 15.0)
"""Centre and radius of a hole in the elevations."""
HILL = (700.0, 3750.0, 110.0, 300.0)
"""Centre, height and width of Prospect Hill."""


def shore_x(y: np.ndarray) -> np.ndarray:
    """Return how far east the shore of Lake George lies, feet: straight along the lots."""
    north = np.clip((y - 3350.0) / 900.0, 0, None)
    south = np.clip((900.0 - y) / 900.0, 0, None)
    return SHORE_X + 320.0 * np.sin(np.pi * north) ** 2 + 260.0 * np.sin(0.5 * np.pi * south) ** 2


def lake() -> Polygon:
    """Return the part of Lake George on the map."""
    y = np.unique(np.concatenate([np.arange(-150.0, 901.0, 75.0), np.arange(3350.0, 4251.0, 75.0),
                                  [-150.0, 4250.0]]))
    west = list(zip(shore_x(y).tolist(), y.tolist(), strict=True))
    return Polygon([*west, (5250.0, 4250.0), (5250.0, -150.0)])


def ground_ft(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the elevation of places, feet; NaN off the town and in the hole."""
    base = LAKE_FT + BASE_SLOPE * np.maximum(shore_x(y) - x, 0.0)
    height = base.copy()
    hill_x, hill_y, top, width = HILL
    height += top * np.exp(-((x - hill_x) ** 2 + (y - hill_y) ** 2) / (2 * width**2))
    points = shapely.points(x, y)
    for line in (MILL_BROOK, (*CEDAR_UPPER, CEDAR_LOWER[1]), DRY_RUN):
        away = np.minimum(shapely.distance(LineString(line), points) / 90.0, 1.0)
        height -= np.minimum(5.0, 0.5 * (base - LAKE_FT)) * (1 - away) ** 2 * (1 + 2 * away)
    for ring in (HERON_POND, LOON_POND):
        pond = Polygon(ring)
        away = np.minimum(shapely.distance(pond, points) / 90.0, 1.0)
        level = LAKE_FT + BASE_SLOPE * (SHORE_X - pond.centroid.x) - 4.0
        height = level + (height - level) * (3 * away**2 - 2 * away**3)
    for centre_x, centre_y, percent, direction in PLANES:
        height = _with_plane(height, x, y, (centre_x, centre_y), percent, direction)
    wall_x, wall_y, step = WALL
    height = _with_plane(height, x, y, (wall_x, wall_y), 3.0, 90.0, step=step)
    hole_x, hole_y, radius = HOLE
    gone = np.hypot(x - hole_x, y - hole_y) < radius
    west, south, east, north = TOWN
    gone |= (x < west) | (x > east) | (y < south) | (y > north)
    return np.where(gone, np.nan, height)


def _with_plane(height: np.ndarray, x: np.ndarray, y: np.ndarray, centre: tuple[float, float],
                percent: float, direction: float, step: float = 0.0) -> np.ndarray:
    """Return the ground with an exact plane around a centre, blended into what lies outside."""
    angle = np.radians(direction)
    east, north = x - centre[0], y - centre[1]
    level = LAKE_FT + BASE_SLOPE * (SHORE_X - centre[0])
    plane = level - percent / 100.0 * (east * np.sin(angle) + north * np.cos(angle))
    plane += step * (east < -30.0)
    outside = np.maximum(np.maximum(abs(east), abs(north)) - PLANE_HALF_FT, 0.0)
    share = np.clip(1.0 - outside / PLANE_BLEND_FT, 0.0, 1.0)
    share = 3 * share**2 - 2 * share**3
    return np.where(share > 0, share * plane + (1 - share) * height, height)


Feature = dict[str, Any]


def water_bodies() -> list[Feature]:
    """Return the lake and the ponds."""
    return [
        {"gnis_name": "Lake George", "fcode": 39004, "geometry": lake()},
        {"gnis_name": "Heron Pond", "fcode": 39004, "geometry": Polygon(HERON_POND)},
        {"gnis_name": "Loon Pond", "fcode": 39004, "geometry": Polygon(LOON_POND)},
    ]


def watercourses() -> list[Feature]:
    """Return the perennial (46006) and intermittent (46003) streams."""
    return [
        {"gnis_name": "Mill Brook", "fcode": 46006, "geometry": LineString(MILL_BROOK)},
        {"gnis_name": "Cedar Brook", "fcode": 46006,
         "geometry": LineString([*CEDAR_UPPER, *CEDAR_MIDDLE[1:], *CEDAR_LOWER[1:]])},
        {"gnis_name": "Dry Run", "fcode": 46003, "geometry": LineString(DRY_RUN)},
    ]


def wetlands() -> list[Feature]:
    """Return the wetland."""
    return [{"name": "Alder Swamp", "geometry": Polygon(ALDER_SWAMP)}]


def impaired_streams() -> list[Feature]:
    """Return the listed reaches, and one that was taken off the list."""
    rows = (("Cedar Brook, upper", "Pathogens", "Y", CEDAR_UPPER),
            ("Cedar Brook, middle", "Silt/Sediment; Pathogens", "Y", CEDAR_MIDDLE),
            ("Cedar Brook, lower", None, "Y", CEDAR_LOWER),
            ("Dry Run", "Silt/Sediment", "N", DRY_RUN))
    return [{"name": name, "pollutant": pollutant, "on303dlist": listed,
             "geometry": LineString(line)} for name, pollutant, listed, line in rows]


def impaired_lakes() -> list[Feature]:
    """Return the listed pond."""
    return [{"name": "Heron Pond", "pollutant": "Mercury", "on303dlist": "Y",
             "geometry": Polygon(HERON_POND)}]


def tmdl_watersheds() -> list[Feature]:
    """Return the TMDL watersheds; their shared edges run along lot lines."""
    basin, ridge = (1020, 1050, 1350, 1385), (60, 100, 320, 360)
    rows = (("West Basin", "Phosphorus", "Stormwater runoff; septic systems", 30, 360, basin),
            ("Middle Basin", "Pathogens", "Urban stormwater; waterfowl", 850, 1200, basin),
            ("East Basin", "Nitrogen", None, 1440, 1730, basin),
            ("Ridge", "Phosphorus", "Stormwater runoff", -3050, -2850, ridge),
            ("Regional mercury", "Mercury", "Atmospheric deposition", -2600, -2300, ridge))
    return [{"name": name, "pollutant": pollutant, "source": source,
             "geometry": _with_corners(west, east, rungs[0], rungs[-1], rungs[1:-1])}
            for name, pollutant, source, west, east, rungs in rows]


def _with_corners(west: float, east: float, south: float, north: float,
                  corners: Sequence[float]) -> Polygon:
    """Return a box with extra corners on its west and east edge, where lots have theirs."""
    left = [(west, y) for y in sorted(corners, reverse=True)]
    right = [(east, y) for y in sorted(corners)]
    return Polygon([(west, south), (east, south), *right, (east, north), (west, north), *left])


def critical_environmental_areas() -> list[Feature]:
    """Return areas 100 ft from one lot and 100.5 ft from another."""
    return [{"name": "Upper Ledge", "geometry": box(370, 1660, 540, 1840)},
            {"name": "Lower Ledge", "geometry": box(680, 1660.5, 840, 1800)}]


def significant_habitat() -> list[Feature]:
    """Return the habitat that covers a lot."""
    return [{"name": "Turtle nesting ground", "geometry": box(960, 1400, 1110, 1580)}]


def historic_places() -> list[Feature]:
    """Return the place that touches a lot."""
    return [{"name": "Old battery", "geometry": Polygon(
        [(1110, 1430), (1110, 1560), (1160, 1580), (1215, 1530), (1200, 1450), (1150, 1420)])}]


def stream_corridors() -> list[Feature]:
    """Return the 35-ft corridor along Cedar Brook."""
    line = LineString([CEDAR_UPPER[0], CEDAR_LOWER[1]])
    return [{"name": "Cedar Brook corridor", "geometry": line.buffer(35.0, cap_style="flat")}]


def soils() -> list[Feature]:
    """Return the soil units: no gap and no overlap inside the town."""
    lake_area = lake()
    special = [
        ("PeC", "C", 1.2, 61, 150, 60, "no", box(680, 1410, 830, 1580)),
        ("MnC", "C", 0.9, 60, 150, 61, "no", box(380, 1410, 530, 1580)),
        ("RkD", "D", 60.0, 90, 60, None, "yes", box(980, 1410, 1130, 1580)),
        ("WlB", "C/D", 0.2, 30, None, None, None, box(3360, 1080, 3530, 1250)),
        ("HrE", "C", 3.0, 100, 80, None, "no", Point(700, 3750).buffer(620, quad_segs=12)),
    ]
    shore = box(4120, -150, 5250, 4250).difference(lake_area)
    town = box(*TOWN).difference(lake_area).difference(shore)
    for *_, shape in special:
        town = town.difference(shape)
    special[-1] = (*special[-1][:-1], special[-1][-1].intersection(box(*TOWN)))
    rows = [
        ("CsB", "B", 20.0, 150, 200, None, "no", town),
        ("ColA", "A", 90.0, 120, 200, None, "no", shore),
        ("W", None, None, None, None, None, None, lake_area),
        *special,
    ]
    names = ("musym", "hydgrpdcd", "ksat_um_s", "wtdepannmin", "brockdepmin", "perc_min_in",
             "transport", "geometry")
    return [dict(zip(names, row, strict=True)) for row in rows]


def coverage() -> list[Feature]:
    """Return where the layers are complete."""
    return [{"name": "Town survey", "geometry": box(-3600, -600, 5600, 4600)}]


def building_centres() -> list[Feature]:
    """Return the centres of proposed buildings."""
    rows = (("L01", 850, 2900), ("L02", 1400, 2350), ("L03", 850, 2350), ("L04", 1400, 2900),
            ("L05", 300, 2350), ("L40", 300, 2900))
    return [{"lot": lot, "geometry": Point(x, y)} for lot, x, y in rows]


DEVICES = {"L02": (1400.0, 2350.0), "L03": (850.0, 2350.0), "L05": (300.0, 2350.0),
           "L06": (1350.0, 800.0), "L40": (300.0, 2900.0), "L07": (1230.0, 800.0),
           "L26": (3760.0, 760.0), "L27": (3100.0, 3115.0)}


def infiltration_devices() -> list[Feature]:
    """Return infiltration devices as points."""
    return [{"lot": lot, "kind": "dry well", "geometry": Point(*place)}
            for lot, place in DEVICES.items()]


def _beyond(lot: str, direction: float, distance: float) -> tuple[float, float]:
    """Return the place so many feet from a lot's device, degrees clockwise from north."""
    angle = np.radians(direction)
    x, y = DEVICES[lot]
    return float(x + distance * np.sin(angle)), float(y + distance * np.cos(angle))


def wells() -> list[Feature]:
    """Return wells: below the devices of L02 and L03, above and below those of L26 and L27."""
    rows = (("Well 1", "L02", 141.0, 34.5), ("Well 2", "L03", 90.0, 35.0),
            ("Well 3", "L26", 270.0, 50.0), ("Well 4", "L26", 90.0, 100.0),
            ("Well 5", "L27", 270.0, 49.5))
    return [{"name": name, "geometry": Point(*_beyond(lot, direction, distance))}
            for name, lot, direction, distance in rows]


def leach_fields() -> list[Feature]:
    """Return leach fields: 20 and 20.5 ft below a device, 99.5 and 100 ft beside one."""
    x5, y5 = DEVICES["L05"]
    x6, y6 = DEVICES["L06"]
    x7, y7 = DEVICES["L07"]
    x40, y40 = DEVICES["L40"]
    return [
        {"name": "Leach field L05", "geometry": box(x5 - 10, y5 + 20, x5 + 10, y5 + 34)},
        {"name": "Leach field L40", "geometry": box(x40 + 20.5, y40 - 10, x40 + 34, y40 + 10)},
        {"name": "Leach field L06", "geometry": box(x6 - 20, y6 + 99.5, x6 + 20, y6 + 130)},
        {"name": "Leach field L07", "geometry": box(x7 - 20, y7 - 130, x7 + 20, y7 - 100)},
    ]


def limits_of_disturbance() -> list[Feature]:
    """Return two limits of 0.6 acre that share 0.3 acre, and one of exactly an acre."""
    return [
        {"lot": "L18", "what": "house", "geometry": box(1570, 650, 1702, 848)},
        {"lot": "L18", "what": "drive", "geometry": box(1570, 749, 1702, 947)},
        {"lot": "L19", "what": "site", "geometry": box(1800, 700, 1998, 920)},
    ]


def new_impervious() -> list[Feature]:
    """Return new impervious areas; 1,000 sq ft of the first lies on the old footprint."""
    return [
        {"lot": "L18", "what": "house", "geometry": box(1590, 680, 1690, 740)},
        {"lot": "L19", "what": "shop", "geometry": box(1830, 730, 1930, 830)},
    ]


def existing_impervious() -> list[Feature]:
    """Return the footprints that stand already."""
    return [
        {"lot": "L18", "what": "barn", "geometry": box(1590, 720, 1640, 760)},
        {"lot": "L41", "what": "cabin", "geometry": box(700, 3700, 730, 3720)},
    ]


LAYERS = {
    "water_bodies": water_bodies, "watercourses": watercourses, "wetlands": wetlands,
    "wells": wells, "leach_fields": leach_fields, "soils": soils,
    "impaired_streams": impaired_streams, "impaired_lakes": impaired_lakes,
    "tmdl_watersheds": tmdl_watersheds,
    "critical_environmental_areas": critical_environmental_areas,
    "significant_habitat": significant_habitat, "historic_places": historic_places,
    "stream_corridors": stream_corridors, "coverage": coverage,
    "building_centres": building_centres, "infiltration_devices": infiltration_devices,
    "limits_of_disturbance": limits_of_disturbance, "new_impervious": new_impervious,
    "existing_impervious": existing_impervious,
}
"""What stands in the GeoPackage beside the lots, by layer name."""
