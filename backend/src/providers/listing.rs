//! The list of a service's models: asked like a call, with its key, its limits and its care for secrets, and read leniently.

use std::time::Duration;

use serde_json::Value;
use turnwise_shared::effect::FailureClass;

use super::remote::Remote;
use super::wire_format::WireFormat;
use crate::services::body;
use crate::services::{Again, ProviderError};

/// The most bytes of a list that are read.
const LIST_BYTES: usize = 4_000_000;

/// The longest that a list is waited for.
pub const LIST_TIME: Duration = Duration::from_secs(20);

/// The longest name of a model, in bytes.
const LONGEST_NAME: usize = 200;

/// What became of the question for a list.
#[derive(Debug)]
pub enum Listing {
    /// The names of all models, sorted, each once.
    Models(Vec<String>),
    /// The service keeps no list.
    None,
}

impl<F: WireFormat> Remote<F> {
    /// Asks the service for its models, once.
    pub async fn models(&self) -> Result<Listing, ProviderError> {
        let time = LIST_TIME.min(self.total);
        let asked = tokio::time::timeout(time, self.ask_for_models());
        let outcome = asked.await.unwrap_or_else(|_| Err(ProviderError::too_late()));
        outcome.map_err(|miss| self.without_key(miss))
    }

    async fn ask_for_models(&self) -> Result<Listing, ProviderError> {
        let request = self.client.get(self.format.list_url());
        let request = self.format.signed(request, self.key.as_ref());
        // A list costs nothing, so one that comes late is not said to have been paid for.
        let failed = |error: &reqwest::Error| match error.is_timeout() && !error.is_connect() {
            true => ProviderError::too_late(),
            false => self.cut(error),
        };
        let mut response = request.send().await.map_err(|error| failed(&error))?;
        let status = response.status();
        if matches!(status.as_u16(), 404 | 405 | 501) {
            return Ok(Listing::None);
        }
        if !status.is_success() {
            return Err(self.refusal(response).await);
        }
        let most = LIST_BYTES.min(self.response_bytes);
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| failed(&error))? {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > most {
                return Err(unread("has more bytes than are read here"));
            }
        }
        let (bytes, bad) = body::unpacked(response.headers(), bytes, most);
        if let Some(bad) = bad {
            return Err(unread(&bad.to_string()));
        }
        let text = body::text(response.headers(), &bytes);
        let list = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok();
        let names = list.as_ref().and_then(names);
        let names = names.ok_or_else(|| unread("is no list of models"))?;
        let names = names.into_iter().filter(|name| !self.words.tells(name));
        Ok(Listing::Models(names.collect()))
    }
}

fn unread(why: &str) -> ProviderError {
    ProviderError {
        again: Again::Never,
        ..ProviderError::new(FailureClass::Undecodable, format!("the service's answer {why}"))
    }
}

/// The names in a list as services write it: objects with an `id` or a `name` under `data` or `models`, or the list itself. What cannot be
/// a name is passed over.
fn names(list: &Value) -> Option<Vec<String>> {
    let all = ["data", "models"].iter().find_map(|key| list.get(key));
    let all = all.unwrap_or(list).as_array()?;
    let name = |one: &Value| {
        let name = one.get("id").or_else(|| one.get("name")).unwrap_or(one);
        let name = name.as_str()?;
        // One service writes the collection before the name.
        Some(name.strip_prefix("models/").unwrap_or(name).to_owned())
    };
    let is_name = |name: &String| {
        (1..=LONGEST_NAME).contains(&name.len()) && !name.chars().any(char::is_control)
    };
    let mut names: Vec<_> = all.iter().filter_map(name).filter(is_name).collect();
    names.sort();
    names.dedup();
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lists_are_read_as_services_write_them() {
        let wanted = Some(vec!["a".to_owned(), "org/b".to_owned()]);
        for list in [
            json!({ "object": "list", "data": [{ "id": "org/b" }, { "id": "a" }, { "id": "a" }] }),
            json!({ "models": [{ "name": "models/a" }, { "name": "models/org/b" }] }),
            json!([{ "id": "a" }, "org/b", 7, { "id": "" }, { "id": "with\nbreak" }, { "id": "x".repeat(201) }]),
        ] {
            assert_eq!(names(&list), wanted, "{list}");
        }
        for junk in [json!({ "error": "no" }), json!(3), json!({ "data": "a" })] {
            assert_eq!(names(&junk), None, "{junk}");
        }
    }
}
