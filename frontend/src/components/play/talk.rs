//! An episode about one text as a conversation: the text and what is left stay in sight, a line a turn below them.

use crate::components::evidence::results;
use crate::components::picture::Picture;
use crate::prelude::*;
use crate::strings::episode as words;
use crate::view::talk::{Line, Observed, Talk};

/// A text of more bytes may not fit into its place on a phone.
const LONG: usize = 180;

/// A text of more bytes may not fit into its place anywhere.
const VERY_LONG: usize = 500;

/// The conversation, and what is left of each budget.
#[component]
pub fn Conversation(
    #[prop(into)] talk: Signal<Talk>,
    #[prop(into)] gauges: Signal<Vec<Gauge>>,
) -> impl IntoView {
    let is_whole = RwSignal::new(false);
    let pinned = Memo::new(move |_| talk.with(|talk| (talk.heading.clone(), talk.text.clone())));
    let picture = Memo::new(move |_| talk.with(|talk| talk.picture.clone()));
    let left = move || {
        let all = gauges.get();
        let is_one = all.len() == 1;
        all.into_iter()
            .map(|Gauge { label, left, of }| {
                let whole = words::gauge(&label, left, of);
                let short = match is_one {
                    true => format!("{left} left"),
                    false => whole.clone(),
                };
                view! { <span class="tag num" title=whole>{short}</span> }
            })
            .collect_view()
    };
    // A line that was there before is the same element: only what is new is read aloud.
    let lines = move || {
        let lines = talk.with(|talk| talk.lines.clone());
        let last = lines.len().saturating_sub(1);
        let numbered = lines.into_iter().enumerate();
        numbered.map(|(at, line)| (at, at == last, line)).collect::<Vec<_>>()
    };
    view! {
        <div
            class="pin"
            class:is-whole=is_whole
            class:is-long=move || pinned.with(|(_, text)| text.len() > LONG)
            class:is-very-long=move || pinned.with(|(_, text)| text.len() > VERY_LONG)
        >
            <div class="pin-head">
                <span class="pin-name">{move || pinned.with(|(heading, _)| heading.clone())}</span>
                <button
                    class="btn btn-small btn-quiet pin-more"
                    type="button"
                    aria-expanded=move || is_whole.get().to_string()
                    on:click=move |_| is_whole.update(|is| *is = !*is)
                >
                    {move || if is_whole.get() { "Show less" } else { "Show all" }}
                </button>
                <span class="push row pin-left" role="status">{left}</span>
            </div>
            <p class="pin-text" tabindex="0">{move || pinned.with(|(_, text)| text.clone())}</p>
        </div>
        <ol class="chat" aria-live="polite" aria-label="Turns so far">
            <For
                each=lines
                key=|(at, is_last, line)| (*at, line.came.is_some(), *is_last && changes(line))
                let((_, is_last, line))
            >
                {line_view(line, is_last)}
            </For>
        </ol>
        {move || {
            let (label, picture) = picture.get()?;
            Some(view! { <Picture picture album=use_context() label/> })
        }}
        {move || talk.with(|talk| talk.remark.clone()).map(|text| view! { <p class="note note-warn">{text}</p> })}
        {move || {
            talk.with(|talk| talk.end.clone())
                .map(|(ending, text)| {
                    view! {
                        <div class="block b-applied">
                            <div class="block-head">{ending}</div>
                            <div class="block-body">{text}</div>
                        </div>
                    }
                })
        }}
    }
}

/// Whether a line looks another way once it is no longer the last.
fn changes(line: &Line) -> bool {
    !matches!(&line.came, Some(Observed::Word(..)))
}

/// A turn. What is long is open while it is new.
fn line_view(line: Line, is_last: bool) -> AnyView {
    let Line { kind, said, came } = line;
    let mark = match kind {
        TurnKind::Ask => None,
        other => Some(
            view! { <b class=format!("chat-kind {}", turn::kind_class(other))>{turn::heading(other)}</b> " " },
        ),
    };
    let came = match came {
        None if !is_last => ().into_any(),
        None => any_view! { " " <span class="chat-waits" aria-hidden="true">"…"</span> },
        Some(Observed::Word(tone, text)) => {
            any_view! { " " <b class=format!("chat-came m-{}", tone.name())>{text}</b> }
        }
        Some(Observed::Text(tone, text)) => {
            let class = format!("chat-long m-{}", tone.name());
            let head =
                format!("Reply, {}", counted(text.chars().count(), "character", "characters"));
            any_view! {
                <details class=class open=is_last>
                    <summary>{head}</summary>
                    <p>{text}</p>
                </details>
            }
        }
        Some(Observed::Results(tone, all)) => {
            let class = format!("chat-long m-{}", tone.name());
            any_view! {
                <details class=class open=is_last>
                    <summary>{counted(all.len(), "result", "results")}</summary>
                    {results(&all, None)}
                </details>
            }
        }
    };
    any_view! { <li>{mark} <span>{said}</span> {came}</li> }
}
