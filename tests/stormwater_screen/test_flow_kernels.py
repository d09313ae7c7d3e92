from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from stormwater_screen.dem import Piece, bilinear
from stormwater_screen.flow_kernels import cell_means

CORE = Path(__file__).resolve().parents[2] / "stormwater_screen"

SCRIPT = """
import sys
import numpy as np
sys.path.insert(0, {folder!r})
from {package}.flow_kernels import fill
filled, _ = fill(np.full((5, 5), 7, np.float32), np.arange(5))
assert (filled == 7).all()
"""


def test_what_is_compiled_for_the_plugin_is_not_taken_for_the_command_line(tmp_path: Path) -> None:
    # The same files under two names, as QGIS and Python know them.
    plugin = tmp_path / "stormwater_somewhere"
    plugin.mkdir()
    (plugin / "__init__.py").write_text("")
    (plugin / "stormwater_screen").symlink_to(CORE)
    empty = tmp_path / "empty"
    empty.mkdir()
    named = [(tmp_path, "stormwater_somewhere.stormwater_screen"), (CORE.parent, CORE.name)]
    for folder, package in [*named, *named]:
        script = SCRIPT.format(folder=str(folder), package=package)
        # From an empty folder, so that only one of the two names can be found.
        run = subprocess.run(
            [sys.executable, "-c", script], cwd=empty, capture_output=True, text=True, check=False
        )
        assert not run.returncode, run.stderr


def test_where_no_folder_can_be_written_compiled_code_goes_to_a_temporary_one(
    tmp_path: Path,
) -> None:
    # A file in place of each folder that numba would make stops the superuser too.
    package = tmp_path / CORE.name
    shutil.copytree(CORE, package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "__pycache__").write_text("")
    (tmp_path / "home").write_text("")
    (tmp_path / "tmp").mkdir()
    nowhere = str(tmp_path / "home" / "none")
    own = {"HOME": nowhere, "XDG_CACHE_HOME": nowhere, "TMPDIR": str(tmp_path / "tmp")}
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(folder=str(tmp_path), package=CORE.name)],
        cwd=tmp_path,
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not run.returncode, run.stderr
    assert not list((tmp_path / "tmp").iterdir())


@pytest.mark.parametrize("samples", [1, 3, 5])
def test_the_mean_of_a_cell_is_that_of_bilinear_elevations_in_it(samples: int) -> None:
    rng = np.random.default_rng(samples)
    ground = rng.uniform(100, 200, (40, 50))
    ground[rng.integers(0, 40, 60), rng.integers(0, 50, 60)] = np.nan
    corner = (1_000, 70)
    # A lattice of 9 by 11 cells, turned by some degrees, which reaches beyond the raster.
    turned = np.array([[-3.9, 0.4], [0.5, 4.1]])
    north, east = np.meshgrid(np.arange(9), np.arange(11), indexing="ij")
    places = np.stack([1_020.0 + turned[0, 0] * north, 72.0 + turned[1, 1] * east])
    places += np.stack([turned[0, 1] * east, turned[1, 0] * north])
    scales = np.broadcast_to(turned[:, :, None, None], (2, 2, 9, 11)).copy()
    down = (np.arange(samples) + 0.5) / samples - 0.5
    means = cell_means(ground, corner, places, scales, down, down)
    piece = Piece(np.arange(1), ground, *corner)
    for i, j in np.ndindex(9, 11):
        offset = turned @ np.stack([a.ravel() for a in np.meshgrid(down, down, indexing="ij")])
        levels = bilinear(piece, places[0, i, j] + offset[0], places[1, i, j] + offset[1])
        known = np.isfinite(levels)
        if known.sum() > samples**2 / 2:
            assert means[i, j] == pytest.approx(levels[known].mean(), abs=1e-4)
        else:
            assert np.isnan(means[i, j])
    assert 20 < np.isnan(means).sum() < 79


def test_an_elevation_exactly_on_a_cell_needs_no_neighbour() -> None:
    ground = np.full((3, 3), np.nan)
    ground[1, 1] = 7.0
    still = np.zeros((2, 2, 1, 1))
    for row, column, expected in [(1.0, 1.0, 7.0), (1.0 + 1e-9, 1.0, 7.0), (1.1, 1.0, np.nan)]:
        places = np.array([row, column]).reshape(2, 1, 1)
        middle = np.zeros(1)
        means = cell_means(ground, (0, 0), places, still, middle, middle)
        assert np.array_equal(means, [[np.float32(expected)]], equal_nan=True)
