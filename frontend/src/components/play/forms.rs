//! A decision where something is written: actions with parameters, a choice of words, or free text.

use std::collections::BTreeMap;

use leptos::prelude::*;
use serde_json::json;
use turnwise_shared::prompt::{ActionForm, Expect, Move, Parameter};

use crate::components::unsent::typed;
use crate::strings::play as words;
use crate::view::asked::offered;

/// With what the controls of a question begin.
#[derive(Debug, Clone, Default)]
pub struct Begins {
    /// The action that is chosen; `None` for the first.
    pub action: Option<String>,
    /// What stands in fields, by the parameter's name.
    pub fields: BTreeMap<&'static str, String>,
    /// A text that is to be changed, in fields of its own.
    pub draft: Option<Draft>,
}

impl Begins {
    fn is_nothing(&self) -> bool {
        self.action.is_none() && self.fields.is_empty() && self.draft.is_none()
    }
}

/// A text that is changed in fields of its own.
#[derive(Debug, Clone)]
pub struct Draft {
    /// The text as it stands.
    pub text: String,
    /// Its fields: the text, what is written of it, and whether nothing can be changed any more.
    pub fields: fn(String, RwSignal<String>, Signal<bool>) -> AnyView,
    /// What the whole is called, which is one click away.
    pub whole: &'static str,
    /// What is wrong with a change to a text, before it is sent.
    pub unfit: fn(&str, &str) -> Option<String>,
}

/// The most lines that a field shows at once.
const MOST_ROWS: usize = 16;

/// The id of what is wrong with a draft.
const BAD: &str = "param-bad";

/// The text of a move that needs no table to be understood.
fn move_text(name: &str, amount: Option<u64>) -> String {
    json!({ "action": name, "amount": amount.unwrap_or(0) }).to_string()
}

/// The controls for whatever is expected. They are made anew for every turn.
#[component]
pub fn Forms(
    /// What is expected.
    expect: Expect,
    /// Whether the decision is still open here.
    #[prop(into)]
    open: Signal<bool>,
    /// Takes the text of the decision.
    decide: Callback<String>,
    /// With what the controls begin; a field that begins with something has room for many lines.
    #[prop(optional)]
    begins: Begins,
    /// What actions are called whose names are made for models.
    #[prop(optional)]
    called: Called,
    /// What is understood of what is written, where only some of it is.
    #[prop(optional_no_strip)]
    understood: Option<String>,
) -> impl IntoView {
    let closed = Signal::derive(move || !open.get());
    let body = match expect {
        Expect::Text => view! { <Free closed decide/> }.into_any(),
        Expect::Choice(choices) => choices
            .into_iter()
            .map(|choice| {
                let text = choice.clone();
                view! {
                    <button class="btn btn-big" type="button" disabled=closed on:click=move |_| decide.run(text.clone())>
                        {choice}
                    </button>
                }
            })
            .collect_view()
            .into_any(),
        Expect::Move(moves) => moves
            .into_iter()
            .map(|Move { name, amount }| {
                let text = move_text(&name, amount.map(|(least, _)| least));
                view! {
                    <button class="btn btn-big" type="button" disabled=closed on:click=move |_| decide.run(text.clone())>
                        {name}
                    </button>
                }
            })
            .collect_view()
            .into_any(),
        Expect::Actions(forms) => {
            let forms = offered(forms);
            if is_one_field(&forms) && begins.is_nothing() {
                return view! {
                    <div class="pforms" role="group" aria-label=words::YOUR_DECISION>
                        <OneField forms closed decide called understood/>
                    </div>
                }
                .into_any();
            }
            view! { <Actions forms closed decide begins/> }.into_any()
        }
    };
    view! {
        <div class="pforms" role="group" aria-label=words::YOUR_DECISION>
            {body}
        </div>
    }
    .into_any()
}

/// The id of the field in which everything is written.
pub const FIELD: &str = "say-text";

/// Names of actions with what they are called.
pub type Called = &'static [(&'static str, &'static str)];

/// Whether one field suffices: every action has a text, and beside it numbers at most.
fn is_one_field(forms: &[ActionForm]) -> bool {
    !forms.is_empty()
        && forms.iter().all(|form| {
            let mut names = form.parameters.iter().map(|one| words::is_number(&one.name));
            names.next() == Some(false) && names.all(|is_number| is_number)
        })
}

