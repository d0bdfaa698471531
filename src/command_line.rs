//! What the program is to do: serve, unless it is told otherwise.

mod environment;
mod wrong;

use std::ffi::{OsStr, OsString};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use clap::error::ErrorKind;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::config::{Config, Listen, TlsSettings};
pub use wrong::WrongSettings;

/// Solves and validates 9x9 Sudoku over gRPC.
///
/// Every flag can also be given by its environment variable; the flag comes first.
#[derive(Debug, Parser)]
#[command(version, name = "sudoku-service")]
pub struct CommandLine {
    #[command(flatten)]
    config: Config,

    /// Tell whether the server could start with these settings, and end
    #[arg(long, conflicts_with = "print_config")]
    check_config: bool,

    /// Print the settings in effect as environment variables, and end
    #[arg(long)]
    print_config: bool,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Ask a running server if it is healthy: exit code 0 if so, otherwise 1
    Healthcheck {
        /// The server; the one that these settings would make if it is not given
        #[arg(long, value_name = "IP:PORT|unix:PATH")]
        address: Option<Listen>,

        /// The server speaks TLS; so it does, too, if these settings have a certificate
        #[arg(long)]
        tls: bool,
    },
}

/// What the program is to do.
#[derive(Debug)]
pub enum Task {
    /// Serve.
    Serve(Config),
    /// Tell whether it could, with these settings and without those that are wrong.
    CheckConfig(Config, WrongSettings),
    /// Print the settings, which are these.
    PrintConfig(String),
    /// Ask the server at this address for its health, perhaps over TLS.
    Healthcheck(Listen, Option<TlsSettings>),
}

impl Task {
    /// What the command line of this process says.
    ///
    /// A line that cannot be understood ends the process with exit code 2, and one that
    /// asks for help with 0. With wrong settings there is nothing to do but to tell all
    /// that is wrong.
    #[must_use]
    pub fn from_command_line() -> Self {
        let words: Vec<_> = std::env::args_os().collect();
        Self::of(&words)
    }

    fn of(words: &[OsString]) -> Self {
        let read = wrong::read(&CommandLine::command(), words);
        let (matches, wrong) = read.unwrap_or_else(|error| named(error).exit());
        let line = CommandLine::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
        if !wrong.is_empty() {
            return Self::CheckConfig(line.config, wrong);
        }
        match line.command {
            Some(Command::Healthcheck { address, tls }) => {
                let address = address.unwrap_or_else(|| reachable(line.config.listen));
                let is_tls = tls || line.config.tls.tls_cert.is_some();
                Self::Healthcheck(address, is_tls.then_some(line.config.tls))
            }
            None if line.print_config => Self::PrintConfig(printed(&matches)),
            None if line.check_config => Self::CheckConfig(line.config, wrong),
            None => Self::Serve(line.config),
        }
    }
}

/// Variables of the environment that look like settings and are none: mistyped ones.
#[must_use]
pub fn unknown_variables() -> Vec<String> {
    environment::unknown(&CommandLine::command(), std::env::vars_os())
}

/// The error, which tells of bytes that are not UTF-8 not where they are.
fn named(error: clap::Error) -> clap::Error {
    let mut command = CommandLine::command();
    let unreadable = environment::unreadable(&command, |name| std::env::var_os(name));
    if error.kind() != ErrorKind::InvalidUtf8 || unreadable.is_empty() {
        return error;
    }
    let words = format!("{}: not UTF-8", unreadable.join(", "));
    command.error(ErrorKind::InvalidUtf8, words)
}

/// One line for each setting, as files of environment variables have them.
fn printed(matches: &ArgMatches) -> String {
    let command = CommandLine::command();
    let line = |setting: &clap::Arg| {
        let name = setting.get_env()?.to_string_lossy();
        let values = matches.get_raw(setting.get_id().as_str())?;
        let values: Vec<_> = values.map(OsStr::to_string_lossy).collect();
        Some(format!("{name}={}\n", values.join(",")))
    };
    command.get_arguments().filter_map(line).collect()
}

