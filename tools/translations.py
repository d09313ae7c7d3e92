"""Write the template for translators: ``resources/i18n/stormwater_screening.ts``.

A translation is a copy named ``stormwater_screening_LANGUAGE.ts``, filled with Qt Linguist and made
into a ``.qm`` beside it with ``lrelease``; the plugin loads it where QGIS speaks that language.
"""

from __future__ import annotations

import sys
from pathlib import Path
from xml.sax.saxutils import escape

from plugin_checks.user_texts import translatable

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = ROOT / "resources" / "i18n" / "stormwater_screening.ts"
HEAD = """\
<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" sourcelanguage="en">
<context>
    <name>StormwaterScreening</name>
"""
MESSAGE = """\
    <message>
        <source>{}</source>
        <translation type="unfinished"></translation>
    </message>
"""
TAIL = "</context>\n</TS>\n"


def template(root: Path = ROOT) -> str:
    """Return the template as text."""
    quoted = (escape(text, {'"': "&quot;", "'": "&apos;"}) for text in translatable(root))
    return HEAD + "".join(MESSAGE.format(text) for text in quoted) + TAIL


def main() -> int:
    """Write the template and return the exit code."""
    text = template()
    TEMPLATE.parent.mkdir(parents=True, exist_ok=True)
    TEMPLATE.write_text(text, encoding="utf-8")
    print(f"{TEMPLATE.relative_to(ROOT)}: {text.count('<message>')} texts")
    return 0


if __name__ == "__main__":
    sys.exit(main())
