//! The textbook solvers: the same solution, also where there are several.

use sudoku_service::solver::{Engine, Goal, Outcome};

use super::tally::Tally;
use super::{cases, describe};
use crate::judge::{engines, solve};
use crate::oracle::{Board, Verdict, transposed};
use crate::oracle::{column_major, first_blank, row_major, used_tables};

struct Textbook {
    name: &'static str,
    solve: fn(&mut Board) -> Verdict,
    order: Order,
}

/// The order in which a textbook fills the cells, and so that of its solutions.
#[derive(Clone, Copy)]
enum Order {
    Rows,
    Columns,
}

const TEXTBOOKS: [Textbook; 4] = [
    Textbook {
        name: "row major",
        solve: row_major::solve,
        order: Order::Rows,
    },
    Textbook {
        name: "first blank",
        solve: first_blank::solve,
        order: Order::Rows,
    },
    Textbook {
        name: "used tables",
        solve: used_tables::solve,
        order: Order::Rows,
    },
    Textbook {
        name: "column major",
        solve: column_major::solve,
        order: Order::Columns,
    },
];

#[test]
fn textbooks_agree_and_most_boards_are_settled_by_all() {
    let mut tally = Tally::default();
    for (kind, board) in cases() {
        let mut gave_up = Vec::new();
        for textbook in &TEXTBOOKS {
            let mut left = board;
            let verdict = (textbook.solve)(&mut left);
            if verdict == Verdict::GaveUp {
                gave_up.push(textbook.name);
                continue;
            }
            for engine in engines() {
                let expected = expected(engine, &board, textbook.order);
                let case = describe(engine, kind, &board);
                assert_eq!((verdict, left), expected, "{} and {case}", textbook.name);
            }
        }
        tally.add(kind, &gave_up);
    }
    println!("{tally}");
    assert!(
        tally.settled_by_all() * 100 >= 80 * tally.boards(),
        "{tally}"
    );
}

/// What a textbook has to say if the engine is right, and the board that it has
/// to leave.
fn expected(engine: Engine, board: &Board, order: Order) -> (Verdict, Board) {
    match solve(engine, board, Goal::Uniqueness) {
        Outcome::Clash => (Verdict::Refused, *board),
        Outcome::Unsolvable => (Verdict::Unsolvable, *board),
        Outcome::Unique(only) => (Verdict::Solved, *only.values()),
        Outcome::Multiple { smallest, .. } => match order {
            Order::Rows => (Verdict::Solved, *smallest.values()),
            Order::Columns => (Verdict::Solved, smallest_by_columns(engine, board)),
        },
        other => panic!("neither a solution nor none: {other:?}"),
    }
}

/// The smallest in column order is, with rows and columns exchanged, the
/// smallest in reading order.
fn smallest_by_columns(engine: Engine, board: &Board) -> Board {
    match solve(engine, &transposed(board), Goal::Smallest) {
        Outcome::Smallest(smallest) => transposed(smallest.values()),
        other => panic!("a solution by rows and none by columns: {other:?}"),
    }
}
