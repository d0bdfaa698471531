//! Who is at the other end of a connection.

use super::listener::Address;

/// Who is at the other end of a connection.
#[derive(Debug, Clone, Copy)]
pub(super) struct Peer {
    pub(super) address: Address,
    /// Whether it may call.
    pub(super) is_allowed: bool,
}
