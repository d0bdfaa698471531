//! Where operators are served.

use std::fmt;
use std::net::SocketAddr;
use std::str::FromStr;

/// The address of the admin port, if there is to be one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admin {
    /// There is none.
    Off,
    /// It is here; port 0 takes a free one.
    At(SocketAddr),
}

impl Default for Admin {
    /// For this machine only: whoever reaches it can change what is logged.
    fn default() -> Self {
        Self::At(SocketAddr::from(([127, 0, 0, 1], 9464)))
    }
}

impl FromStr for Admin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "off" {
            return Ok(Self::Off);
        }
        let hint = "write it as IP:PORT, such as 127.0.0.1:9464 or 0.0.0.0:9464, or off";
        let address = text.parse().map_err(|error| format!("{error}; {hint}"))?;
        Ok(Self::At(address))
    }
}

impl fmt::Display for Admin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => f.write_str("off"),
            Self::At(address) => address.fmt(f),
        }
    }
}
