from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from stormwater_screen.flow_grid import (
    FAR,
    LAND,
    PIT,
    WATER,
    FlowGrid,
    Terrain,
    lay,
    route,
    route_from,
)
from stormwater_screen.flow_ground import CELL_FT, Booleans, Singles
from stormwater_screen.flow_path import trace, visits, walk

SIDE = 41


def terrain(ground: Singles, water: Booleans | None = None) -> Terrain:
    water = np.zeros(ground.shape, bool) if water is None else water
    off = np.zeros(ground.shape, bool)
    return lay(ground.astype(np.float32), off, water, left_ft=0.0, bottom_ft=0.0)


def rough(seed: int) -> Terrain:
    """Random ground with hollows in hollows, level steps, ponds and a hole."""
    rng = np.random.default_rng(seed)
    wide = np.kron(rng.uniform(0, 40, (7, 7)), np.ones((SIDE // 7 + 1, SIDE // 7 + 1)))
    ground = wide[:SIDE, :SIDE] + rng.uniform(0, 12, (SIDE, SIDE))
    ground[10:14, 5:20] = ground[10:14, 5:20].round(-1)
    ground[30:32, 30:33] = np.nan
    water = np.zeros((SIDE, SIDE), bool)
    water[rng.integers(1, SIDE - 1, 4), rng.integers(1, SIDE - 1, 4)] = True
    return terrain(ground, water)


def path_of(grid: FlowGrid, start: int) -> list[int]:
    return visits(grid, np.array([start]), np.ones(len(grid.code), bool)).cell.tolist()


@pytest.mark.parametrize("degrees", [0, 10, 22.5, 37, 45, 60, 90, 123, 200, 341])
def test_runoff_on_a_plane_goes_straight_down_in_any_direction(degrees: float) -> None:
    east, north = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    row, column = np.mgrid[0:SIDE, 0:SIDE]
    grid = route(terrain(500.0 - 3.0 * (column * east + row * north)), pit_ft=3.0)
    middle = np.array([SIDE // 2 * SIDE + SIDE // 2])
    walked = walk(grid, middle)
    assert walked.code.tolist() == [FAR]
    first, last = grid.centres(middle)[0], grid.centres(walked.end)[0]
    way = last - first
    aside_ft = abs(way[0] * north - way[1] * east)
    assert way @ [east, north] > 18 * CELL_FT
    assert aside_ft <= CELL_FT
    # By steps along rows and diagonals a way is up to 8.3 % longer than straight.
    assert walked.length_ft[0] <= np.hypot(*way) * 1.083 + 1


@pytest.mark.parametrize("seed", range(4))
def test_the_first_step_is_one_of_the_two_beside_the_steepest_way(seed: int) -> None:
    grid = route(rough(seed), pit_ft=math.inf)
    level = grid.filled.reshape(grid.shape).astype(float) / CELL_FT
    checked = 0
    for start in np.flatnonzero(grid.code == LAND).tolist():
        row, column = divmod(start, SIDE)
        slope, way = slowly(level, row, column)
        path = path_of(grid, start)
        if slope <= 0 or len(path) < 2:
            continue
        to_row, to_column = divmod(path[1], SIDE)
        taken = math.atan2(to_row - row, to_column - column)
        turn = abs((taken - way + math.pi) % math.tau - math.pi)
        # The nearer of two ways 45 degrees apart.
        assert turn <= math.radians(22.5 + 12), (row, column)
        assert level[to_row, to_column] < level[row, column]
        checked += 1
    assert checked > 500


def slowly(level: np.ndarray, row: int, column: int) -> tuple[float, float]:
    """Return slope and direction of the steepest of the eight triangles around a cell."""
    best = (0.0, 0.0)
    for quarter in range(4):
        for side in (1, -1):
            straight = quarter * math.pi / 2
            oblique = straight + side * math.pi / 4
            one, other = (
                level[row + round(1.4 * math.sin(a)), column + round(1.4 * math.cos(a))]
                for a in (straight, oblique)
            )
            down, over = level[row, column] - one, one - other
            angle = math.atan2(over, down)
            if angle < 0:
                angle, slope = 0.0, down
            elif angle > math.pi / 4:
                angle, slope = math.pi / 4, (level[row, column] - other) / math.sqrt(2)
            else:
                slope = math.hypot(down, over)
            if slope > best[0]:
                best = (slope, straight + side * angle)
    return best


@pytest.mark.parametrize("seed", range(8))
def test_the_way_from_one_cell_is_the_same_as_on_ground_that_is_filled_to_the_top(
    seed: int,
) -> None:
    ground = rough(seed)
    whole = route(ground, pit_ft=math.inf)
    land = np.flatnonzero(ground.code == LAND)
    for start in land[:: len(land) // 60].tolist():
        alone = route_from(ground, start)
        assert path_of(alone, start) == path_of(whole, start)
        one, other = (walk(grid, np.array([start])) for grid in (alone, whole))
        assert one.deepest_ft == other.deepest_ft
        assert one.climb_ft == other.climb_ft


def test_no_path_runs_in_circles_where_filled_ground_is_level_but_for_rounding() -> None:
    for seed in range(40):
        grid = route(rough(seed), pit_ft=math.inf)
        walked = walk(grid, np.arange(len(grid.code)))
        assert (walked.code[np.isfinite(grid.ground)] != LAND).all()


@pytest.mark.parametrize("seed", range(12))
def test_a_deep_depression_drained_alone_is_as_if_all_ground_were_filled_anew(seed: int) -> None:
    rng = np.random.default_rng(seed)
    wide = np.kron(rng.uniform(0, 60, (11, 11)), np.ones((4, 4)))
    ground = terrain(wide[:SIDE, :SIDE] + rng.uniform(0, 15, (SIDE, SIDE)))
    grid = route(ground, pit_ft=3.0)
    pits = grid.code == PIT
    assert pits.sum() > 3
    # The pits are outlets from the beginning.
    anew = route(replace(ground, code=grid.code), pit_ft=math.inf)
    assert np.array_equal(grid.filled, anew.filled)
    assert (grid.filled - grid.ground < 3.0).all()
    land = np.flatnonzero(ground.code == LAND)
    one, other = (visits(g, land, np.ones(len(g.code), bool)) for g in (grid, anew))
    assert np.array_equal(one.cell, other.cell)
    # No pit is more than is needed: each was 3 ft below the lowest way out when it became one.
    for pit in np.flatnonzero(pits)[:5].tolist():
        code = grid.code.copy()
        code[pit] = LAND
        without = route(replace(ground, code=code), pit_ft=math.inf)
        assert without.filled[pit] - without.ground[pit] >= 3.0


def test_a_hollow_without_water_has_a_way_out_over_its_lowest_rim() -> None:
    row, column = np.mgrid[0:SIDE, 0:SIDE]
    bowl = np.maximum(abs(row - 20), abs(column - 20)) * 10.0
    bowl[20, 30] = 35.0
    start = 20 * SIDE + 20
    grid = route_from(terrain(bowl), start)
    walked = walk(grid, np.array([start]))
    # The rim is at 200 ft everywhere else, and the edge of the window ends the path.
    assert walked.code.tolist() == [FAR]
    assert walked.deepest_ft.tolist() == [200.0]
    deep = walk(route(terrain(bowl), pit_ft=3.0), np.array([start]))
    assert deep.code.tolist() == [PIT]


def test_a_path_that_begins_in_water_has_one_cell() -> None:
    water = np.zeros((SIDE, SIDE), bool)
    water[20, 20] = True
    grid = route(terrain(np.zeros((SIDE, SIDE)), water), pit_ft=3.0)
    start = np.array([20 * SIDE + 20])
    walked = walk(grid, start)
    assert walked.code.tolist() == [WATER]
    assert walked.length_ft.tolist() == [0.0]
    assert trace(grid, start).tolist() == [None]


def test_only_the_wanted_cells_of_a_path_are_told() -> None:
    row, _ = np.mgrid[0:SIDE, 0:SIDE]
    grid = route(terrain(100.0 + row), pit_ft=3.0)
    wanted = np.zeros(SIDE * SIDE, bool)
    wanted[[5 * SIDE + 7, 15 * SIDE + 7, 15 * SIDE + 8]] = True
    starts = np.array([20 * SIDE + 7, 10 * SIDE + 7])
    seen = visits(grid, starts, wanted)
    assert seen.path.tolist() == [0, 0, 1]
    assert seen.cell.tolist() == [15 * SIDE + 7, 5 * SIDE + 7, 5 * SIDE + 7]
    assert seen.end.tolist() == [7, 7]


def test_only_cells_whose_centres_lie_in_the_box_of_their_path_are_told() -> None:
    row, _ = np.mgrid[0:SIDE, 0:SIDE]
    grid = route(terrain(100.0 + row), pit_ft=3.0)
    starts = np.array([20 * SIDE + 7, 20 * SIDE + 8, 20 * SIDE + 9])
    x = 7.5 * CELL_FT
    boxes = np.array(
        [
            [x, 10.5 * CELL_FT, x, 12.49 * CELL_FT],
            [x, 0.0, x + 29.0, 9_999.0],
            [math.inf, math.inf, -math.inf, -math.inf],
        ]
    )
    seen = visits(grid, starts, np.ones(SIDE * SIDE, bool), boxes)
    assert seen.path.tolist() == [0, 0]
    assert seen.cell.tolist() == [11 * SIDE + 7, 10 * SIDE + 7]
    assert seen.end.tolist() == [7, 8, 9]


def test_more_cells_than_there_was_room_for_are_all_told() -> None:
    row, _ = np.mgrid[0:SIDE, 0:SIDE]
    grid = route(terrain(100.0 + row), pit_ft=3.0)
    starts = np.repeat(np.array([39 * SIDE + 7]), 300)
    seen = visits(grid, starts, np.ones(SIDE * SIDE, bool))
    assert len(seen.cell) == 300 * 40
    assert seen.cell[-40:].tolist() == [r * SIDE + 7 for r in range(39, -1, -1)]
