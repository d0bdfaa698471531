//! The program itself: its tasks, its exit codes, and what it logs.

use std::ffi::OsStr;
use std::net::SocketAddr;
use std::os::unix::ffi::OsStrExt;
use std::process::{Output, Stdio};
use std::time::Duration;

use serde_json::Value;
use sudoku_service::grpc::v1::SolveRequest;
use sudoku_service::grpc::v1::sudoku_service_client::SudokuServiceClient;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;
use tonic::Request;

use crate::operator::{ask, get};

const PATIENCE: Duration = Duration::from_secs(30);

/// The program, with these arguments and nothing from the environment.
fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-service"));
    command.env_clear().args(arguments).kill_on_drop(true);
    command
}

pub(crate) async fn done(arguments: &[&str]) -> (i32, String, String) {
    ended(program(arguments)).await
}

/// How the program ends, and what it prints.
async fn ended(mut program: Command) -> (i32, String, String) {
    let output = timeout(PATIENCE, program.output()).await;
    let Output {
        status,
        stdout,
        stderr,
    } = output.expect("it hangs").unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

/// A running program that logs JSON.
pub(crate) struct Running {
    lines: Lines<BufReader<ChildStdout>>,
    child: Child,
}

impl Running {
    /// Starts it on free ports, and gives them.
    pub(crate) async fn start(arguments: &[&str]) -> (Self, SocketAddr, SocketAddr) {
        let ports = "--listen 127.0.0.1:0 --admin 127.0.0.1:0 --log-format json";
        let arguments = [&ports.split(' ').collect::<Vec<_>>(), arguments].concat();
        let mut child = program(&arguments).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut running = Self { lines, child };
        let listening = running.line("listening").await;
        let address = |key: &str| listening[key].as_str().unwrap().parse().unwrap();
        (running, address("address"), address("admin"))
    }

    fn terminate(&self) {
        let id = self.child.id().unwrap().to_string();
        let kill = std::process::Command::new("kill").arg(id).status();
        assert!(kill.unwrap().success());
    }

    /// The next line with this message.
    async fn line(&mut self, message: &str) -> Value {
        loop {
            let line = timeout(PATIENCE, self.lines.next_line()).await;
            let line = line.expect("no line").unwrap().expect("it has ended");
            let line: Value = serde_json::from_str(&line).unwrap();
            if line["message"] == message {
                return line;
            }
        }
    }
}

async fn solve_nonsense(address: SocketAddr) {
    let client = SudokuServiceClient::connect(format!("http://{address}")).await;
    let mut request = Request::new(SolveRequest {
        grid: "nonsense".into(),
        ..Default::default()
    });
    for (name, value) in [
        ("x-request-id", "seven"),
        (
            "traceparent",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        ),
    ] {
        request.metadata_mut().insert(name, value.parse().unwrap());
    }
    client.unwrap().solve(request).await.unwrap_err();
}

#[tokio::test]
async fn what_is_logged_can_be_changed_while_it_runs() {
    let (mut running, address, admin) = Running::start(&["--access-log", "all"]).await;
    assert_eq!(get(admin, "/loglevel").await.text, "info\n");
    let health = ["healthcheck", "--address", &address.to_string()];
    assert_eq!(done(&health).await.0, 0);
    solve_nonsense(address).await;
    // A health check is no line at this level, so the first is the other call's.
    let line = running.line("call").await;
    assert_eq!(line["method"], "sudoku.v1.SudokuService/Solve");
    assert_eq!(
        (&line["code"], &line["reason"]),
        (&"InvalidArgument".into(), &"GRID_CHARACTER".into())
    );
    assert_eq!((&line["received"], &line["sent"]), (&1.into(), &0.into()));
    assert_eq!(line["received_bytes"], 5 + 2 + 8);
    assert_eq!(line["request_id"], "seven");
    assert_eq!(line["trace_id"], "4bf92f3577b34da6a3ce929d0e0e4736");
    assert!(
        line["user_agent"].as_str().unwrap().starts_with("tonic/"),
        "{line}"
    );

    let refused = ask(admin, "PUT", "/loglevel", "info,tonic=loud").await;
    assert_eq!(refused.status, 400);
    assert!(refused.text.contains("target=level"), "{}", refused.text);
    let too_long = ask(admin, "PUT", "/loglevel", &"info,".repeat(1000)).await;
    assert_eq!(too_long.status, 413);
    let changed = ask(admin, "PUT", "/loglevel", "debug\n").await;
    assert_eq!((changed.status, changed.text.as_str()), (200, "debug\n"));
    assert_eq!(done(&health).await.0, 0);
    let line = running.line("call").await;
    assert_eq!(line["method"], "grpc.health.v1.Health/Check");
}

#[tokio::test]
async fn settings_are_printed() {
    let (code, stdout, _) = done(&["--print-config", "--deadline", "3s"]).await;
    assert_eq!(code, 0);
    assert!(stdout.contains("SUDOKU_DEADLINE=3s\n"), "{stdout}");
    assert!(
        stdout.contains("SUDOKU_LISTEN=127.0.0.1:50051\n"),
        "{stdout}"
    );
}

#[tokio::test]
async fn variables_that_are_no_settings_and_those_that_are_no_text_are_named() {
    let mut mistyped = program(&[
        "--check-config",
        "--listen",
        "127.0.0.1:0",
        "--admin",
        "off",
    ]);
    mistyped.env("SUDOKU_MAX_CONECTIONS", "7");
    let (code, _, stderr) = ended(mistyped).await;
    let told = "warning: SUDOKU_MAX_CONECTIONS: there is no such setting\n";
    assert_eq!((code, stderr.as_str()), (0, told));
    let mut no_text = program(&["--check-config"]);
    no_text.env("SUDOKU_LOG", OsStr::from_bytes(b"info\xff"));
    let (code, _, stderr) = ended(no_text).await;
    assert_eq!(code, 2);
    assert!(stderr.contains("SUDOKU_LOG: not UTF-8"), "{stderr}");
}

#[tokio::test]
async fn a_second_signal_ends_it_at_once() {
    let (mut running, ..) = Running::start(&["--drain-delay", "10m"]).await;
    running.terminate();
    running.line("draining").await;
    running.terminate();
    running.line("stopped at once").await;
    let ended = timeout(PATIENCE, running.child.wait()).await;
    assert_eq!(ended.expect("it hangs").unwrap().code(), Some(0));
}
