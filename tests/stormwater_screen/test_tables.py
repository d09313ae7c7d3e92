"""Tables that people edit: what they hold, how text is matched, and how a bad one is refused."""

from __future__ import annotations

from pathlib import Path

import fiona
import pytest

from stormwater_screen.errors import InputError
from stormwater_screen.tables import (
    NOT_IN_TABLE,
    KnownFields,
    NhdTable,
    NwiTable,
    PollutantTable,
    SensitiveKinds,
    known_fields,
    load_soil_indicators,
    nhd_table,
    normalised,
    pollutant_table,
    read_rows,
    sensitive_kinds,
    soil_indicators,
)


def classes(text: object) -> list[str]:
    return [item.pollutant_class for item in pollutant_table().match(text)]


@pytest.mark.parametrize(
    "text",
    ["sediment", "Silt/Sediment", "SILT AND SEDIMENT", "TSS", "Total Suspended Solids (TSS)",
     "turbidity", "Sedimentation/Siltation", "Phosphorus, Total", "NUTRIENTS", "Nitrogen"],
)  # fmt: skip
def test_what_construction_stormwater_carries_is_one_pollutant_of_class_yes(text: str) -> None:
    assert classes(text) == ["yes"]


@pytest.mark.parametrize(
    "text",
    ["Pathogens", "E. coli", "Fecal coliform", "D.O./Oxygen Demand", "Oil and Grease", "copper",
     "Metals (Other than Mercury)", "Cause Unknown - Impaired Biota", "Chlorides", "algal_growth"],
)  # fmt: skip
def test_what_stormwater_may_carry_is_for_review(text: str) -> None:
    assert classes(text) == ["review"]


@pytest.mark.parametrize(
    "text",
    ["Mercury", "PCBs", "Dioxins", "Fish Consumption Advisory", "pH/Acidity/Caustic Conditions",
     "Acid/Base (pH)", "nuisance_exotic_species", "Flow alterations", "Contaminated sediment"],
)  # fmt: skip
def test_what_comes_from_elsewhere_is_not_stormwater(text: str) -> None:
    assert classes(text) == ["not_stormwater"]


@pytest.mark.parametrize("text", [None, float("nan"), "", "  ", "-", "unknown", "N/A", "-9999"])
def test_a_missing_pollutant_is_not_recorded(text: object) -> None:
    assert classes(text) == ["not_recorded"]


def test_words_that_the_table_does_not_have_are_for_review_and_said_so() -> None:
    (found,) = pollutant_table().match("Glitter")
    assert (found.pollutant_class, found.note) == ("review", NOT_IN_TABLE)


@pytest.mark.parametrize("separator", [";", ",", "|", "/", " and ", ", and ", " & "])
def test_several_pollutants_are_told_apart(separator: str) -> None:
    found = pollutant_table().match(f"Phosphorus{separator}E. coli{separator}Mercury")
    assert [item.text for item in found] == ["Phosphorus", "E. coli", "Mercury"]
    assert [item.pollutant_class for item in found] == ["yes", "review", "not_stormwater"]


def test_separators_inside_a_name_do_not_split_it() -> None:
    found = pollutant_table().match("Oil and grease, Nitrogen, Total / Silt/Sediment")
    assert [item.text for item in found] == ["Oil and grease", "Nitrogen, Total", "Silt/Sediment"]


def test_a_pollutant_named_twice_counts_once() -> None:
    assert classes("Sediment; Sediment") == ["yes"]


def test_every_word_of_the_pollutant_table_finds_its_own_class() -> None:
    path = Path(__file__).parents[2] / "resources" / "tables" / "pollutants.csv"
    rows = [row for _, row in read_rows(path, ("pollutant", "class", "note"))]
    assert len(rows) > 200
    assert all(classes(row["pollutant"]) == [row["class"]] for row in rows)
    assert all(row["note"] for row in rows)


