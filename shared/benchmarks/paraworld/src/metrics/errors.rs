//! The error analysis of the reference, which looks for words in messages (specification 8.6).

use serde::{Deserialize, Serialize};

/// What the words in an episode's messages say, under `reference` and where an episode was imported. Of one that was played
/// under `strict` the same is counted from what its turns are, not from words: messages with calls, calls that reached the
/// engine, wrong formats, replies of the engine that could not be used, calls to it that failed, and whether there is an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Errors {
    /// Messages of the assistant with an opening call tag.
    pub tool_calls: u32,
    /// Messages of the user with a tool response that tells of no wrong format. Local engines of the reference write no
    /// such tags, so it is 0 for them.
    pub valid_calls: u32,
    /// Messages of the user that tell of a wrong format.
    pub format_errors: u32,
    /// Messages that tell of an unreadable reply of the engine; never shown to players, so 0.
    pub engine_parse_errors: u32,
    /// Messages of any role that report a failed call to the engine.
    pub engine_call_errors: u32,
    /// Whether the assistant opened an answer tag.
    pub success: bool,
}

/// Counts the words in messages, each a role and a text.
pub fn analyse<'a>(messages: impl IntoIterator<Item = (&'a str, &'a str)>) -> Errors {
    let mut errors = Errors::default();
    for (role, text) in messages {
        let has = |word: &str| text.contains(word);
        match role {
            "assistant" => {
                errors.tool_calls += u32::from(has("<tool_call>"));
                errors.success |= has("<answer>");
            }
            "user" => {
                let wrong = has("Invalid tool call format");
                errors.format_errors += u32::from(wrong);
                errors.valid_calls += u32::from(has("<tool_response>") && !wrong);
            }
            _ => {}
        }
        errors.engine_parse_errors += u32::from(has("JSON parse error") || has("JSON 解析失败"));
        errors.engine_call_errors += u32::from(has("API Error") || has("Service Error"));
    }
    errors
}

/// Share of episodes with a wrong format that reached an answer all the same; `None` if none had one.
pub fn recovery(episodes: &[Errors]) -> Option<f64> {
    let wrong: Vec<&Errors> = episodes.iter().filter(|errors| errors.format_errors > 0).collect();
    let recovered = wrong.iter().filter(|errors| errors.success).count();
    super::share(recovered as u32, wrong.len() as u32)
}
