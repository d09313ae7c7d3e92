"""Fields that nobody named, found by their well-known names (resources/tables/known_fields.csv).

Only what a published data set calls by that name is guessed: ids of parcels, columns of soil
surveys and of lists of impaired waters. What an applicant states, as a disturbed area or a project
type, is never taken from a field that nobody named.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from .fields import text_field
from .layers import Layer
from .tables import TABLES, known_fields, read_rows

GUESSED: Final[Mapping[str, str]] = {
    "SITE_ID": "SITES",
    "SOIL_GROUP_FIELD": "SOILS",
    "SOIL_KSAT_FIELD": "SOILS",
    "SOIL_WATER_TABLE_FIELD": "SOILS",
    "SOIL_BEDROCK_FIELD": "SOILS",
    "SOIL_PERC_FIELD": "SOILS",
    "IMPAIRED_NAME_FIELD": "IMPAIRED",
    "IMPAIRED_POLLUTANT_FIELD": "IMPAIRED",
    "IMPAIRED_STATUS_FIELD": "IMPAIRED",
    "TMDL_NAME_FIELD": "TMDL",
    "TMDL_POLLUTANT_FIELD": "TMDL",
    "TMDL_SOURCE_FIELD": "TMDL",
}
"""Field parameters that may be guessed, and the layer parameter that each belongs to."""

_STATUS: Final = "IMPAIRED_STATUS_FIELD"


@dataclass(frozen=True)
class Guesses:
    """Fields by parameter name that were found, and what is said of them.

    Attributes
    ----------
    fields
        The fields found.
    status_values
        What counts as listed in the status field, where nobody said it; else empty.
    notes
        One sentence for each.
    """

    fields: Mapping[str, str]
    status_values: tuple[str, ...]
    notes: tuple[str, ...]


def guess_fields(
    layers: Mapping[str, Sequence[Layer]],
    given: Mapping[str, str],
    wanted: Collection[str],
    *,
    status_values: tuple[str, ...] = (),
) -> Guesses:
    """Find well-known fields for the parameters that were left empty.

    Parameters
    ----------
    layers
        Layers by parameter name, ``SITES`` among them.
    given
        Fields by parameter name that the user named: none of them is looked for.
    wanted
        Field parameters that the run has.
    status_values
        Values of the status field that the user gave.
    """
    found: dict[str, str] = {}
    values: tuple[str, ...] = ()
    notes: list[str] = []
    for parameter, role in GUESSED.items():
        if parameter not in wanted or parameter in given:
            continue
        field, layer = _first_known(parameter, layers.get(role, ()))
        if field is None or layer is None:
            continue
        if parameter == "SITE_ID" and not _tells_apart(layer, field):
            notes.append(f"SITE_ID: field {field} of {layer.name} repeats itself and is not used")
            continue
        told = ""
        if parameter == _STATUS and not status_values:
            values = listed_values(field)
            if not values:
                continue
            told = f", and rows with {' or '.join(values)} count as listed"
        found[parameter] = field
        notes.append(f"{parameter}: not given; field {field} of {layer.name} is used{told}")
    if _STATUS in given and not status_values:
        values = listed_values(given[_STATUS])
        if values:
            notes.append(
                f"IMPAIRED_STATUS_VALUES: not given; {' or '.join(values)} of field"
                f" {given[_STATUS]} count as listed"
            )
    return Guesses(found, values, tuple(notes))


def _first_known(parameter: str, layers: Sequence[Layer]) -> tuple[str | None, Layer | None]:
    for layer in layers:
        names = [str(name) for name in layer.frame.columns.drop("geometry")]
        field = known_fields().guess(parameter, names)
        if field is not None:
            return field, layer
    return None, None


def _tells_apart(layer: Layer, field: str) -> bool:
    ids = [text for text in text_field(layer.frame, field, layer=layer.name) if text]
    return len(set(ids)) == len(ids)


def listed_values(field: str) -> tuple[str, ...]:
    """Return the values that count as listed in a well-known status field; none for another."""
    rows = read_rows(TABLES / "listed_values.csv", ("field", "value", "note"))
    return tuple(row["value"] for _, row in rows if row["field"].casefold() == field.casefold())
