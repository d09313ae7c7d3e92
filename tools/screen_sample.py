"""Screen the sample town with qgis_process and compare every site with its known answer.

Run by ``make screen``. Ends with 1 if any site differs, with the exit code of qgis_process if a run
fails, else with 0.
"""

from __future__ import annotations

import argparse
import csv
import json
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import geopandas as gpd
import pandas as pd

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "resources" / "sample"
LAWS = {
    "lake_george": "Village of Lake George",
    "wilton": "Town of Wilton",
    "shelter_island": "Town of Shelter Island",
    "wayne_county": "Wayne County model law",
}
OUTPUTS = {
    "SCREENED": "screened.gpkg",
    "FINDINGS": "findings.gpkg",
    "ZONES": "zones.gpkg",
    "SUMMARY": "summary.html",
}
KEYS = ("row", "lot", "law")


class RunFailedError(Exception):
    """qgis_process ended with an error."""

    def __init__(self, law: str, code: int, text: str) -> None:
        self.code = code
        super().__init__(f"qgis_process failed under {law} (exit code {code}):\n{text.strip()}")


def stored_inputs(folder: Path = SAMPLE) -> dict[str, Any]:
    """Return the stored parameters of the sample run with full paths."""
    inputs = json.loads((folder / "parameters.json").read_text(encoding="utf-8"))["inputs"]
    files = tuple(path.name for path in folder.iterdir() if path.suffix in (".gpkg", ".tif"))

    def full(value: Any) -> Any:
        if isinstance(value, list):
            return [full(part) for part in value]
        return str(folder / value) if isinstance(value, str) and value.startswith(files) else value

    return {name: full(value) for name, value in inputs.items()}


