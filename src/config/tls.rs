//! TLS, and which clients may call.

use std::path::PathBuf;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use super::Contradiction;

/// TLS, and which clients may call. All files are PEM; when they change they are read
/// again.
#[derive(Debug, Clone, Default, Args)]
pub struct TlsSettings {
    /// The file of the server's certificate and its chain; turns TLS on
    #[arg(long, env = "SUDOKU_TLS_CERT", value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,

    /// The file of the certificate's private key
    #[arg(long, env = "SUDOKU_TLS_KEY", value_name = "FILE")]
    pub tls_key: Option<PathBuf>,

    /// The file of the authorities that clients' certificates must come from; clients
    /// without a certificate cannot connect then
    #[arg(long, env = "SUDOKU_TLS_CLIENT_CA", value_name = "FILE")]
    pub tls_client_ca: Option<PathBuf>,

    /// The clients that may call, by DNS name or URI of their certificate, as a SPIFFE
    /// ID; all with a certificate if none is given
    #[arg(
        long,
        env = "SUDOKU_TLS_CLIENT_ALLOW",
        value_name = "NAME",
        value_delimiter = ',',
        value_parser = NonEmptyStringValueParser::new()
    )]
    pub tls_client_allow: Vec<String>,
}

impl TlsSettings {
    pub(super) fn check(&self) -> impl Iterator<Item = Contradiction> {
        let cert = ("--tls-cert", self.tls_cert.is_some());
        let key = ("--tls-key", self.tls_key.is_some());
        let client_ca = ("--tls-client-ca", self.tls_client_ca.is_some());
        let allow = ("--tls-client-allow", !self.tls_client_allow.is_empty());
        Contradiction::missing([
            [cert, key],
            [key, cert],
            [client_ca, cert],
            [allow, client_ca],
        ])
    }
}
