//! The program: configuration, logs, server, and the signals that end it.

use std::error::Error;
use std::process::ExitCode;

use clap::Parser;
use sudoku_service::config::Config;
use sudoku_service::server::Server;
use sudoku_service::shutdown::Signals;
use sudoku_service::telemetry;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match serve(Config::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Serves until the first signal, then drains until that is done or a second comes.
async fn serve(config: Config) -> Result<(), Box<dyn Error>> {
    let logs = telemetry::start(&config);
    let mut signals = Signals::listen()?;
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
