"""Record, reports and verification through Processing: the sample town, changed bit by bit."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import geopandas as gpd
import pytest

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "resources" / "sample"
LAW = ROOT / "resources" / "ordinances" / "lake_george.toml"
SCRIPT = "<script>alert(1)</script>"
FORMULA = '=HYPERLINK("http://x","y")'


class Town:
    """A copy of the sample town with a screening of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("sample.gpkg", "dem.tif"):
            shutil.copy(SAMPLE / name, folder / name)
        shutil.copy(LAW, folder / "law.toml")
        self.edit("lots", "UPDATE lots SET lot = ? WHERE lot = 'L01'", FORMULA)
        self.edit("lots", "UPDATE lots SET lot = ? WHERE lot = 'L02'", SCRIPT)
        (folder / "out").mkdir()

    def edit(self, table: str, statement: str, *values: object) -> None:
        with sqlite3.connect(self.folder / "sample.gpkg") as database:
            # The triggers of a GeoPackage call functions that plain SQLite does not have.
            triggers = database.execute(
                "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?",
                (table,),
            ).fetchall()
            for name, _ in triggers:
                database.execute(f'DROP TRIGGER "{name}"')
            database.execute(statement, values)
            for _, text in triggers:
                database.execute(text)
        database.close()

    def screen(self) -> dict[str, Any]:
        import processing

        stored = json.loads((SAMPLE / "parameters.json").read_text("utf-8"))["inputs"]

        def full(value: Any) -> Any:
            if isinstance(value, list):
                return [full(part) for part in value]
            is_file = isinstance(value, str) and value.startswith(("sample.gpkg", "dem.tif"))
            return str(self.folder / value) if is_file else value

        given = {name: full(value) for name, value in stored.items()}
        given |= {"ORDINANCE_FILE": str(self.folder / "law.toml")}
        given |= {name: str(self.out(name)) for name in ("SCREENED", "FINDINGS", "ZONES")}
        done: dict[str, Any] = processing.run("stormwater:screensites", given)
        return done

    def out(self, name: str) -> Path:
        return self.folder / "out" / f"{name.lower()}.gpkg"

    def outputs(self, *names: str) -> dict[str, str]:
        return {name: str(self.out(name)) for name in names}

    def verify(self) -> tuple[dict[str, Any], list[str]]:
        import processing

        place = self.folder / "out" / "differences.gpkg"
        given = {**self.outputs("SCREENED", "FINDINGS"), "DIFFERENCES": str(place)}
        done = processing.run("stormwater:verifyrun", given)
        table = gpd.read_file(place, ignore_geometry=True)
        return done, [f"{what}: {text}" for what, text in zip(table["what"], table["text"],
                                                              strict=True)]  # fmt: skip

    def report(self, name: str = "reports", sites: str = '"row" IN (5, 6)', **more: Any) -> Path:
        import processing
        from qgis.core import QgsProcessingFeatureSourceDefinition

        place = self.folder / name
        given = {**self.outputs("FINDINGS", "ZONES"), "REPORTS": str(place), **more}
        source = QgsProcessingFeatureSourceDefinition(
            str(self.out("SCREENED")), filterExpression=sites
        )
        processing.run("stormwater:sitereports", {**given, "SCREENED": source})
        return place


@pytest.fixture(scope="module")
def screened_town(qgis_processing: object, tmp_path_factory: pytest.TempPathFactory) -> Town:
    town = Town(tmp_path_factory.mktemp("town"))
    town.screen()
    return town


@pytest.fixture
def town(screened_town: Town) -> Iterator[Town]:
    """Lend the screened town; what a test changes of it is put back."""
    files = [path for path in screened_town.folder.rglob("*") if path.is_file()]
    before = {path: path.read_bytes() for path in files}
    yield screened_town
    for path, content in before.items():
        if path.read_bytes() != content:
            path.write_bytes(content)


@pytest.fixture(scope="module")
def reports(screened_town: Town) -> Path:
    return screened_town.report("all", sites="")


# The record.


def test_the_record_lies_beside_the_sites_and_in_their_geopackage(screened_town: Town) -> None:
    from stormwater_screening.processing_provider.recording import stamped

    beside = (screened_town.folder / "out" / "screened.record.json").read_text("utf-8")
    assert stamped(screened_town.out("SCREENED")) == beside
    record = json.loads(beside)
    assert record["run_id"] in set(gpd.read_file(screened_town.out("SCREENED"))["run_id"])
    assert record["parameters"]["WATER_BODIES"] == [
        f"{screened_town.folder}/sample.gpkg|layername=water_bodies"
    ]
    assert {"QGIS", "GEOS", "GDAL", "PROJ"} <= set(record["versions"])
    (dem,) = record["rasters"]
    assert dem["bytes"] == (screened_town.folder / "dem.tif").stat().st_size


