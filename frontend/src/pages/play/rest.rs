//! What most people leave as it is: settings of the game, which tasks, the name, the time.

use serde_json::Value;
use turnwise_shared::benchmark::people::Tasks;
use turnwise_shared::benchmark::schema::{Holds, Setting};

use crate::components::form::NumberField;
use crate::components::setting_fields::{Slot, field};
use crate::prelude::*;
use crate::strings::{capitalised, play as words};
use crate::view::room_setup::{
    Game, LONGEST_NAME, MOST_EPISODES, Setup, Which, clock_of, settings, tasks_of, value_of,
};

/// Seconds of a decision that are offered; 0 = as long as it takes.
const SECONDS: [u32; 7] = [0, 15, 30, 60, 120, 300, 900];

/// Stands before the id of a task in the list of tasks.
const TASK: &str = "sample ";
/// Stands before a value by which tasks are narrowed.
const ANY: &str = "any";

/// The settings of the game that decide what is played: cards, and which tasks.
#[component]
pub fn What(setup: RwSignal<Setup>, game: Memo<Game>) -> impl IntoView {
    move || {
        let game = game.get();
        let cards: Vec<_> = settings(game)
            .iter()
            .filter_map(|setting| match setting.holds {
                Holds::Cards(_) => Some(field(slot(setup, setting))),
                _ => None,
            })
            .collect();
        let tasks = game.people.tasks.map(|tasks| task_field(setup, game, tasks));
        (cards, tasks)
    }
}

#[component]
pub fn Rest(setup: RwSignal<Setup>, game: Memo<Game>, name: RwSignal<String>) -> impl IntoView {
    let seconds = move || setup.with(|setup| setup.clock.decision_seconds);
    let times = move || {
        SECONDS
            .into_iter()
            .map(|time| {
                view! {
                    <option value=time selected=move || seconds() == time>
                        {words::for_each(time)}
                    </option>
                }
            })
            .collect_view()
    };
    let of_the_game = move || {
        let game = game.get();
        let fields: Vec<_> = settings(game)
            .iter()
            .filter(|setting| !matches!(setting.holds, Holds::Cards(_)))
            .map(|setting| field(slot(setup, setting)))
            .collect();
        let episodes = game.people.tasks.map(|_| episodes(setup, game));
        (episodes, fields)
    };
    view! {
        <fieldset class="stack-2">
            <legend>"You and the clock"</legend>
            <div class="fields">
                <div class="field">
                    <label for="own-name">{words::NAME}</label>
                    <input
                        id="own-name"
                        class="input"
                        type="text"
                        autocomplete="nickname"
                        maxlength=LONGEST_NAME
                        placeholder=words::NOBODY
                        bind:value=name
                    />
                </div>
                {of_the_game}
                <Show when=move || setup.with(Setup::asks_models)>
                    <NumberField
                        id="table-calls"
                        label="Calls of models, at most"
                        note="When they are used up, what is under way breaks off, and the table is over."
                        empty="no limit"
                        value=Signal::derive(move || setup.with(|setup| setup.calls))
                        on_change=move |number| setup.update(|setup| setup.calls = number)
                        least=1
                    />
                </Show>
                <div class="field">
                    <label for="decision-time">"Time for a decision"</label>
                    {select_list("decision-time", move |time| {
                        if let Ok(time) = time.parse() {
                            setup.update(|setup| setup.clock = clock_of(time));
                        }
                    }, times)}
                    <span class="field-note">{move || words::bank_note(setup.with(|setup| setup.clock))}</span>
                </div>
            </div>
        </fieldset>
    }
}

/// How many tasks, as long as none is chosen.
fn episodes(setup: RwSignal<Setup>, game: Game) -> impl IntoView {
    let label = game.people.episode.1;
    view! {
        <Show when=move || setup.with(|setup| matches!(setup.which, Which::Any(_)))>
            <NumberField
                id="episodes"
                label=capitalised(label)
                value=Signal::derive(move || Some(u64::from(setup.with(|setup| setup.episodes))))
                on_change=move |number| {
                    if let Some(number) = number.and_then(|number| u32::try_from(number).ok()) {
                        setup.update(|setup| setup.episodes = number);
                    }
                }
                least=1
                most=u64::from(MOST_EPISODES)
            />
        </Show>
    }
}

