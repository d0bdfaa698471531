//! What is shipped for operators: the metrics that it names are there.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::TestServer;

/// The metrics of the server that are named in a file of `deploy/`.
fn named(file: &str) -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("deploy")
        .join(file);
    let text = fs::read_to_string(path).unwrap();
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || "_:".contains(c)));
    let ours = words.filter(|w| w.starts_with("sudoku_") || w.starts_with("grpc_server_"));
    ours.map(str::to_owned).collect()
}

#[tokio::test]
async fn every_metric_has_its_place_on_the_dashboard() {
    let server = TestServer::start().await;
    let shown = named("grafana/dashboard.json");
    for family in server.metrics().await.names() {
        let is_shown = shown.iter().any(|name| name.starts_with(&family));
        assert!(is_shown, "{family}");
    }
    server.stop().await;
}

#[tokio::test]
async fn alerts_and_dashboard_name_metrics_that_exist() {
    let server = TestServer::start().await;
    let metrics = server.metrics().await;
    let series = metrics.series();
    let exist: BTreeSet<_> = series.iter().map(|(name, _)| name.as_str()).collect();
    for file in [
        "prometheus/alerts.yaml",
        "prometheus/alerts_test.yaml",
        "grafana/dashboard.json",
    ] {
        let named = named(file);
        assert!(!named.is_empty(), "{file} names no metric");
        for name in named {
            assert!(exist.contains(name.as_str()), "{file}: {name}");
        }
    }
    server.stop().await;
}
