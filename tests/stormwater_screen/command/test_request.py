"""What a command is asked to do, and what it refuses."""

from __future__ import annotations

import json
import tomllib
from datetime import date
from pathlib import Path

import pytest

from stormwater_screen.command.names import INPUTS, OUTPUTS_OF, help_texts, names_of
from stormwater_screen.command.request import law_of, options_of, parse, recorded
from stormwater_screen.errors import InputError
from stormwater_screen.model import Options
from tests.command_line import ROOT


def test_the_names_are_those_of_the_algorithms() -> None:
    text = (ROOT / "resources" / "help" / "screensites.toml").read_text("utf-8")
    algorithm = set(tomllib.loads(text)["parameters"])
    assert set(INPUTS) | set(OUTPUTS_OF["screen"]) == algorithm


def test_every_name_of_every_command_is_told_in_its_help() -> None:
    for command in OUTPUTS_OF:
        assert set(names_of(command)) <= set(help_texts())


@pytest.mark.parametrize("spelling", ["--DEM_Z_UNIT", "--dem_z_unit", "--dem-z-unit"])
def test_names_may_be_written_in_three_ways(spelling: str) -> None:
    assert parse(["screen", spelling, "foot"]) == ("screen", {"DEM_Z_UNIT": "foot"})


def test_a_name_of_several_layers_is_repeated() -> None:
    _, given = parse(["screen", "--watercourses", "a.gpkg", "--watercourses", "b.gpkg"])
    assert given["WATERCOURSES"] == ["a.gpkg", "b.gpkg"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("run.json", '{"SITES": "a.gpkg", "DEM_ERROR_FT": 0, "FOLLOW_RUNOFF": false}'),
        ("run.json", '{"inputs": {"SITES": "a.gpkg", "DEM_ERROR_FT": 0, "FOLLOW_RUNOFF": false}}'),
        ("run.toml", 'SITES = "a.gpkg"\nDEM_ERROR_FT = 0\nFOLLOW_RUNOFF = false\n'),
    ],
)
def test_a_run_file_holds_the_same_names(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")

    _, given = parse(["check", "--RUN", str(path)])

    assert given == {"SITES": "a.gpkg", "DEM_ERROR_FT": 0.0, "FOLLOW_RUNOFF": False}


def test_the_command_line_wins_over_the_run_file(tmp_path: Path) -> None:
    path = tmp_path / "run.toml"
    path.write_text('ORDINANCE = "wilton"\nAS_OF = 2025-06-01\nWORK = "w"\n', "utf-8")

    _, given = parse(["screen", "--RUN", str(path), "--ORDINANCE", "lake_george"])

    # A day may be a date of TOML; WORK is of another command.
    assert given == {"ORDINANCE": "lake_george", "AS_OF": "2025-06-01"}


def test_a_name_that_no_command_takes_is_refused_with_one_that_is_near(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps({"WATER_BODYS": "a.gpkg"}), "utf-8")

    with pytest.raises(InputError, match=r"the name WATER_BODYS.*a name as WATER_BODIES"):
        parse(["screen", "--RUN", str(path)])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--ORDINANCE", "troy"], "ORDINANCE: the word 'troy'. Needed: one of lake_george"),
        (["--DEM_ERROR_FT", "nan"], "DEM_ERROR_FT: 'nan'. Needed: a number from 0"),
        (["--DEM_ERROR_FT", "-1"], "DEM_ERROR_FT: '-1'"),
        (["--DEM_BAND", "1.5"], "DEM_BAND: '1.5'. Needed: a whole number from 1"),
        (["--FOLLOW_RUNOFF", "perhaps"], "FOLLOW_RUNOFF: 'perhaps'. Needed: yes or no"),
        (["--SITES", " "], "SITES: ' '. Needed: a text"),
    ],
)
def test_a_value_that_means_nothing_is_refused(arguments: list[str], message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(["screen", *arguments])

    assert message in str(caught.value)


def test_a_day_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match=r"AS_OF: '2025-13-01'\. Needed: a date as 2025-06-01"):
        law_of({"AS_OF": "2025-13-01"})


def test_the_law_is_that_of_the_day() -> None:
    source, law = law_of({"ORDINANCE": "wilton", "AS_OF": "2025-06-01"})

    assert (source, law.id, law.as_of) == ("wilton", "wilton", date(2025, 6, 1))


def test_choices_that_are_not_given_are_those_of_the_core() -> None:
    assert options_of({}, want_zones=True) == Options()
    given = {"IMPAIRED_STATUS_VALUES": "Y; 5", "WORKERS": 3, "CONTIGUOUS_FT": 0.0}
    expected = Options(impaired_status_values=("Y", "5"), workers=3, contiguous_ft=0.0)
    assert options_of(given, want_zones=True) == expected


def test_the_record_of_a_run_holds_defaults_and_whole_paths(tmp_path: Path) -> None:
    layer = tmp_path / "a.gpkg"
    layer.touch()
    given = {"SITES": f"{layer}|layername=lots", "SCREENED": "out.gpkg", "WORKERS": 2}

    found = recorded(given, "screen", "2025-06-01")

    assert found["SITES"] == f"{layer}|layername=lots"
    assert found["WATER_ERROR_FT"] == 40.0
    assert found["AS_OF"] == "2025-06-01"
    assert not {"SCREENED", "WORKERS"} & set(found)
