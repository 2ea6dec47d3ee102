use std::path::Path;

use super::*;
use crate::config::{Documents, EngineConfig, EngineService, Manners, ProviderFormat, Script};
use crate::services::SearchFormat;

fn load(given: Given, variables: &[(&str, &str)]) -> Result<Config, BadConfig> {
    config(given, &variables.iter().copied().collect())
}

fn with(variables: &[(&str, &str)]) -> Result<Config, BadConfig> {
    load(Given::default(), variables)
}

fn written(text: &str, variables: &[(&str, &str)]) -> Result<Config, BadConfig> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("turnwise.toml"), text).expect("it can be written");
    let data = Some(folder.path().to_path_buf());
    load(Given { data, addr: None }, variables)
}

fn names(config: &Config) -> Vec<&str> {
    config.providers.iter().map(|provider| provider.name.as_str()).collect()
}

#[test]
fn nothing_at_all_is_a_sound_configuration() {
    let config = with(&[]).expect("it is sound");
    assert_eq!(config.addr.to_string(), DEFAULT_ADDR);
    assert_eq!(config.data, Path::new(DEFAULT_DATA));
    assert_eq!(names(&config), ["scripted"]);
    assert!(matches!(
        config.engines[..],
        [EngineConfig { service: EngineService::Local(Documents::Samples), .. }]
    ));
    assert!(config.access.is_none() && config.is_loopback());
}

#[test]
fn a_real_provider_is_one_variable_away() {
    let config = with(&[("OPENAI_API_KEY", "marked-key")]).expect("it is sound");
    let openai = &config.providers[0];
    assert_eq!(openai.name, "openai");
    let ProviderFormat::OpenAi { base_url, key, max_tokens_field } = &openai.format else {
        panic!("{openai:?}");
    };
    assert_eq!(base_url.as_str(), "https://api.openai.com/v1");
    assert_eq!(max_tokens_field, "max_completion_tokens");
    assert!(key.as_ref().is_some_and(|key| key.is("marked-key")));
    assert!(!format!("{config:?}").contains("marked"));
}

#[test]
fn two_other_services_are_one_variable_away_too() {
    let config = with(&[
        ("ANTHROPIC_API_KEY", "marked-key"),
        ("GOOGLE_API_KEY", "marked-other"),
        ("GEMINI_API_KEY", "marked-key"),
        ("TURNWISE_PROVIDER_LAB_FORMAT", "anthropic"),
        ("TURNWISE_PROVIDER_LAB_BASE_URL", "http://127.0.0.1:9000"),
    ])
    .expect("it is sound");
    assert_eq!(names(&config), ["anthropic", "gemini", "lab", "scripted"]);
    let addresses = [
        "https://api.anthropic.com/",
        "https://generativelanguage.googleapis.com/",
        "http://127.0.0.1:9000/",
    ];
    for (provider, address) in config.providers.iter().zip(addresses) {
        let (ProviderFormat::Anthropic { base_url, key }
        | ProviderFormat::Gemini { base_url, key }) = &provider.format
        else {
            panic!("{provider:?}");
        };
        assert_eq!(base_url.as_str(), address);
        let is_keyed = key.as_ref().is_some_and(|key| key.is("marked-key"));
        assert_eq!(is_keyed, provider.name != "lab");
    }
    assert!(!format!("{config:?}").contains("marked"));
}

#[test]
fn providers_from_the_environment_are_named_by_it() {
    let config = with(&[
        ("TURNWISE_PROVIDER_MY_BOX_BASE_URL", "http://127.0.0.1:9000/v1/"),
        ("TURNWISE_PROVIDER_MY_BOX_MODELS", "a/b, c"),
        ("TURNWISE_PROVIDER_MY_BOX_IN_FLIGHT", "7"),
    ])
    .expect("it is sound");
    let provider = &config.providers[0];
    assert_eq!((provider.name.as_str(), provider.in_flight), ("my-box", 7));
    assert_eq!(provider.models, ["a/b", "c"]);
    let ProviderFormat::OpenAi { base_url, key, max_tokens_field } = &provider.format else {
        panic!("{provider:?}");
    };
    assert_eq!(base_url.as_str(), "http://127.0.0.1:9000/v1");
    assert_eq!(max_tokens_field, "max_tokens");
    assert!(key.is_none());
}

