//! Chat completions as OpenAI defined them, which most services and local servers speak.

mod answer;

use reqwest::{RequestBuilder, Url};
use serde_json::{Map, Value, json};
use turnwise_shared::picture;
use turnwise_shared::prelude::*;
use turnwise_shared::prompt::Rendered;

use super::Pictures;
use super::capabilities::{Parameter, Settled, TABLES, Table};
use super::dialogue::{ContentPart, Dialogue, Rules, Side, has_rules, repeats_a_side};
use super::wire_format::{WireFormat, below};
use crate::secret::Secret;

const MAX_TOKENS: &str = "max_tokens";
const MAX_COMPLETION_TOKENS: &str = "max_completion_tokens";

/// How an endpoint of this format is asked.
pub struct OpenAi {
    url: Url,
    list_url: Url,
    max_tokens_field: &'static str,
}

impl OpenAi {
    /// An endpoint whose limit of a reply's tokens has this name at first; if a model refuses it, it is sent the other one.
    pub fn new(base_url: &Url, max_tokens_field: &str) -> Self {
        OpenAi {
            url: below(base_url, ["chat", "completions"]),
            list_url: below(base_url, ["models"]),
            max_tokens_field: match max_tokens_field {
                MAX_COMPLETION_TOKENS => MAX_COMPLETION_TOKENS,
                _ => MAX_TOKENS,
            },
        }
    }
}

impl WireFormat for OpenAi {
    type Answer = answer::Answer;

    fn table(&self) -> &'static Table {
        &TABLES.openai
    }

    const SENDS_ANY_ORDER: bool = true;
    const HAS_STREAM_OPTIONS: bool = true;

    fn url(&self, _model: &str, _settled: &Settled, _stream: Stream) -> Url {
        self.url.clone()
    }

    fn list_url(&self) -> Url {
        self.list_url.clone()
    }

    fn signed(&self, request: RequestBuilder, key: Option<&Secret>) -> RequestBuilder {
        match key {
            Some(key) => request.bearer_auth(key.open()),
            None => request,
        }
    }

    fn names(&self, parameter: Parameter) -> Vec<&'static str> {
        match parameter {
            Parameter::MaxTokens => vec![self.max_tokens_field],
            _ => self.table().names(parameter),
        }
    }

    fn body(
        &self,
        call: &ModelCall,
        pictures: &Pictures,
        settled: &mut Settled,
        stream: Stream,
    ) -> Value {
        let mentions_json = |message: &Rendered| message.text.to_lowercase().contains("json");
        if settled.sampling.form == ReplyForm::Json && !call.messages.iter().any(mentions_json) {
            // The service refuses the mode unless a message asks for JSON in words.
            settled.leave_out(Parameter::Form);
        }
        if !settled.takes(Parameter::System) && has_rules(&call.messages) {
            settled.depart(Parameter::System, Departed::Moved);
        }
        if !settled.takes(Parameter::Order) && repeats_a_side(&call.messages) {
            settled.depart(Parameter::Order, Departed::Moved);
        }
        let messages: Vec<Value> =
            match (settled.takes(Parameter::System), settled.takes(Parameter::Order)) {
                (true, true) => call
                    .messages
                    .iter()
                    .map(|message| {
                        let role = match message.role {
                            Role::System => "system",
                            Role::User => "user",
                            Role::Assistant => "assistant",
                        };
                        json!({ "role": role, "content": content(message, pictures) })
                    })
                    .collect(),
                (takes_rules, _) => in_turns(&call.messages, pictures, takes_rules),
            };
        let sampling = &settled.sampling;
        let max_tokens_field = match (self.max_tokens_field, settled.takes(Parameter::MaxTokens)) {
            (field, true) => field,
            (MAX_TOKENS, false) => MAX_COMPLETION_TOKENS,
            (_, false) => MAX_TOKENS,
        };
        let mut body = Map::new();
        let mut put = |field: &str, value: Option<Value>| {
            if let Some(value) = value {
                body.insert(field.to_owned(), value);
            }
        };
        put("model", Some(call.model.as_str().into()));
        put("messages", Some(messages.into()));
        put("temperature", sampling.temperature.map(Value::from));
        put("top_p", sampling.top_p.map(Value::from));
        put(max_tokens_field, sampling.max_tokens.map(Value::from));
        let stop = &sampling.stop;
        put("stop", (!stop.is_empty()).then(|| json!(stop)));
        put("seed", sampling.seed.map(Value::from));
        let effort = sampling.effort.map(|effort| effort.name());
        put("reasoning_effort", effort.map(Value::from));
        let wants_json = sampling.form == ReplyForm::Json;
        let format = wants_json.then(|| json!({ "type": "json_object" }));
        put("response_format", format);
        if stream == Stream::Pieces {
            put("stream", Some(true.into()));
            let options = json!({ "include_usage": true });
            put("stream_options", settled.takes(Parameter::StreamOptions).then_some(options));
        }
        body.into()
    }
}

/// For models that are strict about roles: one side after the other, the rules apart or within the first message.
fn in_turns(messages: &[Rendered], pictures: &Pictures, takes_rules: bool) -> Vec<Value> {
    let rules = match takes_rules {
        true => Rules::Apart,
        false => Rules::Within,
    };
    let dialogue = Dialogue::new(messages, rules);
    let rules = dialogue.system.map(|text| json!({ "role": "system", "content": text }));
    let turns = dialogue.turns.iter().map(|turn| {
        let role = match turn.by {
            Side::User => "user",
            Side::Model => "assistant",
        };
        let texts: Option<Vec<&str>> = turn
            .parts
            .iter()
            .map(|part| match part {
                ContentPart::Text(text) => Some(*text),
                ContentPart::Picture(_) => None,
            })
            .collect();
        let content = match texts {
            Some(texts) => texts.join("\n\n").into(),
            None => turn.parts.iter().map(|one| part(one, pictures)).collect::<Value>(),
        };
        json!({ "role": role, "content": content })
    });
    rules.into_iter().chain(turns).collect()
}

/// A text, or a list of parts where there are pictures.
fn content(message: &Rendered, pictures: &Pictures) -> Value {
    if message.pictures.is_empty() {
        return message.text.as_str().into();
    }
    let text = (!message.text.is_empty()).then_some(ContentPart::Text(&message.text));
    let shown = message.pictures.iter().map(ContentPart::Picture);
    text.into_iter().chain(shown).map(|one| part(&one, pictures)).collect()
}

fn part(part: &ContentPart<'_>, pictures: &Pictures) -> Value {
    match part {
        ContentPart::Text(text) => json!({ "type": "text", "text": text }),
        ContentPart::Picture(picture) => {
            let url = picture::data_url(&pictures[&picture.digest]);
            json!({ "type": "image_url", "image_url": { "url": url } })
        }
    }
}
