"""The environment of tools/qgis: one set of libraries, the caller's files, the plugin."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def in_environment(*command: str, **options: object) -> str:
    """Run a command through tools/qgis and return what it prints."""
    done = subprocess.run(
        [str(ROOT / "tools" / "qgis"), *command],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        **options,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def odd_folder() -> Iterator[Path]:
    """Make a folder with a space and an accent in its name, outside the clone."""
    with tempfile.TemporaryDirectory(prefix="a town's földer ", dir="/var/tmp") as folder:
        yield Path(folder)


def test_shapely_and_qgis_share_geos() -> None:
    import shapely
    from qgis.core import Qgis

    assert Qgis.geosVersion().split("-")[0] == shapely.geos_version_string.split("-")[0]


def test_rasterio_fiona_pyogrio_and_qgis_share_gdal() -> None:
    import fiona
    import pyogrio
    import rasterio
    from osgeo import gdal

    ours = gdal.VersionInfo("RELEASE_NAME")
    assert rasterio.__gdal_version__ == ours
    assert fiona.__gdal_version__ == ours
    assert pyogrio.__gdal_version_string__ == ours


def test_only_one_copy_of_each_library_is_loaded() -> None:
    script = (
        "import fiona, geopandas, pyogrio, pyproj, rasterio, re, shapely, qgis.core;"
        "maps = open('/proc/self/maps').read();"
        "print(*sorted(set(re.findall(r'(/\\S*/lib(?:geos|geos_c|gdal|proj)[-.]\\S*)', maps))))"
    )
    loaded = in_environment("python3", "-c", script).split()
    names = [Path(path).name.split(".so")[0] for path in loaded]
    assert sorted(names) == sorted(set(names)), loaded
    assert all(path.startswith("/usr/lib/") for path in loaded), loaded


def test_pyproj_and_qgis_share_proj_and_its_database() -> None:
    import pyproj
    from qgis.core import QgsProjUtils

    ours = (QgsProjUtils.projVersionMajor(), QgsProjUtils.projVersionMinor())
    assert ours == tuple(int(part) for part in pyproj.proj_version_str.split(".")[:2])
    assert pyproj.datadir.get_data_dir() in [p.rstrip("/") for p in QgsProjUtils.searchPaths()]


def test_qgis_is_3_40_or_newer() -> None:
    from qgis.core import Qgis

    assert Qgis.versionInt() >= 34000


def test_standard_input_is_passed_on() -> None:
    assert in_environment("cat", input="a line\n") == "a line\n"


def test_exit_code_and_standard_error_are_passed_on() -> None:
    done = subprocess.run(
        [str(ROOT / "tools" / "qgis"), "bash", "-c", "echo why >&2; exit 7"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (7, "", "why\n")


def test_arguments_with_spaces_and_quotes_arrive_unchanged() -> None:
    words = ["a b", "it's", '"', "$HOME", "*", ""]
    assert in_environment("printf", "%s\\n", *words) == "".join(f"{word}\n" for word in words)


def test_file_in_an_odd_folder_is_read_and_written_at_its_own_path(odd_folder: Path) -> None:
    (odd_folder / "in.txt").write_text("seen\n", encoding="utf-8")
    in_environment("cp", str(odd_folder / "in.txt"), str(odd_folder / "out.txt"))
    assert (odd_folder / "out.txt").read_text(encoding="utf-8") == "seen\n"


def test_caller_s_folder_stays_the_working_folder(odd_folder: Path) -> None:
    assert in_environment("pwd", cwd=odd_folder) == f"{odd_folder}\n"


def test_variables_that_would_mix_libraries_are_cleared() -> None:
    caller = os.environ | {
        "PYTHONHOME": "/nowhere",
        "GDAL_DATA": "/nowhere",
        "PROJ_LIB": "/nowhere",
        "LD_LIBRARY_PATH": "/nowhere",
    }
    seen = in_environment("env", env=caller)
    assert "/nowhere" not in seen
    assert "LC_ALL=C.UTF-8" in seen.splitlines()


def test_configuration_folder_is_not_the_user_s() -> None:
    folder = Path(os.environ["QGIS_CUSTOM_CONFIG_PATH"])
    plugin = folder / "profiles/default/python/plugins/stormwater_screening"
    assert plugin.resolve() == ROOT
    assert not folder.is_relative_to(Path.home() / ".local")


def test_qgis_process_lists_the_provider() -> None:
    listing = json.loads(in_environment("qgis_process", "--json", "list"))
    assert listing["providers"]["stormwater"]["name"] == "Stormwater Site Screening"
    assert listing["providers"]["stormwater"]["is_active"]


def test_qgis_process_enables_the_plugin() -> None:
    listing = json.loads(in_environment("qgis_process", "--json", "plugins"))
    assert listing["plugins"]["stormwater_screening"]["loaded"]
