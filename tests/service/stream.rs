//! `StreamSolve`: one response for each request, in order, whatever comes in between.

use std::time::Duration;

use sudoku_service::grpc::v1::stream_solve_response::Outcome;
use sudoku_service::grpc::v1::sudoku_service_client::SudokuServiceClient;
use sudoku_service::grpc::v1::{SolveRequest, StreamSolveRequest, StreamSolveResponse};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Streaming};

use crate::raw::{self, framed};
use crate::support::{PUZZLE, SOLUTION, TestServer, error_info, judge, puzzles};

fn request(id: &str, grid: &str) -> StreamSolveRequest {
    StreamSolveRequest {
        id: id.into(),
        request: Some(SolveRequest {
            grid: grid.into(),
            ..Default::default()
        }),
    }
}

/// An open stream.
struct Pipe {
    requests: mpsc::Sender<StreamSolveRequest>,
    responses: Streaming<StreamSolveResponse>,
}

impl Pipe {
    async fn open(server: &TestServer) -> Self {
        let (requests, receiver) = mpsc::channel(2000);
        let mut client = server.client.clone();
        let responses = client.stream_solve(ReceiverStream::new(receiver)).await;
        Self {
            requests,
            responses: responses.unwrap().into_inner(),
        }
    }

    async fn send(&self, request: StreamSolveRequest) {
        self.requests.send(request).await.unwrap();
    }

    async fn next(&mut self) -> StreamSolveResponse {
        self.responses.message().await.unwrap().unwrap()
    }

    /// Sends no more and checks that the stream ends well.
    async fn close(mut self) {
        drop(self.requests);
        assert!(self.responses.message().await.unwrap().is_none());
    }
}

#[tokio::test]
async fn a_lone_request_is_answered_at_once() {
    let server = TestServer::start().await;
    let mut pipe = Pipe::open(&server).await;
    for number in 1..=3 {
        pipe.send(request("only", PUZZLE)).await;
        let response = pipe.next().await;
        assert_eq!(
            (response.id.as_str(), response.sequence_number),
            ("only", number)
        );
        let Some(Outcome::Response(answer)) = response.outcome else {
            panic!("no answer");
        };
        assert_eq!(answer, server.solve(PUZZLE).await.unwrap());
    }
    pipe.close().await;
    server.stop().await;
}

#[tokio::test]
async fn a_full_pipe_keeps_its_order() {
    let server = TestServer::start().await;
    let mut pipe = Pipe::open(&server).await;
    let grids: Vec<String> = puzzles(1500).collect();
    for (index, grid) in grids.iter().enumerate() {
        pipe.send(request(&index.to_string(), grid)).await;
    }
    for (index, grid) in grids.iter().enumerate() {
        let response = pipe.next().await;
        assert_eq!(response.id, index.to_string());
        assert_eq!(response.sequence_number, i64::try_from(index).unwrap() + 1);
        let Some(Outcome::Response(answer)) = response.outcome else {
            panic!("no answer");
        };
        judge(grid, &answer);
        if index % 100 == 0 {
            assert_eq!(answer, server.solve(grid).await.unwrap());
        }
    }
    pipe.close().await;
    server.stop().await;
}

#[tokio::test]
async fn bad_requests_get_error_responses_and_the_stream_goes_on() {
    let server = TestServer::start().await;
    let mut pipe = Pipe::open(&server).await;
    let long_id = "é".repeat(65);
    let bad = [
        (request("a", "53A"), "a", "GRID_CHARACTER", "request.grid"),
        (request("b", ""), "b", "GRID_CELL_COUNT", "request.grid"),
        (
            request(&long_id, PUZZLE),
            &long_id[..128],
            "FIELD_OUT_OF_RANGE",
            "id",
        ),
        (
            StreamSolveRequest {
                id: "d".into(),
                request: None,
            },
            "d",
            "FIELD_MISSING",
            "request",
        ),
    ];
    for (request, ..) in &bad {
        pipe.send(request.clone()).await;
    }
    pipe.send(request(&"i".repeat(64), PUZZLE)).await;
    for (number, (_, id, reason, field)) in (1..).zip(&bad) {
        let response = pipe.next().await;
        assert_eq!((&response.id[..], response.sequence_number), (*id, number));
        let Some(Outcome::Error(error)) = response.outcome else {
            panic!("an answer to {id}");
        };
        assert_eq!(Code::from(error.code), Code::InvalidArgument);
        assert_eq!((&error.reason[..], &error.field[..]), (*reason, *field));
        assert!(!error.message.is_empty());
    }
    let good = pipe.next().await;
    assert_eq!(good.id.len(), 64);
    assert!(matches!(good.outcome, Some(Outcome::Response(a)) if a.solution == SOLUTION));
    pipe.close().await;
    server.stop().await;
}

