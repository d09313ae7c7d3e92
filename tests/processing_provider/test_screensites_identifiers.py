"""Names that models, scripts and stored jobs use. A change here breaks them."""

from __future__ import annotations

from typing import Any

import pytest
from stormwater_screening.stormwater_screen.columns import (
    COURSE_COLUMNS,
    FINDING_COLUMNS,
    SCREENED_COLUMNS,
    ZONE_COLUMNS,
)

PARAMETERS = """
SITES SITE_ID ORDINANCE ORDINANCE_FILE AS_OF DISCRETIONARY
DISTURBANCE DISTURBED_FIELD IMPERVIOUS IMPERVIOUS_FIELD EXISTING_IMPERVIOUS PROJECT_TYPE_FIELD
PROJECT_TYPE PLAN_FIELD PLAN_EMPTY PLAN_TOTAL_FIELD MAX_OPEN_FIELD LOTS_FIELD LOT_MAX_FIELD
ROAD_FIELD HIGH_TRAFFIC HIGH_TRAFFIC_FIELD ATTESTED_FIELD SWPPP_FIELD
DEM DEM_BAND DEM_Z_UNIT DEM_ERROR_FT BUILDING_CENTRES DEVICES
WATER_BODIES WATERCOURSES WETLANDS WATER_SUPPLIES LEACH_FIELDS WATER_ERROR_FT SUPPLY_ERROR_FT
CONTIGUOUS_FT COVERAGE
SOILS SOIL_GROUP_FIELD SOIL_KSAT_FIELD SOIL_WATER_TABLE_FIELD SOIL_BEDROCK_FIELD SOIL_PERC_FIELD
SOIL_TRANSPORT_FIELD
IMPAIRED IMPAIRED_NAME_FIELD IMPAIRED_POLLUTANT_FIELD IMPAIRED_STATUS_FIELD IMPAIRED_STATUS_VALUES
TMDL TMDL_NAME_FIELD TMDL_POLLUTANT_FIELD TMDL_SOURCE_FIELD SENSITIVE STREAM_CORRIDORS
FOLLOW_RUNOFF CULVERTS STORM_SEWERS
SCREENED FINDINGS ZONES SUMMARY
"""

FIRST = """
SITES SITE_ID ORDINANCE DISTURBANCE DISTURBED_FIELD PROJECT_TYPE DEM DEM_Z_UNIT WATER_BODIES
WATERCOURSES
"""

WORDS = {
    "ORDINANCE": "lake_george wilton shelter_island wayne_county",
    "DISCRETIONARY": "report upgrade",
    "PROJECT_TYPE": "single_family two_family multi_family commercial subdivision_single_family "
    "subdivision_other agricultural_activity agricultural_building silviculture "
    "routine_maintenance control_measure other",
    "PLAN_EMPTY": "unknown none",
    "HIGH_TRAFFIC": "unknown yes no",
    "DEM_Z_UNIT": "auto metre foot us_survey_foot",
}

DEFAULTS = {
    "ORDINANCE": "lake_george",
    "DISCRETIONARY": "report",
    "PLAN_EMPTY": "unknown",
    "HIGH_TRAFFIC": "unknown",
    "DEM_Z_UNIT": "auto",
    "DEM_BAND": 1,
    "DEM_ERROR_FT": 0.6,
    "WATER_ERROR_FT": 40.0,
    "SUPPLY_ERROR_FT": 40.0,
    "CONTIGUOUS_FT": 100.0,
    "FOLLOW_RUNOFF": True,
}

OUTPUTS = """
SCREENED FINDINGS ZONES SUMMARY SITE_COUNT MAJOR_COUNT MINOR_COUNT EXEMPT_COUNT REVIEW_COUNT
UNKNOWN_COUNT REGULATED_COUNT CONDITION_A_COUNT CONDITION_B_COUNT CONDITION_C_COUNT WHOLE_SITE_COUNT
"""

