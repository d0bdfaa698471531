//! Reflection, both versions: every method, and the details of errors.

use prost::Message;
use prost_types::FileDescriptorProto;
use sudoku_service::config::Switch;
use tokio_stream::once;
use tonic::Code;
use tonic_reflection::pb::{v1, v1alpha};

use crate::support::TestServer;

const METHODS: [&str; 6] = [
    "Solve",
    "Validate",
    "BatchSolve",
    "StreamSolve",
    "CountSolutions",
    "EnumerateSolutions",
];

macro_rules! reflected {
    ($version:ident, $server:expr, $request:expr) => {{
        use $version::server_reflection_client::ServerReflectionClient;
        use $version::server_reflection_request::MessageRequest;
        let mut client = ServerReflectionClient::new($server.connect().await);
        let request = $version::ServerReflectionRequest {
            host: String::new(),
            message_request: Some($request),
        };
        let mut answers = client
            .server_reflection_info(once(request))
            .await
            .unwrap()
            .into_inner();
        let _: Option<MessageRequest> = None;
        answers
            .message()
            .await
            .unwrap()
            .unwrap()
            .message_response
            .unwrap()
    }};
}

macro_rules! file_containing {
    ($version:ident, $server:expr, $symbol:expr) => {{
        use $version::server_reflection_request::MessageRequest;
        use $version::server_reflection_response::MessageResponse;
        let request = MessageRequest::FileContainingSymbol($symbol.into());
        match reflected!($version, $server, request) {
            MessageResponse::FileDescriptorResponse(files) => {
                FileDescriptorProto::decode(&files.file_descriptor_proto[0][..]).unwrap()
            }
            other => panic!("{}: {other:?}", $symbol),
        }
    }};
}

fn assert_has_all_methods(file: &FileDescriptorProto) {
    let service = &file.service[0];
    assert_eq!(service.name(), "SudokuService");
    let methods: Vec<&str> = service
        .method
        .iter()
        .map(prost_types::MethodDescriptorProto::name)
        .collect();
    assert_eq!(methods, METHODS);
}

#[tokio::test]
async fn every_method_is_described_in_both_versions() {
    let server = TestServer::start().await;
    let symbol = "sudoku.v1.SudokuService";
    assert_has_all_methods(&file_containing!(v1, server, symbol));
    assert_has_all_methods(&file_containing!(v1alpha, server, symbol));
    server.stop().await;
}

#[tokio::test]
async fn the_details_of_errors_are_described() {
    let server = TestServer::start().await;
    for symbol in [
        "google.rpc.ErrorInfo",
        "google.rpc.BadRequest",
        "google.rpc.RetryInfo",
    ] {
        let file = file_containing!(v1, server, symbol);
        let name = symbol.trim_start_matches("google.rpc.");
        assert!(
            file.message_type
                .iter()
                .any(|message| message.name() == name),
            "{symbol}"
        );
    }
    server.stop().await;
}

#[tokio::test]
async fn the_services_are_listed() {
    use v1::server_reflection_request::MessageRequest;
    use v1::server_reflection_response::MessageResponse;
    let server = TestServer::start().await;
    let request = MessageRequest::ListServices(String::new());
    let MessageResponse::ListServicesResponse(list) = reflected!(v1, server, request) else {
        panic!("no list");
    };
    let names: Vec<&str> = list.service.iter().map(|s| s.name.as_str()).collect();
    for name in ["sudoku.v1.SudokuService", "grpc.health.v1.Health"] {
        assert!(names.contains(&name), "{names:?}");
    }
    server.stop().await;
}

#[tokio::test]
async fn it_can_be_left_out() {
    use v1::server_reflection_client::ServerReflectionClient;
    let server = TestServer::start_with(|config| config.reflection = Switch::Off).await;
    let mut client = ServerReflectionClient::new(server.connect().await);
    let request = once(v1::ServerReflectionRequest::default());
    let status = client.server_reflection_info(request).await.unwrap_err();
    assert_eq!(status.code(), Code::Unimplemented);
    drop(client);
    server.assert_alive().await;
    server.stop().await;
}
