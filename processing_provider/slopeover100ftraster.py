"""Makes a raster of the largest slope over 100 ft, or over any other distance."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qgis.core import (
    Qgis,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingParameterNumber,
    QgsProcessingParameterRasterDestination,
)

from . import parameters as build
from .base import ScreeningAlgorithm, progress_of
from .i18n import tr


class SlopeOver100FtRaster(ScreeningAlgorithm):
    """The slope rule at every cell of a DEM."""

    NAME = "slopeover100ftraster"
    GROUP = "Measures"
    TAGS = ("slope", "dem", "terrain", "steep", "raster")

    def displayName(self) -> str:
        return tr("Slope over 100 ft (raster)")

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        self.add_with_help(
            build.dem(optional=False),
            build.dem_z_unit(),
            QgsProcessingParameterNumber(
                "DISTANCE_FT",
                tr("Length of the run (feet)"),
                Qgis.ProcessingNumberParameterType.Double,
                100.0,
                False,
                1.0,
                1000.0,
            ),
            build.advanced(build.dem_band()),
            QgsProcessingParameterRasterDestination("OUTPUT", tr("Slope (percent)")),
        )

    def processAlgorithm(
        self,
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        feedback: QgsProcessingFeedback,
    ) -> dict[str, Any]:
        with self.guarded(feedback):
            # Imported here, so that the provider loads where the core's packages are missing.
            from ..stormwater_screen.dem import Dem
            from ..stormwater_screen.slope_raster import write_slope_raster
            from .adapter import InputReader
            from .sinks import Outputs

            progress = progress_of(feedback)
            run_ft = self.parameterAsDouble(parameters, "DISTANCE_FT", context)
            reader = InputReader(self, parameters, context, lambda: progress(0.0))
            with Outputs(self, parameters, context, ("OUTPUT",), lambda: None) as outputs:
                outputs.refuse_sources(reader.sources())
                source = reader.dem()
                assert source is not None

                def write(path: Path) -> None:
                    with Dem.open(source.path, band=source.band, z_unit=source.z_unit) as dem:
                        write_slope_raster(dem, path, run_ft=run_ft, progress=progress)

                outputs.write_raster("OUTPUT", write)
                outputs.dress("OUTPUT", "slope_raster", f"Slope over {run_ft:g} ft (percent)")
                return dict(outputs.commit())
