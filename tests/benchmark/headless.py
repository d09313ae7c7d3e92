"""A made-up county read and screened by the core alone."""

from __future__ import annotations

from datetime import date
from typing import Final

from stormwater_screen.layers import read_layer
from stormwater_screen.model import DemSource, Options, Screening, ScreeningInputs
from stormwater_screen.ordinance import load_ordinance
from stormwater_screen.progress import Progress, no_progress
from stormwater_screen.screening import screen
from tests.benchmark.county import LAYERS, County

KINDS: Final = {
    "WATERCOURSES": "line_or_polygon",
    "WATER_SUPPLIES": "point_or_polygon",
    "LEACH_FIELDS": "point_or_polygon",
    "IMPAIRED": "any",
}
FIELDS: Final = {
    "SITE_ID": "lot",
    "PROJECT_TYPE_FIELD": "kind",
    "IMPERVIOUS_FIELD": "open_sf",
    "SOIL_GROUP_FIELD": "hsg",
    "SOIL_KSAT_FIELD": "ksat_r",
    "SOIL_WATER_TABLE_FIELD": "water_cm",
    "SOIL_BEDROCK_FIELD": "rock_cm",
    "IMPAIRED_NAME_FIELD": "name",
    "IMPAIRED_POLLUTANT_FIELD": "pollutant",
    "TMDL_NAME_FIELD": "name",
    "TMDL_POLLUTANT_FIELD": "pollutant",
}
LAW_DAY: Final = date(2026, 1, 1)


def read_county(county: County) -> ScreeningInputs:
    """Return the layers of a county."""
    layers = {
        name: read_layer(county.layer(name), role=name, geometry=KINDS.get(name, "polygon"))
        for name in LAYERS
    }
    sites = layers.pop("SITES")
    others = {name: (layer,) for name, layer in layers.items()}
    return ScreeningInputs(sites, others, FIELDS, DemSource(str(county.dem)))


def screen_county(
    inputs: ScreeningInputs, workers: int | None = None, progress: Progress = no_progress
) -> Screening:
    """Return the screening of a county under the law of Lake George."""
    law = load_ordinance("lake_george", as_of=LAW_DAY)
    return screen(inputs, law, Options(run_id="bench", workers=workers), progress=progress)
