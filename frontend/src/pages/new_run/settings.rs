//! The settings of a benchmark: a form made of what it declares of each.

use leptos::prelude::*;
use serde_json::{Map, Value};
use turnwise_shared::benchmark::Benchmark;
use turnwise_shared::benchmark::schema::{Card, Holds, Preset, Schema, Setting};
use turnwise_shared::spec::RandomSubset;

use super::Draft;
use crate::address::Config;
use crate::components::form::{FieldError, Mark, NumberField, ReadField, listed};
use crate::components::ribbon::example;
use crate::plan;
use crate::strings::new_run as strings;

/// The section of settings; nothing for benchmarks without any.
#[component]
pub fn Settings(draft: Draft) -> impl IntoView {
    move || {
        let benchmark = draft.benchmark();
        let schema = benchmark.schema();
        (!schema.settings.is_empty()).then(|| section(draft, benchmark, schema))
    }
}

fn section(draft: Draft, benchmark: &'static dyn Benchmark, schema: Schema) -> impl IntoView {
    // What decides nothing is shown if somebody chose it all the same, because then it has to be mended.
    let shown = Memo::new(move |_| {
        draft.config.with(|config| {
            let chosen = Value::Object(plan::settings(config, benchmark));
            let is_shown = |setting: &&Setting| {
                benchmark.is_offered(setting.name, &chosen, config.profile)
                    || config.settings.contains_key(setting.name)
            };
            schema.settings.iter().filter(is_shown).collect::<Vec<_>>()
        })
    });
    let all_of = move |part: Part| {
        Memo::new(move |_| {
            let mut of_part = shown.get();
            of_part.retain(|setting| Part::of(setting) == part);
            of_part
        })
    };
    let of = move |part: Part| {
        let settings = all_of(part);
        move || {
            view! {
                <For each=move || settings.get() key=|setting| setting.name let(setting)>
                    {field(draft, setting)}
                </For>
            }
        }
    };
    let flags = all_of(Part::Flags);
    let folded = all_of(Part::Folded);
    let (fields_here, flags_here, folded_here) =
        (of(Part::Fields), of(Part::Flags), of(Part::Folded));
    let has_fields = schema
        .settings
        .iter()
        .any(|setting| Part::of(setting) == Part::Fields);
    let now = move || {
        let changed = folded.get().into_iter().filter_map(|setting| {
            let is_chosen = draft
                .config
                .with(|config| config.settings.contains_key(setting.name));
            let value = is_chosen.then(|| draft.setting(setting.name)).flatten()?;
            Some(format!("{}: {}", setting.label, said(setting, &value)))
        });
        let changed: Vec<_> = changed.collect();
        match changed.is_empty() {
            true => "as usual".to_owned(),
            false => changed.join("; "),
        }
    };
    let planned = move || {
        draft.with_plan(|plan| {
            plan.map(|(chosen, estimate)| strings::planned(&chosen.spec.tasks.name, estimate.plays))
        })
    };
    view! {
        <section class="section stack">
            <div class="section-head">
                <h2 id="settings">{schema.title}</h2>
                <span class="small soft" role="status">{planned}</span>
            </div>
            <Presets draft schema/>
            {of(Part::Cards)}
            {has_fields.then(|| view! { <div class="fields fields-wide">{fields_here}</div> })}
            <Show when=move || flags.with(|flags| !flags.is_empty())>
                <div class="row flags">{flags_here}</div>
            </Show>
            <Show when=move || folded.with(|folded| !folded.is_empty())>
                <details class="more">
                    <summary>
                        "Advanced"
                        <span class="faint">{now}</span>
                    </summary>
                    <div class="more-body fields fields-wide">{folded_here}</div>
                </details>
            </Show>
        </section>
    }
}

/// Where in the section a setting stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Cards,
    Fields,
    Flags,
    Folded,
}

impl Part {
    fn of(setting: &Setting) -> Self {
        match setting.holds {
            _ if setting.is_folded => Part::Folded,
            Holds::Cards(_) => Part::Cards,
            Holds::Flag => Part::Flags,
            _ => Part::Fields,
        }
    }
}

/// A value in words.
fn said(setting: &Setting, value: &Value) -> String {
    let named = match (setting.holds, value) {
        (Holds::Choice(choices), Value::String(text)) => choices
            .iter()
            .find(|(value, _)| value == text)
            .map(|(_, name)| *name),
        (Holds::Counts(counts), Value::Number(_)) => counts
            .iter()
            .find(|(count, _)| value == count)
            .map(|(_, name)| *name),
        (Holds::Limit(_, _, empty), Value::Null) => Some(empty),
        (Holds::Flag, Value::Bool(is_set)) => Some(if *is_set { "yes" } else { "no" }),
        (Holds::Lines, Value::String(_)) => Some("one of your own"),
        _ => None,
    };
    named.map_or_else(|| write(value), str::to_owned)
}

