//! The right side: what was written, what it was taken for, what was put right, what was done, what was wrong, and what
//! came back. Each stands apart.

use turnwise_shared::note;

use super::block::{Fold, block, folding, plain, rich};
use super::{Reader, Reading, seen};
use crate::components::evidence;
use crate::components::picture::{Album, Picture};
use crate::prelude::*;
use crate::strings::{episode as words, providers as provider_words};
use crate::view::figures::failure_name;
use crate::view::number::latency;
use crate::view::timeline::{Exchange, Told, TurnItem, around, told};

/// What a seat did in a turn, and what came of it.
pub fn view(item: &TurnItem, reading: &Reading, reader: Reader) -> impl IntoView + use<> {
    let one = &item.turn;
    let heading = match one.kind {
        TurnKind::Move => words::moves(one.seat.as_str(), &one.sentence),
        kind => turn::heading(kind).to_owned(),
    };
    let flags: Vec<_> = item
        .flags
        .iter()
        .map(|flag| view! { <span class="tag">{turn::words(&flag.name)}</span> })
        .collect();
    // What came back without a call of its own, or with one that is drawn above, is drawn once.
    let came: Vec<_> = item.came.iter().map(|came| came_view(came, item, reading)).collect();
    view! {
        <div class="tl-head">
            <h3>{heading}</h3>
            {flags}
            <span class="meta">{meta(item, reading)}</span>
        </div>
        {steps(item, reading, reader)}
        {came}
    }
}

/// What was written, how it was read, and the calls that were made on behalf of the turn.
pub fn steps(item: &TurnItem, reading: &Reading, reader: Reader) -> AnyView {
    let one = &item.turn;
    let lang = reading.lang.clone();
    let raw = match &item.reply {
        Some(Reply::Said(said)) => {
            wrote(words::WROTE, said, one.reading.extracted.as_deref(), lang.clone())
        }
        Some(Reply::Failed(failure)) => failed(failure),
        _ => ().into_any(),
    };
    let exchanges: Vec<_> = item
        .exchanges
        .iter()
        .map(|exchange| exchange_view(exchange, &item.came, reading, reader))
        .collect();
    any_view! {
        {raw}
        {read(&one.reading, one.kind, item.said().and_then(|said| said.text.as_deref()), lang)}
        {exchanges}
    }
}

/// Round, tokens, time.
pub fn meta(item: &TurnItem, reading: &Reading) -> String {
    let usage = item.said().map(|said| tokens(&said.usage)).unwrap_or_default();
    let parts = [words::round(item.turn.round), usage, timing(item.turn.call, reading)];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// What a call took, where that is known.
pub fn timing(call: CallId, reading: &Reading) -> String {
    match reading.timings.get(&call) {
        Some(timing) => {
            let took = words::took(latency(timing.took), timing.attempts);
            match &timing.words {
                Some(said) => format!("{took} · {}: {said}", provider_words::REFUSAL),
                None => took,
            }
        }
        None => String::new(),
    }
}

fn tokens(usage: &Usage) -> String {
    words::tokens(usage.input, usage.cached, usage.output, usage.reasoning)
}

/// A text as its author wrote it, with what was taken from it marked.
fn wrote(
    head: impl Into<String>,
    said: &Said,
    taken: Option<&str>,
    lang: Option<String>,
) -> AnyView {
    let reasoning = said.reasoning.as_ref().map(|reasoning| {
        folding(
            "",
            "Reasoning, returned separately",
            None,
            Fold::Folded,
            plain(reasoning, lang.clone()),
        )
    });
    let meta = [said.model.clone(), stop(said.stop).map(|reason| format!("stopped: {reason}"))];
    let departures = said.departures.iter().map(provider_words::departure);
    let meta = meta.into_iter().flatten().chain(departures);
    let meta = meta.collect::<Vec<_>>().join(" · ");
    let refusal = said
        .refusal
        .as_deref()
        .map(|refusal| block("b-fault", provider_words::REFUSAL, None, plain(refusal, None)));
    let body = match said.text.as_deref() {
        None => plain(words::NO_CONTENT, None),
        Some("") => plain(words::EMPTY_TEXT, None),
        Some(text) => match taken.and_then(|taken| around(text, taken)) {
            Some((before, taken, after)) if !(before.is_empty() && after.is_empty()) => any_view! {
                <div class="block-body" lang=lang>
                    {before.to_owned()}
                    <mark>{taken.to_owned()}</mark>
                    {after.to_owned()}
                </div>
            },
            _ => plain(text, lang),
        },
    };
    let fold = Fold::for_text(said.text.as_deref().unwrap_or_default());
    any_view! {
        {reasoning}
        {refusal}
        {folding("b-raw", head, Some(meta), fold, body)}
        {withheld(said)}
    }
}

/// That more was said than may be shown.
pub fn withheld(said: &Said) -> Option<AnyView> {
    let commitment = said.withheld.as_ref()?;
    let body = plain(
        &format!(
            "The task is sealed: the server shows only the result of the reply and keeps its \
        text, reasoning and token counts. It is committed to them: {commitment}."
        ),
        None,
    );
    Some(folding("b-hidden", "The reply is withheld", None, Fold::Folded, body))
}

fn stop(stop: Stop) -> Option<&'static str> {
    match stop {
        Stop::End => None,
        Stop::Length => Some("limit of tokens"),
        Stop::Filtered => Some("filtered"),
        Stop::Refused => Some("refused"),
        Stop::Other => Some("no reason given"),
    }
}

