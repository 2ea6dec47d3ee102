//! The left side: what a seat could see when it was asked.

use super::block::{Fold, block, filled_when_opened, folding, plain, rich};
use super::{Reader, Reading};
use crate::components::evidence::results;
use crate::components::felt::look;
use crate::components::lanes::lanes;
use crate::components::picture::{Album, Picture};
use crate::prelude::*;
use crate::strings::episode as words;
use crate::view::replayed::{Seal, Seen, Sent};
use crate::view::timeline::Item;

/// What the seat of a call saw.
pub fn view(call: CallId, reading: &Reading, reader: Reader) -> AnyView {
    let reading = reading.clone();
    (move || {
        reading.replayed.with(|replayed| match replayed {
            Some(replayed) => screen(call, replayed, &reading, reader),
            None => {
                any_view! { <p class="small faint" aria-busy="true">{words::REPLAYING}</p> }
            }
        })
    })
    .into_any()
}

fn screen(call: CallId, replayed: &Replayed, reading: &Reading, reader: Reader) -> AnyView {
    let Some(seen) = replayed.seen.get(&call) else {
        return not_seen(call, replayed, reading);
    };
    let news = replayed.news(call);
    let album = reading.run.clone().map(Album::from);
    let shown = |block| scene_block(block, reading.lang.clone(), album.clone());
    let blocks: Vec<_> = news.iter().filter_map(shown).collect();
    let nothing = blocks.is_empty();
    let gauges: Vec<_> = seen.scene.gauges.iter().map(gauge).collect();
    any_view! {
        {blocks}
        {nothing.then(|| view! { <p class="small faint">"Nothing new since its last turn."</p> })}
        {(!gauges.is_empty()).then(|| view! { <p class="row">{gauges}</p> })}
        {prompt(seen, reading, reader)}
    }
}

fn gauge(gauge: &Gauge) -> impl IntoView + use<> {
    view! { <span class="tag">{words::gauge(&gauge.label, gauge.left, gauge.of)}</span> }
}

/// The prompt of a call alone.
pub fn prompt_of(call: CallId, reading: &Reading, reader: Reader) -> AnyView {
    let reading = reading.clone();
    (move || {
        reading.replayed.and_then(|replayed| {
            Some(match replayed.seen.get(&call) {
                Some(seen) => prompt(seen, &reading, reader),
                None => not_seen(call, replayed, &reading),
            })
        })
    })
    .into_any()
}

/// One thing on the screen of a seat.
fn scene_block(scene: &Block, lang: Option<String>, album: Option<Album>) -> Option<AnyView> {
    Some(match scene {
        Block::Text { heading, text } => block("", heading.clone(), None, plain(text, lang)),
        Block::Act { kind, text, .. } => {
            let head = format!("{}: {}", "Previous turn", turn::heading(*kind).to_lowercase());
            block("", head, None, plain(text, lang))
        }
        Block::Observation { text, .. } => {
            folding("", words::CAME_BACK, None, Fold::for_text(text), plain(text, lang))
        }
        Block::Results { results: all, .. } => {
            folding("", words::CAME_BACK, None, Fold::Open, rich(results(all, lang.clone()), None))
        }
        Block::Remark { text } => block("b-repaired", words::REMARK, None, plain(text, None)),
        Block::Picture { label, picture } => {
            any_view! { <Picture picture=*picture album label=label.clone()/> }
        }
        Block::CardTable(table) => look(table),
        Block::Lanes(all) => lanes(all, None),
        // The end is drawn under the timeline.
        Block::End { .. } => return None,
    })
}

/// The prompt as it was sent. Hidden text is only in the page while the reader wants it.
fn prompt(seen: &Seen, reading: &Reading, reader: Reader) -> AnyView {
    match &seen.messages {
        Err(why) => folding("b-prompt", words::NO_PROMPT, None, Fold::Folded, plain(why, None)),
        Ok(messages) => {
            let signs: usize = messages.iter().map(|message| message.whole.chars().count()).sum();
            let size = format!(
                "{}, {} characters",
                counted(messages.len(), "message", "messages"),
                count(signs)
            );
            let (messages, reading) = (messages.clone(), reading.clone());
            filled_when_opened("b-prompt", "Prompt as sent", Some(size), move || {
                let messages: Vec<_> = messages
                    .iter()
                    .map(|message| message_view(message, &reading, reader))
                    .collect();
                rich(messages, None)
            })
        }
    }
}

fn message_view(message: &Sent, reading: &Reading, reader: Reader) -> AnyView {
    let role = match message.role {
        Role::System => words::SYSTEM,
        Role::User => words::USER,
        Role::Assistant => words::ASSISTANT,
    };
    let hides = !message.hides.is_empty();
    let mut meta = message.template.clone().unwrap_or_default();
    if hides {
        meta = format!("{meta}, {}", "holds hidden text");
    }
    let class = if hides { "b-hidden" } else { "" };
    let (covered, whole) = (message.covered.clone(), message.whole.clone());
    let text = move || {
        if hides && !reader.revealed.get() { covered.clone() } else { whole.clone() }
    };
    let (open, all) = (message.open_pictures.clone(), message.pictures.clone());
    let album = reading.run.clone().map(Album::from);
    let pictures = move || {
        let shown = if reader.revealed.get() { &all } else { &open };
        let shown = shown.iter().map(|picture| {
            view! { <Picture picture=*picture album=album.clone() label="Picture of the message"/> }
        });
        shown.collect::<Vec<_>>()
    };
    let body = view! {
        <div class="block-body" lang=reading.lang.clone()>
            {text}
        </div>
        {pictures}
    };
    block(class, role, Some(meta), body.into_any())
}

/// What can be said of a prompt that was not rendered again: from which templates it was made, and why that is all.
fn not_seen(call: CallId, replayed: &Replayed, reading: &Reading) -> AnyView {
    let templates = reading.timeline.items.iter().find_map(|item| match item {
        Item::Aside(one) if one.call == call => template_names(&one.request),
        Item::Turn(turn) => turn
            .exchanges
            .iter()
            .find(|one| one.call == call)
            .and_then(|one| template_names(&one.request)),
        _ => None,
    });
    // A log that was imported names none, and has nothing to render them from.
    let Some(templates) = templates else {
        return ().into_any();
    };
    let why = match &replayed.seal {
        Seal::NotReplayed(why) => why.clone(),
        Seal::Imported => words::IMPORTED_WHY.to_owned(),
        Seal::Drifts(drift) => drift.to_string(),
        Seal::Agrees { .. } => String::new(),
    };
    any_view! {
        <p class="small faint">{words::NO_PROMPT} ". " {why}</p>
        <p class="small faint">{format!("templates {}", templates.join(", "))}</p>
    }
}

fn template_names(request: &Request) -> Option<Vec<String>> {
    match request {
        Request::Ask { templates, .. } => Some(templates.clone()).filter(|all| !all.is_empty()),
        Request::Search(_) | Request::Draw { .. } | Request::Use(_) => None,
    }
}
