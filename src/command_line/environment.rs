//! Variables of the environment that look like settings and are none, or cannot be read.

use std::ffi::{OsStr, OsString};

use clap::Command;

/// What the variables of all settings begin with.
const PREFIX: &str = "SUDOKU_";

/// The names among these variables that nothing here goes by, as of a setting with a
/// letter too few.
pub(super) fn unknown(
    command: &Command,
    variables: impl Iterator<Item = (OsString, OsString)>,
) -> Vec<String> {
    let is_setting = |name: &str| {
        let mut settings = command.get_arguments().filter_map(clap::Arg::get_env);
        settings.any(|setting| setting == name)
    };
    let names = variables.filter_map(|(name, value)| {
        let name = name.to_string_lossy().into_owned();
        let is_ours = name.starts_with(PREFIX) && !is_service_link(&name, &value);
        (is_ours && !is_setting(&name)).then_some(name)
    });
    let mut names: Vec<_> = names.collect();
    names.sort_unstable();
    names
}

/// Whether Kubernetes made the variable, as it does for every service of a namespace:
/// for one called `sudoku`, `SUDOKU_SERVICE_HOST` and `SUDOKU_PORT=tcp://...`.
fn is_service_link(name: &str, value: &OsStr) -> bool {
    let value = value.to_string_lossy();
    let is_numbered = |(_, rest): (&str, &str)| rest.starts_with(|c: char| c.is_ascii_digit());
    name.ends_with("_SERVICE_HOST")
        || name.contains("_SERVICE_PORT")
        || name.split_once("_PORT_").is_some_and(is_numbered)
        || (name.ends_with("_PORT") && value.contains("://"))
}

/// The settings among these variables that are not UTF-8.
pub(super) fn unreadable(
    command: &Command,
    value: impl Fn(&OsStr) -> Option<OsString>,
) -> Vec<String> {
    let settings = command.get_arguments().filter_map(clap::Arg::get_env);
    let unreadable = settings.filter(|name| value(name).is_some_and(|v| v.to_str().is_none()));
    let names = unreadable.map(|name| name.to_string_lossy().into_owned());
    names.collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt;

    use clap::CommandFactory;

    use super::*;
    use crate::command_line::CommandLine;

    #[test]
    fn what_no_setting_goes_by_is_found_and_service_links_are_not() {
        let variables = [
            ("SUDOKU_MAX_CONECTIONS", "7"),
            ("SUDOKU_LISTEN", "[::]:50051"),
            ("SUDOKU_PORT", "8080"),
            ("SUDOKU_SERVICE_LISTN", "[::]:50051"),
            ("SUDOKU_MY_PORT_TYPO", "1"),
            ("PATH", "/bin"),
            ("SUDOKU_SERVICE_HOST", "10.0.0.1"),
            ("SUDOKU_SERVICE_PORT_GRPC", "50051"),
            ("SUDOKU_WEB_PORT", "tcp://10.0.0.1:80"),
            ("SUDOKU_PORT_50051_TCP", "tcp://10.0.0.1:50051"),
        ];
        let variables = variables.map(|(name, value)| (name.into(), value.into()));
        let unknown = unknown(&CommandLine::command(), variables.into_iter());
        let expected = [
            "SUDOKU_MAX_CONECTIONS",
            "SUDOKU_MY_PORT_TYPO",
            "SUDOKU_PORT",
            "SUDOKU_SERVICE_LISTN",
        ];
        assert_eq!(unknown, expected);
    }

    #[test]
    fn what_is_not_utf_8_has_a_name() {
        let value = |name: &OsStr| {
            let value: &[u8] = if name == "SUDOKU_LOG" {
                b"\xff"
            } else {
                b"info"
            };
            Some(OsStr::from_bytes(value).to_owned())
        };
        let names = unreadable(&CommandLine::command(), value);
        assert_eq!(names, ["SUDOKU_LOG"]);
    }
}
