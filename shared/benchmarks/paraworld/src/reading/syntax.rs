//! How models write calls, and what each way is turned into: a name and its arguments (specification 5.3).

use std::ops::Range;

use super::player::Calling;
use super::spans::{between, loads, stripped};
use turnwise_core::prelude::*;
use turnwise_core::python::{is_space, strip};

pub const TOOL: &str = "web_search";

choices! {
    /// A way of writing calls. Chosen in setting `custom`; the others use the default.
    pub enum Syntax {
        Default = "default" => "JSON between tool_call tags",
        /// Special tokens around `function`, a name and fenced JSON.
        Deepseek = "deepseek" => "DeepSeek",
        /// `<tool_call>name` with pairs of `arg_key` and `arg_value`.
        Glm4 = "glm4" => "GLM-4",
        /// `<minimax:tool_call>` around `<invoke name="…">` and `<parameter name="…">`.
        Minimax = "minimax" => "MiniMax",
        Qwen35 = "qwen35" => "Qwen 3.5",
        KimiK2 = "kimi_k2" => "Kimi K2",
    }
}

/// A call as it stands in a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Where it stands with its tags, in bytes.
    pub span: Range<usize>,
    pub body: Body,
}

/// What a call consists of.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// Text that should be a JSON object with `name` and `arguments`; [`dispatch`](super::dispatch) decodes it.
    Json(String),
    Built {
        name: String,
        arguments: Json,
    },
}

impl Syntax {
    /// The calls of a text, from left to right. Those of other syntaxes that cannot be decoded are left out, except that
    /// one after the other under `reference` the last one counts, decodable or not.
    pub fn calls(self, text: &str, calling: Calling, profile: Profile) -> Vec<Call> {
        let found = match self {
            Syntax::Default if profile == Profile::Reference => return default_calls(text),
            Syntax::Default => return closed_calls(text),
            Syntax::Deepseek => deepseek(text, profile),
            Syntax::Glm4 => glm4(text, profile),
            Syntax::Minimax => minimax(text, profile),
            Syntax::Qwen35 => qwen35(text, profile),
            Syntax::KimiK2 => kimi_k2(text, profile),
        };
        if calling == Calling::Sequential
            && profile == Profile::Reference
            && matches!(found.last(), Some((_, None)))
        {
            return Vec::new();
        }
        let decoded = found.into_iter().filter_map(|(span, body)| {
            let body = body?;
            Some(Call { span, body })
        });
        decoded.collect()
    }

    /// Whether a call is begun somewhere in a text.
    pub fn begins(self, text: &str) -> bool {
        let tags: &[&str] = match self {
            Syntax::Default | Syntax::Glm4 | Syntax::Qwen35 => &["<tool_call>"],
            Syntax::Deepseek => &["<|tool▁call▁begin|>", "<｜tool▁call▁begin｜>"],
            Syntax::Minimax => &["<minimax:tool_call>"],
            Syntax::KimiK2 => &["<|tool_call_begin|>"],
        };
        tags.iter().any(|tag| text.contains(tag))
    }
}

/// Begins a call in the default syntax.
pub(super) const OPEN: &str = "<tool_call>";
pub(super) const CLOSE: &str = "</tool_call>";

type Found = Vec<(Range<usize>, Option<Body>)>;

/// From an opening tag, white space and a brace on: the shortest text that ends in a brace, white space and a closing tag.
fn default_calls(text: &str) -> Vec<Call> {
    let mut calls = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].find(OPEN) {
        let open = at + found;
        at = open + OPEN.len();
        let inside = text[at..].trim_start_matches(is_space);
        if !inside.starts_with('{') {
            continue;
        }
        let brace = text.len() - inside.len();
        let closing = inside.match_indices(CLOSE).find_map(|(close, _)| {
            let body = inside[..close].trim_end_matches(is_space);
            body.ends_with('}').then_some((body, brace + close))
        });
        // Where nothing closes this one, nothing closes a later one either.
        let Some((body, close)) = closing else { break };
        at = close + CLOSE.len();
        calls.push(Call { span: open..at, body: Body::Json(body.to_owned()) });
    }
    calls
}

/// Whatever stands between an opening tag and the next closing one: a broken call does not swallow the next. Of several opening tags
/// before a closing one the first counts after which a value in JSON and nothing else stands, else the last.
fn closed_calls(text: &str) -> Vec<Call> {
    between(text, OPEN, CLOSE)
        .map(|span| {
            let starts = opened(text, span.clone());
            let whole =
                starts.iter().find(|start| loads(strip(&text[**start..span.end])).is_some());
            let start = *whole.or(starts.last()).unwrap_or(&span.start);
            Call {
                body: Body::Json(strip(&text[start..span.end]).to_owned()),
                span: start - OPEN.len()..span.end + CLOSE.len(),
            }
        })
        .collect()
}

/// The most opening tags that are looked at before one closing tag.
const MOST_OPENED: usize = 16;

