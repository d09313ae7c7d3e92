"""Style and title of outputs when QGIS loads them; the algorithms never touch the project."""

from __future__ import annotations

from pathlib import Path

from qgis.core import (
    QgsMapLayer,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingLayerPostProcessorInterface,
)

STYLES = Path(__file__).parent.parent / "resources" / "styles"

_kept: list[Dresser] = []


class Dresser(QgsProcessingLayerPostProcessorInterface):
    """Styles one layer once it is loaded."""

    def __init__(self, style: str) -> None:
        super().__init__()
        self.style = style

    def postProcessLayer(
        self,
        layer: QgsMapLayer,
        context: QgsProcessingContext,
        feedback: QgsProcessingFeedback,
    ) -> None:
        """Load the style; a style that does not fit is no reason to lose a result."""
        message, loaded = layer.loadNamedStyle(str(STYLES / f"{self.style}.qml"))
        if not loaded:
            feedback.pushWarning(message)
        layer.triggerRepaint()
        _kept.remove(self)


def dress(details: QgsProcessingContext.LayerDetails, style: str, title: str) -> None:
    """Give a layer that is to be loaded a style and, where nobody named it, a title."""
    if style:
        dresser = Dresser(style)
        # QGIS keeps a pointer only: without this list Python would delete the object too soon.
        _kept.append(dresser)
        details.setPostProcessor(dresser)
    if title:
        details.name = title