#[test]
fn the_file_is_read_and_the_environment_goes_before_it() {
    let text = r#"
        addr = "127.0.0.1:1"
        hosts = ["Turnwise.Example.org"]
        task_folders = ["more"]
        [limits]
        attempts = 5
        connect_seconds = 3
        [[provider]]
        name = "box"
        base_url = "http://box.internal/v1"
        key_env = "BOX_KEY"
        [[provider]]
        name = "scripted"
        format = "scripted"
        faults = 0.02
        latency_ms = 120
    "#;
    let config = written(text, &[("BOX_KEY", "k"), ("TURNWISE_ADDR", "127.0.0.1:2")]);
    let config = config.expect("it is sound");
    assert_eq!(config.addr.port(), 2);
    assert_eq!(config.hosts, ["turnwise.example.org"]);
    assert_eq!(config.task_folders, [Path::new("more")]);
    assert_eq!(config.limits.attempts, Some(5));
    assert_eq!(config.limits.connect, Duration::from_secs(3));
    assert_eq!(names(&config), ["box", "scripted"]);
    assert!(matches!(
        config.providers[1].format,
        ProviderFormat::Scripted(Script { faults: 0.02, .. })
    ));
}

#[test]
fn every_mistake_is_named_at_once_and_no_secret_is() {
    let text = r#"
        addr = "localhost"
        access_token = "marked-short"
        hosts = ["https://a"]
        proxies = ["proxy.internal", "10.0.0.0/8"]
        [limits]
        attempts = 0
        connections = 0
        [[provider]]
        name = "a/b"
        base_url = "https://user:marked-word@host/v1"
        [[provider]]
        name = "c"
        format = "scripted"
        key = "marked-key"
        faults = 2
        [[provider]]
        name = "gemini"
        max_tokens_field = "max_tokens"
        [[provider]]
        name = "e"
        format = "grpc"
        [[search]]
        name = "wiki"
        path = "not/there"
        [[search]]
        name = "tavily"
        path = "x"
        [[search]]
        name = "searxng"
        [[search]]
        name = "odd"
        format = "marked"
    "#;
    let variables = [
        ("TURNWISE_PROVIDER_X", "marked-1"),
        ("TURNWISE_PROVIDER_D_API_KEY", "marked key"),
        ("TURNWISE_SEARCH_SERPER_API_KEY", "marked key"),
        ("TURNWISE_SEARCH_BRAVE", "marked-brave"),
        ("TURNWISE_SEARCH_OTHER_API_KEY", "marked-other"),
        ("TURNWISE_SEARCH_DUCKDUCKGO", "marked-on"),
    ];
    let BadConfig(mistakes) = written(text, &variables).expect_err("it is full of mistakes");
    let all = mistakes.join("\n");
    for part in [
        "addr: \"localhost\" is no address",
        "access_token: a token has at least 16",
        "hosts: \"https://a\"",
        "proxies: \"proxy.internal\" is no address",
        "limits.connections: at least 1",
        "limits.attempts",
        "provider \"a/b\", name",
        "provider \"a/b\", base_url",
        "provider \"c\", key: a scripted",
        "provider \"c\", faults",
        "provider \"gemini\", max_tokens_field: this belongs to the format openai",
        "provider \"e\", format: \"grpc\" is not known; write openai, anthropic, gemini or scripted",
        "provider \"d\", key: it has spaces",
        "provider \"d\", base_url: it is missing",
        "TURNWISE_PROVIDER_X: the name ends",
        "search \"wiki\", path",
        "search \"tavily\", path: there is no x",
        "search \"searxng\", base_url: it is missing",
        "search \"odd\", format: write local or one of serper, brave",
        "search \"serper\", key: it has spaces",
        "TURNWISE_SEARCH_BRAVE: write TURNWISE_SEARCH_BRAVE_API_KEY",
        "TURNWISE_SEARCH_OTHER_API_KEY: it is no engine",
        "TURNWISE_SEARCH_DUCKDUCKGO: write on or off",
    ] {
        assert!(all.contains(part), "{part} is not in\n{all}");
    }
    assert!(!all.contains("marked"), "{all}");
}

