//! What a failed call says, in words.

use std::iter;

use tonic::Status;
use tonic_types::StatusExt;

use crate::retry::retry_delay;

/// The code, the message and the details.
pub(crate) fn status(status: &Status) -> String {
    let mut lines = vec![format!("{:?}: {}", status.code(), status.message())];
    if let Some(info) = status.get_details_error_info() {
        let mut metadata: Vec<_> = info.metadata.iter().collect();
        metadata.sort();
        let facts = metadata.iter().map(|(key, value)| format!("{key}={value}"));
        let words: Vec<_> = iter::once(info.reason).chain(facts).collect();
        lines.push(format!("reason {}", words.join(" ")));
    }
    let bad_request = status.get_details_bad_request();
    for violation in bad_request.into_iter().flat_map(|b| b.field_violations) {
        let (field, description) = (violation.field, violation.description);
        lines.push(format!("field {field}: {description}"));
    }
    if let Some(delay) = retry_delay(status) {
        lines.push(format!("try again in {} s", delay.as_secs_f64()));
    }
    lines.join("\n  ")
}
