//! What the player gets back for its calls, and what the reference's engine is shown of an episode (specification 4.1, 5.6).
//!
//! Under `reference` an observation has a raw form, wrapped in the marks of a chat format with the reminder in it, and each
//! of the authors' engines cuts another part out of it. Under `strict` it is always the tagged response.

use super::settings::{Engines, Setting, Settings};
use turnwise_core::evidence::ShownResult;
use turnwise_core::json;
use turnwise_core::prelude::*;
use turnwise_core::python::strip;

const OPEN: &str = "<tool_response>";
const CLOSE: &str = "</tool_response>";
const CHAT_BEGINS: &str = "<|im_start|>";
const CHAT_ENDS: &str = "<|im_end|>";

/// How much of an observation the player sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Tagged,
    /// What stands inside of the tags: B and C against a local server.
    Inside,
    /// Everything, marks of the chat format and reminder included: B and C against a service.
    Raw,
    /// Everything but the marks: `custom` against a local server.
    Unmarked,
    /// The same, up to the mark that ends the message: `custom` against a service.
    Cut,
}

impl Style {
    /// The style of an episode.
    pub fn of(settings: &Settings, profile: Profile) -> Self {
        match (profile, settings.setting, settings.engines) {
            (Profile::Strict, ..) => Style::Tagged,
            (Profile::Reference, Setting::Custom, Engines::Local) => Style::Unmarked,
            (Profile::Reference, Setting::Custom, Engines::Api) => Style::Cut,
            (Profile::Reference, _, Engines::Local) => Style::Inside,
            (Profile::Reference, _, Engines::Api) => Style::Raw,
        }
    }

    /// What the player sees of a response.
    pub fn shown(self, response: &str, reminder: &str) -> String {
        match self {
            Style::Tagged => format!("{OPEN}\n{response}\n{CLOSE}"),
            _ => self.of_raw(&raw(response, reminder)),
        }
    }

    /// What the player sees of a raw observation.
    pub fn of_raw(self, raw: &str) -> String {
        match self {
            Style::Raw | Style::Tagged => raw.to_owned(),
            Style::Inside if raw.contains(OPEN) => inside(raw),
            Style::Inside | Style::Unmarked => unmarked(raw),
            Style::Cut => {
                let end = raw.find(CHAT_ENDS).unwrap_or(raw.len());
                unmarked(&raw[..end])
            }
        }
    }
}

/// A response as the reference's tool gives it back.
pub fn raw(response: &str, reminder: &str) -> String {
    format!(
        "\n{CHAT_BEGINS}user\n{OPEN}{response}{CLOSE}\n{reminder}\n{CHAT_ENDS}\n{CHAT_BEGINS}assistant\n"
    )
}

/// An error of the reference's agent, which stands in no tags, as it gives it back.
pub fn raw_error(error: &str) -> String {
    format!("\n{CHAT_BEGINS}user\nError: {error}{CHAT_ENDS}\n{CHAT_BEGINS}assistant\n")
}

/// The raw observation of several calls side by side: what stands in each, one after the other.
pub fn raw_together(parts: &[String]) -> String {
    let begins = format!("{CHAT_BEGINS}user\n");
    let content = |raw: &String| {
        let content = raw.split_once(&begins).and_then(|(_, rest)| {
            let (content, _) = rest.split_once(CHAT_ENDS)?;
            Some(content.to_owned())
        });
        content.unwrap_or_else(|| strip(raw).to_owned())
    };
    let contents: Vec<String> = parts.iter().map(content).collect();
    let together = contents.join("\n\n");
    format!("\n{CHAT_BEGINS}user\n{together}{CHAT_ENDS}\n{CHAT_BEGINS}assistant\n")
}

/// What stands inside of the first pair of tags, without white space around it.
fn inside(raw: &str) -> String {
    let start = raw.find(OPEN).map_or(0, |at| at + OPEN.len());
    let end = raw[start..].find(CLOSE).map_or(raw.len(), |at| start + at);
    strip(&raw[start..end]).to_owned()
}

