//! What services ask: the list that comes with the program, under the names that the operator gave the endpoints, and before
//! it what the operator knows better.

use std::path::Path;
use std::sync::LazyLock;

use reqwest::Url;
use serde::Deserialize;
use turnwise_shared::metrics::prices::{ModelPrice, PriceBook, SearchPrice};

use crate::config::{Config, EngineService, ProviderConfig, ProviderFormat};
use crate::search::brave::Brave;
use crate::search::duckduckgo::DuckDuckGo;
use crate::search::searxng::Searxng;
use crate::search::serper::Serper;
use crate::search::tavily::Tavily;

/// Where the services of the list are: the prices of `openai` hold there and nowhere else, whatever the endpoint is called.
const SERVICES: [(&str, &str); 3] = [
    ("openai", "api.openai.com"),
    ("anthropic", "api.anthropic.com"),
    ("gemini", "generativelanguage.googleapis.com"),
];

/// The list that comes with the program, under the services' own names.
static BUILT_IN: LazyLock<PriceBook> = LazyLock::new(|| {
    let mut book: PriceBook = toml::from_str(include_str!("prices/builtin.toml"))
        .expect("a test reads the list that is part of the program");
    book.free.push("scripted".to_owned());
    book
});

/// The list that comes with the program: what holds where nobody configured anything.
pub fn built_in() -> PriceBook {
    BUILT_IN.clone()
}

/// The prices that hold under a configuration.
pub fn book(config: &Config) -> PriceBook {
    let mut book = built_in();
    for provider in &config.providers {
        let service = service(provider);
        let name = provider.name.as_str();
        if service != Some(name) {
            // An endpoint of that name which is another one has prices of its own, or none that are known.
            book.models.retain(|entry| entry.provider != name);
            let same = BUILT_IN.models.iter();
            let same = same.filter(|entry| service == Some(entry.provider.as_str()));
            book.models.extend(same.map(|entry| ModelPrice {
                provider: name.to_owned(),
                ..entry.clone()
            }));
        }
        book.free.retain(|free| free != name);
        if matches!(provider.format, ProviderFormat::Scripted(_)) {
            book.free.push(name.to_owned());
        }
    }
    for engine in &config.engines {
        let name = engine.name.as_str();
        let engine = search_service(&engine.service);
        if engine != Some(name) {
            book.searches.retain(|entry| entry.engine != name);
        }
        let same = BUILT_IN.searches.iter();
        let same =
            same.filter(|entry| engine == Some(entry.engine.as_str()) && entry.engine != name);
        book.searches.extend(same.map(|entry| SearchPrice {
            engine: name.to_owned(),
            ..entry.clone()
        }));
        if engine == Some(Searxng::FORMAT) {
            book.searches.push(own_instance(name));
        }
    }
    config.prices.clone().over(book)
}

/// The same, and nothing for searches in the server's own indexes.
pub fn with_own_engines(config: &Config) -> PriceBook {
    let mut book = book(config);
    for engine in &config.engines {
        if matches!(engine.service, EngineService::Local(_)) {
            book.searches.push(own_instance(&engine.name));
        }
    }
    book
}

/// The service at whose own address an endpoint is.
fn service(provider: &ProviderConfig) -> Option<&'static str> {
    let base_url = match &provider.format {
        ProviderFormat::OpenAi { base_url, .. }
        | ProviderFormat::Anthropic { base_url, .. }
        | ProviderFormat::Gemini { base_url, .. } => base_url,
        ProviderFormat::Scripted(_) => return None,
    };
    let host = host_itself(base_url)?;
    let found = SERVICES.iter().find(|(_, address)| *address == host);
    found.map(|(service, _)| *service)
}

/// The host that an address names, if whoever answers there has to prove that it is this host: over TLS, at the usual port.
fn host_itself(url: &Url) -> Option<&str> {
    let proves = url.scheme() == "https" && url.port().is_none();
    url.host_str().filter(|_| proves)
}

/// Whether an endpoint is a service at its own host, so that what it says can be *verified*.
pub fn is_at_its_own_host(provider: &ProviderConfig) -> bool {
    service(provider).is_some()
}