/// Why a text could not be read as it is, if it could not.
pub fn fault(reading: &note::Reading) -> Option<AnyView> {
    let fault = reading.fault.as_ref()?;
    Some(block(
        "b-fault",
        words::FAULT,
        Some(turn::words(&fault.class)),
        plain(&fault.detail, None),
    ))
}

/// How a text was read, step by step.
fn read(
    reading: &note::Reading,
    kind: TurnKind,
    raw: Option<&str>,
    lang: Option<String>,
) -> AnyView {
    let extracted = reading.extracted.as_deref().map(|taken| {
        let is_whole = raw.is_some_and(|raw| raw.trim() == taken.trim());
        let (meta, body) = if is_whole {
            (Some("the whole text".to_owned()), ().into_any())
        } else {
            let body = view! {
                <div class="block-body mono small" lang=lang.clone()>
                    {taken.to_owned()}
                </div>
            };
            (None, body.into_any())
        };
        block("b-extracted", "Parsed action", meta, body)
    });
    let repaired = (!reading.repaired.is_empty()).then(|| {
        let all: Vec<_> =
            reading.repaired.iter().map(|repair| view! { <p>{repair.clone()}</p> }).collect();
        block("b-repaired", "Repaired", None, rich(all, None))
    });
    let class = format!("b-applied {}", turn::kind_class(kind));
    let applied = match told(&reading.applied) {
        Told::Nothing => block(&class, words::APPLIED, Some("nothing".to_owned()), ().into_any()),
        Told::Text(text) => block(&class, words::APPLIED, None, plain(&text, lang)),
        Told::Members(members) => {
            let members: Vec<_> = members
                .into_iter()
                .map(|(name, value)| {
                    view! {
                        <dt>{name}</dt>
                        <dd lang=lang.clone()>{value}</dd>
                    }
                })
                .collect();
            let list = view! { <dl class="kv">{members}</dl> };
            block(&class, words::APPLIED, None, rich(list, None))
        }
    };
    any_view! {
        {extracted}
        {repaired}
        {fault(reading)}
        {applied}
    }
}

pub fn failed(failure: &Failure) -> AnyView {
    let class = turn::words(&failure_name(failure.class));
    block("b-fault", words::FAILED, Some(class), plain(&failure.message, None))
}

/// A call that was made on behalf of a turn.
fn exchange_view(
    exchange: &Exchange,
    came: &[Observation],
    reading: &Reading,
    reader: Reader,
) -> AnyView {
    let time = timing(exchange.call, reading);
    let lang = reading.lang.clone();
    match (&exchange.request, &exchange.reply) {
        (Request::Search(query), Some(Reply::Found { hits, by })) => {
            let count = hits.len().to_string() + " of " + &query.results.to_string();
            let meta = [Some(count), by.clone(), Some(time)];
            let meta = meta.into_iter().flatten().filter(|part| !part.is_empty());
            block(
                "b-back",
                words::RESULTS,
                Some(meta.collect::<Vec<_>>().join(" · ")),
                rich(hits_view(hits), lang),
            )
        }
        (Request::Search(_), reply) => {
            block("b-back", words::RESULTS, Some(time), reply_body(reply.as_ref(), reading))
        }
        (Request::Draw { stream, .. }, reply) => block(
            "b-back",
            format!("Drawn from {stream}"),
            Some(time),
            reply_body(reply.as_ref(), reading),
        ),
        (Request::Use(used), reply) => {
            let head = words::tool(used.name());
            block("b-back", head, Some(time), reply_body(reply.as_ref(), reading))
        }
        (Request::Ask { seat, .. }, reply) => {
            let head = format!("Reply of {}", words::seat_name(seat.as_str()));
            let saw = folding(
                "b-hidden",
                words::seen_head(seat.as_str()),
                None,
                Fold::Folded,
                rich(seen::view(exchange.call, reading, reader), None),
            );
            let wrote = match reply {
                Some(Reply::Said(said)) => wrote(head, said, None, lang.clone()),
                other => block("b-back", head, Some(time), reply_body(other.as_ref(), reading)),
            };
            let heard = came
                .iter()
                .find(|came| came.call == Some(exchange.call))
                .and_then(|came| came.reading.as_ref())
                .filter(|reading| !reading.repaired.is_empty() || reading.fault.is_some())
                .map(|reading| heard(reading, lang));
            any_view! {
                {saw}
                {wrote}
                {heard}
            }
        }
    }
}