/// A setting as this form holds it. What is written as a number is one.
fn slot(setup: RwSignal<Setup>, setting: &'static Setting) -> Slot {
    let name = setting.name;
    let set = move |value: Option<Value>| {
        let value = value.map(|value| match value {
            Value::String(text) => value_of(&text),
            other => other,
        });
        setup.update(|setup| match value {
            Some(value) => drop(setup.settings.insert(name.to_owned(), value)),
            None => drop(setup.settings.remove(name)),
        });
    };
    let value = move || setup.with(|setup| setup.setting(name));
    Slot::new(setting, value, set).titled()
}

fn note(note: &'static str) -> Option<impl IntoView> {
    (!note.is_empty()).then(|| view! { <span class="field-note">{note}</span> })
}

fn task_field(setup: RwSignal<Setup>, game: Game, tasks: Tasks) -> AnyView {
    let value = Memo::new(move |_| setup.with(|setup| text_of_which(&setup.which)));
    let options: Vec<_> = options(game, tasks)
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
    any_view! {
        <fieldset class="stack-2">
            <legend>{tasks.label}</legend>
            <div class="field">
                <label class="sr" for="task">{tasks.label}</label>
                {select_list("task", move |which| {
                    let which = which_of(&which);
                    setup.update(|setup| setup.which = which);
                }, options)}
                {note(tasks.note)}
            </div>
        </fieldset>
    }
}

/// Everything that can be chosen, as values of a list: chance, then the tasks.
fn options(game: Game, tasks: Tasks) -> Vec<(String, String)> {
    let (values, samples) = tasks_of(game);
    // One value narrows nothing.
    let values = values.into_iter().map(Some).filter(|_| values_differ(&samples, tasks));
    let by_chance = std::iter::once(None).chain(values).map(|value| {
        let text = words::any_task(value.as_deref());
        (text_of_which(&Which::Any(value)), text)
    });
    let tasks = samples.iter().map(|task| {
        let text = describe(task, tasks);
        (text_of_which(&Which::One(task.id.clone())), text)
    });
    by_chance.chain(tasks).collect()
}

fn values_differ(samples: &[Task], tasks: Tasks) -> bool {
    let mut values = samples.iter().filter_map(|task| task.labels.get(tasks.by?)).peekable();
    let first = values.peek().copied().cloned();
    values.any(|value| Some(value) != first.as_ref())
}

/// A task in a list, without anything that is hidden.
fn describe(task: &Task, tasks: Tasks) -> String {
    let labels = tasks.shown.iter().filter_map(|name| task.labels.get(*name));
    let labels: Vec<_> = labels.map(String::as_str).collect();
    words::task(&labels.join(", "), task.field(OPEN_FIELD).unwrap_or_default())
}

fn text_of_which(which: &Which) -> String {
    match which {
        Which::Any(None) => ANY.to_owned(),
        Which::Any(Some(value)) => format!("{ANY} {value}"),
        Which::One(id) => format!("{TASK}{id}"),
    }
}

fn which_of(text: &str) -> Which {
    match (text.strip_prefix(TASK), text.strip_prefix(ANY)) {
        (Some(id), _) => Which::One(TaskId::from(id)),
        (None, Some(value)) if !value.is_empty() => Which::Any(Some(value[1..].to_owned())),
        _ => Which::Any(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_entry_of_every_list_comes_back() {
        for game in Game::all() {
            let Some(tasks) = game.people.tasks else {
                continue;
            };
            let options = options(game, tasks);
            let values: BTreeSet<_> = options.iter().map(|(value, _)| value).collect();
            assert_eq!(values.len(), options.len(), "{}", game.name());
            assert!(options.len() > tasks_of(game).1.len(), "all are offered");
            for (value, text) in &options {
                assert_eq!(text_of_which(&which_of(value)), *value);
                assert!(!text.is_empty() && text.chars().count() < 120, "{text}");
            }
        }
    }

    #[test]
    fn a_list_of_tasks_gives_nothing_away() {
        for game in Game::all() {
            let Some(tasks) = game.people.tasks else {
                continue;
            };
            for task in tasks_of(game).1 {
                let text = describe(&task, tasks);
                for (field, _) in game.people.reveals {
                    let hidden = task.field(field).unwrap_or_default();
                    let open = task.field(OPEN_FIELD).unwrap_or_default();
                    let tells = hidden.len() > 3 && text.contains(hidden) && !open.contains(hidden);
                    assert!(!tells, "{} {}: {text}", game.name(), task.id);
                }
            }
        }
    }
}
