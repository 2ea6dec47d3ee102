//! What a refusal is about: one prompt, money, the key, the account's right to a model, a region, a model that is still being
//! loaded. Services tell it by codes, types, sentences, numbers, nested errors or pages of HTML, under almost any status.
//!
//! Codes are compared without case and punctuation, so `INSUFFICIENT_BALANCE` and `insufficient-balance` are one. Sentences are
//! read only where no code tells, and only of what stands in the place of an answer, never of an answer.

use serde_json::Value;

/// What a refusal is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// A filter or a policy refused this one prompt, or the reply to it.
    Prompt,
    /// No credit is left, or the quota of a day or longer is used up.
    Money,
    /// The key is wrong, has run out, or is shut out.
    Key,
    /// This account may not use this model.
    Model,
    /// The service is not offered where this server is.
    Region,
    /// The model is being loaded.
    Loading,
}

/// Codes of filters and policies, without case and punctuation; a part of the code suffices.
const PROMPT_CODES: &[&str] = &[
    "contentfilter",
    "contentpolicy",
    "contentmoderation",
    "contentsafety",
    "contentsecurity",
    "contentviolation",
    "contentblocked",
    "contentrisk",
    "riskcontent",
    "contentexistsrisk",
    "policyviolation",
    "policyviolated",
    "responsibleai",
    "datainspection",
    "sensitive",
    "moderation",
    "flagged",
    "promptblocked",
    "inputblocked",
    "outputblocked",
    "safetyfilter",
    "safetyviolation",
    "safetyblock",
    "blockedbysafety",
    "prohibitedcontent",
    "jailbreak",
    "inappropriate",
    "harmful",
    "guardrail",
    "unsafe",
    "invalidprompt",
    "promptinjection",
    "illegalcontent",
    "cyberpolicy",
];

/// Numbers of services that tell by a number alone: Zhipu, MiniMax (what was asked, what was answered).
const PROMPT_NUMBERS: &[&str] = &["1301", "1026", "1027"];

/// What filters say, in lower case.
const PROMPT_PHRASES: &[&str] = &[
    "content filter",
    "content_filter",
    "content policy",
    "content policies",
    "content management policy",
    "content moderation",
    "policy for content",
    "usage policy",
    "usage policies",
    "acceptable use",
    "safety filter",
    "safety system",
    "safety policy",
    "safety guideline",
    "safety reasons",
    "safety check",
    "community guidelines",
    "filtering policy",
    "moderation",
    "flagged",
    "guardrail",
    "inappropriate content",
    "inappropriate",
    "content exists risk",
    "sensitive content",
    "sensitive information",
    "sensitive word",
    "unsafe content",
    "harmful",
    "prohibited content",
    "prohibited use",
    "prompt was blocked",
    "prompt is blocked",
    "prompt has been blocked",
    "prompt blocked",
    "input was blocked",
    "input is blocked",
    "input blocked",
    "output blocked",
    "output was blocked",
    "response was blocked",
    "request was blocked",
    "request blocked",
    "request has been blocked",
    "blocked by policy",
    "jailbreak",
    "prompt injection",
    "data inspection",
    "不安全",
    "敏感",
    "违规",
    "安全审核",
    "内容审核",
];

/// What is violated if a sentence speaks of violating something.
const RULES: &[&str] = &[
    "policy",
    "policies",
    "terms",
    "guideline",
    "rules",
    "safety",
];

/// What is done to accounts and keys, not to prompts.
const SHUT: &[&str] = &["suspend", "disabled", "deactivat", "banned", "terminated"];

const MONEY_CODES: &[&str] = &[
    "insufficientquota",
    "insufficientuserquota",
    "insufficientbalance",
    "balanceinsufficient",
    "insufficientfund",
    "insufficientcredit",
    "insufficientaccountbalance",
    "currentquota",
    "billing",
    "arrear",
    "overdue",
    "paymentrequired",
    "outofcredit",
    "nocredit",
    "notenoughcredit",
    "notenoughbalance",
    "notenoughquota",
    "quotanotenough",
    "creditbalance",
    "creditsexhausted",
    "balanceexhausted",
    "exhaustedbalance",
    "outofquota",
    "quotaexceeded",
    "exceededquota",
    "quotaexhausted",
    "freetieronly",
    "spendlimit",
    "spendinglimit",
    "usagelimitreached",
    "usagelimitexceeded",
    "monthlylimit",
    "dailylimit",
    "resourcepackexhausted",
    "prepaidbill",
    "postpaidbill",
    "perday",
    "permonth",
];

/// Zhipu, MiniMax.
const MONEY_NUMBERS: &[&str] = &["1113", "1008"];

