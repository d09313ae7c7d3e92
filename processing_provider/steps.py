"""What the steps share: sites in, the same sites with the columns of some measures out."""

from __future__ import annotations

from typing import Any, ClassVar

from qgis.core import (
    Qgis,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingOutputNumber,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterFeatureSink,
)

from ..stormwater_screen.columns import LINE_COLUMNS, ZONE_COLUMNS, columns_of
from .base import ScreeningAlgorithm
from .i18n import tr, tr_text
from .parameters import advanced


class StepAlgorithm(ScreeningAlgorithm):
    """A step of the screening that runs alone and in chains."""

    GROUP = "Measures"
    STEPS: ClassVar[tuple[str, ...]]
    STYLE: ClassVar[str]
    ZONES: ClassVar[str] = ""
    LINES: ClassVar[str] = ""

    def shortHelpString(self) -> str:
        parts = [super().shortHelpString(), tr("Columns added to the sites:")]
        parts += [f"{column.name}: {tr_text(column.meaning)}" for column in columns_of(*self.STEPS)]
        for title, columns in ((self.ZONES, ZONE_COLUMNS), (self.LINES, LINE_COLUMNS)):
            if title:
                parts.append(tr("Columns of {}:").format(tr(title)))
                parts += [f"{column.name}: {tr_text(column.meaning)}" for column in columns]
        return "\n".join(parts)

    def add_advanced(self, *parameters: QgsProcessingParameterDefinition) -> None:
        """Add parameters that are rarely used."""
        self.add_with_help(*(advanced(parameter) for parameter in parameters))

    def add_outputs(self, label: str) -> None:
        """Add the sites, the optional shapes and findings, and the number of sites."""
        sink = QgsProcessingParameterFeatureSink
        polygon, line = (
            Qgis.ProcessingSourceType.VectorPolygon,
            Qgis.ProcessingSourceType.VectorLine,
        )
        self.add_with_help(sink("OUTPUT", label, polygon))
        if self.ZONES:
            self.add_with_help(sink("ZONES", tr(self.ZONES), polygon, None, True, False))
        if self.LINES:
            self.add_with_help(sink("LINES", tr(self.LINES), line, None, True, False))
        table = Qgis.ProcessingSourceType.Vector
        self.add_with_help(sink("FINDINGS", tr("Findings"), table, None, True, False))
        self.addOutput(QgsProcessingOutputNumber("SITE_COUNT", tr("Number of sites")))

    def processAlgorithm(
        self,
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        feedback: QgsProcessingFeedback,
    ) -> dict[str, Any]:
        with self.guarded(feedback):
            # Imported here, so that the provider loads where the core's packages are missing.
            from .step_run import run_step

            return run_step(self, parameters, context, feedback)
