//! What can be wrong with a call, and how that is told.

use std::borrow::Cow;
use std::collections::HashMap;
use std::time::Duration;

use tonic::metadata::{MetadataMap, MetadataValue};
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, FieldViolation, StatusExt};

use crate::grid::ParseGridError;
use crate::workers::Overloaded;

/// When to try again: a draining server's successor, or an overloaded one, needs a moment.
const RETRY_AFTER: Duration = Duration::from_millis(200);

/// The domain of all reasons.
const DOMAIN: &str = "sudoku.v1";
/// How many violations a status lists: with ten it stays below 4 KiB.
const MAX_VIOLATIONS: usize = 10;

/// Why a call failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// Some grids of the request are malformed: the field and what is wrong, at least
    /// one.
    Grids(Vec<(&'static str, ParseGridError)>),
    /// A number of the request is out of its range.
    OutOfRange {
        /// The field.
        field: &'static str,
        /// What is counted, in words.
        quantity: &'static str,
        /// The smallest value that is allowed.
        minimum: usize,
        /// The greatest value that is allowed.
        maximum: usize,
        /// The value that came, in words.
        found: String,
    },
    /// A field that an item cannot do without is missing.
    Missing {
        /// The field.
        field: &'static str,
    },
    /// The deadline passed before the answer was ready.
    Deadline,
    /// A message is larger than the server accepts, in bytes.
    MessageTooLarge {
        /// The largest message that is accepted.
        limit: usize,
    },
    /// The header of a call is larger than the server accepts, in bytes.
    HeaderTooLarge {
        /// The largest header that is accepted.
        limit: usize,
    },
    /// Bytes that are no message; with the decoder's words.
    Malformed(String),
    /// The server is about to end; another one, or the next, can go on.
    Draining,
    /// This instance has all the work that it can do.
    Overloaded,
    /// The client's certificate is genuine, but not of one that may call.
    NotAllowed,
    /// A fault of the server's own.
    Internal,
}

impl Failure {
    /// The canonical code.
    #[must_use]
    pub const fn code(&self) -> Code {
        match self {
            Self::Grids(_) | Self::OutOfRange { .. } | Self::Missing { .. } => {
                Code::InvalidArgument
            }
            Self::Deadline => Code::DeadlineExceeded,
            Self::MessageTooLarge { .. } | Self::HeaderTooLarge { .. } => Code::ResourceExhausted,
            Self::Draining | Self::Overloaded => Code::Unavailable,
            Self::NotAllowed => Code::PermissionDenied,
            Self::Malformed(_) | Self::Internal => Code::Internal,
        }
    }

    /// The machine-readable reason.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Grids(faults) => grid_reason(&faults[0].1),
            Self::OutOfRange { .. } => "FIELD_OUT_OF_RANGE",
            Self::Missing { .. } => "FIELD_MISSING",
            Self::Deadline => "DEADLINE",
            Self::MessageTooLarge { .. } => "MESSAGE_TOO_LARGE",
            Self::HeaderTooLarge { .. } => "HEADER_TOO_LARGE",
            Self::Malformed(_) => "MESSAGE_MALFORMED",
            Self::Draining => "DRAINING",
            Self::Overloaded => "OVERLOADED",
            Self::NotAllowed => "CLIENT_NOT_ALLOWED",
            Self::Internal => "INTERNAL",
        }
    }

    /// What was wrong, in words.
    #[must_use]
    pub fn message(&self) -> Cow<'static, str> {
        match self {
            Self::Grids(faults) => {
                let words: Vec<String> = faults.iter().map(|(f, e)| format!("{f}: {e}")).collect();
                words.join("; ").into()
            }
            Self::OutOfRange {
                quantity,
                minimum,
                maximum,
                found,
                ..
            } => format!("{quantity} is {found}; it must be from {minimum} to {maximum}").into(),
            Self::Missing { field } => format!("{field} is missing").into(),
            Self::Deadline => "the deadline passed before the answer was ready".into(),
            Self::MessageTooLarge { limit } => {
                format!("the message is larger than {limit} bytes").into()
            }
            Self::HeaderTooLarge { limit } => {
                format!("the header of the call is larger than {limit} bytes").into()
            }
            Self::Malformed(words) => format!("the message cannot be read: {words}").into(),
            Self::Draining => "this server is about to end; go on with another connection".into(),
            Self::Overloaded => "this server has all the work that it can do; try again".into(),
            Self::NotAllowed => "the client's certificate names nobody who may call".into(),
            Self::Internal => "the server failed at this call; the fault is not yours".into(),
        }
    }

    /// The field that was wrong, the first one if there are several.
    #[must_use]
    pub fn field(&self) -> Option<&'static str> {
        match self {
            Self::Grids(faults) => Some(faults[0].0),
            Self::OutOfRange { field, .. } | Self::Missing { field } => Some(field),
            Self::Deadline
            | Self::MessageTooLarge { .. }
            | Self::HeaderTooLarge { .. }
            | Self::Malformed(_)
            | Self::Draining
            | Self::Overloaded
            | Self::NotAllowed
            | Self::Internal => None,
        }
    }

    fn metadata(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Grids(faults) => grid_metadata(&faults[0].1),
            Self::OutOfRange {
                field,
                minimum,
                maximum,
                ..
            } => vec![
                ("field", (*field).to_owned()),
                ("minimum", minimum.to_string()),
                ("maximum", maximum.to_string()),
            ],
            Self::MessageTooLarge { limit } | Self::HeaderTooLarge { limit } => {
                vec![("limit", limit.to_string())]
            }
            Self::Missing { .. }
            | Self::Deadline
            | Self::Malformed(_)
            | Self::Draining
            | Self::Overloaded
            | Self::NotAllowed
            | Self::Internal => vec![],
        }
    }

    fn violations(&self) -> Vec<FieldViolation> {
        match self {
            Self::Grids(faults) => {
                let all = faults
                    .iter()
                    .flat_map(|(field, e)| grid_violations(field, e));
                all.take(MAX_VIOLATIONS).collect()
            }
            Self::OutOfRange { field, .. } | Self::Missing { field } => vec![FieldViolation {
                reason: self.reason().into(),
                ..FieldViolation::new(*field, self.message())
            }],
            Self::Deadline
            | Self::MessageTooLarge { .. }
            | Self::HeaderTooLarge { .. }
            | Self::Malformed(_)
            | Self::Draining
            | Self::Overloaded
            | Self::NotAllowed
            | Self::Internal => vec![],
        }
    }
}

