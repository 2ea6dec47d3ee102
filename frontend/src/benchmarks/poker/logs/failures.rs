//! What is wrong with files that could not be read.

use leptos::prelude::*;
use turnwise_shared::benchmarks::poker::imported::BadLog;

use super::Loaded;
use super::words as strings;
use crate::components::icons::Icon;

/// The files that could not be read, each with its place.
#[component]
pub fn Failures(
    /// The files.
    loaded: Loaded,
) -> impl IntoView {
    move || {
        let meaning = match loaded.is_empty() {
            true => strings::LEFT_OUT,
            false => strings::LEFT_OUT_OF_NUMBERS,
        };
        let notes: Vec<_> = loaded.failed.with(|failed| {
            failed.iter().map(|why| failure(why, meaning, strings::cannot_read)).collect()
        });
        notes
    }
}

/// A file that could not be read: what is wrong, and what that means for the page.
pub fn failure(why: &BadLog, meaning: &'static str, head: impl Fn(&str) -> String) -> AnyView {
    let (file, place, problem) = match why {
        BadLog::Line { file, line, field, problem } => {
            (file, strings::place(*line, field), problem)
        }
        BadLog::File { file, problem } => (file, String::new(), problem),
    };
    view! {
        <div class="note note-bad" role="alert">
            <Icon name="warning"/>
            <p class="note-title">{head(file)}</p>
            <p>{place} {problem.clone()} "."</p>
            <p>{meaning}</p>
        </div>
    }
    .into_any()
}
