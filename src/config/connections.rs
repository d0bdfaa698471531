//! What connections may cost and how long they last.

use std::time::Duration;

use clap::Args;

use super::values::{TimeLimit, number, size};
use super::{Contradiction, positive_duration};

/// What connections may cost and how long they last.
#[derive(Debug, Clone, Args)]
pub struct ConnectionSettings {
    /// How many connections may be open; more are closed at once
    #[arg(long, env = "SUDOKU_MAX_CONNECTIONS", default_value_t = 10_000,
          value_parser = number::<u32>)]
    pub max_connections: u32,

    /// How many calls a connection may have open; its peer holds back more
    #[arg(long, env = "SUDOKU_MAX_CONCURRENT_STREAMS", default_value_t = 200,
          value_parser = number::<u32>)]
    pub max_concurrent_streams: u32,

    /// The largest header of a call, in bytes, or as 16KiB
    #[arg(long, env = "SUDOKU_MAX_HEADER_SIZE", default_value = "16KiB",
          value_parser = size::<1024, 0x0010_0000>)]
    pub max_header_size: u32,

    /// The largest message that is read, in bytes, or as 4MiB
    #[arg(long, env = "SUDOKU_MAX_MESSAGE_SIZE", default_value = "4MiB",
          value_parser = size::<1024, 0x4000_0000>)]
    pub max_message_size: u32,

    /// How many calls a peer may take back before they were looked at
    #[arg(long, env = "SUDOKU_MAX_RESET_STREAMS", default_value_t = 1000,
          value_parser = number::<u32>)]
    pub max_reset_streams: u32,

    /// How long a silent connection is left alone before it is asked for a sign of life,
    /// or off
    #[arg(
        long,
        env = "SUDOKU_KEEPALIVE_INTERVAL",
        default_value_t = TimeLimit::seconds(60)
    )]
    pub keepalive_interval: TimeLimit,

    /// How long the sign of life may take
    #[arg(long, env = "SUDOKU_KEEPALIVE_TIMEOUT", default_value = "20s",
          value_parser = positive_duration)]
    pub keepalive_timeout: Duration,

    /// How long a connection takes new calls, give or take a tenth, or off
    #[arg(long, env = "SUDOKU_MAX_CONNECTION_AGE", default_value_t = TimeLimit::seconds(300))]
    pub max_connection_age: TimeLimit,

    /// How long the calls of a connection may go on after that, or off
    #[arg(long, env = "SUDOKU_MAX_CONNECTION_AGE_GRACE", default_value_t = TimeLimit::OFF)]
    pub max_connection_age_grace: TimeLimit,

    /// How long a connection may be without calls, or off
    #[arg(long, env = "SUDOKU_MAX_CONNECTION_IDLE", default_value_t = TimeLimit::seconds(300))]
    pub max_connection_idle: TimeLimit,
}

impl ConnectionSettings {
    pub(super) fn check(&self) -> impl Iterator<Item = Contradiction> {
        let is_set = |limit: TimeLimit| limit.get().is_some();
        let grace = is_set(self.max_connection_age_grace);
        let age = is_set(self.max_connection_age);
        Contradiction::missing([[
            ("--max-connection-age-grace", grace),
            ("--max-connection-age", age),
        ]])
    }
}

impl Default for ConnectionSettings {
    /// What holds without flags.
    fn default() -> Self {
        Self {
            max_connections: 10_000,
            max_concurrent_streams: 200,
            max_header_size: 16 * 1024,
            max_message_size: 4 * 1024 * 1024,
            max_reset_streams: 1000,
            keepalive_interval: TimeLimit::seconds(60),
            keepalive_timeout: Duration::from_secs(20),
            max_connection_age: TimeLimit::seconds(300),
            max_connection_age_grace: TimeLimit::OFF,
            max_connection_idle: TimeLimit::seconds(300),
        }
    }
}
