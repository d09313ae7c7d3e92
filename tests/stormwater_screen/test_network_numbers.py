"""Prepared and recognised layers are followed by their numbers as raw ones are."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
from shapely.geometry import MultiLineString, box

from stormwater_screen.features import WaterLayer
from stormwater_screen.layers import Layer, layer_from_frame, read_layer
from stormwater_screen.network import Network, build_network, downstream
from stormwater_screen.network_numbers import (
    FIELDS,
    numbers_of_lines,
    runs_as_digitised,
    through,
)
from stormwater_screen.plane import plane_crs, to_plane
from stormwater_screen.prepare.hydrography import prepare_hydrography
from stormwater_screen.prepare.recognise import recognise
from tests.flow_town import X, Y, line, lot
from tests.terrain import PLANE

NONE = pd.DataFrame(columns=["name", "layer", "geometry"])


class NoGround:
    def elevation_ft(self, x: np.ndarray, y: np.ndarray, crs: object) -> np.ndarray:  # type: ignore[type-arg]
        return np.full(np.shape(x), np.nan)


def raw(*shapes: object, name: str = "NHDFlowline", **columns: list[object]) -> Layer:
    frame = gpd.GeoDataFrame(columns, geometry=list(shapes), crs=PLANE)
    return layer_from_frame(frame, role="WATERCOURSES", name=name, geometry="any")


def network(frames: dict[str, gpd.GeoDataFrame]) -> Network:
    layers = [
        WaterLayer(role, role, to_plane(frame, PLANE), box(*frame.total_bounds))
        for role, frame in frames.items()
        if len(frame)
    ]
    return build_network(layers, NONE, NoGround(), PLANE, match_ft=40.0)


def names_below(found: Network, name: str) -> list[str]:
    first = np.flatnonzero(found.name == name)[:1]
    table = downstream(found, first, np.inf)
    return list(dict.fromkeys(found.name[table["piece"].to_numpy(int)]))


def against_the_flow(**columns: list[object]) -> tuple[Layer, Layer]:
    """A brook, a pipe, a brook, a path through a pond and an outlet, all drawn upstream."""
    lines = [
        line((0, 2_000), (0, 3_000)), line((0, 1_600), (0, 2_000)), line((0, 1_000), (0, 1_600)),
        line((0, 0), (0, 1_000)), line((0, -900), (0, 0)),
    ]  # fmt: skip
    flow = raw(
        *lines, GNIS_Name=["Upper", "Pipe", "Middle", "Path", "Outlet"],
        FType=[460, 420, 460, 558, 460], FCode=[46006, 42003, 46006, 55800, 46006], **columns,
    )  # fmt: skip
    pond = raw(lot(-200, 0, 400, 1_000), name="NHDWaterbody", GNIS_Name=["Pond"], FType=[390],
               FCode=[39004])  # fmt: skip
    return flow, pond


HYDROSEQ = {
    "HydroSeq": [50.0, 40.0, 30.0, 20.0, 10.0],
    "DnHydroSeq": [40.0, 30.0, 20.0, 10.0, 0.0],
}
NODES = {"FromNode": ["1", "2", "3", "4", "5"], "ToNode": ["2", "3", "4", "5", "6"]}


@pytest.mark.parametrize("numbers", [HYDROSEQ, NODES], ids=["hydroseq", "nodes"])
def test_a_network_drawn_against_the_flow_leads_to_the_same_waters_raw_and_prepared(
    numbers: dict[str, list[object]],
) -> None:
    flow, pond = against_the_flow(**numbers)
    given = network({"WATERCOURSES": flow.frame, "WATER_BODIES": pond.frame})
    assert [n for n in names_below(given, "Upper") if n not in ("Pipe", "Path")] == [
        "Upper", "Middle", "Pond", "Outlet",
    ]  # fmt: skip
    prepared = prepare_hydrography([flow, pond])
    courses = prepared.layers["WATERCOURSES"]
    assert courses["name"].tolist() == ["Upper", "Middle", "Outlet"]
    assert courses["flowdir"].tolist() == ["1", "1", "1"]
    assert [shape.coords[-1][1] - Y for shape in courses.geometry] == [2_000, 1_000, -900]
    assert "5 lines turned" in prepared.notes[-1]
    after = network({name: prepared.layers[name] for name in ("WATERCOURSES", "WATER_BODIES")})
    for name in ("Upper", "Middle"):
        below = ["Upper", "Middle", "Pond", "Outlet"]
        assert set(names_below(after, name)) == set(below[below.index(name) :])
    assert names_below(after, "Outlet") == ["Outlet"]


def test_without_its_numbers_the_same_network_leads_nowhere() -> None:
    flow, pond = against_the_flow()
    plain = network({"WATERCOURSES": flow.frame, "WATER_BODIES": pond.frame})
    assert "Outlet" not in names_below(plain, "Upper")


def test_a_line_that_is_left_out_is_passed_over_in_the_numbers() -> None:
    flow, pond = against_the_flow(**HYDROSEQ, **NODES)
    courses = prepare_hydrography([flow, pond]).layers["WATERCOURSES"]
    assert courses["hydroseq"].tolist() == ["50", "30", "10"]
    assert courses["dnhydroseq"].tolist() == ["30", "10", ""]
    assert courses["fromnode"].tolist() == ["1", "3", "5"]
    assert courses["tonode"].tolist() == ["3", "5", "6"]


def test_long_numbers_keep_every_digit_and_missing_ones_are_empty() -> None:
    flow = raw(
        line((0, 0), (0, 1)), line((0, 1), (0, 2)), line((5, 1), (5, 2)),
        FCode=[46006] * 3, hydroseq=[55000900200301.0, -9998.0, np.nan], FLOWDIR=[1, 0, None],
    )  # fmt: skip
    courses = prepare_hydrography([flow]).layers["WATERCOURSES"]
    assert courses["hydroseq"].tolist() == ["55000900200301", "", ""]
    assert courses["flowdir"].tolist() == ["1", "", ""]


def test_numbers_below_one_words_and_nothing_are_no_numbers() -> None:
    frame = pd.DataFrame(
        {
            "HYDROSEQ": ["20", " 30.0", "", None, "-9998", "<Null>"],
            "dnhydrose": [1.5e13, -9999, 0, np.nan, -9998, 7],
        }
    )
    numbers = numbers_of_lines(frame)
    assert list(numbers) == list(FIELDS)
    assert numbers["hydroseq"].fillna(-1).tolist() == [20, 30, -1, -1, -1, -1]
    assert numbers["dnhydroseq"].fillna(-1).tolist() == [1.5e13, -1, -1, -1, -1, 7]
    assert numbers["tonode"].isna().all()


def test_words_for_lines_that_run_as_digitised() -> None:
    words = ["With Digitized", "WithDigitized", "1", "0", "Uninitialized", None]
    told = runs_as_digitised(pd.DataFrame({"FlowDir": words}))
    assert told.tolist() == [True, True, True, False, False, False]


def test_numbers_that_run_in_a_circle_of_lines_left_out_come_to_an_end() -> None:
    numbers = pd.DataFrame(
        {"hydroseq": [1.0, 2, 3], "dnhydroseq": [2.0, 3, 2], "fromnode": np.nan, "tonode": np.nan}
    )
    found = through(numbers, np.array([False, True, True]))
    assert found["dnhydroseq"].iloc[0] in (2.0, 3.0)


def test_a_line_in_parts_is_turned_as_a_whole() -> None:
    upper = MultiLineString([line((0, 600), (0, 700)), line((0, 720), (0, 1_000))])
    flow = raw(upper, line((0, 0), (0, 600)), FCode=[46006, 46006], GNIS_NAME=["Upper", "Lower"],
               hydroseq=[2, 1], dnhydroseq=[1, 0])  # fmt: skip
    found = network({"WATERCOURSES": flow.frame})
    own = np.flatnonzero(found.name == "Upper")
    assert found.geometry[own[0]].coords[0] == (X, Y + 1_000)
    assert found.geometry[own[-1]].coords[-1] == (X, Y + 600)
    prepared = prepare_hydrography([flow]).layers["WATERCOURSES"].geometry.iloc[0]
    parts = [[tuple(np.round(np.subtract(xy, (X, Y)))) for xy in p.coords] for p in prepared.geoms]
    assert parts == [[(0, 1_000), (0, 720)], [(0, 700), (0, 600)]]


def test_3dhp_without_codes_keeps_its_numbers_when_it_is_recognised() -> None:
    flow = raw(
        line((0, 0), (0, 500)), line((0, 500), (0, 900)), line((0, 900), (0, 1_500)),
        id3dhp=["A", "B", "C"], featuretypelabel=["River", "Culvert", "River"],
        gnisidlabel=["Lower", "Culvert", "Upper"], hydroseq=[1, 2, 3], dnhydroseq=[0, 1, 2],
    )  # fmt: skip
    found = recognise({"WATERCOURSES": (flow,)}, {}).layers["WATERCOURSES"][0].frame
    assert found["hydroseq"].tolist() == ["1", "2", "3"]
    joined = network({"WATERCOURSES": found})
    assert names_below(joined, "Upper") == ["Upper", "Culvert", "Lower"]
    assert joined.takes_runoff.tolist() == (joined.name != "Culvert").tolist()


@pytest.fixture(scope="module")
def new_hope(shared_data: Path) -> list[Layer]:
    source = shared_data / "formats" / "nhdplusv2_new_hope.gpkg"
    names = ("NHDFlowline_Network", "NHDWaterbody", "NHDArea")
    return [read_layer(source, role="HYDROGRAPHY", geometry="any", layer=name) for name in names]


@pytest.mark.parametrize("drawn", ["with", "against"])
def test_real_flowlines_lead_to_the_same_waters_raw_and_prepared(
    new_hope: list[Layer], drawn: str
) -> None:
    flow, *bodies = new_hope
    crs = plane_crs((36, -79))
    if drawn == "against":
        frame = flow.frame.assign(FLOWDIR=None, geometry=flow.frame.geometry.reverse())
        flow = dataclasses.replace(flow, frame=frame)
    prepared = prepare_hydrography([flow, *bodies])
    turned = [note for note in prepared.notes if "746 lines turned" in note]
    assert len(turned) == (drawn == "against")

    def reached(frames: list[gpd.GeoDataFrame], identity: str) -> pd.Series:
        layers = []
        for role, frame in zip(("WATERCOURSES", *["WATER_BODIES"] * 2), frames, strict=False):
            own = to_plane(frame, crs)
            own = own.drop(columns=[c for c in own if c.casefold() in ("gnis_name", "name")])
            own["name"] = own[identity].map(lambda value: f"{float(value):.0f}")
            layers.append(WaterLayer(role, role, own, box(*own.total_bounds)))
        found = build_network(layers, NONE, NoGround(), crs, match_ft=40.0)
        first = pd.Series(np.arange(len(found.name)), index=found.name).groupby(level=0).first()
        table = downstream(found, first.to_numpy(), np.inf)
        # A short path between two ponds may be passed over: the ponds touch.
        long = found.is_body | (found.length_ft > 50)
        piece = table["piece"].to_numpy(int)
        table = table.assign(name=found.name[piece])[long[piece]]
        whole = table.groupby("source")["name"].agg(set)
        return pd.Series([whole.get(n, set()) for n in range(len(first))], index=first.index)

    before = reached([flow.frame, *(body.frame for body in bodies)], "COMID")
    after = reached([prepared.layers[n] for n in ("WATERCOURSES", "WATER_BODIES")], "feature")
    kept = set(after.index)
    same = [before[name] & kept == after[name] for name in kept]
    assert len(kept) == 752
    # Of two the centre lines end inside a lake, cut off with the sample; prepared they lead on.
    assert same.count(False) == 2
