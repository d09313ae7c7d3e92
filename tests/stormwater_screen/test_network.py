from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
from shapely.geometry import box
from shapely.geometry.base import BaseGeometry

from stormwater_screen.features import WaterLayer
from stormwater_screen.layers import read_layer
from stormwater_screen.network import Network, build_network, downstream
from stormwater_screen.plane import plane_crs, to_plane
from tests.flow_town import X, Y, layer, line, lot
from tests.terrain import PLANE, plane

NOTHING = pd.DataFrame(columns=["name", "layer", "geometry"])


class Slope:
    """Ground that rises northwards by 5 in 100."""

    def elevation_ft(self, x: np.ndarray, y: np.ndarray, crs: object) -> np.ndarray:  # type: ignore[type-arg]
        return plane(5, 0)(x, y)


def network(*layers: WaterLayer, listings: pd.DataFrame = NOTHING) -> Network:
    return build_network(layers, listings, Slope(), PLANE, match_ft=40.0)


def named(found: Network, name: str) -> np.ndarray:  # type: ignore[type-arg]
    return np.flatnonzero(found.name == name)


def below(found: Network, name: str, limit_ft: float = 50_000.0) -> list[str]:
    """Return the names met going down from the first piece of a water."""
    table = downstream(found, named(found, name)[:1], limit_ft)
    return list(dict.fromkeys(found.name[table["piece"].to_numpy(int)]))


def rows(*shapes: BaseGeometry) -> pd.DataFrame:
    return pd.DataFrame({"name": "Listed", "layer": "list", "geometry": list(shapes)})


def test_lines_are_cut_to_pieces_that_follow_each_other() -> None:
    found = network(layer("WATERCOURSES", line((0, 1_000), (0, 0)), GNIS_NAME=["Brook"]))
    assert len(found.geometry) == 4
    table = downstream(found, np.array([0]), 10_000.0)
    assert table["piece"].tolist() == [0, 1, 2, 3]
    assert table["along_ft"].to_numpy() == pytest.approx([0, 250, 500, 750], abs=0.1)
    assert table["last"].tolist() == [False, False, False, True]
    assert downstream(found, np.array([0]), 500.0)["piece"].tolist() == [0, 1, 2]


def test_numbers_of_nhd_join_lines_that_do_not_touch() -> None:
    shapes = (line((0, 1_000), (0, 600)), line((500, 500), (500, 100)))
    numbers = {"hydroseq": [20, 10], "dnhydroseq": [10, 0]}
    found = network(layer("WATERCOURSES", *shapes, GNIS_NAME=["Upper", "Lower"], **numbers))
    assert below(found, "Upper") == ["Upper", "Lower"]
    nodes = {"FromNode": [1, 2], "ToNode": [2, 3]}
    found = network(layer("WATERCOURSES", *shapes, GNIS_NAME=["Upper", "Lower"], **nodes))
    assert below(found, "Upper") == ["Upper", "Lower"]
    found = network(layer("WATERCOURSES", *shapes, GNIS_NAME=["Upper", "Lower"]))
    assert below(found, "Upper") == ["Upper"]


def test_lines_digitised_against_the_flow_run_by_their_numbers() -> None:
    """Three lines from north to south, drawn from south to north, and the lowest one is listed."""
    shapes = (line((0, 600), (0, 1_000)), line((0, 300), (0, 600)), line((0, -500), (0, 300)))
    names = ["Upper", "Middle", "Lower"]
    numbers = {"hydroseq": [30, 20, 10], "dnhydroseq": [20, 10, 0]}
    nodes = {"fromnode": [1, 2, 3], "tonode": [2, 3, 4]}
    for columns in (numbers, nodes, {**numbers, "flowdir": [1, 1, 1]}):
        found = network(layer("WATERCOURSES", *shapes, GNIS_NAME=names, **columns))
        assert below(found, "Upper") == names
        table = downstream(found, named(found, "Upper")[:1], 50_000.0)
        # 1,500 ft of line in pieces of 200, 150 and 200 ft, from the top to the bottom.
        bottom = found.geometry[int(table["piece"].iloc[-1])]
        assert bottom.coords[-1] == (X, Y - 500)
        assert table["along_ft"].max() == pytest.approx(1_300, abs=0.1)


