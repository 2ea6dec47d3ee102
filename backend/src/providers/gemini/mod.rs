//! `generateContent` as Google defined it for Gemini.

mod answer;

use reqwest::{RequestBuilder, Url};
use serde_json::{Map, Value, json};
use turnwise_shared::prelude::*;

use super::Pictures;
use super::capabilities::{Parameter, Settled, TABLES, Table};
use super::dialogue::{ContentPart, Dialogue, Rules, Side, Turn, has_rules};
use super::refusals::ErrorContents;
use super::wire_format::{WireFormat, below};
use crate::secret::Secret;

/// The version of the format that is asked for unless the address names one: it has the previews, what is thought and the place
/// for the rules, which `v1` lacks.
const VERSION: &str = "v1beta";
/// The version that lacks them.
const NARROW: &str = "v1";

/// Where models are; every other name is one model's.
const COLLECTIONS: [&str; 2] = ["models", "tunedModels"];

/// How an endpoint of this format is asked.
pub struct Gemini {
    base_url: Url,
    /// The same address with the wider version, if it names the narrow one.
    wider: Option<Url>,
}

impl Gemini {
    /// An endpoint; its address may end with a version (`/v1`, `/v1beta`) or leave it out, as the service's own clients do.
    pub fn new(base_url: &Url) -> Self {
        let last = base_url.path().trim_end_matches('/').rsplit('/').next();
        let has_version = last.is_some_and(|last| last.starts_with("v1"));
        let wider = (last == Some(NARROW)).then(|| {
            let mut wider = base_url.clone();
            if let Ok(mut parts) = wider.path_segments_mut() {
                parts.pop_if_empty().pop().push(VERSION);
            }
            wider
        });
        Gemini { base_url: below(base_url, (!has_version).then_some(VERSION)), wider }
    }
}

impl WireFormat for Gemini {
    type Answer = answer::Answer;

    fn table(&self) -> &'static Table {
        &TABLES.gemini
    }

    /// As many as the service gives at once.
    fn list_url(&self) -> Url {
        let mut url = below(&self.base_url, ["models"]);
        url.set_query(Some("pageSize=1000"));
        url
    }

    /// The narrow version says that it does not know a model, or a field.
    fn is_of_version(&self, status: u16, told: &ErrorContents) -> bool {
        self.wider.is_some()
            && match status {
                404 => told.says(&["api version", "version v1"]),
                400 => told.says(&["unknown name", "cannot find field", "api version"]),
                _ => false,
            }
    }

    /// The model stands in the path, as `models/NAME` unless it names another collection. Nothing in a name leads out of it.
    fn url(&self, model: &str, settled: &Settled, stream: Stream) -> Url {
        let (collection, name) = model
            .split_once('/')
            .filter(|(collection, _)| COLLECTIONS.contains(collection))
            .unwrap_or(("models", model));
        let method = match stream {
            Stream::Whole => "generateContent",
            Stream::Pieces => "streamGenerateContent",
        };
        let last = format!("{name}:{method}");
        let base_url = match &self.wider {
            Some(wider) if !settled.takes(Parameter::Version) => wider,
            _ => &self.base_url,
        };
        let mut url = below(base_url, [collection, last.as_str()]);
        if stream == Stream::Pieces {
            url.set_query(Some("alt=sse"));
        }
        url
    }

    /// The key goes into a header, never into the address, where logs would find it.
    fn signed(&self, request: RequestBuilder, key: Option<&Secret>) -> RequestBuilder {
        match key {
            Some(key) => request.header("x-goog-api-key", key.open()),
            None => request,
        }
    }

    fn body(
        &self,
        call: &ModelCall,
        pictures: &Pictures,
        settled: &mut Settled,
        _stream: Stream,
    ) -> Value {
        let rules = match settled.takes(Parameter::System) {
            true => Rules::Apart,
            false => Rules::Within,
        };
        let dialogue = Dialogue::new(&call.messages, rules);
        if rules == Rules::Within && has_rules(&call.messages) {
            settled.depart(Parameter::System, Departed::Moved);
        }
        let mut body = Map::new();
        let contents: Vec<Value> =
            dialogue.turns.iter().map(|turn| content(turn, pictures)).collect();
        body.insert("contents".into(), contents.into());
        if let Some(system) = dialogue.system {
            let instruction = json!({ "parts": [{ "text": system }] });
            body.insert("systemInstruction".into(), instruction);
        }
        let config = generation(&settled.sampling);
        if !config.is_empty() {
            body.insert("generationConfig".into(), config.into());
        }
        body.into()
    }
}

fn generation(sampling: &Sampling) -> Map<String, Value> {
    let mut config = Map::new();
    let mut put = |field: &str, value: Option<Value>| {
        if let Some(value) = value {
            config.insert(field.to_owned(), value);
        }
    };
    put("temperature", sampling.temperature.map(Value::from));
    put("topP", sampling.top_p.map(Value::from));
    put("maxOutputTokens", sampling.max_tokens.map(Value::from));
    let stop = &sampling.stop;
    put("stopSequences", (!stop.is_empty()).then(|| json!(stop)));
    put("seed", sampling.seed.map(Value::from));
    let wants_json = sampling.form == ReplyForm::Json;
    let media = wants_json.then(|| "application/json".into());
    put("responseMimeType", media);
    // A user who chooses how much is thought also wants to read what was thought.
    let thinking = match (sampling.thinking_tokens, sampling.effort) {
        (Some(most), _) => Some(json!({ "thinkingBudget": most, "includeThoughts": most > 0 })),
        (None, Some(effort)) => {
            Some(json!({ "thinkingLevel": effort.name(), "includeThoughts": true }))
        }
        (None, None) => None,
    };
    put("thinkingConfig", thinking);
    config
}

fn content(turn: &Turn<'_>, pictures: &Pictures) -> Value {
    let role = match turn.by {
        Side::User => "user",
        Side::Model => "model",
    };
    let parts: Vec<Value> = turn
        .parts
        .iter()
        .map(|part| match part {
            ContentPart::Text(text) => json!({ "text": text }),
            ContentPart::Picture(picture) => json!({ "inlineData": {
                "mimeType": PictureRef::MEDIA, "data": pictures[&picture.digest],
            } }),
        })
        .collect();
    json!({ "role": role, "parts": parts })
}

#[cfg(test)]
mod tests;
