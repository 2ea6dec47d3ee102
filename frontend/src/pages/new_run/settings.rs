//! The settings of a benchmark whose tasks follow from them: a form made from what is known of each setting.

use leptos::prelude::*;
use serde_json::{Map, Value};

use super::Draft;
use crate::benchmarks::own_form;
use crate::components::form::{FieldError, Mark, NumberField, ReadField, listed};
use crate::strings::new_run as strings;
use crate::strings::settings::{Holds, Setting};

/// The section of settings; nothing for benchmarks with a form of their own.
#[component]
pub fn Settings(draft: Draft) -> impl IntoView {
    move || {
        let benchmark = draft.benchmark();
        let known = benchmark.schema().settings;
        (!known.is_empty() && own_form(benchmark.name()).is_none()).then(|| {
            let is_flag = |setting: &&Setting| setting.holds == Holds::Flag;
            let fields: Vec<_> = known
                .iter()
                .filter(|setting| !is_flag(setting))
                .map(|setting| field(draft, setting))
                .collect();
            let flags: Vec<_> = known
                .iter()
                .filter(is_flag)
                .map(|setting| flag(draft, setting))
                .collect();
            let planned = move || {
                draft.with_plan(|plan| {
                    plan.map(|(chosen, estimate)| {
                        strings::planned(&chosen.spec.tasks.name, estimate.plays)
                    })
                })
            };
            view! {
                <section class="section stack">
                    <div class="section-head">
                        <h2>{benchmark.schema().title}</h2>
                        <span class="small soft" role="status">{planned}</span>
                    </div>
                    <div class="fields fields-wide">{fields}</div>
                    <div class="row flags">{flags}</div>
                </section>
            }
        })
    }
}

/// The field of a setting.
pub fn field(draft: Draft, setting: &'static Setting) -> AnyView {
    match setting.holds {
        Holds::Number(least, most) => number(draft, setting, least, most),
        Holds::Limit(least, most, empty) => limit(draft, setting, (least, most), empty),
        Holds::Flag => flag(draft, setting),
        Holds::Choice(choices) => {
            let choices = choices.iter();
            let choices = choices.map(|(value, name)| ((*value).to_owned(), *name));
            choice(draft, setting, choices.collect(), |name| name.into())
        }
        Holds::Cards(cards) => {
            let choices = cards.iter();
            let choices = choices.map(|card| (card.value.to_owned(), card.title));
            choice(draft, setting, choices.collect(), |name| name.into())
        }
        Holds::Counts(counts) => {
            let choices = counts.iter();
            let choices = choices.map(|(count, name)| (count.to_string(), *name));
            choice(draft, setting, choices.collect(), |count| {
                count.parse::<u64>().map_or(Value::Null, Value::from)
            })
        }
        Holds::Lines => lines(draft, setting),
        Holds::Shares => text(draft, setting, read_shares),
        Holds::Numbers(members) => numbers(draft, setting, members),
        Holds::Text => text(draft, setting, |typed| Ok(typed.into())),
    }
}

fn number(draft: Draft, setting: &'static Setting, least: u64, most: u64) -> AnyView {
    let value = Signal::derive(move || draft.setting(setting.name)?.as_u64());
    let on_change = move |number: Option<u64>| {
        if let Some(number) = number {
            draft.set(setting.name, number.into());
        }
    };
    view! {
        <NumberField
            id=setting.name
            label=setting.label
            note=setting.note
            value
            on_change
            least
            most
        />
    }
    .into_any()
}

/// A number that may be absent: then the setting is `null`.
fn limit(
    draft: Draft,
    setting: &'static Setting,
    (least, most): (u64, u64),
    empty: &'static str,
) -> AnyView {
    let value = Signal::derive(move || draft.setting(setting.name)?.as_u64());
    let on_change = move |number: Option<u64>| draft.set(setting.name, number.into());
    view! {
        <NumberField
            id=setting.name
            label=setting.label
            note=setting.note
            value
            on_change
            least
            most
            empty
        />
    }
    .into_any()
}

fn flag(draft: Draft, setting: &'static Setting) -> AnyView {
    let checked = move || {
        draft
            .setting(setting.name)
            .and_then(|value| value.as_bool())
            == Some(true)
    };
    view! {
        <label class="check">
            <input
                type="checkbox"
                id=setting.name
                prop:checked=checked
                on:change:target=move |event| draft.set(setting.name, event.target().checked().into())
            />
            <span>
                {setting.label}
                " "
                <span class="small faint">{setting.note}</span>
            </span>
        </label>
    }
    .into_any()
}

