//! Errors: every row of the contract's table that Solve and Validate can meet.

use sudoku_service::grpc::v1::{SolveRequest, ValidateRequest};
use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::raw::{self, framed};
use crate::support::{PUZZLE, TestServer, error_info, violated_fields};

/// Asserts reason, metadata and field of the refusal of `grid`, by both methods.
async fn assert_refused(
    server: &TestServer,
    grid: &str,
    reason: &str,
    metadata: &[(&str, &str)],
    words: &[&str],
) {
    let solve = server.solve_status(grid).await;
    let validate = server
        .validate(ValidateRequest {
            grid: grid.into(),
            ..Default::default()
        })
        .await
        .unwrap_err();
    for status in [solve, validate] {
        assert_eq!(status.code(), Code::InvalidArgument, "{status:?}");
        let info = error_info(&status);
        assert_eq!(info.reason, reason);
        for (key, value) in metadata {
            assert_eq!(
                info.metadata.get(*key).map(String::as_str),
                Some(*value),
                "{key}"
            );
        }
        assert!(violated_fields(&status).iter().all(|field| field == "grid"));
        for word in words {
            assert!(
                status.message().contains(word),
                "{word}: {}",
                status.message()
            );
        }
        assert!(status.details().len() < 4096);
        assert!(!status.message().contains(PUZZLE));
    }
    server.assert_alive().await;
}

impl TestServer {
    async fn solve_status(&self, grid: &str) -> Status {
        let request = SolveRequest {
            grid: grid.into(),
            ..Default::default()
        };
        self.client.clone().solve(request).await.unwrap_err()
    }
}

#[tokio::test]
async fn a_grid_that_is_too_long() {
    let server = TestServer::start().await;
    for length in [1025, 2_000_000] {
        let length_text = length.to_string();
        let metadata = [("length", length_text.as_str())];
        assert_refused(
            &server,
            &".".repeat(length),
            "GRID_TOO_LONG",
            &metadata,
            &["1024"],
        )
        .await;
    }
    server.stop().await;
}

#[tokio::test]
async fn a_character_that_has_no_place_in_a_grid() {
    let server = TestServer::start().await;
    for (character, shown) in [
        ("A", "A"),
        ("٣", "٣"),
        ("４", "４"),
        ("²", "²"),
        ("💥", "💥"),
        ("\0", "U+0000"),
        ("\u{7F}", "U+007F"),
    ] {
        let grid = PUZZLE.replacen('.', character, 1);
        let metadata = [("position", "3"), ("character", shown)];
        assert_refused(
            &server,
            &grid,
            "GRID_CHARACTER",
            &metadata,
            &[shown, "position 3"],
        )
        .await;
    }
    server.stop().await;
}

#[tokio::test]
async fn each_refused_character_is_one_violation_up_to_ten() {
    let server = TestServer::start().await;
    let three = server.solve_status(&PUZZLE.replacen('.', "A", 3)).await;
    assert_eq!(violated_fields(&three).len(), 3);
    let many = server.solve_status(&"💥".repeat(1000)).await;
    assert_eq!(violated_fields(&many).len(), 10);
    assert!(many.details().len() < 4096);
    server.stop().await;
}

#[tokio::test]
async fn a_sign_before_a_digit() {
    let server = TestServer::start().await;
    for grid in [PUZZLE.replacen('.', "-1", 1), PUZZLE.replacen('.', "+0", 1)] {
        let metadata = [("position", "4")];
        assert_refused(
            &server,
            &grid,
            "GRID_CHARACTER",
            &metadata,
            &["sign", "position 4"],
        )
        .await;
    }
    server.stop().await;
}

#[tokio::test]
async fn a_wrong_number_of_cells() {
    let server = TestServer::start().await;
    let longer = format!("{PUZZLE}.");
    for (grid, count) in [
        ("", "0"),
        (&PUZZLE[..80], "80"),
        (&longer, "82"),
        (&PUZZLE.repeat(2), "162"),
    ] {
        let metadata = [("cell_count", count)];
        let words = [count, "81", ". 0 _ * x X ?"];
        assert_refused(&server, grid, "GRID_CELL_COUNT", &metadata, &words).await;
    }
    server.stop().await;
}