/// One field for whatever is said, and a button for each thing that can be done with it. What else an action needs is asked for once it
/// is chosen.
#[component]
fn OneField(
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
    let on_enter = move |event: leptos::ev::KeyboardEvent| {
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
            let known = called.iter().find(|(known, _)| known == name);
            known.map_or_else(|| words::do_action(name), |(_, called)| (*called).to_owned())
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
        Some(at) => view! {
            {(!is_only)
                .then(|| {
                    view! {
                        <button class="btn" type="button" on:click=move |_| chosen.set(None)>
                            {words::BACK}
                        </button>
                    }
                })}
            <button class="btn btn-primary" type="submit" disabled=move || closed.get() || lacks()>
                {name(at)}
            </button>
        }
        .into_any(),
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
            <div class="grow" data-text=move || text.get()>
                <textarea
                    id=FIELD
                    class="textarea"
                    rows="1"
                    autocomplete="off"
                    enterkeyhint="send"
                    placeholder=hint
                    aria-describedby=says
                    disabled=closed
                    prop:value=move || text.get()
                    on:input:target=move |event| text.set(event.target().value())
                    on:keydown=on_enter
                ></textarea>
            </div>
            {sliders}
            <div class="say-do">{buttons}</div>
            {understood.map(|about| view! { <p class="small soft" id="say-understood">{about}</p> })}
        </form>
    }
}

#[component]
fn Free(closed: Signal<bool>, decide: Callback<String>) -> impl IntoView {
    let typed = typed("text", String::new);
    view! {
        <div class="field">
            <label for="free-text">{words::YOUR_REPLY}</label>
            <textarea
                id="free-text"
                class="textarea"
                disabled=closed
                prop:value=move || typed.get()
                on:input:target=move |event| typed.set(event.target().value())
            ></textarea>
        </div>
        <button
            class="btn btn-primary btn-big"
            type="button"
            disabled=move || closed.get() || typed.with(|typed| typed.trim().is_empty())
            on:click=move |_| decide.run(typed.get_untracked())
        >
            {words::SEND}
        </button>
    }
}

/// A number from 0 to 100, chosen on a slider; the field is empty until it is.
#[component]
fn Slider(
    /// Its name in the page.
    id: String,
    /// What is chosen.
    value: RwSignal<String>,
    /// Whether it cannot be changed now.
    closed: Signal<bool>,
) -> impl IntoView {
    let is_chosen = move || value.with(|value| !value.is_empty());
    let shown = move || match is_chosen() {
        true => words::percent(&value.get()),
        false => words::NOT_CHOSEN.to_owned(),
    };
    view! {
        <div class="sure">
            <input
                id=id
                type="range"
                min="0"
                max="100"
                step="1"
                disabled=closed
                class:is-empty=move || !is_chosen()
                aria-valuetext=shown
                prop:value=move || if is_chosen() { value.get() } else { "50".to_owned() }
                on:input:target=move |event| value.set(event.target().value())
                // A press that leaves it in the middle chooses the middle.
                on:click:target=move |event| value.set(event.target().value())
            />
            <output class="num">{shown}</output>
        </div>
    }
}

/// One of several actions is chosen, and its parameters are filled in.
#[component]
fn Actions(
    forms: Vec<ActionForm>,
    closed: Signal<bool>,
    decide: Callback<String>,
    begins: Begins,
) -> impl IntoView {
    let Begins { action, fields, draft } = begins;
    let which = typed("action", || action.unwrap_or_default());
    let chosen = Memo::new({
        let names: Vec<String> = forms.iter().map(|form| form.name.clone()).collect();
        move |_| which.with(|which| names.iter().position(|name| name == which).unwrap_or(0))
    });
    let tabs: Vec<_> = forms
        .iter()
        .enumerate()
        .map(|(at, form)| {
            let name = form.name.clone();
            let choose = move |_| which.set(name.clone());
            view! {
                <button type="button" aria-pressed=move || (chosen.get() == at).to_string() on:click=choose>
                    {form.name.clone()}
                </button>
            }
        })
        .collect();
    let forms = StoredValue::new(forms);
    let begins = StoredValue::new(fields);
    let draft = StoredValue::new(draft);
    let body = move || {
        let form = forms.with_value(|forms| forms.get(chosen.get()).cloned())?;
        Some(view! { <Action form closed decide begins draft/> })
    };
    view! {
        <div class="seg" role="group" aria-label=words::WHICH_ACTION>
            {tabs}
        </div>
        {body}
    }
}

