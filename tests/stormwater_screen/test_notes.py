"""Sentences with counts, added up over the parts of a run."""

from __future__ import annotations

from stormwater_screen.notes import added_up, as_json, counted, from_json, of_sites, together

OFF = "{} site(s) lie outside dem.tif"
EMPTY = "soils: field hsg is empty on {}"


def test_a_count_is_written_with_its_noun() -> None:
    assert counted(EMPTY, 1, "feature") == "soils: field hsg is empty on 1 feature"
    assert counted(EMPTY, 1_200, "feature", tail=", such as 'x'") == (
        "soils: field hsg is empty on 1,200 features, such as 'x'"
    )
    assert counted(OFF, 3, scope="sites") == "3 site(s) lie outside dem.tif"


def test_counts_of_sites_are_added_up() -> None:
    parts = [[counted(OFF, number, scope="sites")] for number in (3, 4)]
    assert together(parts) == ["7 site(s) lie outside dem.tif"]


def test_of_features_that_parts_may_share_the_largest_count_is_a_least_one() -> None:
    parts = [[counted(EMPTY, number, "feature")] for number in (3, 5)]
    assert together(parts) == ["soils: field hsg is empty on at least 5 features"]
    assert together(parts[:1]) == ["soils: field hsg is empty on 3 features"]


def test_what_only_the_run_as_a_whole_can_count_is_left_out() -> None:
    parts = [["plain", counted("{} centre(s) lie on no site", 9, scope="run")], ["plain"]]
    assert together(parts) == ["plain"]


def test_counts_of_sites_stay_counts_when_batches_and_planes_are_added_up() -> None:
    empty = of_sites(counted(EMPTY, 5, "feature"))
    some = added_up([["plain", counted(OFF, 3, scope="sites")], [counted(OFF, 4, scope="sites")]])
    again = added_up([some, ["plain", counted(OFF, 3, scope="sites"), empty]])

    assert again == ["plain", "10 site(s) lie outside dem.tif", empty]
    assert together([again, [empty]]) == [*again[:2], "soils: field hsg is empty on 10 features"]


def test_counts_of_features_are_not_added_up_since_batches_share_them() -> None:
    parts = [[counted(EMPTY, number, "feature")] for number in (3, 3, 5)]
    assert added_up(parts) == [parts[0][0], parts[2][0]]


def test_a_count_survives_a_file() -> None:
    note = counted(EMPTY, 3, "feature", tail="!")
    again = from_json(as_json(note))
    assert again == note
    assert together([[note], [again]]) == ["soils: field hsg is empty on at least 3 features!"]
    assert from_json(as_json("plain")) == "plain"
