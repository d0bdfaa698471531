//! Wrong values on a command line or in the environment: all of them, where clap tells
//! the first.

use std::error::Error;
use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, builder::OsStringValueParser};

/// Settings with wrong values, in one line each.
#[derive(Debug, Default)]
pub struct WrongSettings(Vec<Wrong>);

#[derive(Debug)]
struct Wrong {
    flag: String,
    line: String,
}

/// What `words` and the environment say to `command`, without what is wrong, and that.
///
/// # Errors
///
/// If the words cannot be understood, or ask for help.
pub(super) fn read(
    command: &Command,
    words: &[OsString],
) -> Result<(ArgMatches, WrongSettings), clap::Error> {
    let mut wrong = WrongSettings::default();
    let mut lenient = command.clone();
    loop {
        match lenient.clone().try_get_matches_from(words) {
            Ok(matches) if wrong.0.is_empty() => return Ok((matches, wrong)),
            Ok(matches) => {
                let words = wrong.others(command, &matches, &words[..1]);
                let matches = without_environment(command).try_get_matches_from(words)?;
                return Ok((matches, wrong));
            }
            Err(error) => {
                // One that is wrong again has no value at all, which nothing can stand in for.
                let flag = blamed(command, &error).filter(|flag| !wrong.has(flag));
                let Some(flag) = flag else {
                    return Err(error);
                };
                let id = flag.get_id().to_string();
                lenient = lenient.mut_arg(id, |arg| {
                    if arg.get_action().takes_values() {
                        arg.value_parser(OsStringValueParser::new())
                    } else {
                        arg.env(None::<&str>)
                    }
                });
                wrong.0.push(Wrong::new(flag, &error));
            }
        }
    }
}

/// The setting whose value is wrong, if it is that.
fn blamed<'a>(command: &'a Command, error: &clap::Error) -> Option<&'a Arg> {
    if !matches!(
        error.kind(),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation
    ) {
        return None;
    }
    let Some(ContextValue::String(usage)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let flag = usage.split(' ').next()?.strip_prefix("--")?;
    let mut settings = command.get_arguments();
    settings.find(|arg| arg.get_long() == Some(flag) && arg.get_env().is_some())
}

fn without_environment(command: &Command) -> Command {
    command.clone().mut_args(|arg| arg.env(None::<&str>))
}

impl Wrong {
    fn new(setting: &Arg, error: &clap::Error) -> Self {
        let flag = format!("--{}", setting.get_long().unwrap_or_default());
        let value = match error.get(ContextKind::InvalidValue) {
            Some(ContextValue::String(value)) => value.as_str(),
            _ => "",
        };
        let why = match (error.source(), error.get(ContextKind::ValidValue)) {
            (Some(source), _) => source.to_string(),
            (None, Some(ContextValue::Strings(valid))) if !valid.is_empty() => {
                format!("write one of {}", valid.join(", "))
            }
            (None, _) => "a value is needed".into(),
        };
        Self {
            line: format!("{flag} {value}: {why}"),
            flag,
        }
    }

    /// Whether a line is about this setting, too.
    fn is_named_in(&self, line: &str) -> bool {
        let mut words = line.split([' ', ',', ':']);
        words.any(|word| word == self.flag)
    }
}

impl WrongSettings {
    /// Whether no setting is wrong.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// These, and of what else was found that which does not name one of them: it was
    /// found with another value in its place.
    #[must_use]
    pub fn and(&self, found: &str) -> Vec<String> {
        let lines = self.0.iter().map(|wrong| wrong.line.clone());
        let others = found.lines().filter(|line| {
            let is_clear = |wrong: &Wrong| !wrong.is_named_in(line);
            self.0.iter().all(is_clear)
        });
        lines.chain(others.map(str::to_owned)).collect()
    }

    fn has(&self, setting: &Arg) -> bool {
        let flag = setting.get_long().unwrap_or_default();
        let mut flags = self
            .0
            .iter()
            .map(|wrong| wrong.flag.trim_start_matches('-'));
        flags.any(|wrong| wrong == flag)
    }

    /// The words that say what `matches` do, without the wrong settings.
    fn others(
        &self,
        command: &Command,
        matches: &ArgMatches,
        program: &[OsString],
    ) -> Vec<OsString> {
        let is_wrong = |flag: &str| self.0.iter().any(|wrong| wrong.flag == flag);
        let mut words = program.to_vec();
        for arg in command.get_arguments() {
            let (id, flag) = (
                arg.get_id().as_str(),
                format!("--{}", arg.get_long().unwrap_or_default()),
            );
            let is_said = matches.value_source(id) != Some(ValueSource::DefaultValue);
            let Some(values) = matches.get_raw(id).filter(|_| is_said && !is_wrong(&flag)) else {
                continue;
            };
            if arg.get_action().takes_values() {
                for value in values {
                    let mut word = OsString::from(&flag);
                    word.push("=");
                    word.push(value);
                    words.push(word);
                }
            } else if matches.get_flag(id) {
                words.push(flag.into());
            }
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::command_line::CommandLine;

    #[test]
    fn a_flag_without_its_value_ends_the_reading() {
        let words = ["sudoku-service", "--deadline", "soon", "--log-format"];
        let error = read(&CommandLine::command(), &words.map(OsString::from));
        let error = error.expect_err("no value").to_string();
        assert!(error.contains("--log-format"), "{error}");
    }
}
