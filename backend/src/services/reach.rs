//! The way to services on the network, the same for models and for search engines: no redirect is followed and no proxy is
//! used, so what is sent goes where the operator said.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use reqwest::{Certificate, Client, ClientBuilder, redirect};
use rustls::crypto::ring;

/// The beginning of every client: it knows the cryptography of TLS, without which reqwest makes none.
pub fn builder() -> ClientBuilder {
    // An error says that it is there already.
    let _ = ring::default_provider().install_default();
    Client::builder()
}

/// How hosts are found and recognised. By default as this machine does it.
///
/// That an endpoint is a service at its own host can make a run *verified*, so neither the operator's file nor any variable
/// says anything here; only a test does, which is a program of its own, to have a service at its own host without the network.
#[derive(Debug, Clone, Default)]
pub struct Reach {
    elsewhere: BTreeMap<String, SocketAddr>,
    trusted: Vec<Certificate>,
}

impl Reach {
    /// The host is at this address and nowhere else, and shows a certificate that this authority has signed.
    pub fn with(mut self, host: &str, at: SocketAddr, authority: Certificate) -> Self {
        self.elsewhere.insert(host.to_owned(), at);
        self.trusted.push(authority);
        self
    }

    /// A client that goes this way. Times are the caller's to set.
    pub fn client(&self) -> ClientBuilder {
        let client = builder()
            .user_agent(concat!("turnwise/", env!("CARGO_PKG_VERSION")))
            .redirect(redirect::Policy::none())
            .no_proxy()
            .referer(false);
        let client = self
            .elsewhere
            .iter()
            .fold(client, |client, (host, at)| client.resolve(host, *at));
        match self.trusted.is_empty() {
            true => client,
            false => client.tls_certs_only(self.trusted.iter().cloned()),
        }
    }
}
