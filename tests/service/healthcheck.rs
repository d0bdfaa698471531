//! The program asks a server for its health: by exit code, over every way there is.

use sudoku_service::config::{Listen, TlsSettings};
use tokio::net::TcpListener;
use tonic::transport::Channel;

use crate::authority::Authority;
use crate::folder::Folder;
use crate::program::{Running, done};
use crate::support::TestServer;

#[tokio::test]
async fn the_health_check_tells_by_its_exit_code() {
    let (running, address, _) = Running::start(&[]).await;
    let address = address.to_string();
    let health = ["healthcheck", "--address", &address];
    assert_eq!(
        done(&health).await,
        (0, format!("{address}: SERVING\n"), String::new())
    );
    drop(running);
    let nobody = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = nobody.local_addr().unwrap().to_string();
    drop(nobody);
    let (code, stdout, stderr) = done(&["healthcheck", "--address", &address]).await;
    assert_eq!(
        (code, stdout.as_str(), stderr.lines().count()),
        (1, "", 1),
        "{stderr}"
    );
    assert!(stderr.contains("Connection refused"), "{stderr}");
}

/// A channel to nowhere, for servers that are not called.
async fn nowhere(_: &Listen) -> Channel {
    Channel::from_static("http://127.0.0.1:1").connect_lazy()
}

fn text(path: &std::path::Path) -> &str {
    path.to_str().unwrap()
}

#[tokio::test]
async fn it_asks_over_a_unix_socket() {
    let folder = Folder::new("health");
    let path = folder.path("socket");
    let listen = Listen::Unix(path.clone());
    let server = TestServer::start_reached(|config| config.listen = listen, nowhere).await;
    let address = format!("unix:{}", path.display());
    let as_asked = format!("{address}: SERVING\n");
    for arguments in [
        ["healthcheck", "--address", &address],
        ["--listen", &address, "healthcheck"],
    ] {
        assert_eq!(done(&arguments).await, (0, as_asked.clone(), String::new()));
    }
    server.stop().await;
}

#[tokio::test]
async fn it_asks_over_tls_and_shows_the_certificate_that_is_asked_for() {
    let folder = Folder::new("health-tls");
    let authority = Authority::new();
    let issued = authority.issue("sudoku.example.org");
    let (cert, key) = (
        folder.write("cert", &issued.cert),
        folder.write("key", &issued.key),
    );
    let ca = folder.write("ca", &authority.pem());
    for client_ca in [None, Some(ca)] {
        let tls = TlsSettings {
            tls_cert: Some(cert.clone()),
            tls_key: Some(key.clone()),
            tls_client_ca: client_ca.clone(),
            tls_client_allow: vec![],
        };
        let server = TestServer::start_reached(|config| config.tls = tls, nowhere).await;
        let address = server.address.to_string();
        let own = [
            "--listen",
            &address,
            "--tls-cert",
            text(&cert),
            "--tls-key",
            text(&key),
        ];
        let ca = client_ca
            .as_deref()
            .map_or(vec![], |ca| vec!["--tls-client-ca", text(ca)]);
        let (code, stdout, stderr) = done(&[&own, &ca[..], &["healthcheck"]].concat()).await;
        assert_eq!(
            (code, stdout),
            (0, format!("{address}: SERVING\n")),
            "{stderr}"
        );
        // Who has no certificate, and who speaks no TLS.
        let (code, ..) = done(&["healthcheck", "--tls", "--address", &address]).await;
        assert_eq!(code, i32::from(client_ca.is_some()));
        let (code, ..) = done(&["healthcheck", "--address", &address]).await;
        assert_eq!(code, 1);
        server.stop().await;
    }
}
