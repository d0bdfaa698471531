//! Validate: is a rule broken, how many completions are there, and is the grid on the
//! way to the solution.

use sudoku_service::grpc::v1::{Cell, GridState, Uniqueness, ValidateRequest};

use crate::support::{PUZZLE, SOLUTION, TestServer};

fn grid(grid: &str) -> ValidateRequest {
    ValidateRequest {
        grid: grid.into(),
        ..Default::default()
    }
}

fn cell(row: i32, column: i32) -> Cell {
    Cell { row, column }
}

#[tokio::test]
async fn the_states_of_a_grid() {
    let server = TestServer::start().await;
    let clash = PUZZLE.replacen('.', "5", 1);
    for (text, state, uniqueness, filled) in [
        (SOLUTION, GridState::Solved, Uniqueness::Unique, 81),
        (PUZZLE, GridState::Incomplete, Uniqueness::Unique, 30),
        (&clash, GridState::Conflicting, Uniqueness::None, 31),
        (
            &".".repeat(81),
            GridState::Incomplete,
            Uniqueness::Multiple,
            0,
        ),
        (
            &PUZZLE.replacen('.', "1", 1),
            GridState::Incomplete,
            Uniqueness::None,
            31,
        ),
    ] {
        let answer = server.validate(grid(text)).await.unwrap();
        assert_eq!(answer.state(), state, "{text}");
        assert_eq!(answer.uniqueness(), uniqueness, "{text}");
        assert_eq!(answer.filled_cell_count, filled, "{text}");
        assert_eq!(answer.conflicts.is_empty(), state != GridState::Conflicting);
        assert_eq!(answer.normalized_grid, text);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_solved_grid_with_two_digits_swapped_conflicts_and_lists_it() {
    let server = TestServer::start().await;
    let swapped = format!("43{}", &SOLUTION[2..]);
    let answer = server.validate(grid(&swapped)).await.unwrap();
    assert_eq!(answer.state(), GridState::Conflicting);
    // Two 4 and no 5: in row 1, column 1 and box 1.
    assert_eq!(answer.conflicts.len(), 3);
    assert!(
        answer
            .conflicts
            .iter()
            .all(|c| c.digit == 4 && c.cells.len() == 2)
    );
    server.stop().await;
}

#[tokio::test]
async fn progress_is_told_in_changed_givens_and_wrong_cells() {
    let server = TestServer::start().await;
    // Row 1 was 53..7....: a given changed, one rubbed out, a right and a wrong digit.
    let draft = format!("9.41{}", &PUZZLE[4..]);
    let answer = server
        .validate(ValidateRequest {
            puzzle: PUZZLE.into(),
            ..grid(&draft)
        })
        .await
        .unwrap();
    assert_eq!(answer.changed_givens, [cell(1, 1), cell(1, 2)]);
    assert_eq!(answer.wrong_cells, [cell(1, 4)]);
    server.stop().await;
}

#[tokio::test]
async fn without_one_solution_of_the_puzzle_nothing_is_called_wrong() {
    let server = TestServer::start().await;
    let answer = server
        .validate(ValidateRequest {
            puzzle: ".".repeat(81),
            ..grid(PUZZLE)
        })
        .await
        .unwrap();
    assert_eq!(
        (answer.changed_givens, answer.wrong_cells),
        (vec![], vec![])
    );
    server.stop().await;
}

#[tokio::test]
async fn skipping_the_check_leaves_completions_open_and_still_finds_mistakes() {
    let server = TestServer::start().await;
    let skipping = |text: &str| ValidateRequest {
        skip_uniqueness_check: true,
        puzzle: PUZZLE.into(),
        ..grid(text)
    };
    let wrong = PUZZLE.replacen('.', "1", 1);
    let answer = server.validate(skipping(&wrong)).await.unwrap();
    assert_eq!(answer.uniqueness(), Uniqueness::Unknown);
    assert_eq!(answer.wrong_cells, [cell(1, 3)]);

    let clash = PUZZLE.replacen('.', "5", 1);
    let answer = server.validate(skipping(&clash)).await.unwrap();
    assert_eq!(answer.uniqueness(), Uniqueness::None);
    assert_eq!(answer.wrong_cells, [cell(1, 3)]);
    server.stop().await;
}
