//! How many boards the textbook solvers settled within their steps.

use std::collections::BTreeMap;
use std::fmt;

use crate::boards::Kind;

#[derive(Default)]
pub(super) struct Tally {
    /// Boards of each kind, and how many of them were settled by all.
    kinds: BTreeMap<Kind, (usize, usize)>,
    /// On how many boards each solver gave up.
    gave_up: BTreeMap<&'static str, usize>,
}

impl Tally {
    /// Adds a board, and the names of those who gave up on it.
    pub(super) fn add(&mut self, kind: Kind, gave_up: &[&'static str]) {
        let (boards, settled) = self.kinds.entry(kind).or_default();
        *boards += 1;
        *settled += usize::from(gave_up.is_empty());
        for name in gave_up {
            *self.gave_up.entry(name).or_default() += 1;
        }
    }

    pub(super) fn boards(&self) -> usize {
        self.kinds.values().map(|(boards, _)| boards).sum()
    }

    pub(super) fn settled_by_all(&self) -> usize {
        self.kinds.values().map(|(_, settled)| settled).sum()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (settled, boards) = (self.settled_by_all(), self.boards());
        writeln!(f, "{settled} of {boards} boards settled by all")?;
        for (kind, (boards, settled)) in &self.kinds {
            writeln!(f, "  {kind:?}: {settled} of {boards}")?;
        }
        for (name, boards) in &self.gave_up {
            writeln!(f, "  {name} gave up on {boards}")?;
        }
        Ok(())
    }
}