#[tokio::test]
async fn grid_and_puzzle_are_both_reported() {
    let server = TestServer::start().await;
    let request = |grid: &str, puzzle: &str| ValidateRequest {
        grid: grid.into(),
        puzzle: puzzle.into(),
        ..Default::default()
    };
    let both = server.validate(request("1", "AB")).await.unwrap_err();
    assert_eq!(violated_fields(&both), ["grid", "puzzle", "puzzle"]);
    assert_eq!(error_info(&both).reason, "GRID_CELL_COUNT");
    let puzzle = server.validate(request(PUZZLE, "2")).await.unwrap_err();
    assert_eq!(violated_fields(&puzzle), ["puzzle"]);
    server.stop().await;
}

#[tokio::test]
async fn a_message_over_the_limit() {
    let server = TestServer::start().await;
    let status = server.solve_status(&".".repeat(5 << 20)).await;
    assert_eq!(status.code(), Code::ResourceExhausted);
    let info = error_info(&status);
    assert_eq!(info.reason, "MESSAGE_TOO_LARGE");
    assert_eq!(info.metadata["limit"], "4194304");
    server.assert_alive().await;
    server.stop().await;
}

async fn solve_raw(server: &TestServer, frame: &[u8]) -> Status {
    raw::call(server.address, "Solve", None, frame).await
}

#[tokio::test]
async fn bytes_that_are_no_message() {
    let server = TestServer::start().await;
    let invalid_utf8 = framed(&[0x0A, 2, 0xC3, 0x28]);
    let truncated_field = framed(&[0x0A, 81, b'1']);
    let wrong_wire_type = framed(&[0x08, 1]);
    let cut_frame = framed(b"12345678")[..9].to_vec();
    let unknown_compression = [&[1], &framed(b"")[1..]].concat();
    for frame in [
        invalid_utf8,
        truncated_field,
        wrong_wire_type,
        cut_frame,
        vec![0xFF; 64],
    ] {
        let status = solve_raw(&server, &frame).await;
        assert_eq!(status.code(), Code::Internal, "{frame:?}: {status:?}");
        assert_eq!(error_info(&status).reason, "MESSAGE_MALFORMED");
        server.assert_alive().await;
    }
    let status = solve_raw(&server, &unknown_compression).await;
    assert_ne!(status.code(), Code::Ok, "{status:?}");
    server.assert_alive().await;
    server.stop().await;
}

#[tokio::test]
async fn an_empty_message_is_an_empty_grid_text() {
    let server = TestServer::start().await;
    let status = solve_raw(&server, &framed(b"")).await;
    assert_eq!(error_info(&status).metadata["cell_count"], "0");
    server.stop().await;
}

#[tokio::test]
async fn an_unknown_field_is_passed_over() {
    let server = TestServer::start().await;
    let mut message = vec![0x0A, 81];
    message.extend(PUZZLE.as_bytes());
    message.extend([0xF8, 0x07, 1]); // field 127, varint 1
    let status = solve_raw(&server, &framed(&message)).await;
    assert_eq!(status.code(), Code::Ok);
    server.stop().await;
}

#[tokio::test]
async fn an_unknown_method_is_unimplemented() {
    let server = TestServer::start().await;
    let mut grpc = tonic::client::Grpc::new(server.connect().await);
    for path in ["/sudoku.v1.SudokuService/Guess", "/no.Service/Solve"] {
        grpc.ready().await.unwrap();
        let codec = tonic_prost::ProstCodec::<SolveRequest, SolveRequest>::default();
        let request = tonic::Request::new(SolveRequest::default());
        let path = http::uri::PathAndQuery::from_static(path);
        let status = grpc.unary(request, path, codec).await.unwrap_err();
        assert_eq!(status.code(), Code::Unimplemented);
    }
    server.stop().await;
}

#[tokio::test]
async fn details_are_the_standard_ones() {
    let server = TestServer::start().await;
    let status = server.solve_status("5A").await;
    let details = status.get_error_details();
    let violation = &details.bad_request().unwrap().field_violations[0];
    assert_eq!(violation.reason, "GRID_CHARACTER");
    assert_eq!(
        violation.description,
        "character A at position 2 is neither a given 1-9 nor a blank . 0 _ * x X ?"
    );
    server.stop().await;
}
