//! TLS to a server that is asked for nothing but its health.
//!
//! Whatever certificate the server shows is good, as it is to the probes of Kubernetes:
//! the server is known by its address, no secret is told, and one whose new files are
//! broken serves on with those from before, which are nowhere to compare with.

use std::io;
use std::sync::Arc;

use http::Uri;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UnixStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::crypto::{
    CryptoProvider, verify_tls12_signature, verify_tls13_signature,
};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use tokio_rustls::rustls::{ClientConfig, DigitallySignedStruct, Error, SignatureScheme};
use tower::Service;
use tower::util::service_fn;

use crate::config::{Listen, TlsSettings};

/// The bytes below TLS.
pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

type Connection = TokioIo<TlsStream<Box<dyn Stream>>>;

/// Connects to `address`. Where the server asks for certificates, it is shown its own.
///
/// # Errors
///
/// If that is needed and cannot be read.
pub(super) fn connector(
    address: &Listen,
    settings: &TlsSettings,
) -> io::Result<
    impl Service<Uri, Response = Connection, Error = io::Error, Future: Send> + Send + use<>,
> {
    let provider = Arc::new(default_provider());
    let config = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .expect("the provider has the ciphers of both versions")
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(AnyCertificate(provider)));
    let mut config = match (settings.tls_client_ca.as_ref(), own(settings)) {
        (Some(_), Some(own)) => {
            let (chain, key) = own?;
            let config = config.with_client_auth_cert(chain, key);
            config.map_err(io::Error::other)?
        }
        _ => config.with_no_client_auth(),
    };
    config.alpn_protocols.push(b"h2".to_vec());
    let (tls, address) = (TlsConnector::from(Arc::new(config)), address.clone());
    Ok(service_fn(move |_: Uri| {
        let (tls, address) = (tls.clone(), address.clone());
        async move {
            let stream: Box<dyn Stream> = match &address {
                Listen::Ip(address) => Box::new(TcpStream::connect(address).await?),
                Listen::Unix(path) => Box::new(UnixStream::connect(path).await?),
            };
            let name = ServerName::try_from("localhost").expect("a DNS name");
            Ok(TokioIo::new(tls.connect(name, stream).await?))
        }
    }))
}

type Own = (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>);

/// The certificate and key of the server, if `settings` name them.
fn own(settings: &TlsSettings) -> Option<io::Result<Own>> {
    let (cert, key) = (settings.tls_cert.as_ref()?, settings.tls_key.as_ref()?);
    let chain = CertificateDer::pem_file_iter(cert).and_then(Iterator::collect);
    let key = PrivateKeyDer::from_pem_file(key);
    let both = chain.and_then(|chain| Ok((chain, key?)));
    Some(both.map_err(io::Error::other))
}

/// Takes any certificate whose key the server has.
#[derive(Debug)]
struct AnyCertificate(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
