//! The form of a person who is the search engine of a world: what a query is, and the page for it.

use turnwise_shared::benchmarks::paraworld::consult::Sheet;
use turnwise_shared::benchmarks::paraworld::engine::{Class, SearchResult};
use turnwise_shared::benchmarks::paraworld::task::Language;

use super::words as strings;
use crate::components::play::forms::Forms;
use crate::prelude::*;
use crate::unsent::typed;

/// What a query is taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Judged {
    class: Class,
    fact: Option<usize>,
}

impl Judged {
    const NAMES: [(Class, &'static str); 4] = [
        (Class::Hit, "hit"),
        (Class::Miss, "miss"),
        (Class::Compound, "compound"),
        (Class::TooBare, "too_bare"),
    ];

    /// As it is kept: `hit 3`, `miss`.
    fn text(self) -> String {
        let name = Self::NAMES.iter().find(|(class, _)| *class == self.class);
        let name = name.map_or("", |(_, name)| *name);
        match self.fact {
            Some(fact) => format!("{name} {fact}"),
            None => name.to_owned(),
        }
    }

    fn read(text: &str) -> Option<Self> {
        let (name, fact) = match text.split_once(' ') {
            Some((name, fact)) => (name, Some(fact.parse().ok()?)),
            None => (text, None),
        };
        let (class, _) = Self::NAMES.iter().find(|(_, known)| *known == name)?;
        Some(Judged { class: *class, fact })
    }
}

/// The fields of a result.
#[derive(Clone, Copy)]
struct Fields {
    id: u32,
    title: RwSignal<String>,
    content: RwSignal<String>,
    date: RwSignal<String>,
}

impl Fields {
    fn of(judged: Judged, result: SearchResult) -> Self {
        let name = |what: &str| format!("{} {} {what}", judged.text(), result.id);
        Fields {
            id: result.id,
            title: typed(name("title"), || result.title.clone()),
            content: typed(name("content"), || result.content.clone()),
            date: typed(name("date"), || result.date.clone()),
        }
    }

    fn result(self) -> SearchResult {
        SearchResult {
            id: self.id,
            title: self.title.get_untracked(),
            content: self.content.get_untracked(),
            date: self.date.get_untracked(),
        }
    }
}

#[component]
pub fn EngineForm(sheet: Sheet, open: Signal<bool>, said: Callback<String>) -> impl IntoView {
    let lang = Language::of(sheet.question()).name();
    let kept = typed("judged", String::new);
    let facts_there = sheet.facts().len();
    let judged = Memo::new(move |_| {
        let judged = kept.with(|text| Judged::read(text))?;
        judged.fact.is_none_or(|fact| fact < facts_there).then_some(judged)
    });
    let facts: Vec<_> = sheet
        .facts()
        .iter()
        .enumerate()
        .map(|(at, fact)| {
            let this = Judged { class: Class::Hit, fact: Some(at) };
            view! {
                <label class="check" lang=lang>
                    <input
                        type="radio"
                        name="judged"
                        prop:checked=move || judged.get() == Some(this)
                        on:change=move |_| kept.set(this.text())
                    />
                    <span>{fact.key.clone()} ": " <b>{fact.value.clone()}</b></span>
                </label>
            }
        })
        .collect();
    let others: Vec<_> = [
        (Class::Miss, strings::MISS),
        (Class::Compound, strings::COMPOUND),
        (Class::TooBare, strings::TOO_BARE),
    ]
    .into_iter()
    .map(|(class, name)| {
        let this = Judged { class, fact: None };
        view! {
            <label class="check">
                <input
                    type="radio"
                    name="judged"
                    prop:checked=move || judged.get() == Some(this)
                    on:change=move |_| kept.set(this.text())
                />
                <span>{name}</span>
            </label>
        }
    })
    .collect();
    let sheet = StoredValue::new(sheet);
    let page = move || {
        let judged = judged.get()?;
        let fields: Vec<Fields> = sheet
            .with_value(|sheet| sheet.proposed(judged.class, judged.fact))
            .into_iter()
            .map(|result| Fields::of(judged, result))
            .collect();
        Some(view! { <PageForm sheet judged fields lang open said/> })
    };
    view! {
        <fieldset class="stack-2">
            <legend>{strings::WHAT_IS_IT}</legend>
            <p class="small soft">{strings::HIT}</p>
            <div class="stack-2" role="group" aria-label=strings::WHICH_FACT>
                {facts}
            </div>
            {others}
        </fieldset>
        {page}
        <details class="more">
            <summary>{strings::RAW}</summary>
            <div class="more-body stack-2">
                <Forms expect=Expect::Text open decide=said/>
            </div>
        </details>
    }
}

/// The page as templates have it, to be changed and sent.
#[component]
fn PageForm(
    sheet: StoredValue<Sheet>,
    judged: Judged,
    fields: Vec<Fields>,
    lang: &'static str,
    open: Signal<bool>,
    said: Callback<String>,
) -> impl IntoView {
    let rows: Vec<_> = fields.iter().map(|fields| row(*fields, lang)).collect();
    let submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        let results = fields.iter().map(|fields| fields.result()).collect();
        let text = sheet.with_value(|sheet| sheet.reply(judged.class, judged.fact, results));
        said.run(text);
    };
    view! {
        <form class="stack" on:submit=submit>
            <fieldset class="stack">
                <legend>{strings::PAGE}</legend>
                <p class="small soft read">{strings::PAGE_NOTE}</p>
                {rows}
            </fieldset>
            <button class="btn btn-primary btn-big" type="submit" disabled=move || !open.get()>
                {strings::SEND_PAGE}
            </button>
        </form>
    }
}

fn row(fields: Fields, lang: &'static str) -> impl IntoView {
    let Fields { id, title, content, date } = fields;
    let line = |value: RwSignal<String>, name: String, class: &'static str| {
        view! {
            <input
                class=class
                type="text"
                autocomplete="off"
                lang=lang
                aria-label=name
                bind:value=value
            />
        }
    };
    view! {
        <div class="person-result" role="group" aria-label=strings::result(id)>
            <span class="faint num" aria-hidden="true">{id}</span>
            {line(title, strings::title_of(id), "input")}
            {line(date, strings::date_of(id), "input input-mono")}
            <textarea
                class="textarea"
                lang=lang
                aria-label=strings::text_of(id)
                bind:value=content
            ></textarea>
        </div>
    }
}
