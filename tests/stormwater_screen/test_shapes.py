from __future__ import annotations

import geopandas as gpd
import numpy as np
import pandas as pd
import pyproj
import pytest
from shapely.geometry import Point, box

from stormwater_screen import shapes
from stormwater_screen.shapes import Shapes, SiteRows

CRS = pyproj.CRS(26918)


def zones(rows: list[int], names: list[str]) -> gpd.GeoDataFrame:
    places = [box(row, 0, row + 1, 1) for row in rows]
    return gpd.GeoDataFrame({"row": rows, "zone": names}, geometry=places, crs=CRS)


def test_shapes_added_in_any_order_come_site_by_site(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shapes, "SITES_AT_ONCE", 3)
    kept = Shapes(CRS, ("zone",))
    kept.add(zones([7, 0, 2], ["b", "b", "a"]))
    kept.add(zones([1, 7, 3], ["a", "a", "c"]))
    assert len(kept) == 6
    pieces = list(kept.pieces())
    assert [piece["row"].tolist() for piece in pieces] == [[0, 1, 2], [3], [7, 7]]
    monkeypatch.setattr(shapes, "SHAPES_AT_ONCE", 2)
    pieces = list(kept.pieces())
    assert [piece["row"].tolist() for piece in pieces] == [[0, 1], [2], [3], [7, 7]]
    assert all(piece.index[0] == 0 for piece in pieces)
    whole = kept.frame()
    assert whole["row"].tolist() == [0, 1, 2, 3, 7, 7]
    assert whole["zone"].tolist() == ["b", "a", "a", "c", "a", "b"]
    assert whole.geometry.iloc[3].equals(box(3, 0, 4, 1))
    assert whole.crs == CRS


def test_each_piece_goes_through_the_last_function() -> None:
    kept = Shapes(CRS)
    kept.add(zones([4], ["a"]))
    told = kept.finished(lambda frame: frame.assign(row=frame["row"] + 1))
    assert told.frame()["row"].tolist() == [5]
    assert kept.frame()["row"].tolist() == [4]


def test_nothing_is_one_empty_piece_with_its_crs() -> None:
    kept = Shapes(CRS).finished(lambda frame: frame.assign(site_id=None))
    whole = kept.frame()
    assert len(whole) == 0
    assert "site_id" in whole
    assert whole.crs == CRS


def test_a_shape_that_is_missing_stays_missing() -> None:
    kept = Shapes(CRS)
    frame = gpd.GeoDataFrame({"row": [0, 1]}, geometry=[None, Point(1, 2)], crs=CRS)
    kept.add(frame)
    assert kept.frame().geometry.tolist() == [None, Point(1, 2)]


def test_rows_of_the_run_as_a_whole_stand_before_the_first_site() -> None:
    kept = SiteRows(pd.DataFrame({"row": np.empty(0, np.int64), "text": []}))
    kept.add(pd.DataFrame({"row": [1, 0, 1], "text": ["second", "first", "third"]}))
    kept.add(pd.DataFrame({"row": [-1], "text": ["the run"]}))
    assert kept.block(0)["text"].tolist() == ["the run", "first", "second", "third"]
    assert len(kept.block(5)) == 0
    assert list(kept.block(5).columns) == ["row", "text"]
