//! The page on which connections are tried.

use crate::number;

pub const TITLE: &str = "Connections";
pub const LEAD: &str = "What this server can ask: models behind the operator's endpoints, and search engines. Keys and addresses \
     are the server's configuration and never reach this page.";
pub const NAME: &str = "Name";
pub const FORMAT: &str = "Format";
pub const MODEL: &str = "Model";
pub const QUERY: &str = "Look for";
pub const DOCUMENTS: &str = "Documents";
pub const RESULT: &str = "Result";
pub const TEST: &str = "Test";
pub fn answered(took: &str, attempts: u32) -> String {
    match attempts {
        0 | 1 => format!("answered in {took}"),
        more => format!("answered in {took}, at attempt {more}"),
    }
}
/// It failed; what failed in no time was refused at once.
pub fn failed(class: &str, took: &str, is_at_once: bool) -> String {
    match is_at_once {
        true => format!("failed at once: {class}"),
        false => format!("failed after {took}: {class}"),
    }
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

pub const NARROW: &str = "Filter models";
/// How many are shown, of how many, and what they are for.
pub fn listed(shown: usize, all: usize) -> String {
    let count = |number: usize| number::count(number);
    match all > shown {
        true => format!(
            "The first {} of {} models. Press one to put it into the field.",
            count(shown),
            count(all)
        ),
        false if all == 1 => "1 model. Press it to put it into the field.".to_owned(),
        false => format!("{} models. Press one to put it into the field.", count(all)),
    }
}
/// How many have what was typed in their names.
pub fn matching(models: usize) -> String {
    match models {
        0 => "No model has this in its name.".to_owned(),
        1 => "1 model has this in its name.".to_owned(),
        more => format!("{} models have this in their names.", number::count(more)),
    }
}

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

pub const ACCESS_WHY: &str = "This server asks for its operator's token before it opens runs or makes calls. It is kept in this \
     browser and sent to this server only.";
pub const SAMPLE_ENV: &str = "OPENAI_API_KEY=…\n\
     ANTHROPIC_API_KEY=…\n\
     GEMINI_API_KEY=…\n\
     TURNWISE_PROVIDER_MY_LAB_BASE_URL=https://llm.example.org/v1\n\
     TURNWISE_PROVIDER_MY_LAB_API_KEY=…\n\
     TURNWISE_PROVIDER_MY_LAB_MODELS=model-a,model-b";
pub const SAMPLE_FILE: &str = "[[provider]]\n\
     name = \"my-lab\"\n\
     format = \"openai\"  # or anthropic, gemini\n\
     base_url = \"https://llm.example.org/v1\"\n\
     key_env = \"MY_LAB_KEY\"\n\
     models = [\"model-a\", \"model-b\"]";
pub const SAMPLE_SEARCH_ENV: &str = "TURNWISE_SEARCH_MY_DOCS=/path/to/documents\n\
     TURNWISE_SEARCH_SERPER_API_KEY=…\n\
     TURNWISE_SEARCH_BRAVE_API_KEY=…\n\
     TURNWISE_SEARCH_TAVILY_API_KEY=…\n\
     TURNWISE_SEARCH_SEARXNG_BASE_URL=https://searx.example.org\n\
     TURNWISE_SEARCH_DUCKDUCKGO=on";
pub const SAMPLE_SEARCH_FILE: &str = "[[search]]\nname = \"my-docs\"\npath = \"/path/to/documents\"\n\n[[search]]\nname = \"web\"\nformat = \"brave\"\nkey_env = \"BRAVE_KEY\"";
