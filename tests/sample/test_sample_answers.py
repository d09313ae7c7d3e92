"""Every known answer of the sample town, through the core and through qgis_process."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from dataclasses import replace
from datetime import date
from functools import lru_cache
from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest

from stormwater_screen.layers import read_layer
from stormwater_screen.measuring import Demands
from stormwater_screen.model import DemSource, Options, Screening, ScreeningInputs
from stormwater_screen.ordinance import load_ordinance, packaged
from stormwater_screen.screening import screen, take_step
from stormwater_screen.summary import summary_html

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "resources" / "sample"
KINDS = {
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
    "LEACH_FIELDS": "any",
    "COVERAGE": "polygon",
    "SOILS": "polygon",
    "IMPAIRED": "any",
    "TMDL": "polygon",
    "SENSITIVE": "any",
    "STREAM_CORRIDORS": "line_or_polygon",
}


@pytest.fixture(scope="module")
def runner() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "screen_sample", ROOT / "tools" / "screen_sample.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@lru_cache
def sample() -> tuple[ScreeningInputs, Options]:
    """Return the sample run as the core takes it."""
    stored = json.loads((SAMPLE / "parameters.json").read_text(encoding="utf-8"))["inputs"]
    layers = {}
    for name, kind in KINDS.items():
        given = stored[name] if isinstance(stored[name], list) else [stored[name]]
        layers[name] = tuple(
            read_layer(
                SAMPLE / "sample.gpkg",
                role=name,
                geometry=kind,
                layer=text.removeprefix("sample.gpkg|layername="),
            )
            for text in given
        )
    (sites,) = layers.pop("SITES")
    fields = {name: text for name, text in stored.items() if name.endswith("_FIELD")}
    fields["SITE_ID"] = stored["SITE_ID"]
    options = Options(
        plan_empty=stored["PLAN_EMPTY"],
        high_traffic=stored["HIGH_TRAFFIC"],
        dem_error_ft=stored["DEM_ERROR_FT"],
        water_error_ft=stored["WATER_ERROR_FT"],
        supply_error_ft=stored["SUPPLY_ERROR_FT"],
        contiguous_ft=stored["CONTIGUOUS_FT"],
        impaired_status_values=(stored["IMPAIRED_STATUS_VALUES"],),
    )
    dem = DemSource(str(SAMPLE / stored["DEM"]), z_unit=stored["DEM_Z_UNIT"])
    return ScreeningInputs(sites, layers, fields, dem), options


@lru_cache
def screened(law: str) -> Screening:
    inputs, options = sample()
    return screen(inputs, load_ordinance(law, date(2025, 6, 1)), options)


@pytest.mark.parametrize("law", packaged())
def test_every_lot_has_its_known_answers(runner: ModuleType, law: str) -> None:
    wrong, compared = runner.differences(screened(law).columns, runner.known_answers(), law)
    assert wrong == []
    assert compared > 500


@pytest.mark.parametrize("law", packaged())
def test_every_limit_gives_its_known_finding(runner: ModuleType, law: str) -> None:
    limits = runner.known_answers("expected_findings.csv")
    wrong, compared = runner.finding_differences(screened(law).findings, limits, law)
    assert wrong == []
    assert compared >= 4


def test_the_drawn_areas_are_those_of_the_notes() -> None:
    columns = screened("lake_george").columns.set_index("site_id")
    assert columns.at["L18", "disturb_sf"] == pytest.approx(39_204, abs=0.5)
    assert columns.at["L18", "imperv_sf"] == pytest.approx(5_000, abs=0.5)
    assert columns.at["L19", "disturb_sf"] == pytest.approx(43_560, abs=0.5)


def test_the_slopes_are_those_of_the_notes() -> None:
    slopes = screened("lake_george").columns.set_index("site_id")["slope_pct"]
    for lot, percent in (("L05", 14.9), ("L03", 15.0), ("L02", 15.1), ("L40", 6.28)):
        assert slopes[lot] == pytest.approx(percent, abs=0.01)


def test_an_area_for_infiltration_that_is_only_a_bound_is_said_to_be_one() -> None:
    findings = screened("lake_george").findings
    bound = findings[findings["rule"] == "infiltration_area"]
    assert bound["row"].tolist() == [54]
    assert "not known: water bodies" in bound["text"].iloc[0]


def test_the_summary_page_names_open_lots_first_and_draws_the_town() -> None:
    inputs, options = sample()
    law = load_ordinance("lake_george", date(2025, 6, 1))
    html = summary_html(screened("lake_george"), inputs, law, options)
    assert html.index("L16<small>") < html.index("L20<small>") < html.index("L55<small>")
    assert "Beyond the map: L54." in html
    assert html.count('class="map-strong"') > 20


@pytest.mark.slow
def test_make_screen_agrees_through_qgis_process(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "screen_sample.py"), "--out", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "known answers of 56 lots agree" in done.stdout
    for law in packaged():
        assert {path.name for path in (tmp_path / law).iterdir()} >= {
            "screened.gpkg", "findings.gpkg", "zones.gpkg", "summary.html"
        }  # fmt: skip


def test_sides_are_decided_alike_in_the_step_and_in_the_screening() -> None:
    inputs, options = sample()
    demands = Demands.of(load_ordinance("lake_george", date(2025, 6, 1)))
    keys = ["row", "text", "source"]

    def worksheet(findings: pd.DataFrame) -> pd.DataFrame:
        rows = findings[findings["rule"] == "gradient"]
        return rows[keys].sort_values(keys).reset_index(drop=True)

    whole = worksheet(screened("lake_george").findings)
    step = worksheet(take_step(inputs, ("setbacks",), demands, options).findings)
    pd.testing.assert_frame_equal(step, whole, check_dtype=False)
    by = whole["text"].str.extract(r": \w+ by ([a-z ]+),")[0].value_counts().to_dict()
    # Lots whose well or leach field lies within a cell of what lies above it: elevation alone.
    assert by == {"elevation and path": 23, "elevation": 3}
    plain = take_step(inputs, ("setbacks",), demands, replace(options, follow_runoff=False))
    told = worksheet(plain.findings)["text"]
    assert told.str.contains("gradient by elevation,").all()
    assert not told.str.contains("runoff").any()
