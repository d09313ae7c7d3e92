"""Distances to stream corridors, critical areas, habitats, scenic and historic places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import geopandas as gpd
import numpy as np
import pytest
import shapely
from shapely import LineString, Point, box

from stormwater_screen.details import COLUMNS
from stormwater_screen.errors import CancelledError
from stormwater_screen.facts import Quantity
from stormwater_screen.features import WaterLayer
from stormwater_screen.outcomes import REVIEW, UNKNOWN, words
from stormwater_screen.sensitive import SensitiveResult, by_kind, measure_sensitive
from stormwater_screen.tables import sensitive_kinds
from stormwater_screen.water import within

LOT = box(0, 0, 100, 100)
EVERYWHERE = box(-1e5, -1e5, 1e5, 1e5)


def frame(shapes: Sequence[Any], **columns: Sequence[Any]) -> gpd.GeoDataFrame:
    return gpd.GeoDataFrame({**columns, "geometry": list(shapes)}, geometry="geometry")


def layer(name: str, *shapes: Any, role: str = "SENSITIVE", **columns: Sequence[Any]) -> WaterLayer:
    return WaterLayer(name, role, frame(shapes, **columns), EVERYWHERE if shapes else None)


def measure(
    areas: Sequence[WaterLayer] = (),
    corridors: Sequence[WaterLayer] = (),
    watercourses: Sequence[WaterLayer] = (),
    sites: Sequence[Any] = (LOT,),
    **options: Any,
) -> SensitiveResult:
    settings = {"water_error_ft": 0.0, **options}
    return measure_sensitive(frame(sites), areas, corridors, watercourses, **settings)


def fact(result: SensitiveResult, name: str) -> Quantity:
    found = result.facts[name]
    assert isinstance(found, Quantity)
    return found


def bounds(result: SensitiveResult, name: str, site: int = 0) -> tuple[float, float, float]:
    found = fact(result, name)
    return found.value[site], found.low[site], found.high[site]


def contiguous(result: SensitiveResult, name: str, site: int = 0) -> str:
    return str(words(within(fact(result, name), 100.0))[site])


@pytest.mark.parametrize(
    ("shape", "distance", "expected"),
    [
        (box(50, 50, 60, 60), 0.0, "yes"),
        (box(100, 0, 200, 100), 0.0, "yes"),
        (box(200, 0, 300, 100), 100.0, "yes"),
        (box(200.1, 0, 300, 100), 100.1, "no"),
        (Point(150, 50), 50.0, "yes"),
        (LineString([(0, -300), (100, -300)]), 300.0, "no"),
    ],
)
def test_the_distance_to_the_nearest_area_of_a_kind_is_known(
    shape: Any, distance: float, expected: str
) -> None:
    result = measure([layer("Significant habitat", shape)])
    assert bounds(result, "habitat") == pytest.approx((distance,) * 3)
    assert contiguous(result, "habitat") == expected


def test_the_error_of_the_layer_hides_a_no() -> None:
    result = measure([layer("habitat", box(230, 0, 300, 100))], water_error_ft=40.0)
    assert contiguous(result, "habitat") == "review"


def test_each_layer_is_sorted_by_its_name_and_a_missing_kind_is_unknown() -> None:
    result = measure(
        [layer("critical_environmental_areas", box(150, 0, 160, 9)), layer("Historic places", LOT)]
    )
    assert bounds(result, "critical_area")[0] == 50
    assert bounds(result, "scenic_historic")[0] == 0
    assert contiguous(result, "habitat") == "unknown"
    assert "habitats" in fact(result, "habitat").settle[0]
    assert result.notes == ()


def test_rows_are_sorted_by_their_kind_column_and_such_a_layer_holds_all_kinds() -> None:
    mixed = layer(
        "planning overlays",
        box(150, 0, 160, 9),
        box(250, 0, 260, 9),
        Kind=["CEA", "scenic overlook"],
    )
    result = measure([mixed])
    assert bounds(result, "critical_area")[0] == 50
    assert bounds(result, "scenic_historic")[0] == 150
    assert contiguous(result, "habitat") == "no"


def test_a_row_of_another_kind_counts_but_does_not_make_the_layer_complete_for_it() -> None:
    mixed = layer("habitats", LOT, box(900, 0, 990, 9), kind=["vernal pool", "historic"])
    result = measure([mixed], sites=[LOT, box(800, 0, 850, 10)])
    assert contiguous(result, "habitat") == "yes"
    assert [contiguous(result, "scenic_historic", site) for site in (0, 1)] == ["unknown", "yes"]


def test_what_no_word_tells_is_of_natural_significance_and_noted() -> None:
    result = measure([layer("layer 7", LOT), layer("overlays", LOT, kind=["zone X"])])
    assert contiguous(result, "scenic_historic") == "yes"
    assert "layer 7: no word tells its kind" in result.notes[0]
    assert "zone X" in result.notes[1]


def test_every_row_of_every_layer_is_sorted_exactly_once() -> None:
    layers = [
        layer("a", LOT, LOT, LOT, kind=["CEA", None, "habitat"]),
        layer("historic", LOT, LOT, kind=["CEA", "?"]),
        layer("b", LOT),
    ]
    found, _ = by_kind(layers, sensitive_kinds())
    assert {kind: sum(len(part.frame) for part in parts) for kind, parts in found.items()} == {
        "critical_area": 2,
        "habitat": 1,
        "scenic_historic": 3,
    }


def test_the_nearest_area_is_named_in_the_details() -> None:
    historic = layer("historic", box(150, 0, 160, 9), LOT.buffer(-20), NAME=["Fort", "Old battery"])
    result = measure([historic], sites=[LOT, box(30, 300, 39, 309)])
    assert tuple(result.details.columns) == COLUMNS
    assert result.details["text"].tolist() == ["Old battery touches the site",
                                               "Old battery is 220.0 ft away"]  # fmt: skip
    assert fact(result, "scenic_historic").source[0] == "historic"


# --- stream corridors ----------------------------------------------------------------------------


def test_stream_corridors_given_decide() -> None:
    corridor = layer("corridors", box(150, -50, 220, 150), role="STREAM_CORRIDORS")
    stream = layer("streams", LineString([(120, 0), (120, 9)]), role="WATERCOURSES")
    result = measure([], [corridor], [stream])
    assert bounds(result, "stream_corridor") == (50.0, 50.0, 50.0)
    assert contiguous(result, "stream_corridor") == "yes"


@pytest.mark.parametrize(
    ("gap", "expected"), [(0, "review"), (35, "review"), (135, "review"), (135.1, "no")]
)
def test_without_corridors_one_of_35_ft_along_each_watercourse_is_for_review(
    gap: float, expected: str
) -> None:
    line = LineString([(100 + gap, -50), (100 + gap, 150)])
    stream = layer("streams", line, role="WATERCOURSES", GNIS_NAME=["Cedar Brook"])
    result = measure(watercourses=[stream])
    assert contiguous(result, "stream_corridor") == expected
    np.testing.assert_equal(bounds(result, "stream_corridor"), (np.nan, max(0.0, gap - 35), np.inf))
    assert fact(result, "stream_corridor").between[0] == REVIEW
    assert fact(result, "stream_corridor").settle[0] == "whether Cedar Brook has a stream corridor"


def test_without_corridors_and_watercourses_it_is_unknown() -> None:
    assert contiguous(measure(), "stream_corridor") == "unknown"


def test_a_layer_of_watercourses_that_does_not_cover_the_site_leaves_it_unknown() -> None:
    far = WaterLayer("streams", "WATERCOURSES", frame([]), None)
    result = measure(watercourses=[far])
    assert fact(result, "stream_corridor").between[0] == UNKNOWN
    assert contiguous(result, "stream_corridor") == "unknown"


# --- missing things ------------------------------------------------------------------------------


def test_an_empty_layer_is_unknown_and_never_a_no() -> None:
    result = measure([layer("habitat")])
    assert contiguous(result, "habitat") == "unknown"
    assert "is empty" in fact(result, "habitat").reason[0]


def test_outside_the_coverage_near_still_decides_and_far_does_not() -> None:
    sites = [LOT, box(5000, 0, 5100, 100)]
    coverage = frame([box(-9000, -9000, -8000, -8000)])
    result = measure([layer("habitat", LOT)], sites=sites, coverage=coverage)
    assert [contiguous(result, "habitat", site) for site in (0, 1)] == ["yes", "unknown"]
    assert "outside the coverage" in fact(result, "habitat").reason[1]


def test_a_site_without_geometry_is_unknown() -> None:
    stream = layer("streams", LOT, role="WATERCOURSES")
    result = measure([layer("habitat", LOT)], [], [stream], sites=[None, shapely.Polygon(), LOT])
    for name, last in (("habitat", "yes"), ("stream_corridor", "review")):
        found = [contiguous(result, name, site) for site in range(3)]
        assert found == ["unknown", "unknown", last]
        assert fact(result, name).settle[0] == "the geometry of the site"


def test_no_sites_give_no_rows() -> None:
    result = measure([layer("habitat", LOT)], sites=[])
    assert len(result.columns) == len(result.details) == len(fact(result, "habitat").value) == 0


def test_what_lies_farther_than_was_searched_is_at_least_that_far() -> None:
    result = measure([layer("habitat", box(9000, 0, 9100, 9))], searched_ft=5280.0)
    np.testing.assert_equal(bounds(result, "habitat"), (np.nan, 5280.0, np.inf))
    assert contiguous(result, "habitat") == "no"


def test_the_run_can_be_stopped() -> None:
    def stop(share: float) -> None:
        raise CancelledError("stopped")

    with pytest.raises(CancelledError):
        measure([layer("habitat", LOT)], progress=stop)
