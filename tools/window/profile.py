"""A QGIS profile as on the first day, with the plugin in it."""

from __future__ import annotations

import shutil
from pathlib import Path

PLUGIN = "stormwater_screening"
# News, tips and the question about older profiles would lie over the window.
SETTINGS = """\
[PythonPlugins]
processing=true
{plugin}=true

[core]
NewsFeed\\disabled=true

[app]
fontPointSize=10

[locale]
overrideFlag=true
userLocale=en_US

[qgis]
checkVersion=false
showTips{version}=false
askToSaveMemoryLayers=false
stylesheet\\fontPointSize=10

[Projections]
defaultBehavior=useProject
"""


def fresh_profile(folder: Path, plugin: Path, *, version: str, copy: bool = False) -> Path:
    """Make a profile in ``folder`` with the plugin linked or copied, and return its plugin folder.

    ``version`` is that of QGIS without dots and patch level, such as ``340``.
    """
    profile = folder / "profiles" / "default"
    target = profile / "python" / "plugins" / PLUGIN
    target.parent.mkdir(parents=True)
    if copy:
        shutil.copytree(plugin, target)
    else:
        target.symlink_to(plugin, target_is_directory=True)
    settings = profile / "QGIS" / "QGIS3.ini"
    settings.parent.mkdir(parents=True)
    settings.write_text(SETTINGS.format(plugin=PLUGIN, version=version), encoding="utf-8")
    return target


def hide_packages(folder: Path, *packages: str) -> None:
    """Write a start file for Python to ``folder`` that lets it find none of the packages.

    With the folder first in ``PYTHONPATH``, QGIS finds itself on a machine without them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sitecustomize.py").write_text(
        f"""\
from importlib.machinery import PathFinder

HIDDEN = {packages!r}
_find = PathFinder.find_spec


def find_spec(name, path=None, target=None):
    return None if name.partition(".")[0] in HIDDEN else _find(name, path, target)


PathFinder.find_spec = staticmethod(find_spec)
""",
        encoding="utf-8",
    )
