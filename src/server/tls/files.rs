//! Certificate, key and authorities, from files to what rustls needs.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use std::{fmt, fs};

use tokio_rustls::rustls::crypto::CryptoProvider;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::server::danger::ClientCertVerifier;
use tokio_rustls::rustls::sign::{CertifiedKey, SingleCertAndKey};
use tokio_rustls::rustls::{RootCertStore, ServerConfig};
use x509_parser::prelude::{FromDer, X509Certificate};

use crate::config::TlsSettings;

/// What is wrong with a file, or with several.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read or used.
    #[error("{setting} {}: {wrong}; it must be {allowed}", path.display())]
    File {
        /// What names the file.
        setting: &'static str,
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        wrong: String,
        /// What it has to be.
        allowed: &'static str,
    },
    /// The same of several, one line for each.
    #[error("{0}\n{1}")]
    Both(Box<Self>, Box<Self>),
}

/// A file as it was read.
#[derive(Clone, PartialEq, Eq)]
struct File {
    setting: &'static str,
    allowed: &'static str,
    path: PathBuf,
    bytes: Vec<u8>,
}

/// The files as they were read together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Files {
    cert: File,
    key: File,
    client_ca: Option<File>,
}

/// The files as they are used.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) config: Arc<ServerConfig>,
    /// Until when the certificate is valid, in seconds of Unix time.
    pub(super) expiry: i64,
}

impl fmt::Debug for File {
    /// Without the bytes: one of them is secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.setting, self.path.display())
    }
}

impl File {
    fn read(setting: &'static str, path: &Path, allowed: &'static str) -> Result<Self, TlsError> {
        let mut file = Self {
            setting,
            allowed,
            path: path.into(),
            bytes: vec![],
        };
        file.bytes = fs::read(path).map_err(|error| file.wrong(error))?;
        Ok(file)
    }

    fn wrong(&self, wrong: impl fmt::Display) -> TlsError {
        TlsError::File {
            setting: self.setting,
            path: self.path.clone(),
            wrong: wrong.to_string(),
            allowed: self.allowed,
        }
    }

    fn certificates(&self) -> Result<Vec<CertificateDer<'static>>, TlsError> {
        let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&self.bytes).collect();
        match found {
            Ok(found) if found.is_empty() => Err(self.wrong("there is no certificate in it")),
            Ok(found) => Ok(found),
            Err(error) => Err(self.wrong(error)),
        }
    }
}

impl Files {
    /// The files that `settings` name, if they ask for TLS.
    pub(super) fn read(settings: &TlsSettings) -> Result<Option<Self>, TlsError> {
        let (Some(cert), Some(key)) = (&settings.tls_cert, &settings.tls_key) else {
            return Ok(None);
        };
        let cert = File::read(
            "--tls-cert",
            cert,
            "a PEM certificate followed by its chain",
        );
        let key = File::read("--tls-key", key, "the PEM private key of the certificate");
        let client_ca = settings.tls_client_ca.as_ref().map(|path| {
            File::read(
                "--tls-client-ca",
                path,
                "the PEM certificates of authorities",
            )
        });
        let ((cert, key), client_ca) = both(both(cert, key), client_ca.transpose())?;
        Ok(Some(Self {
            cert,
            key,
            client_ca,
        }))
    }

    pub(super) fn load(&self, is_web: bool) -> Result<Loaded, TlsError> {
        let provider = Arc::new(default_provider());
        let chain = self.cert.certificates()?;
        let expiry = self.expiry(&chain[0])?;
        let key = self.key(chain, &provider)?;
        let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .expect("the provider has the ciphers of both versions");
        let builder = match &self.client_ca {
            None => builder.with_no_client_auth(),
            Some(file) => builder.with_client_cert_verifier(verifier(file, provider)?),
        };
        let mut config = builder.with_cert_resolver(Arc::new(SingleCertAndKey::from(key)));
        config.alpn_protocols.push(b"h2".to_vec());
        if is_web {
            config.alpn_protocols.push(b"http/1.1".to_vec());
        }
        Ok(Loaded {
            config: Arc::new(config),
            expiry,
        })
    }

    fn expiry(&self, certificate: &CertificateDer<'_>) -> Result<i64, TlsError> {
        let parsed = X509Certificate::from_der(certificate);
        let (_, certificate) = parsed.map_err(|error| self.cert.wrong(error))?;
        Ok(certificate.validity().not_after.timestamp())
    }

    fn key(
        &self,
        chain: Vec<CertificateDer<'static>>,
        provider: &CryptoProvider,
    ) -> Result<CertifiedKey, TlsError> {
        let key = PrivateKeyDer::from_pem_slice(&self.key.bytes);
        let key = key.map_err(|error| self.key.wrong(error))?;
        let key = provider.key_provider.load_private_key(key);
        let key = CertifiedKey::new(chain, key.map_err(|error| self.key.wrong(error))?);
        let matching = key.keys_match();
        matching.map_err(|_| {
            let cert = self.cert.path.display();
            self.key
                .wrong(format_args!("it is not the key of --tls-cert {cert}"))
        })?;
        Ok(key)
    }
}

impl Loaded {
    pub(super) fn warn_if_expired(&self) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0, |now| now.as_secs());
        if u64::try_from(self.expiry).is_ok_and(|expiry| expiry < now) || self.expiry < 0 {
            tracing::warn!(
                valid_until = self.expiry,
                "the certificate of --tls-cert has expired"
            );
        }
    }
}

/// Both, or all that is wrong with them.
fn both<A, B>(a: Result<A, TlsError>, b: Result<B, TlsError>) -> Result<(A, B), TlsError> {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok((a, b)),
        (Err(a), Err(b)) => Err(TlsError::Both(a.into(), b.into())),
        (Err(error), Ok(_)) | (Ok(_), Err(error)) => Err(error),
    }
}

fn verifier(
    file: &File,
    provider: Arc<CryptoProvider>,
) -> Result<Arc<dyn ClientCertVerifier>, TlsError> {
    let mut roots = RootCertStore::empty();
    for certificate in file.certificates()? {
        roots.add(certificate).map_err(|error| file.wrong(error))?;
    }
    let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
    verifier.build().map_err(|error| file.wrong(error))
}
