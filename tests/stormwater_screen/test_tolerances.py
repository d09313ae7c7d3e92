"""What counts as at a limit."""

from stormwater_screen import tolerances


def test_a_tenth_of_a_foot_beyond_five_hundred_is_beyond():
    assert tolerances.DISTANCE_FT < 0.1 / 2


def test_the_stretch_of_the_plane_over_five_hundred_feet_is_within_the_tolerance():
    assert tolerances.DISTANCE_FT / 2 >= 500 * 2e-5
