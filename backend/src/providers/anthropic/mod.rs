//! Messages as Anthropic defined them.

mod answer;

use reqwest::{RequestBuilder, Url};
use serde_json::{Map, Value, json};
use turnwise_shared::prelude::*;

use super::Pictures;
use super::capabilities::{Parameter, Settled, TABLES, Table};
use super::dialogue::{ContentPart, Dialogue, Rules, Side, Turn, has_rules};
use super::wire_format::{WireFormat, below};
use crate::secret::Secret;

/// The version of the format. The later one, `2026-10-21`, takes no temperature and no top-p from any model; in this one the
/// older models still take them, and the service keeps it as it is.
const VERSION: &str = "2023-06-01";

/// The limit of a reply's tokens of a model whose usual one is not known.
const USUAL_TOKENS: u32 = 16_000;

/// How an endpoint of this format is asked.
pub struct Anthropic {
    url: Url,
    list_url: Url,
}

impl Anthropic {
    /// An endpoint; its address may end with the version `/v1` or leave it out, as the service's own clients do.
    pub fn new(base_url: &Url) -> Self {
        let path = base_url.path().trim_end_matches('/');
        let version = (!path.ends_with("/v1")).then_some("v1");
        let mut list_url = below(base_url, version.into_iter().chain(["models"]));
        // As many as the service gives at once.
        list_url.set_query(Some("limit=1000"));
        Anthropic { url: below(base_url, version.into_iter().chain(["messages"])), list_url }
    }
}

impl WireFormat for Anthropic {
    type Answer = answer::Answer;

    fn table(&self) -> &'static Table {
        &TABLES.anthropic
    }

    fn url(&self, _model: &str, _settled: &Settled, _stream: Stream) -> Url {
        self.url.clone()
    }

    fn list_url(&self) -> Url {
        self.list_url.clone()
    }

    fn signed(&self, request: RequestBuilder, key: Option<&Secret>) -> RequestBuilder {
        let request = request.header("anthropic-version", VERSION);
        match key {
            Some(key) => request.header("x-api-key", key.open()),
            None => request,
        }
    }

    fn body(
        &self,
        call: &ModelCall,
        pictures: &Pictures,
        settled: &mut Settled,
        stream: Stream,
    ) -> Value {
        let rules = match settled.takes(Parameter::System) {
            true => Rules::Apart,
            false => Rules::Within,
        };
        let dialogue = Dialogue::new(&call.messages, rules);
        if rules == Rules::Within && has_rules(&call.messages) {
            settled.depart(Parameter::System, Departed::Moved);
        }
        let rule = self.table().rule(&call.model);
        let thinking = thinking(&settled.sampling, rule.thinks_by_effort);
        let max_tokens = settled.sampling.max_tokens.unwrap_or_else(|| {
            // Tokens of reasoning count towards the limit, so they come on top.
            let thought = settled.sampling.thinking_tokens.unwrap_or(0);
            let usual = rule.usual_tokens.unwrap_or(USUAL_TOKENS).saturating_add(thought);
            settled.most_tokens.map_or(usual, |most| most.min(usual))
        });
        if settled.sampling.max_tokens.is_none() {
            let supplied = Departed::Supplied(max_tokens.into());
            settled.depart(Parameter::MaxTokens, supplied);
            settled.sampling.max_tokens = Some(max_tokens);
        }
        let sampling = &settled.sampling;
        let mut body = Map::new();
        let mut put = |field: &str, value: Option<Value>| {
            if let Some(value) = value {
                body.insert(field.to_owned(), value);
            }
        };
        put("model", Some(call.model.as_str().into()));
        put("max_tokens", Some(max_tokens.into()));
        put("system", dialogue.system.map(Value::from));
        let messages: Vec<Value> =
            dialogue.turns.iter().map(|turn| message(turn, pictures)).collect();
        put("messages", Some(messages.into()));
        put("temperature", sampling.temperature.map(Value::from));
        put("top_p", sampling.top_p.map(Value::from));
        let stop = &sampling.stop;
        put("stop_sequences", (!stop.is_empty()).then(|| json!(stop)));
        put("thinking", thinking);
        let effort = sampling.effort;
        let effort = effort.map(|effort| json!({ "effort": effort.name() }));
        put("output_config", effort);
        put("stream", (stream == Stream::Pieces).then(|| true.into()));
        body.into()
    }
}

/// How a model is to reason: within a number of tokens, not at all, or as much as its effort has it.
fn thinking(sampling: &Sampling, by_effort: bool) -> Option<Value> {
    match (sampling.thinking_tokens, sampling.effort) {
        (Some(0), _) => Some(json!({ "type": "disabled" })),
        (Some(most), _) => Some(json!({ "type": "enabled", "budget_tokens": most })),
        (None, Some(_)) if by_effort => Some(json!({ "type": "adaptive" })),
        (None, _) => None,
    }
}

fn message(turn: &Turn<'_>, pictures: &Pictures) -> Value {
    let role = match turn.by {
        Side::User => "user",
        Side::Model => "assistant",
    };
    let content = match turn.parts.as_slice() {
        [ContentPart::Text(text)] => Value::from(*text),
        parts => parts.iter().map(|part| block(part, pictures)).collect(),
    };
    json!({ "role": role, "content": content })
}

fn block(part: &ContentPart<'_>, pictures: &Pictures) -> Value {
    match part {
        ContentPart::Text(text) => json!({ "type": "text", "text": text }),
        ContentPart::Picture(picture) => json!({ "type": "image", "source": {
            "type": "base64", "media_type": PictureRef::MEDIA, "data": pictures[&picture.digest],
        } }),
    }
}

#[cfg(test)]
mod tests;