def test_sites_in_another_format_have_the_record_beside_them_only(
    qgis_processing: object, tmp_path: Path
) -> None:
    import processing

    given = {"SITES": f"{SAMPLE}/sample.gpkg|layername=lots", "SCREENED": str(tmp_path / "s.fgb")}
    processing.run("stormwater:screensites", given)
    assert json.loads((tmp_path / "s.record.json").read_text("utf-8"))["counts"]["SITE_COUNT"] == 56


def test_a_run_that_cannot_write_leaves_no_record(qgis_processing: object, tmp_path: Path) -> None:
    import processing
    from qgis.core import QgsProcessingException

    given = {
        "SITES": f"{SAMPLE}/sample.gpkg|layername=lots",
        "SCREENED": str(tmp_path / "s.gpkg"),
        "SUMMARY": str(tmp_path / "no" / "page.html"),
    }
    with pytest.raises(QgsProcessingException):
        processing.run("stormwater:screensites", given)
    assert list(tmp_path.iterdir()) == []


# Verification.


def test_a_run_made_again_has_no_difference(town: Town) -> None:
    done, told = town.verify()
    assert (done["DIFFERENCE_COUNT"], done["CHANGED_SITES"], told) == (0, "", [])


def test_a_moved_vertex_is_found_with_its_feature_and_its_site(town: Town) -> None:
    lots = gpd.read_file(town.folder / "sample.gpkg", layer="lots")
    moved = lots.geometry.scale(1.01, 1.0).where(lots["lot"] == "L05", lots.geometry)
    place = int(lots.index[lots["lot"] == "L05"][0])
    from osgeo import gdal, ogr

    with gdal.ExceptionMgr():
        data = gdal.OpenEx(str(town.folder / "sample.gpkg"), gdal.OF_VECTOR | gdal.OF_UPDATE)
        layer = data.GetLayerByName("lots")
        feature = next(one for one in layer if one["lot"] == "L05")
        feature.SetGeometry(ogr.CreateGeometryFromWkb(moved.iloc[place].wkb))
        layer.SetFeature(feature)
        data.Close()
    done, told = town.verify()
    assert f"layer: SITES: lots: 1 of 56 features changed: feature {place + 1}" in told
    assert done["CHANGED_SITES"] == str(place + 1)


def test_a_changed_threshold_is_found_with_the_sites_that_it_touches(town: Town) -> None:
    law = town.folder / "law.toml"
    text = law.read_text("utf-8")
    start = text.index("[rule.LG-MN1]")
    law.write_text(
        text[:start] + text[start:].replace("value = 15000", "value = 14000", 1), "utf-8"
    )
    done, told = town.verify()
    assert any(one.startswith("law: the rules file law.toml changed") for one in told)
    assert "site: class: minor before, major now" in told
    assert "5" in done["CHANGED_SITES"].split(",")  # L05 disturbs 14,999 sq ft


def test_a_new_soil_row_is_found(town: Town) -> None:
    from osgeo import gdal, ogr

    with gdal.ExceptionMgr():
        data = gdal.OpenEx(str(town.folder / "sample.gpkg"), gdal.OF_VECTOR | gdal.OF_UPDATE)
        layer = data.GetLayerByName("soils")
        count = layer.GetFeatureCount()
        new = ogr.Feature(layer.GetLayerDefn())
        new.SetFrom(layer.GetNextFeature())
        new.SetFID(-1)
        layer.CreateFeature(new)
        data.Close()
    _, told = town.verify()
    assert f"layer: SOILS: soils: {count} features before, {count + 1} now: 0 gone" in "".join(told)
    assert "layer: SOILS: soils: other features" in told


def test_a_class_changed_by_hand_is_found(town: Town) -> None:
    with sqlite3.connect(town.out("SCREENED")) as database:
        for (name,) in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            database.execute(f'DROP TRIGGER "{name}"')
        database.execute("UPDATE screened SET class = 'exempt' WHERE row = 7")
    database.close()
    done, told = town.verify()
    assert done["CHANGED_SITES"] == "7"
    assert "table: columns or findings of the site were changed after the run" in told


def test_without_a_record_nothing_is_verified_and_the_message_says_what_is_needed(
    town: Town, tmp_path: Path
) -> None:
    import processing
    from qgis.core import QgsProcessingException

    sites = gpd.read_file(town.out("SCREENED"))
    sites.to_file(tmp_path / "alone.gpkg")
    given = {**town.outputs("FINDINGS"), "SCREENED": str(tmp_path / "alone.gpkg")}
    with pytest.raises(QgsProcessingException, match=r"RECORD: no record in or beside alone.gpkg"):
        processing.run("stormwater:verifyrun", given)


# Reports.


