//! Blocks of the timeline. The left edge of a block says how far its text is from what its author wrote.

use turnwise_shared::maths;

use crate::prelude::*;

/// A text as the body of a block.
pub fn plain(text: &str, lang: Option<String>) -> AnyView {
    any_view! {
        <div class="block-body" lang=lang inner_html=maths::markup(text)></div>
    }
}

/// A body that holds elements.
pub fn rich(body: impl IntoView + 'static, lang: Option<String>) -> AnyView {
    any_view! {
        <div class="block-body is-rich" lang=lang>
            {body}
        </div>
    }
}

/// A block that is always open.
pub fn block(class: &str, head: impl Into<String>, meta: Option<String>, body: AnyView) -> AnyView {
    let meta = meta.filter(|meta| !meta.is_empty());
    any_view! {
        <div class=format!("block {class}")>
            <div class="block-head">
                {head.into()}
                {meta.map(|meta| view! { <span class="meta">{meta}</span> })}
            </div>
            {body}
        </div>
    }
}

/// Whether a block that folds begins open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fold {
    Open,
    Folded,
}

impl Fold {
    /// Open for a text that is quickly read.
    pub fn for_text(text: &str) -> Self {
        if text.len() <= 900 { Fold::Open } else { Fold::Folded }
    }
}

pub fn folding(
    class: &str,
    head: impl Into<String>,
    meta: Option<String>,
    fold: Fold,
    body: AnyView,
) -> AnyView {
    let meta = meta.filter(|meta| !meta.is_empty());
    any_view! {
        <details class=format!("block {class}") open=fold == Fold::Open>
            <summary>
                {head.into()}
                {meta.map(|meta| view! { <span class="meta">{meta}</span> })}
            </summary>
            {body}
        </details>
    }
}

/// A block that begins folded and is only filled once the reader opens it: for long bodies.
pub fn filled_when_opened(
    class: &str,
    head: impl Into<String>,
    meta: Option<String>,
    body: impl Fn() -> AnyView + Send + Sync + 'static,
) -> AnyView {
    let opened = RwSignal::new(false);
    let meta = meta.filter(|meta| !meta.is_empty());
    any_view! {
        <details class=format!("block {class}") on:toggle=move |_| opened.set(true)>
            <summary>
                {head.into()}
                {meta.map(|meta| view! { <span class="meta">{meta}</span> })}
            </summary>
            {move || opened.get().then(&body)}
        </details>
    }
}

/// Longer bodies are cut, in characters.
const CUT: usize = 480;

/// Bodies of more lines are cut.
const CUT_LINES: usize = 6;

/// A body that begins cut where its text is long.
pub fn cut(text: &str, body: AnyView) -> AnyView {
    let is_long = text.chars().nth(CUT).is_some() || text.lines().nth(CUT_LINES).is_some();
    cut_if(is_long, body)
}

/// A body that begins cut, with a button that shows the whole.
pub fn cut_if(is_long: bool, body: AnyView) -> AnyView {
    if !is_long {
        return body;
    }
    let whole = RwSignal::new(false);
    any_view! {
        <div class="cut">
            <div class="cut-body" class:is-cut=move || !whole.get()>
                {body}
            </div>
            <button
                class="link"
                type="button"
                aria-expanded=move || whole.get().to_string()
                on:click=move |_| whole.update(|whole| *whole = !*whole)
            >
                {move || if whole.get() { "less" } else { "more…" }}
            </button>
        </div>
    }
}
