//! What a person is given in Mind-ParaWorld, and which world.

use leptos::prelude::*;
use turnwise_shared::benchmarks::paraworld::settings::Setting;
use turnwise_shared::benchmarks::paraworld::task::{Language, field, label};
use turnwise_shared::registry;
use turnwise_shared::task::{Task, TaskId};

use super::setup::{PARAWORLD, Setup, Worlds};
use crate::strings::play as words;

/// The settings that a person can play.
const SETTINGS: [Setting; 4] = [
    Setting::Unguided,
    Setting::Guidance,
    Setting::FewShot,
    Setting::Oracle,
];

/// Stands before the id of a sample in the list of worlds.
const SAMPLE: &str = "sample ";
/// Stands for any world in the list of worlds; a language alone for any of that language.
const RANDOM: &str = "random";

/// See the module's head.
#[component]
pub fn World(setup: RwSignal<Setup>) -> impl IntoView {
    let cards: Vec<_> = SETTINGS
        .into_iter()
        .map(|setting| {
            let (title, note) = words::setting(setting);
            view! {
                <label class="choice">
                    <input
                        type="radio"
                        name="setting"
                        value=setting.name()
                        prop:checked=move || setup.with(|setup| setup.setting == setting)
                        on:change=move |_| setup.update(|setup| setup.setting = setting)
                    />
                    <span class="choice-title">{title}</span>
                    <span class="choice-note">{note}</span>
                </label>
            }
        })
        .collect();
    let value = Memo::new(move |_| setup.with(|setup| value_of(&setup.worlds)));
    let options: Vec<_> = options()
        .into_iter()
        .map(|(option, text)| {
            let own = option.clone();
            view! {
                <option value=option selected=move || value.with(|value| *value == own)>
                    {text}
                </option>
            }
        })
        .collect();
    view! {
        <fieldset class="choices">
            <legend>{words::GIVEN}</legend>
            {cards}
        </fieldset>
        <fieldset class="stack-2">
            <legend>{words::WHICH_WORLD}</legend>
            <div class="field">
                <label class="sr" for="world">{words::WHICH_WORLD}</label>
                <select
                    id="world"
                    class="select"
                    on:change:target=move |event| {
                        let worlds = worlds_of(&event.target().value());
                        setup.update(|setup| setup.worlds = worlds);
                    }
                >
                    {options}
                </select>
                <span class="field-note">{words::SAMPLES_NOTE}</span>
            </div>
        </fieldset>
    }
}

/// Everything that can be chosen, as values of a list: chance, then the samples.
fn options() -> Vec<(String, String)> {
    let by_chance = [None, Some(Language::En), Some(Language::Zh)].map(|language| {
        (
            value_of(&Worlds::Random(language)),
            words::any_world(language),
        )
    });
    let samples = registry::find(PARAWORLD)
        .map(|benchmark| benchmark.samples().tasks)
        .unwrap_or_default();
    let samples = samples
        .iter()
        .map(|task| (value_of(&Worlds::Chosen(task.id.clone())), describe(task)));
    by_chance.into_iter().chain(samples).collect()
}

fn describe(task: &Task) -> String {
    let label = |name: &str| {
        task.labels
            .get(name)
            .map(String::as_str)
            .unwrap_or_default()
    };
    words::sample_world(
        label(label::TIER),
        label(label::CATEGORY),
        task.field(field::QUESTION).unwrap_or_default(),
    )
}

fn value_of(worlds: &Worlds) -> String {
    match worlds {
        Worlds::Random(None) => RANDOM.to_owned(),
        Worlds::Random(Some(language)) => language.code().to_owned(),
        Worlds::Chosen(id) => format!("{SAMPLE}{id}"),
    }
}

fn worlds_of(value: &str) -> Worlds {
    match value.strip_prefix(SAMPLE) {
        Some(id) => Worlds::Chosen(TaskId::from(id)),
        None => Worlds::Random(Language::of_code(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_entry_of_the_list_comes_back() {
        let options = options();
        let values: BTreeSet<_> = options.iter().map(|(value, _)| value).collect();
        assert_eq!(values.len(), options.len());
        assert!(options.len() > 20, "all samples are offered");
        for (value, text) in &options {
            assert_eq!(value_of(&worlds_of(value)), *value);
            assert!(!text.is_empty() && text.chars().count() < 120, "{text}");
        }
    }
}
