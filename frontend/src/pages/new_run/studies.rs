//! The paper's two studies as one click each, and the field of a setting that may be one number or several.

use leptos::prelude::*;
use serde_json::Value;
use turnwise_shared::benchmarks::interactcomp::settings;
use turnwise_shared::spec::RandomSubset;

use super::Draft;
use crate::components::form::{ReadField, listed};
use crate::strings::new_run as strings;

/// So many questions the paper's studies have.
const QUESTIONS: u32 = 50;

/// Two buttons that fill the form, and how to leave a study again.
#[component]
pub fn Studies(draft: Draft) -> impl IntoView {
    let swept = Memo::new(move |_| {
        [settings::ROUNDS, settings::MIN_ASKS]
            .into_iter()
            .find_map(|name| Some((name, draft.setting(name)?.as_array()?.len())))
    });
    let fill = move |study: Value| {
        leave(draft);
        let Value::Object(study) = study else { return };
        for (name, value) in study {
            draft.set(&name, value);
        }
        // As many questions as the paper asked, where there are more and nobody has chosen among them.
        let all = draft
            .tasks
            .with_untracked(|tasks| tasks.ready().map_or(0, |tasks| tasks.tasks.len()));
        draft.config.update(|config| {
            if all > QUESTIONS as usize && config.subset == Default::default() {
                config.subset.random = Some(RandomSubset {
                    count: QUESTIONS,
                    seed: 1,
                });
            }
        });
    };
    view! {
        <div class="row" id="studies">
            <button
                class="btn btn-small"
                type="button"
                id="scaling-study"
                aria-pressed=move || (swept.get().map(|(name, _)| name) == Some(settings::ROUNDS)).to_string()
                on:click=move |_| fill(settings::scaling(&settings::SCALING))
            >
                {strings::SCALING}
            </button>
            <button
                class="btn btn-small"
                type="button"
                id="forced-study"
                aria-pressed=move || (swept.get().map(|(name, _)| name) == Some(settings::MIN_ASKS)).to_string()
                on:click=move |_| fill(settings::forced(&settings::FORCED))
            >
                {strings::FORCED}
            </button>
            <Show when=move || swept.get().is_some()>
                <button class="btn btn-small btn-quiet" type="button" id="no-study" on:click=move |_| leave(draft)>
                    {strings::NO_STUDY}
                </button>
            </Show>
        </div>
        {move || swept.get().map(|(name, values)| {
            view! { <p class="note small" role="status">{strings::study(name == settings::ROUNDS, values)}</p> }
        })}
    }
}

/// Leaves what a study chose to the benchmark.
fn leave(draft: Draft) {
    for name in ["mode", settings::ROUNDS, settings::MIN_ASKS] {
        draft.unset(name);
    }
}

/// Whole numbers with commas between them; several make a sweep. What is typed counts when the field is left.
#[component]
pub fn Counts(
    draft: Draft,
    /// Its name in the page.
    id: &'static str,
    /// The setting.
    name: &'static str,
    label: &'static str,
    note: &'static str,
    /// The largest number; the smallest is 1.
    most: u64,
) -> impl IntoView {
    let value = Signal::derive(move || {
        let value = draft.setting(name);
        value.map(|value| text(&value)).unwrap_or_default()
    });
    let read = move |typed: &str| {
        draft.set(name, read(typed, most)?);
        Ok(())
    };
    view! { <ReadField id label keys="numeric" note value read/> }
}

/// One number, or several with commas.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// Reads one number or several from 1 to `most`; what stands there twice counts once.
fn read(typed: &str, most: u64) -> Result<Value, String> {
    let mut numbers: Vec<u64> = Vec::new();
    for part in listed(typed) {
        let number = part
            .parse()
            .ok()
            .filter(|number| (1..=most).contains(number));
        let number = number.ok_or_else(|| strings::counts(most))?;
        if !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    match numbers.as_slice() {
        [] => Err(strings::counts(most)),
        [one] => Ok((*one).into()),
        _ => Ok(numbers.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        assert_eq!(read(" 10 ", 100), Ok(json!(10)));
        assert_eq!(read("5, 10;20 20", 100), Ok(json!([5, 10, 20])));
        for bad in ["0, 5", "500", "ten", "5-10", ""] {
            assert!(read(bad, 100).is_err(), "{bad}");
        }
        assert_eq!(text(&json!([5, 10])), "5, 10");
    }
}
