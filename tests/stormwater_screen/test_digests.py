"""Checksums row by row: what changes them and what does not."""

from __future__ import annotations

from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
from shapely import box
from shapely.geometry.base import BaseGeometry

from stormwater_screen.coded import Coded, CodedPieces, Vocabulary
from stormwater_screen.columns import Column
from stormwater_screen.digests import Total, feature_digests, site_digests, total

COLUMNS = (
    Column("row", "integer", "row"),
    Column("class", "text", "class", 24),
    Column("slope_pct", "number", "slope"),
    Column("run_id", "text", "run", 40),
)


def lots(first: BaseGeometry | None = None, **changes: Any) -> gpd.GeoDataFrame:
    shapes = [first or box(0, 0, 100, 100), box(200, 0, 300, 100), None]
    columns = {"lot": ["A", "B", None], "lots": [1.0, np.nan, 2.0], **changes}
    return gpd.GeoDataFrame(columns, geometry=shapes, crs="EPSG:26918")


def test_a_moved_vertex_changes_the_digest_of_its_feature_alone() -> None:
    before, after = feature_digests(lots()), feature_digests(lots(box(0, 0, 100, 100.001)))
    assert [a == b for a, b in zip(before, after, strict=True)] == [False, True, True]
    assert total(before) != total(after)


def test_a_changed_attribute_changes_the_digest_of_its_feature_alone() -> None:
    before, after = feature_digests(lots()), feature_digests(lots(lot=["A", "C", None]))
    assert [a == b for a, b in zip(before, after, strict=True)] == [True, False, True]


def test_the_same_features_have_the_same_digests() -> None:
    assert feature_digests(lots()) == feature_digests(lots())


def test_a_renamed_field_changes_every_digest() -> None:
    renamed = lots().rename(columns={"lot": "parcel"})
    assert not set(feature_digests(lots())) & set(feature_digests(renamed))


def sites(run_id: str = "one", **changes: Any) -> pd.DataFrame:
    columns = {"row": [1, 2], "class": ["minor", "major"], "slope_pct": [3.0, np.nan]}
    return pd.DataFrame({**columns, "run_id": run_id, **changes})


def digests(table: pd.DataFrame, findings: pd.DataFrame | None = None) -> list[str]:
    return site_digests(table, sites() if findings is None else findings, COLUMNS, COLUMNS)


def test_the_same_answers_have_the_same_digest_in_another_run() -> None:
    assert digests(sites("one")) == digests(sites("two"))


def test_an_empty_text_and_no_text_are_the_same_since_files_do_not_tell_them_apart() -> None:
    nothing = digests(sites(**{"class": ["", "major"]}))
    assert nothing == digests(sites(**{"class": [None, "major"]}))


def test_an_edited_class_changes_the_digest_of_its_site_alone() -> None:
    edited = digests(sites(**{"class": ["exempt", "major"]}))
    assert [a == b for a, b in zip(digests(sites()), edited, strict=True)] == [False, True]


def test_the_order_of_the_findings_does_not_count_but_each_finding_does() -> None:
    twice = pd.concat([sites(), sites()], ignore_index=True)
    backwards = twice.iloc[::-1].reset_index(drop=True)
    assert digests(sites(), twice) == digests(sites(), backwards)
    assert digests(sites(), twice)[0] != digests(sites(), sites())[0]


def test_findings_as_numbers_have_the_same_digests_as_the_plain_table() -> None:
    told = Vocabulary()
    rows = np.array([2, 1, 2, 0], np.int32)
    columns = (
        Column("row", "integer", ""),
        Column("text", "text", "", 20),
        Column("value", "number", ""),
        Column("run_id", "text", "", 20),
    )
    texts = told.of_column(pd.Series(["a", None, "", "b"], dtype=object))
    values = {
        "row": rows,
        "text": texts,
        "value": np.array([1.0, np.nan, -0.0, 0.1 + 0.2]),
        "run_id": np.zeros(4, np.int8),
    }
    coded = Coded(
        columns,
        values,
        {"text": told.texts(), "run_id": np.array(["x"], dtype=object)},
        np.argsort(rows, kind="stable"),
    )
    own = sites().head(2)

    def of(findings: pd.DataFrame | CodedPieces) -> list[str]:
        return site_digests(own, findings, COLUMNS, columns)

    pieces = CodedPieces()
    pieces.add(coded)
    assert of(pieces) == of(coded.frame())


def test_a_checksum_may_be_made_some_rows_at_a_time() -> None:
    whole = Total()
    for some in (["a1", "b2"], [], ["c3"]):
        whole.add(some)
    assert str(whole) == total(["a1", "b2", "c3"])
