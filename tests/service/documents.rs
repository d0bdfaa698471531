//! The documents name what there is, and nothing else: metrics and settings.

use std::collections::BTreeSet;

use clap::CommandFactory;
use sudoku_service::command_line::CommandLine;

use crate::support::TestServer;

const README: &str = include_str!("../../README.md");
const OPERATIONS: &str = include_str!("../../docs/operations.md");

/// The names between backticks in the first column of the table that begins so.
fn first_column(document: &str, heading: &str) -> BTreeSet<String> {
    let lines = document
        .lines()
        .skip_while(|line| !line.starts_with(heading));
    let rows = lines.skip(2).take_while(|line| line.starts_with('|'));
    let cells = rows.map(|row| row.split('|').nth(1).unwrap());
    let names = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let names: Vec<_> = names.map(str::to_owned).collect();
    let set: BTreeSet<_> = names.iter().cloned().collect();
    assert_eq!(set.len(), names.len(), "one comes twice: {names:?}");
    set
}

#[tokio::test]
async fn every_metric_is_in_its_table_and_the_other_way_round() {
    let server = TestServer::start().await;
    let metrics = server.metrics().await;
    assert_eq!(first_column(OPERATIONS, "| metric |"), metrics.names());
    server.stop().await;
}

#[test]
fn every_setting_is_in_its_table_with_its_variable_and_default() {
    let command = CommandLine::command();
    let settings = command
        .get_arguments()
        .filter(|arg| arg.get_env().is_some());
    let mut flags = BTreeSet::new();
    for setting in settings {
        let flag = format!("--{}", setting.get_long().unwrap());
        let variable = setting.get_env().unwrap().to_string_lossy();
        let default = setting.get_default_values().first();
        let default = default.map(|value| format!("`{}`", value.to_string_lossy()));
        let is_switch = setting.get_action().takes_values();
        let default = default.filter(|_| is_switch).unwrap_or_default();
        let row = format!("| `{flag}` | `{variable}` | {default} |").replace("|  |", "| |");
        assert!(README.contains(&row), "{row}");
        flags.insert(flag);
    }
    assert_eq!(first_column(README, "| flag |"), flags);
}