/// Whether a search engine is a service at its own host, or an index in this process.
pub fn is_at_its_own_address(engine: &EngineService) -> bool {
    match engine {
        EngineService::Local(_) => true,
        EngineService::Searxng(_) => false,
        _ => search_service(engine).is_some(),
    }
}

/// The search service at whose own address an engine is; an instance of SearXNG is always the operator's.
fn search_service(engine: &EngineService) -> Option<&'static str> {
    let (format, own, remote) = match engine {
        EngineService::Local(_) => return None,
        EngineService::Searxng(_) => return Some(Searxng::FORMAT),
        EngineService::Serper(remote) => (Serper::FORMAT, Serper::BASE_URL, remote),
        EngineService::Brave(remote) => (Brave::FORMAT, Brave::BASE_URL, remote),
        EngineService::Tavily(remote) => (Tavily::FORMAT, Tavily::BASE_URL, remote),
        EngineService::DuckDuckGo(remote) => (DuckDuckGo::FORMAT, DuckDuckGo::BASE_URL, remote),
    };
    let host = |url: &Url| host_itself(url).map(str::to_owned);
    let own = Url::parse(own).ok().as_ref().and_then(host);
    (own.is_some() && own == host(&remote.base_url)).then_some(format)
}

fn own_instance(name: &str) -> SearchPrice {
    let free: SearchPrice = BUILT_IN
        .searches
        .iter()
        .find(|entry| entry.engine == DuckDuckGo::FORMAT)
        .expect("the list has it, a test says so")
        .clone();
    SearchPrice {
        engine: name.to_owned(),
        source: "an instance of the operator's".to_owned(),
        ..free
    }
}

/// Reads a list of prices: TOML with `[[price]]` and `[[search_price]]`, as in the operator's file.
///
/// # Errors
/// What is wrong, with the line or the entry.
pub fn read(text: &str) -> Result<PriceBook, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Written {
        #[serde(default)]
        price: Vec<ModelPrice>,
        #[serde(default)]
        search_price: Vec<SearchPrice>,
        #[serde(default)]
        free: Vec<String>,
    }
    let written: Written = toml::from_str(text).map_err(|error| error.to_string())?;
    let book = PriceBook {
        models: written.price,
        searches: written.search_price,
        free: written.free,
    };
    book.check().map_err(|mistakes| mistakes.join("; "))?;
    Ok(book)
}

