//! The CPU time of this thread: what other programs take does not count.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

fn now() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("a clock that began at zero")
}

/// A clock that has been started.
#[derive(Clone, Copy)]
pub(crate) struct Clock(Duration);

impl Clock {
    pub(crate) fn start() -> Self {
        Self(now())
    }

    pub(crate) fn elapsed(self) -> Duration {
        now().saturating_sub(self.0)
    }
}

/// What `work` takes.
pub(crate) fn time(work: impl FnOnce()) -> Duration {
    let clock = Clock::start();
    work();
    clock.elapsed()
}
