"""Raw data of agencies: prepared once, near all sites, so that partitions need not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pyogrio
import pyproj

from ..file_reader import FileReader
from ..input_names import LAYER_FIELDS, LAYERS, NEARBY
from ..layers import Layer
from ..prepare.recognise import may_be_wetlands, recognise, remade_layers
from ..prepare.vicinity import Vicinity
from .folder import replacing

Made = Mapping[str, Any]
"""What was made of raw layers, as JSON takes it: ``layers`` by name, each with its file in the
folder of the run and what it is called, None for those taken as they are; ``fields``, ``values``
of the status field, ``notes``."""

NOTHING: Final[Made] = {"layers": {}, "fields": {}, "values": [], "notes": []}


def prepare_raw(
    folder: Path, sample: FileReader, near: Vicinity | None, status_values: tuple[str, ...]
) -> Made:
    """Prepare raw layers as one run does, and write them to the folder of the run.

    Parameters
    ----------
    folder
        Folder of the run.
    sample
        Reads some of the rows of the layers given.
    near
        Surroundings of all sites.
    status_values
        Values of IMPAIRED_STATUS_FIELD that the user named.

    Raises
    ------
    InputError
        A raw layer lacks what its preparation needs.
    WriteError
        A layer cannot be written.
    """
    some = {name: sample.layers(name) for name in LAYERS if sample.given(name)}
    named = (name for own in LAYER_FIELDS.values() for name in own if sample.given(name))
    fields = {name: str(sample.parameters[name]) for name in named}
    told = remade_layers(some, recognise(some, fields, status_values).layers)
    # Of wetlands the rows tell the agency too, and the sample may hold none.
    asked = [name for name in some if name in told or may_be_wetlands(name, some[name])]
    if not asked:
        return NOTHING
    reader = FileReader(sample.parameters)
    raw = {name: reader.layers(name, near if name in NEARBY else None) for name in asked}
    if reader.given("COVERAGE"):
        # Where people say it, none is made.
        raw["COVERAGE"] = reader.layers("COVERAGE")
    found = recognise(raw, fields, status_values)
    made = remade_layers(raw, found.layers)
    notes = [note for note in found.notes if "recognised as hydrography" not in note]
    notes += [note for name in made for layer in found.layers.get(name, ()) for note in layer.notes]
    as_given = {id(layer) for some in raw.values() for layer in some}
    return {
        "layers": {
            name: [
                None if id(layer) in as_given else _written(folder, f"{name}_{number}", layer)
                for number, layer in enumerate(found.layers.get(name, ()))
            ]
            for name in made
        },
        "fields": {name: field for name, field in found.fields.items() if name not in fields},
        "values": list(found.status_values),
        "notes": list(dict.fromkeys(map(str, notes))),
    }


def _written(folder: Path, name: str, layer: Layer) -> dict[str, Any]:
    """Write a layer and return its file and what the file cannot hold of it."""
    with replacing(folder / "layers" / f"{name}.gpkg") as staged:
        options = {"driver": "GPKG", "geometry_type": "Unknown"}
        pyogrio.write_dataframe(layer.frame.infer_objects(), staged, layer="layer", **options)
    return {
        "file": f"layers/{name}.gpkg",
        "name": layer.name,
        "crs": layer.frame.crs.to_wkt(),
        "extent": layer.extent,
        "count": layer.feature_count,
        "source": layer.source,
    }


def read_instead(folder: Path, parameters: Mapping[str, Any], made: Made) -> dict[str, Any]:
    """Return the inputs by name with what was made of raw ones in their place."""
    result = {**parameters, **made["fields"]}
    if made["values"]:
        result["IMPAIRED_STATUS_VALUES"] = ";".join(made["values"])
    for name, some in made["layers"].items():
        given = parameters.get(name, [])
        paths = given if isinstance(given, list) else [given]
        result[name] = [
            paths[number] if one is None else str(folder / one["file"])
            for number, one in enumerate(some)
        ]
    return result


def as_made(name: str, layers: tuple[Layer, ...], made: Made) -> tuple[Layer, ...]:
    """Return layers read of the folder as they were when they were made."""
    some = made["layers"].get(name, [None] * len(layers))
    pairs = zip(layers, some, strict=True)
    return tuple(layer if one is None else _as_made(layer, one) for layer, one in pairs)


def _as_made(layer: Layer, one: Mapping[str, Any]) -> Layer:
    crs = pyproj.CRS.from_wkt(one["crs"])
    return replace(
        layer,
        name=one["name"],
        frame=layer.frame.set_crs(crs, allow_override=True),
        extent=None if one["extent"] is None else tuple(one["extent"]),
        feature_count=int(one["count"]),
        source=one["source"],
        notes=(),
    )
