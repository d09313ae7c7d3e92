"""Translation of the texts that users read; ids, column names and words of the laws stay as is."""

from __future__ import annotations

import re
from pathlib import Path

from qgis.PyQt.QtCore import QCoreApplication, QLocale, QSettings, QTranslator

from ..stormwater_screen.errors import Said

CONTEXT = "StormwaterScreening"
FOLDER = Path(__file__).parent.parent / "resources" / "i18n"
# A word with an underscore is a name in any case.
_CODE = re.compile(r"`([^`]+)`|(?<![\w`])(\w+_\w*)(?![\w`])")


def tr(text: str) -> str:
    """Return ``text`` in the language of the QGIS window."""
    return QCoreApplication.translate(CONTEXT, text)


def mark(text: str) -> str:
    """Return ``text`` as it is; it is translated where it is shown, not where it is written."""
    return text


def tr_said(text: str) -> str:
    """Return a text of the core in the language of the window, where the core made it for that."""
    return tr(text.template).format(*text.values) if isinstance(text, Said) else text


def tr_text(text: str) -> str:
    """Return a text of several lines in the language of the window, translated line by line.

    What stands between backticks, and a word with an underscore, is a code: parameter names, column
    names, words of the laws. Translators see a number in its place, and it comes out as it went in.
    """
    return "\n".join(_tr_line(line) for line in text.split("\n"))


def _tr_line(line: str) -> str:
    template, codes = split_codes(line)
    # Qt takes an empty text for the header of a translation.
    translated = tr(template) if template.strip() else template
    return (
        re.sub(r"\{(\d+)\}", lambda place: codes[int(place[1])], translated)
        if codes
        else translated
    )


def split_codes(line: str) -> tuple[str, list[str]]:
    """Return a line with numbered places for its codes, and the codes."""
    codes: list[str] = []

    def place(code: re.Match[str]) -> str:
        codes.append(code[1] or code[2])
        return "{" + str(len(codes) - 1) + "}"

    return _CODE.sub(place, line), codes


def translator() -> QTranslator | None:
    """Return the translation for the language of the window, if the plugin has one."""
    own = QSettings().value("locale/userLocale", "") or QLocale.system().name()
    found = QTranslator()
    loaded = any(
        found.load(str(FOLDER / f"stormwater_screening_{name}.qm")) for name in (own, own[:2])
    )
    return found if loaded else None