@pytest.mark.parametrize("layer", ["ATTAINS_lines", "ATTAINS_polygons"])
def test_every_cause_column_of_attains_is_in_the_pollutant_table(
    shared_data: Path, layer: str
) -> None:
    with fiona.open(shared_data / "formats" / "attains_colorado.gpkg", layer=layer) as source:
        fields = list(source.schema["properties"])
    # Between these two lie the causes and nothing else but uses, ids and flags.
    others = {
        "submissionid", "hasprotectionplan", "assessmentunitname", "state", "permid_joinkey",
        "isthreatened", "organizationname", "region", "reportingcycle", "assmnt_joinkey",
        "organizationid", "hastmdl", "orgtype", "ircategory", "assessmentunitidentifier",
        "overallstatus", "OBJECTID", "hasalternativeplan", "isassessed", "isimpaired",
        "waterbodyreportlink", "tas303d", "visionpriority303d", "on303dlist", "has4bplan",
        "Shape_Length", "Shape_Area", "GLOBALID", "orig_fid",
    }  # fmt: skip
    causes = [name for name in fields if name not in others and not name.endswith("_use")]
    assert len(causes) > 30
    assert [name for name in causes if name not in pollutant_table()] == []


@pytest.mark.parametrize(
    ("ftype", "fcode", "expected"),
    [
        (390, 39004, "water"),
        (390, 39001, "water"),
        (460, 46003, "water"),
        (460, 46007, "review"),
        (466, 46600, "wetland"),
        (436, 43612, "not_water"),
        (436, 43601, "review"),
        (336, 33600, "review"),
        (336, 33603, "conveyance"),
        (428, 42801, "conveyance"),
        (558, 55800, "artificial_path"),
        (488, 48800, "supply"),
        ("LakePond", None, "water"),
        ("StreamRiver", "46006", "water"),
        ("Swamp/Marsh", None, "wetland"),
        (None, 46006.0, "water"),
        (390, None, "water"),
        (None, 39077, "water"),
    ],
)
def test_nhd_codes_have_the_class_of_their_feature(
    ftype: object, fcode: object, expected: str
) -> None:
    code = nhd_table().find(ftype, fcode)
    assert code is not None
    assert code.nhd_class == expected


@pytest.mark.parametrize(("ftype", "fcode"), [(None, None), ("Moat", None), (999, 99900)])
def test_an_nhd_code_that_is_not_there_is_not_made_up(ftype: object, fcode: object) -> None:
    assert nhd_table().find(ftype, fcode) is None


@pytest.mark.parametrize(
    ("file", "layer"),
    [
        ("nhdplusv2_new_hope.gpkg", "NHDFlowline_Network"),
        ("nhdplusv2_new_hope.gpkg", "NHDFlowline_NonNetwork"),
        ("nhdplusv2_new_hope.gpkg", "NHDWaterbody"),
        ("nhdplusv2_new_hope.gpkg", "NHDArea"),
        ("nhd_hr_ms/NHDFlowline.shp", None),
        ("nhd_hr_ms/NHDWaterbody.shp", None),
    ],
)
def test_every_code_of_the_nhd_samples_is_found_by_number_and_by_type(
    shared_data: Path, file: str, layer: str | None
) -> None:
    with fiona.open(shared_data / "formats" / file, layer=layer, ignore_geometry=True) as source:
        names = known_fields()
        ftype = names.guess("NHD_FTYPE", source.schema["properties"])
        fcode = names.guess("NHD_FCODE", source.schema["properties"])
        pairs = {(row["properties"][ftype], row["properties"][fcode]) for row in source}
    table = nhd_table()
    assert pairs
    for kind, code in pairs:
        by_code, by_type = table.find(None, code), table.find(kind, None)
        assert by_code is not None, (kind, code)
        assert by_type is not None, (kind, code)
        assert by_code.ftype == by_type.ftype


