//! What is wrong with files that could not be read.

use leptos::prelude::*;
use turnwise_shared::formats::BadFile;

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
pub fn failure(why: &BadFile, meaning: &'static str, head: impl Fn(&str) -> String) -> AnyView {
    let file = why.file.as_deref().unwrap_or_default();
    view! {
        <div class="note note-bad" role="alert">
            <Icon name="warning"/>
            <p class="note-title">{head(file)}</p>
            <p>{why.problem.clone()} "."</p>
            <p>{meaning}</p>
        </div>
    }
    .into_any()
}
