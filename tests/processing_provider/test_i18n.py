"""Every text that the window shows can be translated, and no name that scripts use is."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from geopandas import GeoDataFrame
from qgis.core import QgsProcessingException, QgsProcessingFeedback, QgsProcessingParameterEnum
from qgis.PyQt.QtCore import QCoreApplication, QSettings, QTranslator
from stormwater_screening.processing_provider import i18n
from stormwater_screening.processing_provider.provider import ALGORITHMS, StormwaterProvider
from stormwater_screening.stormwater_screen.layers import Layer
from stormwater_screening.stormwater_screen.reading import named_field

ROOT = Path(__file__).parents[2]


class EveryText(QTranslator):
    """Puts marks around every text of the plugin and keeps what it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[str] = set()

    def translate(self, context: str, text: str, *_: Any) -> str:
        if context != i18n.CONTEXT:
            return ""
        self.asked.add(text)
        return f"«{text}»"

    def isEmpty(self) -> bool:  # noqa: N802 (the name that Qt calls)
        return False


@pytest.fixture
def language(qgis_app: object) -> Iterator[EveryText]:
    translator = EveryText()
    QCoreApplication.installTranslator(translator)
    yield translator
    QCoreApplication.removeTranslator(translator)


def names(algorithm: Any) -> list[str]:
    """Return what models and scripts use of an algorithm."""
    found = [algorithm.name(), algorithm.groupId(), *algorithm.tags()]
    for definition in algorithm.parameterDefinitions():
        found.append(definition.name())
        if isinstance(definition, QgsProcessingParameterEnum):
            found += definition.options()
    return found + [output.name() for output in algorithm.outputDefinitions()]


def texts(algorithm: Any) -> dict[str, str]:
    """Return what the window shows of an algorithm, line by line."""
    found = {
        "name": algorithm.displayName(),
        "group": algorithm.group(),
        "short description": algorithm.shortDescription(),
    }
    for number, line in enumerate(algorithm.shortHelpString().split("\n")):
        if line.strip():
            found[f"help line {number}"] = line
    for definition in algorithm.parameterDefinitions():
        found[f"label of {definition.name()}"] = definition.description()
        found[f"help of {definition.name()}"] = definition.help()
    for output in algorithm.outputDefinitions():
        found[f"label of output {output.name()}"] = output.description()
    return found


@pytest.mark.parametrize("kind", ALGORITHMS, ids=lambda kind: kind.NAME)
def test_every_text_of_an_algorithm_is_translated(kind: type, language: EveryText) -> None:
    algorithm = kind()
    algorithm.initAlgorithm()
    shown = {place: text for place, text in texts(algorithm).items() if text}
    assert not {place: text for place, text in shown.items() if "«" not in text}


@pytest.mark.parametrize("kind", ALGORITHMS, ids=lambda kind: kind.NAME)
def test_no_name_of_an_algorithm_is_translated(kind: type, language: EveryText) -> None:
    algorithm = kind()
    algorithm.initAlgorithm()
    assert not [name for name in names(algorithm) if "«" in name]


def test_all_texts_that_are_asked_for_stand_in_the_template(
    language: EveryText, user_texts: ModuleType
) -> None:
    provider = StormwaterProvider()
    provider.name()
    for kind in ALGORITHMS:
        algorithm = kind()
        algorithm.initAlgorithm()
        texts(algorithm)
    assert len(language.asked) > 150
    assert not language.asked - set(user_texts.translatable(ROOT))


def test_no_translatable_text_carries_a_name_of_a_column_or_parameter(
    user_texts: ModuleType,
) -> None:
    found = user_texts.translatable(ROOT)
    assert user_texts.code_problems(found, user_texts.parameter_names(ROOT)) == []


@pytest.mark.parametrize(
    "path",
    sorted((ROOT / "processing_provider").rglob("*.py")),
    ids=lambda path: path.stem,
)
def test_no_text_of_a_module_is_shown_without_translation(
    path: Path, user_texts: ModuleType
) -> None:
    assert user_texts.unmarked_problems(path) == []


def test_an_error_of_the_core_is_told_in_the_language_of_the_window(
    language: EveryText, user_texts: ModuleType
) -> None:
    algorithm = next(kind for kind in ALGORITHMS if kind.NAME == "screensites")()
    lots = [Layer("SITES", "lots", GeoDataFrame({"lot": []}, geometry=[]), None, 0, "")]

    with (
        pytest.raises(QgsProcessingException) as caught,
        algorithm.guarded(QgsProcessingFeedback()),
    ):
        named_field("SITE_ID", "pin", lots)

    told = "SITE_ID: «no field pin». Needed: «one of the fields of lots: lot»."
    assert str(caught.value) == f"«{told}»"
    assert {"no field {}", "one of the fields of {}"} <= set(user_texts.translatable(ROOT))


def test_codes_come_out_as_they_went_in(language: EveryText) -> None:
    assert i18n.tr_text("The column `settle` of cond_a.\n\nMore.") == (
        "«The column settle of cond_a.»\n\n«More.»"
    )
    assert language.asked == {"The column {0} of {1}.", "More."}


def test_a_translation_may_turn_the_order_of_codes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(i18n, "tr", lambda text: "zuerst {1}, dann {0}")
    assert i18n.tr_text("`a` before `b`") == "zuerst b, dann a"


def test_plugin_speaks_the_language_of_the_window(
    qgis_app: object,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    tool: Callable[..., ModuleType],
) -> None:
    template = tool("translations").template(ROOT)
    filled = template.replace(
        '<source>Screen sites</source>\n        <translation type="unfinished"></translation>',
        "<source>Screen sites</source>\n        <translation>Revisar predios</translation>",
    )
    assert filled != template
    source = tmp_path / "stormwater_screening_es.ts"
    source.write_text(filled, encoding="utf-8")
    subprocess.run(["lrelease", "-silent", str(source)], check=True)
    monkeypatch.setattr(i18n, "FOLDER", tmp_path)
    monkeypatch.setattr(QSettings, "value", lambda *_: "es_MX")
    translator = i18n.translator()
    assert translator is not None
    QCoreApplication.installTranslator(translator)
    try:
        screensites = next(kind for kind in ALGORITHMS if kind.NAME == "screensites")()
        assert screensites.displayName() == "Revisar predios"
        assert screensites.name() == "screensites"
    finally:
        QCoreApplication.removeTranslator(translator)


def test_english_stays_where_there_is_no_translation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QSettings, "value", lambda *_: "fi")
    assert i18n.translator() is None
