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

AREA_RELATIVE: Final = 1e-5
"""Measured areas, as a share of the area.

The accuracy that the working plane promises, 0.44 sq ft in an acre: a lot of 43,560 sq ft stays
one, in whatever CRS it comes."""

AREA_EDGE_FT: Final = 1.0
"""Error of a drawn boundary, in feet, for the ``near`` flag: an area is uncertain by its perimeter
times this, which is 283 sq ft for a square of 5,000 sq ft."""

SLIVER_FT: Final = 0.05
"""Mean width below which the overlap of two polygons is no more than a shared edge, in feet.

Coordinates kept to seven decimals of a degree are rounded to 0.04 ft."""

WATERSHED_EDGE_FT: Final = 0.5
"""Mean width below which the overlap of a site and a watershed is a shared edge, in feet.

Watersheds come from other people than parcels: six decimals of a degree are rounded to 0.36 ft, and
a straight edge a mile long that comes in another CRS than its neighbour bows by up to 0.2 ft."""

SLOPE_POINTS: Final = 0.008
"""Slopes over 100 ft, in points (percent of 100): a tenth of an inch over the run.

Ground of exactly 15 % on the grid of a UTM or State Plane raster reads up to 0.006 less, since a
grid is up to 4 in 10,000 shorter than the ground; whole degrees of direction lose up to 0.0006, the
working plane up to 0.0003, and heights in 32 bits up to 0.0005. A slope of 14.99 % stays below."""
