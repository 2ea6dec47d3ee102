//! The services that this program knows by name: where they are, which variables name their keys, and what they are called in the
//! configuration and in lists of prices. Everything else reads it here.

use reqwest::Url;
use turnwise_shared::wire::Promise;

/// A wire format of models, each named after the service that defined it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelFormat {
    OpenAi,
    Anthropic,
    Gemini,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchFormat {
    Serper,
    Brave,
    Tavily,
    Searxng,
    /// DuckDuckGo's page for browsers without scripts.
    DuckDuckGo,
    /// Results of one of several engines through SerpApi.
    SerpApi(SerpEngine),
}

/// An engine whose results SerpApi has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SerpEngine {
    Bing,
    DuckDuckGo,
    Google,
    Yahoo,
}

/// A service that offers models.
#[derive(Debug)]
pub struct ModelService {
    pub format: ModelFormat,
    /// Its name in configuration and prices.
    pub name: &'static str,
    /// Where it is when the operator did not say.
    pub base_url: &'static str,
    /// Variables with its key, as its own clients read them; the first that is set counts.
    pub keys: &'static [&'static str],
    /// The variable with its address, as its own clients read it.
    pub address: &'static str,
}

#[derive(Debug)]
pub struct SearchService {
    pub format: SearchFormat,
    /// Its name in configuration and prices.
    pub name: &'static str,
    /// Where it is when the operator did not say; `None` if only the operator knows.
    pub base_url: Option<&'static str>,
    /// Where it is asked, below its base URL.
    pub path: &'static str,
    /// Whether it wants a key.
    pub key: KeyRule,
    /// What can be expected of it.
    pub promise: Promise,
}

/// Whether a service wants a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyRule {
    /// It answers no request without one.
    Needed,
    /// The operator of an instance decides.
    Optional,
    Never,
}

pub static MODELS: [ModelService; 3] = [
    ModelService {
        format: ModelFormat::OpenAi,
        name: "openai",
        base_url: "https://api.openai.com/v1",
        keys: &["OPENAI_API_KEY"],
        address: "OPENAI_BASE_URL",
    },
    ModelService {
        format: ModelFormat::Anthropic,
        name: "anthropic",
        base_url: "https://api.anthropic.com",
        keys: &["ANTHROPIC_API_KEY"],
        address: "ANTHROPIC_BASE_URL",
    },
    ModelService {
        format: ModelFormat::Gemini,
        name: "gemini",
        base_url: "https://generativelanguage.googleapis.com",
        keys: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        address: "GOOGLE_GEMINI_BASE_URL",
    },
];

pub static SEARCHES: [SearchService; 9] = [
    SearchService {
        format: SearchFormat::Serper,
        name: "serper",
        base_url: Some("https://google.serper.dev"),
        path: "/search",
        key: KeyRule::Needed,
        promise: Promise::Stable,
    },
    SearchService {
        format: SearchFormat::Brave,
        name: "brave",
        base_url: Some("https://api.search.brave.com"),
        path: "/res/v1/web/search",
        key: KeyRule::Needed,
        promise: Promise::Stable,
    },
    SearchService {
        format: SearchFormat::Tavily,
        name: "tavily",
        base_url: Some("https://api.tavily.com"),
        path: "/search",
        key: KeyRule::Needed,
        promise: Promise::Stable,
    },
    SearchService {
        format: SearchFormat::Searxng,
        name: "searxng",
        base_url: None,
        path: "/search",
        key: KeyRule::Optional,
        promise: Promise::Stable,
    },
    SearchService {
        format: SearchFormat::DuckDuckGo,
        name: "duckduckgo",
        base_url: Some("https://html.duckduckgo.com"),
        path: "/html/",
        key: KeyRule::Never,
        promise: Promise::BestEffort,
    },
    serpapi("serpapi-bing", SerpEngine::Bing),
    serpapi("serpapi-duckduckgo", SerpEngine::DuckDuckGo),
    serpapi("serpapi-google", SerpEngine::Google),
    serpapi("serpapi-yahoo", SerpEngine::Yahoo),
];

const fn serpapi(name: &'static str, engine: SerpEngine) -> SearchService {
    SearchService {
        format: SearchFormat::SerpApi(engine),
        name,
        base_url: Some("https://serpapi.com"),
        path: "/search.json",
        key: KeyRule::Needed,
        promise: Promise::Stable,
    }
}

impl ModelFormat {
    /// The service that defined it.
    pub fn service(self) -> &'static ModelService {
        let found = MODELS.iter().find(|service| service.format == self);
        found.expect("a test finds every format in the table")
    }
}

impl SearchFormat {
    pub fn service(self) -> &'static SearchService {
        let found = SEARCHES.iter().find(|service| service.format == self);
        found.expect("a test finds every format in the table")
    }
}

impl ModelService {
    /// The service of a name.
    pub fn named(name: &str) -> Option<&'static ModelService> {
        MODELS.iter().find(|service| service.name == name)
    }

    /// Whether an address names its host, whatever service answers there.
    pub fn has_host_of(&self, url: &Url) -> bool {
        has_same_host(self.base_url, url)
    }

    /// The service at whose own host an address is.
    pub fn at(url: &Url) -> Option<&'static ModelService> {
        MODELS.iter().find(|service| is_its_host(service.base_url, url))
    }
}

impl SearchService {
    /// The service of a name.
    pub fn named(name: &str) -> Option<&'static SearchService> {
        SEARCHES.iter().find(|service| service.name == name)
    }

    /// Whether an address is at its own host.
    pub fn is_at(&self, url: &Url) -> bool {
        self.base_url.is_some_and(|own| is_its_host(own, url))
    }
}

/// Whether an address is at a service's host, and what answers there has to prove it: over TLS, at the usual port.
fn is_its_host(own: &str, url: &Url) -> bool {
    let proves = url.scheme() == "https" && url.port().is_none();
    proves && has_same_host(own, url)
}

fn has_same_host(own: &str, url: &Url) -> bool {
    let own = Url::parse(own).ok();
    own.as_ref().and_then(Url::host_str) == url.host_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_in_the_table_once_and_at_its_own_host() {
        for format in [ModelFormat::OpenAi, ModelFormat::Anthropic, ModelFormat::Gemini] {
            let service = format.service();
            let url = Url::parse(service.base_url).expect("an address");
            assert_eq!(ModelService::at(&url).map(|at| at.name), Some(service.name));
            assert!(!service.keys.is_empty(), "{service:?}");
        }
        for format in [
            SearchFormat::Serper,
            SearchFormat::Brave,
            SearchFormat::Tavily,
            SearchFormat::Searxng,
            SearchFormat::DuckDuckGo,
            SearchFormat::SerpApi(SerpEngine::Bing),
            SearchFormat::SerpApi(SerpEngine::DuckDuckGo),
            SearchFormat::SerpApi(SerpEngine::Google),
            SearchFormat::SerpApi(SerpEngine::Yahoo),
        ] {
            let service = format.service();
            assert_eq!(SearchService::named(service.name).map(|named| named.format), Some(format));
            let url = service.base_url.map(|own| Url::parse(own).expect("an address"));
            assert!(url.is_none_or(|url| service.is_at(&url)), "{service:?}");
        }
    }
}
