//! What was hidden in a sealed task, once the operator has opened its set to everybody.

use turnwise_shared::wire::sealed::OpenedTasks;

use crate::prelude::*;
use crate::view::replayed::hidden_fields;
use crate::{api, clock};

/// A button that asks the server, and what it tells.
#[component]
pub fn Opened(
    /// The name of the set.
    tasks: String,
    /// The task as it was handed out.
    task: Task,
) -> impl IntoView {
    let found = RwSignal::new(None::<OpenedTasks>);
    let problem = RwSignal::new(None::<ApiError>);
    let ask = move |_| {
        let tasks = tasks.clone();
        spawn_local(async move {
            match api::opened_tasks(&tasks).await {
                Ok(opened) => {
                    found.put(opened);
                    problem.try_set(None);
                }
                Err(error) => problem.put(error),
            }
        });
    };
    let shown = move || {
        found.and_then(|found| {
            let whole = found.tasks.iter().find(|one| one.id == task.id)?;
            let since = format!(
                "The operator opened this task set on {}: {}",
                clock::moment(found.opened),
                found.reason
            );
            Some(view! {
                <div class="stack-2" id="opened">
                    <p class="soft">{since}</p>
                    {hidden_blocks(whole)}
                </div>
            })
        })
    };
    view! {
        <div class="note-do">
            <Show when=move || found.is_none()>
                <button class="btn btn-small" type="button" id="ask-opened" on:click=ask.clone()>
                    <SmallIcon name="eye"/>
                    "Ask whether it has been opened"
                </button>
            </Show>
        </div>
        <Trouble problem/>
        {shown}
    }
}

/// A block for each field that a task hides.
pub fn hidden_blocks(task: &Task) -> Vec<AnyView> {
    let lang = language(&task.labels);
    let fields = hidden_fields(task).into_iter();
    let block = |(name, text)| {
        any_view! {
            <div class="block b-hidden">
                <div class="block-head">{name}</div>
                <div class="block-body" lang=lang.clone()>
                    {text}
                </div>
            </div>
        }
    };
    fields.map(block).collect()
}
