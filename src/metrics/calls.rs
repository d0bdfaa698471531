//! The calls: begun, ended with which code, after how long, and their messages.

use std::array;
use std::fmt;
use std::time::Duration;

use prometheus_client::encoding::DescriptorEncoder;
use tonic::Code;

use super::export::{self, Labels};
use super::methods::{self, METHODS, Method};
use crate::tally::{Counter, Histogram, SECONDS};

/// The names of the codes as go-grpc-middleware writes them, in the order of their numbers.
const CODES: [&str; 17] = [
    "OK",
    "Canceled",
    "Unknown",
    "InvalidArgument",
    "DeadlineExceeded",
    "NotFound",
    "AlreadyExists",
    "PermissionDenied",
    "ResourceExhausted",
    "FailedPrecondition",
    "Aborted",
    "OutOfRange",
    "Unimplemented",
    "Internal",
    "Unavailable",
    "DataLoss",
    "Unauthenticated",
];

/// The name of a code, as in the label `grpc_code` and in log lines.
#[must_use]
pub const fn code_name(code: Code) -> &'static str {
    CODES[code as usize]
}

/// The series of every method.
#[derive(Debug)]
pub struct Calls {
    series: [Series; METHODS.len()],
}

/// The series of one method.
#[derive(Debug)]
pub struct Series {
    /// The calls that began.
    pub started: Counter,
    /// The messages that came.
    pub received: Counter,
    /// The messages that went.
    pub sent: Counter,
    handled: [Counter; CODES.len()],
    time: Histogram,
}

impl Series {
    /// Counts a call that has ended.
    pub fn ended(&self, code: Code, time: Duration) {
        self.handled[code as usize].increment();
        self.time.observe_time(time);
    }
}

impl Calls {
    /// The number of the method that a path leads to; all unknown ones share one.
    #[must_use]
    pub fn number(path: &str) -> usize {
        methods::number(path)
    }

    /// The series of the method with this number.
    #[must_use]
    pub const fn series(&self, number: usize) -> &Series {
        &self.series[number]
    }

    pub(super) fn encode(&self, encoder: &mut DescriptorEncoder<'_>) -> fmt::Result {
        self.encode_counters(encoder, "grpc_server_started", "Calls that began", |s| {
            &s.started
        })?;
        self.encode_counters(
            encoder,
            "grpc_server_msg_received",
            "Messages that came",
            |s| &s.received,
        )?;
        self.encode_counters(encoder, "grpc_server_msg_sent", "Messages that went", |s| {
            &s.sent
        })?;
        export::counters(
            encoder,
            "grpc_server_handled",
            "Calls that ended, by code",
            self.named().flat_map(|(method, series)| {
                let handled = series.handled.iter().zip(CODES);
                handled.map(move |(counter, code)| {
                    let [kind, service, name] = labels(method);
                    ([kind, service, name, ("grpc_code", code)], counter)
                })
            }),
        )?;
        export::times(
            encoder,
            "grpc_server_handling",
            "Time from the first byte of a call to its end",
            self.named()
                .map(|(method, series)| (labels(method), &series.time)),
        )
    }

    fn encode_counters(
        &self,
        encoder: &mut DescriptorEncoder<'_>,
        name: &str,
        help: &str,
        counter: fn(&Series) -> &Counter,
    ) -> fmt::Result {
        let counters = self
            .named()
            .map(|(method, series)| (labels(method), counter(series)));
        export::counters(encoder, name, help, counters)
    }

    fn named(&self) -> impl Iterator<Item = (&'static Method, &Series)> {
        METHODS.iter().zip(&self.series)
    }
}

impl Default for Calls {
    fn default() -> Self {
        // A call is answered over a network: it takes at least 10 us.
        let bounds = &SECONDS[3..];
        let series = |_| Series {
            started: Counter::default(),
            received: Counter::default(),
            sent: Counter::default(),
            handled: array::from_fn(|_| Counter::default()),
            time: Histogram::new(bounds),
        };
        Self {
            series: array::from_fn(series),
        }
    }
}

const fn labels(method: &Method) -> Labels<3> {
    [
        ("grpc_type", method.kind),
        ("grpc_service", method.service),
        ("grpc_method", method.name),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_codes_stand_at_their_numbers() {
        for (number, name) in CODES.iter().enumerate() {
            let code = Code::from(i32::try_from(number).expect("17 codes"));
            // Go has another spelling of one, and capitals for another.
            let ours = match code {
                Code::Ok => "OK".to_owned(),
                Code::Cancelled => "Canceled".to_owned(),
                other => format!("{other:?}"),
            };
            assert_eq!(*name, ours);
        }
    }
}
