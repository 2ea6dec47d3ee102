//! The page on which connections are tried.

/// The heading.
pub const TITLE: &str = "Connections";
/// What this is.
pub const LEAD: &str = "What this server can ask: models behind the operator's endpoints, and search engines. Keys and addresses \
     are the server's configuration and never reach this page.";
/// The section of providers.
pub const PROVIDERS: &str = "Models";
/// The section of search engines.
pub const ENGINES: &str = "Search engines";
/// Column: name.
pub const NAME: &str = "Name";
/// Column: wire format.
pub const FORMAT: &str = "Format";
/// Column: which model.
pub const MODEL: &str = "Model";
/// Column: what to look for.
pub const QUERY: &str = "Look for";
/// Column: how many documents.
pub const DOCUMENTS: &str = "Documents";
/// Column: result.
pub const RESULT: &str = "Result";
/// The button.
pub const TEST: &str = "Test";
/// What is looked for unless something else is typed.
pub const DEFAULT_QUERY: &str = "lighthouse";
/// What can be relied on: little.
pub const BEST_EFFORT: &str = "best effort";
/// Why.
pub const BEST_EFFORT_WHY: &str = "Best effort: a page that was made for people. It may change at any time, or ask for a captcha.";
/// What an engine on the network searches.
pub const THE_WEB: &str = "the web";
/// No documents are counted.
pub const UNKNOWN: &str = "unknown";
/// What stands there before anything was tried.
pub const UNTRIED: &str = "not tried yet";
/// It answered.
pub fn answered(took: &str, attempts: u32) -> String {
    match attempts {
        0 | 1 => format!("answered in {took}"),
        more => format!("answered in {took}, at attempt {more}"),
    }
}
/// It failed.
pub fn failed(class: &str, took: &str) -> String {
    format!("{class} after {took}")
}
/// Hits that a trial asks for.
const ASKED: usize = 5;
/// How many hits, of how many that were asked for.
pub fn hits(count: usize) -> String {
    match count {
        0 => "nothing found".to_owned(),
        1 => format!("1 hit of {ASKED} asked for"),
        more if more < ASKED => format!("{more} hits of {ASKED} asked for"),
        more => format!("{more} hits"),
    }
}
/// The service asks for a key, and the server has none.
pub const NO_KEY: &str = "no key";
/// A model must be named.
pub const NEEDS_MODEL: &str = "Type the model's name first.";

/// No provider is there.
pub const NO_PROVIDERS: &str = "No models are configured";
/// What to do about it.
pub const NO_PROVIDERS_WHY: &str = "The built-in players need none. To ask models, the operator of this server adds an endpoint and starts it again.";
/// No engine is there.
pub const NO_ENGINES: &str = "No search engine is configured";
/// What to do about it.
pub const NO_ENGINES_WHY: &str = "Modes that search need one. The operator of this server can point it at documents of their own, or name a service.";
/// How.
pub const HOW: &str = "How to configure one";
/// A wire format's name for people.
pub fn format(name: &str) -> &str {
    match name {
        "openai" => "OpenAI chat completions",
        "anthropic" => "Anthropic messages",
        "gemini" => "Gemini generateContent",
        "scripted" => "made-up answers, for trials",
        other => other,
    }
}
/// Two ways to say it.
pub const HOW_ENV: &str = "By environment variables:";
/// The other way.
pub const HOW_FILE: &str = "Or in turnwise.toml in the server's data folder, for several:";

/// The section of the access token.
pub const ACCESS: &str = "Access token";
/// What it is.
pub const ACCESS_WHY: &str = "This server asks for its operator's token before it opens runs or makes calls. It is kept in this \
     browser and sent to this server only.";
/// The field.
pub const ACCESS_FIELD: &str = "Token";
/// The button.
pub const ACCESS_KEEP: &str = "Keep";
/// It was kept.
pub const ACCESS_KEPT: &str = "The token is kept in this browser.";
/// It was forgotten.
pub const ACCESS_FORGOTTEN: &str = "The token is forgotten.";
/// The services' own variables, and any other endpoint; the name in its variables becomes `my-lab`.
pub const SAMPLE_ENV: &str = "OPENAI_API_KEY=…\n\
     ANTHROPIC_API_KEY=…\n\
     GEMINI_API_KEY=…\n\
     TURNWISE_PROVIDER_MY_LAB_BASE_URL=https://llm.example.org/v1\n\
     TURNWISE_PROVIDER_MY_LAB_API_KEY=…\n\
     TURNWISE_PROVIDER_MY_LAB_MODELS=model-a,model-b";
/// The same in the file.
pub const SAMPLE_FILE: &str = "[[provider]]\n\
     name = \"my-lab\"\n\
     format = \"openai\"  # or anthropic, gemini\n\
     base_url = \"https://llm.example.org/v1\"\n\
     key_env = \"MY_LAB_KEY\"\n\
     models = [\"model-a\", \"model-b\"]";
/// Search engines by environment variables; the name in the first becomes `my-docs`.
pub const SAMPLE_SEARCH_ENV: &str = "TURNWISE_SEARCH_MY_DOCS=/path/to/documents\n\
     TURNWISE_SEARCH_SERPER_API_KEY=…\n\
     TURNWISE_SEARCH_BRAVE_API_KEY=…\n\
     TURNWISE_SEARCH_TAVILY_API_KEY=…\n\
     TURNWISE_SEARCH_SEARXNG_BASE_URL=https://searx.example.org\n\
     TURNWISE_SEARCH_DUCKDUCKGO=on";
/// The same in the file.
pub const SAMPLE_SEARCH_FILE: &str = "[[search]]\nname = \"my-docs\"\npath = \"/path/to/documents\"\n\n[[search]]\nname = \"web\"\nformat = \"brave\"\nkey_env = \"BRAVE_KEY\"";
