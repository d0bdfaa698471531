//! What `CountSolutions` and `EnumerateSolutions` answer.

use sudoku_service::grid::Grid;
use sudoku_service::grpc::v1;
use sudoku_service::rules;
use tonic::{Code, Status};

use super::call::Call;
use super::errors::check_limit;
use crate::checks::reader;
use crate::oracle;

/// The greatest number of solutions that a request asks for.
fn asked_for(limit: i32) -> usize {
    match limit {
        0 => 1000,
        limit => usize::try_from(limit).expect("it was accepted"),
    }
}

pub(super) fn check_count(
    request: &v1::CountSolutionsRequest,
    answer: Result<&v1::CountSolutionsResponse, &Status>,
) {
    match answer {
        Ok(response) => {
            let cells = reader::read(&request.grid).expect("it was answered");
            let count = usize::try_from(response.solution_count).expect("a count");
            assert!((0..=1_000_000).contains(&request.limit));
            assert!(
                count <= asked_for(request.limit),
                "{request:?}: {response:?}"
            );
            if oracle::rules::has_clash(&cells) {
                assert!(count == 0 && response.exact, "{response:?}");
            }
        }
        Err(status) => check_limit(request.limit, &request.grid, status),
    }
}

pub(super) fn check_enumerate(
    request: Option<&v1::EnumerateSolutionsRequest>,
    call: &Call<v1::EnumerateSolutionsResponse>,
) {
    let Some(request) = request else {
        return;
    };
    let code = call.status.as_ref().map(Status::code);
    match (&call.status, code) {
        (_, Some(Code::Unavailable)) => return,
        (Some(status), Some(code)) if code != Code::Ok => {
            assert!(call.messages.is_empty());
            return check_limit(request.limit, &request.grid, status);
        }
        _ => assert!(!call.messages.is_empty()),
    }
    let cells = reader::read(&request.grid).expect("it was answered");
    let puzzle = Grid::from_values(cells).expect("digits");
    assert!(
        call.messages
            .iter()
            .all(|message| message.solutions.len() <= 100)
    );
    let (last, before) = call.messages.split_last().expect("at least one");
    let full = |message: &v1::EnumerateSolutionsResponse| message.solutions.len() == 100;
    assert!(
        before
            .iter()
            .all(|message| !message.exhaustive && full(message))
    );
    let solutions: Vec<&String> = call.messages.iter().flat_map(|m| &m.solutions).collect();
    assert!(solutions.is_sorted_by(|a, b| a < b));
    assert!(solutions.len() <= asked_for(request.limit), "{request:?}");
    for solution in &solutions {
        let solution = solution.parse().expect("a grid");
        assert!(
            rules::is_solution_of(&solution, &puzzle),
            "{puzzle}: {solution}"
        );
    }
    if !rules::conflicts(&puzzle).is_empty() {
        assert!(solutions.is_empty() && last.exhaustive);
    }
}