const MONEY_PHRASES: &[&str] = &[
    "good standing",
    "in arrears",
    "arrearage",
    "overdue payment",
    "hard limit",
    "billing is not active",
    "billing not active",
    "billing has not been enabled",
    "plan and billing",
    "plans & billing",
    "billing details",
    "payment required",
    "payment is required",
    "free tier is exhausted",
    "free tier of the model has been exhausted",
    "spending limit",
    "spend limit",
    "usage limit",
    "exceeded your current quota",
    "exceeded your quota",
    "exceeded the quota",
    "quota exhausted",
    "quota is exhausted",
    "quota has been exhausted",
    "exhausted your quota",
    "please recharge",
    "top up your",
    "余额不足",
    "欠费",
    "请充值",
    "额度不足",
    "额度已用尽",
    "资源包",
];

/// Things of which too little can be left; `quota` is among them, but is also said of the calls of a minute.
const GOODS: &[&str] = &[
    "balance", "credit", "credits", "fund", "funds", "money", "quota",
];

/// Words that, with one of the goods near it, say that too little is left.
const GONE: &[&str] = &[
    "insufficient",
    "not enough",
    "too low",
    "not sufficient",
    "run out",
    "ran out",
    "out of",
    "depleted",
    "used up",
    "no remaining",
    "no more",
    "is zero",
    "is negative",
    "has no",
    "have no",
    "lacks",
];

/// Spans of a quota that waiting for a moment does not mend.
const LONG_SPANS: &[&str] = &[
    "per day",
    "per-day",
    "day",
    "daily",
    "a day",
    "rpd",
    "tpd",
    "per month",
    "monthly",
    "weekly",
    "today",
];

/// What is limited for such a span.
const LIMITS: &[&str] = &[
    "limit",
    "quota",
    "requests",
    "tokens",
    "exceeded",
    "allowance",
];

/// A quota of a moment: it is fresh soon.
const SHORT_SPANS: &[&str] = &[
    "per minute",
    "per-minute",
    "/min",
    "per min",
    "per second",
    "rpm",
    "tpm",
    "perminute",
    "persecond",
];

const KEY_CODES: &[&str] = &[
    "apikeyinvalid",
    "apikeyexpired",
    "invalidapikey",
    "invalidkey",
];

const REGION_CODES: &[&str] = &[
    "unsupportedcountry",
    "unsupportedregion",
    "unsupportedlocation",
    "unsupportedterritory",
    "countrynot",
    "regionnot",
    "locationnot",
    "countryblocked",
    "regionblocked",
    "regionrestrict",
    "georestrict",
    "geoblock",
    "territory",
];

const PLACES: &[&str] = &[
    "country",
    "countries",
    "region",
    "regions",
    "territory",
    "location",
    "jurisdiction",
];

const PLACE_PHRASES: &[&str] = &["地区", "区域"];

/// What is said of a place that is not served.
const NOT_SERVED: &[&str] = &[
    "not supported",
    "unsupported",
    "not available",
    "unavailable",
    "not served",
    "not allowed",
    "not permitted",
    "not offered",
    "not serve",
    "not support",
    "restricted",
    "blocked",
    "prohibited",
    "forbidden",
    "denied",
    "不支持",
    "不可用",
];

const MODEL_CODES: &[&str] = &[
    "modelnotfound",
    "modelaccess",
    "modelnotallowed",
    "modelnotpermitted",
    "modelpermission",
    "modelnotavailable",
    "modelnotopen",
    "modelforbidden",
    "accesstomodel",
];

const MODELS: &[&str] = &["model", "models", "deployment"];

/// What is said of a right that is missing.
const NO_RIGHT: &[&str] = &[
    "access",
    "allowed",
    "may not",
    "permission",
    "permitted",
    "authorized",
    "authorised",
    "enabled",
    "entitled",
    "verified",
    "available",
    "subscri",
    "upgrade",
    "activate",
    "whitelist",
    "allowlist",
    "未开通",
    "无权",
];

/// Those who have rights.
const ACCOUNTS: &[&str] = &[
    "account",
    "organization",
    "organisation",
    "project",
    "subscription",
    "plan",
    "tier",
    "team",
    "workspace",
];

/// What is said where they lack one.
const NOT_ENTITLED: &[&str] = &[
    "access",
    "not allowed",
    "may not",
    "not permitted",
    "not include",
    "upgrade",
    "verified",
    "entitled",
];

const LOADING: &[&str] = &[
    "loading",
    "being loaded",
    "not loaded yet",
    "not yet loaded",
    "warming up",
    "starting up",
    "cold start",
    "is starting",
    "not ready",
    "spinning up",
];