def test_every_site_has_a_page_and_a_pdf_and_the_index_links_them(reports: Path) -> None:
    names = {path.name for path in reports.iterdir()}
    assert len([name for name in names if name.endswith(".pdf")]) == 56
    assert names >= {"index.html", "queue.csv", "record.json", "0005_L05.html", "0005_L05.pdf"}
    index = (reports / "index.html").read_text("utf-8")
    assert all(f'href="{name}"' in index for name in names if name.startswith("0"))


def test_a_page_needs_no_other_file_and_its_map_has_words(reports: Path) -> None:
    page = (reports / "0005_L05.html").read_text("utf-8")
    assert 'src="data:image/png;base64,' in page
    assert "http" not in page.split("base64")[0]
    assert 'alt="Map of site L05, about ' in page
    assert "Contours every" in page


def test_a_simple_lot_fills_two_pages_at_most(reports: Path) -> None:
    assert (reports / "0005_L05.pdf").read_bytes().count(b"/Type /Page\n") <= 2


def test_markup_and_formulas_in_ids_stay_text_in_every_file(reports: Path) -> None:
    for path in reports.glob("*.html"):
        assert "<script" not in path.read_text("utf-8"), path.name
    table = (reports / "queue.csv").read_text("utf-8")
    assert "'=HYPERLINK" in table
    assert '"=HYPERLINK' not in table


def test_only_the_files_asked_for_are_made(town: Town) -> None:
    names = {path.suffix for path in town.report("pages", FORMATS="html").iterdir()}
    assert names == {".html", ".csv", ".json"}


def test_reports_replace_reports_but_no_other_folder(town: Town) -> None:
    from qgis.core import QgsProcessingException

    place = town.report("twice", FORMATS="html")
    (place / "old.html").write_text("old")
    town.report("twice", FORMATS="html")
    assert not (place / "old.html").exists()
    other = town.folder / "mine"
    other.mkdir()
    (other / "thesis.txt").write_text("years of work")
    with pytest.raises(QgsProcessingException, match=r"mine holds thesis.txt"):
        town.report("mine")
    assert (other / "thesis.txt").read_text() == "years of work"


def test_a_folder_in_which_an_input_lies_is_refused(town: Town) -> None:
    from qgis.core import QgsProcessingException

    (town.folder / "out" / "index.html").write_text("")
    shutil.copy(town.folder / "out" / "screened.record.json", town.folder / "out" / "record.json")
    with pytest.raises(QgsProcessingException, match=r"is read and lies in"):
        town.report("out")
    assert town.out("SCREENED").exists()


def test_a_cancelled_run_leaves_nothing(town: Town) -> None:
    import processing
    from qgis.core import QgsProcessingException, QgsProcessingFeedback

    class Impatient(QgsProcessingFeedback):
        def setProgress(self, percent: float) -> None:  # noqa: N802
            if percent > 30:
                self.cancel()

    given = {**town.outputs("SCREENED", "FINDINGS"), "REPORTS": str(town.folder / "stopped")}
    before = set(town.folder.iterdir())
    feedback = Impatient()
    feedback.progressChanged.connect(lambda percent: percent > 30 and feedback.cancel())
    with pytest.raises(QgsProcessingException, match="Cancelled"):
        processing.run("stormwater:sitereports", given, feedback=feedback)
    assert set(town.folder.iterdir()) == before


def decisions(folder: Path, reason: str) -> str:
    path = folder / "decisions.csv"
    path.write_text(
        "site,rule,outcome,reason,who,date\n"
        f'L05,class,major,"{reason}",Planning Board,2025-07-01\n',
        "utf-8",
    )
    return str(path)


def test_the_report_shows_the_answers_of_program_and_board(town: Town, tmp_path: Path) -> None:
    table = decisions(tmp_path, "A steep drive & <b>no</b> room")
    place = town.report("board", FORMATS="html", OVERRIDES=table)
    page = (place / "0005_L05.html").read_text("utf-8")
    assert "Minor project" in page
    assert "Decisions of the board" in page
    assert "A steep drive &amp; &lt;b&gt;no&lt;/b&gt; room" in page


def test_a_decision_without_a_reason_stops_the_run(town: Town, tmp_path: Path) -> None:
    from qgis.core import QgsProcessingException

    with pytest.raises(QgsProcessingException, match=r"OVERRIDES, row 1: no reason"):
        town.report("none", OVERRIDES=decisions(tmp_path, " "))
    assert not (town.folder / "none").exists()


@pytest.mark.slow
def test_reports_are_made_by_qgis_process(town: Town, tmp_path: Path) -> None:
    given = [f"--{name}={place}" for name, place in town.outputs("SCREENED", "FINDINGS").items()]
    done = subprocess.run(
        ["qgis_process", "run", "stormwater:sitereports", *given, f"--REPORTS={tmp_path}/reports"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "56 reports" in done.stdout
    assert (tmp_path / "reports" / "index.html").is_file()