/// Where calls begin that a closing tag can close: the span's own, and others that are opened within it, of many the last ones.
fn opened(text: &str, span: Range<usize>) -> Vec<usize> {
    let inside = &text[span.clone()];
    let tags = inside.rmatch_indices(OPEN).take(MOST_OPENED);
    let mut starts: Vec<usize> = tags.map(|(at, _)| span.start + at + OPEN.len()).collect();
    starts.push(span.start);
    starts.reverse();
    starts
}

/// What stands between tags, of which under `strict` the last opening one before a closing one counts.
fn innermost(text: &str, profile: Profile) -> impl Iterator<Item = Range<usize>> + '_ {
    between(text, OPEN, CLOSE).map(move |span| match profile {
        Profile::Strict => opened(text, span.clone()).pop().unwrap_or(span.start)..span.end,
        Profile::Reference => span,
    })
}

fn deepseek(text: &str, profile: Profile) -> Found {
    // The authors' pattern has ASCII bars; the tokens that models write have U+FF5C.
    let bars: &[char] = match profile {
        Profile::Reference => &['|'],
        Profile::Strict => &['|', '｜'],
    };
    let mut found: Found = bars
        .iter()
        .flat_map(|bar| {
            let open = format!("<{bar}tool▁call▁begin{bar}>");
            let middle = format!("<{bar}tool▁sep{bar}>");
            let close = format!("<{bar}tool▁call▁end{bar}>");
            let spans: Vec<_> = between(text, &open, &close).collect();
            spans
                .into_iter()
                .map(move |span| {
                    let body = deepseek_body(&text[span.clone()], &middle);
                    (span.start - open.len()..span.end + close.len(), body)
                })
                .collect::<Vec<_>>()
        })
        .collect();
    found.sort_by_key(|(span, _)| span.start);
    found
}

fn deepseek_body(inner: &str, middle: &str) -> Option<Body> {
    let rest = strip(inner).strip_prefix("function")?;
    let rest = strip(rest).strip_prefix(middle)?;
    let (name, rest) = rest.split_once('\n')?;
    let fenced = strip(rest).strip_prefix("```")?.strip_suffix("```")?;
    let json = fenced.strip_prefix("json").unwrap_or(fenced);
    built(strip(name), loads(strip(json))?)
}

fn built(name: &str, arguments: Json) -> Option<Body> {
    (!name.is_empty()).then(|| Body::Built { name: name.to_owned(), arguments })
}

/// The value, decoded where it is JSON.
fn decoded(value: &str) -> Json {
    loads(value).unwrap_or_else(|| Json::from(value))
}

/// Arguments by name; of equal names the last value holds, in the first one's place.
fn arguments(pairs: Vec<(String, Json)>) -> Json {
    let mut kept: Vec<(String, Json)> = Vec::new();
    for (key, value) in pairs {
        match kept.iter_mut().find(|(name, _)| *name == key) {
            Some((_, old)) => *old = value,
            None => kept.push((key, value)),
        }
    }
    Json::Object(kept.into_iter().collect::<Object>())
}

fn glm4(text: &str, profile: Profile) -> Found {
    innermost(text, profile)
        .map(|span| {
            let inner = &text[span.clone()];
            let body = match profile {
                Profile::Reference => glm4_reference(inner),
                Profile::Strict => glm4_strict(inner),
            };
            (span.start - OPEN.len()..span.end + CLOSE.len(), body)
        })
        .collect()
}

/// As the authors' patterns read it: the name is what stands before the first `<` or `{`, be it white space only, and without
/// any there is no call, so that a JSON body on a line of its own has an empty name and one without a line break is none.
/// Keys and values are found apart, none over line breaks, and put together in their order.
fn glm4_reference(inner: &str) -> Option<Body> {
    let end = inner.find(['<', '{']).unwrap_or(inner.len());
    let keys = on_one_line(inner, "<arg_key>", "</arg_key>");
    let values = on_one_line(inner, "<arg_value>", "</arg_value>");
    let pairs = keys.zip(values).map(|(key, value)| (key.to_owned(), decoded(value)));
    (end > 0).then(|| Body::Built {
        name: strip(&inner[..end]).to_owned(),
        arguments: arguments(pairs.collect()),
    })
}

/// What stands between tags on one line: what `open(.*?)close` finds where the dot is no line break.
fn on_one_line<'a>(text: &'a str, open: &'a str, close: &'a str) -> impl Iterator<Item = &'a str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let (_, after) = rest.split_once(open)?;
            let line = after.split('\n').next().unwrap_or(after);
            match line.split_once(close) {
                Some((found, _)) => {
                    rest = &after[found.len() + close.len()..];
                    return Some(found);
                }
                None => rest = after,
            }
        }
    })
}

