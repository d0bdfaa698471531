//! The program: configuration, logs, server, and the signals that end it.

use std::error::Error;
use std::process::ExitCode;

use sudoku_service::command_line::{Task, WrongSettings, unknown_variables};
use sudoku_service::config::Config;
use sudoku_service::healthcheck::healthcheck;
use sudoku_service::server::Server;
use sudoku_service::shutdown::Signals;
use sudoku_service::telemetry;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let done = match Task::from_command_line() {
        Task::Serve(config) => serve(config).await,
        Task::CheckConfig(config, wrong) => check(config, &wrong).await,
        Task::PrintConfig(settings) => {
            warn_of_unknown_variables();
            print!("{settings}");
            Ok(())
        }
        Task::Healthcheck(address, tls) => match healthcheck(&address, tls.as_ref()).await {
            Ok(()) => {
                println!("{address}: SERVING");
                Ok(())
            }
            Err(error) => {
                eprintln!("{address}: {error}");
                return ExitCode::FAILURE;
            }
        },
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            for line in error.to_string().lines() {
                eprintln!("error: {line}");
            }
            ExitCode::from(2)
        }
    }
}

/// Does all that comes before serving, but does not serve.
async fn check(config: Config, wrong: &WrongSettings) -> Result<(), Box<dyn Error>> {
    let bound = Server::bind(config).await;
    warn_of_unknown_variables();
    let faults = bound.err().map(|faults| faults.to_string());
    let lines = wrong.and(&faults.unwrap_or_default());
    if lines.is_empty() {
        println!("the server can start with these settings");
        return Ok(());
    }
    Err(lines.join("\n").into())
}

fn warn_of_unknown_variables() {
    for name in unknown_variables() {
        eprintln!("warning: {name}: there is no such setting");
    }
}

/// Serves until the first signal, then drains until that is done or a second comes.
async fn serve(config: Config) -> Result<(), Box<dyn Error>> {
    let mut signals = Signals::listen()?;
    let logs = telemetry::start(&config);
    for variable in unknown_variables() {
        tracing::warn!(variable, "there is no such setting");
    }
    let server = Server::bind(config).await?.with_log_filter(logs.filter());
    let (drain, drained) = tokio::sync::oneshot::channel();
    let mut running = std::pin::pin!(server.run(drained));
    tokio::select! {
        () = &mut running => return Ok(()),
        signal = signals.next() => tracing::info!(signal, "draining"),
    }
    let _server_waits = drain.send(());
    tokio::select! {
        () = running => {}
        signal = signals.next() => tracing::warn!(signal, "stopped at once"),
    }
    Ok(())
}
