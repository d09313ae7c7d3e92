"""Names of the sites' own columns beside those that the program adds."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from .columns import STEP_COLUMNS, Column

_EARLIER_SHARE: Final = 0.75


def written_before(names: Collection[str], columns: Sequence[Column]) -> frozenset[str]:
    """Return the fields that an earlier run of the program wrote.

    A run is known by its `run_id` beside most of its columns: a later version may have more of
    them, and people delete some. A single name in common, as `class`, is no sign of a run.
    """
    ours = frozenset(column.name for column in columns) & frozenset(names)
    if "run_id" in ours and len(ours) >= _EARLIER_SHARE * len(columns):
        return ours
    # A step that ran alone is known by its own column of evidence, a name that nobody else has.
    marked = (
        step
        for step in STEP_COLUMNS.values()
        if any(name in names for name in step if name.startswith("ev_"))
    )
    return ours & frozenset(name for step in marked for name in step)


def kept_names(
    names: Sequence[str],
    taken: Collection[str],
    *,
    dropped: Collection[str] = (),
    bytes_limit: int | None = None,
) -> list[str | None]:
    """Return the name under which each own field is kept, or None where it is dropped.

    Parameters
    ----------
    names
        Own field names.
    taken
        Names that must stay free, whatever the case of their letters.
    dropped
        Own field names that are not kept.
    bytes_limit
        Greatest length of a name, as in shapefiles.
    """
    used = {name.casefold() for name in taken}
    result: list[str | None] = [None] * len(names)
    kept = [at for at, name in enumerate(names) if name not in dropped]
    clashing = []
    for at in kept:
        name = names[at]
        if name.casefold() in used or _cut(name, bytes_limit) != name:
            clashing.append(at)
        else:
            result[at] = name
            used.add(name.casefold())
    for at in clashing:
        result[at] = _free_name(names[at], used, bytes_limit)
        used.add(str(result[at]).casefold())
    return result


def _free_name(name: str, used: Collection[str], limit: int | None) -> str:
    short = _cut(name, limit)
    if short.casefold() not in used:
        return short
    for number in range(1, len(used) + 2):
        tail = "" if number == 1 else f"_{number}"
        candidate = _cut(f"src_{name}", limit and limit - len(tail)) + tail
        if candidate.casefold() not in used:
            return candidate
    raise AssertionError("more names than numbers")


def _cut(name: str, limit: int | None) -> str:
    return name if limit is None else name.encode()[:limit].decode(errors="ignore")