SCREENED = """
site_id disturb_sf disturb_by imperv_sf vs_5000 vs_15000 vs_1acre vs_2acre vs_5acre
slope_pct slope_dir slope_by slope_15 slope_shr water_ft water_nm supply_ft
in_35ft in_50ft in_100ft in_500ft infil_sf infilht_sf soil_grp perc impaired tmdl pollutant
lda cond_a cond_b cond_c class is_major may_major near reasons settle run_id
"""


@pytest.fixture
def algorithm(qgis_processing: Any) -> Any:
    return qgis_processing.createAlgorithmById("stormwater:screensites")


def test_every_parameter_promised_is_there_and_no_other(algorithm: Any) -> None:
    names = [definition.name() for definition in algorithm.parameterDefinitions()]

    assert sorted(names) == sorted(PARAMETERS.split())


def test_only_sites_the_law_and_the_screened_layer_must_be_given(algorithm: Any) -> None:
    from qgis.core import Qgis

    needed = {
        definition.name()
        for definition in algorithm.parameterDefinitions()
        if not definition.flags() & Qgis.ProcessingParameterFlag.Optional
        and definition.defaultValue() is None
    }

    assert needed == {"SITES", "SCREENED"}


def test_ten_parameters_come_first_and_the_other_inputs_are_advanced(algorithm: Any) -> None:
    from qgis.core import Qgis

    plain = [
        definition.name()
        for definition in algorithm.parameterDefinitions()
        if not definition.isDestination()
        and not definition.flags() & Qgis.ProcessingParameterFlag.Advanced
    ]

    assert plain == FIRST.split()


@pytest.mark.parametrize("name", WORDS)
def test_words_are_static_strings(algorithm: Any, name: str) -> None:
    definition = algorithm.parameterDefinition(name)

    assert definition.usesStaticStrings()
    assert definition.options() == WORDS[name].split()
    assert all(word in definition.help() for word in WORDS[name].split())


def test_defaults_are_those_promised(algorithm: Any) -> None:
    found = {
        definition.name(): definition.defaultValue()
        for definition in algorithm.parameterDefinitions()
        if definition.defaultValue() is not None and not definition.isDestination()
    }

    assert found == DEFAULTS


def test_every_output_promised_is_there_and_no_other(algorithm: Any) -> None:
    names = [definition.name() for definition in algorithm.outputDefinitions()]

    assert sorted(names) == sorted(OUTPUTS.split())


def test_every_parameter_has_help_and_lengths_name_their_unit(algorithm: Any) -> None:
    for definition in algorithm.parameterDefinitions():
        assert definition.help(), definition.name()
        if definition.name().endswith("_FT"):
            assert "feet" in definition.description()


def test_the_help_names_every_output_column(algorithm: Any) -> None:
    for column in SCREENED_COLUMNS:
        meaning = column.meaning.replace("`", "")
        assert f"\n{column.name}: {meaning}" in algorithm.shortHelpString()


def test_every_column_promised_is_written() -> None:
    assert set(SCREENED.split()) <= {column.name for column in SCREENED_COLUMNS}


def test_prepared_watercourses_keep_the_columns_promised() -> None:
    promised = (
        "feature name kind class permanence ftype fcode note source"
        " hydroseq dnhydroseq fromnode tonode flowdir"
    )
    assert [column.name for column in COURSE_COLUMNS] == promised.split()


def test_names_of_columns_fit_a_shapefile() -> None:
    for column in (*SCREENED_COLUMNS, *FINDING_COLUMNS, *ZONE_COLUMNS, *COURSE_COLUMNS):
        assert len(column.name) <= 10
    assert all(column.length <= 254 for column in SCREENED_COLUMNS)


def test_the_algorithm_has_a_group_an_icon_tags_and_a_page_of_help(algorithm: Any) -> None:
    assert (algorithm.group(), algorithm.groupId()) == ("Screening", "screening")
    assert not algorithm.icon().isNull()
    assert "stormwater" in algorithm.tags()
    assert algorithm.helpUrl().startswith("https://")
    assert algorithm.shortDescription()