def test_a_line_whose_numbers_name_none_that_is_there_runs_as_the_others_of_its_layer() -> None:
    shapes = (line((0, 600), (0, 1_000)), line((0, 300), (0, 600)), line((900, 0), (900, 400)))
    found = network(
        layer(
            "WATERCOURSES", *shapes, GNIS_NAME=["Upper", "Lower", "Alone"],
            hydroseq=[30, 20, 77], dnhydroseq=[20, 10, 76],
        )
    )  # fmt: skip
    assert found.geometry[named(found, "Alone")[-1]].coords[-1] == (X + 900, Y)


@pytest.mark.parametrize("kind", [float, str, "words"])
def test_numbers_are_understood_as_text_or_float_and_none_is_none(kind: object) -> None:
    shapes = (line((0, 600), (0, 1_000)), line((500, 500), (500, 100)), line((0, 600), (900, 600)))
    hydroseq: list[object] = [55000900200300.0, 55000900200200.0, -9998.0]
    dnhydroseq: list[object] = [55000900200200.0, 0.0, -9998.0]
    if kind is str:
        hydroseq, dnhydroseq = ([f"{v:.0f}" for v in some] for some in (hydroseq, dnhydroseq))  # type: ignore[str-bytes-safe]
    if kind == "words":
        hydroseq[2], dnhydroseq[1], dnhydroseq[2] = None, None, "<Null>"
    found = network(
        layer(
            "WATERCOURSES", *shapes, GNIS_NAME=["Upper", "Lower", "Other"],
            HydroSeq=hydroseq, DnHydroSeq=dnhydroseq,
        )
    )  # fmt: skip
    assert below(found, "Upper") == ["Upper", "Lower"]
    # What has no number is joined by its ends, not to others without one.
    assert below(found, "Lower") == ["Lower"]
    assert below(found, "Other") == ["Other"]


def test_the_way_through_a_line_that_is_not_there_is_counted() -> None:
    shapes = (line((0, 1_000), (0, 750)), line((0, 150), (0, -100)))
    found = network(
        layer("WATERCOURSES", *shapes, GNIS_NAME=["Upper", "Lower"], tonode=[5, 6], fromnode=[4, 5])
    )
    table = downstream(found, named(found, "Upper")[:1], 50_000.0)
    assert table["along_ft"].tolist() == pytest.approx([0, 250 + 600])


def test_a_line_that_runs_into_the_middle_of_another_joins_it() -> None:
    shapes = (line((800, 600), (0, 500)), line((0, 1_000), (0, -1_000)))
    found = network(layer("WATERCOURSES", *shapes, GNIS_NAME=["Side", "Main"]))
    assert below(found, "Side") == ["Side", "Main"]
    table = downstream(found, named(found, "Side")[:1], 50_000.0)
    # The part of the main line above the mouth is not below it.
    uppermost = named(found, "Main")[0]
    assert uppermost not in table["piece"].to_numpy()


def test_a_lake_passes_water_on_to_the_line_that_leaves_it() -> None:
    lines = (line((100, 1_000), (100, 600)), line((100, 100), (100, -900)))
    courses = layer("WATERCOURSES", *lines, GNIS_NAME=["Inlet", "Outlet"])
    bodies = layer("WATER_BODIES", lot(0, 100, 500), GNIS_NAME=["Pond"])
    found = network(courses, bodies)
    assert below(found, "Inlet") == ["Inlet", "Pond", "Outlet"]
    assert below(found, "Pond") == ["Pond", "Outlet"]


def test_polygons_that_touch_pass_water_down_the_ground() -> None:
    upper, lower = lot(0, 300, 300), lot(0, 0, 300)
    found = network(layer("WATERCOURSES", lower, upper, GNIS_NAME=["Lower", "Upper"]))
    assert below(found, "Upper") == ["Upper", "Lower"]
    assert below(found, "Lower") == ["Lower"]


def test_a_line_without_word_on_its_flow_runs_downhill_where_its_layer_is_mixed() -> None:
    lines = (line((0, 0), (0, 500)), line((0, 1_000), (0, 500)))
    found = network(layer("WATERCOURSES", *lines, GNIS_NAME=["Lower", "Upper"]))
    assert below(found, "Upper") == ["Upper", "Lower"]
    assert "50% of the lines" in found.notes[0]
    told = layer("WATERCOURSES", *lines, GNIS_NAME=["Lower", "Upper"], flowdir=[1, 1])
    assert below(network(told), "Lower") == ["Lower"]