def test_the_soil_indicators_bracket_sixty_minutes_per_inch() -> None:
    limits = {item.indicator: item.limit for item in soil_indicators()}
    assert limits["perc_slower"] == 0.3
    assert limits["perc_not_slower"] == 7.06


def test_fields_are_guessed_in_any_letter_case_and_cut_to_ten_characters() -> None:
    guess = known_fields().guess
    assert guess("SOIL_GROUP_FIELD", ["MUSYM", "hydgrpdcd"]) == "hydgrpdcd"
    assert guess("SOIL_WATER_TABLE_FIELD", ["wtdepannmi"]) == "wtdepannmi"
    assert guess("SITE_ID", ["PRINT_KEY", "SBL"]) == "SBL"
    assert guess("SOIL_GROUP_FIELD", ["colour"]) is None
    with pytest.raises(KeyError):
        guess("SHOE_SIZE", ["SBL"])


def test_every_field_longer_than_ten_characters_has_its_shapefile_form() -> None:
    lost = [
        (role, field)
        for role, fields in known_fields().by_role.items()
        for field in fields
        if len(field) > 10 and not role.startswith(("NHD", "SITE")) and field[:10] not in fields
    ]
    # A shapefile has two names that begin with "assessment"; the second is assessme_1.
    assert {field for _, field in lost} <= {"assessmentunitname"}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Critical_Environmental_Areas_2023", "critical_area"),
        ("CEA", "critical_area"),
        ("significant habitat", "habitat"),
        ("National Register sites", "scenic_historic"),
        ("Scenic overlooks", "scenic_historic"),
        ("layer 7", None),
        ("oceans", None),
        (None, None),
    ],
)
def test_words_tell_the_kind_of_a_sensitive_area(text: str | None, kind: str | None) -> None:
    assert sensitive_kinds().find(text) == kind


def test_case_punctuation_and_the_word_and_do_not_matter() -> None:
    assert normalised("Oil AND_Grease.") == normalised("oil/grease") == "oil grease"


@pytest.mark.parametrize(
    ("reader", "content", "words"),
    [
        (PollutantTable, "pollutant,class\nsilt,yes\n", "line 1"),
        (PollutantTable, "pollutant,class,note\nsilt,perhaps,\n", "line 2.*silt.*perhaps"),
        (PollutantTable, "pollutant,class,note\nsilt,yes,\nSILT,review,\n", "line 3.*SILT.*twice"),
        (PollutantTable, "pollutant,class,note\nsilt,yes\n", "line 2.*silt.*too few"),
        (NhdTable, "ftype,fcode,ftype_name,name,permanence,class,note\n390,460,a,b,,water,\n",
         "line 2.*460"),
        (NhdTable, "ftype,fcode,ftype_name,name,permanence,class,note\n39x,,a,b,,water,\n",
         "line 2.*39x"),
        (NwiTable, "match,class,note\nLake,puddle,\n", "line 2.*Lake.*puddle"),
        (NwiTable, "match,class,note\nL*,water,\nl*,water,\n", r"line 3.*l\*.*twice"),
        (load_soil_indicators,
         "indicator,quantity,comparison,limit,unit,says,source\noverland,slope,>=,steep,,,\n",
         "line 2.*overland.*steep"),
        (load_soil_indicators,
         "indicator,quantity,comparison,limit,unit,says,source\noverland,smell,>=,1,,,\n",
         "line 2.*overland.*smell"),
        (KnownFields, "role,field,note\nA,x,\nA,X,\n", "line 3.*X.*twice"),
        (SensitiveKinds, "words,kind,note\npark,playground,\n", "line 2.*park.*playground"),
    ],
)  # fmt: skip
def test_a_bad_table_is_refused_with_file_line_and_key(
    tmp_path: Path, reader: type, content: str, words: str
) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=rf"mine\.csv.*{words}"):
        reader(path)


def test_a_table_that_is_not_there_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.csv"):
        PollutantTable(tmp_path / "gone.csv")
