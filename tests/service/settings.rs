//! The program checks its settings: all that is wrong is told at once, a line for each.

use tokio::net::TcpListener;

use crate::program::done;

#[tokio::test]
async fn settings_are_checked_without_serving() {
    const FREE: &str = "127.0.0.1:0";
    let held = TcpListener::bind(FREE).await.unwrap();
    let taken = held.local_addr().unwrap().to_string();
    for (listen, admin, deadline, wrong) in [
        (FREE, "off", "1s", None),
        (FREE, FREE, "2h", Some("--max-deadline")),
        (&taken, FREE, "1s", Some("--listen")),
        (FREE, &taken, "1s", Some("--admin")),
    ] {
        let places = ["--check-config", "--listen", listen, "--admin", admin];
        let arguments = [&places[..], &["--deadline", deadline]].concat();
        let (code, stdout, stderr) = done(&arguments).await;
        assert_eq!((stdout + &stderr).lines().count(), 1, "{stderr}");
        assert_eq!(code, if wrong.is_some() { 2 } else { 0 }, "{stderr}");
        assert!(stderr.contains(wrong.unwrap_or_default()), "{stderr}");
    }
}

#[tokio::test]
async fn all_that_is_wrong_is_told_at_once() {
    let held = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let taken = held.local_addr().unwrap().to_string();
    let wrong = "--max-guesses 0 --keepalive-timeout never --deadline 2h --tls-key /missing/key \
                 --tls-client-ca /missing/ca --admin off --listen";
    let settings: Vec<_> = wrong.split_whitespace().chain([taken.as_str()]).collect();
    for check in [&["--check-config"][..], &[]] {
        let (code, stdout, stderr) = done(&[check, &settings[..]].concat()).await;
        assert_eq!((code, stdout.as_str()), (2, ""));
        let told = stderr
            .lines()
            .map(|line| line.strip_prefix("error: ").unwrap());
        let mut told: Vec<_> = told.map(|line| line.split(' ').next().unwrap()).collect();
        told.sort_unstable();
        let expected = [
            "--deadline",
            "--keepalive-timeout",
            "--listen",
            "--max-guesses",
            "--tls-client-ca",
            "--tls-key",
        ];
        assert_eq!(told, expected, "{stderr}");
    }
}

#[tokio::test]
async fn both_files_that_are_missing_are_told() {
    let settings = "--check-config --admin off --listen 127.0.0.1:0 --tls-cert /missing/cert \
                    --tls-key /missing/key";
    let (code, _, stderr) = done(&settings.split_whitespace().collect::<Vec<_>>()).await;
    assert_eq!((code, stderr.lines().count()), (2, 2), "{stderr}");
    for (line, setting) in stderr.lines().zip(["--tls-cert", "--tls-key"]) {
        assert!(
            line.contains(setting) && line.contains("it must be"),
            "{line}"
        );
    }
}