/// Fields that repeat what was asked, which tells nothing about the refusal.
const ECHOES: &[&str] = &[
    "input",
    "inputs",
    "prompt",
    "messages",
    "contents",
    "request",
    "failed_generation",
    "body",
    "user_id",
];

/// Fields that hold words or numbers for programs.
const CODES: &[&str] = &[
    "code",
    "type",
    "status",
    "reason",
    "reasons",
    "error_code",
    "errorcode",
    "err_code",
    "errcode",
    "status_code",
    "statuscode",
    "quotaid",
    "blockreason",
    "kind",
    "name",
    "category",
    "error",
];

/// So deep an error is looked into.
const DEEPEST: u32 = 12;

/// What stands in an error: its codes without case and punctuation, and all of its texts in lower case.
#[derive(Debug, Default)]
pub struct Told {
    codes: Vec<String>,
    /// All texts, a line each, in lower case.
    pub said: String,
    /// Whether the service says that it can be asked again within moments.
    is_soon: bool,
}

impl Told {
    /// Reads an error.
    pub fn of(body: &Value) -> Self {
        let mut told = Told::default();
        told.take("", body, 0);
        told.said = told.said.to_lowercase();
        told
    }

    fn take(&mut self, field: &str, value: &Value, depth: u32) {
        if depth > DEEPEST {
            return;
        }
        let plain: String = field.to_lowercase();
        match value {
            Value::String(text) => {
                // A service in front of another one repeats its error as a text.
                if let Some(inner) = as_object(text) {
                    self.take(field, &inner, depth + 1);
                    return;
                }
                if plain == "blockreason" || plain == "block_reason" {
                    self.codes.push("promptblocked".to_owned());
                }
                if CODES.contains(&plain.as_str()) && text.len() <= 80 {
                    self.codes.push(bare(text));
                }
                self.said.push_str(text);
                self.said.push('\n');
            }
            Value::Number(number) if CODES.contains(&plain.as_str()) => {
                self.codes.push(number.to_string());
            }
            Value::Bool(true)
                if matches!(
                    plain.as_str(),
                    "flagged" | "filtered" | "blocked" | "moderated"
                ) =>
            {
                self.codes.push("flagged".to_owned());
            }
            Value::Array(items) => items
                .iter()
                .for_each(|item| self.take(field, item, depth + 1)),
            Value::Object(fields) => {
                for (name, item) in fields {
                    let is_flag = name.starts_with("flagged_")
                        || (name == "reasons"
                            && item.as_array().is_some_and(|all| !all.is_empty()));
                    if is_flag {
                        self.codes.push("flagged".to_owned());
                    }
                    self.is_soon |= name == "retryDelay" || name == "retry_delay";
                    if !ECHOES.contains(&name.as_str()) {
                        self.take(name, item, depth + 1);
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// Whether a code has one of these parts.
    pub fn has_code(&self, parts: &[&str]) -> bool {
        self.codes
            .iter()
            .any(|code| parts.iter().any(|part| code.contains(part)))
    }

    fn is_numbered(&self, numbers: &[&str]) -> bool {
        self.codes
            .iter()
            .any(|code| numbers.contains(&code.as_str()))
    }

    /// Whether a text has one of these phrases.
    pub fn says(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.said.contains(phrase))
    }

    /// Whether one of these words stands in a text with nothing of a word around it.
    pub fn has_word(&self, words: &[&str]) -> bool {
        words.iter().any(|word| has_word(&self.said, word))
    }

    /// Whether one of these words stands in the same sentence as one of these phrases.
    fn together(&self, words: &[&str], phrases: &[&str]) -> bool {
        let ends = |sign: char| matches!(sign, '.' | '!' | '?' | ';' | '\n' | '。' | '！');
        self.said.split(ends).any(|sentence| {
            words.iter().any(|word| has_word(sentence, word))
                && phrases.iter().any(|phrase| sentence.contains(phrase))
        })
    }
}

/// What a refusal with this status and this body is about; `None` if neither tells. A status of success is one that should
/// have been another one.
pub fn about(status: u16, body: &Value) -> Option<About> {
    let told = Told::of(body);
    let is_busy = matches!(status, 408 | 429);
    // An account that is shut is no prompt that is refused, whatever it is shut for.
    let is_shut = told.together(&["account", "organization", "organisation", "key"], SHUT);
    if status != 401
        && (told.has_code(PROMPT_CODES) || told.is_numbered(PROMPT_NUMBERS))
        && !is_shut
    {
        return Some(About::Prompt);
    }
    if is_about_money(status, &told) {
        return Some(About::Money);
    }
    if told.has_code(REGION_CODES) {
        return Some(About::Region);
    }
    if status == 401 || told.has_code(KEY_CODES) {
        return Some(About::Key);
    }
    let may_be_a_filter = !is_busy && !matches!(status, 404 | 413 | 502..=504);
    if may_be_a_filter
        && !is_shut
        && (told.says(PROMPT_PHRASES)
            || told.together(&["violate", "violates", "violating", "violation"], RULES))
    {
        return Some(About::Prompt);
    }
    if !is_busy
        && (told.together(PLACES, NOT_SERVED) || told.together_phrases(PLACE_PHRASES, NOT_SERVED))
    {
        // Of a model that is not offered in a data centre, services speak of the model.
        let is_of_the_place = matches!(status, 400 | 403 | 451) || status < 300;
        if is_of_the_place {
            return Some(About::Region);
        }
    }
    if status == 403 {
        let is_of_the_account =
            told.together(ACCOUNTS, NOT_ENTITLED) && !told.says(&["key", "token", "credential"]);
        if told.has_code(MODEL_CODES) || told.together(MODELS, NO_RIGHT) || is_of_the_account {
            return Some(About::Model);
        }
        return Some(About::Key);
    }
    if matches!(status, 400 | 404)
        && (told.says(&["must be verified"])
            || (told.has_word(MODELS)
                && told.says(&[
                    "not have access",
                    "no access",
                    "access denied",
                    "no permission",
                ])
                && !told.says(&["not exist", "not found"])))
    {
        return Some(About::Model);
    }
    if status == 451 {
        return Some(About::Region);
    }
    let may_be_loading = matches!(status, 409 | 425 | 429 | 500 | 502..=504);
    if may_be_loading && LOADING.iter().any(|word| has_word(&told.said, word)) {
        return Some(About::Loading);
    }
    None
}

impl Told {
    fn together_phrases(&self, phrases: &[&str], others: &[&str]) -> bool {
        self.says(phrases) && self.says(others)
    }
}

/// Whether money or the quota of a long span is gone. The quota of a minute is none of it: 429 and "quota exceeded" are also
/// said of calls that come too fast.
fn is_about_money(status: u16, told: &Told) -> bool {
    if status == 402 || told.is_numbered(MONEY_NUMBERS) {
        return true;
    }
    let is_of_a_moment =
        told.is_soon || told.says(SHORT_SPANS) || told.has_code(&["perminute", "persecond"]);
    let is_of_long = told.has_code(&["perday", "permonth", "dailylimit", "monthlylimit"]);
    if is_of_long || (told.has_code(MONEY_CODES) && !is_of_a_moment) {
        return true;
    }
    if matches!(status, 401 | 404) {
        return false;
    }
    let may_be_limited = matches!(status, 400 | 403 | 429 | 500 | 503) || status < 300;
    let of_a_day = told.has_word(LONG_SPANS) && told.says(LIMITS);
    if may_be_limited && of_a_day {
        return true;
    }
    !is_of_a_moment && (told.says(MONEY_PHRASES) || told.together(GOODS, GONE))
}

/// What a page of HTML in the place of an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Page {
    /// Something before the service refused this one request.
    Refused,
    /// It wants to see a person, or shuts this address out.
    Machine,
    /// Anything else.
    Other,
}

/// Whether a body is a page, and not JSON with another type.
pub fn is_page(content_type: &str, body: &[u8]) -> bool {
    let begins = body.trim_ascii_start();
    let has_tag = |tag: &[u8]| {
        begins
            .get(..tag.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(tag))
    };
    content_type.to_lowercase().contains("html") || has_tag(b"<!doctype html") || has_tag(b"<html")
}

/// What firewalls say where they refuse a request for what stands in it; no page that anybody visits says so.
const FIREWALLS: &[&str] = &[
    "request blocked",
    "request was blocked",
    "request has been blocked",
    "has been blocked",
    "have been blocked",
    "blocked by",
    "firewall",
    "not acceptable",
    "mod_security",
    "modsecurity",
    "request rejected",
    "was rejected",
    "rejected by",
    "support id",
    "incident id",
    "incapsula",
    "potential threat",
    "malicious",
    "request unsuccessful",
    "拦截",
];

/// What is said to machines, and to addresses that are shut out.
const MACHINES: &[&str] = &[
    "captcha",
    "just a moment",
    "verify you are human",
    "verify that you are human",
    "checking your browser",
    "are you a robot",
    "not a robot",
    "unusual traffic",
    "enable javascript and cookies",
    "ip address has been",
    "ip has been",
    "error 1020",
    "error code: 1020",
];

/// What a page with this status is. Firewalls that refuse one text say so under 403 and its like, but also under 200.
pub fn page(status: u16, body: &[u8]) -> Page {
    let text = String::from_utf8_lossy(body).to_lowercase();
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| text.contains(phrase));
    // A firewall that names words among what may have met a rule also shows the caller's address.
    let of_words = says(&["certain word", "malformed data", "sql command"]);
    let is_plausible = matches!(status, 200..=299 | 403 | 429 | 503);
    match status {
        _ if of_words => Page::Refused,
        _ if is_plausible && says(MACHINES) => Page::Machine,
        403 | 406 | 418 | 451 => Page::Refused,
        200..=299 | 400 | 405 | 409 | 422 | 501 if says(FIREWALLS) => Page::Refused,
        _ => Page::Other,
    }
}

/// The title of a page, or how it begins, in one line.
pub fn page_words(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let lower = text.to_ascii_lowercase();
    let between = |open: &str, close: &str| {
        let from = lower.find(open)? + open.len();
        let from = from + lower[from..].find('>')? + 1;
        let to = from + lower[from..].find(close)?;
        let inner = plain(&text[from..to]);
        (!inner.is_empty()).then_some(inner)
    };
    let title = between("<title", "</title>");
    let heading = between("<h1", "</h1>");
    match (title, heading) {
        (Some(title), Some(heading)) if title != heading => format!("{title}. {heading}"),
        (Some(one), _) | (None, Some(one)) => one,
        (None, None) => plain(&text),
    }
}

/// A text without tags, its words one blank apart.
fn plain(html: &str) -> String {
    let mut inside = false;
    let text: String = html
        .chars()
        .filter_map(|sign| match sign {
            '<' => {
                inside = true;
                Some(' ')
            }
            '>' if inside => {
                inside = false;
                None
            }
            _ if inside => None,
            sign => Some(sign),
        })
        .collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Fields that hold a sentence for people, best first.
const SENTENCES: &[&str] = &[
    "message",
    "msg",
    "detail",
    "error_description",
    "status_msg",
    "error_msg",
    "errormessage",
    "errmsg",
    "description",
    "error",
    "blockreasonmessage",
    "title",
];

/// The service's own sentence in an error, and that of the service behind it, if it repeats one.
pub fn sentence(body: &Value) -> Option<String> {
    let mut found = Vec::new();
    sentences(body, &mut found, 0);
    found.dedup();
    (!found.is_empty()).then(|| found.join("; "))
}

fn sentences(value: &Value, found: &mut Vec<String>, depth: u32) {
    if depth > DEEPEST || found.len() >= 3 {
        return;
    }
    match value {
        Value::String(text) => match as_object(text) {
            Some(inner) => sentences(&inner, found, depth + 1),
            None if !text.trim().is_empty() => {
                found.push(text.split_whitespace().collect::<Vec<_>>().join(" "));
            }
            None => {}
        },
        Value::Array(items) => items
            .iter()
            .for_each(|item| sentences(item, found, depth + 1)),
        Value::Object(fields) => {
            for wanted in SENTENCES {
                let of_name = fields
                    .iter()
                    .find(|(name, _)| name.to_lowercase() == **wanted);
                if let Some((_, item)) = of_name {
                    sentences(item, found, depth + 1);
                    if matches!(item, Value::String(_)) {
                        break;
                    }
                }
            }
            for nested in ["metadata", "raw", "base_resp", "promptFeedback", "error"] {
                match fields.get(nested) {
                    Some(item @ (Value::Object(_) | Value::String(_)))
                        if nested != "error" || found.is_empty() =>
                    {
                        sentences(item, found, depth + 1);
                    }
                    _ => {}
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A text that is itself a JSON object.
fn as_object(text: &str) -> Option<Value> {
    let text = text.trim();
    if !text.starts_with('{') {
        return None;
    }
    serde_json::from_str(text).ok().filter(Value::is_object)
}

/// A code without case and punctuation.
fn bare(code: &str) -> String {
    code.chars()
        .filter(|sign| sign.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Whether a word stands in a text with nothing of a word around it.
pub fn has_word(text: &str, word: &str) -> bool {
    position(text, word).is_some()
}

/// Where a word stands first with nothing of a word around it.
pub fn position(text: &str, word: &str) -> Option<usize> {
    let goes_on = |sign: char| sign.is_alphanumeric() || sign == '_';
    text.match_indices(word)
        .map(|(at, _)| at)
        .find(|at| !text[..*at].ends_with(goes_on) && !text[at + word.len()..].starts_with(goes_on))
}

#[cfg(test)]
mod tests;
