"""The same screening from QGIS's own algorithms: as a planner builds it, and as an expert does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tests.benchmark.county import County

RUN_FT = 100.0
DIRECTIONS = 36
ZONE_FT = 500.0
WATER = ("WATER_BODIES", "WATERCOURSES", "WETLANDS")
SETBACKS_FT = (35, 50, 100)
SETBACK_WATER = ("WATER_BODIES", "WATERCOURSES", "WATER_SUPPLIES")
PIECE_VERTICES = 256


class Chain:
    """One run of the chain.

    Parameters
    ----------
    county
        Layers.
    plane
        WKT of the plane in feet that all layers are brought to first.
    folder
        Where the result is written.
    tuned
        True: dissolved buffers are subdivided and split to single parts before the overlap
        analysis, large water too.
    """

    def __init__(self, county: County, plane: str, folder: Path, *, tuned: bool) -> None:
        from qgis.core import QgsCoordinateReferenceSystem

        self.county, self.folder, self.tuned = county, folder, tuned
        self.crs = QgsCoordinateReferenceSystem.fromWkt(plane)

    def run(self) -> pd.DataFrame:
        """Return a row a lot: disturb_sf, zone_sf, water_ft, tmdl, impaired, slope_pct, hsg."""
        sites = self.layer("SITES")
        sites = self.areas_inside(sites, self.layer("DISTURBANCE"), "disturb_sf")
        near = self.water(sites)
        sites = self.areas_inside(sites, self.zone(ZONE_FT, WATER), "zone_sf")
        for distance in SETBACKS_FT:
            near_water = self.zone(distance, SETBACK_WATER)
            sites = self.areas_inside(sites, near_water, f"in_{distance}_sf")
        sites = self.areas_inside(sites, self.layer("TMDL"), "tmdl_sf")
        sites = self.listed(sites)
        for table in (*near, self.slopes(sites), self.soils(sites)):
            sites = self.joined(sites, table)
        return self.written(sites)

    def step(self, name: str, layer: Any, output: str = "OUTPUT", **parameters: Any) -> Any:
        """Run one algorithm of QGIS into memory."""
        import processing

        return processing.run(f"native:{name}", {"INPUT": layer, output: "memory:", **parameters})[
            output
        ]

    def layer(self, name: str) -> Any:
        """Return a layer on the plane, in feet, with a spatial index."""
        import processing

        moved = self.step("reprojectlayer", self.county.layer(name), TARGET_CRS=self.crs)
        processing.run("native:createspatialindex", {"INPUT": moved})
        return moved

    def areas_inside(self, sites: Any, polygons: Any, column: str) -> Any:
        """Return the sites with the area that polygons cover of each."""
        found = self.step("calculatevectoroverlaps", sites, LAYERS=[polygons])
        added = [f.name() for f in found.fields()][len(sites.fields()) :]
        return self.step(
            "refactorfields",
            found,
            FIELDS_MAPPING=[
                *(_kept(f) for f in sites.fields()),
                {"expression": f'"{added[0]}"', "name": column, "type": 6, "length": 0,
                 "precision": 0},
            ],
        )  # fmt: skip

    def zone(self, distance: float, names: tuple[str, ...]) -> Any:
        """Return the zone along water: buffered, dissolved."""
        parts = [
            self.step("buffer", self.layer(n), DISTANCE=distance, SEGMENTS=32, DISSOLVE=True)
            for n in names
        ]
        merged = self.step("mergevectorlayers", None, LAYERS=parts, CRS=self.crs)
        dissolved = self.step("dissolve", merged)
        if not self.tuned:
            return dissolved
        return self.pieces(dissolved)

    def pieces(self, layer: Any) -> Any:
        """Return the single parts of a layer cut into pieces of few vertices, indexed."""
        import processing

        cut = self.step("subdivide", layer, MAX_NODES=PIECE_VERTICES)
        single = self.step("multiparttosingleparts", cut)
        processing.run("native:createspatialindex", {"INPUT": single})
        return single

    def water(self, sites: Any) -> list[Any]:
        """Return the distance to the nearest water body, and to the nearest watercourse."""
        tables = []
        for name in WATER[:2]:
            water = self.layer(name)
            if self.tuned:
                water = self.pieces(water)
            found = self.step(
                "joinbynearest", sites, INPUT_2=water, FIELDS_TO_COPY=["GNIS_NAME"], NEIGHBORS=1,
                DISCARD_NONMATCHING=False,
            )  # fmt: skip
            least = _aggregate("distance", "minimum", 6, f"{name.lower()}_ft")
            both = [_aggregate("lot", "first_value", 10), least]
            tables.append(self.step("aggregate", found, GROUP_BY='"lot"', AGGREGATES=both))
        return tables

    def listed(self, sites: Any) -> Any:
        """Return the sites with the name of a listed water that each touches."""
        return self.step(
            "joinattributesbylocation", sites, JOIN=self.layer("IMPAIRED"), PREDICATE=[0],
            JOIN_FIELDS=["name"], METHOD=1, DISCARD_NONMATCHING=False, PREFIX="listed_",
        )  # fmt: skip

    def slopes(self, sites: Any) -> Any:
        """Return the largest slope over 100 ft in 36 directions from a point on each site."""
        raster = str(self.county.dem)
        centre = self.step("pointonsurface", sites)
        centre = self.step("rastersampling", centre, RASTERCOPY=raster, COLUMN_PREFIX="centre_m")
        circle = self.step("buffer", centre, DISTANCE=RUN_FT, SEGMENTS=DIRECTIONS // 4)
        ends = self.step("extractvertices", circle)
        ends = self.step("rastersampling", ends, RASTERCOPY=raster, COLUMN_PREFIX="end_m")
        rise = "abs(end_m1 - centre_m1) / 0.3048"
        return self.step("aggregate", ends, GROUP_BY='"lot"', AGGREGATES=[
            _aggregate("lot", "first_value", 10), _aggregate(rise, "maximum", 6, "slope_pct"),
        ])  # fmt: skip

    def soils(self, sites: Any) -> Any:
        """Return the hydrologic group of the largest part of each site."""
        pieces = self.step(
            "intersection", sites, OVERLAY=self.layer("SOILS"), INPUT_FIELDS=["lot"],
            OVERLAY_FIELDS=["hsg"],
        )  # fmt: skip
        groups = self.step("aggregate", pieces, GROUP_BY='concat("lot", \'|\', "hsg")', AGGREGATES=[
            _aggregate("lot", "first_value", 10), _aggregate("hsg", "first_value", 10),
            _aggregate("$area", "sum", 6, "part_sf"),
        ])  # fmt: skip
        ordered = self.step("orderbyexpression", groups, EXPRESSION='"part_sf"', ASCENDING=False)
        return self.step("aggregate", ordered, GROUP_BY='"lot"', AGGREGATES=[
            _aggregate("lot", "first_value", 10), _aggregate("hsg", "first_value", 10),
            _aggregate("part_sf", "first_value", 6),
        ])  # fmt: skip

    def joined(self, sites: Any, table: Any) -> Any:
        """Return the sites with the columns of a table."""
        names = [f.name() for f in table.fields() if f.name() != "lot"]
        return self.step(
            "joinattributestable", sites, FIELD="lot", INPUT_2=table, FIELD_2="lot",
            FIELDS_TO_COPY=names, METHOD=1, DISCARD_NONMATCHING=False,
        )  # fmt: skip

    def written(self, sites: Any) -> pd.DataFrame:
        """Write the sites and return their columns."""
        import processing

        path = self.folder / f"chain_{'tuned' if self.tuned else 'plain'}.gpkg"
        path.unlink(missing_ok=True)
        formula = "if(\"slope_pct\" >= 15, 'yes', 'no')"
        processing.run("native:fieldcalculator", {
            "INPUT": sites, "FIELD_NAME": "slope_15", "FIELD_TYPE": 2, "FORMULA": formula,
            "OUTPUT": str(path),
        })  # fmt: skip
        setbacks = tuple(f"in_{distance}_sf" for distance in SETBACKS_FT)
        names = ("lot", "disturb_sf", "zone_sf", *setbacks, "tmdl_sf", "listed_name",
                 "water_bodies_ft", "watercourses_ft", "slope_pct", "hsg")  # fmt: skip
        at = [sites.fields().indexOf(name) for name in names]
        rows = [[f.attributes()[place] for place in at] for f in sites.getFeatures()]
        table = pd.DataFrame(rows, columns=list(names)).astype({"lot": str}).set_index("lot")
        numbers = [name for name in names if name.endswith(("_sf", "_ft", "_pct"))]
        table[numbers] = table[numbers].apply(pd.to_numeric, errors="coerce").astype(np.float64)
        for name in ("listed_name", "hsg"):
            table[name] = [str(v) if isinstance(v, str) and v else "" for v in table[name]]
        table["water_ft"] = table[["water_bodies_ft", "watercourses_ft"]].min(axis=1)
        return table.sort_index()


def _kept(field: Any) -> dict[str, Any]:
    return {
        "expression": f'"{field.name()}"', "name": field.name(), "type": field.type(),
        "length": field.length(), "precision": field.precision(),
    }  # fmt: skip


def _aggregate(value: str, how: str, kind: int, name: str = "") -> dict[str, Any]:
    expression = f'"{value}"' if value.isidentifier() else value
    return {
        "aggregate": how, "delimiter": ",", "input": expression, "length": 0,
        "name": name or value, "precision": 0, "type": kind,
    }  # fmt: skip