fn glm4_strict(inner: &str) -> Option<Body> {
    let name_end = inner.find(['<', '\n']).unwrap_or(inner.len());
    let name = strip(&inner[..name_end]);
    let mut pairs = Vec::new();
    let mut rest = &inner[name_end..];
    while let Some((key, value, after)) = glm4_pair(rest) {
        pairs.push((strip(key).to_owned(), decoded(strip(value))));
        rest = after;
    }
    built(name, arguments(pairs))
}

fn glm4_pair(text: &str) -> Option<(&str, &str, &str)> {
    let (_, rest) = text.split_once("<arg_key>")?;
    let (key, rest) = rest.split_once("</arg_key>")?;
    let (_, rest) = rest.split_once("<arg_value>")?;
    let (value, rest) = rest.split_once("</arg_value>")?;
    Some((key, value, rest))
}

fn minimax(text: &str, profile: Profile) -> Found {
    let (open, close) = ("<minimax:tool_call>", "</minimax:tool_call>");
    let spans = between(text, open, close);
    spans
        .flat_map(|span| {
            let inner = &text[span.clone()];
            let invokes: Vec<&str> = inner.split("<invoke name=\"").skip(1).collect();
            let read = |invoke: &str| {
                let (name, rest) = invoke.split_once("\">")?;
                let parameters = rest.split("<parameter name=\"").skip(1);
                let pairs = parameters.filter_map(|parameter| {
                    let (key, rest) = parameter.split_once("\">")?;
                    let (value, _) = rest.split_once("</parameter>")?;
                    Some((key.to_owned(), decoded(strip(value))))
                });
                Some((name.to_owned(), pairs.collect::<Vec<_>>()))
            };
            let whole = span.start - open.len()..span.end + close.len();
            let read: Vec<_> = invokes.into_iter().map(read).collect();
            if profile == Profile::Strict && !read.is_empty() {
                let each = read.into_iter().map(|invoke| {
                    let body = invoke.and_then(|(name, pairs)| built(&name, arguments(pairs)));
                    (whole.clone(), body)
                });
                return each.collect::<Vec<_>>();
            }
            // Two invokes in one wrapper merge.
            let mut read = read.into_iter().flatten();
            let body = read.next().and_then(|(name, mut pairs)| {
                pairs.extend(read.flat_map(|(_, more)| more));
                built(&name, arguments(pairs))
            });
            vec![(whole, body)]
        })
        .collect()
}

fn qwen35(text: &str, profile: Profile) -> Found {
    innermost(text, profile)
        .map(|span| {
            let body = qwen35_body(&text[span.clone()]);
            (span.start - OPEN.len()..span.end + CLOSE.len(), body)
        })
        .collect()
}

fn qwen35_body(inner: &str) -> Option<Body> {
    let (_, rest) = inner.split_once("<function=")?;
    let (name, rest) = rest.split_once('>')?;
    let (rest, _) = rest.split_once("</function>")?;
    let pairs = rest
        .split("<parameter=")
        .skip(1)
        .filter_map(|parameter| {
            let (key, rest) = parameter.split_once('>')?;
            let (value, _) = rest.split_once("</parameter>")?;
            Some((strip(key).to_owned(), decoded(strip(value))))
        })
        .collect();
    built(strip(name), arguments(pairs))
}

fn kimi_k2(text: &str, profile: Profile) -> Found {
    let (open, middle, close) =
        ("<|tool_call_begin|>", "<|tool_call_argument_begin|>", "<|tool_call_end|>");
    let spans = between(text, open, close);
    spans
        .map(|span| {
            let body = text[span.clone()].split_once(middle).and_then(|(id, json)| {
                let arguments = loads(strip(json))?;
                let name = match profile {
                    Profile::Reference => TOOL,
                    Profile::Strict => kimi_name(strip(id)),
                };
                built(name, arguments)
            });
            (span.start - open.len()..span.end + close.len(), body)
        })
        .collect()
}

/// The name in an id such as `functions.web_search:0`; an id without a name means the one tool.
fn kimi_name(id: &str) -> &str {
    let name = id.split_once(':').map_or(id, |(name, _)| name);
    let name = name.strip_prefix("functions.").unwrap_or(name);
    let is_name = name.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && !name.starts_with("call")
        && !name.starts_with("chatcmpl");
    if is_name { name } else { TOOL }
}

/// Puts right what models of the GLM family leave out: stop tokens at the end are cut, and a call that was opened, never
/// closed and ends with a JSON object gets its closing tag. `None` if there is nothing to put right.
pub fn mend_glm(text: &str) -> Option<String> {
    let mut kept = strip(text);
    while let Some(rest) =
        ["<|observation|>", "<|user|>"].iter().find_map(|token| kept.strip_suffix(token))
    {
        kept = strip(rest);
    }
    let open = kept.rfind(OPEN)? + OPEN.len();
    let tail = &kept[stripped(kept, open..kept.len())];
    let unclosed = !tail.contains(CLOSE);
    let is_object = unclosed && matches!(loads(tail), Some(Json::Object(_)));
    is_object.then(|| format!("{kept}{CLOSE}"))
}
