"""Commands as a server runs them: outputs, exit status, and what is left behind."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import geopandas as gpd
import pandas as pd
import pyogrio
import pytest
from shapely.geometry import box

from stormwater_screen.command.main import main
from stormwater_screen.record import read_record
from tests.command_line import command, environment, outputs, run, run_file
from tests.toolbox import SAMPLE, sample_parameters

FINDING = ("row", "rule", "outcome")


@pytest.fixture(scope="module")
def screened(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample town, screened by a process of its own."""
    folder = tmp_path_factory.mktemp("screened")
    given = run_file(folder / "run.json", sample_parameters())
    done = run("screen", "--RUN", given, *outputs(folder), "--SUMMARY", folder / "page.html")
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout)
    assert results["SITE_COUNT"] == 56
    assert set(results) >= {"SCREENED", "FINDINGS", "ZONES", "SUMMARY", "RECORD"}
    return folder


def test_the_sample_town_has_the_known_answers(screened: Path) -> None:
    expected = pd.read_csv(SAMPLE / "expected.csv")
    expected = expected[expected["law"] == "lake_george"].set_index("row")
    found = pyogrio.read_dataframe(screened / "screened.gpkg").set_index("row")
    for name in ("class", "lda", "cond_a", "cond_b", "cond_c"):
        known = expected[name].dropna()
        assert len(known) > 40
        assert found[name].loc[known.index].tolist() == known.tolist()


def test_the_sites_keep_their_order_and_their_own_attributes(screened: Path) -> None:
    lots = pyogrio.read_dataframe(SAMPLE / "sample.gpkg", layer="lots")
    found = pyogrio.read_dataframe(screened / "screened.gpkg")
    assert found["row"].tolist() == list(range(1, 57))
    own = [name for name in lots.columns if name != "geometry"]
    assert list(found.columns)[: len(own)] == own
    pd.testing.assert_frame_equal(found[own], lots[own])


def test_findings_have_no_geometry_and_the_page_and_the_record_are_there(screened: Path) -> None:
    info = pyogrio.read_info(screened / "findings.gpkg")
    assert info["geometry_type"] is None
    assert "Chapter 220" in (screened / "page.html").read_text("utf-8")
    text = (screened / "screened.record.json").read_text("utf-8")
    record = read_record(text, "record")
    assert record["parameters"]["SITES"].endswith("sample.gpkg|layername=lots")
    layer = pyogrio.read_info(screened / "screened.gpkg")["layer_metadata"]
    assert json.loads(layer["STORMWATER_RUN_RECORD"])["run_id"] == record["run_id"]


def test_flatgeobuf_and_csv_keep_the_order_too(tmp_path: Path, screened: Path) -> None:
    given = {**sample_parameters(), "DEM": None}
    places = [tmp_path / "a.fgb", tmp_path / "b.csv", tmp_path / "c.fgb"]

    status = main(
        ["screen", "--RUN", str(run_file(tmp_path / "run.json", given)), "--SCREENED",
         str(places[0]), "--FINDINGS", str(places[1]), "--ZONES", str(places[2])]
    )  # fmt: skip

    assert status == 0
    sites = pyogrio.read_dataframe(places[0])
    lots = pyogrio.read_dataframe(screened / "screened.gpkg")
    assert sites["row"].tolist() == list(range(1, 57))
    assert sites["lot"].tolist() == lots["lot"].tolist()
    assert sites.geometry.isna().tolist() == lots.geometry.isna().tolist()
    findings = pd.read_csv(places[1], keep_default_na=False)
    assert findings["row"].is_monotonic_increasing
    assert set(FINDING) <= set(findings.columns)
    assert len(pyogrio.read_dataframe(places[2])) > 100


def _lots(path: Path, crs: str | None = "EPSG:26918") -> Path:
    x, y = 606_000.0, 4_809_000.0
    shapes = [box(x + 70 * n, y, x + 70 * n + 60, y + 60) for n in range(3)]
    numbers = pd.array([1, None, 3], dtype="Int64")
    frame = gpd.GeoDataFrame({"lot": ["a", "b", None], "n": numbers}, geometry=shapes, crs=crs)
    pyogrio.write_dataframe(frame, path, driver="GPKG")
    return path


