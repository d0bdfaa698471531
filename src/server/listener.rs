//! What the server listens to: a port, or a socket in the file system.

use std::fmt;
use std::fs::{self, Metadata};
use std::io;
use std::net::SocketAddr;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};

use super::preface::Stream;
use crate::config::Listen;

/// What the server listens to.
#[derive(Debug)]
pub(super) enum Listener {
    Tcp(TcpListener),
    Unix(UnixListener, SocketFile),
}

/// A connection that was accepted on another event loop than it will be served on.
pub(super) enum Socket {
    Tcp(TcpStream),
    Unix(UnixStream),
}

/// Where a peer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Address {
    Ip(SocketAddr),
    /// On this machine, behind the Unix socket.
    Unix,
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ip(address) => address.fmt(f),
            Self::Unix => f.write_str("unix"),
        }
    }
}

impl Listener {
    pub(super) async fn bind(listen: &Listen) -> io::Result<Self> {
        match listen {
            Listen::Ip(address) => TcpListener::bind(address).await.map(Self::Tcp),
            Listen::Unix(path) => {
                let listener = bind_unix(path).await?;
                Ok(Self::Unix(listener, SocketFile::at(path)?))
            }
        }
    }

    /// Where it listens, with the port that it got.
    pub(super) fn address(&self) -> io::Result<Listen> {
        match self {
            Self::Tcp(listener) => listener.local_addr().map(Listen::Ip),
            Self::Unix(_, file) => Ok(Listen::Unix(file.path.clone())),
        }
    }

    pub(super) async fn accept(&self) -> io::Result<(Socket, Address)> {
        match self {
            Self::Tcp(listener) => {
                let (stream, peer) = listener.accept().await?;
                Ok((Socket::Tcp(stream), Address::Ip(peer)))
            }
            Self::Unix(listener, _) => {
                let (stream, _unnamed) = listener.accept().await?;
                Ok((Socket::Unix(stream), Address::Unix))
            }
        }
    }
}

impl Socket {
    /// The bytes of the connection, read and written by the event loop that runs this.
    pub(super) fn moved_here(self) -> io::Result<Box<dyn Stream>> {
        match self {
            Self::Tcp(stream) => {
                let stream = TcpStream::from_std(stream.into_std()?)?;
                // Without it an answer of several packets waits for the peer's
                // acknowledgement.
                if let Err(error) = stream.set_nodelay(true) {
                    tracing::debug!(%error, "cannot set TCP_NODELAY");
                }
                Ok(Box::new(stream))
            }
            Self::Unix(stream) => Ok(Box::new(UnixStream::from_std(stream.into_std()?)?)),
        }
    }
}

/// Listens at `path`, also if a server that was killed has left its socket there.
async fn bind_unix(path: &Path) -> io::Result<UnixListener> {
    match UnixListener::bind(path) {
        Err(error) if error.kind() == io::ErrorKind::AddrInUse && is_stale(path).await => {
            fs::remove_file(path)?;
            UnixListener::bind(path)
        }
        bound => bound,
    }
}

async fn is_stale(path: &Path) -> bool {
    let is_socket = fs::symlink_metadata(path).is_ok_and(|file| file.file_type().is_socket());
    let refused = |error: io::Error| error.kind() == io::ErrorKind::ConnectionRefused;
    is_socket && UnixStream::connect(path).await.is_err_and(refused)
}

/// The file of a Unix socket; removed when this is dropped, if it is still the same.
#[derive(Debug)]
pub(super) struct SocketFile {
    path: PathBuf,
    identity: (u64, u64),
}

impl SocketFile {
    fn at(path: &Path) -> io::Result<Self> {
        Ok(Self {
            path: path.into(),
            identity: identity(&fs::symlink_metadata(path)?),
        })
    }
}

fn identity(file: &Metadata) -> (u64, u64) {
    (file.dev(), file.ino())
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        let found = fs::symlink_metadata(&self.path);
        if found.is_ok_and(|file| identity(&file) == self.identity)
            && let Err(error) = fs::remove_file(&self.path)
        {
            tracing::warn!(path = %self.path.display(), %error, "the socket file stays");
        }
    }
}
