//! Deleting a run: asked for first, because nothing brings it back.

use super::source::forget;
use crate::components::dialog::Dialog;
use crate::components::run_row::listed_name;
use crate::components::toast::Toasts;
use crate::prelude::*;
use crate::{api, keep};

/// The question, while a run is chosen to be deleted.
#[component]
pub fn Removal(
    /// The run; the dialog is open while there is one.
    doomed: RwSignal<Option<RunInfo>>,
    /// The list from which it disappears.
    runs: RwSignal<Option<Vec<RunInfo>>>,
) -> impl IntoView {
    let open = RwSignal::new(false);
    let problem = RwSignal::new(None::<ApiError>);
    let busy = RwSignal::new(false);
    let toasts = use_context::<Toasts>();
    Effect::new(move |_| {
        if doomed.is_some() {
            problem.set(None);
            open.set(true);
        }
    });
    Effect::new(move |_| {
        if !open.get() && doomed.with_untracked(Option::is_some) {
            doomed.set(None);
        }
    });
    let delete = move |_| {
        let Some(run) = doomed.get_untracked() else {
            return;
        };
        busy.set(true);
        spawn_local(async move {
            match withdraw(&run).await {
                Ok(()) => {
                    forget(runs, &run);
                    open.try_set(false);
                    if let Some(toasts) = toasts {
                        toasts.show(format!("Deleted {}", listed_name(&run)));
                    }
                }
                Err(why) => problem.put(why),
            }
            busy.try_set(false);
        });
    };
    let name = move || doomed.map(listed_name);
    view! {
        <Dialog open title="Delete this run?">
            <p translate="no">
                <b>{name}</b>
            </p>
            <p>
                "The run and its episodes become inaccessible to everyone, including you. This cannot be undone; only the fact that the run was withdrawn remains."
            </p>
            <Trouble problem/>
            <div class="row row-end">
                <button class="btn" type="button" on:click=move |_| open.set(false)>
                    "Cancel"
                </button>
                <button
                    class="btn btn-danger"
                    id="delete-run"
                    type="button"
                    disabled=busy
                    on:click=delete
                >
                    "Delete"
                </button>
            </div>
        </Dialog>
    }
}

/// Takes a run back, with its own token; the demo with the operator's access.
async fn withdraw(run: &RunInfo) -> Result<(), ApiError> {
    let token = match run.is_demo() {
        true => keep::access_token().unwrap_or_default(),
        false => keep::own(&run.run).await?.token,
    };
    let wanted = SetState::to(RunState::Withdrawn);
    api::driving::set_state(&run.run, &token, &wanted).await?;
    Ok(())
}
