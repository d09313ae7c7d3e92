"""Names of own columns: what is kept, renamed, replaced."""

from __future__ import annotations

from stormwater_screen.columns import SCREENED_COLUMNS
from stormwater_screen.own_columns import kept_names, written_before

OURS = [column.name for column in SCREENED_COLUMNS]


def test_an_own_column_of_the_same_name_is_kept_under_another() -> None:
    assert kept_names(["PIN", "class"], OURS) == ["PIN", "src_class"]


def test_names_differ_by_more_than_the_case_of_their_letters() -> None:
    assert kept_names(["CLASS", "Class"], OURS) == ["src_CLASS", "src_Class_2"]


def test_an_own_column_that_has_the_new_name_already_keeps_it() -> None:
    assert kept_names(["class", "src_class"], OURS) == ["src_class_2", "src_class"]


def test_names_in_a_shapefile_have_at_most_ten_bytes_and_differ() -> None:
    names = kept_names(
        ["disturb_sf", "disturb_sf_total", "a_long_name_1", "a_long_name_2", "größenmaß"],
        OURS,
        bytes_limit=10,
    )

    assert names == ["src_distur", "src_dist_2", "a_long_nam", "src_a_long", "größenma"]
    assert all(len(str(name).encode()) <= 10 for name in names)


def test_columns_of_an_earlier_run_are_known_by_run_id_and_most_of_the_others() -> None:
    assert written_before(["PIN", *OURS], SCREENED_COLUMNS) == set(OURS)
    assert written_before(["PIN", *OURS[3:]], SCREENED_COLUMNS) == set(OURS[3:])


def test_a_foreign_class_or_run_id_is_not_taken_for_an_earlier_run() -> None:
    assert written_before(["class", "run_id", "row"], SCREENED_COLUMNS) == set()
    without_marks = [name for name in OURS[:-1] if not name.startswith("ev_")]
    assert written_before(without_marks, SCREENED_COLUMNS) == set()


def test_columns_of_a_step_are_known_by_its_column_of_evidence() -> None:
    names = ["PIN", "perc", "slope_pct", "slope_15", "ev_slope"]
    assert written_before(names, SCREENED_COLUMNS) == {"slope_pct", "slope_15", "ev_slope"}
