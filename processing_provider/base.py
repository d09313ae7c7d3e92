"""What all algorithms of the provider share."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from qgis.core import (
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterEnum,
    QgsProcessingParameterNumber,
    QgsProperty,
)
from qgis.PyQt.QtGui import QIcon

from ..stormwater_screen.errors import CancelledError, InputError, ScreeningError
from .background import keep_projections_usable
from .dependencies import import_quietly
from .dependencies import message as missing_packages_message
from .i18n import tr, tr_said, tr_text
from .interrupt import cancelled_by_signals

SHARED_HELP = "screensites"
RESOURCES = Path(__file__).parent.parent / "resources"
HELP_URL = "https://example.org/stormwater-site-screening/docs"


@cache
def help_texts(name: str) -> dict[str, Any]:
    """Return the help of an algorithm: ``short``, ``text`` and the table ``parameters``."""
    return tomllib.loads((RESOURCES / "help" / f"{name}.toml").read_text("utf-8"))


class ScreeningAlgorithm(QgsProcessingAlgorithm):
    """Identity from class constants, help from ``resources/help/<name>.toml``, guarded runs."""

    NAME: ClassVar[str]
    GROUP: ClassVar[str]
    TAGS: ClassVar[tuple[str, ...]] = ()

    def name(self) -> str:
        return self.NAME

    def group(self) -> str:
        return tr(self.GROUP)

    def groupId(self) -> str:
        return self.GROUP.lower()

    def tags(self) -> list[str]:
        return list(self.TAGS)

    def icon(self) -> QIcon:
        return QIcon(self.svgIconPath())

    def svgIconPath(self) -> str:
        return str(RESOURCES / "icons" / f"{self.NAME}.svg")

    def helpUrl(self) -> str:
        return f"{HELP_URL}/{self.NAME}"

    def shortDescription(self) -> str:
        return tr_text(help_texts(self.NAME)["short"])

    def shortHelpString(self) -> str:
        return tr_text(help_texts(self.NAME)["text"])

    def createInstance(self) -> ScreeningAlgorithm:
        return type(self)()

    def canExecute(self) -> tuple[bool, str]:
        problem = missing_packages_message()
        return not problem, problem

    def add_with_help(self, *parameters: QgsProcessingParameterDefinition) -> None:
        """Add parameters, each with its help; lists the words of an enum, which QGIS does not."""
        # Parameters that several algorithms share are told in the same words.
        texts = {**help_texts(SHARED_HELP)["parameters"], **help_texts(self.NAME)["parameters"]}
        for parameter in parameters:
            text = tr_text(texts[parameter.name()])
            if isinstance(parameter, QgsProcessingParameterEnum):
                text += " " + tr("Words: {}.").format(", ".join(parameter.options()))
            parameter.setHelp(text)
            name = parameter.name()
            if not self.addParameter(parameter):
                raise ValueError(f"{self.NAME}: the parameter {name} is there already")

    def checkParameterValues(
        self, parameters: dict[str, Any], context: QgsProcessingContext
    ) -> tuple[bool, str]:
        """Refuse names that are no parameter, words that an enum does not have, and NaN."""
        problem = (
            self._unknown_name(parameters)
            or self._unknown_word(parameters)
            or self._no_number(parameters)
        )
        if problem:
            return False, problem
        return super().checkParameterValues(parameters, context)

    @contextmanager
    def guarded(self, feedback: QgsProcessingFeedback) -> Iterator[None]:
        """Check the packages, take Ctrl-C, and turn errors of the core into one of Processing."""
        problem = missing_packages_message()
        if problem:
            raise QgsProcessingException(problem)
        import_quietly()
        keep_projections_usable()
        try:
            with cancelled_by_signals(feedback):
                yield
        except CancelledError as error:
            raise QgsProcessingException(tr("Cancelled. Nothing was written.")) from error
        except InputError as error:
            found, needed = tr_said(error.found), tr_said(error.needed)
            text = tr("{}: {}. Needed: {}.").format(error.where, found, needed)
            raise QgsProcessingException(text) from error
        except ScreeningError as error:
            raise QgsProcessingException(str(error)) from error

    def _unknown_name(self, parameters: Mapping[str, Any]) -> str:
        names = [definition.name() for definition in self.parameterDefinitions()]
        unknown = sorted(set(parameters) - set(names))
        if not unknown:
            return ""
        near = difflib.get_close_matches(unknown[0].upper(), names, 1, 0.5)
        hint = tr(" Did you mean {}?").format(near[0]) if near else ""
        return tr("{}: no parameter of this name.").format(unknown[0]) + hint

    def _unknown_word(self, parameters: Mapping[str, Any]) -> str:
        for definition in self.parameterDefinitions():
            value = parameters.get(definition.name())
            if not isinstance(definition, QgsProcessingParameterEnum) or value in (None, ""):
                continue
            # Models and data-defined values come as properties and are looked at when they run.
            if not isinstance(value, QgsProperty) and value not in definition.options():
                return tr("{}: {!r} found. Needed: one of {}.").format(
                    definition.name(), value, ", ".join(definition.options())
                )
        return ""

    def _no_number(self, parameters: Mapping[str, Any]) -> str:
        # QGIS takes the text `nan` for a number, and nothing is beyond an error of NaN.
        for definition in self.parameterDefinitions():
            value = parameters.get(definition.name())
            if not isinstance(definition, QgsProcessingParameterNumber):
                continue
            if isinstance(value, str | float) and str(value).strip().lower().endswith("nan"):
                return tr("{}: {} found. Needed: a number.").format(definition.name(), value)
        return ""


def progress_of(
    feedback: QgsProcessingFeedback, start: float = 0.0, end: float = 1.0
) -> Callable[[float], None]:
    """Return a function that takes 0 to 1, shows it between two shares, and stops when cancelled.

    Raises
    ------
    CancelledError
        From the function returned, when the user stopped the run.
    """

    def progress(share: float) -> None:
        if feedback.isCanceled():
            raise CancelledError("Cancelled")
        feedback.setProgress(100.0 * (start + (end - start) * share))

    return progress


class Pieces:
    """A look at the feedback after each piece of work, which moves the bar on.

    Parameters
    ----------
    progress
        Takes the share that is done; stops when cancelled.

    Attributes
    ----------
    expected
        Sum of the weights of all pieces.
    weight
        Weight of the next pieces.
    """

    def __init__(self, progress: Callable[[float], None]) -> None:
        self._progress, self._done = progress, 0
        self.expected, self.weight = 1, 1

    @property
    def share(self) -> float:
        """Share of the pieces that are done."""
        return min(1.0, self._done / self.expected)

    def __call__(self) -> None:
        self._progress(self.share)
        self._done += self.weight
