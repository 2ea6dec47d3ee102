//! Which addresses are fetched: those of the public web, at the usual ports, and none of this server.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::{Arc, LazyLock};

use futures::future::BoxFuture;
use ipnet::IpNet;
use reqwest::Url;
use turnwise_shared::effect::FailureClass;
use url::{Host, ParseError};

use super::{failure, refused};
use crate::services::ProviderError;

/// How names are resolved, and which addresses may be connected to.
pub trait Surroundings: Send + Sync + 'static {
    /// The addresses of a name; port 0 is the usual one of the scheme.
    fn resolve(&self, name: String) -> BoxFuture<'static, std::io::Result<Vec<SocketAddr>>>;

    /// Whether it can be reached from the internet and belongs to no interface of this machine.
    fn is_public(&self, address: IpAddr) -> bool;
}

/// The internet as this machine sees it.
#[derive(Debug, Clone, Copy)]
pub struct Internet;

impl Surroundings for Internet {
    fn resolve(&self, name: String) -> BoxFuture<'static, std::io::Result<Vec<SocketAddr>>> {
        Box::pin(async move { Ok(tokio::net::lookup_host((name.as_str(), 0)).await?.collect()) })
    }

    fn is_public(&self, address: IpAddr) -> bool {
        is_public(address) && !is_of_this_machine(address)
    }
}

/// No connection is made to a name, because of its addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoConnection {
    #[error("an address of the name is not public")]
    NotPublic,
    #[error("the name has no address")]
    NoAddress,
}

impl NoConnection {
    pub(super) fn miss(self) -> ProviderError {
        match self {
            NoConnection::NotPublic => not_public(),
            NoConnection::NoAddress => failure(
                FailureClass::Connection,
                "name",
                "the site cannot be reached: its name cannot be resolved",
            ),
        }
    }
}

fn not_public() -> ProviderError {
    refused("address", "its host is not on the public web")
}

static SPECIAL: LazyLock<Vec<IpNet>> = LazyLock::new(|| {
    let lines = include_str!("special_purpose.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.parse().expect("a network a line")).collect()
});

/// Whether an address is public by IANA's registries.
fn is_public(address: IpAddr) -> bool {
    let is_handed_out = match address {
        IpAddr::V4(_) => true,
        IpAddr::V6(address) => address.segments()[0] & 0xe000 == 0x2000,
    };
    is_handed_out && !SPECIAL.iter().any(|network| network.contains(&address))
}

/// Whether an interface of this machine has it: only such an address can be bound, unless the system lets any be bound, as that of an
/// example.
fn is_of_this_machine(address: IpAddr) -> bool {
    static BINDS_ANY: LazyLock<bool> =
        LazyLock::new(|| UdpSocket::bind((Ipv4Addr::new(192, 0, 2, 1), 0)).is_ok());
    !*BINDS_ANY && UdpSocket::bind((address, 0)).is_ok()
}

/// The addresses of a name, if all are public.
///
/// # Errors
/// If one is not, or there is none.
pub(super) async fn addresses(
    surroundings: &dyn Surroundings,
    name: &str,
) -> Result<Vec<SocketAddr>, NoConnection> {
    let found = surroundings.resolve(name.to_owned()).await;
    let found = found.map_err(|_| NoConnection::NoAddress)?;
    match found.iter().all(|address| surroundings.is_public(address.ip())) {
        _ if found.is_empty() => Err(NoConnection::NoAddress),
        true => Ok(found),
        false => Err(NoConnection::NotPublic),
    }
}

/// Reads addresses as browsers do, and refuses what is not fetched as far as the address shows it itself.
pub(super) struct Door {
    surroundings: Arc<dyn Surroundings>,
    own_names: Vec<String>,
}

impl Door {
    pub(super) fn new(surroundings: Arc<dyn Surroundings>, own_names: &[String]) -> Self {
        Door { surroundings, own_names: own_names.iter().map(|name| plain(name)).collect() }
    }

    /// An address, from the page that names it or from nowhere.
    ///
    /// # Errors
    /// The rule that refuses it.
    pub(super) fn read(&self, base: Option<&Url>, text: &str) -> Result<Url, ProviderError> {
        let read = Url::options().base_url(base).parse(text);
        let mut url = read.map_err(|error| match error {
            ParseError::RelativeUrlWithoutBase => no_scheme(),
            _ => refused("address", "its address cannot be read"),
        })?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(no_scheme());
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refused("userinfo", "its address holds a name or a password"));
        }
        if !matches!(url.port_or_known_default(), Some(80 | 443)) {
            return Err(refused("port", "only the ports 80 and 443 are asked"));
        }
        let is_open = match url.host() {
            Some(Host::Ipv4(address)) => self.surroundings.is_public(address.into()),
            Some(Host::Ipv6(address)) => self.surroundings.is_public(address.into()),
            Some(Host::Domain(name)) => !self.is_own(&plain(name)),
            None => false,
        };
        if !is_open {
            return Err(not_public());
        }
        url.set_fragment(None);
        Ok(url)
    }

    fn is_own(&self, name: &str) -> bool {
        name == "localhost"
            || name.ends_with(".localhost")
            || self.own_names.iter().any(|own| own == name)
    }
}

fn no_scheme() -> ProviderError {
    refused("scheme", "only addresses with http:// or https:// are fetched")
}

fn plain(name: &str) -> String {
    name.trim_end_matches('.').to_ascii_lowercase()
}
