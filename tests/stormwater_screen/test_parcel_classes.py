"""New York property classes hint at what stands on a parcel."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from stormwater_screen.errors import InputError
from stormwater_screen.parcel_classes import ParcelClasses, existing_use_hints, parcel_classes


@pytest.mark.parametrize(
    ("code", "meaning"),
    [("112", "agricultural property"), (210, "one-family"), ("220 - 2 Family", "two- or three")],
)
def test_a_property_class_is_read_as_text_or_number(code: object, meaning: str) -> None:
    assert meaning in existing_use_hints(pd.DataFrame({"prop_class": [code]}))[0]


@pytest.mark.parametrize(
    "rows", ["100,99,a,b", "100,199,a,b\n150,160,a,b", "x,199,a,b", "100,199,a,"]
)
def test_a_broken_table_of_classes_is_refused(tmp_path: Path, rows: str) -> None:
    path = tmp_path / "classes.csv"
    path.write_text(f"from,to,use,meaning\n{rows}\n")
    with pytest.raises(InputError, match=r"table classes\.csv, line"):
        ParcelClasses(path)


def test_every_class_from_100_to_999_has_a_meaning() -> None:
    classes = pd.Series(range(100, 1000)).astype(str).to_numpy(dtype=object)
    assert (parcel_classes().meaning(classes) != "").all()


def test_parcels_without_a_class_have_no_hint() -> None:
    assert existing_use_hints(pd.DataFrame({"ACRES": [1, 2]})).tolist() == ["", ""]
    assert existing_use_hints(pd.DataFrame({"PROP_CLASS": [None, "", "99"]})).tolist() == [""] * 3
