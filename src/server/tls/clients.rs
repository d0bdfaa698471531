//! Which clients may call, by the names in their certificates.

use std::collections::HashSet;

use tokio_rustls::rustls::pki_types::CertificateDer;
use x509_parser::prelude::{FromDer, GeneralName, X509Certificate};

/// The clients that may call: all, if none is named.
#[derive(Debug)]
pub(super) struct Clients {
    /// DNS names in lower case, and URIs.
    named: HashSet<String>,
}

impl Clients {
    pub(super) fn new(named: &[String]) -> Self {
        let named = named.iter().map(|name| {
            let is_uri = name.contains(':');
            if is_uri {
                name.clone()
            } else {
                name.to_ascii_lowercase()
            }
        });
        Self {
            named: named.collect(),
        }
    }

    /// Whether the owner of `certificate` may call. That the certificate is genuine was
    /// seen to in the handshake.
    pub(super) fn allow(&self, certificate: Option<&CertificateDer<'_>>) -> bool {
        self.named.is_empty() || certificate.is_some_and(|der| self.names_one_of(der))
    }

    fn names_one_of(&self, der: &CertificateDer<'_>) -> bool {
        let Ok((_, certificate)) = X509Certificate::from_der(der) else {
            return false;
        };
        let Ok(Some(names)) = certificate.subject_alternative_name() else {
            return false;
        };
        names.value.general_names.iter().any(|name| match name {
            GeneralName::DNSName(name) => self.named.contains(&name.to_ascii_lowercase()),
            GeneralName::URI(uri) => self.named.contains(*uri),
            _ => false,
        })
    }
}
