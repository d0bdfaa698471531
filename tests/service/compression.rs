//! gzip: not there unless it is wished for, and only for answers.

use sudoku_service::grpc::v1::SolveRequest;
use tonic::Code;
use tonic::codec::CompressionEncoding::Gzip;

use crate::support::{PUZZLE, SOLUTION, TestServer, judge};

fn request(grid: &str) -> SolveRequest {
    SolveRequest {
        grid: grid.into(),
        skip_uniqueness_check: false,
    }
}

/// The solution, and how it was compressed.
async fn solve(
    server: &TestServer,
    sends: bool,
) -> Result<(String, Option<String>), tonic::Status> {
    let mut client = server.client.clone().accept_compressed(Gzip);
    if sends {
        client = client.send_compressed(Gzip);
    }
    let answer = client.solve(request(PUZZLE)).await?;
    judge(PUZZLE, answer.get_ref());
    let encoding = answer.metadata().get("grpc-encoding");
    let encoding = encoding.map(|encoding| encoding.to_str().unwrap().to_owned());
    Ok((answer.into_inner().solution, encoding))
}

#[tokio::test]
async fn nothing_is_compressed_by_default() {
    let server = TestServer::start().await;
    assert_eq!(
        solve(&server, false).await.unwrap(),
        (SOLUTION.into(), None)
    );
    let refused = solve(&server, true).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unimplemented);
    server.stop().await;
}

#[tokio::test]
async fn answers_are_compressed_if_that_is_wished_for() {
    let server = TestServer::start_with(|config| config.compression = true).await;
    let answer = (SOLUTION.into(), Some("gzip".into()));
    assert_eq!(solve(&server, false).await.unwrap(), answer);
    // Requests are not: few bytes could become megabytes.
    let refused = solve(&server, true).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unimplemented);
    // Clients that do not ask for it get plain answers.
    let plain = server.client.clone().solve(request(PUZZLE)).await.unwrap();
    assert!(!plain.metadata().contains_key("grpc-encoding"));
    server.stop().await;
}
