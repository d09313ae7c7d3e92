"""Small water layers, sites and ground that tests of setbacks share."""

import geopandas as gpd
import numpy as np
import pyproj
from shapely import box

from stormwater_screen.features import WaterLayer
from stormwater_screen.water import measure_water

PLANE = pyproj.CRS("+proj=laea +lat_0=43 +lon_0=-74 +ellps=GRS80 +units=ft +no_defs")
EVERYWHERE = box(-1e5, -1e5, 1e5, 1e5)
ROLES = ("WATER_BODIES", "WATERCOURSES", "WETLANDS", "WATER_SUPPLIES", "LEACH_FIELDS")


class Slope:
    """Ground that rises ``percent`` eastwards, with a hole where ``hole`` says so."""

    def __init__(self, percent, hole=lambda x, y: np.zeros(np.shape(x), bool)):
        self.percent, self.hole = percent, hole

    def elevation_ft(self, x, y, crs):
        assert crs == PLANE
        return np.where(self.hole(x, y), np.nan, 1000 + self.percent / 100 * x)


def frame(*geometries, **columns):
    return gpd.GeoDataFrame(columns, geometry=list(geometries), crs=PLANE)


def measured(sites, *, missing=(), error=0.0, **features):
    """Measure water of all roles; a role without features has one far away."""
    layers = []
    for role in ROLES:
        if role in missing:
            continue
        shapes = features.get(role.lower(), [box(90_000, 90_000, 90_001, 90_001)])
        names = features.get("name", [""] * len(shapes)) if role == "WATER_BODIES" else None
        columns = {} if names is None or len(names) != len(shapes) else {"name": names}
        layers.append(WaterLayer(role.lower(), role, frame(*shapes, **columns), EVERYWHERE))
    return measure_water(sites, layers, water_error_ft=error, supply_error_ft=error)
