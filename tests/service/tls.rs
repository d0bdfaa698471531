//! TLS: who is served, who is not, and certificates that change.

use std::error::Error;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use sudoku_service::config::{Config, Listen, TlsSettings};
use sudoku_service::grpc::v1::SolveRequest;
use sudoku_service::grpc::v1::sudoku_service_client::SudokuServiceClient;
use sudoku_service::server::Server;
use tokio::time::{Instant, timeout};
use tonic::transport::{Channel, ClientTlsConfig, Endpoint};
use tonic::{Code, Status};

use crate::authority::{Authority, Issued};
use crate::connections::answer_to;
use crate::folder::Folder;
use crate::support::{PUZZLE, SOLUTION, TestServer, error_info};

async fn connect(
    address: SocketAddr,
    tls: ClientTlsConfig,
) -> Result<Channel, tonic::transport::Error> {
    let endpoint = Endpoint::from_shared(format!("https://{address}"))?;
    endpoint
        .tls_config(tls.domain_name("localhost"))?
        .connect()
        .await
}

fn trusting(authority: &Authority) -> ClientTlsConfig {
    ClientTlsConfig::new().ca_certificate(authority.certificate())
}

async fn solve(channel: Channel) -> Result<String, Status> {
    let request = SolveRequest {
        grid: PUZZLE.into(),
        ..Default::default()
    };
    let answer = SudokuServiceClient::new(channel).solve(request).await?;
    Ok(answer.into_inner().solution)
}

fn files(folder: &Folder, issued: &Issued) {
    folder.turn(&[("cert", &issued.cert), ("key", &issued.key)]);
}

fn settings(folder: &Folder) -> TlsSettings {
    TlsSettings {
        tls_cert: Some(folder.path("current/cert")),
        tls_key: Some(folder.path("current/key")),
        ..TlsSettings::default()
    }
}

/// A server with `tls` and a client that trusts `authority` and is `who`.
async fn start(tls: TlsSettings, authority: &Authority, who: Option<&Issued>) -> TestServer {
    let client = match who {
        Some(issued) => trusting(authority).identity(issued.identity()),
        None => trusting(authority),
    };
    let reach = async |listen: &Listen| connect(listen.ip().unwrap(), client).await.unwrap();
    TestServer::start_reached(|config| config.tls = tls, reach).await
}

