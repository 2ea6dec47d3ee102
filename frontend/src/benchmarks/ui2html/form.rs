//! What a person writes who plays: the whole page, and a question.

use turnwise_shared::benchmarks::ui2html::reading::Attempt;

use super::words;
use crate::benchmarks::OwnForm;
use crate::prelude::*;
use crate::unsent::typed;

/// What the first page begins with.
const EMPTY: &str = "<!doctype html>\n<html>\n<head><meta charset=\"utf-8\"><style>\n\n</style></head>\n<body>\n\n</body>\n</html>";

/// The fields of a round; they begin with the page before.
pub fn of(question: &Question) -> OwnForm {
    let mut said = question.messages.iter().rev();
    let last = said.find(|message| message.role == Role::Assistant);
    let page = last.and_then(|message| Attempt::read(&message.text).html.ok());
    let page = page.unwrap_or_else(|| EMPTY.to_owned());
    let asks = question.scene.gauges.iter().any(|rounds| rounds.left > 0);
    let problem = question.part("problem").filter(|why| !why.is_empty()).map(words::problem);
    let draw = move |open, said| any_view! { <PageForm page asks problem open said/> };
    OwnForm::Controls { lists: &[], draw: Box::new(draw) }
}

#[component]
fn PageForm(
    page: String,
    /// Whether a question is due.
    asks: bool,
    #[prop(optional_no_strip)] problem: Option<String>,
    open: Signal<bool>,
    said: Callback<String>,
) -> impl IntoView {
    let (html, question) = (typed("html", || page), typed("question", String::new));
    let wrong = RwSignal::new(problem);
    let is_ready = move || {
        let is_written = |text: RwSignal<String>| text.with(|text| !text.trim().is_empty());
        open.get() && is_written(html) && (!asks || is_written(question))
    };
    let submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        if !untrack(is_ready) {
            return;
        }
        let asked = question.with_untracked(|text| match asks {
            true => {
                format!("\nQUESTION: {}", text.split_whitespace().collect::<Vec<_>>().join(" "))
            }
            false => String::new(),
        });
        let text = format!("```html\n{}\n```{asked}", html.get_untracked().trim());
        // What a model would lose the round for is said before it is sent.
        let read = Attempt::read(&text);
        let faults = [read.html.err(), read.question.err().filter(|_| asks)];
        match faults.into_iter().flatten().next() {
            Some(fault) => wrong.set(Some(words::not_sent(&fault.detail))),
            None => said.run(text),
        }
    };
    let field = asks.then(|| {
        view! {
            <div class="field">
                <label for="page-question">{words::QUESTION}</label>
                <input
                    id="page-question"
                    class="input"
                    type="text"
                    autocomplete="off"
                    placeholder=words::QUESTION_HINT
                    disabled=move || !open.get()
                    bind:value=question
                />
            </div>
        }
    });
    view! {
        <form class="stack-2 page-desk" on:submit=submit>
            <div class="field">
                <label for="page-html">{words::PAGE}</label>
                <textarea
                    id="page-html"
                    class="textarea textarea-mono"
                    rows="12"
                    spellcheck="false"
                    aria-describedby="page-note"
                    disabled=move || !open.get()
                    bind:value=html
                ></textarea>
                <span class="field-note" id="page-note">{words::PAGE_NOTE}</span>
            </div>
            {field}
            {move || wrong.get().map(|why| view! { <p class="bad" role="alert">{why}</p> })}
            <button class="btn btn-primary" type="submit" disabled=move || !is_ready()>
                {if asks { words::ASK } else { words::SEND_FINAL }}
            </button>
        </form>
    }
}
