from __future__ import annotations

import numpy as np
import pytest

from stormwater_screen.unique import unique_rows


@pytest.mark.parametrize("most", [3, 10**6, 2**62])
def test_rows_are_those_that_numpy_finds(most: int) -> None:
    rng = np.random.default_rng(most % 97)
    table = rng.integers(-most, most, (500, 3))
    table = np.concatenate([table, table[::3], table[:2], table[:2]])
    found = unique_rows(table)
    rows, of, count = np.unique(table, axis=0, return_inverse=True, return_counts=True)
    assert np.array_equal(found.rows, rows)
    assert np.array_equal(found.of, of.reshape(-1))
    assert np.array_equal(found.counts, count)


def test_a_table_without_rows_has_none() -> None:
    found = unique_rows(np.empty((0, 2), np.int64))
    assert found.rows.shape == (0, 2)
    assert len(found.of) == len(found.counts) == 0
