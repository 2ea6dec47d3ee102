//! Proxies in front of the server, and who asks through them.
//!
//! Through a proxy everybody comes from the proxy's address. Were all of them one client, a client that guesses tokens would use
//! up what the others may ask. So the operator names the proxies, and only from them `X-Forwarded-For` is believed.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use axum::http::{HeaderMap, HeaderName};
use ipnet::IpNet;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The addresses of the operator's proxies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proxies(Vec<IpNet>);

impl Proxies {
    /// Whether this is a proxy's address.
    pub fn has(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// The client: the connected peer, or the one for which a proxy says that it asks. Each proxy adds, at the end, who asked it;
    /// what stands before the last one that is no proxy of ours may be forged.
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut client = peer;
        let mut told = headers
            .get_all(FORWARDED_FOR)
            .iter()
            .rev()
            .flat_map(|value| value.to_str().unwrap_or_default().rsplit(','))
            .map(address);
        while self.has(client)
            && let Some(Some(before)) = told.next()
        {
            client = before;
        }
        client
    }
}

impl FromIterator<IpNet> for Proxies {
    fn from_iter<I: IntoIterator<Item = IpNet>>(networks: I) -> Self {
        Proxies(networks.into_iter().collect())
    }
}

/// An address or a network, such as `10.0.0.7` or `10.0.0.0/8`. `None` if it is neither.
pub fn network(text: &str) -> Option<IpNet> {
    IpNet::from_str(text).ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from))
}

/// An address as proxies write it: some with a port.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let with_port = || Some(text.parse::<SocketAddr>().ok()?.ip());
    text.parse().ok().or_else(with_port)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(peer: &str, told: &[&'static str]) -> String {
        let proxies: Proxies = ["127.0.0.1", "10.1.0.0/16", "fd00::/8"]
            .map(|text| network(text).expect("a network"))
            .into_iter()
            .collect();
        let headers = told
            .iter()
            .map(|told| (FORWARDED_FOR, told.parse().expect("a header's text")))
            .collect();
        let peer = peer.parse().expect("an address");
        proxies.client(peer, &headers).to_string()
    }

    #[test]
    fn a_proxy_is_believed_and_nobody_else() {
        let told = ["203.0.113.9"];
        assert_eq!(client("127.0.0.1", &told), told[0]);
        assert_eq!(client("::ffff:10.1.2.3", &told), told[0]);
        assert_eq!(client("fd00::1", &["2001:db8::1"]), "2001:db8::1");
        assert_eq!(client("198.51.100.7", &told), "198.51.100.7");
        assert_eq!(client("10.2.0.1", &told), "10.2.0.1");
        assert_eq!(client("127.0.0.1", &[]), "127.0.0.1");
    }

    #[test]
    fn what_a_client_wrote_itself_does_not_count() {
        let (invented, client_itself) = ("1.1.1.1, 127.0.0.1", "203.0.113.9:4711, 10.1.0.2");
        assert_eq!(client("127.0.0.1", &[invented, client_itself]), "203.0.113.9");
        assert_eq!(client("127.0.0.1", &["1.1.1.1, 203.0.113.9"]), "203.0.113.9");
        // What cannot be read ends it: the last proxy that could be read stands for its client.
        assert_eq!(client("127.0.0.1", &["1.1.1.1, unknown"]), "127.0.0.1");
        assert_eq!(client("127.0.0.1", &["1.1.1.1, , 10.1.0.2"]), "10.1.0.2");
        assert_eq!(client("127.0.0.1", &["[2001:db8::1]:80"]), "2001:db8::1");
    }

    #[test]
    fn networks_are_addresses_too() {
        assert_eq!(network("10.0.0.7"), network("10.0.0.7/32"));
        for text in ["", "proxy.example.org", "10.0.0.0/33", "10.0.0"] {
            assert_eq!(network(text), None, "{text}");
        }
    }
}