#[tokio::test]
async fn a_stream_that_ends_inside_a_message_says_so_after_its_answers() {
    let server = TestServer::start().await;
    let whole = framed(&prost::Message::encode_to_vec(&request("x", PUZZLE)));
    let cut = [&whole[..], &whole[..40]].concat();
    let (messages, status) = raw::stream(server.address, &cut).await;
    assert_eq!(messages, 1);
    assert_eq!(status.code(), Code::Internal);
    assert_eq!(error_info(&status).reason, "MESSAGE_MALFORMED");
    server.assert_alive().await;
    server.stop().await;
}

#[tokio::test]
async fn a_message_over_the_limit_ends_the_stream_with_its_reason() {
    let server = TestServer::start().await;
    let mut pipe = Pipe::open(&server).await;
    pipe.send(request("small", PUZZLE)).await;
    pipe.next().await;
    pipe.send(request("large", &".".repeat(5 << 20))).await;
    let status = pipe.responses.message().await.unwrap_err();
    assert_eq!(status.code(), Code::ResourceExhausted, "{status:?}");
    assert_eq!(error_info(&status).reason, "MESSAGE_TOO_LARGE");
    server.assert_alive().await;
    server.stop().await;
}

#[tokio::test]
async fn a_stream_outlives_the_deadline_of_other_calls() {
    let server = TestServer::start_with(|config| {
        config.deadline = Duration::from_millis(1);
        config.max_deadline = Duration::from_millis(1);
    })
    .await;
    let mut pipe = Pipe::open(&server).await;
    // Far more than a millisecond of answers, one after the other.
    for number in 1..=200 {
        pipe.send(request("", PUZZLE)).await;
        assert_eq!(pipe.next().await.sequence_number, number);
    }
    pipe.close().await;
    server.stop().await;
}

#[tokio::test]
async fn a_stream_that_is_silent_for_long_is_still_answered() {
    let short = Duration::from_millis(20);
    let server = TestServer::start_with(|config| {
        config.deadline = short;
        config.max_deadline = short;
        config.connections.max_connection_idle = short.into();
        config.connections.max_connection_age = short.into();
        config.connections.keepalive_interval = short.into();
    })
    .await;
    let mut pipe = Pipe::open(&server).await;
    pipe.send(request("", PUZZLE)).await;
    assert_eq!(pipe.next().await.sequence_number, 1);
    // Twenty times as long as any limit, told by the deadline of another stream.
    let status = raw::open_stream(server.address, "400m").await;
    assert_eq!(status.code(), Code::DeadlineExceeded);
    pipe.send(request("", PUZZLE)).await;
    assert_eq!(pipe.next().await.sequence_number, 2);
    pipe.close().await;
    server.stop().await;
}

#[tokio::test]
async fn a_stream_ends_at_its_callers_deadline() {
    let server = TestServer::start().await;
    let status = raw::open_stream(server.address, "50m").await;
    assert_eq!(status.code(), Code::DeadlineExceeded);
    assert_eq!(error_info(&status).reason, "DEADLINE");
    server.stop().await;
}

#[tokio::test]
async fn a_client_that_does_not_read_is_held_back_and_others_are_served() {
    // Its connection stays stuck, so it has to be cut off in the end.
    let server = TestServer::start_with(|config| {
        config.drain_timeout = Duration::from_millis(50);
    })
    .await;
    let mut pipe = Pipe::open(&server).await;
    let channel_is_full = async {
        loop {
            pipe.send(request("unread", PUZZLE)).await;
        }
    };
    // Sending stalls once the windows are full: the server takes no more in than it can
    // give out. What is sent until then is bounded by the windows, not by this loop.
    let stalled = tokio::time::timeout(Duration::from_secs(2), channel_is_full).await;
    assert!(stalled.is_err());
    // On a connection of its own: the windows of this one are full on the client's side.
    let mut other = SudokuServiceClient::new(server.connect().await);
    let answer = other.solve(request("", PUZZLE).request.unwrap()).await;
    assert_eq!(answer.unwrap().into_inner().solution, SOLUTION);
    let first = pipe.next().await;
    assert_eq!(first.sequence_number, 1);
    drop(pipe);
    server.stop().await;
}

#[tokio::test]
async fn ten_thousand_open_streams_leave_room_for_others() {
    const STREAMS: usize = 200; // as many as a connection may have at one time
    let server = TestServer::start().await;
    let mut pipes = Vec::new();
    for _ in 0..10_000 / STREAMS {
        let mut client = SudokuServiceClient::new(server.connect().await);
        for _ in 0..STREAMS {
            let (requests, receiver) = mpsc::channel(1);
            let responses = client.stream_solve(ReceiverStream::new(receiver)).await;
            pipes.push((requests, responses.unwrap().into_inner()));
        }
    }
    server.assert_alive().await;
    // Each of them is open indeed.
    for (requests, responses) in pipes.iter_mut().step_by(997) {
        requests.send(request("late", PUZZLE)).await.unwrap();
        let response = responses.message().await.unwrap().unwrap();
        assert_eq!((&response.id[..], response.sequence_number), ("late", 1));
    }
    drop(pipes);
    server.stop().await;
}
