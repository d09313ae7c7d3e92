"""What a run is given, read from files by GDAL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyogrio
from pyogrio.errors import DataLayerError, DataSourceError

from .errors import InputError
from .input_names import LAYER_KINDS
from .layers import Layer, read_layer
from .model import DemSource
from .prepare.vicinity import Vicinity
from .reading import named_field
from .sources import which_layer


class FileReader:
    """Reads layers, fields and the raster of one run.

    Parameters
    ----------
    parameters
        What was given, by name: files, names of fields, words.
    """

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        self.parameters = parameters

    def given(self, name: str) -> bool:
        """Return whether something was given for the name."""
        return name in self.parameters

    def sources(self) -> dict[str, list[str]]:
        """Return the files given, by name."""
        names = (*LAYER_KINDS, "DEM", "ORDINANCE_FILE", "RUN")
        return {name: self._paths(name) for name in names if self.given(name)}

    def sites(self, columns: Sequence[str] | None = None) -> Layer:
        """Read SITES: all rows, in order, broken geometries too.

        Parameters
        ----------
        columns
            Names of the attributes that are read; None: all.
        """
        if not self.given("SITES"):
            raise InputError("SITES", "not given", "a layer of polygons")
        return self._read("SITES", str(self.parameters["SITES"]), None, columns)

    def layers(self, name: str, near: Vicinity | None = None) -> tuple[Layer, ...]:
        """Read the layers of a name; none where it was not given.

        Parameters
        ----------
        name
            Name of the parameter.
        near
            Surroundings outside which nothing is read; None: all is.
        """
        if not self.given(name):
            return ()
        return tuple(self._read(name, path, near) for path in self._paths(name))

    def fields(self, columns: Mapping[str, Iterable[Layer]]) -> dict[str, str]:
        """Return the field of each name that was given.

        Parameters
        ----------
        columns
            For each name, the layers that its field may stand in.

        Raises
        ------
        InputError
            The layer was not given, or has no such field.
        """
        return {
            name: named_field(name, str(self.parameters[name]), tuple(layers))
            for name, layers in columns.items()
            if self.given(name)
        }

    def distinct(self, name: str, field: str) -> set[Any]:
        """Return the different values of a field in the whole layers of a name."""
        found: set[Any] = set()
        for path in self._paths(name):
            source, layer = which_layer(path)
            info = pyogrio.read_info(source, layer=layer)
            if field in info["fields"]:
                column = pyogrio.read_dataframe(
                    source, layer=layer, columns=[field], read_geometry=False
                )[field]
                found |= {None if value != value else value for value in column.unique()}
        return found

    def dem(self) -> DemSource | None:
        """Return the raster of elevation, or None where it was not given."""
        if not self.given("DEM"):
            return None
        band, unit = self.parameters.get("DEM_BAND", 1), self.parameters.get("DEM_Z_UNIT", "auto")
        return DemSource(str(self.parameters["DEM"]), int(band), str(unit))

    def _paths(self, name: str) -> list[str]:
        value = self.parameters[name]
        return [str(path) for path in value] if isinstance(value, list) else [str(value)]

    def _read(
        self, name: str, path: str, near: Vicinity | None, columns: Sequence[str] | None = None
    ) -> Layer:
        try:
            return read_layer(
                path,
                role=name,
                geometry=LAYER_KINDS[name],
                mask=None if near is None else near.within,
                columns=columns,
            )
        except InputError as error:
            raise InputError(f"{name} ({error.where})", error.found, error.needed) from error
        except (DataSourceError, DataLayerError) as error:
            raise InputError(name, f"{path} cannot be read ({error})", "a vector layer") from error
