//! The program: configuration, logs, server, and the signal that ends it.

use std::process::ExitCode;

use clap::Parser;
use sudoku_service::config::Config;
use sudoku_service::server::Server;
use sudoku_service::{shutdown, telemetry};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let config = Config::parse();
    telemetry::start(&config);
    match Server::bind(config).await {
        Ok(server) => {
            server.run(shutdown::signalled()).await;
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
