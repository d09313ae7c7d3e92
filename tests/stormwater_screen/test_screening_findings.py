"""Findings of rules and of measures name the same site by the same row and id."""

from __future__ import annotations

from datetime import date

import geopandas as gpd
from shapely import box

from stormwater_screen.layers import layer_from_frame
from stormwater_screen.model import Options, ScreeningInputs
from stormwater_screen.ordinance import load_ordinance
from stormwater_screen.screening import screen


def test_findings_of_a_rule_stand_at_the_row_and_id_of_their_site() -> None:
    frame = gpd.GeoDataFrame(
        {"id": ["small", "middle", "large"], "dist": [4_000.0, 9_000.0, 20_000.0]},
        geometry=[box(600_000 + 60 * i, 4_809_000, 600_050 + 60 * i, 4_809_050) for i in range(3)],
        crs=26918,
    )
    sites = layer_from_frame(frame, role="SITES", name="lots", geometry="polygon")
    inputs = ScreeningInputs(sites, fields={"SITE_ID": "id", "DISTURBED_FIELD": "dist"})
    law = load_ordinance("lake_george", date(2025, 6, 1))
    findings = screen(inputs, law, Options()).findings
    limit = findings[findings["rule"] == "LG-MN1"].set_index("row")
    assert limit["value"].to_dict() == {1: 4_000.0, 2: 9_000.0, 3: 20_000.0}
    ids = findings[findings["row"] > 0].groupby("row")["site_id"].unique().map(list).to_dict()
    assert ids == {1: ["small"], 2: ["middle"], 3: ["large"]}
    measured = findings[findings["rule"].isin(["slope_places", "soil_group", "listed_water"])]
    assert measured["row"].isin([0, 1, 2, 3]).all()