def test_conduits_carry_water_on_but_take_no_runoff() -> None:
    lines = (line((0, 1_000), (0, 500)), line((0, 500), (0, 0)))
    found = network(
        layer("WATERCOURSES", *lines, GNIS_NAME=["Brook", "Pipe"], fcode=[46006, 42000])
    )
    assert below(found, "Brook") == ["Brook", "Pipe"]
    assert found.takes_runoff[named(found, "Brook")].all()
    assert not found.takes_runoff[named(found, "Pipe")].any()


def test_a_listing_marks_the_pieces_along_it_and_not_a_tributary() -> None:
    lines = (line((0, 1_000), (0, -1_000)), line((900, 0), (0, 0)))
    courses = layer("WATERCOURSES", *lines, GNIS_NAME=["Main", "Side"])
    listed = rows(line((25, 0), (25, -1_000)))
    found = network(courses, listings=listed)
    marked = found.listed["piece"].to_numpy(int)
    assert set(found.name[marked]) == {"Main"}
    assert len(marked) == 4
    assert len(found.geometry) == 8 + 4  # nothing is added: the listing lies on the brook


def test_a_listed_line_through_a_pond_marks_the_pond() -> None:
    pond = layer("WATER_BODIES", lot(0, 0, 600), GNIS_NAME=["Pond"])
    found = network(pond, listings=rows(line((300, 900), (300, -300))))
    assert "Pond" in set(found.name[found.listed["piece"].to_numpy(int)])


def test_a_listed_lake_marks_its_polygon() -> None:
    pond = layer("WATER_BODIES", lot(0, 0, 600), GNIS_NAME=["Pond"])
    found = network(pond, listings=rows(box(X + 10, Y - 10, X + 610, Y + 590)))
    assert found.name[found.listed["piece"].to_numpy(int)].tolist() == ["Pond"]


def test_unnamed_waters_are_not_one_water() -> None:
    lines = (line((0, 500), (0, 0)), line((900, 500), (900, 0)))
    for words in (["", ""], ["unnamed StreamRiver", "unnamed StreamRiver"]):
        found = network(layer("WATERCOURSES", *lines, GNIS_NAME=words))
        assert len(set(found.water.tolist())) == 2


@pytest.fixture
def new_hope(shared_data: Path) -> Callable[..., WaterLayer]:
    source = shared_data / "formats" / "nhdplusv2_new_hope.gpkg"
    whole = read_layer(
        source, role="WATERCOURSES", geometry="line", layer="NHDFlowline_Network"
    ).frame
    flow = to_plane(whole, plane_crs((36, -79)))

    def courses(frame: gpd.GeoDataFrame = flow) -> WaterLayer:
        return WaterLayer("flowlines", "WATERCOURSES", frame, box(*frame.total_bounds))

    courses.flow = flow  # type: ignore[attr-defined]
    return courses


class NoGround:
    def elevation_ft(self, x: np.ndarray, y: np.ndarray, crs: object) -> np.ndarray:  # type: ignore[type-arg]
        return np.full(np.shape(x), np.nan)


def test_real_flowlines_lead_to_the_same_place_by_their_numbers_and_by_their_ends(
    new_hope: Callable[..., WaterLayer],
) -> None:
    flow: gpd.GeoDataFrame = new_hope.flow  # type: ignore[attr-defined]
    numbers = [c for c in flow.columns if c.casefold() in {"hydroseq", "fromnode", "tonode"}]
    plain = flow.drop(columns=[*numbers, "DnHydroseq", "FLOWDIR"])
    ends = []
    turned = flow.assign(FLOWDIR=None, geometry=flow.geometry.reverse())
    for frame in (flow, plain, turned):
        crs = frame.crs
        found = build_network([new_hope(frame)], NOTHING, NoGround(), crs, match_ft=40.0)
        table = downstream(found, np.arange(len(found.geometry)), np.inf)
        lowest = table[table["last"]].groupby("source")["piece"].agg(frozenset)
        ends.append(lowest)
    assert len(flow) == 746
    same = (ends[0] == ends[1]).mean()
    assert same > 0.99
    # Drawn upstream from first to last, all 746 are turned by their numbers.
    assert (ends[0] == ends[2]).all()
