//! Solve: every row of the table of answers.

use sudoku_service::grpc::v1::{Cell, Conflict, SolveStatus, Uniqueness, Unit};

use crate::support::{HARD, PUZZLE, SOLUTION, TestServer};

#[tokio::test]
async fn a_proper_puzzle_has_its_one_solution() {
    let server = TestServer::start().await;
    let answer = server.solve(PUZZLE).await.unwrap();
    assert_eq!(answer.status(), SolveStatus::Solved);
    assert_eq!(answer.uniqueness(), Uniqueness::Unique);
    assert_eq!(answer.solution, SOLUTION);
    assert_eq!(answer.conflicts, []);
    assert!(answer.stats.is_some());
    server.stop().await;
}

#[tokio::test]
async fn of_several_solutions_the_two_smallest_come_back() {
    let server = TestServer::start().await;
    // Two rows of two boxes whose 1 and 2 can change places.
    let ambiguous =
        "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642";
    let answer = server.solve(ambiguous).await.unwrap();
    assert_eq!(answer.status(), SolveStatus::Solved);
    assert_eq!(answer.uniqueness(), Uniqueness::Multiple);
    assert_eq!(&answer.solution[..2], "12");
    assert_eq!(&answer.alternative_solution[..2], "21");

    let empty = server.solve(&".".repeat(81)).await.unwrap();
    assert_eq!(
        empty.solution,
        "123456789456789123789123456214365897365897214897214365531642978642978531978531642"
    );
    assert_eq!(
        empty.alternative_solution,
        "123456789456789123789123456214365897365897214897214365531642978648971532972538641"
    );
    server.stop().await;
}

#[tokio::test]
async fn no_solution_is_an_answer() {
    let server = TestServer::start().await;
    let impossible = PUZZLE.replacen('.', "1", 1);
    let answer = server.solve(&impossible).await.unwrap();
    assert_eq!(answer.status(), SolveStatus::NoSolution);
    assert_eq!(answer.uniqueness(), Uniqueness::None);
    server.stop().await;
}

#[tokio::test]
async fn clashing_givens_are_listed() {
    let server = TestServer::start().await;
    let answer = server.solve(&PUZZLE.replacen('.', "5", 1)).await.unwrap();
    assert_eq!(answer.status(), SolveStatus::ConflictingGivens);
    assert_eq!(answer.uniqueness(), Uniqueness::None);
    let both = |unit: Unit| Conflict {
        unit: unit.into(),
        unit_number: 1,
        digit: 5,
        cells: vec![Cell { row: 1, column: 1 }, Cell { row: 1, column: 3 }],
    };
    assert_eq!(answer.conflicts, [both(Unit::Row), both(Unit::Box)]);
    server.stop().await;
}

#[tokio::test]
async fn skipping_the_check_leaves_uniqueness_open() {
    let server = TestServer::start().await;
    let answer = server.solve_request(PUZZLE, true).await.unwrap();
    assert_eq!(answer.status(), SolveStatus::Solved);
    assert_eq!(answer.uniqueness(), Uniqueness::Unknown);
    assert_eq!(answer.solution, SOLUTION);

    let empty = server.solve_request(&".".repeat(81), true).await.unwrap();
    assert!(empty.solution.starts_with("123456789456789123789123456"));

    let impossible = PUZZLE.replacen('.', "1", 1);
    let answer = server.solve_request(&impossible, true).await.unwrap();
    assert_eq!(answer.uniqueness(), Uniqueness::None);
    server.stop().await;
}

#[tokio::test]
async fn a_search_beyond_its_limit_says_so_and_never_no_solution() {
    let server = TestServer::start_with(|config| config.max_guesses = 1).await;
    for skip in [false, true] {
        let answer = server.solve_request(HARD, skip).await.unwrap();
        assert_eq!(answer.status(), SolveStatus::LimitReached);
        assert_eq!(answer.uniqueness(), Uniqueness::Unknown);
        assert_eq!(answer.stats.unwrap().guess_count, 1);
    }
    server.stop().await;
}
