//! The transcript as it lies in the file: numbered lines, coloured, to copy and to save.

use turnwise_shared::finding::Sought;

use crate::components::clipboard::{copy, save};
use crate::prelude::*;
use crate::view::json::{Kind, pieces, set_out};

/// Lines that are drawn at first, and at every wish for more.
const PORTION: usize = 120;

/// The lines of a transcript.
#[component]
pub fn RawLines(
    text: Arc<String>,
    name: String,
    /// A line to be marked as wrong, from 1.
    bad: Option<usize>,
    /// What is looked for, whose lines are marked.
    #[prop(optional)]
    sought: Option<RwSignal<Option<Arc<Sought>>>>,
) -> impl IntoView {
    let count = text.lines().count();
    let drawn = RwSignal::new(PORTION.max(bad.map_or(0, |bad| bad + 20)).min(count));
    let is_set_out = RwSignal::new(false);
    let lines = {
        let text = Arc::clone(&text);
        move || {
            let wanted = (drawn.get(), is_set_out.get());
            text.lines()
                .take(wanted.0)
                .enumerate()
                .map(|(position, line)| {
                    let is_found = sought
                        .is_some_and(|sought| sought.is_some_and(|sought| sought.is_in(line)));
                    line_view(line, wanted.1, bad == Some(position + 1), is_found)
                })
                .collect::<Vec<_>>()
        }
    };
    let copied = Arc::clone(&text);
    let saved = Arc::clone(&text);
    view! {
        <div class="stack-2">
            <div class="row">
                <div class="seg" role="group" aria-label="How lines are shown">
                    {[(false, "As stored"), (true, "Set out")]
                        .into_iter()
                        .map(|(one, title)| {
                            toggle(title, move || is_set_out.get() == one, move || is_set_out.set(one))
                        })
                        .collect_view()}
                </div>
                <button class="btn btn-small push" type="button" on:click=move |_| copy(copied.to_string())>
                    <SmallIcon name="copy"/>
                    "Copy all lines"
                </button>
                <button
                    class="btn btn-small"
                    type="button"
                    on:click=move |_| save(&name, "application/x-ndjson", std::slice::from_ref(&*saved))
                >
                    <SmallIcon name="download"/>
                    "Save"
                </button>
            </div>
            <pre translate="no" class="raw lines json" tabindex="0">{lines}</pre>
            <Show when=move || drawn.get() < count>
                <button
                    class="btn"
                    type="button"
                    on:click=move |_| drawn.update(|drawn| *drawn = (*drawn + PORTION).min(count))
                >
                    {move || format!("Show more ({} left)", counted((count - drawn.get()) as u64, "line", "lines"))}
                </button>
            </Show>
            {(count == 0).then(|| view! { <p class="soft">"There are no lines."</p> })}
        </div>
    }
}

fn line_view(line: &str, is_set_out: bool, is_bad: bool, is_found: bool) -> impl IntoView + use<> {
    let text = if is_set_out { set_out(line) } else { line.to_owned() };
    let pieces: Vec<_> = pieces(&text)
        .into_iter()
        .map(|(kind, piece)| {
            let piece = piece.to_owned();
            match kind {
                Kind::Plain => piece.into_any(),
                kind => any_view! { <span class=kind.class()>{piece}</span> },
            }
        })
        .collect();
    view! {
        <span class:is-bad=is_bad class:is-found=is_found>{pieces}</span>
    }
}
