//! A certificate authority of the tests' own.

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, SanType};
use tonic::transport::{Certificate, Identity};

pub(crate) struct Authority(CertifiedIssuer<'static, KeyPair>);

/// A certificate and its key.
pub(crate) struct Issued {
    pub(crate) cert: String,
    pub(crate) key: String,
}

impl Authority {
    pub(crate) fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        Self(CertifiedIssuer::self_signed(params, key).unwrap())
    }

    pub(crate) fn pem(&self) -> String {
        self.0.pem()
    }

    pub(crate) fn certificate(&self) -> Certificate {
        Certificate::from_pem(self.pem())
    }

    /// A certificate for a DNS name or URI.
    pub(crate) fn issue(&self, name: &str) -> Issued {
        self.issue_until(name, 4000)
    }

    /// The same, valid until the beginning of `year`.
    pub(crate) fn issue_until(&self, name: &str, year: i32) -> Issued {
        let mut params = CertificateParams::default();
        let name_type = if name.contains(':') {
            SanType::URI
        } else {
            SanType::DnsName
        };
        params.subject_alt_names = vec![name_type(name.try_into().unwrap())];
        params.not_after = rcgen::date_time_ymd(year, 1, 1);
        let key = KeyPair::generate().unwrap();
        let cert = params.signed_by(&key, &self.0).unwrap();
        Issued {
            cert: cert.pem(),
            key: key.serialize_pem(),
        }
    }
}

impl Issued {
    pub(crate) fn identity(&self) -> Identity {
        Identity::from_pem(&self.cert, &self.key)
    }
}
