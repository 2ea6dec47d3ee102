//! Proxies that lead out of a network.

use std::net::IpAddr;

use ipnet::IpNet;
use reqwest::Url;

use super::Route;

/// The proxies that the environment names, as all programs read it.
#[derive(Debug, Clone, Default)]
pub struct Outward {
    http: Option<(Url, &'static str)>,
    https: Option<(Url, &'static str)>,
    /// Where none is used: `NO_PROXY`.
    not_for: Vec<String>,
}

/// Which proxy an endpoint is asked through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ProxyChoice {
    /// That of the environment, if it names one for the address.
    #[default]
    OfEnvironment,
    Straight,
    Through(Url),
}

impl ProxyChoice {
    /// Reads the field `proxy`.
    ///
    /// # Errors
    /// What may be written. The address is not repeated, because it may hold a password.
    pub fn read(text: Option<&str>) -> Result<Self, String> {
        match text {
            None | Some("environment") => Ok(ProxyChoice::OfEnvironment),
            Some("none") => Ok(ProxyChoice::Straight),
            Some(address) => address_of(address).map(ProxyChoice::Through).ok_or_else(|| {
                "write environment, none, or an address like http://proxy.example:3128".to_owned()
            }),
        }
    }
}

fn address_of(text: &str) -> Option<Url> {
    let url = match text.contains("://") {
        true => Url::parse(text.trim()).ok()?,
        false => Url::parse(&format!("http://{}", text.trim())).ok()?,
    };
    let is_known =
        matches!(url.scheme(), "http" | "https" | "socks4" | "socks4a" | "socks5" | "socks5h");
    (is_known && url.has_host()).then_some(url)
}

impl Outward {
    /// The proxies of an environment, whose variables `var` knows. Small letters go first, as elsewhere.
    pub fn of<'a>(var: impl Fn(&str) -> Option<&'a str>, mistakes: &mut Vec<String>) -> Self {
        let mut proxy = |names: [&'static str; 4]| {
            let (name, text) = names.into_iter().find_map(|name| Some((name, var(name)?)))?;
            let address = address_of(text);
            if address.is_none() {
                mistakes.push(format!(
                    "{name}: this is no address of a proxy; write one like http://proxy.example:3128"
                ));
            }
            Some((address?, name))
        };
        let http = proxy(["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"]);
        let https = proxy(["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]);
        let not_for = ["no_proxy", "NO_PROXY"].into_iter().find_map(var);
        let entries = not_for.unwrap_or_default().split([',', ' ', ';']);
        Outward {
            http,
            https,
            not_for: entries
                .map(|entry| entry.trim().to_ascii_lowercase())
                .filter(|entry| !entry.is_empty())
                .collect(),
        }
    }

    pub(super) fn route(&self, choice: &ProxyChoice, to: &Url) -> Route {
        let own = match to.scheme() {
            "https" => self.https.clone(),
            _ => self.http.clone(),
        };
        let unused =
            |why| Route { proxy: None, unused: own.as_ref().map(|(_, name)| (*name, why)) };
        match choice {
            ProxyChoice::Through(proxy) => {
                Route { proxy: Some((proxy.clone(), "the configuration")), unused: None }
            }
            ProxyChoice::Straight => unused("the configuration says proxy = \"none\""),
            ProxyChoice::OfEnvironment if is_near(to) => {
                unused("the address is of this machine or of a private network")
            }
            ProxyChoice::OfEnvironment if self.leaves_out(to) => {
                unused("NO_PROXY names the address")
            }
            ProxyChoice::OfEnvironment => Route { proxy: own, unused: None },
        }
    }

    fn leaves_out(&self, to: &Url) -> bool {
        let host = host(to);
        let port = to.port_or_known_default();
        self.not_for.iter().any(|entry| {
            if entry == "*" || *entry == host {
                return true;
            }
            let address: Option<IpAddr> = host.parse().ok();
            if let (Some(address), Ok(net)) = (address, entry.parse::<IpNet>()) {
                return net.contains(&address);
            }
            let (name, only) = match entry.rsplit_once(':') {
                Some((name, digits)) if !name.contains(':') => (name, digits.parse::<u16>().ok()),
                _ => (entry.as_str(), None),
            };
            let name = name.trim_start_matches("*.").trim_start_matches('.');
            let is_within =
                host == name || host.strip_suffix(name).is_some_and(|front| front.ends_with('.'));
            !name.is_empty() && is_within && only.is_none_or(|only| Some(only) == port)
        })
    }
}

fn host(to: &Url) -> String {
    let host = to.host_str().unwrap_or_default().to_ascii_lowercase();
    host.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.').to_owned()
}

/// Whether an address is of this machine or of a private network, as far as it shows that itself.
fn is_near(to: &Url) -> bool {
    let host = host(to);
    match host.parse::<IpAddr>() {
        Ok(IpAddr::V4(address)) => is_near_v4(address),
        Ok(IpAddr::V6(address)) => match address.to_ipv4_mapped() {
            Some(address) => is_near_v4(address),
            None => {
                address.is_loopback()
                    || address.is_unspecified()
                    || address.is_unique_local()
                    || address.is_unicast_link_local()
            }
        },
        Err(_) => {
            let ends = [".localhost", ".local", ".internal", ".lan", ".home.arpa"];
            !host.contains('.') || ends.iter().any(|end| host.ends_with(end))
        }
    }
}

fn is_near_v4(address: std::net::Ipv4Addr) -> bool {
    // 100.64.0.0/10 is what carriers and overlay networks use within.
    let [first, second, ..] = address.octets();
    address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_unspecified()
        || (first == 100 && (64..128).contains(&second))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn way(
        variables: &[(&str, &str)],
        choice: &ProxyChoice,
        to: &str,
    ) -> (Option<String>, Option<String>) {
        let environment: BTreeMap<_, _> = variables.iter().copied().collect();
        let mut mistakes = Vec::new();
        let outward = Outward::of(|name| environment.get(name).copied(), &mut mistakes);
        assert!(mistakes.is_empty(), "{mistakes:?}");
        let route = outward.route(choice, &Url::parse(to).expect("an address"));
        (route.proxy.as_ref().map(|(proxy, _)| proxy.to_string()), route.remark())
    }

    #[test]
    fn addresses_outside_go_through_the_proxy_and_near_ones_never() {
        let both = [("HTTP_PROXY", "http://p:1"), ("https_proxy", "q:2")];
        let of = |to: &str| way(&both, &ProxyChoice::OfEnvironment, to).0;
        assert_eq!(of("http://models.invalid/v1").as_deref(), Some("http://p:1/"));
        assert_eq!(of("https://models.invalid/v1").as_deref(), Some("http://q:2/"));
        for near in [
            "http://127.0.0.1:8080/v1",
            "http://localhost:11434",
            "http://[::1]:1",
            "http://10.1.2.3",
            "http://192.168.0.7",
            "http://172.20.1.1",
            "http://169.254.1.1",
            "http://[fd00::1]/",
            "http://[::ffff:10.0.0.1]/",
            "http://ollama:11434",
            "https://gpu.internal/v1",
            "http://box.local",
            "http://100.100.1.1",
            "http://a.localhost",
            "http://0.0.0.0:1",
        ] {
            assert_eq!(of(near), None, "{near}");
        }
        for outside in [
            "http://8.8.8.8",
            "http://172.32.0.1",
            "http://[2001:db8::1]",
            "http://internal.example",
            "http://100.128.0.1",
        ] {
            assert!(of(outside).is_some(), "{outside}");
        }
        let all = [("ALL_PROXY", "socks5h://s:9")];
        assert_eq!(
            way(&all, &ProxyChoice::OfEnvironment, "https://a.b").0.as_deref(),
            Some("socks5h://s:9")
        );
        assert_eq!(way(&[], &ProxyChoice::OfEnvironment, "https://a.b"), (None, None));
    }

    #[test]
    fn what_is_left_out_is_said() {
        let variables = |no: &'static str| [("HTTPS_PROXY", "http://p:1"), ("NO_PROXY", no)];
        for (no, to, is_straight) in [
            ("*", "https://a.b", true),
            ("example.com", "https://example.com", true),
            ("example.com", "https://api.example.com", true),
            (".example.com", "https://api.example.com", true),
            ("*.example.com", "https://api.example.com", true),
            ("example.com", "https://badexample.com", false),
            ("example.com:443", "https://example.com", true),
            ("example.com:8443", "https://example.com", false),
            ("x.y, 8.8.0.0/16", "https://8.8.4.4", true),
            ("8.8.0.0/16", "https://8.9.4.4", false),
            ("", "https://a.b", false),
        ] {
            let (proxy, remark) = way(&variables(no), &ProxyChoice::OfEnvironment, to);
            assert_eq!(proxy.is_none(), is_straight, "{no} {to}");
            let remark = remark.expect("a proxy is set");
            assert_eq!(remark.contains("NO_PROXY"), is_straight, "{remark}");
            assert!(remark.contains("HTTPS_PROXY"), "{remark}");
        }
        let straight = way(&variables(""), &ProxyChoice::Straight, "https://a.b");
        assert_eq!(
            straight.1.as_deref(),
            Some("HTTPS_PROXY is set, and not used: the configuration says proxy = \"none\"")
        );
        let other = ProxyChoice::read(Some("proxy.example:3128")).expect("an address");
        assert_eq!(
            way(&variables("*"), &other, "https://a.b").0.as_deref(),
            Some("http://proxy.example:3128/")
        );
        for wrong in ["", "ftp://a", "http://", "not an address"] {
            assert!(ProxyChoice::read(Some(wrong)).is_err(), "{wrong}");
        }
        let mut mistakes = Vec::new();
        Outward::of(|name| (name == "HTTPS_PROXY").then_some("ftp://x"), &mut mistakes);
        assert!(mistakes[0].starts_with("HTTPS_PROXY: "), "{mistakes:?}");
    }
}