/// Where this machine reaches what listens there: "any address" is none to call.
fn reachable(listen: Listen) -> Listen {
    let Listen::Ip(address) = listen else {
        return listen;
    };
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    Listen::Ip(SocketAddr::new(ip, address.port()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(line: &str) -> Task {
        let words = ["sudoku-service"]
            .into_iter()
            .chain(line.split_whitespace());
        Task::of(&words.map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn without_a_task_it_serves() {
        assert!(matches!(task(""), Task::Serve(_)));
        assert!(matches!(task("--check-config"), Task::CheckConfig(..)));
        CommandLine::command().debug_assert();
    }

    #[test]
    fn the_settings_are_printed_each_with_its_value() {
        let Task::PrintConfig(text) = task("--print-config --deadline 3s --admin off") else {
            panic!("another task");
        };
        for line in [
            "SUDOKU_DEADLINE=3s",
            "SUDOKU_ADMIN=off",
            "SUDOKU_LOG_FORMAT=text",
        ] {
            assert!(
                text.lines().any(|printed| printed == line),
                "{line}: {text}"
            );
        }
        for setting in CommandLine::command().get_arguments() {
            let Some(name) = setting.get_env() else {
                continue;
            };
            let name = format!("{}=", name.to_string_lossy());
            let is_printed = text.lines().any(|printed| printed.starts_with(&name));
            // Only a setting that has no value is not printed.
            assert!(
                is_printed || setting.get_default_values().is_empty(),
                "{name}"
            );
        }
    }

    #[test]
    fn the_health_of_the_own_server_is_asked_where_it_can_be_reached() {
        for (line, asked) in [
            ("healthcheck", "127.0.0.1:50051"),
            ("--listen 0.0.0.0:7 healthcheck", "127.0.0.1:7"),
            ("--listen [::]:7 healthcheck", "[::1]:7"),
            ("--listen 10.0.0.1:7 healthcheck", "10.0.0.1:7"),
            ("healthcheck --address 10.0.0.2:8", "10.0.0.2:8"),
        ] {
            let Task::Healthcheck(address, None) = task(line) else {
                panic!("another task");
            };
            assert_eq!(address.to_string(), asked, "{line}");
        }
    }

    #[test]
    fn the_health_of_a_server_with_tls_is_asked_over_tls() {
        for line in [
            "healthcheck --tls",
            "--tls-cert c --tls-key k healthcheck",
            "--tls-cert c healthcheck --address 10.0.0.2:8",
        ] {
            assert!(
                matches!(task(line), Task::Healthcheck(_, Some(_))),
                "{line}"
            );
        }
    }

    #[test]
    fn all_that_is_wrong_is_told_and_the_rest_is_taken() {
        let line = "--deadline soon --listen nowhere --log-format xml --max-guesses 0 \
                    --max-deadline 7s --grpc-web --grpc-web-origins http://a,*";
        let Task::CheckConfig(config, wrong) = task(line) else {
            panic!("another task");
        };
        assert_eq!(config.max_deadline.as_secs(), 7);
        assert_eq!(config.web.grpc_web_origins.len(), 2);
        assert!(config.web.grpc_web);
        let lines = wrong.and("--deadline is 10s, longer than --max-deadline, 7s\n--admin: no");
        let told: Vec<_> = lines.iter().map(|line| line.split(' ').next()).collect();
        let expected = [
            "--deadline",
            "--listen",
            "--log-format",
            "--max-guesses",
            "--admin:",
        ];
        let mut expected = expected.map(Some).to_vec();
        expected.sort_unstable();
        let mut told_sorted = told.clone();
        told_sorted.sort_unstable();
        assert_eq!(told_sorted, expected, "{lines:?}");
        let enumerated = lines.iter().find(|line| line.starts_with("--log-format"));
        let enumerated = enumerated.map(String::as_str);
        assert_eq!(
            enumerated,
            Some("--log-format xml: write one of text, json")
        );
    }
}