/// Buttons that choose several settings at once, and how to leave them again; what a sweep is, as long as one is chosen.
#[component]
fn Presets(draft: Draft, schema: Schema) -> impl IntoView {
    let swept = Memo::new(move |_| {
        schema.settings.iter().find_map(|setting| {
            let Holds::Sweep(..) = setting.holds else {
                return None;
            };
            Some((setting, draft.setting(setting.name)?.as_array()?.len()))
        })
    });
    let is_swept = move |name: &str| {
        swept.with(|swept| swept.is_some_and(|(setting, _)| setting.name == name))
    };
    let leave = move || {
        for preset in schema.presets {
            for name in object((preset.settings)()).keys() {
                draft.unset(name);
            }
        }
    };
    let choose = move |preset: &'static Preset| {
        leave();
        for (name, value) in object((preset.settings)()) {
            draft.set(&name, value);
        }
        // As many tasks as it takes, where there are more and nobody has chosen among them.
        let all = draft
            .tasks
            .with_untracked(|tasks| tasks.ready().map_or(0, |tasks| tasks.tasks.len()));
        draft.config.update(|config| {
            if all > preset.tasks as usize && config.subset == Default::default() {
                config.subset.random = Some(RandomSubset {
                    count: preset.tasks,
                    seed: 1,
                });
            }
        });
    };
    let buttons: Vec<_> = schema
        .presets
        .iter()
        .map(|preset| {
            view! {
                <button
                    class="btn btn-small"
                    type="button"
                    id=preset.id
                    aria-pressed=move || is_swept(preset.sweeps).to_string()
                    on:click=move |_| choose(preset)
                >
                    {preset.label}
                </button>
            }
        })
        .collect();
    let row = (!buttons.is_empty()).then(|| {
        view! {
            <div class="row" id="studies">
                {buttons}
                <Show when=move || swept.get().is_some()>
                    <button class="btn btn-small btn-quiet" type="button" id="no-study" on:click=move |_| leave()>
                        "No study"
                    </button>
                </Show>
            </div>
        }
    });
    view! {
        {row}
        {move || swept.get().map(|(setting, values)| {
            view! { <p class="note small" role="status">{strings::swept(setting.label, values)}</p> }
        })}
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
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
        Holds::Cards(cards) => cards_of(draft, setting, cards),
        Holds::Counts(counts) => {
            let choices = counts.iter();
            let choices = choices.map(|(count, name)| (count.to_string(), *name));
            choice(draft, setting, choices.collect(), |count| {
                count.parse::<u64>().map_or(Value::Null, Value::from)
            })
        }
        Holds::Lines => lines(draft, setting),
        Holds::Sweep(least, most) => text(draft, setting, "numeric", move |typed| {
            read_numbers(typed, least, most)
        }),
        Holds::Shares => text(draft, setting, "text", read_shares),
        Holds::Numbers(members) => numbers(draft, setting, members),
        Holds::Text => text(draft, setting, "text", |typed| Ok(typed.into())),
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

/// One of several values, each of them a card.
fn cards_of(draft: Draft, setting: &'static Setting, cards: &'static [Card]) -> AnyView {
    let chosen = Memo::new(move |_| {
        let value = draft.setting(setting.name)?;
        cards.iter().find(|card| value == card.value)
    });
    // Cards stay in the page while one chooses among them, or the keyboard would lose its place.
    let all = Memo::new(move |_| chosen.get().is_some_and(|card| !card.is_usual));
    let benchmark = draft.benchmark_untracked();
    let card = move |card: &'static Card| {
        let choose = move |_| {
            draft.set(setting.name, card.value.into());
            draft
                .config
                .update(|config| leave_out_what_is_not_offered(config, benchmark));
        };
        view! {
            <label class="choice">
                <input
                    type="radio"
                    name=setting.name
                    value=card.value
                    prop:checked=move || chosen.get() == Some(card)
                    on:change=choose
                />
                <span class="choice-title">{card.title}</span>
                {example(card.ribbon)}
                <span class="choice-note">{card.note}</span>
            </label>
        }
    };
    let offered = move || {
        let all = all.get();
        cards
            .iter()
            .filter(move |card| card.is_usual || all)
            .map(card)
            .collect_view()
    };
    let remark = move || {
        let remark = chosen.get()?.remark;
        (!remark.is_empty()).then(|| view! { <p class="field-note">{remark}</p> })
    };
    view! {
        <fieldset class="choices" aria-label=setting.label>
            {offered}
        </fieldset>
        {remark}
    }
    .into_any()
}