#[component]
fn Action(
    form: ActionForm,
    closed: Signal<bool>,
    decide: Callback<String>,
    begins: StoredValue<BTreeMap<&'static str, String>>,
    draft: StoredValue<Option<Draft>>,
) -> impl IntoView {
    let begin = |parameter: &Parameter| {
        begins.with_value(|begins| begins.get(parameter.name.as_str()).cloned())
    };
    let values: Vec<RwSignal<String>> = form
        .parameters
        .iter()
        .map(|parameter| {
            let field = format!("{}.{}", form.name, parameter.name);
            typed(field, || begin(parameter).unwrap_or_default())
        })
        .collect();
    let bad = RwSignal::new(None::<String>);
    let fields: Vec<AnyView> = form
        .parameters
        .iter()
        .zip(values.clone())
        .map(|(parameter, value)| {
            let id = format!("param-{}", parameter.name);
            let area = |text: String| {
                view! {
                    <textarea
                        id=id.clone()
                        class="textarea input-mono"
                        rows=text.lines().count().clamp(3, MOST_ROWS)
                        spellcheck="false"
                        disabled=closed
                        aria-invalid=move || bad.with(Option::is_some).then_some("true")
                        aria-describedby=move || bad.with(Option::is_some).then_some(BAD)
                        prop:value=move || value.get()
                        on:input:target=move |event| value.set(event.target().value())
                    ></textarea>
                }
            };
            let label = words::parameter(&parameter.name);
            let control = match begin(parameter) {
                // A draft has fields; its JSON is one click away.
                Some(text) if draft.with_value(Option::is_some) => {
                    let draft = draft.get_value();
                    let whole = draft.as_ref().map(|draft| draft.whole);
                    return view! {
                        {draft.map(|draft| (draft.fields)(draft.text, value, closed))}
                        <details class="more">
                            <summary>{whole}</summary>
                            <div class="more-body field">
                                <label for=id.clone()>{label}</label>
                                {area(text)}
                            </div>
                        </details>
                    }
                    .into_any();
                }
                Some(text) => area(text).into_any(),
                None if words::is_number(&parameter.name) => {
                    view! { <Slider id=id.clone() value closed/> }.into_any()
                }
                None => view! {
                    <input
                        id=id.clone()
                        class="input"
                        type="text"
                        autocomplete="off"
                        placeholder=parameter.hint.clone()
                        disabled=closed
                        prop:value=move || value.get()
                        on:input:target=move |event| value.set(event.target().value())
                    />
                }
                .into_any(),
            };
            view! {
                <div class="field">
                    <label for=id>{label}</label>
                    {control}
                </div>
            }
            .into_any()
        })
        .collect();
    let all = StoredValue::new(values);
    let is_empty = move || {
        all.with_value(|all| all.iter().any(|value| value.with(|value| value.trim().is_empty())))
    };
    let name = form.name.clone();
    // What does not fit would only come back as a fault.
    let drafts: Vec<_> = form
        .parameters
        .iter()
        .zip(all.get_value())
        .filter(|(parameter, _)| begin(parameter).is_some())
        .map(|(_, value)| value)
        .collect();
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        bad.set(drafts.iter().find_map(|value| {
            value.with_untracked(|written| {
                draft.with_value(|draft| {
                    let draft = draft.as_ref()?;
                    (draft.unfit)(&draft.text, written)
                })
            })
        }));
        if bad.with_untracked(Option::is_some) {
            return;
        }
        let values =
            all.with_value(|all| all.iter().map(|value| value.get_untracked()).collect::<Vec<_>>());
        decide.run(form.text(&values));
    };
    view! {
        <form class="stack-2" on:submit=submit>
            {fields}
            {move || bad.get().map(|why| view! { <p class="bad" id=BAD role="alert">{why}</p> })}
            <button class="btn btn-primary btn-big" type="submit" disabled=move || closed.get() || is_empty()>
                {words::do_action(&name)}
            </button>
        </form>
    }
}
