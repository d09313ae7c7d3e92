"""Every dialog of the provider opens, alone, as a batch and in the model designer."""

from __future__ import annotations

from collections.abc import Iterator

from processing.gui.BatchAlgorithmDialog import BatchAlgorithmDialog
from processing.modeler.ModelerDialog import ModelerDialog
from processing.tools.general import createAlgorithmDialog
from qgis.core import QgsApplication, QgsProcessingParameterDefinition
from qgis.utils import iface

from window.steps import ROOT, Step, Tour, plain_window

# A screening shows ten; the comparison of two laws adds the second law, its file and its date.
MOST_SHOWN = 13


def most_shown(parameters: list[QgsProcessingParameterDefinition]) -> int:
    """Return how many inputs stand in a dialog before its advanced part."""
    advanced = QgsProcessingParameterDefinition.Flag.FlagAdvanced
    return len(
        [one for one in parameters if not one.isDestination() and not one.flags() & advanced]
    )


def tour() -> Iterator[Step]:
    """Open and close every dialog."""
    yield 2
    plain_window()
    for algorithm in QgsApplication.processingRegistry().providerById("stormwater").algorithms():
        if most_shown(algorithm.parameterDefinitions()) > MOST_SHOWN:
            raise RuntimeError(f"{algorithm.id()} shows too much at once")
        dialog = createAlgorithmDialog(algorithm.id())
        dialog.show()
        yield 0.3
        dialog.close()
        batch = BatchAlgorithmDialog(algorithm.create(), iface.mainWindow())
        batch.show()
        yield 0.3
        batch.close()
    for path in sorted((ROOT / "resources" / "models").glob("*.model3")):
        designer = ModelerDialog.create()
        designer.loadModel(str(path))
        designer.show()
        yield 1
        if not designer.model().childAlgorithms():
            raise RuntimeError(f"{path.name} opens empty")
        designer.hide()


TOUR = Tour(tour())
