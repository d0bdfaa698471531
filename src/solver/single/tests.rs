//! Boards in memory, the rules and the choice, held against the reference.

use super::board::Board;
use super::choice::choose;
use super::close::{Closed, close};
use super::lanes::{Lanes, Task};
use super::search::Search;
use crate::solver::budget::{Budget, StopFlag};
use crate::solver::engine::{Engine, with_lanes};
use crate::solver::tests::reference::{self, Candidates, State};
use crate::solver::tests::{Random, boards, engines, states};

/// The board with these candidates.
fn board(cells: &Candidates) -> Board {
    let mut board = Board::EMPTY;
    for (cell, digits) in cells.iter().enumerate() {
        let gone = (0..9).filter(|digit| digits >> digit & 1 == 0);
        gone.for_each(|digit| board.remove(cell, digit));
    }
    board
}

fn candidates(board: &Board) -> Candidates {
    std::array::from_fn(|cell| board.candidates(cell))
}

#[test]
fn a_board_has_the_candidates_of_its_grid() {
    for grid in boards(6, 81).take(999) {
        let meaning = board(&reference::load(&grid));
        for engine in engines() {
            let read = with_lanes!(engine, lanes => Board::of(lanes, &grid));
            assert_eq!(read, meaning, "{engine} {grid:?}");
            assert_eq!(candidates(&read), reference::load(&grid), "{engine}");
        }
    }
}

#[test]
fn a_board_with_one_candidate_a_cell_is_a_grid_again() {
    let mut random = Random::new(7);
    for _ in 0..999 {
        let grid: [u8; 81] = std::array::from_fn(|_| random.below(9) as u8 + 1);
        for engine in engines() {
            let back = with_lanes!(engine, lanes => Board::of(lanes, &grid).grid(lanes));
            assert_eq!(back, grid, "{engine}");
        }
    }
}

#[test]
fn cells_are_changed_one_by_one() {
    let mut random = Random::new(8);
    for mut cells in states().into_iter().step_by(10) {
        let mut board = board(&cells);
        for _ in 0..9 {
            let (cell, digit) = (random.below(81), random.below(9));
            if random.below(2) == 0 {
                board.remove(cell, digit);
                cells[cell] &= !(1 << digit);
            } else if board.has(cell, digit) {
                board.assign(cell, digit);
                cells[cell] = 1 << digit;
            }
            assert_eq!(candidates(&board), cells);
            let open = cells.iter().position(|digits| digits.count_ones() > 1);
            let first_open = open.map_or((81, 0), |cell| (cell, cells[cell]));
            assert_eq!(board.first_open(), first_open);
        }
    }
}

/// The boards that a search goes on with.
struct Split<'a>(&'a Board);

impl Task for Split<'_> {
    type Output = [Board; 2];

    #[inline(always)]
    fn on<L: Lanes>(self, l: L) -> [Board; 2] {
        let board = self.0.load(l);
        let mut split = [Board::EMPTY; 2];
        for (to, half) in split.iter_mut().zip(choose(l, board).split(l, board)) {
            to.store(l, half);
        }
        split
    }
}

#[test]
fn boards_are_closed_and_split_like_the_reference() {
    for cells in states() {
        let mut closed = cells;
        let state = reference::close(&mut closed);
        for engine in engines() {
            let mut board = board(&cells);
            let end = with_lanes!(engine, lanes => close(lanes, &mut board));
            let end = match end {
                Closed::Dead => State::Contradiction,
                Closed::Open => State::Open,
                Closed::Solved => State::Solved,
            };
            assert_eq!(end, state, "{engine} {cells:?}");
            if state != State::Contradiction {
                assert_eq!(candidates(&board), closed, "{engine} {cells:?}");
            }
            if state == State::Open {
                let split = with_lanes!(engine, lanes => lanes.run(Split(&board)));
                let choice = reference::choose(&closed);
                let assumed = reference::assume(&closed, choice);
                let negated = reference::negate(&closed, choice);
                let split = split.map(|board| candidates(&board));
                assert_eq!(split, [assumed, negated], "{engine} {closed:?}");
            }
        }
    }
}

#[test]
fn searches_go_the_way_of_the_reference() {
    const LIMIT: usize = 5;
    let stop = StopFlag::new();
    for grid in boards(9, 45).take(300) {
        let meaning = reference::solutions(&grid, LIMIT);
        for engine in engines() {
            let (mut search, mut budget) = (Search::new(), Budget::new(u64::MAX, &stop));
            let mut found = Vec::new();
            with_lanes!(engine, lanes => {
                search.start(lanes, &grid);
                while let Ok(Some(board)) = search.next(lanes, &mut budget) {
                    found.push(board.grid(lanes));
                    if found.len() == LIMIT {
                        break;
                    }
                }
            });
            assert_eq!((found, budget.spent()), meaning, "{engine} {grid:?}");
        }
    }
}
