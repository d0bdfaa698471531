//! What can be set, by flag or environment.

mod admin;
mod connections;
mod contradictions;
mod listen;
#[cfg(test)]
mod tests;
mod tls;
mod traces;
mod values;
mod web;

use std::net::SocketAddr;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use crate::solver::Engine;
pub use admin::Admin;
pub use connections::ConnectionSettings;
pub use contradictions::{Contradiction, Contradictions};
pub use listen::Listen;
pub use tls::TlsSettings;
pub use traces::TraceSettings;
pub use values::{Switch, TimeLimit};
use values::{duration, number};
pub use web::WebSettings;

/// Solves and validates 9x9 Sudoku over gRPC.
///
/// Every flag can also be given by its environment variable; the flag comes first.
#[derive(Debug, Clone, Parser)]
#[command(version, name = "sudoku-service")]
pub struct Config {
    /// Where to serve: IP:PORT, where port 0 takes a free one, or unix:PATH
    #[arg(long, env = "SUDOKU_LISTEN", default_value = "127.0.0.1:50051")]
    pub listen: Listen,

    /// The address to serve operators on, over HTTP, or off: `/livez`, `/readyz`, `/metrics`,
    /// `/loglevel`, `/version`; keep it from the outside
    #[arg(long, env = "SUDOKU_ADMIN", default_value = "127.0.0.1:9464")]
    pub admin: Admin,

    /// What to log: a level, or a filter such as `info,sudoku_service=debug`
    #[arg(long, env = "SUDOKU_LOG", default_value = "info", value_parser = log_filter_text)]
    pub log: String,

    /// The form of log lines
    #[arg(long, env = "SUDOKU_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,

    /// Which calls get a log line
    #[arg(long, env = "SUDOKU_ACCESS_LOG", value_enum, default_value_t = AccessLog::Errors)]
    pub access_log: AccessLog,

    /// The deadline of calls that set none (not of `StreamSolve`)
    #[arg(long, env = "SUDOKU_DEADLINE", default_value = "10s", value_parser = positive_duration)]
    pub deadline: Duration,

    /// The longest deadline that a call may ask for (`StreamSolve` may ask for more)
    #[arg(long, env = "SUDOKU_MAX_DEADLINE", default_value = "60s", value_parser = positive_duration)]
    pub max_deadline: Duration,

    /// The engine that solves: portable, avx2, avx512, or auto for the fastest that this CPU
    /// has; all give the same answers
    #[arg(long, env = "SUDOKU_ENGINE", default_value = "auto")]
    pub engine: Engine,

    /// The guesses that a call may spend on each of its grids
    #[arg(long, env = "SUDOKU_MAX_GUESSES", default_value_t = 1_000_000,
          value_parser = number::<u64>)]
    pub max_guesses: u64,

    /// Compresses the answers of clients that can read gzip, which nearly all can
    #[arg(long, env = "SUDOKU_COMPRESSION")]
    pub compression: bool,

    /// How long after the signal to end new connections and calls are still taken, while
    /// health says that they should go elsewhere
    #[arg(long, env = "SUDOKU_DRAIN_DELAY", default_value = "0s", value_parser = duration)]
    pub drain_delay: Duration,

    /// How long calls may go on after that
    #[arg(long, env = "SUDOKU_DRAIN_TIMEOUT", default_value = "20s", value_parser = duration)]
    pub drain_timeout: Duration,

    /// Whether callers can ask what there is to call, without a `.proto` file
    #[arg(long, env = "SUDOKU_REFLECTION", value_enum, default_value_t = Switch::On)]
    pub reflection: Switch,

    /// What connections may cost and how long they last.
    #[command(flatten)]
    pub connections: ConnectionSettings,

    /// TLS, and which clients may call.
    #[command(flatten)]
    pub tls: TlsSettings,

    /// gRPC-Web, for browsers.
    #[command(flatten)]
    pub web: WebSettings,

    /// Traces: where the spans of calls are sent, and which.
    #[command(flatten)]
    pub traces: TraceSettings,
}

/// The form of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Which calls get a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AccessLog {
    /// None.
    Off,
    /// Those that failed.
    Errors,
    /// All.
    All,
}

impl Config {
    /// Checks what no single setting can be blamed for.
    ///
    /// # Errors
    ///
    /// If settings contradict each other: all that do.
    pub fn check(&self) -> Result<(), Contradictions> {
        let (deadline, max_deadline) = (self.deadline, self.max_deadline);
        let deadline = (deadline > max_deadline).then_some(Contradiction::Deadline {
            deadline,
            max_deadline,
        });
        let found = deadline.into_iter().chain(self.connections.check());
        let found = found.chain(self.tls.check()).chain(self.web.check());
        Contradictions::of(found.chain(self.traces.check()).collect())
    }
}

impl Default for Config {
    /// What holds without flags, whatever the environment says.
    fn default() -> Self {
        Self {
            listen: Listen::Ip(SocketAddr::from(([127, 0, 0, 1], 50051))),
            admin: Admin::default(),
            log: "info".into(),
            log_format: LogFormat::Text,
            access_log: AccessLog::Errors,
            deadline: Duration::from_secs(10),
            max_deadline: Duration::from_secs(60),
            engine: Engine::detect(),
            max_guesses: 1_000_000,
            compression: false,
            drain_delay: Duration::ZERO,
            drain_timeout: Duration::from_secs(20),
            reflection: Switch::On,
            connections: ConnectionSettings::default(),
            tls: TlsSettings::default(),
            web: WebSettings::default(),
            traces: TraceSettings::default(),
        }
    }
}

fn positive_duration(text: &str) -> Result<Duration, String> {
    match duration(text)? {
        Duration::ZERO => Err("must be longer than 0".into()),
        duration => Ok(duration),
    }
}

fn log_filter_text(text: &str) -> Result<String, String> {
    log_filter(text).map(|filter| filter.to_string())
}

/// The filter that a text describes, or what is wrong with it.
pub(crate) fn log_filter(text: &str) -> Result<EnvFilter, String> {
    let hint = "write a level (error, warn, info, debug, trace) or target=level";
    let words: Vec<_> = text.split(',').map(str::trim).collect();
    // A word alone would be a target, of which all is logged: rather a level mistyped.
    let is_mistyped = |word: &&&str| {
        let is_alone = !word.contains(['=', '[', ':']);
        word.is_empty() || word.ends_with('=') || is_alone && word.parse::<LevelFilter>().is_err()
    };
    if let Some(word) = words.iter().find(is_mistyped) {
        return Err(format!("{word:?} has no level; {hint}"));
    }
    let filter = EnvFilter::builder().parse(words.join(","));
    filter.map_err(|error| format!("{error}; {hint}"))
}
