//! The signals that end the process.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Waits for SIGINT (Ctrl-C) or SIGTERM.
///
/// # Panics
///
/// If the system lets no handler be installed.
pub async fn signalled() {
    let mut interrupt = listen(SignalKind::interrupt());
    let mut terminate = listen(SignalKind::terminate());
    let signal = tokio::select! {
        _ = interrupt.recv() => "SIGINT",
        _ = terminate.recv() => "SIGTERM",
    };
    tracing::info!(signal, "draining");
}

fn listen(kind: SignalKind) -> Signal {
    signal(kind).expect("a signal handler can be installed")
}
