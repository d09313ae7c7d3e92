"""Three clean lots of one acre, and every kind of dirt that is met with around them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import geopandas as gpd
import pyogrio
import shapely
from osgeo import gdal, ogr, osr
from shapely.geometry import GeometryCollection, LineString, MultiPolygon, Polygon, box

ogr.UseExceptions()

FOOT = 0.3048
CRS = "EPSG:26918"
X, Y = 604_000.0, 4_809_000.0
"""Corner of the first lot, metres of UTM zone 18, at Lake George."""

CLEAN = ("1-1", "1-2", "1-3")


def shape(x_ft: float, width_ft: float = 100.0, depth_ft: float = 435.6) -> Polygon:
    """Return a rectangle some feet east of the corner; one acre by default."""
    x = X + x_ft * FOOT
    return box(x, Y, x + width_ft * FOOT, Y + depth_ft * FOOT)


def frame(extra: list[tuple[str | None, Any]] = (), **fields: list[Any]) -> gpd.GeoDataFrame:  # type: ignore[assignment]
    """Return the clean lots and some more, each with a key and a shape."""
    keys = [*CLEAN, *(key for key, _ in extra)]
    shapes = [shape(0), shape(100), shape(200), *(one for _, one in extra)]
    base = {"SWIS": ["522001"] * len(keys), "PRINT_KEY": keys}
    return gpd.GeoDataFrame(base | fields, geometry=shapes, crs=CRS)


BOW_TIE = Polygon([(X, Y + 200), (X + 30, Y + 230), (X + 30, Y + 200), (X, Y + 230)])
SPIKE = Polygon([(X, Y + 200), (X + 30, Y + 200), (X + 30, Y + 230), (X + 30, Y + 200)])
HOLE_OUTSIDE = Polygon(
    shape(600).exterior.coords, [[(X, Y + 300), (X + 5, Y + 300), (X + 5, Y + 305), (X, Y + 300)]]
)
COLLECTION = GeometryCollection([shape(400), LineString([(X, Y), (X + 9, Y + 9)])])
ROW = MultiPolygon([shape(310, 20), shape(340, 20)])

ROWS: dict[str, list[tuple[str | None, Any]]] = {
    "bow-tie": [("2", BOW_TIE)],
    "spike of no area": [("2", SPIKE)],
    "hole outside its ring": [("2", HOLE_OUTSIDE)],
    "sliver": [("2", shape(301, 0.01))],
    "overlapping itself": [("2", shape(0, 40))],
    "the same lot twice": [("1-1", shape(0))],
    "right of way in parts without a key": [(None, ROW)],
    "no geometry": [("2", None)],
    "an empty geometry": [("2", Polygon())],
    "a collection": [("2", COLLECTION)],
    "a repeated key": [("2", shape(400)), ("2", shape(700))],
    "words for nothing as keys": [("N/A", shape(400)), ("-9999", shape(520)), ("", shape(640))],
    "numbers as keys with blanks": [(" 7 ", shape(400))],
    "names beyond ASCII": [("Ünïcödé 漢字", shape(400))],
}
"""Rows of dirt beside the clean lots, by what they are."""


def geopackage(data: gpd.GeoDataFrame, path: Path, **options: Any) -> str:
    """Write a GeoPackage with one layer ``lots`` and return its path."""
    options = {"layer": "lots", "geometry_type": "Unknown"} | options
    pyogrio.write_dataframe(data, path, driver="GPKG", **options)
    return str(path)


def three_dimensional(folder: Path) -> str:
    """Lots with heights."""
    data = frame()
    return geopackage(data.set_geometry(shapely.force_3d(data.geometry, 97.5)), folder / "z.gpkg")


def measured(folder: Path) -> str:
    """Lots with heights and measures, as a shapefile."""
    path = folder / "zm.shp"
    driver = ogr.GetDriverByName("ESRI Shapefile").CreateDataSource(str(path))
    layer = driver.CreateLayer("zm", _reference(), ogr.wkbPolygonZM)
    _fill(layer, [ogr.CreateGeometryFromWkb(shapely.to_wkb(one)) for one in frame().geometry])
    return str(path)


def curved(folder: Path) -> str:
    """The clean lots, and a circle drawn as a curve."""
    path = folder / "curves.gpkg"
    source = ogr.GetDriverByName("GPKG").CreateDataSource(str(path))
    layer = source.CreateLayer("lots", _reference(), ogr.wkbUnknown)
    shapes = [ogr.CreateGeometryFromWkb(shapely.to_wkb(one)) for one in frame().geometry]
    x, y = X + 200, Y + 50
    arc = f"CIRCULARSTRING({x} {y},{x + 20} {y + 20},{x + 40} {y},{x + 20} {y - 20},{x} {y})"
    shapes.append(ogr.CreateGeometryFromWkt(f"CURVEPOLYGON({arc})"))
    _fill(layer, shapes)
    return str(path)


def _reference() -> Any:
    reference = osr.SpatialReference()
    reference.SetFromUserInput(CRS)
    return reference


def _fill(layer: Any, shapes: list[Any]) -> None:
    for name in ("SWIS", "PRINT_KEY"):
        layer.CreateField(ogr.FieldDefn(name, ogr.OFTString))
    for number, one in enumerate(shapes):
        feature = ogr.Feature(layer.GetLayerDefn())
        feature["SWIS"] = "522001"
        feature["PRINT_KEY"] = CLEAN[number] if number < len(CLEAN) else "2"
        feature.SetGeometry(one)
        layer.CreateFeature(feature)


def prj_without_a_code(folder: Path) -> str:
    """A shapefile whose .prj has a name of its own and no code."""
    path = folder / "noepsg.shp"
    frame().to_file(path)
    prj = path.with_suffix(".prj")
    prj.write_text(prj.read_text().replace("NAD_1983_UTM_Zone_18N", "Our_own_grid"))
    return str(path)


def northing_first(folder: Path) -> str:
    """GML in degrees, with latitude before longitude as the authority has it."""
    path = folder / "axes.gml"
    source = geopackage(frame().to_crs(4326), folder / "axes.gpkg", geometry_type="Polygon")
    options = gdal.VectorTranslateOptions(format="GML", datasetCreationOptions=["FORMAT=GML3"])
    gdal.VectorTranslate(str(path), source, options=options)
    return str(path)


def latin_1(folder: Path) -> str:
    """A shapefile in Latin-1 that does not say so, in a folder with blanks."""
    place = folder / "Größe und Lage 2024"
    place.mkdir()
    path = place / "Flurstücke é.shp"
    frame(MUNI_NAME=["Ca~ada", "Z~rich", "S~o"]).to_file(path)
    path.with_suffix(".cpg").unlink(missing_ok=True)
    # The letters are put in by hand: what a writer makes of them depends on the process it is in.
    table = path.with_suffix(".dbf")
    content = table.read_bytes()
    for plain, letter in (("Ca~ada", "ñ"), ("Z~rich", "ü"), ("S~o", "ã")):
        content = content.replace(plain.encode(), plain.replace("~", letter).encode("latin-1"))
    table.write_bytes(content)
    return str(path)


def cut_names(folder: Path) -> str:
    """A shapefile, which cuts names of fields after ten characters."""
    path = folder / "cut.shp"
    frame(WATER_SUPP=["2", "3", "1"], SWIS_SBL_I=["a", "b", "c"]).to_file(path)
    return str(path)


def numbers_as_text(folder: Path) -> str:
    """Acres with separators of thousands, words and numbers for nothing; dates as text."""
    data = frame([("2", shape(400))], ACRES=["1,000.5", "-9999", "N/A", "1.00"])
    return geopackage(data.assign(ROLL_YR=["2024-01-01", "", "n/a", None]), folder / "text.gpkg")


def repeated_fids(folder: Path) -> str:
    """A shapefile with a field ``fid`` in which numbers repeat."""
    path = folder / "fids.shp"
    frame(fid=[7, 7, -1]).to_file(path)
    return str(path)


def view(folder: Path) -> str:
    """A view in a GeoPackage."""
    path = folder / "view.gpkg"
    geopackage(frame(), path, geometry_type="Polygon")
    with sqlite3.connect(path) as database:
        database.executescript(
            "CREATE VIEW seen AS SELECT fid AS OGC_FID, geom, SWIS, PRINT_KEY FROM lots;"
            "INSERT INTO gpkg_contents (table_name, identifier, data_type, srs_id)"
            " VALUES ('seen', 'seen', 'features', 26918);"
            "INSERT INTO gpkg_geometry_columns VALUES ('seen', 'geom', 'POLYGON', 26918, 0, 0);"
        )
    database.close()
    return f"{path}|layername=seen"


def filtered(folder: Path) -> str:
    """A layer with a filter."""
    geopackage(frame([("9", BOW_TIE)]), folder / "filter.gpkg")
    return f"{folder / 'filter.gpkg'}|layername=lots|subset=\"PRINT_KEY\" <> '9'"


def survey_feet(folder: Path) -> str:
    """Coordinates in US survey feet."""
    return geopackage(frame().to_crs("EPSG:2260"), folder / "feet.gpkg")


def web_mercator(folder: Path) -> str:
    """Coordinates of a web map."""
    return geopackage(frame().to_crs("EPSG:3857"), folder / "web.gpkg")


def no_crs(folder: Path) -> str:
    """A shapefile without a .prj."""
    path = folder / "nocrs.shp"
    frame().to_file(path)
    path.with_suffix(".prj").unlink()
    return str(path)


def feet_as_metres(folder: Path) -> str:
    """Feet of the State Plane under a CRS of metres."""
    data = frame().to_crs("EPSG:2260").set_crs(CRS, allow_override=True)
    return geopackage(data, folder / "wrong.gpkg")


def empty(folder: Path) -> str:
    """A layer without features."""
    return geopackage(frame().iloc[:0], folder / "empty.gpkg", geometry_type="Polygon")


FILES: dict[str, Callable[[Path], str]] = {
    "heights": three_dimensional,
    "heights and measures": measured,
    "curves": curved,
    "a .prj without a code": prj_without_a_code,
    "latitude before longitude": northing_first,
    "Latin-1 and blanks in the path": latin_1,
    "names cut after ten characters": cut_names,
    "numbers as text": numbers_as_text,
    "repeated fids": repeated_fids,
    "a view": view,
    "survey feet": survey_feet,
    "web map": web_mercator,
}
"""Files in which the clean lots must come out clean, by what is the matter with them."""

QGIS_ONLY: dict[str, Callable[[Path], str]] = {"a filter": filtered}
"""Sources that only QGIS understands."""

REFUSED: dict[str, tuple[Callable[[Path], str], str]] = {
    "no CRS": (no_crs, "coordinate reference system"),
    "feet taken for metres": (feet_as_metres, "area of use"),
}
"""Files that must be refused, and a part of the message."""


def everything() -> gpd.GeoDataFrame:
    """Return the clean lots and all rows of dirt together."""
    rows = [row for some in ROWS.values() for row in some]
    return frame(
        [(f"{key} {number}" if key == "2" else key, one) for number, (key, one) in enumerate(rows)]
    )
