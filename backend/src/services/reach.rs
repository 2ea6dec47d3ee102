//! The way to services on the network, the same for models and for search engines: no redirect is followed, so what is sent goes
//! where the operator said. Addresses outside are asked through the proxy that the environment or the configuration names; this
//! machine and private networks never through one of the environment.

mod proxy;

use std::collections::BTreeMap;
use std::net::SocketAddr;

use reqwest::{Certificate, Client, ClientBuilder, Url, redirect};
use rustls::crypto::ring;
use turnwise_shared::effect::FailureClass;

use super::ProviderError;
pub use proxy::{Outward, ProxyChoice};

/// The beginning of every client: it knows the cryptography of TLS, without which reqwest makes none, and no proxy.
pub fn builder() -> ClientBuilder {
    // An error says that it is there already.
    let _ = ring::default_provider().install_default();
    Client::builder().no_proxy()
}

/// How hosts are found and recognised. By default as this machine does it, and without a proxy.
///
/// That an endpoint is a service at its own host can make a run *verified*, so neither the operator's file nor any variable
/// says where a host is; only a test does, which is a program of its own, to have a service at its own host without the network.
#[derive(Debug, Clone, Default)]
pub struct Reach {
    elsewhere: BTreeMap<String, SocketAddr>,
    trusted: Vec<Certificate>,
    outward: Outward,
}

/// The way to one address.
#[derive(Debug, Clone)]
pub struct Route {
    /// Through which proxy, and what names it.
    proxy: Option<(Url, &'static str)>,
    /// Which variable names a proxy that is not used, and why it is not.
    unused: Option<(&'static str, &'static str)>,
}

impl Reach {
    /// The host is at this address and nowhere else, and shows a certificate that this authority has signed.
    pub fn with(mut self, host: &str, at: SocketAddr, authority: Certificate) -> Self {
        self.elsewhere.insert(host.to_owned(), at);
        self.trusted.push(authority);
        self
    }

    /// With these proxies of the environment.
    pub fn through(mut self, outward: Outward) -> Self {
        self.outward = outward;
        self
    }

    /// The way to an address.
    pub fn route(&self, choice: &ProxyChoice, to: &Url) -> Route {
        self.outward.route(choice, to)
    }

    /// A client that goes this way. Times are the caller's to set.
    ///
    /// # Errors
    /// If the proxy cannot be used.
    pub fn client(&self, route: &Route) -> Result<ClientBuilder, reqwest::Error> {
        let client = builder()
            .user_agent(concat!("turnwise/", env!("CARGO_PKG_VERSION")))
            .redirect(redirect::Policy::none())
            .referer(false);
        let client = route.through(client)?;
        let client =
            self.elsewhere.iter().fold(client, |client, (host, at)| client.resolve(host, *at));
        Ok(match self.trusted.is_empty() {
            true => client,
            false => client.tls_certs_only(self.trusted.iter().cloned()),
        })
    }
}

impl Route {
    /// The client with the proxy.
    ///
    /// # Errors
    /// If the proxy cannot be used.
    pub fn through(&self, client: ClientBuilder) -> Result<ClientBuilder, reqwest::Error> {
        Ok(match &self.proxy {
            Some((proxy, _)) => client.proxy(reqwest::Proxy::all(proxy.clone())?),
            None => client,
        })
    }

    /// A failure, with what is to be known of proxies where nothing could be reached.
    pub fn explained(&self, mut miss: ProviderError) -> ProviderError {
        if miss.failure.class == FailureClass::Connection
            && let Some(remark) = self.remark()
        {
            miss.failure.message = format!("{} ({remark})", miss.failure.message);
        }
        miss
    }

    /// What is to be known of proxies, in a few words.
    pub fn remark(&self) -> Option<String> {
        match (&self.proxy, self.unused) {
            (Some((_, named)), _) => Some(format!("asked through the proxy of {named}")),
            (None, Some((variable, why))) => {
                Some(format!("{variable} is set, and not used: {why}"))
            }
            (None, None) => None,
        }
    }
}
