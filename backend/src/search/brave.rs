//! Brave Search: `GET /res/v1/web/search` with `q`, `count` (to 20), `offset` (pages, to 9), `country`, `search_lang`. It
//! refuses languages and countries that are not on its lists, and queries above 400 signs or 50 words.

use serde_json::Value;
use turnwise_shared::prelude::*;

use super::locale::Locale;
use super::web::{AT_LEAST, Web, WebAnswer, no_list, text, undecodable};
use super::{WebEngine, shortened};
use crate::clock::now;
use crate::services::ProviderError;

/// The most results of a page.
const PAGE: usize = 20;
/// The most pages that one search asks for.
const PAGES: usize = 3;
/// The longest query, in signs and in words.
const LONGEST: (usize, usize) = (400, 50);

const COUNTRIES: &str = "AR AU AT BE BR CA CL DK FI FR DE GR HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US";
/// Languages that it takes under their own code; Chinese, Japanese, Norwegian and Portuguese have codes of its own.
const LANGUAGES: &str = "ar bg bn ca cs da de el en es et eu fi fr gl gu he hi hr hu is it kn ko lt lv ml mr ms nb nl pa pl ro ru sk sl sr sv ta te th tr uk vi";

pub struct Brave {
    pub web: Web,
}

impl Brave {
    fn refusal(&self, came: &WebAnswer) -> ProviderError {
        let body = came.object();
        let error = body.as_ref().and_then(|body| body.get("error"));
        let code = error.and_then(|error| text(error, "code")).unwrap_or_default();
        let known = match code {
            "SUBSCRIPTION_TOKEN_INVALID" | "SUBSCRIPTION_NOT_FOUND" => {
                Some(FailureClass::Unauthorised)
            }
            "RATE_LIMITED" => Some(FailureClass::RateLimited),
            code if code.contains("QUOTA") || code.contains("USAGE_LIMIT") => {
                Some(FailureClass::Quota)
            }
            _ => None,
        };
        let words = error.and_then(|error| text(error, "detail"));
        self.web.refusal(came, known, words)
    }
}

/// Whether an order of results is there, and names none of the web.
fn is_empty(mixed: &Value) -> bool {
    let main = mixed.get("main").and_then(Value::as_array);
    let mut main = main.into_iter().flatten();
    mixed.is_object() && !main.any(|part| text(part, "type") == Some("web"))
}

fn country(locale: &Locale) -> Option<&str> {
    locale.usual_region().filter(|region| COUNTRIES.split(' ').any(|one| one == *region))
}

fn language(locale: &Locale) -> Option<&str> {
    match (locale.language.as_str(), locale.region.as_deref()) {
        ("zh", _) if locale.is_traditional() => Some("zh-hant"),
        ("zh", _) => Some("zh-hans"),
        ("ja", _) => Some("jp"),
        ("no" | "nn", _) => Some("nb"),
        ("en", Some("GB")) => Some("en-gb"),
        ("pt", Some("BR")) => Some("pt-br"),
        ("pt", _) => Some("pt-pt"),
        (language, _) => LANGUAGES.split(' ').any(|one| one == language).then_some(language),
    }
}

impl WebEngine for Brave {
    fn web(&self) -> &Web {
        &self.web
    }

    async fn hits(&self, query: &Query, wanted: usize) -> Result<Vec<Hit>, ProviderError> {
        let mut hits = Vec::new();
        let looked_for = shortened(&query.text, LONGEST);
        let count = wanted.clamp(AT_LEAST, PAGE).to_string();
        let locale = query.locale.as_deref().and_then(Locale::read);
        let days =
            query.since.as_ref().zip(Day::of(now())).map(|(from, to)| format!("{from}to{to}"));
        for page in 0..PAGES {
            let offset = page.to_string();
            let mut parameters = vec![
                ("q", looked_for),
                ("count", count.as_str()),
                ("offset", offset.as_str()),
                ("text_decorations", "false"),
                ("result_filter", "web"),
            ];
            if let Some(locale) = &locale {
                parameters.extend(country(locale).map(|country| ("country", country)));
                parameters.extend(language(locale).map(|language| ("search_lang", language)));
            }
            parameters.extend(days.as_deref().map(|days| ("freshness", days)));
            let request = self.web.get(&parameters).header("accept", "application/json");
            let request = self.web.with_key(request, "X-Subscription-Token", "");
            let found = self.web.ask_for_object(query, request, |came| self.refusal(came)).await?;
            if text(&found, "type") != Some("search") {
                return Err(undecodable());
            }
            let results = match found.pointer("/web/results") {
                Some(Value::Array(results)) => results.as_slice(),
                // Where nothing was found the part is left out, and the order of all parts has none of it.
                None if is_empty(&found["mixed"]) => &[],
                Some(_) | None => return Err(no_list()),
            };
            let any = self.web.add(&mut hits, results, ["title", "description", "url"]);
            let more = found.pointer("/query/more_results_available") == Some(&Value::Bool(true));
            if hits.len() >= wanted || !more || !any {
                break;
            }
        }
        Ok(hits)
    }
}
