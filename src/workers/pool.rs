//! The threads that long searches run on.
//!
//! They are tokio's blocking threads, which sleep when there is nothing to do. A pool
//! that is made for splitting work up, as rayon's, looks around for more of it before it
//! sleeps: at a chunk of a stream every 100 us that took half of all the server's time.

use std::io;

use tokio::runtime::{Builder, Runtime};

/// A bounded number of threads.
#[derive(Debug)]
pub(super) struct Pool(Option<Runtime>);

impl Pool {
    /// A pool of up to `threads` threads, which start when they are needed.
    ///
    /// # Errors
    ///
    /// If the system has no means for it.
    pub(super) fn new(threads: usize) -> io::Result<Self> {
        let runtime = Builder::new_current_thread()
            .max_blocking_threads(threads)
            .thread_name("solver")
            .on_thread_start(give_way)
            .build()?;
        Ok(Self(Some(runtime)))
    }

    /// Runs `job` when a thread is free. It must not panic.
    pub(super) fn run(&self, job: impl FnOnce() + Send + 'static) {
        if let Some(runtime) = &self.0 {
            runtime.spawn_blocking(job);
        }
    }
}

impl Drop for Pool {
    /// Waits for nobody: searches that still run are stopped by their callers.
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// Lets the threads that answer calls go before this one, where they share a core: a
/// long search may wait, a short call shall not.
#[cfg(target_os = "linux")]
fn give_way() {
    const LOWER_PRIORITY: i32 = 10;
    // Without an id it is this thread that is meant.
    if let Err(error) = rustix::process::setpriority_process(None, LOWER_PRIORITY) {
        tracing::debug!(%error, "cannot lower the priority of a solver thread");
    }
}

/// Threads have no priority of their own here.
#[cfg(not(target_os = "linux"))]
const fn give_way() {}
