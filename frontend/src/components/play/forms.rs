//! A decision where something is written: actions with parameters, a choice of words, or free text.

mod one_field;

use one_field::{OneField, is_one_field, named};
use serde_json::json;
use turnwise_shared::prompt::{Move, Parameter};

use crate::prelude::*;
use crate::strings::play as words;
use crate::unsent::typed;
use crate::view::asked::offered;

pub use one_field::{Called, FIELD};

/// With what the controls of a question begin.
#[derive(Debug, Clone, Default)]
pub struct Begins {
    /// The action that is chosen; `None` for the first.
    pub action: Option<String>,
    /// What stands in fields, by the parameter's name.
    pub fields: BTreeMap<&'static str, String>,
    /// A text that is to be changed, in fields of its own.
    pub draft: Option<Draft>,
    /// Fields that may stay empty, by the parameter's name.
    pub optional: &'static [&'static str],
    /// What fields whose hint is this offer, e.g. addresses.
    pub offers: Option<(&'static str, Vec<String>)>,
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

/// The id of what fields offer.
const OFFERS: &str = "param-offers";

/// The id of what is wrong with a draft.
const BAD: &str = "param-bad";

/// The text of a move that needs no table to be understood.
fn move_text(name: &str, amount: Option<u64>) -> String {
    json!({ "action": name, "amount": amount.unwrap_or(0) }).to_string()
}

/// The controls for whatever is expected. They are made anew for every turn.
#[component]
pub fn Forms(
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
        Expect::Text => any_view! { <Free closed decide/> },
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
                return any_view! {
                    <div class="pforms" role="group" aria-label=words::YOUR_DECISION>
                        <OneField forms closed decide called understood/>
                    </div>
                };
            }
            any_view! { <Actions forms closed decide begins called/> }
        }
    };
    any_view! {
        <div class="pforms" role="group" aria-label=words::YOUR_DECISION>
            {body}
        </div>
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
                bind:value=typed
            ></textarea>
        </div>
        <button
            class="btn btn-primary btn-big"
            type="button"
            disabled=move || closed.get() || typed.with(|typed| typed.trim().is_empty())
            on:click=move |_| decide.run(typed.get_untracked())
        >
            "Send"
        </button>
    }
}

/// A number from 0 to 100, chosen on a slider; the field is empty until it is.
#[component]
fn Slider(
    /// Its name in the page.
    id: String,
    value: RwSignal<String>,
    /// Whether it cannot be changed now.
    closed: Signal<bool>,
) -> impl IntoView {
    let is_chosen = move || value.with(|value| !value.is_empty());
    let shown = move || match is_chosen() {
        true => words::percent(value.get()),
        false => "not chosen".to_owned(),
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
    called: Called,
) -> impl IntoView {
    let which = typed("action", || begins.action.clone().unwrap_or_default());
    let chosen = Memo::new({
        let names: Vec<String> = forms.iter().map(|form| form.name.clone()).collect();
        move |_| which.with(|which| names.iter().position(|name| name == which).unwrap_or(0))
    });
    let tabs: Vec<_> = forms
        .iter()
        .enumerate()
        .map(|(at, form)| {
            let name = form.name.clone();
            let choose = move || which.set(name.clone());
            toggle(
                named(called, &form.name).unwrap_or(&form.name).to_owned(),
                move || chosen.get() == at,
                choose,
            )
        })
        .collect();
    let tabs = (forms.len() > 1).then(|| {
        view! {
            <div class="seg" role="group" aria-label="Action">
                {tabs}
            </div>
        }
    });
    let forms = StoredValue::new(forms);
    let offers = begins.offers.iter().flat_map(|(_, values)| values);
    let offers = offers.map(|value| view! { <option value=value.clone()></option> });
    let offers = view! { <datalist id=OFFERS>{offers.collect_view()}</datalist> };
    let begins = StoredValue::new(begins);
    let body = move || {
        let form = forms.with_value(|forms| forms.get(chosen.get()).cloned())?;
        Some(view! { <Action form closed decide begins called/> })
    };
    view! {
        {offers}
        {tabs}
        {body}
    }
}

#[component]
fn Action(
    form: ActionForm,
    closed: Signal<bool>,
    decide: Callback<String>,
    begins: StoredValue<Begins>,
    called: Called,
) -> impl IntoView {
    let Begins { fields, draft, optional, offers, .. } = begins.get_value();
    let begin = |parameter: &Parameter| fields.get(parameter.name.as_str()).cloned();
    let offer = |parameter: &Parameter| {
        offers.as_ref().is_some_and(|(hint, _)| *hint == parameter.hint).then_some(OFFERS)
    };
    let draft = StoredValue::new(draft);
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
                        aria-invalid=move || bad.is_some().then_some("true")
                        aria-describedby=move || bad.is_some().then_some(BAD)
                        bind:value=value
                    ></textarea>
                }
            };
            let label = words::parameter(&parameter.name);
            let control = match begin(parameter) {
                // A draft has fields; its JSON is one click away.
                Some(text) if draft.with_value(Option::is_some) => {
                    let draft = draft.get_value();
                    let whole = draft.as_ref().map(|draft| draft.whole);
                    return any_view! {
                        {draft.map(|draft| (draft.fields)(draft.text, value, closed))}
                        <details class="more">
                            <summary>{whole}</summary>
                            <div class="more-body field">
                                <label for=id.clone()>{label}</label>
                                {area(text)}
                            </div>
                        </details>
                    };
                }
                Some(text) => area(text).into_any(),
                None if words::is_number(&parameter.name) => {
                    any_view! { <Slider id=id.clone() value closed/> }
                }
                None => any_view! {
                    <input
                        id=id.clone()
                        class="input"
                        type="text"
                        autocomplete="off"
                        list=offer(parameter)
                        placeholder=parameter.hint.clone()
                        disabled=closed
                        bind:value=value
                    />
                },
            };
            any_view! {
                <div class="field">
                    <label for=id>{label}</label>
                    {control}
                </div>
            }
        })
        .collect();
    let needed = form.parameters.iter().zip(values.clone());
    let needed = needed.filter(|(parameter, _)| !optional.contains(&parameter.name.as_str()));
    let needed: Vec<_> = needed.map(|(_, value)| value).collect();
    let is_empty = move || needed.iter().any(|value| value.with(|value| value.trim().is_empty()));
    let all = StoredValue::new(values);
    let name = match named(called, &form.name) {
        Some(name) => name.to_owned(),
        None => words::do_action(&form.name),
    };
    // What does not fit would only come back as a fault.
    let drafts: Vec<_> = form
        .parameters
        .iter()
        .zip(all.get_value())
        .filter(|(parameter, _)| begin(parameter).is_some())
        .map(|(_, value)| value)
        .collect();
    let submit = move |event: ev::SubmitEvent| {
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
                {name}
            </button>
        </form>
    }
}
