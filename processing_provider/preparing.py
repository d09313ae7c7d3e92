"""What the algorithms that prepare layers of agencies share."""

from __future__ import annotations

from importlib import import_module
from typing import Any, ClassVar

from qgis.core import QgsProcessingContext, QgsProcessingFeedback, QgsProcessingOutputNumber

from .base import ScreeningAlgorithm
from .i18n import tr


class PreparationAlgorithm(ScreeningAlgorithm):
    """Raw layers in, layers for a screening out, and the number of rows of each.

    Attributes
    ----------
    KINDS
        Dimension of the geometries of each output by its name; None: a table.
    PREPARATION
        Name of the function of `preparations` that does it.
    """

    GROUP = "Preparation"
    KINDS: ClassVar[dict[str, int | None]]
    PREPARATION: ClassVar[str]

    def add_counts(self) -> None:
        """Add the numbers of rows to the outputs."""
        for name in self.KINDS:
            label = tr("Rows of {}").format(name)
            self.addOutput(QgsProcessingOutputNumber(f"{name}_COUNT", label))

    def processAlgorithm(
        self,
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        feedback: QgsProcessingFeedback,
    ) -> dict[str, Any]:
        with self.guarded(feedback):
            # Imported here, so that the provider loads where the core's packages are missing.
            from .preparation import run_preparation

            preparations = import_module(".preparations", __package__)
            prepare = getattr(preparations, self.PREPARATION)
            return run_preparation(self, parameters, context, feedback, self.KINDS, prepare)
