//! The settings of a benchmark: a form made of what it declares of each.

use serde_json::{Map, Value};
use turnwise_shared::benchmark::schema::{Holds, Preset, Schema, Setting};
use turnwise_shared::spec::RandomSubset;

use super::Draft;
use crate::address::Config;
use crate::components::setting_fields::{Slot, field, in_words};
use crate::prelude::*;
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
    // What decides nothing is shown if the user chose it all the same, because then it has to be mended.
    let shown = Memo::new(move |_| {
        draft.config.with(|config| {
            let chosen = plan::settings(config, benchmark);
            let is_shown = |setting: &&Setting| {
                benchmark.is_offered(setting.name, &chosen, config.profile)
                    || config.settings.contains_key(setting.name)
            };
            schema.settings.iter().filter(is_shown).collect::<Vec<_>>()
        })
    });
    let all_of = move |part: SettingPlace| {
        Memo::new(move |_| {
            let mut of_part = shown.get();
            of_part.retain(|setting| SettingPlace::of(setting) == part);
            of_part
        })
    };
    let of = move |part: SettingPlace| {
        let settings = all_of(part);
        move || {
            view! {
                <For each=move || settings.get() key=|setting| setting.name let(setting)>
                    {field(slot(draft, setting))}
                </For>
            }
        }
    };
    let flags = all_of(SettingPlace::Flags);
    let folded = all_of(SettingPlace::Folded);
    let (fields_here, flags_here, folded_here) =
        (of(SettingPlace::Fields), of(SettingPlace::Flags), of(SettingPlace::Folded));
    let has_fields =
        schema.settings.iter().any(|setting| SettingPlace::of(setting) == SettingPlace::Fields);
    let changed = move |settings: Vec<&Setting>| {
        let words = settings.into_iter().filter_map(|setting| {
            let is_chosen = draft.config.with(|config| config.settings.contains_key(setting.name));
            let is_card = SettingPlace::of(setting) == SettingPlace::Cards;
            let value = (is_chosen || is_card).then(|| draft.setting(setting.name)).flatten()?;
            let value = in_words(setting, &value);
            Some(match is_card {
                true => value,
                false => format!("{}: {value}", setting.label),
            })
        });
        let words: Vec<_> = words.collect();
        match words.is_empty() {
            true => "defaults".to_owned(),
            false => words.join("; "),
        }
    };
    let planned = move || {
        draft.with_plan(|plan| {
            plan.map(|(chosen, estimate)| strings::planned(&chosen.spec.tasks.name, estimate.plays))
        })
    };
    let body = view! {
        <Presets draft schema/>
        {of(SettingPlace::Cards)}
        {has_fields.then(|| view! { <div class="fields fields-wide">{fields_here}</div> })}
        <Show when=move || flags.with(|flags| !flags.is_empty())>
            <div class="row flags">{flags_here}</div>
        </Show>
        <Show when=move || folded.with(|folded| !folded.is_empty())>
            <details class="more">
                <summary>
                    "Advanced"
                    <span class="faint">{move || changed(folded.get())}</span>
                </summary>
                <div class="more-body fields fields-wide">{folded_here}</div>
            </details>
        </Show>
    };
    // What a game plays follows from its settings; with a task file they are the rest.
    match benchmark.reads_tasks() {
        false => any_view! {
            <section class="section stack">
                <div class="section-head">
                    <h2 id="settings">{schema.title}</h2>
                    <span class="small soft" role="status">{planned}</span>
                </div>
                {body}
            </section>
        },
        true => {
            let is_open = draft.config.with_untracked(|config| !config.settings.is_empty());
            any_view! {
                <details class="more" id="settings-fold" open=is_open>
                    <summary>
                        <span id="settings">{schema.title}</span>
                        <span class="faint">{move || changed(shown.get())}</span>
                    </summary>
                    <div class="more-body stack">{body}</div>
                </details>
            }
        }
    }
}

/// Where in the section a setting stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SettingPlace {
    Cards,
    Fields,
    Flags,
    Folded,
}

impl SettingPlace {
    fn of(setting: &Setting) -> Self {
        match setting.holds {
            _ if setting.is_folded => SettingPlace::Folded,
            Holds::Cards(_) => SettingPlace::Cards,
            Holds::Flag => SettingPlace::Flags,
            _ => SettingPlace::Fields,
        }
    }
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
    let is_chosen = move |preset: &Preset| {
        let (settings, usual) = (object((preset.settings)()), object((schema.defaults)()));
        let names = schema.presets.iter().flat_map(|one| object((one.settings)()).into_iter());
        names.map(|(name, _)| name).all(|name| {
            draft.setting(&name).as_ref() == settings.get(&name).or_else(|| usual.get(&name))
        })
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
        // As many tasks as it takes, where there are more and the user has not chosen among them.
        let all =
            draft.tasks.with_untracked(|tasks| tasks.ready().map_or(0, |tasks| tasks.tasks.len()));
        draft.config.update(|config| {
            if all > preset.tasks as usize && config.subset == Default::default() {
                config.subset.random = Some(RandomSubset { count: preset.tasks, seed: 1 });
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
                    aria-pressed=move || is_chosen(preset).to_string()
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
            view! { <p class="note small" role="status">{format!("{}: {values} values in one run. Every task \
                runs once at each value; the run's page plots the results.", setting.label)}</p> }
        })}
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

/// A setting as this form holds it.
fn slot(draft: Draft, setting: &'static Setting) -> Slot {
    let benchmark = draft.benchmark_untracked();
    let set = move |value: Option<Value>| {
        match value {
            Some(value) => draft.set(setting.name, value),
            None => draft.unset(setting.name),
        }
        if matches!(setting.holds, Holds::Cards(_)) {
            let config = draft.config;
            config.update(|config| leave_out_what_is_not_offered(config, benchmark));
        }
    };
    Slot::new(setting, move || draft.setting(setting.name), set)
}

/// A user who chooses another card does not take settings along that are not for it.
fn leave_out_what_is_not_offered(config: &mut Config, benchmark: &dyn Benchmark) {
    let chosen = plan::settings(config, benchmark);
    let profile = config.profile;
    config.settings.retain(|name, _| benchmark.is_offered(name, &chosen, profile));
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
                    if let Err(bad) = benchmark.check_spec(&spec) {
                        // Some go together with another profile only; what is not understood is a fault of all settings.
                        assert_ne!(bad.field, "settings", "{}={value}: {bad}", setting.name);
                    }
                }
            }
            for preset in schema.presets {
                let chosen = object((preset.settings)());
                assert!(chosen[preset.sweeps].as_array().is_some_and(|all| all.len() > 1));
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
}