def _left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--SITES", "none.gpkg"], "SITES (none.gpkg): no such file"),
        (["--SITES", "lots.gpkg", "--SITE_ID", "pin"], "SITE_ID: no field pin"),
        (["--SITES", "lots.gpkg", "--DEM", "none.tif"], "none.tif: cannot be read"),
        (
            ["--SITES", "lots.gpkg", "--WATER_BODIES", "lots.gpkg", "--DEM", "lots.gpkg"],
            "a raster of elevation",
        ),
        (["--SITES", "lots.gpkg", "--ORDINANCE_FILE", "law.toml"], "no file law.toml"),
        (["--SITES", "lots.gpkg", "--AS_OF", "1900-01-01"], "no text in force on 1900-01-01"),
        (["--SITES", "nocrs.gpkg"], "no coordinate reference system"),
        ([], "SITES: not given"),
    ],
)
def test_bad_input_is_told_in_one_line_and_nothing_is_written(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    more: list[str],
    message: str,
) -> None:
    _lots(tmp_path / "lots.gpkg")
    with pytest.warns(UserWarning, match="crs"):
        _lots(tmp_path / "nocrs.gpkg", None)
    before = _left(tmp_path)
    monkeypatch.chdir(tmp_path)

    status = main(["screen", *more, "--SCREENED", "out.gpkg"])

    told = capfd.readouterr()
    assert status == 1
    assert told.out == ""
    assert message in told.err
    assert "Traceback" not in told.err
    assert _left(tmp_path) == before


@pytest.mark.parametrize(
    ("places", "message"),
    [
        (["--SCREENED", "lots.gpkg"], "SCREENED: {}/lots.gpkg is also input SITES"),
        (["--SCREENED", "link.gpkg"], "is also input SITES"),
        (["--SCREENED", "a.gpkg", "--FINDINGS", "./a.gpkg"], "is also output SCREENED"),
        (["--SCREENED", "none/a.gpkg"], "no folder {}/none"),
        (["--SCREENED", "a.shp"], "a.shp. Needed: a file that ends in .gpkg or .fgb or .csv"),
        (["--FINDINGS", "a.fgb"], "Needed: a file that ends in .gpkg or .csv"),
        ([], "SCREENED: not given, nor any other output"),
    ],
)
def test_an_output_that_cannot_be_is_refused_before_anything_is_read(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    places: list[str],
    message: str,
) -> None:
    lots = _lots(tmp_path / "lots.gpkg")
    (tmp_path / "link.gpkg").symlink_to(lots)
    bytes_before = lots.read_bytes()
    monkeypatch.chdir(tmp_path)

    status = main(["screen", "--SITES", "lots.gpkg", *places])

    assert status == 1
    assert message.format(tmp_path) in capfd.readouterr().err
    assert lots.read_bytes() == bytes_before
    assert _left(tmp_path) == ["link.gpkg", "lots.gpkg"]


def test_whole_numbers_among_nulls_stay_whole_and_an_old_output_is_replaced(tmp_path: Path) -> None:
    lots, out = _lots(tmp_path / "lots.gpkg"), tmp_path / "out.gpkg"
    out.write_text("something else", "utf-8")

    status = main(["screen", "--SITES", str(lots), "--SITE_ID", "lot", "--SCREENED", str(out)])

    assert status == 0
    assert pyogrio.read_info(out)["dtypes"].tolist()[:2] == ["object", "int64"]
    found = pyogrio.read_dataframe(out)
    assert found["n"].isna().tolist() == [False, True, False]
    assert found["site_id"].tolist() == ["a", "b", None]
    assert set(found["disturb_by"]) == {"whole site"}
    assert _left(tmp_path) == ["lots.gpkg", "out.gpkg", "out.record.json"]