/// Without the marks of the chat format and without white space around it.
fn unmarked(raw: &str) -> String {
    let text = raw
        .replace(&format!("{CHAT_BEGINS}user"), "")
        .replace(&format!("{CHAT_BEGINS}assistant"), "")
        .replace(CHAT_ENDS, "");
    strip(&text).to_owned()
}

/// What the reference's engine is shown of an episode: for each earlier message with calls its text and the raw
/// observation, then the text of now. Reminders are taken out. The mediator cuts what is too long.
pub fn trajectory(before: &[(String, String)], now: &str, reminder: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for (said, raw) in before {
        parts.extend([said.as_str(), raw.as_str()]);
    }
    parts.push(now);
    let whole = parts.join("\n");
    match reminder {
        "" => whole,
        reminder => whole.replace(reminder, ""),
    }
}

/// The results of a page, with whatever stands around them: tags, marks, a reminder. `None` if there is no page in it, or
/// one without results.
pub fn results(shown: &str) -> Option<Vec<ShownResult>> {
    let start = shown.find('{')?;
    let end = shown.rfind('}')?;
    let page = json::parse(shown.get(start..=end)?, Dialect::Strict).ok()?;
    let Json::List(results) = page.as_object()?.get("search_result")? else {
        return None;
    };
    let part = |result: &Json, name: &str| {
        let text = result.as_object()?.get(name)?.as_text()?;
        Some(text.to_owned())
    };
    let results: Option<Vec<ShownResult>> = results
        .iter()
        .map(|result| {
            Some(ShownResult {
                title: part(result, "title")?,
                text: part(result, "content")?,
                date: part(result, "date"),
                address: None,
            })
        })
        .collect();
    results.filter(|results| !results.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_engine_shows_another_part() {
        let shown = |style: Style| style.shown("{}", "Go on.");
        assert_eq!(shown(Style::Tagged), "<tool_response>\n{}\n</tool_response>");
        assert_eq!(shown(Style::Inside), "{}");
        assert_eq!(
            shown(Style::Raw),
            "\n<|im_start|>user\n<tool_response>{}</tool_response>\nGo on.\n<|im_end|>\n<|im_start|>assistant\n"
        );
        let both = "<tool_response>{}</tool_response>\nGo on.";
        assert_eq!(shown(Style::Unmarked), both);
        assert_eq!(shown(Style::Cut), both);
        for style in [Style::Inside, Style::Unmarked, Style::Cut] {
            assert_eq!(style.of_raw(&raw_error("no")), "Error: no", "{style:?}");
        }
    }

    #[test]
    fn what_came_side_by_side_stands_in_one_message() {
        let parts = [raw("{}", "Go on."), "Error: no".to_owned(), raw("[]", "Go on.")];
        let page = |page: &str| format!("<tool_response>{page}</tool_response>\nGo on.\n");
        let together = format!("{}\n\nError: no\n\n{}", page("{}"), page("[]"));
        let shown = together.trim_end();
        assert_eq!(Style::Unmarked.of_raw(&raw_together(&parts)), shown);
        assert_eq!(Style::Cut.of_raw(&raw_together(&parts)), shown);
    }

    #[test]
    fn a_trajectory_has_no_reminders() {
        let before = [("one".to_owned(), raw("page", "Go on."))];
        let text = trajectory(&before, "two", "Go on.");
        assert!(text.starts_with("one\n\n<|im_start|>user"), "{text}");
        assert!(text.ends_with("\ntwo") && !text.contains("Go on."));
    }

    #[test]
    fn pages_are_read_with_whatever_stands_around_them() {
        let page = r#"{"search_query": "q", "search_result": [{"id": 1, "title": "T", "content": "c", "date": "2031-01-02"}]}"#;
        let result = ShownResult {
            title: "T".to_owned(),
            text: "c".to_owned(),
            date: Some("2031-01-02".to_owned()),
            address: None,
        };
        assert_eq!(results(&raw(page, "Go on.")), Some(vec![result]));
        assert_eq!(results("Error: no"), None);
    }
}
