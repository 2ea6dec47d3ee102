//! Fewer tasks than the set has.

use turnwise_shared::spec::RandomSubset;

use super::Draft;
use crate::components::form::{NumberField, listed};
use crate::prelude::*;
use crate::strings::new_run as strings;

/// Fewer tasks: by id, at random, or only the first.
#[component]
pub fn Fewer(draft: Draft) -> impl IntoView {
    let ids = move || {
        draft.config.with(|config| {
            let ids: Vec<_> = config.subset.ids.iter().map(|id| id.0.as_str()).collect();
            ids.join(", ")
        })
    };
    let random = move |get: fn(&RandomSubset) -> u64| {
        Signal::derive(move || draft.config.with(|config| config.subset.random.as_ref().map(get)))
    };
    view! {
                <div class="fields">
                    <div class="field">
                        <label for="ids">"Only these ids"</label>
                        <input
                            id="ids"
                            class="input"
                            placeholder=strings::ALL
                            aria-describedby="ids-note"
                            prop:value=ids
                            on:change:target=move |event| {
                                let ids = split(&event.target().value());
                                draft.config.update(|config| config.subset.ids = ids);
                            }
                        />
                        <span class="field-note" id="ids-note">"separated by commas or spaces; 1-50 for a range"</span>
                    </div>
                    <NumberField
                        id="random"
                        label="Random sample of"
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
                        label="Seed of the sample"
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
                        label="First tasks only"
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
    }
}

/// The ids, and ranges of ids, that the user wrote; what they mean is decided where the run is planned.
fn split(text: &str) -> Vec<TaskId> {
    listed(text).map(TaskId::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_split_as_people_write_them() {
        let ids: Vec<_> = split(" 1, 2;3\n四  5-9,,").into_iter().map(|id| id.0).collect();
        assert_eq!(ids, ["1", "2", "3", "四", "5-9"]);
    }
}
