//! Settings from flags: values, and pairs that contradict each other.

use super::*;

fn parse(flags: &[&str]) -> Result<Config, String> {
    let line = ["sudoku-service"].iter().chain(flags);
    Config::try_parse_from(line).map_err(|error| error.to_string())
}

#[test]
fn the_default_is_what_no_flags_give() {
    let parsed = parse(&[]).expect("no flags are fine");
    assert_eq!(format!("{parsed:?}"), format!("{:?}", Config::default()));
}

#[test]
fn a_wrong_value_is_named_with_its_flag() {
    for (flag, value) in [
        ("--listen", "nowhere"),
        ("--admin", "on"),
        ("--deadline", "0s"),
        ("--drain-delay", "5"),
        ("--drain-timeout", "3"),
        ("--max-deadline", "soon"),
        ("--engine", "mmx"),
        ("--max-guesses", "0"),
        ("--log", "inof"),
        ("--log", "info,h2="),
        ("--log", ""),
        ("--log", "info,tonic=loud"),
        ("--log-format", "xml"),
        ("--access-log", "some"),
        ("--reflection", "yes"),
        ("--max-connections", "0"),
        ("--max-concurrent-streams", "0"),
        ("--max-header-size", "12"),
        ("--max-message-size", "4MB"),
        ("--max-reset-streams", "0"),
        ("--keepalive-interval", "often"),
        ("--keepalive-timeout", "0s"),
        ("--max-connection-age", "5"),
        ("--max-connection-age-grace", "soon"),
        ("--max-connection-idle", "never"),
        ("--grpc-web-origins", "example.org"),
        ("--otlp-endpoint", "https://localhost:4317"),
        ("--otlp-endpoint", "localhost:4317"),
        ("--trace-ratio", "1.5"),
        ("--trace-ratio", "NaN"),
    ] {
        let error = parse(&[flag, value]).expect_err(flag);
        assert!(error.contains(flag) && error.contains(value), "{error}");
    }
}

#[test]
fn half_of_tls_is_a_contradiction() {
    for (flag, needed) in [
        ("--tls-cert", "--tls-key"),
        ("--tls-key", "--tls-cert"),
        ("--tls-client-ca", "--tls-cert"),
        ("--tls-client-allow", "--tls-client-ca"),
    ] {
        let config = parse(&[flag, "value"]).expect("single flags");
        let error = config.check().expect_err("contradictory").to_string();
        assert_eq!(error, format!("{flag} needs {needed}, which is not set"));
    }
}

#[test]
fn a_deadline_beyond_the_maximum_is_a_contradiction() {
    let config = parse(&["--deadline", "5m", "--max-deadline", "10s"]).expect("single flags");
    let error = config.check().expect_err("contradictory").to_string();
    assert_eq!(error, "--deadline is 300s, longer than --max-deadline, 10s");
    assert_eq!(Config::default().check(), Ok(()));
}

#[test]
fn traces_need_a_program_that_can_send_them() {
    let config = parse(&["--otlp-endpoint", "http://[::1]:4317"]).expect("an address");
    assert_eq!(config.check().is_ok(), cfg!(feature = "otlp"));
}

#[test]
fn all_contradictions_are_told() {
    let flags = "--deadline 5m --tls-cert c --grpc-web-origins * --max-connection-age off \
                 --max-connection-age-grace 1s";
    let flags: Vec<_> = flags.split_whitespace().collect();
    let config = parse(&flags).expect("single flags");
    let told = config.check().expect_err("contradictory").to_string();
    let settings: Vec<_> = told.lines().map(|line| line.split(' ').next()).collect();
    let expected = [
        "--deadline",
        "--max-connection-age-grace",
        "--tls-cert",
        "--grpc-web-origins",
    ];
    assert_eq!(settings, expected.map(Some), "{told}");
}
