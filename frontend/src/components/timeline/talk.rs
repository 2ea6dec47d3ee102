//! The conversation: a card a turn, with what was done, what came back and what was written around it. How the reply was read and
//! what the seat was sent lie behind one disclosure.

use super::block::{Fold, block, cut, filled_when_opened, folding, plain};
use super::{Reader, Reading, did, seen};
use crate::prelude::*;
use crate::strings::{episode as words, providers as provider_words};
use crate::view::markdown;
use crate::view::timeline::{Exchange, TurnItem, prose};

/// A turn as a card. The sentence is its heading.
pub fn view(item: &TurnItem, reading: &Reading, reader: Reader) -> AnyView {
    let cell = reading.timeline.cell(item.turn.index);
    let sentence = match cell {
        Some(cell) => reading.sentence(cell),
        None => item.turn.sentence.clone(),
    };
    let sentence = turn::in_full(&item.turn, &sentence);
    let (title, rest) = turn::title(&sentence);
    let lang = reading.lang.clone();
    let rest = rest.map(|whole| cut(whole, plain(whole, lang.clone())));
    let flags: Vec<_> = item
        .flags
        .iter()
        .map(|flag| view! { <span class="tag">{turn::words(&flag.name)}</span> })
        .collect();
    let (thinking, written) = match &item.reply {
        Some(Reply::Said(said)) => wrote(said, item, reading),
        Some(Reply::Failed(failure)) => (None, did::failed(failure)),
        _ => (None, ().into_any()),
    };
    let exchanges: Vec<_> =
        item.exchanges.iter().filter_map(|exchange| exchanged(exchange, item, reading)).collect();
    let came: Vec<_> = item.came.iter().filter_map(|came| came_back(came, item, reading)).collect();
    let under = {
        let (mut item, reading) = (item.clone(), reading.clone());
        // What was found stands in the card.
        item.exchanges
            .retain(|one| !matches!(one.reply, Some(Reply::Found { .. } | Reply::Made(_))));
        filled_when_opened("b-under", "Raw, parsed, prompt", None, move || {
            any_view! {
                <div class="under">
                    {did::steps(&item, &reading, reader)}
                    {seen::prompt_of(item.turn.call, &reading, reader)}
                </div>
            }
        })
    };
    any_view! {
        <div class="tl-head">
            <h3 lang=lang>{title}</h3>
            {flags}
        </div>
        {rest}
        <div class="folds">
            {thinking}
            {under}
            <span class="meta">{did::meta(item, reading)}</span>
        </div>
        {written}
        {did::fault(&item.turn.reading)}
        {exchanges}
        {came}
    }
}

/// What the author wrote besides the action: their thinking, folded, and the rest, laid out.
fn wrote(said: &Said, item: &TurnItem, reading: &Reading) -> (Option<AnyView>, AnyView) {
    // What the heading says is not said again.
    let taken = item.turn.reading.extracted.as_deref();
    let taken = taken.or_else(|| turn::text_of(&item.turn));
    let prose = prose(said.text.as_deref().unwrap_or_default(), taken);
    let thinking = said
        .reasoning
        .as_deref()
        .or(prose.thinking.as_deref())
        .filter(|thinking| !thinking.trim().is_empty())
        .map(|thinking| self::thinking(thinking, reading.lang.clone()));
    let text = (!prose.text.is_empty()).then(|| {
        let laid_out = view! {
            <div class="md" lang=reading.lang.clone() inner_html=markdown::html(&prose.text)></div>
        };
        cut(&prose.text, laid_out.into_any())
    });
    let rest = view! {
        {instead(said)}
        {text}
    };
    (thinking, rest.into_any())
}

/// What a reply has instead of a text: a refusal, a commitment to a withheld text, or nothing at all. `None` if it has a text.
pub fn instead(said: &Said) -> Option<AnyView> {
    let refusal = said
        .refusal
        .as_deref()
        .map(|refusal| block("b-fault", provider_words::REFUSAL, None, plain(refusal, None)));
    let withheld = did::withheld(said);
    let nothing = match said.text.as_deref() {
        _ if withheld.is_some() => None,
        None => Some(words::NO_CONTENT),
        Some("") => Some(words::EMPTY_TEXT),
        Some(_) => None,
    };
    let nothing = nothing.map(|nothing| view! { <p class="small faint">{nothing}</p> });
    if refusal.is_none() && withheld.is_none() && nothing.is_none() {
        return None;
    }
    Some(any_view! { {refusal} {nothing} {withheld} })
}

pub fn thinking(text: &str, lang: Option<String>) -> AnyView {
    let size = words::characters(text.chars().count());
    folding("b-thinking", "Thinking", Some(size), Fold::Folded, plain(text, lang))
}

/// What a call on behalf of the turn brought, where the heading does not say it.
fn exchanged(exchange: &Exchange, item: &TurnItem, reading: &Reading) -> Option<AnyView> {
    let lang = reading.lang.clone();
    match (&exchange.request, &exchange.reply) {
        (_, None) => Some(any_view! { <p class="small faint">{words::WAITING}</p> }),
        (_, Some(Reply::Failed(failure))) => Some(did::failed(failure)),
        (_, Some(Reply::Found { hits, .. })) => {
            let long: usize = hits.iter().filter_map(|hit| Some(hit.snippet.as_ref()?.len())).sum();
            let body = view! { <div class="came" lang=lang>{did::hits_view(hits)}</div> };
            Some(super::block::cut_if(long > 300 || hits.len() > 3, body.into_any()))
        }
        (_, Some(Reply::Made(made))) => Some(did::made_view(made, reading)),
        (Request::Ask { .. }, Some(_)) => {
            let mut came = item.came.iter();
            let came = came.find(|came| came.call == Some(exchange.call))?;
            did::fault(came.reading.as_ref()?)
        }
        _ => None,
    }
}

/// What the seat was shown of what came back, where that is more than the word in the heading.
fn came_back(came: &Observation, item: &TurnItem, reading: &Reading) -> Option<AnyView> {
    let lang = reading.lang.clone();
    let shown = did::shown_besides(came, item, reading)?;
    let body = view! { <div class="came" lang=lang>{shown}</div> };
    Some(cut(&came.shown, body.into_any()))
}
