//! A service at its own host, without the network: a door on loopback that shows a certificate of that host, behind which
//! something else answers. Only a server that is a part of the test ([`crate::within`]) takes it for the host, because nothing
//! that an operator can write down says so.

use std::net::SocketAddr;
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use reqwest::Certificate;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use turnwise_backend::services::reach::Reach;

pub struct OwnHost {
    host: String,
    addr: SocketAddr,
    authority: Certificate,
    task: JoinHandle<()>,
}

impl OwnHost {
    /// A door to `to`, e.g. `127.0.0.1:41234`, that is called `host`.
    ///
    /// # Panics
    /// If loopback has no free port.
    pub async fn start(host: &str, to: SocketAddr) -> Self {
        let (authority, config) = certificates(host);
        let doorkeeper = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port");
        let addr = listener.local_addr().expect("it is bound");
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let doorkeeper = doorkeeper.clone();
                tokio::spawn(async move {
                    // A client that does not believe the certificate goes away, and the caller says so.
                    if let Ok(mut inside) = doorkeeper.accept(stream).await
                        && let Ok(mut service) = TcpStream::connect(to).await
                    {
                        let _ = copy_bidirectional(&mut inside, &mut service).await;
                    }
                });
            }
        });
        OwnHost { host: host.to_owned(), addr, authority, task }
    }

    /// The way for a server that is to take it for the host.
    pub fn reach(&self) -> Reach {
        self.reach_by(self)
    }

    /// The way through another door for a server that believes only this one.
    pub fn reach_by(&self, door: &OwnHost) -> Reach {
        Reach::default().with(&self.host, door.addr, self.authority.clone())
    }
}

impl Drop for OwnHost {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// An authority of this test's own, and what proves to clients that believe it that this is the host.
fn certificates(host: &str) -> (Certificate, ServerConfig) {
    let key = || KeyPair::generate().expect("a key can be made");
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(params, key()).expect("it signs itself");
    let own = key();
    let proof = CertificateParams::new([host.to_owned()])
        .expect("a host's name")
        .signed_by(&own, &authority)
        .expect("the authority signs");
    let private = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(own.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("the usual versions")
        .with_no_client_auth()
        .with_single_cert(vec![proof.der().clone()], private)
        .expect("the key belongs to the certificate");
    let authority = Certificate::from_der(authority.der()).expect("a certificate");
    (authority, config)
}