impl From<Overloaded> for Failure {
    fn from(_: Overloaded) -> Self {
        Self::Overloaded
    }
}

impl From<Overloaded> for Status {
    fn from(overloaded: Overloaded) -> Self {
        Failure::from(overloaded).into()
    }
}

impl From<Failure> for Status {
    fn from(failure: Failure) -> Self {
        let metadata = failure.metadata().into_iter();
        let metadata: HashMap<String, String> = metadata.map(|(k, v)| (k.into(), v)).collect();
        let mut details = ErrorDetails::with_error_info(failure.reason(), DOMAIN, metadata);
        let violations = failure.violations();
        if !violations.is_empty() {
            details.set_bad_request(violations);
        }
        let mut metadata = MetadataMap::new();
        if failure.code() == Code::Unavailable {
            details.set_retry_info(Some(RETRY_AFTER));
            metadata.insert(
                "grpc-retry-pushback-ms",
                MetadataValue::from(RETRY_AFTER.as_millis() as u64),
            );
        }
        Self::with_error_details_and_metadata(failure.code(), failure.message(), details, metadata)
    }
}

const fn grid_reason(error: &ParseGridError) -> &'static str {
    match error {
        ParseGridError::TooLong { .. } => "GRID_TOO_LONG",
        ParseGridError::Characters(_) => "GRID_CHARACTER",
        ParseGridError::CellCount { .. } => "GRID_CELL_COUNT",
    }
}

fn grid_metadata(error: &ParseGridError) -> Vec<(&'static str, String)> {
    match error {
        ParseGridError::TooLong { length } => vec![("length", length.to_string())],
        ParseGridError::Characters(refused) => vec![
            ("position", refused[0].position.to_string()),
            ("character", refused[0].shown()),
        ],
        ParseGridError::CellCount { found } => vec![("cell_count", found.to_string())],
    }
}

/// One violation for each refused character, else one for the grid.
fn grid_violations(field: &str, error: &ParseGridError) -> Vec<FieldViolation> {
    let violation = |description: String| FieldViolation {
        reason: grid_reason(error).into(),
        ..FieldViolation::new(field, description)
    };
    match error {
        ParseGridError::Characters(refused) => {
            refused.iter().map(|r| violation(r.to_string())).collect()
        }
        ParseGridError::TooLong { .. } | ParseGridError::CellCount { .. } => {
            vec![violation(error.to_string())]
        }
    }
}
