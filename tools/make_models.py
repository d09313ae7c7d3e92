"""Make resources/models/*.model3, the models that the provider brings.

Run with tools/qgis python3 tools/make_models.py
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from qgis.core import (
    Qgis,
    QgsProcessingModelAlgorithm,
    QgsProcessingModelChildAlgorithm,
    QgsProcessingModelChildDependency,
    QgsProcessingModelChildParameterSource,
    QgsProcessingModelOutput,
    QgsProcessingModelParameter,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterField,
    QgsProcessingParameterMultipleLayers,
    QgsProcessingParameterRasterLayer,
)
from qgis.PyQt.QtCore import QPointF

ROOT = Path(__file__).resolve().parents[1]
MODELS = ROOT / "resources" / "models"
POLYGON = Qgis.ProcessingSourceType.VectorPolygon
POINT = Qgis.ProcessingSourceType.VectorPoint
LAWS = ("lake_george", "wilton", "shelter_island", "wayne_county")
UNITS = ("auto", "metre", "foot", "us_survey_foot")
COLUMN, ROW = 260.0, 110.0


def words(name: str, label: str, options: Sequence[str]) -> QgsProcessingParameterEnum:
    """Return a parameter for one of the words, the first by default."""
    return QgsProcessingParameterEnum(
        name, label, options=list(options), defaultValue=options[0], usesStaticStrings=True
    )


def polygons(name: str, label: str, *, optional: bool = False) -> QgsProcessingParameterDefinition:
    """Return a parameter for a layer of polygons."""
    return QgsProcessingParameterFeatureSource(name, label, [POLYGON], None, optional)


def several(name: str, label: str, kind: Qgis.ProcessingSourceType) -> Any:
    """Return an optional parameter for several layers."""
    return QgsProcessingParameterMultipleLayers(name, label, kind, None, True)


def model(name: str, label: str, group: str, help_text: str) -> QgsProcessingModelAlgorithm:
    """Return an empty model."""
    made = QgsProcessingModelAlgorithm(label, group, group.lower())
    made.setName(name)
    made.setHelpContent({"ALG_DESC": help_text, "SHORT_DESCRIPTION": help_text.split(". ")[0]})
    return made


def add_inputs(
    made: QgsProcessingModelAlgorithm, inputs: Sequence[QgsProcessingParameterDefinition]
) -> None:
    """Add the inputs of a model, in their order."""
    for at, definition in enumerate(inputs):
        box = QgsProcessingModelParameter(definition.name())
        box.setPosition(QPointF(COLUMN * (at % 4), ROW * (at // 4)))
        made.addModelParameter(definition, box)
    made.setParameterOrder([definition.name() for definition in inputs])


def add_step(
    made: QgsProcessingModelAlgorithm,
    step: str,
    *,
    inputs: Mapping[str, str],
    children: Mapping[str, tuple[str, str]] | None = None,
    values: Mapping[str, Any] | None = None,
    outputs: Mapping[str, tuple[str, str]] | None = None,
    after: str = "",
    place: int = 0,
) -> None:
    """Add a step to a model.

    Parameters
    ----------
    made
        The model.
    step
        Name of the algorithm, which is also the id of the step.
    inputs
        Parameters of the step by inputs of the model.
    children
        Parameters of the step by (step, output).
    values
        Parameters of the step by fixed values.
    outputs
        (Output of the step, description) by name of the output of the model.
    after
        Step that must run first.
    place
        Place in the drawing.
    """
    source = QgsProcessingModelChildParameterSource
    child = QgsProcessingModelChildAlgorithm(f"stormwater:{step}")
    child.setChildId(step)
    child.setDescription(child.algorithm().displayName())
    child.setPosition(QPointF(COLUMN * place, ROW * 4))
    for name, given in inputs.items():
        child.addParameterSources(name, [source.fromModelParameter(given)])
    for name, (other, output) in (children or {}).items():
        child.addParameterSources(name, [source.fromChildOutput(other, output)])
    for name, value in (values or {}).items():
        child.addParameterSources(name, [source.fromStaticValue(value)])
    if after:
        child.setDependencies([QgsProcessingModelChildDependency(after)])
    shown = {}
    for number, (name, (output, label)) in enumerate((outputs or {}).items()):
        out = QgsProcessingModelOutput(name, label)
        out.setChildId(step)
        out.setChildOutputName(output)
        out.setPosition(QPointF(COLUMN * place + 60 * number, ROW * (5 + number)))
        shown[name] = out
    child.setModelOutputs(shown)
    made.addChildAlgorithm(child)


def screen_application() -> QgsProcessingModelAlgorithm:
    """Return the model of a whole screening from four layers."""
    made = model(
        "screen_application",
        "Screen an application",
        "Screening",
        "The whole screening from four layers: sites, ground elevation, lakes and ponds, streams."
        " The inputs are checked first, and a page says what stays unknown for want of others."
        " Then the sites are screened under the law, with findings, zones and a summary page.",
    )
    inputs = {
        "SITES": "sites",
        "SITE_ID": "site_id",
        "ORDINANCE": "ordinance",
        "DEM": "dem",
        "DEM_Z_UNIT": "dem_z_unit",
        "WATER_BODIES": "water_bodies",
        "WATERCOURSES": "watercourses",
        "DISTURBED_FIELD": "disturbed_field",
    }
    any_geometry = Qgis.ProcessingSourceType.VectorAnyGeometry
    add_inputs(
        made,
        [
            polygons("sites", "Sites (parcels or project areas)"),
            QgsProcessingParameterField(
                "site_id", "Id of the site (field)", parentLayerParameterName="sites", optional=True
            ),
            words("ordinance", "Stormwater law", LAWS),
            QgsProcessingParameterField(
                "disturbed_field",
                "Disturbed area (field, square feet)",
                parentLayerParameterName="sites",
                optional=True,
            ),
            QgsProcessingParameterRasterLayer("dem", "Ground elevation (DEM raster)"),
            words("dem_z_unit", "Vertical unit of the DEM", UNITS),
            several("water_bodies", "Lakes, ponds and wide rivers (polygons)", POLYGON),
            several("watercourses", "Streams and rivers (lines or polygons)", any_geometry),
        ],
    )
    add_step(
        made,
        "checkinputs",
        inputs=inputs,
        values={"FAIL_ON": "errors"},
        outputs={"check": ("REPORT", "Check of inputs")},
    )
    add_step(
        made,
        "screensites",
        inputs=inputs,
        outputs={
            "screened": ("SCREENED", "Screened sites"),
            "findings": ("FINDINGS", "Findings"),
            "zones": ("ZONES", "Zones"),
            "summary": ("SUMMARY", "Summary"),
        },
        after="checkinputs",
        place=1,
    )
    return made


def setback_map() -> QgsProcessingModelAlgorithm:
    """Return the model of a map of setbacks and of the 500-ft zone."""
    made = model(
        "setback_map",
        "Setback map",
        "Measures",
        "A map of where infiltration may stand and of the 500-ft zone. Two steps in a chain on the"
        " same sites: infiltration setbacks, then distances to water and wetlands.",
    )
    any_geometry = Qgis.ProcessingSourceType.VectorAnyGeometry
    add_inputs(
        made,
        [
            polygons("sites", "Sites (parcels or project areas)"),
            words("ordinance", "Stormwater law", LAWS),
            several("water_bodies", "Lakes, ponds and wide rivers (polygons)", POLYGON),
            several("watercourses", "Streams and rivers (lines or polygons)", any_geometry),
            polygons("wetlands", "Wetlands (polygons)", optional=True),
            QgsProcessingParameterFeatureSource(
                "water_supplies",
                "Drinking-water supplies (points or polygons)",
                [POINT, POLYGON],
                None,
                True,
            ),
            QgsProcessingParameterRasterLayer(
                "dem", "Ground elevation (DEM raster)", optional=True
            ),
            words("dem_z_unit", "Vertical unit of the DEM", UNITS),
        ],
    )
    add_step(
        made,
        "infiltrationsetbacks",
        inputs={
            "SITES": "sites",
            "ORDINANCE": "ordinance",
            "WATER_BODIES": "water_bodies",
            "WATERCOURSES": "watercourses",
            "WATER_SUPPLIES": "water_supplies",
            "DEM": "dem",
            "DEM_Z_UNIT": "dem_z_unit",
        },
        outputs={"infiltration_zones": ("ZONES", "Infiltration zones")},
    )
    add_step(
        made,
        "waterbodybuffer",
        inputs={
            "WATER_BODIES": "water_bodies",
            "WATERCOURSES": "watercourses",
            "WETLANDS": "wetlands",
        },
        children={"SITES": ("infiltrationsetbacks", "OUTPUT")},
        values={"ZONE_FT": 500.0},
        outputs={
            "sites_with_distances": ("OUTPUT", "Sites with setbacks and distances"),
            "water_zone": ("ZONES", "Zone along water"),
        },
        place=1,
    )
    return made


def make() -> None:
    """Write all models."""
    MODELS.mkdir(exist_ok=True)
    for made in (screen_application(), setback_map()):
        path = MODELS / f"{made.name()}.model3"
        if not made.toFile(str(path)):
            raise SystemExit(f"{path} cannot be written")


if __name__ == "__main__":
    from processing.core.Processing import Processing
    from qgis.core import QgsApplication
    from stormwater_screening import classFactory

    application = QgsApplication([], False)
    application.initQgis()
    Processing.initialize()
    plugin = classFactory(None)
    plugin.initProcessing()
    make()
    plugin.unload()
    application.exitQgis()
