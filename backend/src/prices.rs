//! What services ask: the list that comes with the program, under the names that the operator gave the endpoints, and before
//! it what the operator knows better.

use std::sync::LazyLock;

use turnwise_shared::metrics::prices::{ModelPrice, SearchPrice};
use turnwise_shared::prelude::*;

use crate::config::{Config, EngineService};
use crate::services::SearchFormat;

/// The list that comes with the program, under the services' own names.
static BUILT_IN: LazyLock<PriceBook> = LazyLock::new(|| {
    let mut book: PriceBook = toml::from_str(include_str!("prices/builtin.toml"))
        .expect("a test reads the list that is part of the program");
    book.free.push("scripted".to_owned());
    book
});

/// The list that comes with the program: what holds unless the operator configures something else.
pub fn built_in() -> PriceBook {
    BUILT_IN.clone()
}

/// The prices that hold under a configuration.
pub fn book(config: &Config) -> PriceBook {
    let mut book = built_in();
    for provider in &config.providers {
        let service = provider.format.own_service().map(|own| own.name);
        let name = provider.name.as_str();
        if service != Some(name) {
            // An endpoint of that name which is another one has prices of its own, or none that are known.
            book.models.retain(|entry| entry.provider != name);
            let same = BUILT_IN.models.iter();
            let same = same.filter(|entry| service == Some(entry.provider.as_str()));
            book.models.extend(
                same.map(|entry| ModelPrice { provider: name.to_owned(), ..entry.clone() }),
            );
        }
        book.free.retain(|free| free != name);
        if provider.format.remote().is_none() {
            book.free.push(name.to_owned());
        }
    }
    for engine in &config.engines {
        let name = engine.name.as_str();
        let service = engine.service.own_service();
        let engine = service.map(|own| own.name);
        if engine != Some(name) {
            book.searches.retain(|entry| entry.engine != name);
        }
        let same = BUILT_IN.searches.iter();
        let same =
            same.filter(|entry| engine == Some(entry.engine.as_str()) && entry.engine != name);
        book.searches
            .extend(same.map(|entry| SearchPrice { engine: name.to_owned(), ..entry.clone() }));
        if service.is_some_and(|own| own.format == SearchFormat::Searxng) {
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

fn own_instance(name: &str) -> SearchPrice {
    let free: SearchPrice = BUILT_IN
        .searches
        .iter()
        .find(|entry| entry.engine == SearchFormat::DuckDuckGo.service().name)
        .expect("the list has it, a test says so")
        .clone();
    SearchPrice {
        engine: name.to_owned(),
        source: "an instance of the operator's".to_owned(),
        ..free
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Environment, Given};
    use crate::services::ModelService;
    use turnwise_shared::day::Day;

    fn config(text: &str, variables: &[(&str, &str)]) -> Config {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("turnwise.toml"), text).expect("it can be written");
        let given = Given { addr: None, data: Some(folder.path().to_path_buf()) };
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
            assert!(ModelService::named(&entry.provider).is_some(), "{entry:?}");
            assert!(entry.source.len() > 10 && entry.seen.is_some(), "{entry:?}");
            assert!(entry.output >= entry.input, "{entry:?}");
            assert!(entry.cached.is_none_or(|cached| cached <= entry.input), "{entry:?}");
            assert!(entry.cache_write.is_none_or(|write| write >= entry.input), "{entry:?}");
        }
        assert!(book.searches.iter().all(|entry| !entry.source.is_empty()));
        assert!(book.search("duckduckgo", &day("2026-11-21")).is_some());
        assert_eq!(book.search("serper", &day("2026-11-21")), None, "it depends on the package");
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
        let model =
            |provider: &str| book.model(provider, "gpt-5", &on).map(|price| price.input.dollars());
        assert_eq!((model("lab"), model("openai")), (Some(1.25), None));
        assert!(book.model("anthropic", "claude-opus-5-5", &on).is_some());
        let search =
            |engine: &str| book.search(engine, &on).map(|price| price.per_thousand.dollars());
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
            let mut providers = config.providers.iter();
            let openai = providers.find(|provider| provider.name == "openai");
            let own = openai.expect("it is there").format.own_service();
            assert_eq!(own.is_some(), is_own, "{base_url}");
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
            book.model(provider, model, &on).map(|price| price.input.dollars())
        };
        assert_eq!(input("lab", "own-7b"), Some(0.05));
        assert_eq!(input("lab", "other"), Some(3.0));
        assert_eq!(input("openai", "gpt-5"), Some(1.0));
        assert!(book.search("serper", &on).is_some());
    }
}
