//! The rules and the choice in all lanes, held against the reference.

use super::board::{Boards, Edit, Loose, MINIROWS, Strike, Unzip, take_out};
use super::choice::{Choices, Choose};
use super::lanes::{PuzzleLanes, members};
use super::sweep::Sweep;
use crate::solver::engine::{Engine, with_lanes};
use crate::solver::tests::reference::{self, Candidates, Choice, State};
use crate::solver::tests::{Random, engines, states};

/// What the rules make of a board; choices come in the same form as edits.
#[derive(Debug, PartialEq, Eq)]
struct End {
    state: State,
    closed: Loose,
    choice: Option<(u16, u16)>,
}

impl End {
    /// Of a board that came to nothing, what is left of it is of no interest.
    fn new(state: State, closed: Loose, choice: impl FnOnce() -> (u16, u16)) -> Self {
        Self {
            state,
            closed: if state == State::Contradiction {
                [0; 81]
            } else {
                closed
            },
            choice: (state == State::Open).then(choice),
        }
    }

    fn by_reference(cells: &Candidates) -> Self {
        let mut closed = *cells;
        let state = reference::close(&mut closed);
        Self::new(state, closed, || {
            let Choice {
                band,
                row,
                square,
                digit,
            } = reference::choose(&closed);
            ((9 * band + 3 * row + square) as u16, 1 << digit)
        })
    }
}

/// Closes as many boards as an engine has lanes, or fewer.
fn close<P: PuzzleLanes>(lanes: P, states: &[Candidates]) -> Vec<End> {
    let mut boards = Boards::empty(lanes);
    for (lane, cells) in states.iter().enumerate() {
        boards.insert(lane, cells);
    }
    let mut ends = vec![None; states.len()];
    while ends.contains(&None) {
        let swept = lanes.run(Sweep(&mut boards));
        let mut end = |set, state| {
            for lane in members(set).filter(|&lane| lane < states.len()) {
                ends[lane].get_or_insert(state);
            }
        };
        end(swept.dead, State::Contradiction);
        end(swept.solved, State::Solved);
        end(swept.stalled, State::Open);
    }
    let mut choices = Choices::default();
    lanes.run(Choose {
        cells: &boards.cells,
        choices: &mut choices,
    });
    let mut runs = [[lanes.splat(0); 8]; 11];
    lanes.run(Unzip {
        cells: &boards.cells,
        runs: &mut runs,
    });
    let ends = ends.into_iter().flatten().enumerate().map(|(lane, state)| {
        let mut closed = [0; 81];
        take_out::<P>(&boards.cells, &runs, lane, &mut closed);
        End::new(state, closed, || choices.of(lane))
    });
    ends.collect()
}

/// The same, of any number of boards.
fn close_all<P: PuzzleLanes>(lanes: P, states: &[Candidates]) -> Vec<End> {
    let groups = states.chunks(P::LANES);
    groups.flat_map(|group| close(lanes, group)).collect()
}

#[test]
fn boards_are_closed_and_chosen_for_like_the_reference() {
    let states = states();
    let meaning: Vec<End> = states.iter().map(End::by_reference).collect();
    for engine in engines() {
        let ends = with_lanes!(engine, lanes => close_all(lanes, &states));
        assert_eq!(ends.len(), meaning.len());
        for ((end, meaning), cells) in ends.iter().zip(&meaning).zip(&states) {
            assert_eq!(end, meaning, "{engine} {cells:?}");
        }
    }
}

#[test]
fn minirows_are_those_of_the_reference() {
    for (number, cells) in MINIROWS.into_iter().enumerate() {
        let (band, row, square) = (number / 9, number / 3 % 3, number % 3);
        let meaning = reference::minirow(band, row, square);
        assert_eq!(cells.map(usize::from), meaning);
    }
}

/// Strikes a digit from one lane's minirow, and takes all boards out.
fn strike<P: PuzzleLanes>(lanes: P, states: &[Candidates], edit: Edit) -> Vec<Loose> {
    let mut boards = Boards::empty(lanes);
    let used = states.iter().take(P::LANES).enumerate();
    for (lane, cells) in used.clone() {
        boards.insert(lane, cells);
    }
    lanes.run(Strike {
        cells: &mut boards.cells,
        edits: &[edit],
    });
    let mut runs = [[lanes.splat(0); 8]; 11];
    lanes.run(Unzip {
        cells: &boards.cells,
        runs: &mut runs,
    });
    let boards = used.map(|(lane, _)| {
        let mut board = [0; 81];
        take_out::<P>(&boards.cells, &runs, lane, &mut board);
        board
    });
    boards.collect()
}

#[test]
fn a_digit_leaves_one_minirow_of_one_lane() {
    let states = states();
    let mut random = Random::new(10);
    for _ in 0..200 {
        let first = random.below(states.len() - 32);
        let states = &states[first..first + 32];
        for engine in engines() {
            let lane = random.below(8) as u8;
            let (minirow, digit) = (random.below(54) as u16, 1 << random.below(9));
            let edit = Edit {
                lane,
                minirow,
                digit,
            };
            let boards = with_lanes!(engine, lanes => strike(lanes, states, edit));
            for (number, (board, before)) in boards.iter().zip(states).enumerate() {
                let mut meaning = *before;
                if number == usize::from(lane) {
                    for cell in MINIROWS[usize::from(minirow)] {
                        meaning[usize::from(cell)] &= !digit;
                    }
                }
                assert_eq!(*board, meaning, "{engine} {edit:?} {number}");
            }
        }
    }
}
