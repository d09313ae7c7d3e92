"""How close to a limit a measured number counts as at it, in one place, each with its reason.

A number that a person typed has the tolerance 0. These are no errors of the data: those are
parameters of a run, and lead to ``near`` and ``review``.
"""

from __future__ import annotations

from typing import Final

DISTANCE_FT: Final = 0.02
"""Distances, in feet.

The working plane stretches lengths by at most 2 in 100,000 over one degree, which is 0.01 ft in
500 ft; the same corner that comes in two CRSs differs by float noise far below that. 500.1 ft stays
beyond 500 ft. Two shapes nearer than this touch."""

COVERAGE_FT: Final = 1.0
"""Overhang of a site beyond a coverage polygon that still counts as inside, in feet.

A straight town line a mile long, drawn in another CRS than the parcels along it, bows by up to
0.2 ft, and neighbouring parcels are digitised apart from it."""

ELEVATION_FT: Final = 0.005
"""Differences of elevation, in feet: noise of bilinear interpolation in 32-bit rasters."""
