//! One field in which everything is written, with a button for each action.

use super::Slider;
use crate::prelude::*;
use crate::strings::play as words;
use crate::unsent::typed;

/// The id of the field in which everything is written.
pub const FIELD: &str = "say-text";

/// Names of actions with what they are called.
pub type Called = &'static [(&'static str, &'static str)];

/// What an action is called, where its name is made for models.
pub(super) fn named(called: Called, name: &str) -> Option<&'static str> {
    called.iter().find(|(known, _)| *known == name).map(|(_, called)| *called)
}

/// Whether one field suffices: every action has a text, and beside it numbers at most.
pub(super) fn is_one_field(forms: &[ActionForm]) -> bool {
    !forms.is_empty()
        && forms.iter().all(|form| {
            let mut names = form.parameters.iter().map(|one| words::is_number(&one.name));
            names.next() == Some(false) && names.all(|is_number| is_number)
        })
}

/// One field for whatever is said, and a button for each thing that can be done with it. What else an action needs is asked for once it
/// is chosen.
#[component]
pub(super) fn OneField(
    forms: Vec<ActionForm>,
    closed: Signal<bool>,
    decide: Callback<String>,
    called: Called,
    understood: Option<String>,
) -> impl IntoView {
    let text = typed("text", String::new);
    let needs_more = |form: &ActionForm| form.parameters.len() > 1;
    // What else was asked for: of one action at a time.
    let chosen = RwSignal::new(match forms.as_slice() {
        [only] if needs_more(only) => Some(0),
        _ => None,
    });
    let more: Vec<Vec<RwSignal<String>>> = forms
        .iter()
        .map(|form| {
            let others = form.parameters.iter().skip(1);
            others
                .map(|other| typed(format!("{}.{}", form.name, other.name), String::new))
                .collect()
        })
        .collect();
    // Enter does what costs least: it asks.
    let asks = |form: &ActionForm| form.parameters.iter().any(|one| one.name == "question");
    let usual = forms.iter().position(asks).unwrap_or(0);
    let hint = forms[usual].parameters[0].hint.clone();
    let is_only = forms.len() == 1;
    // Beside a field in which nothing can be asked any more it says nothing.
    let understood = understood.filter(|_| asks(&forms[usual]));
    let all = StoredValue::new((forms, more));
    let is_empty = move || text.with(|text| text.trim().is_empty());
    let lacks = move || {
        let chosen = chosen.get();
        let is_open = |one: &RwSignal<String>| one.with(|value| value.trim().is_empty());
        is_empty()
            || all.with_value(|(_, more)| chosen.is_some_and(|at| more[at].iter().any(is_open)))
    };
    let act = move |at: usize| {
        if closed.get_untracked() || untrack(is_empty) {
            return;
        }
        let said = all.with_value(|(forms, more)| {
            let form = &forms[at];
            if needs_more(form) && (chosen.get_untracked() != Some(at) || untrack(lacks)) {
                return None;
            }
            let values = std::iter::once(text).chain(more[at].iter().copied());
            let values: Vec<String> = values.map(|value| value.get_untracked()).collect();
            Some(form.text(&values))
        });
        match said {
            Some(said) => decide.run(said),
            None => chosen.set(Some(at)),
        }
    };
    let on_enter = move |event: ev::KeyboardEvent| {
        if event.key() == "Enter" && !event.shift_key() {
            event.prevent_default();
            // A key that is held down sends once.
            if !event.repeat() {
                act(chosen.get_untracked().unwrap_or(usual));
            }
        }
    };
    let name = move |at: usize| {
        all.with_value(|(forms, _)| {
            let name = &forms[at].name;
            named(called, name).map_or_else(|| words::do_action(name), str::to_owned)
        })
    };
    let sliders = move || {
        let at = chosen.get()?;
        all.with_value(|(forms, more)| {
            let others = forms[at].parameters.iter().skip(1).zip(&more[at]);
            let fields = others.map(|(other, value)| {
                let id = format!("param-{}", other.name);
                view! {
                    <div class="field">
                        <label for=id.clone()>{words::parameter(&other.name)}</label>
                        <Slider id value=*value closed/>
                    </div>
                }
            });
            Some(fields.collect_view())
        })
    };
    let buttons = move || match chosen.get() {
        Some(at) => any_view! {
            {(!is_only)
                .then(|| {
                    view! {
                        <button class="btn" type="button" on:click=move |_| chosen.set(None)>
                            "Back"
                        </button>
                    }
                })}
            <button class="btn btn-primary" type="submit" disabled=move || closed.get() || lacks()>
                {name(at)}
            </button>
        },
        None => (0..all.with_value(|(forms, _)| forms.len()))
            .map(|at| {
                let class = if at == usual { "btn btn-primary" } else { "btn" };
                let action = all.with_value(|(forms, _)| forms[at].name.clone());
                view! {
                    <button
                        class=class
                        type="button"
                        data-action=action
                        disabled=move || closed.get() || is_empty()
                        on:click=move |_| act(at)
                    >
                        {name(at)}
                    </button>
                }
            })
            .collect_view()
            .into_any(),
    };
    let says = understood.is_some().then_some("say-understood");
    view! {
        <form
            class="say"
            on:submit=move |event| {
                event.prevent_default();
                act(chosen.get_untracked().unwrap_or(usual));
            }
        >
            <label class="sr" for=FIELD>{words::YOUR_REPLY}</label>
            <div class="grow" data-text=text>
                <textarea
                    id=FIELD
                    class="textarea"
                    rows="1"
                    autocomplete="off"
                    enterkeyhint="send"
                    placeholder=hint
                    aria-describedby=says
                    disabled=closed
                    bind:value=text
                    on:keydown=on_enter
                ></textarea>
            </div>
            {sliders}
            <div class="say-do">{buttons}</div>
            {understood.map(|about| view! { <p class="small soft" id="say-understood">{about}</p> })}
        </form>
    }
}
