//! What became of the puzzles.

use super::Counter;

/// A method that solves puzzles, one or many in a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SolvingRpc {
    /// One puzzle.
    Solve,
    /// Up to a thousand.
    BatchSolve,
    /// Any number.
    StreamSolve,
}

/// What became of a puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PuzzleStatus {
    /// It has a solution.
    Solved,
    /// It has none.
    NoSolution,
    /// Its givens clash.
    ConflictingGivens,
    /// The work limit came first.
    LimitReached,
    /// It could not be read.
    Malformed,
}

/// The number of puzzles for each method and status.
#[derive(Debug, Default)]
pub struct Puzzles {
    counters: [[Counter; Self::STATUSES.len()]; Self::RPCS.len()],
}

impl Puzzles {
    /// The names of the methods, in the order of [`SolvingRpc`].
    const RPCS: [&'static str; 3] = ["Solve", "BatchSolve", "StreamSolve"];
    /// The names of what becomes of puzzles, in the order of [`PuzzleStatus`]; they are
    /// those of the contract.
    #[rustfmt::skip]
    const STATUSES: [&'static str; 5] =
        ["SOLVED", "NO_SOLUTION", "CONFLICTING_GIVENS", "LIMIT_REACHED", "MALFORMED"];

    /// Counts puzzles of a method, each with what became of it.
    pub fn add(&self, rpc: SolvingRpc, statuses: impl Iterator<Item = PuzzleStatus>) {
        // Summed up first: other threads add to the counters, too.
        let mut counts = [0; Self::STATUSES.len()];
        for status in statuses {
            counts[status as usize] += 1;
        }
        for (counter, count) in self.counters[rpc as usize].iter().zip(counts) {
            if count > 0 {
                counter.add(count);
            }
        }
    }

    /// Every counter with the names of its method and its status.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, &'static str, &Counter)> {
        Self::RPCS
            .iter()
            .zip(&self.counters)
            .flat_map(|(rpc, counters)| {
                let counters = Self::STATUSES.iter().zip(counters);
                counters.map(|(status, counter)| (*rpc, *status, counter))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_counter_has_its_own_place() {
        use PuzzleStatus::{LimitReached, Malformed, Solved};
        let puzzles = Puzzles::default();
        let statuses = [LimitReached, Solved, LimitReached];
        puzzles.add(SolvingRpc::BatchSolve, statuses.into_iter());
        puzzles.add(SolvingRpc::StreamSolve, [Malformed].into_iter());
        let counted: Vec<_> = puzzles
            .named()
            .filter(|(_, _, counter)| counter.get() > 0)
            .map(|(rpc, status, counter)| (rpc, status, counter.get()))
            .collect();
        assert_eq!(
            counted,
            [
                ("BatchSolve", "SOLVED", 1),
                ("BatchSolve", "LIMIT_REACHED", 2),
                ("StreamSolve", "MALFORMED", 1),
            ]
        );
    }
}
