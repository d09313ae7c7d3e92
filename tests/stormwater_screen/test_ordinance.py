"""Rules files: those that ship are sound, and what is not understood is refused."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from stormwater_screen.errors import NoTextInForceError, OrdinanceError
from stormwater_screen.fact_names import FACT_NAMES, PROJECT_TYPES
from stormwater_screen.ordinance import FOLDER, Duty, Number, load_ordinance, packaged
from stormwater_screen.ordinance_rules import KEYS
from stormwater_screen.units import UNITS
from tests.town_file import TOWN

TODAY = date(2024, 6, 1)


def write(folder: Path, text: str) -> Path:
    path = folder / "springfield.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_four_laws_ship() -> None:
    assert packaged() == ("lake_george", "shelter_island", "wayne_county", "wilton")


@pytest.mark.parametrize("law", packaged())
def test_a_law_that_ships_is_named_as_its_file(law: str) -> None:
    ordinance = load_ordinance(law, TODAY)
    assert ordinance.id == law
    assert ordinance.file == f"{law}.toml"
    assert all(rule.text is not None for rule in ordinance.rules.values())


@pytest.mark.parametrize("law", packaged())
def test_every_rule_of_a_law_is_used_or_reported(law: str) -> None:
    text = (FOLDER / f"{law}.toml").read_text(encoding="utf-8")
    for rule in load_ordinance(law, TODAY).rules.values():
        named = len(re.findall(rf'"{re.escape(rule.id)}"', text))
        assert rule.report or named, rule.id


@pytest.mark.parametrize("law", packaged())
def test_a_text_never_speaks_of_another_number_than_its_rule(law: str) -> None:
    ordinance = load_ordinance(law, TODAY)
    for rule in ordinance.rules.values():
        assert rule.text is not None
        test = rule.text.test
        if isinstance(test, Number) and test.unit in ("sq ft", "ft") and not test.parameter:
            said = re.findall(r"([\d,]+) (?:sq )?ft", rule.summary)
            numbers = [float(number.replace(",", "")) for number in said]
            assert not numbers or test.value in numbers, rule.id


@pytest.mark.parametrize("law", packaged())
def test_every_open_answer_says_what_would_settle_it(law: str) -> None:
    for rule in load_ordinance(law, TODAY).rules.values():
        if rule.outcome:
            assert rule.settle, rule.id


@pytest.mark.parametrize(
    ("law", "ids"),
    [
        (
            "lake_george",
            "01 EX2 EX3 EX4 MN1 MN2 MN3 MJ0 MJ1a MJ1b MJ1c MJ2 MJ3 A1 A3 A4 A5 A6 A7 A8a A8b A8c"
            " A8d A9 B1 B2 B2b B2c B3 B4a B4b B4c B4d B4e B5 B6 B7 B8 B9 C4 D1 D2 D3 D4 R1 R2 R3"
            " R4 H1 H2 H3 S1 S2 S3 S4 V1",
        ),
        ("wilton", "01 02 03 04 05 06 07 08 A B C"),
        ("shelter_island", "01 02 03 04 05 08 A B C"),
        ("wayne_county", "01 02 03 04 05 06 EX1 EX2 EX3"),
    ],
)
def test_a_law_reports_its_rules(law: str, ids: str) -> None:
    ordinance = load_ordinance(law, TODAY)
    prefix = next(iter(ordinance.rules)).split("-")[0]
    for name in ids.split():
        assert ordinance.rules[f"{prefix}-{name}"].report


def test_only_lake_george_always_counts_its_lake() -> None:
    counted = {law: load_ordinance(law, TODAY).always_counted_water for law in packaged()}
    assert counted.pop("lake_george") == ("Lake George",)
    assert set(counted.values()) == {()}


# Dates.


@pytest.mark.parametrize(
    ("law", "first"),
    [
        ("lake_george", date(2022, 8, 15)),
        ("wilton", date(2006, 12, 7)),
        ("shelter_island", date(2011, 7, 29)),
    ],
)
def test_before_a_laws_first_text_there_is_none_in_force(law: str, first: date) -> None:
    assert load_ordinance(law, first).start == first
    with pytest.raises(NoTextInForceError, match=first.isoformat()):
        load_ordinance(law, date.fromordinal(first.toordinal() - 1))


def test_the_model_law_bears_no_date_and_says_so() -> None:
    assert "no date" in load_ordinance("wayne_county", date(1990, 1, 1)).notes[0]


def test_wiltons_text_before_its_amendment_comes_with_a_note() -> None:
    before, after = (load_ordinance("wilton", day).notes for day in (date(2019, 7, 31), TODAY))
    assert len(before) == len(after) + 1


def test_a_number_is_that_of_the_day(tmp_path: Path) -> None:
    path = write(tmp_path, TOWN)
    limits = []
    for day in (date(2019, 12, 31), date(2020, 1, 1)):
        text = load_ordinance(path, day).rules["SP-1"].text
        assert text is not None
        assert isinstance(text.test, Number)
        limits.append(text.test.limit)
    assert limits == [43_560, 21_780]


def test_a_rule_not_yet_in_force_has_no_text(tmp_path: Path) -> None:
    later = TOWN.replace("[rule.SP-2]\n", "[rule.SP-2]\n", 1)
    start = later.index("[rule.SP-2]")
    later = later[:start] + later[start:].replace("2010-01-01", "2030-01-01", 1)
    assert load_ordinance(write(tmp_path, later), TODAY).rules["SP-2"].text is None


def test_metres_and_acres_become_feet_and_square_feet(tmp_path: Path) -> None:
    text = load_ordinance(write(tmp_path, TOWN), TODAY).rules["SP-2"].text
    assert text is not None
    assert isinstance(text.test, Number)
    assert text.test.limit == pytest.approx(30 / 0.3048, abs=1e-12)


def test_two_feet_are_60_96_cm_to_the_last_digit() -> None:
    text = load_ordinance("lake_george", TODAY).rules["LG-A5-water-depth"].text
    assert text is not None
    assert isinstance(text.test, Number)
    assert text.test.limit == 60.96


# Refusals: what is written instead of what, the key and the reason that come back.

REFUSALS = [
    ("schema = 1", "schema = 2", "schema", "must be 1"),
    ("schema = 1", "schema = true", "schema", "must be 1"),
    ('id = "springfield"', "", "id", "is missing"),
    ('id = "springfield"', "id = 7", "id", "is no text"),
    ("schema = 1", "schema = 1\nscheme = 1", "scheme", "unknown key"),
    ("[columns]", '[columns]\ncond_d = "SP-1"', "columns.cond_d", "unknown key"),
    ('lda = "SP-1"', 'lda = "SP-9"', "columns.lda", "SP-9"),
    ("value = 30", "vaule = 30", "rule[SP-2].vaule", "unknown key"),
    ("value = 30", "", "rule[SP-2].value", "is missing"),
    ("value = 30", 'value = "30"', "rule[SP-2].value", "is no number"),
    ("value = 30", "value = true", "rule[SP-2].value", "is no number"),
    ("value = 30", "value = nan", "rule[SP-2].value", "is no number"),
    ("value = 30", "value = inf", "rule[SP-2].value", "is no number"),
    ('unit = "m"', "", "rule[SP-2].unit", "is missing"),
    ('unit = "m"', 'unit = "furlong"', "rule[SP-2].unit", "unknown unit 'furlong'"),
    ('unit = "m"', 'unit = "acre"', "rule[SP-2].unit", "cannot be turned into ft"),
    ('comparison = "<="', "", "rule[SP-2].comparison", "is missing"),
    ('comparison = "<="', 'comparison = "=<"', "rule[SP-2].comparison", "unknown comparison"),
    ('section = "§ 2"', "", "rule[SP-2].section", "is missing"),
    ('section = "§ 2"', 'section = " "', "rule[SP-2].section", "empty"),
    ('force = "may"', 'force = "must"', "rule[SP-2].force", "unknown force 'must'"),
    ('force = "may"', "", "rule[SP-2].force", "is missing"),
    ('fact = "water"', 'fact = "lake"', "rule[SP-2].fact", "unknown fact 'lake'"),
    ('fact = "water"', 'fact = "project_type"', "rule[SP-2].fact", "is a word"),
    ('fact = "water"', 'fact = "water"\nis = ["yes"]', "rule[SP-2].comparison", "does not belong"),
    ('unit = "m"', 'unit = "m"\nparameter = "near_ft"', "rule[SP-2].parameter", "unknown param"),
    ('unit = "m"', 'unit = "m"\nmissing = "yes"', "rule[SP-2].missing", "unknown outcome"),
    ('text = "both"', "", "rule[SP-3].text", "is missing"),
    ('all = ["SP-1", "SP-2"]', "", "rule[SP-3]", "needs exactly one test"),
    ('all = ["SP-1", "SP-2"]', 'all = ["SP-1"]\nany = ["SP-2"]', "rule[SP-3]", "exactly one"),
    ('all = ["SP-1", "SP-2"]', "all = []", "rule[SP-3].all", "empty list"),
    ('all = ["SP-1", "SP-2"]', 'all = ["SP-1", "SP-1"]', "rule[SP-3].all", "twice"),
    ('all = ["SP-1", "SP-2"]', 'all = ["SP-1", "SP-7"]', "rule[SP-3]", "SP-7"),
    ('all = ["SP-1", "SP-2"]', 'not = "SP-3"', "rule[SP-3]", "SP-3 -> SP-3"),
    ('all = ["SP-1", "SP-2"]', "duty = false", "rule[SP-3].duty", "can only be true"),
    ('text = "both"', 'text = "b"\noutcome = { yes = "no" }', "rule[SP-3].outcome.yes", "unknown"),
    ('text = "both"', 'text = "b"\nfactor = "noise"', "rule[SP-3].factor", "unknown factor"),
    ('text = "both"', 'text = "b"\napplies_to = ["big"]', "rule[SP-3].applies_to", "no label"),
    ('text = "both"', 'text = "b"\napplies_if = "SP-8"', "rule[SP-3]", "SP-8"),
    ('text = "both"', 'text = "b"\nshows = ["SP-3"]', "rule[SP-3].shows", "no number"),
    ('text = "both"', 'text = "b"\nreport = "no"', "rule[SP-3].report", "neither true nor false"),
    ('when = "SP-1"', 'when = "SP-9"', "class.case[0].when", "SP-9"),
    ('word = "permit"', 'word = "licence"', "class.case[0].word", "no label"),
    ('default = "none_needed"', 'default = "nothing"', "class.default", "no label"),
    ('regulated = ["permit"]', 'regulated = ["big"]', "class", "no label"),
    ('permit = "Permit"', 'Permit = "Permit"', "class.labels.Permit", "small letters"),
    ('permit = "Permit"', 'unknown = "?"', "class.labels.unknown", "neither review nor unknown"),
    ("until = 2019-12-31", "until = 2009-12-31", "rule[SP-1].dated[0].until", "lies before from"),
    ("until = 2019-12-31", "until = 2020-01-01", "rule[SP-1].dated", "overlap"),
    ("until = 2019-12-31", "", "rule[SP-1].dated", "overlap"),
    ("from = 2020-01-01", 'from = "soon"', "rule[SP-1].dated[1].from", "is no date"),
    ("from = 2020-01-01", "from = 2020-01-01T00:00:00", "rule[SP-1].dated[1].from", "is no date"),
    (
        "[[rule.SP-1.dated]]\nfrom = 2010-01-01",
        "[[rule.SP-1.dated]]\nfrom = 2009-01-01",
        "rule[SP-1].from",
        "before the law's own",
    ),
    (
        "[[rule.SP-1.dated]]",
        'section = "§ 1"\n[[rule.SP-1.dated]]',
        "rule[SP-1].section",
        "stands beside dated",
    ),
    ('regulated = ["permit"]', 'exempt = ["big"]', "class", "no label"),
    ("[rule.SP-3]", '[zones]\nnear = "SP-2"\n[rule.SP-3]', "zones.near", "unknown key"),
    ("[rule.SP-3]", '[zones]\nnear_water = "SP-1"\n[rule.SP-3]', "zones.near_water", "distance"),
    ("[rule.SP-3]", '[rule."SP 3"]', "rule[SP 3]", "letters, digits and hyphens"),
    ("[rule.SP-3]", "[rule.SP-2]", "(file)", "is no TOML"),
]


def test_the_town_file_itself_is_taken(tmp_path: Path) -> None:
    assert list(load_ordinance(write(tmp_path, TOWN), TODAY).rules) == ["SP-1", "SP-2", "SP-3"]


@pytest.mark.parametrize(("old", "new", "key", "reason"), REFUSALS)
def test_what_is_not_understood_is_refused_with_file_key_and_reason(
    old: str, new: str, key: str, reason: str, tmp_path: Path
) -> None:
    assert old in TOWN
    with pytest.raises(OrdinanceError) as refusal:
        load_ordinance(write(tmp_path, TOWN.replace(old, new, 1)), TODAY)
    assert refusal.value.file == "springfield.toml"
    assert refusal.value.key == key
    assert reason in refusal.value.reason


def test_a_circle_of_rules_is_refused_and_shown(tmp_path: Path) -> None:
    circle = TOWN.replace('all = ["SP-1", "SP-2"]', 'not = "SP-4"')
    circle += '[rule.SP-4]\ntext = "x"\nfrom = 2010-01-01\nsection = "1"\nforce = "may"\n'
    with pytest.raises(OrdinanceError, match="SP-3 -> SP-4 -> SP-3"):
        load_ordinance(write(tmp_path, circle + 'any = ["SP-3"]\n'), TODAY)


def test_a_duty_decides_nothing(tmp_path: Path) -> None:
    duty = TOWN.replace('all = ["SP-1", "SP-2"]', "duty = true")
    assert isinstance(load_ordinance(write(tmp_path, duty), TODAY).rules["SP-3"].text.test, Duty)  # type: ignore[union-attr]
    with pytest.raises(OrdinanceError, match="is a duty"):
        load_ordinance(write(tmp_path, duty.replace('when = "SP-1"', 'when = "SP-3"')), TODAY)


def test_a_file_that_is_not_there_or_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OrdinanceError, match="cannot be read"):
        load_ordinance(tmp_path / "none.toml", TODAY)
    path = tmp_path / "bytes.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(OrdinanceError, match="UTF-8"):
        load_ordinance(path, TODAY)


def test_a_file_that_notepad_saved_is_read(tmp_path: Path) -> None:
    path = write(tmp_path, "")
    path.write_bytes(TOWN.replace("\n", "\r\n").encode("utf-8-sig"))

    assert load_ordinance(path, TODAY).rules == load_ordinance(write(tmp_path, TOWN), TODAY).rules


def test_every_fact_that_rules_may_ask_for_says_what_would_settle_it() -> None:
    assert all(spec.settle for spec in FACT_NAMES.values())


def test_the_example_of_the_readme_is_taken(tmp_path: Path) -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    example = re.findall(r"```toml\n(schema.*?)```", readme, re.S)[0]
    assert list(load_ordinance(write(tmp_path, example), TODAY).rules) == ["SP-1"]


def test_the_readme_names_every_fact_unit_and_key() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    for name in (*FACT_NAMES, *UNITS, *KEYS):
        assert f"`{name}" in readme or f"\n{name} = " in readme, name
    for word in PROJECT_TYPES:
        assert word in readme
