from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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