/// Whoever chooses another card does not take settings along that are not for it.
fn leave_out_what_is_not_offered(config: &mut Config, benchmark: &dyn Benchmark) {
    let chosen = Value::Object(plan::settings(config, benchmark));
    let profile = config.profile;
    config
        .settings
        .retain(|name, _| benchmark.is_offered(name, &chosen, profile));
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

/// A text, by the keys that a phone shows for it and how it is read.
fn text(
    draft: Draft,
    setting: &'static Setting,
    keys: &'static str,
    read: impl Fn(&str) -> Result<Value, String> + Copy + Send + Sync + 'static,
) -> AnyView {
    let value = Signal::derive(move || {
        let value = draft.setting(setting.name);
        value.map(|value| write(&value)).unwrap_or_default()
    });
    let read = move |typed: &str| {
        draft.set(setting.name, read(typed)?);
        Ok(())
    };
    view! { <ReadField id=setting.name label=setting.label keys note=setting.note value read/> }
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

/// One whole number, or several with commas or blanks between them; what stands there twice counts once.
fn read_numbers(typed: &str, least: u64, most: u64) -> Result<Value, String> {
    let mut numbers: Vec<u64> = Vec::new();
    for part in listed(typed) {
        let number = part.parse().ok();
        let number = number.filter(|number| (least..=most).contains(number));
        let number = number.ok_or_else(|| strings::counts(least, most))?;
        if !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    match numbers.as_slice() {
        [] => Err(strings::counts(least, most)),
        [one] => Ok((*one).into()),
        _ => Ok(numbers.into()),
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
        [] => {
            Err("Write numbers from 0 to 1, such as 0.8, with commas between several.".to_owned())
        }
        [share] => Ok((*share).into()),
        _ => Ok(shares.into()),
    }
}

/// A whole number; a real minus sign counts as one.
fn read_whole(typed: &str) -> Result<i64, String> {
    let number = typed.trim().replace('−', "-").parse();
    number.map_err(|_| "Write whole numbers, such as 3 or -1.".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::collections::BTreeSet;
    use turnwise_shared::benchmark::default_spec;
    use turnwise_shared::examples::WORLDS;
    use turnwise_shared::registry;

    /// Every default setting has its field, and every choice that a form offers is understood.
    #[test]
    fn forms_know_the_settings_of_their_benchmarks() {
        for benchmark in registry::BENCHMARKS {
            let schema = benchmark.schema();
            let names: BTreeSet<_> = schema.settings.iter().map(|setting| setting.name).collect();
            assert_eq!(names.len(), schema.settings.len(), "no name twice");
            let defaults = benchmark.default_settings();
            for name in defaults.as_object().expect("an object").keys() {
                let is_known = names.is_empty() || names.contains(name.as_str());
                assert!(is_known, "{}: {name}", benchmark.name());
            }
            for setting in schema.settings {
                let values: Vec<_> = match setting.holds {
                    Holds::Choice(choices) => choices.iter().map(|(value, _)| *value).collect(),
                    Holds::Cards(cards) => cards.iter().map(|card| card.value).collect(),
                    _ => continue,
                };
                for value in values.into_iter().filter(|value| !value.is_empty()) {
                    let mut spec = default_spec(*benchmark);
                    spec.settings[setting.name] = value.into();
                    if let Err(bad) = benchmark.check(&spec) {
                        // Some go together with another profile only; what is not understood is a fault of all settings.
                        assert_ne!(bad.field, "settings", "{}={value}: {bad}", setting.name);
                    }
                }
            }
            for preset in schema.presets {
                let chosen = object((preset.settings)());
                assert!(
                    chosen[preset.sweeps]
                        .as_array()
                        .is_some_and(|all| all.len() > 1)
                );
                assert!(chosen.keys().all(|name| names.contains(name.as_str())));
            }
        }
    }

    #[test]
    fn another_card_takes_nothing_along_that_is_not_for_it() {
        let benchmark = registry::find(WORLDS).expect("an example");
        let mut config = Config::new(WORLDS);
        for (name, value) in [
            ("setting", json!("A")),
            ("syntax", json!("glm4")),
            ("system", json!("Search.")),
            ("turns", json!(9)),
            ("votes", json!(3)),
        ] {
            config.settings.insert(name.to_owned(), value);
        }
        leave_out_what_is_not_offered(&mut config, benchmark);
        let left: Vec<_> = config.settings.keys().map(String::as_str).collect();
        assert_eq!(left, ["setting", "votes"]);
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        assert_eq!(read_numbers(" 10 ", 1, 100), Ok(json!(10)));
        assert_eq!(read_numbers("5, 10;20 20", 1, 100), Ok(json!([5, 10, 20])));
        for bad in ["0, 5", "500", "ten", "5-10", ""] {
            assert!(read_numbers(bad, 1, 100).is_err(), "{bad}");
        }
        assert_eq!(write(&json!([5, 10])), "5, 10");
    }

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