/// How the reply of another seat was read, where that is not simply what it says.
fn heard(reading: &note::Reading, lang: Option<String>) -> AnyView {
    let repaired = (!reading.repaired.is_empty())
        .then(|| block("b-repaired", "Read as", None, plain(&reading.repaired.join("; "), lang)));
    any_view! {
        {repaired}
        {fault(reading)}
    }
}

/// What came back, in a word, and what the seat was shown where that is more.
fn came_view(came: &Observation, item: &TurnItem, reading: &Reading) -> AnyView {
    let lang = reading.lang.clone();
    let class = format!("b-back {}", turn::back_class(item.turn.kind, came.tone));
    let shown = shown_besides(came, item, reading);
    let body = view! {
        <span class="reply">{came.word.clone()}</span>
        {shown}
    };
    block(
        &class,
        words::CAME_BACK,
        (!came.shown.is_empty() && reading.part == PartKey::Play)
            .then(|| "shown to the player".to_owned()),
        rich(body, lang),
    )
}

/// What the seat was shown, where that is more than the word for it: the results of a page one by one, with the text as it was
/// sent below them.
pub fn shown_besides(came: &Observation, item: &TurnItem, reading: &Reading) -> Option<AnyView> {
    // A search's results stand above, one by one.
    let stands_above =
        item.exchanges.iter().any(|one| matches!(one.reply, Some(Reply::Found { .. })));
    // A grader's word, for one, is what was written.
    let is_written = item
        .said()
        .and_then(|said| said.text.as_deref())
        .is_some_and(|text| text.trim() == came.shown);
    if stands_above || is_written || came.shown.is_empty() || came.shown == came.word {
        return None;
    }
    let (benchmark, text) = (reading.benchmark, came.shown.clone());
    let lang = reading.lang.clone();
    let shown = move || {
        let page = benchmark.get().and_then(|benchmark| benchmark.shown_results(&text));
        match page {
            None => any_view! { <p class="shown">{text.clone()}</p> },
            Some(page) => any_view! {
                {evidence::results(&page, lang.clone())}
                <details class="more">
                    <summary>"Exactly as it was sent"</summary>
                    <p class="more-body">{text.clone()}</p>
                </details>
            },
        }
    };
    Some(shown.into_any())
}

/// The reply to a call that belongs to no turn.
pub fn reply(exchange: &Exchange, reading: &Reading) -> AnyView {
    reply_body(exchange.reply.as_ref(), reading)
}

fn reply_body(reply: Option<&Reply>, reading: &Reading) -> AnyView {
    let lang = reading.lang.clone();
    match reply {
        None => any_view! { <p class="small faint">{words::WAITING}</p> },
        Some(Reply::Failed(failure)) => failed(failure),
        Some(Reply::Said(said)) => wrote(words::WROTE, said, None, lang),
        Some(Reply::Found { hits, .. }) => rich(hits_view(hits), lang),
        Some(Reply::Drawn { numbers }) => {
            let numbers: Vec<_> = numbers.iter().map(ToString::to_string).collect();
            plain(&numbers.join(", "), None)
        }
        Some(Reply::Made(made)) => made_view(made, reading),
    }
}

/// What a tool made: a page as text, or a picture with what it asked for in vain.
pub fn made_view(made: &Made, reading: &Reading) -> AnyView {
    match made {
        Made::Page(page) => any_view! {
            <p>
                <b>{page.title.clone()}</b>
                " "
                <span class="faint">{words::page_about(page)}</span>
            </p>
            {folding("", "Text of the page", None, Fold::for_text(&page.text), plain(&page.text, None))}
        },
        Made::Picture(made) => {
            let refused = made.refused.clone();
            any_view! {
                <Picture picture=made.picture album=reading.run.clone().map(Album::from) label="Rendered page"/>
                {(!refused.is_empty())
                    .then(|| {
                        let text = refused.join("\n");
                        folding("b-fault", "Requests of the page, all refused", None, Fold::Folded, plain(&text, None))
                    })}
                <p class="small faint">{made.browser.clone()}</p>
            }
        }
    }
}

/// Results of a search, one by one.
pub fn hits_view(hits: &[Hit]) -> AnyView {
    if hits.is_empty() {
        return any_view! { <p class="soft">"No results."</p> };
    }
    let hits: Vec<_> = hits
        .iter()
        .map(|hit| {
            let title = hit.title.clone().unwrap_or_else(|| "Untitled".to_owned());
            // Addresses are shown, not linked: what a search engine or a model names is not ours to lead to.
            view! {
                <li>
                    <div>
                        <b>{title}</b>
                        {hit.snippet.clone().map(|snippet| view! { <span>{snippet}</span> })}
                        {hit.url.clone().map(|url| view! { <div class="faint clip">{url}</div> })}
                    </div>
                </li>
            }
        })
        .collect();
    any_view! { <ol class="hits">{hits}</ol> }
}