#[tokio::test]
async fn tls_is_served_and_plain_text_is_not() {
    let folder = Folder::new("tls");
    let authority = Authority::new();
    files(&folder, &authority.issue("localhost"));
    let server = start(settings(&folder), &authority, None).await;
    server.assert_alive().await;
    let begun = Instant::now();
    let h2 = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
    let (plain, _http1, silent) = tokio::join!(
        answer_to(server.address, h2),
        answer_to(server.address, b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"),
        answer_to(server.address, &[0x16, 0x03]),
    );
    // At most an alert, nothing in plain text.
    assert!(plain.is_empty() || plain[0] == 0x15, "{plain:?}");
    assert!(silent.is_empty(), "{silent:?}");
    assert!((9..15).contains(&begun.elapsed().as_secs()));
    server.assert_alive().await;
    server.stop().await;
}

#[tokio::test]
async fn tls_to_a_plain_port_fails_at_once() {
    let server = TestServer::start().await;
    let connecting = connect(server.address, trusting(&Authority::new()));
    timeout(Duration::from_secs(5), connecting)
        .await
        .unwrap()
        .unwrap_err();
    server.assert_alive().await;
    server.stop().await;
}

#[tokio::test]
async fn clients_need_a_certificate_and_a_name_on_the_list() {
    let folder = Folder::new("mtls");
    let (authority, stranger) = (Authority::new(), Authority::new());
    files(&folder, &authority.issue("localhost"));
    let spiffe = "spiffe://example.org/ns/games/sa/player";
    let tls = TlsSettings {
        tls_client_ca: Some(folder.write("ca", &authority.pem())),
        tls_client_allow: vec!["Player.example.org".into(), spiffe.into()],
        ..settings(&folder)
    };
    let allowed = authority.issue(spiffe);
    let server = start(tls, &authority, Some(&allowed)).await;
    server.assert_alive().await;
    let call = async |who: ClientTlsConfig| -> Result<String, Box<dyn Error>> {
        Ok(solve(connect(server.address, who).await?).await?)
    };
    let named = |issued: &Issued| trusting(&authority).identity(issued.identity());
    let by_dns = call(named(&authority.issue("player.example.org"))).await;
    assert_eq!(by_dns.unwrap(), SOLUTION);
    for other in [
        "other.example.org",
        "spiffe://example.org/ns/games/sa/other",
    ] {
        let error = call(named(&authority.issue(other))).await.unwrap_err();
        let status = error.downcast_ref::<Status>().unwrap();
        assert_eq!(status.code(), Code::PermissionDenied);
        assert_eq!(error_info(status).reason, "CLIENT_NOT_ALLOWED");
    }
    // Without a certificate, or with one that anybody could have made, no call is made.
    for who in [trusting(&authority), named(&stranger.issue(spiffe))] {
        let error = call(who).await.unwrap_err();
        let status = error.downcast_ref::<Status>();
        assert!(status.is_none_or(|status| status.code() != Code::PermissionDenied));
    }
    server.stop().await;
}

#[tokio::test]
async fn a_new_certificate_is_taken_up_under_load_and_a_broken_one_is_not() {
    let folder = Folder::new("swap");
    let (before, after) = (Authority::new(), Authority::new());
    files(&folder, &before.issue("localhost"));
    let server = start(settings(&folder), &before, None).await;
    files(&folder, &after.issue("localhost"));
    let swapped = Instant::now();
    // Who trusts only the new authority is served as soon as there is the new certificate.
    while connect(server.address, trusting(&after)).await.is_err() {
        server.assert_alive().await;
        assert!(swapped.elapsed() < Duration::from_secs(15));
    }
    folder.turn(&[("cert", &after.issue("localhost").cert), ("key", "broken")]);
    let broken = Instant::now();
    while broken.elapsed() < Duration::from_secs(5) {
        server.assert_alive().await;
        let connected = connect(server.address, trusting(&after)).await.unwrap();
        assert_eq!(solve(connected).await.unwrap(), SOLUTION);
    }
    server.stop().await;
}

async fn refusal(tls: TlsSettings) -> String {
    let listen = "127.0.0.1:0".parse().unwrap();
    let config = Config {
        listen,
        tls,
        ..Config::default()
    };
    Server::bind(config).await.unwrap_err().to_string()
}

#[tokio::test]
async fn a_bad_file_is_named_with_its_setting() {
    let folder = Folder::new("bad");
    let authority = Authority::new();
    let (issued, other) = (authority.issue("localhost"), authority.issue("localhost"));
    let cert = folder.write("cert", &issued.cert);
    let key = folder.write("key", &issued.key);
    let missing = folder.path("missing");
    let other_key = folder.write("other", &other.key);
    let garbage = folder.write(
        "garbage",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    );
    let with = |cert: &Path, key: &Path, ca: Option<&Path>| TlsSettings {
        tls_cert: Some(cert.into()),
        tls_key: Some(key.into()),
        tls_client_ca: ca.map(Into::into),
        tls_client_allow: vec![],
    };
    for (tls, setting, words) in [
        (with(&missing, &key, None), "--tls-cert", "No such file"),
        (with(&key, &key, None), "--tls-cert", "no certificate"),
        (
            with(&garbage, &key, None),
            "--tls-cert",
            "a PEM certificate",
        ),
        (with(&cert, &cert, None), "--tls-key", "private key"),
        (
            with(&cert, &other_key, None),
            "--tls-key",
            "not the key of --tls-cert",
        ),
        (
            with(&cert, &key, Some(&missing)),
            "--tls-client-ca",
            "No such file",
        ),
        (
            with(&cert, &key, Some(&key)),
            "--tls-client-ca",
            "no certificate",
        ),
        (
            with(&cert, &key, Some(&garbage)),
            "--tls-client-ca",
            "authorities",
        ),
    ] {
        let error = refusal(tls).await;
        assert!(
            error.starts_with(setting) && error.contains(words),
            "{error}"
        );
        assert!(!error.contains('\n'), "{error}");
    }
}

#[tokio::test]
async fn an_expired_certificate_is_served_all_the_same() {
    let folder = Folder::new("expired");
    let authority = Authority::new();
    files(&folder, &authority.issue_until("localhost", 2020));
    let config = Config {
        listen: "127.0.0.1:0".parse().unwrap(),
        tls: settings(&folder),
        ..Config::default()
    };
    // Clients will refuse it; the operator is told, and can mend it without a restart.
    Server::bind(config).await.unwrap();
}
