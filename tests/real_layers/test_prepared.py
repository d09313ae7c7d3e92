"""Real layers as agencies publish them, through Processing and through the executable."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import geopandas as gpd
import pandas as pd
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _processing(qgis_processing: Any) -> None:
    """Start Processing."""


def run(name: str, **parameters: Any) -> dict[str, Any]:
    import processing

    return dict(processing.run(f"stormwater:{name}", parameters))


def made_up_groups(town: Path, folder: Path) -> Path:
    """Write a table of hydrologic groups for the 84 soils of Bangor. IT IS MADE UP.

    No published table lies beside these polygons; groups go round the symbols in order, and soils
    whose symbol begins with W or U (water, urban land) have none.
    """
    with sqlite3.connect(f"file:{town}?mode=ro", uri=True) as database:
        rows = database.execute("SELECT DISTINCT MUSYM FROM soils_ssurgo ORDER BY MUSYM").fetchall()
    database.close()
    symbols = [row[0] for row in rows if row[0]]
    groups = ("A", "B", "C", "D", "B/D")
    table = pd.DataFrame(
        {
            "MUSYM": symbols,
            "HSG": [
                None if symbol[0] in "WU" else groups[number % len(groups)]
                for number, symbol in enumerate(symbols)
            ],
            "REMARK": "made up for a test",
        }
    )
    path = folder / "groups made up.csv"
    table.to_csv(path, index=False)
    return path


def test_bangor_with_its_soil_polygons_a_made_up_table_and_raw_layers(
    shared_data: Path, tmp_path: Path
) -> None:
    town = shared_data / "bangor" / "bangor.gpkg"
    table = made_up_groups(town, tmp_path)
    soils = tmp_path / "soils.gpkg"
    result = run(
        "preparesoils",
        SOIL_POLYGONS=[f"{town}|layername=soils_ssurgo"],
        TABLE=str(table),
        NEAR=f"{town}|layername=parcels",
        SOILS=str(soils),
    )
    prepared, groups = gpd.read_file(soils), pd.read_csv(table).set_index("MUSYM")["HSG"]
    with sqlite3.connect(f"file:{town}?mode=ro", uri=True) as database:
        symbols = [row[0] for row in database.execute("SELECT MUSYM FROM soils_ssurgo")]
    database.close()
    assert result["SOILS_COUNT"] == len(symbols) == 470
    expected = Counter(groups.reindex(symbols).fillna("none"))
    assert Counter(prepared["hsg"].fillna("none")) == expected
    screened = tmp_path / "screened.gpkg"
    result = run(
        "screensites",
        SITES=f"{town}|layername=parcels",
        SOILS=str(soils),
        WETLANDS=f"{town}|layername=wetlands_nwi",
        WATER_BODIES=[f"{town}|layername=ponds", f"{town}|layername=wetlands_nwi"],
        WATERCOURSES=[f"{town}|layername=streams_impaired_flag"],
        IMPAIRED=[f"{town}|layername=streams_impaired_flag"],
        SCREENED=str(screened),
    )
    assert result["SITE_COUNT"] == 594
    found = gpd.read_file(screened)
    assert found["soil_grp"].str.contains(r"^[ABCD]").sum() > 500
    # Another way: the largest soil of each parcel by overlay, in the layers' own plane.
    parcels = gpd.read_file(town, layer="parcels").reset_index(names="at")
    pieces = gpd.overlay(
        parcels[["at", "geometry"]], gpd.read_file(town, layer="soils_ssurgo"), keep_geom_type=True
    )
    pieces["hsg"] = groups.reindex(pieces["MUSYM"]).fillna("no group").to_numpy()
    area = pieces.assign(area=pieces.area).groupby(["at", "hsg"])["area"].sum().reset_index()
    largest = area.sort_values("area").drop_duplicates("at", keep="last").set_index("at")["hsg"]
    first = found["soil_grp"].str.split(" ").str[0]
    clear = largest.index[largest.isin(["A", "B", "C", "D", "B/D"])]
    assert (first.loc[clear] == largest.loc[clear]).mean() > 0.97


def test_each_format_sample_goes_through_the_executable(shared_data: Path, tmp_path: Path) -> None:
    formats = shared_data / "formats"
    jobs = {
        "preparehydrography": {
            "FILE": str(formats / "nhdplusv2_new_hope.gpkg"),
            "WATER_BODIES": "bodies.gpkg",
            "WATERCOURSES": "courses.gpkg",
            "LEFT_OUT": "left out.gpkg",
        },
        "prepareimpaired": {
            "FILE": str(formats / "attains_colorado.gpkg"),
            "LISTED_AREAS": "areas.gpkg",
            "LISTED_LINES": "lines.shp",
            "TMDL": "tmdl.gpkg",
            "UNLISTED": "unlisted.csv",
        },
        "preparesoils": {
            "FOLDER": str(formats),
            "SOILS": "soils.gpkg",
        },
        "prepareparcels": {
            "FILE": str(shared_data / "north_collins" / "tax_parcels_2018.gpkg"),
            "PARCELS": "parcels.shp",
        },
    }
    wanted = {
        "preparehydrography": {"WATER_BODIES_COUNT": 111, "WATERCOURSES_COUNT": 651,
                               "LEFT_OUT_COUNT": 105},
        "prepareimpaired": {"LISTED_AREAS_COUNT": 1, "LISTED_LINES_COUNT": 12, "TMDL_COUNT": 12,
                            "UNLISTED_COUNT": 41},
        "preparesoils": {"SOILS_COUNT": 25},
        "prepareparcels": {"PARCELS_COUNT": 43},
    }  # fmt: skip
    for name, given in jobs.items():
        inputs = {
            key: value if key in ("FILE", "FOLDER") else str(tmp_path / value)
            for key, value in given.items()
        }
        done = subprocess.run(
            ["qgis_process", "run", f"stormwater:{name}", "-"],
            input=json.dumps({"inputs": inputs}),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        results = json.loads(done.stdout[done.stdout.index("{") :])["results"]
        assert {key: results[key] for key in wanted[name]} == wanted[name]
    assert len(gpd.read_file(tmp_path / "lines.shp")) == 12


def test_a_real_download_is_refused_as_an_output(shared_data: Path, tmp_path: Path) -> None:
    import shutil

    from qgis.core import QgsProcessingException

    path = tmp_path / "parcels.gpkg"
    shutil.copy(shared_data / "north_collins" / "tax_parcels_2018.gpkg", path)
    before = path.read_bytes()
    with pytest.raises(QgsProcessingException):
        run("prepareparcels", FILE=str(path), PARCELS=str(path))
    assert path.read_bytes() == before


def test_a_cancelled_preparation_writes_nothing(shared_data: Path, tmp_path: Path) -> None:
    import processing
    from qgis.core import QgsProcessingException, QgsProcessingFeedback

    feedback = QgsProcessingFeedback()
    feedback.cancel()
    given = {
        "FILE": str(shared_data / "formats" / "nhdplusv2_new_hope.gpkg"),
        "WATER_BODIES": str(tmp_path / "a.gpkg"),
        "WATERCOURSES": str(tmp_path / "b.gpkg"),
    }
    with pytest.raises(QgsProcessingException, match="Cancelled"):
        processing.run("stormwater:preparehydrography", given, feedback=feedback)
    assert list(tmp_path.iterdir()) == []
