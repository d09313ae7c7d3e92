"""Files that GDAL opens: which layer is meant, and its features as they are."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd
import pyogrio
from pyogrio.errors import DataLayerError, DataSourceError
from shapely.geometry.base import BaseGeometry

from .errors import InputError

_ASKED: Final = re.compile(
    r"\|(?=(?:layername|layerid|subset|geometrytype|uniqueGeometryType)=|option:|authcfg=)"
)
"""Where a source of QGIS says what is wanted of a file."""

_READER: Final = logging.getLogger("pyogrio._io")


def which_layer(text: str, layer: str | None = None) -> tuple[str, str]:
    """Return the file and the layer that a source as ``parcels.gpkg|layername=lots`` means.

    Parameters
    ----------
    text
        File, folder or address, with the name of the layer where it has several with geometries.
    layer
        The name, where the text does not say it.

    Raises
    ------
    InputError
        There is no such source or layer, or several and none is named, or the source asks for
        more, as QGIS does for a filter: without it there are other features.
    """
    source, *asked = _ASKED.split(text)
    named = [part.removeprefix("layername=") for part in asked if part.startswith("layername=")]
    if len(named) < len(asked) or len(named) > 1:
        found = f"a source with {' and '.join(asked)}"
        raise InputError(
            source, found, "FILE or FILE|layername=NAME, a filter as a file of its own"
        )
    return source, _one_layer(source, layer or next(iter(named), None) or None)


def _one_layer(source: str, layer: str | None) -> str:
    try:
        found = pyogrio.list_layers(source)
    except (DataSourceError, DataLayerError) as error:
        what = "no such file" if not Path(source).exists() else f"it cannot be opened ({error})"
        raise InputError(source, what, "a layer that GDAL opens") from error
    names = [str(name) for name, kind in found if kind is not None]
    if layer is None and len(names) == 1:
        return names[0]
    if layer in names:
        return str(layer)
    if not names:
        raise InputError(source, "no layer with geometries", "a layer with geometries")
    listed = ", ".join(names)
    if layer is None:
        raise InputError(source, f"{len(names)} layers: {listed}", "the name of one of them")
    raise InputError(source, f"no layer {layer}; its layers: {listed}", "the name of one of them")


def raw_features(
    source: str,
    layer: str,
    bbox: tuple[float, float, float, float] | None,
    mask: BaseGeometry | None,
    columns: Sequence[str] | None,
) -> tuple[list[bytes | None], pd.DataFrame, list[str]]:
    """Return features as a file holds them, in its order.

    Parameters
    ----------
    source, layer
        As `which_layer` returns them.
    bbox, mask
        Only features that meet a rectangle or an area are read; not both.
    columns
        Names of the attributes that are read; None: all.

    Returns
    -------
    wkb
        Geometries, curves segmentised by GDAL; None where there is none.
    attributes
        One row a feature.
    left_out
        Names of attributes of kinds that cannot be read: times of day and lists.
    """
    options = {"layer": layer, "bbox": bbox, "mask": mask, "columns": columns, "force_2d": True}
    options["return_fids"] = True
    with _left_out() as names:
        try:
            meta, fids, wkb, values = pyogrio.raw.read(source, **options)
        except UnicodeDecodeError:
            # The file says UTF-8 and is not; Latin-1 reads any byte.
            meta, fids, wkb, values = pyogrio.raw.read(source, encoding="ISO-8859-1", **options)
    if bbox is not None or mask is not None:
        # A spatial index gives features in an order of its own, which depends on the window.
        order = np.argsort(fids, kind="stable")
        wkb, values = wkb[order], [column[order] for column in values]
    attributes = dict(zip(meta["fields"], values, strict=True))
    return list(wkb), pd.DataFrame(attributes, index=pd.RangeIndex(len(wkb))), names


def with_yes_and_no(attributes: pd.DataFrame, kinds: Mapping[str, str]) -> pd.DataFrame:
    """Return attributes in which yes and no are no numbers, which they are read as beside NULL.

    Parameters
    ----------
    attributes
        As `raw_features` returns them.
    kinds
        Kinds of the fields, as the file declares them: ``bool``, ``int64`` and so on.
    """
    found = attributes.copy(deep=False)
    for name, kind in kinds.items():
        if kind == "bool" and name in found and found[name].dtype.kind == "f":
            values = found[name].to_numpy()
            words = (values == 1).astype(object)
            words[np.isnan(values)] = None
            found[name] = words
    return found


@contextmanager
def _left_out() -> Iterator[list[str]]:
    """Note the names of the attributes that pyogrio leaves out: it only logs them."""
    names: list[str] = []

    def noted(record: logging.LogRecord) -> bool:
        found = re.match(r"Skipping field (.*): unsupported OGR type", record.getMessage())
        if found and found[1] not in names:
            names.append(found[1])
        return found is None

    _READER.addFilter(noted)
    try:
        yield names
    finally:
        _READER.removeFilter(noted)
