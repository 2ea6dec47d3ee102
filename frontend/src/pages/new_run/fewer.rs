//! Fewer tasks than the set has.

use std::collections::BTreeSet;
use std::sync::Arc;

use leptos::prelude::*;
use turnwise_shared::spec::RandomSubset;
use turnwise_shared::task::{TaskId, TaskSet};

use super::Draft;
use crate::components::form::NumberField;
use crate::strings::new_run as strings;

/// Fewer tasks: by id, at random, or only the first.
#[component]
pub fn Fewer(draft: Draft) -> impl IntoView {
    let shown = move || {
        draft.config.with(|config| {
            let ids: Vec<_> = config.subset.ids.iter().map(|id| id.0.as_str()).collect();
            ids.join(", ")
        })
    };
    let random = move |get: fn(&RandomSubset) -> u64| {
        Signal::derive(move || {
            draft
                .config
                .with(|config| config.subset.random.as_ref().map(get))
        })
    };
    let is_open = draft.config.with_untracked(|config| {
        let subset = &config.subset;
        !subset.ids.is_empty() || subset.random.is_some() || subset.first.is_some()
    });
    view! {
        <details class="more" open=is_open>
            <summary>{strings::SUBSET}</summary>
            <div class="more-body">
                <div class="fields">
                    <div class="field">
                        <label for="ids">{strings::IDS}</label>
                        <input
                            id="ids"
                            class="input"
                            placeholder=strings::ALL
                            aria-describedby="ids-note"
                            prop:value=shown
                            on:change:target=move |event| {
                                let text = event.target().value();
                                let ids = draft.tasks.with_untracked(|tasks| ids(&text, tasks.ready()));
                                draft.config.update(|config| config.subset.ids = ids);
                            }
                        />
                        <span class="field-note" id="ids-note">{strings::IDS_NOTE}</span>
                    </div>
                    <NumberField
                        id="random"
                        label=strings::RANDOM
                        value=random(|random| random.count.into())
                        on_change=move |number| {
                            draft.config.update(|config| {
                                let seed = config.subset.random.as_ref().map_or(1, |random| random.seed);
                                config.subset.random = number
                                    .and_then(|number| u32::try_from(number).ok())
                                    .map(|count| RandomSubset { count, seed });
                            });
                        }
                        least=1
                        most=u32::MAX.into()
                        empty=strings::ALL
                    />
                    <NumberField
                        id="random-seed"
                        label=strings::RANDOM_SEED
                        value=random(|random| random.seed)
                        on_change=move |number| {
                            draft.config.update(|config| {
                                if let (Some(random), Some(seed)) = (&mut config.subset.random, number) {
                                    random.seed = seed;
                                }
                            });
                        }
                        disabled=Signal::derive(move || draft.config.with(|config| config.subset.random.is_none()))
                    />
                    <NumberField
                        id="first"
                        label=strings::FIRST
                        value=Signal::derive(move || draft.config.with(|config| config.subset.first.map(u64::from)))
                        on_change=move |number| {
                            draft.config.update(|config| {
                                config.subset.first = number.and_then(|number| u32::try_from(number).ok());
                            });
                        }
                        least=1
                        most=u32::MAX.into()
                        empty=strings::ALL
                    />
                </div>
            </div>
        </details>
    }
}

/// The ids that somebody wrote, ranges of numbers as all that are in them. A word that means no task stays as it is; the check names it.
fn ids(text: &str, tasks: Option<&Arc<TaskSet>>) -> Vec<TaskId> {
    let words = text
        .split(|sign: char| sign == ',' || sign == ';' || sign.is_whitespace())
        .filter(|word| !word.is_empty());
    let mut seen = BTreeSet::new();
    words
        .flat_map(|word| {
            let meant = tasks.and_then(|tasks| tasks.meant(word).ok());
            meant.unwrap_or_else(|| vec![word.into()])
        })
        .filter(|id| seen.insert(id.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use turnwise_shared::hash::Digest;
    use turnwise_shared::task::{Task, TaskSetOrigin};

    use super::*;

    fn read(text: &str, tasks: Option<&Arc<TaskSet>>) -> Vec<String> {
        ids(text, tasks).into_iter().map(|id| id.0).collect()
    }

    #[test]
    fn ids_are_split_as_people_write_them() {
        assert_eq!(read(" 1, 2;3\n四  5,,1", None), ["1", "2", "3", "四", "5"]);
    }

    #[test]
    fn a_range_is_all_tasks_in_it() {
        let task = |number: u32| Task {
            id: number.to_string().as_str().into(),
            digest: Digest::of("a task"),
            labels: Default::default(),
            fields: Default::default(),
        };
        let tasks = (1..=9).map(task).collect();
        let tasks = Arc::new(TaskSet::new("made up", tasks, TaskSetOrigin::Plain));
        assert_eq!(read("2-4, 3 9-", Some(&tasks)), ["2", "3", "4", "9-"]);
        assert_eq!(read("2-4", None), ["2-4"]);
    }
}