def run_law(law: str, folder: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Screen the sample under one law into a folder and return the screened sites and findings.

    Raises
    ------
    RunFailedError
        qgis_process ended with an error.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    outputs = {name: str(folder / file) for name, file in OUTPUTS.items()}
    request = {"inputs": {**stored_inputs(), "ORDINANCE": law, **outputs}}
    done = subprocess.run(
        ["qgis_process", "run", "stormwater:screensites", "-"],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RunFailedError(law, done.returncode, f"{done.stderr}\n{done.stdout}")
    sites = gpd.read_file(folder / OUTPUTS["SCREENED"], ignore_geometry=True)
    findings = gpd.read_file(folder / OUTPUTS["FINDINGS"], ignore_geometry=True)
    return pd.DataFrame(sites), pd.DataFrame(findings)


def known_answers(name: str = "expected.csv") -> list[dict[str, str]]:
    """Return the known answers: of the sites, or of ``expected_findings.csv``."""
    with (SAMPLE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def differences(
    sites: pd.DataFrame, answers: Iterable[Mapping[str, str]], law: str
) -> tuple[list[str], int]:
    """Return what differs from the known answers of a law, and how many answers were compared."""
    wrong, compared = [], 0
    answers = [answer for answer in answers if answer["law"] == law]
    if len(sites) != len(answers):
        wrong.append(f"{law}: {len(answers)} lots went in, {len(sites)} came out")
    by_row = sites.set_index("row")
    for answer in answers:
        row = int(answer["row"])
        name = f"row {row} ({answer['lot'] or 'no id'})"
        if row not in by_row.index:
            wrong.append(f"{law}, {name}: missing")
            continue
        for column, known in answer.items():
            if column in KEYS or not known:
                continue
            compared += 1
            found = _text(by_row.loc[row, column])
            if _parts(found) != _parts(known):
                wrong.append(f"{law}, {name}: {column} is {found or 'empty'}, known is {known}")
    return wrong, compared


def finding_differences(
    findings: pd.DataFrame, limits: Iterable[Mapping[str, str]], law: str
) -> tuple[list[str], int]:
    """Return which findings at a limit differ from the known ones, and how many were compared."""
    wrong, compared = [], 0
    outcomes = findings.groupby(["row", "rule"])["outcome"].agg(lambda found: ";".join(set(found)))
    for limit in limits:
        if limit["law"] != law:
            continue
        compared += 1
        found = outcomes.get((int(limit["row"]), limit["rule"]), "missing")
        if found != limit["outcome"]:
            wrong.append(
                f"{law}, row {limit['row']}: finding {limit['rule']} is {found}, "
                f"known is {limit['outcome']} ({limit['why']})"
            )
    return wrong, compared


def _text(value: Any) -> str:
    return "" if pd.isna(value) else str(value)


def _parts(text: str) -> set[str]:
    """Return the words of an answer; factors come in any order, and none is no word."""
    return {part.strip() for part in text.split(";")} - {"", "none"}


def table(sites: pd.DataFrame, width: int) -> str:
    """Return the sites as a table of text, at most so many characters wide."""
    heads = ("Site", "Class", "Cond. A", "Cond. B", "Cond. C")
    rows = [
        [_text(site[name]) for name in ("site_id", "class", "cond_a", "cond_b", "cond_c")]
        for site in sites.to_dict("records")
    ]
    for row in rows:
        row[0] = row[0] or "(no id)"
    sizes = [max(len(line[i]) for line in (heads, *rows)) for i in range(len(heads))]
    left = sum(sizes) + 2 * len(sizes)
    room = max(width - left, 30)
    lines = [_line(heads, sizes) + "Reasons", "-" * min(width, left + room)]
    for row, site in zip(rows, sites.to_dict("records"), strict=True):
        why = _wrapped(_reasons(site), room)
        lines.append(_line(row, sizes) + why[0])
        lines += [" " * left + more for more in why[1:]]
    return "\n".join(lines)


def _wrapped(text: str, room: int) -> list[str]:
    """Return the lines of a text; a section sign stays with its number, an id in one piece."""
    kept = text.replace("§ ", "§\N{NO-BREAK SPACE}")
    lines = textwrap.wrap(kept, room, break_on_hyphens=False) or [""]
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def _line(cells: Sequence[str], sizes: Sequence[int]) -> str:
    return "".join(f"{cell:<{size}}  " for cell, size in zip(cells, sizes, strict=True))


def _reasons(site: Mapping[Any, Any]) -> str:
    why, may, settle = (_text(site[name]) for name in ("reasons", "may_major", "settle"))
    parts = [why]
    if _parts(may):
        parts.append(f"Factors: {may.replace(';', ', ')}.")
    if settle:
        parts.append(f"Would settle it: {settle}.")
    return " ".join(part for part in parts if part)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--ordinance", choices=LAWS, default="lake_george", help="the law whose table is printed"
    )
    parser.add_argument(
        "--only", action="store_true", help="run that law alone and leave out the other three"
    )
    parser.add_argument(
        "--out", type=Path, default=ROOT / "out" / "sample", help="folder of the outputs"
    )
    return parser.parse_args()


def main() -> int:
    """Run the laws, print the table and the differences, and return the exit code."""
    chosen = _arguments()
    laws = [chosen.ordinance] if chosen.only else list(LAWS)
    print(f"Screening the sample town under {len(laws)} law(s) ...", flush=True)
    try:
        with ThreadPoolExecutor(max_workers=2) as pool:
            screened = dict(
                zip(laws, pool.map(lambda law: run_law(law, chosen.out / law), laws), strict=True)
            )
    except RunFailedError as error:
        print(error, file=sys.stderr)
        return error.code
    width = shutil.get_terminal_size((110, 24)).columns
    print(f"\n{LAWS[chosen.ordinance]}\n")
    print(table(screened[chosen.ordinance][0], width))
    answers, limits = known_answers(), known_answers("expected_findings.csv")
    wrong, compared = [], 0
    for law, (sites, findings) in screened.items():
        for found, count in (
            differences(sites, answers, law),
            finding_differences(findings, limits, law),
        ):
            wrong += found
            compared += count
    folder = chosen.out / chosen.ordinance
    print(f"\nGeoPackage:    {folder / OUTPUTS['SCREENED']}")
    print(f"Summary page:  {folder / OUTPUTS['SUMMARY']}")
    print("The other laws lie beside them." if len(laws) > 1 else "")
    if wrong:
        print(f"\n{len(wrong)} of {compared} known answers differ:", *wrong, sep="\n  ")
        return 1
    print(f"All {compared} known answers of {len(answers) // len(LAWS)} lots agree.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