/// Reads a list of prices from a file.
///
/// # Errors
/// With the file's path: it cannot be read, or [`read`] refuses it.
pub fn read_file(path: &Path) -> Result<PriceBook, String> {
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    read(&text).map_err(|why| format!("{}: {why}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Environment, Given};
    use turnwise_shared::metrics::day::Day;

    fn config(text: &str, variables: &[(&str, &str)]) -> Config {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("turnwise.toml"), text).expect("it can be written");
        let given = Given {
            addr: None,
            data: Some(folder.path().to_path_buf()),
        };
        let environment: Environment = variables.iter().copied().collect();
        Config::load(given, &environment).expect("it is sound")
    }

    fn day(text: &str) -> Day {
        text.parse().expect("a day")
    }

    #[test]
    fn the_list_is_sound_and_every_entry_says_who_says_so() {
        let book = built_in();
        assert_eq!(book.check(), Ok(()));
        assert!(book.models.len() > 30 && book.searches.len() >= 3);
        for entry in &book.models {
            assert!(
                SERVICES
                    .iter()
                    .any(|(service, _)| *service == entry.provider),
                "{entry:?}"
            );
            assert!(entry.source.len() > 10 && entry.seen.is_some(), "{entry:?}");
            assert!(entry.output >= entry.input, "{entry:?}");
            assert!(
                entry.cached.is_none_or(|cached| cached <= entry.input),
                "{entry:?}"
            );
            assert!(
                entry.cache_write.is_none_or(|write| write >= entry.input),
                "{entry:?}"
            );
        }
        assert!(book.searches.iter().all(|entry| !entry.source.is_empty()));
        assert!(
            book.search(DuckDuckGo::FORMAT, &day("2026-11-21"))
                .is_some()
        );
        assert_eq!(
            book.search(Serper::FORMAT, &day("2026-11-21")),
            None,
            "it depends on the package"
        );
    }

    #[test]
    fn prices_hold_where_the_service_is_whatever_the_endpoint_is_called() {
        let text = r#"
            [[provider]]
            name = "lab"
            base_url = "https://api.openai.com/v1"
            [[provider]]
            name = "openai"
            base_url = "http://127.0.0.1:9/v1"
            [[search]]
            name = "web"
            format = "brave"
            key = "k"
            [[search]]
            name = "tavily"
            key = "k"
            base_url = "http://127.0.0.1:9"
            [[search]]
            name = "searxng"
            base_url = "http://127.0.0.1:9"
        "#;
        let book = book(&config(text, &[]));
        let on = day("2026-11-20");
        let model = |provider: &str| {
            book.model(provider, "gpt-5", &on)
                .map(|price| price.input.dollars())
        };
        assert_eq!((model("lab"), model("openai")), (Some(1.25), None));
        assert!(book.model("anthropic", "claude-opus-5-5", &on).is_some());
        let search = |engine: &str| {
            book.search(engine, &on)
                .map(|price| price.per_thousand.dollars())
        };
        assert_eq!(search("web"), Some(5.0));
        assert_eq!(search("tavily"), None, "somebody else's service");
        assert_eq!(search("searxng"), Some(0.0));
        assert!(book.is_free("scripted") && !book.is_free("lab"));
    }

    #[test]
    fn only_who_proves_to_be_the_host_is_the_service() {
        for (base_url, is_own) in [
            ("https://api.openai.com/v1", true),
            ("https://API.OpenAI.com:443", true),
            ("http://api.openai.com/v1", false),
            ("https://api.openai.com:8443/v1", false),
            ("https://api.openai.com.example/v1", false),
            ("https://eu.api.openai.com/v1", false),
            ("http://127.0.0.1:9/v1", false),
        ] {
            let config = config("", &[("OPENAI_BASE_URL", base_url)]);
            let openai = |provider: &&ProviderConfig| provider.name == "openai";
            let openai = config.providers.iter().find(openai).expect("it is there");
            assert_eq!(is_at_its_own_host(openai), is_own, "{base_url}");
        }
    }

    #[test]
    fn the_operator_knows_better() {
        let text = r#"
            [[provider]]
            name = "lab"
            base_url = "http://127.0.0.1:9/v1"
            [[price]]
            provider = "lab"
            model = "own-7b"
            from = "2026-01-01"
            input = 0.05
            output = 0.1
            [[price]]
            provider = "openai"
            model = "gpt-5"
            from = "2026-01-01"
            input = 1
            output = 8
            [[search_price]]
            engine = "serper"
            from = "2026-01-01"
            per_thousand = 0.75
            results = 10
        "#;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let more = folder.path().join("prices.toml");
        std::fs::write(
            &more,
            "[[price]]\nprovider = \"lab\"\nmodel = \"other\"\nfrom = \"2026-01-01\"\ninput = 3\noutput = 4\n",
        )
        .expect("it can be written");
        let path = more.to_str().expect("a path");
        let book = book(&config(text, &[("TURNWISE_PRICES", path)]));
        let on = day("2026-11-20");
        let input = |provider: &str, model: &str| {
            book.model(provider, model, &on)
                .map(|price| price.input.dollars())
        };
        assert_eq!(input("lab", "own-7b"), Some(0.05));
        assert_eq!(input("lab", "other"), Some(3.0));
        assert_eq!(input("openai", "gpt-5"), Some(1.0));
        assert!(book.search("serper", &on).is_some());
    }

    #[test]
    fn a_wrong_list_is_refused_with_its_place() {
        for (text, said) in [
            ("[[price]]\nprovider = \"a\"\n", "missing field"),
            ("[[prices]]\n", "unknown field"),
            (
                "[[price]]\nprovider=\"a\"\nmodel=\"m\"\nfrom=\"2026-01-01\"\ninput=-1\noutput=1\n",
                "price is",
            ),
            (
                "[[search_price]]\nengine=\"e\"\nfrom=\"2026-01-01\"\nper_thousand=1\nresults=0\n",
                "results is at least 1",
            ),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains(said), "{error}");
        }
    }
}
