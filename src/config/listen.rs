//! Where to listen.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

/// Where a server listens: an address of this machine, or a socket in its file system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Listen {
    /// IP address and port.
    Ip(SocketAddr),
    /// The path of a Unix socket.
    Unix(PathBuf),
}

impl Listen {
    /// The IP address and port, if it is one.
    #[must_use]
    pub const fn ip(&self) -> Option<SocketAddr> {
        match self {
            Self::Ip(address) => Some(*address),
            Self::Unix(_) => None,
        }
    }
}

impl FromStr for Listen {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let hint = "write it as IP:PORT, such as 127.0.0.1:50051, 0.0.0.0:50051 or [::1]:50051, \
                    or as unix:PATH";
        match text.strip_prefix("unix:") {
            None => text
                .parse()
                .map(Self::Ip)
                .map_err(|e| format!("{e}; {hint}")),
            // unix:///run/socket is how gRPC clients may write /run/socket.
            Some(path) => match path.strip_prefix("//").unwrap_or(path) {
                "" => Err(format!("the path is missing; {hint}")),
                path => Ok(Self::Unix(path.into())),
            },
        }
    }
}

impl fmt::Display for Listen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ip(address) => address.fmt(f),
            Self::Unix(path) => write!(f, "unix:{}", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_paths_are_read() {
        for text in ["127.0.0.1:0", "[::1]:50051", "unix:/run/s", "unix:s"] {
            let listen: Listen = text.parse().expect(text);
            assert_eq!(listen.to_string(), text);
        }
        let absolute: Result<Listen, _> = "unix:///run/s".parse();
        assert_eq!(absolute, Ok(Listen::Unix("/run/s".into())));
        for wrong in ["", "localhost:1", "unix:", "/run/s", "1.2.3.4"] {
            assert!(wrong.parse::<Listen>().is_err(), "{wrong}");
        }
    }
}
