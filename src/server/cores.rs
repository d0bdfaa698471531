//! One event loop for each core.
//!
//! A connection stays on one thread with all its calls: a call that is answered where
//! it was read costs half of what it costs when threads wake each other for it.

use std::io;
use std::sync::Arc;
use std::thread;

use tokio::runtime::{Builder, Handle};
use tokio::sync::watch;

/// The event loops; they end when this is dropped.
#[derive(Debug)]
pub(super) struct Cores {
    cores: Vec<Core>,
    _running: watch::Sender<()>,
}

/// One event loop.
#[derive(Debug)]
struct Core {
    handle: Handle,
    /// One reference for each connection, and one of its own.
    connections: Arc<()>,
}

/// A connection's place on a core.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) handle: Handle,
    _counted: Arc<()>,
}

impl Cores {
    /// Starts one event loop for each core that this process may use.
    ///
    /// # Errors
    ///
    /// If a thread cannot be started.
    pub(super) fn start() -> io::Result<Self> {
        let count = thread::available_parallelism()?.get();
        let running = watch::Sender::new(());
        let cores = (0..count).map(|index| Core::start(index, running.subscribe()));
        Ok(Self {
            cores: cores.collect::<io::Result<_>>()?,
            _running: running,
        })
    }

    /// A place on the core with the fewest connections.
    pub(super) fn place(&self) -> Place {
        let connections = |core: &&Core| Arc::strong_count(&core.connections);
        let core = self.cores.iter().min_by_key(connections);
        let core = core.expect("there is at least one core");
        Place {
            handle: core.handle.clone(),
            _counted: Arc::clone(&core.connections),
        }
    }
}

impl Core {
    fn start(index: usize, mut running: watch::Receiver<()>) -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        thread::Builder::new()
            .name(format!("server-{index}"))
            .spawn(move || {
                let ended = runtime.block_on(running.changed());
                ended.expect_err("nothing is ever sent, the sender is only dropped");
            })?;
        Ok(Self {
            handle,
            connections: Arc::new(()),
        })
    }
}