def test_own_attributes_of_odd_kinds_and_names_are_kept_beside_ours(tmp_path: Path) -> None:
    lots, out = tmp_path / "lots.gpkg", tmp_path / "out.gpkg"
    pyogrio.write_dataframe(pd.DataFrame({"owner": ["x"]}), lots, layer="owners")
    frame = gpd.GeoDataFrame(
        {
            "Geometry": ["flat"], "ROW": [7], "sold": pd.array([None], dtype="boolean"),
            "day": pd.to_datetime(["2020-02-29"]),
        },
        geometry=[box(606_000, 4_809_000, 606_060, 4_809_060)], crs="EPSG:26918",
    )  # fmt: skip
    pyogrio.write_dataframe(frame, lots, layer="lots", append=True, GEOMETRY_NAME="shape")

    assert main(["screen", "--SITES", str(lots), "--SCREENED", str(out)]) == 0

    own = ["src_Geometry", "src_ROW", "sold", "day"]
    assert pyogrio.read_info(out)["fields"].tolist()[:5] == [*own, "row"]
    assert pyogrio.read_info(out)["dtypes"].tolist()[:3] == ["object", "int64", "bool"]
    assert pyogrio.read_dataframe(out)[own[:2]].to_numpy().tolist() == [["flat", 7]]


def test_a_command_that_cannot_be_understood_ends_with_2() -> None:
    done = run("screen", "--SIDES", "lots.gpkg")
    assert done.returncode == 2
    assert "unrecognized arguments: --SIDES" in done.stderr


@pytest.mark.parametrize("name", ["screen", "check", "cluster"])
def test_the_help_tells_every_name_and_its_unit(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])

    assert ended.value.code == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "Vertical error of the elevations, in feet" in told
    assert "Disturbed area typed for each site, in square feet" in told
    assert "--dem-error-ft" in told
    assert "Default: 0.6." in told


def test_a_check_tells_what_stays_open_and_fails_where_it_is_asked_to(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    lots, table = _lots(tmp_path / "lots.gpkg"), tmp_path / "checks.csv"
    arguments = ["check", "--SITES", str(lots), "--CHECKS", str(table)]

    assert main(arguments) == 0
    counts = json.loads(capfd.readouterr().out)
    assert counts["ERROR_COUNT"] == 0
    assert counts["UNKNOWN_COUNT"] == (pd.read_csv(table)["level"] == "unknown").sum() > 5
    table.unlink()
    assert main([*arguments, "--FAIL_ON", "errors"]) == 0
    assert main([*arguments, "--FAIL_ON", "unknowns"]) == 1
    assert "The checks are written" in capfd.readouterr().err
    assert table.exists()


def test_a_check_makes_rows_of_what_cannot_be_read(tmp_path: Path) -> None:
    lots, table = _lots(tmp_path / "lots.gpkg"), tmp_path / "checks.csv"

    status = main(
        ["check", "--SITES", str(lots), "--SOILS", str(tmp_path / "none.gpkg"), "--DEM",
         str(lots), "--CHECKS", str(table), "--FAIL_ON", "errors"]
    )  # fmt: skip

    assert status == 1
    errors = pd.read_csv(table).query("level == 'error'")
    assert {"SOILS", "DEM"} <= set(errors["input"])


def test_a_screening_that_is_told_to_stop_leaves_nothing(tmp_path: Path) -> None:
    given = run_file(tmp_path / "run.json", sample_parameters())
    process = subprocess.Popen(
        command("screen", "--RUN", given, *outputs(tmp_path / "out")),
        env=environment(), stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    assert process.stderr.readline() == "10 %\n"
    begun = time.monotonic()
    process.send_signal(signal.SIGTERM)
    out, told = process.communicate(timeout=30)

    assert process.returncode == 130
    assert time.monotonic() - begun < 10
    assert out == ""
    assert told.endswith("Stopped. Nothing was written.\n")
    assert _left(tmp_path / "out") == []