#[test]
fn the_world_is_let_in_only_with_a_token() {
    let open = Given { addr: "0.0.0.0:80".parse().ok(), data: None };
    let error = load(open.clone(), &[]).expect_err("there is no token").to_string();
    assert!(error.contains("TURNWISE_ACCESS_TOKEN"), "{error}");
    let config = load(open, &[("TURNWISE_ACCESS_TOKEN", "0123456789abcdef")]);
    assert!(config.is_ok_and(|config| !config.is_loopback()));
}

#[test]
fn how_sites_are_treated_is_the_operators() {
    let config = with(&[
        ("TURNWISE_CONTACT", "bot@lab.example"),
        ("TURNWISE_ROBOTS", "off"),
        ("TURNWISE_HOSTS", "A.example"),
    ]);
    let own_names = vec!["a.example".to_owned()];
    let wanted = Manners { contact: Some("bot@lab.example".to_owned()), robots: false, own_names };
    assert_eq!(config.expect("it is sound").manners, wanted);
    let file =
        written("[fetching]\ncontact = \"https://lab.example/bot\"", &[]).expect("it is sound");
    assert_eq!(
        (file.manners.contact.as_deref(), file.manners.robots),
        (Some("https://lab.example/bot"), true)
    );
    for wrong in ["the lab", "ä@lab.example", "me@lab.example)\r\nx: y"] {
        let error = with(&[("TURNWISE_CONTACT", wrong)]).expect_err(wrong).to_string();
        assert!(error.contains("fetching.contact"), "{error}");
    }
}

#[test]
fn search_engines_are_one_variable_away() {
    let config = with(&[
        ("TURNWISE_SEARCH_SERPER_API_KEY", "marked-key-1"),
        ("TURNWISE_SEARCH_BRAVE_API_KEY", "marked-key-2"),
        ("TURNWISE_SEARCH_TAVILY_API_KEY", "marked-key-3"),
        ("TURNWISE_SEARCH_SEARXNG_BASE_URL", "http://searx.internal:8888/"),
        ("TURNWISE_SEARCH_DUCKDUCKGO", "on"),
        ("TURNWISE_SEARCH_SERPAPI_BING_API_KEY", "marked-key-4"),
    ])
    .expect("it is sound");
    let names: Vec<_> = config.engines.iter().map(|engine| engine.name.as_str()).collect();
    assert_eq!(
        names,
        ["brave", "duckduckgo", "local", "searxng", "serpapi-bing", "serper", "tavily"]
    );
    let EngineService::Remote(SearchFormat::Serper, serper) = &config.engines[5].service else {
        panic!("{:?}", config.engines[5]);
    };
    assert_eq!(serper.base_url.as_str(), "https://google.serper.dev/");
    assert!(serper.key.as_ref().is_some_and(|key| key.is("marked-key-1")));
    assert!(!format!("{config:?}").contains("marked"));
}

#[test]
fn search_engines_of_the_file_have_names_of_their_own() {
    let text = r#"
        [[search]]
        name = "web"
        format = "brave"
        key_env = "BRAVE"
        base_url = "http://127.0.0.1:9/brave"
        in_flight = 1
        [[search]]
        name = "serper"
        key = "in-the-file"
    "#;
    let variables = [("BRAVE", "marked-b"), ("TURNWISE_SEARCH_SERPER_API_KEY", "marked-s")];
    let config = written(text, &variables).expect("it is sound");
    let (
        EngineService::Remote(SearchFormat::Brave, web),
        EngineService::Remote(SearchFormat::Serper, serper),
    ) = (&config.engines[2].service, &config.engines[1].service)
    else {
        panic!("{:?}", config.engines);
    };
    assert_eq!((web.base_url.path(), web.in_flight), ("/brave", 1));
    assert!(serper.key.as_ref().is_some_and(|key| key.is("marked-s")));
}