/// One of several values, written as they stand in an address; `read` makes a setting of them.
fn choice(
    draft: Draft,
    setting: &'static Setting,
    choices: Vec<(String, &'static str)>,
    read: fn(&str) -> Value,
) -> AnyView {
    let chosen = Memo::new(move |_| {
        draft
            .setting(setting.name)
            .filter(|value| !value.is_null())
            .map(|value| write(&value))
            .unwrap_or_default()
    });
    let options: Vec<_> = choices
        .into_iter()
        .map(|(value, name)| {
            let own = value.clone();
            view! {
                <option value=value prop:selected=move || chosen.with(|chosen| *chosen == own)>
                    {name}
                </option>
            }
        })
        .collect();
    view! {
        <div class="field">
            <label for=setting.name>{setting.label}</label>
            <select
                id=setting.name
                class="select"
                on:change:target=move |event| match event.target().value().as_str() {
                    "" => draft.unset(setting.name),
                    value => draft.set(setting.name, read(value)),
                }
            >
                {options}
            </select>
            {note(setting)}
        </div>
    }
    .into_any()
}

/// A text, by how it is read.
fn text(
    draft: Draft,
    setting: &'static Setting,
    read: fn(&str) -> Result<Value, String>,
) -> AnyView {
    let value = Signal::derive(move || {
        let value = draft.setting(setting.name);
        value.map(|value| write(&value)).unwrap_or_default()
    });
    let read = move |typed: &str| {
        draft.set(setting.name, read(typed)?);
        Ok(())
    };
    view! { <ReadField id=setting.name label=setting.label note=setting.note value read/> }
        .into_any()
}

/// A text of several lines; without any the setting is left to the benchmark.
fn lines(draft: Draft, setting: &'static Setting) -> AnyView {
    let shown = move || {
        let value = draft.setting(setting.name);
        value.and_then(|value| value.as_str().map(str::to_owned))
    };
    view! {
        <div class="field field-wide">
            <label for=setting.name>{setting.label}</label>
            <textarea
                id=setting.name
                class="textarea textarea-mono"
                rows="6"
                spellcheck="false"
                prop:value=move || shown().unwrap_or_default()
                on:change:target=move |event| {
                    let typed = event.target().value();
                    match typed.trim() {
                        "" => draft.unset(setting.name),
                        _ => draft.set(setting.name, typed.into()),
                    }
                }
            ></textarea>
            {note(setting)}
        </div>
    }
    .into_any()
}

fn numbers(
    draft: Draft,
    setting: &'static Setting,
    members: &'static [(&'static str, &'static str)],
) -> AnyView {
    let object = move || match draft.setting(setting.name) {
        Some(Value::Object(object)) => object,
        _ => Map::new(),
    };
    let error_id = format!("{}-error", setting.name);
    let mut marks = Vec::new();
    let fields: Vec<_> = members
        .iter()
        .map(|(member, name)| {
            let shown = Signal::derive(move || {
                let number = object().get(*member).map(ToString::to_string);
                number.unwrap_or_default()
            });
            let mark = Mark::of(member, shown);
            marks.push(mark);
            let described_by = error_id.clone();
            view! {
                <label class="payoff">
                    <input
                        class="input input-num"
                        inputmode="numeric"
                        autocomplete="off"
                        aria-invalid=move || mark.invalid()
                        aria-describedby=move || mark.invalid().map(|_| described_by.clone())
                        prop:value=shown
                        on:change:target=move |event| {
                            let read = read_whole(&event.target().value());
                            let is_read = read.is_ok();
                            mark.set(read.map(|number| {
                                let mut object = untrack(object);
                                object.insert((*member).to_owned(), number.into());
                                draft.set(setting.name, Value::Object(object));
                            }));
                            if is_read {
                                event.target().set_value(&shown.get_untracked());
                            }
                        }
                    />
                    <span class="small soft">{*name}</span>
                </label>
            }
        })
        .collect();
    view! {
        <fieldset class="field payoffs">
            <legend>{setting.label}</legend>
            {fields}
            {move || {
                let why = marks.iter().find_map(|mark| mark.why());
                why.map(|why| view! { <FieldError id=error_id.clone() why/> })
            }}
            {note(setting)}
        </fieldset>
    }
    .into_any()
}

fn note(setting: &Setting) -> Option<impl IntoView + use<>> {
    let note = setting.note;
    (!note.is_empty()).then(|| view! { <span class="field-note">{note}</span> })
}

/// A setting as it stands in a field: lists with commas.
fn write(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(write).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// Numbers from 0 to 1 with commas or blanks between them; one alone is no list.
fn read_shares(typed: &str) -> Result<Value, String> {
    let shares: Vec<f64> = listed(typed)
        .map(|part| {
            part.parse()
                .ok()
                .filter(|share| (0.0..=1.0).contains(share))
        })
        .collect::<Option<_>>()
        .unwrap_or_default();
    match shares.as_slice() {
        [] => Err(strings::SHARES.to_owned()),
        [share] => Ok((*share).into()),
        _ => Ok(shares.into()),
    }
}

/// A whole number; a real minus sign counts as one.
fn read_whole(typed: &str) -> Result<i64, String> {
    let number = typed.trim().replace('−', "-").parse();
    number.map_err(|_| strings::PAYOFF.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lists_of_shares_are_read_as_people_write_them() {
        assert_eq!(read_shares(" 0.8 "), Ok(json!(0.8)));
        assert_eq!(read_shares("0.5, 0.8;1"), Ok(json!([0.5, 0.8, 1.0])));
        for bad in ["", "1.5", "0.5, x", "NaN"] {
            assert!(read_shares(bad).is_err(), "{bad}");
        }
        assert_eq!(write(&json!([0.5, 0.8])), "0.5, 0.8");
        assert_eq!(read_whole("−2"), Ok(-2));
        assert!(read_whole("2.5").is_err());
    }
}
