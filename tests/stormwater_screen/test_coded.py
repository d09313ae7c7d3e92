from __future__ import annotations

import numpy as np
import pandas as pd

from stormwater_screen.coded import MISSING, Coded, Vocabulary, cut_texts
from stormwater_screen.columns import Column


def _table() -> Coded:
    told = Vocabulary()
    codes = np.concatenate([told.constant("lake", 2), told.of_column(pd.Series(["pond", None]))])
    return Coded(
        (Column("row", "integer", ""), Column("what", "text", "", 20)),
        {"row": np.array([3, 1, 2, 1], np.int32), "what": codes},
        {"what": told.texts()},
        np.array([1, 3, 2, 0]),
    )


def test_rows_come_in_the_order_of_the_table_with_their_texts() -> None:
    part = _table().part(0, 3)

    assert part["row"].tolist() == [1, 1, 2]
    assert part["what"].tolist() == ["lake", None, "pond"]


def test_the_whole_table_is_its_parts_one_below_the_other() -> None:
    table = _table()

    whole = table.frame()

    assert len(table) == len(whole) == 4
    assert whole["what"].tolist() == [*table.part(0, 2)["what"], *table.part(2, 4)["what"]]


def test_a_text_has_one_number_wherever_it_stands() -> None:
    told = Vocabulary()

    first = told.codes(["a", "b"], np.array([0, 1, 0, -1]))

    assert first.tolist() == [0, 1, 0, MISSING]
    assert told.of_column(pd.Series(["b", "c"], dtype=object)).tolist() == [1, 2]


def test_a_text_of_the_greatest_length_stays_and_a_longer_one_is_cut() -> None:
    texts = np.array(["1234", "12345", None, ""], dtype=object)

    assert cut_texts(texts, 4).tolist() == ["1234", "123…", None, ""]
