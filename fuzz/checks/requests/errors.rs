//! Errors: the contract's own, and no others.

use sudoku_service::grpc::v1;
use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::checks::reader::{self, Refusal};

/// Every error is one of the contract's, with its details, which are short.
pub(super) fn check_status(status: &Status) {
    if status.code() == Code::Ok {
        assert!(status.details().is_empty());
        return;
    }
    let info = status.get_details_error_info().expect("an ErrorInfo");
    assert_eq!(info.domain, "sudoku.v1");
    let code = match &*info.reason {
        "GRID_TOO_LONG" | "GRID_CHARACTER" | "GRID_CELL_COUNT" | "FIELD_OUT_OF_RANGE" => {
            Code::InvalidArgument
        }
        "MESSAGE_TOO_LARGE" => Code::ResourceExhausted,
        "MESSAGE_MALFORMED" => Code::Internal,
        // The machine is shared with other tests.
        "OVERLOADED" => Code::Unavailable,
        other => panic!("{other}: {status:?}"),
    };
    assert_eq!(status.code(), code, "{status:?}");
    assert!(status.details().len() < 4096, "{status:?}");
    assert!(status.message().len() < 600, "{status:?}");
    let bad_request = status.get_details_bad_request();
    assert_eq!(bad_request.is_some(), code == Code::InvalidArgument);
    if let Some(bad_request) = bad_request {
        assert!((1..=10).contains(&bad_request.field_violations.len()));
    }
}

/// The error that the contract has for these grids, each with the field it stands in.
pub(super) fn check_refused(status: &Status, grids: &[(&str, &str)]) {
    let refusals = grids.iter().filter_map(|(field, text)| {
        let refusal = reader::read(text).err()?;
        Some((*field, *text, refusal))
    });
    let refusals: Vec<(&str, &str, Refusal)> = refusals.collect();
    let info = status.get_details_error_info().expect("an ErrorInfo");
    let (_, _, first) = &refusals[0];
    assert_eq!(info.reason, first.reason(), "{grids:?}");
    let metadata = |key: &str| info.metadata.get(key).map(String::as_str);
    match first {
        Refusal::Length(length) => assert_eq!(metadata("length"), Some(&*length.to_string())),
        Refusal::Characters(all) => {
            assert_eq!(metadata("position"), Some(&*all[0].0.to_string()));
        }
        Refusal::Cells(count) => assert_eq!(metadata("cell_count"), Some(&*count.to_string())),
    }
    let bad_request = status.get_details_bad_request().expect("a BadRequest");
    let found: Vec<&str> = bad_request
        .field_violations
        .iter()
        .map(|v| &*v.field)
        .collect();
    let each = refusals
        .iter()
        .flat_map(|(field, _, refusal)| std::iter::repeat_n(*field, refusal.violations().min(10)));
    assert_eq!(found, each.take(10).collect::<Vec<_>>(), "{grids:?}");
    for (_, text, _) in refusals {
        assert_not_echoed(text, status.message());
    }
}

/// No longer piece of the text stands in the words.
pub(super) fn assert_not_echoed(text: &str, words: &str) {
    let characters: Vec<char> = text.chars().collect();
    for piece in characters.windows(30) {
        let piece: String = piece.iter().collect();
        assert!(!words.contains(&piece), "{words}");
    }
}

pub(super) fn check_item_error(grid: &str, error: &v1::ItemError, field: &str) {
    let refusal = reader::read(grid).expect_err("it was refused");
    assert_eq!(error.code, i32::from(Code::InvalidArgument));
    assert_eq!((&*error.reason, &*error.field), (refusal.reason(), field));
    assert!(error.message.len() < 600, "{error:?}");
    assert_not_echoed(grid, &error.message);
}

pub(super) fn check_limit(limit: i32, grid: &str, status: &Status) {
    let info = status.get_details_error_info().expect("an ErrorInfo");
    if (0..=1_000_000).contains(&limit) {
        check_refused(status, &[("grid", grid)]);
    } else {
        assert_eq!(
            (&*info.reason, &*info.metadata["field"]),
            ("FIELD_OUT_OF_RANGE", "limit")
        );
    }
}
